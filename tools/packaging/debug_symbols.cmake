# Run by cpack on the staged tree of a build with debug information, which goes into a tarball of its own. Unpacked in the
# same place, that puts each program's and library's symbols where debuggers look for them: in the folder .debug next to it.
set(symbols ${CPACK_PACKAGE_DIRECTORY}/symbols)
file(REMOVE_RECURSE ${symbols})

# separate_symbols(<ELF file> <folder for its symbols>)
function(separate_symbols file folder)
  get_filename_component(name ${file} NAME)
  file(MAKE_DIRECTORY ${folder}/.debug)
  set(debug ${folder}/.debug/${name}.debug)
  foreach(command "${CPACK_GRADPROOF_OBJCOPY};--only-keep-debug;${file};${debug}" "${CPACK_GRADPROOF_STRIP};${file}"
      "${CPACK_GRADPROOF_OBJCOPY};--add-gnu-debuglink=${debug};${file}")
    execute_process(COMMAND ${command} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endfunction()

file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE ${CPACK_TEMPORARY_INSTALL_DIRECTORY} ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*)
foreach(file IN LISTS files)
  set(path ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${file})
  if(NOT IS_SYMLINK ${path})
    file(READ ${path} magic LIMIT 4 HEX)
    if(magic STREQUAL "7f454c46")
      get_filename_component(folder ${file} DIRECTORY)
      separate_symbols(${path} ${symbols}/${CPACK_GRADPROOF_TARBALL}/${folder})
    endif()
  endif()
endforeach()

if(CPACK_GENERATOR STREQUAL "TXZ")
  execute_process(COMMAND ${CMAKE_COMMAND} -E tar cJf ${CPACK_PACKAGE_DIRECTORY}/${CPACK_GRADPROOF_TARBALL}-debug.tar.xz
    ${CPACK_GRADPROOF_TARBALL} WORKING_DIRECTORY ${symbols} COMMAND_ERROR_IS_FATAL ANY)
endif()
file(REMOVE_RECURSE ${symbols})
