// SPDX-License-Identifier: GPL-2.0-only
/* Not instrumented: what watches the guest costs it nothing but its message. */
#include "model/guest/verdict.h"

#include <linux/printk.h>
#include <linux/string.h>

#include "model/hw/ram.h"
#include "sim/sim.h"
#include "sim/trace.h"

static TRACE_POINT(tp_guest_verdict, "guest.verdict", "nr,value");

static struct {
	uint64_t nr;
	uint64_t first_ps;
	unsigned long first_value;
	char first[VERDICT_BYTES];
} verdicts;

unsigned long verdict_address(const void *va)
{
	uint64_t pa = ram_pa(va);

	return pa < ram_bytes() ? pa : 0;
}

void guest_verdict_text(const char *text, unsigned long value)
{
	if (!verdicts.nr++) {
		verdicts.first_ps = sim_now();
		verdicts.first_value = value;
		strscpy(verdicts.first, text, sizeof(verdicts.first));
	}
	trace(&tp_guest_verdict, verdicts.nr, value, 0);
	_printk(KERN_ERR "verdict: %s (0x%lx)\n", text, value);
}

void guest_verdict(const char *what, unsigned long value)
{
	guest_verdict_text(what, value);
}

uint64_t guest_verdicts_nr(void)
{
	return verdicts.nr;
}

const char *guest_verdict_first(unsigned long *value, uint64_t *time_ps)
{
	if (!verdicts.nr)
		return NULL;
	*value = verdicts.first_value;
	*time_ps = verdicts.first_ps;
	return verdicts.first;
}

void guest_verdict_reset(void)
{
	memset(&verdicts, 0, sizeof(verdicts));
}
