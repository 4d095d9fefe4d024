"""What a function can be asked: views, repetition, PyTorch's domain, DOUBLE, words of the command line; through the C ABI."""
import ctypes
import itertools
import json
import os
import random
import sys
import tempfile
import unittest

try:
    import numpy
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)

library = ctypes.CDLL(os.environ["GRADPROOF_LIBRARY"])
for name in ("open", "operand"):
    getattr(library, f"gradproof_{name}").restype = ctypes.c_void_p
for name in ("call", "error", "finding", "summary"):
    getattr(library, f"gradproof_{name}").restype = ctypes.c_char_p
OPERANDS, RESULTS = ("gradOutput", "input", "weight"), ("gradInput", "gradWeight", "gradBias")
DTYPES = {"FLOAT": numpy.float32, "DOUBLE": numpy.float64, "FLOAT16": numpy.float16}


def gradients(dy, x, w, call, product=lambda left, right: left * right):
    """Of any strides, paddings and output paddings; every product and every addition in the operands' type."""
    large, small = (dy, x) if call["transposed"] else (x, dy)
    groups, axes = call["groups"], range(x.ndim - 2)
    small_of, large_of = small.shape[1] // groups, large.shape[1] // groups
    d_large, d_small, dw = (numpy.zeros(array.shape, array.dtype) for array in (large, small, w))
    for tap in itertools.product(*map(range, w.shape[2:])):
        met = []
        for axis in axes:
            at = numpy.arange(small.shape[2 + axis])
            to = at * call["stride"][axis] - call["padding"][axis] + tap[axis] * call["dilation"][axis]
            inside = (to >= 0) & (to < large.shape[2 + axis])
            met.append((at[inside], to[inside]))
        for n, s in itertools.product(range(small.shape[0]), range(small.shape[1])):
            for b in range(large_of):
                of_small = numpy.ix_([n], [s], *(at for at, _ in met))
                of_large = numpy.ix_([n], [s // small_of * large_of + b], *(to for _, to in met))
                here, there, factor = small[of_small], large[of_large], w[(s, b) + tap]
                d_large[of_large] += product(here, factor)
                d_small[of_small] += product(there, factor)
                for value in product(here, there).ravel():
                    dw[(s, b) + tap] += value
    db = numpy.zeros(dy.shape[1], dy.dtype)
    for channel in range(dy.shape[1]):
        for value in dy[:, channel].ravel():
            db[channel] += value
    return [d_small if call["transposed"] else d_large, dw, db]


def in_memory(data, tensor):
    """The operand as it lies in its storage."""
    dtype = numpy.dtype(DTYPES[tensor["dtype"]])
    if "strides" not in tensor and "offset" not in tensor:
        return numpy.frombuffer(data, dtype).reshape(tensor["shape"])
    whole = numpy.frombuffer(data, dtype)[tensor.get("offset", 0):]
    strides = tensor.get("strides")
    if strides is None:
        return whole[:numpy.prod(tensor["shape"], dtype=int)].reshape(tensor["shape"])
    return numpy.lib.stride_tricks.as_strided(whole, tensor["shape"], [step * dtype.itemsize for step in strides])


def without_strides(data, tensor):
    """The mistake of a kernel that takes every tensor for a dense one."""
    count = numpy.prod(tensor["shape"], dtype=int)
    return numpy.resize(numpy.frombuffer(data, DTYPES[tensor["dtype"]]), count).reshape(tensor["shape"])


def asked(function, reader=in_memory, **options):
    """Summary and findings of a run, and the calls that it asked."""
    calls = []
    with tempfile.TemporaryDirectory() as folder:
        run = library.gradproof_open(json.dumps({"seed": 3, "findings": 1, "max_macs": 400, "out": folder, **options}).encode())
        if not run:
            raise ValueError(library.gradproof_error().decode())
        run = ctypes.c_void_p(run)
        while library.gradproof_next(run) == 1:
            calls.append(json.loads(library.gradproof_call(run)))
            operands = []
            for place, name in enumerate(OPERANDS):
                size = ctypes.c_size_t()
                data = ctypes.string_at(library.gradproof_operand(run, place, ctypes.byref(size)), size.value)
                operands.append(reader(data, calls[-1][name]))
            with numpy.errstate(all="ignore"):
                results = function(*operands, calls[-1])
            for place, name in enumerate(RESULTS):
                if calls[-1].get(name) and calls[-1]["outputMask"][place]:
                    data = results[place].tobytes()
                    library.gradproof_result(run, 3 + place, data, ctypes.c_size_t(len(data)))
            library.gradproof_tell(run)
        summary = json.loads(library.gradproof_summary(run))
        findings = [json.loads(library.gradproof_finding(run, i)) for i in range(library.gradproof_findings(run))]
        library.gradproof_close(run)
    return summary, findings, calls


def described(dtype, dy, x, w, padding):
    """The call of an ordinary 1D convolution of stride 1 with these operands, asking for everything."""
    tensors = {name: {"shape": list(array.shape), "dtype": dtype, "format": "NCL"} for name, array in zip(OPERANDS, (dy, x, w))}
    tensors.update(gradInput=tensors["input"], gradWeight=tensors["weight"], gradBias={"shape": [dy.shape[1]], "dtype": dtype, "format": "ND"})
    return {"id": "given", "api": "aclnnConvolutionBackward", "soc": "Ascend910B", **tensors, "biasSizes": [dy.shape[1]], "stride": [1],
            "padding": [padding], "dilation": [1], "transposed": False, "outputPadding": [0], "groups": 1,
            "outputMask": [True, True, True], "cubeMathType": 0, "deterministic": False}


def pointers(arrays):
    data = [array.tobytes() for array in arrays]
    return (ctypes.c_char_p * len(data))(*data), (ctypes.c_size_t * len(data))(*map(len, data))


def judged(call, operands, results):
    library.gradproof_judge.restype = ctypes.c_void_p
    text = library.gradproof_judge(json.dumps(call).encode(), *pointers([*operands, *results]))
    if not text:
        raise ValueError(library.gradproof_error().decode())
    verdict = json.loads(ctypes.string_at(text))
    library.gradproof_free(ctypes.c_void_p(text))
    return verdict


class GivenTensors(unittest.TestCase):
    def drawn(self, dtype, shapes):
        draw = numpy.random.default_rng(7)
        return [draw.standard_normal(shape).astype(dtype) for shape in shapes]

    def test_doubles_are_judged_and_have_limits(self):
        operands = self.drawn(numpy.float64, ([2, 3, 8], [2, 4, 10], [3, 4, 3]))
        call = described("DOUBLE", *operands, padding=0)
        results = gradients(*operands, call)
        self.assertEqual(judged(call, operands, results)["outcome"], "agree")
        results[1][0, 0, 0] *= 1 + 2**-40
        verdict = judged(call, operands, results)
        self.assertEqual((verdict["outcome"], verdict["culprit"]), ("disagree", "gradWeight"))
        self.assertEqual(verdict["outputs"]["gradWeight"]["worst_elements"][0]["at"], [0, 0, 0])
        results = [result.astype(numpy.float32).astype(numpy.float64) for result in gradients(*operands, call)]
        self.assertRegex(" ".join(judged(call, operands, results)["outputs"]["gradInput"]["explanations"]), "FLOAT")
        count = operands[2].size
        exact, allowed = (ctypes.c_double * count)(), (ctypes.c_double * count)()
        data, sizes = pointers(operands)
        self.assertEqual(library.gradproof_limits(json.dumps(call).encode(), data, sizes, 4, exact, allowed, ctypes.c_size_t(count)), 1)
        error = abs(gradients(*operands, call)[1].ravel() - numpy.array(exact))
        magnitudes = gradients(*map(abs, operands), call)[1].ravel()
        self.assertTrue((error <= numpy.array(allowed)).all())
        numpy.testing.assert_allclose(allowed, 16 * 2**-53 * magnitudes, rtol=0.1)  # 2 samples of 8 positions

    def test_negative_padding_is_judged(self):
        for dtype, name in ((numpy.float32, "FLOAT"), (numpy.float64, "DOUBLE")):
            operands = self.drawn(dtype, ([2, 3, 4], [2, 2, 8], [3, 2, 3]))
            call = described(name, *operands, padding=-1)
            results = gradients(*operands, call)
            self.assertEqual(judged(call, operands, results)["outcome"], "agree")
            self.assertTrue((results[0][:, :, [0, -1]] == 0).all())
            results[0][0, 0, 0] = 1
            self.assertEqual(judged(call, operands, results)["culprit"], "gradInput")
            library.gradproof_explain.restype = ctypes.c_void_p
            text = library.gradproof_explain(json.dumps(call).encode(), 0)
            self.assertIn("PAD-01", ctypes.string_at(text).decode())
            library.gradproof_free(ctypes.c_void_p(text))


class Questions(unittest.TestCase):
    def agrees(self, *arguments, least=50, **options):
        summary, findings, calls = asked(*arguments, **options)
        self.assertEqual([finding["verdict"]["reason"] for finding in findings], [])
        self.assertGreater(summary["outcomes"]["agree"], least, summary["line"])
        return calls

    def found(self, *arguments, **options):
        summary, findings, calls = asked(*arguments, **options)
        self.assertEqual(len(findings), 1, summary["line"])
        return findings[0], json.loads(findings[0]["case"])

    def test_a_function_that_ignores_strides_is_found_by_views(self):
        self.agrees(gradients, without_strides, cases=400)
        calls = self.agrees(gradients, views=True, cases=1200)
        views = [call[name] for call in calls for name in OPERANDS if "strides" in call[name]]
        self.assertGreater(len(views), 20)
        self.assertTrue(any(0 in view["strides"] for view in views), "no expanded one")
        self.assertTrue(any(view.get("offset") for view in views), "none with an offset")
        finding, call = self.found(gradients, without_strides, views=True, cases=3000)
        self.assertTrue(any("strides" in call[name] or "offset" in call[name] for name in OPERANDS), finding)

    def test_a_function_that_differs_at_the_second_call_is_found_by_repetition(self):
        def in_changing_order(dy, x, w, call):
            results = gradients(dy, x, w, call)
            parts = [gradients(dy[n:n + 1], x[n:n + 1], w, call)[1] for n in range(x.shape[0])]
            random.shuffle(parts)
            results[1] = sum(parts, numpy.zeros_like(w))
            return results

        random.seed(5)
        self.agrees(in_changing_order, cases=600)
        finding, call = self.found(in_changing_order, repeat=True, cases=4000)
        self.assertEqual(finding["verdict"]["kind"], "nondeterministic")
        self.assertRegex(finding["verdict"]["reason"], "gradWeight differs between two runs of the same call")
        self.assertGreaterEqual(call["input"]["shape"][0], 3)
        calls = self.agrees(gradients, repeat=True, cases=200)
        self.assertEqual([call["id"] for call in calls[::2]], [call["id"] for call in calls[1::2]])

    def test_output_padding_beyond_the_stride_is_asked_in_the_domain_of_pytorch(self):
        def is_long(call):
            return call["transposed"] and any(o >= s for o, s in zip(call["outputPadding"], call["stride"]))

        def wrong_where_long(dy, x, w, call):
            results = gradients(dy, x, w, call)
            return [result + 1 for result in results] if is_long(call) else results

        self.agrees(wrong_where_long, transposed=True, cases=600)
        calls = self.agrees(gradients, transposed=True, domain="pytorch", cases=400)
        for call in filter(is_long, calls):
            self.assertTrue(all(o < max(s, d) for o, s, d in zip(call["outputPadding"], call["stride"], call["dilation"])), call)
        self.assertGreater(sum(map(is_long, calls)), 20)
        self.assertTrue(all(min(call["padding"]) >= 0 for call in calls), "which PyTorch refuses")
        _, call = self.found(wrong_where_long, domain="pytorch", cases=2000)
        self.assertTrue(is_long(call), call)
        self.assertTrue(all(o < max(s, d) for o, s, d in zip(call["outputPadding"], call["stride"], call["dilation"])), call)

    def test_negative_padding_is_asked_in_any_domain(self):
        calls = self.agrees(gradients, domain="any", cases=400)
        negative = [call for call in calls if min(call["padding"]) < 0]
        self.assertGreater(len(negative), 20)
        self.assertEqual({call["transposed"] for call in negative}, {False, True})

        def taken_for_zero(dy, x, w, call):
            return gradients(dy, x, w, {**call, "padding": [max(value, 0) for value in call["padding"]]})

        _, call = self.found(taken_for_zero, domain="any", cases=2000)
        self.assertLess(min(call["padding"]), 0)

    def test_doubles_agree_and_products_rounded_to_float_are_found(self):
        calls = self.agrees(gradients, dtypes=["DOUBLE"], cases=600)
        self.assertEqual({call[name]["dtype"] for call in calls for name in OPERANDS}, {"DOUBLE"})

        def in_float(left, right):
            return (left * right).astype(numpy.float32).astype(numpy.float64)

        finding, call = self.found(lambda *words: gradients(*words, product=in_float), dtypes=["float64"], cases=3000)
        self.assertEqual(call["input"]["dtype"], "DOUBLE")
        self.assertRegex(" ".join(finding["diagnosis"]), "FLOAT")

    def test_special_values_are_asked_if_they_are_judged(self):
        def counted(**options):
            count = [0]

            def counting(dy, x, w, call):
                count[0] += not all(numpy.isfinite(array).all() for array in (dy, x, w))
                return gradients(dy, x, w, call)

            self.agrees(counting, cases=1200, **options)
            return count[0]

        self.assertEqual(counted(), 0)
        self.assertEqual(counted(specials="ignored"), 0)
        self.assertGreater(counted(specials="judged"), 1)

    def test_the_summary_says_what_was_not_asked(self):
        summary, _, _ = asked(gradients, cases=5)
        left_out = ["views", "repetition", "special values", "calls beyond CANN's domain", "empty tensors"]
        self.assertEqual(summary["not_asked"], left_out)
        self.assertTrue(summary["line"].endswith("; not asked: " + ", ".join(left_out)), summary["line"])
        everything = {"views": True, "repeat": True, "empty": True, "specials": "judged", "domain": "pytorch"}
        summary, _, _ = asked(gradients, cases=5, **everything)
        self.assertEqual(summary["not_asked"], [])
        self.assertNotIn("not asked", summary["line"])

    def test_every_word_of_the_command_line_is_taken(self):
        _, _, calls = asked(gradients, cases=60, dtypes=["torch.float32"], soc="910B", ranks=["4"], transposed="yes")
        self.assertEqual({(len(call["input"]["shape"]), call["soc"], call["transposed"]) for call in calls}, {(4, "Ascend910B", True)})
        for options, wrong in (({"dtypes": ["bf16", "float16", "fp32", "DOUBLE"]}, None), ({"dtypes": ["bf61"]}, "dtypes: .*bf61"),
                               ({"dtypes": ["int32"]}, "dtypes: expected FLOAT.* or DOUBLE"), ({"ranks": [6]}, "ranks: .*3, 4 and 5"),
                               ({"soc": "Ascend9"}, "soc: .*Ascend9"), ({"domain": "torch"}, "domain: .*cann, pytorch and any"),
                               ({"specials": "no"}, "specials: expected judged or ignored")):
            if wrong is None:
                asked(lambda dy, x, w, call: gradients(dy, x, w, call), cases=0, **options)
            else:
                with self.assertRaisesRegex(ValueError, wrong):
                    asked(gradients, cases=1, **options)


if __name__ == "__main__":
    unittest.main()
