# SPDX-License-Identifier: GPL-2.0-only
"""Commands in the guest with Debian's programs."""

import accept

OPTIONS = ("--userland", "debian")
SCRIPT = accept.ROOT / "scripts" / "guest-debian.sh"

# Readers of counters that are not in the basic image, and bc, which perf's own tests
# call; all in one, as each combination is an image of its own.
MORE = ("bc", "pcp", "tiptop")
MORE_OPTIONS = tuple(w for name in MORE for w in ("--install", name))


def vm(*command, options=(), timeout=300, **more):
    """Run a command there."""
    return accept.vm(*command, options=(*OPTIONS, "-n", *options),
                     timeout=timeout, **more)


def need_disk(tap, *packages):
    """The image, made if need be: one result, which says why there is none. It
    fails without a network, and on a mirror without mips64el: a skip would hide
    that nothing below was tried."""
    ran = accept.run([SCRIPT, *packages], 1800)
    made = tap.ended("Debian's packages are fetched and their disk made", ran)
    return ran.out.strip() if made else None
