#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""All tests of r10kvm, or those of the parts that are named: TAP."""
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# pylint: disable=wrong-import-position,unused-import
import harness      # noqa: E402
import streams      # noqa: E402,F401
import files        # noqa: E402,F401
import failures     # noqa: E402,F401
import hostile      # noqa: E402,F401
import cpus         # noqa: E402,F401
import boards       # noqa: E402,F401
import terminals    # noqa: E402,F401
import machines     # noqa: E402,F401
import userlands    # noqa: E402,F401

sys.exit(harness.main(sys.argv[1:]))
