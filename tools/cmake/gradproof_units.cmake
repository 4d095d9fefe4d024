# Most of what a source costs is reading headers and instantiating their templates, so sources are compiled together: a unit is
# a generated file that includes up to `gradproof_unit_size` of them. Four units of 16 files cost a third more than one of 64.
# CMake's own UNITY_BUILD writes absolute paths into its units, so that no two clones would share a compiled one.
option(GRADPROOF_UNITY "Compile sources together; names in unnamed namespaces must differ then" ON)

set(gradproof_unit_size 48)

# gradproof_units(<out> <name> <root> <source>...): what a target has to compile instead of the sources. `root`: the include
# path that the sources lie below. Sources with the same COMPILE_OPTIONS share units. A source stays by itself that has
# CMake's property SKIP_UNITY_BUILD_INCLUSION because it shares names with others (the twins of dx and dw do). Both must be
# set before.
function(gradproof_units out name root)
  set(result "")
  set(kinds "")
  foreach(source IN LISTS ARGN)
    get_source_file_property(alone ${source} SKIP_UNITY_BUILD_INCLUSION)
    if(alone OR NOT GRADPROOF_UNITY)
      list(APPEND result ${source})
      continue()
    endif()
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(NOT options)
      set(options "")
    endif()
    string(MAKE_C_IDENTIFIER "unit${options}" kind)
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${root} OUTPUT_VARIABLE included)
    list(APPEND kinds ${kind})
    set(options_of_${kind} "${options}")
    list(APPEND sources_of_${kind} ${included})
  endforeach()
  list(REMOVE_DUPLICATES kinds)
  foreach(kind IN LISTS kinds)
    gradproof_units_alike(units "${name}/${kind}" ${sources_of_${kind}})
    set_source_files_properties(${units} PROPERTIES COMPILE_OPTIONS "${options_of_${kind}}")
    list(APPEND result ${units})
  endforeach()
  set(${out} ${result} PARENT_SCOPE)
endfunction()

# gradproof_units_alike(<out> <name> <path below the root>...): units of nearly equal size.
function(gradproof_units_alike out name)
  list(LENGTH ARGN count)
  math(EXPR units "(${count} + ${gradproof_unit_size} - 1) / ${gradproof_unit_size}")
  math(EXPR size "(${count} + ${units} - 1) / ${units}")
  set(result "")
  foreach(unit RANGE 1 ${units})
    math(EXPR first "(${unit} - 1) * ${size}")
    list(SUBLIST ARGN ${first} ${size} included)
    list(TRANSFORM included REPLACE "(.+)" "#include \"\\1\"")
    list(JOIN included "\n" content)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/units/${name}_${unit}.cpp)
    file(CONFIGURE OUTPUT ${file}
      CONTENT "// NOLINTBEGIN(bugprone-suspicious-include)\n${content}\n// NOLINTEND(bugprone-suspicious-include)\n" @ONLY)
    list(APPEND result ${file})
  endforeach()
  set(${out} ${result} PARENT_SCOPE)
endfunction()
