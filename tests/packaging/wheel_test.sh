#!/usr/bin/env bash
# wheel_test.sh PACKAGES WORK: the wheel in the folder, installed into a fresh virtual environment without a network, brings the
# commands and the package, and both work with nothing else in the environment.
# wheel_test.sh BUILD WORK PROJECT: the same of a wheel that is made of the build; twice made it has the same bytes.
# Exit code 77: skipped.
set -euo pipefail
tree=$(realpath "$1") work=$2 project=${3:-}
fail() { echo "$*"; exit 1; }
python3 -c 'import ensurepip, venv' 2>/dev/null || { echo "skipped: python3-venv is not installed"; exit 77; }
rm -rf "$work"
mkdir -p "$work"
work=$(realpath "$work")
if [ -n "$project" ]; then
  wheel=$(python3 "$project/tools/packaging/wheel.py" "$tree" "$work/one")
  again=$(python3 "$project/tools/packaging/wheel.py" "$tree" "$work/two")
  cmp "$wheel" "$again" || fail "two wheels of the same files differ"
else
  wheel=$(ls "$tree"/*.whl)
fi
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet --no-index --disable-pip-version-check "$wheel"

# run COMMAND...: of the environment, with nothing that this shell has.
run() {
  local command=$1
  shift
  env -i PATH=/usr/bin:/bin HOME="$work" "$work/venv/bin/$command" "$@"
}
run gradproof verify --cases 300 --seed 1 --out out >verify.txt || fail "verify: $(cat verify.txt)"
grep -qE '^verify: [0-9]+ cases: [1-9][0-9]* agreed, 0 disagreed' verify.txt || fail "verify says: $(tail -n 1 verify.txt)"
run gradproof demo --out out >demo.txt || fail "demo: $(cat demo.txt)"
grep -q "again: gradproof replay" demo.txt || fail "demo says: $(cat demo.txt)"
cat >tiny.json <<'END'
{"name": "tiny", "axes": [1], "extents": [2], "kernels": [1], "paddings": "0..1", "batch": [1], "masks": "full"}
END
run gradproof prove --scope tiny.json --seed 1 --certificate proof.jsonl --out proved >prove.txt || fail "prove: $(cat prove.txt)"
run gradproof-check-proof proof.jsonl >checked.txt 2>&1 || fail "the checker of proofs: $(cat checked.txt)"
grep -q "; proof of tiny" checked.txt || fail "the checker of proofs says: $(cat checked.txt)"
run gradproof verify --stored no --cases 20 --certificate claim.jsonl --out claimed >claim.txt || fail "verify: $(cat claim.txt)"
run gradproof-check-certificate claim.jsonl >checked.txt 2>&1 || fail "the checker: $(cat checked.txt)"
! run gradproof-check-proof claim.jsonl >checked.txt 2>&1 || fail "true lines are taken for a proof"
grep -q "no proof of a scope" checked.txt || fail "the checker of proofs says: $(cat checked.txt)"
run python -m gradproof explain 161002 | diff - <(run gradproof explain 161002) || fail "python -m gradproof is another program"
code=0
run python -m gradproof explain --input 1 2>refused.txt || code=$?
[ $code -eq 2 ] || fail "the program's exit code 2 is $code by Python"
# A program that is stopped ends as such: there is no process of Python between.
env -i venv/bin/gradproof verify --time 60s --out stopped >stopped.txt 2>&1 &
sleep 1
kill -TERM $!
code=0
wait $! || code=$?
[ $code -eq 143 ] || fail "stopped, the program ends with $code"

cat >right.py <<'END'
import gradproof

def refuses(grad_output, input, weight, call):
    raise gradproof.NotSupported("not today")
END
cat >runs.py <<'END'
from right import refuses
import gradproof, gradproof._library as library
assert "site-packages/gradproof/lib/libgradproof.so.1" in library._open()[0], library._open()[0]
for isolate in (False, True):
    report = gradproof.verify(refuses, cases=300, isolate=isolate)
    assert report.summary["skipped"]["not today"] > 0, report.summary
print("used")
END
[ "$(run python runs.py)" = used ] || fail "the installed wheel cannot be used"
grep -q pytest_plugin venv/lib/python3*/site-packages/gradproof-*.dist-info/entry_points.txt || fail "pytest would not find the plugin"
echo "$wheel: $(stat -c %s "$wheel") bytes"
