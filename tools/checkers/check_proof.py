#!/usr/bin/env python3
"""What makes true lines of `gradproof prove --certificate FILE` a proof (docs/claims.md): every call of the scope is
there, in order, with runs by which a wrong one is missed with a probability below 2^-40. For check_certificate.py.

By itself it does what that does, and exit code 1 also stands for true lines that are no proof."""
from fractions import Fraction
from itertools import count, product
from math import prod

ENOUGH = Fraction(1, 1 << 40)

def calls_of(scope):
    """(transposed, [batch, groups, channels, filters], along each axis [input, kernel, stride, padding, ...], mask)"""
    if "calls" in scope:
        yield from scope["calls"]
        return
    masks = [[True] * 3] + [[bits & 1 > 0, bits & 2 > 0, bits & 4 > 0] for bits in range(1, 7)]
    masks = masks if scope["masks"] == "all" else masks[:1]
    sizes = [[n, g, c, k] for n, g, c, k in product(*map(scope.get, ("batch", "groups", "channels", "channels")))
             if c % g == 0 == k % g]
    for axes, transposed in product(scope["axes"], scope["transposed"]):
        along, ranges = [], map(scope.get, ("extents", "kernels", "strides", "paddings", "dilations"))
        for big, k, s, p, d in product(*ranges):
            for more in range(s if transposed else 1):  # outputPadding
                reach = d * (k - 1)
                length = (big - 1) * s - 2 * p + reach + more + 1 if transposed else (big + 2 * p - reach - 1) // s + 1
                along += [[big, k, s, p, d, more, length, p]] if length > 0 else []
        for *axis, channels, mask in product(*[along] * axes, sizes, masks):
            yield [transposed, channels, axis[::-1], mask]

def words_of(call, mode):  # as keys of a case
    transposed, (n, groups, channels, filters), axes, mask = call
    lengths, kernel, stride, padding, dilation, more, positions, ends = map(list, zip(*axes))
    padding = padding if ends == padding else [size for both in zip(padding, ends) for size in both]
    first, second = (channels, filters) if transposed else (filters, channels)
    shapes = {"gradOutput": [n, filters] + positions, "input": [n, channels] + lengths,
              "weight": [first, second // groups] + kernel, "gradBias": [filters]}
    shapes |= {"gradInput": shapes["input"], "gradWeight": shapes["weight"]}
    is_byte = mode["dtype"] in ("HIFLOAT8", "FLOAT8_E4M3FN")  # whose gradWeight is FLOAT
    tensors = {name: (shape, "FLOAT" if is_byte and name == "gradWeight" else mode["dtype"])
               for name, shape in shapes.items()}
    return {"soc": mode["soc"], "cubeMathType": mode["cubeMathType"], "api": "aclnnConvolutionBackward",
            "transposed": transposed, "groups": groups, "outputMask": mask, "stride": stride, "padding": padding,
            "dilation": dilation, "outputPadding": more}, tensors

class Proof:
    """Of a certificate with this head; base: the module check_certificate."""
    def __init__(self, head, base):
        self.base, self.head, said = base, head, head["proof"]
        (index, shards), modes = said["shard"], said["modes"]
        everything = enumerate((call, mode) for mode in modes for call in calls_of(said["scope"]))
        self.calls = (one for one in everything if shards == 1 or base.mixed(one[0]) % shards == index - 1)
        self.number, self.call, self.missed, self.runs, self.has_status_alone = -1, None, {}, 0, False
        self.proved = self.by_status = 0
        self.unproved = ""
    def integers(self, name):  # all up to 2 to this are numbers of the format
        binades = self.base.FORMATS[name][0]
        return next(e for e in count() if e > [bits for low, bits in binades if low <= e][-1])
    def lengths(self, call, output):
        """Products of an element of gradient `output`: the most with padding, and the most that contribute."""
        names, shapes = call.names, call.shapes
        if output == "gradBias":
            n, _, *positions = shapes[names.index("gradOutput")]
            return [n * prod(positions)] * 2
        kind = names.index(self.base.TARGET[output])
        outer = [call.ks, call.cs, shapes[0][0]][kind]
        met = [max(len(call.met(axis, kind, at)) for at in range(shapes[kind][axis + 2])) for axis in range(3)]
        return outer * prod(shapes[1 if kind == 2 else 2][2:]), outer * prod(met)
    def labels(self, case, element, top):
        """The operands of a one-hot run, as its seed gives them."""
        mask, golden, mixed = self.base.MASK, self.base.GOLDEN, self.base.mixed
        key = mixed(mixed(case["data"]["seed"] + golden & mask) + golden * (element + 1) & mask)
        drawn = (mixed(key + golden * i & mask) for i in count(1))
        def label(most):
            size = 1 + (next(drawn) * most >> 64) if most > 1 else 1
            return -size if next(drawn) * 100 >> 64 < 50 else size
        return {role: [label(top if role != "gradOutput" else 1) if role != "gradOutput" or i == element else 0
                       for i in range(prod(case[role]["shape"]))] for role in self.base.ROLES}
    def run(self, line, call, lengths):
        """(what the run is about, the probability that it misses a wrong call)."""
        demand, case, data = self.base.demand, line["case"], line["case"]["data"]
        ways = {output: said["way"] for output, said in line["outputs"].items()}
        bits = {output: min(map(self.integers, [case[output]["dtype"], *way["through"]]))
                for output, way in ways.items()}
        operands = [case[name]["dtype"] for name in self.base.ROLES] + [way["operands"] for way in ways.values()]
        drawn = min(map(self.integers, operands))
        if data["distribution"] == "listed":
            values = {role: list(map(self.base.fraction, self.base.elements(case, role))) for role in self.base.ROLES}
            at = [i for i, value in enumerate(values["gradOutput"]) if value]
            most = min(drawn, *bits.values(), 23 - max(full for full, _ in lengths.values()).bit_length())
            tops = [(1 << i) - 1 for i in range(most, 0, -1) if len(at) == 1]
            top = next((top for top in tops if self.labels(case, at[0], top) == values), None)
            demand(top, "proof: the labels are not those of the seed")
            return at[0], Fraction(1, 2 * top)
        demand(data["distribution"] == "exact_grid", "proof: the data are none of a proof")
        demand(all(data[role]["density"] == 1 << 16 for role in self.base.ROLES), "proof: 0 may be drawn")
        sizes, missed = {role: data[role]["magnitude"] << data[role]["exponent"] for role in self.base.ROLES}, []
        for output, (full, some) in lengths.items():
            partner = self.base.PARTNER[output]
            a, b = sizes["gradOutput"], sizes[partner] if partner else 1
            fits = max(a, b) < 1 << drawn and 2 * full * a * b <= 1 << 24 and some * a * b < 1 << bits[output]
            demand(fits, f"proof: {output}: a sum may round")
            missed.append(1 - (1 - Fraction(1, 2 * a)) * (1 - Fraction(1, 2 * b) if partner else 1))
        return None, max(missed)
    def next_call(self):
        """Of the call before: that its runs suffice."""
        if self.call and not self.has_status_alone and not self.unproved:
            elements = 1 if None in self.missed else prod(words_of(*self.call)[1]["gradOutput"][0])
            enough = len(self.missed) == elements and all(chance < ENOUGH for chance in self.missed.values())
            self.base.demand(enough, f"proof: call {self.number} may be missed: it has too few runs")
        self.proved += self.runs > 0
        self.by_status += self.has_status_alone
        self.number, self.call = next(self.calls, (None, None))
        self.missed, self.runs, self.has_status_alone = {}, 0, False
    def add(self, line, call):
        """The next line, which is true; call: of check_certificate, None where the line has no outputs."""
        case, demand = line["case"], self.base.demand
        number = int(case["id"].rpartition("-")[2])
        if number != self.number:
            self.next_call()
            demand(number == self.number, f"proof: {case['id']} stands where call {self.number} should")
        keys, tensors = words_of(*self.call)
        said = {name: (case[name]["shape"], case[name]["dtype"]) for name in tensors}
        plain = all(set(case[name]) == {"shape", "dtype", "format"} for name in tensors)
        demand(plain and said == tensors and all(case[key] == value for key, value in keys.items()),
               f"proof: this is not call {number} of the scope")
        self.has_status_alone = line["law"] == "status" and not line["outputs"]
        if line["verdict"] in ("disagree", "refused", "skipped"):
            self.unproved = self.unproved or f"the verdict of line {line['line']} is {line['verdict']}"
        key = self.base.mixed(self.base.mixed(self.head["seed"]) + self.base.GOLDEN * (number + 1) & self.base.MASK)
        seed = self.base.mixed(key + self.runs & self.base.MASK)
        if self.unproved or not call or case["data"]["seed"] != seed or case["deterministic"]:
            return  # an attack, or the status alone
        asked = [output for output, one in zip(("gradInput", "gradWeight", "gradBias"), case["outputMask"]) if one]
        whole = all("all" in line["outputs"].get(output, {}) for output in asked)
        demand(whole, "proof: not every element of each output is said")
        about, missed = self.run(line, call, {output: self.lengths(call, output) for output in asked})
        self.missed[about] = self.missed.get(about, 1) * missed
        self.runs += 1
    def conclusion(self):
        """After the last line: the proof in words."""
        self.next_call()
        name = self.head["proof"]["scope"]["name"]
        if self.unproved:
            return f"; no proof of {name}: {self.unproved}"
        self.base.demand(self.call is None, f"proof: call {self.number} and those after it are missing")
        part = "" if self.head["proof"]["shard"][1] == 1 else " of shard {} of {}".format(*self.head["proof"]["shard"])
        return f"; proof of {name}: all calls{part} are there, {self.proved} with values, of which a wrong one is " \
               f"missed with less than 2^-40, {self.by_status} by their status alone"
if __name__ == "__main__":
    import check_certificate
    check_certificate.main("check_proof", __doc__, "; proof of ")
