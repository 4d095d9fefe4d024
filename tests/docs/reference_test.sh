#!/usr/bin/env bash
# reference_test.sh PROJECT WORK: doxygen has nothing to say about the public headers, and something about a bad one.
set -euo pipefail
project=$1 work=$2
command -v doxygen >/dev/null || { echo "skipped: doxygen is not installed"; exit 77; }
rm -rf "$work"
mkdir -p "$work/seeded"

# warnings FOLDER INPUT: what doxygen says about INPUT, without what is said of undocumented members.
warnings() {
  (cd "$1" && { cat "$project/tools/cmake/Doxyfile"; printf 'INPUT = %s\nOUTPUT_DIRECTORY = %s\nGENERATE_HTML = NO\nGENERATE_XML = YES\n' \
    "$2" "$work"; } | doxygen - 2>&1) | grep -v ': warning: Member .* is not documented\.$' || true
}

found=$(warnings "$project" "tools/cmake/reference.md kernel/include corpus oracle properties")
[ -z "$found" ] || { printf 'doxygen warns:\n%s\n' "$found"; exit 1; }
files=$(find "$work/xml" -name '*_8h*.xml' | wc -l)
[ "$files" -gt 100 ] || { echo "doxygen has read $files headers: it does not see the sources"; exit 1; }

printf '#pragma once\nstruct Bare { int x; };\n/// Twice.\n/// @param no_such of nothing\nint twice(int x);\n' >"$work/seeded/bad.h"
found=$(warnings "$work/seeded" bad.h)
for words in 'Compound Bare is not documented' "argument 'no_such'"; do
  grep -q "$words" <<<"$found" || { printf 'a seeded mistake goes unseen: %s\n%s\n' "$words" "$found"; exit 1; }
done
echo "$files headers, no warning"
