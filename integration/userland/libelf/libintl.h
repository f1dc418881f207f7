/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libelf's messages are not translated in the guest. */
#define dgettext(domain, text)	(text)
#define gettext(text)		(text)
