// SPDX-License-Identifier: GPL-2.0-only
#include "tests/guest/calls.h"
#include "tests/guest/machine.h"

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/timer.h>
#include <linux/wait.h>

#define ROUNDS_NR	1000
/* Longer than any wait of the other side, in time and in wake-up. */
#define DELAY_PS	(8 * SIM_PS_PER_US)

static uint64_t seed;
static struct completion forth, back;
static uint64_t rounds_nr;
static wait_queue_head_t queue;
static int tokens, taken, asleep;
static struct mutex mutex;
static u64 mutex_holders, mutex_sum;

void wait_set_seed(uint64_t value)
{
	seed = value;
	init_completion(&forth);
	init_completion(&back);
	init_waitqueue_head(&queue);
	mutex_init(&mutex);
	rounds_nr = 0;
	tokens = taken = asleep = 0;
	mutex_holders = mutex_sum = 0;
}

uint64_t wait_rounds_nr(void)
{
	return rounds_nr;
}

/* A lost wake-up leaves both sides asleep for ever: too few rounds. */
void wait_complete_side(void *unused)
{
	struct sim_random random;

	sim_random_init(&random, seed, "complete");
	for (int i = 0; i < ROUNDS_NR; i++) {
		machine_delay(&random, DELAY_PS);
		complete(&forth);
		machine_delay(&random, DELAY_PS);
		wait_for_completion(&back);
	}
}

void wait_waiter_side(void *unused)
{
	struct sim_random random;

	sim_random_init(&random, seed, "wait");
	for (int i = 0; i < ROUNDS_NR; i++) {
		machine_delay(&random, DELAY_PS);
		wait_for_completion(&forth);
		machine_check(!completion_done(&forth));
		machine_delay(&random, DELAY_PS);
		complete(&back);
		rounds_nr++;
	}
}

void wait_all_waiter(void *rank)
{
	wait_for_completion(&forth);
	__atomic_fetch_add(&rounds_nr, 1, __ATOMIC_RELAXED);
	wait_for_completion(&forth);
}

void wait_all_waker(void *unused)
{
	usleep_range(50, 50);
	machine_check(rounds_nr == 0);
	complete_all(&forth);
	usleep_range(50, 50);
	machine_check(rounds_nr == 3);
	machine_check(completion_done(&forth));
	machine_check(try_wait_for_completion(&forth));
	reinit_completion(&forth);
	machine_check(!try_wait_for_completion(&forth));
}

void wait_timeouts(void *unused)
{
	unsigned long begin = jiffies;

	machine_check(wait_for_completion_timeout(&forth, 3) == 0);
	machine_check(jiffies - begin == 3);
	complete(&forth);
	machine_check(wait_for_completion_timeout(&forth, 3) == 3);
	machine_check(wait_for_completion_timeout(&forth, 0) == 0);
	begin = jiffies;
	machine_check(wait_event_timeout(queue, tokens, 2) == 0);
	machine_check(jiffies - begin == 2);
	tokens = 1;
	machine_check(wait_event_timeout(queue, tokens, 2) >= 1);
}

void wait_exclusive_waiter(void *rank)
{
	DEFINE_WAIT(entry);

	prepare_to_wait_exclusive(&queue, &entry, TASK_UNINTERRUPTIBLE);
	__atomic_fetch_add(&asleep, 1, __ATOMIC_SEQ_CST);
	schedule();
	finish_wait(&queue, &entry);
	__atomic_fetch_sub(&asleep, 1, __ATOMIC_SEQ_CST);
}

void wait_exclusive_waker(void *unused)
{
	usleep_range(100, 100);
	machine_check(asleep == 3);
	machine_check(wake_up_interruptible(&queue) == 0);
	machine_check(wake_up(&queue) == 1);
	usleep_range(100, 100);
	machine_check(asleep == 2);
	machine_check(wake_up_all(&queue) == 2);
	usleep_range(100, 100);
	machine_check(asleep == 0 && !waitqueue_active(&queue));
}

void wait_event_consumer(void *unused)
{
	struct sim_random random;

	sim_random_init(&random, seed, "consumer");
	for (int i = 1; i <= ROUNDS_NR; i++) {
		wait_event(queue, READ_ONCE(tokens) >= i);
		WRITE_ONCE(taken, i);
		wake_up(&queue);
		machine_delay(&random, DELAY_PS);
		rounds_nr++;
	}
}

void wait_event_producer(void *unused)
{
	struct sim_random random;

	sim_random_init(&random, seed, "producer");
	for (int i = 1; i <= ROUNDS_NR; i++) {
		WRITE_ONCE(tokens, i);
		wake_up(&queue);
		machine_delay(&random, DELAY_PS);
		wait_event_interruptible(queue, READ_ONCE(taken) == i);
	}
}

void wait_mutex_user(void *rank)
{
	struct sim_random random;

	sim_random_init(&random, seed + (unsigned long)rank, "mutex");
	for (int i = 0; i < 200; i++) {
		machine_delay(&random, DELAY_PS);
		mutex_lock(&mutex);
		machine_check(mutex_holders++ == 0);
		machine_check(mutex_is_locked(&mutex));
		machine_check(!mutex_trylock(&mutex));
		machine_delay(&random, DELAY_PS);
		if (!(i % 16))
			usleep_range(5, 5);
		mutex_sum++;
		machine_check(--mutex_holders == 0);
		mutex_unlock(&mutex);
	}
}

void wait_mutex_result(void)
{
	machine_check(mutex_sum == 4 * 200 && !mutex_is_locked(&mutex));
}

void wait_mutex_wrong_owner(void *unused)
{
	mutex_unlock(&mutex);
}

static struct timer_list timers[4];
static unsigned int fired[4], fired_nr;
static unsigned long fired_at[4];
static unsigned int fired_cpu[4];

static void timer_note(struct timer_list *timer)
{
	unsigned int i = timer - timers;

	machine_check(in_interrupt() && irqs_disabled());
	fired[fired_nr++] = i;
	fired_at[i] = jiffies;
	fired_cpu[i] = smp_processor_id();
}

static void timers_setup(void)
{
	fired_nr = 0;
	for (int i = 0; i < 4; i++)
		timer_setup(&timers[i], timer_note, 0);
}

void wait_timer_order(void *unused)
{
	unsigned long begin = jiffies;

	timers_setup();
	machine_check(!mod_timer(&timers[0], begin + 5));
	machine_check(!mod_timer(&timers[1], begin + 2));
	machine_check(!mod_timer(&timers[2], begin + 5));
	machine_check(!mod_timer(&timers[3], begin + 9));
	machine_check(timer_pending(&timers[3]));
	machine_check(mod_timer(&timers[3], begin + 3));
	msleep(40);
	machine_check(fired_nr == 4);
	machine_check(fired[0] == 1 && fired[1] == 3 && fired[2] == 0 &&
		      fired[3] == 2);
	machine_check(fired_at[0] == begin + 5 && fired_at[1] == begin + 2 &&
		      fired_at[2] == begin + 5 && fired_at[3] == begin + 3);
	machine_check(!timer_pending(&timers[0]));
	machine_check(ktime_get_ns() >= 40 * NSEC_PER_MSEC);
}

static void timer_arm_elsewhere(void *unused)
{
	machine_check(smp_processor_id() == 1);
	machine_check(mod_timer(&timers[0], jiffies + 3) == 1);
	complete(&forth);
}

/* Armed on vCPU 0, moved by vCPU 1: fires there. */
void wait_timer_cpu(void *unused)
{
	timers_setup();
	mod_timer(&timers[0], jiffies + 2);
	mod_timer(&timers[1], jiffies + 2);
	machine_task(1, timer_arm_elsewhere, NULL);
	wait_for_completion(&forth);
	msleep(40);
	machine_check(fired_nr == 2);
	machine_check(fired_cpu[0] == 1 && fired_cpu[1] == 0);
}

void wait_timer_delete(void *unused)
{
	timers_setup();
	machine_check(!timer_delete(&timers[0]));
	mod_timer(&timers[0], jiffies + 2);
	mod_timer(&timers[1], jiffies + 3);
	machine_check(timer_delete(&timers[0]));
	machine_check(!timer_delete_sync(&timers[0]));
	timers[2].expires = jiffies;
	add_timer(&timers[2]);
	msleep(20);
	machine_check(fired_nr == 2 && fired[0] == 2 && fired[1] == 1);
}

void wait_sleeps(void *unused)
{
	u64 begin = sim_now();

	usleep_range(100, 200);
	machine_check(sim_now() - begin >= 100 * SIM_PS_PER_US &&
		      sim_now() - begin < 120 * SIM_PS_PER_US);
	begin = sim_now();
	udelay(30);
	machine_check(sim_now() - begin >= 30 * SIM_PS_PER_US &&
		      sim_now() - begin < 31 * SIM_PS_PER_US);
	begin = sim_now();
	msleep(10);
	machine_check(sim_now() - begin >= 10 * SIM_PS_PER_MS &&
		      sim_now() - begin <= 17 * SIM_PS_PER_MS);
	set_current_state(TASK_INTERRUPTIBLE);
	machine_check(schedule_timeout(2) == 0);
	begin = sim_now();
	ndelay(500);
	machine_check(sim_now() - begin >= 500 * SIM_PS_PER_NS);
}
