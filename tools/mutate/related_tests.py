#!/usr/bin/env python3
"""related_tests.py BUILD SOURCE JOBS: builds the test programs that are about a source and runs the tests of it until one fails (exit
code 1): those in files that include the source's header or call a C function that it defines, those below the folder of the same name
in tests/, and those in a file of its name. Where there are none, and where SOURCE is a room, all of the room's. docs/fuzzing.md says
more."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

SECONDS_OF_A_PROGRAM = 400  # none takes a third of it
TEST = re.compile(r" -o tests/\S*CMakeFiles/(\w+)\.dir/")


def test_sources(build, project):
    """Pairs (program, path of one of its sources below the project)."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        made, path = TEST.search(entry["command"]), Path(entry["file"])
        if made and path.is_relative_to(project):
            yield made.group(1), str(path.relative_to(project))


def header_of(source, text):
    """The header of the source's name, or the one that files of its folder share: they include it first."""
    first = re.match(r'#include "(.+)"', text)
    is_own = first and Path(first[1]).parent == Path(source).parent
    return first[1] if is_own else f'{source.removesuffix(".cpp")}.h'


def speaks_of(source, project):
    """What a test contains that is about a source: a pattern."""
    text = (project / source).read_text() if (project / source).is_file() else ""
    words = re.escape(f'#include "{header_of(source, text)}"')
    names = re.findall(r"^aclError (acl\w+)\(", text, re.MULTILINE)
    return re.compile("|".join([words, *(rf"\b{name}\(" for name in names)]))


def related(pairs, source, project):
    """Test sources of each program, those programs first that speak of the source."""
    room, *folders = source.split("/")[:-1] or [source]
    folder, pattern = "/".join(["tests", room, *folders[:1], ""]), speaks_of(source, project)
    of_room = [(program, path) for program, path in pairs if path.startswith(f"tests/{room}/")]
    speak = [(program, path) for program, path in of_room if pattern.search((project / path).read_text())]
    own_name = f"{Path(folder).name}_test"
    of_folder = [(program, path) for program, path in of_room if path.startswith(folder) or Path(path).stem == own_name]
    programs = {}
    for program, path in dict.fromkeys(speak + of_folder or of_room):
        programs.setdefault(program, []).append(path)
    return programs


def suites_of(path):
    """The names of the test suites in a source; none in one that only helps others."""
    return list(dict.fromkeys(re.findall(r"^(?:TYPED_)?TEST(?:_[FP])?\((\w+),", path.read_text(), re.MULTILINE)))


def filter_of(paths, project):
    """GoogleTest's name for all tests that the sources hold."""
    suites = [suite for path in paths for suite in suites_of(project / path)]
    return ":".join(f"{suite}.*:*/{suite}.*:{suite}/*" for suite in suites)


def main():
    build, source, jobs = Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
    project = Path.cwd()
    query = ["ninja", "-C", build, "-t", "query", "tests/sanitizer_tests"]
    targets = subprocess.run(query, check=True, capture_output=True, text=True).stdout
    chosen = {Path(word).name for word in targets.split()}  # no libraries that tests load, no tests that take minutes
    pairs = [(program, path) for program, path in test_sources(build, project) if program in chosen and suites_of(project / path)]
    programs = related(pairs, source, project)
    if not programs:
        sys.exit(f"related_tests.py: {source} has no tests")
    subprocess.run(["ninja", "-C", build, "-j", jobs, *programs], check=True)
    for program, paths in programs.items():
        command = [build / "bin" / program, "--gtest_brief=1", f"--gtest_filter={filter_of(paths, project)}"]
        try:
            ran = subprocess.run(command, env=os.environ | {"GTEST_FAIL_FAST": "1"},
                                 timeout=SECONDS_OF_A_PROGRAM)
        except subprocess.TimeoutExpired:
            sys.exit(f"{program} took more than {SECONDS_OF_A_PROGRAM} s")
        if ran.returncode != 0:
            sys.exit(f"{program} noticed")


if __name__ == "__main__":
    main()
