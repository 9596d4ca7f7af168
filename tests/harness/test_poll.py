#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""device.poll-max-ns: an iothread that looks before it sleeps."""

import itertools
import unittest

from simulate import BASE, one, per_io

POLLS = {"device__poll_max_ns": 32768, "device__store__type": "null",
         "job__numjobs": 1}
VERIFY = {"job__rw": "randrw", "job__verify": "on", "job__ramp_time": 0,
          "device__store__type": "ram", "device__store__size": "64M",
          "job__runtime": "2ms"}


def share(variant, mode):
    """of the window that the iothread spent in @mode"""
    thread = next(t for t in variant["threads"] if t["kind"] == "host")
    return thread["mode_ns"][mode] / variant["duration_ns"]


class Poll(unittest.TestCase):
    def test_who_polls_needs_no_kicks_and_no_wake_ups(self):
        asleep = one(self, BASE, **{**POLLS, "device__poll_max_ns": 0})
        polling = one(self, BASE, **POLLS)
        self.assertLess(per_io(polling, "kicks", "sent"),
                        .05 * per_io(asleep, "kicks", "sent"))
        self.assertGreater(polling["iops"], asleep["iops"])
        self.assertEqual(share(asleep, "poll"), 0)
        self.assertLess(share(polling, "idle"), .05)

    def test_waits_beyond_the_limit_are_slept_through(self):
        v = one(self, BASE, **POLLS, job__iodepth=1, job__runtime="50ms",
                job__thinktime="100us")
        self.assertLess(share(v, "poll"), .05)
        self.assertGreater(share(v, "idle"), .5)

    def test_shorter_waits_are_polled_through(self):
        v = one(self, BASE, **POLLS, job__iodepth=1, job__runtime="50ms",
                job__thinktime="10us")
        self.assertGreater(share(v, "poll"), .3)
        self.assertLess(share(v, "idle"), .05)

    def test_a_busy_loop_that_polls_needs_no_kicks(self):
        v = one(self, BASE, device__poll_max_ns=1000000, job__iodepth=64,
                device__store__type="null")
        self.assertGreater(share(v, "host"), .75)
        self.assertLess(per_io(v, "kicks", "sent"), .01)

    def test_old_devices_do_not_poll(self):
        runs = [one(self, BASE, device__suppress_kicks="off",
                    device__poll_max_ns=ns) for ns in (0, 32768)]
        self.assertEqual(runs[0]["digest"], runs[1]["digest"])

    def test_only_iothreads_poll(self):
        runs = [one(self, BASE, device__iothread="off",
                    device__poll_max_ns=ns) for ns in (0, 32768)]
        self.assertEqual(runs[0]["digest"], runs[1]["digest"])

    def test_data_is_right_in_both_formats(self):
        for packed, event_idx in itertools.product(("on", "off"), repeat=2):
            v = one(self, BASE, **{**POLLS, **VERIFY}, device__packed=packed,
                    device__event_idx=event_idx)
            self.assertGreater(v["ios"], 100)
            self.assertGreater(share(v, "poll"), 0)

    def test_each_job_does_as_many_as_it_is_told(self):
        for depth, think in itertools.product((1, 3, 16), (0, "5us", "60us")):
            v = one(self, BASE, **{**POLLS, "job__numjobs": 3},
                    job__iodepth=depth, job__thinktime=think,
                    job__number_ios=77, job__ramp_time=0, job__runtime=0)
            self.assertEqual(v["ios"], 3 * 77)


if __name__ == "__main__":
    unittest.main()
