# What libFuzzer sees: edges of the kernel and of the parser of case files. The oracle and the harness are left alone: new
# paths in them are no news of the kernel, and the sums of the oracle are where the time goes. Comparisons are traced only
# where a value of the call decides (the checks of parameters, the parser): elsewhere they cost time and show nothing. Deep
# stacks are no goal of the fuzzing.
set(edges -fsanitize=fuzzer-no-link -fno-sanitize-coverage=stack-depth)
set(edges_only ${edges} -fno-sanitize-coverage=trace-cmp,trace-div,trace-gep,indirect-calls)

foreach(library ascendcl nnopbase opapi_nn tiling_api ascendc_runtime)
  get_target_property(sources ${library}_objects SOURCES)
  get_target_property(folder ${library}_objects SOURCE_DIR)
  foreach(source IN LISTS sources)
    set(options ${edges_only})
    if(source MATCHES "^api/(convolution|graph)_rules")
      set(options ${edges})
    endif()
    set_property(SOURCE ${folder}/${source} TARGET_DIRECTORY ${library}_objects APPEND PROPERTY COMPILE_OPTIONS ${options})
  endforeach()
endforeach()
# The kernel with faults is instrumented alike, so that the time to find one is the engine's.
foreach(library ascendcl nnopbase opapi_nn tiling_api ascendc_runtime)
  target_compile_options(${library}_with_faults PRIVATE ${edges_only})
endforeach()
foreach(source case_json.cpp case_json_writer.cpp json/json_object.cpp)
  set_property(SOURCE ${PROJECT_SOURCE_DIR}/corpus/${source} TARGET_DIRECTORY gradproof_corpus
    APPEND PROPERTY COMPILE_OPTIONS ${edges})
endforeach()

# Under this engine the sanitizers watch the kernel, the parser and fuzz/; oracle/ and properties/ are watched by the tests of the
# preset asan, which replay the kept inputs, and by the recipe of .clusterfuzzlite. A template that both sides instantiate is
# linked from the kernel's objects, which come first.
foreach(folder oracle properties)
  get_target_property(sources gradproof_${folder} SOURCES)
  get_target_property(home gradproof_${folder} SOURCE_DIR)
  foreach(source IN LISTS sources)
    set_property(SOURCE ${home}/${source} TARGET_DIRECTORY gradproof_${folder} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=all)
  endforeach()
endforeach()
