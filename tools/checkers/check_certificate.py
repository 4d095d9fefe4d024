#!/usr/bin/env python3
"""Checks a certificate that `gradproof --write certificate=FILE` wrote (docs/prove.md); proofs with check_proof.py.

It shares no code with Gradproof and uses integers and fractions alone: it draws the operands again from each
case's seed, adds the products of the attested elements, and works out their bounds and the residues of outputs.
Exit codes: 0 every line is true; 1 a line is false, or a block's hash is not that of its lines; 2 the file
cannot be checked: cut off, out of order, of another version or library, or no certificate.
"""
import argparse, hashlib, json, sys
from fractions import Fraction
from itertools import product
from math import prod

VERSION, PRIME, MASK, GOLDEN = 1, (1 << 61) - 1, (1 << 64) - 1, 0x9E3779B97F4A7C15
ROLES = {"gradOutput": 0, "input": 1, "weight": 2}
PARTNER = {"gradInput": "weight", "gradWeight": "input", "gradBias": None}
TARGET = {"gradInput": "input", "gradWeight": "weight"}
# Binades as (lowest exponent, fraction bits), the largest number, ties away from zero?, bits of exponent and element.
FORMATS = {
    "FLOAT": ([(-126, 23)], ((1 << 24) - 1, 104), False, 8, 32),
    "FLOAT16": ([(-14, 10)], (65504, 0), False, 5, 16),
    "BF16": ([(-126, 7)], (255, 120), False, 8, 16),
    "HF32 (11 bits)": ([(-126, 11)], (4095, 116), False, 8, 32),
    "HF32 (10 bits)": ([(-126, 10)], (2047, 117), False, 8, 32),
    "FLOAT8_E4M3FN": ([(-6, 3)], (448, 0), False, 4, 8),
    "HIFLOAT8": ([(-22, 0), (-15, 1), (-7, 2), (-3, 3), (4, 2), (8, 1)], (32768, 0), True, None, 8)}
# Operands' formats for cubeMathType 0 to 3, by generation of products and promoted dtype.
HALF, BRAIN = ["FLOAT16"] * 4, ["BF16", "BF16", "FLOAT16", "BF16"]
MODES = {"first": {"FLOAT16": HALF, "FLOAT": ["", "FLOAT16", "FLOAT16", ""]},
         "second": {"FLOAT16": HALF, "BF16": BRAIN, "FLOAT": ["FLOAT", "HF32 (11 bits)", "FLOAT16", "HF32 (11 bits)"]},
         "third": {"FLOAT16": HALF, "BF16": BRAIN, "FLOAT": ["FLOAT", "HF32 (10 bits)", "FLOAT16", "HF32 (10 bits)"],
                   "HIFLOAT8": ["HIFLOAT8"] * 4, "FLOAT8_E4M3FN": ["FLOAT8_E4M3FN"] * 4}}
ADDERS = {"ieee": (24, 1), "faithful": (23, 1), "block": (22, 2)}  # log2(1 / u); roundings count so often: proofs/Bound.v, n_counts
INFINITE = {"inf": 1 << 999, "-inf": -(1 << 999)}
class FalseLine(Exception): """What is wrong with a line."""
class Unreadable(Exception): """Why the file cannot be checked."""
def demand(holds, words):
    if not holds: raise FalseLine(words)

# ---- Numbers: (m, e) is m * 2^e; None stands for an infinity or a NaN among operands.
def fraction(number): return Fraction(number[0] << number[1]) if number[1] >= 0 else Fraction(number[0], 1 << -number[1])
def dyadic(value): return value.numerator, 1 - value.denominator.bit_length()
def leading(size):
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    return exponent if Fraction(2) ** exponent <= size else exponent - 1

def rounded(value, name, mode=None, saturates=False):
    """mode: even, away, zero, or the format's own. What is too large becomes "inf", or saturates (always with zero)."""
    binades, largest, away = FORMATS[name][:3]
    size, exponent = abs(value), max(leading(abs(value)), binades[0][0])
    unit = Fraction(2) ** (exponent - [bits for low, bits in binades if low <= exponent][-1])
    steps, rest = divmod(size, unit)
    mode = mode or ("away" if away else "even")
    steps += mode != "zero" and (2 * rest > unit or 2 * rest == unit and (mode == "away" or steps % 2 == 1))
    if steps * unit > fraction(largest):
        if mode != "zero" and not saturates:
            return "inf" if value > 0 else "-inf"
        steps = fraction(largest) / unit
    return steps * unit if value > 0 else -steps * unit
def decoded(bits, name):  # (m, e), or "inf", "-inf", "nan"
    binades, _, _, field_bits, width = FORMATS[name]
    sign, code = (-1 if bits >> (width - 1) else 1), bits & ((1 << (width - 1)) - 1)
    infinity = "inf" if sign > 0 else "-inf"
    if name == "HIFLOAT8" and (bits == 0x80 or code == 0x6F):
        return "nan" if bits == 0x80 else infinity
    if name == "HIFLOAT8":
        if code < 16:
            return (sign * (8 + (code & 7)), -3) if code > 7 else (sign, code - 23) if code else (0, 0)
        more = (0x20 <= code) + (0x40 <= code) + (0x60 <= code)  # bits of the exponent below its leading one
        below = 3 if more < 2 else 4 - more
        field, size = code >> below & ((2 << more) - 1), code & ((1 << below) - 1) | 1 << below
        exponent = 1 << more | field & ((1 << more) - 1)
        return sign * size, (-exponent if field >> more else exponent) - below
    (low, below), top = binades[0], (1 << field_bits) - 1
    field, size = code >> below, code & ((1 << below) - 1)
    if field == top and (name != "FLOAT8_E4M3FN" or size == 7):
        return "nan" if size else infinity
    return sign * (size | (1 << below if field else 0)), low + max(field, 1) - 1 - below

# ---- Data
def mixed(value):
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & MASK
    return value ^ (value >> 31)
def chained(value, coordinate): return mixed((value + GOLDEN * (coordinate + 1)) & MASK)
def double(value):  # a fraction rounded to 53 bits
    unit = Fraction(2) ** (leading(abs(value)) - 52) if value else Fraction(1)
    return round(value / unit) * unit
def lifted(shape): return shape[:2] + [1] * (5 - len(shape)) + shape[2:]
def drawer(data, role, dtype):  # the function from an element's hash to its number
    kind, fill, top = data["distribution"], data.get(role), FORMATS[dtype][4] - 1
    def stored(negative, mantissa, exponent):
        (low, below), size = FORMATS[dtype][0][0], mantissa.bit_length()
        if FORMATS[dtype][4] > 8 and low <= size + exponent - 1 < -low:  # far from both ends
            mantissa, exponent = mantissa >> max(size - below - 1, 0), exponent + max(size - below - 1, 0)
        else:
            mantissa, exponent = dyadic(rounded(fraction((mantissa, exponent)), dtype, "zero"))
        return -mantissa if negative else mantissa, exponent
    def grid(value):
        return stored(value >> 16 & 1, (mixed(value + GOLDEN & MASK) * fill["magnitude"] >> 64) + 1, fill["exponent"])
    def full(value):
        draw, binades = mixed(value + GOLDEN & MASK), fill["exponentHigh"] - fill["exponentLow"] + 1
        exponent = fill["exponentLow"] + ((value >> 16 & 0xFFFFFF) * binades >> 24)
        return stored(draw >> 63, draw & ((1 << 52) - 1) | 1 << 52, exponent - 52)
    def special(value):
        which, sign = mixed(value ^ GOLDEN) % 18, value >> 16 & 1
        bits = {2: 1 << top, 4: sign << top | 1}.get(which)
        number = "nan" if bits is None else decoded(bits, dtype)
        number = stored(sign, *(FORMATS[dtype][1] if which == 3 else (1, 0))) if which in (3, 5) else number
        return full(value) if which > 5 else number if isinstance(number, tuple) else None
    def uniform(value):
        low, high = (double(Fraction(end)) for end in data["range"])
        number = double(low + double(double(high - low) * Fraction(mixed(value + GOLDEN & MASK) >> 11, 1 << 53)))
        return stored(number < 0, *dyadic(abs(number)))
    def near_one(value):
        return stored(value >> 16 & 1, *dyadic(double(1 + Fraction(mixed(value + GOLDEN & MASK) >> 11, 1 << 59))))
    if kind in ("uniform", "cancellation"):
        return uniform if kind == "uniform" else near_one
    demand(kind in ("exact_grid", "specials", "sparse_full_mantissa", "near_overflow", "near_underflow"),
           f"data: the recipe {kind} is unknown")
    draw = {"exact_grid": grid, "specials": special}.get(kind, full)
    return lambda value: draw(value) if value & 0xFFFF < fill["density"] else (0, 0)

def elements(case, role):  # all elements of an operand, row-major
    tensor, data, values = case[role], case["data"], []
    shape, is_listed = tensor["shape"], data["distribution"] == "listed"
    if is_listed:
        given = {tuple(at): value for at, value in data.get(role, [])}
        for value in (given.get(at, 0) for at in product(*map(range, shape))):
            is_bits = isinstance(value, str)
            number = decoded(int(value, 16), tensor["dtype"]) if is_bits else dyadic(double(Fraction(value)))
            values.append(number if isinstance(number, tuple) else None)
    else:
        draw, (*outer, last) = drawer(data, role, tensor["dtype"]), lifted(shape)
        start = mixed(chained(data["seed"], ROLES[role]))
        for at in product(*map(range, outer)):
            row = start
            for coordinate in at:
                row = chained(row, coordinate)
            values += [draw(chained(row, i)) for i in range(last)]
    places = {}  # elements of one place in memory are one: the first; of a list the only one that is not 0
    for index, at in enumerate(product(*map(range, shape)) if tensor.get("strides") else ()):
        places.setdefault(sum(map(int.__mul__, tensor["strides"], at)), []).append(index)
    for sharers in places.values():
        found = [values[i] for i in sharers if not is_listed or values[i] != (0, 0)]
        if len(sharers) > 1 and (not is_listed or len(set(found)) == 1):
            for i in sharers:
                values[i] = found[0]
    return values

# ---- The convolution: big position = small position * stride - padding + tap * dilation
class Call:
    """A case with its geometry and operands. The maps are big, small and weight: 0, 1 and 2."""
    def __init__(self, case):
        self.case, self.cache = case, {}
        self.names = ["gradOutput", "input", "weight"] if case["transposed"] else ["input", "gradOutput", "weight"]
        self.shapes = [lifted(case[name]["shape"]) for name in self.names]
        rank, padding = len(case["input"]["shape"]) - 2, case["padding"]
        padding = [padding[0], padding[2]] if len(padding) == 4 and rank == 2 else padding
        self.axes = [(1, 0, 1)] * (3 - rank) + list(zip(case["stride"], padding, case["dilation"]))
        big, small, weight = self.shapes
        self.cs, self.ks = weight[1], weight[0] // case["groups"]  # channels of a group
        demand(len(self.axes) == 3 and big[0] == small[0] and small[1] == weight[0] and
               weight[0] % case["groups"] == 0 and big[1] == case["groups"] * self.cs,
               "case: its tensors do not fit each other")
    def operand(self, name, way):
        key = name, way["operands"], way["rounded"], way["saturates"]
        if key not in self.cache:
            values, mode = elements(self.case, name), way["rounded"] if "HF32" in way["operands"] else None
            if way["operands"] not in ("FLOAT", self.case[name]["dtype"]):
                converted = [v and rounded(fraction(v), way["operands"], mode, way["saturates"]) for v in values]
                values = [dyadic(v) if isinstance(v, Fraction) else None for v in converted]
            self.cache[key] = values
        return self.cache[key]
    def met(self, axis, kind=None, at=None):
        """What meets along an axis, or at a position of one map: [(big, small, tap)]."""
        (stride, padding, dilation), (bigs, smalls, taps) = self.axes[axis], [s[axis + 2] for s in self.shapes]
        found = []
        for tap in [at] if kind == 2 else range(taps):
            first, rest = divmod((at if kind == 0 else 0) + padding - tap * dilation, stride)
            for small in [at] if kind == 1 else range(smalls) if kind != 0 else [first] * (not rest):
                big = small * stride - padding + tap * dilation
                found += [(big, small, tap)] if 0 <= big < bigs and 0 <= small < smalls else []
        return found
    def flat(self, part, first, second, *position):
        place = 0
        for length, coordinate in zip(self.shapes[part], (first, second) + position):
            place = place * length + coordinate
        return place
    def products(self, output, index):
        """Indices into gradOutput and its partner whose products an element adds."""
        if output == "gradBias":
            n, channels, *rest = self.shapes[self.names.index("gradOutput")]
            return [((i * channels + index) * prod(rest) + j, 0) for i in range(n) for j in range(prod(rest))]
        kind, at = self.names.index(TARGET[output]), []
        for length in reversed(self.shapes[kind]):
            index, coordinate = divmod(index, length)
            at.insert(0, coordinate)
        group = (at[0] if kind == 2 else at[1]) // (self.cs if kind == 0 else self.ks)
        batch = range(self.shapes[0][0]) if kind == 2 else [at[0]]
        kernels = [range(group * self.ks, (group + 1) * self.ks), [at[1]], [at[0]]][kind]
        channels = [[at[1] % self.cs], range(self.cs), [at[1]]][kind]
        left, right = self.names.index("gradOutput"), self.names.index(PARTNER[output])
        found = []
        for n, k, c, *along in product(batch, kernels, channels, *(self.met(i, kind, at[i + 2]) for i in range(3))):
            big, small, tap = zip(*along)
            parts = (n, group * self.cs + c, *big), (n, k, *small), (k, c, *tap)
            found.append((self.flat(left, *parts[left]), self.flat(right, *parts[right])))
        return found

# ---- One output of a line
def is_allowed(case, output, way, tolerant):  # by docs/gradients.md
    dtypes, soc, dtype = {case[name]["dtype"] for name in ROLES}, case["soc"], case[output]["dtype"]
    is_second = soc.startswith(("Ascend910B", "Ascend910_93"))
    generation = "third" if soc.startswith("Ascend950") else "second" if is_second else "first"
    promoted = dtypes.pop() if len(dtypes) == 1 else "FLOAT"
    used = way["operands"] if "HF32" not in way["operands"] else "FLOAT"
    if output == "gradBias":
        operands, chains = [case["gradOutput"]["dtype"]], [[used, dtype]]
    else:
        mode = MODES[generation].get(promoted, [""] * 4)[case["cubeMathType"]]
        operands = [mode] + [promoted] * (tolerant or "HF32" in mode and "slack" in way)
        chains = [[used, dtype] if output == "gradInput" else [dtype]]
        chains += [["FLOAT16"]] * (tolerant and output == "gradWeight")
    chains = [[name for i, name in enumerate(chain) if name != "FLOAT" and name not in chain[:i]] for chain in chains]
    saturates = way["saturates"] and generation != "first"
    return way["operands"] in operands and way["through"] in chains and not saturates
def bound_of(adder, way, is_bias, terms, size, subnormal):  # of any order of summation: proofs/Limit.v, limit
    bits, factor = ADDERS[adder]
    precision = [below for low, below in FORMATS[way["operands"]][0] if low <= 0][-1] + 1
    rounds = not is_bias and 2 * precision > 24 or adder == "block"
    n = factor * (terms if rounds else max(terms - 1, 0))
    demand(n < 1 << bits, "bound: a sum of so many products has none")
    gamma = Fraction(-(-(n << 96) // ((1 << bits) - n)), 1 << 96)  # Bound.v, plain_gamma_up
    gamma = (1 + gamma) * (1 + Fraction(way.get("slack", 0))) ** 2 - 1  # Limit.v, near_product
    lost = terms * Fraction(1, 1 << (150 if adder == "ieee" else 125)) * (1 + gamma)  # Bound.v, losses
    return gamma * size + lost + (subnormal if adder != "ieee" else 0)
def is_admitted(computed, low, high, way, output):
    """Whether a FLOAT sum between the two gives this, rounded as the way says."""
    if computed == "nan":
        return output == "FLOAT8_E4M3FN" and not way["saturates"] and max(high, -low) > 448
    through, ends, value = way["through"], [], INFINITE.get(computed) or fraction(computed)
    for end in (low, high):
        for name in through or ["FLOAT"]:
            end = end if isinstance(end, str) else rounded(end, name, None, way["saturates"])
        ends.append(INFINITE.get(end, end))
    if isinstance(computed, str) or not ends[0] <= value <= ends[1]:
        return ends[0] <= value <= ends[1]
    return low <= value <= high if not through else output != "FLOAT" or rounded(value, through[-1]) == value
def check_element(call, output, said, adder):
    way, dtype, met, subnormal = said["way"], call.case[output]["dtype"], [], Fraction(0)
    demand(0 <= said["index"] < prod(call.case[output]["shape"]), "index lies outside the output")
    left = call.operand("gradOutput", way)
    right = call.operand(PARTNER[output], way) if PARTNER[output] else [(1, 0)]
    smallest = Fraction(2) ** FORMATS[way["operands"]][0][0][0]
    for i, j in call.products(output, said["index"]):
        a, b = left[i], right[j]
        demand(a is not None and b is not None, "a product of the element is not finite")
        if a[0] and b[0]:
            met.append((a[0] * b[0], a[1] + b[1]))
            if adder != "ieee" and min(abs(fraction(a)), abs(fraction(b))) < smallest:
                subnormal += abs(fraction(met[-1]))
    lowest = min((e for _, e in met), default=0)
    terms = [m << (e - lowest) for m, e in met]
    total, size = sum(terms) * Fraction(2) ** lowest, sum(map(abs, terms)) * Fraction(2) ** lowest
    unit = lowest + min(((m & -m).bit_length() - 1 for m in terms), default=0)  # all terms are multiples of it
    stated = {key: fraction((int(said[key][0]), said[key][1])) for key in ("sum", "S", "bound")}
    demand((stated["sum"], stated["S"]) == (total, size), "sum or S is not that of the element's products")
    demand(said["K"] == len(met), f"K is {len(met)}, not {said['K']}")
    bound = Fraction(0)
    if said["exact"]:
        fits = unit >= (-149 if adder == "ieee" else -124) and size <= Fraction(2) ** min(24 + unit, 127) or not met  # Grid.v
        demand(fits and "slack" not in way and not subnormal, "exact: a partial sum may round")
    else:
        bound, lost = (bound_of(adder, way, output == "gradBias", len(met), of, subnormal) for of in (size, Fraction(0)))
        demand(size + bound - lost < 1 << 128, "bound: a partial sum may overflow")  # Guard.v
    demand(stated["bound"] == bound, "bound is not what K, S and the adder give")
    admitted = is_admitted(decoded(int(said["bits"], 16), dtype), total - bound, total + bound, way, dtype)
    demand(admitted == said["admitted"], f"admitted is {said['admitted']}, but should be {admitted}")
def fold(values, shape, key, weight):
    """Rows over positions, by key: each the weighted sum, modulo p, of the tensor's rows of that key."""
    area, rows = prod(shape[2:]), {}
    for start, (i, j) in enumerate(product(range(shape[0]), range(shape[1]))):
        row, by = rows.setdefault(key(i, j), [0] * area), weight(i, j)
        for at, number in enumerate(values[start * area:(start + 1) * area]):
            demand(number is not None, "all: an operand is not finite")
            if number[0]:
                row[at] = (row[at] + by * number[0] * (1 << number[1] % 61)) % PRIME
    return rows
def check_identity(call, output, said, way):
    """Freivalds: all elements of an output, weighted, against the operands, weighted (docs/claims.md)."""
    kind = 1 if output == "gradBias" else call.names.index(TARGET[output])
    shape = [1, call.case["gradBias"]["shape"][0], 1, 1, 1] if output == "gradBias" else call.shapes[kind]
    a, u, b = ([chained(chained(said["seed"], axis), i) % PRIME for i in range(count)]
               for axis, count in enumerate((shape[0], shape[1], prod(shape[2:]))))
    def folded(part, key, weight):
        return fold(call.operand(call.names[part], way), call.shapes[part], key, weight)
    if output == "gradBias":
        rows = folded(call.names.index("gradOutput"), lambda n, c: 0, lambda n, c: u[c])
        total = sum(rows.get(0, [])) * a[0] * b[0]
        return demand(total % PRIME == said["residue"], "all: residue is not that of the exact gradient")
    ks, cs = call.ks, call.cs
    i, j = [(1, 2), (0, 2), (0, 1)][kind]  # the maps that meet in the output
    first, second = [
        [(lambda n, k: k, lambda n, k: a[n]), (lambda k, c: k, lambda k, c: u[k // ks * cs + c])],
        [(lambda n, c: c, lambda n, c: a[n]), (lambda k, c: k // ks * cs + c, lambda k, c: u[k])],
        [(lambda n, c: (n, c // cs), lambda n, c: u[c % cs]), (lambda n, k: (n, k // ks), lambda n, k: a[k])]][kind]
    first, second = folded(i, *first), folded(j, *second)
    met = [[call.flat(part, 0, 0, *(axis[part] for axis in along)) for part in range(3)]
           for along in product(*map(call.met, range(3)))]
    total = sum(row[at[i]] * second[key][at[j]] % PRIME * b[at[kind]]
                for key, row in first.items() for at in met if row[at[i]])
    demand(total % PRIME == said["residue"], "all: residue is not that of the exact gradient")

# ---- The file
def check_line(line, head, proof, counts):
    outputs, wrong, counts["lines"] = line["outputs"], [], counts["lines"] + 1
    for output in line.get("in_tiles", {}):
        demand(output not in outputs, f"{output}: its bound is that of an algorithm in tiles, and yet it is attested")
        counts["outputs in tiles, which are not checked"] = counts.get("outputs in tiles, which are not checked", 0) + 1
    counts["lines without values"] += not outputs
    call = Call(line["case"]) if outputs else None
    for output, said in outputs.items():
        try:
            demand(is_allowed(call.case, output, said["way"], "tolerant" in head["profile"]), "way is not the call's")
            check_element(call, output, said, head["adder"])
            if "all" in said:
                check_identity(call, output, said["all"], said["way"])
        except FalseLine as error:
            raise FalseLine(f"{output}: {error}") from None
        wrong += [] if said["admitted"] else [output]
        counts["elements"] += 1
        counts["whole outputs"] += "all" in said
    fits = not wrong if line["verdict"] == "agree" else line.get("output", "") in wrong + [""] or \
        line["output"] not in outputs or line["verdict"] != "disagree"
    demand(fits, f"verdict is {line['verdict']}, but not admitted: {', '.join(wrong) or 'nothing'}")
    if proof:
        proof.add(line, call)
def check_head(line, libraries):
    if line.get("certificate") != VERSION:
        raise Unreadable(f"certificate: version {line.get('certificate')}, but this checker reads {VERSION}")
    for path in libraries:
        with open(path, "rb") as file:
            if hashlib.sha256(file.read()).hexdigest() not in [one["sha256"] for one in line["libraries"]]:
                raise Unreadable(f"libraries: {path} is none of those that were judged")
    return line
def check(path, libraries):
    """What was checked, in words. Errors: FalseLine or Unreadable, with file and line."""
    counts = {"lines": 0, "elements": 0, "whole outputs": 0, "lines without values": 0}
    head, proof, chain, pending, since, blocks, ended, number = None, None, "0" * 64, b"", 0, 0, False, 0
    try:
        with open(path, "rb") as file:
            for number, text in enumerate(file, 1):
                if ended:
                    raise Unreadable("comes after the end")
                line, pending = json.loads(text, parse_float=Fraction), pending + text
                if head is None:
                    head = check_head(line, libraries)
                    if "proof" in head:
                        from check_proof import Proof
                        proof = Proof(head, sys.modules[__name__])
                elif "block" in line:
                    blocks, ended = blocks + 1, "end" in line
                    covered = pending[:len(pending) - len(text) + text.rindex(b'"sha256":"') + 10]
                    chain = hashlib.sha256(chain.encode() + covered).hexdigest()
                    demand(chain == line["sha256"], f"block {line['block']}: sha256 is not that of its lines")
                    demand((line["block"], line["lines"], line.get("end", counts["lines"])) ==
                           (blocks, since, counts["lines"]), "block: a block or a line is missing")
                    since, pending = 0, b""
                else:
                    since += 1
                    if line["line"] != counts["lines"] + 1:
                        raise Unreadable(f"line: {line['line']} stands where {counts['lines'] + 1} should")
                    check_line(line, head, proof, counts)
        number += 1
        if not ended:
            raise Unreadable("the end is missing: the certificate was cut off")
        words = proof.conclusion() if proof else ""
        demand(words or counts["elements"] + counts["whole outputs"], "no line has a value: nothing is proved")
    except (FalseLine, Unreadable) as error:
        raise type(error)(f"{path}:{number}: {error}") from None
    except (json.JSONDecodeError, RecursionError, MemoryError):
        raise Unreadable(f"{path}:{number}: is cut off, or no JSON") from None
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        raise FalseLine(f"{path}:{number}: {type(error).__name__}: {error}") from None
    return f"{path}: true, " + ", ".join(f"{n} {what}" for what, n in counts.items()) + words

def main(name, description, wanted=""):
    """Ends with the exit code. wanted: what the answer to true lines has to hold."""
    parser = argparse.ArgumentParser(description=description.split("\n\n", maxsplit=1)[0])
    parser.add_argument("path", metavar="certificate")
    parser.add_argument("--library", dest="libraries", action="append", default=[], help="one that was judged")
    try:
        print(words := check(**vars(parser.parse_args())))
        demand(wanted in words, "its lines are true, but no proof of a scope")
    except (FalseLine, Unreadable, OSError) as problem:
        print(f"{name}: {problem}", file=sys.stderr)
        sys.exit(1 if isinstance(problem, FalseLine) else 2)
if __name__ == "__main__":
    main("check_certificate", __doc__)
