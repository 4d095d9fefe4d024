#ifndef GRADPROOF_TILING_CONV3D_BP_FILTER_TILING_H
#define GRADPROOF_TILING_CONV3D_BP_FILTER_TILING_H

#include "lib/conv_backprop/conv3d_bp_filter_tiling.h"

#endif
