/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A crash of the driver under test is a result: the signal is caught on a stack
 * of its own, and the process gets to tell where and when before it ends.
 */
#ifndef MODEL_HARNESS_CRASH_H
#define MODEL_HARNESS_CRASH_H

/*
 * From now on SIGSEGV, SIGBUS, SIGILL and SIGFPE call @tell with a sentence
 * that names signal, function and simulated time; last trace points and calls
 * have gone to stderr. @tell does not return. A second signal ends the process at once.
 */
void crash_catch(void (*tell)(const char *why, void *arg), void *arg);

#endif
