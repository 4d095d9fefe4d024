"""The decorator that makes a pytest test of a function, and what the test says when it fails."""
import functools
import os
import re
import shlex

from ._run import place_of, verify

# What the command line says instead of the decorators (pytest_plugin.py).
overrides = {}
OUT = "gradproof-out"


def budget_options(budget):
    """{"seconds": ...} or {"cases": ...} of "10s", "500ms", "2min", "1h", "3000 cases"."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(ms|s|min|h|cases)\s*", str(budget))
    if not found:
        raise ValueError(f'budget "{budget}": expected a time such as "10s" or a number such as "3000 cases"')
    number, unit = found.groups()
    if unit == "cases":
        return {"cases": int(float(number))}
    return {"seconds": float(number) * {"ms": 1e-3, "s": 1, "min": 60, "h": 3600}[unit]}


def replay_line(finding, function):
    return f"python -m gradproof replay {shlex.quote(finding.file)} {shlex.quote(place_of(function))}"


def failure(report, function):
    """What a person reads, a part for each finding."""
    parts = [f"{finding}\n  replay: {replay_line(finding, function)}" for finding in report.findings]
    return "\n".join([f"gradproof found {len(parts)} distinct disagreement{'s' * (len(parts) != 1)}", *parts,
                      report.summary["line"]])


def raise_if_found(report, function):
    __tracebackhide__ = True
    if report.findings:
        raise AssertionError(failure(report, function)) from report.raised
    if report.summary["problem"]:
        raise AssertionError(f"gradproof: {report.summary['problem']}") from report.raised
    if not report.summary["outcomes"]["agree"]:
        raise AssertionError(f"gradproof compared no call: {report.summary['line']}; {report.summary['skipped']}")


def gradients(dtypes=("FLOAT",), budget="10s", arrays=None, **options):
    """Makes a test of function(grad_output, input, weight, call) -> (dx, dw, db).

    budget: "10s", "2min", "3000 cases". Other options: those of gradproof.Run. Findings are kept in
    gradproof-out/MODULE.FUNCTION and tried first next time.
    """
    budget_options(budget)  # a typing mistake shows when the module is read

    def decorated(function):
        @functools.wraps(function)
        def test():
            __tracebackhide__ = True
            out = os.path.join(overrides.get("out", OUT), f"{function.__module__}.{function.__qualname__}")
            chosen = {"name": function.__qualname__, "dtypes": list(dtypes), "out": out, **options}
            chosen.update(budget_options(overrides.get("time", budget)))
            if "seed" in overrides:
                chosen["seed"] = overrides["seed"]
            report = verify(function, arrays, **chosen)
            test.gradproof_summary = report.summary
            raise_if_found(report, function)

        # pytest would ask for fixtures of the function's parameters.
        del test.__wrapped__
        test.gradproof_function, test.gradproof_options = function, {"arrays": arrays, "dtypes": list(dtypes), **options}
        return test

    return decorated
