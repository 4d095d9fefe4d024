# Included before everything that is installed: an installation of what was not built ends before it has copied anything,
# and says what to do.
list(TRANSFORM product_targets REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE product_files)
install(CODE "
  foreach(file ${product_files} ${PROJECT_BINARY_DIR}/packaging/gradproof.1)
    if(NOT EXISTS \${file})
      message(FATAL_ERROR \"Not built yet: \${file}. First: cmake --build ${PROJECT_BINARY_DIR} --target product\")
    endif()
  endforeach()")
