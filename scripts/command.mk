# SPDX-License-Identifier: GPL-2.0-or-later
#
# The common part of the Makefiles of commands that are one program, $(NAME), after
# scripts/user.mk. Each sets SRCS, the names of its sources, and where they are (vpath),
# and may add:
#
# FLAGS     for the linker
# ARCHIVES  before libirixperf.a
# LIBS      after it
#
# Goals:
#
# make host              for this machine, with manual page and completion
# make guest CC=COMPILER for the emulated one
# make objects           only the objects, in $(BUILD)
# make clean             remove $(BUILD)

OBJS	:= $(SRCS:%.c=$(BUILD)/%.o)

.PHONY: host guest objects install-doc

host: install-doc
host guest: $(BUILD)/$(NAME)
	$(Q)install -d $(DEST)/bin
	$(Q)install -m 755 $< $(DEST)/bin/

install-doc:
	$(Q)install -d $(COMPLETIONS) $(MAN)/man1
	$(Q)install -m 644 completion.bash $(COMPLETIONS)/$(NAME)
	$(Q)install -m 644 $(PAGES)/$(NAME).1 $(MAN)/man1/

objects: $(OBJS)

$(BUILD)/$(NAME): $(OBJS) $(ARCHIVES) $(LIBBUILD)/libirixperf.a
	@echo "  LD      $(@F)"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(FLAGS) -o $@ $^ $(LIBS)

-include $(OBJS:.o=.d)
