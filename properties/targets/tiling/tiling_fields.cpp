#include "properties/targets/tiling/tiling_fields.h"

namespace gradproof::targets {
namespace {

using AscendC::tiling::Conv3DBackpropFilterParams;
using AscendC::tiling::TConv3DBackpropInputTiling;
using AscendC::tiling::TConv3DBpFilterBasicBlockTiling;
using AscendC::tiling::TConv3DBpFilterTiling;

/// A field's name and where it stands.
template <typename Structure>
struct Row {
  const char* name;
  std::int64_t (*value)(const Structure&);
};

template <auto member, typename Structure>
std::int64_t value_of(const Structure& structure) {
  return static_cast<std::int64_t>(structure.*member);
}

// The one place where a name of a field is also its text.
#define FIELD(Structure, name) \
  { #name, value_of < &Structure::name, Structure> }

constexpr Row<TConv3DBackpropInputTiling> input_rows[] = {
    FIELD(TConv3DBackpropInputTiling, batch),
    FIELD(TConv3DBackpropInputTiling, cin),
    FIELD(TConv3DBackpropInputTiling, cout),
    FIELD(TConv3DBackpropInputTiling, cout1),
    FIELD(TConv3DBackpropInputTiling, cin1),
    FIELD(TConv3DBackpropInputTiling, cout1G),
    FIELD(TConv3DBackpropInputTiling, cin1G),
    FIELD(TConv3DBackpropInputTiling, c0),
    FIELD(TConv3DBackpropInputTiling, c0Bits),
    FIELD(TConv3DBackpropInputTiling, dout),
    FIELD(TConv3DBackpropInputTiling, ho),
    FIELD(TConv3DBackpropInputTiling, wo),
    FIELD(TConv3DBackpropInputTiling, di),
    FIELD(TConv3DBackpropInputTiling, hi),
    FIELD(TConv3DBackpropInputTiling, wi),
    FIELD(TConv3DBackpropInputTiling, dk),
    FIELD(TConv3DBackpropInputTiling, hk),
    FIELD(TConv3DBackpropInputTiling, wk),
    FIELD(TConv3DBackpropInputTiling, group),
    FIELD(TConv3DBackpropInputTiling, strideD),
    FIELD(TConv3DBackpropInputTiling, strideH),
    FIELD(TConv3DBackpropInputTiling, strideW),
    FIELD(TConv3DBackpropInputTiling, padFront),
    FIELD(TConv3DBackpropInputTiling, padBack),
    FIELD(TConv3DBackpropInputTiling, padUp),
    FIELD(TConv3DBackpropInputTiling, padDown),
    FIELD(TConv3DBackpropInputTiling, padLeft),
    FIELD(TConv3DBackpropInputTiling, padRight),
    FIELD(TConv3DBackpropInputTiling, backpropPadTail),
    FIELD(TConv3DBackpropInputTiling, backpropPadUp),
    FIELD(TConv3DBackpropInputTiling, backpropPadDown),
    FIELD(TConv3DBackpropInputTiling, backpropPadLeft),
    FIELD(TConv3DBackpropInputTiling, backpropPadRight),
    FIELD(TConv3DBackpropInputTiling, dilationD),
    FIELD(TConv3DBackpropInputTiling, dilationH),
    FIELD(TConv3DBackpropInputTiling, dilationW),
    FIELD(TConv3DBackpropInputTiling, al0Pbuffer),
    FIELD(TConv3DBackpropInputTiling, bl0Pbuffer),
    FIELD(TConv3DBackpropInputTiling, cl0Pbuffer),
    FIELD(TConv3DBackpropInputTiling, al1Pbuffer),
    FIELD(TConv3DBackpropInputTiling, bl1Pbuffer),
    FIELD(TConv3DBackpropInputTiling, singleCoreGroup),
    FIELD(TConv3DBackpropInputTiling, singleCoreCout),
    FIELD(TConv3DBackpropInputTiling, singleCoreCout1),
    FIELD(TConv3DBackpropInputTiling, singleCoreCin1),
    FIELD(TConv3DBackpropInputTiling, singleCoreDin),
    FIELD(TConv3DBackpropInputTiling, singleCoreHo),
    FIELD(TConv3DBackpropInputTiling, baseM),
    FIELD(TConv3DBackpropInputTiling, baseK),
    FIELD(TConv3DBackpropInputTiling, baseN),
    FIELD(TConv3DBackpropInputTiling, baseD),
    FIELD(TConv3DBackpropInputTiling, baseBatch),
    FIELD(TConv3DBackpropInputTiling, baseGroup),
    FIELD(TConv3DBackpropInputTiling, stepM),
    FIELD(TConv3DBackpropInputTiling, stepN),
    FIELD(TConv3DBackpropInputTiling, stepKa),
    FIELD(TConv3DBackpropInputTiling, stepKb),
    FIELD(TConv3DBackpropInputTiling, stepBatch),
    FIELD(TConv3DBackpropInputTiling, stepGroup),
    FIELD(TConv3DBackpropInputTiling, iterateOrder),
    FIELD(TConv3DBackpropInputTiling, hf32Flag),
    FIELD(TConv3DBackpropInputTiling, initOutputFlag),
    FIELD(TConv3DBackpropInputTiling, reserved),
    FIELD(TConv3DBackpropInputTiling, singleCoreBatch),
    FIELD(TConv3DBackpropInputTiling, singleCoreM),
    FIELD(TConv3DBackpropInputTiling, singleCoreCin),
};

constexpr Row<Conv3DBackpropFilterParams> params_rows[] = {
    FIELD(Conv3DBackpropFilterParams, totalL1Size),
};

constexpr Row<TConv3DBpFilterTiling> filter_rows[] = {
    FIELD(TConv3DBpFilterTiling, batch),
    FIELD(TConv3DBpFilterTiling, cin),
    FIELD(TConv3DBpFilterTiling, cout),
    FIELD(TConv3DBpFilterTiling, cin1G),
    FIELD(TConv3DBpFilterTiling, cout1G),
    FIELD(TConv3DBpFilterTiling, dout),
    FIELD(TConv3DBpFilterTiling, ho),
    FIELD(TConv3DBpFilterTiling, wo),
    FIELD(TConv3DBpFilterTiling, di),
    FIELD(TConv3DBpFilterTiling, hi),
    FIELD(TConv3DBpFilterTiling, wi),
    FIELD(TConv3DBpFilterTiling, dk),
    FIELD(TConv3DBpFilterTiling, hk),
    FIELD(TConv3DBpFilterTiling, wk),
    FIELD(TConv3DBpFilterTiling, group),
    FIELD(TConv3DBpFilterTiling, strideD),
    FIELD(TConv3DBpFilterTiling, strideH),
    FIELD(TConv3DBpFilterTiling, strideW),
    FIELD(TConv3DBpFilterTiling, padFront),
    FIELD(TConv3DBpFilterTiling, padBack),
    FIELD(TConv3DBpFilterTiling, padUp),
    FIELD(TConv3DBpFilterTiling, padDown),
    FIELD(TConv3DBpFilterTiling, padLeft),
    FIELD(TConv3DBpFilterTiling, padRight),
    FIELD(TConv3DBpFilterTiling, dilationD),
    FIELD(TConv3DBpFilterTiling, dilationH),
    FIELD(TConv3DBpFilterTiling, dilationW),
    FIELD(TConv3DBpFilterTiling, channelSize),
    FIELD(TConv3DBpFilterTiling, al0Pbuffer),
    FIELD(TConv3DBpFilterTiling, bl0Pbuffer),
    FIELD(TConv3DBpFilterTiling, cl0Pbuffer),
    FIELD(TConv3DBpFilterTiling, al1Pbuffer),
    FIELD(TConv3DBpFilterTiling, bl1Pbuffer),
    FIELD(TConv3DBpFilterTiling, baseM),
    FIELD(TConv3DBpFilterTiling, baseK),
    FIELD(TConv3DBpFilterTiling, baseN),
    FIELD(TConv3DBpFilterTiling, m0),
    FIELD(TConv3DBpFilterTiling, k0),
    FIELD(TConv3DBpFilterTiling, n0),
    FIELD(TConv3DBpFilterTiling, stepM),
    FIELD(TConv3DBpFilterTiling, stepN),
    FIELD(TConv3DBpFilterTiling, stepKa),
    FIELD(TConv3DBpFilterTiling, stepKb),
    FIELD(TConv3DBpFilterTiling, iterateOrder),
    FIELD(TConv3DBpFilterTiling, bl1Bound),
    FIELD(TConv3DBpFilterTiling, hf32Flag),
    FIELD(TConv3DBpFilterTiling, singleCoreDk),
    FIELD(TConv3DBpFilterTiling, singleCoreGroup),
    FIELD(TConv3DBpFilterTiling, singleCoreCout),
    FIELD(TConv3DBpFilterTiling, singleCoreHo),
    FIELD(TConv3DBpFilterTiling, singleCoreBatch),
    FIELD(TConv3DBpFilterTiling, singleCoreCin),
};

constexpr Row<TConv3DBpFilterBasicBlockTiling> block_rows[] = {
    FIELD(TConv3DBpFilterBasicBlockTiling, singleCoreM),
    FIELD(TConv3DBpFilterBasicBlockTiling, singleCoreN),
    FIELD(TConv3DBpFilterBasicBlockTiling, singleCoreK),
};

#undef FIELD

template <typename Structure, std::size_t count>
void note(const Structure& structure, const Row<Structure> (&rows)[count], TilingAnswer& answer) {
  for (const Row<Structure>& row : rows) {
    answer.fields.at(answer.field_count++) = {row.name, row.value(structure)};
  }
}

}  // namespace

void note_fields(const AscendC::tiling::Conv3DBackpropInputTilingData& data, TilingAnswer& answer) {
  note(data.conv3DDxTiling, input_rows, answer);
}

void note_fields(const AscendC::tiling::Conv3DBackpropFilterTilingData& data,
                 TilingAnswer& answer) {
  note(data.params, params_rows, answer);
  note(data.dwTiling, filter_rows, answer);
  note(data.basicBlockTiling, block_rows, answer);
}

}  // namespace gradproof::targets
