"""Calls and tensors: from the library's bytes to what a function takes, and back."""
import ctypes
import importlib
import json
import re
import struct
import sys
from itertools import product
from math import prod

# Names of operands and results, as a function takes and returns them, with their numbers in the library.
_OF_GRADIENTS = ({"grad_output": 0, "input": 1, "weight": 2}, {"grad_input": 3, "grad_weight": 4, "grad_bias": 5})
_OF_FORWARD = ({"input": 0, "weight": 2, "bias": 1}, {"output": 3})
RESULTS = {**_OF_GRADIENTS[1], **_OF_FORWARD[1]}

# name: (NumPy's type, torch's, bytes, struct's). What NumPy has no type for are integers of the same width.
DTYPES = {
    "DOUBLE": ("<f8", "float64", 8, "<d"),
    "FLOAT": ("<f4", "float32", 4, "<f"),
    "FLOAT16": ("<f2", "float16", 2, "<e"),
    "BF16": ("<u2", "bfloat16", 2, "<H"),
    "HIFLOAT8": ("|u1", "uint8", 1, "<B"),
    "FLOAT8_E4M3FN": ("|u1", "uint8", 1, "<B"),
}


def key_of(name):
    """The key of a tensor in a call's JSON: "gradOutput" of "grad_output"."""
    return re.sub("_(.)", lambda letter: letter[1].upper(), name)


class Call:
    """One call: attributes as PyTorch's convolution_backward takes them, `shapes` and `dtypes` by the tensor's name.

    `operands` and `results`: those names, with numbers. A forward call's: input, weight and bias, which it may lack; output.
    `views`: strides and offset of the operands that are not dense, in elements.
    """

    def __init__(self, text):
        fields = json.loads(text)
        self.json = text
        self.stride, self.padding, self.dilation = (tuple(fields[key]) for key in ("stride", "padding", "dilation"))
        self.output_padding = tuple(fields.get("outputPadding") or (0,) * len(self.stride))
        self.transposed, self.groups = fields["transposed"], fields["groups"]
        self.api = fields["api"]
        self.operands, self.results = _OF_GRADIENTS if "outputMask" in fields else _OF_FORWARD
        self.output_mask = tuple(fields.get("outputMask", (True,)))
        self.cube_math_type = fields["cubeMathType"]
        self.shapes, self.dtypes, self.views = {}, {}, {}
        for name in (*self.operands, *self.results):
            tensor = fields.get(key_of(name))
            if tensor:
                self.shapes[name], self.dtypes[name] = tuple(tensor["shape"]), tensor["dtype"]
                if "strides" in tensor or tensor.get("offset"):
                    strides = tensor.get("strides") or dense_strides(tensor["shape"])
                    self.views[name] = (tuple(strides), tensor.get("offset", 0))

    def __str__(self):
        """One line: the operands, and what is not as in most calls."""
        tensors = ", ".join(f"{name} {self.dtypes[name]} {list(self.shapes[name])}" for name in self.operands if name in self.shapes)
        usual = {"stride": 1, "padding": 0, "dilation": 1, "output_padding": 0}
        unusual = [f"{name} {list(getattr(self, name))}" for name, value in usual.items() if set(getattr(self, name)) != {value}]
        unusual += [f"groups {self.groups}"] * (self.groups != 1) + ["transposed"] * self.transposed
        unusual += [f"{name} strides {list(strides)} offset {offset}" for name, (strides, offset) in self.views.items()]
        unusual += [f"output_mask {list(self.output_mask)}"] * (len(self.results) > 1)
        return "; ".join([tensors, *unusual])


def dense_strides(shape):
    """Row-major strides, in elements."""
    strides, step = [], 1
    for length in reversed(shape):
        strides.append(step)
        step *= length
    return tuple(reversed(strides))


class Tensor:
    """Elements in memory: `data` (a bytearray), `shape`, `dtype`; `strides` and `offset` in elements, row-major from the begin without.

    Indices, `tolist()` and, for NumPy, `__array_interface__`. Elements of types that Python lacks are their bits.
    """

    def __init__(self, data, shape, dtype, strides=None, offset=0):
        self.data = data if isinstance(data, bytearray) else bytearray(data)
        self.shape, self.dtype, self.offset = tuple(shape), dtype, offset
        self.strides = dense_strides(self.shape) if strides is None else tuple(strides)

    @property
    def __array_interface__(self):
        typestr, _, width, _ = DTYPES[self.dtype]
        return {"version": 3, "shape": self.shape, "typestr": typestr, "data": memoryview(self.data), "offset": self.offset * width,
                "strides": tuple(step * width for step in self.strides)}

    def __repr__(self):
        return f"<gradproof.Tensor {self.dtype} {list(self.shape)}>"

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, index):
        place, index = self.offset, index if isinstance(index, tuple) else (index,)
        for number, length, step in zip(index, self.shape, self.strides):
            if not -length <= number < length:
                raise IndexError(f"{number} is no index of {length}")
            place += number % length * step
        if len(index) < len(self.shape):
            return Tensor(self.data, self.shape[len(index):], self.dtype, self.strides[len(index):], place)
        if len(index) > len(self.shape):
            raise IndexError(f"{len(index)} indices of {len(self.shape)} axes")
        _, _, width, code = DTYPES[self.dtype]
        return struct.unpack_from(code, self.data, place * width)[0]

    def tolist(self):
        return [part.tolist() if isinstance(part, Tensor) else part for part in self] if self.shape else self[()]

    def tobytes(self):
        """The elements, dense and row-major."""
        width = DTYPES[self.dtype][2]
        if self.strides == dense_strides(self.shape):
            return bytes(self.data[self.offset * width:(self.offset + prod(self.shape)) * width])
        places = (self.offset + sum(number * step for number, step in zip(index, self.strides))
                  for index in product(*map(range, self.shape)))
        return b"".join(bytes(self.data[place * width:(place + 1) * width]) for place in places)


def operand(call, name, data, views):
    """The operand in its memory: dense elements, or with `views` the storage that the call's strides and offset refer to."""
    return Tensor(data, call.shapes[name], call.dtypes[name], *(call.views.get(name, ()) if views else ()))


def to_array(tensor, family):
    """The tensor as an array of that family; both see the same memory."""
    typestr, torch_name, width, _ = DTYPES[tensor.dtype]
    if family == "torch":
        torch = sys.modules.get("torch") or importlib.import_module("torch")
        dtype = getattr(torch, torch_name)
        if not prod(tensor.shape):
            return torch.empty(tensor.shape, dtype=dtype)
        return torch.frombuffer(tensor.data, dtype=dtype).as_strided(tensor.shape, tensor.strides, tensor.offset)
    if family == "numpy":
        numpy = sys.modules.get("numpy") or importlib.import_module("numpy")
        return numpy.ndarray(tensor.shape, typestr, tensor.data, tensor.offset * width, tuple(step * width for step in tensor.strides))
    return tensor


def _strides(value, width):
    """In elements."""
    if hasattr(value, "stride"):
        return tuple(value.stride())
    bytes_ = getattr(value, "__array_interface__", {}).get("strides")
    return dense_strides(value.shape) if bytes_ is None else tuple(step // width for step in bytes_)


def _channels_last(shape):
    """The strides of N ... C in memory."""
    inner = dense_strides((shape[0], *shape[2:], shape[1]))
    return (inner[0], inner[-1], *inner[1:-1])


def _check_layout(name, strides, call, layout):
    """TypeError: the result's memory is not what `layout` demands. Axes of length 1 may have any stride."""
    shape, expected = call.shapes[name], dense_strides(call.shapes[name])
    view = call.views.get(name.replace("grad_", ""))
    if layout == "operand" and len(shape) > 2 and view and view[0] == _channels_last(shape):
        expected = view[0]
    if prod(shape) and any(length > 1 and step != wanted for length, step, wanted in zip(shape, strides, expected)):
        raise TypeError(f'{name} has strides {list(strides)}, expected {list(expected)} for layout="{layout}"')


def _check(name, found_shape, found_dtype, shape, dtypes):
    if tuple(found_shape) != tuple(shape):
        raise TypeError(f"{name} has shape {list(found_shape)}, expected {list(shape)}")
    if found_dtype not in dtypes:
        raise TypeError(f"{name} has dtype {found_dtype}, expected {' or '.join(dtypes)}")


def to_bytes(value, name, shape, dtype):
    """Elements of a result, dense and row-major. TypeError: what is wrong with its shape, dtype or place."""
    typestr, torch_name, width, _ = DTYPES[dtype]
    if hasattr(value, "data_ptr") and hasattr(value, "detach"):
        if value.device.type != "cpu":
            raise TypeError(f"{name} is on device {value.device}, expected cpu")
        _check(name, value.shape, str(value.dtype).replace("torch.", ""), shape, (torch_name,))
        dense = value.detach().contiguous()
        return ctypes.string_at(dense.data_ptr(), prod(shape) * width) if prod(shape) else b""
    if isinstance(value, Tensor):
        _check(name, value.shape, value.dtype, shape, (dtype,))
        value = value.tobytes()
    interface = getattr(value, "__array_interface__", None)
    if interface is None and hasattr(value, "__dlpack__") and "numpy" in sys.modules:
        value = sys.modules["numpy"].from_dlpack(value)
        interface = value.__array_interface__
    if interface is not None:
        _check(name, interface["shape"], interface["typestr"], shape, (typestr,))
    try:
        data = memoryview(value).tobytes()
    except TypeError:
        raise TypeError(f"{name} is a {type(value).__name__}: no tensor of torch, no array, no buffer") from None
    if len(data) != prod(shape) * width:
        raise TypeError(f"{name} has {len(data)} bytes, expected {prod(shape) * width} for {dtype} {list(shape)}")
    return data


def results_in_bytes(call, results, layout=None):
    """(dx, dw, db), or the output, by name, those that the call asks for. TypeError: what is wrong with one."""
    results = tuple(results) if isinstance(results, (tuple, list)) else (results,)
    if len(results) != len(call.results):
        raise TypeError(f"expected {'(dx, dw, db)' if len(call.results) > 1 else 'the output'}, found {len(results)} results")
    told = {}
    for name, result, asked in zip(call.results, results, call.output_mask):
        if asked and result is None:
            raise TypeError(f"{name} is None, and output_mask asks for it")
        if asked:
            told[name] = to_bytes(result, name, call.shapes[name], call.dtypes[name])
            if layout and hasattr(result, "shape"):
                _check_layout(name, _strides(result, DTYPES[call.dtypes[name]][2]), call, layout)
    return told


def float32_of_bfloat16(bits):
    """The numbers that BF16 bits (an array of uint16) stand for, as NumPy's float32. Exact."""
    import numpy
    return (bits.astype(numpy.uint32) << 16).view(numpy.float32)


def bfloat16_of_float32(numbers):
    """BF16 bits, as uint16, of float32 numbers, rounded to nearest, ties to even."""
    import numpy
    numbers = numpy.ascontiguousarray(numbers, dtype=numpy.float32)
    bits = numbers.view(numpy.uint32).astype(numpy.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16)
    return numpy.where(numpy.isnan(numbers), numpy.uint16(0x7FC0), rounded)
