"""What the tests of certificates share. Their arguments: GRADPROOF CHECKER. With GRADPROOF_MEASURE, 1,000 corruptions."""
import hashlib
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM, CHECKER = sys.argv[1], pathlib.Path(sys.argv[2])
sys.dont_write_bytecode = True
sys.path.insert(0, str(CHECKER.parent))
spec = importlib.util.spec_from_file_location("check_certificate", CHECKER)
checker = importlib.util.module_from_spec(spec)
sys.modules["check_certificate"] = checker
spec.loader.exec_module(checker)

FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="gradproof-certificate-"))
CORRUPTIONS = 500 if "GRADPROOF_MEASURE" in os.environ else 100  # of each kind


def certificate(name, *options, command="verify", code=0):
    """The lines of a run's certificate."""
    path = FOLDER / f"{name}.jsonl"
    run = subprocess.run([PROGRAM, command, *options, "--quiet", "--out", str(FOLDER / name),
                          "--write", f"certificate={path}"], capture_output=True, text=True, check=False)
    assert run.returncode in (code, 4), run.stdout + run.stderr  # 4: too few cases to prove anything
    return path.read_bytes().splitlines(keepends=True)


def verdict_on(lines, libraries=()):
    """(exit code, what it says)."""
    path = FOLDER / "checked.jsonl"
    path.write_bytes(b"".join(lines))
    try:
        return 0, checker.check(str(path), libraries)
    except checker.FalseLine as error:
        return 1, str(error)
    except checker.Unreadable as error:
        return 2, str(error)


def sealed(lines):
    """The lines with the hashes that belong to them: what a forger would write."""
    chain, pending, result = "0" * 64, b"", []
    for line in lines:
        if line.startswith(b'{"block"'):
            prefix = line[:line.rindex(b'"sha256":"') + 10]
            chain = hashlib.sha256(chain.encode() + pending + prefix).hexdigest()
            line, pending = prefix + chain.encode() + b'"}\n', b""
        else:
            pending += line
        result.append(line)
    return result


def dumped(line):
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def with_values(lines):
    return [i for i, line in enumerate(lines) if line.startswith(b'{"line"') and json.loads(line)["outputs"]]


def corrupted(lines, draw):
    """Any byte, line or stretch changed; draw: random.Random."""
    lines, kind = list(lines), draw.randrange(6)
    at = draw.randrange(len(lines))
    if kind < 3:
        line = bytearray(lines[at])
        byte = draw.randrange(len(line) - 1)
        line[byte] ^= 1 << draw.randrange(7)
        lines[at] = bytes(line)
    elif kind == 3:
        del lines[at]
    elif kind == 4:
        other = (at + draw.randrange(1, len(lines))) % len(lines)
        lines[at], lines[other] = lines[other], lines[at]
    else:
        lines = [b"".join(lines)[:draw.randrange(len(b"".join(lines)) - 1)]]
    return lines
