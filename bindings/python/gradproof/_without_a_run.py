"""What needs no run: a call's JSON, the judge, the limits, the explanation."""
import ctypes
import json
from collections import namedtuple
from math import prod

from ._library import error, library, taken
from ._tensors import OPERANDS, RESULTS, Call, Tensor, to_bytes


def case(grad_output=None, input=None, weight=None, stride=None, padding=None, dilation=None, transposed=None, output_padding=None,
         groups=None, output_mask=None, dtype=None, soc=None, cube_math_type=None):
    """A Call of aclnnConvolutionBackward; the first three are shapes.

    What is left out is as `gradproof explain` has it: grad_output's shape follows, stride 1, padding 0, dilation 1, groups 1, FLOAT. All
    gradients are asked for. Values are those of the command, words ("same", "bf16", "910B") among them.
    """
    given = {"grad-output": grad_output, "input": input, "weight": weight, "stride": stride, "padding": padding, "dilation": dilation,
             "transposed": transposed, "output-padding": output_padding, "groups": groups, "dtype": dtype, "soc": soc,
             "cube-math-type": cube_math_type, "bias": True, "mask": output_mask or (True, True, True)}
    return _call(" ".join(f"{key}:{value}" for key, value in given.items() if value is not None))


def _call(given):
    """A Call of one, of its JSON line, or of what `gradproof explain` takes ("--input 2,3,8,8 --weight 4,3,3,3 --stride 2")."""
    return given if isinstance(given, Call) else Call(taken(library().gradproof_case(str(given).encode())))


def judge(call, tensors):
    """The verdict on results, as a dict. `tensors`: arrays by name, "grad_output", "input", "weight" and those results that there are."""
    call = _call(call)
    names = OPERANDS + tuple(name for name in RESULTS if name in tensors)
    if len(names) == len(OPERANDS) or set(tensors) - set(names) or set(names) - set(tensors):
        raise TypeError(f"expected the tensors {', '.join(OPERANDS)} and some of {', '.join(RESULTS)}; found {', '.join(tensors)}")
    if set(names) - set(call.shapes):
        raise TypeError(f"the call has no {', '.join(sorted(set(names) - set(call.shapes)))}")
    data = [to_bytes(tensors[name], name, call.shapes[name], call.dtypes[name]) if name in names else None
            for name in OPERANDS + RESULTS]
    return json.loads(taken(library().gradproof_judge(call.json.encode(), *_pointers(data))))


# By element, gradproof.Tensor of DOUBLE in the result's shape (numpy.asarray takes it without a copy): the exact values, and the largest
# |computed - exact| that is admitted. 0: nothing rounds; inf: it may overflow; nan: not compared by value.
Limits = namedtuple("Limits", "exact allowed")


def limits(call, tensors):
    """What each result has to be: {"grad_input": Limits, ...}, those that call.output_mask asks for. `tensors`: the operands by name."""
    call = _call(call)
    if set(OPERANDS) - set(tensors):
        raise TypeError(f"expected the tensors {', '.join(OPERANDS)}, found {', '.join(tensors)}")
    operands = _pointers([to_bytes(tensors[name], name, call.shapes[name], call.dtypes[name]) for name in OPERANDS])
    found = {}
    for number, name in enumerate(RESULTS):
        if call.output_mask[number]:
            count = prod(call.shapes[name])
            data = [bytearray(8 * count) for _ in Limits._fields]
            exact, allowed = ((ctypes.c_double * count).from_buffer(memory) for memory in data)
            if library().gradproof_limits(call.json.encode(), *operands, len(OPERANDS) + number, exact, allowed, count) < 0:
                raise error()
            found[name] = Limits(*(Tensor(memory, call.shapes[name], "DOUBLE") for memory in data))
    return found


def _pointers(data):
    """Addresses and sizes of bytes, None among them, as the library takes them."""
    return (ctypes.c_char_p * len(data))(*data), (ctypes.c_size_t * len(data))(*(len(part or b"") for part in data))


def explain(call, as_json=False):
    """Why the call is refused, or how exact a legal one is: text, or a dict. `call`: a Call, its JSON line, or what the command takes."""
    text = taken(library().gradproof_explain((call.json if isinstance(call, Call) else str(call)).encode(), int(as_json)))
    return json.loads(text) if as_json else text
