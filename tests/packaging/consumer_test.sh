#!/usr/bin/env bash
# Builds and runs examples against an installed tree as other projects do.
#   consumer_test.sh cmake PREFIX EXAMPLES WORK       by find_package(gradproof)
#   consumer_test.sh pkg-config PREFIX EXAMPLES WORK  by pkg-config
set -euo pipefail
way=$1 prefix=$2 examples=$3 work=$4
here=$(dirname "$(realpath "$0")")
fail() { echo "$*"; exit 1; }
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# prints EXAMPLE PROGRAM...: what it prints is what the example should.
prints() {
  local example=$1
  shift
  "$@" >printed || fail "$example: exit code $?"
  diff "$examples/$example.expected" printed || fail "$example prints something else"
}

by_cmake() {
  cmake -S "$here/consumer" -B build -DCMAKE_PREFIX_PATH="$prefix" -DEXAMPLES="$examples" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF >configure.log || fail "$(cat configure.log)"
  grep -q "gradproof_DIR:PATH=$prefix/" build/CMakeCache.txt || fail "found elsewhere: $(grep gradproof_DIR build/CMakeCache.txt)"
  cmake --build build >build.log 2>&1 || fail "$(cat build.log)"
  prints convolution_backward_2d build/convolution_backward_2d
  prints conv3d_backprop_input build/conv3d_backprop_input
  (cd build && ctest --output-on-failure >ctest.log) || fail "$(cat build/ctest.log)"
  # A version that is none of ours is refused.
  sed 's/find_package(gradproof 0.3/find_package(gradproof 0.9/' "$here/consumer/CMakeLists.txt" >CMakeLists.txt
  ! cmake -S . -B refused -DCMAKE_PREFIX_PATH="$prefix" -DEXAMPLES="$examples" >refused.log 2>&1 || fail "0.9 is accepted"
  grep -q 'compatible with requested version "0.9"' refused.log || fail "$(cat refused.log)"
}

# compiled EXAMPLE MODULE
compiled() {
  local flags
  flags=$(pkg-config --cflags --libs "$2") || fail "pkg-config does not know $2"
  # shellcheck disable=SC2086
  g++ -std=c++17 "$examples/$1.cpp" $flags -o "$1"
  prints "$1" env LD_LIBRARY_PATH="$(pkg-config --variable=libdir "$2")" "./$1"
}

by_pkg_config() {
  export PKG_CONFIG_PATH=$prefix/lib/pkgconfig:$prefix/share/pkgconfig
  pkg-config --atleast-version=0.2 gradproof || fail "pkg-config: no version"
  compiled convolution_backward_2d gradproof
  compiled conv3d_backprop_input gradproof-ascendc
}

case $way in
  cmake) by_cmake ;;
  pkg-config) by_pkg_config ;;
esac
