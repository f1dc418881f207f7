#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Print an apt source of Debian's main archive for another suite.

usage: apt_sources.py SUITE [APT_DIRECTORY]

Reads the machine's own sources (sources.list and sources.list.d, one-line and
deb822 form), keeps those of Debian's main archive, and prints one deb822 stanza
for SUITE, binary and source packages, with the same URIs and the same keys. It
uses no other repository and changes nothing. Two checks make sure that the
archive is Debian's: this script checks the name of its suite, and apt refuses
packages that Debian's keys have not signed.
"""

import pathlib
import re
import sys

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
RELEASES = {"bullseye", "bookworm", "trixie", "forky", "sid",
            "oldoldstable", "oldstable", "stable", "testing", "unstable"}
KEPT = ("signed-by", "check-valid-until", "check-date")


def one_line(text):
    """Yield the entries of a sources.list as dictionaries."""
    for line in text.splitlines():
        match = re.match(r"\s*(deb|deb-src)\s+(?:\[([^]]*)\]\s+)?(.*)",
                         line.split("#")[0])
        fields = match.group(3).split() if match else []
        if len(fields) < 3:
            continue
        options = dict(word.split("=", 1)
                       for word in (match.group(2) or "").split()
                       if "=" in word)
        entry = {key.lower(): value for key, value in options.items()}
        entry.update({"types": match.group(1), "uris": fields[0],
                      "suites": fields[1],
                      "components": " ".join(fields[2:])})
        yield entry


def deb822(text):
    """Yield the stanzas of a .sources file as dictionaries."""
    text = re.sub(r"^#.*\n?", "", text, flags=re.M)
    for stanza in re.split(r"\n\s*\n", text):
        entry, key = {}, None
        for line in stanza.splitlines():
            if line[:1].isspace() and key:
                entry[key] += "\n" + line
            elif ":" in line:
                key, value = line.split(":", 1)
                key = key.strip().lower()
                entry[key] = value.strip()
        if entry:
            yield entry


def is_debian(entry):
    """Say whether an entry is a release of Debian's main archive."""
    return ("deb" in entry.get("types", "").split()
            and entry.get("enabled", "yes").lower() not in ("no", "false", "0")
            and "main" in entry.get("components", "").split()
            and any(suite.strip("/") in RELEASES
                    for suite in entry.get("suites", "").split())
            and not entry.get("uris", "").startswith("cdrom"))


def rank(entry):
    """Sort the surest first: Debian's key, then Debian's usual path."""
    uris = entry["uris"].split()[0].rstrip("/")
    return (KEYRING not in entry.get("signed-by", ""),
            not re.search(r"/debian$|/debian\.list$", uris))


def entries(folder):
    """Yield every entry of an apt configuration directory."""
    parts = folder / "sources.list.d"
    for path in [folder / "sources.list"] + sorted(parts.glob("*.list")):
        if path.is_file():
            yield from one_line(path.read_text(errors="replace"))
    for path in sorted(parts.glob("*.sources")):
        yield from deb822(path.read_text(errors="replace"))


def stanza(entry, suite):
    """Write one entry for a suite."""
    lines = ["Types: deb deb-src", "URIs: " + entry["uris"],
             "Suites: " + suite, "Components: main"]
    if "signed-by" not in entry and pathlib.Path(KEYRING).exists():
        entry["signed-by"] = KEYRING
    lines += ["%s: %s" % (key.title(), entry[key])
              for key in KEPT if key in entry]
    return "\n".join(lines) + "\n"


def main(argv):
    """Print the stanza, or say why there is none."""
    if len(argv) not in (2, 3):
        sys.exit(__doc__)
    folder = pathlib.Path(argv[2] if len(argv) == 3 else "/etc/apt")
    found = sorted(filter(is_debian, entries(folder)), key=rank)
    if not found:
        sys.exit("error: %s names no source of Debian's main archive\n"
                 "error: add one: sources.list(5) shows how" % folder)
    print(stanza(found[0], argv[1]), end="")


if __name__ == "__main__":
    main(sys.argv)
