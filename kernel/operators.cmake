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
  operators/operand.cpp
  operators/plain_grad_bias.cpp
  operators/plain_grad_input.cpp
  operators/plain_grad_weight.cpp
  operators/problem.cpp
  operators/schedule.cpp
  operators/split.cpp
  operators/tensor_view.cpp
  operators/transfer_layout.cpp
  api/aclnn_convolution_backward.cpp
  api/address_resolution.cpp
  api/convolution_backward_executor.cpp
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
  api/run_operation.cpp
)

# The inner loops vectorise from -O3 on; what they compute does not change.
if(NOT GRADPROOF_COVERAGE AND NOT GRADPROOF_SANITIZE)
  set_source_files_properties(
    cube/fixpipe.cpp cube/load.cpp cube/local_buffers.cpp cube/mmad.cpp operators/device_call.cpp operators/global_tensor.cpp operators/operand.cpp operators/plain_grad_input.cpp operators/plain_grad_weight.cpp
    PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:RelWithDebInfo>:-O3>")
endif()
