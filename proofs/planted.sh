#!/usr/bin/env bash
# planted.sh WORK [BUILD]: plants each wrong formula of planted.txt, one at a time, and says what noticed it: a proof, or a test
# of the code. BUILD: a build folder with the program oracle_proved_formula_test; without it those in C++ are left out.
# Exit code 1: something went unnoticed.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")") project=$(dirname "$here") work=$(readlink -m "$1") build=${2:+$(readlink -f "$2")}
"$here/check.sh" "$work/right" Tree Machines Block Formula Bound Limit Grid Prime Chance Identity Winograd

# Proofs that use a formula, each after those that it needs.
users() {
  case $1 in
    Formula) echo Formula Bound Limit Grid ;;
    Block) echo Block Formula Bound ;;
    *) echo "$1" ;;
  esac
}

# The test program with one object in front of the library's.
link_with() {
  local command
  command=$(ninja -C "$build" -t commands oracle_proved_formula_test | tail -n 1 |
    sed "s| -o [^ ]*| -Wl,--allow-multiple-definition $1 -o $2|")
  (cd "$build" && eval "$command") >"$work/link.said" 2>&1
}

# notices FILE: whether a proof or a test fails with the changed FILE, which lies in $work/wrong.
notices() {
  local name
  name=$(basename "$1")
  case $1 in
    *.v)
      rm -rf "$work/proofs"
      cp -r "$work/right" "$work/proofs"
      cp "$work/wrong/$name" "$work/proofs/"
      cd "$work/proofs"
      for proof in $(users "${name%.v}"); do
        coqc -q -Q . Limit "$proof.v" >said 2>&1 || { noticed="the proof $proof.v"; return 0; }
      done
      return 1 ;;
    *.py)
      noticed='the test formula_test.py'
      ! python3 "$project/tests/properties/certificate/formula_test.py" "$work/wrong/$name" "$here/values.txt" >"$work/said" 2>&1 ;;
    *)
      noticed='the test proved_formula_test.cpp'
      (cd "$project" && g++ -std=c++20 -O1 -I. -c "$work/wrong/$name" -o "$work/wrong.o") &&
        link_with "$work/wrong.o" "$work/test" && ! "$work/test" --gtest_brief=1 >"$work/said" 2>&1 ;;
  esac
}

mkdir -p "$work/wrong"
planted=0 found=0
while IFS=@ read -r file change what; do
  [[ $file != *.cpp || -n $build ]] || continue
  sed -E "$change" "$project/$file" >"$work/wrong/$(basename "$file")"
  ! cmp -s "$project/$file" "$work/wrong/$(basename "$file")" || { printf 'planted: changes nothing: %s: %s\n' "$file" "$what" >&2; exit 1; }
  planted=$((planted + 1)) noticed=nothing
  if notices "$file"; then found=$((found + 1)); else noticed='NOTHING'; fi
  printf '%-32s %-52s noticed by %s\n' "$(basename "$file")" "$what" "$noticed"
done < <(grep -v '^#' "$here/planted.txt")
printf 'planted: %d wrong formulas, %d noticed\n' $planted $found
[ $planted -eq $found ]
