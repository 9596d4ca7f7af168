// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "model/harness/device.h"
#include "model/harness/suggest.h"
#include "tests/harness/load.h"

#define DATA "tests/harness/data/"
#define TOP "machine: zero\n"

static const struct scenario_config *first(const struct scenario *s)
{
	return scenario_variant(s, 0);
}

/* The only variant of @text is accepted. */
static void good(const char *text)
{
	scenario_destroy(load_good(text));
}

static struct scenario *load_file(const char *path, const char *const *sets,
				  size_t sets_nr)
{
	FILE *err = load_begin();
	struct scenario *s;
	int ret = scenario_load(path, sets, sets_nr, &s, err);

	fclose(err);
	ck_assert_msg(!ret, "%s", load_messages);
	return s;
}

START_TEST(defaults_are_those_of_fio_and_qemu)
{
	struct scenario *s = load_file(DATA "basic.yaml", NULL, 0);
	const struct scenario_config *c = first(s);

	ck_assert_uint_eq(scenario_variants_nr(s), 1);
	ck_assert_str_eq(c->variant, "default");
	ck_assert_str_eq(c->scenario, "basic");
	ck_assert_uint_eq(c->seed, 1);
	ck_assert_uint_eq(c->vcpus_nr, 1);
	ck_assert_uint_eq(c->memory_bytes, 64 << 20);
	ck_assert_uint_eq(c->device.num_queues, 1);
	ck_assert_uint_eq(c->device.queue_size, 256);
	ck_assert_uint_eq(c->device.vectors, 2);
	ck_assert_uint_eq(c->device.seg_max, 254);
	ck_assert(c->device.event_idx && c->device.indirect_desc);
	ck_assert(!c->device.iothread && c->device.ioeventfd);
	ck_assert_str_eq(c->driver.source, "bundled");
	ck_assert_str_eq(c->driver.ring, "bundled");
	ck_assert_uint_eq(c->job.rw, SCENARIO_READ);
	ck_assert_uint_eq(c->job.bs_bytes, 4096);
	ck_assert_uint_eq(c->job.iodepth, 1);
	ck_assert_uint_eq(c->job.iodepth_batch_complete_max, 1);
	ck_assert_uint_eq(c->job.size_bytes, 1 << 30);
	ck_assert_uint_eq(c->job.runtime_ps, UINT64_C(10000000000));
	ck_assert_uint_eq(c->job.cpus_allowed_mask, 1);
	scenario_destroy(s);
}
END_TEST

START_TEST(every_key_is_read)
{
	struct scenario *s = load_file(DATA "full.yaml", NULL, 0);
	const struct scenario_config *c = first(s);

	ck_assert_uint_eq(scenario_variants_nr(s), 3);
	ck_assert_uint_eq(c->seed, 42);
	ck_assert_uint_eq(c->device.num_queues, 2);
	ck_assert(!c->device.event_idx && c->device.iothread);
	ck_assert_uint_eq(c->device.poll_max_ns, 20000);
	ck_assert_uint_eq(c->device.poll_grow, 3);
	ck_assert_uint_eq(c->device.poll_shrink, 4);
	ck_assert_uint_eq(c->device.max_batch, 8);
	ck_assert_uint_eq(c->device.store.type, SCENARIO_STORE_QUEUE);
	ck_assert_uint_eq(c->device.store.size_bytes, UINT64_C(2) << 30);
	ck_assert_uint_eq(c->device.store.parallelism, 32);
	ck_assert_uint_eq(c->device.store.latency.dist,
			  SCENARIO_DIST_LOGNORMAL);
	ck_assert_uint_eq(c->device.store.latency.mean_ps, 80000000);
	ck_assert_uint_eq(c->device.store.latency.p99_ps, 140000000);
	ck_assert_uint_eq(c->driver.params_nr, 2);
	ck_assert_str_eq(c->driver.params[0].name, "num_request_queues");
	ck_assert_str_eq(c->driver.params[0].value, "2");
	ck_assert_uint_eq(c->job.rw, SCENARIO_RANDRW);
	ck_assert_uint_eq(c->job.rwmixread_pct, 70);
	ck_assert_uint_eq(c->job.iodepth_batch_complete_max, 16);
	ck_assert_uint_eq(c->job.runtime_ps, UINT64_C(1500000000000));
	ck_assert_uint_eq(c->job.ramp_time_ps, UINT64_C(500000000000));
	ck_assert_uint_eq(c->job.cpus_allowed_mask, 0xb);
	ck_assert(c->job.verify);
	scenario_destroy(s);
}
END_TEST

START_TEST(variants_override_and_leave_each_other_alone)
{
	struct scenario *s = load_file(DATA "full.yaml", NULL, 0);
	const struct scenario_config *c = scenario_variant(s, 1);

	ck_assert_str_eq(scenario_variant(s, 0)->note, "as above");
	ck_assert_str_eq(c->variant, "shallow");
	ck_assert_str_eq(c->note, "");
	ck_assert_uint_eq(c->job.iodepth, 4);
	ck_assert_uint_eq(c->job.bs_bytes, 4096);
	/* fio: a batch is never more than the depth */
	ck_assert_uint_eq(c->job.iodepth_batch, 4);
	ck_assert_uint_eq(c->job.iodepth_batch_complete_max, 4);
	c = scenario_variant(s, 2);
	ck_assert_uint_eq(c->job.iodepth, 32);
	ck_assert_uint_eq(c->device.store.latency.dist,
			  SCENARIO_DIST_EMPIRICAL);
	ck_assert_uint_eq(c->device.store.latency.values_nr, 3);
	ck_assert_uint_eq(c->device.store.latency.values_ps[0], 70000000);
	ck_assert_uint_eq(c->device.store.latency.values_ps[2], 90000000);
	ck_assert_uint_eq(c->device.store.latency.mean_ps, 0);
	ck_assert_uint_eq(c->driver.params_nr, 4);
	ck_assert_str_eq(c->driver.params[1].name, "poll_queues");
	ck_assert_str_eq(c->driver.params[1].value, "1");
	ck_assert_str_eq(c->driver.params[3].value, "yes");
	ck_assert_str_eq(first(s)->driver.params[1].value, "0");
	ck_assert_int_eq(scenario_variant_find(s, "nested", stderr), 2);
	scenario_destroy(s);
}
END_TEST

START_TEST(set_wins_over_variants)
{
	static const char *const sets[] = {
		"job.iodepth=8", "driver.params.last=no",
		"device.store.latency.values=3us,1us", "job.iodepth=9",
	};
	struct scenario *s = load_file(DATA "full.yaml", sets, 4);
	uint32_t i;

	for (i = 0; i < 3; i++)
		ck_assert_uint_eq(scenario_variant(s, i)->job.iodepth, 9);
	ck_assert_uint_eq(scenario_variant(s, 2)->device.store.latency
			  .values_ps[1], 3000000);
	ck_assert_str_eq(scenario_variant(s, 2)->driver.params[3].value,
			 "no");
	scenario_destroy(s);
}
END_TEST

START_TEST(error_names_place_shows_line_and_suggests)
{
	load_bad(TOP "job:\n  iodpeth: 32\n",
		 ":3:3: unknown key 'job.iodpeth'; did you mean 'job.iodepth'?\n"
		 "    3 |   iodpeth: 32\n"
		 "      |   ^\n");
	load_bad(TOP "job:\n\tbs: 4k\n", ":3:1: not valid YAML");
	load_bad(TOP "job: {rw: randreed}\n",
		 ":2:11: job.rw: 'randreed' is not one of the known words; allowed: read, write, randread, randwrite, rw, randrw, trim, randtrim; did you mean 'randread'?");
	load_bad(TOP "iodepth: 4\n", "did you mean 'job.iodepth'?");
	load_bad(TOP "device: {num_queus: 4}\n",
		 "did you mean 'device.num-queues'?");
	load_bad(TOP "xyzzy: 1\n", "known: name, question, machine, seed");
	load_bad(TOP "job: {xyzzy: 1}\n", "known in job: ioengine, rw,");
}
END_TEST

START_TEST(all_errors_of_a_file_are_reported)
{
	load_bad(TOP "vcpus: 33\njob: {bs: 1, rw: x}\nfoo: 1\n", ":2:8: vcpus");
	ck_assert_ptr_nonnull(strstr(load_messages, ":3:11: job.bs"));
	ck_assert_ptr_nonnull(strstr(load_messages, ":3:18: job.rw"));
	ck_assert_ptr_nonnull(strstr(load_messages, ":4:1: unknown key"));
}
END_TEST

START_TEST(errors_are_limited_to_20)
{
	char text[2048] = "";
	unsigned int lines = 0;
	const char *p;
	int i;

	for (i = 0; i < 100; i++)
		sprintf(text + strlen(text), "zz%d: 1\n", i);
	load_bad(text, "20 errors shown; there are more");
	for (p = load_messages; (p = strstr(p, "unknown key")); p++)
		lines++;
	ck_assert_uint_eq(lines, 20);
}
END_TEST

START_TEST(variant_errors_point_into_the_variant)
{
	load_bad(TOP "variants:\n  - {name: a, set: {job.bs: 3}}\n",
		 ":3:29: job.bs: 3 is out of range");
	load_bad(TOP "variants:\n  - {name: a}\n  - {name: a}\n",
		 ":4:12: a second variant called 'a'");
	load_bad(TOP "variants:\n  - {set: {}}\n", ":3:5: a variant is a map");
	load_bad(TOP "variants: []\n", "at least one variant");
	load_bad(TOP "variants: 3\n", "at least one variant");
	load_bad(TOP "variants:\n  - {name: a, set: {name: b}}\n",
		 "a variant cannot change 'name'");
	load_bad(TOP "variants:\n  - {name: a, set: {variants: []}}\n",
		 "unknown key 'variants'");
	load_bad(TOP "vcpus: 2\nvariants:\n  - {name: a, set: {job.cpus_allowed: 2}}\n",
		 ":4:39: job.cpus_allowed");
}
END_TEST

START_TEST(key_is_given_once_per_scope)
{
	load_bad(TOP "seed: 1\nseed: 2\n",
		 ":3:1: 'seed' is given twice, first in line 2");
	load_bad(TOP "job: {bs: 4k}\njob.bs: 8k\n",
		 "'job.bs' is given twice, first in line 2");
	load_bad(TOP "driver: {params: {a: 1}}\ndriver.params.a: 2\n",
		 "'a' is given twice");
	good(TOP "seed: 1\nvariants:\n  - {name: a, set: {seed: 2}}\n");
	load_bad(TOP "variants:\n  - {name: a, seed: 1, set: {seed: 2}}\n",
		 "'seed' is given twice");
}
END_TEST

/* Both sides of each end of @key's range. */
static void range(const char *form, const char *below, const char *least,
		  const char *most, const char *above)
{
	char text[512];

	snprintf(text, sizeof(text), form, least);
	good(text);
	snprintf(text, sizeof(text), form, most);
	good(text);
	if (below) {
		snprintf(text, sizeof(text), form, below);
		load_bad(text, "allowed:");
	}
	snprintf(text, sizeof(text), form, above);
	load_bad(text, "allowed:");
}

START_TEST(ranges_hold_on_both_sides)
{
	range(TOP "seed: %s\n", "-1", "0", "9223372036854775807",
	      "9223372036854775808");
	range(TOP "vcpus: %s\n", "0", "1", "32", "33");
	range(TOP "memory: %s\n", "16773120", "16M", "2G", "2049M");
	range(TOP "vcpus: 1\ndevice: {num-queues: %s}\n", "0", "1", "127",
	      "128");
	range(TOP "device: {queue-size: %s}\n", "2", "4", "1024", "2048");
	range(TOP "device: {vectors: %s}\n", "1", "2", "128", "129");
	range(TOP "device: {queue-size: 1024, seg-max: %s}\n", "0", "1",
	      "1022", "1023");
	range(TOP "memory: 2G\njob: {iodepth: %s}\n", "0", "1", "4096",
	      "4097");
	range(TOP "memory: 2G\njob: {bs: %s}\n", "511", "512", "1M",
	      "1048577");
	range(TOP "job: {numjobs: %s}\n", "0", "1", "256", "257");
	range(TOP "job: {runtime: %s}\n", "-1s", "0", "1000s", "1000001ms");
	range(TOP "job: {rw: rw, rwmixread: %s}\n", "-1", "0", "100", "101");
	range(TOP "job: {number_ios: %s}\n", NULL, "0", "4294967295",
	      "4294967296");
}
END_TEST

START_TEST(numbers_that_overflow_are_refused)
{
	load_bad(TOP "seed: 18446744073709551616\n", "out of range");
	load_bad(TOP "seed: 99999999999999999999999999\n", "out of range");
	load_bad(TOP "memory: 18446744073709551615k\n", "out of range");
	load_bad(TOP "job: {runtime: 18446744073709551615s}\n",
		 "out of range");
	/* these would be 64 MiB and 0 modulo 2^64 */
	load_bad(TOP "memory: 18014398509547520k\n", "out of range");
	load_bad(TOP "job: {runtime: 4503599627370496s}\n", "out of range");
	load_bad(TOP "job: {cpus_allowed: 64}\n", "out of range");
}
END_TEST

START_TEST(forms_of_values_are_strict)
{
	load_bad(TOP "seed: 1x\n", "not a whole number");
	load_bad(TOP "seed: 0x10\n", "not a whole number");
	load_bad(TOP "seed: 1.5\n", "not a whole number");
	load_bad(TOP "seed: ''\n", "not a whole number");
	load_bad(TOP "seed:\n", "seed: the value is missing");
	load_bad(TOP "seed: [1]\n", "a value is needed, not a list");
	load_bad(TOP "job: 3\n", "job: a map of keys is needed, not a value");
	load_bad(TOP "job: {runtime: 10}\n", "a time with its unit");
	load_bad(TOP "job: {runtime: 0.1ps}\n", "finer than 1 ps");
	load_bad(TOP "job: {bs: 4Ki}\n", "k is 1024");
	load_bad(TOP "job: {verify: true}\n", "on or off");
	load_bad(TOP "job: {cpus_allowed: 3-1}\n", "a list of CPUs");
	load_bad(TOP "job: {cpus_allowed: '0,'}\n", "a list of CPUs");
	load_bad("machine: ../x\n", "not a name");
	load_bad("machine: .hidden\n", "not a name");
	load_bad("- a\n", "a scenario is a map of keys, not a list");
	load_bad(TOP "driver: {params: [a]}\n", "a map of names");
	load_bad(TOP "driver: {params: {'a b': 1}}\n",
		 "not the name of a parameter");
	load_bad(TOP "driver: {params: {a: {b: 1}}}\n",
		 "a value is needed, not a map");
}
END_TEST

START_TEST(contradictions_are_found)
{
	load_bad("seed: 1\n", ":1:1: machine is missing");
	load_bad(TOP "device: {queue-size: 100}\n", "not a power of two");
	load_bad(TOP "device: {queue-size: 16, seg-max: 15}\n",
		 ":2:35: device.seg-max");
	good(TOP "device: {queue-size: 16, seg-max: 14}\n");
	load_bad(TOP "device: {iothread: on, ioeventfd: off}\n",
		 "needs device.ioeventfd: on");
	load_bad(TOP "device: {store: {type: queue, latency: {mean: 1us}}}\n",
		 "parallelism is missing");
	load_bad(TOP "device: {store: {type: queue, parallelism: 1}}\n",
		 "latency.mean is missing: a constant latency needs it");
	load_bad(TOP "device: {store: {type: queue, parallelism: 1, latency: {dist: uniform, min: 2us, max: 1us}}}\n",
		 "min is above max");
	good(TOP "device: {store: {type: queue, parallelism: 1, latency: {dist: uniform, min: 2us, max: 2us}}}\n");
	load_bad(TOP "device: {store: {type: queue, parallelism: 1, latency: {dist: lognormal, mean: 2us}}}\n",
		 "p99 is missing");
	load_bad(TOP "device: {store: {type: queue, parallelism: 1, latency: {dist: lognormal, mean: 2us, p99: 1us}}}\n",
		 "1 to 14 times the mean");
	load_bad(TOP "device: {store: {type: queue, parallelism: 1, latency: {dist: lognormal, mean: 2us, p99: 30us}}}\n",
		 "1 to 14 times the mean");
	good(TOP "device: {store: {type: queue, parallelism: 1, latency: {dist: lognormal, mean: 2us, p99: 28us}}}\n");
	load_bad(TOP "device: {store: {type: queue, parallelism: 1, latency: {dist: empirical}}}\n",
		 "values is missing");
	good(TOP "device: {store: {type: queue, parallelism: 1, latency: {dist: empirical, file: x.txt}}}\n");
	load_bad(TOP "device: {store: {type: queue, parallelism: 1, latency: {dist: empirical, file: x.txt, values: [1us]}}}\n",
		 "either values or a file");
	load_bad(TOP "job: {bs: 513}\n", "513 is not a multiple of 512");
	load_bad(TOP "job: {size: 2G}\n", "more than the disk has");
	load_bad(TOP "job: {size: 512, bs: 1k}\n", "do not hold one block");
	load_bad(TOP "job: {iodepth: 4096, bs: 16k}\n",
		 "is 64M, more than half of the guest's 64M");
	good(TOP "job: {iodepth: 2048, bs: 16k}\n");
	load_bad(TOP "device.store.type: null\njob.verify: on\n",
		 ":3:13: job.verify");
	load_bad(TOP "memory: 16777217\n", "not a multiple of 4096");
}
END_TEST

START_TEST(device_properties_fit_together)
{
	load_bad(TOP "device: {flush: off}\n",
		 "device.config-wce: needs flush");
	good(TOP "device: {flush: off, config-wce: off}\n");
	load_bad(TOP "device: {logical_block_size: 1000}\n",
		 ":2:30: device.logical_block_size: not a power of two");
	good(TOP "device: {logical_block_size: 4k}\njob: {bs: 8k}\n");
	load_bad(TOP "device: {logical_block_size: 4k}\njob: {bs: 2k}\n",
		 "job.bs: 2048 is not a multiple of 4096");
	load_bad(TOP "device: {logical_block_size: 4k, physical_block_size: 512}\n",
		 "physical_block_size: less than logical_block_size");
	load_bad(TOP "device: {logical_block_size: 4k, store: {size: 1050624}}\n",
		 "device.store.size: 1050624 is not a multiple of 4096");
	load_bad(TOP "device: {zoned: host-aware}\n",
		 "allowed: none, host-managed, drive-managed");
	good(TOP "device: {zoned: drive-managed, zone-size: 3M}\n");
	load_bad(TOP "device: {zoned: host-managed, zone-size: 3M}\n",
		 ":2:42: device.zone-size: not a power of two");
	load_bad(TOP "device: {zoned: host-managed, zone-size: 512, write-granularity: 4k}\n",
		 "device.zone-size: not a multiple of write-granularity");
	good(TOP "device: {zoned: host-managed, zone-size: 1k}\n");
	load_bad(TOP "device: {zoned: host-managed, zone-size: 512}\n",
		 "makes 2097152 zones of the disk, more than 1048576");
	load_bad(TOP "device: {zoned: host-managed, zone-capacity: 257M}\n",
		 "device.zone-capacity: more than zone-size");
	load_bad(TOP "device: {zoned: host-managed, max-open-zones: 3, max-active-zones: 2}\n",
		 "device.max-open-zones: more than max-active-zones");
	good(TOP "device: {zoned: host-managed, conventional-zones: 4}\n");
	load_bad(TOP "device: {zoned: host-managed, conventional-zones: 5}\n",
		 "device.conventional-zones: the disk has only 4 zones");
	good(TOP "device: {x-features-off: 'seg_max,mq', x-config: 'blk_size=256'}\n");
	load_bad(TOP "device: {x-features-off: segmax}\n",
		 ":2:26: device.x-features-off: 'segmax' is not known; known: size_max,");
	load_bad(TOP "device: {x-config: wce=256}\n",
		 "device.x-config: 'wce=256' is not wce= and a number of 8 bits");
}
END_TEST

/* One of them has an older name. */
START_TEST(every_device_property_has_a_key)
{
	for (uint32_t i = 0; i < hblk_properties_nr; i++) {
		const char *name = hblk_property[i].name;
		char path[64];

		snprintf(path, sizeof(path), "device.%s",
			 strcmp(name, "submit-batch") ? name : "max-batch");
		ck_assert_msg(scenario_key_find(path) != NULL, "%s", path);
	}
}
END_TEST

START_TEST(properties_are_what_the_keys_say)
{
	struct scenario *s = load_file(DATA "basic.yaml", NULL, 0);
	struct hblk_properties props, defaults;

	hblk_properties_init(&defaults);
	device_properties(&first(s)->device, &props);
	/* Resolved, where the default is to choose. */
	defaults.vectors = 2;
	defaults.seg_max = 254;
	defaults.write_granularity = 512;
	defaults.zone_capacity = defaults.zone_size;
	ck_assert_mem_eq(&props, &defaults, sizeof(props));
	scenario_destroy(s);
}
END_TEST

START_TEST(automatic_values_follow_others)
{
	struct scenario *s =
		load_good(TOP "vcpus: 4\ndevice: {queue-size: 64}\n"
			  "job: {bs: 8k, size: 1M, iodepth: 16, iodepth_batch: 0,"
			  " iodepth_batch_complete_min: 32}\n");
	const struct scenario_config *c = first(s);

	ck_assert_uint_eq(c->device.num_queues, 4);
	ck_assert_uint_eq(c->device.vectors, 5);
	ck_assert_uint_eq(c->device.seg_max, 62);
	ck_assert_uint_eq(c->job.cpus_allowed_mask, 0xf);
	ck_assert_uint_eq(c->job.iodepth_batch, 16);
	ck_assert_uint_eq(c->job.iodepth_batch_complete_min, 16);
	ck_assert_uint_eq(c->job.iodepth_batch_complete_max, 16);
	/* neither runtime nor number_ios: the size once */
	ck_assert_uint_eq(c->job.number_ios, 128);
	ck_assert_uint_eq(c->job.rwmixread_pct, 100);
	scenario_destroy(s);
}
END_TEST

START_TEST(yaml_beyond_the_subset_is_refused)
{
	char *deep = calloc(1, 100);
	char *big;

	load_bad("a: &x 1\n", ":1:4: anchors (&) are not supported");
	load_bad("a: *x\n", ":1:4: aliases (*) are not supported");
	load_bad("a: !!int 1\n", "tags (!) are not supported");
	load_bad("", "the file is empty");
	load_bad("# only a comment\n", "the file is empty");
	load_bad(TOP "---\na: 1\n", "a second document");
	load_bad("? [a]\n: 1\n", "a key must be a name");
	load_bad("a: \"x\\0y\"\n", "a value with a NUL character");
	load_bad(TOP "\x01\n", ":2:1: not valid YAML");
	load_bad(TOP "a: \xff\n", ":2:4: not valid YAML");
	memset(deep, '[', 12);
	load_bad(deep, "not valid YAML");
	memset(deep, '[', 13);
	load_bad(deep, "nested deeper than 12 levels");
	memset(deep, '[', 99);
	load_bad(deep, "nested deeper than 12 levels");
	free(deep);
	big = malloc((1 << 20) + 2);
	memset(big, '\n', (1 << 20) + 1);
	memcpy(big, TOP, strlen(TOP));
	big[(1 << 20) + 1] = '\0';
	load_bad(big, "larger than 1048576 bytes");
	big[1 << 20] = '\0';
	good(big);
	free(big);
}
END_TEST

START_TEST(limits_of_lists_hold_on_both_sides)
{
	char *text = calloc(1, 1 << 16);
	unsigned int nr;
	unsigned int i;

	for (nr = 64; nr <= 65; nr++) {
		strcpy(text, TOP "variants:\n");
		for (i = 0; i < nr; i++)
			sprintf(text + strlen(text), "  - {name: v%u}\n", i);
		if (nr == 64)
			good(text);
		else
			load_bad(text, "more than 64 variants");
		strcpy(text, TOP "driver:\n  params:\n");
		for (i = 0; i < nr; i++)
			sprintf(text + strlen(text), "    p%u: 1\n", i);
		if (nr == 64)
			good(text);
		else
			load_bad(text, "more than 64 driver parameters");
	}
	for (nr = 1024; nr <= 1025; nr++) {
		strcpy(text, TOP "device.store.latency.values: [1us");
		for (i = 1; i < nr; i++)
			strcat(text, ",1us");
		strcat(text, "]\n");
		if (nr == 1024)
			good(text);
		else
			load_bad(text, "1..1024 times");
	}
	free(text);
}
END_TEST

START_TEST(message_is_safe_for_a_terminal)
{
	load_bad(TOP "\"a\\x1b[31mb\": 1\n", "unknown key 'a?[31mb'");
	ck_assert_ptr_null(strchr(load_messages, '\033'));
}
END_TEST

static uint64_t hash_of(const char *text)
{
	struct scenario *s = load_good(text);
	uint64_t hash = scenario_hash(first(s));

	scenario_destroy(s);
	return hash;
}

START_TEST(hash_is_of_what_decides_the_result)
{
	uint64_t hash = hash_of(TOP);

	ck_assert_uint_eq(hash, hash_of(TOP "name: x\nquestion: why\n"));
	ck_assert_uint_eq(hash, hash_of(TOP "job: {bs: 4096}\n"));
	ck_assert_uint_eq(hash, hash_of(TOP "job: {rwmixread: 30}\n"));
	ck_assert_uint_eq(hash,
			  hash_of(TOP "device.store.latency.mean: 3us\n"));
	ck_assert_uint_ne(hash, hash_of(TOP "seed: 2\n"));
	ck_assert_uint_ne(hash, hash_of(TOP "job: {bs: 8k}\n"));
	ck_assert_uint_ne(hash, hash_of("machine: other\n"));
	ck_assert_uint_ne(hash, hash_of(TOP "driver: {params: {a: 1}}\n"));
	ck_assert_uint_ne(hash_of(TOP "device.store.latency.values: 1us\n"
				  "device.store: {type: queue, parallelism: 1}\n"
				  "device.store.latency.dist: empirical\n"),
			  hash_of(TOP "device.store.latency.values: 2us\n"
				  "device.store: {type: queue, parallelism: 1}\n"
				  "device.store.latency.dist: empirical\n"));
}
END_TEST

START_TEST(printed_value_reads_back)
{
	struct scenario *s = load_file(DATA "full.yaml", NULL, 0);
	static char sets[160][512];
	const char *list[160];
	struct scenario *again;
	size_t nr = 0;
	size_t i;

	for (i = 0; i < scenario_keys_nr(); i++) {
		const struct scenario_key *key = scenario_key(i);
		char value[400];

		scenario_key_print(key, first(s), value, sizeof(value));
		if (!*value || key->type == SCENARIO_TIMES)
			continue;
		snprintf(sets[nr], sizeof(sets[nr]), "%s=%s", key->path,
			 value);
		list[nr] = sets[nr];
		nr++;
	}
	again = load_file(DATA "full.yaml", list, nr);
	ck_assert_uint_eq(scenario_hash(first(s)),
			  scenario_hash(first(again)));
	scenario_destroy(s);
	scenario_destroy(again);
}
END_TEST

START_TEST(events_are_read_and_sorted_by_time)
{
	struct scenario *s = load_good(TOP
		"events: [30ms sysfs cache_type=write through, 10ms discard 4k 1M, 10ms flush,\n"
		"  20ms zone reset 2M, 5ms pause 1ms, 5ms resize 2G]\n");
	const struct scenario_config *c = first(s);

	ck_assert_uint_eq(c->events_nr, 6);
	ck_assert_int_eq(c->events[0].kind, SCENARIO_EVENT_PAUSE);
	ck_assert_uint_eq(c->events[0].duration_ps, 1000000000);
	ck_assert_int_eq(c->events[1].kind, SCENARIO_EVENT_RESIZE);
	ck_assert_uint_eq(c->events[1].action.bytes, UINT64_C(2) << 30);
	ck_assert_int_eq(c->events[2].action.verb, CONTROL_DISCARD);
	ck_assert_uint_eq(c->events[2].action.offset, 4096);
	ck_assert_uint_eq(c->events[2].action.bytes, 1 << 20);
	ck_assert_int_eq(c->events[3].action.verb, CONTROL_FLUSH);
	ck_assert_int_eq(c->events[4].action.verb, CONTROL_ZONE_RESET);
	ck_assert_int_eq(c->events[5].action.verb, CONTROL_SYSFS_STORE);
	ck_assert_str_eq(c->events[5].action.name, "cache_type");
	ck_assert_str_eq(c->events[5].action.value, "write through");
	scenario_destroy(s);
}
END_TEST

START_TEST(wrong_events_are_refused)
{
	load_bad(TOP "events: [flush]\n", "'flush' is not a time");
	load_bad(TOP "events: [5ms]\n", "is not something that can happen");
	load_bad(TOP "device: {iothread-vq-mapping: 2}\n",
		 "device.iothread-vq-mapping: needs device.iothread: on");
	load_bad(TOP "device: {iothread: on, iothread-vq-mapping: 65}\n",
		 "allowed: 1..64");
	load_bad(TOP "job: {rw: randrw, rate_iops: 5}\n",
		 "job.rate_iops: not with reads and writes mixed");
	load_bad(TOP "events: [5ms flsh]\n", "did you mean 'flush'?");
	load_bad(TOP "events: [5ms zone opn 0]\n", "did you mean 'open'?");
	load_bad(TOP "events: [5ms flush now]\n", "'now' is not needed here");
	load_bad(TOP "events: [5ms discard 0]\n", "one is missing");
	load_bad(TOP "events: [5ms discard 0 100]\n", "multiples of 512");
	load_bad(TOP "events: [5ms sysfs]\n", "attribute's name");
	load_bad(TOP "events: [5ms pause]\n", "is not a time");
}
END_TEST

START_TEST(at_most_64_events)
{
	char text[4096];
	size_t used = (size_t)snprintf(text, sizeof(text), TOP "events: [1ms flush");

	for (int i = 1; i < 64; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 ", 1ms flush");
	snprintf(text + used, sizeof(text) - used, "]\n");
	good(text);
	snprintf(text + used, sizeof(text) - used, ", 1ms flush]\n");
	load_bad(text, "at most 64");
}
END_TEST

START_TEST(profile_is_found_beside_the_scenario)
{
	struct scenario *s = load_file(DATA "basic.yaml", NULL, 0);
	struct profile *p;

	ck_assert_int_eq(scenario_load_profile(s, 0, &p, stderr), 0);
	ck_assert_str_eq(p->name, "zero");
	profile_destroy(p);
	scenario_destroy(s);
}
END_TEST

START_TEST(distance_counts_edits_and_swaps)
{
	ck_assert_uint_eq(suggest_distance("iodepth", "iodepth"), 0);
	ck_assert_uint_eq(suggest_distance("iodpeth", "iodepth"), 1);
	ck_assert_uint_eq(suggest_distance("iodept", "iodepth"), 1);
	ck_assert_uint_eq(suggest_distance("num_queues", "num-queues"), 0);
	ck_assert_uint_eq(suggest_distance("", "abc"), 3);
	ck_assert_uint_eq(suggest_distance("kitten", "sitting"), 3);
}
END_TEST

START_TEST(help_prints_every_key)
{
	FILE *out = load_begin();
	size_t i;

	scenario_help(out);
	fclose(out);
	for (i = 0; i < scenario_keys_nr(); i++)
		ck_assert_ptr_nonnull(strstr(load_messages,
					     scenario_key(i)->path));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("scenario");
	TCase *tc = tcase_create("scenario");
	SRunner *runner;
	int failed;

	tcase_add_test(tc, defaults_are_those_of_fio_and_qemu);
	tcase_add_test(tc, every_key_is_read);
	tcase_add_test(tc, variants_override_and_leave_each_other_alone);
	tcase_add_test(tc, set_wins_over_variants);
	tcase_add_test(tc, error_names_place_shows_line_and_suggests);
	tcase_add_test(tc, all_errors_of_a_file_are_reported);
	tcase_add_test(tc, errors_are_limited_to_20);
	tcase_add_test(tc, variant_errors_point_into_the_variant);
	tcase_add_test(tc, key_is_given_once_per_scope);
	tcase_add_test(tc, ranges_hold_on_both_sides);
	tcase_add_test(tc, numbers_that_overflow_are_refused);
	tcase_add_test(tc, forms_of_values_are_strict);
	tcase_add_test(tc, contradictions_are_found);
	tcase_add_test(tc, device_properties_fit_together);
	tcase_add_test(tc, every_device_property_has_a_key);
	tcase_add_test(tc, properties_are_what_the_keys_say);
	tcase_add_test(tc, automatic_values_follow_others);
	tcase_add_test(tc, yaml_beyond_the_subset_is_refused);
	tcase_add_test(tc, limits_of_lists_hold_on_both_sides);
	tcase_add_test(tc, message_is_safe_for_a_terminal);
	tcase_add_test(tc, hash_is_of_what_decides_the_result);
	tcase_add_test(tc, printed_value_reads_back);
	tcase_add_test(tc, events_are_read_and_sorted_by_time);
	tcase_add_test(tc, wrong_events_are_refused);
	tcase_add_test(tc, at_most_64_events);
	tcase_add_test(tc, profile_is_found_beside_the_scenario);
	tcase_add_test(tc, distance_counts_edits_and_swaps);
	tcase_add_test(tc, help_prints_every_key);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
