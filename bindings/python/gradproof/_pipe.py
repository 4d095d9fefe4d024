"""A function behind a pipe: the protocol of docs/pipe.md, version 1, on standard input and output."""
import os
import struct
import sys
import threading
from math import prod

from ._function import refusal, words_of_failure
from ._tensors import DTYPES, Call, operand

GREETING = b"gradproof-pipe 1"
_HEAD, _ATTRIBUTES, _TENSOR, _ANSWER = (struct.Struct(layout) for layout in ("<6I", "<13q", "<2I5q", "<2IiI3q"))
_SIZE = struct.Struct("<q")
_COMPUTED, _FAILED, _UNSUPPORTED = 0, 2, 3
_MOST_TEXT = 1 << 16


class _End(Exception):
    """The other side has closed its end."""


def _exactly(stream, size):
    data = stream.read(size)
    if len(data) < size:
        raise _End
    return data


def _read_call(stream, views):
    """The number of a call, the call, and its operands."""
    number, _, _, _, _, json_bytes = _HEAD.unpack(_exactly(stream, _HEAD.size))
    _exactly(stream, _ATTRIBUTES.size + 6 * _TENSOR.size)  # the call's JSON says it all
    call = Call(_exactly(stream, json_bytes).decode())
    operands = dict.fromkeys(call.operands)
    for name in sorted(call.operands.keys() & call.shapes.keys(), key=call.operands.get):
        dense = prod(call.shapes[name]) * DTYPES[call.dtypes[name]][2]
        size = _SIZE.unpack(_exactly(stream, _SIZE.size))[0] if views else dense
        operands[name] = operand(call, name, _exactly(stream, size), views)
    return number, call, list(operands.values())


def _answer(function, call, operands):
    """Outcome, words, changed bytes and results."""
    try:
        results, changed = function(operands, call)
        return _COMPUTED, "", changed, list(results.values())
    except KeyboardInterrupt:
        raise
    except BaseException as raised:  # as in a process that is shared: a finding in its words
        if refusal(raised):
            return _UNSUPPORTED, refusal(raised), [-1] * 3, []
        return _FAILED, words_of_failure(raised), [-1] * 3, []


def _end_with(parent):
    """Ends this process once its parent has ended: a function that hangs would outlive a run that was killed."""
    while os.getppid() == parent:
        threading.Event().wait(0.5)
    os._exit(1)


def serve(function, name):
    """Lets a Function answer calls until the standard input ends. What it prints goes to the standard error."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    greeting = requests.readline().rstrip(b"\n")
    views = greeting == GREETING + b" views"
    if greeting != GREETING and not views:
        raise ConnectionError(f"expected {GREETING!r} on the standard input, found {greeting[:60]!r}")
    answers.write(greeting + b" " + name.encode() + b"\n")
    answers.flush()
    while True:
        try:
            (count,) = struct.unpack("<I", _exactly(requests, 4))
            for _ in range(count):
                number, call, operands = _read_call(requests, views)
                outcome, words, changed, results = _answer(function, call, operands)
                text = words.encode()[:_MOST_TEXT]
                answers.write(_ANSWER.pack(number, outcome, 0, len(text), *changed) + text + b"".join(results))
                answers.flush()
        except _End:
            return
