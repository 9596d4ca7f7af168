/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The guest kernel as the harness sees it: what it is started with and what can be
 * asked of it. No kernel header is needed to include this.
 */
#ifndef MODEL_GUEST_GUEST_H
#define MODEL_GUEST_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/guest/control.h"
#include "model/guest/load.h"
#include "model/hw/hcpu.h"
#include "model/hw/pci.h"
#include "model/hw/thread.h"
#include "model/hw/vcpu.h"
#include "sim/lock.h"

struct guest_param {
	const char *name;
	const char *value;
};

/*
 * @vcpu, @pcpu:  arrays of vcpus_nr; vcpu[i] runs on physical CPU pcpu[i]
 * @vcpus_per_socket: as the guest sees it, they share a cache; 0 counts as 1
 * @cpus:         of the host, which the vCPUs share; NULL: each has pcpu[i] for itself
 * @rq_affinity:  of the disk's queue, as in sysfs: 0, 1 or 2
 * @pci:          the virtio-blk function
 * @param:        module parameters for the driver, applied before its init
 * @load:         what the jobs do
 * @action:       what an administrator does meanwhile, by ascending time
 * @started:      called when jobs and actions have been started, on a vCPU; must
 *                not spend, sync or park
 * @log:          a kernel message: level 0 to 7 as in printk, text without newline
 * All of it must outlive the guest.
 */
struct guest_config {
	struct vcpu *vcpu;
	const uint32_t *pcpu;
	uint32_t vcpus_nr;
	const struct hw_topology *topo;
	struct hcpu_set *cpus;
	uint32_t vcpus_per_socket;
	uint32_t rq_affinity;
	struct pci_function *pci;
	const struct guest_param *param;
	uint32_t params_nr;
	const struct load_config *load;
	const struct control_action *action;
	uint32_t actions_nr;
	void (*started)(void *arg);
	void *started_arg;
	void (*log)(void *arg, int level, const char *text);
	void *log_arg;
};

/*
 * Set up memory, vCPUs and the boot task at the current simulated time; the
 * driver must be loaded (its constructors have registered it). ram_init and sim_init come
 * first. Returns 0 or -errno.
 */
int guest_init(const struct guest_config *config);

/* Release what guest_init took. The driver cannot be used again. */
void guest_fini(void);

/*
 * A driver parameter's error: -ENOENT unknown name, -EINVAL bad value. Checked
 * before guest_init, on the loaded driver.
 */
int guest_param_check(const char *name, const char *value);

/* Names of the loaded driver's parameters for messages; NULL ends. */
const char *guest_param_name(uint32_t idx);

enum guest_state {
	GUEST_BOOTING,
	GUEST_NO_DISK,		/* probe failed; nothing will run */
	GUEST_RUNNING,		/* jobs run */
	GUEST_DONE,		/* all jobs have ended and reaped everything */
};
enum guest_state guest_state(void);

/* Guest spinlocks and mutexes that were used, for the report. False when idx is beyond the last. */
struct guest_lock_info {
	const char *name;	/* expression it was initialised with */
	const struct sim_lock_stats *stats;
	uint64_t exits_nr;	/* world switches made while it was held */
};
bool guest_lock_info(uint32_t idx, struct guest_lock_info *info);

/* Forget lock statistics so far, right after those of the vCPUs (end of the ramp). */
void guest_reset_stats(void);

/*
 * Requests of the disk, for the observer: number of the request whose driver
 * data (pdu) contains guest-physical @pa, or UINT32_MAX.
 */
uint32_t guest_request_of_pa(uint64_t pa);
uint32_t guest_requests_nr(void);

#endif
