# SPDX-License-Identifier: GPL-2.0-only
"""What a user meets when something is wrong, with real runs."""

import contextlib
import json
import os
import pty
import select
import signal
import subprocess
import tempfile
import time
import unittest

from simulate import BASE, TIMEOUT_S, VBLKSIM, command, run

QUICK = {"job__runtime": "1ms"}
# Two runs, of which the second would take hours.
ENDLESS = """
variants:
  - {name: finished, set: {job.runtime: 1ms}}
  - {name: endless, set: {job.runtime: 1000s}}
  - {name: never, set: {job.runtime: 1ms}}
"""


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.symlink(os.path.join(os.path.dirname(BASE), "machines"),
                   self.path("machines"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def file(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def base(self):
        with open(BASE, encoding="utf-8") as file:
            return file.read()

    def refused(self, words, *texts):
        """Exit code 2, nothing to stdout, @texts in what it says"""
        self.assertEqual(self.refused_late(words, *texts).stdout, "")

    def refused_late(self, words, *texts):
        """The same of what only the run itself finds; the others did run."""
        done = run(words)
        self.assertEqual(done.returncode, 2, done.stderr)
        for text in texts:
            self.assertIn(text, done.stderr)
        return done


class Mistakes(Case):
    def test_unknown_key_is_shown_where_it_is(self):
        text = self.base().replace("iodepth:", "iodepht:")
        line = next(line for line in text.split("\n") if "iodepht" in line)
        number = text.split("\n").index(line) + 1
        column = line.index("iodepht") + 1
        path = self.file("typo.yaml", text)
        self.refused(command(path), f"{path}:{number}:{column}: ", line,
                     "job.iodepht", "did you mean 'job.iodepth'?")

    def test_unknown_key_of_set_is_shown(self):
        self.refused(command(BASE, "--set", "device.queue_sizes=4"),
                     "device.queue_sizes", "did you mean", "queue-size'?")

    def test_bad_value_names_what_is_allowed(self):
        self.refused(command(BASE, job__rw="sideways"), "job.rw", "sideways",
                     "randread, randwrite")
        self.refused(command(BASE, device__queue_size=100), "power of two")
        self.refused(command(BASE, job__bs="1000"), "multiple of 512")
        self.refused(command(BASE, job__runtime="5"), "job.runtime")

    def test_unknown_driver_parameter_is_refused(self):
        self.refused_late(command(BASE, driver__params__nosuch=1), "nosuch")

    def test_bad_driver_parameter_is_refused(self):
        self.refused_late(command(BASE, driver__params__queue_depth="many"),
                          "queue_depth", "many")

    def test_missing_machine_is_refused(self):
        self.refused(command(BASE, machine="nosuch"), "nosuch",
                     "looked for ")
        text = self.base().replace("machine: round\n", "")
        self.refused(command(self.file("none.yaml", text)),
                     "machine is missing")

    def test_too_small_machine_is_refused(self):
        self.refused_late(command(BASE, vcpus=16), "round", "16")

    def test_missing_scenario_is_refused(self):
        self.refused(command(self.path("none.yaml")), "none.yaml",
                     "No such file")

    def test_folder_as_scenario_is_refused(self):
        self.refused(command(self.folder), self.folder)

    def test_unreadable_scenario_is_refused(self):
        path = self.file("secret.yaml", self.base())
        os.chmod(path, 0)
        if os.access(path, os.R_OK):
            self.skipTest("root reads everything")
        self.refused(command(path), "secret.yaml", "Permission denied")

    def test_binary_scenario_is_refused(self):
        with open(self.path("elf.yaml"), "wb") as file:
            file.write(b"\x7fELF\0\0\xff\xfe" * 100)
        self.refused(command(self.path("elf.yaml")), "elf.yaml")

    def test_empty_scenario_is_refused(self):
        self.refused(command(self.file("empty.yaml", "")), "empty.yaml")

    def test_wrong_variant_is_refused(self):
        self.refused(command(BASE, "--variant", "defalt"),
                     "did you mean 'default'?")

    def test_verify_without_memory_is_refused(self):
        self.refused(command(BASE, job__verify="on",
                             device__store__type="null"), "job.verify")

    def test_mistake_in_a_late_variant_costs_no_waiting(self):
        path = self.file("late.yaml", self.base() + ENDLESS.replace(
            "never, set: {job.runtime: 1ms}", "never, machine: nosuch"))
        self.refused(command(path), "nosuch")


class Output(Case):
    def test_missing_folder_is_reported(self):
        path = self.path("none/out.json")
        done = run(command(BASE, "--json", path, **QUICK))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(path, done.stderr)
        self.assertIn("No such file", done.stderr)

    def test_full_device_is_reported_and_stays(self):
        # Through a link, so that nothing in /dev can be harmed.
        path = self.path("full")
        os.symlink("/dev/full", path)
        done = run(command(BASE, "--json", path, **QUICK))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("No space left", done.stderr)
        self.assertEqual(os.readlink(path), "/dev/full")

    def test_full_stdout_is_reported(self):
        for options in ((), ("--json", "-")):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = run(command(BASE, *options, **QUICK), stdout=full)
            self.assertNotEqual(done.returncode, 0, options)
            self.assertTrue(done.stderr)

    def test_pipe_is_written_and_stays(self):
        path = self.path("pipe")
        os.mkfifo(path)
        with subprocess.Popen(command(BASE, "--json", path, **QUICK),
                              stdout=subprocess.DEVNULL) as child:
            with open(path, encoding="utf-8") as pipe:
                self.assertEqual(len(json.load(pipe)["variants"]), 1)
            self.assertEqual(child.wait(TIMEOUT_S), 0)
        self.assertEqual(os.listdir(self.folder).count("pipe"), 1)

    def test_old_file_survives_a_refused_run(self):
        path = self.file("old.json", "old")
        run(command(BASE, "--json", path, job__bs="x"))
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "old")

    def test_reader_that_goes_away_ends_the_program(self):
        read, write = os.pipe()
        os.close(read)
        done = run(command(BASE, **QUICK), stdout=write)
        os.close(write)
        self.assertNotEqual(done.returncode, 0)

    def test_file_is_written_though_nobody_reads_the_report(self):
        path = self.path("out.json")
        read, write = os.pipe()
        os.close(read)
        run(command(BASE, "--json", path, **QUICK), stdout=write)
        os.close(write)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(len(json.load(file)["variants"]), 1)

    def test_closed_streams_do_no_harm(self):
        path = self.path("out.json")
        words = command(BASE, "--json", path, **QUICK)
        run(["sh", "-c", '"$@" >&- 2>&- <&-', "sh", *words])
        with open(path, encoding="utf-8") as file:
            self.assertEqual(len(json.load(file)["variants"]), 1)


def child_of(pid):
    """The process that @pid started, or None"""
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):
                with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                    if int(file.read().rsplit(")", 1)[1].split()[1]) == pid:
                        return int(name)
    return None


class Signals(Case):
    def start(self):
        """A run whose variant `endless` runs; its stderr is a terminal"""
        path = self.file("endless.yaml", self.base() + ENDLESS)
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        process = subprocess.Popen(
            command(path, "--json", self.path("out.json")),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave,
            text=True)
        os.close(slave)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.wait_for(master, b"endless:")
        self.master = master
        return process

    def wait_for(self, master, text):
        """Until the progress line says @text"""
        end = time.monotonic() + TIMEOUT_S
        seen = b""
        while text not in seen:
            self.assertLess(time.monotonic(), end, seen)
            if select.select([master], [], [], 1)[0]:
                seen += os.read(master, 4096)

    def variants(self):
        with open(self.path("out.json"), encoding="utf-8") as file:
            return json.load(file)["variants"]

    def interrupt(self, number):
        process = self.start()
        child = child_of(process.pid)
        self.assertIsNotNone(child)
        process.send_signal(number)
        out, _ = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, 128 + number)
        finished, endless = self.variants()
        self.assertGreater(finished["iops"], 0)
        self.assertEqual(finished["verdicts"], [])
        self.assertIn("interrupted", endless["failure"])
        self.assertIn(finished["digest"], out)
        self.assertFalse(os.path.exists(f"/proc/{child}"))

    def test_interrupt_leaves_the_finished_variants(self):
        self.interrupt(signal.SIGINT)

    def test_termination_leaves_the_finished_variants(self):
        self.interrupt(signal.SIGTERM)

    def test_killed_run_is_reported_and_the_next_one_runs(self):
        process = self.start()
        os.kill(child_of(process.pid), signal.SIGKILL)
        out, _ = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, 1)
        finished, endless, last = self.variants()
        self.assertIn("signal 9", endless["failure"])
        self.assertGreater(last["iops"], 0)
        self.assertIn("signal 9", out)
        self.assertIn(finished["digest"], out)

    def test_killed_parent_takes_the_run_with_it(self):
        process = self.start()
        child = child_of(process.pid)
        process.kill()
        process.wait()
        end = time.monotonic() + TIMEOUT_S
        while self.runs(child):
            self.assertLess(time.monotonic(), end)
            time.sleep(.01)

    def runs(self, pid):
        """Nobody may be there to collect it: a zombie does not run."""
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
        except OSError:
            return False


class Program(unittest.TestCase):
    def test_help_of_run_fits_a_terminal(self):
        done = run([VBLKSIM, "run", "--help"])
        self.assertEqual(done.returncode, 0)
        for line in done.stdout.split("\n"):
            self.assertLessEqual(len(line), 80, line)


if __name__ == "__main__":
    unittest.main()
