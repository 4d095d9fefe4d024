"""Ask and tell: a run of the library, and the loop that lets a function answer it."""
import collections
import contextlib
import ctypes
import json
import math
import os
import re
import shlex
import signal
import sys

from ._function import Function, own_lines, refusal, words_of_failure
from ._identity import folder_of, place_of
from ._library import Error, error, library
from ._tensors import RESULTS, Call, key_of, operand, results_in_bytes


class Finding:
    """One distinct disagreement. `call`: the smallest that shows it; `file`: what a replay takes."""

    def __init__(self, fields):
        self.fields = fields
        self.call, self.file = Call(fields["case"]), fields["file"]
        self.signature, self.non_zeros = fields["signature"], fields["non_zeros"]
        self.reason, self.diagnosis = fields["verdict"]["reason"], fields["diagnosis"]

    def text(self, replay=None):
        """What a person reads: what is wrong, the call, both values, what was tested, how to see it again."""
        verdict, lines = self.fields["verdict"], [self.reason, f"  call: {self.call}"]
        worst = (verdict["outputs"].get(verdict["culprit"]) or {}).get("worst")
        culprit = verdict["culprit"] if len(self.call.results) > 1 else "output"
        if worst and not self.reason.startswith(f"{culprit}["):
            lines.append(f"  {culprit}{worst['at']}: computed {worst['computed']}, exact {worst['exact']}, bound {worst['bound']}")
        sentences = [f"  diagnosis: {sentence}" for sentence in self.diagnosis]
        lines += [*sentences[:1], *([f"  replay: {replay}"] if replay else []), *sentences[1:]]
        data = json.loads(self.call.json).get("data", {})
        if data.get("distribution") == "listed":
            lines += [f"  {name}: {data[key_of(name)]}" for name in self.call.operands if data.get(key_of(name))]
        return "\n".join(lines)

    def __str__(self):
        return self.text()


class Report:
    """What a run found: `summary` (a dict), `findings`, `raised`, the last exception of the function, and its refusals, counted."""

    def __init__(self, summary, findings, raised, refusals):
        self.summary, self.findings, self.raised, self.refusals = summary, findings, raised, refusals
        if refusals:
            (words, _), total = refusals.most_common(1)[0], sum(refusals.values())
            summary["line"] += f"; the function refused {total} calls: {words}"

    def __str__(self):
        return "\n".join([*map(str, self.findings), self.summary["line"]])


# What has to be asked for: option, value, in words.
_MORE = (("views", True, "views"), ("repeat", True, "the same call twice"), ("empty", True, "empty tensors"),
         ("mixed", True, "mixed dtypes"), ("domain", "pytorch", "what PyTorch alone allows"))


def _not_asked(options):
    """What generated calls leave out, and the option for each. Empty: nothing, or nothing is generated."""
    if options.get("files"):
        return ""
    more = ", ".join(f"{words} ({name}={value!r})" for name, value, words in _MORE if options.get(name) != value)
    specials = "special values: not asked (specials='judged')" if options["specials"] != "judged" else ""
    return specials + (", nor " if specials and more else "not asked: " if more else "") + more


def budget_options(budget):
    """{"seconds": ...} or {"cases": ...} of "10s", "500ms", "2min", "5m", "1h", seconds, "3000 cases", "2e5 cases"."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?(?:e\d+)?)\s*(ms|s|min|m|h|cases|)\s*", str(budget))
    if not found:
        raise ValueError(f'budget "{budget}": expected a time such as "10s" or a number such as "3000 cases"')
    number, unit = found.groups()
    if unit == "cases":
        return {"cases": int(float(number))}
    return {"seconds": float(number) * {"ms": 1e-3, "min": 60, "m": 60, "h": 3600}.get(unit, 1)}


class Run:
    """A campaign that asks. A context manager. Options: those of gradproof_open; None: as if it were not there.

    Here the calls are others in each run, by a `seed` that the summary says, and special values are asked with specials="judged" only.
    """

    def __init__(self, **options):
        self._options = {"seed": int.from_bytes(os.urandom(4), "little"), "specials": "ignored"}
        self._options.update((name, value) for name, value in options.items() if value is not None)
        for word in ("budget", "time"):  # the decorators' word, and the command's
            if word in self._options:
                self._options.update(budget_options(self._options.pop(word)))
        self._library = library()
        self._run = self._library.gradproof_open(json.dumps(self._options).encode())
        if not self._run:
            raise error()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Gives up what is under way."""
        if self._run:
            self._library.gradproof_close(self._run)
        self._run = None

    def _done(self, code):
        if code < 0:
            raise error()
        return code

    def _json(self, text):
        if text is None:
            raise error()
        return json.loads(text)

    def next(self):
        """The next call, None when the run is over."""
        if not self._done(self._library.gradproof_next(self._run)):
            return None
        return Call(self._library.gradproof_call(self._run).decode())

    def operands(self, call):
        """grad_output, input and weight of the call that next() gave; of a forward call input, weight and bias, None without one."""
        tensors, size = [], ctypes.c_size_t()
        for name, number in call.operands.items():
            address = self._library.gradproof_operand(self._run, number, ctypes.byref(size))
            data = ctypes.string_at(address, size.value) if address else b""
            tensors.append(operand(call, name, data, self._options.get("views")) if name in call.shapes else None)
        return tensors

    def tell(self, call, results):
        """Answers with (dx, dw, db), or the output. TypeError: a result is not what the call asks for; nothing is answered then."""
        self.tell_bytes(results_in_bytes(call, results))

    def tell_bytes(self, results):
        """Answers with elements by the result's name, dense and row-major."""
        for name, data in results.items():
            self._done(self._library.gradproof_result(self._run, RESULTS[name], data, len(data)))
        self._done(self._library.gradproof_tell(self._run))

    def tell_changed(self, operand, byte):
        """The function changed this byte of an operand; before the answer."""
        self._done(self._library.gradproof_changed(self._run, operand, byte))

    def tell_status(self, status):
        self._done(self._library.gradproof_tell_status(self._run, status))

    def tell_failure(self, words):
        self._done(self._library.gradproof_tell_failure(self._run, words.encode(errors="backslashreplace")))

    def tell_unsupported(self, why):
        self._done(self._library.gradproof_tell_unsupported(self._run, why.encode(errors="backslashreplace")))

    def verdict(self):
        """On the call that was answered last."""
        return self._json(self._library.gradproof_verdict(self._run))

    def findings(self):
        """Minimised; complete when next() has returned None."""
        count = self._library.gradproof_findings(self._run)
        return [Finding(self._json(self._library.gradproof_finding(self._run, i))) for i in range(count)]

    def summary(self):
        """When next() has returned None."""
        summary = self._json(self._library.gradproof_summary(self._run))
        counts, _, _ = summary["line"].partition("; not asked: ")  # the library's, which does not say how one asks
        summary["not_asked"] = _not_asked(self._options)
        summary["line"] = "; ".join(filter(None, [counts, summary["not_asked"]]))
        return summary


@contextlib.contextmanager
def _limited(seconds):
    """TimeoutError in what runs longer. By a signal, which Python handles in the main thread, between two of its own instructions."""
    if not seconds:
        yield
        return

    def interrupt(*_):
        raise TimeoutError(f"it took longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _answer(run, function, call, timeout, refusals):
    """Lets the function answer. The exception that it raised, if any."""
    operands = run.operands(call)
    try:
        with _limited(timeout):
            results, changed = function(operands, call)
    except KeyboardInterrupt:
        raise
    except BaseException as raised:  # as in Function
        if refusal(raised):
            refusals[refusal(raised)] += 1
            run.tell_unsupported(refusal(raised))
            return None
        run.tell_failure(words_of_failure(raised))
        return own_lines(raised)
    for number, byte in enumerate(changed):
        if byte >= 0:
            run.tell_changed(number, byte)
    run.tell_bytes(results)
    return None


def _command(function, options):
    """Serves the function in another interpreter, which imports it."""
    place = place_of(function)
    name, _, qualified = place.rpartition(":")
    if "<" in qualified or name == "__main__":
        raise Error(f"isolate=True needs a function that another process can import, not {place}")
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
    words = [sys.executable, "-m", "gradproof", "serve", place]
    words += [word for name, value in options.items() if value for word in (f"--{name}", str(value))]
    return f"PYTHONPATH={shlex.quote(paths)} exec " + " ".join(map(shlex.quote, words))


def verify(function, arrays=None, timeout=None, isolate=False, layout=None, **options):
    """Runs function(grad_output, input, weight, call) -> (dx, dw, db) on generated calls. A Report.

    With api="aclnnConvolution" it is function(input, weight, bias, call) -> output.

    arrays: "numpy", "torch" or "raw"; by default what is loaded, torch's before NumPy's.
    timeout: seconds for one call; needs the main thread.
    isolate: the function runs in a process of its own, which it may crash or hang; it must be one that can be imported.
    layout: results must be "contiguous", or laid out as the "operand": channels last where input or weight is, else contiguous.
    Options: those of Run; findings=1, and `out` a folder of this function alone below gradproof-out, whose findings are tried first.
    """
    if timeout and not 0 < timeout < math.inf:
        raise Error(f"timeout={timeout!r}: it takes seconds, more than 0")
    options = {"name": getattr(function, "__qualname__", "callable"), "findings": 1, "out": folder_of(function), **options}
    if isolate:
        options["pipe"] = _command(function, {"arrays": arrays, "layout": layout})
        options["timeout"] = timeout
    answering = Function(function, arrays, layout)
    raised, refusals = None, collections.Counter()
    with Run(**options) as run:
        while True:
            call = run.next()
            if call is None:
                return Report(run.summary(), run.findings(), raised, refusals)
            raised = _answer(run, answering, call, timeout, refusals) or raised
