# SPDX-License-Identifier: LGPL-2.1-or-later
# What the files of the door stand in for: the one list of it. From it are made
# the flags that a program is linked with, and those that make these functions
# the C library's in the object for LD_PRELOAD.

WRAPPED	:= open open64 __open_2 __open64_2 openat openat64 __openat_2 \
	   __openat64_2 fopen fopen64 ioctl \
	   vfork __vfork posix_spawn posix_spawnp \
	   wait waitpid wait3 wait4 waitid _exit _Exit \
	   execve execv execvp execvpe execl execlp execle fexecve \
	   system popen pclose

# Of each file one symbol, which brings the others; irix.c only adds some
WRAP	:= $(WRAPPED:%=-Wl,--wrap=%) \
	   -Wl,-u,__wrap_open,-u,__wrap_wait4,-u,__wrap_posix_spawn,-u,syssgi

# Places in files have no part in it, and 64 bits would give open() another name
PRELOAD	:= -DIXP_PRELOAD '-DIXP_DOOR_NAMES(X)=$(foreach name,$(WRAPPED),X($(name)))' \
	   $(foreach name,$(WRAPPED),-D__wrap_$(name)=$(name)) \
	   -U_FILE_OFFSET_BITS -U_FORTIFY_SOURCE -fvisibility=default
