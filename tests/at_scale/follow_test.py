#!/usr/bin/env python3
"""`report --set follow=yes` while parts run, are killed, and run again: it ends when the last part has, with the report of a run in
one process, and its metrics never go back.
    follow_test.py PROGRAM [PARTS KILLED CASES]"""
import concurrent.futures
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

program = os.path.abspath(sys.argv[1])
parts, killed, cases = [int(word) for word in sys.argv[2:]] or (6, 2, 600)
work = ["verify", "--no-stored", "--cases", str(cases), "--seed", "17", "--quiet"]
quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def fail(sentence):
    sys.exit("follow_test: " + sentence)


def part(index):
    return [program, *work, "--jobs", "1", "--shard", f"{index}/{parts}", "--out", f"night/part{index}"]


def run_and_kill(index):
    process = subprocess.Popen(part(index), **quiet)
    while not Path(f"night/part{index}/run.json").exists() and process.poll() is None:
        time.sleep(0.005)
    time.sleep(random.random() * 0.1)
    process.kill()
    process.wait()


def run(index):
    if subprocess.run(part(index), **quiet).returncode not in (0, 4):  # 4: too small to prove something alone
        fail(f"part {index} did not end well")


def read_metrics():
    text = Path("metrics.txt").read_text()
    if not text.endswith("# EOF\n"):
        fail("metrics.txt is cut short")
    samples = dict(re.findall(r'^(gradproof_\S+) (\d+)$', text, re.M))
    for line in text.splitlines():
        if not re.fullmatch(r'# (TYPE|HELP) gradproof_\w+ .+|gradproof_\w+(\{\w+="\w+"\})? \d+|# EOF', line):
            fail(f"not OpenMetrics: {line}")
    return {name: int(value) for name, value in samples.items()}


def judged(metrics):
    return sum(count for name, count in metrics.items() if name.startswith("gradproof_cases_total"))


def watch(follower):
    """Reads the metrics until the follower ends; returns the last ones."""
    last = {}
    while True:
        ended = follower.poll() is not None
        if Path("metrics.txt").exists():
            now = read_metrics()
            if last and judged(now) < judged(last):
                fail(f"{judged(last)} cases became {judged(now)}")
            last = now
        if ended:
            return last
        time.sleep(0.05)


def report_of(file):
    report = json.loads(Path(file).read_text())
    del report["runs"]  # where the results come from
    return report


random.seed(17)
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    Path("night").mkdir()
    follower = subprocess.Popen([program, "report", "--set", "follow=yes", "night", "--write", "openmetrics=metrics.txt,json=night.json"],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    victims = random.sample(range(1, parts + 1), killed)
    others = set(range(1, parts + 1)) - set(victims)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        watcher = pool.submit(watch, follower)
        try:
            list(pool.map(run_and_kill, victims))
            list(pool.map(run, others))
            time.sleep(2)
            if follower.poll() is not None:
                fail("it ended although killed parts had not")
            list(pool.map(run, victims))
            said, _ = follower.communicate(timeout=120)
        except BaseException:
            follower.kill()  # the watcher waits for it
            raise
        last = watcher.result()
    if follower.returncode != 0:
        fail(f"exit code {follower.returncode}: {said}")
    if judged(last) != cases or last["gradproof_parts_to_come"] != 0:
        fail(f"the last metrics are {last}")
    subprocess.run([program, *work, "--out", "whole"], check=True, **quiet)
    subprocess.run([program, "report", "whole", "--write", "json=whole.json"], check=True, **quiet)
    if report_of("night.json") != report_of("whole.json"):
        fail("the report is not that of the run in one process")

    nowhere = subprocess.run([program, "report", "--set", "follow=yes", "nowhere"], capture_output=True, text=True)
    if nowhere.returncode != 2 or "nowhere: is no folder" not in nowhere.stderr:
        fail(f"a folder that is not there: {nowhere}")
    Path("empty").mkdir()
    follower = subprocess.Popen([program, "report", "--set", "follow=yes", "empty"], stderr=subprocess.PIPE, text=True)
    if "waits for parts in empty" not in follower.stderr.readline():
        fail("it does not say what it waits for")
    follower.send_signal(signal.SIGINT)
    if follower.wait(timeout=60) != 130:
        fail(f"Ctrl-C: exit code {follower.returncode}")
print(f"{parts} parts, {killed} killed and run again: the report of one process")
