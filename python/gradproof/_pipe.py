"""A function behind a pipe: the protocol of docs/pipe.md, version 1, on standard input and output."""
import os
import struct
import sys
from math import prod

from ._run import NotSupported, first_change
from ._tensors import OPERANDS, RESULTS, DTYPES, Call, Tensor, results_in_bytes, to_array

GREETING = b"gradproof-pipe 1"
_HEAD, _ATTRIBUTES, _TENSOR, _ANSWER = (struct.Struct(layout) for layout in ("<6I", "<13q", "<2I5q", "<2IiI3q"))
_COMPUTED, _FAILED, _UNSUPPORTED = 0, 2, 3
_MOST_TEXT = 1 << 16


class _End(Exception):
    """The other side has closed its end."""


def _exactly(stream, size):
    data = stream.read(size)
    if len(data) < size:
        raise _End
    return data


def _read_call(stream):
    """The number of a call, the call, and its operands."""
    number, _, _, _, _, json_bytes = _HEAD.unpack(_exactly(stream, _HEAD.size))
    _exactly(stream, _ATTRIBUTES.size + 6 * _TENSOR.size)  # the call's JSON says it all
    call = Call(_exactly(stream, json_bytes).decode())
    operands = []
    for name in OPERANDS:
        shape, dtype = call.shapes[name], call.dtypes[name]
        operands.append(Tensor(_exactly(stream, prod(shape) * DTYPES[dtype][2]), shape, dtype))
    return number, call, operands


def _answer(function, family, call, operands):
    """Outcome, words, changed bytes and results."""
    before = [bytes(tensor.data) for tensor in operands]
    changed = [-1, -1, -1]
    try:
        results = function(*(to_array(tensor, family) for tensor in operands), call)
        changed = [first_change(old, tensor.data) for old, tensor in zip(before, operands)]
        told = results_in_bytes(call, results)
        return _COMPUTED, "", changed, [told[name] for name in RESULTS if name in told]
    except NotSupported as reason:
        return _UNSUPPORTED, str(reason), changed, []
    except Exception as raised:  # as in a process that is shared: a finding in its words
        return _FAILED, f"the function raised {type(raised).__name__}: {raised}", changed, []


def serve(function, family, name):
    """Answers calls until the standard input ends. What the function prints goes to the standard error."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    greeting = requests.readline().rstrip(b"\n")
    if greeting != GREETING:
        raise ConnectionError(f"expected {GREETING!r} on the standard input, found {greeting[:60]!r}")
    answers.write(GREETING + b" " + name.encode() + b"\n")
    answers.flush()
    while True:
        try:
            (count,) = struct.unpack("<I", _exactly(requests, 4))
            for _ in range(count):
                number, call, operands = _read_call(requests)
                outcome, words, changed, results = _answer(function, family, call, operands)
                text = words.encode()[:_MOST_TEXT]
                answers.write(_ANSWER.pack(number, outcome, 0, len(text), *changed) + text + b"".join(results))
                answers.flush()
        except _End:
            return
