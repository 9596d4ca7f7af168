# SPDX-License-Identifier: GPL-2.0-only
"""Whole runs: digests, numbers, JSON, and what the device's knobs do."""

import glob
import os
import shutil
import statistics
import tempfile
import unittest

from simulate import (BASE, NOTIFY, SANITIZED, SOURCE, STAGES, command, one,
                      per_io, run, simulate)

SHORT = {"job__ramp_time": "1ms", "job__runtime": "4ms"}


def digests(test, *options, **sets):
    return {name: variant["digest"]
            for name, variant in simulate(test, NOTIFY, *options, **SHORT,
                                          **sets).items()}


class Digest(unittest.TestCase):
    """Equal digests, equal runs."""

    @classmethod
    def setUpClass(cls):
        cls.first = digests(cls())

    def test_same_scenario_and_seed_give_the_same_output(self):
        words = command(NOTIFY, "--json", "-", **SHORT)
        self.assertEqual(run(words).stdout, run(words).stdout)

    def test_variants_differ(self):
        self.assertNotEqual(self.first["before"], self.first["after"])

    def test_another_seed_gives_another_digest(self):
        for name, digest in digests(self, "--seed", "2").items():
            self.assertNotEqual(digest, self.first[name])

    def test_both_spellings_of_the_seed_are_one(self):
        self.assertEqual(digests(self, "--seed", "2"), digests(self, seed=2))

    def test_quiet_does_not_change_it(self):
        self.assertEqual(digests(self, "--quiet"), self.first)

    def test_prose_does_not_change_it(self):
        self.assertEqual(digests(self, name="other", question="why?"),
                         self.first)

    def test_variant_alone_runs_as_among_others(self):
        alone = digests(self, "--variant", "after")
        self.assertEqual(alone, {"after": self.first["after"]})

    def test_constant_of_the_job_changes_it(self):
        self.assertNotEqual(digests(self, job__iodepth=63), self.first)

    def elsewhere(self, *before, **options):
        """The run's output with @before in front and @options of the process"""
        words = command(NOTIFY, "--json", "-", **SHORT)
        here = run(words)
        there = run([*before, *words], **options)
        self.assertEqual(there.returncode, 0, there.stderr)
        self.assertEqual(there.stdout, here.stdout)

    def test_folder_and_environment_do_not_matter(self):
        with tempfile.TemporaryDirectory() as folder:
            self.elsewhere(cwd=folder, env={"LANG": "tr_TR.UTF-8",
                                            "TZ": "Asia/Kathmandu",
                                            "X": "x" * 100000})
            self.elsewhere(cwd=folder, env={})

    def test_addresses_do_not_matter(self):
        setarch = shutil.which("setarch")
        if not setarch or run([setarch, "-R", "true"]).returncode:
            self.skipTest("no setarch -R here")
        # The other run has random addresses.
        self.elsewhere(setarch, "-R")

    def test_report_shows_the_same_digests(self):
        done = run(command(NOTIFY, **SHORT))
        self.assertEqual(done.returncode, 0, done.stderr)
        for digest in self.first.values():
            self.assertIn(digest, done.stdout)


class NotifyOutsideLock(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # A tenth is enough for all but the IOPS.
        length = {"job__runtime": "100ms"} if SANITIZED else {}
        cls.variants = simulate(cls(), NOTIFY, **length)
        cls.before = cls.variants["before"]
        cls.after = cls.variants["after"]

    def test_iops_are_those_of_the_patch(self):
        if SANITIZED:
            self.skipTest("takes the full length of the scenario")
        self.assertAlmostEqual(self.before["iops"], 14000, delta=14000 * .15)
        self.assertAlmostEqual(self.after["iops"], 34000, delta=34000 * .15)

    def test_lock_is_held_over_each_exit_before(self):
        self.assertAlmostEqual(per_io(self.before, "exits", "locked"), 1,
                               delta=.05)

    def test_lock_is_held_over_no_exit_after(self):
        self.assertEqual(self.after["exits"]["locked"], 0)
        self.assertGreater(self.after["exits"]["user"], 0)

    def test_lock_is_the_bottleneck_before(self):
        def share(variant):
            held = {lock["name"]: lock["hold_ns"] for lock in variant["locks"]}
            return held["&queue->lock"] / variant["duration_ns"]
        self.assertGreater(share(self.before), .95)
        self.assertLess(share(self.after), .5)


NUMBER = (int, float)
THREAD = {"name": str, "kind": str, "accesses": int, "transfer_ns": float,
          "mode_ns": dict.fromkeys(("idle", "guest", "irq", "spin", "exit",
                                    "host", "poll", "blocked", "steal"),
                                   float),
          "transfers": dict.fromkeys(("same_core", "same_socket",
                                      "other_socket", "memory"), int)}
LOCK = {"name": str, "instances": int, "acquired": int, "contended": int,
        "wait_ns": float, "wait_max_ns": float, "hold_ns": float,
        "hold_max_ns": float, "exits": int}
LATENCY = dict.fromkeys(("mean", "min", "max", "p50", "p90", "p95", "p99",
                         "p99_9", "p99_99"), float)
VARIANT = {
    "name": str, "note": str, "machine": str, "seed": int,
    "config_hash": "hex", "machine_hash": "hex", "config": None,
    "digest": "hex", "iops": float, "bw_bytes_per_s": float, "ios": int,
    "bytes": int, "errors": int, "duration_ns": float, "simulated_ns": float,
    "events": int, "switches": int,
    "lat_ns": LATENCY,
    "job": dict.fromkeys(("slat_ns", "clat_ns", "lat_ns"), LATENCY),
    "stages_ns": dict.fromkeys(STAGES, float),
    "threads": [THREAD],
    "exits": dict.fromkeys(("kernel", "user", "locked"), int),
    "kicks": dict.fromkeys(("sent", "suppressed"), int),
    "interrupts": dict.fromkeys(("delivered", "skipped"), int),
    "preemptions": dict.fromkeys(("all", "locked"), int),
    "ipis": int, "halts": int, "locks": [LOCK],
    "driver": dict.fromkeys(("source", "hash", "compiler", "flags"), str),
    "verdicts": [str],
}


class Json(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.variant = one(cls(), BASE)

    def conform(self, value, shape, path):
        """@value has at least the keys and exactly the types of @shape."""
        if shape is None:
            return
        if shape == "hex":
            self.assertRegex(value, "^[0-9a-f]{16}$", path)
        elif isinstance(shape, dict):
            for key, inner in shape.items():
                self.assertIn(key, value, path)
                self.conform(value[key], inner, f"{path}.{key}")
        elif isinstance(shape, list):
            for index, item in enumerate(value):
                self.conform(item, shape[0], f"{path}[{index}]")
        else:
            self.assertIsInstance(value, shape, path)

    def test_documented_keys_have_their_types(self):
        self.conform(self.variant, VARIANT, "variant")
        self.assertTrue(self.variant["threads"])
        self.assertTrue(self.variant["locks"])

    def test_config_given_back_repeats_the_run(self):
        sets = dict(self.variant["config"])
        params = sets.pop("driver.params")
        words = ["--json", "-"]
        for key, value in sets.items():
            # Keys without effect are printed as 0 or nothing.
            if value not in ("", "0"):
                words += ["--set", f"{key}={value}"]
        self.assertEqual(params, {})
        again = one(self, BASE, *words)
        self.assertEqual(again["config"], self.variant["config"])
        self.assertEqual(again["config_hash"], self.variant["config_hash"])
        self.assertEqual(again["digest"], self.variant["digest"])

    def test_file_is_what_stdout_would_be(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.json")
            done = run(command(BASE, "--json", path))
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(),
                                 run(command(BASE, "--json", "-")).stdout)
            self.assertEqual(os.listdir(folder), ["out.json"])


class Knobs(unittest.TestCase):
    """What the device's options are for."""

    def pair(self, key, **sets):
        """The run with @key off and with it on"""
        return (one(self, BASE, **{key: "off"}, **sets),
                one(self, BASE, **{key: "on"}, **sets))

    def test_suppress_kicks_saves_kicks(self):
        for event_idx in ("on", "off"):
            off, on = self.pair("device__suppress_kicks",
                                device__event_idx=event_idx)
            self.assertLess(per_io(on, "kicks", "sent"),
                            per_io(off, "kicks", "sent") / 4)

    def test_without_event_idx_and_suppression_each_request_kicks(self):
        v = one(self, BASE, device__suppress_kicks="off",
                device__event_idx="off")
        self.assertAlmostEqual(per_io(v, "kicks", "sent"), 1, delta=.05)
        # Two vCPUs may both publish before the first of them rings.
        self.assertLess(v["kicks"]["suppressed"], .05 * v["kicks"]["sent"])

    def test_event_idx_saves_interrupts(self):
        off, on = self.pair("device__event_idx", device__batch_notify="off")
        self.assertLess(per_io(on, "interrupts", "delivered"),
                        per_io(off, "interrupts", "delivered"))

    def test_batch_notify_saves_interrupts(self):
        off, on = self.pair("device__batch_notify")
        self.assertLess(per_io(on, "interrupts", "delivered"),
                        per_io(off, "interrupts", "delivered"))

    def test_max_batch_bounds_the_wait_for_submission(self):
        waits = [one(self, BASE, device__max_batch=batch)["stages_ns"]
                 ["pop_start"] for batch in (1, 4, 16)]
        self.assertEqual(waits, sorted(waits))
        self.assertLess(waits[0], waits[2] / 2)

    def test_guest_batches_save_kicks(self):
        kicks = [per_io(one(self, BASE, device__suppress_kicks="off",
                            device__event_idx="off", job__iodepth_batch=n,
                            job__iodepth_batch_complete_min=n), "kicks",
                        "sent") for n in (1, 4, 16)]
        self.assertEqual(kicks, sorted(kicks, reverse=True))
        self.assertLess(kicks[2], kicks[0] / 4)

    def test_vcpu_thread_leaves_to_user_space(self):
        v = one(self, BASE, device__iothread="off", device__ioeventfd="off")
        self.assertEqual(v["exits"]["kernel"], 0)
        self.assertGreater(v["exits"]["user"], 0)

    def test_ioeventfd_stays_in_the_kernel(self):
        for iothread in ("on", "off"):
            v = one(self, BASE, device__iothread=iothread)
            self.assertEqual(v["exits"]["user"], 0)
            self.assertGreater(v["exits"]["kernel"], 0)

    def test_iothreads_share_the_queues(self):
        runs = [one(self, BASE, device__num_queues=4, job__iodepth_batch=8,
                    device__store__type="null",
                    device__iothread_vq_mapping=nr) for nr in (1, 2, 4)]
        for nr, v in zip((1, 2, 4), runs):
            hosts = [t for t in v["threads"] if t["kind"] == "host"]
            self.assertEqual([t["name"] for t in hosts],
                             [f"iothread{i}" for i in range(nr)])
            busy = [t["mode_ns"]["host"] for t in hosts]
            self.assertLess(max(busy), 1.1 * min(busy))
        self.assertGreater(runs[1]["iops"], 1.3 * runs[0]["iops"])
        self.assertGreaterEqual(runs[2]["iops"], runs[1]["iops"])

    def test_an_iothread_without_a_queue_sleeps(self):
        v = one(self, BASE, device__num_queues=1,
                device__iothread_vq_mapping=2)
        idle = v["threads"][-1]
        self.assertEqual(idle["name"], "iothread1")
        self.assertEqual(idle["mode_ns"]["idle"], v["duration_ns"])

    def test_mean_latency_of_the_store_is_what_was_asked_for(self):
        v = one(self, BASE, job__iodepth=1, job__numjobs=1,
                job__runtime="20ms", device__store__latency__dist="constant")
        self.assertAlmostEqual(v["stages_ns"]["start_done"], 50000, delta=.1)

    def test_one_request_at_a_time_takes_the_inverse_of_iops(self):
        v = one(self, BASE, job__iodepth=1, job__numjobs=1,
                job__runtime="20ms")
        self.assertLess(v["lat_ns"]["mean"], 1e9 / v["iops"])
        self.assertGreater(v["lat_ns"]["mean"], .8e9 / v["iops"])


class Completion(unittest.TestCase):
    """smp.sockets, queue.rq_affinity: one queue, its interrupt on vCPU 0"""

    def ipis(self, job_cpu, sockets, rq_affinity):
        # A job that is the bottleneck: nobody needs to wake it.
        v = one(self, BASE, "--cost", "load_io=20us", smp__sockets=sockets,
                queue__rq_affinity=rq_affinity, job__iodepth=64,
                job__numjobs=1, job__cpus_allowed=job_cpu)
        return v["ipis"] / v["ios"]

    def test_whoever_is_interrupted_ends_them(self):
        self.assertEqual(self.ipis(1, 4, 0), 0)

    def test_vcpu_that_shares_a_cache_is_near_enough(self):
        self.assertEqual(self.ipis(1, 1, 1), 0)
        self.assertEqual(self.ipis(1, 2, 1), 0)

    def test_vcpu_of_another_socket_is_not(self):
        self.assertGreater(self.ipis(1, 4, 1), .1)
        self.assertGreater(self.ipis(2, 2, 1), .1)

    def test_submitter_itself(self):
        self.assertGreater(self.ipis(1, 1, 2), .1)
        self.assertEqual(self.ipis(0, 4, 2), 0)


class JobTimes(unittest.TestCase):
    """fio's slat, clat and lat"""

    def times(self, **keys):
        v = one(self, BASE, job__runtime="50ms", **keys)
        return v, [v["job"][name]["mean"]
                   for name in ("slat_ns", "clat_ns", "lat_ns")]

    def test_littles_law(self):
        for engine in ("libaio", "io_uring"):
            v, (_, _, lat) = self.times(job__ioengine=engine,
                                        job__iodepth=32, job__numjobs=2)
            # A place is prepared again soon after it was reaped.
            self.assertAlmostEqual(v["iops"] * lat / 1e9 / 64, 1, delta=.03)
            self.assertGreater(lat, v["lat_ns"]["mean"])

    def test_they_add_up(self):
        _, (slat, clat, lat) = self.times()
        self.assertAlmostEqual(slat + clat, lat, places=3)
        self.assertGreater(slat, 0)

    def test_slat_holds_the_wait_for_the_others_of_a_batch(self):
        keys = dict(job__numjobs=1, job__iodepth_batch_complete_min=8)
        _, (single, _, _) = self.times(**keys)
        _, (batch, _, _) = self.times(job__iodepth_batch=8, **keys)
        # Each waits until all 8 are submitted, and for half of the others to
        # be prepared.
        self.assertGreater(batch, 7 * single)

    def test_a_call_that_waits_has_no_slat(self):
        v, (slat, clat, lat) = self.times(job__ioengine="psync",
                                          job__numjobs=1)
        self.assertEqual(slat, 0)
        self.assertEqual(clat, lat)
        self.assertGreater(lat, v["lat_ns"]["mean"])
        self.assertLess(lat, 1e9 / v["iops"])


class Rate(unittest.TestCase):
    """rate_iops: an open load, up to iodepth"""

    def test_rate_is_met_exactly(self):
        for engine in ("libaio", "psync"):
            v = one(self, BASE, job__rate_iops=2000, job__runtime="50ms",
                    job__ioengine=engine)
            self.assertEqual(v["iops"], 4 * 2000)

    def test_rate_does_not_slow_what_is_slower(self):
        most = one(self, BASE)
        v = one(self, BASE, job__rate_iops=1000000)
        self.assertAlmostEqual(v["iops"] / most["iops"], 1, delta=.01)

    def test_poisson_meets_the_rate_on_average(self):
        v = one(self, BASE, job__rate_iops=5000, job__runtime="200ms",
                job__rate_process="poisson")
        # 4000 arrivals, standard deviation 63
        self.assertAlmostEqual(v["ios"], 4000, delta=4 * 63)

    def wait_us(self, process, parallelism):
        v = one(self, BASE, job__rate_iops=1250, job__rate_process=process,
                job__iodepth=64, job__runtime="3s",
                device__store__parallelism=parallelism,
                device__store__latency__dist="constant",
                device__store__latency__mean="100us")
        return v["stages_ns"]["pop_start"] / 1e3, v["iops"]

    def test_store_is_an_m_d_1_queue(self):
        alone, _ = self.wait_us("poisson", 64)
        wait, iops = self.wait_us("poisson", 1)
        use = iops * 100e-6
        expected = 100 * use / (2 * (1 - use))
        # 15 000 arrivals; the VMM before the store spreads bursts a little.
        self.assertAlmostEqual((wait - alone) / expected, 1, delta=.1)

    def test_jobs_in_step_arrive_together(self):
        alone, _ = self.wait_us("linear", 64)
        wait, _ = self.wait_us("linear", 1)
        # Of four at a time, one waits for none, one for three.
        self.assertAlmostEqual(wait - alone, 150, delta=15)


class Repeat(unittest.TestCase):
    """repeat: several seeds"""

    def test_means_are_those_of_the_seeds(self):
        seeds = [one(self, BASE, "--seed", str(seed)) for seed in (7, 8, 9)]
        v = one(self, BASE, "--seed", "7", repeat=3)
        self.assertEqual(v["digest"], seeds[0]["digest"])
        for key, of in (("iops", lambda s: s["iops"]),
                        ("lat_mean_ns", lambda s: s["lat_ns"]["mean"]),
                        ("job_lat_mean_ns",
                         lambda s: s["job"]["lat_ns"]["mean"])):
            got = [of(s) for s in seeds]
            self.assertAlmostEqual(v["repeat"][key]["mean"],
                                   statistics.mean(got), places=3)
            # 4.303: Student's t, two degrees of freedom
            self.assertAlmostEqual(
                v["repeat"][key]["half_width_95"],
                4.303 * statistics.stdev(got) / 3 ** .5, places=3)
        self.assertEqual(v["repeat"]["runs"], 3)

    def test_one_run_has_no_interval(self):
        self.assertNotIn("repeat", one(self, BASE))

    def test_report_shows_the_interval(self):
        done = run(command(BASE, repeat=2))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"Repeats +seeds[^\n]*\n"
                         r"  default +2 .*K \+- +[0-9.]+ %.*us \+-")


class Scenarios(unittest.TestCase):
    def test_each_scenario_runs_without_a_verdict(self):
        scenarios = sorted(glob.glob(os.path.join(SOURCE, "scenarios",
                                                  "*.yaml")))
        self.assertTrue(scenarios)
        for scenario in scenarios:
            with self.subTest(scenario=scenario):
                simulate(self, scenario, job__ramp_time="2ms",
                         job__runtime="5ms")


if __name__ == "__main__":
    unittest.main()
