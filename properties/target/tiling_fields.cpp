#include "properties/target/tiling_fields.h"

namespace gradproof::properties {
namespace {

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
#define FIELD(name) \
  { #name, value_of < &Structure::name, Structure> }

template <typename Structure>
void note(const Structure& structure, std::span<const Row<Structure>> rows, TilingAnswer& answer) {
  for (const Row<Structure>& row : rows) {
    answer.fields.at(answer.field_count++) = {row.name, row.value(structure)};
  }
}

// NOLINTNEXTLINE(readability-function-size): a list of the fields of a structure
void note(const AscendC::tiling::TConv3DBackpropInputTiling& data, TilingAnswer& answer) {
  using Structure = AscendC::tiling::TConv3DBackpropInputTiling;
  static constexpr Row<Structure> rows[] = {FIELD(batch),
                                            FIELD(cin),
                                            FIELD(cout),
                                            FIELD(cout1),
                                            FIELD(cin1),
                                            FIELD(cout1G),
                                            FIELD(cin1G),
                                            FIELD(c0),
                                            FIELD(c0Bits),
                                            FIELD(dout),
                                            FIELD(ho),
                                            FIELD(wo),
                                            FIELD(di),
                                            FIELD(hi),
                                            FIELD(wi),
                                            FIELD(dk),
                                            FIELD(hk),
                                            FIELD(wk),
                                            FIELD(group),
                                            FIELD(strideD),
                                            FIELD(strideH),
                                            FIELD(strideW),
                                            FIELD(padFront),
                                            FIELD(padBack),
                                            FIELD(padUp),
                                            FIELD(padDown),
                                            FIELD(padLeft),
                                            FIELD(padRight),
                                            FIELD(backpropPadTail),
                                            FIELD(backpropPadUp),
                                            FIELD(backpropPadDown),
                                            FIELD(backpropPadLeft),
                                            FIELD(backpropPadRight),
                                            FIELD(dilationD),
                                            FIELD(dilationH),
                                            FIELD(dilationW),
                                            FIELD(al0Pbuffer),
                                            FIELD(bl0Pbuffer),
                                            FIELD(cl0Pbuffer),
                                            FIELD(al1Pbuffer),
                                            FIELD(bl1Pbuffer),
                                            FIELD(singleCoreGroup),
                                            FIELD(singleCoreCout),
                                            FIELD(singleCoreCout1),
                                            FIELD(singleCoreCin1),
                                            FIELD(singleCoreDin),
                                            FIELD(singleCoreHo),
                                            FIELD(baseM),
                                            FIELD(baseK),
                                            FIELD(baseN),
                                            FIELD(baseD),
                                            FIELD(baseBatch),
                                            FIELD(baseGroup),
                                            FIELD(stepM),
                                            FIELD(stepN),
                                            FIELD(stepKa),
                                            FIELD(stepKb),
                                            FIELD(stepBatch),
                                            FIELD(stepGroup),
                                            FIELD(iterateOrder),
                                            FIELD(hf32Flag),
                                            FIELD(initOutputFlag),
                                            FIELD(reserved),
                                            FIELD(singleCoreBatch),
                                            FIELD(singleCoreM),
                                            FIELD(singleCoreCin)};
  note<Structure>(data, rows, answer);
}

void note(const AscendC::tiling::Conv3DBackpropFilterParams& data, TilingAnswer& answer) {
  using Structure = AscendC::tiling::Conv3DBackpropFilterParams;
  static constexpr Row<Structure> rows[] = {FIELD(totalL1Size)};
  note<Structure>(data, rows, answer);
}

void note(const AscendC::tiling::TConv3DBpFilterTiling& data, TilingAnswer& answer) {
  using Structure = AscendC::tiling::TConv3DBpFilterTiling;
  static constexpr Row<Structure> rows[] = {FIELD(batch),
                                            FIELD(cin),
                                            FIELD(cout),
                                            FIELD(cin1G),
                                            FIELD(cout1G),
                                            FIELD(dout),
                                            FIELD(ho),
                                            FIELD(wo),
                                            FIELD(di),
                                            FIELD(hi),
                                            FIELD(wi),
                                            FIELD(dk),
                                            FIELD(hk),
                                            FIELD(wk),
                                            FIELD(group),
                                            FIELD(strideD),
                                            FIELD(strideH),
                                            FIELD(strideW),
                                            FIELD(padFront),
                                            FIELD(padBack),
                                            FIELD(padUp),
                                            FIELD(padDown),
                                            FIELD(padLeft),
                                            FIELD(padRight),
                                            FIELD(dilationD),
                                            FIELD(dilationH),
                                            FIELD(dilationW),
                                            FIELD(channelSize),
                                            FIELD(al0Pbuffer),
                                            FIELD(bl0Pbuffer),
                                            FIELD(cl0Pbuffer),
                                            FIELD(al1Pbuffer),
                                            FIELD(bl1Pbuffer),
                                            FIELD(baseM),
                                            FIELD(baseK),
                                            FIELD(baseN),
                                            FIELD(m0),
                                            FIELD(k0),
                                            FIELD(n0),
                                            FIELD(stepM),
                                            FIELD(stepN),
                                            FIELD(stepKa),
                                            FIELD(stepKb),
                                            FIELD(iterateOrder),
                                            FIELD(bl1Bound),
                                            FIELD(hf32Flag),
                                            FIELD(singleCoreDk),
                                            FIELD(singleCoreGroup),
                                            FIELD(singleCoreCout),
                                            FIELD(singleCoreHo),
                                            FIELD(singleCoreBatch),
                                            FIELD(singleCoreCin)};
  note<Structure>(data, rows, answer);
}

void note(const AscendC::tiling::TConv3DBpFilterBasicBlockTiling& data, TilingAnswer& answer) {
  using Structure = AscendC::tiling::TConv3DBpFilterBasicBlockTiling;
  static constexpr Row<Structure> rows[] = {FIELD(singleCoreM), FIELD(singleCoreN),
                                            FIELD(singleCoreK)};
  note<Structure>(data, rows, answer);
}

#undef FIELD

}  // namespace

void note_fields(const AscendC::tiling::Conv3DBackpropInputTilingData& data, TilingAnswer& answer) {
  note(data.conv3DDxTiling, answer);
}

void note_fields(const AscendC::tiling::Conv3DBackpropFilterTilingData& data,
                 TilingAnswer& answer) {
  note(data.params, answer);
  note(data.dwTiling, answer);
  note(data.basicBlockTiling, answer);
}

}  // namespace gradproof::properties
