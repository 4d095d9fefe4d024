# Read by cpack before each kind of package.
if(CPACK_GRADPROOF_OBJCOPY)
  set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debug_symbols.cmake)
endif()
if(CPACK_GENERATOR STREQUAL "TXZ")
  set(CPACK_PACKAGE_FILE_NAME ${CPACK_GRADPROOF_TARBALL})
else()
  # The Debian package keeps to a folder of its own, as CANN does: its headers and libraries have CANN's names and must not
  # come before those of a real CANN that is installed too. What is found by name alone is linked from /usr.
  set(CPACK_PACKAGING_INSTALL_PREFIX /opt/gradproof)
  list(APPEND CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_links.cmake)
endif()
