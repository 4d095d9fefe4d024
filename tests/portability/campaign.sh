#!/usr/bin/env bash
# A campaign of 1,000 generated cases, and whether two programs write the same lines about it.
#   campaign.sh FOLDER run NAME COMMAND...         runs it with the program that COMMAND starts
#   campaign.sh FOLDER compare NAME PROGRAM...     holds the first PROGRAM that there is against run NAME
set -euo pipefail
folder=$1 action=$2 name=$3
shift 3

# run NAME COMMAND...
run() {
  local out=$folder/$1
  shift
  rm -rf "$out"
  "$@" --version
  # QEMU keeps a record of every page that a program reserves: of some GiB, not of the TiB that child processes may share.
  (ulimit -v $((32 << 20)) && "$@" verify --cases 1000 --no-stored --seed 1 --jobs 2 --set color=never --out "$out" | tail -n 1)
}

# What a run says except for its times, in the order of the cases.
lines_of() { sed -E 's/"milliseconds":[^,]*,//' "$folder/$1/results.jsonl" | sort; }

compare() {
  local program native=
  for program in "$@"; do
    if [ -x "$program" ]; then native=$program; break; fi
  done
  if [ -z "$native" ]; then
    printf 'skipped: no program of this machine to compare with; looked for %s\n' "$*"
    exit 77
  fi
  run native "$native"
  if ! diff <(lines_of native) <(lines_of "$name") >"$folder/differences"; then
    head -c 4000 "$folder/differences"
    printf '%s lines differ: < %s, > the cross build\n' "$(grep -c '^<' "$folder/differences")" "$native"
    exit 1
  fi
  printf '%s lines, digest %s\n' "$(lines_of native | wc -l)" "$(lines_of native | sha256sum | cut -c 1-16)"
}

case $action in
  run) run "$name" "$@" ;;
  compare) compare "$@" ;;
  *) printf 'campaign.sh: no action %s\n' "$action" >&2; exit 2 ;;
esac
