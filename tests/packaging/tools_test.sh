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
options_of() { "$program" "$1" --help-all | grep -oE '^ +(-[a-z],)?--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+'; }

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
    [[ $option = --help* ]] || grep -qE -e "^\.B (-[a-zA-Z],)?$option" <<<"$section" || fail "the manual lacks $option of $command"
  done
done
[ "$(completed verify --law adj)" = adjoint ] || fail "--law adj completes to: $(completed verify --law adj)"
[ "$(completed verify --profile t)" = tolerant ] || fail "--profile t completes to: $(completed verify --profile t)"
[ "$(completed report --write ht)" = html= ] || fail "--write ht completes to: $(completed report --write ht)"
# The other shells ask bash's file.
asked=$(bash "$prefix/share/bash-completion/completions/gradproof" gradproof verify --profile t)
[ "$asked" = tolerant ] || fail "bash's file answers: $asked"
if command -v fish >/dev/null; then
  asked=$(fish --no-config -c "source $prefix/share/fish/vendor_completions.d/gradproof.fish; complete -C 'gradproof verify --profile t'")
  [ "$asked" = tolerant ] || fail "fish completes --profile t to: $asked"
fi
if command -v zsh >/dev/null; then
  # Without a terminal: what would be offered is printed.
  asked=$(zsh -fc "fpath=($prefix/share/zsh/site-functions \$fpath); autoload -Uz +X _gradproof
    compadd() { shift 2; print -l \$@ }; words=(gradproof verify --profile t); CURRENT=4; _gradproof")
  [ "$asked" = tolerant ] || fail "zsh completes --profile t to: $asked"
fi
command -v groff >/dev/null || { echo "groff is not installed: the page is not rendered"; exit 0; }
warnings=$(groff -man -Tutf8 -ww -z "$manual" 2>&1)
[ -z "$warnings" ] || fail "$warnings"
