"""wheel.py TREE FOLDER [PLATFORM]: makes a wheel of a build or of an installed tree in the folder, offline; prints its name.

It holds the Python package, libgradproof, the program with its stored cases, the simulated backend and the checkers. PLATFORM is
what it runs on, manylinux_2_34 for portable builds; default: linux, systems like this one. Its bytes depend on the files alone.
Python 3.9 or newer; of a build, CMake too.
"""
import base64
import hashlib
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

# pytest finds the plugin by itself where the wheel is installed; under its own name, so that -p names it once more.
ENTRY_POINTS = """[console_scripts]
gradproof = gradproof._program:main
gradproof-check-certificate = gradproof._program:check_certificate
gradproof-check-proof = gradproof._program:check_proof

[pytest11]
gradproof.pytest_plugin = gradproof.pytest_plugin
"""
LIBRARIES = ["ascendcl", "nnopbase", "opapi_nn", "tiling_api", "ascendc_runtime", "gradproof_tiling_classes", "gradproof_demo"]
MACHINES = {62: "x86_64", 183: "aarch64"}  # of ELF files


def digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def package(prefix):
    """Files of the package by their path in the wheel, from an installed tree."""
    package_files = prefix / "lib/python3/dist-packages/gradproof"
    files = {source.name: source for source in sorted(package_files.glob("*.py"))}
    files["bin/gradproof"] = prefix / "bin/gradproof"
    files["lib/libgradproof.so.1"] = prefix / "lib/libgradproof.so.1"
    files.update({f"lib/lib{name}.so": prefix / f"lib/lib{name}.so" for name in LIBRARIES})
    files.update({f"lib/{source.name}": source for source in (prefix / "lib").glob("libgmp.so.*")})  # of a portable build
    for folder in ("cases", "tools"):
        sources = sorted((prefix / "share/gradproof" / folder).rglob("*"))
        files.update({f"share/gradproof/{source.relative_to(prefix / 'share/gradproof')}": source
                      for source in sources if source.is_file()})
    return {f"gradproof/{name}": source.read_bytes() for name, source in files.items()}


def licenses(prefix):
    pages = prefix / "share/doc/gradproof"
    return {source.name: source.read_bytes() for source in [pages / "LICENSE", *sorted((pages / "licenses").glob("*"))]}


def wheel_of(prefix, folder, platform):
    files = package(prefix)
    version = re.search(rb'__version__ = "(.*)"', files["gradproof/_library.py"]).group(1).decode()
    machine = MACHINES[int.from_bytes(files["gradproof/bin/gradproof"][18:20], "little")]
    tag = f"py3-none-{platform}_{machine}"
    about = f"gradproof-{version}.dist-info"
    files.update({f"{about}/licenses/{name}": data for name, data in licenses(prefix).items()})
    files[f"{about}/METADATA"] = (f"Metadata-Version: 2.1\nName: gradproof\nVersion: {version}\nLicense: Apache-2.0\n"
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
            entry.external_attr = (0o100755 if name == "gradproof/bin/gradproof" else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data, compresslevel=9)
    return wheel


def main():
    tree, folder, platform = Path(sys.argv[1]), Path(sys.argv[2]), (sys.argv[3:] or ["linux"])[0]
    if not (tree / "CMakeCache.txt").exists():
        print(wheel_of(tree, folder, platform))
        return
    with tempfile.TemporaryDirectory() as prefix:
        subprocess.run(["cmake", "--install", tree, "--prefix", prefix, "--strip"], check=True, stdout=subprocess.DEVNULL)
        print(wheel_of(Path(prefix), folder, platform))


if __name__ == "__main__":
    main()
