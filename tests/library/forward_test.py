"""A function that convolves: aclnnConvolution asked of it, its tensors judged. Needs Python alone."""
import itertools
import math
import os
import struct
import sys
import unittest

import gradproof
from gradproof import _tensors
from verified_functions_test import InAFolder

SIZES = {"dtype": ["FLOAT"], "max_macs": 200}


def convolved(input, weight, bias, call):
    """conv(x, w) + b in doubles, each element rounded to FLOAT once."""
    groups, shape = call.groups, call.shapes["output"]
    outputs, inputs = shape[1] // groups, input.shape[1] // groups
    maps = shape[2:], input.shape[2:]
    large, small = maps if call.transposed else maps[::-1]
    values = {at: 0.0 if bias is None else bias[at[1]] for at in itertools.product(*map(range, shape))}
    for sample, group, out, into in itertools.product(range(shape[0]), range(groups), range(outputs), range(inputs)):
        ours, theirs = group * outputs + out, group * inputs + into
        row = (theirs, out) if call.transposed else (ours, into)
        for place, tap in itertools.product(itertools.product(*map(range, small)), itertools.product(*map(range, weight.shape[2:]))):
            far = tuple(p * s - pad + t * d for p, s, pad, t, d in zip(place, call.stride, call.padding, tap, call.dilation))
            if all(0 <= number < length for number, length in zip(far, large)):
                to, at = (far, place) if call.transposed else (place, far)
                values[(sample, ours, *to)] += input[(sample, theirs, *at)] * weight[(*row, *tap)]
    return struct.pack(f"<{len(values)}f", *(value if abs(value) < 2**128 else math.copysign(math.inf, value) for value in values.values()))


def without_bias(input, weight, bias, call):
    return convolved(input, weight, None, call)


class Verified(InAFolder):
    def test_a_right_function_agrees_on_calls_of_both_directions_with_and_without_a_bias(self):
        seen = set()

        def function(input, weight, bias, call):
            seen.add((call.transposed, bias is None))
            self.assertEqual(call.api, "aclnnConvolution")
            self.assertEqual(set(call.shapes), {"input", "weight", "output"} | ({"bias"} if bias is not None else set()))
            return convolved(input, weight, bias, call)

        report = gradproof.verify(function, api="aclnnConvolution", cases=1500, seed=7, **SIZES)
        self.assertEqual(report.findings, [], report)
        self.assertGreater(report.summary["outcomes"]["agree"], 40)
        self.assertEqual(seen, set(itertools.product((False, True), repeat=2)))

    def test_a_lost_bias_is_a_finding_that_says_so_and_can_be_replayed(self):
        finding = gradproof.verify(without_bias, api="aclnnConvolution", cases=1500, seed=7, **SIZES).findings[0]
        self.assertIn("output equals the exact result without the bias", finding.text())
        self.assertIn("bias FLOAT", str(finding.call))
        self.assertNotIn("gradInput", finding.text())
        again = gradproof.verify(without_bias, files=[finding.file], out="again")
        self.assertEqual(len(again.findings), 1, again)

    def test_a_function_in_a_process_of_its_own_is_asked_the_same(self):
        options = {"api": "aclnnConvolution", "isolate": True, "cases": 300, "seed": 7, **SIZES}
        self.assertEqual(gradproof.verify(convolved, **options).findings, [])
        self.assertIn("without the bias", gradproof.verify(without_bias, **options).findings[0].text())

    def test_answers_that_are_no_output_are_findings_in_words(self):
        report = gradproof.verify(lambda *_: (None, None, None), api="aclnnConvolution", cases=200, seed=7, **SIZES)
        self.assertIn("expected the output, found 3 results", report.findings[0].text())

    def test_an_operator_that_no_function_of_tensors_is_asked_is_an_error(self):
        with self.assertRaisesRegex(gradproof.Error, "api: expected aclnnConvolutionBackward or aclnnConvolution, found"):
            gradproof.verify(convolved, api="aclnnConvTbc")


class Judged(unittest.TestCase):
    def setUp(self):
        self.call = gradproof.case(api="aclnnConvolution", input=[2, 2, 5], weight=[4, 1, 3], groups=2, stride=2)
        numbers = {name: [(7 * i % 5 - 2) / 4 for i in range(_tensors.prod(self.call.shapes[name]))] for name in self.call.operands}
        self.operands = {name: gradproof.Tensor(struct.pack(f"<{len(of)}f", *of), self.call.shapes[name], "FLOAT")
                         for name, of in numbers.items()}
        self.output = convolved(*self.operands.values(), self.call)

    def judged(self, output):
        return gradproof.judge(self.call, {**self.operands, "output": output})

    def test_the_right_output_agrees_and_another_one_is_told_by_its_place(self):
        self.assertEqual(self.judged(self.output)["outcome"], "agree")
        wrong = struct.pack("<f", 9) + self.output[4:]
        verdict = self.judged(wrong)
        self.assertEqual(verdict["outcome"], "disagree")
        self.assertIn("output[0,0,0]", verdict["reason"])
        self.assertIn("output FLOAT [2, 4, 2]: 1 of 16 elements wrong", verdict["text"])

    def test_limits_hold_the_bias_in(self):
        exact = gradproof.limits(self.call, self.operands)["output"].exact
        right = gradproof.Tensor(self.output, self.call.shapes["output"], "FLOAT")
        self.assertEqual(exact.tolist(), right.tolist())

    def test_a_tensor_too_many_or_too_few_is_named(self):
        with self.assertRaisesRegex(TypeError, "expected the tensors input, weight, bias and some of output; found input, weight, bias"):
            gradproof.judge(self.call, self.operands)
        bare = gradproof.case(api="aclnnConvolution", input=[2, 2, 5], weight=[4, 1, 3], groups=2, stride=2, bias=False)
        with self.assertRaisesRegex(TypeError, "expected the tensors input, weight and some of output"):
            gradproof.judge(bare, {**self.operands, "output": self.output})


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(__file__))
    unittest.main()
