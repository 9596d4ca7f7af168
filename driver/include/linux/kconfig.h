/* SPDX-License-Identifier: GPL-2.0-only */
/* Configuration of the simulated guest: Debian amd64 where it matters. */
#ifndef PORT_LINUX_KCONFIG_H
#define PORT_LINUX_KCONFIG_H

/*
 * Switch for the command line: CONFIG_BLK_INLINE_ENCRYPTION (adds 16 bytes to
 * struct request); driver and guest kernel must agree.
 * Always off: CONFIG_ARCH_NO_SG_CHAIN, CONFIG_VIRTIO_HARDEN_NOTIFICATION,
 * CONFIG_XEN, CONFIG_KMSAN, CONFIG_PREEMPT_RT, CONFIG_LOCKDEP.
 */
#define CONFIG_64BIT 1
#define CONFIG_X86_64 1
#define CONFIG_SMP 1
#define CONFIG_NR_CPUS 512
#define CONFIG_CPUMASK_OFFSTACK 1
#define CONFIG_HZ 250
#define CONFIG_BLOCK 1
#define CONFIG_BLK_RQ_ALLOC_TIME 1
#define CONFIG_BLK_WBT 1
#define CONFIG_BLK_DEV_ZONED 1
#define CONFIG_PM_SLEEP 1
#define CONFIG_NEED_SG_DMA_LENGTH 1
#define CONFIG_NEED_SG_DMA_FLAGS 1

/*
 * 1 for a macro defined as 1, 0 for any other or no macro: only "1" turns
 * into a comma that shifts the 1 into second place.
 */
#define __port_shift_1 0,
#define __port_second(ignored, value, ...) value
#define __port_is_one2(shift) __port_second(shift 1, 0, 0)
#define __port_is_one(x) __port_is_one2(__port_shift_##x)

#define IS_BUILTIN(option) __port_is_one(option)
#define IS_MODULE(option) IS_BUILTIN(option##_MODULE)
#define IS_ENABLED(option) (IS_BUILTIN(option) || IS_MODULE(option))
#define IS_REACHABLE(option) IS_ENABLED(option)

#endif /* PORT_LINUX_KCONFIG_H */
