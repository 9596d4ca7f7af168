/* SPDX-License-Identifier: GPL-2.0-only */
/* Compiler attributes, single accesses and branch hints. */
#ifndef PORT_LINUX_COMPILER_H
#define PORT_LINUX_COMPILER_H

#include <linux/kconfig.h>

#define __KERNEL__ 1

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#define barrier()	__asm__ __volatile__("" : : : "memory")
#define unreachable()	__builtin_unreachable()
#define prefetch(p)	__builtin_prefetch(p)
#define prefetchw(p)	__builtin_prefetch(p, 1)

/* sparse annotations mean nothing to gcc */
#define __user
#define __iomem
#define __percpu
#define __rcu
#define __force
#define __bitwise
#define __private
#define __acquires(x)
#define __releases(x)
#define __must_hold(x)
#define __acquire(x)	((void)0)
#define __release(x)	((void)0)

/* sections and hardening marks of the real build */
#define __init
#define __exit
#define __initdata
#define __initconst
#define __exitdata
#define __devinit
#define __devexit
#define __ref
#define __read_mostly
#define __ro_after_init
#define __latent_entropy
#define __randomize_layout
#define __designated_init
#define __counted_by(member)
#define __no_kmsan_checks
#define __nocast
#define asmlinkage

#undef __always_inline
#define __always_inline	inline __attribute__((__always_inline__))
#define noinline	__attribute__((__noinline__))
#define __packed	__attribute__((__packed__))
#define __aligned(x)	__attribute__((__aligned__(x)))
#define __maybe_unused	__attribute__((__unused__))
#define __always_unused	__attribute__((__unused__))
#define __used		__attribute__((__used__))
#define __weak		__attribute__((__weak__))
#define __pure		__attribute__((__pure__))
#define __cold		__attribute__((__cold__))
#define __noreturn	__attribute__((__noreturn__))
#define __must_check	__attribute__((__warn_unused_result__))
#undef __attribute_const__
#define __attribute_const__ __attribute__((__const__))
#define __printf(fmt, args) __attribute__((__format__(printf, fmt, args)))
#define __malloc	__attribute__((__malloc__))
#define fallthrough	__attribute__((__fallthrough__))
/* Code that runs while the driver is loaded, before a guest CPU exists. */
#define __port_ctor \
	__attribute__((__constructor__, __no_sanitize__("thread")))

#define __stringify_1(x...) #x
#define __stringify(x...) __stringify_1(x)
#define __port_paste2(a, b) a##b
#define __port_paste(a, b) __port_paste2(a, b)
#define __UNIQUE_ID(prefix) \
	__port_paste(__port_paste(__uid_, prefix), __COUNTER__)

/* Volatile, so that they reach the simulator as __tsan_volatile_* calls. */
#define READ_ONCE(x)	(*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, val) \
do { \
	*(volatile __typeof__(x) *)&(x) = (val); \
} while (0)
#define data_race(expr)	({ expr; })
#define ACCESS_PRIVATE(p, member) ((p)->member)

#define __same_type(a, b) \
	__builtin_types_compatible_p(__typeof__(a), __typeof__(b))
#define static_assert(expr, ...) \
	__port_static_assert(expr, ##__VA_ARGS__, #expr)
#define __port_static_assert(expr, msg, ...) _Static_assert(expr, msg)

/* Zero if `e` is a constant 0, a compile error if it is another constant. */
#define BUILD_BUG_ON_ZERO(e) \
	((int)(sizeof(struct { int : (-!!(e)); })))
#define __must_be_array(a) \
	BUILD_BUG_ON_ZERO(__same_type((a), &(a)[0]))

#endif /* PORT_LINUX_COMPILER_H */
