# find_package(gradproof) gives the libraries that CANN programs link, on a simulated Ascend device:
#   gradproof::ascendcl         the runtime, acl/acl.h
#   gradproof::nnopbase         tensors and executors, aclnn/acl_meta.h
#   gradproof::opapi_nn         the operators, aclnnop/*.h (gradproof::opapi is the same)
#   gradproof::tiling_api       tiling classes
#   gradproof::ascendc_runtime  kernels written in Ascend C
#   gradproof::headers          the headers alone
# and the program gradproof::gradproof.
include(${CMAKE_CURRENT_LIST_DIR}/gradproof-targets.cmake)
if(NOT TARGET gradproof::opapi)
  add_library(gradproof::opapi ALIAS gradproof::opapi_nn)
endif()
