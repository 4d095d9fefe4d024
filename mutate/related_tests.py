#!/usr/bin/env python3
"""related_tests.py BUILD SOURCE JOBS: builds the test programs that are about a source and runs them until one fails (exit code 1).
About it are those with a test from the folder of the same name below tests/, and those with one that includes the source's header.
Where there are none, and where SOURCE is a room, all of the room's. docs/mutation.md says more."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

TEST = re.compile(r" -o tests/\S*CMakeFiles/(\w+)\.dir/")


def test_sources(build, project):
    """Pairs (program, path of one of its sources below the project)."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        made, path = TEST.search(entry["command"]), Path(entry["file"])
        if made and path.is_relative_to(project):
            yield made.group(1), str(path.relative_to(project))


def related(pairs, source, project, is_program):
    """Names of programs, those that include the header first."""
    room, *folders = source.split("/")[:-1] or [source]
    header = f'#include "{source.removesuffix(".cpp")}.h"'
    folder = "/".join(["tests", room, *folders[:1], ""])
    pairs = [(program, path) for program, path in pairs if is_program(program)]
    include_it = [program for program, path in pairs if path.startswith("tests/") and header in (project / path).read_text()]
    of_folder = [program for program, path in pairs if path.startswith(folder)]
    of_room = [program for program, path in pairs if path.startswith(f"tests/{room}/")]
    return list(dict.fromkeys(include_it + of_folder)) or list(dict.fromkeys(of_room))


def main():
    build, source, jobs = Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
    project = Path.cwd()
    targets = subprocess.run(["ninja", "-C", build, "-t", "query", "tests/sanitizer_tests"], check=True, capture_output=True, text=True).stdout
    chosen = {Path(word).name for word in targets.split()}  # no libraries that tests load, no tests that take minutes
    programs = related(list(test_sources(build, project)), source, project, lambda name: name in chosen)
    if not programs:
        sys.exit(f"related_tests.py: {source} has no tests")
    subprocess.run(["ninja", "-C", build, "-j", jobs, *programs], check=True)
    for program in programs:
        if subprocess.run([build / "bin" / program, "--gtest_brief=1"], env=os.environ | {"GTEST_FAIL_FAST": "1"}).returncode != 0:
            sys.exit(f"{program} noticed")


if __name__ == "__main__":
    main()
