#!/usr/bin/env bash
# abi_test.sh PROJECT LIBRARY WORK [CC]: the library exports what its header declares, under its version, and nothing else; a C89
# program uses it.
# Exit code 77: skipped.
set -euo pipefail
project=$1 library=$2 work=$3 compiler=${4:-cc}
fail() { echo "$*"; exit 1; }
command -v "$compiler" >/dev/null || { echo "skipped: no C compiler"; exit 77; }
rm -rf "$work"
mkdir -p "$work"

nm --dynamic --defined-only --with-symbol-versions "$library" | awk '$2 != "A" { print $3 }' | sort >"$work/exported"
diff "$project/tests/library/exported.txt" "$work/exported" || fail "what is exported (right) is not what exported.txt lists (left)"
# Preprocessed, so that comments declare nothing.
"$compiler" -E -P -I"$project/bindings/library/include" - <<<'#include <gradproof/gradproof.h>' |
  grep -oE 'gradproof_[a-z]+(_[a-z]+)?\(' | sed 's/($/@@GRADPROOF_1/' | sort -u >"$work/declared"
diff "$work/declared" "$work/exported" || fail "what is exported (right) is not what the header declares (left)"

folder=$(dirname "$library")
"$compiler" -std=c89 -pedantic -Wall -Wextra -Werror -I"$project/bindings/library/include" "$project/tests/library/c89_test.c" \
  -o "$work/c89" -L"$folder" -lgradproof -Wl,-rpath,"$folder"
"$work/c89" "$work/right" || fail "the C89 program that is right disagrees"
"$work/c89" "$work/wrong" with-a-bug || fail "the C89 program's bug is not found"
