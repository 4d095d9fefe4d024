# What Gradproof is built from, a row for each library. CMake looks for all that a configuration needs before it complains,
# and names the packages that hold what is missing. ./dev installs from the same rows; a test holds docs/install.md and
# the Containerfile against them.
#
# needed by | what | found as: a header and its library, or a CMake package | Debian, Ubuntu | openEuler | target
set(gradproof_dependencies
  "product | GMP              | gmpxx.h gmp        | libgmp-dev         | gmp-devel     | gmp::gmp"
  "product | fmt              | fmt/core.h         | libfmt-dev         | fmt-devel     | fmt::headers"
  "product | nlohmann-json    | nlohmann/json.hpp  | nlohmann-json3-dev | nlohmann_json | nlohmann_json::nlohmann_json"
  "product | tl::expected     | tl/expected.hpp    | libexpected-dev    |               | tl::expected"
  "product | CLI11            | CLI/CLI.hpp        | libcli11-dev       |               | CLI11::CLI11"
  "product | Highway          | hwy/highway.h      | libhwy-dev         |               | highway"
  "product | Nettle           | nettle/sha2.h nettle | nettle-dev      | nettle-devel  | nettle::nettle"
  "product | Capstone         | capstone/capstone.h capstone | libcapstone-dev | capstone-devel | capstone::capstone"
  "fuzz    | RapidCheck       | package rapidcheck | librapidcheck-dev  |               |"
  "tests   | GoogleTest       | package GTest      | libgtest-dev       | gtest-devel   |"
  "tests   | GoogleMock       | gmock/gmock.h      | libgmock-dev       | gmock-devel   |"
  "bench   | Google Benchmark | package benchmark  | libbenchmark-dev   |               |")

# gradproof_find_dependencies(<needed by>...): finds those rows and defines their targets, or ends with one message about
# all that are missing.
function(gradproof_find_dependencies)
  set(missing "")
  set(debian "")
  set(openeuler "")
  foreach(row IN LISTS gradproof_dependencies)
    string(REGEX REPLACE " *\\| *" ";" row "${row}")
    list(GET row 0 needed_by)
    if(NOT needed_by IN_LIST ARGN)
      continue()
    endif()
    list(POP_FRONT row needed_by what found_as debian_package openeuler_package target)
    gradproof_find_dependency(found "${found_as}" "${target}")
    if(NOT found)
      string(APPEND missing "    ${what} (${found_as})\n")
      list(APPEND debian ${debian_package})
      if(openeuler_package)
        list(APPEND openeuler ${openeuler_package})
      endif()
    endif()
  endforeach()
  if(missing)
    list(JOIN debian " " debian)
    string(APPEND missing "  Debian, Ubuntu:\n    apt-get install ${debian}\n")
    if(openeuler)
      list(JOIN openeuler " " openeuler)
      string(APPEND missing "  openEuler, which may lack others:\n    dnf install ${openeuler}\n")
    endif()
    message(FATAL_ERROR "Not found:\n${missing}"
      "  A library that lies elsewhere is found by -DCMAKE_PREFIX_PATH=FOLDER, where FOLDER/include has the header.\n"
      "  More: docs/install.md")
  endif()
endfunction()

# gradproof_find_dependency(<out> <found as> <target>)
function(gradproof_find_dependency out found_as target)
  separate_arguments(found_as)
  list(POP_FRONT found_as first second)
  if(first STREQUAL "package")
    find_package(${second} QUIET)
    set(${out} ${${second}_FOUND} PARENT_SCOPE)
    return()
  endif()
  string(MAKE_C_IDENTIFIER "${first}" name)
  find_path(GRADPROOF_${name}_FOLDER ${first})
  set(found ${GRADPROOF_${name}_FOLDER})
  if(found AND second)
    # What is portable brings the library along. Debian's archive of GMP cannot go into a shared library.
    if(GRADPROOF_PORTABLE AND NOT second STREQUAL "gmp")
      set(second lib${second}.a)
    endif()
    find_library(GRADPROOF_${second}_LIBRARY ${second})
    set(found ${GRADPROOF_${second}_LIBRARY})
  endif()
  if(found AND target)
    add_library(${target} INTERFACE IMPORTED)
    target_include_directories(${target} INTERFACE ${GRADPROOF_${name}_FOLDER})
    target_link_libraries(${target} INTERFACE ${GRADPROOF_${second}_LIBRARY})
  endif()
  set(${out} ${found} PARENT_SCOPE)
endfunction()
