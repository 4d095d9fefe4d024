#!/usr/bin/env python3
"""mutate.py [FILE|FOLDER...] [--count N] [--seed S] [--from STEP] [--through STEP] [--survivors] [--libraries]: changes the
project in small ways, one at a time, and asks whether anything notices, or keeps what each change was built into. Works on a copy
below build/mutate. docs/fuzzing.md says more."""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from mutants import applied, mutants_of

HERE = Path(__file__).resolve().parent


def fail(text):
    print(f"dev: mutate: {text}", file=sys.stderr)
    sys.exit(2)


def tracked_files(project):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=project, check=True, capture_output=True)
    return [name for name in listed.stdout.decode().split("\0") if name and (project / name).is_file()]


def copied(project, files, copy):
    """Brings the copy up to date; what has not changed keeps its time, so that nothing of it is built again."""
    wanted = set(files)
    for old in [path for path in copy.rglob("*") if path.is_file() and "build" not in path.relative_to(copy).parts]:
        if str(old.relative_to(copy)) not in wanted:
            old.unlink()
    for name in files:
        source, target = project / name, copy / name
        if target.is_file() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
        os.utime(target)


def equivalents(path):
    """Mutants that are proven to change nothing: a line `FILE: BEFORE -> AFTER` and the reason, indented, below it."""
    if not path.is_file():
        return set()
    return {line for line in path.read_text().splitlines() if line and not line.startswith((" ", "#"))}


def chosen_sources(wanted, files, steps):
    """The sources that a step is known for. Ends the program where a name is none."""
    sources = [name for name in files if name.endswith(".cpp") and name.split("/")[0] in steps]
    if not wanted:
        return sources
    chosen = []
    for name in wanted:
        name = os.path.normpath(name)
        inside = [source for source in sources if source == name or source.startswith(name + "/")]
        if not inside:
            fail(f"{name} is no source below {', '.join(sorted(steps))}; headers and tests are not mutated")
        chosen += inside
    return sorted(set(chosen))


def run(command, copy, seconds, variables):
    """Exit code and the end of the output; a command that takes too long counts as one that fails."""
    shares_objects = {"CCACHE_NOHASHDIR": "1", "CCACHE_BASEDIR": str(copy)}  # with the project's own builds
    process = subprocess.Popen(command, cwd=copy, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                               shell=True, start_new_session=True, env=os.environ | shares_objects | variables)
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output[-2000:]
    except subprocess.TimeoutExpired:
        return 124, f"took more than {seconds} s"
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def fate_of(steps, copy, source, jobs):
    """(outcome, by): "invalid" where it does not compile, "killed" by the step that noticed, or "survived"."""
    for step in steps:
        code, output = run(step["run"], copy, step["seconds"], {"SOURCE": source, "JOBS": str(jobs)})
        if code != 0:
            return ("invalid", output) if step["name"] == "build" else ("killed", step["name"])
    return "survived", ""


def about(mutant, outcome):
    """A result that needs no trial."""
    return {"outcome": outcome, "by": "", "seconds": 0.0, "path": mutant.path, "line": mutant.line, "kind": mutant.kind,
            "before": mutant.before.strip(), "after": mutant.after.strip()}


def tried(mutant, steps, copy, jobs):
    path = copy / mutant.path
    original = path.read_text()
    began = time.monotonic()
    try:
        path.write_text(applied(original, mutant))
        outcome, by = fate_of(steps[mutant.path.split("/")[0]], copy, mutant.path, jobs)
    finally:
        path.write_text(original)
    return about(mutant, outcome) | {"by": by, "seconds": round(time.monotonic() - began, 1)}


def built(mutant, step, copy, folder, jobs):
    """Whether the mutant compiles; what its step names is then in the folder, with a line about the mutant."""
    path = copy / mutant.path
    original = path.read_text()
    try:
        path.write_text(applied(original, mutant))
        if run(step["run"], copy, step["seconds"], {"SOURCE": mutant.path, "JOBS": str(jobs)})[0] != 0:
            return False
    finally:
        path.write_text(original)
    folder.mkdir(parents=True)
    for file in copy.glob(step["keeps"]):
        shutil.copy2(file, folder / file.name, follow_symlinks=False)
    (folder / "mutant.json").write_text(json.dumps({
        "path": mutant.path, "line": mutant.line, "kind": mutant.kind, "before": mutant.before.strip(), "after": mutant.after.strip()}))
    return True


def keep_libraries(mutants, count, steps, copy, folder, jobs):
    """Builds the first mutants that compile and keeps their libraries, for other programs to try."""
    shutil.rmtree(folder, ignore_errors=True)
    kept = 0
    for mutant in mutants:
        if kept == count:
            break
        if built(mutant, steps[mutant.path.split("/")[0]][0], copy, folder / f"{kept:03}", jobs):
            print(f"{kept:03}  {mutant.path}:{mutant.line} {mutant.kind}", flush=True)
            kept += 1
    print(f"{kept} mutants in {folder}")


def same_mutant(result, mutants):
    """The mutant that an earlier result is about, though lines may have moved; None where its line is no more what it was."""
    alike = [mutant for mutant in mutants if (mutant.before.strip(), mutant.after.strip()) == (result["before"], result["after"])]
    return min(alike, key=lambda mutant: abs(mutant.line - result["line"]), default=None)


class Results:
    """A line of results.jsonl for each mutant, written as soon as it is known: what is interrupted keeps what it had."""

    def __init__(self, path):
        self.path = path
        self.all = []

    def load(self):
        if not self.path.is_file():
            fail("--survivors: no mutants were tried before")
        self.all = [json.loads(line) for line in self.path.read_text().splitlines()]

    def write(self):
        whole = self.path.with_suffix(".new")
        whole.write_text("".join(json.dumps(result) + "\n" for result in self.all))
        whole.replace(self.path)

    def put(self, result, index=None):
        if index is None:
            self.all.append(result)
        else:
            self.all[index] = result
        self.write()
        print(f"{result['outcome']:10} {result['seconds']:6.1f} s  {result['path']}:{result['line']} {result['kind']}"
              + (f" by {result['by']}" if result["outcome"] == "killed" else ""), flush=True)


def try_new(results, every, count, known, steps, copy, jobs):
    for mutant in every:
        if sum(result["outcome"] != "invalid" for result in results.all) == count:
            return
        results.put(about(mutant, "equivalent") if mutant.key() in known else tried(mutant, steps, copy, jobs))


def try_again(results, every, known, steps, copy, jobs):
    of_path = {}
    for mutant in every:
        of_path.setdefault(mutant.path, []).append(mutant)
    for index, result in enumerate(results.all):
        if result["outcome"] != "survived":
            continue
        mutant = same_mutant(result, of_path.get(result["path"], []))
        if mutant is None:
            results.put(result | {"outcome": "gone", "seconds": 0.0}, index)
        elif mutant.key() in known:
            results.put(about(mutant, "equivalent"), index)
        else:
            results.put(tried(mutant, steps, copy, jobs), index)


def summary(results):
    count = {outcome: sum(result["outcome"] == outcome for result in results)
             for outcome in ("killed", "survived", "equivalent", "gone", "invalid")}
    judged = count["killed"] + count["survived"]
    share = f"{100 * count['killed'] / judged:.1f} %" if judged else "-"
    gone = f", {count['gone']} no longer in the code" if count["gone"] else ""
    print(f"\nmutants: {judged} judged: {count['killed']} killed ({share}), {count['survived']} survived; "
          f"{count['invalid']} do not compile, {count['equivalent']} known to be equivalent{gone}")
    for step in sorted({result["by"] for result in results if result["outcome"] == "killed"}):
        print(f"  killed by {step}: {sum(result['by'] == step for result in results if result['outcome'] == 'killed')}")
    for result in results:
        if result["outcome"] == "survived":
            print(f"survived: {result['path']}:{result['line']} ({result['kind']})\n  - {result['before']}\n  + {result['after']}")
    return count["survived"]


def arguments():
    parser = argparse.ArgumentParser(prog="./dev mutate", description="Random mutants of kernel/, oracle/ and properties/: which of them "
                                     "does nothing notice? Exit code 1 where one survives.")
    parser.add_argument("files", nargs="*", metavar="FILE|FOLDER", help="sources to change; default: all")
    parser.add_argument("--count", type=int, default=20, help="mutants that compile or are known to be equivalent, default 20")
    parser.add_argument("--seed", type=int, default=1, help="which ones, default 1")
    parser.add_argument("--from", dest="first", metavar="STEP", help="no step before this one of tools/mutate/steps.json but the build")
    parser.add_argument("--through", metavar="STEP", help="no step after this one: what outlives it survives")
    parser.add_argument("--survivors", action="store_true", help="instead of new ones: try what survived the last time again")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="processes and threads of a step; default: cores")
    parser.add_argument("--project", type=Path, default=HERE.parents[1], help=argparse.SUPPRESS)
    parser.add_argument("--libraries", action="store_true", help="only build each mutant of kernel/ and keep its libraries in "
                        "build/mutate/libraries, as targets of gradproof verify")
    given = parser.parse_args()
    for name in ("count", "jobs"):
        if getattr(given, name) < 1:
            fail(f"--{name} must be at least 1")
    return given


def chosen_steps(steps, rooms, first, last):
    """The steps of each room: the build, and those from the first wanted to the last wanted."""
    names = list(dict.fromkeys(step["name"] for room in rooms for step in steps[room]))
    for option, name in (("from", first), ("through", last)):
        if name is not None and name not in names:
            fail(f"--{option} {name}: the steps are {', '.join(names)}")
    chosen = {}
    for room in rooms:
        own = [step["name"] for step in steps[room]]
        begin = own.index(first) if first in own else 1
        end = own.index(last) + 1 if last in own else len(own)
        chosen[room] = steps[room][:1] + steps[room][max(begin, 1):end]
    return chosen


def must_pass(rooms, steps, copy, jobs):
    """Ends the program where the project as it is does not pass."""
    for room in rooms:
        outcome, what = fate_of(steps[room], copy, room, jobs)
        if outcome != "survived":
            fail(f"{room}/ as it is does not pass ({what.strip()[-600:]}): mend that first")


def main():
    given = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    project = given.project.resolve()
    folder = project / "build/mutate"
    copy = folder / "source"
    steps = json.loads((project / "tools/mutate/steps.json").read_text())
    files = tracked_files(project)
    results = Results(folder / "results.jsonl")
    if given.survivors:
        results.load()
        given.files = sorted({result["path"] for result in results.all if result["outcome"] == "survived"} & set(files))
        if not given.files:
            sys.exit(1 if summary(results.all) else 0)
    sources = chosen_sources(given.files, files, steps)
    copy.mkdir(parents=True, exist_ok=True)
    copied(project, files, copy)
    known = equivalents(project / "tools/mutate/equivalent.txt")
    every = [mutant for name in sources for mutant in mutants_of(name, (copy / name).read_text())]
    random.Random(given.seed).shuffle(every)
    rooms = sorted({source.split("/")[0] for source in sources})
    if given.libraries:
        if any("keeps" not in steps[room][0] for room in rooms):
            fail("--libraries is for sources below " + ", ".join(room for room in steps if "keeps" in steps[room][0]))
        must_pass(rooms, {room: steps[room][:1] for room in rooms}, copy, given.jobs)
        mutants = (mutant for mutant in every if mutant.key() not in known)
        return keep_libraries(mutants, given.count, steps, copy, folder / "libraries", given.jobs)
    steps = chosen_steps(steps, rooms, given.first, given.through)
    must_pass(rooms, steps, copy, given.jobs)
    try:
        if given.survivors:
            try_again(results, every, known, steps, copy, given.jobs)
        else:
            try_new(results, every, given.count, known, steps, copy, given.jobs)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    print(f"results: {results.path.relative_to(project)}")
    sys.exit(1 if summary(results.all) else 0)


if __name__ == "__main__":
    main()
