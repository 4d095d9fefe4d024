#!/usr/bin/env bash
# The tarball, unpacked in a folder that it was not built for, without any environment: verifies, finds a seeded fault,
# and the examples compile against it and run.
#   archive_test.sh TARBALL EXAMPLES WORK [EMULATOR]
# EMULATOR runs programs of another machine; the examples are compiled by that machine's compiler then.
set -euo pipefail
tarball=$(realpath "$1") examples=$(realpath "$2") work=$3 emulator=${4:-}
compiler=g++
[ -z "$emulator" ] || compiler=aarch64-linux-gnu-g++
here=$(dirname "$(realpath "$0")")
fail() { echo "$*"; exit 1; }
rm -rf "$work"
mkdir -p "$work/some where else"
cd "$work/some where else"
tar -xf "$tarball"
tree=$PWD/$(ls)
[ -d "$tree" ] || fail "the tarball has not one folder, but: $(ls)"

# run PROGRAM...: with nothing that this shell has in its environment.
run() {
  # QEMU keeps a record of every page that a program reserves: of some GiB, not of the TiB that child processes may share.
  # shellcheck disable=SC2086
  ([ -z "$emulator" ] || ulimit -v $((32 << 20)) && env -i PATH=/usr/bin:/bin GRADPROOF_FAULT="${fault:-}" $emulator "$@")
}

for path in bin/gradproof include/acl/acl.h lib/libascendcl.so lib/libgradproof_tiling_classes.so \
  lib/libgradproof_demo.so bin/gradproof-check-certificate bin/gradproof-check-proof \
  lib/with_faults/libopapi_nn.so lib/with_faults/libgradproof_tiling_classes.so lib/cmake/gradproof/gradproof-config.cmake \
  lib/pkgconfig/gradproof.pc share/man/man1/gradproof.1 share/bash-completion/completions/gradproof share/zsh/site-functions/_gradproof share/fish/vendor_completions.d/gradproof.fish \
  share/doc/gradproof/LICENSE share/doc/gradproof/README.md share/doc/gradproof/docs/report.schema.json; do
  [ -s "$tree/$path" ] || fail "$tarball lacks $path"
done
[ -n "$(ls "$tree/share/gradproof/cases")" ] || fail "$tarball has no stored cases"
pages() { (cd "$1" && find . -type f | sort); }
diff <(pages "$examples/..") <(pages "$tree/share/doc/gradproof/docs") || fail "$tarball has not all pages"

run "$tree/bin/gradproof" verify --cases 200 --seed 1 --jobs 2 --out results >verify.txt || fail "verify: exit code $?, $(cat verify.txt)"
grep -qE '^verify: [0-9]{3,} cases: [1-9][0-9]* agreed, 0 disagreed' verify.txt || fail "verify says: $(tail -n 1 verify.txt)"
lib=$tree/lib/with_faults
fault=dilation_for_stride_in_w
! run "$tree/bin/gradproof" verify --target "$lib/libopapi_nn.so,$lib/libnnopbase.so,$lib/libascendcl.so" --seed 1 --jobs 1 \
  --findings 1 --no-stored --out faulty >faulty.txt || fail "a seeded fault is not found: $(cat faulty.txt)"
grep -q "^finding 1 .*: computed .*, expected " faulty.txt || fail "with a seeded fault verify says: $(cat faulty.txt)"
fault=

# prints PROGRAM EXPECTED LIBRARY...: compiled as a user does, and run without LD_LIBRARY_PATH.
prints() {
  local program=$1 expected=$2
  shift 2
  "$compiler" -std=c++17 "$program" -I"$tree/include" -L"$tree/lib" "${@/#/-l}" "-Wl,-rpath,$tree/lib" -o program
  run ./program >printed || fail "$program: exit code $?"
  diff "$expected" printed || fail "$program prints something else"
}
prints "$examples/convolution_backward_2d.cpp" "$examples/convolution_backward_2d.expected" ascendcl nnopbase opapi
prints "$examples/conv3d_backprop_input.cpp" "$examples/conv3d_backprop_input.expected" ascendc_runtime tiling_api ascendcl
prints "$here/../drop_in/kernel_exceptions.cpp" "$here/../drop_in/kernel_exceptions.expected" ascendc_runtime ascendcl
echo "$tarball: $(tail -n 1 verify.txt)"
