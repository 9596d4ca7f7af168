// SPDX-License-Identifier: GPL-2.0-only
/*
 * A result as bytes between two processes of the same program: header (magic,
 * version, length), fields, sum of the fields. One function describes the order of
 * the fields for both directions, so that they cannot differ.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/harness/result.h"

#define WIRE_MAGIC	UINT64_C(0x746c757365726276)
#define WIRE_VERSION	UINT64_C(3)
#define WIRE_MAX_BYTES	(64u << 20)
#define WIRE_TEXT_MAX	(1u << 20)
#define WIRE_ITEMS_MAX	65536u
#define WIRE_HEADER_BYTES (3 * sizeof(uint64_t))

/* @writing: else reading; @bytes valid in @data, @at the next; @bad sticks */
struct wire {
	unsigned char *data;
	size_t bytes;
	size_t room;
	size_t at;
	bool writing;
	bool bad;
};

static void wire_put(struct wire *w, const void *p, size_t bytes)
{
	if (w->room - w->bytes < bytes) {
		size_t room = w->room * 2 + bytes + 4096;
		unsigned char *data = realloc(w->data, room);

		if (!data) {
			w->bad = true;
			return;
		}
		w->data = data;
		w->room = room;
	}
	memcpy(w->data + w->bytes, p, bytes);
	w->bytes += bytes;
}

static void wire_get(struct wire *w, void *p, size_t bytes)
{
	if (w->bad || w->bytes - w->at < bytes) {
		w->bad = true;
		memset(p, 0, bytes);
		return;
	}
	memcpy(p, w->data + w->at, bytes);
	w->at += bytes;
}

static void wire_bytes(struct wire *w, void *p, size_t bytes)
{
	if (w->bad)
		return;
	if (w->writing)
		wire_put(w, p, bytes);
	else
		wire_get(w, p, bytes);
}

static void wire_u64(struct wire *w, uint64_t *value)
{
	wire_bytes(w, value, sizeof(*value));
}

static void wire_u64s(struct wire *w, uint64_t *values, size_t nr)
{
	wire_bytes(w, values, nr * sizeof(*values));
}

static void wire_u32(struct wire *w, uint32_t *value)
{
	wire_bytes(w, value, sizeof(*value));
}

/* A count of items that take at least @item_bytes each. */
static uint32_t wire_count(struct wire *w, uint32_t nr, size_t item_bytes)
{
	wire_u32(w, &nr);
	if (!w->writing && (nr > WIRE_ITEMS_MAX ||
			    nr > (w->bytes - w->at) / item_bytes))
		w->bad = true;
	return w->bad ? 0 : nr;
}

static void wire_text(struct wire *w, char **text)
{
	uint32_t length = *text ? (uint32_t)strnlen(*text, WIRE_TEXT_MAX) : 0;
	uint32_t there = *text != NULL;

	wire_u32(w, &there);
	wire_u32(w, &length);
	if (w->bad || !there)
		return;
	if (w->writing) {
		wire_put(w, *text, length);
		return;
	}
	if (length > w->bytes - w->at) {
		w->bad = true;
		return;
	}
	*text = calloc(1, (size_t)length + 1);
	if (*text)
		wire_get(w, *text, length);
	w->bad = w->bad || !*text;
}

static void wire_thread(struct wire *w, struct result_thread *t)
{
	uint32_t kind = t->kind;

	wire_text(w, &t->name);
	wire_u32(w, &kind);
	if (kind >= RESULT_THREAD_KINDS_NR)
		w->bad = true;
	t->kind = (enum result_thread_kind)kind;
	wire_u64(w, &t->stats.accesses_nr);
	wire_u64s(w, t->stats.transfers_nr, HW_DISTANCE_NR);
	wire_u64(w, &t->stats.line_ps);
	wire_u64s(w, t->stats.mode_ps, HW_MODE_NR);
}

static void wire_lock(struct wire *w, struct result_lock *lock)
{
	wire_text(w, &lock->name);
	wire_u32(w, &lock->instances_nr);
	wire_u64(w, &lock->acquired_nr);
	wire_u64(w, &lock->contended_nr);
	wire_u64(w, &lock->wait_ps);
	wire_u64(w, &lock->wait_max_ps);
	wire_u64(w, &lock->hold_ps);
	wire_u64(w, &lock->hold_max_ps);
	wire_u64(w, &lock->exits_nr);
}

static void wire_threads(struct wire *w, struct result *r)
{
	uint32_t nr = wire_count(w, r->threads_nr, sizeof(uint64_t));
	uint32_t i;

	if (!w->writing)
		for (i = 0; i < nr; i++)
			result_add_thread(r, NULL, RESULT_VCPU);
	for (i = 0; i < nr; i++)
		wire_thread(w, &r->threads[i]);
}

static void wire_locks(struct wire *w, struct result *r)
{
	uint32_t nr = wire_count(w, r->locks_nr, sizeof(uint64_t));
	uint32_t i;

	if (!w->writing)
		for (i = 0; i < nr; i++)
			result_add_lock(r, NULL);
	for (i = 0; i < nr; i++)
		wire_lock(w, &r->locks[i]);
}

static void wire_verdicts(struct wire *w, struct result *r)
{
	uint32_t nr = wire_count(w, r->verdicts_nr, sizeof(uint64_t));
	uint32_t i;

	for (i = 0; i < nr && !w->bad; i++) {
		char *text = w->writing ? r->verdicts[i] : NULL;

		wire_text(w, &text);
		if (w->writing)
			continue;
		result_add_verdict(r, "%s", text ? text : "");
		free(text);
	}
}

static void wire_counters(struct wire *w, struct result *r)
{
	wire_u64(w, &r->seed);
	wire_u64(w, &r->config_hash);
	wire_u64(w, &r->digest);
	wire_u64(w, &r->duration_ps);
	wire_u64(w, &r->time_ps);
	wire_u64(w, &r->events_nr);
	wire_u64(w, &r->switches_nr);
	wire_u64(w, &r->refused);
	wire_u64(w, &r->ios);
	wire_u64(w, &r->bytes);
	wire_u64(w, &r->errors_nr);
	/* nothing but uint64_t in it */
	wire_bytes(w, &r->latency, sizeof(r->latency));
	wire_bytes(w, &r->slat, sizeof(r->slat));
	wire_bytes(w, &r->clat, sizeof(r->clat));
	wire_bytes(w, &r->lat, sizeof(r->lat));
	wire_u64s(w, r->stage_sum_ps, RESULT_STAGES_NR);
	wire_u64(w, &r->exits_kernel);
	wire_u64(w, &r->exits_user);
	wire_u64(w, &r->exits_locked);
	wire_u64(w, &r->kicks_sent);
	wire_u64(w, &r->kicks_suppressed);
	wire_u64(w, &r->interrupts_delivered);
	wire_u64(w, &r->interrupts_skipped);
	wire_u64(w, &r->ipis);
	wire_u64(w, &r->halts);
	wire_u64(w, &r->preemptions);
	wire_u64(w, &r->preemptions_locked);
}

static void wire_result(struct wire *w, struct result *r)
{
	wire_text(w, &r->name);
	wire_counters(w, r);
	wire_threads(w, r);
	wire_locks(w, r);
	wire_verdicts(w, r);
	wire_text(w, &r->driver.source);
	wire_text(w, &r->driver.hash);
	wire_text(w, &r->driver.source_hash);
	wire_text(w, &r->driver.profile);
	wire_text(w, &r->driver.ring);
	wire_text(w, &r->driver.ring_hash);
	wire_text(w, &r->driver.ring_profile);
	wire_text(w, &r->driver.compiler);
	wire_text(w, &r->driver.flags);
	wire_text(w, &r->failure);
}

static uint64_t wire_sum(const unsigned char *p, size_t bytes)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	while (bytes--)
		hash = (hash ^ *p++) * UINT64_C(0x100000001b3);
	return hash;
}

static int wire_send(int fd, const void *p, size_t bytes)
{
	const char *at = p;

	while (bytes) {
		ssize_t n = write(fd, at, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		at += n;
		bytes -= (size_t)n;
	}
	return 0;
}

int result_write(const struct result *r, int fd)
{
	struct wire w = { .writing = true };
	/* the description serves both directions; writing changes nothing */
	struct result copy = *r;
	uint64_t header[3] = { WIRE_MAGIC, WIRE_VERSION, 0 };
	uint64_t sum;
	int err;

	wire_result(&w, &copy);
	sum = wire_sum(w.data, w.bytes);
	wire_u64(&w, &sum);
	header[2] = w.bytes;
	err = w.bad ? -ENOMEM : wire_send(fd, header, sizeof(header));
	if (!err)
		err = wire_send(fd, w.data, w.bytes);
	free(w.data);
	return err;
}

/* Read everything @fd has, up to WIRE_MAX_BYTES. */
static int wire_receive(struct wire *w, int fd,
			const volatile int *interrupted)
{
	unsigned char chunk[4096];
	ssize_t n;

	for (;;) {
		n = read(fd, chunk, sizeof(chunk));
		if (n < 0 && errno == EINTR) {
			if (interrupted && *interrupted)
				return -EINTR;
			continue;
		}
		if (n < 0)
			return -errno;
		if (!n)
			return 0;
		if (w->bytes > WIRE_MAX_BYTES)
			return -EBADMSG;
		wire_put(w, chunk, (size_t)n);
		if (w->bad)
			return -ENOMEM;
	}
}

/* Is there a whole result in @w? Its fields follow then. */
static int wire_check(struct wire *w)
{
	uint64_t header[3];
	uint64_t sum;

	if (!w->bytes)
		return -EPIPE;
	if (w->bytes < WIRE_HEADER_BYTES)
		return -ENODATA;
	wire_get(w, header, sizeof(header));
	if (header[0] != WIRE_MAGIC || header[1] != WIRE_VERSION ||
	    header[2] < sizeof(sum))
		return -EBADMSG;
	if (w->bytes - w->at < header[2])
		return -ENODATA;
	if (w->bytes - w->at > header[2])
		return -EBADMSG;
	w->bytes -= sizeof(sum);
	memcpy(&sum, w->data + w->bytes, sizeof(sum));
	if (sum != wire_sum(w->data + w->at, w->bytes - w->at))
		return -EBADMSG;
	return 0;
}

int result_read(struct result *r, int fd, const volatile int *interrupted)
{
	struct wire w = { .writing = false };
	int err;

	result_init(r);
	err = wire_receive(&w, fd, interrupted);
	if (!err)
		err = wire_check(&w);
	if (!err) {
		wire_result(&w, r);
		if (w.bad || w.at != w.bytes)
			err = -EBADMSG;
	}
	if (err)
		result_fini(r);
	free(w.data);
	return err;
}
