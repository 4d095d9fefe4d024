#!/usr/bin/env bash
# Submits a verification in N parts, and its merge. OUT must be a folder that all nodes see.
#   slurm_submit.sh N OUT [OPTIONS of gradproof verify]
# Prints the number of the merge's job. Options of sbatch itself go into SBATCH_* variables, such as SBATCH_PARTITION.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: $0 N OUT [OPTIONS]" >&2; exit 2; }
shards=$1 out=$(realpath -m "$2")
shift 2
here=$(dirname "$(realpath "$0")")
mkdir -p "$out"
array=$(sbatch --parsable --array="1-$shards" --output="$out/task%a.log" "$here/slurm_array.sh" "$shards" "$out" "$@")
sbatch --parsable --dependency="afterany:${array%%;*}" --output="$out/merge.log" "$here/slurm_merge.sh" "$out"
