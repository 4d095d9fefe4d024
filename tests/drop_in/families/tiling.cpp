// How Ascend C's two tiling classes cut a convolution, on the platform of the process.
#include "family.h"
#include "lib/conv_backprop/conv3d_bp_filter_tiling.h"
#include "lib/conv_backprop/conv3d_bp_input_tiling.h"
#include "tiling/platform/platform_ascendc.h"

/// 16 to 16 channels, a 5 x 5 plane, 3 x 3 taps, padded to keep its size.
template <class Tiling>
void tell(Tiling& tiling) {
  tiling.SetWeightShape(16, 16, 1, 3, 3);
  tiling.SetInputShape(1, 16, 1, 5, 5);
  tiling.SetGradOutputShape(1, 16, 1, 5, 5);
  tiling.SetPadding(0, 0, 1, 1, 1, 1);
}

int main() {
  auto* const platform = platform_ascendc::PlatformAscendCManager::GetInstance();
  std::uint64_t l1 = 0;
  platform->GetCoreMemSize(platform_ascendc::CoreMemType::L1, l1);
  std::printf("cube cores %u, L1 %llu\n", platform->GetCoreNumAic(),
              static_cast<unsigned long long>(l1));
  ConvBackpropApi::Conv3dBpFilterTiling filter(*platform);
  tell(filter);
  optiling::Conv3DBackpropFilterTilingData told;
  AscendC::tiling::Conv3DBackpropFilterTilingData plain;
  CHECK(static_cast<int>(filter.GetTiling(told)));
  CHECK(static_cast<int>(filter.GetTiling(plain)));
  std::printf("filter: %u x %u x %u, both flavours: %d\n", plain.dwTiling.baseM,
              plain.dwTiling.baseK, plain.dwTiling.baseN,
              told.dwTiling.get_baseM() == plain.dwTiling.baseM);
  ConvBackpropApi::Conv3DBpInputTiling input(*platform);
  input.SetInputType(ConvCommonApi::TPosition::GM, ConvCommonApi::ConvFormat::NDC1HWC0,
                     ConvCommonApi::ConvDtype::FLOAT16);
  tell(input);
  AscendC::tiling::Conv3DBackpropInputTilingData of_input;
  CHECK(static_cast<int>(input.GetTiling(of_input)));
  std::printf("input: %u x %u x %u\n", of_input.conv3DDxTiling.baseM, of_input.conv3DDxTiling.baseK,
              of_input.conv3DDxTiling.baseN);
  std::printf("no kernel: %d\n", [] {
    ConvBackpropApi::Conv3dBpFilterTiling untold;
    AscendC::tiling::Conv3DBackpropFilterTilingData data;
    return static_cast<int>(untold.GetTiling(data));
  }());
  return failures;
}
