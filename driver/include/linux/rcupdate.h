/* SPDX-License-Identifier: GPL-2.0-only */
/* Read-copy-update: readers cost nothing. */
#ifndef PORT_LINUX_RCUPDATE_H
#define PORT_LINUX_RCUPDATE_H

#include <linux/types.h>
#include <asm/barrier.h>

#define rcu_read_lock()			barrier()
#define rcu_read_unlock()		barrier()
#define rcu_dereference(p)		READ_ONCE(p)
#define rcu_assign_pointer(p, v)	smp_store_release(&(p), v)
/* parks until every reader has finished */
void synchronize_rcu(void);

#endif /* PORT_LINUX_RCUPDATE_H */
