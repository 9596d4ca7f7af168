// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>

#include "model/hw/pci.h"
#include "tests/hw/rig.h"

#define CAP_VENDOR	0x09u
#define CAP_MSIX	0x11u
#define VECTORS_NR	4u
#define IRQ		0x100u	/* logged by the handler, plus the vector */
#define RANG		0x1000u	/* logged by a doorbell, plus its index */

static struct rig_cpu cpu[2];
static struct vcpu *vcpus[2] = { &cpu[0].vcpu, &cpu[1].vcpu };
static struct pci_function fn;
static struct pci_doorbell bell[3];
static void (*body)(void);
static uint32_t msix_cap;

static struct {
	uint64_t offset, value;
	uint32_t bytes;
	uint32_t reads_nr, writes_nr;
	bool in_host;
} bar;

static uint64_t bar_read(void *owner, uint64_t offset, uint32_t bytes)
{
	ck_assert_ptr_eq(owner, &bar);
	bar.reads_nr++;
	bar.offset = offset;
	bar.bytes = bytes;
	bar.in_host = vcpu_self()->in_host;
	return 0x8877665544332211u;
}

static void bar_write(void *owner, uint64_t offset, uint32_t bytes,
		      uint64_t value)
{
	ck_assert_ptr_eq(owner, &bar);
	bar.writes_nr++;
	bar.offset = offset;
	bar.bytes = bytes;
	bar.value = value;
}

static void ring(struct pci_doorbell *db, uint32_t value)
{
	ck_assert_ptr_eq(db->owner, &bar);
	rig_log(RANG + db->index);
	bar.value = value;
	bar.in_host = vcpu_self()->in_host;
}

static void handle(struct vcpu *v, uint32_t vector)
{
	(void)v;
	rig_log(IRQ + vector);
}

static void attach(uint32_t i, enum pci_doorbell_kind kind, uint32_t bytes)
{
	bell[i] = (struct pci_doorbell){
		.bar = 4, .offset = 0x3000 + 4 * i, .bytes = bytes,
		.kind = kind, .ring = ring, .owner = &bar, .index = i,
	};
	pci_attach_doorbell(&fn, &bell[i]);
}

static void build(void)
{
	const struct pci_bar_ops none = { NULL, NULL };
	const struct pci_bar_ops ops = { bar_read, bar_write };
	uint8_t cap[20] = { 0, 0, 16, 1 };

	memset(&bar, 0, sizeof(bar));
	pci_init(&fn, &bar, vcpus, 2);
	pci_add_bar(&fn, 1, 4096, &none);
	pci_add_bar(&fn, 4, 0x4000, &ops);
	ck_assert_uint_eq(pci_add_capability(&fn, CAP_VENDOR, cap, 16), 0x40);
	cap[2] = 18;
	ck_assert_uint_eq(pci_add_capability(&fn, CAP_VENDOR, cap, 18), 0x50);
	pci_add_msix(&fn, 1, VECTORS_NR);
	msix_cap = fn.msix_cap;
	attach(0, PCI_DOORBELL_KERNEL, 2);
	attach(1, PCI_DOORBELL_USER, 4);
	attach(2, PCI_DOORBELL_POSTED, 2);
}

static void run_body(struct rig_cpu *c)
{
	(void)c;
	vcpu_irqs_on();
	body();
	rig_pass(100000);
}

static void idle_body(struct rig_cpu *c)
{
	(void)c;
	vcpu_irqs_on();
	rig_pass(1000000);
}

/* Run @fn_ on vCPU 0 while vCPU 1 computes. */
static void on_vcpu(void (*fn_)(void))
{
	rig_hw_init();
	build();
	body = fn_;
	rig_vcpu_start(&cpu[0], 0, run_body, NULL, handle);
	rig_vcpu_start(&cpu[1], 1, idle_body, NULL, handle);
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(vcpus[i]->thread.actor.state, SIM_ACTOR_DONE);
		fiber_fini(&cpu[i].fiber);
	}
	rig_hw_fini();
}

/* Configuration space */

static void walk_capabilities(void)
{
	uint32_t at = pci_config_read(&fn, 0x34, 1);

	ck_assert_uint_eq(pci_config_read(&fn, 0x06, 2) & 0x10, 0x10);
	ck_assert_uint_eq(at, 0x40);
	ck_assert_uint_eq(pci_config_read(&fn, at, 1), CAP_VENDOR);
	ck_assert_uint_eq(pci_config_read(&fn, at + 2, 2), 0x0110);
	at = pci_config_read(&fn, at + 1, 1);
	ck_assert_uint_eq(at, 0x50);
	ck_assert_uint_eq(pci_config_read(&fn, at, 1), CAP_VENDOR);
	at = pci_config_read(&fn, at + 1, 1);
	ck_assert_uint_eq(at, 0x64);	/* 0x62 rounded up */
	ck_assert_uint_eq(at, msix_cap);
	ck_assert_uint_eq(pci_config_read(&fn, at, 1), CAP_MSIX);
	ck_assert_uint_eq(pci_config_read(&fn, at + 1, 1), 0);
	/* table size - 1; table in BAR 1 at 0; pending bits there too */
	ck_assert_uint_eq(pci_config_read(&fn, at + 2, 2), VECTORS_NR - 1);
	ck_assert_uint_eq(pci_config_read(&fn, at + 4, 4), 1);
	ck_assert_uint_eq(pci_config_read(&fn, at + 8, 4) & 7, 1);
}

START_TEST(capability_list_leads_to_each_capability_once)
{
	on_vcpu(walk_capabilities);
}
END_TEST

static void read_config(void)
{
	uint64_t start_ps = sim_now();

	fn.config[0] = 0xf4;
	fn.config[1] = 0x1a;
	fn.config[2] = 0x42;
	fn.config[3] = 0x10;
	ck_assert_uint_eq(pci_config_read(&fn, 0, 4), 0x10421af4);
	ck_assert_uint_eq(sim_now() - start_ps, 6001);
	ck_assert_uint_eq(pci_config_read(&fn, 2, 2), 0x1042);
	ck_assert_uint_eq(pci_config_read(&fn, 3, 1), 0x10);
	ck_assert_uint_eq(pci_config_read(&fn, 254, 4) >> 16, 0xffff);
	ck_assert_uint_eq(pci_config_read(&fn, 256, 4), 0xffffffff);
	ck_assert_uint_eq(pci_config_read(&fn, UINT32_MAX - 3, 4), 0xffffffff);
	ck_assert_uint_eq(cpu[0].vcpu.stats.exits_user_nr, 6);
}

START_TEST(config_reads_cost_a_user_exit_and_are_ones_beyond_the_end)
{
	on_vcpu(read_config);
}
END_TEST

static void write_config(void)
{
	uint32_t bar4 = pci_config_read(&fn, 0x20, 4);

	pci_config_write(&fn, 0x04, 2, 0x0006);
	ck_assert_uint_eq(pci_config_read(&fn, 0x04, 2), 0x0006);
	pci_config_write(&fn, 0x00, 2, 0x1111);
	ck_assert_uint_eq(pci_config_read(&fn, 0x00, 2), 0);
	pci_config_write(&fn, 0x20, 4, 0x12345678);
	ck_assert_uint_eq(pci_config_read(&fn, 0x20, 4), bar4);
	pci_config_write(&fn, msix_cap + 2, 2, 0xffff);
	ck_assert_uint_eq(pci_config_read(&fn, msix_cap + 2, 2),
			  0xc000 | (VECTORS_NR - 1));
	ck_assert(fn.msix_enabled);
	pci_config_write(&fn, msix_cap + 2, 2, 0);
	ck_assert(!fn.msix_enabled);
	pci_config_write(&fn, 300, 2, 0xffff);
}

START_TEST(only_command_and_msix_control_are_writable)
{
	on_vcpu(write_config);
}
END_TEST

START_TEST(bars_do_not_overlap_and_are_aligned_to_their_size)
{
	const struct pci_bar_ops none = { NULL, NULL };
	const uint64_t bytes[PCI_BARS_NR] = {
		16, 4096, 256, 1 << 20, 64, 8192
	};

	pci_init(&fn, NULL, vcpus, 2);
	for (uint32_t i = PCI_BARS_NR; i-- > 0;)
		pci_add_bar(&fn, i, bytes[i], &none);
	for (uint32_t i = 0; i < PCI_BARS_NR; i++) {
		const struct pci_bar *a = &fn.bar[i];

		ck_assert_uint_ge(a->base_pa, PCI_MMIO_BASE_PA);
		ck_assert_uint_eq(a->base_pa % bytes[i], 0);
		for (uint32_t j = 0; j < i; j++)
			ck_assert(fn.bar[j].base_pa >= a->base_pa + a->bytes ||
				  a->base_pa >= fn.bar[j].base_pa +
						fn.bar[j].bytes);
	}
}
END_TEST

START_TEST(capability_that_does_not_fit_is_refused)
{
	uint8_t cap[200] = { 0, 0, 192 };

	pci_init(&fn, NULL, vcpus, 2);
	ck_assert_uint_eq(pci_add_capability(&fn, CAP_VENDOR, cap, 193), 0);
	ck_assert_uint_eq(pci_add_capability(&fn, CAP_VENDOR, cap, 2), 0);
	ck_assert_uint_eq(fn.config[0x34], 0);
	ck_assert_uint_eq(pci_add_capability(&fn, CAP_VENDOR, cap, 192), 0x40);
	cap[2] = 4;
	ck_assert_uint_eq(pci_add_capability(&fn, CAP_VENDOR, cap, 4), 0);
	ck_assert_uint_eq(fn.config[0x41], 0);
}
END_TEST

/* MSI-X */

static uint64_t entry_pa(uint32_t vector)
{
	return fn.bar[1].base_pa + 16 * vector;
}

static void set_vector(uint32_t vector, uint64_t address, uint32_t data,
		       uint32_t control)
{
	uint64_t pa = entry_pa(vector);

	pci_mmio_write(&fn, pa, 4, (uint32_t)address);
	pci_mmio_write(&fn, pa + 4, 4, address >> 32);
	pci_mmio_write(&fn, pa + 8, 4, data);
	pci_mmio_write(&fn, pa + 12, 4, control);
}

static void control(uint32_t value)
{
	pci_config_write(&fn, msix_cap + 2, 2, value);
}

static void msix_table(void)
{
	for (uint32_t i = 0; i < VECTORS_NR; i++)
		ck_assert_uint_eq(pci_mmio_read(&fn, entry_pa(i) + 12, 4), 1);
	set_vector(2, 0x1122334455667788u, 0x99aabbcc, 0);
	ck_assert_uint_eq(pci_mmio_read(&fn, entry_pa(2), 4), 0x55667788);
	ck_assert_uint_eq(pci_mmio_read(&fn, entry_pa(2) + 4, 4), 0x11223344);
	ck_assert_uint_eq(pci_mmio_read(&fn, entry_pa(2) + 8, 4), 0x99aabbcc);
	ck_assert_uint_eq(pci_mmio_read(&fn, entry_pa(2) + 12, 4), 0);
	ck_assert_uint_eq(pci_mmio_read(&fn, entry_pa(1) + 12, 4), 1);
	pci_mmio_write(&fn, entry_pa(VECTORS_NR), 4, 1);
	ck_assert_uint_eq(pci_mmio_read(&fn, entry_pa(VECTORS_NR), 4),
			  0xffffffff);
	ck_assert_uint_eq(bar.reads_nr + bar.writes_nr, 0);
}

START_TEST(msix_table_starts_masked_and_reads_what_was_written)
{
	on_vcpu(msix_table);
}
END_TEST

static uint64_t raised_ps;

static void raise_to_other(void)
{
	set_vector(0, PCI_MSI_ADDRESS(1), 0x31, 0);
	control(0x8000);
	sim_sync();
	raised_ps = sim_now();
	ck_assert(pci_msix_raise(&fn, 0));
	ck_assert_uint_eq(fn.msix[0].raises_nr, 1);
	ck_assert_uint_eq(sim_now(), raised_ps);
}

START_TEST(raise_arrives_at_the_vcpu_of_its_address_after_the_delivery_time)
{
	on_vcpu(raise_to_other);
	ck_assert_uint_eq(rig_log_nr, 1);
	rig_expect(0, raised_ps + 60 + 50, IRQ + 0x31);
	ck_assert_uint_eq(cpu[1].vcpu.stats.irqs_nr, 1);
}
END_TEST

static void raise_refused(void)
{
	set_vector(0, PCI_MSI_ADDRESS(0), 0x31, 0);
	set_vector(1, PCI_MSI_ADDRESS(2), 0x31, 0);
	ck_assert(!pci_msix_raise(&fn, 0));
	ck_assert(!fn.msix[0].pending);
	control(0x8000);
	ck_assert(!pci_msix_raise(&fn, VECTORS_NR));
	ck_assert(!pci_msix_raise(&fn, UINT32_MAX));
	ck_assert(!pci_msix_raise(&fn, 1));
	ck_assert_uint_eq(fn.msix[1].raises_nr, 0);
	control(0);
	ck_assert(!pci_msix_raise(&fn, 0));
	ck_assert_uint_eq(rig_log_nr, 0);
}

START_TEST(raise_is_refused_when_disabled_or_vector_or_vcpu_do_not_exist)
{
	on_vcpu(raise_refused);
	ck_assert_uint_eq(rig_log_nr, 0);
}
END_TEST

static void mask_and_unmask(void)
{
	control(0x8000);
	set_vector(0, PCI_MSI_ADDRESS(0), 0x31, 1);
	ck_assert(!pci_msix_raise(&fn, 0));
	ck_assert(!pci_msix_raise(&fn, 0));
	ck_assert(fn.msix[0].pending);
	rig_pass(100000);
	ck_assert_uint_eq(rig_log_nr, 0);
	pci_mmio_write(&fn, entry_pa(0) + 12, 4, 0);
	ck_assert(!fn.msix[0].pending);
	rig_pass(100000);
	ck_assert_uint_eq(rig_log_nr, 1);
	ck_assert_uint_eq(fn.msix[0].raises_nr, 1);
	/* nothing is left to send */
	pci_mmio_write(&fn, entry_pa(0) + 12, 4, 1);
	pci_mmio_write(&fn, entry_pa(0) + 12, 4, 0);
	rig_pass(100000);
	ck_assert_uint_eq(rig_log_nr, 1);
}

START_TEST(masked_raises_are_sent_once_when_unmasked)
{
	on_vcpu(mask_and_unmask);
	ck_assert_uint_eq(rig_log_nr, 1);
}
END_TEST

static void mask_function(void)
{
	set_vector(0, PCI_MSI_ADDRESS(0), 0x31, 0);
	set_vector(1, PCI_MSI_ADDRESS(0), 0x32, 1);
	control(0xc000);
	ck_assert(!pci_msix_raise(&fn, 0));
	ck_assert(!pci_msix_raise(&fn, 1));
	rig_pass(100000);
	ck_assert_uint_eq(rig_log_nr, 0);
	control(0x8000);
	rig_pass(100000);
	ck_assert_uint_eq(rig_log_nr, 1);
	ck_assert_uint_eq(rig_log_entry[0].who, IRQ + 0x31);
	ck_assert(fn.msix[1].pending);
}

START_TEST(function_mask_holds_back_all_vectors)
{
	on_vcpu(mask_function);
}
END_TEST

static void unmask_disabled(void)
{
	control(0x8000);
	set_vector(0, PCI_MSI_ADDRESS(0), 0x31, 1);
	ck_assert(!pci_msix_raise(&fn, 0));
	control(0);
	pci_mmio_write(&fn, entry_pa(0) + 12, 4, 0);
	rig_pass(100000);
	ck_assert_uint_eq(rig_log_nr, 0);
	control(0x8000);
	rig_pass(100000);
	ck_assert_uint_eq(rig_log_nr, 1);
}

START_TEST(pending_vector_unmasked_while_disabled_is_sent_when_enabled)
{
	on_vcpu(unmask_disabled);
}
END_TEST

/* Memory BARs */

static void access_bar(void)
{
	uint64_t pa = fn.bar[4].base_pa, start_ps = sim_now();

	ck_assert_uint_eq(pci_mmio_read(&fn, pa + 8, 8), 0x8877665544332211u);
	ck_assert_uint_eq(sim_now() - start_ps, 6001);
	ck_assert(bar.in_host && !vcpu_self()->in_host);
	ck_assert_uint_eq(pci_mmio_read(&fn, pa + 8, 4), 0x44332211);
	ck_assert_uint_eq(pci_mmio_read(&fn, pa + 8, 2), 0x2211);
	ck_assert_uint_eq(pci_mmio_read(&fn, pa + 8, 1), 0x11);
	ck_assert_uint_eq(bar.offset, 8);
	ck_assert_uint_eq(bar.bytes, 1);
	pci_mmio_write(&fn, pa + 0x3ffc, 4, 0x1234);
	ck_assert_uint_eq(bar.offset, 0x3ffc);
	ck_assert_uint_eq(bar.value, 0x1234);
	ck_assert_uint_eq(bar.reads_nr, 4);
	ck_assert_uint_eq(bar.writes_nr, 1);
	ck_assert_uint_eq(cpu[0].vcpu.stats.exits_user_nr, 5);
	ck_assert_uint_eq(cpu[0].vcpu.stats.exits_kernel_nr, 0);
}

START_TEST(bar_access_reaches_the_device_and_costs_a_user_exit)
{
	on_vcpu(access_bar);
	ck_assert_uint_eq(cpu[0].vcpu.thread.stats.mode_ps[HW_EXIT], 5 * 6001);
}
END_TEST

static void access_nothing(void)
{
	uint64_t end = fn.bar[4].base_pa + fn.bar[4].bytes;

	ck_assert_uint_eq(pci_mmio_read(&fn, end, 8), UINT64_MAX);
	ck_assert_uint_eq(pci_mmio_read(&fn, end, 4), 0xffffffff);
	ck_assert_uint_eq(pci_mmio_read(&fn, PCI_MMIO_BASE_PA - 2, 2), 0xffff);
	ck_assert_uint_eq(pci_mmio_read(&fn, 0, 1), 0xff);
	pci_mmio_write(&fn, end, 4, 1);
	pci_mmio_write(&fn, UINT64_MAX - 3, 4, 1);
	/* a BAR without a device behind it */
	ck_assert_uint_eq(pci_mmio_read(&fn, fn.bar[1].base_pa + 0x400, 4),
			  0xffffffff);
	pci_mmio_write(&fn, fn.bar[1].base_pa + 0x400, 4, 1);
	ck_assert_uint_eq(bar.reads_nr + bar.writes_nr, 0);
	ck_assert_uint_eq(cpu[0].vcpu.stats.exits_user_nr, 8);
}

START_TEST(unmapped_reads_are_ones_and_writes_are_dropped)
{
	on_vcpu(access_nothing);
}
END_TEST

/* Doorbells */

static void ring_all(void)
{
	uint64_t pa = fn.bar[4].base_pa + 0x3000, start_ps = sim_now();
	const struct vcpu_stats *st = &cpu[0].vcpu.stats;

	pci_mmio_write(&fn, pa, 2, 7);
	rig_expect(0, start_ps + 1000, RANG + 0);
	ck_assert_uint_eq(sim_now(), start_ps + 2000);
	ck_assert_uint_eq(bar.value, 7);
	ck_assert(bar.in_host);
	ck_assert_uint_eq(st->exits_kernel_nr, 1);

	start_ps = sim_now();
	pci_mmio_write(&fn, pa + 4, 4, 0x70008);
	rig_expect(1, start_ps + 3000, RANG + 1);
	ck_assert_uint_eq(sim_now(), start_ps + 6001);
	ck_assert_uint_eq(bar.value, 0x70008);
	ck_assert_uint_eq(st->exits_user_nr, 1);

	start_ps = sim_now();
	pci_mmio_write(&fn, pa + 8, 2, 9);
	rig_expect(2, start_ps + 70, RANG + 2);
	ck_assert_uint_eq(sim_now(), start_ps + 70);
	ck_assert(!bar.in_host);
	ck_assert_uint_eq(st->exits_kernel_nr + st->exits_user_nr, 2);
	for (int i = 0; i < 3; i++)
		ck_assert_uint_eq(bell[i].rings_nr, 1);
}

START_TEST(doorbells_cost_by_their_kind)
{
	on_vcpu(ring_all);
}
END_TEST

static void miss_doorbells(void)
{
	uint64_t pa = fn.bar[4].base_pa + 0x3000;

	/* wider than the window, beside it, a read, another BAR */
	pci_mmio_write(&fn, pa, 4, 1);
	pci_mmio_write(&fn, pa + 2, 2, 1);
	ck_assert_uint_eq(bar.writes_nr, 2);
	ck_assert_uint_eq(pci_mmio_read(&fn, pa, 2), 0x2211);
	pci_mmio_write(&fn, fn.bar[1].base_pa, 2, 1);
	ck_assert_uint_eq(rig_log_nr, 0);
	/* narrower is fine */
	pci_mmio_write(&fn, pa + 4, 2, 5);
	ck_assert_uint_eq(rig_log_nr, 1);
	pci_detach_doorbells(&fn);
	pci_mmio_write(&fn, pa, 2, 1);
	ck_assert_uint_eq(rig_log_nr, 1);
	ck_assert_uint_eq(bar.writes_nr, 3);
	attach(0, PCI_DOORBELL_KERNEL, 2);
	pci_mmio_write(&fn, pa, 2, 1);
	ck_assert_uint_eq(rig_log_nr, 2);
}

START_TEST(other_accesses_are_the_devices)
{
	on_vcpu(miss_doorbells);
}
END_TEST

static void ring_and_be_interrupted(void)
{
	control(0x8000);
	set_vector(0, PCI_MSI_ADDRESS(0), 0x31, 0);
	sim_sync();
	rig_log_nr = 0;
	raised_ps = sim_now();
	ck_assert(pci_msix_raise(&fn, 0));
	pci_mmio_write(&fn, fn.bar[4].base_pa + 0x3000, 2, 1);
	rig_log(1);
}

START_TEST(interrupt_that_arrives_during_a_trap_is_taken_at_its_end)
{
	on_vcpu(ring_and_be_interrupted);
	rig_expect(0, raised_ps + 1000, RANG + 0);
	rig_expect(1, raised_ps + 2000 + 50, IRQ + 0x31);
	rig_expect(2, raised_ps + 2000 + 50, 1);
}
END_TEST

static void add_all(TCase *tc)
{
	tcase_add_test(tc, capability_list_leads_to_each_capability_once);
	tcase_add_test(tc,
		config_reads_cost_a_user_exit_and_are_ones_beyond_the_end);
	tcase_add_test(tc, only_command_and_msix_control_are_writable);
	tcase_add_test(tc, bars_do_not_overlap_and_are_aligned_to_their_size);
	tcase_add_test(tc, capability_that_does_not_fit_is_refused);
	tcase_add_test(tc, msix_table_starts_masked_and_reads_what_was_written);
	tcase_add_test(tc,
		raise_arrives_at_the_vcpu_of_its_address_after_the_delivery_time);
	tcase_add_test(tc,
		raise_is_refused_when_disabled_or_vector_or_vcpu_do_not_exist);
	tcase_add_test(tc, masked_raises_are_sent_once_when_unmasked);
	tcase_add_test(tc, function_mask_holds_back_all_vectors);
	tcase_add_test(tc,
		pending_vector_unmasked_while_disabled_is_sent_when_enabled);
	tcase_add_test(tc, bar_access_reaches_the_device_and_costs_a_user_exit);
	tcase_add_test(tc, unmapped_reads_are_ones_and_writes_are_dropped);
	tcase_add_test(tc, doorbells_cost_by_their_kind);
	tcase_add_test(tc, other_accesses_are_the_devices);
	tcase_add_test(tc,
		interrupt_that_arrives_during_a_trap_is_taken_at_its_end);
}

int main(void)
{
	Suite *s = suite_create("hw/pci");
	TCase *tc = tcase_create("pci");
	SRunner *sr = srunner_create(s);
	int failed;

	add_all(tc);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? 1 : 0;
}
