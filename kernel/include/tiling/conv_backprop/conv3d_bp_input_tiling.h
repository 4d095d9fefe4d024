#ifndef GRADPROOF_TILING_CONV3D_BP_INPUT_TILING_H
#define GRADPROOF_TILING_CONV3D_BP_INPUT_TILING_H

#include "lib/conv_backprop/conv3d_bp_input_tiling.h"

#endif
