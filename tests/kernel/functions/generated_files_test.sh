#!/usr/bin/env bash
# The header of what is only declared and the page of functions are what the tables give.
#   generated_files_test.sh PROJECT
set -euo pipefail
cd "$1"
status=0
check() {
  awk -v what="$1" -f kernel/api/runtime/functions/generate.awk $(LC_ALL=C ls kernel/api/runtime/functions/*.txt) | diff "$2" - ||
    { echo "$2 is not what the tables of functions give; see kernel/api/runtime/functions/README.md"; status=1; }
}
check header kernel/include/acl/runtime/not_simulated.h
check page docs/runtime-functions.md
exit $status
