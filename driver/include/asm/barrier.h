/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory barriers; out of line, so the simulator charges and synchronises. */
#ifndef PORT_ASM_BARRIER_H
#define PORT_ASM_BARRIER_H

#include <linux/compiler.h>

/* Full, read and write fence; every barrier of the port ends in one. */
void __guest_mb(void);
void __guest_rmb(void);
void __guest_wmb(void);

#define mb()		__guest_mb()
#define rmb()		__guest_rmb()
#define wmb()		__guest_wmb()
#define smp_mb()	__guest_mb()
#define smp_rmb()	__guest_rmb()
#define smp_wmb()	__guest_wmb()
#define virt_mb()	__guest_mb()
#define virt_rmb()	__guest_rmb()
#define virt_wmb()	__guest_wmb()
#define dma_mb()	__guest_mb()
#define dma_rmb()	__guest_rmb()
#define dma_wmb()	__guest_wmb()

/* around operations that are fully ordered on x86 already */
#define smp_mb__before_atomic()	barrier()
#define smp_mb__after_atomic()	barrier()
#define smp_mb__after_spinlock() barrier()

#define smp_store_mb(var, value) \
do { \
	WRITE_ONCE(var, value); \
	__guest_mb(); \
} while (0)
#define virt_store_mb(var, value) smp_store_mb(var, value)

#define smp_store_release(p, v) \
do { \
	__guest_wmb(); \
	WRITE_ONCE(*(p), v); \
} while (0)
#define smp_load_acquire(p) ({ \
	__typeof__(*(p)) __acquired = READ_ONCE(*(p)); \
	__guest_rmb(); \
	__acquired; \
})
#define virt_store_release(p, v) smp_store_release(p, v)
#define virt_load_acquire(p) smp_load_acquire(p)

#define cpu_relax() __guest_cpu_relax()
/* One turn of a busy wait: simulated time passes, others run. */
void __guest_cpu_relax(void);

#endif /* PORT_ASM_BARRIER_H */
