cp docs/examples/my_operator.cpp .
