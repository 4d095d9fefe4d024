#!/usr/bin/env bash
# One task of a Slurm array: part SLURM_ARRAY_TASK_ID of N.
#   sbatch --array=1-N slurm_array.sh N OUT [OPTIONS of gradproof verify]
# A task that was requeued, killed or out of time resumes where it stopped; to run part 3 again by hand:
#   sbatch --array=3 slurm_array.sh N OUT [the same options]
#SBATCH --job-name=gradproof
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail
shards=$1 out=$2
shift 2
part=$out/part$SLURM_ARRAY_TASK_ID
mkdir -p "$part"
echo "job $SLURM_JOB_ID, restart ${SLURM_RESTART_COUNT:-0}, on $(hostname)" >>"$part/tasks.txt"
exec "${GRADPROOF:-gradproof}" verify --shard "$SLURM_ARRAY_TASK_ID/$shards" --jobs "${SLURM_CPUS_PER_TASK:-1}" \
  --out "$part" --quiet "$@"
