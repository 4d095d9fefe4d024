#!/usr/bin/env bash
# Compiles a program against an installed tree and compares what it prints.
#   drop_in_test.sh COMPILER STANDARD PROGRAM EXPECTED PREFIX WORK LIBRARY...
# PROGRAM is a C++ file, or a Markdown page whose last C++ block is the program. Exit code 77: skipped.
set -euo pipefail
compiler=$1 standard=$2 program=$3 expected=$4 prefix=$5 work=$6
shift 6

skip() { echo "skipped: $*"; exit 77; }
command -v "$compiler" >/dev/null || skip "$compiler is not installed"
[ -e "$program" ] || { echo "there is no program $program"; exit 1; }

mkdir -p "$work"
if [[ $program == *.md ]]; then
  # The last fenced block, without the comments whose encoding is broken.
  awk 'tolower($0) ~ /^```c(pp|\+\+)/ { inside = 1; text = ""; next } /^```/ { inside = 0 } inside { text = text $0 "\n" } END { printf "%s", text }' \
    "$program" | LC_ALL=C sed -E 's|//.*[^ -~].*$||' >"$work/program.cpp"
  grep -q 'int main' "$work/program.cpp" || { echo "no program found in $program"; exit 1; }
  program=$work/program.cpp
fi

"$compiler" "-std=$standard" "$program" -I"$prefix/include" -L"$prefix/lib" "${@/#/-l}" -o "$work/program"
LD_LIBRARY_PATH=$prefix/lib "$work/program" >"$work/printed"
diff "$expected" "$work/printed"
