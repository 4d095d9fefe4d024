# What every target of the project shares: language level, warnings, sanitizers, linker, and one way to declare a folder's
# library.
include(gradproof_units)

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

add_library(gradproof_flags INTERFACE)
target_compile_features(gradproof_flags INTERFACE cxx_std_20)
target_include_directories(gradproof_flags INTERFACE ${PROJECT_SOURCE_DIR})
# No contraction of a*b+c: results must not depend on the instruction set the compiler may use.
target_compile_options(gradproof_flags INTERFACE -Wall -Wextra -ffp-contract=off)
# GCC looks for garbage less often: 6 % less to compile, for a fifth more memory.
target_compile_options(gradproof_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-expand=300>)
if(GRADPROOF_WERROR)
  target_compile_options(gradproof_flags INTERFACE -Werror)
endif()
if(GRADPROOF_SANITIZE)
  # Null pointers and ends of objects are what AddressSanitizer looks for at the access itself.
  set(sanitizer_options -fsanitize=${GRADPROOF_SANITIZE} -fno-sanitize=null,object-size -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(gradproof_flags INTERFACE ${sanitizer_options})
  target_link_options(gradproof_flags INTERFACE -fsanitize=${GRADPROOF_SANITIZE})
endif()
# The level of loops that become vectors only then. Instrumented they gain nothing and cost the compiler minutes.
if(GRADPROOF_SANITIZE OR GRADPROOF_COVERAGE)
  set(gradproof_vectorising -O1)
else()
  set(gradproof_vectorising -O3)
endif()
if(GRADPROOF_COVERAGE)
  # Counted right by several threads at once.
  target_compile_options(gradproof_flags INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(gradproof_flags INTERFACE --coverage)
endif()

# A faster linker where there is one. A cross compiler has its own.
find_program(GRADPROOF_MOLD mold)
find_program(GRADPROOF_LLD ld.lld)
if(GRADPROOF_MOLD AND NOT CMAKE_CROSSCOMPILING)
  add_link_options(-fuse-ld=mold)
elseif(GRADPROOF_LLD AND NOT CMAKE_CROSSCOMPILING)
  add_link_options(-fuse-ld=lld)
endif()

if(NOT GRADPROOF_SANITIZE)
  # Some distributions' compilers do so by themselves, and what is needed should not depend on them.
  add_link_options(LINKER:--as-needed)
endif()
if(GRADPROOF_PORTABLE)
  # Not libgcc: Debian's static one needs glibc 2.35. The shared one is on every system, as glibc itself asks for it.
  # Collected: what nothing calls in the C++ library asks for newer functions of glibc (random_device for arc4random, 2.36).
  add_link_options(-static-libstdc++ LINKER:--exclude-libs,ALL LINKER:--gc-sections)
endif()

# gradproof_own_exports(<shared library>): it exports nothing that comes from other libraries' headers.
function(gradproof_own_exports library)
  if(GRADPROOF_SANITIZE)
    return()
  endif()
  set(map ${PROJECT_SOURCE_DIR}/tools/cmake/exports.map)
  target_link_options(${library} PRIVATE LINKER:--version-script=${map})
  set_property(TARGET ${library} APPEND PROPERTY LINK_DEPENDS ${map})
  if(GRADPROOF_PORTABLE)
    target_sources(${library} PRIVATE ${PROJECT_SOURCE_DIR}/tools/cmake/exception_globals.cpp)
  endif()
endfunction()

# fmt as a static library of ours where its version is one that tools/cmake/fmt.cpp instantiates.
add_library(gradproof_fmt INTERFACE)
file(STRINGS ${GRADPROOF_fmt_core_h_FOLDER}/fmt/core.h fmt_version_9 REGEX "^#define FMT_VERSION 9[0-9][0-9][0-9][0-9]$")
if(fmt_version_9)
  add_library(gradproof_compiled_fmt STATIC ${PROJECT_SOURCE_DIR}/tools/cmake/fmt.cpp)
  target_compile_features(gradproof_compiled_fmt PUBLIC cxx_std_20)
  target_compile_options(gradproof_compiled_fmt PRIVATE ${sanitizer_options})
  target_link_libraries(gradproof_compiled_fmt PUBLIC fmt::headers)
  # What a shared library takes of it is no part of what it exports.
  set_target_properties(gradproof_compiled_fmt PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_link_libraries(gradproof_fmt INTERFACE gradproof_compiled_fmt)
else()
  target_link_libraries(gradproof_fmt INTERFACE fmt::headers)
  target_compile_definitions(gradproof_fmt INTERFACE FMT_HEADER_ONLY)
endif()
add_library(gradproof::fmt ALIAS gradproof_fmt)

# gradproof_library(<folder> SOURCES <files> [DEPENDS <targets>])
# One library a folder: target gradproof_<folder>, alias gradproof::<folder>. What DEPENDS does not name, the folder may
# not include (tests/architecture checks every include).
function(gradproof_library folder)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  gradproof_units(units gradproof_${folder} ${PROJECT_SOURCE_DIR} ${arg_SOURCES})
  add_library(gradproof_${folder} STATIC ${units})
  add_library(gradproof::${folder} ALIAS gradproof_${folder})
  target_link_libraries(gradproof_${folder} PUBLIC gradproof_flags ${arg_DEPENDS})
endfunction()
