# Most of what a source costs is reading its headers, so the sources of a folder are compiled together: a unit is a generated
# file that includes them. CMake's own UNITY_BUILD writes absolute paths into its units, so that no two clones would share
# a compiled one.
option(GRADPROOF_UNITY "Compile the sources of a folder together; names in unnamed namespaces must differ then" ON)

set(gradproof_unit_size 16)

# gradproof_units(<out> <name> <root> <source>...): what a target has to compile instead of the sources: units of at most
# `gradproof_unit_size` files of one folder. `root`: the include path that the sources lie below. A source stays by itself
# that has compiler options of its own, or CMake's property SKIP_UNITY_BUILD_INCLUSION because it shares names with others
# (the twins of dx and dw do). Both must be set before.
function(gradproof_units out name root)
  set(result "")
  set(folders "")
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${root} OUTPUT_VARIABLE included)
    cmake_path(GET included PARENT_PATH folder)
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    get_source_file_property(alone ${source} SKIP_UNITY_BUILD_INCLUSION)
    if(options OR alone OR NOT GRADPROOF_UNITY)
      list(APPEND result ${source})
    else()
      string(MAKE_C_IDENTIFIER "${folder}" folder)
      list(APPEND folders ${folder})
      list(APPEND sources_of_${folder} ${included})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    gradproof_units_of_folder(units "${name}/${folder}" ${sources_of_${folder}})
    list(APPEND result ${units})
  endforeach()
  set(${out} ${result} PARENT_SCOPE)
endfunction()

# gradproof_units_of_folder(<out> <name> <path below the root>...): units of nearly equal size.
function(gradproof_units_of_folder out name)
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
    file(CONFIGURE OUTPUT ${file} CONTENT "${content}\n" @ONLY)
    list(APPEND result ${file})
  endforeach()
  set(${out} ${result} PARENT_SCOPE)
endfunction()
