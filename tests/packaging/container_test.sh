#!/usr/bin/env bash
# The Containerfile's steps, each in a clean Debian 12 made by debootstrap instead of an image; then the entry point runs.
#   container_test.sh SOURCES WORK
# Slow, and asks for root and the network: only with GRADPROOF_SLOW_TESTS=1. Exit code 77: skipped.
set -euo pipefail
sources=$1 work=$2
# shellcheck source=tests/packaging/containerfile_steps.sh
source "$(dirname "$0")/containerfile_steps.sh"
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "$*"; exit 1; }
[ "${GRADPROOF_SLOW_TESTS:-}" = 1 ] || skip "slow; GRADPROOF_SLOW_TESTS=1 runs it"
[ "$(id -u)" -eq 0 ] || skip "chroot is for root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# in_root ROOT FOLDER COMMAND...: nothing of the caller's environment, and no processes or mounts that outlive it.
in_root() {
  local root=$1 folder=$2
  shift 2
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive unshare --mount --pid --fork sh -c '
    mount -t proc proc "$0/proc" && root=$0 folder=$1 && shift && exec chroot "$root" env -C "$folder" "$@"' \
    "$root" "$folder" "$@"
}

debootstrap --variant=minbase bookworm base >debootstrap.log 2>&1 || fail "debootstrap: $(tail -n 20 debootstrap.log)"
cp /etc/resolv.conf base/etc/
folder=/ root=
while read -r instruction words; do
  case $instruction in
    FROM)
      [[ $words =~ ^debian:12(-slim)?( AS ([a-z]+))?$ ]] || fail "no clean Debian stands for FROM $words"
      root=${BASH_REMATCH[3]:-last} folder=/
      cp -a base "$root"
      ;;
    RUN) in_root "$root" "$folder" sh -c "$words" >>"$root.log" 2>&1 </dev/null || fail "RUN $words: $(tail -n 20 "$root.log")" ;;
    WORKDIR) folder=$words && mkdir -p "$root$folder" ;;
    COPY)
      from=$sources
      [[ ! $words =~ ^--from=([a-z]+)\ (.*)$ ]] || { from=${BASH_REMATCH[1]} words=${BASH_REMATCH[2]}; }
      to=${words##* }
      [[ $to == /* ]] || to=$folder/$to
      for path in ${words% *}; do
        # A folder's contents go to the place that is named, a file into it.
        if [ -d "$from/$path" ]; then mkdir -p "$root$to" && cp -r "$from/$path/." "$root$to"; else cp "$from/$path" "$root$to"; fi
      done
      ;;
    ENTRYPOINT) read -r entry < <(sed 's/[]["]//g; s/,/ /g' <<<"$words") ;;
    *) fail "this test does not know $instruction" ;;
  esac
done < <(steps "$sources/Containerfile")

in_root "$root" "$folder" "$entry" verify --cases 200 --seed 1 >verify.txt || fail "$entry verify: exit code $?, $(cat verify.txt)"
grep -qE '^verify: [0-9]{3,} cases: [1-9][0-9]* agreed, 0 disagreed' verify.txt || fail "verify says: $(tail -n 1 verify.txt)"
[ -s "$root$folder/gradproof-out/report.html" ] || fail "no report is left in $folder"
echo "$(du -sm "$root/opt/gradproof" | cut -f 1) MB in $(du -sm "$root" | cut -f 1) MB; $(tail -n 1 verify.txt)"
rm -rf base build last
