#!/usr/bin/env bash
# check.sh WORK [FILE...]: compiles the proofs in the folder WORK (FILE: those alone), sees what the theorems rest on, and that
# values.txt is what Coq prints of the formulas. Exit code 1: a proof does not hold, an axiom is new, or values.txt is stale.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")") work=$1
shift
proofs=(Tree Machines Block Formula Bound Limit Results Grid Prime Chance Identity Winograd Main Values)
[ $# -eq 0 ] || proofs=("$@")

# What Coq's real numbers are built on, and what Flocq adds to it: excluded middle.
allowed='ClassicalDedekindReals.sig_not_dec
ClassicalDedekindReals.sig_forall_dec
FunctionalExtensionality.functional_extensionality_dep
Classical_Prop.classic'

mkdir -p "$work"
cp -u "$here"/*.v "$work"
cd "$work"
for proof in "${proofs[@]}"; do
  coqc -q -Q . Limit "$proof.v" >"$proof.said" 2>&1 || { cat "$proof.said"; printf 'proofs: %s.v does not hold\n' "$proof" >&2; exit 1; }
done
[ $# -eq 0 ] || exit 0

# One "Axioms:" or "Closed under the global context" for each theorem asked about; axioms begin a line, their types do not.
theorems=$(grep -c '^Print Assumptions' Main.v)
[ "$(grep -cE '^(Axioms:|Closed under)' Main.said)" = "$theorems" ] || { printf 'proofs: Main.v says too little\n' >&2; exit 1; }
new=$(sed -nE 's/^([A-Za-z_.0-9]+) *:.*/\1/p; s/^([A-Za-z_.0-9]+)$/\1/p' Main.said | grep -vE '^Axioms$' | sort -u | grep -vxF "$allowed" || true)
[ -z "$new" ] || { printf 'proofs: axioms that nothing here may assume:\n%s\n' "$new" >&2; exit 1; }
! grep -nE '\b(Admitted|admit|Axiom|Parameter|Conjecture)\b' "$here"/*.v || { printf 'proofs: a proof is missing\n' >&2; exit 1; }

grep -oE '[0-9]+, *[0-9]+' Values.said | tr -d , | diff -q - "$here/values.txt" >/dev/null || {
  grep -oE '[0-9]+, *[0-9]+' Values.said | tr -d , >values.txt
  printf 'proofs: values.txt is not what Coq prints; that is in %s/values.txt\n' "$work" >&2
  exit 1
}
printf 'proofs: %d theorems in %d lines hold, on the axioms of Coq'"'"'s real numbers and excluded middle alone; %d s\n' \
  "$theorems" "$(cat "$here"/*.v | wc -l)" "$SECONDS"
