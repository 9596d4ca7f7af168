// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE	/* posix_spawn_file_actions_addchdir_np, nftw */
#include "model/harness/workdir.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUTPUT_MAX_BYTES	(1u << 20)
#define OUTPUT_NAME		".output"

static struct workdir *workdirs;
static pid_t workdirs_owner;

static const int workdir_signals[] = { SIGINT, SIGTERM, SIGHUP };
#define SIGNALS_NR	(sizeof(workdir_signals) / sizeof(*workdir_signals))

static struct sigaction workdir_old[SIGNALS_NR];
static volatile sig_atomic_t workdir_signal;

static int workdir_remove_one(const char *path, const struct stat *st,
			      int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	remove(path);
	return 0;
}

static void workdir_remove(const struct workdir *w)
{
	if (!w->keep)
		nftw(w->path, workdir_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* A child that exits must not take its parent's folders away. */
static void workdir_at_exit(void)
{
	const struct workdir *w;

	if (getpid() == workdirs_owner)
		for (w = workdirs; w; w = w->next)
			workdir_remove(w);
}

static char *workdir_join(const char *folder, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", folder, name) < 0) {
		fputs("vblksim: out of memory\n", stderr);
		exit(1);
	}
	return path;
}

struct workdir *workdir_create(FILE *err)
{
	const char *parent = getenv("TMPDIR");
	struct workdir *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	if (!parent || *parent != '/')
		parent = "/tmp";
	w->path = workdir_join(parent, "vblksim-XXXXXX");
	if (!mkdtemp(w->path)) {
		fprintf(err, "vblksim: no temporary folder can be made in %s: %s; TMPDIR names another place\n",
			parent, strerror(errno));
		free(w->path);
		free(w);
		return NULL;
	}
	if (!workdirs_owner)
		atexit(workdir_at_exit);
	workdirs_owner = getpid();
	w->next = workdirs;
	workdirs = w;
	return w;
}

void workdir_destroy(struct workdir *w)
{
	struct workdir **at = &workdirs;

	if (!w)
		return;
	while (*at && *at != w)
		at = &(*at)->next;
	if (*at)
		*at = w->next;
	workdir_remove(w);
	free(w->path);
	free(w);
}

int workdir_mkdir(const struct workdir *w, const char *name)
{
	char *path = workdir_join(w->path, name);
	int ret = mkdir(path, 0700) ? -errno : 0;

	free(path);
	return ret;
}

int workdir_write(const struct workdir *w, const char *name, const void *data,
		  size_t bytes)
{
	char *path = workdir_join(w->path, name);
	FILE *f = fopen(path, "wxe");
	int ret = 0;

	free(path);
	if (!f)
		return -errno;
	if (fwrite(data, 1, bytes, f) != bytes)
		ret = -EIO;
	if (fclose(f) && !ret)
		ret = -errno;
	return ret;
}

static void workdir_on_signal(int number)
{
	workdir_signal = number;
}

void workdir_catch_signals(void)
{
	struct sigaction action = { .sa_handler = workdir_on_signal };
	size_t i;

	sigemptyset(&action.sa_mask);
	workdir_signal = 0;
	for (i = 0; i < SIGNALS_NR; i++) {
		sigaction(workdir_signals[i], NULL, &workdir_old[i]);
		/* whoever started us with nohup meant it */
		if (workdir_old[i].sa_handler != SIG_IGN)
			sigaction(workdir_signals[i], &action, NULL);
	}
}

void workdir_release_signals(void)
{
	size_t i;

	for (i = 0; i < SIGNALS_NR; i++)
		sigaction(workdir_signals[i], &workdir_old[i], NULL);
	if (workdir_signal) {
		workdir_at_exit();
		raise(workdir_signal);
	}
}

static void workdir_log_command(const struct workdir *w,
				const char *const *argv)
{
	if (!w->log)
		return;
	fputc('+', w->log);
	for (; *argv; argv++)
		fprintf(w->log, " %s", *argv);
	fputc('\n', w->log);
}

/* What the command printed so far. */
static char *workdir_output(const struct workdir *w)
{
	char *path = workdir_join(w->path, OUTPUT_NAME);
	FILE *f = fopen(path, "re");
	char *text = calloc(1, OUTPUT_MAX_BYTES + 1);

	free(path);
	if (text && f && fread(text, 1, OUTPUT_MAX_BYTES, f) && w->log)
		fputs(text, w->log);
	if (f)
		fclose(f);
	return text;
}

/* Wait for @pid; when a signal has come, end it and all it has started. */
static int workdir_wait(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
		if (workdir_signal)
			kill(-pid, SIGKILL);
	}
	if (workdir_signal)
		return -EINTR;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int workdir_spawn(const char *folder, const char *output,
			 const char *const *argv, char **envp, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int err;

	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attr);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, 1, output,
					 O_WRONLY | O_CREAT | O_TRUNC, 0600);
	posix_spawn_file_actions_adddup2(&files, 1, 2);
	posix_spawn_file_actions_addchdir_np(&files, folder);
	/* a group of its own, to end the compiler's parts with it */
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP);
	posix_spawnattr_setpgroup(&attr, 0);
	err = posix_spawnp(pid, argv[0], &files, &attr, (char *const *)argv,
			   envp);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return -err;
}

int workdir_run(const struct workdir *w, const char *folder,
		const char *const *argv, char **output)
{
	const char *path = getenv("PATH");
	char *where = workdir_join(w->path, folder);
	char *into = workdir_join(w->path, OUTPUT_NAME);
	char *env[] = { NULL, NULL, "LC_ALL=C", "SOURCE_DATE_EPOCH=0", NULL };
	pid_t pid;
	int ret;

	if (asprintf(&env[0], "PATH=%s", path ? path : "/usr/bin:/bin") < 0 ||
	    asprintf(&env[1], "TMPDIR=%s", w->path) < 0)
		exit(1);
	workdir_log_command(w, argv);
	ret = workdir_spawn(where, into, argv, env, &pid);
	if (!ret)
		ret = workdir_wait(pid);
	*output = workdir_output(w);
	free(env[0]);
	free(env[1]);
	free(where);
	free(into);
	return *output || ret < 0 ? ret : -ENOMEM;
}
