# SPDX-License-Identifier: GPL-2.0-or-later
"""The programs that the guest has, and who runs them."""
from harness import expect, test

MISTAKES = {
    ("--install", "gdb"): "--install needs --userland debian",
    ("--userland", "irix"): "invalid choice: 'irix'",
    ("--user", "guest"): "invalid choice: 'guest'",
    ("--user", "user", "--uid", "5"): "--user and --uid exclude each other",
}


@test
def userland_mistakes(host):
    """Userlands, users and packages that are none"""
    for options, says in MISTAKES.items():
        host.check(*options, "true", status=125, says=says)


@test
def userland_guest(host):
    """Debian's programs need the little-endian guest: said before any fetching"""
    host.check("--userland", "debian", "true", status=125,
               says="vmlinux-el does not exist. Run 'make guest-el'")


@test
def users(guest):
    """root and user are at home, others where nobody is"""
    script = "id -u; pwd; echo $HOME $USER"
    for options, wanted in (((), b"0\n/\n/root root\n"),
                            (("--user", "root"), b"0\n/root\n/root root\n"),
                            (("--user", "user"),
                             b"1000\n/home/user\n/home/user user\n"),
                            (("--uid", "5"), b"5\n/\n/root root\n")):
        out = guest.check(*options, "-n", "--", "sh", "-c", script)
        expect(" ".join(options), out, wanted)
