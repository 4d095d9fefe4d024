#!/usr/bin/env bash
# A verification in N parts on this machine, as many at a time as there are cores, and its merge.
#   parallel.sh N OUT [OPTIONS of gradproof verify]
# By GNU parallel where it is installed (with PARALLEL_SSHLOGINS=host1,host2 on other machines that see OUT), else by xargs.
# Run again, it resumes the parts that were interrupted. Ends with the merge's exit code.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: $0 N OUT [OPTIONS]" >&2; exit 2; }
shards=$1 out=$(realpath -m "$2")
shift 2
mkdir -p "$out"
program=${GRADPROOF:-gradproof}
part=("$program" verify --shard "{}/$shards" --jobs 1 --out "$out/part{}" --quiet "$@")

# A part that finds something ends with 1, which the merge tells; here no part may keep others from running.
if command -v parallel >/dev/null; then
  where=()
  [ -z "${PARALLEL_SSHLOGINS:-}" ] || where=(--sshlogin "$PARALLEL_SSHLOGINS")
  seq "$shards" | parallel "${where[@]}" --joblog "$out/jobs.log" "${part[@]@Q}" || true
else
  seq "$shards" | xargs -P "$(nproc)" -I '{}' "${part[@]}" || true
fi
exec "$program" report "$out"/part* \
  --write "html=$out/report.html,markdown=$out/report.md,json=$out/report.json,junit=$out/junit.xml"
