/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A private temporary folder and the commands that work in it. Nobody else can
 * read it; it is gone when it is released or the process exits, also by
 * SIGINT, SIGTERM or SIGHUP while a command runs.
 */
#ifndef MODEL_HARNESS_WORKDIR_H
#define MODEL_HARNESS_WORKDIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * @path: absolute; @keep: it is to stay
 * @log: where commands and what they print go, or NULL
 */
struct workdir {
	char *path;
	bool keep;
	FILE *log;
	struct workdir *next;
};

/* Make one below $TMPDIR or /tmp. NULL after a message on @err. */
struct workdir *workdir_create(FILE *err);

/* Remove it, unless it is to stay, and forget it. @w may be NULL. */
void workdir_destroy(struct workdir *w);

/* Make the folder @name in it. 0 or -errno */
int workdir_mkdir(const struct workdir *w, const char *name);

/* Write the file @name (relative) in it. 0 or -errno */
int workdir_write(const struct workdir *w, const char *name, const void *data,
		  size_t bytes);

/*
 * Run @argv (NULL-terminated; no shell) in its folder @folder and wait for it.
 * Its environment is PATH, TMPDIR and what makes messages and results the
 * same everywhere; its input is empty.
 * @output: all it printed, up to 1 MiB, the caller's to free
 * Returns its exit code (128 and more: a signal ended it), -ENOENT if there is
 * no such program, -EINTR if a signal came, -errno.
 */
int workdir_run(const struct workdir *w, const char *folder,
		const char *const *argv, char **output);

/* Take note of signals from now on instead of dying of them. */
void workdir_catch_signals(void);

/* No more; one that came in between takes effect now. */
void workdir_release_signals(void);

#endif
