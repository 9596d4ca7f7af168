# SPDX-License-Identifier: GPL-2.0-only
"""Drivers from source: build-driver, run --driver, and what is refused."""

import contextlib
import hashlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from simulate import BASE, SOURCE, VBLKSIM, command, one, run, simulate

BLK = os.path.join(SOURCE, "driver", "virtio_blk.c")
RING = os.path.join(SOURCE, "driver", "virtio_ring.c")
RING_HEADER = os.path.join(SOURCE, "driver", "virtio_ring_impl.h")
# All that the bundled ring is made of, in this order.
BUNDLED_RING = [os.path.join(SOURCE, "driver", name)
                for name in ("virtio_ring.c", "virtio_ring_split.c",
                             "virtio_ring_packed.c", "virtio_ring_impl.h")]
LOCAL = re.compile(r'^\s*#\s*include\s*"(.*)".*\n', re.M)
BAD = os.path.join(SOURCE, "tests", "harness", "data", "drivers")
KERNELS = os.path.join(SOURCE, "cache", "drivers")
SHORT = {"job__runtime": "1ms", "job__ramp_time": "0"}


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def ring_in_one_file():
    """The bundled ring as one source that needs no header of its own"""
    text = "".join(map(read, [RING_HEADER] + BUNDLED_RING[:-1]))
    return LOCAL.sub("", text)


class Case(unittest.TestCase):
    """Each test has an empty folder, and in it cache and temporary files."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.cache = self.path("cache")
        self.tmp = self.path("tmp")
        os.mkdir(self.tmp)
        old = dict(os.environ)
        self.addCleanup(os.environ.update, old)
        self.addCleanup(os.environ.clear)
        os.environ["XDG_CACHE_HOME"] = self.cache
        os.environ["TMPDIR"] = self.tmp

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def write(self, name, text):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def copy(self, source, *parts):
        path = self.path(*parts)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return shutil.copyfile(source, path)

    def ring(self, *parts):
        return self.write(os.path.join(*parts), ring_in_one_file())

    def build(self, *words, code=0, output="out.so", **options):
        done = run([VBLKSIM, "build-driver", *words, "-o", self.path(output)],
                   **options)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(os.listdir(self.tmp), [])
        return done

    def built(self, *words, **options):
        """The bytes of what is built"""
        output = options.setdefault("output", "out.so")
        self.build(*words, **options)
        with open(self.path(output), "rb") as file:
            return file.read()

    def bad(self, name, *texts, words=()):
        done = self.build(os.path.join(BAD, name), *words, code=2)
        for text in texts:
            self.assertIn(text, done.stderr)
        self.assertFalse(os.path.exists(self.path("out.so")))
        return done.stderr

    def cached(self):
        folder = os.path.join(self.cache, "vblksim", "drivers")
        return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


class Refused(Case):
    def test_missing_header_is_named_with_near_ones(self):
        text = self.bad("missing_header.c", "missing_header.c:3:",
                        "no header <linux/virtio_blkk.h>; near names: "
                        "<linux/virtio_blk.h>")
        self.assertNotIn(self.tmp, text)

    def test_libc_header_is_explained(self):
        self.bad("libc_header.c", "no header <stdio.h>",
                 "kernel's headers only")

    def test_unknown_functions_are_named_with_the_nearest(self):
        self.bad("unknown_function.c",
                 "no function or macro 'blk_mq_start_requests'; "
                 "did you mean 'blk_mq_start_request'?",
                 "no function or macro 'blk_mq_no_such_thing_at_all'\n")

    def test_errors_are_those_of_the_nearest_profile(self):
        self.bad("no_profile.c", "does not compile", "no_profile.c:6:",
                 "undeclared_name")

    def test_functions_from_elsewhere_are_not_bound(self):
        self.bad("undefined.c",
                 "no function 'blk_mq_start_requst'; did you mean "
                 "'blk_mq_start_request'?",
                 "uses 'sim_yield', which is the simulator's own",
                 "uses 'puts' of the C library",
                 "uses 'strlen' of the C library")

    def test_source_without_module_init(self):
        self.bad("no_init.c", "no module_init()")

    def test_source_without_virtio_driver(self):
        self.bad("no_virtio.c", "does not call register_virtio_driver()")

    def test_ring_that_is_none(self):
        self.bad("no_virtio.c", "has no ring: vring_create_virtqueue",
                 words=[os.path.join(BAD, "no_init.c")])

    def test_two_rings(self):
        self.bad("own_ring.c", "has the ring's functions itself: leave ",
                 words=[RING])

    def test_driver_for_another_device(self):
        done = run(command(BASE, "--driver",
                           os.path.join(BAD, "other_device.c")))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("VIRTIO_ID_BLOCK", done.stdout + done.stderr)

    def test_unreadable_sources(self):
        os.mkfifo(self.path("fifo.c"))
        os.mkdir(self.path("folder.c"))
        for name, why in (("none.c", "No such file"), ("fifo.c", "not a file"),
                          ("folder.c", "s a directory")):
            done = self.build(self.path(name), code=2)
            self.assertIn(f"{name}: cannot be read: ", done.stderr)
            self.assertIn(why, done.stderr)
            done = self.build(BLK, self.path(name), code=2)
            self.assertIn(f"{name}: cannot be read: ", done.stderr)
            done = run(command(BASE, "--driver", self.path(name)))
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"{name}: cannot be read: ", done.stderr)

    def test_source_is_never_the_output(self):
        source = self.copy(BLK, "virtio_blk.c")
        os.symlink(source, self.path("link.so"))
        for output in ("virtio_blk.c", "link.so"):
            done = self.build(source, output=output, code=2)
            self.assertIn("nothing was written", done.stderr)
            self.assertEqual(sha256(source), sha256(BLK))

    def test_output_that_cannot_be_written(self):
        done = self.build(BLK, output="no/such/out.so", code=2)
        self.assertIn("cannot be written: No such file", done.stderr)

    def test_unknown_profile_lists_the_known(self):
        done = self.build(BLK, "--profile", "6.13", code=2)
        self.assertIn("no profile '6.13'", done.stderr)
        self.assertIn("6.12", done.stderr)

    def test_command_line(self):
        for words, text in (([], "no source given"),
                            (["a.c", "b.c", "c.c", "-o", "x"], "at most two"),
                            (["a.c"], "-o FILE is missing"),
                            (["a.c", "-o"], "-o needs a value"),
                            (["a.c", "--profli=x"],
                             "did you mean '--profile'")):
            done = run([VBLKSIM, "build-driver", *words])
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(text, done.stderr)

    def test_all_is_refused_before_the_first_run(self):
        scenario = self.write("late.yaml", "\n".join((
            "name: late", "machine: arm64-2014", "variants:",
            "  - {name: first, set: {job.number_ios: 1}}",
            "  - {name: second, set: {driver.source: gone.c}}", "")))
        done = run(command(scenario))
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        self.assertIn(self.path("gone.c") + ": cannot be read", done.stderr)


class Objects(Case):
    """Shared objects that are given instead of a source"""

    def refused(self, path, *texts, words=()):
        done = run(command(BASE, "--driver", path, *words))
        self.assertEqual(done.returncode, 2, done.stderr)
        for text in texts:
            self.assertIn(text, done.stderr)

    def compile(self, text, *flags):
        source = self.write("foreign.c", text)
        path = self.path("foreign.so")
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", path, source,
                        *flags], check=True)
        return path

    def test_libraries_are_refused(self):
        self.refused(self.compile("int x;\n", "-Wl,--no-as-needed"),
                     "asks for the library libc.so.6")

    def test_libc_is_refused(self):
        path = self.compile("int puts(const char *);\n"
                            "int f(void) { return puts(\"\"); }\n",
                            "-nostdlib")
        self.refused(path, "uses 'puts' of the C library")

    def test_names_that_would_lose_are_refused(self):
        path = self.compile("void kfree(void *p) {}\n", "-nostdlib")
        self.refused(path, "defines 'kfree', which the simulator has, too")

    def test_damaged_files_are_refused(self):
        whole = self.built(BLK)
        path = self.path("cut.so")
        for bytes_nr in (4, 63, 64, 1000, len(whole) // 2, len(whole) - 1):
            with open(path, "wb") as file:
                file.write(whole[:bytes_nr])
            self.refused(path, "cut.so: ")

    def test_other_files_are_refused(self):
        self.refused(self.path("none.so"), "none.so: cannot be read")
        self.refused(self.write("text.so", "text"), "neither C source")
        self.refused(VBLKSIM, "library")

    def test_ring_beside_a_built_driver_is_refused(self):
        self.build(BLK)
        self.refused(self.path("out.so"), "has its ring inside",
                     words=["--ring", RING])

    def test_undescribed_driver_is_unknown(self):
        self.build(BLK)
        path = self.path("out.so")
        with open(path, "rb") as file:
            data = file.read()
        name = b"vblksim_driver_description"
        with open(path, "wb") as file:
            file.write(data.replace(name, name.upper()))
        driver = one(self, BASE, "--driver", path, **SHORT)["driver"]
        self.assertEqual(driver["source"], path)
        for key in ("source_hash", "ring", "ring_hash", "profile",
                    "ring_profile", "compiler", "flags"):
            self.assertEqual(driver[key], "unknown", key)


class Same(Case):
    """The same bytes from the same sources, wherever"""

    def test_two_folders_and_no_folder_make_the_same_bytes(self):
        first = self.built(self.copy(BLK, "a", "virtio_blk.c"),
                           self.ring("a", "virtio_ring.c"))
        shutil.rmtree(self.cache)
        os.environ["TMPDIR"] = self.tmp = self.path("other tmp=x")
        os.mkdir(self.tmp)
        second = self.built(self.copy(BLK, "b c", "virtio_blk.c"),
                            self.ring("d", "e", "virtio_ring.c"))
        self.assertEqual(first, second)
        os.chdir(self.path("a"))
        shutil.rmtree(self.cache)
        self.assertEqual(first, self.built("virtio_blk.c", "virtio_ring.c"))
        self.assertNotIn(self.folder.encode(), first)

    def test_environment_does_not_matter(self):
        first = self.built(BLK)
        shutil.rmtree(self.cache)
        trap = self.write("trap/linux/module.h", "#error environment\n")
        os.environ.update(LC_ALL="C.UTF-8", SOURCE_DATE_EPOCH="77",
                          CPATH=os.path.dirname(os.path.dirname(trap)),
                          GCC_COLORS="error=01;31")
        self.assertEqual(first, self.built(BLK))

    def test_names_of_any_kind(self):
        first = self.built(self.copy(BLK, "plain", "x_y.c"))
        for name in ("x;y.c", "x'y.c", 'x"y.c', "x\ny.c", "x$y.c"):
            path = self.copy(BLK, "dir " + name[1:-2], name)
            self.assertEqual(self.built(path), first, name)
            self.assertEqual(sha256(path), sha256(BLK))

    def test_symbolic_link(self):
        os.symlink(BLK, self.path("virtio_blk.c"))
        self.assertEqual(self.built(self.path("virtio_blk.c")),
                         self.built(BLK))
        self.assertTrue(os.path.islink(self.path("virtio_blk.c")))

    def test_run_does_what_the_bundled_driver_does(self):
        bundled = one(self, BASE, **SHORT)
        source = one(self, BASE, "--driver", BLK, **SHORT)
        self.build(BLK)
        built = one(self, BASE, "--driver", self.path("out.so"), **SHORT)
        for v in (source, built):
            self.assertEqual(v["digest"], bundled["digest"])
            for key in ("source_hash", "ring_hash", "profile", "compiler",
                        "flags"):
                self.assertEqual(v["driver"][key], bundled["driver"][key])
        self.assertEqual(source["driver"]["source_hash"], sha256(BLK))
        self.assertEqual(source["driver"]["ring"], "bundled")
        self.assertEqual(built["driver"]["ring"], "virtio_ring.c")

    def test_hash_of_the_bundled_ring_is_of_all_its_files(self):
        lines = "".join(sha256(path) + "\n" for path in BUNDLED_RING)
        v = one(self, BASE, "--driver", BLK, **SHORT)
        self.assertEqual(v["driver"]["ring_hash"],
                         hashlib.sha256(lines.encode()).hexdigest())
        folder = os.path.dirname(RING)
        self.assertEqual({os.path.join(folder, name)
                          for name in os.listdir(folder)
                          if name.startswith("virtio_ring")},
                         set(BUNDLED_RING))
        for path in BUNDLED_RING + [BLK]:
            self.assertLessEqual(set(LOCAL.findall(read(path))),
                                 {os.path.basename(RING_HEADER)}, path)

    def test_run_with_odd_names(self):
        path = self.copy(BLK, "a: b", "it's \"x\"; #y\n.c")
        v = one(self, BASE, "--driver", path, **SHORT)
        self.assertEqual(v["driver"]["source"], path)
        os.chdir(os.path.dirname(path))
        again = one(self, BASE, "--driver", os.path.basename(path), **SHORT)
        self.assertEqual(v["digest"], again["digest"])
        self.assertEqual(again["driver"]["source"], path)


class Parts(Case):
    def test_bundled_driver_with_another_ring(self):
        ring = self.ring("my_ring.c")
        with open(ring, "a", encoding="utf-8") as file:
            file.write("/* changed */\n")
        v = one(self, BASE, "--ring", ring, **SHORT)
        self.assertEqual(v["driver"]["source"], "bundled")
        self.assertEqual(v["driver"]["ring"], ring)
        self.assertEqual(v["driver"]["ring_hash"], sha256(ring))
        self.assertEqual(v["driver"]["source_hash"], sha256(BLK))

    def test_one_file_of_the_bundled_ring_is_not_a_ring(self):
        done = self.build(BLK, RING, code=2)
        self.assertIn("the guest kernel has no function", done.stderr)

    def test_source_with_a_ring_of_its_own(self):
        v = one(self, BASE, "--driver", os.path.join(BAD, "own_ring.c"),
                **SHORT)
        self.assertEqual(v["driver"]["ring"], "")
        self.assertEqual(v["driver"]["ring_hash"], "")

    def test_paths_of_a_scenario_begin_at_the_scenario(self):
        self.copy(BLK, "drivers", "mine.c")
        scenario = self.copy(BASE, "mine.yaml")
        with open(scenario, "a", encoding="utf-8") as file:
            file.write("driver: {source: drivers/mine.c}\n")
        shutil.copytree(os.path.join(os.path.dirname(BASE), "machines"),
                        self.path("machines"))
        v = one(self, scenario, **SHORT)
        self.assertEqual(v["driver"]["source"], "drivers/mine.c")

    def test_variants_may_have_different_drivers(self):
        scenario = self.copy(BASE, "two.yaml")
        shutil.copytree(os.path.join(os.path.dirname(BASE), "machines"),
                        self.path("machines"))
        with open(scenario, "a", encoding="utf-8") as file:
            file.write("variants:\n"
                       "  - {name: a}\n"
                       f"  - {{name: b, set: {{driver.source: {BLK}}}}}\n")
        variants = simulate(self, scenario, **SHORT)
        self.assertEqual(variants["a"]["digest"], variants["b"]["digest"])

    def test_copies_that_the_compiler_makes_stay_inside(self):
        data = self.built(os.path.join(BAD, "large_copy.c"))
        self.assertIn(b"large_copy", data)


class Cache(Case):
    def test_second_build_needs_no_compiler(self):
        first = self.built(BLK)
        self.assertEqual(len(self.cached()), 1)
        done = self.build(BLK, "-v")
        self.assertNotIn("virtio_blk.c", done.stderr)
        self.assertEqual(self.built(BLK), first)
        self.assertEqual(len(self.cached()), 1)

    def test_every_difference_is_another_driver(self):
        self.build(BLK)
        changed = self.copy(BLK, "virtio_blk.c")
        with open(changed, "a", encoding="utf-8") as file:
            file.write("/* */\n")
        self.build(changed)
        self.assertEqual(len(self.cached()), 2)
        self.build(self.copy(BLK, "other_name.c"))
        self.assertEqual(len(self.cached()), 3)
        self.build(BLK, changed, code=2)
        self.assertEqual(len(self.cached()), 3)
        self.build(BLK, self.ring("ring2.c"))
        self.assertEqual(len(self.cached()), 4)
        self.build(BLK, "--profile", "6.12")
        self.assertEqual(len(self.cached()), 5)

    def test_local_headers_are_not_cached(self):
        self.write("extra.h", "/* one */\n")
        with open(BLK, encoding="utf-8") as file:
            text = file.read()
        source = self.write("local.c", "#include \"extra.h\"\n" + text)
        self.build(source)
        self.assertEqual(self.cached(), [])
        self.write("extra.h", "#error two\n")
        self.assertIn("two", self.build(source, code=2).stderr)

    def test_damaged_entry_is_made_anew(self):
        first = self.built(BLK)
        entry = os.path.join(self.cache, "vblksim", "drivers",
                             self.cached()[0])
        for data in (b"", b"nonsense", first[:5000]):
            with open(entry, "wb") as file:
                file.write(data)
            self.assertEqual(self.built(BLK), first)

    @contextlib.contextmanager
    def no_cache(self):
        """A home that nothing can be written to, even by root"""
        home = self.write("home", "a file")
        del os.environ["XDG_CACHE_HOME"]
        os.environ["HOME"] = home
        yield

    def test_without_a_home_it_works(self):
        first = self.built(BLK)
        with self.no_cache():
            self.assertEqual(self.built(BLK), first)
            v = one(self, BASE, "--driver", BLK, **SHORT)
            self.assertEqual(v["driver"]["source_hash"], sha256(BLK))
            self.assertEqual(os.listdir(self.tmp), [])
            del os.environ["HOME"]
            self.assertEqual(self.built(BLK), first)

    def test_concurrent_builds(self):
        processes = [subprocess.Popen(
            [VBLKSIM, "build-driver", BLK, "-o", self.path(f"{i % 2}.so")],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            for i in range(6)]
        for process in processes:
            _, text = process.communicate()
            self.assertEqual(process.returncode, 0, text)
        self.assertEqual(len(self.cached()), 1)
        with open(self.path("0.so"), "rb") as a:
            with open(self.path("1.so"), "rb") as b:
                self.assertEqual(a.read(), b.read())

    def test_bad_temporary_folder_is_named(self):
        os.environ["TMPDIR"] = self.path("none")
        done = run([VBLKSIM, "build-driver", BLK, "-o", self.path("x.so")])
        self.assertEqual(done.returncode, 2)
        self.assertIn(self.path("none"), done.stderr)
        self.assertIn("TMPDIR", done.stderr)


class Signals(Case):
    def test_nothing_is_left_after_a_signal(self):
        # long enough to be met: a compiler that computes
        source = self.write("slow.c", "#define A(x) x x x x x x x x\n"
                            "#define B(x) A(A(A(A(x))))\n"
                            "#include <linux/module.h>\n"
                            "int f(int i) { B(A(A(i += i * 3;))) return i; }\n")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = subprocess.Popen(
                [VBLKSIM, "build-driver", source, "-o", self.path("x.so")],
                stderr=subprocess.PIPE)
            limit = time.monotonic() + 60
            while not any("blk" in os.listdir(os.path.join(self.tmp, d))
                          for d in os.listdir(self.tmp)):
                self.assertLess(time.monotonic(), limit)
                time.sleep(0.01)
            process.send_signal(number)
            process.communicate()
            self.assertEqual(process.returncode, -number)
            self.assertEqual(os.listdir(self.tmp), [])
        self.assertEqual(self.cached(), [])


class Words(Case):
    def test_keep_says_where(self):
        done = run([VBLKSIM, "build-driver", BLK, "-o", self.path("x.so"),
                    "--keep"])
        self.assertEqual(done.returncode, 0, done.stderr)
        kept = done.stderr.split("kept ")[1].strip()
        self.assertEqual(sha256(os.path.join(kept, "blk", "virtio_blk.c")),
                         sha256(BLK))
        self.assertEqual(os.stat(kept).st_mode & 0o777, 0o700)

    def test_verbose_shows_commands(self):
        done = self.build(BLK, "-v")
        self.assertIn("-fsanitize=thread", done.stderr)
        self.assertIn("-Wl,-Bsymbolic", done.stderr)

    def test_success_says_what_was_built(self):
        done = self.build(BLK)
        self.assertIn("virtio_blk.c " + sha256(BLK)[:12], done.stdout)
        self.assertEqual(done.stderr, "")


class Kernel(Case):
    """Debian's own files, if tools/fetch-drivers has brought them"""

    def files(self, version):
        folder = os.path.join(KERNELS, version)
        paths = [os.path.join(folder, name)
                 for name in ("virtio_blk.c", "virtio_ring.c")]
        if not all(map(os.path.exists, paths)):
            self.skipTest("tools/fetch-drivers has not run")
        return paths

    def check(self, version):
        blk, ring = self.files(version)
        before = sha256(blk), sha256(ring)
        done = self.build(blk, ring)
        self.assertEqual(done.stdout.count(f"profile {version}"), 2)
        self.assertEqual((sha256(blk), sha256(ring)), before)
        done = self.build(blk)
        self.assertIn(f"profile {version}", done.stdout)

    def test_6_12_builds(self):
        self.check("6.12")

    def test_6_1_builds(self):
        self.check("6.1")

    def test_6_12_runs(self):
        blk, ring = self.files("6.12")
        one(self, BASE, "--driver", blk, "--ring", ring, **SHORT)

    def test_6_1_runs(self):
        blk, ring = self.files("6.1")
        one(self, BASE, "--driver", blk, "--ring", ring, **SHORT)


if __name__ == "__main__":
    unittest.main()
