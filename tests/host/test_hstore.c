// SPDX-License-Identifier: GPL-2.0-only
#include "tests/host/rig.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "model/host/hstore.h"

#define SECTORS		UINT64_C(4096)
#define MEAN_PS		(10 * SIM_PS_PER_US)

static struct hstore store, under;
static struct hstore_sink sink;
static struct hstore_req reqs[64];
static struct hstore_req *done[64];
static uint64_t done_ps[64];
static uint32_t done_nr;

static void note_done(struct hstore_sink *s, struct hstore_req *req)
{
	ck_assert_ptr_eq(s, &sink);
	done_ps[done_nr] = sim_now();
	done[done_nr++] = req;
}

static void setup(void)
{
	rig_init();
	memset(reqs, 0, sizeof(reqs));
	sink.done = note_done;
	done_nr = 0;
}

static void teardown(void)
{
	rig_fini();
}

static struct hiov iovs[64][2];

/* Request @i over two buffers of unequal length at RIG_DATA_PA + i * 64 KiB. */
static struct hstore_req *rw(uint32_t i, enum hstore_op op, uint64_t sector,
			     uint32_t bytes)
{
	struct hstore_req *req = &reqs[i];
	uint32_t first = bytes > 100 ? 100 : bytes;

	iovs[i][0] = (struct hiov){ RIG_DATA_PA + i * 65536, first, true };
	iovs[i][1] = (struct hiov){ RIG_DATA_PA + i * 65536 + 32768,
				    bytes - first, true };
	req->op = op;
	req->sector = sector;
	req->iov = iovs[i];
	req->iovs_nr = bytes > first ? 2 : 1;
	req->bytes = bytes;
	req->head = i;
	req->sink = &sink;
	return req;
}

static struct hstore_req *ranged(uint32_t i, enum hstore_op op,
				 uint64_t sector, uint64_t sectors_nr)
{
	struct hstore_req *req = &reqs[i];

	req->op = op;
	req->range[0].sector = sector;
	req->range[0].sectors_nr = sectors_nr;
	req->ranges_nr = 1;
	req->head = i;
	req->sink = &sink;
	return req;
}

static int submit(struct hstore_req *req)
{
	hstore_submit(&store, &req, 1);
	ck_assert_ptr_eq(done[done_nr - 1], req);
	return req->result;
}

static void fill(uint32_t i, uint32_t bytes, uint8_t seed)
{
	for (uint32_t b = 0; b < bytes; b++) {
		uint64_t pa = b < 100 ? iovs[i][0].pa + b :
					iovs[i][1].pa + b - 100;

		*(uint8_t *)ram_va(pa) = (uint8_t)(seed + b * 7);
	}
}

static void ck_filled(uint32_t i, uint32_t bytes, uint8_t seed)
{
	for (uint32_t b = 0; b < bytes; b++) {
		uint64_t pa = b < 100 ? iovs[i][0].pa + b :
					iovs[i][1].pa + b - 100;

		ck_assert_uint_eq(rig_get8(pa), (uint8_t)(seed + b * 7));
	}
}

START_TEST(null_completes_at_once_and_touches_nothing)
{
	hstore_init_null(&store, SECTORS);
	rw(0, HSTORE_READ, 0, 512);
	fill(0, 512, 9);
	ck_assert_int_eq(submit(&reqs[0]), 0);
	ck_filled(0, 512, 9);
	ck_assert_uint_eq(store.stats.ops_nr[HSTORE_READ], 1);
	ck_assert_uint_eq(store.stats.bytes[HSTORE_READ], 512);
	ck_assert_uint_eq(store.stats.in_store_nr, 0);
	hstore_fini(&store);
}
END_TEST

/* Ends in the middle of a chunk, crosses one. */
START_TEST(ram_returns_what_was_written)
{
	uint8_t sector[512];

	ck_assert_int_eq(hstore_init_ram(&store, SECTORS), 0);
	rw(0, HSTORE_WRITE, 126, 4096);
	fill(0, 4096, 3);
	ck_assert_int_eq(submit(&reqs[0]), 0);
	rw(1, HSTORE_READ, 126, 4096);
	ck_assert_int_eq(submit(&reqs[1]), 0);
	ck_filled(1, 4096, 3);
	ck_assert_int_eq(hstore_peek(&store, 127, sector, 1), 0);
	ck_assert_uint_eq(sector[0], (uint8_t)(3 + 512 * 7));
	ck_assert_uint_eq(store.ram.allocated_nr, 2);
	hstore_fini(&store);
}
END_TEST

START_TEST(ram_reads_zeroes_where_nothing_was_written)
{
	ck_assert_int_eq(hstore_init_ram(&store, SECTORS), 0);
	rw(0, HSTORE_READ, 200, 2048);
	fill(0, 2048, 1);
	ck_assert_int_eq(submit(&reqs[0]), 0);
	for (uint32_t b = 0; b < 100; b++)
		ck_assert_uint_eq(rig_get8(iovs[0][0].pa + b), 0);
	ck_assert_uint_eq(store.ram.allocated_nr, 0);
	hstore_fini(&store);
}
END_TEST

static const enum hstore_op zeroing[] = { HSTORE_DISCARD,
					  HSTORE_WRITE_ZEROES };

START_TEST(ram_zeroes_ranges_exactly)
{
	uint8_t ones[512], got[512];

	memset(ones, 0xff, sizeof(ones));
	ck_assert_int_eq(hstore_init_ram(&store, SECTORS), 0);
	for (uint64_t s = 0; s < 1024; s++)
		ck_assert_int_eq(hstore_poke(&store, s, ones, 1), 0);
	ck_assert_int_eq(submit(ranged(0, zeroing[_i], 100, 300)), 0);
	for (uint64_t s = 0; s < 1024; s++) {
		ck_assert_int_eq(hstore_peek(&store, s, got, 1), 0);
		ck_assert_uint_eq(got[0], s >= 100 && s < 400 ? 0 : 0xff);
		ck_assert_uint_eq(got[511], got[0]);
	}
	/* Chunks 128..255 and 256..383 lie within and are free again. */
	ck_assert_uint_eq(store.ram.allocated_nr, 6);
	hstore_fini(&store);
}
END_TEST

START_TEST(stores_refuse_what_lies_beyond_the_end)
{
	if (_i)
		ck_assert_int_eq(hstore_init_ram(&store, SECTORS), 0);
	else
		hstore_init_null(&store, SECTORS);
	ck_assert_int_eq(submit(rw(0, HSTORE_READ, SECTORS - 1, 512)), 0);
	ck_assert_int_eq(submit(rw(0, HSTORE_READ, SECTORS, 512)), -EIO);
	ck_assert_int_eq(submit(rw(0, HSTORE_READ, SECTORS - 1, 1024)), -EIO);
	ck_assert_int_eq(submit(rw(0, HSTORE_WRITE, UINT64_MAX, 512)), -EIO);
	ck_assert_int_eq(submit(rw(0, HSTORE_READ, 0, 100)), -EIO);
	ck_assert_int_eq(submit(ranged(0, HSTORE_DISCARD, UINT64_MAX,
				       UINT64_MAX)), -EIO);
	ck_assert_int_eq(submit(ranged(0, HSTORE_WRITE_ZEROES, 1, SECTORS)),
			 -EIO);
	ck_assert_uint_eq(store.stats.errors_nr, 6);
	ck_assert_uint_eq(store.stats.in_store_nr, 0);
	hstore_fini(&store);
}
END_TEST

START_TEST(flush_covers_writes_that_completed_before_it)
{
	struct hstore_req *flush = ranged(1, HSTORE_FLUSH, 0, 0);
	struct hstore_req *both[2];
	struct sim_dist ms, two_ms;
	struct hstore_queue_config config = {
		.servers = 4,
		.service = &two_ms,
		.flush_service = &ms,
		.name = "store",
	};

	sim_dist_init_constant(&ms, SIM_PS_PER_MS);
	sim_dist_init_constant(&two_ms, 2 * SIM_PS_PER_MS);
	ck_assert_int_eq(hstore_init_queue(&store, SECTORS, &config), 0);
	both[0] = rw(0, HSTORE_WRITE, 0, 512);
	both[1] = flush;
	hstore_submit(&store, both, 2);
	sim_run();
	ck_assert_ptr_eq(done[0], flush);
	ck_assert_uint_eq(store.volatile_nr - store.flushed_nr, 1);
	hstore_submit(&store, &flush, 1);
	sim_run();
	ck_assert_uint_eq(store.volatile_nr - store.flushed_nr, 0);
	/* A write through: service and flush. */
	reqs[0].fua = true;
	done_nr = 0;
	hstore_submit(&store, both, 1);
	sim_run();
	ck_assert_uint_eq(done_ps[0], (2 + 1 + 3) * SIM_PS_PER_MS);
	ck_assert_uint_eq(store.volatile_nr - store.flushed_nr, 0);
	hstore_fini(&store);
}
END_TEST

START_TEST(queue_serves_first_in_first_out)
{
	struct hstore_req *batch[5];
	struct sim_dist service;
	struct hstore_queue_config config = {
		.servers = 2,
		.service = &service,
		.name = "store",
	};

	sim_dist_init_constant(&service, MEAN_PS);
	ck_assert_int_eq(hstore_init_queue(&store, SECTORS, &config), 0);
	for (uint32_t i = 0; i < 5; i++)
		batch[i] = rw(i, HSTORE_READ, i, 512);
	hstore_submit(&store, batch, 5);
	ck_assert_uint_eq(store.queue.busy_nr, 2);
	sim_run();
	ck_assert_uint_eq(done_nr, 5);
	for (uint32_t i = 0; i < 5; i++) {
		ck_assert_ptr_eq(done[i], batch[i]);
		ck_assert_uint_eq(done_ps[i], MEAN_PS * (i / 2 + 1));
	}
	ck_assert_uint_eq(store.stats.wait_ps, MEAN_PS * (0 + 0 + 1 + 1 + 2));
	ck_assert_uint_eq(store.stats.wait_max_ps, MEAN_PS * 2);
	ck_assert_uint_eq(store.stats.in_store_ps,
			  MEAN_PS * (5 + 3 + 1));
	ck_assert_uint_eq(store.stats.in_store_max_nr, 5);
	hstore_fini(&store);
}
END_TEST

START_TEST(queue_moves_data_when_service_ends)
{
	struct hstore_req *batch[1];
	struct sim_dist service;
	struct hstore_queue_config config = {
		.servers = 1,
		.service = &service,
		.name = "store",
		.under = &under,
	};
	uint8_t sector[512];

	sim_dist_init_constant(&service, MEAN_PS);
	ck_assert_int_eq(hstore_init_ram(&under, SECTORS), 0);
	ck_assert_int_eq(hstore_init_queue(&store, SECTORS, &config), 0);
	batch[0] = rw(0, HSTORE_WRITE, 5, 512);
	fill(0, 512, 77);
	hstore_submit(&store, batch, 1);
	ck_assert_int_eq(hstore_peek(&store, 5, sector, 1), 0);
	ck_assert_uint_eq(sector[0], 0);
	sim_run();
	ck_assert_int_eq(hstore_peek(&store, 5, sector, 1), 0);
	ck_assert_uint_eq(sector[0], 77);
	hstore_fini(&store);
	hstore_fini(&under);
}
END_TEST

START_TEST(queue_refuses_bad_parameters)
{
	struct sim_dist service;
	struct hstore_queue_config config = { .name = "store" };

	sim_dist_init_constant(&service, 1);
	config.service = &service;
	ck_assert_int_eq(hstore_init_queue(&store, SECTORS, &config), -EINVAL);
	config.servers = HSTORE_SERVERS_MAX + 1;
	ck_assert_int_eq(hstore_init_queue(&store, SECTORS, &config), -EINVAL);
	config.servers = 1;
	config.service = NULL;
	ck_assert_int_eq(hstore_init_queue(&store, SECTORS, &config), -EINVAL);
	config.service = &service;
	hstore_init_null(&under, SECTORS);
	config.under = &under;
	ck_assert_int_eq(hstore_init_queue(&store, SECTORS, &config), -EINVAL);
}
END_TEST

START_TEST(peek_refuses_stores_without_data)
{
	uint8_t sector[512];

	hstore_init_null(&store, SECTORS);
	ck_assert_int_eq(hstore_peek(&store, 0, sector, 1), -EINVAL);
	ck_assert_int_eq(hstore_poke(&store, 0, sector, 1), -EINVAL);
	ck_assert_int_eq(hstore_init_ram(&store, SECTORS), 0);
	ck_assert_int_eq(hstore_peek(&store, SECTORS, sector, 1), -EINVAL);
	hstore_fini(&store);
}
END_TEST

/* --- against queueing theory: Poisson arrivals, open --- */

#define ARRIVALS	400000u
#define POOL		4096u

static struct {
	struct sim_event event;
	struct sim_random random;
	struct sim_dist gap;
	struct hstore_req *pool;
	struct hstore_req *free;
	uint32_t left;
} load;

static void load_done(struct hstore_sink *s, struct hstore_req *req)
{
	(void)s;
	req->next = load.free;
	load.free = req;
}

static void load_arrive(struct sim_event *ev)
{
	struct hstore_req *req = load.free;

	ck_assert_ptr_nonnull(req);
	load.free = req->next;
	req->op = HSTORE_READ;
	req->sink = &sink;
	hstore_submit(&store, &req, 1);
	if (--load.left)
		sim_event_post(ev, sim_now() + sim_dist_draw(&load.gap,
							      &load.random));
}

/* Mean wait in units of the mean service time, at utilisation @rho. */
static double mean_wait(uint32_t servers, double rho,
			const struct sim_dist *service)
{
	struct hstore_queue_config config = {
		.servers = servers,
		.service = service,
		.seed = 11,
		.name = "store",
	};

	ck_assert_int_eq(hstore_init_queue(&store, SECTORS, &config), 0);
	load.pool = calloc(POOL, sizeof(*load.pool));
	ck_assert_ptr_nonnull(load.pool);
	load.free = NULL;
	sink.done = load_done;
	for (uint32_t i = 0; i < POOL; i++)
		load_done(&sink, &load.pool[i]);
	sim_dist_init_exponential(&load.gap,
				  (uint64_t)((double)MEAN_PS / rho / servers));
	sim_random_init(&load.random, 12, "arrivals");
	load.left = ARRIVALS;
	sim_event_init(&load.event, load_arrive);
	sim_event_post(&load.event, 0);
	sim_run();
	free(load.pool);
	ck_assert_uint_eq(store.stats.ops_nr[HSTORE_READ], ARRIVALS);
	/* Little's law, exactly: time in the store, counted in both ways. */
	ck_assert_uint_eq(store.stats.in_store_ps,
			  store.stats.wait_ps + store.stats.service_ps);
	return (double)store.stats.wait_ps / ARRIVALS / (double)MEAN_PS;
}

/* Pollaczek and Khinchine with a constant service time. */
START_TEST(mean_wait_is_that_of_m_d_1)
{
	static const double rhos[] = { 0.3, 0.6, 0.8 };
	double rho = rhos[_i];
	double theory = rho / (2 * (1 - rho));
	struct sim_dist service;

	sim_dist_init_constant(&service, MEAN_PS);
	ck_assert_double_eq_tol(mean_wait(1, rho, &service), theory,
				0.03 * theory);
}
END_TEST

/* Erlang C: probability that an arrival has to wait. */
static double erlang_c(uint32_t c, double rho)
{
	double a = c * rho, term = 1, sum = 1;

	for (uint32_t k = 1; k < c; k++)
		sum += term *= a / k;
	term *= a / c;
	return term / (1 - rho) / (sum + term / (1 - rho));
}

START_TEST(mean_wait_is_that_of_m_m_c)
{
	static const struct {
		uint32_t c;
		double rho;
	} cases[] = { { 1, 0.5 }, { 1, 0.8 }, { 2, 0.7 }, { 8, 0.8 } };
	uint32_t c = cases[_i].c;
	double rho = cases[_i].rho;
	double theory = erlang_c(c, rho) / (c * (1 - rho));
	struct sim_dist service;

	sim_dist_init_exponential(&service, MEAN_PS);
	ck_assert_double_eq_tol(mean_wait(c, rho, &service), theory,
				0.05 * theory);
}
END_TEST

START_TEST(reset_stats_keeps_what_is_inside)
{
	struct hstore_req *batch[3];
	struct sim_dist service;
	struct hstore_queue_config config = {
		.servers = 1,
		.service = &service,
		.name = "store",
	};

	sim_dist_init_constant(&service, MEAN_PS);
	ck_assert_int_eq(hstore_init_queue(&store, SECTORS, &config), 0);
	for (uint32_t i = 0; i < 3; i++)
		batch[i] = rw(i, HSTORE_READ, i, 512);
	hstore_submit(&store, batch, 3);
	hstore_reset_stats(&store);
	ck_assert_uint_eq(store.stats.in_store_nr, 3);
	sim_run();
	ck_assert_uint_eq(store.stats.ops_nr[HSTORE_READ], 3);
	ck_assert_uint_eq(store.stats.in_store_ps, MEAN_PS * 6);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("hstore");
	TCase *t = tcase_create("stores");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, null_completes_at_once_and_touches_nothing);
	tcase_add_test(t, ram_returns_what_was_written);
	tcase_add_test(t, ram_reads_zeroes_where_nothing_was_written);
	tcase_add_loop_test(t, ram_zeroes_ranges_exactly, 0, 2);
	tcase_add_loop_test(t, stores_refuse_what_lies_beyond_the_end, 0, 2);
	tcase_add_test(t, flush_covers_writes_that_completed_before_it);
	tcase_add_test(t, queue_serves_first_in_first_out);
	tcase_add_test(t, queue_moves_data_when_service_ends);
	tcase_add_test(t, queue_refuses_bad_parameters);
	tcase_add_test(t, peek_refuses_stores_without_data);
	tcase_add_loop_test(t, mean_wait_is_that_of_m_d_1, 0, 3);
	tcase_add_loop_test(t, mean_wait_is_that_of_m_m_c, 0, 4);
	tcase_add_test(t, reset_stats_keeps_what_is_inside);
	suite_add_tcase(s, t);
	return s;
}

int main(void)
{
	return rig_main(suite());
}
