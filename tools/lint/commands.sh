# ./dev lint: sourced by dev, whose functions (need, want, die, jobs) it uses.

lint_packages=(clang-format clang-tidy git)
plugin_packages=(libclang-dev llvm-dev)  # optional: without the plugin clang-tidy takes four times as long
seeded_violations=7

sources() { git ls-files -co --exclude-standard '*.h' '*.cpp'; }

# Builds the plugin where clang's headers are, and prints the option that loads it.
tidy_plugin() {
  (need "${plugin_packages[@]}") >&2 || {
    printf 'dev: continuing without %s: clang-tidy takes four times as long\n' "${plugin_packages[*]}" >&2
    return 0
  }
  local plugin=build/lint/tidy/own_declarations.so
  mkdir -p build/lint/tidy
  if [ tools/lint/own_declarations.cpp -nt "$plugin" ]; then
    # shellcheck disable=SC2046
    clang++ $(llvm-config --cxxflags) -std=c++17 -shared tools/lint/own_declarations.cpp -o "$plugin" >&2 ||
      die "the plugin of clang-tidy does not compile (above)"
  fi
  echo "--load=$plugin"
}

# Fails unless clang-tidy, called as it will be, finds what is seeded, in a source and in a unit: silence must mean something.
# Macros are looked at in a source by itself alone, so the unit has one violation less.
find_seeded() {
  local source found expected=$seeded_violations unit=build/lint/tidy/seeded_unit.cpp
  printf '%s\n' '// NOLINTNEXTLINE(bugprone-suspicious-include)' '#include "tools/lint/seeded.cpp"' >"$unit"
  for source in tools/lint/seeded.cpp "$unit"; do
    found=$(clang-tidy --quiet "$@" "$source" -- -std=c++20 "-I$PWD" 2>/dev/null | grep -c 'error:') || true
    [ "$found" -eq "$expected" ] ||
      die "clang-tidy finds $found of the $expected violations in $source: its silence would mean nothing"
    expected=$((seeded_violations - 1))
  done
}

# tidy_commands: a line for each source of the preset lint, or unit of several: source, tab, the first of its compile commands.
tidy_commands() {
  sed -e 's/\\"/"/g' -e 's/\\\\/\\/g' build/lint/compile_commands.json |
    awk 'sub(/^ *"command": "([^ ]*ccache )?/, "") { sub(/",$/, ""); command = $0 }
         sub(/^ *"file": "/, "") { sub(/",?$/, ""); if (!seen[$0]++) print $0 "\t" command }'
}

# precompiled_commands: reads those lines and prints a compile_commands.json for clang-tidy, where sources use the system's
# headers precompiled. One such header for each set of options that many sources share; clang refuses it to any other.
precompiled_commands() {
  local headers=build/lint/tidy/headers name options
  rm -rf "$headers"
  mkdir -p "$headers"
  awk -F '\t' -v folder="$PWD/build/lint" -v headers="$PWD/$headers" '
    function options_of(command) {
      sub(/^[^ ]+ /, "", command)
      sub(/ -o [^ ]+ -c [^ ]+$/, "", command)
      gsub(/(^| )-(D|I)[^ ]+/, "", command)
      gsub(/ -isystem [^ ]+/, "", command)
      return command
    }
    function quoted(text) { gsub(/\\/, "&&", text); gsub(/"/, "\\\\&", text); return "\"" text "\"" }
    { source[NR] = $1; command[NR] = $2; options[NR] = options_of($2); count[options[NR]]++ }
    END {
      for (line = 1; line <= NR; line++) {
        own = options[line]
        if (count[own] >= 20 && !(own in header)) {
          header[own] = headers "/" ++headers_made ".pch"
          print own >(headers "/" headers_made ".options")
        }
        if (own in header) sub(/ -o /, " -include-pch " header[own] "&", command[line])
        print (line == 1 ? "[" : ",") "{\"directory\": " quoted(folder) ", \"command\": " quoted(command[line]) \
          ", \"file\": " quoted(source[line]) "}"
      }
      print "]"
    }'
  for name in "$headers"/*.options; do
    options=$(<"$name")
    # shellcheck disable=SC2086  # several options
    clang++ -x c++-header $options -DNDEBUG -DGTEST_HAS_PTHREAD=1 -fpch-instantiate-templates tools/lint/system_headers.h \
      -o "${name%.options}.pch" >&2 || die "the headers of clang-tidy do not compile (above)"
  done
}

# tidy_settings: a digest of what decides about every source: clang-tidy itself, its checks, the plugin, and these scripts.
tidy_settings() {
  {
    clang-tidy --version | grep version
    sha256sum <"$(command -v clang-tidy)"
    git ls-files -co --exclude-standard '*.clang-tidy' 'tools/lint/*.cpp' 'tools/lint/*.h' 'tools/lint/*.sh' | xargs sha256sum
  } | sha256sum
}

# tidied_sources: units of several sources, then every other one but the pages' and those above, the one that includes what its test
# makes, and what no target compiles because its library is not here. The kernel with faults has the kernel's sources.
tidied_sources() {
  local source units
  units=$(cut -f 1 "$TIDY_COMMANDS" | grep "^$PWD/build/lint/.*/units/" | grep -v /with_faults/) || true
  [ -z "$units" ] || sed "s|^$PWD/||" <<<"$units"
  git ls-files -co --exclude-standard '*.cpp' | grep -v -e '^docs/' -e '^tools/lint/' -e '^tests/drop_in/families/inventory.cpp$' |
    grep -vxF -f <(xargs -r sed -n 's/^#include "\(.*\)"$/\1/p' <<<"$units") |
    while read -r source; do
      [[ $source != adapters/* && $source != bench/* ]] || grep -qF "$PWD/$source"$'\t' "$TIDY_COMMANDS" || {
        printf 'dev: lint does not look at %s: its library is not installed\n' "$source" >&2
        continue
      }
      printf '%s\n' "$source"
    done
}

# tidy [OPTION]: clang-tidy on every source that changed since it was clean; says how many did not.
# States that were clean are kept next to ccache's folder, so that a CI system keeps both alike.
tidy() {
  local log=build/lint/tidy/tidy.log
  export TIDY_OPTIONS="--quiet $* -p build/lint/tidy" TIDY_COMMANDS=build/lint/tidy/commands.tsv TIDY_SETTINGS TIDY_CACHE
  TIDY_CACHE=$(dirname "${CCACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ccache}")/gradproof/lint
  TIDY_SETTINGS=$(tidy_settings)
  mkdir -p "$TIDY_CACHE"
  tidy_commands >"$TIDY_COMMANDS"
  precompiled_commands <"$TIDY_COMMANDS" >build/lint/tidy/compile_commands.json
  tidied_sources | xargs -P "$(jobs)" -n 1 tools/lint/tidy.sh >"$log" 2>/dev/null || {
    grep -E -A 4 'error:|warning:' "$log" | head -n 80 >&2
    die "clang-tidy has findings (above; whole log: $log)"
  }
  find "$TIDY_CACHE" -type f -mtime +30 -delete
  grep -c '^unchanged: ' "$log" || true
}

lint() {
  need "${build_packages[@]}" "${clang_packages[@]}" "${lint_packages[@]}"
  sources | xargs clang-format --dry-run -Werror || die "not in the project's format; ./dev format corrects it"
  cmake --preset lint -DGRADPROOF_UNITY="${GRADPROOF_LINT_UNITS:-ON}" --log-level=WARNING >/dev/null || die "configuring for clang-tidy failed (above)"
  local plugin unchanged
  plugin=$(tidy_plugin)
  find_seeded ${plugin:+"$plugin"}
  unchanged=$(tidy ${plugin:+"$plugin"}) || exit 1
  echo "lint: $(sources | wc -l) files formatted and clean ($unchanged sources were clean before and have not changed)"
}
