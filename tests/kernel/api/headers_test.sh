#!/usr/bin/env bash
# Compiles each header by itself, twice included, without a warning.
#   headers_test.sh COMPILER STANDARD INCLUDE HEADER...
# Exit code 77: skipped, the compiler is not installed.
set -euo pipefail
compiler=$1 standard=$2 include=$3
shift 3
command -v "$compiler" >/dev/null || { echo "skipped: $compiler is not installed"; exit 77; }
case $compiler in *++) language=c++ ;; *) language=c ;; esac
for header in "$@"; do
  printf '#include "%s"\n#include "%s"\nint main(void) { return 0; }\n' "$header" "$header" |
    "$compiler" -x "$language" "-std=$standard" -Wall -Wextra -Werror -I"$include" -fsyntax-only -
done
