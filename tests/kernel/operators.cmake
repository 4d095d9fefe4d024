gradproof_test(kernel_number_formats_test
  SOURCES number_formats_test.cpp
  DEPENDS gradproof_kernel_objects)
