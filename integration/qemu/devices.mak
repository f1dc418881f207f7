# SPDX-License-Identifier: GPL-2.0-or-later
# The board, what r10kvm plugs into it, and what the tests load programs with
CONFIG_MALTA=y
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_BLK=y
CONFIG_VIRTIO_SERIAL=y
CONFIG_GENERIC_LOADER=y
