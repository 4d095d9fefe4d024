#!/usr/bin/env bash
# borders_test.sh PROJECT WORK: JSON becomes text by json_text alone, and what is said on the standard error by tell alone: neither
# fails on, or passes on, what others wrote.
set -euo pipefail
project=$1 work=$2

# complaints ROOT: each line of the product that goes around them.
complaints() {
  cd "$1"
  find corpus oracle properties bindings -type f \( -name '*.cpp' -o -name '*.h' \) ! -path corpus/json/json_text.h \
    ! -path properties/cli/told.cpp ! -path properties/cli/progress_line.cpp \
    -exec grep -nE '\.dump\(|print\(stderr|std::cerr <<|puts\(.*stderr' {} + || true
}

said=$(complaints "$project")
[ -z "$said" ] || { printf '%s\n' "$said"; exit 1; }

# Seeded: each way is found.
rm -rf "$work"
mkdir -p "$work"/{corpus,oracle,properties,bindings}
printf 'return json.dump();\nfmt::print(stderr, "x");\nstd::cerr << "x";\nstd::fputs("x", stderr);\nreturn json_text(json);\n' >"$work/properties/a.cpp"
said=$(complaints "$work" | wc -l)
[ "$said" -eq 4 ] || { printf '%s of 4 seeded ways were found\n' "$said"; exit 1; }
