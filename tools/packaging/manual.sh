#!/usr/bin/env bash
# manual.sh PROGRAM TEMPLATE: the manual page, with what the program says of itself in the place of @VERSION@ and
# @COMMANDS@. EMULATOR: what starts a program that was built for another architecture.
set -euo pipefail
# shellcheck disable=SC2206  # a command and its options
program=(${EMULATOR:-} "$1") template=$2

# Help as the option parser prints it: a column of names, a column of words, which may begin on the next line.
escaped() { sed 's/\\/\\e/g; s/-/\\-/g'; }

options_of() {
  "${program[@]}" "$1" --help | awk '
    function flush() { if (name != "") printf ".TP\n.B %s\n%s\n", name, words; name = words = "" }
    /^[A-Z][a-z ]+:$/ { flush(); inside = $0 !~ /^(Examples|Exit codes):$/; next }
    !inside || !NF { next }
    /^  [^ ]/ {
      flush()
      line = substr($0, 3)
      at = match(line, /  +/)
      name = at ? substr(line, 1, at - 1) : line
      words = at ? substr(line, at + RLENGTH) : ""
      if (name ~ /^-h,--help/) name = ""
      next
    }
    { sub(/^ +/, ""); words = words (words == "" ? "" : " ") $0 }
    END { flush() }' | escaped | sed 's/^\.TP$/.TP/; s/^\\&//'
}

commands() { "${program[@]}" --help | awk '/^Subcommands:/ { inside = 1; next } inside && NF'; }

all_commands() {
  local name words
  while read -r name words; do
    printf '.SS %s\n%s\n' "$name" "$(escaped <<<"$words")"
    options_of "$name"
  done < <(commands)
}

version=$("${program[@]}" --version | sed -n 1p)
text=$(all_commands)
while IFS= read -r line; do
  case $line in
    @COMMANDS@) printf '%s\n' "$text" ;;
    *) printf '%s\n' "${line//@VERSION@/$version}" ;;
  esac
done <"$template"
