#!/usr/bin/env python3
"""docs/at-scale/kubernetes_job.yml: what Kubernetes makes of it is run, part by part, and is the run in one process.

    kubernetes_test.py PROGRAM MANIFEST
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    print("skipped: python3-yaml is not installed")
    sys.exit(77)

INDEX = "metadata.annotations['batch.kubernetes.io/job-completion-index']"
CASES = ["--no-stored", "--cases", "600"]


def environment(container, index, parts):
    """Variables of the container of this index; `parts` in place of the manifest's number of them."""
    values = {}
    for row in container["env"]:
        if "valueFrom" in row:
            assert row["valueFrom"]["fieldRef"]["fieldPath"] == INDEX, row
            values[row["name"]] = str(index)
        else:
            values[row["name"]] = row["value"].replace(str(parts[0]), str(parts[1]))
    return values


def verdicts(program, folders, work):
    """Counts of the merged report of these folders."""
    subprocess.run([program, "report", *folders, "--write", "json=merged.json"], cwd=work, check=True, stdout=subprocess.DEVNULL)
    report = json.loads((work / "merged.json").read_text(encoding="utf-8"))
    report.pop("runs")  # where the results come from
    return report


def main(program, manifest):
    spec = yaml.safe_load(pathlib.Path(manifest).read_text(encoding="utf-8"))["spec"]
    assert spec["completionMode"] == "Indexed"
    (container,) = spec["template"]["spec"]["containers"]
    assert dict((row["name"], row.get("value")) for row in container["env"])["GTEST_TOTAL_SHARDS"] == str(spec["completions"])
    (mount,) = container["volumeMounts"]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        script = container["args"][0].replace(mount["mountPath"], str(work)).replace("--time 1h", " ".join(CASES))
        assert script.count(str(work)) == 1 and " ".join(CASES) in script
        (work / "bin").mkdir()
        (work / "bin" / "gradproof").symlink_to(program)
        for index in range(3):
            variables = environment(container, index, (spec["completions"], 3))
            variables["PATH"] = f"{work / 'bin'}:{os.environ['PATH']}"
            subprocess.run([*container["command"], script], env=variables, cwd=work, check=True, stdout=subprocess.DEVNULL)
        parts = sorted((work / "night").glob("part*"))
        assert len(parts) == 3, parts
        subprocess.run([program, "verify", "--seed", "1", *CASES, "--jobs", "1", "--quiet", "--out", "whole"], cwd=work, check=True,
                       stdout=subprocess.DEVNULL)
        assert verdicts(program, parts, work) == verdicts(program, ["whole"], work)


main(*sys.argv[1:])
