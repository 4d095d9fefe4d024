# Sources of opapi_nn, relative to kernel/.
list(APPEND operator_sources
  cube/fixpipe.cpp
  cube/load.cpp
  cube/local_buffers.cpp
  cube/mmad.cpp
  numeric/hifloat8.cpp
  operators/arithmetic.cpp
  operators/conv3d_backprop.cpp
  operators/convolution_backward.cpp
  operators/cores.cpp
  operators/device_call.cpp
  operators/device_grad_bias.cpp
  operators/device_grad_input.cpp
  operators/device_grad_weight.cpp
  operators/device_tiling.cpp
  operators/device_unfolded.cpp
  operators/global_tensor.cpp
  operators/instruction_set.cpp
  operators/operand.cpp
  operators/plain_grad_bias.cpp
  operators/plain_grad_input.cpp
  operators/plain_grad_weight.cpp
  operators/problem.cpp
  operators/row_writer.cpp
  operators/schedule.cpp
  operators/split.cpp
  operators/tensor_view.cpp
  operators/transfer_layout.cpp
  operators/vector_call.cpp
  operators/vector_conversions.cpp
  operators/vector_depthwise_weight.cpp
  operators/vector_grad_bias.cpp
  operators/vector_grad_input.cpp
  operators/vector_grad_weight.cpp
  operators/vector_kernels.cpp
  api/aclnn_convolution_backward.cpp
  api/address_resolution.cpp
  api/convolution_backward_executor.cpp
  api/convolution_backward_plan.cpp
  api/graph_checks.cpp
  api/graph_checks/call.cpp
  api/graph_checks/filter_rules.cpp
  api/graph_checks/findings.cpp
  api/graph_checks/input_rules.cpp
  api/graph_checks/pointer_rules.cpp
  api/graph_checks/size_rules.cpp
  api/graph_operator_executor.cpp
  api/graph_operators.cpp
  api/numeric_terms.cpp
  api/parameter_checks.cpp
  api/parameter_checks/bias_rules.cpp
  api/parameter_checks/bound_rules.cpp
  api/parameter_checks/call.cpp
  api/parameter_checks/channel_rules.cpp
  api/parameter_checks/dtype_rules.cpp
  api/parameter_checks/empty_rules.cpp
  api/parameter_checks/float8_rules.cpp
  api/parameter_checks/format_rules.cpp
  api/parameter_checks/length_rules.cpp
  api/parameter_checks/math_mode_rules.cpp
  api/parameter_checks/memory_rules.cpp
  api/parameter_checks/null_rules.cpp
  api/parameter_checks/product_rules.cpp
  api/parameter_checks/range_rules.cpp
  api/parameter_checks/shape_rules.cpp
  api/parameter_checks/words.cpp
  api/plan_cache.cpp
  api/run_operation.cpp
)

# The inner loops vectorise from -O3 on; what they compute does not change.
set(vectorised_sources cube/fixpipe.cpp cube/load.cpp cube/local_buffers.cpp cube/mmad.cpp operators/device_call.cpp
  operators/arithmetic.cpp operators/global_tensor.cpp operators/operand.cpp operators/plain_grad_input.cpp operators/plain_grad_weight.cpp
  operators/vector_call.cpp operators/vector_depthwise_weight.cpp operators/vector_grad_bias.cpp
  operators/vector_grad_input.cpp operators/vector_grad_weight.cpp
  operators/row_writer.cpp operators/vector_conversions.cpp operators/vector_kernels.cpp)

# optimise_vectors(<prefix>): options of the sources above, which lie behind the prefix.
function(optimise_vectors prefix)
  # They include themselves, once for each instruction set.
  set_property(SOURCE "${prefix}operators/vector_conversions.cpp" "${prefix}operators/vector_kernels.cpp"
    PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
  list(TRANSFORM vectorised_sources PREPEND "${prefix}" OUTPUT_VARIABLE sources)
  if(NOT GRADPROOF_COVERAGE AND NOT GRADPROOF_SANITIZE)
    set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS "$<$<NOT:$<CONFIG:Debug>>:-O3>")
    # Nobody asks for floating-point exceptions; results are rounded to FLOAT16 without branches then.
    set_property(SOURCE "${prefix}operators/row_writer.cpp" APPEND PROPERTY COMPILE_OPTIONS -fno-trapping-math)
  endif()
endfunction()
optimise_vectors("")
