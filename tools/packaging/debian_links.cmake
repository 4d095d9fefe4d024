# Run by cpack on the staged tree: what is found by its name alone is linked from its usual place, relative, so that the
# unpacked package works wherever it lies.
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY})
set(own opt/gradproof)

function(link_from place target)
  get_filename_component(folder ${place} DIRECTORY)
  file(MAKE_DIRECTORY ${root}/${folder})
  file(RELATIVE_PATH relative /${folder} /${target})
  file(CREATE_LINK ${relative} ${root}/${place} SYMBOLIC)
endfunction()

foreach(name gradproof gradproof-check-certificate gradproof-check-proof)
  link_from(usr/bin/${name} ${own}/bin/${name})
endforeach()
link_from(usr/share/man/man1/gradproof.1 ${own}/share/man/man1/gradproof.1)
link_from(usr/share/bash-completion/completions/gradproof ${own}/share/bash-completion/completions/gradproof)
link_from(usr/share/zsh/vendor-completions/_gradproof ${own}/share/zsh/site-functions/_gradproof)
link_from(usr/share/fish/vendor_completions.d/gradproof.fish ${own}/share/fish/vendor_completions.d/gradproof.fish)
# A link would make both think that the prefix is /usr.
file(GLOB_RECURSE config RELATIVE ${root} ${root}/${own}/gradproof-config.cmake)
file(WRITE ${root}/usr/lib/cmake/gradproof/gradproof-config.cmake
  "include(\${CMAKE_CURRENT_LIST_DIR}/../../../../${config})\n")
file(GLOB_RECURSE version RELATIVE ${root} ${root}/${own}/gradproof-config-version.cmake)
file(WRITE ${root}/usr/lib/cmake/gradproof/gradproof-config-version.cmake
  "include(\${CMAKE_CURRENT_LIST_DIR}/../../../../${version})\n")
file(GLOB_RECURSE modules RELATIVE ${root} ${root}/${own}/*.pc)
foreach(module IN LISTS modules)
  get_filename_component(name ${module} NAME)
  file(READ ${root}/${module} text)
  string(REGEX REPLACE "prefix=[^\n]*" "prefix=\${pcfiledir}/../../../${own}" text "${text}")
  file(WRITE ${root}/usr/share/pkgconfig/${name} "${text}")
endforeach()
