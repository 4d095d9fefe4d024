"""What a function may import of the package in its own code; nothing of it judges."""
import numpy


class NotSupported(Exception):
    """Raised by a function for a call that it does not take."""


def float32_of_bfloat16(bits):
    """The numbers that BF16 bits (an array of uint16) stand for, as NumPy's float32. Exact."""
    return (bits.astype(numpy.uint32) << 16).view(numpy.float32)


def bfloat16_of_float32(numbers):
    """BF16 bits, as uint16, of float32 numbers, rounded to nearest, ties to even."""
    bits = numpy.ascontiguousarray(numbers, dtype=numpy.float32).view(numpy.uint32).astype(numpy.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16)
    return numpy.where(numpy.isnan(numbers), numpy.uint16(0x7FC0), rounded)
