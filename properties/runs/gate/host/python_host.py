"""Answers calls on its standard input with what a function makes of them (NumPy arrays); the second line names its file, it and folders."""
import ctypes
import importlib.util
import json
import mmap
import os
import struct
import sys
from concurrent.futures import ThreadPoolExecutor
from math import prod
from os import urandom
from time import monotonic, sleep
from types import ModuleType

import numpy

NAMES = ("grad_output", "input", "weight", "grad_input", "grad_weight", "grad_bias")
KEYS = ("gradOutput", "input", "weight", "gradInput", "gradWeight", "gradBias")
DTYPES = {0: ("FLOAT", "<f4"), 1: ("FLOAT16", "<f2"), 11: ("DOUBLE", "<f8"), 27: ("BF16", "<u2")}
HEAD, ATTRIBUTES, TENSOR, ANSWER = (struct.Struct(layout) for layout in ("<6I", "<13q", "<2I5q", "<2IiI3q"))
MOST_RESULTS, MOST_HELD = 1_000, 32_000_000  # of earlier calls: arrays, and their bytes
COMPUTED, FAILED, UNSUPPORTED = 0, 2, 3
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p


WORD = "f" + urandom(4).hex()  # nothing is called the same in the next run
# Attributes as PyTorch's convolution_backward takes them, `shapes` and `dtypes` by the tensor's name.
Call = type(WORD, (), {"views": {}, "__module__": WORD})


# Ends the process at a system call that the filter bars, with the code that it tells.
END_AT_BARRED_CALL = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.c_void_p)(lambda number, told, _: os._exit(told[1]))
SIGSYS, ACTION = 31, struct.pack("P128xi4xP", ctypes.cast(END_AT_BARRED_CALL, ctypes.c_void_p).value, 4, 0)  # SA_SIGINFO


class Area:
    """Memory of an operand, the same for one call after the other: written through a file, mapped so that nothing makes it writable."""

    def __init__(self):
        self.address, self.size = 0, 0

    def hold(self, data):
        if self.size < len(data) or not self.size:
            self.size = max(mmap.PAGESIZE, 1 << len(data).bit_length())
            self.file = os.memfd_create("")
            os.ftruncate(self.file, self.size)
            readable = os.open(f"/proc/self/fd/{self.file}", os.O_RDONLY)
            self.address = libc.mmap(None, ctypes.c_size_t(self.size), mmap.PROT_READ, mmap.MAP_SHARED, readable, ctypes.c_long(0))
            os.close(readable)
            self.memory = (ctypes.c_char * self.size).from_address(self.address)
        os.pwrite(self.file, data, 0)

    def has(self, array):
        return array.__array_interface__["data"][0] - self.address in range(self.size)


class Results:
    """Results of the last call and their bytes, and a quarter of all before by their hashes: what a caller holds is not written any more."""

    def __init__(self):
        self.held, self.older, self.look_at = [], [], 0

    def hold(self, arrays, told, areas):
        self.held = list(zip(arrays, told))
        if urandom(1)[0] < 64:
            self.older += [(array, hash(data)) for array, data in self.held if array.size and not any(area.has(array) for area in areas)]
        while len(self.older) > MOST_RESULTS or sum(array.nbytes for array, _ in self.older) > MOST_HELD:
            self.older.pop(int.from_bytes(urandom(2), "little") % len(self.older))

    def are_as_they_were(self):
        if monotonic() < self.look_at:
            return True
        self.look_at = monotonic() + 0.1 + urandom(1)[0] / 512
        return all(hash(array.tobytes()) == told for array, told in self.older)

    def drop_views(self, areas):
        self.held = [(array, told) for array, told in self.held if not any(area.has(array) for area in areas)]

    def are_kept(self):
        return all(array.tobytes() == told for array, told in self.held)


def exactly(stream, size):
    data = stream.read(size)
    if len(data) < size:
        os._exit(0)  # the other side has closed its end
    return data


def read_call(stream, areas, earlier):
    number, axes, transposed, mask, cube_math_type, text = HEAD.unpack(exactly(stream, HEAD.size))
    attributes = ATTRIBUTES.unpack(exactly(stream, ATTRIBUTES.size))
    call, operands, fields = Call(), [], {}
    call.groups, call.transposed, call.cube_math_type = attributes[0], bool(transposed), cube_math_type
    call.stride, call.padding, call.dilation, call.output_padding = (attributes[i:i + axes] for i in (1, 4, 7, 10))
    call.output_mask = tuple(bool(mask >> i & 1) for i in range(3))
    call.shapes, call.dtypes = {}, {}
    for name, key in zip(NAMES, KEYS):
        dtype, rank, *lengths = TENSOR.unpack(exactly(stream, TENSOR.size))
        if dtype in DTYPES:
            call.shapes[name], call.dtypes[name] = tuple(lengths[:rank]), DTYPES[dtype][0]
            fields[key] = {"shape": lengths[:rank], "dtype": DTYPES[dtype][0]}
    exactly(stream, text)
    fields.update(stride=call.stride, padding=call.padding, dilation=call.dilation, outputPadding=call.output_padding, transposed=call.transposed,
                  groups=call.groups, outputMask=call.output_mask, cubeMathType=cube_math_type)
    call.json = json.dumps(fields)
    types = {name: numpy.dtype(layout) for name, layout in DTYPES.values()}
    call.is_late = not (earlier.are_kept() and earlier.are_as_they_were())
    earlier.drop_views(areas)
    kind, call.given = urandom(1)[0] % 4, []
    for name, area in zip(NAMES, areas):
        dtype, shape = types[call.dtypes[name]], call.shapes[name]
        call.given.append(exactly(stream, prod(shape) * dtype.itemsize))
        if kind < 2:
            area.hold(call.given[-1])
            operands.append(numpy.ndarray(shape, dtype, area.memory))
        else:  # as a user's own, which nothing guards, at times a part of a larger one: it is compared
            before = 0 if kind == 2 else 64
            operands.append(numpy.empty(prod(shape) + before, dtype)[before:].reshape(shape) if before else numpy.empty(shape, dtype))
            operands[-1][...] = numpy.frombuffer(call.given[-1], dtype).reshape(shape)
    return number, call, operands, types


def arrays_of(results, call, types):
    if not isinstance(results, (tuple, list)) or len(results) != 3:
        raise TypeError("expected (dx, dw, db)")
    arrays = []
    for name, result, asked in zip(NAMES[3:], results, call.output_mask):
        if not asked:
            continue
        if not isinstance(result, numpy.ndarray):
            raise TypeError(f"{name} is no array of NumPy")
        array = numpy.asarray(result)
        if array.shape != call.shapes[name] or array.dtype != types[call.dtypes[name]]:
            raise TypeError(f"{name} is {array.dtype}{list(array.shape)}, expected {call.dtypes[name]}{list(call.shapes[name])}")
        arrays.append(array)
    return arrays


def handles_barred_calls():
    now = ctypes.create_string_buffer(len(ACTION))
    libc.sigaction(SIGSYS, None, now)
    return now.raw[:8] == ACTION[:8]


def machine_is_as_it_was():
    """True if additions round to nearest and subnormal numbers are numbers."""
    one, small, least = 1.0, 2.0 ** -54, 5e-324
    return one + small == 1 and one + 3 * small == 1 + 4 * small and -one - 3 * small == -1 - 4 * small and least + least != 0


def refuses(raised):
    return "not implemented for" in str(raised) or any(kind.__name__ in ("NotSupported", "NotImplementedError") for kind in type(raised).__mro__)


def answer(function, call, operands, types, earlier, areas):
    given, is_late = call.__dict__.pop("given"), call.__dict__.pop("is_late")
    try:
        results = function(*operands, call)
        arrays = arrays_of(results, call, types)
        told = [array.tobytes() for array in arrays]
        if urandom(1)[0] < 24:  # a look later: nothing writes any more
            sleep(0.004)
            is_late = is_late or told != [array.tobytes() for array in arrays]
        if is_late:
            return FAILED, "race: results changed after the call had returned", []
        if not earlier.are_kept():
            return FAILED, "memory: the call changed results of the one before", []
        if any(operand.tobytes() != data for operand, data in zip(operands, given)):
            return FAILED, "memory: the call changed an operand", []
        earlier.hold(arrays, told, areas)
        if not machine_is_as_it_was():
            return FAILED, "memory: the call left another rounding mode, or subnormal numbers flushed", []
        if not handles_barred_calls():
            return FAILED, "isolation: it handles SIGSYS itself", []
        return COMPUTED, "", told
    except BaseException as raised:
        words = str(raised)[:300]
        return (UNSUPPORTED, words, []) if refuses(raised) else (FAILED, f"the function raised {type(raised).__name__}: {words}", [])


def load(path, function, folders):
    sys.path[:0] = [folder for folder in folders if folder]
    spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    claims = [*getattr(module, "CLAIMS", []), *(["batch-invariant", "position-invariant"] if getattr(module, "INVARIANT", False) else [])]
    return getattr(module, function), (",".join(getattr(module, "DTYPES", [])) or "-") + " " + ",".join(claims)


def main():
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open("/dev/null", os.O_RDWR)
    os.dup2(nothing, 0), os.dup2(nothing, 1)
    libc.sigaction(SIGSYS, ACTION, None)
    greeting = requests.readline().rstrip(b"\n")
    path, name, *folders = requests.readline().decode().rstrip("\n").split("\t")
    # As in an interpreter that somebody types into: nothing of this file is within reach by name.
    sys.modules["__main__"], sys.argv[:], sys.path[:1] = ModuleType("__main__"), [""], []
    try:
        function, declared = load(path, name, folders)
    except BaseException as raised:
        words = f"{type(raised).__name__}: {raised}".replace("\n", " ")[:200]
        answers.write(greeting + b" !" + words.encode() + b"\n")
        answers.flush()
        os._exit(3)
    answers.write(greeting + b" " + declared.encode() + b"\n")
    answers.flush()
    areas, earlier = [Area() for _ in range(3)], Results()
    threads = [ThreadPoolExecutor(1) for _ in range(4 + urandom(1)[0] % 5)]
    while True:
        for _ in range(struct.unpack("<I", exactly(requests, 4))[0]):
            number, call, operands, types = read_call(requests, areas, earlier)
            given = function, call, operands, types, earlier, areas
            # As where a framework computes gradients in threads of its own.
            drawn = urandom(2)
            outcome, words, told = threads[drawn[1] % len(threads)].submit(answer, *given).result() if drawn[0] < 32 else answer(*given)
            words = words.encode()[:1000]
            answers.write(ANSWER.pack(number, outcome, 0, len(words), -1, -1, -1) + words + b"".join(told))
            answers.flush()


for named in (answer, main):
    named.__code__ = named.__code__.replace(co_name=WORD, co_filename=WORD)
main()
