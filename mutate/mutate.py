#!/usr/bin/env python3
"""mutate.py [FILE|FOLDER...] [--count N] [--seed S] [--libraries]: changes the project in small ways, one at a time, and asks whether
anything notices, or keeps what each change was built into. Works on a copy below build/mutate. docs/mutation.md says more."""

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


def run(command, copy, seconds):
    """Exit code and the end of the output; a command that takes too long counts as one that fails."""
    shares_objects = os.environ | {"CCACHE_NOHASHDIR": "1", "CCACHE_BASEDIR": str(copy)}  # with the project's own builds
    process = subprocess.Popen(command, cwd=copy, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                               shell=True, start_new_session=True, env=shares_objects)
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output[-2000:]
    except subprocess.TimeoutExpired:
        return 124, f"took more than {seconds} s"
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def fate_of(steps, copy):
    """(outcome, by): "invalid" where it does not compile, "killed" by the step that noticed, or "survived"."""
    for step in steps:
        code, output = run(step["run"], copy, step["seconds"])
        if code != 0:
            return ("invalid", output) if step["name"] == "build" else ("killed", step["name"])
    return "survived", ""


def tried(mutant, steps, copy):
    path = copy / mutant.path
    original = path.read_text()
    began = time.monotonic()
    try:
        path.write_text(applied(original, mutant))
        outcome, by = fate_of(steps[mutant.path.split("/")[0]], copy)
    finally:
        path.write_text(original)
    return {"outcome": outcome, "by": by, "seconds": round(time.monotonic() - began, 1), "path": mutant.path, "line": mutant.line,
            "kind": mutant.kind, "before": mutant.before.strip(), "after": mutant.after.strip()}


def built(mutant, step, copy, folder):
    """Whether the mutant compiles; what its step names is then in the folder, with a line about the mutant."""
    path = copy / mutant.path
    original = path.read_text()
    try:
        path.write_text(applied(original, mutant))
        if run(step["run"], copy, step["seconds"])[0] != 0:
            return False
    finally:
        path.write_text(original)
    folder.mkdir(parents=True)
    for file in copy.glob(step["keeps"]):
        shutil.copy2(file, folder / file.name, follow_symlinks=False)
    (folder / "mutant.json").write_text(json.dumps({
        "path": mutant.path, "line": mutant.line, "kind": mutant.kind, "before": mutant.before.strip(), "after": mutant.after.strip()}))
    return True


def keep_libraries(mutants, count, steps, copy, folder):
    """Builds the first mutants that compile and keeps their libraries, for other programs to try."""
    shutil.rmtree(folder, ignore_errors=True)
    kept = 0
    for mutant in mutants:
        if kept == count:
            break
        if built(mutant, steps[mutant.path.split("/")[0]][0], copy, folder / f"{kept:03}"):
            print(f"{kept:03}  {mutant.path}:{mutant.line} {mutant.kind}", flush=True)
            kept += 1
    print(f"{kept} mutants in {folder}")


def summary(results, known):
    count = {outcome: sum(result["outcome"] == outcome for result in results) for outcome in ("killed", "survived", "invalid")}
    judged = count["killed"] + count["survived"]
    share = f"{100 * count['killed'] / judged:.1f} %" if judged else "-"
    print(f"\nmutants: {judged} judged: {count['killed']} killed ({share}), {count['survived']} survived; "
          f"{count['invalid']} do not compile, {known} known to be equivalent")
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
    parser.add_argument("--count", type=int, default=20, help="mutants that compile, default 20")
    parser.add_argument("--seed", type=int, default=1, help="which ones, default 1")
    parser.add_argument("--project", type=Path, default=HERE.parent, help=argparse.SUPPRESS)
    parser.add_argument("--libraries", action="store_true", help="only build each mutant of kernel/ and keep its libraries in "
                        "build/mutate/libraries, for campaign_power")
    given = parser.parse_args()
    if given.count < 1:
        fail("--count must be at least 1")
    return given


def main():
    given = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    project = given.project.resolve()
    folder = project / "build/mutate"
    copy = folder / "source"
    steps = json.loads((project / "mutate/steps.json").read_text())
    files = tracked_files(project)
    sources = chosen_sources(given.files, files, steps)
    copy.mkdir(parents=True, exist_ok=True)
    copied(project, files, copy)
    known = equivalents(project / "mutate/equivalent.txt")
    every = [mutant for name in sources for mutant in mutants_of(name, (copy / name).read_text())]
    random.Random(given.seed).shuffle(every)
    rooms = sorted({source.split("/")[0] for source in sources})
    if given.libraries and any("keeps" not in steps[room][0] for room in rooms):
        fail("--libraries is for sources below " + ", ".join(room for room in steps if "keeps" in steps[room][0]))
    for room in rooms:
        outcome, what = fate_of(steps[room][:1] if given.libraries else steps[room], copy)
        if outcome != "survived":
            fail(f"{room}/ as it is does not pass ({what.strip()[-600:]}): mend that first")
    if given.libraries:
        return keep_libraries((mutant for mutant in every if mutant.key() not in known), given.count, steps, copy, folder / "libraries")
    results, equivalent = [], 0
    try:
        for mutant in every:
            if sum(result["outcome"] != "invalid" for result in results) == given.count:
                break
            if mutant.key() in known:
                equivalent += 1
                continue
            results.append(tried(mutant, steps, copy))
            last = results[-1]
            print(f"{last['outcome']:8} {last['seconds']:6.1f} s  {last['path']}:{last['line']} {last['kind']}"
                  + (f" by {last['by']}" if last["outcome"] == "killed" else ""), flush=True)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    with open(folder / "results.jsonl", "w") as file:
        for result in results:
            file.write(json.dumps(result) + "\n")
    print(f"results: {folder.relative_to(project)}/results.jsonl")
    sys.exit(1 if summary(results, equivalent) else 0)


if __name__ == "__main__":
    main()
