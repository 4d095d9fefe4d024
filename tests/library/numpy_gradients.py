"""The gradients of a convolution in NumPy, as a user would write them."""
from itertools import product

import numpy


def gradients(grad_output, input, weight, call, dilation=None):
    """Sums in double; `dilation`: instead of the call's, to seed a bug."""
    large, small = (grad_output, input) if call.transposed else (input, grad_output)
    dilation, axes, groups = dilation or call.dilation, "dhw"[:input.ndim - 2], call.groups
    ends = [n * s + k * d for n, s, k, d in zip(small.shape[2:], call.stride, weight.shape[2:], dilation)]
    padded = numpy.pad(large.astype(float), [(0, 0), (0, 0)] + list(zip(call.padding, ends)))
    d_padded, d_small, dw = numpy.zeros(padded.shape), numpy.zeros(small.shape), numpy.zeros(weight.shape)
    small_of, large_of = small.shape[1] // groups, large.shape[1] // groups
    for group, tap in product(range(groups), product(*map(range, weight.shape[2:]))):
        of = slice(group * small_of, (group + 1) * small_of)
        at = (slice(None), slice(group * large_of, (group + 1) * large_of)) + tuple(
            slice(t * d, t * d + n * s, s) for t, d, n, s in zip(tap, dilation, small.shape[2:], call.stride))
        y, w = small[:, of].astype(float), weight[(of, slice(None)) + tap].astype(float)
        dw[(of, slice(None)) + tap] = numpy.einsum(f"ns{axes},nb{axes}->sb", y, padded[at])
        d_padded[at] += numpy.einsum(f"ns{axes},sb->nb{axes}", y, w)
        d_small[:, of] += numpy.einsum(f"nb{axes},sb->ns{axes}", padded[at], w)
    inner = (...,) + tuple(slice(p, p + n) for p, n in zip(call.padding, large.shape[2:]))
    db = grad_output.astype(float).sum(axis=(0, *range(2, input.ndim)))
    results = (d_small if call.transposed else d_padded[inner], dw, db)
    return tuple(g.astype(input.dtype) if asked else None for g, asked in zip(results, call.output_mask))
