#!/usr/bin/env bash
# The build recipe of CANN's documentation, unchanged: set_env.sh is sourced by each shell there is, and a CMake project of that form
# is built with it and run.
#   documented_recipe_test.sh PREFIX PROGRAM EXPECTED WORK
set -euo pipefail
prefix=$(realpath "$1") program=$(realpath "$2") expected=$(realpath "$3") work=$4
here=$(dirname "$(realpath "$0")")
fail() { echo "$*"; exit 1; }
rm -rf "$work"
mkdir -p "$work"
cd "$work"

[ "$(realpath "$prefix/lib64")" = "$(realpath "$prefix/lib")" ] || fail "lib64 is not lib"
grep -qx 'Version=[0-9.]*' "$prefix/share/info/runtime/version.info" || fail "no version of the runtime"
[ -s "$prefix/include/acl/error_codes/rt_error_codes.h" ] || fail "error_codes is not in include/acl"

# The tree may be anywhere.
ln -s "$prefix" "a place with blanks"
for shell in sh bash dash zsh; do
  command -v $shell >/dev/null || continue
  for file in set_env.sh bin/setenv.bash; do
    for twice in "" ". ./tree/$file &&"; do
      ln -sfn "$prefix" tree
      # shellcheck disable=SC2016
      env -i PATH=/usr/bin:/bin $shell -c "$twice . './a place with blanks/$file' &&"' echo "$ASCEND_HOME_PATH|$ASCEND_TOOLKIT_HOME|$ASCEND_OPP_PATH|$PATH|$LD_LIBRARY_PATH|$CMAKE_PREFIX_PATH"' >told ||
        fail "$shell cannot source $file: $(cat told)"
      [ "$(cat told)" = "$prefix|$prefix|$prefix/opp|$prefix/bin:/usr/bin:/bin|$prefix/lib64|$prefix/lib64/cmake" ] ||
        fail "$shell, $file, $twice: $(cat told)"
    done
  done
done
env -i PATH=/usr/bin:/bin bash -c "set -eu; . '$prefix/set_env.sh'; env" | grep '^_gradproof' && fail "the shell keeps more than the environment"

# shellcheck disable=SC1091
. "$prefix/set_env.sh"
export ASCEND_CUSTOM_PATH=$ASCEND_HOME_PATH
cmake -S "$here/documented_recipe" -B build -DPROGRAM="$program" -DCMAKE_CXX_COMPILER=g++ -DCMAKE_SKIP_RPATH=TRUE >cmake.log 2>&1 ||
  fail "$(cat cmake.log)"
cmake --build build >build.log 2>&1 || fail "$(cat build.log)"
"$(find build -name opapi_test -type f)" >printed || fail "the program fails: $(cat printed)"
diff "$expected" printed
