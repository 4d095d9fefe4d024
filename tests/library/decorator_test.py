"""The decorator in pytest, as in a repository of several files: what it takes, what it gives, and how it fails."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import numpy  # noqa: F401
    import pytest  # noqa: F401
except ImportError as missing:
    print(f"skipped: python3-{missing.name} is not installed")
    sys.exit(77)

# The package with the kernel; the tests' files import this alone.
PACKAGE = """
import numpy
from numpy_gradients import gradients

def right(*operands_and_call):
    assert all(isinstance(array, numpy.ndarray) for array in operands_and_call[:3]), type(operands_and_call[0])
    return gradients(*operands_and_call)

def doubles_bias(grad_output, input, weight, call):
    dx, dw, db = right(grad_output, input, weight, call)
    return dx, dw, None if db is None else 2 * db

def loses_nan(grad_output, input, weight, call):
    clean = [numpy.where(numpy.isfinite(array), array, 0) for array in (grad_output, input, weight)]
    return right(*clean, call)
"""
BEGIN = "import gradproof, kernels, pytest\n"
ALL_FORMS = BEGIN + """
@pytest.fixture
def kernel():
    return kernels.right

@gradproof.gradients(budget="200 cases")
def test_function(grad_output, input, weight, call):
    return kernels.right(grad_output, input, weight, call)

@pytest.mark.parametrize("factor", [1, 2])
@gradproof.gradients(budget="200 cases")
def test_parameter(factor, kernel, dy, x, w, call):
    return [None if g is None else (factor * g).astype(g.dtype) for g in kernel(dy, x, w, call)]

class TestKernel:
    def setup_method(self):
        self.kernel = kernels.right

    @gradproof.gradients(dtypes="float16", budget="200 cases")
    def test_method(self, grad_output, input, weight, call):
        return self.kernel(grad_output, input, weight, call)

    @gradproof.gradients(budget="200 cases")
    def test_fixture(self, grad_output, input, weight, call, kernel):
        return kernel(grad_output, input, weight, call)

    @gradproof.gradients
    def test_wrong(self, grad_output, input, weight, call):
        return kernels.doubles_bias(grad_output, input, weight, call)
"""


class Decorator(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        Path(self.folder.name, "kernels.py").write_text(PACKAGE)

    def tearDown(self):
        self.folder.cleanup()

    def ran(self, *words):
        paths = [str(Path(__file__).parent), self.folder.name, *(path or os.getcwd() for path in sys.path)]
        return subprocess.run([sys.executable, "-m", *words], cwd=self.folder.name, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "COLUMNS": "200"})

    def printed_by(self, text, *words):
        Path(self.folder.name, "test_mine.py").write_text(text)
        return self.ran("pytest", "-q", "-rA", "-p", "gradproof.pytest_plugin", *words, "test_mine.py").stdout

    def test_all_forms(self):
        printed = self.printed_by(ALL_FORMS)
        for claim in (self.takes_functions_methods_fixtures_and_parameters, self.shows_a_finding_first, self.replays_by_pytest):
            with self.subTest(claim.__name__):
                claim(printed)

    def takes_functions_methods_fixtures_and_parameters(self, printed):
        passed = set(re.findall(r"^PASSED test_mine.py::(\S+)", printed, re.M))
        self.assertEqual(passed, {"test_function", "test_parameter[1]", "TestKernel::test_method", "TestKernel::test_fixture"}, printed)
        self.assertIn("2 failed, 4 passed", printed)

    def shows_a_finding_first(self, printed):
        self.assertRegex(printed, r"(?m)^FAILED test_mine.py::TestKernel::test_wrong - AssertionError: gradBias\[0\]: computed \S+ .*exact")
        lines = printed[printed.index("_ TestKernel.test_wrong _"):].splitlines()
        first = next(i for i, line in enumerate(lines) if "gradBias[0]: computed" in line)
        for number, words in ((0, "exact "), (1, "call: grad_output FLOAT"), (2, "diagnosis: gradBias equals the exact result doubled"),
                              (3, "replay: ")):
            self.assertIn(words, lines[first + number])
        self.assertLess(first + 3, 10)

    def replays_by_pytest(self, printed):
        traces = printed[:printed.index("short test summary info")]  # which repeats whole messages where CI is set
        lines = re.findall(r"replay: \S+ -m (pytest \S+)", traces)
        self.assertEqual(lines, ["pytest 'test_mine.py::test_parameter[2]'", "pytest test_mine.py::TestKernel::test_wrong"])
        again = self.ran("pytest", "-q", "test_mine.py::TestKernel::test_wrong")
        self.assertEqual((again.returncode, "1 failed" in again.stdout), (1, True), again.stdout)
        finding, = Path(self.folder.name).glob("gradproof-out/test_mine.TestKernel.test_wrong/findings/*.json")
        replayed = self.ran("gradproof", "replay", str(finding), "test_mine:TestKernel.test_wrong")
        self.assertEqual((replayed.returncode, "1 disagreed" in replayed.stdout), (1, True), replayed.stdout)
        refused = self.ran("gradproof", "replay", str(finding), "test_mine:TestKernel.test_fixture")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("needs what pytest gives it (self, kernel)", refused.stdout)

    def test_what_loses_nan_is_right_unless_special_values_are_judged(self):
        test = "@gradproof.gradients(budget='1200 cases'{})\ndef test_{}(dy, x, w, call):\n    return kernels.loses_nan(dy, x, w, call)\n"
        printed = self.printed_by(BEGIN + test.format("", "default") + test.format(", specials='judged'", "judged"), "--gradproof-seed", "5")
        self.assertIn("PASSED test_mine.py::test_default", printed)
        self.assertIn("special values: not asked (specials='judged')", printed)
        self.assertRegex(printed, r"FAILED test_mine.py::test_judged - AssertionError: grad\w+\[.*expected -?(nan|inf)")

    def test_what_a_function_raises_is_shown_without_lines_of_gradproof(self):
        printed = self.printed_by(BEGIN + "@gradproof.gradients()\ndef test_raises(*operands):\n    kernels.no_such_function()\n")
        self.assertRegex(printed, r"FAILED test_mine.py::test_raises - AssertionError: the function raised AttributeError: .*no_such_function")
        self.assertIn("kernels.no_such_function()", printed)
        self.assertNotIn("_function.py", printed)

    def test_parameters_that_are_none_of_the_four_are_named(self):
        printed = self.printed_by(BEGIN + "@gradproof.gradients()\ndef test_two(dy, x):\n    pass\n")
        self.assertIn("test_two(dy, x): expected the parameters grad_output, input, weight and call", printed)

    def test_without_numpy_the_failure_says_how_to_get_it(self):
        program = ("import gradproof\ndef f(dy, x, w, call):\n    return x.ndim\n"
                   "print(gradproof.verify(f, cases=200).findings[0].reason)\n")
        Path(self.folder.name, "mine.py").write_text(program)
        self.assertIn("has no attribute 'ndim'; it was given gradproof.Tensor, as neither torch nor NumPy is loaded: arrays=\"numpy\"",
                      self.ran("mine").stdout)


if __name__ == "__main__":
    unittest.main()
