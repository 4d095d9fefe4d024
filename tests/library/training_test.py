"""Twenty steps of a network of three convolutions, trained through CANN's C functions: each result against PyTorch in double."""
import ctypes
import os
import sys

try:
    import torch
except ImportError:
    print("torch is not installed")
    sys.exit(77)

import gradproof
from kernel_gradients import Cann, DEVICE_TO_HOST, HOST_TO_DEVICE

CHANNELS, STEPS, RATE = (1, 4, 4, 1), 20, 0.02
LAYER = {"padding": 1, "stride": 1}


class Network:
    """Both operators on tensors of torch, FLOAT."""

    def __init__(self):
        self.cann, self.largest = Cann(os.environ["CANN_LIBRARIES"]), 0.0

    def called(self, call, operands):
        """The results by name, each within the limits of the exact sums."""
        names = [name for name in (*call.operands, *call.results) if name in call.shapes]
        memory = {name: self.cann.memory(4 * operands[name].numel() if name in operands else 4 * torch.Size(call.shapes[name]).numel())
                  for name in names}
        tensors = {name: self.cann.tensor(call.shapes[name], "FLOAT", memory[name]) for name in names}
        for name, operand in operands.items():
            data = operand.contiguous()
            self.cann.copy(memory[name], ctypes.c_void_p(data.data_ptr()), 4 * data.numel(), HOST_TO_DEVICE)
        self.run(call, tensors)
        results = {}
        for name in call.results:
            results[name] = torch.empty(call.shapes[name])
            self.cann.copy(ctypes.c_void_p(results[name].data_ptr()), memory[name], 4 * results[name].numel(), DEVICE_TO_HOST)
        self.cann.free(tensors.values(), [], memory.values())
        self.check(call, operands, results)
        return results

    def run(self, call, tensors):
        arrays = [self.cann.integers(values) for values in (call.stride, call.padding, call.dilation, call.output_padding)]
        size, executor = ctypes.c_uint64(), ctypes.c_void_p()
        outs = ctypes.byref(size), ctypes.byref(executor)
        if "output" in call.results:
            status = self.cann.op.aclnnConvolutionGetWorkspaceSize(
                tensors["input"], tensors["weight"], tensors["bias"], *arrays[:3], ctypes.c_bool(False), arrays[3],
                ctypes.c_int64(call.groups), tensors["output"], ctypes.c_int8(0), *outs)
            second = self.cann.op.aclnnConvolution
        else:
            bias = self.cann.integers(call.shapes["grad_bias"])
            mask = ctypes.c_void_p(self.cann.nn.aclCreateBoolArray((ctypes.c_bool * 3)(True, True, True), ctypes.c_uint64(3)))
            status = self.cann.op.aclnnConvolutionBackwardGetWorkspaceSize(
                *(tensors[name] for name in call.operands), bias, *arrays[:3], ctypes.c_bool(False), arrays[3], call.groups, mask,
                ctypes.c_int8(0), *(tensors[name] for name in call.results), *outs)
            second = self.cann.op.aclnnConvolutionBackward
            arrays.append(bias)
        assert status == 0, status
        workspace = self.cann.memory(size.value)
        assert second(workspace, size, executor, self.cann.stream) == 0
        assert self.cann.acl.aclrtSynchronizeStream(self.cann.stream) == 0
        self.cann.free([], arrays, [workspace])

    def check(self, call, operands, results):
        exact = in_double(call, operands)
        for name, limits in gradproof.limits(call, operands).items():
            allowed = torch.tensor(limits.allowed.tolist(), dtype=torch.float64)
            error = (results[name].double() - exact[name]).abs()
            assert bool((error <= allowed + 1e-12).all()), f"{name}: an error of {float((error - allowed).max())} beyond what is allowed"
            self.largest = max(self.largest, float((error / allowed.clamp(min=1e-300)).max()))


def in_double(call, operands):
    """The results by PyTorch."""
    wide = {name: operand.double() for name, operand in operands.items()}
    if "output" in call.results:
        return {"output": torch.nn.functional.conv2d(wide["input"], wide["weight"], wide["bias"], call.stride, call.padding)}
    found = torch.ops.aten.convolution_backward(*(wide[name] for name in call.operands), call.shapes["grad_bias"], call.stride, call.padding,
                                                call.dilation, False, call.output_padding, call.groups, call.output_mask)
    return dict(zip(call.results, found))


def main():
    torch.manual_seed(3)
    network, losses = Network(), []
    data, target = torch.randn(2, 1, 6, 6), torch.randn(2, 1, 6, 6)
    weights = [torch.randn(to, from_, 3, 3) / (3 * from_**0.5) for from_, to in zip(CHANNELS, CHANNELS[1:])]
    biases = [torch.zeros(to) for to in CHANNELS[1:]]
    for _ in range(STEPS):
        maps = [data]
        for weight, bias in zip(weights, biases):
            call = gradproof.case(api="aclnnConvolution", input=list(maps[-1].shape), weight=list(weight.shape), **LAYER)
            maps.append(network.called(call, {"input": maps[-1], "weight": weight, "bias": bias})["output"])
        losses.append(float(((maps[-1] - target) ** 2).mean()))
        gradient = 2 * (maps[-1] - target) / target.numel()
        for layer in reversed(range(len(weights))):
            call = gradproof.case(input=list(maps[layer].shape), weight=list(weights[layer].shape), **LAYER)
            found = network.called(call, {"grad_output": gradient, "input": maps[layer], "weight": weights[layer]})
            gradient = found["grad_input"]
            weights[layer] -= RATE * found["grad_weight"]
            biases[layer] -= RATE * found["grad_bias"]
    assert len(losses) == STEPS and losses[-1] < losses[0], losses
    print(f"loss {losses[0]:.3f} to {losses[-1]:.3f}; the largest error is {network.largest:.3f} of what is allowed")


if __name__ == "__main__":
    main()
