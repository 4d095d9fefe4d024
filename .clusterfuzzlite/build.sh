#!/usr/bin/env bash
# Builds the fuzz targets as OSS-Fuzz and ClusterFuzzLite want them: programs, seed corpora, dictionaries and options in
# $OUT, with the engine $LIB_FUZZING_ENGINE and the caller's flags $CXXFLAGS. Works outside of their images as well:
#   OUT=/tmp/out LIB_FUZZING_ENGINE=-fsanitize=fuzzer CXX=clang++ \
#     CXXFLAGS='-O1 -fsanitize=address,fuzzer-no-link' .clusterfuzzlite/build.sh
set -euo pipefail
: "${OUT:?where the programs go}" "${LIB_FUZZING_ENGINE:?what links the engine, e.g. -fsanitize=fuzzer}"
work=${WORK:-$(mktemp -d)}
project=${SRC:+$SRC/gradproof}
[ -n "$project" ] && [ -d "$project" ] || project=$(dirname "$(dirname "$(readlink -f "$0")")")

# The libraries of the system are built on libstdc++; two standard libraries in one program do not meet.
flags=${CXXFLAGS:-}
flags=${flags//-stdlib=libc++/}
launcher=()
! command -v ccache >/dev/null || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
cmake -S "$project" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER="${CXX:-clang++}" \
  -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_BUILD_RPATH='$ORIGIN/lib' -DGRADPROOF_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" \
  -DGRADPROOF_TESTS=OFF -DGRADPROOF_BENCH=OFF "${launcher[@]}" >/dev/null
cmake --build "$work/build" --target fuzz_targets fuzz_seeds

"$work/build/bin/fuzz_seeds" "$project/corpus/cases" "$work/seeds"
mkdir -p "$work/kept"
cmake -E chdir "$work/kept" cmake -E tar xf "$project/fuzz/inputs.tar.zst"
mkdir -p "$OUT/lib"
for program in "$work"/build/bin/fuzz_*; do
  target=$(basename "$program")
  [ "$target" != fuzz_seeds ] || continue
  cp "$program" "$OUT/"
  cp "$work/seeds/$target.dict" "$OUT/"
  printf '[libfuzzer]\nmax_len = 4096\ndict = %s.dict\n' "$target" >"$OUT/$target.options"
  corpus=$(mktemp -d)
  for folder in "$work/seeds/$target" "$work/kept/$target"; do
    [ ! -d "$folder" ] || cp "$folder"/* "$corpus/"
  done
  [ -n "$(ls "$corpus")" ] || : >"$corpus/empty"
  (cd "$corpus" && cmake -E tar cf "$OUT/${target}_seed_corpus.zip" --format=zip -- *)
  rm -rf "$corpus"
  # The image that runs them has nothing but the C library.
  ldd "$program" | awk '$3 ~ /^\// {print $3}' | grep -E '/lib(gmp|gmpxx|fmt|stdc\+\+|gcc_s)\.so' | xargs -r cp -t "$OUT/lib" || true
done
