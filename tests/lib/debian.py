# SPDX-License-Identifier: GPL-2.0-only
"""Commands in the guest with Debian's programs."""

import accept

OPTIONS = ("--userland", "debian")
SCRIPT = accept.ROOT / "scripts" / "guest-debian.sh"

# Programs that read counters and are not in the basic image, and bc for perf's own
# tests. One list for all tests, because each combination is an image of its own.
MORE = ("bc", "pcp", "tiptop")
MORE_OPTIONS = tuple(w for name in MORE for w in ("--install", name))


def vm(*command, options=(), timeout=300, **more):
    """Run a command there."""
    return accept.vm(*command, options=(*OPTIONS, *options),
                     timeout=timeout, **more)


def need_disk(tap, *packages):
    """Return the image, and make it if it does not exist. One result says whether that
    worked. Without a network, or on a mirror without mips64el, it fails: a skip would
    hide that the tests after it did not run."""
    ran = accept.run([SCRIPT, *packages], 1800)
    made = tap.ended("Debian's packages are fetched and their disk made", ran)
    return ran.out.strip() if made else None
