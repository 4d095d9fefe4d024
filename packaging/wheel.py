"""wheel.py LIBRARY FOLDER: makes a wheel of python/gradproof and libgradproof.so in the folder, offline; prints its name.

Its bytes depend on the files alone. Python 3.9 or newer, nothing else.
"""
import base64
import hashlib
import platform
import re
import sys
import zipfile
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "python" / "gradproof"
# pytest finds the plugin by itself where the wheel is installed.
ENTRY_POINTS = "[pytest11]\ngradproof = gradproof.pytest_plugin\n"


def digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def main():
    library, folder = Path(sys.argv[1]), Path(sys.argv[2])
    version = re.search(r'__version__ = "(.*)"', (SOURCES / "_library.py").read_text()).group(1)
    tag = f"py3-none-linux_{platform.machine()}"
    about = f"gradproof-{version}.dist-info"
    files = {f"gradproof/{source.name}": source.read_bytes() for source in sorted(SOURCES.glob("*.py"))}
    files["gradproof/libgradproof.so.1"] = library.read_bytes()
    files[f"{about}/METADATA"] = (f"Metadata-Version: 2.1\nName: gradproof\nVersion: {version}\n"
                                  "Summary: Verifies gradients of convolutions\nRequires-Python: >=3.9\n").encode()
    files[f"{about}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: gradproof\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{about}/entry_points.txt"] = ENTRY_POINTS.encode()
    record = "".join(f"{name},{digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{about}/RECORD"] = (record + f"{about}/RECORD,,\n").encode()
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"gradproof-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)  # of 1980: no time of this build
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    print(wheel)


if __name__ == "__main__":
    main()
