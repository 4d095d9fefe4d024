"""The program `gradproof` and the checkers of certificates, as commands of Python."""
import os
import sys
from pathlib import Path

from ._library import Error

_HERE = Path(__file__).resolve().parent


def _prefix():
    """The folder above bin, lib and share: a wheel's, or an installed tree's."""
    above = _HERE.parents[3] if len(_HERE.parents) > 3 else _HERE
    # An environment's bin/gradproof is this package again.
    return above if (above / "lib/libgradproof.so.1").exists() else _HERE


def _found(places):
    for place in places:
        if place.is_file():
            return str(place)
    raise Error(f"{places[0].name} is not there; it was looked for in " + ", ".join(str(place.parent) for place in places))


def program():
    """The file of the program: a wheel's, an installed tree's, a clone's. Errors: Error, none is there."""
    return _found([_prefix() / "bin/gradproof", *sorted(_HERE.parents[2].glob("build/*/bin/gradproof"))])


def _checker(name):
    return _found([_prefix() / "share/gradproof/tools" / name, _HERE.parents[2] / "tools/checkers" / name])


def _become(*words):
    """Replaces this process: signals and exit codes are the program's own."""
    os.execv(words[0], words)


def main():
    """gradproof ARGUMENTS; returns only where the program is not there."""
    try:
        _become(program(), *sys.argv[1:])
    except (Error, OSError) as error:
        print(f"gradproof: {error}", file=sys.stderr)
        return 2


def check_certificate():
    """gradproof-check-certificate FILE"""
    _become(sys.executable, _checker("check_certificate.py"), *sys.argv[1:])


def check_proof():
    """gradproof-check-proof FILE"""
    _become(sys.executable, _checker("check_proof.py"), *sys.argv[1:])
