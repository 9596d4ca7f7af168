/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one table of machine constants. A machine profile (YAML) gives each a
 * value with unit and source; here they are in picoseconds, converted once.
 * Whatever is not in this table costs no time.
 */
#ifndef MODEL_HW_COST_H
#define MODEL_HW_COST_H

#include <stdint.h>

/*
 * X(name, group, meaning). The name is the key in the profile and the field of
 * struct hw_cost; meaning is printed by `vblksim help machine`.
 */
#define HW_COSTS(X)							\
	X(access, cpu, "guest memory access that hits its own cache, with the instructions around it") \
	X(call, cpu, "entry and return of an instrumented guest function") \
	X(atomic, cpu, "locked read-modify-write, on top of its access")	\
	X(barrier, cpu, "full memory barrier")				\
	X(line_same_core, line, "cache line from the other hardware thread of the core") \
	X(line_same_socket, line, "cache line from another core of the socket") \
	X(line_other_socket, line, "cache line from another socket")	\
	X(line_memory, line, "cache line nobody holds, from memory")	\
	X(exit_kernel, exit, "doorbell write that the host kernel handles (ioeventfd), there and back") \
	X(exit_user, exit, "MMIO that user space handles, there and back, without the device's work") \
	X(mmio_posted, exit, "doorbell write to a hardware device: posted, no exit") \
	X(halt_enter, exit, "from HLT until the host CPU is given up")	\
	X(halt_wake, exit, "from the wake-up of a halted vCPU to its first instruction") \
	X(irq_raise, irq, "host thread raises an interrupt (irqfd write or ioctl)") \
	X(irq_deliver, irq, "from the raise to the vector at a running vCPU") \
	X(irq_entry, irq, "guest interrupt entry, EOI and return")	\
	X(ipi_send, irq, "sender's part of an inter-processor interrupt")	\
	X(ipi_deliver, irq, "from the send to the vector at a running vCPU") \
	X(syscall, guest, "system call entry and return")		\
	X(load_io, guest, "the load's own code in user space, per I/O")	\
	X(aio_submit, guest, "io_submit above the block layer, per I/O (aio, VFS, page pinning, bio)") \
	X(aio_complete, guest, "completion of an aio request and reading its event, per I/O") \
	X(uring_submit, guest, "io_uring above the block layer, per I/O (entry, VFS, bio), without page pinning") \
	X(uring_pin, guest, "pinning and releasing the pages of a buffer that is not registered, per I/O of io_uring") \
	X(uring_complete, guest, "completion of an io_uring request in its task, per I/O") \
	X(blk_submit, guest, "block layer from bio to queue_rq, per request, beyond what the model executes") \
	X(blk_complete, guest, "block layer completion, per request, beyond what the model executes") \
	X(context_switch, guest, "switch between guest tasks")		\
	X(wakeup, guest, "waking a guest task, at the waker")		\
	X(iothread_wake, host, "from the signal of an eventfd to a sleeping host thread running") \
	X(loop_pass, host, "one pass of the host event loop (poll, dispatch)") \
	X(loop_look, host, "one look of a polling event loop at its sources, at least 20 ns") \
	X(host_switch, host, "host switches a shared CPU from one thread to another") \
	X(mutex_wake, host, "from the release of a contended host mutex to its next owner running") \
	X(dev_pop, host, "device takes and maps one request from a ring")	\
	X(dev_submit, host, "one submission call to the backing store")	\
	X(dev_submit_io, host, "each request of a submission call")	\
	X(dev_submit_kib, host, "each KiB that a request of a submission call reads or writes") \
	X(dev_complete, host, "device finishes one request: unmap, status, used ring") \

#define HW_COST_FIELD(name, group, meaning) uint64_t name##_ps;
struct hw_cost {
	HW_COSTS(HW_COST_FIELD)
};
#undef HW_COST_FIELD

/*
 * The table in force. Written by the harness before the machine exists, then
 * constant; zero for all is a machine on which only charged store latencies
 * take time (used by tests).
 */
extern struct hw_cost hw_cost;

/*
 * Charge the running actor work of host code that takes @mean_ps on average, the
 * device's per request: evenly spread over mean_ps +- the jitter. Costs that never
 * vary let threads fall into step, and a per cent decides then what happens.
 */
void hw_spend_varying(uint64_t mean_ps);

/* @percent: up to 100; 0, as it begins: costs do not vary. */
void hw_set_jitter(uint32_t percent, uint64_t seed);

/*
 * Charge the running actor one of the constants. For guest code, whose own
 * read of the table would be charged as a memory access.
 */
void hw_spend_ps(const uint64_t *cost_ps);
#define hw_spend(name) hw_spend_ps(&hw_cost.name##_ps)

#endif
