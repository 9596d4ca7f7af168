# SPDX-License-Identifier: GPL-2.0-only
"""tools/calibrate: what it finds, what it refuses, what it writes."""

import importlib.machinery
import importlib.util
import math
import os
import pty
import random
import re
import signal
import subprocess
import sys
import unittest

from simulate import (BASE, SANITIZED, SOURCE, TIMEOUT_S, VBLKSIM, run,
                      simulate)
from test_run_errors import Case

TOOL = os.path.join(SOURCE, "tools", "calibrate")
ROUND = os.path.join(os.path.dirname(BASE), "machines", "round.yaml")


def load_tool():
    loader = importlib.machinery.SourceFileLoader("calibrate", TOOL)
    spec = importlib.util.spec_from_loader("calibrate", loader)
    module = importlib.util.module_from_spec(spec)
    keep, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = keep
    return module


calibrate = load_tool()

# One request at a time and a store without chance: latency is a sum of
# constants, so there is one answer.
SCENARIO = """
name: small
machine: round
vcpus: 1
device: {store: {type: queue, parallelism: 4, latency: {dist: constant, mean: 5us}}}
job: {rw: randread, bs: 4k, iodepth: 1, ramp_time: 1ms, runtime: 10ms}
variants:
  - {name: user, set: {device.iothread: off, device.ioeventfd: off}}
  - {name: kernel, set: {device.iothread: on, device.ioeventfd: on}}
expect:
  - variant: user
    record: {file: records.csv, series: small, variant: user}
    iops: 1 %
    lat: 0.5 %
  - variant: kernel
    record: {file: records.csv, series: small, variant: kernel}
    iops: 1 %
    lat: 0.5 %
    change: {against: user, within: 5 points}
"""
FREE = "exit_user,wake=iothread_wake+halt_wake"
# What a fit with FREE has to find: 7 us, and 0.6 times what round.yaml has
TRUE = {"exit_user": 7, "iothread_wake": 3, "halt_wake": 3}


class Fit(Case):
    def setUp(self):
        super().setUp()
        # a folder of its own, so that --write can be tried
        os.unlink(self.path("machines"))
        os.mkdir(self.path("machines"))
        with open(ROUND, encoding="utf-8") as file:
            self.profile(file.read())
        self.scenario = self.file("small.yaml", SCENARIO)
        self.records(TRUE)

    def profile(self, text):
        return self.file("machines/round.yaml", text)

    def profile_text(self):
        with open(self.path("machines/round.yaml"), encoding="utf-8",
                  newline="") as file:
            return file.read()

    def records(self, costs):
        """Record what a machine with @costs gives."""
        words = []
        for name, value in costs.items():
            words += ["--cost", f"{name}={value}us"]
        lines = ["series,variant,iops,lat_us"]
        for name, v in simulate(self, self.scenario, *words).items():
            lines.append(f"small,{name},{v['iops']:.4f},"
                         f"{v['job']['lat_ns']['mean'] / 1e3:.6f}")
        self.file("records.csv", "\n".join(lines) + "\n")

    def words(self, *words, machine="round"):
        return [sys.executable, TOOL, "--vblksim", VBLKSIM, "--machine",
                machine, *words]

    def fit(self, code, *words, **options):
        done = run(self.words(*words, **options))
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def fitted(self, text):
        """{constant: value} of the table"""
        return {name: float(value) for name, value in re.findall(
            r"^  (\w+) +[0-9.]+ +([0-9.]+) +[0-9.]+ +us ", text, re.M)}


# The tool is the same there, and many runs take minutes.
@unittest.skipIf(SANITIZED, "slow")
class Recovery(Fit):
    def near(self, found, costs, within):
        self.assertEqual(set(found), set(costs))
        for name, value in costs.items():
            self.assertLess(abs(found[name] / value - 1), within,
                            (name, found))

    def test_constants_behind_the_figures_are_found(self):
        done = self.fit(0, self.scenario, "--free", FREE)
        self.near(self.fitted(done.stdout), TRUE, 0.01)
        self.assertEqual(done.stderr, "")
        self.assertNotIn("MISSED", done.stdout)

    def test_they_are_found_with_short_runs(self):
        done = self.fit(0, self.scenario, "--free", FREE, "--set",
                        "job.runtime=1ms")
        self.near(self.fitted(done.stdout), TRUE, 0.015)
        self.assertIn("in the search's runs", done.stdout)

    def test_they_are_found_from_far_away(self):
        costs = {"exit_user": 1.2, "iothread_wake": 18, "halt_wake": 18}
        self.records(costs)
        done = self.fit(0, self.scenario, "--free", FREE)
        self.near(self.fitted(done.stdout), costs, 0.02)

    def test_a_constant_that_was_0_is_found(self):
        self.profile(self.profile_text().replace(
            "exit_user: {value: 4,", "exit_user: {value: 0,"))
        done = self.fit(0, self.scenario, "--free",
                        "exit_user[1:20],wake=iothread_wake+halt_wake")
        self.near(self.fitted(done.stdout), TRUE, 0.015)

    def test_bounds_hold_and_are_told(self):
        self.records({"exit_user": 7})
        done = self.fit(1, self.scenario, "--free", "exit_user[3:5]")
        self.assertEqual(self.fitted(done.stdout), {"exit_user": 5})
        self.assertIn("at its bound", done.stdout)
        self.records({"iothread_wake": 3, "halt_wake": 3})
        done = self.fit(1, self.scenario, "--free",
                        "wake=iothread_wake+halt_wake[0.9:2]")
        self.near(self.fitted(done.stdout),
                  {"iothread_wake": 4.5, "halt_wake": 4.5}, 1e-9)

    def test_met_figures_are_left_alone(self):
        self.records({})
        before = self.profile_text()
        done = self.fit(0, self.scenario, "--free", FREE, "--write")
        self.assertIn("Nothing better than the present values", done.stdout)
        self.assertEqual(self.profile_text(), before)

    def test_what_is_worse_than_0_is_not_taken(self):
        self.profile(self.profile_text().replace(
            "exit_user: {value: 4,", "exit_user: {value: 0,"))
        self.records({"exit_user": 0})
        before = self.profile_text()
        done = self.fit(0, self.scenario, "--free", "exit_user[2:20]",
                        "--write")
        self.assertIn("Nothing better", done.stdout)
        self.assertEqual(self.profile_text(), before)

    def test_jobs_do_not_change_the_result(self):
        outputs = {self.fit(0, self.scenario, "--free", FREE, "--evals", "30",
                            "--jobs", jobs).stdout for jobs in ("1", "2", "5")}
        self.assertEqual(len(outputs), 1)

    def test_evals_bound_the_search(self):
        done = self.fit(1, self.scenario, "--free", FREE, "--evals", "1")
        self.assertIn("Nothing better", done.stdout)

    def test_what_is_proposed_can_be_tried(self):
        done = self.fit(0, self.scenario, "--free", FREE)
        costs = re.findall(r"--cost (\w+)='([^']*)'", done.stdout)
        words = []
        for name, value in costs:
            words += ["--cost", f"{name}={value}"]
        self.assertEqual(len(costs), 3)
        done = run([VBLKSIM, "check", self.scenario, *words])
        self.assertEqual(done.returncode, 0, done.stdout)


class Sensitivity(Fit):
    def rows(self, text):
        return {name: [float(x) for x in numbers.split()]
                for name, numbers in re.findall(
                    r"^  (\w+)((?: +[+-][0-9.]+)+)$", text, re.M)}

    def test_slopes_are_those_of_the_latency(self):
        done = self.fit(0, self.scenario, "--sensitivity", "--free",
                        "exit_user,mmio_posted")
        rows = self.rows(done.stdout)
        figures = simulate(self, self.scenario)
        # One exit for each I/O of `user`, none of the other variant. The way
        # back, half of it, is made while the store works.
        share = 4000 / 2 / figures["user"]["job"]["lat_ns"]["mean"]
        self.assertAlmostEqual(rows["exit_user"][1], share, delta=0.005)
        self.assertEqual(rows["exit_user"][3], 0)
        self.assertEqual(rows["mmio_posted"], [0] * 5)
        self.assertIn("moves no figure, so cannot be fitted to them: "
                      "mmio_posted\n", done.stdout)

    def test_what_cannot_be_told_apart_is_named(self):
        self.profile(re.sub(r"(dev_pop|dev_complete): \{value: \d+, unit: \w+",
                            r"\1: {value: 3, unit: us", self.profile_text()))
        done = self.fit(0, self.scenario, "--sensitivity", "--free",
                        "exit_user,dev_pop,dev_complete")
        self.assertIn("these figures cannot tell apart: dev_pop, "
                      "dev_complete\n", done.stdout)

    def test_all_shows_each_constant_once(self):
        done = self.fit(0, self.scenario, "--sensitivity", "--all", "--free",
                        "wake=iothread_wake+halt_wake", "--set",
                        "job.runtime=1ms")
        names = list(self.rows(done.stdout))
        self.assertEqual(names[0], "wake")
        # Of nothing there is no percentage.
        self.assertEqual(sorted(names[1:] + ["dev_submit_kib"]),
                         sorted(calibrate.constants_of(VBLKSIM)))
        self.fit(0, self.scenario, "--sensitivity", "--all", "--set",
                 "job.runtime=1ms")

    def test_dependent_figures_are_told(self):
        done = self.fit(1, self.scenario, "--free",
                        FREE + ",dev_pop,dev_complete", "--evals", "1",
                        "--set", "job.runtime=1ms")
        self.assertIn("4 of 5 figures are independent", done.stdout)


class Refusals(Fit):
    def told(self, *words, says, **options):
        done = self.fit(2, *words, **options)
        self.assertEqual(done.stdout, "")
        self.assertIn(says, done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_as_many_constants_as_figures(self):
        five = "exit_user,iothread_wake,halt_wake,dev_pop,dev_complete"
        self.told(self.scenario, "--free", five,
                  says="5 free constants and 5 figures")
        # for a table they may be many
        self.fit(0, self.scenario, "--free", five, "--sensitivity", "--set",
                 "job.runtime=1ms")

    def test_unknown_constants(self):
        self.told(self.scenario, "--free", "exit_usr",
                  says="unknown constant 'exit_usr'; did you mean 'exit_user'?")
        self.told(self.scenario, "--free", "x=exit_user+xyzzy",
                  says="unknown constant 'xyzzy'; see `vblksim help machine`")

    def test_form_of_free(self):
        for text, says in (("exit_user[1:2", "not of the form"),
                           ("exit_user[-1:2]", "not of the form"),
                           ("exit_user[0:2]", "above 0"),
                           ("exit_user[5:2]", "the first is below"),
                           ("exit_user[1.2.3:4]", "could not convert"),
                           ("exit_user[5:6]", "present value 4 us is not"),
                           ("", "not of the form"),
                           ("exit_user,exit_user", "twice"),
                           ("exit_user,x=dev_pop+exit_user", "twice"),
                           ("x=dev_pop+dev_pop", "named twice")):
            self.told(self.scenario, f"--free={text}", says=says)
        self.profile(self.profile_text().replace(
            "exit_user: {value: 4,", "exit_user: {value: 0,"))
        for text in ("exit_user", "x=exit_user+dev_pop[0.5:2]"):
            self.told(self.scenario, "--free", text, says="exit_user is 0")

    def test_nothing_expected(self):
        path = self.file("none.yaml", SCENARIO[:SCENARIO.index("expect:")])
        self.told(self.scenario, path, "--free", "exit_user",
                  says=f"{path}: nothing is expected")

    def test_another_machine(self):
        self.told(self.scenario, "--free", "exit_user", machine="other",
                  says="runs on round, not on other")
        self.file("machines/other.yaml", self.profile_text())
        path = self.file("mixed.yaml", SCENARIO.replace(
            "name: kernel, set: {", "name: kernel, set: {machine: other, "))
        self.told(path, "--free", "exit_user",
                  says="variant kernel runs on other, not on round")

    def test_the_same_name_in_another_folder(self):
        os.makedirs(self.path("deeper/machines"))
        for name in ("machines/round.yaml", "records.csv"):
            with open(self.path(name), encoding="utf-8") as file:
                self.file("deeper/" + name, file.read())
        path = self.file("deeper/small.yaml", SCENARIO)
        self.told(self.scenario, path, "--free", "exit_user",
                  says="its machine is ")

    def test_scenarios_that_cannot_be_run(self):
        self.told(self.path("nowhere.yaml"), "--free", "exit_user",
                  says="No such file")
        self.told(self.folder, "--free", "exit_user", says="is a folder")
        self.told(self.scenario, self.scenario, "--free", "exit_user",
                  says="named twice")
        self.told(self.scenario, "--free", "exit_user", "--set",
                  "job.runtim=1ms", says="did you mean")

    def test_options_that_ask_for_nothing(self):
        self.told(self.scenario, says="--free is needed")
        self.told(self.scenario, "--sensitivity", says="--free is needed")
        self.told(self.scenario, "--free", "exit_user", "--evals", "0",
                  says="at least 1")
        self.told(self.scenario, "--free", "exit_user", "--jobs", "0",
                  says="at least 1")
        self.told(self.scenario, "--free", "exit_user", "--write",
                  "--sensitivity", says="fits nothing")

    def test_inherited_constant_cannot_be_written(self):
        os.rename(self.path("machines/round.yaml"),
                  self.path("machines/parent.yaml"))
        self.profile("inherit: parent\ncosts: {}\n")
        self.told(self.scenario, "--free", "exit_user", "--write",
                  says="exit_user has no entry of its own")


@unittest.skipIf(SANITIZED, "slow")
class Writing(Fit):
    def written(self):
        """The new profile's lines, after a fit that writes"""
        done = self.fit(0, self.scenario, "--free", FREE, "--write")
        self.assertIn("Written: ", done.stdout)
        self.assertEqual(os.listdir(self.path("machines")), ["round.yaml"])
        done = run([VBLKSIM, "check", self.scenario])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return self.profile_text()

    def without(self, text):
        """@text without the lines that a fit may change"""
        text = calibrate.COMMENT.sub("", text)
        return [line for line in text.split("\n")
                if not re.match(r"    (exit_user|iothread_wake|halt_wake):",
                                line)]

    def test_only_fitted_values_and_sources_change(self):
        before = self.profile_text()
        os.chmod(self.path("machines/round.yaml"), 0o640)
        after = self.written()
        self.assertEqual(self.without(before), self.without(after))
        mode = os.stat(self.path("machines/round.yaml")).st_mode
        self.assertEqual(mode & 0o777, 0o640)
        line = next(line for line in after.split("\n")
                    if "    exit_user:" in line)
        self.assertRegex(line, r'^    exit_user: \{value: [67][.0-9]*, '
                         r'unit: us, source: "fitted to records.csv small '
                         r'user \(iops, lat\); records.csv small kernel '
                         r'\(iops, lat, change\) by tools/calibrate; before: '
                         r'4 us, made up for tests"\}$')
        self.assertIn("#   exit_user 4 -> ", after)
        self.assertRegex(after, r"#   small.yaml user, iops: expected \d+, got")
        self.assertEqual(after.count("# Fitted by"), 1)

    def test_a_second_fit_keeps_the_origin(self):
        self.written()
        self.records({"exit_user": 5})
        after = self.written()
        self.assertEqual(after.count("# Fitted by"), 1)
        self.assertEqual(after.count("before: 4 us, made up for tests"), 1)
        self.assertEqual(after.count("before:"), 3)

    def test_other_forms_of_entries_are_understood(self):
        text = self.profile_text()
        text = text.replace(
            '    exit_user: {value: 4, unit: us, source: "made up for tests"}',
            "    # exit_user: {value: 9, unit: us}\n"
            "    exit_user:   # a comment\n"
            "      value: 4   # four\n"
            "      unit: us\n"
            "      source: >-\n"
            "        it's said, exit_user: 5\n"
            "        or more\n\n")
        text = text.replace(
            '    halt_wake: {value: 5, unit: us, source: "made up for tests"}',
            "    halt_wake:\n      {source: 'halt_wake: {value: \"5', "
            "unit: us, value: 5}")
        text = text.replace(
            '    iothread_wake: {value: 5, unit: us, source: "made up for tests"}',
            "    iothread_wake: {value: 5, unit: us,\n"
            "                    source: plain \"text\" here}  # end")
        self.profile(text)
        after = self.written()
        self.assertIn("    # exit_user: {value: 9, unit: us}\n", after)
        self.assertIn("    exit_user:   # a comment\n", after)
        self.assertRegex(after, r"      value: [67][.0-9]*   # four\n")
        self.assertRegex(after, r"unit: us, value: [23][.0-9]*\}\n")
        self.assertIn('}  # end\n', after)
        done = run([VBLKSIM, "help", "machine",
                    self.path("machines/round.yaml")])
        for source in ("4 us, it's said, exit_user: 5 or more\n",
                       "5 us, halt_wake: {value: \"5\n",
                       "5 us, plain \"text\" here\n"):
            self.assertIn("before: " + source, done.stdout)

    def test_a_link_stays_one(self):
        os.rename(self.path("machines/round.yaml"), self.path("real.yaml"))
        os.symlink("../real.yaml", self.path("machines/round.yaml"))
        before = self.profile_text()
        self.fit(0, self.scenario, "--free", FREE, "--write")
        self.assertTrue(os.path.islink(self.path("machines/round.yaml")))
        self.assertNotEqual(self.profile_text(), before)

    def test_a_profile_that_would_be_wrong_is_not_written(self):
        path = self.path("machines/round.yaml")
        before = self.profile_text()
        costs = {name: {"value": "1"}
                 for name in calibrate.constants_of(VBLKSIM)}
        for text in (before, "nonsense"):
            with self.assertRaises(calibrate.Failure):
                calibrate.write_profile(VBLKSIM, path, text, costs, {})
        self.assertEqual(self.profile_text(), before)
        self.assertEqual(os.listdir(self.path("machines")), ["round.yaml"])


class Interrupted(Fit):
    def test_the_best_so_far_is_printed_and_nothing_written(self):
        # Long enough to be interrupted wherever it runs
        self.file("small.yaml", SCENARIO.replace("runtime: 10ms",
                                                 "runtime: 200ms"))
        before = self.profile_text()
        controller, terminal = pty.openpty()
        self.addCleanup(os.close, controller)
        with subprocess.Popen(
                self.words(self.scenario, "--free", FREE, "--write",
                           "--evals", "100000"),
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=terminal, text=True) as process:
            os.close(terminal)
            told = b""
            while b" 5 of" not in told and b" 6 of" not in told:
                told += os.read(controller, 4096)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, 130, out)
        self.assertIn("Interrupted. The best so far", out)
        self.assertIn("--cost exit_user=", out)
        self.assertIn(b"tolerances off", told)
        self.assertEqual(self.profile_text(), before)


class Optimiser(unittest.TestCase):
    def least(self, function, start, low, high, evals, enough=0):
        self.calls = []

        def evaluate(wanted, maybe):
            for point in [*wanted, *maybe]:
                for x, a, b in zip(point, low, high):
                    self.assertTrue(a <= x <= b)
            self.calls += wanted
            return [function(point) for point in wanted]

        found = calibrate.Search(evaluate, low, high, evals).run(
            start, 0.25, enough)
        self.assertLessEqual(len(self.calls), evals)
        self.assertEqual(len(set(self.calls)), len(self.calls))
        self.assertEqual(found[0], min(map(function, self.calls)))
        return found

    def near(self, found, point, within=0.01):
        for x, y in zip(found[1], point):
            self.assertLess(abs(x - y), within, found)

    def test_valley_is_followed(self):
        def valley(p):
            return 100 * (p[1] - p[0] ** 2) ** 2 + (1 - p[0]) ** 2
        self.near(self.least(valley, (-1.2, 1.0), (-2, -2), (2, 2), 400),
                  (1, 1), 0.03)

    def test_correlated_bowl_in_five_dimensions(self):
        goal = (0.3, -0.5, 0.8, 0.1, -0.9)

        def bowl(p):
            d = [x - y for x, y in zip(p, goal)]
            return (sum(d) ** 2 + sum((i + 1) * x * x
                                      for i, x in enumerate(d)))
        self.near(self.least(bowl, (0.0,) * 5, (-1.4,) * 5, (1.4,) * 5, 600),
                  goal, 0.02)

    def test_end_at_a_bound(self):
        self.near(self.least(lambda p: (p[0] - 3) ** 2 + (p[1] + 0.2) ** 2,
                             (0.0, 0.0), (-1, -1), (1, 1), 200),
                  (1, -0.2))
        self.near(self.least(lambda p: (p[0] - 3) ** 2, (1.0,), (-1,), (1,),
                             50), (1,))

    def test_another_valley_is_tried_when_the_first_is_not_enough(self):
        def two(p):
            near = 1 + (p[0] + 1) ** 2 + p[1] ** 2
            far = 5 * ((p[0] - 1) ** 2 + (p[1] - 0.5) ** 2)
            return min(near, far)
        start, low, high = (-1.0, 0.1), (-1.4, -1.4), (1.4, 1.4)
        self.near(self.least(two, start, low, high, 300, 0.5), (1, 0.5), 0.02)
        self.near(self.least(two, start, low, high, 300, 2), (-1, 0), 0.02)

    def test_noise_does_not_lead_far_away(self):
        noise = random.Random(1)
        table = {}

        def noisy(p):
            cell = tuple(round(x, 3) for x in p)
            return (table.setdefault(cell, noise.random() * 0.002)
                    + (p[0] - 0.4) ** 2 + (p[1] + 0.3) ** 2)
        self.near(self.least(noisy, (0.0, 0.0), (-1, -1), (1, 1), 200),
                  (0.4, -0.3), 0.08)

    def test_no_numbers_are_avoided(self):
        def cliff(p):
            return math.inf if p[0] > 0.5 else (p[0] - 0.6) ** 2
        self.assertLess(abs(self.least(cliff, (0.0,), (-1,), (1,),
                                       100)[1][0] - 0.5), 0.01)
        self.assertEqual(self.least(lambda p: math.inf, (0.0,), (-1,), (1,),
                                    40)[0], math.inf)

    def test_rank_counts_what_is_independent(self):
        self.assertEqual(calibrate.rank([[1, 0], [0, 1], [1, -1]]), 2)
        self.assertEqual(calibrate.rank([[1, -1, 0], [0, 1, -1],
                                         [1, 0, -1]]), 2)
        self.assertEqual(calibrate.rank([[1, -1], [0, 1]]), 2)
        self.assertEqual(calibrate.rank([]), 0)

    def test_numbers_have_four_digits_and_no_exponent(self):
        for value, text in ((45678.9, "45680"), (4.4, "4.4"),
                            (0.000123456, "0.000123"), (99999, "100000"),
                            (1234567, "1235000"), (9.9999, "10"),
                            (100, "100"), (0.5, "0.5")):
            self.assertEqual(calibrate.number(value), text)


if __name__ == "__main__":
    unittest.main()
