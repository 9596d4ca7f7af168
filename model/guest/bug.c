// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implements <linux/bug.h> and <linux/panic.h>: a BUG and a panic end the
 * simulation, a WARN does not.
 */
#include "sim/assert.h"
#include "sim/sim.h"

#include "model/hw/vcpu.h"

#include <linux/bug.h>
#include <linux/panic.h>
#include <linux/printk.h>
#include <linux/sprintf.h>
#include <linux/string.h>

#include "model/guest/verdict.h"

static void bug_report(const char *what, const char *func, int line)
{
	char text[VERDICT_BYTES];

	scnprintf(text, sizeof(text), "%s in %s", what, func);
	guest_verdict_text(text, line);
}

static void __noreturn bug_stop(const char *file, int line)
{
	if (!vcpu_self())
		sim_panic(file, line, "the guest died outside of a vCPU");
	vcpu_irqs_off();
	sim_stop();
	for (;;)
		sim_park();
}

void __guest_bug(const char *file, int line, const char *func)
{
	printk(KERN_EMERG "kernel BUG at %s:%d\n", file, line);
	bug_report("BUG", func, line);
	bug_stop(file, line);
}

void panic(const char *fmt, ...)
{
	char text[VERDICT_BYTES] = "panic: ";
	va_list args;
	int len = strlen(text);

	va_start(args, fmt);
	vsnprintf(text + len, sizeof(text) - len, fmt, args);
	va_end(args);
	guest_verdict_text(text, 0);
	bug_stop(__FILE__, __LINE__);
}

void __guest_warn(const char *file, int line, const char *func,
		  const char *fmt, ...)
{
	char text[VERDICT_BYTES];
	va_list args;
	int len;

	printk(KERN_WARNING "WARNING at %s:%d %s\n", file, line, func);
	if (!fmt) {
		bug_report("WARN", func, line);
		return;
	}
	len = scnprintf(text, sizeof(text), "WARN in %s: ", func);
	va_start(args, fmt);
	vsnprintf(text + len, sizeof(text) - len, fmt, args);
	va_end(args);
	guest_verdict_text(text, line);
}
