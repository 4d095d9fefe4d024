#!/usr/bin/env bash
# The manual page and the completion of an installed tree know every command and every option.
#   tools_test.sh PREFIX
set -euo pipefail
prefix=$1
program=$prefix/bin/gradproof
manual=$prefix/share/man/man1/gradproof.1
export PATH=$prefix/bin:$PATH
fail() { echo "$*"; exit 1; }

commands=$("$program" --help | awk '/^Subcommands:/ { inside = 1; next } inside && NF { print $1 }')
[ "$(wc -w <<<"$commands")" -ge 9 ] || fail "the help lists no commands"
options_of() { "$program" "$1" --help | grep -oE '^ +(-[a-z],)?--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+'; }

# shellcheck disable=SC1091
source "$prefix/share/bash-completion/completions/gradproof"
# completed WORD...: what the last word may become.
completed() {
  COMP_WORDS=(gradproof "$@")
  COMP_CWORD=$#
  _gradproof
  printf '%s\n' "${COMPREPLY[@]}"
}
[ "$(completed ver)" = verify ] || fail "ver completes to: $(completed ver)"
for command in $commands; do
  grep -qx "$command" <<<"$(completed "")" || fail "$command is not completed"
  grep -qx "\.SS $command" "$manual" || fail "the manual lacks $command"
  section=$(awk -v name="$command" '/^\.S[SH] / { inside = $2 == name } inside' "$manual" | sed 's/\\-/-/g')
  for option in $(options_of "$command"); do
    grep -qxe "$option" <<<"$(completed "$command" --)" || fail "$command: $option is not completed"
    [ "$option" = --help ] || grep -qE -e "^\.B (-[a-zA-Z],)?$option" <<<"$section" || fail "the manual lacks $option of $command"
  done
done
[ "$(completed verify --law adj)" = adjoint ] || fail "--law adj completes to: $(completed verify --law adj)"
[ "$(completed verify --profile t)" = tolerant ] || fail "--profile t completes to: $(completed verify --profile t)"
command -v groff >/dev/null || { echo "groff is not installed: the page is not rendered"; exit 0; }
warnings=$(groff -man -Tutf8 -ww -z "$manual" 2>&1)
[ -z "$warnings" ] || fail "$warnings"
