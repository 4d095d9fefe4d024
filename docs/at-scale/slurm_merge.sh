#!/usr/bin/env bash
# The parts of a Slurm array put together, when all its tasks have ended, however they did:
#   sbatch --dependency=afterany:JOB slurm_merge.sh OUT
# Ends with gradproof's exit code: 1 something disagreed, 4 a part is missing or was cut short.
#SBATCH --job-name=gradproof-merge
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail
out=$1
exec "${GRADPROOF:-gradproof}" report "$out"/part* \
  --write "html=$out/report.html,markdown=$out/report.md,json=$out/report.json,junit=$out/junit.xml"
