#!/usr/bin/env bash
# sharding_protocol_test.sh LIST: each program named in the file LIST makes the file GTEST_SHARD_STATUS_FILE, the sign by
# which a runner knows that it deals out its tests. Programs that are not built are passed over.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
checked=0
while read -r program; do
  [ -x "$program" ] || continue
  sign=$scratch/$(basename "$program")
  GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=1 GTEST_SHARD_STATUS_FILE=$sign \
    "$program" --gtest_filter=no.such.test >"$scratch/output" 2>&1 || { cat "$scratch/output"; exit 1; }
  [ -e "$sign" ] || { echo "$program takes no notice of GTEST_SHARD_STATUS_FILE"; exit 1; }
  checked=$((checked + 1))
done <"$1"
[ "$checked" -gt 0 ] || { echo "no test program is built"; exit 1; }
echo "$checked test programs deal their tests out"
