#!/usr/bin/env bash
# built_test.sh PROJECT WORK: a CMakeLists.txt above each test's source names it. A test that no target has is never run, and says
# nothing.
set -euo pipefail
project=$1 work=$2

# unbuilt ROOT: tests' sources that no CMakeLists.txt between them and ROOT/tests names.
unbuilt() {
  cd "$1"
  find tests -name '*_test.cpp' | sort | while read -r source; do
    folder=$(dirname "$source") path=$(basename "$source") named=
    while true; do
      if [ -f "$folder/CMakeLists.txt" ] && grep -qE "(^|[ /(])$path([ )]|$)" "$folder/CMakeLists.txt"; then named=yes; break; fi
      [ "$folder" != tests ] || break
      path=$(basename "$folder")/$path folder=$(dirname "$folder")
    done
    [ -n "$named" ] || echo "$source is in no CMakeLists.txt"
  done
}

found=$(unbuilt "$project")
[ -z "$found" ] || { printf '%s\n' "$found"; exit 1; }

# Seeded: must be found.
rm -rf "$work"
mkdir -p "$work/tests/room/inner"
touch "$work/tests/room/inner/a_test.cpp" "$work/tests/room/inner/b_test.cpp"
echo 'gradproof_test(x SOURCES inner/a_test.cpp)' >"$work/tests/room/CMakeLists.txt"
[ "$(unbuilt "$work")" = 'tests/room/inner/b_test.cpp is in no CMakeLists.txt' ] || { echo 'a seeded unbuilt source is not found'; exit 1; }
