"""The decorator that makes a pytest test of a function, and what the test says when it fails."""
import functools
import inspect
import os
import re
import shlex
import sys
import traceback

from ._identity import OUT, folder_of, place_of
from ._run import budget_options, verify

# What the command line says instead of the decorators (pytest_plugin.py).
overrides = {}


def _parameters(function):
    """The signature, the four names that a run fills (none: it takes any), and the signature of `self`, fixtures and parameters."""
    signature = inspect.signature(function)
    plain = [name for name, one in signature.parameters.items() if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    ours = ["grad_output", "input", "weight", "call"]
    if not set(ours) <= set(plain):  # named otherwise: those up to "call", else the first
        end = plain.index("call") + 1 if "call" in plain else 4 + (plain[:1] == ["self"])
        ours = plain[max(end - 4, 0):end]
    others = [one for name, one in signature.parameters.items() if name not in ours and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    if len(ours) < 4:
        if not any(one.kind == one.VAR_POSITIONAL for one in signature.parameters.values()):
            raise TypeError(f"{function.__qualname__}{signature}: expected the parameters grad_output, input, weight and call")
        ours = others = []
    return signature, ours, signature.replace(parameters=others)


def _variant():
    """"[Ascend910B]" where pytest runs a test with parameters."""
    found = re.search(r"(\[.*\]) \(\w+\)$", os.environ.get("PYTEST_CURRENT_TEST", ""))
    return found.group(1) if found else ""


def replay_line(finding, function, needs_pytest=False):
    python = os.path.basename(sys.executable) or "python3"
    if not needs_pytest:
        return f"{python} -m gradproof replay {shlex.quote(finding.file)} {shlex.quote(place_of(function))}"
    file = os.path.relpath(inspect.getsourcefile(function))
    test = "::".join([file, *function.__qualname__.split(".")]) + _variant()
    out = f" -p gradproof.pytest_plugin --gradproof-out {shlex.quote(overrides['out'])}" if "out" in overrides else ""
    return f"{python} -m pytest {shlex.quote(test)}{out}"


def failure(report, function, needs_pytest=False):
    """What a person reads: the findings, the first one's own sentence first, what the function raised, and the run."""
    raised = "".join(traceback.format_exception(None, report.raised, report.raised.__traceback__)) if report.raised else ""
    return "\n".join(filter(None, [*(finding.text(replay_line(finding, function, needs_pytest)) for finding in report.findings),
                                   raised.rstrip(), report.summary["line"]]))


def _fail(words):
    __tracebackhide__ = True

    # pytest shows the source and the arguments of what raises: two lines, and none.
    def disagreement():
        raise AssertionError(words)

    disagreement()


def raise_if_found(report, function, needs_pytest=False):
    __tracebackhide__ = True
    if report.findings:
        _fail(failure(report, function, needs_pytest))
    if report.summary["problem"]:
        _fail(f"gradproof: {report.summary['problem']}")
    if not report.summary["outcomes"]["agree"]:
        _fail(f"gradproof compared no call; skipped: {report.summary['skipped']}\n{report.summary['line']}")


def gradients(dtype=("FLOAT",), budget="10s", arrays=None, **options):
    """Makes a test of function(grad_output, input, weight, call) -> (dx, dw, db).

    budget: "10s", "2min", "3000 cases". Other options: those of gradproof.verify. `self` and parameters of other names are left to
    pytest: fixtures, `parametrize`. Findings are kept in gradproof-out/MODULE.FUNCTION and tried first next time.
    """
    if callable(dtype):  # without parentheses
        return gradients()(dtype)
    budget_options(budget)  # a typing mistake shows when the module is read
    dtype = options.pop("dtypes", dtype)  # as before 0.3
    dtype = dtype if isinstance(dtype, str) else list(dtype)

    def decorated(function):
        signature, ours, others = _parameters(function)
        names = list(others.parameters)

        @functools.wraps(function)
        def test(*args, **kwargs):
            __tracebackhide__ = True
            given = others.bind(*args, **kwargs).arguments

            def filled(*values):
                bound = inspect.BoundArguments(signature, {**given, **dict(zip(ours, values))})
                return function(*bound.args, **bound.kwargs)

            out = folder_of(function, overrides.get("out", OUT), _variant() if names else "")
            chosen = {"name": function.__qualname__, "dtype": dtype, "out": out, **options}
            chosen.update(budget_options(overrides.get("time", budget)))
            if "seed" in overrides:
                chosen["seed"] = overrides["seed"]
            is_another_process = options.get("isolate") and names in ([], ["self"])  # which makes the object itself
            report = verify(filled if given and not is_another_process else function, arrays, **chosen)
            test.gradproof_summary = report.summary
            raise_if_found(report, function, bool(given))

        test.__signature__ = others  # what pytest fills
        test.gradproof_function = function
        test.gradproof_options = {"arrays": arrays, "dtype": dtype, "others": names, **options}
        return test

    return decorated
