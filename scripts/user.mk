# SPDX-License-Identifier: GPL-2.0-or-later
#
# The common part of the Makefiles of our commands and libraries. Each sets NAME, the
# name of its directory of objects, includes this, and may add to:
#
# INC       additional options for the compiler
# HOW       a text; everything is rebuilt if it, the compiler or its flags change
# LIBGOALS  the goals of libirixperf that it needs, built in $(LIBBUILD)
#
# The caller of make may set:
#
# OUT=DIR   install into DIR$(PREFIX) (default: build/stage of the project)
# BUILD=DIR objects (default: build/obj/... of the project)
# LIBBUILD=DIR objects of libirixperf (default: in BUILD; callers may share them)
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

# Another compiler or other flags rebuild everything. Callers that share LIBBUILD may
# run this at the same time
$(BUILD)/how: FORCE | $(BUILD)
	$(Q)echo '$(shell readlink -f "$$(command -v $(firstword $(CC)))") $(CC) $(CFLAGS) $(WERROR) $(HOW)' > $@.$$$$; \
	cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@

# The library's own Makefile, which also includes this one, knows whether the library
# is up to date. Commands link it statically and so need no library path
ifneq ($(LIBBUILD),$(BUILD))
$(LIBBUILD)/libirixperf.a: irixperf ;
endif

irixperf:
	$(Q)$(MAKE) --no-print-directory -C $(LIB) $(LIBGOALS) CC="$(CC)" \
		BUILD=$(LIBBUILD)

$(BUILD)/%.o: %.c $(BUILD)/how | $(BUILD)
	@echo "  CC      $<"
	$(Q)$(COMPILE) -c -o $@ $<

# A library over libirixperf, which lies beside it; it says what it is made of
$(BUILD)/lib%.so.0:
	@echo "  LD      $(@F)"
	$(Q)$(CC) -shared -Wl,-soname,$(@F) -Wl,--version-script=lib$*.map -Wl,-z,defs \
		-Wl,-rpath,'$$ORIGIN' $(LDFLAGS) -o $@ $(OBJS) $(LIBBUILD)/libirixperf.so.0

$(BUILD)/%.pc: %.pc.in Makefile | $(BUILD)
	$(Q)sed 's/@VERSION@/$(VERSION)/' $< > $@

$(BUILD):
	$(Q)mkdir -p $@

clean:
	rm -rf $(BUILD)

# The default goal is the first target of the including Makefile
.DEFAULT_GOAL :=
