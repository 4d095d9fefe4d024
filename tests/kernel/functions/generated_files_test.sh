#!/usr/bin/env bash
# The headers of functions and the table of families on a page are what the tables of functions give.
#   generated_files_test.sh PROJECT
set -euo pipefail
cd "$1"
status=0
generated() { awk -v what="$1" -f kernel/api/runtime/functions/generate.awk $(LC_ALL=C ls kernel/api/runtime/functions/*.txt); }
check() {
  diff "$2" "$3" || { echo "$1 is not what the tables of functions give; see kernel/api/runtime/functions/README.md"; status=1; }
}
page=docs/simulated-ascend.md
for part in simulated not_simulated offline_models; do
  header=kernel/include/acl/runtime/$part.h
  check $header $header <(generated $part)
done
check $page <(sed -n '/^<!-- generated from kernel/,/^<!-- end of what is generated/{//!p}' $page) <(generated table)
exit $status
