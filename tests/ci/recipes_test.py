#!/usr/bin/env python3
"""The CI recipes of docs/ci: they parse, name only commands and options that there are, and their own scripts do what they
say, with a library that is right, and with one that is wrong and a kept finding that shows it.

  recipes_test.py PROGRAM RECIPES LIBRARIES LIBRARIES_WITH_FAULTS

What comes from outside (packages, the user's build) is stood in for. Exit code 77: skipped."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

try:
    import yaml
except ImportError:
    print("skipped: python3-yaml is not installed")
    sys.exit(77)

program, recipes, libraries, with_faults = (pathlib.Path(word).resolve() for word in sys.argv[1:])
right = {"TARGET": str(libraries / "libopapi_nn.so")}
wrong = {
    "TARGET": ",".join(str(with_faults / name) for name in ("libopapi_nn.so", "libnnopbase.so", "libascendcl.so")),
    "GRADPROOF_FAULT": "dilation_for_stride_in_w",
}
parts = 4


def fail(words):
    print(words)
    sys.exit(1)


def text_of(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def known_options():
    commands = re.search(r"Subcommands:\n((?:  .*\n)+)", text_of(program, "--help")).group(1)
    names = re.findall(r"^  (\w+)", commands, re.M)
    return {name: set(re.findall(r"^ +(?:-\w,)?(--[\w-]+)", text_of(program, name, "--help-all"), re.M)) for name in names}


def check_commands(recipe, script, known):
    """Every call of gradproof; how many there are."""
    calls = re.findall(r"^\s*gradproof\s+(.*)$", re.sub(r"\\\n|\n(?=\s+--)", " ", script), re.M)
    for call in calls:
        words = shlex.split(re.split(r"\|\||&&|;|>", call)[0])
        if words[0] not in known:
            fail(f"{recipe}: there is no command {words[0]}")
        for word in words[1:]:
            if word.startswith("--") and word not in known[words[0]]:
                fail(f"{recipe}: {words[0]} has no option {word}")
    return len(calls)


def github_jobs(recipe):
    """The scripts of a part and those of the merge. Scripts of steps that run always come last in both."""
    jobs = recipe["jobs"]
    if True not in recipe or "schedule" not in recipe[True]:  # the word "on", to YAML
        fail("github-actions.yml: nothing runs at night")
    if jobs["verify"]["strategy"]["matrix"]["part"] != list(range(1, parts + 1)) or recipe["env"]["PARTS"] != str(parts):
        fail("github-actions.yml: the matrix is not PARTS long")
    if jobs["report"]["needs"] != "verify" or jobs["report"]["if"] != "always()":
        fail("github-actions.yml: the merge does not wait for the parts")
    return [[step["run"] for step in jobs[job]["steps"] if "run" in step] for job in ("verify", "report")]


def gitlab_jobs(recipe):
    default = recipe["build"]["script"]
    jobs = []
    for job in ("verify", "report"):
        lines = recipe[job].get("before_script", []) + recipe[job]["script"]
        jobs.append(["\n".join(lines)] + ["\n".join(recipe[job].get("after_script", []))])
    jobs[0].insert(0, "\n".join(default))
    if recipe["verify"]["parallel"] != parts or recipe["report"]["when"] != "always":
        fail("gitlab-ci.yml: the merge does not wait for the parts")
    if recipe["report"]["artifacts"]["reports"]["junit"] != "junit.xml":
        fail("gitlab-ci.yml: junit.xml is not handed over")
    return jobs


def stand_ins(folder, library):
    """Programs for what the scripts fetch and build. A wrong library has many findings, each of which takes its time to be
    made small: one is enough."""
    few = "--soc Ascend910B --dtype FLOAT --law exactness --max-macs 100000 --findings 1" if library == wrong else ""
    tools = folder / "tools"
    tools.mkdir()
    for name, script in {
        "apt-get": "true",
        "curl": ": >gradproof.deb",
        "cmake": "true",
        "gradproof": f'case $1 in verify) exec {program} "$@" {few} ;; *) exec {program} "$@" ;; esac',
    }.items():
        (tools / name).write_text(f"#!/bin/sh\n{script}\n")
        (tools / name).chmod(0o755)
    return tools


def environment(tools, folder, library, part=0):
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("GTEST_")},
        "PATH": f"{tools}:{os.environ['PATH']}",
        "GRADPROOF_PACKAGE": "none", **library, "SEED": "1", "LIMITS": "--cases 1200 --time 60s",
        "PART": str(part), "PARTS": str(parts), "CI_NODE_INDEX": str(part), "CI_NODE_TOTAL": str(parts),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
    }


def run(script, folder, variables):
    return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=folder, env=variables, capture_output=True,
                          text=True)


def run_jobs(name, jobs, library, kept):
    """The merge's exit code, and the folder it left."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=scratch))
    tools = stand_ins(folder, library)
    if kept:
        shutil.copytree(kept, folder / "findings")
    for part in range(1, parts + 1):
        for script in jobs[0]:
            ran = run(script, folder, environment(tools, folder, library, part))
            if ran.returncode != 0:
                fail(f"{name}, part {part}: exit code {ran.returncode} of\n{script}\n{ran.stdout}{ran.stderr}")
    codes = []
    for script in jobs[1]:  # the later ones run always
        codes.append(run(script, folder, environment(tools, folder, library)))
    worst = max(codes, key=lambda ran: ran.returncode)
    print(f"{name}, a {'right' if library is right else 'wrong'} library: {worst.stdout.strip()}", flush=True)
    return worst.returncode, folder


def check(name, jobs):
    code, folder = run_jobs(name, jobs, right, None)
    if code != 0:
        fail(f"{name}: the merge of a right library ends with {code}")
    for report in ("report.html", "report.md"):
        if (folder / report).stat().st_size == 0:
            fail(f"{name}: {report} is empty")
    xml.parse(folder / "junit.xml")
    summary = folder / "summary.md"
    if name.startswith("github") and "#" not in summary.read_text():
        fail(f"{name}: no summary")

    kept = pathlib.Path(tempfile.mkdtemp(dir=scratch)) / "findings"
    found = subprocess.run([program, "verify", "--target", wrong["TARGET"], "--seed", "1", "--no-stored", "--soc",
                            "Ascend910B", "--dtype", "FLOAT", "--law", "exactness", "--cases", "2000", "--findings", "1",
                            "--quiet", "--out", kept.parent], env={**os.environ, **wrong}, capture_output=True)
    if found.returncode != 1 or not list(kept.glob("*.json")):
        fail(f"the wrong library is not found out: {found}")
    code, folder = run_jobs(name, jobs, wrong, kept)
    if code != 1:
        fail(f"{name}: the merge of a wrong library ends with {code}")
    if not {file.name for file in kept.glob("*.json")} <= {file.name for file in (folder / "findings").glob("*.json")}:
        fail(f"{name}: a finding was not kept")


scratch = tempfile.mkdtemp()
try:
    known = known_options()
    for file, jobs_of in (("github-actions.yml", github_jobs), ("gitlab-ci.yml", gitlab_jobs)):
        jobs = jobs_of(yaml.safe_load((recipes / file).read_text()))
        calls = sum(check_commands(file, script, known) for scripts in jobs for script in scripts)
        if calls != 2:
            fail(f"{file}: {calls} calls of gradproof were found, not 2")
        check(file, jobs)
finally:
    shutil.rmtree(scratch)
