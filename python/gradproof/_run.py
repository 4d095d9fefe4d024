"""Ask and tell: a run of the library, and the loop that lets a function answer it."""
import contextlib
import ctypes
import inspect
import json
import os
import shlex
import signal
import sys

from ._library import Error, error, library
from ._tensors import OPERANDS, RESULTS, SYNONYMS, Call, Tensor, family_of, results_in_bytes, to_array


class NotSupported(Exception):
    """Raised by a function for a call that it does not take: counted, no finding."""


class Finding:
    """One distinct disagreement. `call`: the smallest that shows it; `file`: what a replay takes."""

    def __init__(self, fields):
        self.fields = fields
        self.call, self.file = Call(fields["case"]), fields["file"]
        self.signature, self.non_zeros = fields["signature"], fields["non_zeros"]
        self.reason, self.diagnosis = fields["verdict"]["reason"], fields["diagnosis"]

    def __str__(self):
        worst = (self.fields["verdict"]["outputs"].get(self.fields["verdict"]["culprit"]) or {}).get("worst")
        lines = [f"{self.signature}: {self.reason}", f"  call: {self.call}"]
        if worst:
            lines.append(f"  {self.fields['verdict']['culprit']}{worst['at']}: computed {worst['computed']}, "
                         f"exact {worst['exact']}, bound {worst['bound']}")
        lines += [f"  diagnosis: {sentence}" for sentence in self.diagnosis]
        data = json.loads(self.call.json).get("data", {})
        if data.get("distribution") == "listed":
            lines += [f"  {name}: {data[key]}" for name, key in zip(OPERANDS, ("gradOutput", "input", "weight")) if data[key]]
        return "\n".join(lines)


class Report:
    """What a run found: `summary` (a dict), `findings`, and `raised`, the first exception of the function."""

    def __init__(self, summary, findings, raised):
        self.summary, self.findings, self.raised = summary, findings, raised


class Run:
    """A campaign that asks. Options: those of gradproof_open. A context manager."""

    def __init__(self, **options):
        if "dtypes" in options:
            options["dtypes"] = [SYNONYMS.get(name, name) for name in options["dtypes"]]
        self._library = library()
        self._run = self._library.gradproof_open(json.dumps(options).encode())
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
        """grad_output, input and weight of the call that next() gave."""
        tensors, size = [], ctypes.c_size_t()
        for number, name in enumerate(OPERANDS):
            address = self._library.gradproof_operand(self._run, number, ctypes.byref(size))
            data = ctypes.string_at(address, size.value) if address else b""
            tensors.append(Tensor(data, call.shapes[name], call.dtypes[name]))
        return tensors

    def tell(self, call, results):
        """Answers with (dx, dw, db). TypeError: a result is not what the call asks for; nothing is answered then."""
        for name, data in results_in_bytes(call, results).items():
            number = len(OPERANDS) + RESULTS.index(name)
            self._done(self._library.gradproof_result(self._run, number, data, len(data)))
        self._done(self._library.gradproof_tell(self._run))

    def tell_changed(self, operand, byte):
        """The function changed this byte of an operand; before the answer."""
        self._done(self._library.gradproof_changed(self._run, operand, byte))

    def tell_status(self, status):
        self._done(self._library.gradproof_tell_status(self._run, status))

    def tell_failure(self, words):
        self._done(self._library.gradproof_tell_failure(self._run, words.encode()))

    def tell_unsupported(self, why):
        self._done(self._library.gradproof_tell_unsupported(self._run, why.encode()))

    def verdict(self):
        """On the call that was answered last."""
        return self._json(self._library.gradproof_verdict(self._run))

    def findings(self):
        """Minimised; complete when next() has returned None."""
        count = self._library.gradproof_findings(self._run)
        return [Finding(self._json(self._library.gradproof_finding(self._run, i))) for i in range(count)]

    def summary(self):
        """When next() has returned None."""
        return self._json(self._library.gradproof_summary(self._run))


def first_change(before, now):
    """The first byte that differs; -1: none does."""
    return -1 if before == now else next(i for i, (old, new) in enumerate(zip(before, now)) if old != new)


def _tell_changes(run, operands, before):
    for number, (tensor, data) in enumerate(zip(operands, before)):
        place = first_change(data, tensor.data)
        if place >= 0:
            run.tell_changed(number, place)


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


def _answer(run, function, family, call, timeout):
    """Lets the function answer. The exception that it raised, if any."""
    operands = run.operands(call)
    before = [bytes(tensor.data) for tensor in operands]
    try:
        arrays = [to_array(tensor, family) for tensor in operands]
        with _limited(timeout):
            results = function(*arrays, call)
        _tell_changes(run, operands, before)
        run.tell(call, results)
    except NotSupported as reason:
        run.tell_unsupported(str(reason) or "the function does not take it")
    except Exception as raised:  # what a function of somebody else's can raise is not ours to choose
        run.tell_failure(f"the function raised {type(raised).__name__}: {raised}")
        return raised
    return None


def place_of(function):
    """What `replay` and `serve` find the function by, from here: its module, or its file where the module is not below this folder."""
    module, file = function.__module__, inspect.getsourcefile(function)
    is_importable = file and os.path.abspath(file) == os.path.join(os.getcwd(), *module.split(".")) + ".py"
    return f"{module if is_importable or not file else os.path.relpath(file)}:{function.__qualname__}"


def _command(function, arrays):
    """Serves the function in another interpreter, which imports it."""
    place = place_of(function)
    name, _, qualified = place.rpartition(":")
    if "<" in qualified or name == "__main__":
        raise Error(f"isolate=True needs a function that another process can import, not {place}")
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
    words = [sys.executable, "-m", "gradproof", "serve", place] + (["--arrays", arrays] if arrays else [])
    return f"PYTHONPATH={shlex.quote(paths)} exec " + " ".join(map(shlex.quote, words))


def verify(function, arrays=None, timeout=None, isolate=False, **options):
    """Runs function(grad_output, input, weight, call) -> (dx, dw, db) on generated calls. A Report.

    arrays: "numpy", "torch" or "raw"; by default those of the module that the function uses.
    timeout: seconds for one call; needs the main thread. Options: those of Run.
    isolate: the function runs in a process of its own, which it may crash or hang; it must be one that can be imported.
    """
    if isolate:
        options["pipe"] = _command(function, arrays)
        if timeout:
            options["timeout"] = timeout
    family = arrays or family_of(function)
    raised = None
    with Run(**options) as run:
        while True:
            call = run.next()
            if call is None:
                return Report(run.summary(), run.findings(), raised)
            raised = _answer(run, function, family, call, timeout) or raised
