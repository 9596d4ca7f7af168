# SPDX-License-Identifier: GPL-2.0-only
"""Combinations of device and job: each runs to its end without a verdict."""

import itertools
import os
import tempfile
import unittest
from random import Random as Generator

from simulate import BASE, SANITIZED, one, simulate

VARIANTS_MAX = 64
RUNTIME = "1ms" if SANITIZED else "3ms"

SERVED_BY = {
    "vcpu": {"device.iothread": "off", "device.ioeventfd": "off"},
    "mainloop": {"device.iothread": "off", "device.ioeventfd": "on"},
    "iothread": {"device.iothread": "on", "device.ioeventfd": "on"},
    "iothreads": {"device.iothread": "on", "device.ioeventfd": "on",
                  "device.iothread-vq-mapping": 3},
    "polling": {"device.iothread": "on", "device.poll-max-ns": 32768},
}
VERIFY = {"job.rw": "randrw", "job.verify": "on", "job.size": "4M"}


def scenario_text(variants):
    """BASE with @variants: a list of (name, keys)"""
    with open(BASE, encoding="utf-8") as file:
        lines = [file.read(), "variants:"]
    for name, keys in variants:
        sets = ", ".join(f"{key}: {value}" for key, value in keys.items())
        lines.append(f"  - {{name: {name}, set: {{{sets}}}}}")
    return "\n".join(lines) + "\n"


def simulate_all(test, variants, **sets):
    """Run @variants in as few processes as go; all of them by name"""
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(os.path.dirname(BASE), "machines"),
                   os.path.join(folder, "machines"))
        path = os.path.join(folder, "many.yaml")
        for start in range(0, len(variants), VARIANTS_MAX):
            with open(path, "w", encoding="utf-8") as file:
                file.write(scenario_text(
                    variants[start:start + VARIANTS_MAX]))
            results.update(simulate(test, path, **sets))
    test.assertEqual(len(results), len(variants))
    return results


def combinations(stores, more):
    """Variants over who serves x event_idx x indirect x queues x @stores"""
    for server, event_idx, indirect, queues, store in itertools.product(
            SERVED_BY, ("on", "off"), ("on", "off"), (1, 2, 4), stores):
        name = f"{server}-event-{event_idx}-indirect-{indirect}-{queues}-{store}"
        yield name, {**SERVED_BY[server], "device.event_idx": event_idx,
                     "device.indirect_desc": indirect,
                     "device.num-queues": queues,
                     "device.store.type": store, **more}


def each(**lists):
    """[(name, keys)]: for each key__path, each of its values alone"""
    return [(f"{key}-{value}".replace("device__", "").replace("job__", ""),
             {key.replace("__", "."): value})
            for key, values in lists.items() for value in values]


class Matrix(unittest.TestCase):
    def test_random_reads(self):
        simulate_all(self, list(combinations(("null", "ram", "queue"), {})),
                     job__runtime=RUNTIME)

    def test_data_comes_back_as_written(self):
        simulate_all(self, list(combinations(("ram", "queue"), VERIFY)),
                     job__runtime=RUNTIME)

    def test_other_machine(self):
        simulate_all(self, [(name, keys) for name, keys
                            in combinations(("queue",), VERIFY)
                            if keys["device.num-queues"] == 2],
                     machine="arm64-2014", job__runtime="5ms")


class Sizes(unittest.TestCase):
    """One key away from the usual, data verified."""

    def verified(self, variants, **sets):
        sets.setdefault("job__runtime", RUNTIME)
        return simulate_all(self, variants, job__rw="randrw",
                            job__verify="on", **sets)

    def test_block_sizes(self):
        sizes = ("512", "1k", "1536", "4k", "5k", "64k", "128k", "1M")
        results = self.verified(each(job__bs=sizes), job__iodepth=4,
                                job__runtime="5ms", job__size="64M")
        for name, v in results.items():
            with self.subTest(variant=name):
                self.assertEqual(v["bytes"], v["ios"] *
                                 self.bytes_of(v["config"]["job.bs"]))

    def bytes_of(self, size):
        unit = {"k": 1024, "M": 1024 ** 2}.get(size[-1], 1)
        return int(size.rstrip("kM")) * unit

    def test_large_blocks_with_few_segments(self):
        variants = [(f"seg-max-{n}-bs-{bs}-indirect-{indirect}",
                     {"device.seg-max": n, "job.bs": bs,
                      "device.indirect_desc": indirect})
                    for n in (1, 2, 3, 126)
                    for bs in ("4k", "20k", "256k")
                    for indirect in ("on", "off")]
        self.verified(variants, job__iodepth=4, job__size="32M",
                      device__queue_size=128)

    def test_small_queues(self):
        variants = [(f"{server}-{size}-indirect-{indirect}-bs-{bs}",
                     {**SERVED_BY[server], "device.queue-size": size,
                      "device.indirect_desc": indirect, "job.bs": bs})
                    for server in SERVED_BY for size in (4, 8, 16)
                    for indirect in ("on", "off") for bs in ("4k", "16k")]
        self.verified(variants)

    def test_depths(self):
        self.verified(each(job__iodepth=(1, 2, 3, 17, 64, 256)),
                      job__numjobs=2)

    def test_jobs(self):
        self.verified(each(job__numjobs=(1, 3, 4, 5, 16)))

    def test_more_jobs_than_vcpus(self):
        self.verified([(f"vcpus-{n}", {"vcpus": n}) for n in (1, 2, 3)],
                      job__numjobs=7)

    def test_more_vcpus_than_queues(self):
        self.verified([(f"vcpus-{n}-queues-{q}",
                        {"vcpus": n, "device.num-queues": q})
                       for n in (3, 8, 15) for q in (1, 2, 3)],
                      job__numjobs=16, job__iodepth=4)

    def test_more_queues_than_vcpus(self):
        self.verified([("few", {"vcpus": 2, "device.num-queues": 4})])

    def test_fewer_vectors_than_queues(self):
        self.verified(each(device__vectors=(2, 3, 5)),
                      device__num_queues=4)

    def test_jobs_of_some_vcpus(self):
        self.verified(each(job__cpus_allowed=("3", "1-2")))

    def test_batches(self):
        variants = [(f"{n}-min-{low}-max-{high}", {
            "job.iodepth_batch": n, "job.iodepth_batch_complete_min": low,
            "job.iodepth_batch_complete_max": high})
            for n in (1, 5, 16) for low in (0, 1, 16) for high in (1, 16)]
        self.verified(variants)

    def test_device_batches(self):
        variants = [(f"batch-{n}-suppress-{suppress}-notify-{notify}", {
            "device.max-batch": n, "device.suppress-kicks": suppress,
            "device.batch-notify": notify})
            for n in (0, 1, 7) for suppress in ("on", "off")
            for notify in ("on", "off")]
        self.verified(variants)

    def test_driver_parameters(self):
        variants = each(**{"driver.params.num_request_queues": (1, 3),
                           "driver.params.queue_depth": (1, 7),
                           "driver.params.notify_locked": (0, 1)})
        self.verified(variants, device__num_queues=4)

    def test_store_distributions(self):
        dist = "device.store.latency.dist"
        low, high = "device.store.latency.min", "device.store.latency.max"
        self.verified([
            ("constant", {dist: "constant"}),
            ("none", {dist: "constant", "device.store.latency.mean": 0}),
            ("uniform", {dist: "uniform", low: "10us", high: "90us"}),
            ("lognormal", {dist: "lognormal",
                           "device.store.latency.p99": "200us"}),
            ("empirical", {dist: "empirical", "device.store.latency.values":
                           "[10us, 20us, 300us]"}),
            ("serial", {"device.store.parallelism": 1}),
        ])

    def test_kinds_of_io(self):
        kinds = ("read", "write", "randread", "randwrite", "rw", "randrw")
        simulate_all(self, each(job__rw=kinds), job__runtime=RUNTIME)
        simulate_all(self, each(job__rw=kinds[1:]), job__runtime=RUNTIME,
                     job__verify="on", job__size="1M")

    def test_mixes(self):
        self.verified(each(job__rwmixread=(0, 1, 99, 100)))

    def test_disk_may_be_huge(self):
        one(self, BASE, device__store__size="64T", job__rw="randwrite")


    def test_more_queues_asked_for_than_vcpus(self):
        one(self, BASE, vcpus=1, device__num_queues=6,
            driver__params__num_request_queues=2)

    def test_job_that_never_waits_lets_the_kernel_work(self):
        one(self, BASE, device__queue_size=4, job__numjobs=8,
            job__iodepth_batch_complete_min=0, driver__params__queue_depth=5,
            seed=4548)


def any_configuration(random):
    """Keys that may go together, most of them unusual"""
    one_of = random.choice
    size = one_of((4, 8, 16, 32, 64, 128, 256, 1024))
    store = one_of(("null", "ram", "queue"))
    rw = one_of(("read", "write", "randread", "randwrite", "rw", "randrw"))
    return {
        **SERVED_BY[one_of(tuple(SERVED_BY))],
        "seed": random.randrange(10000),
        "memory": "256M",
        "vcpus": random.randint(1, 12),
        "device.num-queues": random.randint(1, 6),
        "device.queue-size": size,
        "device.seg-max": one_of(("auto", random.randint(1, size - 2))),
        "device.event_idx": one_of(("on", "off")),
        "device.indirect_desc": one_of(("on", "off")),
        "device.suppress-kicks": one_of(("on", "off")),
        "device.batch-notify": one_of(("on", "off")),
        "device.max-batch": one_of((0, 1, 2, 5)),
        "device.vectors": one_of(("auto", 2, 3)),
        "device.store.type": store,
        "device.store.parallelism": one_of((1, 4, 64)),
        "device.store.latency.mean": one_of(("0", "1us", "20us", "100us")),
        "driver.params.notify_locked": one_of((0, 1)),
        "driver.params.queue_depth": one_of((0, 0, 1, 5)),
        "job.rw": rw,
        "job.rate_iops": 0 if rw in ("rw", "randrw") else one_of(
            (0, 0, 1000, 50000)),
        "job.verify": "off" if store == "null" else one_of(("on", "off")),
        "job.bs": one_of(("512", "1536", "4k", "8k", "20k", "64k")),
        "job.iodepth": one_of((1, 2, 4, 16, 33)),
        "job.iodepth_batch": one_of((0, 1, 2, 8)),
        "job.iodepth_batch_complete_min": one_of((1, 2, 8)),
        "job.iodepth_batch_complete_max": one_of(("auto", 1, 4, 16)),
        "job.numjobs": random.randint(1, 8),
        "job.thinktime": one_of(("0", "0", "1us", "100us")),
        "job.rate_process": one_of(("linear", "poisson")),
        "job.ramp_time": one_of(("0", "100us", "1ms")),
    }


class Random(unittest.TestCase):
    def test_random_configurations(self):
        generator = Generator(1)
        variants = [(f"random-{n}", any_configuration(generator))
                    for n in range(15 if SANITIZED else 120)]
        simulate_all(self, variants, job__runtime="3ms")


class Counts(unittest.TestCase):
    def test_number_ios_is_exact(self):
        for number in (1, 15, 16, 1000):
            v = one(self, BASE, job__runtime=0, job__ramp_time=0,
                    job__number_ios=number)
            self.assertEqual(v["ios"], number * 4)

    def test_size_is_done_once(self):
        v = one(self, BASE, job__runtime=0, job__ramp_time=0, job__size="1M",
                job__rw="write")
        self.assertEqual(v["ios"], 4 * 256)

    def test_window_is_as_long_as_runtime(self):
        v = one(self, BASE, job__runtime="3ms")
        self.assertEqual(v["duration_ns"], 3e6)

    def test_thinktime_bounds_the_rate(self):
        v = one(self, BASE, job__thinktime="1ms", job__iodepth=1,
                job__runtime="20ms", job__ramp_time=0)
        self.assertLessEqual(v["ios"], 4 * 20)
        self.assertGreater(v["ios"], 4 * 15)

    def test_kicks_belong_to_requests(self):
        # Without a ramp all kicks and requests are in the window, but for
        # those of the disk's discovery.
        v = one(self, BASE, job__ramp_time=0, job__runtime=0,
                job__number_ios=500)
        self.assertEqual(v["kicks"]["sent"] + v["kicks"]["suppressed"],
                         v["ios"])

    def test_split_requests_count_once(self):
        v = one(self, BASE, device__seg_max=1, job__bs="16k",
                device__queue_size=64, job__runtime=0, job__ramp_time=0,
                job__number_ios=50, job__iodepth=4)
        self.assertEqual(v["ios"], 200)
        self.assertEqual(v["bytes"], 200 * 16384)


if __name__ == "__main__":
    unittest.main()
