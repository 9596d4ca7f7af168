#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""host.cpuset: vCPUs and host threads share CPUs of the host."""

import os
import unittest

from simulate import BASE, SOURCE, VBLKSIM, one, run, simulate

MULTI_VQ = os.path.join(SOURCE, "scenarios", "multi-vq.yaml")


def steal(v, kind):
    return sum(t["mode_ns"]["steal"] for t in v["threads"]
               if t["kind"] == kind) / v["duration_ns"]


class Cpuset(unittest.TestCase):
    def share(self, cpus, **keys):
        return one(self, BASE, job__runtime="200ms", host__cpuset=cpus, **keys)

    def test_nobody_waits_for_a_cpu_of_its_own(self):
        v = one(self, BASE)
        self.assertEqual(steal(v, "vcpu") + steal(v, "host"), 0)
        self.assertEqual(v["preemptions"], {"all": 0, "locked": 0})

    def test_a_cpu_for_each_is_as_good(self):
        own = one(self, BASE, job__runtime="200ms")
        # A core for each, as they have with auto.
        v = self.share("0,2,4,6,8")
        self.assertEqual(steal(v, "vcpu") + steal(v, "host"), 0)
        self.assertAlmostEqual(v["iops"] / own["iops"], 1, delta=.001)

    def test_busy_threads_share_fairly(self):
        # Four vCPUs that never sleep, on two CPUs: each waits half the time.
        v = self.share("0,1", job__thinktime=0, job__ioengine="io_uring",
                       job__hipri="on", driver__params__poll_queues=1,
                       device__num_queues=2, job__iodepth=1)
        for thread in v["threads"]:
            if thread["kind"] == "vcpu":
                self.assertAlmostEqual(
                    thread["mode_ns"]["steal"] / v["duration_ns"], .5,
                    delta=.1, msg=thread["name"])

    def test_holders_of_a_lock_are_preempted_too(self):
        v = self.share("0")
        self.assertGreater(v["preemptions"]["locked"], 0)
        self.assertGreater(v["preemptions"]["all"],
                           v["preemptions"]["locked"])

    def test_fewer_cpus_are_never_better(self):
        iops = [self.share(cpus)["iops"] for cpus in ("0-4", "0,1", "0")]
        self.assertGreater(iops[0] * 1.02, iops[1])
        self.assertGreater(iops[1], iops[2])
        self.assertGreater(iops[2], 0)

    def test_same_seed_same_digest(self):
        self.assertEqual(self.share("0-2")["digest"],
                         self.share("0-2")["digest"])

    def test_cpu_that_the_machine_does_not_have(self):
        done = run([VBLKSIM, "run", BASE, "--set", "host.cpuset=0-59"])
        self.assertEqual(done.returncode, 2)
        self.assertIn("has CPUs 0..", done.stderr)

    def test_key_is_checked(self):
        for text in ("x", "3-1", "64", "-1"):
            done = run([VBLKSIM, "run", BASE, "--set", f"host.cpuset={text}"])
            self.assertEqual(done.returncode, 2, text)
            self.assertIn("host.cpuset", done.stderr)


class MultiVq(unittest.TestCase):
    def test_one_queue_gets_slower_with_more_jobs_and_two_do_not(self):
        v = simulate(self, MULTI_VQ, "--set", "job.runtime=150ms")
        iops = {name: run["iops"] for name, run in v.items()}
        self.assertLess(iops["vqs-1-jobs-4"], .9 * iops["vqs-1-jobs-2"])
        self.assertGreater(iops["vqs-2-jobs-4"], .98 * iops["vqs-2-jobs-2"])
        self.assertGreater(steal(v["vqs-1-jobs-4"], "host"), .1)


if __name__ == "__main__":
    unittest.main()
