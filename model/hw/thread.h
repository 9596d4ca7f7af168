/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a vCPU and a host thread have in common: an actor that runs on a
 * physical CPU, owns cache lines there, and spends its time in modes.
 */
#ifndef MODEL_HW_THREAD_H
#define MODEL_HW_THREAD_H

#include <stdint.h>

#include "sim/sim.h"

/* Physical CPUs whose caches the line directory can tell apart. */
#define HW_PCPU_MAX	60u

enum hw_distance {
	HW_SAME_CORE,
	HW_SAME_SOCKET,
	HW_OTHER_SOCKET,
	HW_MEMORY,
	HW_DISTANCE_NR
};

/* Where a thread's time goes. The modes of a thread add up to its clock. */
enum hw_mode {
	HW_IDLE,	/* halted vCPU, sleeping host thread */
	HW_GUEST,	/* guest code, user and kernel */
	HW_IRQ,		/* guest interrupt handlers */
	HW_SPIN,	/* waiting for a guest spinlock */
	HW_EXIT,	/* world switch */
	HW_HOST,	/* host code: device model, event loop */
	HW_POLL,	/* event loop that looks for work instead of sleeping */
	HW_BLOCKED,	/* host code waiting for a host mutex */
	HW_STEAL,	/* could run, but has no host CPU */
	HW_MODE_NR
};

extern const char *const hw_mode_name[HW_MODE_NR];

/*
 * @accesses_nr:  memory accesses charged
 * @transfers_nr: of these, lines that had to come from (or be taken away from)
 *                somebody else, by distance
 * @line_ps:      time those took
 */
struct hw_thread_stats {
	uint64_t accesses_nr;
	uint64_t transfers_nr[HW_DISTANCE_NR];
	uint64_t line_ps;
	uint64_t mode_ps[HW_MODE_NR];
};

struct hcpu;
struct hcpu_set;

/*
 * @actor is first, so that sim.actor converts with a cast.
 * @cpus: that it shares with others, see hcpu.h; NULL: @pcpu is its own. The
 *        fields after it are hcpu.c's
 * @cpu:  on which it runs, NULL if it waits for one or for something to do
 * @stolen_mode: in which it was preempted
 */
struct hw_thread {
	struct sim_actor actor;
	uint32_t pcpu;
	uint64_t self_mask;	/* bit of pcpu */
	uint64_t core_mask;	/* pcpus of the same core, self included */
	uint64_t socket_mask;
	enum hw_mode mode;
	uint64_t mode_since_ps;
	struct hw_thread_stats stats;
	struct hcpu_set *cpus;
	struct hcpu *cpu;
	uint64_t vruntime_ps;
	uint64_t on_cpu_since_ps;
	uint64_t slice_since_ps;
	enum hw_mode stolen_mode;
};

/*
 * Shape of the host, at most HW_PCPU_MAX pcpus. They are numbered thread-first,
 * then core, then socket.
 */
struct hw_topology {
	uint32_t sockets;
	uint32_t cores;		/* per socket */
	uint32_t threads;	/* per core */
};

/* Number of physical CPUs of @topo. */
uint32_t hw_topology_pcpus(const struct hw_topology *topo);

/*
 * A thread named @name on @pcpu that will run @fiber. @id orders actors at
 * equal times: vCPUs take 0.., host threads HW_HOST_ID_BASE.. .
 */
#define HW_HOST_ID_BASE	1024u
void hw_thread_init(struct hw_thread *t, uint32_t id, const char *name,
		    const struct hw_topology *topo, uint32_t pcpu,
		    struct fiber *fiber);

/* From now on on @pcpu: its lines are elsewhere. */
void hw_thread_place(struct hw_thread *t, const struct hw_topology *topo,
		     uint32_t pcpu);

/* The running thread, NULL in an event callback. */
static inline struct hw_thread *hw_self(void)
{
	return (struct hw_thread *)sim.actor;
}

/* Account time up to now to the old mode and go on in @mode. Returns the old one. */
enum hw_mode hw_mode_enter(enum hw_mode mode);

/* The same for a thread that does not run, at @at_ps. */
void hw_thread_set_mode(struct hw_thread *t, enum hw_mode mode,
			uint64_t at_ps);

/*
 * Bring @t's mode times up to @now_ps without changing mode (before reading
 * them). A thread that entered its mode beyond @now_ps, on time it has charged
 * ahead, stays as it is: its times add up to that moment.
 */
void hw_thread_settle(struct hw_thread *t, uint64_t now_ps);

/* Forget statistics up to @now_ps (end of the ramp). */
void hw_thread_reset_stats(struct hw_thread *t, uint64_t now_ps);

#endif
