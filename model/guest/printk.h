/* SPDX-License-Identifier: GPL-2.0-only */
/* Where kernel messages go. No kernel header is needed to include this. */
#ifndef MODEL_GUEST_PRINTK_H
#define MODEL_GUEST_PRINTK_H

/*
 * @fn gets each message: level 0 (emergency) to 7 (debug), text without the
 * newline at its end, valid during the call. Runs in the guest's place in time
 * but must not spend, sync or park. NULL: messages are dropped.
 */
void printk_set_sink(void (*fn)(void *arg, int level, const char *text),
		     void *arg);

#endif
