#!/usr/bin/env bash
# Builds the examples of operator libraries as docs/verify-your-own-library.md says, and verifies them: right as they are,
# wrong with their mistakes, which must be found as a case of a few elements.
#   own_library_test.sh PAGE EXAMPLE PREFIX WORK
set -euo pipefail
page=$1 example=$2 prefix=$3 work=$4
rm -rf "$work"
mkdir -p "$work"
cd "$work"
cp "$example" my_operator.cpp
cp "$(dirname "$example")/my_kernel.cpp" .

fail() { echo "$*"; exit 1; }

grep -o '^g++ .*my_\(operator\|kernel\).cpp.*' "$page" | sed "s|\$HOME/gradproof|$prefix|g" >compile
[ "$(wc -l <compile)" -eq 4 ] || fail "$page does not have the four lines that compile the examples"
bash -e compile

export LD_LIBRARY_PATH=$prefix/lib
verify=("$prefix/bin/gradproof" verify --seed 3 --no-stored)
"${verify[@]}" --target ./libmine.so --cases 500 --out right >right.txt || fail "the library without a mistake: $(cat right.txt)"

cp libmistake.so "its mistake.so"  # a name that a shell has to be given in quotes
status=0
"${verify[@]}" --target "./its mistake.so" --soc Ascend910B --dtype FLOAT --cases 500 --findings 1 --out wrong >wrong.txt || status=$?
[ $status -eq 1 ] || fail "exit code $status for the library with a mistake"
finding=$(ls wrong/findings/disagree-value-*.json | head -n 1)
grep -q 'cubeMathType' "$finding" || fail "no diagnosis names cubeMathType: $(cat "$finding")"

# The command that is shown with the finding says which target it was found in.
PATH=$prefix/bin:$PATH
shown=$(sed -n 's/^  replay  //p' wrong.txt | grep .) || fail "no command that replays the finding: $(cat wrong.txt)"
status=0
bash -c "$shown --out replayed --quiet" >/dev/null || status=$?
[ $status -eq 1 ] || fail "$shown: exit code $status"
gradproof report wrong --write markdown=wrong/report.md >/dev/null || true  # exits 1: something disagreed
grep -qF -- "$shown" wrong/report.md || fail "the report does not show $shown"
gradproof replay "$finding" --target ./libmine.so --out replayed_right --quiet >/dev/null ||
  fail "the library without a mistake fails the finding too"

# Where the vendor's library is not found, the example says so and crashes nothing.
status=0
env -u LD_LIBRARY_PATH "${verify[@]}" --target ./libmine.so --kind valid --cases 5 --out alone >alone.txt 2>&1 || status=$?
[ $status -eq 1 ] || fail "without LD_LIBRARY_PATH: exit code $status: $(cat alone.txt)"
grep -q 'libopapi.so: cannot open' alone.txt || fail "without LD_LIBRARY_PATH: $(cat alone.txt)"
! grep -q 'crash' alone.txt || fail "without LD_LIBRARY_PATH: $(cat alone.txt)"

# The library that computes: no call of the vendor's operator helps it.
computing=("${verify[@]}" --soc Ascend910B --dtype FLOAT --kind valid)
"${computing[@]}" --target ./libkernel.so --cases 1000 --out kernel >kernel.txt || fail "the kernel without a mistake: $(cat kernel.txt)"
tail -n 1 kernel.txt | grep -qE ': 1000 cases: [5-9][0-9]{2} agreed, 0 disagreed' || fail "the kernel without a mistake: $(cat kernel.txt)"
status=0
"${computing[@]}" --target ./libwrong.so --cases 1000 --findings 1 --out wrong_kernel >wrong_kernel.txt || status=$?
[ $status -eq 1 ] || fail "exit code $status for the kernel with a mistake"
grep -q 'taken for stride_' wrong_kernel.txt || fail "no diagnosis names the stride: $(cat wrong_kernel.txt)"
