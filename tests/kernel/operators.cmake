gradproof_test(kernel_number_formats_test
  SOURCES number_formats_test.cpp
  DEPENDS gradproof_kernel_objects)
gradproof_test(kernel_plain_operators_test
  SOURCES plain_operators_test.cpp
  DEPENDS gradproof_kernel_objects)
gradproof_test(kernel_convolution_backward_api_test
  SOURCES convolution_backward_api_test.cpp convolution_backward_values_test.cpp float_products_test.cpp
  DEPENDS gradproof_kernel_objects)
gradproof_test(kernel_parameter_rules_test
  SOURCES parameter_rules_test.cpp
  DEPENDS gradproof_kernel_objects)
gradproof_test(kernel_published_statuses_test
  SOURCES published_statuses_test.cpp
  DEPENDS gradproof::corpus gradproof_kernel_objects gradproof_published_cases)
gradproof_test(kernel_layout_test
  SOURCES layout_test.cpp
  DEPENDS gradproof_kernel_objects gradproof::fmt tl::expected rapidcheck)
gradproof_test(kernel_tiling_test
  SOURCES tiling_test.cpp
  DEPENDS tiling_api ascendcl rapidcheck nlohmann_json::nlohmann_json gradproof_published_cases)
gradproof_test(kernel_graph_operators_test
  SOURCES graph_operators_test.cpp graph_operator_phases_test.cpp graph_operator_values_test.cpp
  DEPENDS gradproof::corpus gradproof_kernel_objects gradproof_published_cases)
gradproof_test(kernel_cube_test
  SOURCES cube_test.cpp load_test.cpp
  DEPENDS gradproof_kernel_objects gradproof::fmt tl::expected)
gradproof_test(kernel_device_path_test
  SOURCES device_path_test.cpp
  DEPENDS gradproof_kernel_objects gradproof::fmt tl::expected)
gradproof_test(kernel_schedule_test
  SOURCES schedule_test.cpp
  DEPENDS gradproof_kernel_objects gradproof::fmt tl::expected)
# With the faulty libraries, one fault planted.
add_executable(kernel_schedule_with_faults_test schedule_with_faults_test.cpp)
target_link_libraries(kernel_schedule_with_faults_test PRIVATE gradproof_flags gradproof_kernel_headers
  GTest::gmock GTest::gtest_main opapi_nn_with_faults nnopbase_with_faults ascendcl_with_faults)
gtest_discover_tests(kernel_schedule_with_faults_test DISCOVERY_TIMEOUT 120
  PROPERTIES TIMEOUT 300 ENVIRONMENT GRADPROOF_FAULT=atomics_in_deterministic_mode)
gradproof_test(kernel_vector_conversions_test
  SOURCES vector_conversions_test.cpp
  DEPENDS gradproof_kernel_objects)
gradproof_test(kernel_plan_cache_test
  SOURCES plan_cache_test.cpp
  DEPENDS gradproof_kernel_objects)
