#!/usr/bin/env bash
# The Containerfile copies what there is, and enough for a build, and installs the packages of the table.
#   containerfile_test.sh SOURCES WORK
set -euo pipefail
sources=$1 work=$2
# shellcheck source=tests/packaging/containerfile_steps.sh
source "$(dirname "$0")/containerfile_steps.sh"
fail() { echo "$*"; exit 1; }
rm -rf "$work"
mkdir -p "$work/clone"
cd "$sources"

copied=0
while read -r instruction words; do
  [ "$instruction" = COPY ] && [[ $words != --from=* ]] || continue
  for path in ${words% *}; do
    [ -e "$path" ] || fail "the Containerfile copies $path, which is not here"
    mkdir -p "$work/clone/$(dirname "$path")"
    cp -r "$path" "$work/clone/$path"
    copied=$((copied + 1))
  done
done < <(steps Containerfile)
[ $copied -gt 0 ] || fail "no COPY is read"
(cd "$work/clone" && cmake --preset release >"$work/configure.log" 2>&1) || fail "what is copied is no build: $(cat "$work/configure.log")"

die() { fail "$*"; }
# shellcheck source=tools/cmake/commands.sh
source tools/cmake/commands.sh
installed=$(steps Containerfile | grep -oE ' install [^&]*' | tr ' ' '\n' | grep '^[a-z]' | grep -vx install | sort)
wanted=$({ printf '%s\n' g++ cmake ninja-build && library_packages product; } | sort)
[ "$installed" = "$wanted" ] || fail "the Containerfile installs "$installed"; the table says "$wanted

prefix=$(steps Containerfile | grep -oE -- '--prefix [^ ]+' | cut -d ' ' -f 2)
steps Containerfile | grep -qxF "ENTRYPOINT [\"$prefix/bin/gradproof\"]" || fail "the entry point is not the program in $prefix"
steps Containerfile | grep -qxF "COPY --from=build $prefix $prefix" || fail "what is installed in $prefix is not what is copied"
