/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small machine for tests of the guest kernel: RAM, vCPUs, scheduler, and
 * all parts of the library, but no disk. No kernel header is needed to include
 * this.
 *
 *	machine_start(2);
 *	machine_task(0, fn, arg);
 *	machine_task(1, fn, arg);
 *	machine_run();
 *	machine_stop();
 *
 * Costs are those in hw_cost: zero unless the test sets them;
 * machine_set_costs gives accesses and line transfers a price, so that
 * vCPUs interleave.
 */
#ifndef TESTS_GUEST_MACHINE_H
#define TESTS_GUEST_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/hw/vcpu.h"
#include "sim/random.h"

#define MACHINE_VCPUS_MAX	4u
#define MACHINE_TASKS_MAX	16u
#define MACHINE_RAM_BYTES	(UINT64_C(64) << 20)

/* What guest code under test reports: failed checks, and the first of them. */
struct machine_failure {
	uint64_t nr;
	const char *what;
	int line;
};
extern struct machine_failure machine_failure;

/* Check in guest code: a failure is counted, and the test goes on. */
#define machine_check(cond)						\
	do {								\
		if (!(cond))						\
			machine_fail(#cond, __LINE__);			\
	} while (0)
void machine_fail(const char *what, int line);

/* Build it, with the time at 0. */
void machine_start(unsigned int vcpus_nr);

/* Plausible costs, so that different orders of events occur. */
void machine_set_costs(void);

/* A task on vCPU @cpu; before machine_run, or in task context. */
void machine_task(unsigned int cpu, void (*fn)(void *arg), void *arg);

/*
 * Run until nothing happens any more, or sim_stop. True: the former, and all
 * tasks have ended.
 */
bool machine_run(void);

/* Take it apart. */
void machine_stop(void);

struct vcpu *machine_vcpu(unsigned int cpu);

/* The last kernel message, "" if there was none; and how many there were. */
const char *machine_message(void);
uint64_t machine_messages_nr(void);

/* Let 0 .. @max_ps - 1 pass on the running vCPU. */
void machine_delay(struct sim_random *random, uint64_t max_ps);

#endif
