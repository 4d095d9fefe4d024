#!/usr/bin/env python3
"""table.py OUT.json RESULT.json...: one table of what the benchmarks of a run measured, and the ratios that have a goal; the same
as one JSON file. A RESULT is Google Benchmark's JSON, or has the same "benchmarks" array."""
import json
import sys
from pathlib import Path

# Numbers that Google Benchmark writes in addition to a benchmark's counters.
OWN = {"family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads", "iterations", "real_time",
       "cpu_time", "items_per_second", "bytes_per_second"}

# What it is; items a second of one benchmark, over those of another where there is one; the goal.
RATIOS = [
    ("full value verdicts a second and core", "value_in_process/manual_time", None, ">=", 20_000),
    ("status verdicts a second and core", "status_in_process/manual_time", None, ">=", 100_000),
    ("values: isolated time over that in one process", "value_in_process/manual_time", "value_isolated/manual_time", "<=", 1.05),
    ("statuses: isolated time over that in one process", "status_in_process/manual_time", "status_isolated/manual_time", "<=", 1.05),
    ("campaign: two cores over one (idle machine)", "campaign/jobs:2/iterations:1/manual_time",
     "campaign/jobs:1/iterations:1/manual_time", ">=", 1.9),
]


def magnitude(value):
    for unit, letter, least in ((1e9, "G", 1e9), (1e6, "M", 1e6), (1e3, "k", 1e4)):
        if value >= least:
            return f"{value / unit:.4g}{letter}"
    return f"{value:.4g}"


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def main(out, results):
    read = [json.loads(Path(name).read_text(encoding="utf-8")) for name in results]
    rows = [row for result in read for row in result["benchmarks"]]
    width = max([10, *(len(row["name"]) for row in rows)])
    print(f"{'benchmark':<{width}} | {'time':>12} | {'per second':>10} | numbers")
    for row in rows:
        time = f"{row.get('real_time', 0):.4g} {row.get('time_unit', '')}"
        rate = magnitude(row["items_per_second"]) if "items_per_second" in row else ""
        numbers = ", ".join(f"{key} {magnitude(value)}" for key, value in row.items() if is_number(value) and key not in OWN)
        print(f"{row['name']:<{width}} | {time:>12} | {rate:>10} | {numbers}")
    rates, found = {row["name"]: row.get("items_per_second") for row in rows}, []
    for words, over, under, sign, goal in RATIOS:
        if not rates.get(over) or (under and not rates.get(under)):
            continue
        value = rates[over] / (rates[under] if under else 1)
        met = "met" if (value >= goal if sign == ">=" else value <= goal) else "missed"
        print(f"{words:<52} {magnitude(value):>10}   goal {sign} {magnitude(goal)}: {met}")
        found.append({"ratio": words, "value": value, "goal": goal})
    table = {"context": read[0].get("context"), "benchmarks": rows, "ratios": found}
    Path(out).write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    print(f"\nwritten to {out}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
