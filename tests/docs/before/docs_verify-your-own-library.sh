cp docs/examples/my_operator.cpp docs/examples/my_kernel.cpp .
