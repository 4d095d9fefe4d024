#ifndef GRADPROOF_GRADPROOF_PLATFORM_H
#define GRADPROOF_GRADPROOF_PLATFORM_H

#include "tiling/platform/platform_ascendc.h"

/// The description of a chip, e.g. "Ascend910B1", for tiling code that is tested without a
/// framework to hand it one; null where there is no such chip. It lives as long as the process.
/// CANN has no such function.
fe::PlatFormInfos* gradproofPlatformInfos(const char* socName);

#endif
