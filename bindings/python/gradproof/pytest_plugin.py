"""pytest -p gradproof.pytest_plugin: options for all tests of gradproof.gradients, and their summaries."""
import pytest

from . import _testing


def pytest_addoption(parser):
    group = parser.getgroup("gradproof")
    group.addoption("--gradproof-time", metavar="TIME", help='budget of each test instead of its own: "10s", "3000 cases"')
    group.addoption("--gradproof-seed", type=int, metavar="N", help="seed of each test instead of its own")
    group.addoption("--gradproof-out", metavar="DIR", help=f"folder of results and findings; {_testing.OUT}")


def pytest_configure(config):
    for name in ("time", "seed", "out"):
        value = config.getoption(f"--gradproof-{name}")
        if value is not None:
            _testing.overrides[name] = value
    try:
        _testing.budget_options(_testing.overrides.get("time", "1s"))
    except ValueError as error:
        raise pytest.UsageError(f"--gradproof-time: {error}") from None


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    yield
    summary = getattr(getattr(item, "obj", None), "gradproof_summary", None)
    if summary:
        item.user_properties.append(("gradproof", summary["line"]))


def pytest_terminal_summary(terminalreporter):
    lines = [(report.nodeid, value) for reports in terminalreporter.stats.values() for report in reports
             for name, value in getattr(report, "user_properties", ()) if name == "gradproof" and report.when == "call"]
    if lines:
        terminalreporter.section("gradproof")
    for place, line in lines:
        terminalreporter.write_line(f"{place}: {line}")
