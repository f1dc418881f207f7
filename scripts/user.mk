# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the Makefiles of our commands and libraries have in common. Each sets NAME,
# the name of its folder of objects, includes this, and may add to:
#
# INC       what its compiler is told besides
# HOW       what makes everything anew if it changes, besides compiler and flags
# LIBGOALS  what it needs of libirixperf, which it builds in $(LIBBUILD)
#
# Who calls make may set:
#
# OUT=DIR   install into DIR$(PREFIX) (default: build/stage of the project)
# BUILD=DIR objects (default: build/obj/... of the project)
# LIBBUILD=DIR those of libirixperf (default: in BUILD; callers may share them)
# V=1       show the commands

TOP	:= $(abspath $(CURDIR)/../..)
TARGET	:= $(or $(filter guest,$(MAKECMDGOALS)),host)
OUT	?= $(TOP)/build/stage
BUILD	?= $(TOP)/build/obj/$(TARGET)/$(NAME)
PREFIX	?= /usr
DEST	:= $(OUT)$(PREFIX)
COMPLETIONS := $(DEST)/share/bash-completion/completions
PAGES	:= $(TOP)/Documentation/man
MAN	:= $(DEST)/share/man

CFLAGS	?= -O2 -g
WARN	:= -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes $(WERROR)
COMPILE	= $(CC) -std=gnu11 $(CFLAGS) $(WARN) $(INC) -MMD -MP
tool	= $(shell $(CC) -print-prog-name=$(1))
ifeq ($(origin AR),default)
AR	:= $(call tool,ar)
endif

LIB	:= $(TOP)/compat/libirixperf
LIBBUILD := $(BUILD)/lib
LIBGOALS := lib
COMMON	:= ../../tools/common

Q	:= $(if $(V),,@)

.PHONY: clean irixperf FORCE

# Another compiler or other flags make everything anew. Callers that share LIBBUILD
# may come here at the same time
$(BUILD)/how: FORCE | $(BUILD)
	$(Q)echo '$(shell readlink -f "$$(command -v $(firstword $(CC)))") $(CC) $(CFLAGS) $(WERROR) $(HOW)' > $@.$$$$; \
	cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@

# Its own Makefile, which includes this, too, knows whether the library is up to
# date. A command has it linked in, and works without any setting of paths
ifneq ($(LIBBUILD),$(BUILD))
$(LIBBUILD)/libirixperf.a: irixperf ;
endif

irixperf:
	$(Q)$(MAKE) --no-print-directory -C $(LIB) $(LIBGOALS) CC="$(CC)" \
		BUILD=$(LIBBUILD)

$(BUILD):
	$(Q)mkdir -p $@

clean:
	rm -rf $(BUILD)

# The first target is that of who includes this
.DEFAULT_GOAL :=
