#!/usr/bin/env bash
# places_test.sh PROJECT WORK: how many places one rule, law, recipe, dtype and product has: the files that name one existing
# member of each, comments apart, are those that places.txt lists. Each further file is one more to edit when a member is added.
set -euo pipefail
project=$1 work=$2 list=$1/tests/architecture/places.txt

# files ROOT PATTERN FOLDER...: sources and data below the folders that name it, sorted.
files() {
  cd "$1"
  local pattern=$2 file
  { grep -rlE --include='*.cpp' --include='*.h' --include='*.hpp' --include='*.jsonl' "$pattern" "${@:3}" || true; } |
    while read -r file; do
      # Stored cases are places where they are asked for.
      [[ $file != corpus/cases/* || " ${*:3} " == *" corpus/cases/"* ]] || continue
      if sed 's,//.*,,; s,^ \*.*,,' "$file" | grep -E "$pattern" >/dev/null; then echo "$file"; fi
    done | LC_ALL=C sort -u
}

# complaints ROOT LIST: what each kind has too many or too few, and a table of figures on standard error.
complaints() {
  local kind member pattern wanted folders listed found
  while read -r kind member pattern wanted folders; do
    # shellcheck disable=SC2086  # several folders
    found=$(files "$1" "$pattern" $folders)
    listed=$(awk -v kind="$kind" '/^[a-z]/ { inside = $1 == kind } inside && /^ / { print $1 }' "$2" | LC_ALL=C sort)
    printf '%-8s %-17s %2d places, at most %d wanted\n' "$kind" "$member" "$(grep -c . <<<"$found")" "$wanted" >&2
    diff <(echo "$listed") <(echo "$found") | sed -n "s/^>/a $kind is named in one place more:/p; s/^</a $kind is no longer named in:/p" || true
  done < <(grep '^[a-z]' "$2")
}

said=$(complaints "$project" "$list")
[ -z "$said" ] || { printf '%s\n' "$said" "(if it has to be: tests/architecture/places.txt)"; exit 1; }

# Seeded: a place more, a place less, and a comment that is none.
rm -rf "$work"
mkdir -p "$work/oracle"
echo 'const char* a = "X-01";' >"$work/oracle/listed.cpp"
echo 'const char* b = "X-01";' >"$work/oracle/more.h"
{ echo 'int c;  // as X-01 says'; echo '/* A comment'; echo ' * on X-01. */'; } >"$work/oracle/comment.cpp"
printf '%s\n' 'rule X-01 X-01 1 oracle' '  oracle/gone.cpp' '  oracle/listed.cpp' >"$work/places"
said=$(complaints "$work" "$work/places" 2>/dev/null)
wanted='a rule is no longer named in: oracle/gone.cpp
a rule is named in one place more: oracle/more.h'
[ "$said" = "$wanted" ] || { printf '%s\n' "said: $said" "wanted: $wanted"; exit 1; }
