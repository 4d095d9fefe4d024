# What an installed tree has apart from programs, libraries and headers: how CMake and pkg-config find it, the manual page,
# the completion of command lines, the pages; and the packages.
include(CMakePackageConfigHelpers)

set(cmake_place ${CMAKE_INSTALL_LIBDIR}/cmake/gradproof)
install(EXPORT gradproof NAMESPACE gradproof:: FILE gradproof-targets.cmake DESTINATION ${cmake_place})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/packaging/gradproof-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/tools/packaging/gradproof-config.cmake
  ${PROJECT_BINARY_DIR}/packaging/gradproof-config-version.cmake DESTINATION ${cmake_place})

file(RELATIVE_PATH prefix_from_pkgconfig /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(module gradproof gradproof-ascendc)
  configure_file(${PROJECT_SOURCE_DIR}/tools/packaging/${module}.pc.in ${PROJECT_BINARY_DIR}/packaging/${module}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/packaging/${module}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# What the build recipes of CANN's documentation expect: lib64, an environment to source, versions of the packages.
install(FILES ${PROJECT_SOURCE_DIR}/tools/packaging/set_env.sh DESTINATION .)
file(WRITE ${PROJECT_BINARY_DIR}/packaging/version.info "Version=${PROJECT_VERSION}\n")
foreach(package runtime opbase ops_nn cann)
  install(FILES ${PROJECT_BINARY_DIR}/packaging/version.info DESTINATION share/info/${package})
endforeach()
install(CODE "
  foreach(link lib64=${CMAKE_INSTALL_LIBDIR} bin/setenv.bash=../set_env.sh
      bin/gradproof-check-certificate=../${CMAKE_INSTALL_DATADIR}/gradproof/tools/check_certificate.py
      bin/gradproof-check-proof=../${CMAKE_INSTALL_DATADIR}/gradproof/tools/check_proof.py)
    string(REPLACE \"=\" \";\" link \${link})
    list(GET link 0 name)
    list(GET link 1 target)
    set(place \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/\${name}\")
    if(NOT EXISTS \"\${place}\")
      file(CREATE_LINK \${target} \"\${place}\" SYMBOLIC)
    endif()
  endforeach()")

# The checkers of certificates, as commands: the links above.
install(PROGRAMS ${PROJECT_SOURCE_DIR}/tools/checkers/check_certificate.py ${PROJECT_SOURCE_DIR}/tools/checkers/check_proof.py
  DESTINATION ${CMAKE_INSTALL_DATADIR}/gradproof/tools)

# The program's own help, so that the page knows every option.
set(manual ${PROJECT_BINARY_DIR}/packaging/gradproof.1)
add_custom_command(OUTPUT ${manual}
  COMMAND ${CMAKE_COMMAND} -E env "EMULATOR=${CMAKE_CROSSCOMPILING_EMULATOR}"
    ${PROJECT_SOURCE_DIR}/tools/packaging/manual.sh $<TARGET_FILE:gradproof> ${PROJECT_SOURCE_DIR}/tools/packaging/gradproof.1.in
    > ${manual}.part
  COMMAND ${CMAKE_COMMAND} -E rename ${manual}.part ${manual}
  DEPENDS gradproof ${PROJECT_SOURCE_DIR}/tools/packaging/manual.sh ${PROJECT_SOURCE_DIR}/tools/packaging/gradproof.1.in
  COMMENT "Writing the manual page" VERBATIM)
add_custom_target(gradproof_manual ALL DEPENDS ${manual})
add_dependencies(product gradproof_manual)
install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_SOURCE_DIR}/tools/packaging/completion.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME gradproof)
install(FILES ${PROJECT_SOURCE_DIR}/tools/packaging/completion.zsh
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _gradproof)
install(FILES ${PROJECT_SOURCE_DIR}/tools/packaging/completion.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME gradproof.fish)

# Pages link to each other, so they keep their places.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(GRADPROOF_PORTABLE)
  file(REAL_PATH ${GRADPROOF_gmp_LIBRARY} gmp)
  install(FILES ${gmp} DESTINATION ${CMAKE_INSTALL_LIBDIR} RENAME libgmp.so.10)
  # Who brings other people's libraries along brings their terms along.
  foreach(package libgmp-dev libfmt-dev nlohmann-json3-dev libexpected-dev libcli11-dev libhwy-dev nettle-dev libstdc++6)
    install(FILES /usr/share/doc/${package}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}/licenses RENAME ${package})
  endforeach()
  foreach(license GPL-2 GPL-3 LGPL-3)
    install(FILES /usr/share/common-licenses/${license} DESTINATION ${CMAKE_INSTALL_DOCDIR}/licenses)
  endforeach()
endif()

set(CPACK_GENERATOR DEB TXZ)
set(CPACK_PACKAGE_NAME gradproof)
set(CPACK_PACKAGE_CONTACT "Gradproof's developers <gradproof@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/tools/packaging/cpack_options.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# The tarball, and another with the debug symbols where there are any.
set(CPACK_GRADPROOF_TARBALL gradproof-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE amd64)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
endif()
if(GRADPROOF_PORTABLE)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.34), libgcc-s1")
  set(CPACK_GRADPROOF_OBJCOPY ${CMAKE_OBJCOPY})
  set(CPACK_GRADPROOF_STRIP ${CMAKE_STRIP})
else()
  set(CPACK_STRIP_FILES ON)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
endif()
include(CPack)
