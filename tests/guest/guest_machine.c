// SPDX-License-Identifier: GPL-2.0-only
#include "tests/guest/machine.h"

#include <linux/kernel.h>
#include <linux/string.h>

#include "model/guest/guest.h"
#include "model/guest/irq.h"
#include "model/guest/page.h"
#include "model/guest/printk.h"
#include "model/guest/sg.h"
#include "model/guest/slab.h"
#include "model/guest/spinlock.h"
#include "model/guest/sysfs.h"
#include "model/guest/task.h"
#include "model/guest/timer.h"
#include "model/guest/verdict.h"
#include "model/guest/virtio.h"
#include "model/guest/virtio_pci.h"
#include "model/guest/workqueue.h"
#include "model/hw/cost.h"
#include "model/hw/ram.h"
#include "sim/assert.h"
#include "sim/trace.h"

struct machine_failure machine_failure;

static struct vcpu vcpus[MACHINE_VCPUS_MAX];
static const uint32_t pcpus[MACHINE_VCPUS_MAX] = { 0, 1, 2, 3 };
static const struct hw_topology topo = {
	.sockets = 1, .cores = MACHINE_VCPUS_MAX, .threads = 1,
};
static struct guest_config config;
static char message[256];
static uint64_t messages_nr;
static bool started;

struct machine_job {
	void (*fn)(void *arg);
	void *arg;
};
static struct machine_job jobs[MACHINE_TASKS_MAX];
static unsigned int jobs_nr, jobs_ended_nr;

void machine_fail(const char *what, int line)
{
	if (!machine_failure.nr++) {
		machine_failure.what = what;
		machine_failure.line = line;
	}
}

static void machine_log(void *arg, int level, const char *text)
{
	strscpy(message, text, sizeof(message));
	messages_nr++;
}

const char *machine_message(void)
{
	return message;
}

uint64_t machine_messages_nr(void)
{
	return messages_nr;
}

void machine_start(unsigned int vcpus_nr)
{
	memset(&machine_failure, 0, sizeof(machine_failure));
	memset(&hw_cost, 0, sizeof(hw_cost));
	message[0] = '\0';
	messages_nr = 0;
	started = false;
	jobs_nr = jobs_ended_nr = 0;
	sim_init();
	trace_init();
	sim_assert(!ram_init(MACHINE_RAM_BYTES));
	config = (struct guest_config){
		.vcpu = vcpus, .pcpu = pcpus, .vcpus_nr = vcpus_nr,
		.topo = &topo, .log = machine_log,
	};
	guest_verdict_reset();
	printk_set_sink(machine_log, NULL);
	spinlock_init_all();
	page_init();
	slab_init();
	sg_init();
	sysfs_init();
	virtio_init();
	virtio_pci_init();
	sim_assert(!irq_init(vcpus_nr, 1));
	sim_assert(!task_init(&config));
	timer_init();
	workqueue_init();
}

void machine_set_costs(void)
{
	hw_cost.access_ps = 300;
	hw_cost.call_ps = 500;
	hw_cost.atomic_ps = 6000;
	hw_cost.barrier_ps = 9000;
	hw_cost.line_same_core_ps = 10000;
	hw_cost.line_same_socket_ps = 50000;
	hw_cost.line_other_socket_ps = 120000;
	hw_cost.line_memory_ps = 80000;
	hw_cost.halt_enter_ps = 500000;
	hw_cost.halt_wake_ps = 3000000;
	hw_cost.irq_deliver_ps = 700000;
	hw_cost.irq_entry_ps = 400000;
	hw_cost.ipi_send_ps = 1000000;
	hw_cost.ipi_deliver_ps = 700000;
	hw_cost.context_switch_ps = 800000;
	hw_cost.wakeup_ps = 300000;
	hw_cost.exit_kernel_ps = 1500000;
	hw_cost.exit_user_ps = 5000000;
}

static void machine_task_main(void *arg)
{
	struct machine_job *job = arg;

	job->fn(job->arg);
	__atomic_fetch_add(&jobs_ended_nr, 1, __ATOMIC_RELAXED);
}

/* From outside of a vCPU nobody sends the interrupt that ends a HLT. */
void machine_task(unsigned int cpu, void (*fn)(void *arg), void *arg)
{
	struct machine_job *job = &jobs[jobs_nr++];

	sim_assert(jobs_nr <= MACHINE_TASKS_MAX);
	job->fn = fn;
	job->arg = arg;
	task_create("test", cpu, machine_task_main, job);
	if (started && !vcpu_self())
		vcpu_raise(&vcpus[cpu], IRQ_IPI_RESCHEDULE, sim_now());
}

bool machine_run(void)
{
	if (!started)
		task_start();
	started = true;
	return sim_run() == SIM_END_QUIET && jobs_ended_nr == jobs_nr;
}

void machine_stop(void)
{
	timer_fini();
	task_fini();
	irq_fini();
	sim_fini();
	ram_fini();
}

struct vcpu *machine_vcpu(unsigned int cpu)
{
	return &vcpus[cpu];
}

void machine_delay(struct sim_random *random, uint64_t max_ps)
{
	sim_spend(sim_random_below(random, max_ps));
	sim_sync();
}
