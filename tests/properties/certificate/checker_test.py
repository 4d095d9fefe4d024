#!/usr/bin/env python3
"""tools/checkers/check_certificate.py accepts what gradproof wrote, and nothing that was changed in it.

checker_test.py GRADPROOF CHECKER. With GRADPROOF_MEASURE, 1,000 corruptions instead of 200."""
import json
import random
import signal
import subprocess
import sys
import time
import unittest

from certificates import (CHECKER, CORRUPTIONS, FOLDER, PROGRAM, certificate, checker, corrupted, dumped, sealed, verdict_on,
                          with_values)

SMALL = ["--seed", "11", "--no-stored", "--cases", "24", "--max-macs", "3000", "--api", "aclnnConvolutionBackward",
         "--law", "exactness", "--kind", "valid"]


class TrueCertificates(unittest.TestCase):
    def test_are_accepted(self):
        runs = [["--dtype", dtype] for dtype in ("FLOAT", "FLOAT16", "BF16", "HIFLOAT8", "FLOAT8_E4M3FN")]
        runs += [["--rank", rank, "--transposed", turned] for rank in "345" for turned in ("yes", "no")]
        runs += [["--recipe", recipe] for recipe in ("exact_grid", "sparse_full_mantissa", "near_overflow",
                                                     "near_underflow", "specials", "cancellation")]
        runs += [["--machine", "adder=block"], ["--machine", "hf32=unknown", "--dtype", "FLOAT"], ["--profile", "tolerant"]]
        self.assertEqual(len(runs), 20)
        elements = wholes = 0
        for number, options in enumerate(runs):
            lines = certificate(f"true-{number}", *SMALL[2:], "--seed", str(number), *options)
            code, words = verdict_on(lines)
            self.assertEqual(code, 0, f"{options}: {words}")
            elements += int(words.split(" elements")[0].split()[-1])
            wholes += int(words.split(" whole")[0].split()[-1])
        self.assertGreater(elements, 500)
        self.assertGreater(wholes, 100)
        print(f"20 certificates are true: {elements} elements, {wholes} whole outputs", file=sys.stderr)

    def test_are_accepted_where_an_infinite_operand_meets_nothing(self):
        lines = certificate("specials", *SMALL[:2], "--no-stored", "--cases", "400", "--max-macs", "300", "--dtype", "FLOAT",
                            "--recipe", "specials", "--law", "exactness", "--kind", "valid")
        self.assertEqual(verdict_on(lines)[0], 0, verdict_on(lines)[1])

    def test_of_replay_and_of_statuses_are_accepted(self):
        cases = subprocess.run([PROGRAM, "list", "cases", "--cases", "30", "--seed", "3"], capture_output=True, text=True, check=True)
        (FOLDER / "cases.jsonl").write_text(cases.stdout)
        lines = certificate("replayed", str(FOLDER / "cases.jsonl"), "--max-macs", "20000", command="replay")
        self.assertEqual(verdict_on(lines)[0], 0, verdict_on(lines)[1])

    def test_of_several_blocks_are_the_same_for_any_number_of_jobs(self):
        options = ["--seed", "5", "--no-stored", "--cases", "600", "--kind", "invalid"]
        one, two = (certificate(f"jobs-{jobs}", *options, "--jobs", jobs) for jobs in "12")
        self.assertEqual(sum(line.startswith(b'{"block"') for line in one), 3)
        self.assertEqual(one[1:256], two[1:256])
        self.assertEqual(verdict_on(one)[0], 0)


class ChangedCertificates(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lines = certificate("changed", *SMALL)
        cls.random = random.Random(4)
        assert verdict_on(cls.lines)[0] == 0

    def test_are_rejected_wherever_they_were_changed(self):
        for _ in range(CORRUPTIONS):
            code, words = verdict_on(corrupted(self.lines, self.random))
            self.assertIn(code, (1, 2), words)

    def forged(self, line):
        """One statement changed into a false one; its name."""
        output = self.random.choice(sorted(line["outputs"]))
        said, case = line["outputs"][output], line["case"]
        def plus_one(pair):
            pair[0] = str(int(pair[0]) + self.random.choice((-1, 1)))
        changes = {
            "sum": lambda: plus_one(said["sum"]), "S": lambda: plus_one(said["S"]),
            "bound": lambda: plus_one(said["bound"]),
            "K": lambda: said.update(K=said["K"] + self.random.choice((-1, 1))),
            "exponent": lambda: said["S"].__setitem__(1, said["S"][1] + 1) if int(said["S"][0]) else plus_one(said["S"]),
            "exact": lambda: said.update(exact=not said["exact"], K=said["K"] if int(said["S"][0]) else -1),
            "admitted": lambda: said.update(admitted=not said["admitted"]),
            "verdict": lambda: line.update(verdict="disagree", output=output),
            "way": lambda: said["way"].update(operands="FLOAT8_E4M3FN" if said["way"]["operands"] != "FLOAT8_E4M3FN" else "BF16"),
            "index": lambda: said.update(index=10 ** 9),
            "bits": lambda: said.update(bits={1: "7f", 2: "7bff", 4: "7f7fffff"}[
                checker.FORMATS[case[output]["dtype"]][4] // 8]),
        }
        if "all" in said:
            changes["residue"] = lambda: said["all"].update(residue=(said["all"]["residue"] + 1) % checker.PRIME)
            changes["weights"] = lambda: said["all"].update(seed=said["all"]["seed"] ^ 1)
        name = self.random.choice(sorted(changes))
        changes[name]()
        return f"{output}.{name}"

    def test_are_rejected_with_their_line_if_the_hashes_are_forged_too(self):
        places, rejected, names = with_values(self.lines), 0, set()
        for _ in range(CORRUPTIONS):
            lines, at = list(self.lines), self.random.choice(places)
            line = json.loads(lines[at])
            name = self.forged(line)
            lines[at] = dumped(line)
            code, words = verdict_on(sealed(lines))
            self.assertEqual(code, 1, f"{name}: {words}")
            self.assertIn(f".jsonl:{at + 1}: ", words, name)
            rejected += 1
            names.add(name.split(".")[1])
        print(f"{rejected} forgeries rejected, of {len(names)} kinds", file=sys.stderr)

    def test_are_rejected_if_another_way_gives_the_same(self):
        """Sums that a rounding would keep: all that is false is that the call may be computed so."""
        lines, rejected = certificate("another-way", *SMALL, "--dtype", "FLOAT"), 0
        for at in with_values(lines):
            line = json.loads(lines[at])
            for output, said in line["outputs"].items():
                total, exponent = int(said["sum"][0]), said["sum"][1]
                kept = said["exact"] and abs(total) < 1 << 11 and -14 <= exponent <= 4
                if not kept or line["case"][output]["dtype"] != "FLOAT" or said["way"]["through"]:
                    continue
                said["way"]["through"] = ["FLOAT16"]
                code, words = verdict_on(sealed(lines[:at] + [dumped(line)] + lines[at + 1:]))
                self.assertEqual(code, 1)
                self.assertIn(f"{output}: way is not the call's", words)
                said["way"]["through"] = []
                rejected += 1
        self.assertGreater(rejected, 3)

    def test_are_rejected_if_the_data_or_the_call_are_others(self):
        exact = [i for i in with_values(self.lines)
                 if any("all" in said and said["all"]["residue"] for said in json.loads(self.lines[i])["outputs"].values())]
        self.assertGreater(len(exact), 3)
        for at in exact[:8]:
            line = json.loads(self.lines[at])
            line["case"]["data"]["seed"] ^= 1
            lines = self.lines[:at] + [dumped(line)] + self.lines[at + 1:]
            self.assertEqual(verdict_on(sealed(lines))[0], 1)


class BadInput(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lines = certificate("bad", *SMALL)

    def test_cut_off(self):
        code, words = verdict_on(self.lines[:-1])
        self.assertEqual(code, 2)
        self.assertIn(f":{len(self.lines)}: the end is missing: the certificate was cut off", words)
        code, words = verdict_on(self.lines[:5] + [self.lines[5][:40]])
        self.assertEqual(code, 2)
        self.assertIn(":6: is cut off, or no JSON", words)

    def test_too_deep(self):
        code, words = verdict_on(self.lines[:5] + [b"[" * 100000])
        self.assertEqual(code, 2)
        self.assertIn(":6: is cut off, or no JSON", words)

    def test_out_of_order(self):
        lines = list(self.lines)
        lines[2], lines[3] = lines[3], lines[2]
        code, words = verdict_on(sealed(lines))
        self.assertEqual(code, 2)
        self.assertIn(":3: line: 3 stands where 2 should", words)

    def test_a_line_too_few_though_the_hashes_are_forged(self):
        lines = [line for i, line in enumerate(self.lines) if i != len(self.lines) - 2]
        code, words = verdict_on(sealed(lines))
        self.assertEqual(code, 1)
        self.assertIn("a block or a line is missing", words)

    def test_of_another_version(self):
        head = json.loads(self.lines[0])
        head["certificate"] = 99
        code, words = verdict_on([dumped(head)] + self.lines[1:])
        self.assertEqual(code, 2)
        self.assertIn(":1: certificate: version 99, but this checker reads 1", words)

    def test_without_a_value(self):
        lines = certificate("statuses", *SMALL[:-1], "invalid")
        code, words = verdict_on(lines)
        self.assertEqual(code, 1)
        self.assertIn("no line has a value: nothing is proved", words)

    def test_of_another_library(self):
        code, words = verdict_on(self.lines, [str(CHECKER)])
        self.assertEqual(code, 2)
        self.assertIn("libraries:", words)
        own = json.loads(self.lines[0])["libraries"][0]["path"]
        self.assertEqual(verdict_on(self.lines, [own])[0], 0)

    def test_no_certificate(self):
        for text in (b"{}\n", b"\n", b"[1]\n"):
            self.assertNotEqual(verdict_on([text])[0], 0)
        code, words = verdict_on([])
        self.assertEqual(code, 2, words)
        run = subprocess.run([sys.executable, "-B", CHECKER, "/nowhere"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn("/nowhere", run.stderr)
        self.assertNotIn("Traceback", run.stderr)

    def test_a_file_that_cannot_be_written(self):
        run = subprocess.run([PROGRAM, "verify", *SMALL, "--out", str(FOLDER / "nowhere"), "--write", "certificate=/nowhere/claim.jsonl"],
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn("--write: certificate: /nowhere/claim.jsonl: cannot be written: No such file", run.stderr)


    def test_a_run_that_would_be_resumed(self):
        options = ["verify", "--seed", "9", "--time", "60s", "--quiet", "--out", str(FOLDER / "resumed")]
        with subprocess.Popen([PROGRAM, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            time.sleep(2)
            run.send_signal(signal.SIGINT)
        self.assertEqual(run.returncode, 130)
        again = subprocess.run([PROGRAM, *options, "--write", f"certificate={FOLDER / 'resumed.jsonl'}"],
                               capture_output=True, text=True, check=False)
        self.assertEqual(again.returncode, 2)
        self.assertIn("a certificate holds a whole run", again.stderr)


class TheChecker(unittest.TestCase):
    def test_is_small_and_stands_alone(self):
        text = CHECKER.read_text()
        self.assertLessEqual(len(text.splitlines()), 400)
        imported = {word for line in text.splitlines() if line.startswith(("import ", "from "))
                    for word in line.replace(",", " ").split()[1:2]}
        self.assertLessEqual(imported, {"argparse", "hashlib", "json", "sys", "fractions", "itertools", "math"})
        self.assertNotIn("float(", text.replace("parse_float", ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
