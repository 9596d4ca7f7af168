#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A crash of the driver under test is a result, and other variants go on."""
import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["VBLKSIM_SOURCE_DIR"])
VBLKSIM = os.environ["VBLKSIM"]
ENTRY = "static blk_status_t vblk_queue_rq("
FIRST = "	struct request *req = bd->rq;\n"
SCENARIO = """
name: crash
machine: round
vcpus: 2
device: {store: {type: ram}}
job: {rw: randread, iodepth: 8, numjobs: 2, number_ios: 400}
variants:
  - name: bad
    set: {driver.source: bad.c}
  - name: good
"""


class Crash(unittest.TestCase):
    def run_with(self, body):
        """The bundled driver with vblk_trap called for the 300th request."""
        text = (SOURCE / "driver/virtio_blk.c").read_text()
        self.assertEqual(text.count(ENTRY), 1)
        trap = ("static noinline int vblk_trap(int nr)\n{\n\tvolatile "
                "char room[512];\n\n\troom[nr & 511] = 0;\n" + body +
                "\treturn room[nr & 511];\n}\n\n")
        at = text.index(ENTRY)
        after = text.index(FIRST, at) + len(FIRST)
        end = text.index("\n\n", after)
        text = (text[:at] + trap + text[at:end] +
                "\n\tstatic int calls;\n\n\tif (++calls == 300)"
                "\n\t\tvblk_trap(calls);" + text[end:])
        with tempfile.TemporaryDirectory() as folder:
            work = pathlib.Path(folder)
            (work / "bad.c").write_text(text)
            (work / "scenario.yaml").write_text(SCENARIO)
            (work / "machines").symlink_to(
                SOURCE / "tests/harness/data/run/machines")
            return subprocess.run(
                [VBLKSIM, "run", str(work / "scenario.yaml")],
                capture_output=True, text=True, timeout=600)

    def judge(self, done, *said):
        for text in said:
            self.assertIn(text, done.stderr)
        self.assertIn("ns of simulated time", done.stdout.replace("\n", " "))
        self.assertIn("last trace points", done.stderr)
        self.assertIn("rq.queue", done.stderr)
        self.assertEqual(done.returncode, 1)
        report = done.stdout
        self.assertIn("bad failed", report)
        self.assertRegex(report, r"I/Os measured +- +800")

    def test_bad_pointer_names_function_time_and_caller(self):
        done = self.run_with("\t*(volatile int *)0x10UL = nr;\n")
        self.judge(done, "Segmentation fault", "in vblk_trap",
                   "vblk_queue_rq+", "address 0x10")

    def test_jump_to_nowhere_names_who_jumped(self):
        done = self.run_with(
            "\tvoid (*volatile nowhere)(void) = (void *)0;\n\n\tnowhere();\n")
        self.judge(done, "Segmentation fault", "in vblk_trap")

    def test_endless_recursion_is_a_stack_overflow(self):
        done = self.run_with("\troom[0] = vblk_trap(nr + 1);\n")
        self.judge(done, "stack overflow", "vblk_trap+")

    def test_illegal_instruction_is_caught(self):
        done = self.run_with("\tif (nr)\n\t\t__builtin_trap();\n")
        self.judge(done, "Illegal instruction", "in vblk_trap")


if __name__ == "__main__":
    unittest.main()
