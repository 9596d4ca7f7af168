# SPDX-License-Identifier: GPL-2.0-only
"""vblksim check: recorded figures against real runs."""

import json
import os
import random
import unittest
import xml.etree.ElementTree

from simulate import NOTIFY, SOURCE, VBLKSIM, one, run, simulate
from test_run_errors import Case

SCENARIO = """
name: small
machine: round
vcpus: 1
device: {store: {type: queue, parallelism: 4, latency: {dist: constant, mean: 50us}}}
job: {rw: randread, bs: 4k, iodepth: 2, ramp_time: 0, runtime: 1ms}
variants:
  - {name: shallow, set: {job.iodepth: 1}}
  - {name: deep, set: {job.iodepth: 4}}
"""
EXPECT = """
expect:
  - variant: shallow
    record: {file: records.csv, series: small, depth: 1}
    iops: 5 %
    lat: 5 %
  - variant: deep
    record: {file: records.csv, series: small, depth: 4}
    iops: 5 %
    change: {against: shallow, within: 5 %}
"""
RECORDS = '''# made up for tests
series,source,depth,iops,lat_us
small,"one, ""two""",1,IOPS1,LAT1
small,"one, ""two""",4,IOPS4,
small,,8,many,-3
small,,16,1.23456789,
small,,32,99999999999999999999,
'''


class Check(Case):
    figures = None

    def setUp(self):
        super().setUp()
        if not Check.figures:
            path = self.file("plain.yaml", SCENARIO)
            Check.figures = simulate(self, path)
            os.unlink(path)
        self.records(RECORDS)

    def records(self, text):
        shallow, deep = (self.figures[name] for name in ("shallow", "deep"))
        text = text.replace("IOPS1", f"{shallow['iops']:.3f}")
        text = text.replace("LAT1", f"{shallow['job']['lat_ns']['mean'] / 1e3:.3f}")
        return self.file("records.csv",
                         text.replace("IOPS4", f"{deep['iops']:.3f}"))

    def scenario(self, expect, name="small.yaml"):
        return self.file(name, SCENARIO + expect)

    def check(self, code, *words):
        done = run([VBLKSIM, "check", *words])
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def cases(self, text):
        """{(suite, case): outcome} of a document that counts rightly"""
        suites = xml.etree.ElementTree.fromstring(text)
        self.assertEqual(suites.tag, "testsuites")
        found = {}
        for suite in suites:
            for case in suite:
                self.assertEqual(case.get("classname"), suite.get("name"))
                found[suite.get("name"), case.get("name")] = (
                    case[0].tag if len(case) else "ok")
            self.counts(suite, len(suite))
        self.counts(suites, sum(len(suite) for suite in suites))
        return found

    def counts(self, node, tests):
        self.assertEqual(int(node.get("tests")), tests)
        for name, plural in (("failure", "failures"), ("error", "errors"),
                             ("skipped", "skipped")):
            self.assertEqual(int(node.get(plural)),
                             len(list(node.iter(name))))


class Figures(Check):
    def test_recorded_figures_are_met(self):
        done = self.check(0, self.scenario(EXPECT))
        self.assertEqual(done.stderr, "")
        self.assertIn("1 scenario checked, 4 figures: 4 ok, 0 missed",
                      done.stdout)
        self.assertIn("iops against shallow", done.stdout)
        self.assertNotIn("MISSED", done.stdout)

    def test_published_figures_are_met(self):
        done = self.check(0, NOTIFY)
        self.assertIn("3 figures: 3 ok, 0 missed", done.stdout)

    def test_missed_figure_is_named(self):
        path = self.scenario(EXPECT)
        self.records(RECORDS.replace("IOPS4", "12345"))
        junit = self.path("junit.xml")
        done = self.check(1, path, "--junit", junit)
        self.assertIn("4 figures: 2 ok, 2 missed", done.stdout)
        self.assertEqual(done.stdout.count("MISSED"), 2)
        with open(junit, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(self.cases(text), {
            (path, "shallow: iops"): "ok",
            (path, "shallow: lat"): "ok",
            (path, "deep: iops"): "failure",
            (path, "deep: iops against shallow"): "failure"})
        self.assertIn("expected 12345, got ", text)

    def test_tolerance_decides(self):
        iops = self.figures["deep"]["iops"]
        self.records(RECORDS.replace("IOPS4", f"{iops / 1.03:.3f}"))
        for tolerance, code in (("3.1 %", 0), ("2.9 %", 1), ("2.9%", 1)):
            self.check(code, self.scenario(EXPECT.replace(
                "depth: 4}\n    iops: 5 %", "depth: 4}\n    iops: "
                + tolerance)))

    def xfail(self, recorded, why="iops: no reason"):
        """@recorded IOPS of `deep`, which @why says are missed"""
        self.records(RECORDS.replace("IOPS4", recorded))
        return self.scenario(EXPECT.replace(
            "    change: {", f"    xfail: {{{why}}}\n    change: {{"))

    def test_miss_that_is_stated_is_shown_and_does_not_count(self):
        path = self.xfail("12345", "iops: too deep, change: too deep")
        done = self.check(0, path)
        self.assertIn("4 figures: 2 ok, 0 missed, 2 xfail", done.stdout)
        self.assertIn("xfail deep iops, deep iops against shallow: too deep\n",
                      done.stdout)
        self.assertNotIn("MISSED", done.stdout)
        cases = self.cases(self.check(0, path, "--junit", "-").stdout)
        self.assertEqual(cases[path, "deep: iops"], "skipped")
        figures = json.loads(self.check(0, path, "--json", "-").stdout)[
            "scenarios"][0]["figures"]
        self.assertEqual([f.get("xfail") for f in figures],
                         [None, None, "too deep", "too deep"])
        self.assertFalse(figures[2]["ok"])

    def test_only_the_stated_miss_does_not_count(self):
        done = self.check(1, self.xfail("12345"))
        self.assertIn("4 figures: 2 ok, 1 missed, 1 xfail", done.stdout)

    def test_stated_miss_that_is_met_is_told(self):
        done = self.check(0, self.xfail("IOPS4"))
        self.assertIn("ok, not xfail\n", done.stdout)
        self.assertIn("4 figures: 4 ok, 0 missed\n", done.stdout)

    def test_no_numbers_is_a_miss_whatever_is_stated(self):
        path = self.xfail("IOPS4", "iops: why, change: why")
        done = self.check(1, path, "--set", "device.store.latency.mean=1s")
        self.assertIn("MISSED", done.stdout)

    def test_points_are_of_the_change(self):
        shallow, deep = (self.figures[name]["iops"]
                         for name in ("shallow", "deep"))
        # recorded: three points less than it will be
        recorded = shallow * (deep / shallow - .03)
        self.records(RECORDS.replace("IOPS4", f"{recorded:.3f}"))
        for points, code in (("3.1 points", 0), ("2.9 points", 1)):
            done = self.check(code, self.scenario(EXPECT.replace(
                "within: 5 %", f"within: {points}")))
            self.assertIn("+3.00 points", done.stdout)

    def test_later_entry_can_be_compared_with(self):
        self.check(0, self.scenario("""
expect:
  - variant: deep
    record: {file: records.csv, depth: 4}
    change: {against: shallow, within: 1 point}
  - variant: shallow
    record: {file: records.csv, depth: 1}
    lat: 0.1 %
"""))

    def test_interrupts_per_io(self):
        shallow = self.figures["shallow"]
        per_io = shallow["interrupts"]["delivered"] / shallow["ios"]
        expect = """
expect:
  - variant: shallow
    record: {file: records.csv, depth: 1}
    irq_per_io: 1 %
"""
        for recorded, code in ((per_io * 1.009, 0), (per_io * 1.02, 1)):
            self.file("records.csv",
                      f"depth,irq_per_io\n1,{recorded:.6f}\n")
            done = self.check(code, self.scenario(expect))
            self.assertIn("interrupts per I/O", done.stdout)

    def test_digest_does_not_change(self):
        plain = simulate(self, self.file("plain.yaml", SCENARIO))
        expecting = simulate(self, self.scenario(EXPECT))
        for name, variant in plain.items():
            for key in ("digest", "config_hash"):
                self.assertEqual(variant[key], expecting[name][key])

    def test_run_needs_no_records(self):
        os.unlink(self.path("records.csv"))
        one(self, self.scenario(EXPECT), "--variant", "deep")

    def test_same_input_gives_the_same_output(self):
        words = self.scenario(EXPECT), "--junit", "-"
        self.assertEqual(self.check(0, *words).stdout,
                         self.check(0, *words).stdout)

    def test_set_and_seed_reach_the_runs(self):
        path = self.scenario(EXPECT)
        self.check(0, path, "--seed", "7")
        self.check(1, path, "--set", "job.iodepth=2")
        self.check(2, path, "--set", "job.iodepht=2")
        self.check(2, path, "--seed", "seven")

    def test_no_numbers_is_a_miss(self):
        done = self.check(1, self.scenario(EXPECT), "--set",
                          "device.store.latency.mean=1s")
        self.assertIn("MISSED", done.stdout)


class Paths(Check):
    def test_folder_means_its_scenarios_by_name(self):
        os.mkdir(self.path("deeper"))
        self.file("deeper/bad.yaml", "nonsense")
        self.file("notes.txt", "nonsense")
        self.scenario(EXPECT, "b.yaml")
        self.scenario(EXPECT, "a.yaml")
        self.scenario("", "c.yaml")
        done = self.check(0, self.folder)
        heads = [line for line in done.stdout.split("\n")
                 if line.startswith(self.folder)]
        self.assertEqual(heads, [self.path("a.yaml"), self.path("b.yaml"),
                                 self.path("c.yaml") + ": nothing expected"])
        self.assertIn("2 scenarios checked", done.stdout)
        self.assertIn("1 expecting nothing", done.stdout)

    def test_others_are_checked_after_a_mistake(self):
        bad = self.scenario(EXPECT.replace("depth: 1", "depth: 3"), "a.yaml")
        good = self.scenario(EXPECT, "b.yaml")
        done = self.check(2, self.folder, "--junit", self.path("j.xml"))
        self.assertIn("1 scenario checked", done.stdout)
        self.assertIn("1 refused", done.stdout)
        with open(self.path("j.xml"), encoding="utf-8") as file:
            cases = self.cases(file.read())
        self.assertEqual(cases[bad, "scenario"], "error")
        self.assertEqual(cases[good, "deep: iops"], "ok")

    def test_mistake_counts_more_than_a_miss(self):
        missed = self.scenario(EXPECT, "a.yaml")
        bad = self.file("b.yaml", "nonsense")
        words = "--set", "job.iodepth=2"
        self.check(1, missed, *words)
        self.check(2, missed, bad, *words)
        self.check(2, bad, missed, *words)

    def test_what_is_not_there_is_refused(self):
        done = self.check(2, self.path("none.yaml"))
        self.assertIn("No such file", done.stderr)
        os.mkdir(self.path("empty"))
        done = self.check(2, self.path("empty"))
        self.assertIn("no *.yaml in this folder", done.stderr)
        done = self.check(2)
        self.assertIn("no scenario given", done.stderr)


class Failures(Check):
    def test_refused_driver_is_an_error_and_the_others_count(self):
        path = self.scenario(EXPECT.replace("5 %", "500 %"))
        done = self.check(2, path, "--junit", "-", "--set",
                          "driver.params.queue_depth=many")
        self.assertIn("queue_depth", done.stderr)
        cases = self.cases(done.stdout)
        self.assertEqual(cases[path, "deep: failed"], "error")
        self.assertEqual(cases[path, "deep: iops"], "failure")

    def test_crash_is_an_error(self):
        driver = self.path("crash.c")
        with open(os.path.join(SOURCE, "driver", "virtio_blk.c"),
                  encoding="utf-8") as file:
            source = file.read()
        at = source.index("static blk_status_t vblk_queue_rq(")
        first = "\tstruct request *req = bd->rq;\n"
        at = source.index(first, at) + len(first)
        self.file("crash.c", source[:at] +
                  "\tint nothing __maybe_unused = *(volatile int *)16;\n"
                  + source[at:])
        path = self.scenario(EXPECT)
        done = self.check(1, path, "--junit", "-", "--set",
                          f"driver.source={driver}")
        self.assertEqual(self.cases(done.stdout)[path, "deep: failed"],
                         "error")
        self.assertIn("deep failed: ", done.stderr)


class Junit(Check):
    def test_dash_is_standard_output_and_nothing_else(self):
        done = self.check(0, self.scenario(EXPECT), "--junit", "-")
        self.assertEqual(len(self.cases(done.stdout)), 4)

    def test_names_are_escaped(self):
        name = "a&b<c>\"d'e\n\tf\u00e4\u20ac.yaml"
        path = self.scenario(EXPECT, name)
        done = self.check(0, path, "--junit", "-")
        self.assertIn((path, "deep: iops"), self.cases(done.stdout))

    def test_what_xml_cannot_hold_is_replaced(self):
        for odd in (b"\x01", b"\x7f", b"\xff", b"\xc3", b"\xc0\x80",
                    b"\xed\xa0\x80", b"\xef\xbf\xbf", b"\xf4\x90\x80\x80"):
            path = os.fsencode(self.folder) + b"/odd" + odd + b".yaml"
            with open(path, "wb") as file:
                file.write((SCENARIO + EXPECT).encode())
            done = self.check(0, path, "--junit", "-")
            suite, _ = next(iter(self.cases(done.stdout)))
            self.assertRegex(suite, r"/odd\?+\.yaml$")

    def test_file_that_cannot_be_written_is_reported(self):
        path = self.path("none/junit.xml")
        done = self.check(2, self.scenario(EXPECT), "--junit", path)
        self.assertIn("No such file", done.stderr)
        os.symlink("/dev/full", self.path("full"))
        done = self.check(1, self.scenario(EXPECT), "--junit",
                          self.path("full"))
        self.assertIn("No space left", done.stderr)

    def test_old_file_is_replaced(self):
        path = self.file("junit.xml", "old")
        self.check(0, self.scenario(EXPECT), "--junit", path)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(len(self.cases(file.read())), 4)
        self.assertFalse([name for name in os.listdir(self.folder)
                          if name.startswith("junit.xml.")])


class Mistakes(Check):
    def told(self, old, new, mark, *texts, run_too=True):
        """EXPECT with @new for the first @old: told where @mark stands"""
        path = self.scenario(EXPECT.replace(old, new, 1))
        lines = (SCENARIO + EXPECT.replace(old, new, 1)).split("\n")
        number = next(i for i, line in enumerate(lines)
                      if mark in line and i > SCENARIO.count("\n"))
        column = lines[number].index(mark) + 1
        place = f"{path}:{number + 1}:{column}: "
        for verb in ("check", "run") if run_too else ("check",):
            done = run([VBLKSIM, verb, path])
            self.assertEqual(done.returncode, 2, done.stdout)
            for text in (place, lines[number], *texts):
                self.assertIn(text, done.stderr)

    def told_of_record(self, old, new, mark, *texts):
        """The same of what only the record's file shows"""
        self.told(old, new, mark, *texts, run_too=False)

    def test_unknown_key(self):
        self.told("lat: 5", "lta: 5", "lta:", "did you mean 'lat'?")
        self.told("record: ", "reckord: ", "reckord",
                  "did you mean 'record'?")
        self.told("against: ", "agianst: ", "agianst",
                  "did you mean 'against'?")
        self.told("expect:", "expekt:", "expekt", "did you mean 'expect'?")

    def test_unknown_variant(self):
        self.told("variant: deep", "variant: deeq", "deeq",
                  "did you mean 'deep'?")
        self.told("against: shallow", "against: shalow", "shalow",
                  "did you mean 'shallow'?")

    def test_variant_against_itself_or_without_an_entry(self):
        self.told("against: shallow", "against: deep", "deep, within",
                  "the variant itself")
        self.told(EXPECT[EXPECT.index("  - variant: shallow"):
                         EXPECT.index("  - variant: deep")], "",
                  "5 %}", "'shallow' has no entry")

    def test_second_entry(self):
        path = self.scenario(EXPECT.replace("variant: deep",
                                            "variant: shallow"))
        self.assertIn("a second entry for variant 'shallow'",
                      self.check(2, path).stderr)

    def test_tolerance(self):
        for text in ("0 %", "-5 %", "0.0 %", "5", "%", "five %", "5 %%",
                     "1001 %", "1e1 %", "5 percent", "0.0001 %",
                     "99999999999999999999 %", "1.2.3 %"):
            self.told("lat: 5 %", f"lat: '{text}'", f"'{text}'",
                      "tolerance", "above 0")
        self.told("lat: 5 %", "lat: 5 points", "5 points", "use %")

    def test_xfail(self):
        def told(new, mark, *texts):
            self.told("lat: 5 %", "lat: 5 %\n    xfail: " + new, mark, *texts)
        told("{lta: why}", "lta", "did you mean 'lat'?")
        told("{change: why}", "change: why", "expects no change")
        told("{lat: [why]}", "[why]", "a value is needed")
        told("why", "why", "a map is needed", "xfail: {iops: WHY}")

    def test_form(self):
        self.told("lat: 5 %", "lat: [5]", "[5]", "a value is needed")
        self.told("record: {file: records.csv, series: small, depth: 1}",
                  "record: records.csv", "records.csv",
                  "a record is a map with a file")
        self.told("{against: shallow, within: 5 %}", "5 %  # x", "5 %  # x",
                  "a map is needed, not a value")
        self.told(", within: 5 %", "", "{against", "'within' is missing")
        for text in ("expect: 5", "expect: []", "expect: [5]",
                     "expect: [{variant: deep}]", "expect: [{}]",
                     "expect: [{variant: deep, record: {file: x.csv}}]"):
            self.check(2, self.scenario(text))

    def test_unknown_file(self):
        self.told_of_record("records.csv", "recrods.csv", "recrods.csv",
                            self.path("recrods.csv"), "No such file")

    def test_unknown_column(self):
        self.told_of_record("series: ", "serise: ", "serise",
                            "did you mean 'series'?")
        self.records("name\nsmall\n")
        self.told_of_record("series: small, depth: 1", "name: small",
                            "5 %", "has no column 'iops'")

    def test_no_row(self):
        self.told_of_record("series: small", "series: smal", "smal,",
                            "did you mean 'small'?")
        self.told_of_record("depth: 1}", "depth: 1, source: ''}", "{file",
                            "no row of", "has all of these")

    def test_several_rows(self):
        self.told_of_record(", depth: 1", "", "{file",
                            "in lines 3 and 4; they differ in depth: "
                            "'1', '4'")
        self.records(RECORDS + "small,,8,many,-3\n")
        self.told_of_record("depth: 1", "depth: 8", "{file",
                            "equal ones in lines 5 and 8")

    def test_empty_cell(self):
        self.told_of_record("depth: 4}\n    iops: 5 %",
                            "depth: 4}\n    lat: 6 %", "6 %",
                            "lat_us is empty", "records.csv:4")

    def test_bad_number(self):
        records = self.path("records.csv")
        for depth, line, column in ((8, 5, 10), (16, 6, 11), (32, 7, 11)):
            path = self.scenario(EXPECT.replace("depth: 4",
                                                f"depth: {depth}"))
            done = self.check(2, path)
            self.assertIn(f"{records}:{line}:{column}: iops: ", done.stderr)
            self.assertIn("is not a number above 0", done.stderr)

    def test_bad_csv(self):
        records = self.records(RECORDS + 'x,"\n')
        done = self.check(2, self.scenario(EXPECT))
        self.assertIn(f"{records}:8:3: this quote is not closed", done.stderr)
        self.records(RECORDS + "x,y\n")
        done = self.check(2, self.scenario(EXPECT))
        self.assertIn(f"{records}:8:1: a row of 2 cells", done.stderr)
        self.assertEqual(done.stderr.count("a row of 2 cells"), 1)


def mutated(random_, text):
    """@text with a few bytes or pieces changed"""
    data = bytearray(text.encode())
    for _ in range(random_.randint(1, 4)):
        at = random_.randrange(len(data))
        action = random_.randrange(4)
        if action == 0:
            data[at] = random_.randrange(256)
        elif action == 1:
            del data[at:at + random_.randint(1, 12)]
        elif action == 2:
            data[at:at] = random_.choice(
                (b'"', b",", b"\n", b"{", b"}", b":", b"%", b"#", b"\r",
                 b"\0", b"0", b"9" * 30, b"-", b"x" * 1100, b"- "))
        else:
            data[at:at] = data[at:at + random_.randint(1, 40)]
    return bytes(data)


class Mutations(Check):
    def test_mutations_crash_nothing(self):
        random_ = random.Random(1)
        with open(self.path("records.csv"), encoding="utf-8") as file:
            records = file.read()
        codes = {0: 0, 1: 0, 2: 0}
        for i in range(300):
            scenario, table = EXPECT.encode(), records.encode()
            if i % 2:
                scenario = mutated(random_, EXPECT)
            else:
                table = mutated(random_, records)
            with open(self.path("records.csv"), "wb") as file:
                file.write(table)
            with open(self.path("small.yaml"), "wb") as file:
                file.write(SCENARIO.encode() + scenario)
            done = run([VBLKSIM, "check", self.path("small.yaml"),
                        "--junit", "-"], errors="replace")
            with self.subTest(i=i, scenario=scenario, table=table):
                self.assertIn(done.returncode, codes, done.stderr)
                self.assertEqual(done.returncode == 2, bool(done.stderr))
                self.cases(done.stdout)
            codes[done.returncode] += 1
        self.assertGreater(codes[0], 0)
        self.assertGreater(codes[2], 100)


class Help(unittest.TestCase):
    def test_help_of_check_fits_a_terminal(self):
        done = run([VBLKSIM, "check", "--help"])
        self.assertEqual(done.returncode, 0)
        self.assertIn("--junit FILE", done.stdout)
        for line in done.stdout.split("\n"):
            self.assertLessEqual(len(line), 80, line)

    def test_help_lists_check(self):
        self.assertIn("vblksim check PATH...",
                      run([VBLKSIM, "help"]).stdout)
        self.assertIn("  expect ", run([VBLKSIM, "help", "scenario"]).stdout)


class Repository(Case):
    def test_scenarios_meet_what_they_expect(self):
        done = run([VBLKSIM, "check", os.path.join(SOURCE, "scenarios")])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn(" 0 ok", done.stdout)


if __name__ == "__main__":
    unittest.main()
