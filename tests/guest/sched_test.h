/* SPDX-License-Identifier: GPL-2.0-only */
/* guest_sched.c (scheduler, interrupts, spinlocks) for test_sched.c. */
#ifndef TESTS_GUEST_SCHED_TEST_H
#define TESTS_GUEST_SCHED_TEST_H

#include <stdbool.h>
#include <stdint.h>

void sched_reset(uint64_t seed);
uint64_t sched_rounds_nr(void);

void sched_sleeper(void *unused);
void sched_waker(void *unused);
void sched_exact_sleep(void *ps);
void sched_share(void *rank);
void sched_share_result(void *unused);
void sched_ipi_sleeper(void *unused);
void sched_ipi_waker(void *unused);
void sched_reader(void *unused);
void sched_rcu_waiter(void *unused);
void sched_rcu_user(void *unused);
void sched_irq_reader(void *unused);
void sched_irq_rcu_waiter(void *unused);
void sched_sleep_locked(void *unused);

void lock_fair_holder(void *unused);
void lock_fair_waiter(void *rank);
void lock_fair_result(void *unused);
void lock_count(void *unused);
void lock_exits(void *unused);
void lock_recursive(void *unused);
void lock_foreign_release(void *unused);
void lock_unset(void *unused);

void irq_basics(void *unused);
void irq_softirq(void *unused);
void irq_synchronize(void *unused);
void irq_calls_in_order(void *unused);
void irq_refusals(void *unused);

#endif
