# What every target of the project shares: language level, warnings, sanitizers, and one way to declare a folder's library.

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

add_library(gradproof_flags INTERFACE)
target_compile_features(gradproof_flags INTERFACE cxx_std_20)
target_include_directories(gradproof_flags INTERFACE ${PROJECT_SOURCE_DIR})
# No contraction of a*b+c: results must not depend on the instruction set the compiler may use.
target_compile_options(gradproof_flags INTERFACE -Wall -Wextra -Werror -ffp-contract=off)
if(GRADPROOF_SANITIZE)
  target_compile_options(gradproof_flags INTERFACE
    -fsanitize=${GRADPROOF_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(gradproof_flags INTERFACE -fsanitize=${GRADPROOF_SANITIZE})
endif()
if(GRADPROOF_COVERAGE)
  # Counted right by several threads at once.
  target_compile_options(gradproof_flags INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(gradproof_flags INTERFACE --coverage)
endif()

# gradproof_library(<folder> SOURCES <files> [DEPENDS <targets>])
# One library a folder: target gradproof_<folder>, alias gradproof::<folder>. What DEPENDS does not name, the folder may
# not include (tests/architecture checks every include).
function(gradproof_library folder)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(gradproof_${folder} STATIC ${arg_SOURCES})
  add_library(gradproof::${folder} ALIAS gradproof_${folder})
  target_link_libraries(gradproof_${folder} PUBLIC gradproof_flags ${arg_DEPENDS})
endfunction()
