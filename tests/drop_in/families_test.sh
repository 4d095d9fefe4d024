#!/usr/bin/env bash
# One program a family, built by a project of the vendor's form against an installed tree and run; and the functions of the tables
# counted by a program.
#   families_test.sh PREFIX TABLES WORK
set -euo pipefail
prefix=$(realpath "$1") tables=$(realpath "$2") work=$3
here=$(dirname "$(realpath "$0")")
fail() { echo "$*"; exit 1; }
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# shellcheck disable=SC1091
. "$prefix/set_env.sh"
awk -v what=test -f "$tables/generate.awk" "$tables"/*.txt >function_rows.inc
cmake -S "$here/families" -B build -DTABLE_ROWS="$PWD" -DCMAKE_CXX_COMPILER=g++ -DCMAKE_SKIP_RPATH=TRUE >cmake.log 2>&1 ||
  fail "$(cat cmake.log)"
cmake --build build -j2 >build.log 2>&1 || fail "$(cat build.log)"

# What a family that is simulated does is shown by a program.
for table in "$tables"/*.txt; do
  ! grep -q '^simulated' "$table" || [ -e "$here/families/$(basename "$table" .txt).cpp" ] || fail "no program for $table"
done

status=0
for program in "$here"/families/*.cpp; do
  name=$(basename "$program" .cpp)
  [ "$name" != inventory ] || continue
  echo "== $name"
  GRADPROOF_DEVICES=Ascend910B1,Ascend910B1 "build/$name" || { echo "exit code $?"; status=1; }
done >printed 2>stderr.log
diff "$here/families.expected" printed || status=1
[ $status -eq 0 ] || { cat stderr.log; exit 1; }

count() { cat "$tables"/*.txt | grep -c "$1" || true; }
build/inventory >counted 2>stderr.log || fail "inventory: $(cat counted stderr.log)"
echo "declared $(count '^[^#]'), simulated $(count '^simulated'), answering 'not supported' $(count '^[^#s]')" | diff - counted

# The table of programs by family.
printf '%-18s %9s %9s %8s  %s\n' family functions simulated "it calls" program
for table in "$tables"/*.txt; do
  name=$(basename "$table" .txt)
  program=families/$name.cpp
  calls=0
  if [ -e "$here/$program" ]; then
    calls=$(sed -n 's/.*[ *]\([A-Za-z0-9]*\)(.*/\1/p' "$table" | sort -u | grep -cwFf - <(grep -ow 'acl[A-Za-z0-9]*' "$here/$program" | sort -u)) || true
  else
    program=-
  fi
  printf '%-18s %9d %9d %8d  %s\n' "$name" "$(grep -c '^[^#]' "$table")" "$(grep -c '^simulated' "$table" || true)" "$calls" "$program"
done
cat counted
