/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Included by libgcc's sources; tm.h has all that they need. */
