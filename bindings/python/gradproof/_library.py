"""libgradproof through ctypes: where it is, which version it must have, what its functions take."""
import ctypes
import os
from pathlib import Path

__version__ = "0.3.0"
ABI = 1


class Error(Exception):
    """What the library refused, in its words."""


class LibraryMismatch(Error):
    """The library is not the one that these Python files belong to."""


_TEXT, _SIZE, _RUN = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p
_FUNCTIONS = {
    "abi": (ctypes.c_int, []),
    "version": (_TEXT, []),
    "error": (_TEXT, []),
    "open": (_RUN, [_TEXT]),
    "close": (None, [_RUN]),
    "next": (ctypes.c_int, [_RUN]),
    "call": (_TEXT, [_RUN]),
    "operand": (ctypes.c_void_p, [_RUN, ctypes.c_int, ctypes.POINTER(_SIZE)]),
    "result": (ctypes.c_int, [_RUN, ctypes.c_int, _TEXT, _SIZE]),
    "changed": (ctypes.c_int, [_RUN, ctypes.c_int, _SIZE]),
    "tell": (ctypes.c_int, [_RUN]),
    "tell_status": (ctypes.c_int, [_RUN, ctypes.c_int]),
    "tell_failure": (ctypes.c_int, [_RUN, _TEXT]),
    "tell_unsupported": (ctypes.c_int, [_RUN, _TEXT]),
    "verdict": (_TEXT, [_RUN]),
    "findings": (_SIZE, [_RUN]),
    "finding": (_TEXT, [_RUN, _SIZE]),
    "summary": (_TEXT, [_RUN]),
    # The text is the caller's to free, so ctypes must not turn it into bytes and lose the address.
    "judge": (ctypes.c_void_p, [_TEXT, ctypes.POINTER(_TEXT), ctypes.POINTER(_SIZE)]),
    "limits": (ctypes.c_int, [_TEXT, ctypes.POINTER(_TEXT), ctypes.POINTER(_SIZE), ctypes.c_int, ctypes.POINTER(ctypes.c_double),
                              ctypes.POINTER(ctypes.c_double), _SIZE]),
    "explain": (ctypes.c_void_p, [_TEXT, ctypes.c_int]),
    "case": (ctypes.c_void_p, [_TEXT]),
    "free": (None, [ctypes.c_void_p]),
}
_loaded = None


def _candidates():
    """The file that the environment names, alone; else a wheel's, an installed tree's, a build tree's, the loader's."""
    if "GRADPROOF_LIBRARY" in os.environ:
        return [os.environ["GRADPROOF_LIBRARY"]]
    here = Path(__file__).resolve()
    found = [here.parent / "lib/libgradproof.so.1", here.parents[3] / "libgradproof.so.1",
             *sorted(here.parents[3].glob("build/*/lib/libgradproof.so.1"))]
    return [str(path) for path in found if path.exists()] + ["libgradproof.so.1"]


def _open():
    problems = []
    for path in _candidates():
        try:
            return path, ctypes.CDLL(path)
        except OSError as error:
            problems.append(str(error))
    raise Error("libgradproof cannot be loaded; GRADPROOF_LIBRARY names its file: " + "; ".join(problems))


def library():
    """The library, loaded once."""
    global _loaded
    if _loaded is None:
        path, loaded = _open()
        for name, (result, arguments) in _FUNCTIONS.items():
            try:
                function = getattr(loaded, "gradproof_" + name)
            except AttributeError as error:
                raise LibraryMismatch(f"{path} is no libgradproof for gradproof {__version__}: {error}") from None
            function.restype, function.argtypes = result, arguments
        version = loaded.gradproof_version().decode()
        if loaded.gradproof_abi() != ABI or version != __version__:
            raise LibraryMismatch(f"{path} is version {version} (ABI {loaded.gradproof_abi()}), "
                                  f"these Python files are version {__version__} (ABI {ABI}): install both from one release")
        _loaded = loaded
    return _loaded


def error():
    """The library's last refusal, as an exception."""
    return Error(library().gradproof_error().decode())


def taken(address):
    """The text at an address that is ours to free."""
    if not address:
        raise error()
    try:
        return ctypes.string_at(address).decode()
    finally:
        library().gradproof_free(address)
