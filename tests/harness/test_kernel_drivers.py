# SPDX-License-Identifier: GPL-2.0-only
"""The kernel's own drivers, as tools/fetch-drivers brings them."""

import concurrent.futures
import glob
import hashlib
import itertools
import json
import os
import re
import tempfile
import unittest

from simulate import BASE, SOURCE, command, judge, run

KERNELS = os.path.join(SOURCE, "cache", "drivers")
SCENARIOS = os.path.join(SOURCE, "scenarios")
VERSIONS = ("6.1", "6.12")
# A run has one thread.
RUNS_NR = 2
VERIFY = {
    "job__rw": "randrw", "job__verify": "on", "job__bsrange": "512-1M",
    "job__iodepth": 8, "job__iodepth_batch": 8,
    "job__iodepth_batch_complete_min": 4, "job__ramp_time": 0,
    "job__runtime": "2ms", "memory": "256M", "device__store__size": "64M",
}
# What makes the block layer split, and the ring run full. Buffers of jobs are
# contiguous: without size_max each would be one segment.
LIMITS = (
    {},
    {"device__seg_max": 4, "device__size_max": 65536},
    {"device__seg_max": 16, "device__size_max": 4096},
    {"device__seg_max": 2, "device__size_max": 8192, "device__queue_size": 8},
)


def path(version, name):
    return os.path.join(KERNELS, version, name)


def missing():
    """The first of the kernel's files that is not there"""
    names = (path(version, name) for version in VERSIONS
             for name in ("virtio_blk.c", "virtio_ring.c"))
    return next((name for name in names if not os.path.exists(name)), None)


def sha256(name):
    with open(name, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def driver(blk, ring):
    """Options; @blk and @ring are versions, None stands for the bundled."""
    words = []
    if blk:
        words += ["--driver", path(blk, "virtio_blk.c")]
    if ring:
        words += ["--ring", path(ring, "virtio_ring.c")]
    return words


def kernel(version):
    return driver(version, version)


class Case(unittest.TestCase):
    def setUp(self):
        name = missing()
        if name:
            self.skipTest(f"{os.path.relpath(name, SOURCE)} is missing: run "
                          "tools/fetch-drivers")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, name, text):
        name = os.path.join(self.folder, name)
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def run_all(self, cases, code=0):
        """[(label, variants)] of @cases, (label, command)s"""
        with concurrent.futures.ThreadPoolExecutor(RUNS_NR) as pool:
            runs = [(label, pool.submit(run, words)) for label, words in cases]
            done = [(label, future.result()) for label, future in runs]
        for label, one in done:
            self.assertEqual(one.returncode, code,
                             f"{label}: {one.stderr[:4000]}")
        return [(label, json.loads(one.stdout)["variants"])
                for label, one in done]

    def variants(self, scenario, version, *options, code=0):
        """{name: variant} of @scenario with the driver of @version"""
        words = command(scenario, "--json", "-", *kernel(version), *options)
        done = run(words)
        self.assertEqual(done.returncode, code, done.stderr[:4000])
        return {v["name"]: v for v in json.loads(done.stdout)["variants"]}


class Verify(Case):
    """Data come back as they were written, whatever is negotiated."""

    @staticmethod
    def cases():
        limits = itertools.cycle(LIMITS)
        for version, packed, indirect, event_idx, queues in itertools.product(
                VERSIONS, ("off", "on"), ("on", "off"), ("on", "off"),
                (1, 2, 4)):
            sets = {"device__packed": packed, "device__event_idx": event_idx,
                    "device__indirect_desc": indirect,
                    "device__num_queues": queues}
            limit = next(limits)
            label = f"{version} " + " ".join(
                f"{key}={value}" for key, value in {**sets, **limit}.items())
            yield label, command(BASE, "--json", "-", *kernel(version),
                                 **VERIFY, **sets, **limit)

    def test_every_combination_of_kernel_ring_and_queues(self):
        runs = self.run_all(self.cases())
        self.assertEqual(len(runs), 48)
        for label, (variant,) in runs:
            with self.subTest(label):
                judge(self, variant)

    def test_no_request_exceeds_segments_times_their_size(self):
        cases = [((limit["device__seg_max"] * limit["device__size_max"]),
                  command(BASE, "--json", "-", *kernel(version),
                          **{**VERIFY, **limit}))
                 for version in VERSIONS for limit in LIMITS if limit]
        for most_bytes, (variant,) in self.run_all(cases):
            judge(self, variant)
            # The mean block is longer, so that this took splitting.
            self.assertLess(most_bytes, (1 << 20) / 2)
            self.assertLessEqual(variant["bytes"],
                                 variant["ios"] * most_bytes)

    def test_a_batch_rings_once_on_an_idle_device(self):
        cases = [((version, packed, depth), command(
                      BASE, "--json", "-", *kernel(version), job__numjobs=1,
                      job__iodepth=depth, job__iodepth_batch=depth,
                      job__iodepth_batch_complete_min=depth,
                      device__packed=packed))
                 for version in VERSIONS for packed in ("off", "on")
                 for depth in (1, 8)]
        for (version, packed, depth), (variant,) in self.run_all(cases):
            with self.subTest(version=version, packed=packed, depth=depth):
                # one batch more or less at the edges of the window
                self.assertAlmostEqual(variant["kicks"]["sent"],
                                       variant["ios"] / depth, delta=2)

    def test_limits_fall_on_all_kinds_of_rings(self):
        kinds = {}
        for label, _ in self.cases():
            words = label.split()
            limit = " ".join(words[5:])
            kinds.setdefault(limit, set()).add(" ".join(words[:4]))
        self.assertEqual(len(kinds), len(LIMITS))
        for limit, rings in kinds.items():
            self.assertGreaterEqual(len(rings), 8, limit)

    def test_a_driver_that_reads_elsewhere_is_noticed(self):
        with open(path("6.12", "virtio_blk.c"), encoding="utf-8") as file:
            text = file.read()
        wrong, changes = re.subn(r"(type = VIRTIO_BLK_T_IN;\s+sector = )",
                                 r"\g<1>8 ^ ", text)
        self.assertEqual(changes, 1)
        done = run(command(BASE, "--json", "-", "--driver",
                           self.file("virtio_blk.c", wrong), *driver(
                               None, "6.12"), **VERIFY))
        self.assertEqual(done.returncode, 1, done.stderr[:4000])
        verdicts = json.loads(done.stdout)["variants"][0]["verdicts"]
        self.assertTrue(any("verify" in text for text in verdicts), verdicts)


class Scenarios(Case):
    """Each scenario runs with each driver and ring."""

    PAIRS = (("6.12", "6.12"), ("6.1", "6.1"), ("6.1", None), (None, "6.1"),
             (None, "6.12"))

    def cases(self):
        for scenario in sorted(glob.glob(os.path.join(SCENARIOS, "*.yaml"))):
            for blk, ring in self.PAIRS:
                label = f"{os.path.basename(scenario)} {blk} {ring}"
                yield (label, blk, ring), command(
                    scenario, "--json", "-", *driver(blk, ring),
                    job__ramp_time=0, job__runtime="20ms")

    @staticmethod
    def hashes():
        return {name: sha256(name) for version in VERSIONS
                for name in glob.glob(os.path.join(KERNELS, version, "*"))}

    def check_origin(self, variant, part, version, name):
        described = variant["driver"]
        if version:
            self.assertEqual(described[f"{part}_hash"],
                             sha256(path(version, name)))
            prefix = "ring_" if part == "ring" else ""
            self.assertEqual(described[prefix + "profile"], version)
        else:
            self.assertEqual(described[part], "bundled")

    def test_all_of_them_succeed_and_leave_sources_alone(self):
        before = self.hashes()
        for (label, blk, ring), variants in self.run_all(self.cases()):
            self.assertTrue(variants)
            for variant in variants:
                with self.subTest(label, variant=variant["name"]):
                    judge(self, variant)
                    self.check_origin(variant, "source", blk, "virtio_blk.c")
                    self.check_origin(variant, "ring", ring, "virtio_ring.c")
        self.assertEqual(self.hashes(), before)

    def test_parameter_of_another_driver_is_left_out_aloud(self):
        scenario = os.path.join(SCENARIOS, "notify-outside-lock.yaml")
        words = command(scenario, *kernel("6.12"), job__runtime="1ms")
        done = run(words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no parameter 'notify_locked'", done.stderr)
        done = run(words + ["--set", "driver.params.notify_locked=1"])
        self.assertEqual(done.returncode, 2)


class Paths(Case):
    """What only the kernel's driver can do, each with I/O going on"""

    def passes(self, scenario, version):
        scenario = os.path.join(SCENARIOS, "kernel", scenario)
        variants = self.variants(scenario, version)
        for variant in variants.values():
            with self.subTest(variant["name"]):
                judge(self, variant)
        return variants

    def test_poll_queues_and_suspend(self):
        for version in VERSIONS:
            variants = self.passes("driver-paths.yaml", version)
            # Who polls needs no interrupt but for what is not polled.
            poll = variants["poll"]
            self.assertLess(poll["interrupts"]["delivered"], poll["ios"])

    def test_suspended_jobs_go_on_after_resume(self):
        scenario = os.path.join(SCENARIOS, "kernel", "driver-paths.yaml")
        for version in VERSIONS:
            short, long = (self.variants(
                scenario, version, "--variant", "suspend", "--set",
                f"job.runtime={time}")["suspend"] for time in ("3ms", "12ms"))
            self.assertGreater(long["ios"], 2 * short["ios"])
            # nobody is served while the device is off
            self.assertGreater(long["lat_ns"]["max"], 500e3)

    def test_zones(self):
        self.passes("driver-paths-zoned.yaml", "6.12")

    def test_removal_ends_io_early(self):
        scenario = os.path.join(SCENARIOS, "driver-paths.yaml")
        for version in VERSIONS:
            removed, whole = (self.variants(
                scenario, version, "--variant", name)[name]
                for name in ("remove", "queue_rqs"))
            self.assertLess(removed["ios"], whole["ios"])
            self.assertGreater(removed["ios"], 0)


class Errors(Case):
    """Each variant of driver-errors.yaml fails, and as it should."""

    NO_DISK = "the driver brought up no disk"
    VERDICTS = {
        # The kernel's: ranges go where the device writes.
        "secure-erase": "Input/output error",
        "zone-open-limit": "Too many references",
        "zone-active-limit": "Value too large",
        "zone-unaligned": "Input/output error",
        "zone-report-removed": "No such device or address",
        "cache-type-unknown": "Invalid argument",
        "unplug": "hang",
    }

    def check(self, version):
        scenario = os.path.join(SCENARIOS, "kernel", "driver-errors.yaml")
        variants = self.variants(scenario, version, code=1)
        for name, variant in variants.items():
            zoned = variant["config"]["device.zoned"] == "host-managed"
            with self.subTest(variant=name):
                if name not in self.VERDICTS or (zoned and version == "6.1"):
                    self.assertEqual(variant.get("failure"), self.NO_DISK)
                    continue
                self.assertNotIn("failure", variant)
                self.assertGreater(variant["ios"], 0)
                for text in variant["verdicts"]:
                    self.assertIn(self.VERDICTS[name], text)
                self.assertTrue(variant["verdicts"])
        self.assertLessEqual(set(self.VERDICTS), set(variants))

    def test_6_12(self):
        self.check("6.12")

    def test_6_1(self):
        self.check("6.1")


if __name__ == "__main__":
    if missing():
        print("all skipped: no kernel drivers; run tools/fetch-drivers")
    unittest.main()
