"""python -m gradproof replay FILE module:function"""
import argparse
import importlib
import importlib.util
import sys
import tempfile

from ._library import Error
from ._run import verify
from ._testing import failure


def function_at(place):
    """The function of "module:function" or "folder/file.py:function", and the options of its decorator."""
    name, _, function = place.rpartition(":")
    sys.path.insert(0, "")
    if name.endswith(".py"):
        spec = importlib.util.spec_from_file_location("replayed", name)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    else:
        module = importlib.import_module(name)
    for part in function.split("."):
        module = getattr(module, part)
    return getattr(module, "gradproof_function", module), dict(getattr(module, "gradproof_options", {}))


def replay(file, place):
    """0: the function agrees now; 1: it disagrees."""
    function, options = function_at(place)
    # Legal elsewhere may be what the case says: what narrows generated calls must not leave it out.
    kept = {key: value for key, value in options.items() if key in ("arrays", "cube_math_type", "soc", "timeout")}
    with tempfile.TemporaryDirectory() as out:
        report = verify(function, files=[file], out=out, mixed=True, empty=True, **kept)
    print(failure(report, function) if report.findings else report.summary["line"])
    return 1 if report.findings else 0


def main():
    parser = argparse.ArgumentParser(prog="python -m gradproof")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("replay", help="runs a function on the case of a finding again")
    command.add_argument("file", metavar="FILE")
    command.add_argument("place", metavar="module:function")
    arguments = parser.parse_args()
    try:
        return replay(arguments.file, arguments.place)
    except (Error, ImportError, AttributeError, OSError) as error:
        print(f"gradproof: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
