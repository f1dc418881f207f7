/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations that the files of ssrun share. */
#ifndef SSRUN_H
#define SSRUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <irixperf.h>
#include "perftool.h"
#include "speedshop.h"
#include "tool.h"

/**
 * struct ssrun_options - the command line, checked for form only
 * @experiment: the experiment, an option by itself or the argument of -exp
 * @verbose: -v
 * @keep: -keep
 * @mpi: -mpi
 * @list: -list
 * @help: -help
 * @version: -version
 * @command: the command and its arguments, NULL at the end
 */
struct ssrun_options {
	const char *experiment;
	bool verbose;
	bool keep;
	bool mpi;
	bool list;
	bool help;
	bool version;
	char **command;
};

/* options.c: return 0, or an exit status after a message */
int ssrun_options_parse(struct ssrun_options *opt, char **argv);

/**
 * struct ssrun_choice - what to record
 * @experiment: its name
 * @event: the event's number
 * @interval: occurrences from one sample to the next
 * @counter: the event's name in reports
 * @perf_event: the argument of perf(1) for the event
 */
struct ssrun_choice {
	const char *experiment;
	unsigned int event;
	uint64_t interval;
	const char *counter;
	char perf_event[160];
};

/* experiment.c: return 0, or an exit status after a message */
int ssrun_choose(struct ssrun_choice *choice, enum irixperf_chip chip,
		 const char *experiment);
bool ssrun_is_experiment(const char *name);
void ssrun_list(FILE *out, enum irixperf_chip chip);

/*
 * perf.c: ssrun_perf_record() returns the command's exit status, or its own after a
 * message. @starved becomes true if others had the counter.
 */
int ssrun_perf_record(const struct ssrun_choice *choice, const char *data,
		      char **command, bool *starved);
void ssrun_attr(struct irixperf_attr *attr, const struct ssrun_choice *choice);

/* line.c: the kinds of lines of "perf script", and the members that each sets */
enum ssrun_kind {
	SSRUN_OTHER,
	SSRUN_SAMPLE,		/* @address, @name, @offset */
	SSRUN_FORK,		/* @parent */
	SSRUN_EXEC,		/* @name: the program, cut off */
	SSRUN_MAP,		/* @address, @size, @offset, @name: the file */
	SSRUN_LOST,		/* @size: records */
	SSRUN_LOST_SAMPLES	/* @size: samples */
};

/**
 * struct ssrun_line - the values in one line of "perf script"
 * @kind: its kind; see enum ssrun_kind for the members that have a value
 * @pid: the process
 * @tid: the thread
 * @time: when, in ns; 0 if that is unknown
 * @parent: the process that has made @pid with fork(2)
 * @address: where in memory
 * @size: how much
 * @offset: offset in the file, or of the sample in its function
 * @name: name of a function, program or file; points into the line's text
 */
struct ssrun_line {
	enum ssrun_kind kind;
	pid_t pid;
	pid_t tid;
	uint64_t time;
	pid_t parent;
	uint64_t address;
	uint64_t size;
	uint64_t offset;
	const char *name;
};

void ssrun_line_parse(struct ssrun_line *line, char *text);

/**
 * struct ssrun_object - a file that programs have mapped
 * @next: the file found before this one
 * @path: its name
 * @nr: how many segments
 * @segment: for each, its offset in the file, size and address
 */
struct ssrun_object {
	struct ssrun_object *next;
	char *path;
	unsigned int nr;
	struct {
		uint64_t offset;
		uint64_t size;
		uint64_t address;
	} segment[16];
};

/* object.c: NULL if there is no memory */
struct ssrun_object *ssrun_object_get(const char *path);
uint64_t ssrun_object_address(const struct ssrun_object *object,
			      uint64_t offset);

/**
 * struct ssrun_sample - samples at one address
 * @object: the file that it is in
 * @address: its address in the file's symbol table
 * @start: address of the function, 0 if it is unknown
 * @function: name of the function
 * @count: how many samples
 */
struct ssrun_sample {
	const struct ssrun_object *object;
	uint64_t address;
	uint64_t start;
	char *function;
	uint64_t count;
};

/**
 * struct ssrun_profile - the samples of one process or thread, in one program
 * @next: the profile that was started before this one
 * @code: m, f, e, fe or p
 * @id: the process or thread
 * @pid: the process
 * @name: name of the program
 * @program: file of the program
 * @forgotten: not to be written
 * @samples: how many samples
 * @tree: struct ssrun_sample by object and address, for tsearch(3)
 */
struct ssrun_profile {
	struct ssrun_profile *next;
	const char *code;
	pid_t id;
	pid_t pid;
	char *name;
	char *program;
	bool forgotten;
	uint64_t samples;
	void *tree;
};

/**
 * struct ssrun_run - all that was recorded
 * @master: the name of the program that ssrun has started
 * @from_exec: leave out what a child does before its execve(2)
 * @tasks: processes and threads, the newest first
 * @profiles: their samples, the newest first
 * @lost: records that perf had no room for
 * @lost_samples: samples among these, if the kernel says how many
 * @throttled: how often the kernel has stopped the counter until the next tick
 * @starved: others had the counter for a part of the time
 * @last: the line before
 */
struct ssrun_run {
	const char *master;
	bool from_exec;
	struct ssrun_task *tasks;
	struct ssrun_profile *profiles;
	uint64_t lost;
	uint64_t lost_samples;
	uint64_t throttled;
	bool starved;
	struct ssrun_line last;
};

/* run.c: returns 0 or -errno */
int ssrun_run_line(struct ssrun_run *run, const struct ssrun_line *line);
struct ssrun_profile *ssrun_run_master(struct ssrun_run *run);

/**
 * struct ssrun_about - what each file says about the machine and the run
 * @cpu: the machine's CPU
 * @mhz: its clock, 0 if that is unknown
 * @choice: what was recorded
 * @command: the command line
 */
struct ssrun_about {
	struct irixperf_cpu cpu;
	unsigned int mhz;
	const struct ssrun_choice *choice;
	char *const *command;
};

/* write.c: return 0, or an exit status after a message */
int ssrun_write(struct ssrun_run *run, const struct ssrun_about *about,
		bool verbose);
int ssrun_file_name(char *buf, size_t size, const char *name,
		    const char *experiment, const char *code, pid_t id);

#endif
