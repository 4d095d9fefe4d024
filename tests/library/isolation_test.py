"""A function in a process of its own: what it does to that is a finding, and the test goes on. Needs Python alone."""
import ctypes
import os
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import gradproof
from gradproof import _tensors


def zeros(grad_output, input, weight, call):
    return [bytes(_tensors.prod(call.shapes[name]) * 4) if asked else None
            for name, asked in zip(call.results, call.output_mask)]


def talks(grad_output, input, weight, call):
    print("a word on the standard output")
    os.write(1, b"and one below Python")
    return zeros(grad_output, input, weight, call)


def crashes(*_):
    ctypes.string_at(0)


def leaves(*_):
    os._exit(5)


def hangs(*_):
    ctypes.CDLL(None).pause()  # code of C that never returns


def stays(*_):
    with open(os.environ["PROCESS_OF_STAYS"], "w") as file:
        file.write(f"{os.getpid()}\n")
    time.sleep(600)


def raises(*_):
    raise RuntimeError("no kernel for this")


def writes(grad_output, input, weight, call):
    weight.data[-1] ^= 1
    return zeros(grad_output, input, weight, call)


def refuses(*_):
    raise gradproof.NotSupported("not today")


def input_of_a_view(grad_output, input, weight, call):
    return input.tobytes(), None, None


def is_running(process):
    """False of one that has ended, whether or not somebody has waited for it."""
    try:
        with open(f"/proc/{process}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(is_so):
    """AssertionError after a minute."""
    for _ in range(600):
        if is_so():
            return
        time.sleep(0.1)
    raise AssertionError("it took more than a minute")


class Isolation(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def report(self, function, **options):
        return gradproof.verify(function, **{"out": self.folder.name, "cases": 300, "findings": 1, "isolate": True, **options})

    def test_a_crash_is_a_finding(self):
        (finding,) = self.report(crashes).findings
        self.assertIn("crash", finding.signature)
        self.assertIn("signal 11", finding.reason)

    def test_an_exit_is_a_finding(self):
        (finding,) = self.report(leaves).findings
        self.assertIn("exit code 5", finding.reason)

    def test_code_of_c_that_hangs_is_a_finding_within_its_time(self):
        (finding,) = self.report(hangs, timeout=0.1, seconds=5).findings
        self.assertIn("timeout", finding.signature)

    def test_a_function_that_hangs_ends_with_the_run_that_was_killed(self):
        noted = os.path.join(self.folder.name, "process")
        run = "import gradproof, isolation_test; gradproof.verify(isolation_test.stays, isolate=True, timeout=600, out=\"out\")"
        paths = os.pathsep.join([os.path.dirname(os.path.abspath(__file__)), *(path or os.getcwd() for path in sys.path)])
        killed = subprocess.Popen([sys.executable, "-c", run], cwd=self.folder.name, env={**os.environ, "PYTHONPATH": paths, "PROCESS_OF_STAYS": noted})
        wait_until(lambda: os.path.exists(noted) and open(noted).read().endswith("\n"))
        function = int(open(noted).read())
        self.assertTrue(is_running(function))
        killed.kill()
        killed.wait()
        wait_until(lambda: not is_running(function))

    def test_what_it_raises_and_changes_is_a_finding(self):
        (finding,) = self.report(raises).findings
        self.assertIn("RuntimeError: no kernel for this", finding.reason)
        with tempfile.TemporaryDirectory() as out:
            (finding,) = self.report(writes, out=out).findings
        self.assertIn("input_changed", finding.signature)

    def test_what_it_refuses_is_none(self):
        report = self.report(refuses)
        self.assertEqual(report.findings, [])
        self.assertGreater(report.summary["skipped"]["not today"], 0)

    def test_what_it_prints_does_not_meet_the_answers(self):
        reasons = {}
        for function in (zeros, talks):
            with tempfile.TemporaryDirectory() as out:
                (finding,) = self.report(function, out=out, seed=3).findings
                reasons[function] = (finding.signature, finding.call.json)
        self.assertEqual(reasons[zeros], reasons[talks])

    def test_the_same_calls_are_asked_as_in_this_process(self):
        outcomes = []
        for isolate in (True, False):
            with tempfile.TemporaryDirectory() as out:
                outcomes.append(self.report(zeros, out=out, isolate=isolate, findings=9, seed=4, cases=200).summary["outcomes"])
        self.assertEqual(*outcomes)

    def test_a_function_that_no_other_process_can_import_is_named(self):
        with self.assertRaisesRegex(gradproof.Error, "another process can import, not .*lambda"):
            gradproof.verify(lambda *_: None, isolate=True, out=self.folder.name)

    def test_a_place_without_a_function_is_named(self):
        with self.assertRaisesRegex(gradproof.Error, "before it greeted"):
            gradproof.Run(pipe=f"{sys.executable} -m gradproof serve isolation_test:nothing 2>/dev/null", out=self.folder.name)

    def test_operands_come_through_the_pipe_as_they_lie_in_memory(self):
        dense = gradproof.case(input=[1, 2, 2], weight=[1, 2, 1], output_mask=(True, False, False))
        line = dense.json.replace('"input":{', '"input":{"strides":[9,1,2],"offset":1,').encode()
        storages = [struct.pack("<2f", 1, 2), struct.pack("<5f", -1, 10, 20, 11, 21), struct.pack("<2f", 3, 4)]
        asked = struct.pack("<7I", 1, 5, 1, 0, 1, 0, len(line)) + bytes(13 * 8 + 6 * 48) + line
        asked += b"".join(struct.pack("<q", len(one)) + one for one in storages)
        words = [sys.executable, "-m", "gradproof", "serve", f"{__file__}:input_of_a_view", "--arrays", "raw"]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}
        answered = subprocess.run(words, input=b"gradproof-pipe 1 views\n" + asked, stdout=subprocess.PIPE, env=environment).stdout
        greeting, _, answer = answered.partition(b"\n")
        self.assertTrue(greeting.startswith(b"gradproof-pipe 1 views "), greeting)
        self.assertEqual(struct.unpack("<2IiI3q4f", answer), (5, 0, 0, 0, -1, -1, -1, 10, 11, 20, 21))

    def test_a_finding_of_an_isolated_test_replays_isolated(self):
        path = os.path.join(self.folder.name, "test_mine.py")
        with open(path, "w") as file:
            file.write("import ctypes, gradproof\n@gradproof.gradients(isolate=True, budget='200 cases', findings=1)\n"
                       "def test_crashes(grad_output, input, weight, call):\n    ctypes.string_at(0)\n")
        words = [sys.executable, "-c", "import test_mine; test_mine.test_crashes()"]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}
        ran = subprocess.run(words, cwd=self.folder.name, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertIn("signal 11", ran.stdout)
        line = next(line for line in ran.stdout.splitlines() if "replay: " in line)
        words = [sys.executable, *line.split("replay: ")[1].split()[1:]]
        ran = subprocess.run(words, cwd=self.folder.name, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertIn("signal 11", ran.stdout)


if __name__ == "__main__":
    unittest.main()
