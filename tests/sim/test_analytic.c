// SPDX-License-Identifier: GPL-2.0-only
/*
 * The engine against queueing theory: each model once with callback events and
 * once with actors, on the same random numbers. Both must agree with theory
 * within 1 %, and with each other to the picosecond.
 *
 * Sample sizes. The mean of n correlated samples has a relative standard
 * deviation of sqrt(v / n); for the time in an M/M/1 system v is about
 * 2 (1 + rho) / (1 - rho)^2 (W. Whitt, "Planning Queueing Simulations",
 * Management Science 35(11), 1989, counted per customer). v of each model was
 * measured over 40 seeds, and n chosen so that 1 % is at least 3 deviations.
 * Under a sanitizer n is SCALE times smaller, and the bound sqrt(SCALE) times
 * wider, which is as many deviations.
 */
#include <check.h>
#include <math.h>

#include "sim/dist.h"
#include "sim/hist.h"
#include "sim/lock.h"
#include "sim/random.h"
#include "tests/sim/rig.h"

#if defined(__SANITIZE_ADDRESS__)
#define SCALE		5u
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SCALE		5u
#endif
#endif
#ifndef SCALE
#define SCALE		1u
#endif

#define BOUND		(0.01 * sqrt(SCALE))
#define SERVICE_PS	SIM_PS_PER_MS
#define SERVERS_MAX	4u
#define POOL_NR		512u	/* more customers at once than will ever be */
#define QUEUE_NR	65536u	/* power of two */

static void assert_near(const char *what, double got, double expected,
			double bound)
{
	ck_assert_msg(fabs(got / expected - 1) <= bound,
		      "%s is %.6g, theory says %.6g: %+.2f %%", what, got,
		      expected, 100 * (got / expected - 1));
}

/* An open system: one source, one queue, servers. */

struct customer {
	uint64_t arrival_ps;
	uint64_t service_ps;
};

struct server {
	struct sim_event done;		/* first: converted by a cast */
	struct rig_actor *actor;
	struct customer customer;
	bool busy;
};

static struct {
	struct sim_random between, service;
	struct sim_dist between_dist, service_dist;
	uint32_t servers_nr;
	struct server server[SERVERS_MAX];
	struct customer queue[QUEUE_NR];
	uint32_t head, tail;
	uint64_t left_nr;		/* customers yet to arrive */

	uint64_t inside_nr;
	uint64_t changed_ps;
	unsigned __int128 inside_area;	/* integral of inside_nr over time */
	unsigned __int128 sojourn_sum;	/* of those who left */
	uint64_t gone_nr;
} sys;

static struct sim_hist hist;
static bool hist_on;
static struct rig_actor source, worker[SERVERS_MAX];
static struct sim_event arrival;

static void inside_change(int by)
{
	sys.inside_area += (unsigned __int128)sys.inside_nr *
			   (sim_now() - sys.changed_ps);
	sys.changed_ps = sim_now();
	sys.inside_nr += (uint64_t)(int64_t)by;
}

static uint64_t next_between(void)
{
	uint64_t ps = sim_dist_draw(&sys.between_dist, &sys.between);

	return ps ? ps : 1;	/* nobody arrives at the same time */
}

static struct customer customer_arrives(void)
{
	sys.left_nr--;
	inside_change(1);
	return (struct customer){
		.arrival_ps = sim_now(),
		.service_ps = sim_dist_draw(&sys.service_dist, &sys.service),
	};
}

static void customer_leaves(const struct customer *c)
{
	uint64_t sojourn_ps = sim_now() - c->arrival_ps;

	inside_change(-1);
	sys.sojourn_sum += sojourn_ps;
	sys.gone_nr++;
	if (hist_on)
		sim_hist_record(&hist, sojourn_ps);
}

static void queue_put(struct customer c)
{
	rig_assert(sys.tail - sys.head < QUEUE_NR);
	sys.queue[sys.tail++ % QUEUE_NR] = c;
}

static bool queue_get(struct customer *c)
{
	if (sys.head == sys.tail)
		return false;
	*c = sys.queue[sys.head++ % QUEUE_NR];
	return true;
}

/*
 * Little's law: the time integral of the number inside equals the sum of the
 * times inside, of those who left and, up to now, of those who did not.
 */
static void assert_little(uint64_t now_ps)
{
	unsigned __int128 area = sys.inside_area + (unsigned __int128)
		sys.inside_nr * (now_ps - sys.changed_ps);
	unsigned __int128 sum = sys.sojourn_sum;
	uint64_t inside_nr = sys.tail - sys.head;

	for (uint32_t i = sys.head; i != sys.tail; i++)
		sum += now_ps - sys.queue[i % QUEUE_NR].arrival_ps;
	for (uint32_t i = 0; i < sys.servers_nr; i++) {
		if (!sys.server[i].busy)
			continue;
		sum += now_ps - sys.server[i].customer.arrival_ps;
		inside_nr++;
	}
	ck_assert_uint_eq(inside_nr, sys.inside_nr);
	ck_assert(area == sum);
}

static void sys_init(uint32_t servers_nr, double rho, bool constant,
		     uint64_t samples_nr)
{
	double between_ps = (double)SERVICE_PS / rho / servers_nr;

	memset(&sys, 0, sizeof(sys));
	sys.servers_nr = servers_nr;
	sys.left_nr = samples_nr / SCALE;
	sim_random_init(&sys.between, 1, "between");
	sim_random_init(&sys.service, 1, "service");
	sim_dist_init_exponential(&sys.between_dist, (uint64_t)between_ps);
	if (constant)
		sim_dist_init_constant(&sys.service_dist, SERVICE_PS);
	else
		sim_dist_init_exponential(&sys.service_dist, SERVICE_PS);
	sim_hist_init(&hist);
	rig_init();
}

/* Run to the end, looking in a few times on the way. */
static double sys_run(uint64_t samples_nr)
{
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(sim_run(), SIM_END_STOPPED);
		assert_little(sim_now());
	}
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	assert_little(sim_now());
	ck_assert_uint_eq(sys.gone_nr, samples_nr / SCALE);
	ck_assert_uint_eq(sys.inside_nr, 0);
	sim_fini();
	return (double)sys.sojourn_sum / (double)sys.gone_nr /
	       (double)SERVICE_PS;
}

static bool time_to_look(void)
{
	return sys.left_nr == 1000 || sys.left_nr == 500 || sys.left_nr == 77;
}

/* With events */

static void event_serve(struct server *s)
{
	s->busy = queue_get(&s->customer);
	if (s->busy)
		sim_event_post(&s->done, sim_now() + s->customer.service_ps);
}

static void event_done(struct sim_event *e)
{
	struct server *s = (struct server *)e;

	customer_leaves(&s->customer);
	event_serve(s);
}

static void event_arrival(struct sim_event *e)
{
	queue_put(customer_arrives());
	for (uint32_t i = 0; i < sys.servers_nr; i++) {
		if (!sys.server[i].busy) {
			event_serve(&sys.server[i]);
			break;
		}
	}
	if (sys.left_nr)
		sim_event_post(e, sim_now() + next_between());
	if (time_to_look())
		sim_stop();
}

static double open_by_events(uint32_t servers_nr, double rho, bool constant,
			     uint64_t samples_nr)
{
	sys_init(servers_nr, rho, constant, samples_nr);
	for (uint32_t i = 0; i < servers_nr; i++)
		sim_event_init(&sys.server[i].done, event_done);
	sim_event_init(&arrival, event_arrival);
	sim_event_post(&arrival, next_between());
	return sys_run(samples_nr);
}

/* With actors: a source and servers that park */

static void actor_server(struct rig_actor *a)
{
	struct server *s = a->arg;

	for (;;) {
		while (!queue_get(&s->customer))
			sim_park();
		s->busy = true;
		rig_pass(s->customer.service_ps);
		customer_leaves(&s->customer);
		s->busy = false;
	}
}

static void actor_source(struct rig_actor *a)
{
	(void)a;
	while (sys.left_nr) {
		rig_pass(next_between());
		queue_put(customer_arrives());
		for (uint32_t i = 0; i < sys.servers_nr; i++)
			sim_wake(&worker[i].actor, sim_now());
		if (time_to_look())
			sim_stop();
	}
}

static double open_by_actors(uint32_t servers_nr, double rho, bool constant,
			     uint64_t samples_nr)
{
	double mean;

	sys_init(servers_nr, rho, constant, samples_nr);
	rig_actor_start(&source, 100, 0, actor_source, NULL);
	for (uint32_t i = 0; i < servers_nr; i++)
		rig_actor_start(&worker[i], i, 0, actor_server, &sys.server[i]);
	mean = sys_run(samples_nr);
	fiber_fini(&source.fiber);
	for (uint32_t i = 0; i < servers_nr; i++)
		fiber_fini(&worker[i].fiber);
	return mean;
}

static void assert_open(uint32_t servers_nr, double rho, bool constant,
			uint64_t samples_nr, double expected)
{
	unsigned __int128 sum, area;

	assert_near("mean time by events",
		    open_by_events(servers_nr, rho, constant, samples_nr),
		    expected, BOUND);
	sum = sys.sojourn_sum;
	area = sys.inside_area;
	assert_near("mean time by actors",
		    open_by_actors(servers_nr, rho, constant, samples_nr),
		    expected, BOUND);
	ck_assert(sum == sys.sojourn_sum);
	ck_assert(area == sys.inside_area);
}

START_TEST(mm1_half_loaded)
{
	assert_open(1, 0.5, false, 1000000, 1 / (1 - 0.5));
}
END_TEST

START_TEST(mm1_loaded_to_80_percent)
{
	assert_open(1, 0.8, false, 6000000, 1 / (1 - 0.8));
}
END_TEST

/* Pollaczek and Khinchine */
START_TEST(md1_half_loaded)
{
	assert_open(1, 0.5, true, 500000, 1 + 0.5 / (2 * (1 - 0.5)));
}
END_TEST

START_TEST(md1_loaded_to_80_percent)
{
	assert_open(1, 0.8, true, 3000000, 1 + 0.8 / (2 * (1 - 0.8)));
}
END_TEST

/* Mean time in M/M/c in units of the service time: Erlang's C formula. */
static double erlang_c_time(uint32_t c, double rho)
{
	double a = c * rho, term = 1, sum = 0, wait;

	for (uint32_t k = 0; k < c; k++) {
		sum += term;
		term *= a / (k + 1);
	}
	wait = term / (1 - rho) / (sum + term / (1 - rho));
	return 1 + wait / (c * (1 - rho));
}

START_TEST(mm2)
{
	assert_open(2, 0.75, false, 3000000, erlang_c_time(2, 0.75));
}
END_TEST

START_TEST(mm4)
{
	assert_open(4, 0.75, false, 2000000, erlang_c_time(4, 0.75));
}
END_TEST

/* The time in M/M/1 is exponential: all quantiles are known. */
START_TEST(quantiles_of_mm1_are_exponential)
{
	const uint32_t q[] = { 10000, 50000, 90000, 99000 };

	hist_on = true;
	open_by_events(1, 0.5, false, 2000000);
	hist_on = false;
	ck_assert_uint_eq(hist.count, sys.gone_nr);
	ck_assert(hist.sum == sys.sojourn_sum);
	for (int i = 0; i < 4; i++)
		assert_near("quantile", (double)sim_hist_quantile(&hist, q[i]),
			    -log(1 - q[i] / 1e5) / 0.5 * (double)SERVICE_PS,
			    BOUND);
}
END_TEST

/* M/M/1 once more: a lock is the server, a pool of actors the customers. */
static struct sim_lock lock;
static struct rig_actor pool[POOL_NR];
static struct customer pool_customer[POOL_NR];
static uint32_t pool_free[POOL_NR];
static uint32_t pool_free_nr;

static void pool_main(struct rig_actor *a)
{
	struct customer *c = a->arg;

	for (;;) {
		while (!c->arrival_ps)
			sim_park();
		sim_lock_acquire(&lock);
		sim_spend(c->service_ps);
		sim_lock_release(&lock, 0);
		customer_leaves(c);
		c->arrival_ps = 0;
		pool_free[pool_free_nr++] = a->actor.id;
	}
}

static void pool_source(struct rig_actor *a)
{
	(void)a;
	while (sys.left_nr) {
		uint32_t i;

		rig_pass(next_between());
		rig_assert(pool_free_nr);
		i = pool_free[--pool_free_nr];
		pool_customer[i] = customer_arrives();
		sim_wake(&pool[i].actor, sim_now());
	}
}

START_TEST(lock_is_an_mm1_server)
{
	const uint64_t samples_nr = 2000000;
	unsigned __int128 sum;

	open_by_events(1, 0.5, false, samples_nr);
	sum = sys.sojourn_sum;
	sys_init(1, 0.5, false, samples_nr);
	sim_lock_init(&lock);
	memset(pool_customer, 0, sizeof(pool_customer));
	pool_free_nr = 0;
	rig_actor_start(&source, POOL_NR, 0, pool_source, NULL);
	for (uint32_t i = 0; i < POOL_NR; i++) {
		pool_free[pool_free_nr++] = POOL_NR - 1 - i;
		rig_actor_start(&pool[i], i, 0, pool_main, &pool_customer[i]);
	}
	ck_assert_int_eq(sim_run(), SIM_END_QUIET);
	ck_assert(sys.sojourn_sum == sum);
	ck_assert(sys.inside_area == sum);
	ck_assert_uint_eq(lock.stats.acquired_nr, sys.gone_nr);
	ck_assert(lock.stats.hold_ps + lock.stats.wait_ps == sum);
	sim_fini();
	fiber_fini(&source.fiber);
	for (uint32_t i = 0; i < POOL_NR; i++)
		fiber_fini(&pool[i].fiber);
}
END_TEST

/*
 * A closed network: each customer thinks, then visits one of the stations,
 * drawn with its probability; first come, first served, exponential times. Customers
 * have their own random numbers.
 */
#define STATIONS_NR	3u
#define CUSTOMERS_MAX	16u

static const double visit[STATIONS_NR] = { 0.5, 0.3, 0.2 };
static const uint64_t station_ps[STATIONS_NR] = {
	SERVICE_PS, 2 * SERVICE_PS, 5 * SERVICE_PS / 2
};

struct roamer {
	struct sim_event event;		/* first: converted by a cast */
	struct sim_random random;
	struct roamer *next;
	uint32_t station;
	uint64_t came_ps;
	bool queued;
};

static struct {
	struct sim_dist think;
	struct sim_dist service[STATIONS_NR];
	struct roamer roamer[CUSTOMERS_MAX];
	uint32_t customers_nr;
	uint64_t visits_nr, visits_end_nr;
	unsigned __int128 there_sum[STATIONS_NR];	/* times spent there */
	struct roamer *first[STATIONS_NR], **last[STATIONS_NR];
	struct sim_lock lock[STATIONS_NR];
} net;

struct closed_result {
	double throughput;		/* visits per service time */
	double there_nr[STATIONS_NR];	/* mean number at a station */
};

/* Exact mean value analysis: M. Reiser, S. Lavenberg, J. ACM 27(2), 1980. */
static struct closed_result mva(uint32_t customers_nr, double think)
{
	struct closed_result r = { 0, { 0 } };
	double time[STATIONS_NR], cycle;

	for (uint32_t n = 1; n <= customers_nr; n++) {
		cycle = think;
		for (uint32_t k = 0; k < STATIONS_NR; k++) {
			time[k] = (double)station_ps[k] / (double)SERVICE_PS *
				  (1 + r.there_nr[k]);
			cycle += visit[k] * time[k];
		}
		r.throughput = n / cycle;
		for (uint32_t k = 0; k < STATIONS_NR; k++)
			r.there_nr[k] = r.throughput * visit[k] * time[k];
	}
	return r;
}

static void net_init(uint32_t customers_nr, uint64_t think_ps,
		     uint64_t samples_nr)
{
	memset(&net, 0, sizeof(net));
	net.customers_nr = customers_nr;
	net.visits_end_nr = samples_nr / SCALE;
	sim_dist_init_exponential(&net.think, think_ps);
	for (uint32_t k = 0; k < STATIONS_NR; k++) {
		sim_dist_init_exponential(&net.service[k], station_ps[k]);
		sim_lock_init(&net.lock[k]);
		net.last[k] = &net.first[k];
	}
	for (uint32_t i = 0; i < customers_nr; i++)
		sim_random_init(&net.roamer[i].random, i, "roamer");
	rig_init();
}

static uint32_t net_route(struct sim_random *r)
{
	double u = sim_random_unit(r);

	return u < visit[0] ? 0 : u < visit[0] + visit[1] ? 1 : 2;
}

/* At the end of a visit: whether it was the last. */
static bool net_count(struct roamer *c)
{
	net.there_sum[c->station] += sim_now() - c->came_ps;
	c->queued = false;
	return ++net.visits_nr == net.visits_end_nr;
}

static struct closed_result net_result(void)
{
	struct closed_result r;
	double now_ps = (double)sim_now();

	for (uint32_t i = 0; i < net.customers_nr; i++)
		if (net.roamer[i].queued)
			net.there_sum[net.roamer[i].station] +=
				sim_now() - net.roamer[i].came_ps;
	r.throughput = (double)net.visits_nr / now_ps * (double)SERVICE_PS;
	for (uint32_t k = 0; k < STATIONS_NR; k++)
		r.there_nr[k] = (double)net.there_sum[k] / now_ps;
	return r;
}

static void net_event_think(struct roamer *c);

static void net_event_serve(uint32_t k)
{
	struct roamer *c = net.first[k];

	sim_event_post(&c->event, sim_now() +
		       sim_dist_draw(&net.service[k], &c->random));
}

static void net_event_done(struct sim_event *e)
{
	struct roamer *c = (struct roamer *)e;
	uint32_t k = c->station;

	net.first[k] = c->next;
	if (!net.first[k])
		net.last[k] = &net.first[k];
	if (net_count(c)) {
		sim_stop();
		return;
	}
	if (net.first[k])
		net_event_serve(k);
	net_event_think(c);
}

static void net_event_come(struct sim_event *e)
{
	struct roamer *c = (struct roamer *)e;
	uint32_t k = net_route(&c->random);

	c->station = k;
	c->came_ps = sim_now();
	c->queued = true;
	c->next = NULL;
	*net.last[k] = c;
	net.last[k] = &c->next;
	sim_event_init(&c->event, net_event_done);
	if (net.first[k] == c)
		net_event_serve(k);
}

static void net_event_think(struct roamer *c)
{
	sim_event_init(&c->event, net_event_come);
	sim_event_post(&c->event, sim_now() +
		       sim_dist_draw(&net.think, &c->random));
}

static struct closed_result closed_by_events(uint32_t customers_nr,
					     uint64_t think_ps,
					     uint64_t samples_nr)
{
	struct closed_result r;

	net_init(customers_nr, think_ps, samples_nr);
	for (uint32_t i = 0; i < customers_nr; i++)
		net_event_think(&net.roamer[i]);
	ck_assert_int_eq(sim_run(), SIM_END_STOPPED);
	r = net_result();
	sim_fini();
	return r;
}

/* With actors: each customer is one, each station a lock. */
static void net_actor(struct rig_actor *a)
{
	struct roamer *c = a->arg;

	for (;;) {
		rig_pass(sim_dist_draw(&net.think, &c->random));
		c->station = net_route(&c->random);
		c->came_ps = sim_now();
		c->queued = true;
		sim_lock_acquire(&net.lock[c->station]);
		rig_pass(sim_dist_draw(&net.service[c->station], &c->random));
		if (net_count(c)) {
			sim_stop();
			sim_park();
		}
		sim_lock_release(&net.lock[c->station], 0);
	}
}

static struct closed_result closed_by_actors(uint32_t customers_nr,
					     uint64_t think_ps,
					     uint64_t samples_nr)
{
	struct closed_result r;

	net_init(customers_nr, think_ps, samples_nr);
	for (uint32_t i = 0; i < customers_nr; i++)
		rig_actor_start(&pool[i], i, 0, net_actor, &net.roamer[i]);
	ck_assert_int_eq(sim_run(), SIM_END_STOPPED);
	r = net_result();
	sim_fini();
	for (uint32_t i = 0; i < customers_nr; i++)
		fiber_fini(&pool[i].fiber);
	return r;
}

static void assert_closed(uint32_t customers_nr, uint64_t think_ps,
			  uint64_t samples_nr)
{
	struct closed_result expected = mva(customers_nr, (double)think_ps /
					    (double)SERVICE_PS);
	struct closed_result events = closed_by_events(customers_nr, think_ps,
						       samples_nr);
	struct closed_result actors = closed_by_actors(customers_nr, think_ps,
						       samples_nr);

	assert_near("throughput by events", events.throughput,
		    expected.throughput, BOUND);
	ck_assert(events.throughput == actors.throughput);
	for (uint32_t k = 0; k < STATIONS_NR; k++) {
		assert_near("mean number by events", events.there_nr[k],
			    expected.there_nr[k], BOUND);
		ck_assert(events.there_nr[k] == actors.there_nr[k]);
	}
}

START_TEST(closed_network)
{
	assert_closed(4, 0, 3000000);
}
END_TEST

START_TEST(closed_network_of_one_customer_never_waits)
{
	assert_closed(1, 0, 1000000);
}
END_TEST

START_TEST(closed_network_with_think_time)
{
	assert_closed(10, 10 * SERVICE_PS, 3000000);
}
END_TEST

/* Where it saturates: the slowest station sets the pace. */
START_TEST(closed_network_with_many_customers_is_bound_by_its_bottleneck)
{
	struct closed_result r = closed_by_actors(16, 0, 1000000);

	ck_assert(r.throughput < 1 / (visit[1] * 2));
	assert_near("throughput", r.throughput, mva(16, 0).throughput, BOUND);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("sim/analytic");
	TCase *tc = tcase_create("analytic");
	SRunner *sr = srunner_create(s);
	int failed;

	tcase_set_timeout(tc, 300);
	tcase_add_test(tc, mm1_half_loaded);
	tcase_add_test(tc, mm1_loaded_to_80_percent);
	tcase_add_test(tc, md1_half_loaded);
	tcase_add_test(tc, md1_loaded_to_80_percent);
	tcase_add_test(tc, mm2);
	tcase_add_test(tc, mm4);
	tcase_add_test(tc, quantiles_of_mm1_are_exponential);
	tcase_add_test(tc, lock_is_an_mm1_server);
	tcase_add_test(tc, closed_network);
	tcase_add_test(tc, closed_network_of_one_customer_never_waits);
	tcase_add_test(tc, closed_network_with_think_time);
	tcase_add_test(tc,
		closed_network_with_many_customers_is_bound_by_its_bottleneck);
	suite_add_tcase(s, tc);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? 1 : 0;
}
