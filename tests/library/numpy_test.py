"""A NumPy implementation agrees; with a seeded bug it is found, made small and replayed, in pytest as well."""
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

try:
    import numpy
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)
try:
    import pytest
except ImportError:
    pytest = None

import gradproof
from gradproof import _tensors

sys.path.insert(0, str(Path(__file__).parent))
import numpy_gradients

RIGHT = """
import gradproof, numpy
from numpy_gradients import gradients

@gradproof.gradients(dtypes=["FLOAT"], budget="120 cases")
def test_right(grad_output, input, weight, call):
    assert isinstance(input, numpy.ndarray)
    return gradients(grad_output, input, weight, call)
"""
WRONG = """
@gradproof.gradients(dtypes=["FLOAT"], transposed=False, budget="5s", findings=1)
def test_wrong(grad_output, input, weight, call):
    return gradients(grad_output, input, weight, call, dilation=call.stride)
"""


def with_bug(grad_output, input, weight, call):
    return numpy_gradients.gradients(grad_output, input, weight, call, dilation=call.stride)


class NumpyImplementation(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.out = self.folder.name

    def tearDown(self):
        self.folder.cleanup()

    def verified(self, function, **options):
        return gradproof.verify(function, **{"arrays": "numpy", "out": self.out, "seed": 5, "cases": 600, **options})

    def test_agrees_where_it_is_right(self):
        report = self.verified(numpy_gradients.gradients, dtypes=["FLOAT", "FLOAT16"])
        self.assertEqual([str(finding) for finding in report.findings], [])
        self.assertGreater(report.summary["outcomes"]["agree"], 500)

    def test_a_seeded_bug_is_found_and_minimised(self):
        begin = time.monotonic()
        report = self.verified(with_bug, findings=1, seconds=60, transposed=False)
        self.assertLess(time.monotonic() - begin, 60)
        self.assertEqual(len(report.findings), 1)
        finding = report.findings[0]
        self.assertLessEqual(finding.non_zeros, 4)
        self.assertTrue(any("dilation" in sentence for sentence in finding.diagnosis), str(finding))

    def test_a_slip_on_every_axis_is_named_where_the_shrunk_call_has_one(self):
        for seed in (1, 2, 3):
            report = self.verified(with_bug, findings=1, seconds=60, transposed=False, seed=seed, out=f"{self.out}/{seed}")
            diagnosis = report.findings[0].diagnosis
            self.assertTrue(any("taken for dilation" in sentence for sentence in diagnosis), diagnosis)

    def test_a_finding_is_tried_first(self):
        case = self.verified(with_bug, findings=1, transposed=False).findings[0].call
        with gradproof.Run(out=self.out, name="with_bug", cases=1) as run:
            self.assertEqual(run.next().shapes, case.shapes)

    def test_views_share_the_memory_of_their_operand(self):
        tensor = gradproof.Tensor(bytes(28), (1, 2, 2), "FLOAT", (9, 1, 3), 1)
        for array in (numpy.asarray(tensor), _tensors.to_array(tensor, "numpy")):
            self.assertEqual(array.strides, (36, 4, 12))
            array[0, 1, 0] += 5
        self.assertEqual(tensor.tolist(), [[[0, 0], [10, 0]]])
        empty = gradproof.Tensor(b"", (0, 2, 3), "FLOAT")
        self.assertEqual(_tensors.to_array(empty, "numpy").shape, (0, 2, 3))

    def test_bfloat16_is_rounded_to_nearest_even(self):
        numbers = numpy.array([1, 1 + 2**-8, 1 + 3 * 2**-8, -3.5, numpy.inf, 3.4e38], numpy.float32)
        bits = gradproof.bfloat16_of_float32(numbers)
        self.assertEqual([hex(b) for b in bits], ["0x3f80", "0x3f80", "0x3f82", "0xc060", "0x7f80", "0x7f80"])
        self.assertEqual(gradproof.float32_of_bfloat16(bits)[3], -3.5)

    def test_bfloat16_arrays_agree(self):
        def rounded(grad_output, input, weight, call):
            wide = (gradproof.float32_of_bfloat16(array) for array in (grad_output, input, weight))
            return [None if g is None else gradproof.bfloat16_of_float32(g) for g in numpy_gradients.gradients(*wide, call)]

        report = self.verified(rounded, dtypes=["BFLOAT16"])
        self.assertEqual([str(finding) for finding in report.findings], [])
        self.assertGreater(report.summary["outcomes"]["agree"], 50)

    def test_judge_names_the_wrong_element(self):
        call = gradproof.case([1, 1, 2], [1, 1, 2], [1, 1, 1], [1], [0], [1])
        one = numpy.ones((1, 1, 2), numpy.float32)
        tensors = {"grad_output": one, "input": one, "weight": one[:, :, :1], "grad_input": one, "grad_weight": 2 * one[:, :, :1],
                   "grad_bias": numpy.array([3], numpy.float32)}
        verdict = gradproof.judge(call, tensors)
        self.assertEqual((verdict["outcome"], verdict["culprit"]), ("disagree", "gradBias"))
        tensors["grad_bias"] = numpy.array([2], numpy.float32)
        self.assertNotEqual(gradproof.judge(call, tensors)["outcome"], "disagree")

    def test_judge_names_hf32_operands(self):
        draw = numpy.random.default_rng(3)
        call = gradproof.case([2, 4, 6, 6], [2, 3, 6, 6], [4, 3, 3, 3], [1, 1], [1, 1], [1, 1])
        dy, x, w = (draw.standard_normal(call.shapes[name]).astype(numpy.float32) for name in ("grad_output", "input", "weight"))

        def hf32(array):
            bits = array.view(numpy.uint32).astype(numpy.uint64)
            return (((bits + 0x7FF + (bits >> 12 & 1)) >> 12) << 12).astype(numpy.uint32).view(numpy.float32)

        names = ("grad_input", "grad_weight", "grad_bias")
        results = dict(zip(names, numpy_gradients.gradients(hf32(dy), hf32(x), hf32(w), call)))
        results["grad_bias"] = dy.sum(axis=(0, 2, 3))
        verdict = gradproof.judge(call, {"grad_output": dy, "input": x, "weight": w, **results})
        self.assertEqual(verdict["outcome"], "disagree")
        for name in ("gradInput", "gradWeight"):
            self.assertRegex(" ".join(verdict["outputs"][name]["explanations"]), "rounded to HF32|cubeMathType 3", verdict["text"])
            self.assertGreater(len(verdict["outputs"][name]["worst_elements"]), 0)
        self.assertEqual(verdict["outputs"]["gradBias"]["explanations"], [])

    def test_limits_are_the_exact_value_and_the_bound(self):
        draw = numpy.random.default_rng(4)
        call = gradproof.case([2, 4, 3, 3], [2, 3, 5, 5], [4, 3, 3, 3], [2, 2], [1, 1], [1, 1])
        tensors = {name: draw.standard_normal(call.shapes[name]).astype(numpy.float32) for name in ("grad_output", "input", "weight")}
        wide = {name: array.astype(numpy.float64) for name, array in tensors.items()}
        sums = numpy_gradients.gradients(**wide, call=call)
        magnitudes = numpy_gradients.gradients(**{name: abs(array) for name, array in wide.items()}, call=call)
        counts = numpy_gradients.gradients(**{name: numpy.ones_like(array) for name, array in wide.items()}, call=call)
        found = gradproof.limits(call, tensors)
        for name, exact, magnitude, terms in zip(found, sums, magnitudes, counts):
            roundings = terms - (name == "grad_bias")  # whose elements are added alone
            numpy.testing.assert_allclose(found[name].exact, exact, rtol=1e-12, atol=1e-14)
            numpy.testing.assert_allclose(found[name].allowed, roundings / (2**24 - roundings) * magnitude, rtol=1e-6)

    def test_limits_of_a_rounded_result_hold_its_rounding(self):
        call = gradproof.case([1, 1, 2], [1, 1, 2], [1, 1, 1], [1], [0], [1], dtype="BFLOAT16")
        one = gradproof.bfloat16_of_float32(numpy.ones((1, 1, 2), numpy.float32))
        x = gradproof.bfloat16_of_float32(numpy.array([[[1, 2**-8]]], numpy.float32))
        found = gradproof.limits(call, {"grad_output": one, "input": x, "weight": one[:, :, :1]})
        exact = numpy.asarray(found["grad_weight"].exact).item()
        self.assertEqual(exact, 1 + 2**-8)
        # Halfway between two numbers of BF16: nothing but the rounding of the result, in FLOAT's exact sum.
        self.assertEqual(numpy.asarray(found["grad_weight"].allowed).item(), 2**-8)
        self.assertEqual(numpy.asarray(found["grad_input"].allowed).tolist(), [[[0, 0]]])

    def test_limits_say_what_is_not_compared_by_value(self):
        call = gradproof.case([1, 1, 2], [1, 1, 2], [1, 1, 1], [1], [0], [1], output_mask=(True, False, False))
        one = numpy.ones((1, 1, 2), numpy.float32)
        dy = numpy.array([[[numpy.inf, 3]]], numpy.float32)
        found = gradproof.limits(call, {"grad_output": dy, "input": one, "weight": one[:, :, :1]})
        self.assertEqual(list(found), ["grad_input"])
        self.assertEqual(found["grad_input"].exact.tolist(), [[[numpy.inf, 3]]])
        numpy.testing.assert_array_equal(found["grad_input"].allowed, [[[numpy.nan, 0]]])
        with self.assertRaisesRegex(TypeError, "grad_output, input, weight"):
            gradproof.limits(call, {"input": one})

    @unittest.skipIf(pytest is None, "python3-pytest is not installed")
    def test_pytest_shows_a_finding_and_a_line_that_replays_it(self):
        (Path(self.out) / "test_mine.py").write_text(RIGHT + WRONG)
        paths = [str(Path(__file__).parent), *sys.path]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}

        def ran(*words):
            return subprocess.run([sys.executable, "-m", *words], cwd=self.out, env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

        tested = ran("pytest", "-p", "gradproof.pytest_plugin", "--gradproof-seed", "5", "-q", "--junitxml=junit.xml", "test_mine.py")
        self.assertEqual(tested.returncode, 1, tested.stdout)
        self.assertIn("1 failed, 1 passed", tested.stdout)
        self.assertRegex(tested.stdout, r"(?s)computed .*, expected .*call: .*diagnosis: .*dilation")
        self.assertIn("; seed 5;", tested.stdout)
        self.assertRegex((Path(self.out) / "junit.xml").read_text(), r'<property name="gradproof" value="verify: \d+ cases')
        line = re.search(r"replay: \S+ -m (gradproof replay \S+ test_mine:test_wrong)", tested.stdout)
        self.assertTrue(line, tested.stdout)
        replayed = ran(*line.group(1).split())
        self.assertEqual(replayed.returncode, 1, replayed.stdout)
        self.assertIn("1 disagreed", replayed.stdout)
        right = ran(*line.group(1).replace(":test_wrong", ":test_right").split())
        self.assertEqual(right.returncode, 0, right.stdout)
        self.assertIn("1 agreed", right.stdout)


if __name__ == "__main__":
    unittest.main()
