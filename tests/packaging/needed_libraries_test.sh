#!/usr/bin/env bash
# What an installed tree's programs and libraries need is what the list says, and the libraries export only what is ours.
#   needed_libraries_test.sh PREFIX LIST
# Exit code 77: skipped.
set -euo pipefail
prefix=$1 list=$2
fail() { echo "$*"; exit 1; }
if [ "$(readelf --file-header "$prefix/bin/gradproof" | grep -c X86-64)" -eq 0 ]; then
  echo "skipped: the list is of x86-64"
  exit 77
fi

cd "$prefix"
while IFS= read -r file; do
  needed=$(readelf --dynamic "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort | tr '\n' ' ')
  echo "$file ${needed% }"
done < <(find bin lib -type f \( -name '*.so*' -o -name gradproof \) | sort) >found
diff <(grep -v '^#' "$list") found || fail "what is needed (right) is not what $list says (left)"

for library in $(grep -o '^lib/[^ ]*' found); do
  nm --dynamic --defined-only "$library" | awk '{ print $3 }' >exported
  ! grep -E '3fmt|3hwy|8nlohmann|^_ZN?K?St|^_ZN2tl|^_ZT.N?St' exported || fail "$library exports what is not ours (above)"
done
nm --dynamic --defined-only lib/libopapi_nn.so | grep -qw aclnnConvolutionBackward || fail "exports are not read right"
rm found exported
