#!/usr/bin/env python3
"""random_commands.py PROGRAM SECONDS [SEED]: random command lines, of the options that the help names, with random values and files.

Each must end in time with an exit code of the help's, by no signal, without an exception's raw words or a terminal's escapes, and
write nowhere but in its folder. A command that does not is printed, to be run again in a folder made the same way.
"""
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

PROGRAM, SECONDS = os.path.abspath(sys.argv[1]), float(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
DRAW = random.Random(SEED)
COMMANDS = ("verify", "replay", "explain", "judge", "fingerprint", "report", "list")  # the others have no limit that is always short
LIMIT = 60  # s; a run's own --time is 1 s at most
RAW = re.compile(r"terminate called|std::|nlohmann|json\.exception|filesystem error|bad_alloc|basic_string|vector::|stoi|\x1b|\x07")
CASE = ('{"id":"%s","api":"aclnnConvolutionBackward","soc":"Ascend910B","gradOutput":{"shape":[1,1,2,2],"dtype":"FLOAT","format":"NCHW"},'
        '"input":{"shape":[1,1,4,4],"dtype":"FLOAT","format":"NCHW"},"weight":{"shape":[1,1,3,3],"dtype":"FLOAT","format":"NCHW"},'
        '"biasSizes":[1],"stride":[1,1],"padding":[0,0],"dilation":[1,1],"transposed":false,"outputPadding":[0,0],"groups":1,'
        '"outputMask":[true,true,true],"cubeMathType":0,"gradInput":{"shape":[1,1,4,4],"dtype":"FLOAT","format":"NCHW"},'
        '"gradWeight":{"shape":[1,1,3,3],"dtype":"FLOAT","format":"NCHW"},"gradBias":{"shape":[1],"dtype":"FLOAT","format":"ND"}}\n')
WORDS = ["", "-", "--", "0", "1", "-1", "2", "1e9", "18446744073709551616", "nan", "1ms", "0s", "1h", "-5s", "yes", "no", "all", "none",
         "FLOAT", "BF16", "float16", "bool", "Ascend910B", "910_93", "NCHW", "valid", "invalid", "1/2", "0/0", "3/2", "1,1,4,4", "4,4,3,3",
         "9223372036854775807,2,3,3", "input:1,4,6,6 weight:4,4,3,3", "STRIDE-01", "161002", "361001", "507015", "adjoint", "exact_grid",
         "results=all", "results=failures", "html=a.html", "junit=/dev/full", "json=a/b/c.json", "views=yes", "hf32=even", "file=machine.json",
         "pipe:cat", "pipe:true", "pipe:printf 'gradproof-pipe 1 x\\n'", "libnone.so", "a.npy", "b.npy", "cases.jsonl", "folder", "link",
         "text.log", "/dev/null", "/dev/full", "/", ".", "out", "$(id)", "\x1b[31mred", "\xe9\x00\xff".replace("\0", ""),
         "昇腾910B", "a" * 5000, "rules", "laws", "dtypes", "docs", "zh", "en", "x=1,,y", "=", ",", "0x10", "1.5", "--help", "Infinity"]


def options_of(command):
    text = subprocess.run([PROGRAM, command, "--help-all"], capture_output=True, text=True).stdout
    return sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)) - {"--help", "--help-all", "--out", "--version"})


def damaged(data):
    data = bytearray(data)
    for _ in range(DRAW.randrange(4)):
        at = DRAW.randrange(len(data) or 1)
        kind = DRAW.randrange(4)
        if kind == 0 and data: data[at:at + 1] = bytes([DRAW.randrange(256)])
        if kind == 1: data = data[:at]
        if kind == 2: data[at:at] = DRAW.choice([b"[" * 2000, b"\xff\xfe", b"\x1b[2J", b"9" * 400, b"\0", b'"id":1,', b"1e999"])
        if kind == 3: data += data[:at]
    return bytes(data)


def npy(shape):
    count = 1
    for length in shape: count *= length
    header = ("{'descr': '<f4', 'fortran_order': False, 'shape': %r, }\n" % (shape,)).encode()
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + b"\0" * 4 * count


def make_files(folder):
    os.makedirs(os.path.join(folder, "folder"))
    os.symlink("link", os.path.join(folder, "link"))
    contents = {"cases.jsonl": (CASE % DRAW.choice(["a", "\\u001b[31m", "<b>"])).encode() * DRAW.randrange(1, 4), "text.log": b"EZ1001 stride 161002\n" * 3,
                "machine.json": b'{"algorithms":[]}', "a.npy": npy((1, 1, 4, 4)), "b.npy": npy((1, 1, 3, 3)), "folder/dy.npy": npy((1, 1, 2, 2)),
                "folder/x.npy": npy((1, 1, 4, 4)), "folder/w.npy": npy((1, 1, 3, 3)), "folder/dw.npy": npy((1, 1, 3, 3)),
                "folder/results.jsonl": b'{"schema":1}\n', "folder/run.json": b"{}"}
    for name, data in contents.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(damaged(data) if DRAW.random() < 0.5 else data)


def command_line(options):
    command = DRAW.choice(COMMANDS)
    words = [command]
    for _ in range(DRAW.randrange(5)):
        words.append(DRAW.choice([option for option in options[command] if option != "--time"]))
        if DRAW.random() < 0.8: words.append(DRAW.choice(WORDS))
    for _ in range(DRAW.randrange(3)):
        words.insert(DRAW.randrange(1, len(words) + 1), DRAW.choice(WORDS))
    return words + ["--time", DRAW.choice(["1s", "200ms"])] if "--time" in options[command] else words


def problem_of(words, folder):
    """What is wrong with how the command ended; None: nothing."""
    before = set(os.listdir(os.path.dirname(folder)))
    environment = {**os.environ, "HOME": folder, "TMPDIR": folder}
    try:
        ran = subprocess.run([PROGRAM, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return f"did not end within {LIMIT} s"
    except ValueError:
        return None  # a word that no command line can hold
    text = (ran.stdout + ran.stderr).decode("utf-8", "replace")
    if ran.returncode not in range(6): return f"exit code {ran.returncode}: {text[-300:]!r}"
    if raw := RAW.search(text): return f"raw words {raw.group()!r} in {text[max(0, raw.start() - 100):raw.end() + 100]!r}"
    if ran.returncode in (2, 3, 5) and not ran.stderr.strip(): return f"exit code {ran.returncode} without a word"
    if added := set(os.listdir(os.path.dirname(folder))) - before: return f"wrote beside its folder: {sorted(added)}"
    return None


def main():
    options = {command: options_of(command) for command in COMMANDS}
    end, count, problems = time.monotonic() + SECONDS, 0, 0
    with tempfile.TemporaryDirectory() as home:
        while time.monotonic() < end:
            folder = os.path.join(home, "run")
            make_files(folder)
            words = command_line(options)
            if problem := problem_of(words, folder):
                problems += 1
                print(f"{words!r}: {problem}", flush=True)
            shutil.rmtree(folder, ignore_errors=True)
            count += 1
    print(f"{count} command lines of seed {SEED}: {problems} problems")
    return problems > 0


sys.exit(main())
