#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What the published series teach, whatever the constants are."""

import os
import unittest

from simulate import SOURCE, simulate
from test_kernel_drivers import driver, missing

SHORT = ("--set", "job.ramp_time=10ms", "--set", "job.runtime=40ms")


def series(test, name, *words):
    return simulate(test, os.path.join(SOURCE, "scenarios", name + ".yaml"),
                    *SHORT, *words)


def transfers(v):
    return sum(sum(t["transfers"].values()) for t in v["threads"]) / v["ios"]


def queue_lock(v, key):
    lock, = (lock for lock in v["locks"] if lock["name"] == "&queue->lock")
    return lock[key] / v["ios"]


class Facts(unittest.TestCase):
    def test_polling_beats_interrupts(self):
        v = series(self, "poll-queues")
        for jobs in (1, 2, 4):
            before, after = (v[f"jobs-{jobs}-{when}"]
                             for when in ("before", "after"))
            self.assertGreater(after["iops"], 1.04 * before["iops"], jobs)
            self.assertLess(after["job"]["lat_ns"]["mean"],
                            before["job"]["lat_ns"]["mean"])
            self.assertGreater(before["interrupts"]["delivered"], 0)
            self.assertEqual(after["interrupts"]["delivered"], 0)

    def test_plug_handed_over_as_a_whole_takes_fewer_locks(self):
        v = series(self, "queue-rqs")
        for jobs in (2, 4):
            before, after = (v[f"jobs-{jobs}-{when}"]
                             for when in ("before", "after"))
            self.assertGreater(after["iops"], before["iops"], jobs)
            self.assertLess(queue_lock(after, "acquired"),
                            queue_lock(before, "acquired") / 2)
            self.assertLess(transfers(after), transfers(before))

    def test_batch_of_an_interrupt_is_ended_without_the_lock(self):
        v = series(self, "irq-batch")
        for cpus in (4, 12):
            for jobs in (2, 4):
                before, after = (v[f"cpus-{cpus}-jobs-{jobs}-{when}"]
                                 for when in ("before", "after"))
                # Published: a gain of 1.5 to 2.8 %, which the model lacks.
                self.assertGreater(after["iops"], .99 * before["iops"],
                                   (cpus, jobs))
                self.assertLess(queue_lock(after, "hold_ns"),
                                queue_lock(before, "hold_ns") * .7)


class Kernel(unittest.TestCase):
    """6.12's driver does all of it; so does the bundled one by default."""

    def setUp(self):
        if missing():
            self.skipTest("no kernel drivers: run tools/fetch-drivers")

    def agree(self, name):
        own = series(self, name)
        theirs = series(self, name, *driver("6.12", "6.12"))
        for variant, v in own.items():
            if variant.endswith("after"):
                self.assertAlmostEqual(theirs[variant]["iops"] / v["iops"], 1,
                                       delta=.03, msg=(name, variant))

    def test_it_agrees_with_the_bundled_driver(self):
        for name in ("queue-rqs", "queue-rqs-poll", "poll-queues",
                     "irq-batch"):
            with self.subTest(name):
                self.agree(name)


if __name__ == "__main__":
    unittest.main()
