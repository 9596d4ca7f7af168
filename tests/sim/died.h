/* SPDX-License-Identifier: GPL-2.0-only */
/* What a piece of code that must not survive dies of, in a child. */
#ifndef TESTS_SIM_DIED_H
#define TESTS_SIM_DIED_H

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The signal that ends @fn in a child process, 0 if it returns. */
static inline int died_of(void (*fn)(void))
{
	const struct rlimit none = { 0, 0 };
	int status = 0;
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (!pid) {
		setrlimit(RLIMIT_CORE, &none);
		signal(SIGSEGV, SIG_DFL);
		signal(SIGABRT, SIG_DFL);
		dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		fn();
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

#endif
