#!/usr/bin/env bash
# words_test.sh PROJECT WORK: sources, scripts and pages use none of the words of words.txt.
set -euo pipefail
project=$1 work=$2 list=$1/tests/architecture/words.txt

# complaints ROOT LIST: each line with such a word, and what to write.
complaints() {
  local word instead line
  cd "$1"
  while IFS=: read -r word instead; do
    find . \( -name build -o -name .git -o -name gradproof-out \) -prune -o -type f \
      \( -name '*.cpp' -o -name '*.h' -o -name '*.hpp' -o -name '*.md' -o -name '*.sh' -o -name '*.cmake' -o -name CMakeLists.txt -o -name dev \) \
      -exec grep -HniwE "$word" {} + | while read -r line; do printf '%s <- "%s":%s\n' "$line" "$word" "$instead"; done || true
  done < <(grep -v '^#' "$2")
}

said=$(complaints "$project" "$list")
[ -z "$said" ] || { printf '%s\n' "$said"; exit 1; }

# Seeded: a listed word in a comment, in a message and on a page is found; a longer word that contains one is not.
rm -rf "$work"
mkdir -p "$work/docs"
word=$(grep -v '^#' "$list" | head -n 1 | cut -d: -f1)
printf '// Read by %s.\nconst char* a = "%s";\nint b;  // The %sx is another word.\n' "${word^}" "$word" "$word" >"$work/a.cpp"
printf 'For %s.\n' "$word" >"$work/docs/page.md"
said=$(complaints "$work" "$list" | cut -d: -f1,2 | LC_ALL=C sort)
[ "$said" = "./a.cpp:1
./a.cpp:2
./docs/page.md:1" ] || { printf 'the seeded words give:\n%s\n' "$said"; exit 1; }
