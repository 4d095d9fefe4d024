#!/usr/bin/env bash
# Compiles a program against an installed tree and compares what it prints.
#   drop_in_test.sh COMPILER STANDARD PROGRAM EXPECTED PREFIX WORK LIBRARY...
# Exit code 77: skipped.
set -euo pipefail
compiler=$1 standard=$2 program=$3 expected=$4 prefix=$5 work=$6
shift 6

skip() { echo "skipped: $*"; exit 77; }
command -v "$compiler" >/dev/null || skip "$compiler is not installed"
[ -e "$program" ] || { echo "there is no program $program"; exit 1; }

mkdir -p "$work"
"$compiler" "-std=$standard" "$program" -I"$prefix/include" -L"$prefix/lib" "${@/#/-l}" -o "$work/program"
LD_LIBRARY_PATH=$prefix/lib "$work/program" >"$work/printed"
diff "$expected" "$work/printed"
