# SPDX-License-Identifier: GPL-2.0-or-later
#
# The common part of the Makefiles of commands, after scripts/user.mk. Each sets where
# its sources are (vpath), and
#
# PROGRAMS  the commands
# SRCS      the names of the sources of all of them
# SRCS_p    those of the command p alone
#
# and may add:
#
# FLAGS     for the linker
# ARCHIVES  before libirixperf.a
# LIBS      after it
#
# Goals:
#
# make host              for this machine, with manual pages and completion
# make guest CC=COMPILER for the emulated one
# make objects           only the objects, in $(BUILD)
# make clean             remove $(BUILD)

objects_of = $(patsubst %.c,$(BUILD)/%.o,$(SRCS) $(SRCS_$(1)))
OBJS	:= $(sort $(foreach p,$(PROGRAMS),$(call objects_of,$(p))))
BINARIES := $(PROGRAMS:%=$(BUILD)/%)

.PHONY: host guest objects install-doc

host: install-doc
host guest: $(BINARIES)
	$(Q)install -d $(DEST)/bin
	$(Q)install -m 755 $(BINARIES) $(DEST)/bin/

install-doc:
	$(Q)install -d $(COMPLETIONS) $(MAN)/man1
	$(Q)for p in $(PROGRAMS); do \
		install -m 644 completion.bash $(COMPLETIONS)/$$p && \
		install -m 644 $(PAGES)/$$p.1 $(MAN)/man1/ || exit 1; \
	done

objects: $(OBJS)

$(foreach p,$(PROGRAMS),$(eval $(BUILD)/$(p): $(call objects_of,$(p))))
$(BINARIES): $(ARCHIVES) $(LIBBUILD)/libirixperf.a
	@echo "  LD      $(@F)"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(FLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) \
		$(LIBS)

-include $(OBJS:.o=.d)
