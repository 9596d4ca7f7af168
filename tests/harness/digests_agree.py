# SPDX-License-Identifier: GPL-2.0-only
"""Do differently compiled programs simulate the same?

usage: digests_agree.py PROGRAM PROGRAM...

Runs short scenarios with each PROGRAM. Whatever they report has to be equal to
what the first one reports. Exit status 0 if it is, 1 if not.
"""

import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.realpath(__file__))))
NOTIFY = os.path.join(ROOT, "scenarios", "notify-outside-lock.yaml")
BASE = os.path.join(ROOT, "tests", "harness", "data", "run", "base.yaml")
RUNS = (
    (NOTIFY, "--set", "job.ramp_time=5ms", "--set", "job.runtime=20ms"),
    (BASE, "--set", "job.rw=randrw", "--set", "job.verify=on",
     "--set", "job.size=4M", "--set", "device.num-queues=4"),
    (BASE, "--set", "job.bs=64k", "--set", "device.seg-max=3",
     "--set", "job.iodepth=4"),
)


def variants(program, arguments):
    command = [program, "run", *arguments, "--json", "-"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False,
                          stdin=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(f"digests_agree: exit status {done.returncode}: "
                 + " ".join(command))
    return json.loads(done.stdout)["variants"]


def differences(first, other, path=""):
    """Yield (path, value, value) of all that is not equal."""
    if isinstance(first, dict) and isinstance(other, dict):
        for key in [*first, *(key for key in other if key not in first)]:
            yield from differences(first.get(key), other.get(key),
                                   f"{path}.{key}" if path else key)
    elif (isinstance(first, list) and isinstance(other, list)
          and len(first) == len(other)):
        for index, pair in enumerate(zip(first, other)):
            yield from differences(*pair, f"{path}[{index}]")
    elif first != other:
        yield path, first, other


def compare(programs, arguments):
    """True if all of @programs report the same."""
    first = variants(programs[0], arguments)
    same = True
    for program in programs[1:]:
        found = list(differences(first, variants(program, arguments)))
        if not found:
            continue
        same = False
        print(f"{' '.join(arguments)}:\n"
              f"  {program} does not simulate what {programs[0]} does:")
        for path, expected, got in found[:10]:
            print(f"    variants{path}: {got}, not {expected}")
        if len(found) > 10:
            print(f"    and {len(found) - 10} more")
    if same:
        print("digests", *(v["digest"] for v in first), "from all of",
              *programs)
    return same


def main():
    programs = sys.argv[1:]
    if len(programs) < 2:
        sys.exit(__doc__)
    agreed = [compare(programs, arguments) for arguments in RUNS]
    return 0 if all(agreed) else 1


if __name__ == "__main__":
    sys.exit(main())
