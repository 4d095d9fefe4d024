"""The function that is verified: which arrays it is given, what of its exceptions is a refusal."""
import sys

from ._tensors import results_in_bytes, to_array


class NotSupported(Exception):
    """Raised by a function for a call that it does not take: counted, no finding."""


def refusal(raised):
    """Why the function does not take a call, where that is what it raised; else None."""
    is_one = isinstance(raised, (NotSupported, NotImplementedError)) or "not implemented for" in str(raised)
    return (str(raised) or "the function does not take it") if is_one else None


def families():
    """What a function is given by what is loaded, whoever loaded it: tensors of torch, then arrays of NumPy; without both "raw"."""
    return [name for name in ("torch", "numpy") if name in sys.modules] or ["raw"]


def first_change(before, now):
    """The first byte that differs; -1: none does."""
    return -1 if before == now else next(i for i, (old, new) in enumerate(zip(before, now)) if old != new)


class Function:
    """A function with the arrays that it takes.

    arrays: "torch", "numpy" or "raw". Without it, `families()` is asked at each call until the function has answered one: where torch
    and NumPy are both loaded, a function that raises on tensors of torch is given NumPy's.
    layout: what the results' memory must be ("contiguous", "operand"); None: anything.
    """

    def __init__(self, function, arrays=None, layout=None):
        if layout not in (None, "contiguous", "operand"):
            raise ValueError(f'layout: expected "contiguous" or "operand", found {layout!r}')
        self.function, self.layout = function, layout
        self._families = [arrays] if arrays else None
        self._is_chosen = bool(arrays)

    def __call__(self, operands, call):
        """Results by name as bytes, and by the operand's number the first byte that the function changed (-1: none).

        operands: in the order in which the function takes them, None for one that the call lacks.
        """
        there = {number: tensor for number, tensor in zip(call.operands.values(), operands) if tensor}
        before, problems = {number: bytes(tensor.data) for number, tensor in there.items()}, {}
        for family in self._families or families():
            for number, data in before.items() if problems else ():
                there[number].data[:] = data
            try:
                results = self.function(*(tensor and to_array(tensor, family) for tensor in operands), call)
                told = results_in_bytes(call, results, self.layout)
                self._families = [family]
                return told, [first_change(before[number], there[number].data) if number in there else -1 for number in range(3)]
            except KeyboardInterrupt:
                raise
            except BaseException as raised:  # whatever a function of somebody else's raises: SystemExit would end the program as if all were well
                if refusal(raised) or isinstance(raised, TimeoutError):
                    raise
                problems[family] = raised
        problem = next(iter(problems.values()))
        problem.gradproof_words = self._words(problems)
        raise problem

    def _words(self, problems):
        """What was raised, and on which arrays where nobody has chosen them."""
        (family, first), *others = problems.items()
        words = f"{type(first).__name__}: {first}"
        if family == "raw" and not self._is_chosen and isinstance(first, (AttributeError, TypeError)):
            words += '; it was given gradproof.Tensor, as neither torch nor NumPy is loaded: arrays="numpy" loads it'
        for other, raised in others:
            if str(raised) == str(first):
                continue
            words += f"; given arrays of {other} instead of {family}: {type(raised).__name__}: {raised}"
        return words


def own_lines(raised):
    """The exception with the lines of the function alone in its traceback; None where it was raised here, about what came back."""
    lines = raised.__traceback__
    while lines and lines.tb_frame.f_globals.get("__name__", "").startswith("gradproof."):
        lines = lines.tb_next
    return raised.with_traceback(lines) if lines else None


def words_of_failure(raised):
    """The sentence of a finding."""
    return "the function raised " + getattr(raised, "gradproof_words", f"{type(raised).__name__}: {raised}")
