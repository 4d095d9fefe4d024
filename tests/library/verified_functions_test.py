"""What is asked of a function, and of which function findings are. Needs Python alone."""
import contextlib
import functools
import io
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import unittest

import gradproof
from gradproof import __main__, _function, _identity, _tensors

def zeros(grad_output, input, weight, call):
    return [bytes(_tensors.prod(call.shapes[name]) * _tensors.DTYPES[call.dtypes[name]][2]) if asked else None
            for name, asked in zip(call.results, call.output_mask)]


def refuses(grad_output, input, weight, call):
    raise gradproof.NotSupported("only looks")


def leaves(grad_output, input, weight, call):
    sys.exit(0)


class Recorder:
    """Notes calls and operands, and refuses or answers as `function` does."""

    def __init__(self, function=refuses):
        self.function, self.calls, self.numbers = function, [], []

    def __call__(self, *operands_and_call):
        *operands, call = operands_and_call
        self.calls.append(call.json)
        self.numbers += [struct.unpack(f"<{len(one.data) // 4}f", one.data) for one in operands if one.dtype == "FLOAT"]
        return self.function(*operands_and_call)


class InAFolder(unittest.TestCase):
    def setUp(self):
        self.folder, self.home = tempfile.TemporaryDirectory(), os.getcwd()
        os.chdir(self.folder.name)

    def tearDown(self):
        os.chdir(self.home)
        self.folder.cleanup()


class Leaving(InAFolder):
    def test_is_a_finding_and_no_end_of_the_program(self):
        report = gradproof.verify(leaves, cases=30, seed=3)
        self.assertTrue(report.findings)
        self.assertIn("SystemExit: 0", report.findings[0].text())


class Asked(InAFolder):
    def test_finite_operands_unless_special_values_are_judged(self):
        def is_finite(**options):
            recorder = Recorder()
            summary = gradproof.verify(recorder, seed=2, cases=1500, **options).summary
            return all(math.isfinite(number) for numbers in recorder.numbers for number in numbers), summary["line"]

        finite, line = is_finite()
        self.assertTrue(finite)
        self.assertIn("special values: not asked (specials='judged')", line)
        finite, line = is_finite(specials="judged")
        self.assertFalse(finite)
        self.assertNotIn("special values", line)

    def test_the_ends_of_the_finite_range_without_special_values(self):
        recorder = Recorder()
        gradproof.verify(recorder, seed=2, cases=3000)
        numbers = {abs(number) for numbers in recorder.numbers for number in numbers}
        self.assertEqual((min(numbers - {0}), max(numbers)), (2.0**-149, (2 - 2.0**-23) * 2.0**127))

    def test_other_calls_in_each_run_by_a_seed_that_is_said(self):
        recorders = [Recorder() for _ in range(3)]
        first = gradproof.verify(recorders[0], cases=100).summary
        gradproof.verify(recorders[1], cases=100)
        gradproof.verify(recorders[2], cases=100, seed=first["seed"])
        self.assertIn(f"; seed {first['seed']};", first["line"])
        self.assertNotEqual(recorders[0].calls, recorders[1].calls)
        self.assertEqual(recorders[0].calls, recorders[2].calls)

    def test_what_was_not_asked_is_named_with_its_option(self):
        line = gradproof.verify(refuses, cases=10, empty=True).summary["line"]
        self.assertRegex(line, r"nor views \(views=True\), the same call twice \(repeat=True\), mixed dtypes \(mixed=True\), ")
        self.assertNotIn("empty=True", line)

    def test_what_is_drawn_outside_of_the_options_is_drawn_again(self):
        for options in ({}, {"dtype": ["FLOAT16"], "rank": [5]}, {"api": "aclnnConvolution"}):
            skipped = gradproof.verify(refuses, seed=5, cases=400, **options).summary["skipped"]
            self.assertLess(sum(skipped.values()) - skipped["only looks"], 12, (options, skipped))

    def test_long_steps_that_take_no_gigabytes(self):
        recorder = Recorder()
        gradproof.verify(recorder, seed=6, cases=6000, dtype=["FLOAT", "FLOAT16"])
        calls = [json.loads(call) for call in recorder.calls]
        longest = max(step for call in calls for name in ("stride", "padding", "dilation") for step in call[name])
        self.assertTrue(1000 < longest <= 65535, longest)

    def test_a_budget_in_the_words_of_decorators_and_of_the_command(self):
        for word in ("budget", "time"):
            self.assertEqual(gradproof.verify(refuses, seed=5, **{word: "30 cases"}).summary["cases"], 30)
            self.assertLess(gradproof.verify(refuses, seed=5, **{word: "300ms"}).summary["seconds"], 5)

    def test_a_finding_ends_the_run(self):
        recorder = Recorder(zeros)
        report = gradproof.verify(recorder, seed=1, seconds=60)
        self.assertEqual(len(report.findings), 1)
        self.assertLess(report.summary["seconds"], 50)
        self.assertGreater(len(gradproof.verify(zeros, seed=1, cases=300, findings=None).findings), 1)

    def test_what_is_not_implemented_is_refused(self):
        def is_not_there(*_):
            raise NotImplementedError

        def is_not_there_in_torch(*_):
            raise RuntimeError("\"slow_conv2d_cpu\" not implemented for 'Half'")

        for function in (is_not_there, is_not_there_in_torch):
            report = gradproof.verify(function, cases=300)
            self.assertEqual((report.findings, report.summary["outcomes"]["disagree"]), ([], 0))
            self.assertRegex(report.summary["line"], r"the function refused \d+ calls: ")

    def test_a_layout_where_it_is_asked(self):
        call = gradproof.case(input=[2, 3, 4], weight=[5, 3, 1], output_mask=(True, False, False))
        steps = {"rows": (12, 4, 1), "channels last": (12, 1, 3)}

        def answered(results, layout, of_input="rows"):
            channels_last = call.json.replace('"input":{', '"input":{"strides":[12,1,3],')
            asked = gradproof.Call(channels_last if of_input == "channels last" else call.json)
            result = gradproof.Tensor(bytes(96), (2, 3, 4), "FLOAT", steps[results])
            return _function.Function(lambda *_: (result, None, None), "raw", layout)([gradproof.Tensor(b"", (0,), "FLOAT")] * 3, asked)

        for layout, of_input, right, wrong in (("contiguous", "rows", "rows", "channels last"),
                                               ("contiguous", "channels last", "rows", "channels last"),
                                               ("operand", "rows", "rows", "channels last"),
                                               ("operand", "channels last", "channels last", "rows")):
            answered(right, layout, of_input)
            answered(wrong, None, of_input)
            with self.assertRaisesRegex(TypeError, f'grad_input has strides .*, expected .* for layout="{layout}"'):
                answered(wrong, layout, of_input)

    def test_operands_lie_as_the_call_says_in_views(self):
        case = gradproof.case(input=[1, 2, 2], weight=[1, 2, 1])
        call = gradproof.Call(case.json.replace('"input":{', '"input":{"strides":[9,1,2],"offset":1,'))
        tensor = _tensors.operand(call, "input", struct.pack("<5f", -1, 10, 20, 11, 21), True)
        self.assertEqual(tensor.tolist(), [[[10, 11], [20, 21]]])
        self.assertEqual(struct.unpack("<4f", tensor.tobytes()), (10, 11, 20, 21))
        dense = _tensors.operand(call, "input", struct.pack("<4f", 10, 11, 20, 21), False)
        self.assertEqual(dense.tolist(), [[[10, 11], [20, 21]]])


class Findings(InAFolder):
    def test_are_tried_first_on_the_same_function(self):
        finding, = gradproof.verify(zeros, seed=1, cases=300).findings
        calls = []

        def zeros_again(*operands):
            calls.append(operands[-1].json)
            return zeros(*operands)

        gradproof.verify(zeros_again, seed=9, cases=300, name="zeros", out=_identity.folder_of(zeros))
        self.assertEqual(calls[0], finding.call.json)
        self.assertIn(_identity.folder_of(zeros), finding.file)

    def test_are_replayed_whatever_calls_are_narrowed_to(self):
        finding, = gradproof.verify(zeros, seed=1, cases=300, dtypes="float16", ranks=[5]).findings
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            code = __main__.replay(finding.file, f"{os.path.join(self.home, __file__)}:zeros")
        self.assertEqual(code, 1)
        self.assertIn("verify: 1 cases: 0 agreed, 1 disagreed", printed.getvalue())

    def test_are_never_tried_on_another(self):
        def of_a_factory(wrong):
            def function(*operands):
                return (zeros if wrong else refuses)(*operands)
            return function

        class Kernel:
            def __init__(self, wrong):
                self.wrong = wrong

            def gradients(self, *operands):
                return (zeros if self.wrong else refuses)(*operands)

        def default(grad_output, input, weight, call, wrong=True):
            return (zeros if wrong else refuses)(grad_output, input, weight, call)

        pairs = [(of_a_factory(True), of_a_factory(False)), (lambda *a: zeros(*a), lambda *a: refuses(*a)),
                 (functools.partial(default, wrong=True), functools.partial(default, wrong=False)),
                 (Kernel(True).gradients, Kernel(False).gradients), (Recorder(zeros), Recorder(refuses)), (zeros, refuses)]
        for wrong, other in pairs:
            own, another = _identity.folder_of(wrong), _identity.folder_of(other)
            self.assertNotEqual(own, another)
            found, = gradproof.verify(wrong, seed=1, cases=300).findings
            self.assertTrue(found.file.startswith(own + "/"), (found.file, own))
            self.assertEqual(gradproof.verify(other, seed=1, cases=1).summary["outcomes"]["disagree"], 0)

    def test_of_two_files_with_functions_of_one_name_are_apart(self):
        program = "import gradproof\ndef f(*_):\n    {}\nprint(gradproof.verify(f, cases=200).summary['outcomes']['disagree'])\n"
        printed = []
        for folder, body in (("a", "raise ValueError"), ("b", "raise NotImplementedError"), ("a", "raise ValueError")):
            os.makedirs(folder, exist_ok=True)
            with open(f"{folder}/mine.py", "w") as file:
                file.write(program.format(body))
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path or self.home for path in sys.path)}
            printed.append(subprocess.run([sys.executable, f"{folder}/mine.py"], env=environment, text=True, stdout=subprocess.PIPE).stdout)
        self.assertEqual([int(count) > 0 for count in printed], [True, False, True])
        self.assertEqual(len(os.listdir("gradproof-out")), 2)


if __name__ == "__main__":
    unittest.main()
