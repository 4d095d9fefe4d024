#!/usr/bin/env bash
# clusterfuzzlite_test.sh PROJECT FOLDER: runs the recipe's build script with the engine that is here, and looks at what it
# leaves. It compiles everything with sanitizers, so it runs only where GRADPROOF_SLOW_TESTS is set.
set -euo pipefail
project=$1 folder=$2
if [ -z "${GRADPROOF_SLOW_TESTS:-}" ] || ! command -v clang++ >/dev/null; then
  echo "skipped: needs GRADPROOF_SLOW_TESTS=1 and clang++"
  exit 77
fi
fail() { echo "clusterfuzzlite: $*" >&2; exit 1; }

mkdir -p "$folder" && cd "$folder"  # where findings would be written
rm -rf "$folder/out"
mkdir -p "$folder/out" "$folder/work"
OUT=$folder/out WORK=$folder/work SRC='' LIB_FUZZING_ENGINE=-fsanitize=fuzzer CXX=clang++ \
  CXXFLAGS='-O1 -g1 -fsanitize=address,fuzzer-no-link -stdlib=libc++' "$project/.clusterfuzzlite/build.sh"

targets=(fuzz_values fuzz_status fuzz_case_json fuzz_texts fuzz_layouts fuzz_call_sequence fuzz_ascendc)
for target in "${targets[@]}"; do
  [ -x "$folder/out/$target" ] || fail "$target was not built"
  grep -q '^dict = ' "$folder/out/$target.options" || fail "$target has no options"
  [ -s "$folder/out/$target.dict" ] || fail "$target has no dictionary"
  seeds=$folder/out/seeds-of-$target
  mkdir -p "$seeds"
  (cd "$seeds" && cmake -E tar xf "$folder/out/${target}_seed_corpus.zip")
  [ -n "$(ls "$seeds")" ] || fail "$target has no seeds"
  "$folder/out/$target" -runs=200 -max_len=4096 -dict="$folder/out/$target.dict" "$seeds" >"$folder/$target.log" 2>&1 ||
    fail "$target fails: $(tail -n 5 "$folder/$target.log")"
  grep -q 'Loaded .* modules' "$folder/$target.log" || fail "$target is not instrumented"
done
[ "$(find "$folder/out" -maxdepth 1 -type f -name 'fuzz_*' -executable | wc -l)" -eq ${#targets[@]} ] ||
  fail "there are programs in \$OUT that are no targets"
echo "clusterfuzzlite: ${#targets[@]} targets built and run"
