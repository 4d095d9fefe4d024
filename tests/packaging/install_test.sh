#!/usr/bin/env bash
# Installing a build where only `product` was built works; where that was not finished, nothing is copied and it is said
# what to do.
#   install_test.sh BUILD WORK
# BUILD is a finished build; what an installation reads of it is copied into the folder of WORK that stands for a build.
set -euo pipefail
build=$(realpath "$1") work=$2
fail() { echo "$*"; exit 1; }
rm -rf "$work"
mkdir -p "$work/build"
work=$(realpath "$work")

(cd "$build" && find . \( -name cmake_install.cmake -o -path './packaging/*' -o -path '*/Export/*' -o -path ./bin/gradproof -o -path './bin/gate/*' \
  -o -path './lib/*.so*' \) -not -type d -not -path '*/with_faults/lib*' -not -path './tests/packaging/*/*' -print0 |
  tar --create --null --files-from=-) | tar --extract --directory="$work/build"
find "$work/build" -name '*.cmake' -exec sed -i "/OLD_RPATH/!s|$build|$work/build|g" {} +

cmake --install "$work/build" --prefix "$work/product" >"$work/product.log" 2>&1 || fail "$(cat "$work/product.log")"
"$work/product/bin/gradproof" verify --no-stored --cases 50 --seed 1 --quiet --out "$work/results" >/dev/null ||
  fail "what was installed does not run"
[ -z "$(find "$work/product/lib/with_faults" -type f 2>/dev/null)" ] || fail "the build has no faults, and they are installed"

rm "$work/build/lib/libtiling_api.so"
! cmake --install "$work/build" --prefix "$work/unfinished" >"$work/unfinished.log" 2>&1 || fail "half of a build is installed"
tr -s ' \n' ' ' <"$work/unfinished.log" |
  grep -qF "Not built yet: $work/build/lib/libtiling_api.so. First: cmake --build $work/build --target product" ||
  fail "it is not said what to do: $(cat "$work/unfinished.log")"
[ -z "$(find "$work/unfinished" -type f 2>/dev/null)" ] || fail "some of it was copied: $(find "$work/unfinished" -type f)"
