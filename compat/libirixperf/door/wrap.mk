# SPDX-License-Identifier: LGPL-2.1-or-later
# The only list of the functions that the door replaces. It gives the flags with which
# a program is linked, and those that give the door's functions the C library's names
# in the object for LD_PRELOAD.

WRAPPED	:= open open64 __open_2 __open64_2 openat openat64 __openat_2 \
	   __openat64_2 fopen fopen64 ioctl \
	   vfork __vfork posix_spawn posix_spawnp \
	   wait waitpid wait3 wait4 waitid _exit _Exit \
	   execve execv execvp execvpe execl execlp execle fexecve \
	   system popen pclose

# -u: one symbol of each file, which brings its others; irix.c replaces no functions
WRAP	:= $(WRAPPED:%=-Wl,--wrap=%) \
	   -Wl,-u,__wrap_open,-u,__wrap_wait4,-u,__wrap_posix_spawn,-u,syssgi

# The door uses no file offsets, and 64-bit ones would give open() another name
PRELOAD	:= -DIXP_PRELOAD '-DIXP_DOOR_NAMES(X)=$(foreach name,$(WRAPPED),X($(name)))' \
	   $(foreach name,$(WRAPPED),-D__wrap_$(name)=$(name)) \
	   -U_FILE_OFFSET_BITS -U_FORTIFY_SOURCE -fvisibility=default
