"""What a function can do wrong, and what the package itself must be. Needs Python alone."""
import ast
import json
import os
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import gradproof
from gradproof import _library, _tensors, _testing

PACKAGE = Path(gradproof.__file__).parent


def zeros(call):
    return [bytes(_tensors.prod(call.shapes[name]) * 4) if asked else None
            for name, asked in zip(call.results, call.output_mask)]


class BadInput(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def findings(self, function, **options):
        return gradproof.verify(function, **{"out": self.folder.name, "cases": 400, "findings": 1, **options}).findings

    def test_a_function_that_raises_is_a_finding_with_its_words(self):
        def raises(grad_output, input, weight, call):
            raise RuntimeError("no kernel for this")

        (finding,) = self.findings(raises)
        self.assertIn("RuntimeError: no kernel for this", finding.reason)

    def test_words_that_no_file_could_hold_are_shown_escaped(self):
        def raises(grad_output, input, weight, call):
            raise RuntimeError("\udc80.so: no such library")

        (finding,) = self.findings(raises)
        self.assertIn(r"\udc80.so: no such library", finding.reason)

    def test_a_timeout_that_is_no_time_is_not_blamed_on_the_function(self):
        for timeout in (-1, float("nan"), float("inf")):
            with self.assertRaisesRegex(gradproof.Error, "timeout=.*: it takes seconds, more than 0"):
                self.findings(lambda *operands: None, timeout=timeout)

    def test_a_result_of_the_wrong_size_is_named(self):
        (finding,) = self.findings(lambda *operands: (b"12345", b"12345", b"12345"))
        self.assertRegex(finding.reason, r"TypeError: grad_\w+ has 5 bytes, expected \d+ for FLOAT")

    def test_a_result_of_the_wrong_shape_is_named(self):
        def flat(grad_output, input, weight, call):
            return [None if data is None else gradproof.Tensor(data, (len(data) // 4, 1), "FLOAT") for data in zeros(call)]

        (finding,) = self.findings(flat)
        self.assertRegex(finding.reason, r"has shape \[\d+, 1\], expected \[")

    def test_a_result_of_the_wrong_dtype_is_named(self):
        def other(grad_output, input, weight, call):
            return [None if data is None else gradproof.Tensor(data, shape, "BF16")
                    for data, shape in zip(zeros(call), (call.shapes.get(name) for name in call.results))]

        (finding,) = self.findings(other)
        self.assertIn("has dtype BF16, expected FLOAT", finding.reason)

    def test_a_result_that_is_left_out_is_named(self):
        (finding,) = self.findings(lambda *operands: (None, None, None))
        self.assertRegex(finding.reason, r"grad_\w+ is None, and output_mask asks for it")

    def test_a_changed_input_is_a_finding(self):
        def writes(grad_output, input, weight, call):
            weight.data[-1] ^= 1
            return zeros(call)

        (finding,) = self.findings(writes)
        self.assertIn("input_changed", finding.signature)

    def test_a_function_that_hangs_is_a_finding_within_its_time(self):
        (finding,) = self.findings(lambda *operands: time.sleep(600), timeout=0.05, seconds=0.5)
        self.assertIn("TimeoutError: it took longer than 0.05 s", finding.reason)

    def test_what_is_not_supported_is_no_finding(self):
        def refuses(grad_output, input, weight, call):
            raise gradproof.NotSupported("not today")

        report = gradproof.verify(refuses, out=self.folder.name, cases=100)
        self.assertEqual(report.findings, [])
        self.assertGreater(report.summary["skipped"]["not today"], 0)

    def test_an_option_that_is_none_is_named(self):
        with self.assertRaisesRegex(gradproof.Error, 'no option "sede"; nearest: seed'):
            gradproof.Run(sede=1, out=self.folder.name)
        with self.assertRaisesRegex(gradproof.Error, "dtypes: expected FLOAT"):
            gradproof.Run(dtypes=["INT8"], out=self.folder.name)
        with self.assertRaisesRegex(gradproof.Error, 'dtypes: "flot" is no dtype; nearest: FLOAT'):
            gradproof.Run(dtypes="flot", out=self.folder.name)
        with self.assertRaisesRegex(gradproof.Error, "specials: expected .*judged.*ignored"):
            gradproof.Run(specials="no", out=self.folder.name)
        with self.assertRaisesRegex(ValueError, "layout: expected"):
            gradproof.verify(zeros, layout="dense", out=self.folder.name)
        with self.assertRaisesRegex(ValueError, "10s"):
            gradproof.gradients(budget="soon")

    def test_a_run_that_is_left_ends(self):
        with gradproof.Run(out=self.folder.name, seconds=600) as run:
            self.assertIsNotNone(run.next())

    def test_the_same_seed_asks_the_same(self):
        def first_calls(folder):
            calls = []
            with gradproof.Run(out=folder, seed=11, cases=1000) as run:
                while len(calls) < 20:
                    calls.append(run.next())
                    run.tell_unsupported("")
            return [(call.json, call.shapes) for call in calls]

        with tempfile.TemporaryDirectory() as other:
            self.assertEqual(first_calls(self.folder.name), first_calls(other))

    def test_the_verdict_on_one_answer(self):
        with gradproof.Run(out=self.folder.name, cases=400) as run:
            call = run.next()
            run.tell(call, zeros(call))
            self.assertIn(run.verdict()["outcome"], ("agree", "disagree", "vacuous"))

    def test_a_status_instead_of_results_is_a_finding(self):
        with gradproof.Run(out=self.folder.name, cases=400, findings=1) as run:
            while run.next():
                run.tell_status(161002)
            self.assertIn("status", run.findings()[0].signature)

    def test_explains_a_call(self):
        call = gradproof.case([1, 1, 2], [1, 1, 2], [1, 1, 1], [0], [0], [1])
        self.assertIn("STRIDE-01", gradproof.explain(call))

    def test_takes_the_words_of_the_command(self):
        for options in ({"dtype": "float16,bf16"}, {"dtypes": ["torch.bfloat16"]}, {"soc": "910B"}, {"cube_math_type": "USE_FP16"},
                        {"rank": "4", "transposed": "yes"}, {"findings": None}):
            gradproof.Run(out=self.folder.name, cases=1, **options).close()
        with gradproof.Run(out=self.folder.name, dtypes=["BFLOAT16"], soc="Atlas 800T A2", cases=400) as run:
            call = run.next()
        self.assertEqual((call.dtypes["input"], json.loads(call.json)["soc"]), ("BF16", "Ascend910B"))
        case = gradproof.case(input=[2, 3, 8, 8], weight=[4, 3, 3, 3], padding="same", dtype="bf16", soc="910B")
        self.assertEqual((case.shapes["grad_output"], case.padding, case.dtypes["weight"]), ((2, 4, 8, 8), (1, 1), "BF16"))
        self.assertEqual((case.stride, case.dilation, case.groups), ((1, 1), (1, 1), 1))
        for budget, options in (("5m", {"seconds": 300}), ("2min", {"seconds": 120}), ("500ms", {"seconds": 0.5}), ("7", {"seconds": 7}),
                                ("2e3 cases", {"cases": 2000})):
            self.assertEqual(_testing.budget_options(budget), options)

    def test_explains_a_call_line_of_json_or_the_text_of_the_command(self):
        call = gradproof.case(input=[1, 1, 2], weight=[1, 1, 1], stride=0)
        for text in (call, call.json, "--input 1,1,2 --weight 1,1,1 --stride 0", "input:1,1,2 weight:1,1,1 stride:0",
                     "gradproof explain --input '1, 1, 2' --weight=1,1,1 --stride 0 --soc 910B", "Conv1d(1, 1, 1, stride=0) --input 1,1,2"):
            self.assertIn("STRIDE-01", gradproof.explain(text), text)
        with self.assertRaisesRegex(gradproof.Error, '"hello" is no call, e.g. "--input'):
            gradproof.explain("hello")
        with self.assertRaisesRegex(gradproof.Error, '"kernel" is no key of a call'):
            gradproof.explain("--input 1,1,2 --kernel 3")

    def test_judges_the_results_that_there_are(self):
        tensors = {"grad_output": struct.pack("<2f", 1, 2), "input": struct.pack("<2f", 3, 4), "weight": struct.pack("<f", 5)}
        call = "--input 1,1,2 --weight 1,1,1"
        found = gradproof.judge(call, {**tensors, "grad_weight": struct.pack("<f", 11)})
        self.assertEqual((found["outcome"], [name for name, one in found["outputs"].items() if one["compared"]]), ("agree", ["gradWeight"]))
        self.assertEqual(gradproof.judge(call, {**tensors, "grad_bias": struct.pack("<f", 4)})["culprit"], "gradBias")
        with self.assertRaisesRegex(TypeError, "some of grad_input, grad_weight, grad_bias; found grad_output"):
            gradproof.judge(call, tensors)

    def test_limits_have_indices_without_numpy(self):
        tensors = {"grad_output": struct.pack("<2f", 1, 2), "input": struct.pack("<2f", 3, 4), "weight": struct.pack("<f", 5)}
        exact = gradproof.limits("--input 1,1,2 --weight 1,1,1", tensors)["grad_input"].exact
        self.assertEqual((exact.tolist(), exact[0][0][1], exact[0, 0, -1], exact.shape, len(exact)), ([[[5, 10]]], 10, 10, (1, 1, 2), 1))
        self.assertEqual([row.tolist() for row in exact[0]], [[5, 10]])
        with self.assertRaises(IndexError):
            exact[0, 0, 2]

    def test_judge_names_a_tensor_of_the_wrong_size(self):
        call = gradproof.case([1, 1, 2], [1, 1, 2], [1, 1, 1], [1], [0], [1], output_mask=(False, False, True))
        tensors = {"grad_output": bytes(8), "input": bytes(8), "weight": bytes(4), "grad_bias": bytes(3)}
        with self.assertRaisesRegex(TypeError, "grad_bias has 3 bytes, expected 4"):
            gradproof.judge(call, tensors)


class Package(unittest.TestCase):
    def loaded(self, text):
        """What a copy of the package with this text in place of its version says when it is used."""
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "gradproof"))
            for source in PACKAGE.glob("*.py"):
                words = source.read_text().replace(f'__version__ = "{gradproof.__version__}"', text)
                (Path(folder) / "gradproof" / source.name).write_text(words)
            command = [sys.executable, "-c", "import gradproof; gradproof.Run()"]
            return subprocess.run(command, cwd=folder, text=True,
                                  env={**os.environ, "PYTHONPATH": folder, "GRADPROOF_LIBRARY": _library._candidates()[0]},
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout

    def test_a_library_of_another_version_is_named(self):
        self.assertRegex(self.loaded('__version__ = "0.0.9"'),
                         rf"LibraryMismatch: .*version {gradproof.__version__} .* version 0.0.9")

    def test_is_python_3_9(self):
        for source in PACKAGE.glob("*.py"):
            ast.parse(source.read_text(), feature_version=(3, 9))


if __name__ == "__main__":
    unittest.main()
