"""What needs no run: a call's JSON, the judge, the limits, the explanation."""
import ctypes
import json
from collections import namedtuple
from math import prod

from ._library import error, library, taken
from ._tensors import OPERANDS, RESULTS, SYNONYMS, Call, to_bytes

_FORMATS = {3: "NCL", 4: "NCHW", 5: "NCDHW"}


def case(grad_output, input, weight, stride, padding, dilation, transposed=False, output_padding=None, groups=1,
         output_mask=(True, True, True), dtype="FLOAT", soc="Ascend910B", cube_math_type=0):
    """A Call of aclnnConvolutionBackward; the first three are shapes."""
    dtype = SYNONYMS.get(dtype, dtype)

    def tensor(shape):
        return {"shape": list(shape), "dtype": dtype, "format": _FORMATS.get(len(shape), "ND")}

    channels = [grad_output[1]]
    return Call(json.dumps({
        "id": "call", "source": "python", "api": "aclnnConvolutionBackward", "soc": soc,
        "gradOutput": tensor(grad_output), "input": tensor(input), "weight": tensor(weight), "biasSizes": channels,
        "stride": list(stride), "padding": list(padding), "dilation": list(dilation), "transposed": transposed,
        "outputPadding": list(output_padding or [0] * len(stride)), "groups": groups, "outputMask": list(output_mask),
        "cubeMathType": cube_math_type, "gradInput": tensor(input), "gradWeight": tensor(weight),
        "gradBias": tensor(channels), "deterministic": False,
    }))


def judge(call, tensors):
    """The verdict on results, as a dict. `tensors`: arrays by name, "grad_output", "input", "weight" and the results."""
    names = OPERANDS + tuple(name for name, asked in zip(RESULTS, call.output_mask) if asked)
    unknown = set(tensors) - set(OPERANDS + RESULTS)
    if unknown or set(names) - set(tensors):
        raise TypeError(f"expected the tensors {', '.join(names)}, found {', '.join(tensors)}")
    data = [to_bytes(tensors[name], name, call.shapes[name], call.dtypes[name]) if name in names else None
            for name in OPERANDS + RESULTS]
    return json.loads(taken(library().gradproof_judge(call.json.encode(), *_pointers(data))))


# Memoryviews of doubles in the result's shape, which NumPy and PyTorch take without a copy: the exact values, and the largest
# |computed - exact| that is admitted. 0: nothing rounds; inf: it may overflow; nan: not compared by value.
Limits = namedtuple("Limits", "exact allowed")


def limits(call, tensors):
    """What each result has to be: {"grad_input": Limits, ...}, those that call.output_mask asks for. `tensors`: the operands by name."""
    if set(OPERANDS) - set(tensors):
        raise TypeError(f"expected the tensors {', '.join(OPERANDS)}, found {', '.join(tensors)}")
    operands = _pointers([to_bytes(tensors[name], name, call.shapes[name], call.dtypes[name]) for name in OPERANDS])
    found = {}
    for number, name in enumerate(RESULTS):
        if call.output_mask[number]:
            count = prod(call.shapes[name])
            exact, allowed = (ctypes.c_double * count)(), (ctypes.c_double * count)()
            if library().gradproof_limits(call.json.encode(), *operands, len(OPERANDS) + number, exact, allowed, count) < 0:
                raise error()
            shape = (call.shapes[name],) if count else ()  # a memoryview has no axis of length 0
            found[name] = Limits(*(memoryview(values).cast("B").cast("d", *shape) for values in (exact, allowed)))
    return found


def _pointers(data):
    """Addresses and sizes of bytes, None among them, as the library takes them."""
    return (ctypes.c_char_p * len(data))(*data), (ctypes.c_size_t * len(data))(*(len(part or b"") for part in data))


def explain(call, as_json=False):
    """Why the call is refused, or how exact a legal one is: text, or a dict."""
    text = taken(library().gradproof_explain(call.json.encode(), int(as_json)))
    return json.loads(text) if as_json else text
