/* SPDX-License-Identifier: GPL-2.0-only */
/* Waiting; msleep() and friends park, the others keep the CPU busy. */
#ifndef PORT_LINUX_DELAY_H
#define PORT_LINUX_DELAY_H

#include <linux/types.h>

void udelay(unsigned long us);
void ndelay(unsigned long ns);
void msleep(unsigned int ms);
void usleep_range(unsigned long min_us, unsigned long max_us);

#endif /* PORT_LINUX_DELAY_H */
