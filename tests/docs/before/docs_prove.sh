cmake --install build/release --prefix "$HOME/gradproof" >/dev/null && cp docs/examples/my_kernel.cpp .
