// SPDX-License-Identifier: GPL-2.0-only
#include "model/harness/scenario_key.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/hw/pci.h"
#include "model/hw/ram.h"
#include "model/hw/vcpu.h"
#include "model/harness/quantity.h"
#include "sim/sim.h"

#define KEY_TEXT_MAX	4096u
#define KEY_NAME_MAX	64u
#define MIB		(UINT64_C(1) << 20)
#define TIB		(UINT64_C(1) << 40)
#define TIME_MAX_PS	(1000 * SIM_PS_PER_S)
/* JSON and SQLite know signed 64-bit integers only. */
#define SEED_MAX	((uint64_t)INT64_MAX)

#define FIELD(member)							\
	.offset = offsetof(struct scenario_config, member),		\
	.bytes = sizeof(((struct scenario_config *)0)->member)
#define RANGE(low, high)	.min = (low), .max = (high)

static const char *const key_store_types[] = { "null", "ram", "queue", NULL };
static const char *const key_dists[] = {
	"constant", "uniform", "exponential", "lognormal", "empirical", NULL
};
static const char *const key_ioengines[] = {
	"libaio", "psync", "pvsync2", "io_uring", NULL
};
static const char *const key_rws[] = {
	"read", "write", "randread", "randwrite", "rw", "randrw", "trim",
	"randtrim", NULL
};

static const char *const key_rate_processes[] = { "linear", "poisson", NULL };

static const char *const key_zoned[] = {
	"none", "host-managed", "drive-managed", NULL
};

static const struct scenario_key keys[] = {
	{ "name", SCENARIO_NAME, .prose = true, FIELD(scenario),
	  .help = "name of the scenario; the file's, if not given" },
	{ "question", SCENARIO_TEXT, .prose = true, FIELD(question),
	  .help = "the question that the scenario answers" },
	{ "machine", SCENARIO_NAME, FIELD(machine),
	  .help = "machine profile: machines/NAME.yaml" },
	{ "seed", SCENARIO_NUMBER, RANGE(0, SEED_MAX), .preset = "1",
	  FIELD(seed), .help = "seed of all random numbers" },
	{ "repeat", SCENARIO_NUMBER, RANGE(1, 1000), .preset = "1",
	  FIELD(repeat),
	  .help = "runs of a variant, with seed, seed + 1, ...; means and 95 % intervals are added, the rest is of the first" },
	{ "vcpus", SCENARIO_NUMBER, RANGE(1, VCPU_MAX), .preset = "1",
	  FIELD(vcpus_nr), .help = "virtual CPUs" },
	{ "smp.sockets", SCENARIO_NUMBER, RANGE(1, VCPU_MAX), .preset = "auto",
	  .automatic = true, FIELD(sockets_nr),
	  .help = "sockets that the guest sees; vCPUs of one share a cache; auto: one per vCPU, as QEMU before 6.2" },
	{ "memory", SCENARIO_SIZE, RANGE(16 * MIB, RAM_MAX_BYTES),
	  .preset = "64M", FIELD(memory_bytes), .help = "guest RAM" },

	{ "device.num-queues", SCENARIO_NUMBER, RANGE(1, PCI_DOORBELL_MAX - 1),
	  .preset = "auto", .automatic = true, FIELD(device.num_queues),
	  .help = "virtqueues; auto: one per vCPU" },
	{ "device.queue-size", SCENARIO_NUMBER, RANGE(4, 1024),
	  .preset = "256", FIELD(device.queue_size),
	  .help = "descriptors of a virtqueue, a power of two" },
	{ "device.event_idx", SCENARIO_SWITCH, .preset = "on",
	  FIELD(device.event_idx), .help = "offer VIRTIO_F_EVENT_IDX" },
	{ "device.packed", SCENARIO_SWITCH, .preset = "off",
	  FIELD(device.packed),
	  .help = "offer VIRTIO_F_RING_PACKED; a driver without it, unlike the bundled one, runs split rings" },
	{ "device.indirect_desc", SCENARIO_SWITCH, .preset = "on",
	  FIELD(device.indirect_desc),
	  .help = "offer VIRTIO_F_INDIRECT_DESC" },
	{ "device.iothread", SCENARIO_SWITCH, .preset = "off",
	  FIELD(device.iothread),
	  .help = "a host thread of its own serves the device" },
	{ "device.iothread-vq-mapping", SCENARIO_NUMBER, RANGE(1, 64),
	  .preset = "1", FIELD(device.iothread_vq_mapping),
	  .help = "iothreads that the queues are assigned to in turn" },
	{ "device.poll-max-ns", SCENARIO_NUMBER, RANGE(0, 1000000000),
	  .preset = "32768", FIELD(device.poll_max_ns),
	  .help = "longest time an iothread looks for work before it sleeps (QEMU since 2.9); 0: it does not" },
	{ "device.poll-grow", SCENARIO_NUMBER, RANGE(0, 1000),
	  .preset = "0", FIELD(device.poll_grow),
	  .help = "factor by which an iothread looks longer after a wait that was longer; 0: 2" },
	{ "device.poll-shrink", SCENARIO_NUMBER, RANGE(0, 1000),
	  .preset = "0", FIELD(device.poll_shrink),
	  .help = "divisor for its time after a wait beyond poll-max-ns; 0: it looks no more" },
	{ "device.ioeventfd", SCENARIO_SWITCH, .preset = "on",
	  FIELD(device.ioeventfd),
	  .help = "the host kernel handles kicks; off: the VMM, on the vCPU" },
	{ "device.vectors", SCENARIO_NUMBER, RANGE(2, PCI_MSIX_MAX),
	  .preset = "auto", .automatic = true, FIELD(device.vectors),
	  .help = "MSI-X vectors; auto: one per queue and one for the configuration" },
	{ "device.seg-max", SCENARIO_NUMBER, RANGE(1, 1022),
	  .preset = "auto", .automatic = true, FIELD(device.seg_max),
	  .help = "data segments of a request; auto: queue-size - 2" },
	{ "device.discard", SCENARIO_SWITCH, .preset = "on",
	  FIELD(device.discard), .help = "offer VIRTIO_BLK_F_DISCARD" },
	{ "device.write-zeroes", SCENARIO_SWITCH, .preset = "on",
	  FIELD(device.write_zeroes),
	  .help = "offer VIRTIO_BLK_F_WRITE_ZEROES" },
	{ "device.config-wce", SCENARIO_SWITCH, .preset = "on",
	  FIELD(device.config_wce), .help = "offer VIRTIO_BLK_F_CONFIG_WCE" },
	{ "device.suppress-kicks", SCENARIO_SWITCH, .preset = "on",
	  FIELD(device.suppress_kicks),
	  .help = "no kicks wanted while requests are taken; off: QEMU before 2.9, whose iothreads do not poll either" },
	{ "device.batch-notify", SCENARIO_SWITCH, .preset = "on",
	  FIELD(device.batch_notify),
	  .help = "one interrupt decision for all requests found finished" },
	{ "device.max-batch", SCENARIO_NUMBER, RANGE(0, 1024), .preset = "0",
	  FIELD(device.max_batch),
	  .help = "most requests of one submission to the store; 0: no limit" },
	{ "device.size-max", SCENARIO_NUMBER, RANGE(0, UINT32_MAX),
	  .preset = "0", FIELD(device.more.size_max),
	  .help = "bytes of a segment; 0: VIRTIO_BLK_F_SIZE_MAX is not offered" },
	{ "device.logical_block_size", SCENARIO_SIZE, RANGE(512, 32768),
	  .preset = "512", FIELD(device.more.logical_block_size),
	  .help = "a power of two" },
	{ "device.physical_block_size", SCENARIO_SIZE, RANGE(512, MIB),
	  .preset = "auto", .automatic = true,
	  FIELD(device.more.physical_block_size),
	  .help = "a power of two; auto: logical_block_size" },
	{ "device.min_io_size", SCENARIO_SIZE, RANGE(0, 33553920),
	  .preset = "0", FIELD(device.more.min_io_size),
	  .help = "multiple of logical_block_size" },
	{ "device.opt_io_size", SCENARIO_SIZE, RANGE(0, UINT32_MAX),
	  .preset = "0", FIELD(device.more.opt_io_size),
	  .help = "multiple of logical_block_size" },
	{ "device.read-only", SCENARIO_SWITCH, .preset = "off",
	  FIELD(device.more.read_only), .help = "offer VIRTIO_BLK_F_RO" },
	{ "device.flush", SCENARIO_SWITCH, .preset = "on",
	  FIELD(device.more.flush), .help = "offer VIRTIO_BLK_F_FLUSH" },
	{ "device.write-cache", SCENARIO_SWITCH, .preset = "on",
	  FIELD(device.more.write_cache),
	  .help = "write-back at start; off: a write is stable when it completes" },
	{ "device.max-discard-sectors", SCENARIO_NUMBER, RANGE(1, UINT32_MAX),
	  .preset = "4194303", FIELD(device.more.max_discard_sectors),
	  .help = "sectors of a discard range" },
	{ "device.max-discard-seg", SCENARIO_NUMBER,
	  RANGE(1, HSTORE_RANGES_MAX), .preset = "1",
	  FIELD(device.more.max_discard_seg),
	  .help = "ranges of a discard request" },
	{ "device.max-write-zeroes-sectors", SCENARIO_NUMBER,
	  RANGE(1, UINT32_MAX), .preset = "4194303",
	  FIELD(device.more.max_write_zeroes_sectors),
	  .help = "sectors of a write-zeroes range" },
	{ "device.max-write-zeroes-seg", SCENARIO_NUMBER,
	  RANGE(1, HSTORE_RANGES_MAX), .preset = "1",
	  FIELD(device.more.max_write_zeroes_seg),
	  .help = "ranges of a write-zeroes request" },
	{ "device.secure-erase", SCENARIO_SWITCH, .preset = "off",
	  FIELD(device.more.secure_erase),
	  .help = "offer VIRTIO_BLK_F_SECURE_ERASE" },
	{ "device.max-secure-erase-sectors", SCENARIO_NUMBER,
	  RANGE(1, UINT32_MAX), .preset = "4194303",
	  FIELD(device.more.max_secure_erase_sectors),
	  .help = "sectors of a secure-erase range" },
	{ "device.max-secure-erase-seg", SCENARIO_NUMBER,
	  RANGE(1, HSTORE_RANGES_MAX), .preset = "1",
	  FIELD(device.more.max_secure_erase_seg),
	  .help = "ranges of a secure-erase request" },
	{ "device.secure-erase-sector-alignment", SCENARIO_NUMBER,
	  RANGE(0, UINT32_MAX), .preset = "auto", .automatic = true,
	  FIELD(device.more.secure_erase_sector_alignment),
	  .help = "in sectors; auto: a block, or a zone" },
	{ "device.zoned", SCENARIO_CHOICE, key_zoned, .preset = "none",
	  FIELD(device.more.zoned),
	  .help = "offer VIRTIO_BLK_F_ZONED; drive-managed works like any disk" },
	{ "device.zone-size", SCENARIO_SIZE, RANGE(512, 2048 * MIB),
	  .preset = "256M", FIELD(device.more.zone_size),
	  .help = "a power of two" },
	{ "device.zone-capacity", SCENARIO_SIZE, RANGE(512, 2048 * MIB),
	  .preset = "auto", .automatic = true,
	  FIELD(device.more.zone_capacity),
	  .help = "what can be written to a zone; auto: zone-size" },
	{ "device.conventional-zones", SCENARIO_NUMBER,
	  RANGE(0, HZONE_NR_MAX), .preset = "0",
	  FIELD(device.more.conventional_zones),
	  .help = "zones at the start of the disk that are conventional" },
	{ "device.max-open-zones", SCENARIO_NUMBER, RANGE(0, HZONE_NR_MAX),
	  .preset = "0", FIELD(device.more.max_open_zones),
	  .help = "open zones; 0: no limit" },
	{ "device.max-active-zones", SCENARIO_NUMBER, RANGE(0, HZONE_NR_MAX),
	  .preset = "0", FIELD(device.more.max_active_zones),
	  .help = "open and closed zones; 0: no limit" },
	{ "device.max-append-sectors", SCENARIO_NUMBER, RANGE(0, UINT32_MAX),
	  .preset = "1024", FIELD(device.more.max_append_sectors),
	  .help = "sectors of a zone append; 0: not supported" },
	{ "device.write-granularity", SCENARIO_SIZE, RANGE(512, MIB),
	  .preset = "auto", .automatic = true,
	  FIELD(device.more.write_granularity),
	  .help = "writes to sequential zones are multiples of it; auto: physical_block_size" },
	{ "device.lifetime", SCENARIO_SWITCH, .preset = "off",
	  FIELD(device.more.lifetime), .help = "offer VIRTIO_BLK_F_LIFETIME" },
	{ "device.pre-eol-info", SCENARIO_NUMBER, RANGE(0, 3), .preset = "1",
	  FIELD(device.more.pre_eol_info),
	  .help = "VIRTIO_BLK_PRE_EOL_INFO_* of the lifetime" },
	{ "device.lifetime-est-a", SCENARIO_NUMBER, RANGE(0, 11),
	  .preset = "1", FIELD(device.more.lifetime_est_a),
	  .help = "tenths of the life of SLC cells; 0: unknown" },
	{ "device.lifetime-est-b", SCENARIO_NUMBER, RANGE(0, 11),
	  .preset = "1", FIELD(device.more.lifetime_est_b),
	  .help = "tenths of the life of MLC cells; 0: unknown" },
	{ "device.cyls", SCENARIO_NUMBER, RANGE(0, 65535), .preset = "0",
	  FIELD(device.more.cyls),
	  .help = "cylinders; 0: VIRTIO_BLK_F_GEOMETRY is not offered" },
	{ "device.heads", SCENARIO_NUMBER, RANGE(0, 255), .preset = "16",
	  FIELD(device.more.heads), .help = "heads of the geometry" },
	{ "device.secs", SCENARIO_NUMBER, RANGE(0, 255), .preset = "63",
	  FIELD(device.more.secs),
	  .help = "sectors of a track of the geometry" },
	{ "device.x-features-off", SCENARIO_TEXT,
	  FIELD(device.x_features_off),
	  .help = "features that are not offered though the device has them, as seg_max,topology" },
	{ "device.x-config", SCENARIO_TEXT, FIELD(device.x_config),
	  .help = "lies in the configuration space, as blk_size=256,zoned.model=7" },
	{ "device.store.type", SCENARIO_CHOICE, key_store_types,
	  .preset = "ram", FIELD(device.store.type),
	  .help = "null drops data; ram keeps it and takes no time; queue keeps it and has latency" },
	{ "device.store.size", SCENARIO_SIZE, RANGE(MIB, 64 * TIB),
	  .preset = "1G", FIELD(device.store.size_bytes),
	  .help = "size of the disk, multiple of 512" },
	{ "device.store.parallelism", SCENARIO_NUMBER, RANGE(1, 65536),
	  FIELD(device.store.parallelism),
	  .help = "requests that a queue store serves at one time" },
	{ "device.store.latency.dist", SCENARIO_CHOICE, key_dists,
	  .preset = "constant", FIELD(device.store.latency.dist),
	  .help = "distribution of the latency of a queue store" },
	{ "device.store.latency.mean", SCENARIO_TIME, RANGE(0, TIME_MAX_PS),
	  FIELD(device.store.latency.mean_ps),
	  .help = "mean, of constant, exponential and lognormal" },
	{ "device.store.latency.min", SCENARIO_TIME, RANGE(0, TIME_MAX_PS),
	  FIELD(device.store.latency.min_ps), .help = "least, of uniform" },
	{ "device.store.latency.max", SCENARIO_TIME, RANGE(0, TIME_MAX_PS),
	  FIELD(device.store.latency.max_ps), .help = "most, of uniform" },
	{ "device.store.latency.p99", SCENARIO_TIME, RANGE(0, TIME_MAX_PS),
	  FIELD(device.store.latency.p99_ps),
	  .help = "99th percentile, of lognormal: 1 to 14 times the mean" },
	{ "device.store.latency.values", SCENARIO_TIMES,
	  RANGE(0, TIME_MAX_PS), FIELD(device.store.latency.values_ps),
	  .help = "list of equally likely times, of empirical" },
	{ "device.store.latency.file", SCENARIO_TEXT,
	  FIELD(device.store.latency.file),
	  .help = "file of measured times, of empirical: 'value [weight]' lines; beside the scenario" },

	{ "driver.source", SCENARIO_TEXT, .preset = "bundled",
	  FIELD(driver.source),
	  .help = "bundled, virtio_blk.c of any kind, or what build-driver made of it; beside the scenario" },
	{ "driver.ring", SCENARIO_TEXT, .preset = "bundled",
	  FIELD(driver.ring),
	  .help = "bundled, or virtio_ring.c to compile with it; beside the scenario" },

	{ "events", SCENARIO_EVENTS, FIELD(events),
	  .help = "list of what happens meanwhile; see below" },

	{ "host.cpuset", SCENARIO_CPUS, .preset = "auto",
	  .automatic = true, FIELD(cpuset_mask),
	  .help = "CPUs of the host that vCPUs and host threads share, as 0-3,5; auto: each has one for itself" },
	{ "queue.rq_affinity", SCENARIO_NUMBER, RANGE(0, 2), .preset = "1",
	  FIELD(rq_affinity),
	  .help = "where requests end: 0 on the vCPU interrupted; 1 on one that shares a cache with the submitter's; 2 on the submitter's" },
	{ "job.ioengine", SCENARIO_CHOICE, key_ioengines, .preset = "libaio",
	  FIELD(job.ioengine), .help = "how the job does I/O" },
	{ "job.rw", SCENARIO_CHOICE, key_rws, .preset = "read", FIELD(job.rw),
	  .help = "kind of I/O" },
	{ "job.rwmixread", SCENARIO_NUMBER, RANGE(0, 100), .preset = "50",
	  FIELD(job.rwmixread_pct),
	  .help = "percentage of reads, of rw and randrw" },
	{ "job.bs", SCENARIO_SIZE, RANGE(512, MIB), .preset = "4k",
	  FIELD(job.bs_bytes), .help = "block size, multiple of 512" },
	{ "job.bsrange", SCENARIO_SIZES, RANGE(512, MIB),
	  FIELD(job.bs_min_bytes),
	  .help = "block sizes as 512-1M instead of bs: multiples of the least, equally likely" },
	{ "job.hipri", SCENARIO_SWITCH, .preset = "off", FIELD(job.hipri),
	  .help = "pvsync2 and io_uring wait by polling a poll queue" },
	{ "job.fixedbufs", SCENARIO_SWITCH, .preset = "off",
	  FIELD(job.fixedbufs),
	  .help = "io_uring with registered buffers: no pages are pinned per I/O" },
	{ "job.fsync", SCENARIO_NUMBER, RANGE(0, UINT32_MAX), .preset = "0",
	  FIELD(job.fsync), .help = "writes of a job between two fsyncs; 0: none" },
	{ "job.iodepth", SCENARIO_NUMBER, RANGE(1, 4096), .preset = "1",
	  FIELD(job.iodepth), .help = "I/Os in flight per job" },
	{ "job.iodepth_batch", SCENARIO_NUMBER, RANGE(0, 4096),
	  .preset = "1", FIELD(job.iodepth_batch),
	  .help = "I/Os submitted at once; 0 or above iodepth: iodepth" },
	{ "job.iodepth_batch_complete_min", SCENARIO_NUMBER, RANGE(0, 4096),
	  .preset = "1", FIELD(job.iodepth_batch_complete_min),
	  .help = "least I/Os to wait for at once; above iodepth: iodepth" },
	{ "job.iodepth_batch_complete_max", SCENARIO_NUMBER, RANGE(1, 4096),
	  .preset = "auto", .automatic = true,
	  FIELD(job.iodepth_batch_complete_max),
	  .help = "most I/Os to take at once; auto, or below the minimum: the minimum" },
	{ "job.numjobs", SCENARIO_NUMBER, RANGE(1, 256), .preset = "1",
	  FIELD(job.numjobs), .help = "jobs that run side by side" },
	{ "job.size", SCENARIO_SIZE, RANGE(512, 64 * TIB), .preset = "auto",
	  .automatic = true, FIELD(job.size_bytes),
	  .help = "region of the disk that is used; auto: all" },
	{ "job.runtime", SCENARIO_TIME, RANGE(0, TIME_MAX_PS), .preset = "0",
	  FIELD(job.runtime_ps),
	  .help = "simulated time to measure, as with time_based; 0: until number_ios, or size is done" },
	{ "job.ramp_time", SCENARIO_TIME, RANGE(0, TIME_MAX_PS),
	  .preset = "0", FIELD(job.ramp_time_ps),
	  .help = "simulated time before measuring begins" },
	{ "job.number_ios", SCENARIO_NUMBER, RANGE(0, UINT32_MAX),
	  .preset = "0", FIELD(job.number_ios),
	  .help = "I/Os per job; 0: no limit" },
	{ "job.cpus_allowed", SCENARIO_CPUS, .preset = "auto",
	  .automatic = true, FIELD(job.cpus_allowed_mask),
	  .help = "vCPUs that jobs may run on, as 0-3,5; auto: all" },
	{ "job.thinktime", SCENARIO_TIME, RANGE(0, TIME_MAX_PS),
	  .preset = "0", FIELD(job.thinktime_ps),
	  .help = "pause of a job after an I/O has completed" },
	{ "job.rate_iops", SCENARIO_NUMBER, RANGE(0, 100000000),
	  .preset = "0", FIELD(job.rate_iops),
	  .help = "I/Os per second of each job, whose places must suffice; 0: as fast as they end" },
	{ "job.rate_process", SCENARIO_CHOICE, key_rate_processes,
	  .preset = "linear", FIELD(job.rate_process),
	  .help = "with rate_iops: evenly spaced, or at random as independent users" },
	{ "job.verify", SCENARIO_SWITCH, .preset = "off", FIELD(job.verify),
	  .help = "check that data comes back as it was written" },
};

#define KEYS_NR	(sizeof(keys) / sizeof(keys[0]))

_Static_assert(KEYS_NR <= SCENARIO_KEYS_MAX, "raise SCENARIO_KEYS_MAX");

size_t scenario_keys_nr(void)
{
	return KEYS_NR;
}

const struct scenario_key *scenario_key(size_t i)
{
	return &keys[i];
}

int scenario_key_index(const char *path)
{
	size_t i;

	for (i = 0; i < KEYS_NR; i++)
		if (!strcmp(keys[i].path, path))
			return (int)i;
	return -1;
}

const struct scenario_key *scenario_key_find(const char *path)
{
	int i = scenario_key_index(path);

	return i < 0 ? NULL : &keys[i];
}

bool scenario_key_is_group(const char *path, size_t length)
{
	static const char params[] = "driver.params";
	size_t i;

	for (i = 0; i < KEYS_NR; i++)
		if (!strncmp(keys[i].path, path, length) &&
		    keys[i].path[length] == '.')
			return true;
	return length == sizeof(params) - 1 && !strncmp(path, params, length);
}

/* Fields. */

static void *key_field(const struct scenario_key *key,
		       struct scenario_config *cfg)
{
	return (char *)cfg + key->offset;
}

uint64_t scenario_key_number(const struct scenario_key *key,
			     const struct scenario_config *cfg)
{
	const char *field = (const char *)cfg + key->offset;
	uint64_t wide;
	uint32_t narrow;
	bool flag;

	if (key->bytes == sizeof(flag)) {
		memcpy(&flag, field, sizeof(flag));
		return flag;
	}
	if (key->bytes == sizeof(narrow)) {
		memcpy(&narrow, field, sizeof(narrow));
		return narrow;
	}
	memcpy(&wide, field, sizeof(wide));
	return wide;
}

static void key_store(const struct scenario_key *key,
		      struct scenario_config *cfg, uint64_t value)
{
	uint32_t narrow = (uint32_t)value;
	bool flag = value != 0;

	if (key->bytes == sizeof(flag))
		memcpy(key_field(key, cfg), &flag, sizeof(flag));
	else if (key->bytes == sizeof(narrow))
		memcpy(key_field(key, cfg), &narrow, sizeof(narrow));
	else
		memcpy(key_field(key, cfg), &value, sizeof(value));
}

static const char *key_text(const struct scenario_key *key,
			    const struct scenario_config *cfg)
{
	const char *text;

	memcpy(&text, (const char *)cfg + key->offset, sizeof(text));
	return text ? text : "";
}

/* What is allowed. */

static void key_print_number(const struct scenario_key *key, uint64_t value,
			     char *buf, size_t bytes)
{
	switch (key->type) {
	case SCENARIO_SIZE:
	case SCENARIO_SIZES:
		quantity_print_size(buf, bytes, value);
		break;
	case SCENARIO_TIME:
	case SCENARIO_TIMES:
		quantity_print_time(buf, bytes, value);
		break;
	case SCENARIO_DECIMAL:
		quantity_print_decimal(buf, bytes, 3, value);
		break;
	case SCENARIO_CPUS:
		quantity_print_cpus(buf, bytes, value);
		break;
	default:
		snprintf(buf, bytes, "%" PRIu64, value);
	}
}

/* Append to @buf, cutting off what does not fit. */
static void key_append(char *buf, size_t bytes, const char *text)
{
	size_t used = strlen(buf);

	snprintf(buf + used, bytes - used, "%s", text);
}

static void key_allowed_range(const struct scenario_key *key, char *buf,
			      size_t bytes)
{
	char limit[64];

	key_print_number(key, key->min, buf, bytes);
	key_append(buf, bytes, "..");
	key_print_number(key, key->max, limit, sizeof(limit));
	key_append(buf, bytes, limit);
}

static void key_allowed_choices(const struct scenario_key *key, char *buf,
				size_t bytes)
{
	const char *const *choice;

	buf[0] = '\0';
	for (choice = key->choices; *choice; choice++) {
		key_append(buf, bytes, *choice);
		if (choice[1])
			key_append(buf, bytes, ", ");
	}
}

void scenario_key_allowed(const struct scenario_key *key, char *buf,
			  size_t bytes)
{
	switch (key->type) {
	case SCENARIO_TEXT:
		snprintf(buf, bytes, "text");
		break;
	case SCENARIO_EVENTS:
		snprintf(buf, bytes, "list of events");
		break;
	case SCENARIO_NAME:
		snprintf(buf, bytes, "letters, digits and . _ -");
		break;
	case SCENARIO_SWITCH:
		snprintf(buf, bytes, "on, off");
		break;
	case SCENARIO_CHOICE:
		key_allowed_choices(key, buf, bytes);
		break;
	case SCENARIO_CPUS:
		snprintf(buf, bytes, "CPU numbers");
		break;
	default:
		key_allowed_range(key, buf, bytes);
	}
	if (key->automatic)
		key_append(buf, bytes, ", auto");
}

static const char *key_form(enum scenario_type type)
{
	static const char *const form[] = {
		[SCENARIO_TEXT] = "a text",
		[SCENARIO_NAME] = "a name",
		[SCENARIO_NUMBER] = "a whole number",
		[SCENARIO_SIZE] = "a size (as 512, 4k, 1M; k is 1024)",
		[SCENARIO_TIME] = "a time with its unit (as 10s, 1.5ms, 20us, 80ns)",
		[SCENARIO_TIMES] = "a time with its unit (as 10s, 1.5ms, 20us, 80ns)",
		[SCENARIO_SIZES] = "two sizes, the lesser first (as 512-1M)",
		[SCENARIO_EVENTS] = "an event",
		[SCENARIO_SWITCH] = "on or off",
		[SCENARIO_CHOICE] = "one of the known words",
		[SCENARIO_DECIMAL] = "a number with up to three decimals",
		[SCENARIO_CPUS] = "a list of CPUs (as 0-3,5)",
	};

	return form[type];
}

/* Reading. */

static int key_read_number(const struct scenario_key *key, const char *text,
			   uint64_t *value)
{
	switch (key->type) {
	case SCENARIO_SIZE:
	case SCENARIO_SIZES:
		return quantity_size(text, value);
	case SCENARIO_TIME:
	case SCENARIO_TIMES:
		return quantity_time(text, value);
	case SCENARIO_DECIMAL:
		return quantity_decimal(text, 3, value);
	case SCENARIO_CPUS:
		return quantity_cpus(text, value);
	default:
		return quantity_number(text, value);
	}
}

static bool key_refuse(const struct scenario_key *key, const char *text,
		       char *why, size_t bytes)
{
	char allowed[256];

	scenario_key_allowed(key, allowed, sizeof(allowed));
	snprintf(why, bytes, "%s: '%.64s' is not %s; allowed: %s", key->path,
		 text, key_form(key->type), allowed);
	return false;
}

static bool key_out_of_range(const struct scenario_key *key, const char *text,
			     char *why, size_t bytes)
{
	char allowed[256];

	scenario_key_allowed(key, allowed, sizeof(allowed));
	snprintf(why, bytes, "%s: %.64s is out of range; allowed: %s",
		 key->path, text, allowed);
	return false;
}

/* A number of @key's type in its range. */
static bool key_check_number(const struct scenario_key *key, const char *text,
			     uint64_t *value, char *why, size_t bytes)
{
	int err = key_read_number(key, text, value);

	if (err == -EDOM && key->type != SCENARIO_DECIMAL) {
		snprintf(why, bytes, "%s: '%.64s' is finer than 1 ps",
			 key->path, text);
		return false;
	}
	if (err == -ERANGE)
		return key_out_of_range(key, text, why, bytes);
	if (err)
		return key_refuse(key, text, why, bytes);
	if (key->type != SCENARIO_CPUS &&
	    (*value < key->min || *value > key->max))
		return key_out_of_range(key, text, why, bytes);
	return true;
}

/* "LEAST-MOST"; the second number follows the first in the struct. */
static bool key_parse_sizes(const struct scenario_key *key, const char *text,
			    struct scenario_config *cfg, struct arena *a,
			    char *why, size_t bytes)
{
	char *least = arena_string(a, text);
	char *most = strchr(least, '-');
	uint64_t value[2];

	if (!most)
		return key_refuse(key, text, why, bytes);
	*most++ = '\0';
	if (!key_check_number(key, least, &value[0], why, bytes) ||
	    !key_check_number(key, most, &value[1], why, bytes))
		return false;
	if (value[0] > value[1])
		return key_refuse(key, text, why, bytes);
	memcpy(key_field(key, cfg), value, sizeof(value));
	return true;
}

static bool key_check_choice(const struct scenario_key *key, const char *text,
			     uint64_t *value, char *why, size_t bytes)
{
	static const char *const switches[] = { "off", "on", NULL };
	const char *const *choices = key->choices;
	const char *near;

	if (key->type == SCENARIO_SWITCH)
		choices = switches;
	for (*value = 0; choices[*value]; ++*value)
		if (!strcmp(choices[*value], text))
			return true;
	near = suggest_from(text, choices);
	key_refuse(key, text, why, bytes);
	if (near) {
		key_append(why, bytes, "; did you mean '");
		key_append(why, bytes, near);
		key_append(why, bytes, "'?");
	}
	return false;
}

static bool key_is_name(const char *text)
{
	size_t i;

	for (i = 0; text[i]; i++)
		if (!isalnum((unsigned char)text[i]) &&
		    !strchr("._-", text[i]))
			return false;
	return i && i <= KEY_NAME_MAX && text[0] != '.';
}

static bool key_check_text(const struct scenario_key *key, const char *text,
			   char *why, size_t bytes)
{
	if (key->type == SCENARIO_NAME && !key_is_name(text))
		return key_refuse(key, text, why, bytes);
	if (!*text || strlen(text) > KEY_TEXT_MAX) {
		snprintf(why, bytes, "%s: a text of 1..%u bytes is needed",
			 key->path, KEY_TEXT_MAX);
		return false;
	}
	return true;
}

/* "a,b,c" as a list. */
static bool key_parse_commas(const struct scenario_key *key, const char *text,
			     struct scenario_config *cfg, struct arena *a,
			     char *why, size_t bytes)
{
	const char **texts = arena_alloc(a, (SCENARIO_VALUES_MAX + 1) *
					    sizeof(*texts));
	char *copy = arena_string(a, text);
	size_t nr = 0;

	texts[nr++] = copy;
	for (; *copy && nr <= SCENARIO_VALUES_MAX; copy++) {
		if (*copy != ',')
			continue;
		*copy = '\0';
		texts[nr++] = copy + 1;
	}
	return scenario_key_parse_list(key, texts, nr, cfg, a, why, bytes);
}

bool scenario_key_is_list(const struct scenario_key *key)
{
	return key->type == SCENARIO_TIMES || key->type == SCENARIO_EVENTS;
}

static bool key_is_text(const struct scenario_key *key)
{
	return key->type == SCENARIO_TEXT || key->type == SCENARIO_NAME;
}

bool scenario_key_parse(const struct scenario_key *key, const char *text,
			struct scenario_config *cfg, struct arena *a,
			char *why, size_t why_bytes)
{
	uint64_t value = 0;
	bool ok = true;

	if (key->automatic && !strcmp(text, "auto")) {
		key_store(key, cfg, 0);
		return true;
	}
	if (scenario_key_is_list(key))
		return key_parse_commas(key, text, cfg, a, why, why_bytes);
	if (key_is_text(key)) {
		const char *copy;

		if (!key_check_text(key, text, why, why_bytes))
			return false;
		copy = arena_string(a, text);
		memcpy(key_field(key, cfg), &copy, sizeof(copy));
		return true;
	}
	if (key->type == SCENARIO_SIZES)
		return key_parse_sizes(key, text, cfg, a, why, why_bytes);
	if (key->type == SCENARIO_SWITCH || key->type == SCENARIO_CHOICE)
		ok = key_check_choice(key, text, &value, why, why_bytes);
	else
		ok = key_check_number(key, text, &value, why, why_bytes);
	if (ok)
		key_store(key, cfg, value);
	return ok;
}

static int key_compare_times(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* By time; what is written first comes first. */
static void key_sort_events(struct scenario_event *events, size_t nr)
{
	for (size_t i = 1; i < nr; i++) {
		struct scenario_event event = events[i];
		size_t k = i;

		for (; k && events[k - 1].action.at_ps > event.action.at_ps; k--)
			events[k] = events[k - 1];
		events[k] = event;
	}
}

static bool key_parse_events(const char *const *texts, size_t texts_nr,
			     struct scenario_config *cfg, struct arena *a,
			     char *why, size_t why_bytes)
{
	struct scenario_event *events;
	size_t i;

	if (texts_nr > SCENARIO_EVENTS_MAX) {
		snprintf(why, why_bytes, "events: at most %u are possible",
			 SCENARIO_EVENTS_MAX);
		return false;
	}
	events = arena_alloc(a, (texts_nr + 1) * sizeof(*events));
	for (i = 0; i < texts_nr; i++)
		if (!scenario_event_parse(texts[i], &events[i], a, why,
					  why_bytes))
			return false;
	key_sort_events(events, texts_nr);
	cfg->events = events;
	cfg->events_nr = (uint32_t)texts_nr;
	return true;
}

bool scenario_key_parse_list(const struct scenario_key *key,
			     const char *const *texts, size_t texts_nr,
			     struct scenario_config *cfg, struct arena *a,
			     char *why, size_t why_bytes)
{
	uint32_t nr = (uint32_t)texts_nr;
	uint64_t *values;
	size_t i;

	if (key->type == SCENARIO_EVENTS)
		return key_parse_events(texts, texts_nr, cfg, a, why,
					why_bytes);
	if (!texts_nr || texts_nr > SCENARIO_VALUES_MAX) {
		snprintf(why, why_bytes, "%s: a list of 1..%u times is needed",
			 key->path, SCENARIO_VALUES_MAX);
		return false;
	}
	values = arena_alloc(a, texts_nr * sizeof(*values));
	for (i = 0; i < texts_nr; i++)
		if (!key_check_number(key, texts[i], &values[i], why,
				      why_bytes))
			return false;
	qsort(values, texts_nr, sizeof(*values), key_compare_times);
	/* the number of values follows the pointer in the struct */
	memcpy(key_field(key, cfg), &values, sizeof(values));
	memcpy((char *)key_field(key, cfg) + sizeof(values), &nr, sizeof(nr));
	return true;
}

_Static_assert(offsetof(struct scenario_latency, values_nr) ==
	       offsetof(struct scenario_latency, values_ps) + sizeof(void *),
	       "a SCENARIO_TIMES field is a pointer, then a uint32_t");

void scenario_key_presets(struct scenario_config *cfg, struct arena *a)
{
	static const char *const none = "";
	char why[512];
	size_t i;

	memset(cfg, 0, sizeof(*cfg));
	cfg->variant = "default";
	cfg->note = "";
	for (i = 0; i < KEYS_NR; i++) {
		if (key_is_text(&keys[i]))
			memcpy(key_field(&keys[i], cfg), &none, sizeof(none));
		if (keys[i].preset &&
		    !scenario_key_parse(&keys[i], keys[i].preset, cfg, a, why,
					sizeof(why))) {
			fprintf(stderr, "default of %s\n", why);
			abort();
		}
	}
}

/* Writing. */

static void key_print_times(const struct scenario_config *cfg, char *buf,
			    size_t bytes)
{
	const struct scenario_latency *latency = &cfg->device.store.latency;
	char one[64];
	uint32_t i;

	buf[0] = '\0';
	for (i = 0; i < latency->values_nr; i++) {
		quantity_print_time(one, sizeof(one), latency->values_ps[i]);
		if (i)
			key_append(buf, bytes, ",");
		key_append(buf, bytes, one);
	}
}

static void key_print_events(const struct scenario_config *cfg, char *buf,
			     size_t bytes)
{
	uint32_t i;

	buf[0] = '\0';
	for (i = 0; i < cfg->events_nr; i++) {
		if (i)
			key_append(buf, bytes, ",");
		key_append(buf, bytes, cfg->events[i].text);
	}
}

void scenario_key_print(const struct scenario_key *key,
			const struct scenario_config *cfg, char *buf,
			size_t bytes)
{
	char most[64];
	uint64_t value;

	if (key_is_text(key)) {
		snprintf(buf, bytes, "%s", key_text(key, cfg));
		return;
	}
	if (key->type == SCENARIO_TIMES) {
		key_print_times(cfg, buf, bytes);
		return;
	}
	if (key->type == SCENARIO_EVENTS) {
		key_print_events(cfg, buf, bytes);
		return;
	}
	value = scenario_key_number(key, cfg);
	if (key->type == SCENARIO_SWITCH)
		snprintf(buf, bytes, "%s", value ? "on" : "off");
	else if (key->type == SCENARIO_CHOICE)
		snprintf(buf, bytes, "%s", key->choices[value]);
	else
		key_print_number(key, value, buf, bytes);
	if (key->type != SCENARIO_SIZES)
		return;
	key_print_number(key, cfg->job.bs_max_bytes, most, sizeof(most));
	key_append(buf, bytes, "-");
	key_append(buf, bytes, most);
}

/* Suggestions. */

/* Length of @path up to its last dot, 0: none. */
static size_t key_parent(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot ? (size_t)(dot - path) : 0;
}

/* The part of @full that follows group @prefix of @length: one name. NULL: not in it. */
static char *key_child(struct arena *a, const char *full, const char *prefix,
		       size_t length)
{
	const char *rest = full;

	if (length) {
		if (strncmp(full, prefix, length) || full[length] != '.')
			return NULL;
		rest = full + length + 1;
	}
	return arena_text(a, rest, strcspn(rest, "."));
}

/* Names that belong to the file but are no keys of the table. */
static const char *const key_extras[] = {
	"variants", "expect", "driver.params", NULL
};

static const char *key_or_extra(size_t i)
{
	return i < KEYS_NR ? keys[i].path : key_extras[i - KEYS_NR];
}

static const char *key_suggest_here(struct arena *a, const char *path)
{
	size_t length = key_parent(path);
	const char *leaf = path + length + (length != 0);
	struct suggest s;
	const char *best;
	size_t i;

	suggest_init(&s, leaf);
	for (i = 0; key_or_extra(i); i++) {
		char *name = key_child(a, key_or_extra(i), path, length);

		if (name)
			suggest_offer(&s, name);
	}
	best = suggest_result(&s);
	return best ? arena_format(a, "%.*s%s", (int)(leaf - path), path,
				   best) : NULL;
}

const char *scenario_key_suggest(struct arena *a, const char *path)
{
	const char *here = key_suggest_here(a, path);
	const char *leaf = strrchr(path, '.');
	struct suggest s;
	size_t i;

	if (here)
		return here;
	leaf = leaf ? leaf + 1 : path;
	suggest_init(&s, leaf);
	for (i = 0; i < KEYS_NR; i++) {
		const char *dot = strrchr(keys[i].path, '.');

		if (dot)
			suggest_offer(&s, dot + 1);
	}
	if (!suggest_result(&s))
		return NULL;
	for (i = 0; i < KEYS_NR; i++) {
		const char *dot = strrchr(keys[i].path, '.');

		if (dot && dot + 1 == s.best)
			return keys[i].path;
	}
	return NULL;
}

void scenario_key_siblings(const char *prefix, char *buf, size_t bytes)
{
	const char *last = "";
	struct arena a;
	size_t i;

	arena_init(&a);
	buf[0] = '\0';
	for (i = 0; key_or_extra(i); i++) {
		char *name = key_child(&a, key_or_extra(i), prefix,
				       strlen(prefix));

		if (!name || !strcmp(name, last) ||
		    (i >= KEYS_NR && !strcmp(name, "driver")))
			continue;
		if (*last)
			key_append(buf, bytes, ", ");
		key_append(buf, bytes, name);
		last = name;
	}
	arena_fini(&a);
}

/* Help. */

static void key_help_wrap(FILE *out, const char *text, unsigned int indent,
			  unsigned int width)
{
	unsigned int column = indent;

	while (*text) {
		unsigned int word = (unsigned int)strcspn(text, " ");

		if (column > indent && column + 1 + word > width) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		}
		column += (unsigned int)fprintf(out, "%s%.*s",
						column > indent ? " " : "",
						(int)word, text);
		text += word;
		text += *text == ' ';
	}
	fputc('\n', out);
}

static void key_help_line(FILE *out, const struct scenario_key *key)
{
	char allowed[256];

	scenario_key_allowed(key, allowed, sizeof(allowed));
	fprintf(out, "  %-34s %s", key->path, allowed);
	if (key->preset)
		fprintf(out, " [%s]", key->preset);
	fprintf(out, "\n        ");
	key_help_wrap(out, key->help, 8, 80);
}

void scenario_help(FILE *out)
{
	size_t i;

	fputs("A scenario is a YAML file. Keys with dots are groups: job.bs is `bs` in the map\n"
	      "`job`. Each line: key, what is allowed [default].\n\n", out);
	for (i = 0; i < KEYS_NR; i++)
		key_help_line(out, &keys[i]);
	fputs("  driver.params                      map of names to values\n"
	      "        module parameters of the driver\n"
	      "  variants                           list of {name, note, set: {key: value, ...}}\n"
	      "        runs of the same scenario with some keys changed; the first is the\n"
	      "        reference; groups may also be written beside `name` instead of in `set`\n"
	      "  expect                             list of {variant, record: {file, COLUMN: TEXT},\n"
	      "        iops: 5 %, lat: 5 %, change: {against: VARIANT, within: 10 %}}\n"
	      "        recorded figures that `vblksim check` compares with; file is a CSV, relative\n"
	      "        to the scenario's folder, COLUMN: TEXT select its row; change is that of IOPS\n"
	      "\nSizes: 512, 4k, 1M, 2G, 1T (k = 1024). Times: 10s, 500ms, 1.5us, 80ns.\n"
	      "On the command line: --set job.iodepth=32, for every variant.\n\n", out);
	scenario_event_help(out);
}
