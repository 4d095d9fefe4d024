"""CANN's operator called from Python, as somebody with a device would: how seeded faults are looked for through Python.

kernel_gradients.py SECONDS FAULT...: has one fault in the kernel at a time ("none": the kernel as it is) and says which were found, in
so many seconds on each of two products. CANN_LIBRARIES is the folder of the kernel's libraries.
"""
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time

import gradproof
from gradproof import _tensors

DTYPES = {"FLOAT": 0, "FLOAT16": 1, "BF16": 27, "HIFLOAT8": 34, "FLOAT8_E4M3FN": 36}
FORMATS = {1: 2, 3: 47, 4: 0, 5: 30}
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2


class Cann:
    """The libraries, loaded, with a device and a stream."""

    def __init__(self, folder):
        self.acl, self.nn, self.op = (ctypes.CDLL(os.path.join(folder, f"lib{name}.so"), ctypes.RTLD_GLOBAL)
                                      for name in ("ascendcl", "nnopbase", "opapi_nn"))
        for name in ("aclCreateTensor", "aclCreateIntArray", "aclCreateBoolArray"):
            getattr(self.nn, name).restype = ctypes.c_void_p
        self.stream = ctypes.c_void_p()
        for code in (self.acl.aclInit(None), self.acl.aclrtSetDevice(0), self.acl.aclrtCreateStream(ctypes.byref(self.stream))):
            assert code == 0, code

    def memory(self, size):
        address = ctypes.c_void_p()
        assert self.acl.aclrtMalloc(ctypes.byref(address), ctypes.c_size_t(max(size, 32)), 0) == 0
        return address

    def copy(self, to, from_, size, kind):
        if size:
            assert self.acl.aclrtMemcpy(to, ctypes.c_size_t(size), from_, ctypes.c_size_t(size), kind) == 0

    def integers(self, values):
        return ctypes.c_void_p(self.nn.aclCreateIntArray((ctypes.c_int64 * len(values))(*values), ctypes.c_uint64(len(values))))

    def tensor(self, shape, dtype, address):
        lengths, axes = (ctypes.c_int64 * len(shape))(*shape), ctypes.c_uint64(len(shape))
        return ctypes.c_void_p(self.nn.aclCreateTensor(lengths, axes, DTYPES[dtype], None, ctypes.c_int64(0), FORMATS[len(shape)],
                                                       lengths, axes, address))

    def free(self, tensors, arrays, memory):
        for tensor in tensors:
            self.nn.aclDestroyTensor(tensor)
        for array in arrays:
            self.nn.aclDestroyIntArray(array)
        for address in memory:
            self.acl.aclrtFree(address)


cann = None


def gradients(grad_output, input, weight, call):
    """Both phases. What the operator refuses is not supported; its statuses are another law's matter."""
    tensors, memory, sizes = [], [], []
    for name, operand in zip((*call.operands, *call.results), (grad_output, input, weight, None, None, None)):
        if name not in call.shapes:
            tensors.append(None)
            memory.append(None)
            sizes.append(0)
            continue
        sizes.append(_tensors.prod(call.shapes[name]) * _tensors.DTYPES[call.dtypes[name]][2])
        memory.append(cann.memory(sizes[-1]))
        content = bytes(operand.data) if operand else b"\xff" * sizes[-1]
        cann.copy(memory[-1], content, sizes[-1], HOST_TO_DEVICE)
        tensors.append(cann.tensor(call.shapes[name], call.dtypes[name], memory[-1]))
    arrays = [cann.integers(values) for values in (call.shapes["grad_output"][1:2], call.stride, call.padding, call.dilation,
                                                   call.output_padding)]
    mask = ctypes.c_void_p(cann.nn.aclCreateBoolArray((ctypes.c_bool * 3)(*call.output_mask), ctypes.c_uint64(3)))
    size, executor = ctypes.c_uint64(), ctypes.c_void_p()
    status = cann.op.aclnnConvolutionBackwardGetWorkspaceSize(
        tensors[0], tensors[1], tensors[2], *arrays[:4], ctypes.c_bool(call.transposed), arrays[4], call.groups, mask,
        ctypes.c_int8(call.cube_math_type), *tensors[3:], ctypes.byref(size), ctypes.byref(executor))
    results = [None] * 3
    workspace = cann.memory(size.value)
    if status == 0:
        cann.copy(workspace, b"\xff" * size.value, size.value, HOST_TO_DEVICE)
        status = cann.op.aclnnConvolutionBackward(workspace, size, executor, cann.stream)
    if status == 0:
        status = cann.acl.aclrtSynchronizeStream(cann.stream)
    for i, asked in enumerate(call.output_mask):
        if asked and status == 0:
            data = ctypes.create_string_buffer(sizes[3 + i])
            cann.copy(data, memory[3 + i], sizes[3 + i], DEVICE_TO_HOST)
            results[i] = data.raw
    cann.nn.aclDestroyBoolArray(mask)
    cann.free([tensor for tensor in tensors if tensor], arrays, [address for address in memory + [workspace] if address])
    if status:
        raise gradproof.NotSupported(f"status {status}")
    return results


def campaigns(seconds, soc):
    """Which calls, one after the other: all types in all modes, KEEP_DTYPE for half of the time."""
    dtypes = ["FLOAT", "FLOAT16", "BF16"] + (["HIFLOAT8", "FLOAT8_E4M3FN"] if soc == "Ascend950" else [])
    for mode in (0, 3, 1, 2):
        yield {"soc": soc, "dtypes": dtypes, "cube_math_type": mode, "mixed": True, "empty": True,
               "seconds": seconds * (0.5 if mode == 0 else 1 / 6)}


def hunt(seconds, soc):
    """The first finding of the kernel that the environment describes, as JSON."""
    global cann
    begin = time.monotonic()
    cann = Cann(os.environ["CANN_LIBRARIES"])
    asked = 0
    for options in campaigns(seconds, soc):
        with tempfile.TemporaryDirectory() as out:
            report = gradproof.verify(gradients, arrays="raw", out=out, findings=1, seed=1, max_macs=1000000,
                                      specials="judged", **options)
        asked += report.summary["cases"]
        if report.findings:
            finding = report.findings[0]
            print(json.dumps({"found": finding.reason, "non_zeros": finding.non_zeros, "seconds": time.monotonic() - begin, "cases": asked}))
            return
    print(json.dumps({"found": None, "seconds": time.monotonic() - begin, "cases": asked}))


def main():
    if sys.argv[1:2] == ["--one"]:
        return hunt(float(sys.argv[2]), sys.argv[3])
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10
    missed = []
    for fault in sys.argv[2:]:
        for soc, device in (("Ascend910B", "Ascend910B1"), ("Ascend950", "Ascend950PR_9599")):
            environment = {**os.environ, "GRADPROOF_DEVICES": device}
            if fault != "none":
                environment["GRADPROOF_FAULT"] = fault
            ran = subprocess.run([sys.executable, __file__, "--one", str(seconds), soc], env=environment, stdout=subprocess.PIPE, text=True)
            result = json.loads(ran.stdout.splitlines()[-1]) if ran.returncode == 0 else {"found": f"died with {ran.returncode}"}
            if result["found"]:
                break
        print(fault, json.dumps(result), flush=True)
        if not result["found"]:
            missed.append(fault)
    print(f"{len(sys.argv[2:]) - len(missed)} of {len(sys.argv[2:])} found; missed: {' '.join(missed)}")
    return None


if __name__ == "__main__":
    main()
