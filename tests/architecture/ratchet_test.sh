#!/usr/bin/env bash
# ratchet_test.sh PROJECT WORK: the house says no. ratchet.txt holds how large each part may be; a part that grew past its row, or
# that the table does not know, is a complaint, and so is a row that is more than 2 % too large: what fell stays down. Type names
# that a top-level folder uses twice count too (types.awk).
set -euo pipefail
project=$1 work=$2
here=$(dirname "$(readlink -f "$0")")

# measures ROOT: name and size of each part.
measures() {
  cd "$1"
  local folder
  for folder in corpus kernel oracle bindings/library adapters bench fuzz tests properties/*; do
    [ -d "$folder" ] || continue
    echo "lines:$folder $(find "$folder" \( -name '*.cpp' -o -name '*.h' -o -name '*.hpp' \) -type f -exec cat {} + | wc -l)"
  done
  echo "lines:bindings/python $(find bindings/python -name '*.py' -exec cat {} + | wc -l)"
  for folder in kernel oracle properties/*; do
    [ ! -d "$folder" ] || echo "rooms:$folder $(find "$folder" -mindepth 1 -maxdepth 1 -type d ! -name include | wc -l)"
  done
  echo "options $(grep -cE '^    \{"-' properties/cli/grammar/option_rows.h)"
  echo "commands $(awk '/command_rows\[\] = /{ inside = 1; next } inside && /^};/{ exit } inside && /^    \{"[a-z]/{ count++ } END { print count + 0 }' \
    properties/cli/grammar/command_rows.h)"
  echo "pages $(find docs -name '*.md' | wc -l)"
  echo "words $(find docs -name '*.md' -exec cat {} + | wc -w)"
  echo "type_names_used_twice $(find bench bindings corpus fuzz kernel oracle properties \( -name '*.cpp' -o -name '*.h' -o -name '*.hpp' \) \
    -type f -exec awk -f "$here/types.awk" {} + 2>/dev/null | wc -l)"
}

# complaints ROOT TABLE: what is larger than its row, has none, or has one that is too large.
complaints() {
  measures "$1" | awk -v table="$2" '
    BEGIN { while ((getline row < table) > 0) if (row !~ /^#/ && split(row, part, " ") >= 2) allowed[part[1]] = part[2] }
    !($1 in allowed) { print $1 " is " $2 ": no row has it"; next }
    $2 > allowed[$1] { print $1 " is " $2 ", at most " allowed[$1] " is wanted" }
    $2 < 0.98 * allowed[$1] - 1 { print $1 " fell to " $2 " from " allowed[$1] ": its row keeps it there" }'
}

said=$(complaints "$project" "$project/tests/architecture/ratchet.txt")
[ -z "$said" ] || {
  printf '%s\n' "$said" "(tests/architecture/ratchet.txt; a row that rises needs the reason and whom it serves in its commit)"
  exit 1
}

# Seeded: a part that grew, one that is new and one that fell are found.
rm -rf "$work"
mkdir -p "$work/oracle/rules" "$work/bindings/python" "$work/docs" "$work/properties/cli/grammar"
{ printf '%s\n' 'struct Twice {' '};' 'struct Row {' '};' 'struct Once;'; seq 92; } >"$work/oracle/rules/a.cpp"
printf '%s\n' 'enum class Twice : int {' 'struct Row {' 'struct Once {' '};' >"$work/oracle/rules/b.h"
printf '    {"--one", 1},\n    {"--two", 2},\n' >"$work/properties/cli/grammar/option_rows.h"
printf 'constexpr X command_rows[] = {\n    {"verify", 1},\n};\n' >"$work/properties/cli/grammar/command_rows.h"
printf '%s\n' 'lines:oracle 100' 'lines:properties/cli 5' 'lines:bindings/python 0' 'rooms:oracle 1' 'rooms:properties/cli 1' 'options 50' 'commands 1' \
  'pages 0' 'type_names_used_twice 0' >"$work/table"
found=$(complaints "$work" "$work/table")
wanted='lines:oracle is 101, at most 100 is wanted
options fell to 2 from 50: its row keeps it there
words is 0: no row has it
type_names_used_twice is 1, at most 0 is wanted'
diff <(printf '%s\n' "$wanted") <(printf '%s\n' "$found") || { echo "seeded complaints are not found as they should be"; exit 1; }
