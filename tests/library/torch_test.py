"""PyTorch's own gradients on the CPU agree in FLOAT; with a seeded bug they do not, and that is found."""
import sys
import tempfile
import unittest

try:
    import torch
except ImportError:
    print("skipped: python3-torch is not installed")
    sys.exit(77)

import gradproof
from gradproof import _tensors


def backward(grad_output, input, weight, call):
    return torch.ops.aten.convolution_backward(
        grad_output, input, weight, None, call.stride, call.padding, call.dilation, call.transposed,
        call.output_padding, call.groups, call.output_mask)


class TorchCallable(unittest.TestCase):
    def findings(self, function, **options):
        with tempfile.TemporaryDirectory() as out:
            report = gradproof.verify(function, out=out, seed=3, **options)
        return report.findings, report.summary

    def test_agrees_in_float(self):
        torch.set_num_threads(1)
        findings, summary = self.findings(backward, cases=1500, dtypes=["FLOAT"])
        self.assertEqual([str(finding) for finding in findings], [])
        self.assertGreater(summary["outcomes"]["agree"], 100)

    def test_is_given_tensors_of_its_dtype(self):
        seen = set()

        def note(grad_output, input, weight, call):
            seen.update((call.dtypes["input"], array.dtype) for array in (grad_output, input, weight))
            raise gradproof.NotSupported("only looks")

        self.findings(note, cases=1000, dtypes=["FLOAT", "FLOAT16", "BFLOAT16"])
        self.assertEqual(seen, {("FLOAT", torch.float32), ("FLOAT16", torch.float16), ("BF16", torch.bfloat16)})

    def test_a_function_that_takes_numpy_alone_is_given_it_beside_torch(self):
        import numpy

        def in_numpy(grad_output, input, weight, call):
            if call.output_mask != (False, False, True):
                raise gradproof.NotSupported("gradBias alone")
            total = grad_output.astype(numpy.float64).sum(axis=(0, *range(2, grad_output.ndim)))
            return None, None, total.astype(numpy.float32)

        findings, summary = self.findings(in_numpy, cases=1000)
        self.assertEqual([str(finding) for finding in findings], [])
        self.assertGreater(summary["outcomes"]["agree"], 20)

    def test_views_share_the_memory_of_their_operand(self):
        tensor = gradproof.Tensor(bytes(28), (1, 2, 2), "FLOAT", (9, 1, 3), 1)
        array = _tensors.to_array(tensor, "torch")
        array[0, 1, 0] = 5
        self.assertEqual((array.stride(), array.storage_offset(), tensor.tolist()), ((9, 1, 3), 1, [[[0, 0], [5, 0]]]))

    def test_bytes_of_bfloat16_come_back(self):
        def zero(grad_output, input, weight, call):
            like = (input, weight, grad_output.new_empty(call.shapes.get("grad_bias", ())))
            return [torch.zeros_like(array).transpose(0, -1).contiguous().transpose(0, -1) if asked else None
                    for array, asked in zip(like, call.output_mask)]

        findings, _ = self.findings(zero, cases=300, dtypes=["BFLOAT16"], findings=1)
        self.assertIn("computed 0", findings[0].reason)

    def test_a_seeded_bug_is_found_and_minimised(self):
        def wrong(grad_output, input, weight, call):
            if call.transposed or call.stride != (1,) * len(call.stride):
                raise gradproof.NotSupported("shapes would differ")
            dx, dw, db = backward(grad_output, input, weight, call)
            return dx, dw, None if db is None else 2 * db

        findings, _ = self.findings(wrong, seconds=60, findings=1)
        self.assertLessEqual(findings[0].non_zeros, 4)
        self.assertRegex(findings[0].reason, r"^gradBias\[0\]: computed")


if __name__ == "__main__":
    unittest.main()
