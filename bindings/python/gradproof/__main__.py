"""python -m gradproof replay FILE module:function, and serve module:function; else what the program gradproof takes"""
import argparse
import importlib
import importlib.util
import os
import re
import sys
import tempfile

from . import _program
from ._function import Function
from ._library import Error
from ._pipe import serve
from ._run import verify
from ._tensors import DTYPES


def function_at(place):
    """The function of "module:function" or "folder/file.py:function", and the options of its decorator."""
    name, _, function = place.rpartition(":")
    sys.path.insert(0, "")
    if name.endswith(".py"):
        sys.path.insert(0, os.path.dirname(os.path.abspath(name)))  # what it imports may lie beside it
        spec = importlib.util.spec_from_file_location("replayed", name)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    else:
        module = importlib.import_module(name)
    owner = None
    for part in function.split("."):
        owner, module = module, getattr(module, part)
    options = dict(getattr(module, "gradproof_options", {}))
    module = getattr(module, "gradproof_function", module)
    others = options.pop("others", [])
    if isinstance(owner, type) and others == ["self"]:
        module, others = module.__get__(owner()), []
    if others:
        raise Error(f"{place} needs what pytest gives it ({', '.join(others)}): its findings are the first that pytest tries")
    return module, options


def replay(file, place):
    """0: the function agrees now; 1: it disagrees."""
    function, options = function_at(place)
    # Legal elsewhere may be what the case says: what narrows generated calls must not leave it out.
    names = ("arrays", "cube_math_type", "domain", "isolate", "layout", "repeat", "soc", "specials", "timeout", "views")
    kept = {"specials": "judged", **{key: value for key, value in options.items() if key in names}}
    with open(file) as stream:
        text = stream.read()
    dtypes = [name for name in DTYPES if f'"{name}"' in text]
    with tempfile.TemporaryDirectory() as out:
        report = verify(function, files=[file], out=out, dtypes=dtypes, max_macs=1 << 40, mixed=True, empty=True, **kept)
    print(report)
    return 1 if report.findings else 0


def served(place, given):
    """Answers calls of a program that has this one as its pipe."""
    function, options = function_at(place)
    options.update({name: value for name, value in given.items() if value})
    serve(Function(function, options.get("arrays"), options.get("layout")), place)
    return 0


def is_of_python(words):
    """True if the words name a function of Python: all others are the program's."""
    return words[:1] == ["serve"] or len(words) == 3 and words[0] == "replay" and \
        re.fullmatch(r"[^:=,]+:[A-Za-z_][\w.]*", words[2]) is not None


def main():
    if not is_of_python(sys.argv[1:]):
        return _program.main()
    parser = argparse.ArgumentParser(prog="python -m gradproof")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("replay", help="runs a function on the case of a finding again")
    command.add_argument("file", metavar="FILE")
    command.add_argument("place", metavar="module:function")
    command = commands.add_parser("serve", help="answers calls on standard input and output (docs/pipe.md)")
    command.add_argument("place", metavar="module:function")
    command.add_argument("--arrays", choices=["numpy", "torch", "raw"])
    command.add_argument("--layout", choices=["contiguous", "operand"])
    arguments = parser.parse_args()
    try:
        if arguments.command == "serve":
            return served(arguments.place, {name: getattr(arguments, name) for name in ("arrays", "layout")})
        return replay(arguments.file, arguments.place)
    except (Error, ImportError, AttributeError, OSError, ValueError) as error:
        print(f"gradproof: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
