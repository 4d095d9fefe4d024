#!/usr/bin/env python3
"""tools/checkers/check_certificate.py tells a proof of a scope from true lines that are none.

proof_test.py GRADPROOF CHECKER. With GRADPROOF_MEASURE, 1,000 corruptions instead of 60."""
import json
import os
import random
import subprocess
import sys
import unittest

from certificates import CHECKER, FOLDER, PROGRAM, certificate, corrupted, dumped, sealed, verdict_on

CORRUPTIONS = 500 if "GRADPROOF_MEASURE" in os.environ else 30  # of each kind
TINY = {"name": "tiny", "axes": [1], "extents": [3], "kernels": [2], "strides": [1, 2], "paddings": [0, 1],
        "dilations": [1], "batch": [1], "channels": [1], "groups": [1], "masks": "full"}


def scope_file(name="tiny", **changes):
    path = FOLDER / f"{name}.json"
    path.write_text(json.dumps(TINY | {"name": name} | changes))
    return str(path)


def proof(name, *options, code=0, scope=None):
    scope = scope or scope_file()
    return certificate(name, "--scope", scope, "--seed", "3", "--jobs", "1", *options, command="prove", code=code)


def numbered(lines):
    """The lines with their numbers, block sizes and hashes made right, as a forger would."""
    result, line_number, blocks, since = [], 0, 0, 0
    for text in lines:
        line = json.loads(text)
        if "line" in line:
            line_number, since = line_number + 1, since + 1
            line["line"] = line_number
            text = dumped(line)
        elif "block" in line:
            line |= {"block": blocks + 1, "lines": since} | ({"end": line_number} if "end" in line else {})
            blocks, since, text = blocks + 1, 0, dumped(line)
        result.append(text)
    return sealed(result)


def call_of(text):
    line = json.loads(text)
    return int(line["case"]["id"].rpartition("-")[2]) if "line" in line else -1


def true_line(case):
    """What a run of this case says: a true line about other data than the proof's."""
    (FOLDER / "one.jsonl").write_text(json.dumps(case) + "\n")
    return json.loads(certificate("one", str(FOLDER / "one.jsonl"), "--law", "exactness", command="replay")[1])


class Proofs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lines = proof("proof")
        cls.bf16 = proof("labels", "--mode", "BF16")
        cls.random = random.Random(5)

    def test_are_accepted(self):
        for lines in (self.lines, self.bf16):
            code, words = verdict_on(lines)
            self.assertEqual(code, 0, words)
            self.assertIn("proof of tiny: all calls are there, 10 with values, of which a wrong one is missed with less "
                          "than 2^-40, 0 by their status alone", words)

    def test_are_accepted_of_every_mode_of_planes_of_shards_and_of_blocks(self):
        runs = [proof("modes", "--mode", "all", "--hf32", "away", "--shard", "2/3"),
                proof("planes", "--shard", "3/50", scope=scope_file("planes", axes=[2], groups=[1, 2], channels=[1, 2],
                                                                    dilations=[1, 2], masks="all")),
                proof("solids", "--shard", "1/40", scope=scope_file("solids", axes=[3])),
                proof("blocks", "--shard", "7/600", scope="blocks")]
        for lines, part in zip(runs, ("2 of 3", "3 of 50", "1 of 40", "7 of 600")):
            code, words = verdict_on(lines)
            self.assertEqual(code, 0, words)
            self.assertIn(f": all calls of shard {part} are there, ", words)

    def test_of_a_wrong_kernel_are_true_and_prove_nothing(self):
        if len(sys.argv) < 4:
            self.skipTest("no wrong kernel is given")
        code, words = verdict_on(proof("wrong", "--target", sys.argv[3], code=1, scope=scope_file("planes", axes=[2])))
        self.assertEqual(code, 0, words)
        self.assertIn("; no proof of planes: the verdict of line", words)

    def test_are_rejected_wherever_they_were_changed(self):
        for _ in range(CORRUPTIONS):
            code, words = verdict_on(corrupted(self.lines, self.random))
            self.assertIn(code, (1, 2), words)

    def rejected(self, lines, reason):
        code, words = verdict_on(numbered(lines))
        self.assertEqual(code, 1, f"{reason}: {words}")
        self.assertIn(reason, words)

    def spoiled(self):
        """A proof that lacks something, though each of its lines is true."""
        head, *body, end = self.lines
        kind, at = self.random.randrange(5), self.random.randrange(len(body) - 1)
        number = call_of(body[at])
        calls = [[line for line in body if call_of(line) == one] for one in range(10)]
        if kind == 0:  # a run
            del body[at]
        elif kind == 1:  # one run stands for two
            body[at + 1] = body[at]
        elif kind == 2:  # a call
            body = sum(calls[:number] + calls[number + 1:], [])
        elif kind == 3:  # all from a call on
            body = sum(calls[:number], [])
        else:  # the order of calls
            calls.insert(0, calls.pop(number if number else 9))
            body = sum(calls, [])
        return [head, *body, end]

    def test_are_rejected_if_a_true_line_is_left_out_repeated_or_moved(self):
        rejected = 0
        for _ in range(CORRUPTIONS):
            lines = self.spoiled()
            code, words = verdict_on(numbered(lines))
            if code == 0:  # what was lost is a run against an assumption: the proof holds without it
                lost = set(self.lines) - set(lines)
                self.assertTrue(all(call_of(one) != call_of(self.lines[self.lines.index(one) + 1]) for one in lost), words)
                continue
            self.assertEqual(code, 1, words)
            self.assertIn(": proof: ", words)
            rejected += 1
        self.assertGreater(rejected, CORRUPTIONS // 2)
        print(f"{rejected} spoiled proofs rejected", file=sys.stderr)

    def test_are_rejected_if_a_call_is_another(self):
        other = proof("other", scope=scope_file(kernels=[1]))
        self.rejected(other[:1] + self.lines[1:], "this is not call 0 of the scope")
        self.rejected(self.lines[:1] + other[1:], "this is not call 0 of the scope")

    def test_are_rejected_if_the_scope_is_larger(self):
        head = json.loads(self.lines[0])
        head["proof"]["scope"]["paddings"] = [0, 1, 2]
        self.rejected([dumped(head)] + self.lines[1:], "proof: ")

    def test_are_rejected_if_the_data_are_of_another_seed(self):
        head = json.loads(self.lines[0])
        head["seed"] += 1
        self.rejected([dumped(head)] + self.lines[1:], "call 0 may be missed: it has too few runs")

    def test_are_rejected_if_not_every_element_is_said(self):
        line = json.loads(self.lines[1])
        del line["outputs"]["gradWeight"]["all"]
        self.rejected([self.lines[0], dumped(line)] + self.lines[2:], ":2: proof: not every element of each output is said")

    def changed_data(self, change, reason, lines=None):
        """The first run with other data: its line is true, the proof is none."""
        lines = lines or self.lines
        case = json.loads(lines[1])["case"]
        change(case["data"])
        self.rejected([lines[0], dumped(true_line(case) | {"line": 1})] + lines[2:], reason)

    def test_are_rejected_if_the_data_are_weak(self):
        def made_small(data):
            for role in ("gradOutput", "input", "weight"):
                data[role]["magnitude"] = 1
        def raised(data):
            data["gradOutput"]["exponent"] = 4
        def thinned(data):
            data["gradOutput"]["density"] = 60000
        self.changed_data(made_small, "call 0 may be missed: it has too few runs")
        self.changed_data(raised, "a sum may round")
        self.changed_data(thinned, "0 may be drawn")

    def test_are_rejected_if_labels_are_chosen(self):
        self.assertEqual(json.loads(self.bf16[1])["case"]["data"]["distribution"], "listed")
        def turned(data):
            value = data["weight"][0][1]
            data["weight"][0][1] = -value if not isinstance(value, str) else f"0x{int(value, 16) ^ 0x8000:04x}"
        self.changed_data(turned, "the labels are not those of the seed", self.bf16)


class TheCommand(unittest.TestCase):
    def test_says_why_there_is_no_certificate(self):
        run = subprocess.run([PROGRAM, "prove", "--scope", scope_file(), "--seed", "3", "--out", str(FOLDER / "nowhere"),
                              "--certificate", "/nowhere/claim.jsonl"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn("--certificate: /nowhere/claim.jsonl: cannot be written: No such file", run.stderr)

    def test_is_checked_by_the_program(self):
        proof("program")
        run = subprocess.run([sys.executable, "-B", CHECKER, FOLDER / "program.jsonl"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("proof of tiny", run.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
