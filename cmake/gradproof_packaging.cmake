# What an installed tree has besides programs, libraries and headers: how CMake and pkg-config find it, the manual page,
# the completion of command lines; and the Debian package.
include(CMakePackageConfigHelpers)

set(cmake_place ${CMAKE_INSTALL_LIBDIR}/cmake/gradproof)
install(EXPORT gradproof NAMESPACE gradproof:: FILE gradproof-targets.cmake DESTINATION ${cmake_place})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/packaging/gradproof-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/packaging/gradproof-config.cmake
  ${PROJECT_BINARY_DIR}/packaging/gradproof-config-version.cmake DESTINATION ${cmake_place})

file(RELATIVE_PATH prefix_from_pkgconfig /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(module gradproof gradproof-ascendc)
  configure_file(${PROJECT_SOURCE_DIR}/packaging/${module}.pc.in ${PROJECT_BINARY_DIR}/packaging/${module}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/packaging/${module}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# The program's own help, so that the page knows every option.
set(manual ${PROJECT_BINARY_DIR}/packaging/gradproof.1)
add_custom_command(OUTPUT ${manual}
  COMMAND ${CMAKE_COMMAND} -E env "EMULATOR=${CMAKE_CROSSCOMPILING_EMULATOR}"
    ${PROJECT_SOURCE_DIR}/packaging/manual.sh $<TARGET_FILE:gradproof> ${PROJECT_SOURCE_DIR}/packaging/gradproof.1.in
    > ${manual}.part
  COMMAND ${CMAKE_COMMAND} -E rename ${manual}.part ${manual}
  DEPENDS gradproof ${PROJECT_SOURCE_DIR}/packaging/manual.sh ${PROJECT_SOURCE_DIR}/packaging/gradproof.1.in
  COMMENT "Writing the manual page" VERBATIM)
add_custom_target(gradproof_manual ALL DEPENDS ${manual})
add_dependencies(product gradproof_manual)
install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_SOURCE_DIR}/packaging/completion.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME gradproof)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The package keeps to a folder of its own, as CANN does: its headers and libraries have CANN's names and must not come
# before those of a real CANN that is installed too. What is found by name alone is linked from /usr.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gradproof)
set(CPACK_PACKAGE_CONTACT "Gradproof's developers <gradproof@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /opt/gradproof)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian_links.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
include(CPack)
