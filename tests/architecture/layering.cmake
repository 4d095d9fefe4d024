# Reads every #include of the project and holds it against the table of allowed edges.
#   cmake -DROOT=<project> -DCLAIM=every_include_is_allowed -P layering.cmake
#   cmake -DROOT=<project> -DSCRATCH=<folder> -DCLAIM=planted_violations_are_found -P layering.cmake
cmake_minimum_required(VERSION 3.25)

# What each folder may include of ours. "cann" stands for the public headers in kernel/include.
set(corpus_may_include corpus)
set(oracle_may_include oracle corpus)
set(properties_may_include properties oracle corpus cann)
set(cann_may_include cann)
set(kernel_may_include kernel cann)
set(adapters_may_include adapters cann)
foreach(folder fuzz tests bench docs)
  set(${folder}_may_include corpus kernel cann oracle properties adapters ${folder})
endforeach()
set(lint_may_include)
list(APPEND tests_may_include fuzz)
set(folders corpus oracle properties kernel adapters fuzz tests bench docs lint)

# Inside kernel/ a layer may include only itself and those before it.
# with_faults stands on all of them, and nothing on it.
set(kernel_layers numeric device cube ascendc operators api with_faults)

# Top-level folders of kernel/include, and the headers that stand there by themselves.
set(cann_prefixes acl aclnn aclnnop error_codes gradproof lib tiling)
set(cann_headers kernel_operator.h kernel_launcher.h)

# folder_of(<path> <out>): the folder of the table that a path belongs to, or empty if it is none of ours.
function(folder_of path out)
  set(${out} "" PARENT_SCOPE)
  if(path MATCHES "^kernel/include/" OR path IN_LIST cann_headers)
    set(${out} cann PARENT_SCOPE)
    return()
  endif()
  string(REGEX MATCH "^[^/]+" first "${path}")
  if(first IN_LIST cann_prefixes)
    set(${out} cann PARENT_SCOPE)
  elseif(first IN_LIST folders)
    set(${out} ${first} PARENT_SCOPE)
  endif()
endfunction()

# violation_of(<file> <included> <out>): why this edge is not allowed, or empty.
function(violation_of file included out)
  set(${out} "" PARENT_SCOPE)
  folder_of("${file}" from)
  folder_of("${included}" to)
  if(to STREQUAL "" OR from STREQUAL "")
    return()
  endif()
  if(NOT to IN_LIST ${from}_may_include)
    list(JOIN ${from}_may_include ", " allowed)
    set(${out} "${file} includes ${included}: ${from} may include only ${allowed}" PARENT_SCOPE)
    return()
  endif()
  if(from STREQUAL "kernel" AND to STREQUAL "kernel")
    string(REGEX REPLACE "^kernel/([^/]+).*$" "\\1" from_layer "${file}")
    string(REGEX REPLACE "^kernel/([^/]+).*$" "\\1" to_layer "${included}")
    list(FIND kernel_layers "${from_layer}" from_rank)
    list(FIND kernel_layers "${to_layer}" to_rank)
    if(to_rank GREATER from_rank)
      list(JOIN kernel_layers ", " order)
      set(${out} "${file} includes ${included}: kernel's layers are, lowest first, ${order}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# check_tree(<root> <out violations> <out number of includes>)
function(check_tree root out_violations out_count)
  set(violations "")
  set(count 0)
  foreach(folder IN LISTS folders)
    file(GLOB_RECURSE sources RELATIVE ${root} ${root}/${folder}/*.h ${root}/${folder}/*.hpp ${root}/${folder}/*.cpp)
    foreach(source IN LISTS sources)
      file(STRINGS ${root}/${source} lines REGEX "^[ \t]*#[ \t]*include")
      foreach(line IN LISTS lines)
        if(line MATCHES "[<\"]([^>\"]+)[>\"]")
          math(EXPR count "${count} + 1")
          set(included "${CMAKE_MATCH_1}")
          if(included MATCHES "^\\.\\.?/")
            list(APPEND violations "${source} includes ${included}: paths are written from the root")
          endif()
          violation_of("${source}" "${included}" violation)
          if(violation)
            list(APPEND violations "${violation}")
          endif()
        endif()
      endforeach()
    endforeach()
  endforeach()
  set(${out_violations} "${violations}" PARENT_SCOPE)
  set(${out_count} ${count} PARENT_SCOPE)
endfunction()

if(CLAIM STREQUAL "every_include_is_allowed")
  check_tree(${ROOT} violations count)
  if(violations)
    list(JOIN violations "\n  " text)
    message(FATAL_ERROR "includes that the architecture forbids:\n  ${text}")
  endif()
  if(count LESS 100)
    message(FATAL_ERROR "only ${count} includes were read: the check does not see the sources")
  endif()
  message(STATUS "${count} includes read, all allowed")
elseif(CLAIM STREQUAL "planted_violations_are_found")
  set(planted
    "oracle/planted.cpp|kernel/device/memory.h"
    "oracle/planted.cpp|acl/acl.h"
    "oracle/planted.cpp|gradproof/graph_operators.hpp"
    "oracle/planted.cpp|properties/check.h"
    "kernel/operators/planted.cpp|oracle/judge.h"
    "kernel/operators/planted.cpp|corpus/case.h"
    "kernel/include/acl/planted.h|kernel/device/memory.h"
    "kernel/device/planted.cpp|kernel/api/executor.h"
    "corpus/planted.cpp|oracle/judge.h"
    "properties/planted.cpp|kernel/device/memory.h"
    "adapters/planted.cpp|kernel/api/objects.h"
    "adapters/planted.cpp|properties/check.h"
    "properties/planted.cpp|adapters/objects.h"
    "properties/planted.cpp|../kernel/device/memory.h")
  foreach(edge IN LISTS planted)
    string(REPLACE "|" ";" edge "${edge}")
    list(GET edge 0 file)
    list(GET edge 1 included)
    file(REMOVE_RECURSE ${SCRATCH})
    file(WRITE ${SCRATCH}/${file} "#include \"${included}\"\n")
    check_tree(${SCRATCH} violations count)
    list(LENGTH violations found)
    if(NOT found EQUAL 1)
      message(FATAL_ERROR "planted in ${file}: #include \"${included}\"; found ${found} violations: ${violations}")
    endif()
  endforeach()
  file(WRITE ${SCRATCH}/properties/allowed.cpp "#include \"oracle/judge.h\"\n#include <acl/acl.h>\n#include <vector>\n")
  file(REMOVE ${SCRATCH}/properties/planted.cpp)
  check_tree(${SCRATCH} violations count)
  if(violations OR NOT count EQUAL 3)
    message(FATAL_ERROR "allowed includes are refused: ${violations}")
  endif()
else()
  message(FATAL_ERROR "CLAIM must be every_include_is_allowed or planted_violations_are_found, not '${CLAIM}'")
endif()
