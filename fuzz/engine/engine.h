#pragma once

#include <cstddef>
#include <cstdint>

/// The interface between fuzz targets and engines (libFuzzer's, which AFL++ knows too). What is
/// weak may be missing.
extern "C" {

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int* argc, char*** argv);
__attribute__((weak)) std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                                          std::size_t max_size, unsigned int seed);

/// The engine's: mutates an input.
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);
}
