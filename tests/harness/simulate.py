# SPDX-License-Identifier: GPL-2.0-only
"""Run the program, and judge every result by what is true of all results."""

import json
import os
import re
import subprocess

VBLKSIM = os.path.abspath(os.environ["VBLKSIM"])
SOURCE = os.path.abspath(os.environ["VBLKSIM_SOURCE_DIR"])
SANITIZED = os.environ.get("VBLKSIM_SANITIZE", "OFF") == "ON"
DATA = os.path.join(SOURCE, "tests", "harness", "data", "run")
BASE = os.path.join(DATA, "base.yaml")
NOTIFY = os.path.join(SOURCE, "scenarios", "notify-outside-lock.yaml")
# Ends a hang; nobody's machine is too slow for it.
TIMEOUT_S = 600
# Longer than any constant of a machine profile that a scenario uses.
EDGE_NS = 50000

STAGES = ("submit_tag", "tag_queue", "queue_avail", "avail_pop", "pop_start",
          "start_done", "done_used", "used_reap", "reap_end")


def command(scenario, *options, **sets):
    """@sets: keys with __ for . and _ for -, as device__queue_size=4"""
    words = [VBLKSIM, "run", scenario, *options]
    for key, value in sets.items():
        words += ["--set", f"{key_of(key)}={value}"]
    return words


def key_of(name):
    """device__queue_size -> device.queue-size"""
    key = name.replace("__", ".")
    if key.startswith("device.") and not key.endswith(
            ("event_idx", "indirect_desc")):
        key = key.replace("_", "-")
    return key


def run(words, **options):
    """@words run to their end: an object with returncode, stdout, stderr"""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.run(words, stdin=subprocess.DEVNULL, text=True,
                          check=False, timeout=TIMEOUT_S, **options)


def simulate(test, scenario, *options, **sets):
    """The variants of a run that has to succeed, by name; each is judged."""
    done = run(command(scenario, "--json", "-", *options, **sets))
    test.assertEqual(done.returncode, 0, done.stderr + done.stdout[:2000])
    variants = json.loads(done.stdout)["variants"]
    for variant in variants:
        with test.subTest(variant=variant["name"], **sets):
            judge(test, variant)
    return {variant["name"]: variant for variant in variants}


def one(test, scenario, *options, **sets):
    """The only variant of a run that has to succeed."""
    variants = simulate(test, scenario, *options, **sets)
    test.assertEqual(len(variants), 1)
    return next(iter(variants.values()))


def per_io(variant, group, name):
    return variant[group][name] / variant["ios"]


def loses_the_disk(config):
    return any(verb in config["events"]
               for verb in ("remove", "rmmod", "unplug"))


def splits(config):
    """Whether an I/O may become several requests at the same time"""
    return config["device.size-max"] != "0" or int(
        config["device.seg-max"]) * 4096 < bytes_of(config["job.bsrange"])


def bytes_of(bsrange):
    """4k-128k -> 131072"""
    number, unit = re.fullmatch(r"(\d+)([kmg]?)",
                                bsrange.split("-")[-1].lower()).groups()
    return int(number) << 10 * " kmg".index(unit or " ")


def judge(test, v):
    test.assertNotIn("failure", v)
    test.assertEqual(v["verdicts"], [])
    test.assertEqual(v["errors"], 0)
    if not loses_the_disk(v["config"]):
        test.assertGreater(v["iops"], 0)
    judge_counts(test, v)
    if v["ios"]:
        judge_latency(test, v)
        judge_job_times(test, v)
    judge_threads(test, v)
    judge_locks(test, v)


def numbers(value):
    if isinstance(value, dict):
        for key, item in value.items():
            if key != "config":
                yield from numbers(item)
    elif isinstance(value, list):
        for item in value:
            yield from numbers(item)
    elif isinstance(value, (int, float)):
        yield value


def judge_counts(test, v):
    for value in numbers(v):
        test.assertGreaterEqual(value, 0)
        test.assertLess(value, 2 ** 63)
    seconds = v["duration_ns"] / 1e9
    test.assertAlmostEqual(v["iops"] * seconds, v["ios"],
                           delta=v["ios"] * 1e-12)
    test.assertAlmostEqual(v["bw_bytes_per_s"] * seconds, v["bytes"],
                           delta=v["bytes"] * 1e-12)
    test.assertLessEqual(v["duration_ns"], v["simulated_ns"])
    exits = v["exits"]["kernel"] + v["exits"]["user"]
    test.assertLessEqual(v["exits"]["locked"], exits)
    for lock in v["locks"]:
        test.assertLessEqual(lock["exits"], exits, lock["name"])


def sum_ps(mean_ns, ios):
    """The integer sum that a mean came from."""
    return round(mean_ns * 1000 * ios)


def judge_latency(test, v):
    lat, ios = v["lat_ns"], v["ios"]
    total_ps = sum_ps(lat["mean"], ios)
    stages_ps = sum(sum_ps(v["stages_ns"][name], ios) for name in STAGES)
    # JSON has 15 digits: exact up to 10^14 ps.
    test.assertAlmostEqual(stages_ps, total_ps, delta=total_ps * 1e-14)
    ranks = ("min", "p50", "p90", "p95", "p99", "p99_9", "p99_99", "max")
    ranked = [lat[rank] for rank in ranks]
    test.assertEqual(ranked, sorted(ranked))
    test.assertLessEqual(lat["min"], lat["mean"])
    test.assertLessEqual(lat["mean"], lat["max"])
    if splits(v["config"]):
        return
    # Each place of the queue is busy at most all the time; what it holds when
    # the window opens began before.
    places = (int(v["config"]["job.iodepth"])
              * int(v["config"]["job.numjobs"]))
    test.assertLessEqual(total_ps, places * 1000 *
                         (v["duration_ns"] + lat["max"]))


def judge_job_times(test, v):
    slat, clat, lat = (v["job"][name] for name in ("slat_ns", "clat_ns",
                                                   "lat_ns"))
    test.assertAlmostEqual(slat["mean"] + clat["mean"], lat["mean"],
                           delta=1e-3 + lat["mean"] * 1e-12)
    test.assertLessEqual(slat["max"], lat["max"])
    test.assertLessEqual(clat["max"], lat["max"])


def judge_threads(test, v):
    vcpus = [t for t in v["threads"] if t["kind"] == "vcpu"]
    test.assertEqual(len(vcpus), int(v["config"]["vcpus"]))
    for thread in v["threads"]:
        # In each moment a thread is in one mode. When the window closes, a
        # thread's clock may be ahead by a piece of work that has no sync
        # inside, as a world switch.
        test.assertAlmostEqual(sum(thread["mode_ns"].values()),
                               v["duration_ns"], delta=EDGE_NS, msg=thread)


def judge_locks(test, v):
    for lock in v["locks"]:
        test.assertLessEqual(lock["contended"], lock["acquired"])
        test.assertLessEqual(lock["wait_max_ns"], lock["wait_ns"])
        test.assertLessEqual(lock["hold_max_ns"], lock["hold_ns"])
