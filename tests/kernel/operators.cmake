gradproof_test(kernel_number_formats_test
  SOURCES number_formats_test.cpp
  DEPENDS gradproof_kernel_objects)
gradproof_test(kernel_plain_operators_test
  SOURCES plain_operators_test.cpp
  DEPENDS gradproof_kernel_objects)
gradproof_test(kernel_convolution_backward_api_test
  SOURCES convolution_backward_api_test.cpp
  DEPENDS gradproof_kernel_objects)
gradproof_test(kernel_parameter_rules_test
  SOURCES parameter_rules_test.cpp
  DEPENDS gradproof_kernel_objects)
