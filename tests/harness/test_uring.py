#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""job.ioengine: io_uring, by interrupts and by polling."""

import itertools
import unittest

from simulate import BASE, command, one, run

URING = {"job__ioengine": "io_uring", "job__iodepth": 32,
         "job__iodepth_batch": 8, "job__iodepth_batch_complete_min": 4,
         "device__num_queues": 4}
POLLED = {**URING, "job__hipri": "on", "driver__params__poll_queues": 2}
VERIFY = {"job__rw": "randrw", "job__verify": "on", "job__bsrange": "512-64k",
          "device__store__size": "64M", "job__ramp_time": 0,
          "job__runtime": "2ms"}


def exits_per_io(variant):
    return variant["exits"]["kernel"] / variant["ios"]


class Uring(unittest.TestCase):
    def test_data_is_right(self):
        for how, packed in itertools.product((URING, POLLED), ("on", "off")):
            v = one(self, BASE, **{**how, **VERIFY}, device__packed=packed)
            self.assertGreater(v["ios"], 100)

    def test_each_job_does_as_many_as_it_is_told(self):
        for how in (URING, POLLED):
            for depth in (1, 2, 31, 64):
                v = one(self, BASE, **{**how, "job__iodepth": depth},
                        job__numjobs=3, job__number_ios=77, job__ramp_time=0,
                        job__runtime=0)
                self.assertEqual(v["ios"], 3 * 77)

    def test_more_pollers_than_vcpus_come_to_an_end(self):
        v = one(self, BASE, **{**POLLED, "job__numjobs": 7,
                               "job__number_ios": 50, "job__ramp_time": 0,
                               "job__runtime": 0})
        self.assertEqual(v["ios"], 7 * 50)

    def test_a_job_keeps_iodepth_in_flight(self):
        # The store takes nearly all the time: Little's law. All take as long,
        # since polled ones are reaped in the order of their submission.
        for how in (URING, POLLED):
            v = one(self, BASE, **{**how, "job__iodepth_batch": 1,
                                   "job__iodepth_batch_complete_min": 1},
                    job__numjobs=1, job__runtime="100ms",
                    device__store__parallelism=64,
                    device__store__latency__dist="constant",
                    device__store__latency__mean="2ms")
            self.assertAlmostEqual(
                v["iops"] * v["lat_ns"]["mean"] / 1e9 / 32, 1, delta=.02)

    def test_polling_needs_no_interrupt_and_no_halt(self):
        v = one(self, BASE, **POLLED)
        self.assertEqual(v["interrupts"]["delivered"], 0)
        self.assertEqual(v["halts"], 0)

    def test_hipri_without_poll_queues_is_interrupted(self):
        v = one(self, BASE, **{**POLLED, "driver__params__poll_queues": 0})
        self.assertGreater(v["interrupts"]["delivered"], 0)

    def test_tasks_are_woken_without_polling(self):
        v = one(self, BASE, **URING, job__numjobs=1)
        self.assertGreater(v["halts"], 0)

    def test_a_batch_is_one_call_and_one_kick(self):
        alone, batch = (
            one(self, BASE, **{**URING, "job__iodepth_batch": nr,
                               "job__iodepth_batch_complete_min": nr},
                job__numjobs=1, device__suppress_kicks="off")
            for nr in (1, 16))
        self.assertLess(exits_per_io(batch), exits_per_io(alone) / 4)

    def test_registered_buffers_save_the_pinning(self):
        plain, fixed = (one(self, BASE, **URING, job__numjobs=1,
                            job__number_ios=500, job__ramp_time=0,
                            job__runtime=0, job__fixedbufs=value)
                        for value in ("off", "on"))
        used = [v["threads"][0]["mode_ns"]["guest"] / v["ios"]
                for v in (plain, fixed)]
        # uring_pin of the profile: 1000 instructions, 2 GHz
        self.assertAlmostEqual(used[0] - used[1], 500, delta=25)

    def test_same_input_gives_the_same_digest(self):
        for how in (URING, POLLED):
            self.assertEqual(one(self, BASE, **how)["digest"],
                             one(self, BASE, **how)["digest"])

    def test_what_only_io_uring_has_is_refused_elsewhere(self):
        for key, engine, needs in (
                ("fixedbufs", "libaio", "job.ioengine: io_uring"),
                ("hipri", "libaio", "job.ioengine: pvsync2 or io_uring")):
            done = run(command(BASE, **{f"job__{key}": "on",
                                        "job__ioengine": engine}))
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"job.{key}: on needs {needs}", done.stderr)


if __name__ == "__main__":
    unittest.main()
