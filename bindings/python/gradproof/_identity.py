"""Which function it is: where another process finds it, and the folder that is its own."""
import functools
import hashlib
import inspect
import os
import re
import types

OUT = "gradproof-out"


def place_of(function):
    """What `replay` and `serve` find the function by, from here: its module, or its file where the module is not below this folder."""
    module, file = function.__module__, inspect.getsourcefile(function)
    is_importable = file and os.path.abspath(file) == os.path.join(os.getcwd(), *module.split(".")) + ".py"
    return f"{module if is_importable or not file else os.path.relpath(file)}:{function.__qualname__}"


def folder_of(function, out=OUT, variant=""):
    """The folder of this function's findings, which no other function shares. variant: which of a test's, "[Ascend910B]"."""
    return os.path.join(out, re.sub(r"[^\w.\[\]-]+", "-", _name_of(function) + variant))


def _name_of(function, depth=0):
    """Module and name, from this folder; with what else it depends on (closure, defaults, the object of a method) as a digest."""
    state = []
    while isinstance(function, functools.partial):
        state += [function.args, function.keywords]
        function = function.func
    if inspect.ismethod(function):
        state += [] if isinstance(function.__self__, type) else [function.__self__]
        function = function.__func__
    elif not hasattr(function, "__qualname__"):
        state.append(function)
        function = type(function)
    if inspect.isfunction(function):
        state += [cell.cell_contents for cell in function.__closure__ or () if cell != types.CellType()]
        state += [part for part in (function.__defaults__, function.__kwdefaults__) if part]
        if function.__name__ == "<lambda>":
            state += [function.__code__.co_code, [part for part in function.__code__.co_consts if not inspect.iscode(part)],
                      function.__code__.co_names]
    name = f"{_module_of(function)}.{function.__qualname__}".replace(".<locals>", "")
    return f"{name}-{hashlib.sha256(_plain(state, depth).encode()).hexdigest()[:8]}" if state else name


def _module_of(function):
    """The file's path below this folder as a module; elsewhere the module, with a digest of the path."""
    try:
        file = os.path.realpath(inspect.getsourcefile(function))
    except TypeError:  # made in C, or typed
        file = ""
    if not os.path.exists(file):  # a notebook's cell has the name of a file that is not there
        return function.__module__ or "builtins"
    path = os.path.relpath(file, os.path.realpath(os.getcwd()))
    stem = os.path.splitext(os.path.basename(file))[0]
    if not path.startswith(os.pardir):
        return os.path.splitext(path)[0].replace(os.sep, ".")
    module = stem if function.__module__ == "__main__" else function.__module__
    return f"{module}-{hashlib.sha256(file.encode()).hexdigest()[:8]}"


def _plain(value, depth=0):
    """A text that equal values share, in other processes too; of what cannot be compared, one that no other has."""
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return repr(value)
    if depth < 6:
        if isinstance(value, (tuple, list)):
            return f"[{','.join(_plain(part, depth + 1) for part in value)}]"
        if isinstance(value, dict):
            return f"{{{','.join(_plain(part, depth + 1) for item in value.items() for part in item)}}}"
        if isinstance(value, (type, types.ModuleType)):
            return f"{getattr(value, '__module__', '')}.{value.__name__}"
        if inspect.isroutine(value) or isinstance(value, functools.partial):
            return _name_of(value, depth + 1)
        if hasattr(value, "__dict__") and type(value).__reduce_ex__ is object.__reduce_ex__ and type(value).__reduce__ is object.__reduce__:
            return f"{type(value).__qualname__}{_plain(vars(value), depth + 1)}"  # nothing is hidden elsewhere
        try:
            return f"{type(value).__qualname__}{hashlib.sha256(memoryview(value).tobytes()).hexdigest()}"
        except (TypeError, ValueError, BufferError):
            pass
    return os.urandom(8).hex()
