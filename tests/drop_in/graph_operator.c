/* The gradient of a filter through the C functions: both phases, and a call that is refused. */
#include <gradproof/graph_operators.h>

#include <acl/acl.h>
#include <stdio.h>

enum { positions = 4, taps = 2, outputs = 3 };

static void* device_copy(const float* values, size_t count) {
  void* memory = NULL;
  aclrtMalloc(&memory, count * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(memory, count * sizeof(float), values, count * sizeof(float),
              ACL_MEMCPY_HOST_TO_DEVICE);
  return memory;
}

static aclTensor* line(int64_t length, void* memory) {
  const int64_t shape[5] = {1, 1, 1, length, 1};
  return aclCreateTensor(shape, 5, ACL_FLOAT, NULL, 0, ACL_FORMAT_NDHWC, shape, 5, memory);
}

int main(void) {
  const float x_values[positions] = {1, 2, 3, 4}, out_values[outputs] = {1, 10, 100};
  float y_values[taps] = {0, 0};
  const int64_t size_values[5] = {1, 1, 1, taps, 1}, ones[5] = {1, 1, 1, 1, 1};
  const int64_t no_pads[6] = {0, 0, 0, 0, 0, 0}, wide_pads[6] = {0, 0, 0, 0, 256, 0};
  uint64_t workspace_size = 0;
  void* workspace = NULL;
  aclOpExecutor* executor = NULL;
  aclnnStatus status = 0;

  aclInit(NULL);
  aclrtSetDevice(0);
  void* const memory[3] = {device_copy(x_values, positions), device_copy(out_values, outputs),
                           device_copy(y_values, taps)};
  aclTensor* const x = line(positions, memory[0]);
  aclTensor* const out_backprop = line(outputs, memory[1]);
  aclTensor* const y = line(taps, memory[2]);
  aclIntArray* const filter_size = aclCreateIntArray(size_values, 5);
  aclIntArray* const strides = aclCreateIntArray(ones, 5);
  aclIntArray* const pads = aclCreateIntArray(no_pads, 6);
  aclIntArray* const too_wide = aclCreateIntArray(wide_pads, 6);

  status = gradproofConv3DBackpropFilterV2GetWorkspaceSize(x, filter_size, out_backprop, strides,
                                                           pads, NULL, 1, NULL, false, y,
                                                           &workspace_size, &executor);
  printf("phase one %d\n", status);
  if (workspace_size > 0) aclrtMalloc(&workspace, workspace_size, ACL_MEM_MALLOC_HUGE_FIRST);
  status = gradproofConv3DBackpropFilterV2(workspace, workspace_size, executor, NULL);
  printf("phase two %d\n", status);
  aclrtSynchronizeStream(NULL);
  aclrtMemcpy(y_values, sizeof y_values, memory[2], sizeof y_values, ACL_MEMCPY_DEVICE_TO_HOST);
  printf("y %g %g\n", y_values[0], y_values[1]);

  status = gradproofConv3DBackpropFilterV2GetWorkspaceSize(x, filter_size, out_backprop, strides,
                                                           too_wide, NULL, 1, NULL, false, y,
                                                           &workspace_size, &executor);
  printf("phase one %d\n%s\n", status, aclGetRecentErrMsg());

  aclDestroyTensor(x);
  aclDestroyTensor(out_backprop);
  aclDestroyTensor(y);
  aclDestroyIntArray(filter_size);
  aclDestroyIntArray(strides);
  aclDestroyIntArray(pads);
  aclDestroyIntArray(too_wide);
  aclrtFree(workspace);
  for (int i = 0; i < 3; ++i) aclrtFree(memory[i]);
  aclrtResetDevice(0);
  return aclFinalize();
}
