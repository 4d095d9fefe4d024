#!/usr/bin/env bash
# subjects_test.sh PROJECT WORK: the doc comment of a function in a header names its subject. It begins with a verb or a noun, not
# with a preposition, a question word, a pronoun or an adverb; what returns nothing begins with a verb ("Adds ..."), a predicate
# with "True if" or a verb. Rooms of subjects.txt still have as many that do not, at most.
set -euo pipefail
project=$1 work=$2 here=$1/tests/architecture

# complaints ROOT: FILE:LINE and comment of each that does not.
complaints() {
  cd "$1"
  local headers=()
  mapfile -t headers < <(find kernel oracle corpus properties \( -name '*.h' -o -name '*.hpp' \) -type f | LC_ALL=C sort)
  awk -f "$here/subjects.awk" "${headers[@]}"
}

# beyond TABLE: of complaints, those of rooms that have more than their row says.
beyond() {
  awk -v table="$1" '
    BEGIN { while ((getline row < table) > 0) if (row !~ /^#/ && split(row, part, " ") == 2) { allowed[part[1]] = part[2] } }
    { room = ""; for (name in allowed) if (index($0, name "/") == 1) room = name
      said[room] = said[room] $0 "\n"; count[room]++ }
    END { for (room in count) if (count[room] > allowed[room]) printf "%s", said[room] }'
}

said=$(complaints "$project" | beyond "$here/subjects.txt")
[ -z "$said" ] || { printf '%s\n' "$said" "(say first what the function does or returns: \"Converts ...\", \"True if ...\", \"Extent of ...\")"; exit 1; }
seen=$(cd "$project" && find kernel oracle corpus properties -name '*.h' -exec awk -v COUNT=1 -f "$here/subjects.awk" {} + | awk '{ all += $1 } END { print all }')
[ "$seen" -gt 1500 ] || { echo "only $seen comments of functions were seen"; exit 1; }

# Seeded: each must be found; a type, a member and what says its subject are not.
rm -rf "$work"
mkdir -p "$work/kernel" "$work/oracle" "$work/corpus" "$work/properties/cli"
cat >"$work/kernel/a.h" <<'SEEDED'
/// Of the finite elements alone.
Extent finite_part(Extent extent);
/// Whether it fits.
template <typename Value, int size = 4>
bool fits(const Value& value);
  /// The same as
  /// doubles.
  static std::vector<double>
  doubles(int count) {
/// The axes can be paired.
bool share_rank(int left);
/// Row of W.
void add_row(int at);
/// nullopt where it is not there.
std::optional<int> find(int key);
SEEDED
cat >"$work/kernel/b.h" <<'SEEDED'
/// What a task reads.
struct Reads {
  /// By role.
  std::array<int, 3> operands{};
  /// How it is called.
  bool (*applies)(int) = nullptr;
  /// Where it lies.
  int place = f(3);
};
/// Extent of the finite elements.
Extent finite_part(Extent extent);
/// True if it fits.
bool fits(int value);
/// Has the worker run; returns at once.
void demand(int position);
/// Number of rows; 0 where there are none.
int rows(int at) { return at; }
SEEDED
printf '/// In order.\nint a(int b);\n' | tee "$work/oracle/a.h" >"$work/properties/cli/a.h"
printf 'oracle 1\n' >"$work/table"
found=$(complaints "$work" | beyond "$work/table" | cut -d: -f1,2)
[ "$found" = "kernel/a.h:1
kernel/a.h:3
kernel/a.h:6
kernel/a.h:10
kernel/a.h:12
kernel/a.h:14
properties/cli/a.h:1" ] || { printf 'the seeded comments give:\n%s\n' "$found"; exit 1; }
