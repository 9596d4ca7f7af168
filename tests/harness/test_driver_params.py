#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The bundled driver's parameters: each value works, and does what it says."""

import itertools
import json
import os
import tempfile
import unittest

from simulate import BASE, SOURCE, command, one, run

QUEUE_LOCK = "&queue->lock"
VERIFY = {
    "job__rw": "randrw", "job__verify": "on", "job__iodepth": 16,
    "job__iodepth_batch": 8, "job__iodepth_batch_complete_min": 4,
    "job__ramp_time": 0, "job__runtime": "1ms", "device__store__size": "64M",
}
POLL = {"job__ioengine": "pvsync2", "job__hipri": "on", "job__iodepth": 1,
        "job__iodepth_batch": 1, "job__iodepth_batch_complete_min": 1}
PLUG = {"job__iodepth": 32, "job__iodepth_batch": 16,
        "job__iodepth_batch_complete_min": 16}


def queue_lock(variant):
    return next(lock for lock in variant["locks"]
                if lock["name"] == QUEUE_LOCK)


def locks_per_io(variant):
    return queue_lock(variant)["acquired"] / variant["ios"]


def hold_per_io(variant):
    return queue_lock(variant)["hold_ns"] / variant["ios"]


def guest_transfers_per_io(variant):
    return sum(sum(thread["transfers"].values())
               for thread in variant["threads"]
               if thread["kind"] == "vcpu") / variant["ios"]


def params(**values):
    return {f"driver.params.{name}": value for name, value in values.items()}


def works(test, *values, **sets):
    """Data come back as written with each of @values, dicts of parameters"""
    for value, packed, queues in itertools.product(
            values, ("off", "on"), (1, 2, 4)):
        one(test, BASE, **{**VERIFY, **params(**value),
                           "device__packed": packed,
                           "device__num_queues": queues, **sets})


def write_changed(folder, *changes):
    """The bundled driver with texts replaced; @changes: (old, new)"""
    path = os.path.join(folder, "virtio_blk.c")
    with open(os.path.join(SOURCE, "driver", "virtio_blk.c"),
              encoding="utf-8") as file:
        text = file.read()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


class QueueRqs(unittest.TestCase):
    def test_both_values_work(self):
        works(self, {"queue_rqs": 0}, {"queue_rqs": 1})

    def test_batches_that_do_not_fit_are_brought_again(self):
        works(self, {"queue_rqs": 0, "queue_depth": 64},
              {"queue_rqs": 1, "queue_depth": 64},
              device__queue_size=4, device__indirect_desc="off")

    def test_a_list_may_be_for_several_queues(self):
        # Reads get the second of two queues.
        changes = (("set->nr_maps = vblk->nr_poll ? HCTX_MAX_TYPES : 1;",
                    "set->nr_maps = 2;"),
                   ("\tif (!vblk->nr_poll)\n\t\treturn;\n\n\t/* None",
                    "\tirq->nr_queues = 1;\n"
                    "\tset->map[HCTX_TYPE_READ].nr_queues = 1;\n"
                    "\tset->map[HCTX_TYPE_READ].queue_offset = 1;\n"
                    "\tblk_mq_map_queues(irq);\n"
                    "\tblk_mq_map_queues(&set->map[HCTX_TYPE_READ]);\n"
                    "\tif (!vblk->nr_poll)\n\t\treturn;\n\n\t/* None"))
        with tempfile.TemporaryDirectory() as folder:
            driver = write_changed(folder, *changes)
            for size, depth in ((128, 0), (4, 64)):
                one(self, BASE, "--driver", driver, **{
                    **VERIFY, **params(queue_depth=depth),
                    "device__num_queues": 2, "device__queue_size": size,
                    "device__indirect_desc": "off"})

    def test_a_shortage_of_memory_passes(self):
        # Each fourth request of a list fails: before it was started, and after.
        prepare = ("\tstatus = vblk_fill_header(vdev, req);\n",
                   "\tstatic unsigned int calls;\n\n"
                   "\tif (++calls % 4 == 0)\n\t\treturn BLK_STS_RESOURCE;\n"
                   "\tstatus = vblk_fill_header(vdev, req);\n")
        add = ("\t\terr = vblk_add(queue, req);\n",
               "\t\tstatic unsigned int calls;\n\n"
               "\t\terr = ++calls % 4 ? vblk_add(queue, req) : -ENOMEM;\n")
        for change in (prepare, add):
            with tempfile.TemporaryDirectory() as folder:
                driver = write_changed(folder, change)
                for packed in ("off", "on"):
                    one(self, BASE, "--driver", driver, **{
                        **VERIFY, "device__packed": packed,
                        "job__runtime": "20ms"})

    def test_a_list_takes_the_lock_once(self):
        for queues in (1, 4):
            single, lists = (one(self, BASE, device__num_queues=queues, **PLUG,
                                 **params(queue_rqs=value))
                             for value in (0, 1))
            self.assertLess(locks_per_io(lists), .5)
            self.assertGreater(locks_per_io(single), 2 * locks_per_io(lists))


class PollQueues(unittest.TestCase):
    def test_all_values_work(self):
        values = [{"poll_queues": nr} for nr in (0, 1, 3)]
        works(self, *values)
        works(self, *values, **POLL)

    def test_a_full_ring_is_restarted_by_those_who_poll(self):
        works(self, {"poll_queues": 3, "queue_depth": 64}, **POLL,
              device__queue_size=4, device__indirect_desc="off")

    def test_removal_waits_for_those_who_poll(self):
        for seed in range(1, 9):
            removed = one(self, BASE, **{
                **VERIFY, **POLL, **params(poll_queues=1), "seed": seed,
                "job__verify": "off", "device__num_queues": 2,
                "events": "300us remove"})
            self.assertGreater(removed["ios"], 0)

    def test_polled_reads_need_no_interrupt(self):
        for packed in ("off", "on"):
            irq, poll = (one(self, BASE, **POLL, **params(poll_queues=nr),
                             device__num_queues=2, device__packed=packed)
                         for nr in (0, 1))
            self.assertGreater(irq["interrupts"]["delivered"], 0)
            self.assertEqual(poll["interrupts"]["delivered"], 0)
            self.assertGreater(poll["ios"], 0)


class IrqBatch(unittest.TestCase):
    def test_both_values_work(self):
        works(self, {"irq_batch": 0}, {"irq_batch": 1})

    def test_tags_that_others_wait_for_come_back(self):
        # Interrupts often come to another CPU than the submitter's.
        works(self, {"irq_batch": 1, "queue_depth": 4}, job__numjobs=8)

    def test_requests_end_without_the_queue_lock(self):
        single, batch = (one(self, BASE, device__num_queues=4, **PLUG,
                             **params(irq_batch=value)) for value in (0, 1))
        self.assertLess(hold_per_io(batch), hold_per_io(single))


class SingleQueue(unittest.TestCase):
    def test_both_values_work(self):
        works(self, {"single_queue": 0}, {"single_queue": 1},
              {"single_queue": 1, "num_request_queues": 4, "poll_queues": 2})

    def test_four_jobs_contend_for_one_lock(self):
        many, single = (one(self, BASE, device__num_queues=4,
                            **params(single_queue=value)) for value in (0, 1))
        self.assertEqual(queue_lock(many)["instances"], 4)
        self.assertEqual(queue_lock(single)["instances"], 1)
        self.assertEqual(queue_lock(many)["contended"], 0)
        self.assertGreater(queue_lock(single)["contended"], 0)


class PackedLocks(unittest.TestCase):
    def test_both_values_work(self):
        works(self, {"packed_locks": 0}, {"packed_locks": 1})
        works(self, {"packed_locks": 1, "poll_queues": 1}, **POLL)

    def test_neighbours_take_each_others_lines(self):
        for packed in ("off", "on"):
            apart, beside = (one(self, BASE, device__num_queues=4,
                                 device__packed=packed,
                                 **params(packed_locks=value))
                             for value in (0, 1))
            self.assertGreater(guest_transfers_per_io(beside),
                               guest_transfers_per_io(apart) + .1)


class Errors(unittest.TestCase):
    """A request that failed says so, in whatever company it ends."""

    def test_no_batch_hides_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            # The device does not know half of the reads.
            driver = write_changed(folder, (
                "type = VIRTIO_BLK_T_IN;",
                "type = blk_rq_pos(req) & 8 ? 99 : VIRTIO_BLK_T_IN;"))
            for sets in ({}, params(irq_batch=1),
                         {**POLL, **params(poll_queues=1)}):
                variant = self.counts(driver, device__num_queues=2,
                                      **{**PLUG, **sets})
                self.assertAlmostEqual(variant["errors"] / variant["ios"], .5,
                                       delta=.15)

    def counts(self, driver, **sets):
        done = run(command(BASE, "--json", "-", "--driver", driver, **sets))
        self.assertEqual(done.returncode, 0, done.stderr)
        variant, = json.loads(done.stdout)["variants"]
        self.assertNotIn("failure", variant)
        return variant


if __name__ == "__main__":
    unittest.main()
