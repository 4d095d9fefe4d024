#!/usr/bin/env python3
"""formula_test.py CHECKER VALUES: the bound of tools/checkers/check_certificate.py against what Coq makes of the formula that proofs/
proves, in 8,000 problems: those that add in FLOAT (proofs/Values.v has the same draws)."""
import importlib.util, sys
from fractions import Fraction

P = (1 << 61) - 1
FORMATS = ["FLOAT", "FLOAT16", "BF16", "HF32 (11 bits)", "HF32 (10 bits)", "FLOAT8_E4M3FN", "HIFLOAT8"]
ADDERS = ["ieee", "faithful", "block"]
SLACKS = [Fraction(0), Fraction(1, 1 << 11), Fraction(1, 1 << 10)]
MOST = [24, 23, 21]  # log2 of the number of terms that has no bound any more

def drawn(problem):
    state, found = (problem + 1) * 1000003, []
    for _ in range(20):
        state = state * 48271 % P
        found.append(state)
    return found[4:]

def numbers(checker, problem):
    """gamma, what underflow costs, and the bound; none where the bound has no value."""
    d = drawn(problem)
    kind, dtype, is_bias = d[0] % 3, FORMATS[d[1] % 7], d[2] % 8 == 0
    terms = (1 << MOST[kind]) - 2 + d[5] % 5 if d[4] % 16 == 0 else d[5] % (1 << d[4] % 20 + 1)
    way = {"operands": dtype} | ({"slack": SLACKS[d[3] % 3]} if dtype == "FLOAT" else {})
    size, subnormal = d[6] * Fraction(2) ** (d[7] % 260 - 200), Fraction(0)
    if d[9] % 2:
        subnormal = (d[8] >> 8) * Fraction(2) ** (d[10] % 100 - 220)
    try:
        def bound(size, subnormal):
            return checker.bound_of(ADDERS[kind], way, is_bias, terms, Fraction(size), Fraction(subnormal))
        none = bound(0, 0)
        return [bound(1, 0) - none, bound(0, subnormal), bound(size, subnormal)]
    except checker.FalseLine:
        return []

def digest(before, value):
    return (before * 1000003 + value) % P
def normal(value):  # odd significand and exponent
    if not value:
        return 0, 0
    twos = (value.numerator & -value.numerator).bit_length() - 1
    return value.numerator >> twos, twos - value.denominator.bit_length() + 1

class OneProduct:
    """A call with one product of two FLOATs, as the checker asks for it."""
    case = {"gradInput": {"shape": [1], "dtype": "FLOAT"}}
    def __init__(self, left, right):
        self.operands = {"gradOutput": [left], "weight": [right]}
    def operand(self, name, _way):
        return self.operands[name]
    def products(self, _output, _index):
        return [(0, 0)]

def refusal(checker, left, right, is_exact):
    """What the checker says of a line whose only element is the product of the two, infinite and said to be admitted."""
    way = {"operands": "FLOAT", "rounded": None, "saturates": False, "through": []}
    number = left[0] * right[0], left[1] + right[1]
    size = checker.fraction(number)
    bound = Fraction(0) if is_exact else checker.bound_of("ieee", way, False, 1, size, Fraction(0))
    said = {"index": 0, "way": way, "K": 1, "exact": is_exact, "sum": number, "S": number, "bits": "7f800000", "admitted": True,
            "bound": (bound.numerator, 1 - bound.denominator.bit_length())}
    try:
        checker.check_element(OneProduct(left, right), "gradInput", said, "ieee")
    except checker.FalseLine as error:
        return str(error)
    return "nothing"

def main(path, values):
    spec = importlib.util.spec_from_file_location("check_certificate", path)
    checker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(checker)
    with open(values) as file:
        proved = [int(line.split()[0]) for line in file][:800]
    assert len(proved) == 800, len(proved)
    wrong = []
    for n, expected in enumerate(proved):
        found = n
        for i in range(10):
            for value in numbers(checker, 10 * n + i):
                for part in normal(value):
                    found = digest(found, part)
        wrong += [] if found == expected else [n]
    assert not wrong, f"bounds differ in {len(wrong)} of 800 lines; the first problems: {10 * wrong[0]} to +9"
    # Beyond what the theorems speak of, no line is true.
    assert "may overflow" in (said := refusal(checker, (3, 100), (3, 100), False)), said
    assert "may round" in (said := refusal(checker, (1, 100), (1, 100), True)), said
    print("8000 bounds are those of the proved formula")

if __name__ == "__main__":
    main(*sys.argv[1:])
