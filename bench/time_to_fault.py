#!/usr/bin/env python3
"""time_to_fault.py FAULTS.json...: seconds until each seeded fault is found, from what `gradproof faults` wrote with one seed or
several. Faults belong to one of two halves, by a hash of their names: what is drawn is chosen with one, what that gains is shown on
the other."""
import json
import math
import sys
from pathlib import Path

HELD_OUT = Path(__file__).parent.parent / "kernel/with_faults/faults/fast_paths_held_out.txt"
WORD = (1 << 64) - 1


def half_of(name, held_out):
    """FNV-1a, then SplitMix64's finalizer: the last bit of the plain hash depends on the last letters alone."""
    value = 0xCBF29CE484222325
    for letter in name.encode():
        value = (value ^ letter) * 0x100000001B3 & WORD
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        value = (value ^ (value >> shift)) * factor & WORD
    return "showing" if name in held_out or (value ^ (value >> 31)) % 2 else "choosing"


def figure(seconds, share):
    """The smallest that so many of all do not exceed. A fault that was not found took forever."""
    value = sorted(seconds)[max(math.ceil(share * len(seconds)), 1) - 1]
    return "missed" if value == math.inf else f"{value:.2f}"


def main(files):
    held_out = {line[6:] for line in HELD_OUT.read_text(encoding="utf-8").splitlines() if line.startswith("fault ")}
    trials = [trial for file in files for trial in json.loads(Path(file).read_text(encoding="utf-8"))["faults"]]
    print(f"{'half':<9} {'trials':>6} {'found':>6} {'median':>8} {'95 %':>8} {'worst':>8}  seconds")
    for half in ("choosing", "showing"):
        seconds = [trial.get("secondsToFind", math.inf) for trial in trials if half_of(trial["fault"], held_out) == half]
        if seconds:
            found = sum(value < math.inf for value in seconds)
            print(f"{half:<9} {len(seconds):>6} {found:>6} " + " ".join(f"{figure(seconds, share):>8}" for share in (0.5, 0.95, 1)))
    slowest = sorted(trials, key=lambda trial: trial.get("secondsToFind", math.inf), reverse=True)[:15]
    for trial in slowest:
        print(f"{trial['fault']}: {figure([trial.get('secondsToFind', math.inf)], 1)}")


if __name__ == "__main__":
    main(sys.argv[1:])
