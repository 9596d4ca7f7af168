#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""tools/check-layers: each rule accepts what it should and can fail."""

import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.realpath(__file__))))
TOOL = os.path.join(ROOT, "tools", "check-layers")
SPDX = "SPDX-License-Identifier: GPL-2.0-only"

# A small tree that keeps all rules, with each kind of allowed include.
GOOD = {
    "sim/sim.h": ["<stdint.h>"],
    "sim/sim.c": ['"sim/sim.h"', "<stdlib.h>", "<sys/mman.h>"],
    "model/hw/ram.h": ['"sim/sim.h"', "<stddef.h>"],
    "model/hw/ram.c": ['"model/hw/ram.h"', "<errno.h>"],
    "driver/include/uapi/linux/types.h": [],
    "driver/include/uapi/linux/virtio_ring.h": ['"types.h"'],
    "driver/include/linux/types.h": ["<uapi/linux/types.h>", "<stdbool.h>"],
    "driver/include/linux/list.h": ["<linux/types.h>", "<asm/barrier.h>"],
    "driver/include/asm/barrier.h": [],
    "driver/include/xen/xen.h": [],
    "driver/virtio_ring.c": ["<linux/list.h>", "<xen/xen.h>",
                             "<uapi/linux/virtio_ring.h>",
                             '"virtio_ring_impl.h"'],
    "driver/virtio_ring_impl.h": ["<linux/types.h>"],
    "model/guest/load.h": ['"sim/sim.h"', "<stdint.h>"],
    "model/guest/load.c": ['"model/guest/load.h"', '"model/hw/ram.h"',
                           "<linux/list.h>", "<stdarg.h>"],
    "model/host/hring.c": ['"model/hw/ram.h"', "<string.h>",
                           "<uapi/linux/virtio_ring.h>"],
    "model/harness/run.c": ['"model/guest/load.h"', "<yaml.h>",
                            "<jansson.h>", '"vblksim-config.h"'],
}


def source(path, includes):
    licence = f"// {SPDX}" if path.endswith(".c") else f"/* {SPDX} */"
    return "\n".join([licence] + [f"#include {i}" for i in includes]) + "\n"


class CheckLayers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        for path, includes in GOOD.items():
            self.write(path, source(path, includes))

    def write(self, path, text):
        full = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def run_tool(self):
        return subprocess.run([sys.executable, TOOL, self.folder.name],
                              stdout=subprocess.PIPE, text=True, check=False)

    def add_include(self, path, header):
        self.write(path, source(path, GOOD.get(path, []) + [header]))
        return len(GOOD.get(path, [])) + 2

    def assert_fault(self, place, words=""):
        result = self.run_tool()
        self.assertEqual(result.returncode, 1, result.stdout)
        lines = result.stdout.splitlines()
        self.assertEqual(len(lines), 1, result.stdout)
        self.assertTrue(lines[0].startswith(place + ": "), result.stdout)
        self.assertIn(words, lines[0])

    def assert_clean(self):
        result = self.run_tool()
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_good_tree_is_clean(self):
        self.assert_clean()

    def test_each_forbidden_include_is_named(self):
        forbidden = (
            ("sim/sim.c", '"model/hw/ram.h"'),
            ("sim/sim.c", "<linux/list.h>"),
            ("sim/sim.c", "<uapi/linux/types.h>"),
            ("sim/sim.c", "<yaml.h>"),
            ("model/hw/ram.c", '"model/guest/load.h"'),
            ("model/hw/ram.c", "<uapi/linux/virtio_ring.h>"),
            ("model/hw/ram.h", "<linux/types.h>"),
            ("model/hw/ram.c", "<sqlite3.h>"),
            ("model/guest/load.c", "<stdio.h>"),
            ("model/guest/load.c", "<string.h>"),
            ("model/guest/load.c", '"model/harness/run.c"'),
            ("model/host/hring.c", '"model/guest/load.h"'),
            ("model/host/hring.c", "<linux/types.h>"),
            ("model/host/hring.c", "<asm/barrier.h>"),
            ("model/host/hring.c", "<jansson.h>"),
            ("model/harness/run.c", "<linux/list.h>"),
            ("model/harness/run.c", "<check.h>"),
            ("driver/virtio_ring.c", '"sim/sim.h"'),
            ("driver/virtio_ring.c", '"linux/list.h"'),
            ("driver/virtio_ring.c", '"include/linux/list.h"'),
            ("driver/virtio_ring.c", "<stdint.h>"),
            ("driver/virtio_ring_impl.h", '"model/hw/ram.h"'),
            ("model/guest/load.c", '"driver/virtio_ring_impl.h"'),
            ("driver/virtio_ring.c", "<string.h>"),
            ("driver/include/linux/list.h", "<string.h>"),
            ("driver/include/linux/list.h", '"sim/sim.h"'),
            ("driver/include/uapi/linux/virtio_ring.h", "<linux/types.h>"),
            ("driver/include/uapi/linux/virtio_ring.h", "<stdint.h>"),
        )
        for path, header in forbidden:
            with self.subTest(path=path, header=header):
                line = self.add_include(path, header)
                result = self.run_tool()
                self.assertEqual(result.returncode, 1, result.stdout)
                self.assertIn(f"{path}:{line}: ", result.stdout)
                self.write(path, source(path, GOOD[path]))
                self.assert_clean()

    def test_harness_may_not_reach_port_through_a_guest_header(self):
        self.add_include("model/guest/load.h", "<linux/list.h>")
        self.assert_fault("model/harness/run.c:2", "through")

    def test_include_in_a_comment_does_not_count(self):
        self.write("sim/sim.c", f"// {SPDX}\n/*\n#include <yaml.h>\n*/\n"
                   "// #include <yaml.h>\n")
        self.assert_clean()

    def test_spacing_does_not_hide_an_include(self):
        self.write("sim/sim.c", f"// {SPDX}\n  #  include  <yaml.h>\n")
        self.assert_fault("sim/sim.c:2", "yaml.h")

    def test_computed_include_is_refused(self):
        self.write("sim/sim.c", f"// {SPDX}\n#include HEADER\n")
        self.assert_fault("sim/sim.c:2", "computed")

    def test_header_outside_the_project_is_refused(self):
        self.add_include("sim/sim.c", '"missing.h"')
        self.assert_fault("sim/sim.c:5", "not in the project")

    def test_sim_may_not_name_virtio(self):
        self.write("sim/sim.c", f"// {SPDX}\n// like virtio\n"
                   "static int my_Virtio_count;\n")
        self.assert_fault("sim/sim.c:3", "virtio")

    def test_licence_is_demanded_in_each_kind_of_file(self):
        for path, text in (
                ("sim/a.c", "int a;\n"),
                ("sim/a.c", f"/* {SPDX} */\n"),
                ("sim/a.h", f"// {SPDX}\n"),
                ("sim/a.S", "nop\n"),
                ("tools/a", "#!/bin/sh\necho\n"),
                ("tools/a.py", f"# {SPDX.replace('-only', '-or-later')}\n"),
                ("CMakeLists.txt.in", "project(a)\n"),
                ("scenarios/a.yaml", "a: 1\n"),
                ("results/schema.sql", "select 1;\n")):
            with self.subTest(path=path):
                self.write(path, text)
                line = 2 if text.startswith("#!") else 1
                self.assert_fault(f"{path}:{line}", "SPDX")
                os.remove(os.path.join(self.folder.name, path))

    def test_cmake_lists_are_text_with_a_licence(self):
        self.write("CMakeLists.txt", "project(a)\n")
        self.assert_fault("CMakeLists.txt:1", "SPDX")

    def test_data_needs_no_licence_line(self):
        for path in ("LICENSE", "VERSION", "a.md", "a.csv", "a.json"):
            self.write(path, "text\n")
        self.assert_clean()

    def test_build_folder_is_not_searched(self):
        self.write("build/a.c", "int a;\n")
        self.assert_clean()

    def test_tree_without_source_is_an_error(self):
        with tempfile.TemporaryDirectory() as empty:
            result = subprocess.run([sys.executable, TOOL, empty],
                                    stderr=subprocess.PIPE, check=False)
        self.assertEqual(result.returncode, 2)


if __name__ == "__main__":
    unittest.main()
