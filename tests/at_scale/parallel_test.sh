#!/usr/bin/env bash
# docs/at-scale/parallel.sh ends with the report of a run in one process, by GNU parallel where it is installed and by xargs;
# and it resumes what was interrupted.
#   parallel_test.sh PROGRAM SCRIPTS
set -euo pipefail
export GRADPROOF=$1
scripts=$2
work_options=(--no-stored --cases 600 --seed 17)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "$*"; exit 1; }

"$GRADPROOF" verify "${work_options[@]}" --quiet --out whole >whole.txt
"$GRADPROOF" report whole --write json=whole.json >whole.txt

# Where the results come from differs from run to run.
without_origins() { sed '/^ "runs": \[/,/^ \],/d' "$1"; }

# spread OUT [PATH]: the script, and its report compared.
spread() {
  PATH=${2:-$PATH} "$scripts/parallel.sh" 3 "$1" "${work_options[@]}" >"$1.txt" || fail "exit code $?: $(cat "$1.txt")"
  cmp <(without_origins whole.json) <(without_origins "$1/report.json") || fail "the merged report is not that of the run in one process"
}

spread first
spread first   # all parts a second time
# Without GNU parallel, whether or not it is here.
mkdir tools
for tool in bash env realpath mkdir seq xargs nproc dirname; do ln -s "$(command -v $tool)" tools/; done
spread second "$work/tools"
command -v parallel >/dev/null && echo "with GNU parallel and with xargs" || echo "with xargs; GNU parallel is not installed"
