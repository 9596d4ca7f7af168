// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/spawn.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/harness/crash.h"
#include "model/harness/run.h"

volatile int spawn_interrupted;

int (*spawn_run)(const struct scenario_config *cfg,
		 const struct profile *profile, struct result *out,
		 struct progress *progress) = run_variant;

/* The child that runs, for the signal handler; 0: none. */
static volatile pid_t spawn_pid;

/* The child ends here and not in spawn_variant(), which may not yet read. */
static void spawn_on_signal(int number)
{
	spawn_interrupted = number;
	if (spawn_pid > 0)
		kill(spawn_pid, SIGTERM);
}

static void spawn_set_handler(void (*handler)(int))
{
	struct sigaction action;

	/* no SA_RESTART: reading from the child has to end */
	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

void spawn_catch_signals(void)
{
	spawn_interrupted = 0;
	spawn_set_handler(spawn_on_signal);
}

void spawn_release_signals(void)
{
	spawn_set_handler(SIG_DFL);
}

static void spawn_fail(struct result *out, const char *variant,
		       const char *why)
{
	result_fini(out);
	result_set(&out->name, variant);
	result_set(&out->failure, why);
}

/* What the child needs to send its result, also from the middle of a crash. */
struct spawn_child {
	const struct scenario_config *cfg;
	struct result result;
	struct progress progress;
	int fd;
};

/* The parent's exit handlers are the parent's. */
static void spawn_send(struct spawn_child *c)
{
	struct result *r = &c->result;
	int err;

	progress_fini(&c->progress);
	if (!r->name)
		result_set(&r->name, c->cfg->variant);
	r->seed = c->cfg->seed;
	r->config_hash = scenario_hash(c->cfg);
	err = result_write(r, c->fd);
	fflush(NULL);
	_exit(err ? 1 : 0);
}

/* What was measured before the crash means nothing now; who ran does. */
static void spawn_crashed(const char *why, void *arg)
{
	struct spawn_child *c = arg;

	result_set(&c->result.failure, why);
	spawn_send(c);
}

/* The child; does not return. @fd: where the result goes */
static void spawn_child(const struct scenario_config *cfg,
			const struct profile *profile, bool quiet, int fd)
{
	static struct spawn_child c;
	int err;

	c.cfg = cfg;
	c.fd = fd;
	result_init(&c.result);
	progress_init(&c.progress, stderr, cfg->variant, quiet);
	crash_catch(spawn_crashed, &c);
	err = spawn_run(cfg, profile, &c.result, &c.progress);
	c.result.refused = err == -EINVAL;
	if (err && !c.result.failure)
		result_set(&c.result.failure, c.result.refused ?
			   "what it asks for was refused" : strerror(-err));
	spawn_send(&c);
}

/* As fork(); between it and spawn_pid no signal comes. */
static pid_t spawn_fork(void)
{
	sigset_t block, before;
	pid_t pid;

	sigemptyset(&block);
	sigaddset(&block, SIGINT);
	sigaddset(&block, SIGTERM);
	sigprocmask(SIG_BLOCK, &block, &before);
	pid = fork();
	if (pid)
		spawn_pid = pid;
	else
		spawn_release_signals();
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

static pid_t spawn_start(const struct scenario_config *cfg,
			 const struct profile *profile, bool quiet, int *fd)
{
	pid_t parent = getpid();
	int ends[2];
	pid_t pid;

	if (pipe(ends))
		return -1;
	fflush(NULL);
	pid = spawn_fork();
	if (pid == 0) {
		close(ends[0]);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		spawn_child(cfg, profile, quiet, ends[1]);
	}
	close(ends[1]);
	*fd = ends[0];
	if (pid < 0)
		close(ends[0]);
	return pid;
}

static int spawn_wait(pid_t pid)
{
	int status = 0;

	/* Once it is waited for, its number may be somebody else's. */
	spawn_pid = 0;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* Why there is no result, from how the child ended. */
static void spawn_explain(struct result *out, const char *variant, int status,
			  int read_err)
{
	char why[160];

	if (WIFSIGNALED(status))
		snprintf(why, sizeof(why), "the run was ended by signal %d (%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status))
		snprintf(why, sizeof(why),
			 "the run ended with exit code %d and no result",
			 WEXITSTATUS(status));
	else
		snprintf(why, sizeof(why), "the run sent no valid result (%s)",
			 strerror(-read_err));
	spawn_fail(out, variant, why);
}

/* A child that died could not wipe its progress line. */
static void spawn_wipe_progress(bool quiet)
{
	struct progress p;

	progress_init(&p, stderr, "", quiet);
	p.shown = p.on;
	progress_fini(&p);
}

int spawn_variant(const struct scenario_config *cfg,
		  const struct profile *profile, bool quiet,
		  struct result *out)
{
	const char *broken;
	int status;
	pid_t pid;
	int err;
	int fd;

	result_init(out);
	pid = spawn_start(cfg, profile, quiet, &fd);
	if (pid < 0) {
		spawn_fail(out, cfg->variant, "no process could be started");
		return 0;
	}
	err = result_read(out, fd, &spawn_interrupted);
	if (err == -EINTR)
		kill(pid, SIGTERM);
	close(fd);
	status = spawn_wait(pid);
	if (err)
		spawn_wipe_progress(quiet);
	if (spawn_interrupted && err) {
		spawn_fail(out, cfg->variant, "interrupted");
		return -EINTR;
	}
	if (err || !WIFEXITED(status) || WEXITSTATUS(status)) {
		spawn_explain(out, cfg->variant, status, err);
		return 0;
	}
	broken = out->failure ? NULL : result_check(out);
	if (broken)
		result_add_verdict(out, "the numbers are inconsistent: %s",
				   broken);
	return 0;
}
