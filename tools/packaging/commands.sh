# ./dev package: sourced by dev, whose functions (need, build, die) it uses.

package_tools=(dpkg xz-utils binutils python3)

# package [aarch64|wheel]: the tarball, its debug symbols, the Debian package and the wheel, in the build's folder packages; all
# are tried. wheel: that of `./dev verify`'s build alone, in build/wheels, for systems like this one.
package() {
  local preset=package emulator=
  case ${1:-} in
    '') ;;
    wheel)
      need python3
      build release product
      python3 tools/packaging/wheel.py build/release build/wheels
      return
      ;;
    aarch64) preset=package-aarch64 emulator=qemu-aarch64-static ;;
    *) die "package: '$1' is none of the machines that packages are made for: aarch64, or none for this one; wheel makes the wheel alone" ;;
  esac
  need "${package_tools[@]}"
  build "$preset"
  local packages=build/$preset/packages log=build/$preset/package.log
  rm -rf "$packages"
  progress "packing $preset (log: $log)"
  cpack --config "build/$preset/CPackConfig.cmake" >"$log" 2>&1 || { tail -n 20 "$log" >&2; die "cpack failed (above)"; }
  rm -rf "$packages/_CPack_Packages"
  python3 tools/packaging/wheel.py "build/$preset" "$packages" manylinux_2_34 >>"$log" 2>&1 ||
    { tail -n 20 "$log" >&2; die "no wheel could be made (above)"; }
  progress "trying the packages (log: $log)"
  tests/packaging/portable_test.sh "$packages" docs/examples "build/$preset/tried" "$emulator" >>"$log" 2>&1 ||
    { tail -n 20 "$log" >&2; die "the packages of $preset are not as they should be (above)"; }
  if [ -z "$emulator" ]; then
    tests/packaging/wheel_test.sh "$packages" "build/$preset/tried-wheel" >>"$log" 2>&1 || [ $? -eq 77 ] ||
      { tail -n 20 "$log" >&2; die "the wheel is not as it should be (above)"; }
  fi
  progress_end
  ls -lh "$packages" | awk 'NR > 1 { print $5, dir "/" $9 }' dir="$packages"
}
