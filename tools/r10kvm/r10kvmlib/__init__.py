# SPDX-License-Identifier: GPL-2.0-or-later
"""The host's half of r10kvm."""

VERSION = "0.1"
