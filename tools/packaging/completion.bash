# Completion of gradproof's command lines, for bash; zsh and fish ask this file. The program itself is asked for its commands and options, so this
# knows those of the version that runs.
_gradproof() {
  local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local command= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == -* ]] || { command=${COMP_WORDS[i]}; break; }
  done
  if [[ -z $command ]]; then
    local commands
    commands=$("$program" --help 2>/dev/null | awk '/^Subcommands:/ { inside = 1; next } inside && NF { print $1 }')
    mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$word")
    return
  fi
  if [[ $word == -* ]]; then
    local options
    options=$("$program" "$command" --help 2>/dev/null | grep -oE '^ +(-[a-z],)?--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+')
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    return
  fi
  case $command:$before in
    list:list) mapfile -t COMPREPLY < <(compgen -W "rules laws formats products recipes faults museum" -- "$word"); return ;;
    *:--transposed | *:--isolate | *:--stored | *:--views | *:--repeat) mapfile -t COMPREPLY < <(compgen -W "yes no" -- "$word"); return ;;
    *:--kind) mapfile -t COMPREPLY < <(compgen -W "valid invalid all" -- "$word"); return ;;
    *:--profile) mapfile -t COMPREPLY < <(compgen -W "documented released tolerant" -- "$word"); return ;;
    *:--domain) mapfile -t COMPREPLY < <(compgen -W "cann pytorch any" -- "$word"); return ;;
    *:--specials) mapfile -t COMPREPLY < <(compgen -W "judged ignored" -- "$word"); return ;;
    *:--dictionary) mapfile -t COMPREPLY < <(compgen -W "auto no" -f -- "$word"); return ;;
    *:--adder) mapfile -t COMPREPLY < <(compgen -W "ieee faithful block" -- "$word"); return ;;
    *:--hf32) mapfile -t COMPREPLY < <(compgen -W "even away unknown" -- "$word"); return ;;
    *:--lang) mapfile -t COMPREPLY < <(compgen -W "en zh" -- "$word"); return ;;
    *:--code) mapfile -t COMPREPLY < <(compgen -W "c python" -- "$word"); return ;;
    *:--rank) mapfile -t COMPREPLY < <(compgen -W "3 4 5" -- "$word"); return ;;
    *:--color) mapfile -t COMPREPLY < <(compgen -W "auto always never" -- "$word"); return ;;
    *:--law) _gradproof_names laws; return ;;
    *:--rule) _gradproof_names rules; return ;;
    *:--recipe) _gradproof_names recipes; return ;;
    *:--soc) _gradproof_names products; return ;;
    *:--fault) _gradproof_names faults; return ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
  esac
}

# _gradproof_names TOPIC: what `gradproof list TOPIC` names.
_gradproof_names() {
  local names
  names=$("$program" list "$1" 2>/dev/null | awk 'NF { print $1 }')
  mapfile -t COMPREPLY < <(compgen -W "$names" -- "$word")
}

# Other shells run this file: `bash FILE gradproof WORD...` prints what the last word may become.
if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _gradproof
  ((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
else
  complete -o filenames -F _gradproof gradproof
fi
