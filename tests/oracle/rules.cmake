# Tests of the status half of the oracle, an executable of their own.
gradproof_test(oracle_rules_tests
  SOURCES
    operator_calls.cpp
    operator_rules_test.cpp
    phase_rules_test.cpp
    random_call.cpp
    released_order.cpp
    rule_answers.cpp
    rules_test.cpp
    status_calls.cpp
    status_oracle_test.cpp
    worked_decisions_test.cpp
  DEPENDS gradproof::oracle rapidcheck gradproof_published_cases)
target_compile_definitions(oracle_rules_tests PRIVATE
  GRADPROOF_STORED_CASES="${PROJECT_SOURCE_DIR}/corpus/cases")

gradproof_test(oracle_tiling_test SOURCES operator_calls.cpp status_calls.cpp tiling_test.cpp
  DEPENDS gradproof::oracle gradproof::fmt)
target_compile_definitions(oracle_tiling_test PRIVATE GRADPROOF_STORED_CASES="${PROJECT_SOURCE_DIR}/corpus/cases")

# The same calls through the simulated backend, once per profile; GRADPROOF_CALLS=2000000 for the long run.
if(TARGET gradproof_properties AND TARGET opapi_nn)
  add_executable(kernel_statuses_test kernel_statuses_test.cpp random_call.cpp status_calls.cpp)
  target_link_libraries(kernel_statuses_test PRIVATE gradproof_flags gradproof::properties GTest::gtest_main)
  add_dependencies(kernel_statuses_test ascendcl nnopbase opapi_nn)
  foreach(profile documented released)
    add_test(NAME KernelStatuses.AreThoseOfTheOracle.${profile} COMMAND kernel_statuses_test)
    set_tests_properties(KernelStatuses.AreThoseOfTheOracle.${profile} PROPERTIES
      ENVIRONMENT GRADPROOF_PROFILE=${profile} TIMEOUT 1200)
  endforeach()
endif()
