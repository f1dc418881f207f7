# SPDX-License-Identifier: GPL-2.0-or-later
# The Octane is big-endian only.
include ../mips64el-softmmu/r10kperf.mak
CONFIG_SGI_OCTANE=y
