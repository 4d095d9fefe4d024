#!/usr/bin/env bash
# seeded_error_test.sh PROGRAM ERROR: the program, which makes the error, is ended by it and says which it was. What the
# sanitizers are told (ASAN_OPTIONS and its like in CMakePresets.json) must reach every test: else errors in child processes are lost.
set -euo pipefail
program=$1 error=$2
case $error in
  use_after_free) words='AddressSanitizer: heap-use-after-free' ;;
  overflow) words='signed integer overflow' ;;
  leak) words='LeakSanitizer: detected memory leaks' ;;
  race) words='ThreadSanitizer: data race' ;;
esac
ulimit -c 0
code=0
output=$("$program" "$error" 2>&1) || code=$?
[ "$code" -gt 128 ] || { printf '%s\n' "$output"; echo "$error: the process ended with code $code, not by a signal"; exit 1; }
grep -q "$words" <<<"$output" || { printf '%s\n' "$output"; echo "$error: the report lacks '$words'"; exit 1; }
! grep -q 'still here' <<<"$output" || { echo "$error: the process lived on"; exit 1; }
grep -q 'seeded_error.cpp:' <<<"$output" || { printf '%s\n' "$output"; echo "$error: the report names no line of the source"; exit 1; }
