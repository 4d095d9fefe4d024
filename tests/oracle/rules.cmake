# Tests of the status half of the oracle, an executable of their own.
set(GRADPROOF_SHARED_CASES "${PROJECT_SOURCE_DIR}/../shared/cases" CACHE PATH
  "Case files with statuses observed on the released library; tests that need them are skipped where it is missing")
gradproof_test(oracle_rules_tests
  SOURCES
    phase_rules_test.cpp
    random_call.cpp
    released_order.cpp
    rules_test.cpp
    status_calls.cpp
    status_oracle_test.cpp
  DEPENDS gradproof::oracle rapidcheck)
target_compile_definitions(oracle_rules_tests PRIVATE
  GRADPROOF_SHARED_CASES="${GRADPROOF_SHARED_CASES}")
