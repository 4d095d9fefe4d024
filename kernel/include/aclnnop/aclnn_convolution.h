#ifndef OP_API_INC_CONVOLUTION_H
#define OP_API_INC_CONVOLUTION_H

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The forward convolutions. Phase one checks the call and sets the bytes of workspace and the
   executor of phase two; it launches nothing. On failure neither is touched. Phase two enqueues the
   work on the stream (null: the context's default stream). */

/* 1D, 2D and 3D, transposed too. bias may be null; outputPadding counts if transposed alone. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnConvolutionGetWorkspaceSize(
    const aclTensor* input, const aclTensor* weight, const aclTensor* bias,
    const aclIntArray* stride, const aclIntArray* padding, const aclIntArray* dilation,
    bool transposed, const aclIntArray* outputPadding, const int64_t groups, aclTensor* output,
    int8_t cubeMathType, uint64_t* workspaceSize, aclOpExecutor** executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnConvolution(void* workspace, const uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

/* A 1D convolution of maps [length, batch, channels] with a weight [kernel, input channels, output
   channels]. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnConvTbcGetWorkspaceSize(
    const aclTensor* self, const aclTensor* weight, const aclTensor* bias, const int64_t pad,
    aclTensor* output, int8_t cubeMathType, uint64_t* workspaceSize, aclOpExecutor** executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnConvTbc(void* workspace, const uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

/* 2D, each input channel with its own kernels. bias may be null. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnConvDepthwise2dGetWorkspaceSize(
    const aclTensor* self, const aclTensor* weight, const aclIntArray* kernelSize,
    const aclTensor* bias, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, aclTensor* out, int8_t cubeMathType, uint64_t* workspaceSize,
    aclOpExecutor** executor);
ACL_FUNC_VISIBILITY aclnnStatus aclnnConvDepthwise2d(void* workspace, const uint64_t workspaceSize,
                                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
