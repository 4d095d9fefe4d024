#!/usr/bin/env bash
# The Debian package, on a tree that has nothing of ours: builds and runs the drop-in example, both ways.
#   debian_test.sh BUILD EXAMPLES WORK
# As root it is installed (into a folder, against the dependencies that this system has), else unpacked. Exit code 77: skipped.
set -euo pipefail
build=$1 examples=$2 work=$3
here=$(dirname "$(realpath "$0")")
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "$*"; exit 1; }
for tool in dpkg dpkg-deb dpkg-shlibdeps cpack; do
  command -v $tool >/dev/null || skip "$tool is not installed"
done
rm -rf "$work"
mkdir -p "$work/tree"
cd "$work"

cpack --config "$build/CPackConfig.cmake" -G DEB -B "$work/made" >cpack.log 2>&1 || fail "$(cat cpack.log)"
package=$(ls made/*.deb)
contents=$(dpkg-deb --contents "$package")
for path in ./usr/bin/gradproof ./usr/bin/gradproof-check-certificate ./usr/bin/gradproof-check-proof ./opt/gradproof/lib/libascendcl.so ./opt/gradproof/include/acl/acl.h \
  ./usr/share/man/man1/gradproof.1 ./usr/share/bash-completion/completions/gradproof ./usr/share/zsh/vendor-completions/_gradproof \
  ./usr/share/fish/vendor_completions.d/gradproof.fish; do
  grep -qF " $path" <<<"$contents" || fail "$package lacks $path"
done
# CANN's names stay out of the places that compilers search by themselves.
! grep -qE ' \./usr/(include|lib)/(acl|lib)' <<<"$contents" || fail "$package takes CANN's places in /usr"
dpkg-deb --field "$package" Depends | grep -q libgmp10 || fail "no dependency on libgmp10: $(dpkg-deb --field "$package" Depends)"

if [ "$(id -u)" -eq 0 ]; then
  mkdir -p admin/updates admin/info admin/triggers
  cp /var/lib/dpkg/status admin/status
  touch admin/available
  dpkg --instdir="$work/tree" --admindir="$work/admin" --install "$package" >install.log 2>&1 || fail "$(cat install.log)"
  how=installed
else
  dpkg-deb -x "$package" tree
  how=unpacked
fi

"$work/tree/usr/bin/gradproof" verify --no-stored --cases 200 --seed 1 --quiet --out results >verify.txt || fail "$(cat verify.txt)"
"$here/tools_test.sh" "$work/tree/usr"
"$here/consumer_test.sh" cmake "$work/tree/usr" "$examples" "$work/by_cmake"
"$here/consumer_test.sh" pkg-config "$work/tree/usr" "$examples" "$work/by_pkg_config"
# As a user of the README types it.
g++ -std=c++17 "$examples/convolution_backward_2d.cpp" -I"$work/tree/opt/gradproof/include" -L"$work/tree/opt/gradproof/lib" \
  -lascendcl -lnnopbase -lopapi -o typed
LD_LIBRARY_PATH=$work/tree/opt/gradproof/lib ./typed | diff "$examples/convolution_backward_2d.expected" -
echo "$package $how: $(dpkg-deb --field "$package" Depends)"
