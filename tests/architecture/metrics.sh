#!/usr/bin/env bash
# metrics.sh [PROJECT]: sizes of the project's files, functions and folders as a Markdown table. What they may be, sizes_test.sh asks.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
cd "${1:-$here/../..}"

sources() { find "$@" -type f \( -name '*.cpp' -o -name '*.h' -o -name '*.hpp' \) | sort; }

# share COUNT ALL: in percent
share() { awk -v part="$1" -v all="$2" 'BEGIN { printf "%.1f %%", 100 * (all - part) / all }'; }

# row NAME FILE...: of these files
row() {
  local name=$1 files lines long functions over p90
  shift
  files=$#
  lines=$(cat "$@" | wc -l)
  long=$(wc -l "$@" | awk '$2 != "total" && $1 > 300' | wc -l)
  read -r functions over p90 < <(awk -v LIMIT=0 -f "$here/sizes.awk" "$@" | awk '{ print $4 }' | sort -n |
    awk '{ size[NR] = $1; over += $1 > 40 } END { print NR, over + 0, size[int(NR * 0.9)] }')
  printf '| %s | %d | %d | %s | %d | %s | %d |\n' "$name" "$files" "$lines" "$(share "$long" "$files")" "$functions" \
    "$(share "$over" "$functions")" "$p90"
}

printf '| | files | lines | files <= 300 lines | functions | functions <= 40 lines | p90 of functions |\n|---|---|---|---|---|---|---|\n'
mapfile -t product < <(sources corpus kernel oracle properties adapters bench fuzz)
mapfile -t tests < <(sources tests)
row product "${product[@]}"
row tests "${tests[@]}"

mapfile -t classes < <(awk -v LIMIT=150 -f "$here/classes.awk" "${product[@]}" | awk '{ print $3 " (" $4 ")" }')
printf '\nClasses over 150 lines: %s\n' "$(IFS=,; echo "${classes[*]:-none}")"
crowded=$(find . \( -name build -o -name .git -o -name gradproof-out \) -prune -o -type f -printf '%h\n' | sort | uniq -c |
  awk '$1 > 45 { print $2 " (" $1 ")" }' | paste -sd,)
printf 'Folders over 45 files: %s\n' "${crowded:-none}"
mapfile -t oracle < <(sources oracle)
printf 'Comment lines of oracle/: %s\n' "$(cat "${oracle[@]}" | awk '/^ *\/\//{ count++ } END { printf "%.1f %%", 100 * count / NR }')"
