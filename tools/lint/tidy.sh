#!/usr/bin/env bash
# tidy.sh SOURCE: clang-tidy on one source, unless the same source was clean before: that is, everything that clang-tidy reads
# was the same. Runs in the project's folder; tools/lint/commands.sh sets
#   TIDY_OPTIONS   options of clang-tidy
#   TIDY_SETTINGS  what holds for all sources: a digest of clang-tidy, its checks, the plugin
#   TIDY_COMMANDS  a file with a line for each compile command: source, tab, command
#   TIDY_CACHE     a folder with an empty file for each state that was clean
# The name of a state is a digest of these settings, of the source's compile commands, and of the path and content of every
# file that the compiler opens for it, those of the system too. A source without such a name, because it has no compile
# command or does not compile, is always looked at.
set -euo pipefail
source=$PWD/$1
mapfile -t commands < <(awk -F '\t' -v source="$source" '$1 == source { print $2 }' "$TIDY_COMMANDS")

# digests: of every file that the compiler opens, by its own account, as sha256sum prints them.
digests() {
  local command
  for command in "${commands[@]}"; do
    (cd build/lint && eval "${command%% -o *} -M '$source'") || exit 1
  done | sed -e 's/^[^ ]*: //' -e 's/ *\\$//' | tr -s ' ' '\n' | sed '/^$/d' | sort -u | xargs -d '\n' sha256sum
}

state=''
if [ ${#commands[@]} -gt 0 ] && before=$(digests); then
  name=$(printf '%s\n' "$TIDY_OPTIONS" "$TIDY_SETTINGS" "${commands[@]}" "$before" | sed "s|$PWD/||g" | sha256sum)
  state=$TIDY_CACHE/${name%% *}
  if [ -e "$state" ]; then
    touch "$state"
    echo "unchanged: $1"
    exit 0
  fi
fi
# A program that no target of this build compiles is read as the headers' users read them.
plain=()
[ ${#commands[@]} -gt 0 ] || plain=(-- -std=c++20 -I. -Ikernel/include)
# shellcheck disable=SC2086  # several options
clang-tidy $TIDY_OPTIONS "$1" "${plain[@]}"
# What was edited meanwhile may not be what was found clean.
if [ -n "$state" ] && sha256sum --check --status <<<"$before"; then : >"$state"; fi
