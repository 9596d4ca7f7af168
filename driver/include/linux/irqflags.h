/* SPDX-License-Identifier: GPL-2.0-only */
/* Interrupts of the current CPU on and off; enabling may deliver one. */
#ifndef PORT_LINUX_IRQFLAGS_H
#define PORT_LINUX_IRQFLAGS_H

#include <linux/types.h>

/* Result: nonzero if they were on. Restoring a nonzero value enables. */
unsigned long __guest_irq_save(void);
void __guest_irq_restore(unsigned long flags);
void __guest_irq_disable(void);
void __guest_irq_enable(void);
bool __guest_irqs_disabled(void);

#define local_irq_save(flags)	 ((flags) = __guest_irq_save())
#define local_irq_restore(flags) __guest_irq_restore(flags)
#define local_irq_disable()	 __guest_irq_disable()
#define local_irq_enable()	 __guest_irq_enable()
#define irqs_disabled()		 __guest_irqs_disabled()

#endif /* PORT_LINUX_IRQFLAGS_H */
