#!/usr/bin/env bash
# campaign_test.sh PROGRAM yes|no WORK: a campaign of 60 s under a sanitizer. With the target in child processes an error is
# the death of one, and so a finding; in the program itself it is the program's death. These children come from a process with
# threads and start some: ThreadSanitizer ends them for that unless it is told otherwise (die_after_fork in CMakePresets.json).
set -euo pipefail
program=$1 isolate=$2 work=$3
process=()
[ "$isolate" = yes ] || process=(--in-process)
rm -rf "$work"
"$program" verify --time 60s --seed "${GRADPROOF_CAMPAIGN_SEED:-1}" "${process[@]}" --out "$work" 2>&1 | tee "$work.log"
! grep -E 'ERROR: |WARNING: ThreadSanitizer|runtime error: ' "$work.log" || { echo "a sanitizer has reported (above)"; exit 1; }
