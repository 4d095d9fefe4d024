#!/usr/bin/env bash
# wheel_test.sh PROJECT LIBRARY WORK: a wheel is made, installed into a fresh virtual environment and used there; twice made it has
# the same bytes. Exit code 77: skipped.
set -euo pipefail
project=$1 library=$(readlink -f "$2") work=$3
fail() { echo "$*"; exit 1; }
python3 -c 'import ensurepip, venv' 2>/dev/null || { echo "skipped: python3-venv is not installed"; exit 77; }
unset GRADPROOF_LIBRARY PYTHONPATH
rm -rf "$work"
mkdir -p "$work"
wheel=$(python3 "$project/packaging/wheel.py" "$library" "$work/one")
again=$(python3 "$project/packaging/wheel.py" "$library" "$work/two")
cmp "$wheel" "$again" || fail "two wheels of the same files differ"

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --no-index --disable-pip-version-check "$wheel"
cd "$work"
cat >right.py <<'END'
import gradproof

def refuses(grad_output, input, weight, call):
    raise gradproof.NotSupported("not today")
END
cat >runs.py <<'END'
from right import refuses
import gradproof, gradproof._library as library
assert "site-packages/gradproof/libgradproof.so.1" in library._open()[0], library._open()[0]
for isolate in (False, True):
    report = gradproof.verify(refuses, cases=300, isolate=isolate)
    assert report.summary["skipped"]["not today"] > 0, report.summary
print("used")
END
[ "$("$work/venv/bin/python" runs.py)" = used ] || fail "the installed wheel cannot be used"
grep -q pytest_plugin "$work"/venv/lib/python3*/site-packages/gradproof-*.dist-info/entry_points.txt || fail "pytest would not find the plugin"
