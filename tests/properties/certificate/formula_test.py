#!/usr/bin/env python3
"""formula_test.py CHECKER VALUES: the bound of tools/check_certificate.py against what Coq makes of the formula that proofs/
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
    print("8000 bounds are those of the proved formula")

if __name__ == "__main__":
    main(*sys.argv[1:])
