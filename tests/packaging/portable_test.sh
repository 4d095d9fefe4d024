#!/usr/bin/env bash
# What ./dev package made runs on every system with glibc 2.34: what each program and library needs, sizes, symbols, terms.
#   portable_test.sh PACKAGES EXAMPLES WORK [EMULATOR]
set -euo pipefail
packages=$(realpath "$1") examples=$2 work=$3 emulator=${4:-}
here=$(dirname "$(realpath "$0")")
glibc=2.34
largest=8000000
fail() { echo "$*"; exit 1; }
tarball=$(ls "$packages"/*.tar.xz | grep -v -e -debug)
"$here/archive_test.sh" "$tarball" "$examples" "$work" "$emulator"
cd "$work"
mkdir package
dpkg-deb -x "$packages"/*.deb package
cp -r "some where else"/gradproof-* package/
tar -xf "$packages"/*-debug.tar.xz -C package
python3 -m zipfile -e "$packages"/*-manylinux_2_34_*.whl package/wheel
[ "$(stat -c %s "$tarball")" -lt $largest ] || fail "$tarball has $(stat -c %s "$tarball") bytes, more than $largest"

# newest NAME FILE: the highest version of the library's symbols that the file needs.
newest() { readelf --version-info --wide "$2" | grep -oE "Name: $1_[0-9.]+" | sed "s/.*_//" | sort -uV | tail -n 1; }

# needs FILE: what it loads, of others. GMP comes along.
needs() { readelf --dynamic "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^lib(ascendcl|nnopbase|opapi_nn|tiling_api|ascendc_runtime)\.so$|^libgmp\.so\.10$'; }

# sections FILE: readelf complains that symbols alone name no loader.
sections() { readelf --sections --wide "$1" 2>/dev/null || true; }

count=0
while IFS= read -r -d '' file; do
  head -c 4 "$file" | grep -qF ELF || continue
  count=$((count + 1))
  needs "$file" | grep -vE '^(libc\.so\.6|libm\.so\.6|libgcc_s\.so\.1|ld-linux-.*\.so\.[12])$' >foreign || true
  [ ! -s foreign ] || fail "$file needs $(cat foreign)"
  version=$(newest GLIBC "$file")
  [ "$(printf '%s\n' "$version" $glibc | sort -V | tail -n 1)" = $glibc ] ||
    fail "$file needs glibc $version: $(readelf --dyn-syms --wide "$file" | grep "@GLIBC_$version")"
  echo "$version" >>versions
  [[ $file != *libgmp.so.10 ]] || continue  # Debian's own, stripped
  [ -z "$(newest GLIBCXX "$file")" ] || fail "$file needs the C++ library of the system"
  [[ ! $(sections "$file") =~ \.(symtab|debug_info) ]] || fail "$file is not stripped"
  id=$(readelf --notes "$file" | sed -n 's/.*Build ID: //p')
  debug=$(dirname "$file" | sed -E 's#^package/(opt|wheel)/gradproof#package/gradproof-*#')
  # shellcheck disable=SC2086
  symbols=$(ls $debug/.debug/"$(basename "$file")"*.debug) || fail "$file: no debug symbols"
  [[ -n $id && $(readelf --notes "$symbols") == *"Build ID: $id"* ]] || fail "$file: the debug symbols are another build's"
  [[ $(sections "$symbols") == *.debug_info* ]] || fail "$symbols holds none"
  # shellcheck disable=SC2001
  ! grep -qaF "$(sed 's|/tests/packaging$||' <<<"$here")" "$file" || fail "$file knows the folder that it was built in"
done < <(find package -type f -not -path '*/.debug/*' -print0)
[ "$count" -eq 42 ] || fail "$count programs and libraries were looked at, not 42: 16 of the tarball, 16 of the Debian package, 10 of the wheel"

machine=$(readelf --file-header package/opt/gradproof/bin/gradproof | sed -n 's/ *Machine: *//p')
case $machine:$(dpkg-deb --field "$packages"/*.deb Architecture) in
  *X86-64:amd64 | AArch64:arm64) ;;
  *) fail "the Debian package is of $(dpkg-deb --field "$packages"/*.deb Architecture), its programs of $machine" ;;
esac
depends=$(dpkg-deb --field "$packages"/*.deb Depends)
[ "$depends" = "libc6 (>= $glibc), libgcc-s1" ] || fail "the Debian package depends on $depends"
for terms in libgmp-dev libfmt-dev nlohmann-json3-dev libexpected-dev libcli11-dev libhwy-dev nettle-dev libstdc++6 LGPL-3 GPL-3; do
  [ -s package/opt/gradproof/share/doc/gradproof/licenses/$terms ] || fail "the terms of $terms are not in the package"
done
echo "$count programs and libraries; newest glibc needed: $(sort -uV versions | tail -n 1)"
