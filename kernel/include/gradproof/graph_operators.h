#ifndef GRADPROOF_GRADPROOF_GRAPH_OPERATORS_H
#define GRADPROOF_GRADPROOF_GRAPH_OPERATORS_H

/* The graph operators Conv3DBackpropInputV2 and Conv3DBackpropFilterV2, callable by themselves.
 *
 * CANN reaches them through graphs only. Here each is a pair of functions in the two-phase form of
 * aclnn operators, exported by opapi_nn. C99.
 *
 * Phase one returns
 *        0  accepted: *workspaceSize and *executor are set, nothing is launched
 *   161001  the pointer of a required argument is null
 *   361001  neither aclInit nor aclnnInit was called, or the thread has no current device
 *   561103  refused: a rule of the operator is broken, or a descriptor was destroyed;
 *           aclGetRecentErrMsg names the rule, what breaks it, and what is allowed
 * and touches neither out-parameter unless it returns 0. Phase two behaves as that of every aclnn
 * operator: it enqueues the work, y is there after the stream was synchronised, and it uses up the
 * executor.
 *
 * Products: those on which aclnnConvolutionBackward takes 3D inputs.
 *
 * Formats: an aclTensor's shape lists its axes in the order of its format: ACL_FORMAT_NCDHW (30),
 * ACL_FORMAT_NDHWC (27), ACL_FORMAT_DHWCN (31). Strides and an offset are heeded in every tensor.
 *
 * dataFormat, "NDHWC" or "NCDHW" (null: "NDHWC"), is the format of the feature map and of
 * outBackprop, and the order of the values of strides and dilations. pads holds front, back, top,
 * bottom, left, right. dilations may be null: all ones. */

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Gradient of a 3D convolution with respect to its feature map.
 *
 * inputSize    5 values: the shape of y, axes in the order of dataFormat
 * filter       FLOAT16, BF16 or FLOAT in NCDHW, NDHWC or DHWCN; on Ascend950 also HIFLOAT8 or
 *              FLOAT8_E4M3FN in NCDHW; N is the number of output channels, C that of input channels
 *              in a group; H and W in [1, 511]
 * outBackprop  gradient with respect to the convolution's output; dtype of filter
 * strides      5 values: 1 for N and C, [1, 255] for D, [1, 63] for H and W
 * pads         6 values in [0, 255]
 * dilations    5 values: 1 for N and C, [1, 255] for D, H and W
 * groups       [1, 65535]; 1 with a y of more channels than filter.C stands for their ratio;
 *              above 1, dataFormat must be "NCDHW"
 * enableHf32   FLOAT is multiplied in HFLOAT32; other dtypes ignore it
 * y            gradient; dtype of filter, shape inputSize, every element is written */
ACL_FUNC_VISIBILITY aclnnStatus gradproofConv3DBackpropInputV2GetWorkspaceSize(
    const aclIntArray* inputSize, const aclTensor* filter, const aclTensor* outBackprop,
    const aclIntArray* strides, const aclIntArray* pads, const aclIntArray* dilations,
    int64_t groups, const char* dataFormat, bool enableHf32, aclTensor* y, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACL_FUNC_VISIBILITY aclnnStatus gradproofConv3DBackpropInputV2(void* workspace,
                                                               uint64_t workspaceSize,
                                                               aclOpExecutor* executor,
                                                               aclrtStream stream);

/* Gradient of a 3D convolution with respect to its filter.
 *
 * x            the convolution's feature map: FLOAT16, BF16 or FLOAT (Ascend950 and groups 1:
 *              HIFLOAT8 as well)
 * filterSize   5 values: the shape of y, axes in the order of y's format
 * outBackprop  gradient with respect to the convolution's output; dtype of x
 * strides      5 values: 1 for N and C; D in [1, 255], H and W in [1, 63]; Ascend950: all of them
 *              in [1, 2147483646]
 * pads         6 values in [0, 255]; Ascend950: [0, 2147483646]
 * dilations    5 values: 1 for N and C; D, H and W in [1, 255]; Ascend950: [1, 2147483646]
 * groups       [1, 65535]; 1 with an x of more channels than y.C stands for their ratio
 * enableHf32   FLOAT is multiplied in HFLOAT32; other dtypes ignore it
 * y            gradient; FLOAT whatever x is; NCDHW, NDHWC or DHWCN; shape filterSize; H and W in
 *              [1, 511]; every element is written. Where y.N or a batch differs from outBackprop's,
 *              which the operator does not compare, what has no counterpart takes no part: zeros */
ACL_FUNC_VISIBILITY aclnnStatus gradproofConv3DBackpropFilterV2GetWorkspaceSize(
    const aclTensor* x, const aclIntArray* filterSize, const aclTensor* outBackprop,
    const aclIntArray* strides, const aclIntArray* pads, const aclIntArray* dilations,
    int64_t groups, const char* dataFormat, bool enableHf32, aclTensor* y, uint64_t* workspaceSize,
    aclOpExecutor** executor);

ACL_FUNC_VISIBILITY aclnnStatus gradproofConv3DBackpropFilterV2(void* workspace,
                                                                uint64_t workspaceSize,
                                                                aclOpExecutor* executor,
                                                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
