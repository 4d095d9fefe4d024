#!/usr/bin/env bash
# What is missing is named at once, each with the package that holds it; libraries of a user's own folder are found; the
# page of installing has the same table.
#   dependencies_test.sh SOURCES BUILD WORK
# BUILD is a configured build, whose cache says where this system has the libraries.
set -euo pipefail
sources=$1 build=$2 work=$3
table=$sources/tools/cmake/gradproof_dependencies.cmake
fail() { echo "$*"; exit 1; }
rm -rf "$work"
mkdir -p "$work/prefix/include" "$work/prefix/lib"
cd "$work"

cached() { sed -n "s|^$1:[A-Z]*=||p" "$build/CMakeCache.txt"; }

# configured NAME OPTION...: a configuration that looks for libraries in the folder `prefix` alone.
configured() {
  local name=$1
  shift
  cmake -S "$sources" -B "$name" -G "$(cached CMAKE_GENERATOR)" \
    -DCMAKE_MAKE_PROGRAM="$(cached CMAKE_MAKE_PROGRAM)" -DCMAKE_CXX_COMPILER="$(cached CMAKE_CXX_COMPILER)" \
    -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF \
    "$@" >"$name.log" 2>&1
}
product=(-DGRADPROOF_TESTS=OFF -DGRADPROOF_BENCH=OFF -DGRADPROOF_FUZZ=OFF)

# rows COLUMN: that column of the table.
rows() { awk -F ' *[|] *' -v column="$1" '/^  "/ { sub(/"[)]?$/, ""); print $column }' "$table"; }
[ "$(rows 2 | wc -l)" -ge 9 ] || fail "the table of $table is not read right: $(rows 2)"

# All, then without three of them.
for header in gmpxx.h fmt/core.h nlohmann/json.hpp tl/expected.hpp CLI/CLI.hpp hwy/highway.h nettle/sha2.h capstone/capstone.h; do
  folder=$(cached "GRADPROOF_${header//[^a-zA-Z0-9]/_}_FOLDER")
  ln -s "$folder/${header%%/*}" prefix/include/
done
ln -s "$(cached GRADPROOF_gmp_LIBRARY)" "$(cached GRADPROOF_nettle_LIBRARY)" "$(cached GRADPROOF_capstone_LIBRARY)" prefix/lib/
configured found "${product[@]}" || fail "libraries below CMAKE_PREFIX_PATH are not found: $(cat found.log)"
rm prefix/include/fmt prefix/include/tl prefix/lib/libgmp*
! configured three "${product[@]}" || fail "three libraries are missing, and CMake is content"
for line in 'GMP (gmpxx.h gmp)' 'fmt (fmt/core.h)' 'tl::expected (tl/expected.hpp)' \
  'apt-get install libgmp-dev libfmt-dev libexpected-dev' 'dnf install gmp-devel fmt-devel'; do
  sed 's/^ *//' three.log | grep -qxF "$line" || fail "\"$line\" is not said: $(cat three.log)"
done
! grep -qE 'CLI11|nlohmann|Highway|GTest' three.log || fail "what is found is called missing: $(cat three.log)"

# Nothing at all, and everything asked for: each row is named, with its packages.
rm -r prefix/include
! configured all -DGRADPROOF_BENCH=ON || fail "all libraries are missing, and CMake is content"
for column in 2 4 5; do
  rows $column | grep . | while IFS= read -r word; do
    grep -qwF -- "$word" all.log || fail "$word is not said: $(cat all.log)"
  done
done

# The page, in the same order.
diff <(rows 2) <(sed -n '/^| library /,/^$/s/^| \([^|]*\) |.*/\1/p' "$sources/docs/install.md" | grep -v '^library$' | sed 's/ *$//') ||
  fail "docs/install.md names other libraries (right) than the table (left)"
paste -d '|' <(rows 4) <(rows 5) | sed 's/|$/|none/' | while IFS='|' read -r debian openeuler; do
  grep -qE "^\|.*\`$debian\`.*\|" "$sources/docs/install.md" || fail "docs/install.md does not name $debian"
  [ "$openeuler" = none ] || grep -E "\`$debian\`" "$sources/docs/install.md" | grep -qF "\`$openeuler\`" ||
    fail "docs/install.md does not name $openeuler next to $debian"
done
