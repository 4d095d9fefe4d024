"""Calls and tensors: from the library's bytes to what a function takes, and back."""
import ctypes
import json
import sys
from math import prod

OPERANDS = ("grad_output", "input", "weight")
RESULTS = ("grad_input", "grad_weight", "grad_bias")

# name: (NumPy's type, torch's, bytes). What NumPy has no type for are integers of the same width.
DTYPES = {
    "FLOAT": ("<f4", "float32", 4),
    "FLOAT16": ("<f2", "float16", 2),
    "BF16": ("<u2", "bfloat16", 2),
    "HIFLOAT8": ("|u1", "uint8", 1),
    "FLOAT8_E4M3FN": ("|u1", "uint8", 1),
}
SYNONYMS = {"BFLOAT16": "BF16", "FLOAT32": "FLOAT"}


class Call:
    """One call: attributes as PyTorch's convolution_backward takes them, `shapes` and `dtypes` by the tensor's name."""

    def __init__(self, text):
        fields = json.loads(text)
        self.json = text
        self.stride, self.padding, self.dilation = (tuple(fields[key]) for key in ("stride", "padding", "dilation"))
        self.output_padding = tuple(fields.get("outputPadding") or (0,) * len(self.stride))
        self.transposed, self.groups = fields["transposed"], fields["groups"]
        self.output_mask = tuple(fields["outputMask"])
        self.cube_math_type = fields["cubeMathType"]
        self.shapes, self.dtypes = {}, {}
        for name, key in zip(OPERANDS + RESULTS, ("gradOutput", "input", "weight", "gradInput", "gradWeight", "gradBias")):
            tensor = fields.get(key)
            if tensor:
                self.shapes[name], self.dtypes[name] = tuple(tensor["shape"]), tensor["dtype"]

    def __str__(self):
        tensors = ", ".join(f"{name} {self.dtypes[name]} {list(self.shapes[name])}" for name in OPERANDS)
        return (f"{tensors}; stride {list(self.stride)}, padding {list(self.padding)}, dilation {list(self.dilation)}, "
                f"transposed {self.transposed}, output_padding {list(self.output_padding)}, groups {self.groups}, "
                f"output_mask {list(self.output_mask)}")


class Tensor:
    """An operand's bytes, dense and row-major; has `__array_interface__`."""

    def __init__(self, data, shape, dtype):
        self.data, self.shape, self.dtype = bytearray(data), shape, dtype

    @property
    def __array_interface__(self):
        return {"version": 3, "shape": self.shape, "typestr": DTYPES[self.dtype][0], "data": memoryview(self.data)}


def family_of(function):
    """Which arrays a function is given: those of the module that it uses, "torch" or "numpy"; else "raw"."""
    used = [getattr(value, "__name__", None) for value in getattr(function, "__globals__", {}).values() if type(value) is type(sys)]
    return next((name for name in ("torch", "numpy") if name in used), "raw")


def to_array(tensor, family):
    """The tensor as an array of that family; both see the same memory."""
    typestr, torch_name, _ = DTYPES[tensor.dtype]
    if family == "torch":
        torch = sys.modules["torch"]
        if not tensor.data:
            return torch.empty(tensor.shape, dtype=getattr(torch, torch_name))
        return torch.frombuffer(tensor.data, dtype=getattr(torch, torch_name)).reshape(tensor.shape)
    if family == "numpy":
        import numpy
        return numpy.frombuffer(tensor.data, dtype=typestr).reshape(tensor.shape)
    return tensor


def _check(name, found_shape, found_dtype, shape, dtypes):
    if tuple(found_shape) != tuple(shape):
        raise TypeError(f"{name} has shape {list(found_shape)}, expected {list(shape)}")
    if found_dtype not in dtypes:
        raise TypeError(f"{name} has dtype {found_dtype}, expected {' or '.join(dtypes)}")


def to_bytes(value, name, shape, dtype):
    """Elements of a result, dense and row-major. TypeError: what is wrong with its shape, dtype or place."""
    typestr, torch_name, width = DTYPES[dtype]
    if hasattr(value, "data_ptr") and hasattr(value, "detach"):
        if value.device.type != "cpu":
            raise TypeError(f"{name} is on device {value.device}, expected cpu")
        _check(name, value.shape, str(value.dtype).replace("torch.", ""), shape, (torch_name,))
        dense = value.detach().contiguous()
        return ctypes.string_at(dense.data_ptr(), prod(shape) * width) if prod(shape) else b""
    if isinstance(value, Tensor):
        _check(name, value.shape, value.dtype, shape, (dtype,))
        return bytes(value.data)
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


def results_in_bytes(call, results):
    """(dx, dw, db) by name, those that the call asks for. TypeError: what is wrong with one."""
    results = tuple(results) if isinstance(results, (tuple, list)) else (results,)
    if len(results) != len(RESULTS):
        raise TypeError(f"expected (dx, dw, db), found {len(results)} results")
    told = {}
    for name, result, asked in zip(RESULTS, results, call.output_mask):
        if asked and result is None:
            raise TypeError(f"{name} is None, and output_mask asks for it")
        if asked:
            told[name] = to_bytes(result, name, call.shapes[name], call.dtypes[name])
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
