# SPDX-License-Identifier: LGPL-2.1-or-later
# What door.c and process.c stand in for, and irix.c adds: flags that a program is
# linked with

WRAPPED	:= open open64 __open_2 __open64_2 ioctl \
	   vfork wait waitpid wait3 wait4 waitid _exit _Exit \
	   execve execv execvp execvpe execl execlp execle fexecve \
	   system popen pclose
WRAP	:= $(WRAPPED:%=-Wl,--wrap=%) -Wl,-u,__wrap_open,-u,__wrap_wait4,-u,syssgi
