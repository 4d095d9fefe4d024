# How ./dev installs packages and builds: sourced by dev, whose die() and skip() it uses.

# library_packages NEEDED_BY: the packages in the rows of CMake's table.
library_packages() { awk -F ' *[|] *' -v row="  \"$1" '$1 == row { print $4 }' tools/cmake/gradproof_dependencies.cmake; }

mapfile -t build_packages < <(printf '%s\n' g++ cmake ninja-build ccache; library_packages product)
mapfile -t fuzz_packages < <(library_packages fuzz)
mapfile -t test_packages < <(printf '%s\n' pkg-config; library_packages tests; library_packages fuzz)
mapfile -t bench_packages < <(library_packages bench)
clang_packages=(clang libclang-rt-dev)   # sanitizers; the drop-in tests compile with both compilers
report_packages=(llvm)                   # sanitizers' reports name lines of the source
afl_packages=(afl++)
# A cross build, and what its tests run under.
aarch64_packages=(g++-aarch64-linux-gnu qemu-user-static libgmp-dev:arm64 libfmt-dev:arm64 nettle-dev:arm64 libgtest-dev:arm64
  libgmock-dev:arm64 librapidcheck-dev:arm64)

jobs() { nproc 2>/dev/null || echo 2; }

# progress TEXT: on a terminal one line that is written over; elsewhere a line, at most one every ten seconds.
progress_at=-10
progress() {
  if [ -t 2 ]; then
    local width
    width=$(tput cols 2>/dev/null || echo 80)
    printf '\r\033[K%.*s' $((width - 1)) "dev: $1" >&2
  elif ((SECONDS - progress_at >= 10)); then
    progress_at=$SECONDS
    printf 'dev: %s\n' "$1" >&2
  fi
}
progress_end() { [ ! -t 2 ] || printf '\r\033[K' >&2; }

as_clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# show_install COUNT LOG: reads apt-get's status lines (kind:package:percent:text) and shows them.
show_install() {
  local percent
  while IFS=: read -r _ _ percent _; do
    progress "installing $1 packages, ${percent%%.*} % (log: $2)"
  done
  progress_end
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# need PACKAGE...: installs those that are missing, and asks nothing when none is.
need() {
  command -v dpkg-query >/dev/null ||
    die "this is no Debian system (no dpkg-query); docs/install.md says what other systems need instead of: $*"
  local missing=() package architecture native
  native=$(dpkg --print-architecture)
  for package in "$@"; do
    architecture=$native
    [[ $package != *:* ]] || architecture=${package##*:}
    dpkg-query -W -f='${Architecture} ${db:Status-Status}\n' "$package" 2>/dev/null |
      grep -qxE "($architecture|all) installed" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
    die "missing packages: ${missing[*]}; run this as root, or install sudo"
  printf 'dev: installing %s\n' "${missing[*]}" >&2
  local log=build/setup.log
  mkdir -p build
  as_root apt-get -q -o Acquire::Retries=3 update >"$log" 2>&1 ||
    printf 'dev: apt-get update failed; continuing with the package lists that are here\n' >&2
  if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Acquire::Retries=3 -o APT::Status-Fd=3 \
    install --no-install-recommends "${missing[@]}" 3>&1 >>"$log" 2>&1 | show_install ${#missing[@]} "$log"; then
    tail -n 20 "$log" >&2
    die "apt-get could not install: ${missing[*]} (log above)"
  fi
}

# need_aarch64: the cross compiler, and libraries of the foreign architecture. Not every machine can have them.
need_aarch64() {
  [ "$(uname -m)" != aarch64 ] || skip "this machine is an aarch64 itself, which needs no cross build: ./dev test"
  local added=''
  if ! dpkg --print-foreign-architectures | grep -qx arm64; then
    printf 'dev: adding arm64 to the architectures that packages are installed for\n' >&2
    as_root dpkg --add-architecture arm64 && added=yes
  fi
  (need "${aarch64_packages[@]}") || {
    [ -z "$added" ] || as_root dpkg --remove-architecture arm64 || true  # refused once a package is installed for it
    skip "no packages for arm64: the mirrors that apt knows must carry that architecture, as Debian's do"
  }
}

# want PACKAGE...: like need, but continues without.
want() {
  (need "$@") || printf 'dev: continuing without %s; tests that need it say that they are skipped\n' "$*" >&2
}

# show_build PRESET LOG: reads a build's output, keeps it in the log, and shows objects done of all and the time left,
# which the first few of them do not tell.
show_build() {
  local preset=$1 log=$2 line start=$SECONDS done_ total elapsed left=''
  : >"$log"
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    done_=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]} elapsed=$((SECONDS - start))
    [ $elapsed -lt 5 ] || [ $((20 * done_)) -lt "$total" ] || left=", about $(as_clock $((elapsed * (total - done_) / done_))) left"
    progress "building $preset: $done_ of $total steps$left (log: $log)"
  done
  progress_end
}

# packages_of PRESET: what its build needs, into the array `packages`.
packages_of() {
  packages=("${build_packages[@]}")
  case $1 in dev | debug | clang | asan | tsan | coverage) packages+=("${test_packages[@]}") ;; esac
  case $1 in libfuzzer | afl | fuzz-coverage) packages+=("${fuzz_packages[@]}") ;; esac
  case $1 in bench | clang) packages+=("${bench_packages[@]}") ;; esac
  case $1 in clang | asan | tsan | libfuzzer | afl | fuzz-coverage) packages+=("${clang_packages[@]}") ;; esac
  case $1 in asan | tsan | libfuzzer) packages+=("${report_packages[@]}") ;; esac
  case $1 in afl) packages+=("${afl_packages[@]}") ;; esac
}

# build PRESET [TARGET...]: configures and builds the preset's own targets unless some are named; prints only what matters.
build() {
  local preset=$1 log=build/$1/build.log packages
  grep -q "\"name\": \"$preset\", \"configurePreset\"" CMakePresets.json ||
    die "no preset is named '$preset'; there are: $(sed -n 's/.*"name": "\([a-z0-9-]*\)", "configurePreset".*/\1/p' \
      CMakePresets.json | sort -u | tr '\n' ' ')"
  packages_of "$preset"
  need "${packages[@]}"
  case $preset in aarch64 | package-aarch64) need_aarch64 ;; esac
  if [ "$preset" = afl ]; then export AFL_LLVM_DENYLIST=$PWD/fuzz/afl_not_instrumented.txt AFL_QUIET=1; fi
  progress "configuring $preset"
  cmake --preset "$preset" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache --log-level=WARNING >/dev/null ||
    die "configuring the preset '$preset' failed (above)"
  cmake --build --preset "$preset" --parallel "$(jobs)" ${2:+--target "${@:2}"} 2>&1 | show_build "$preset" "$log" || {
    grep -E -A 12 'error|FAILED' "$log" | head -n 60 >&2
    die "the build of the preset '$preset' failed (above; whole log: $log)"
  }
}
