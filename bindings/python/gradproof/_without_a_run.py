"""What needs no run: a call's JSON, the judge, the limits, the explanation."""
import ctypes
import json
from collections import namedtuple
from math import prod

from ._library import error, library, taken
from ._tensors import Call, Tensor, to_bytes


def case(grad_output=None, input=None, weight=None, stride=None, padding=None, dilation=None, transposed=None, output_padding=None,
         groups=None, output_mask=None, dtype=None, soc=None, cube_math_type=None, bias=True, api=None):
    """A Call of aclnnConvolutionBackward, or of another `api`; the first three are shapes.

    What is left out is as `gradproof explain` has it: grad_output's shape follows, stride 1, padding 0, dilation 1, groups 1, FLOAT. All
    gradients are asked for, and a forward call has a bias unless bias=False. Values are those of the command, words ("same", "bf16", "910B") among them.
    """
    given = {"grad-output": grad_output, "input": input, "weight": weight, "stride": stride, "padding": padding, "dilation": dilation,
             "transposed": transposed, "output-padding": output_padding, "groups": groups, "dtype": dtype, "soc": soc,
             "cube-math-type": cube_math_type, "bias": bias, "mask": output_mask or (True, True, True), "api": api}
    return _call(" ".join(f"{key}:{value}" for key, value in given.items() if value is not None))


def _call(given):
    """A Call of one, of its JSON line, or of what `gradproof explain` takes ("--input 2,3,8,8 --weight 4,3,3,3 --stride 2")."""
    return given if isinstance(given, Call) else Call(taken(library().gradproof_case(str(given).encode())))


def judge(call, tensors):
    """The verdict on results, as a dict. `tensors`: arrays by name, the operands and those results that there are."""
    call = _call(call)
    operands, numbers = _operands(call), {**call.operands, **call.results}
    results = [name for name in call.results if name in tensors]
    if not results or set(tensors) != {*operands, *results}:
        raise TypeError(f"expected the tensors {', '.join(operands)} and some of {', '.join(call.results)}; found {', '.join(tensors)}")
    if set(results) - set(call.shapes):
        raise TypeError(f"the call has no {', '.join(sorted(set(results) - set(call.shapes)))}")
    return json.loads(taken(library().gradproof_judge(call.json.encode(), *_pointers(call, tensors, numbers, 6))))


# By element, gradproof.Tensor of DOUBLE in the result's shape (numpy.asarray takes it without a copy): the exact values, and the largest
# |computed - exact| that is admitted. 0: nothing rounds; inf: it may overflow; nan: not compared by value.
Limits = namedtuple("Limits", "exact allowed")


def limits(call, tensors):
    """What each result has to be: {"grad_input": Limits, ...}, those that call.output_mask asks for. `tensors`: the operands by name."""
    call = _call(call)
    if set(_operands(call)) - set(tensors):
        raise TypeError(f"expected the tensors {', '.join(_operands(call))}, found {', '.join(tensors)}")
    operands = _pointers(call, tensors, call.operands, 3)
    found = {}
    for asked, (name, number) in zip(call.output_mask, call.results.items()):
        if asked:
            count = prod(call.shapes[name])
            data = [bytearray(8 * count) for _ in Limits._fields]
            exact, allowed = ((ctypes.c_double * count).from_buffer(memory) for memory in data)
            if library().gradproof_limits(call.json.encode(), *operands, number, exact, allowed, count) < 0:
                raise error()
            found[name] = Limits(*(Tensor(memory, call.shapes[name], "DOUBLE") for memory in data))
    return found


def _operands(call):
    """Names of the operands that the call has."""
    return [name for name in call.operands if name in call.shapes]


def _pointers(call, tensors, numbers, count):
    """Addresses and sizes of the tensors' bytes by number, null where there is none, as the library takes them."""
    data = [None] * count
    for name, number in numbers.items():
        if name in tensors and name in call.shapes:
            data[number] = to_bytes(tensors[name], name, call.shapes[name], call.dtypes[name])
    return (ctypes.c_char_p * len(data))(*data), (ctypes.c_size_t * len(data))(*(len(part or b"") for part in data))


def explain(call, as_json=False):
    """Why the call is refused, or how exact a legal one is: text, or a dict. `call`: a Call, its JSON line, or what the command takes."""
    text = taken(library().gradproof_explain((call.json if isinstance(call, Call) else str(call)).encode(), int(as_json)))
    return json.loads(text) if as_json else text
