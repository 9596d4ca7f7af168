#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Packed rings, from one end to the other: the bundled ring."""

import itertools
import os
import tempfile
import unittest

from simulate import BASE, SOURCE, one, per_io

DRIVER = os.path.join(SOURCE, "driver")
PACKED = {"device__packed": "on"}
SERVERS = ({"device__iothread": "on"}, {"device__iothread": "off"},
           {"device__iothread": "off", "device__ioeventfd": "off"})
SWITCHES = ("device__event_idx", "device__indirect_desc",
            "device__suppress_kicks", "device__batch_notify")


def transfers_per_io(variant):
    return sum(sum(thread["transfers"].values())
               for thread in variant["threads"]) / variant["ios"]


def write_split_only(folder):
    """The bundled ring without the feature, as one source"""
    path = os.path.join(folder, "split_only.c")
    with open(os.path.join(DRIVER, "virtio_ring.c"), encoding="utf-8") as file:
        whole = file.read()
    kept = whole.replace("1ULL << VIRTIO_F_RING_PACKED |", "")
    assert kept != whole
    kept = kept.replace('#include "', f'#include "{DRIVER}/')
    with open(path, "w", encoding="utf-8") as file:
        file.write(kept)
        for name in ("virtio_ring_split.c", "virtio_ring_packed.c"):
            file.write(f'#include "{DRIVER}/{name}"\n')
    return path


class Packed(unittest.TestCase):
    """driver/virtio_ring_packed.c and model/host/hring_packed.c"""

    def test_every_combination_of_ring_and_device_options_works(self):
        for server in SERVERS:
            for values in itertools.product(("on", "off"), repeat=4):
                one(self, BASE, **PACKED, **server,
                    **dict(zip(SWITCHES, values)), job__verify="on",
                    job__rw="randrw", job__number_ios=64, job__iodepth=8,
                    device__queue_size=4, job__runtime=0, job__ramp_time=0)

    def test_runs_are_repeatable(self):
        first, again = (one(self, BASE, **PACKED)["digest"] for _ in range(2))
        self.assertEqual(first, again)

    def test_a_packed_ring_moves_fewer_cache_lines(self):
        packed, split = one(self, BASE, **PACKED), one(self, BASE)
        self.assertNotEqual(packed["digest"], split["digest"])
        self.assertLess(transfers_per_io(packed), transfers_per_io(split))

    def test_a_driver_without_packed_rings_runs_split_ones(self):
        with tempfile.TemporaryDirectory() as folder:
            ring = write_split_only(folder)
            offered = one(self, BASE, "--ring", ring, **PACKED)
            split = one(self, BASE, "--ring", ring)
        self.assertEqual(per_io(offered, "kicks", "sent"),
                         per_io(split, "kicks", "sent"))
        self.assertEqual(transfers_per_io(offered), transfers_per_io(split))


if __name__ == "__main__":
    unittest.main()
