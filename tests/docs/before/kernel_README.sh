# A program of the reader's, and where to install.
PREFIX=$HOME/installed
cp docs/examples/convolution_backward_2d.cpp example.cpp
cp docs/examples/npu.h .
