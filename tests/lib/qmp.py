# SPDX-License-Identifier: GPL-2.0-only
"""Sends commands to a running emulator, by its machine protocol."""

import json
import socket
import time

ANSWER_SECONDS = 60


class Qmp:
    """A connection to the socket of -qmp unix:PATH,server=on,wait=off."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(ANSWER_SECONDS)
        self._connect(path)
        self.file = self.socket.makefile("rw")
        self.file.readline()
        self("qmp_capabilities")

    def _connect(self, path):
        for _ in range(20 * ANSWER_SECONDS):
            try:
                return self.socket.connect(str(path))
            except (FileNotFoundError, ConnectionRefusedError):
                time.sleep(0.05)
        raise RuntimeError("the emulator does not listen at %s" % path)

    def __call__(self, command, **arguments):
        """Send a command and return the answer. An error is a RuntimeError."""
        message = {"execute": command, "arguments": arguments}
        self.file.write(json.dumps(message) + "\n")
        self.file.flush()
        for line in self.file:
            answer = json.loads(line)
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise RuntimeError("%s: %s" % (command,
                                               answer["error"]["desc"]))
        raise RuntimeError("%s: the emulator has ended" % command)

    def counters(self):
        """Both counters of the first CPU."""
        cpu = self("query-cpus-fast")[0]["qom-path"]
        return [self("qom-get", path=cpu, property="pmu-counter%d" % i)
                for i in range(2)]

    def disconnect(self):
        """End the connection only; another may be opened."""
        self.file.close()
        self.socket.close()

    def close(self):
        """End the connection, and the emulator with it."""
        try:
            self("quit")
        except (RuntimeError, OSError):
            pass
        self.disconnect()
