"""Verifies any Python function that computes the gradients of a convolution.

    @gradproof.gradients(dtypes=["FLOAT"], budget="10s")     # a pytest test
    def test_mine(grad_output, input, weight, call):
        return dx, dw, db                                    # None for what call.output_mask leaves out

The logic is in libgradproof; this package hands its calls to the function and its results back.
"""
from ._function import NotSupported
from ._library import Error, LibraryMismatch, __version__
from ._run import Finding, Report, Run, verify
from ._tensors import Call, Tensor, bfloat16_of_float32, float32_of_bfloat16
from ._testing import gradients
from ._without_a_run import Limits, case, explain, judge, limits

__all__ = [
    "Call", "Error", "Finding", "LibraryMismatch", "Limits", "NotSupported", "Report", "Run", "Tensor", "__version__",
    "bfloat16_of_float32", "case", "explain", "float32_of_bfloat16", "gradients", "judge", "limits", "verify",
]
