#!/usr/bin/env python3
"""mutate_test.py PROJECT WORK: the mutants of lines, and a whole run on a project of one source."""

import json
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

project, work = Path(sys.argv[1]), Path(sys.argv[2])
sys.path.insert(0, str(project / "tools/mutate"))
from mutants import Mutant, applied, mutants_of  # noqa: E402
from related_tests import filter_of, related, suites_of  # noqa: E402


def changes(line):
    return {(mutant.kind, mutant.after) for mutant in mutants_of("a.cpp", line)}


class Mutants(unittest.TestCase):
    def test_operators_between_blanks(self):
        self.assertEqual(changes("  return a < b && c == d;"),
                         {("relation", "  return a <= b && c == d;"), ("relation", "  return a < b && c != d;"),
                          ("logic", "  return a < b || c == d;")})

    def test_constants_arguments_and_deleted_statements(self):
        self.assertEqual(changes("  put(left, right);"), {("arguments", "  put(right, left);"), ("deletion", ";")})
        self.assertEqual(changes("  rows = 16;"), {("constant", "  rows = 17;"), ("deletion", ";")})

    def test_conditions(self):
        self.assertIn(("condition", "  if (!(empty)) return;"), changes("  if (empty) return;"))

    def test_nothing_in_text_comments_and_declarations(self):
        for line in ['  say("a < b && 3");', "  // a < b", "#if A == 2", "template <int n = 3>", "using A = std::array<int, 4>;",
                     "static_assert(a == 3);"]:
            self.assertLessEqual({kind for kind, _ in changes(line)}, {"deletion"}, line)

    def test_are_applied_to_their_line_alone(self):
        self.assertEqual(applied("a\nb < c\n", Mutant("x", 2, "relation", "b < c", "b <= c")), "a\nb <= c\n")
        with self.assertRaises(AssertionError):
            applied("a\nb\n", Mutant("x", 2, "relation", "b < c", "b <= c"))


SOURCE = """int tested(int a) {
  if (a > 3) return 1;
  return a * 2;
}
int forgotten(int a) {
  return a + 5;
}
"""
MAIN = "int tested(int);\nint main() { return !(tested(4) == 1 && tested(3) == 6 && tested(2) == 4); }\n"
STEPS = """{"kernel": [{"name": "build", "seconds": 60, "keeps": "a.*", "run": "g++ kernel/a.cpp tests/main.cpp -o a.out"},
            {"name": "tests", "seconds": 5, "run": "./a.out"}]}"""


class WholeRun(unittest.TestCase):
    def setUp(self):
        self.sample = work / "sample"
        shutil.rmtree(self.sample, ignore_errors=True)
        for name, text in {"kernel/a.cpp": SOURCE, "tests/main.cpp": MAIN, "tools/mutate/steps.json": STEPS, "tools/mutate/equivalent.txt": "# none\n",
                           ".gitignore": "build\n"}.items():
            (self.sample / name).parent.mkdir(parents=True, exist_ok=True)
            (self.sample / name).write_text(text)
        subprocess.run(["git", "init", "-q", self.sample], check=True)

    def mutate(self, *arguments):
        return subprocess.run([sys.executable, project / "tools/mutate/mutate.py", "--project", self.sample, *arguments],
                              capture_output=True, text=True)

    def test_names_what_nothing_notices(self):
        ran = self.mutate("--count", "100")
        self.assertEqual(ran.returncode, 1, ran.stderr)
        self.assertIn("survived: kernel/a.cpp:6 (arithmetic)\n  - return a + 5;\n  + return a - 5;", ran.stdout)
        self.assertNotIn("survived: kernel/a.cpp:2", ran.stdout)
        self.assertIn("killed by tests", ran.stdout)
        self.assertEqual((self.sample / "kernel/a.cpp").read_text(), SOURCE)
        self.assertEqual(self.mutate("--count", "100").stdout.split("results:")[1], ran.stdout.split("results:")[1])

    def test_draws_no_proven_equivalents(self):
        (self.sample / "tools/mutate/equivalent.txt").write_text(
            "kernel/a.cpp: return a + 5; -> return a - 5;\n  no caller\nkernel/a.cpp: return a + 5; -> return a + 6;\n  no caller\n")
        ran = self.mutate("kernel", "--count", "100")
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertIn("2 known to be equivalent", ran.stdout)

    def test_tries_survivors_again(self):
        ran = self.mutate("--count", "100", "--through", "build")
        self.assertNotIn("killed by", ran.stdout)
        self.assertIn("survived: kernel/a.cpp:2", ran.stdout)
        # A line that moves is found, one that is changed is gone.
        (self.sample / "kernel/a.cpp").write_text("// moved\n" + SOURCE.replace("a + 5", "a"))
        again = self.mutate("--survivors", "--from", "tests")
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
        self.assertIn("killed by tests", again.stdout)
        self.assertIn("2 no longer in the code", again.stdout)
        self.assertIn("kernel/a.cpp:3 condition", again.stdout)

    def test_names_the_steps_there_are(self):
        ran = self.mutate("--through", "test")
        self.assertEqual(ran.returncode, 2)
        self.assertIn("--through test: the steps are build, tests", ran.stderr)

    def test_survivors_need_an_earlier_run(self):
        ran = self.mutate("--survivors")
        self.assertEqual(ran.returncode, 2)
        self.assertIn("--survivors: no mutants were tried before", ran.stderr)

    def test_keeps_what_each_mutant_is_built_into(self):
        ran = self.mutate("--count", "3", "--libraries")
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        folders = sorted((self.sample / "build/mutate/libraries").iterdir())
        self.assertEqual([folder.name for folder in folders], ["000", "001", "002"])
        abouts = [json.loads((folder / "mutant.json").read_text()) for folder in folders]
        self.assertEqual(len({(about["line"], about["after"]) for about in abouts}), 3)
        for about in abouts:
            self.assertEqual((about["path"], about["before"]), ("kernel/a.cpp", SOURCE.split("\n")[about["line"] - 1].strip()))
        programs = {(folder / "a.out").read_bytes() for folder in folders}
        self.assertEqual(len(programs), 3)
        self.assertEqual((self.sample / "kernel/a.cpp").read_text(), SOURCE)

    def test_refuses_what_it_cannot_change(self):
        ran = self.mutate("kernel/b.cpp")
        self.assertEqual(ran.returncode, 2)
        self.assertIn("kernel/b.cpp is no source below kernel", ran.stderr)
        (self.sample / "tests/main.cpp").write_text("int main() { return 1; }\n")
        ran = self.mutate()
        self.assertEqual(ran.returncode, 2)
        self.assertIn("kernel/ as it is does not pass", ran.stderr)


class RelatedTests(unittest.TestCase):
    def test_are_chosen_by_suite(self):
        work.mkdir(parents=True, exist_ok=True)
        (work / "suites.cpp").write_text("TEST(One, A) {\nTEST(One, B) {\nTEST_P(Two, A) {\n  TEST(No, A)\n")
        self.assertEqual(filter_of(["suites.cpp"], work), "One.*:*/One.*:One/*:Two.*:*/Two.*:Two/*")
        (work / "suites.cpp").write_text("int helper();\n")
        self.assertEqual(suites_of(work / "suites.cpp"), [])

    def test_are_of_the_folder_or_speak_of_the_source(self):
        files = {"kernel/api/a.cpp": "aclError aclRun(int a) {", "kernel/cube/b.cpp": "", "kernel/other/c.cpp": "",
                 "tests/kernel/api/one.cpp": "", "tests/kernel/device/two.cpp": "aclRun(3);", "tests/oracle/three.cpp": "",
                 "tests/kernel/device/four.cpp": '#include "kernel/cube/b.h"', "tests/kernel/device/five.cpp": "aclRunAgain(3);"}
        folder = work / "related"
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        device = "tests/kernel/device/"
        pairs = [(Path(name).stem, name) for name in files if name.startswith("tests/")]
        self.assertEqual(related(pairs, "kernel/api/a.cpp", folder), {"two": [device + "two.cpp"], "one": ["tests/kernel/api/one.cpp"]})
        self.assertEqual(related(pairs, "kernel/cube/b.cpp", folder), {"four": [device + "four.cpp"]})
        for source in ("kernel/other/c.cpp", "kernel"):
            self.assertEqual(list(related(pairs, source, folder)), ["one", "two", "four", "five"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
