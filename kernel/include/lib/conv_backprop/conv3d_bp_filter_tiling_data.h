#ifndef GRADPROOF_LIB_CONV3D_BP_FILTER_TILING_DATA_H
#define GRADPROOF_LIB_CONV3D_BP_FILTER_TILING_DATA_H

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace AscendC {
namespace tiling {

struct Conv3DBackpropFilterParams {
  uint32_t totalL1Size = 0;
};

/// What GetTiling decides and a kernel's Init reads. Field order is the memory layout.
struct TConv3DBpFilterTiling {
  uint32_t batch = 0;
  uint32_t cin = 0;
  uint32_t cout = 0;
  uint32_t cin1G = 0;
  uint32_t cout1G = 0;
  uint32_t dout = 0;
  uint32_t ho = 0;
  uint32_t wo = 0;
  uint32_t di = 0;
  uint32_t hi = 0;
  uint32_t wi = 0;
  uint32_t dk = 0;
  uint32_t hk = 0;
  uint32_t wk = 0;
  uint32_t group = 0;
  uint32_t strideD = 0;
  uint32_t strideH = 0;
  uint32_t strideW = 0;
  uint32_t padFront = 0;
  uint32_t padBack = 0;
  uint32_t padUp = 0;
  uint32_t padDown = 0;
  uint32_t padLeft = 0;
  uint32_t padRight = 0;
  uint32_t dilationD = 0;
  uint32_t dilationH = 0;
  uint32_t dilationW = 0;
  uint32_t channelSize = 0;
  uint32_t al0Pbuffer = 0;
  uint32_t bl0Pbuffer = 0;
  uint32_t cl0Pbuffer = 0;
  uint32_t al1Pbuffer = 0;
  uint32_t bl1Pbuffer = 0;
  uint32_t baseM = 0;
  uint32_t baseK = 0;
  uint32_t baseN = 0;
  uint32_t m0 = 0;
  uint32_t k0 = 0;
  uint32_t n0 = 0;
  uint32_t stepM = 0;
  uint32_t stepN = 0;
  uint32_t stepKa = 0;
  uint32_t stepKb = 0;
  uint32_t iterateOrder = 0;
  uint32_t bl1Bound = 0;
  uint32_t hf32Flag = 0;
  uint32_t singleCoreDk = 0;
  uint32_t singleCoreGroup = 0;
  uint32_t singleCoreCout = 0;
  uint32_t singleCoreHo = 0;
  uint64_t singleCoreBatch = 0;
  uint64_t singleCoreCin = 0;
};

/// One core's share of the product, in elements.
struct TConv3DBpFilterBasicBlockTiling {
  uint32_t singleCoreM = 0;
  uint32_t singleCoreN = 0;
  uint32_t singleCoreK = 0;
};

struct Conv3DBackpropFilterTilingData {
  Conv3DBackpropFilterParams params;
  TConv3DBpFilterTiling dwTiling;
  TConv3DBpFilterBasicBlockTiling basicBlockTiling;
};

}  // namespace tiling
}  // namespace AscendC

namespace optiling {

// The same values behind accessors, for hosts that hand tiling data on as a buffer.

class Conv3DBackpropFilterParams {
 public:
  uint32_t get_totalL1Size() const { return fields_.totalL1Size; }
  void set_totalL1Size(uint32_t value) { fields_.totalL1Size = value; }

  /// The plain flavour of the same values.
  const AscendC::tiling::Conv3DBackpropFilterParams& plain() const { return fields_; }
  void set_plain(const AscendC::tiling::Conv3DBackpropFilterParams& fields) { fields_ = fields; }

 private:
  AscendC::tiling::Conv3DBackpropFilterParams fields_;
};

class TConv3DBpFilterTiling {
 public:
  uint32_t get_batch() const { return fields_.batch; }
  void set_batch(uint32_t value) { fields_.batch = value; }
  uint32_t get_cin() const { return fields_.cin; }
  void set_cin(uint32_t value) { fields_.cin = value; }
  uint32_t get_cout() const { return fields_.cout; }
  void set_cout(uint32_t value) { fields_.cout = value; }
  uint32_t get_cin1G() const { return fields_.cin1G; }
  void set_cin1G(uint32_t value) { fields_.cin1G = value; }
  uint32_t get_cout1G() const { return fields_.cout1G; }
  void set_cout1G(uint32_t value) { fields_.cout1G = value; }
  uint32_t get_dout() const { return fields_.dout; }
  void set_dout(uint32_t value) { fields_.dout = value; }
  uint32_t get_ho() const { return fields_.ho; }
  void set_ho(uint32_t value) { fields_.ho = value; }
  uint32_t get_wo() const { return fields_.wo; }
  void set_wo(uint32_t value) { fields_.wo = value; }
  uint32_t get_di() const { return fields_.di; }
  void set_di(uint32_t value) { fields_.di = value; }
  uint32_t get_hi() const { return fields_.hi; }
  void set_hi(uint32_t value) { fields_.hi = value; }
  uint32_t get_wi() const { return fields_.wi; }
  void set_wi(uint32_t value) { fields_.wi = value; }
  uint32_t get_dk() const { return fields_.dk; }
  void set_dk(uint32_t value) { fields_.dk = value; }
  uint32_t get_hk() const { return fields_.hk; }
  void set_hk(uint32_t value) { fields_.hk = value; }
  uint32_t get_wk() const { return fields_.wk; }
  void set_wk(uint32_t value) { fields_.wk = value; }
  uint32_t get_group() const { return fields_.group; }
  void set_group(uint32_t value) { fields_.group = value; }
  uint32_t get_strideD() const { return fields_.strideD; }
  void set_strideD(uint32_t value) { fields_.strideD = value; }
  uint32_t get_strideH() const { return fields_.strideH; }
  void set_strideH(uint32_t value) { fields_.strideH = value; }
  uint32_t get_strideW() const { return fields_.strideW; }
  void set_strideW(uint32_t value) { fields_.strideW = value; }
  uint32_t get_padFront() const { return fields_.padFront; }
  void set_padFront(uint32_t value) { fields_.padFront = value; }
  uint32_t get_padBack() const { return fields_.padBack; }
  void set_padBack(uint32_t value) { fields_.padBack = value; }
  uint32_t get_padUp() const { return fields_.padUp; }
  void set_padUp(uint32_t value) { fields_.padUp = value; }
  uint32_t get_padDown() const { return fields_.padDown; }
  void set_padDown(uint32_t value) { fields_.padDown = value; }
  uint32_t get_padLeft() const { return fields_.padLeft; }
  void set_padLeft(uint32_t value) { fields_.padLeft = value; }
  uint32_t get_padRight() const { return fields_.padRight; }
  void set_padRight(uint32_t value) { fields_.padRight = value; }
  uint32_t get_dilationD() const { return fields_.dilationD; }
  void set_dilationD(uint32_t value) { fields_.dilationD = value; }
  uint32_t get_dilationH() const { return fields_.dilationH; }
  void set_dilationH(uint32_t value) { fields_.dilationH = value; }
  uint32_t get_dilationW() const { return fields_.dilationW; }
  void set_dilationW(uint32_t value) { fields_.dilationW = value; }
  uint32_t get_channelSize() const { return fields_.channelSize; }
  void set_channelSize(uint32_t value) { fields_.channelSize = value; }
  uint32_t get_al0Pbuffer() const { return fields_.al0Pbuffer; }
  void set_al0Pbuffer(uint32_t value) { fields_.al0Pbuffer = value; }
  uint32_t get_bl0Pbuffer() const { return fields_.bl0Pbuffer; }
  void set_bl0Pbuffer(uint32_t value) { fields_.bl0Pbuffer = value; }
  uint32_t get_cl0Pbuffer() const { return fields_.cl0Pbuffer; }
  void set_cl0Pbuffer(uint32_t value) { fields_.cl0Pbuffer = value; }
  uint32_t get_al1Pbuffer() const { return fields_.al1Pbuffer; }
  void set_al1Pbuffer(uint32_t value) { fields_.al1Pbuffer = value; }
  uint32_t get_bl1Pbuffer() const { return fields_.bl1Pbuffer; }
  void set_bl1Pbuffer(uint32_t value) { fields_.bl1Pbuffer = value; }
  uint32_t get_baseM() const { return fields_.baseM; }
  void set_baseM(uint32_t value) { fields_.baseM = value; }
  uint32_t get_baseK() const { return fields_.baseK; }
  void set_baseK(uint32_t value) { fields_.baseK = value; }
  uint32_t get_baseN() const { return fields_.baseN; }
  void set_baseN(uint32_t value) { fields_.baseN = value; }
  uint32_t get_m0() const { return fields_.m0; }
  void set_m0(uint32_t value) { fields_.m0 = value; }
  uint32_t get_k0() const { return fields_.k0; }
  void set_k0(uint32_t value) { fields_.k0 = value; }
  uint32_t get_n0() const { return fields_.n0; }
  void set_n0(uint32_t value) { fields_.n0 = value; }
  uint32_t get_stepM() const { return fields_.stepM; }
  void set_stepM(uint32_t value) { fields_.stepM = value; }
  uint32_t get_stepN() const { return fields_.stepN; }
  void set_stepN(uint32_t value) { fields_.stepN = value; }
  uint32_t get_stepKa() const { return fields_.stepKa; }
  void set_stepKa(uint32_t value) { fields_.stepKa = value; }
  uint32_t get_stepKb() const { return fields_.stepKb; }
  void set_stepKb(uint32_t value) { fields_.stepKb = value; }
  uint32_t get_iterateOrder() const { return fields_.iterateOrder; }
  void set_iterateOrder(uint32_t value) { fields_.iterateOrder = value; }
  uint32_t get_bl1Bound() const { return fields_.bl1Bound; }
  void set_bl1Bound(uint32_t value) { fields_.bl1Bound = value; }
  uint32_t get_hf32Flag() const { return fields_.hf32Flag; }
  void set_hf32Flag(uint32_t value) { fields_.hf32Flag = value; }
  uint32_t get_singleCoreDk() const { return fields_.singleCoreDk; }
  void set_singleCoreDk(uint32_t value) { fields_.singleCoreDk = value; }
  uint32_t get_singleCoreGroup() const { return fields_.singleCoreGroup; }
  void set_singleCoreGroup(uint32_t value) { fields_.singleCoreGroup = value; }
  uint32_t get_singleCoreCout() const { return fields_.singleCoreCout; }
  void set_singleCoreCout(uint32_t value) { fields_.singleCoreCout = value; }
  uint32_t get_singleCoreHo() const { return fields_.singleCoreHo; }
  void set_singleCoreHo(uint32_t value) { fields_.singleCoreHo = value; }
  uint64_t get_singleCoreBatch() const { return fields_.singleCoreBatch; }
  void set_singleCoreBatch(uint64_t value) { fields_.singleCoreBatch = value; }
  uint64_t get_singleCoreCin() const { return fields_.singleCoreCin; }
  void set_singleCoreCin(uint64_t value) { fields_.singleCoreCin = value; }

  /// The plain flavour of the same values.
  const AscendC::tiling::TConv3DBpFilterTiling& plain() const { return fields_; }
  void set_plain(const AscendC::tiling::TConv3DBpFilterTiling& fields) { fields_ = fields; }

 private:
  AscendC::tiling::TConv3DBpFilterTiling fields_;
};

class TConv3DBpFilterBasicBlockTiling {
 public:
  uint32_t get_singleCoreM() const { return fields_.singleCoreM; }
  void set_singleCoreM(uint32_t value) { fields_.singleCoreM = value; }
  uint32_t get_singleCoreN() const { return fields_.singleCoreN; }
  void set_singleCoreN(uint32_t value) { fields_.singleCoreN = value; }
  uint32_t get_singleCoreK() const { return fields_.singleCoreK; }
  void set_singleCoreK(uint32_t value) { fields_.singleCoreK = value; }

  /// The plain flavour of the same values.
  const AscendC::tiling::TConv3DBpFilterBasicBlockTiling& plain() const { return fields_; }
  void set_plain(const AscendC::tiling::TConv3DBpFilterBasicBlockTiling& fields) {
    fields_ = fields;
  }

 private:
  AscendC::tiling::TConv3DBpFilterBasicBlockTiling fields_;
};

class Conv3DBackpropFilterTilingData {
 public:
  Conv3DBackpropFilterParams params;
  TConv3DBpFilterTiling dwTiling;
  TConv3DBpFilterBasicBlockTiling basicBlockTiling;

  size_t GetDataSize() const { return sizeof(AscendC::tiling::Conv3DBackpropFilterTilingData); }

  /// The plain flavour's bytes. Writes nothing where `capacity` is too small.
  void SaveToBuffer(void* data, size_t capacity) const {
    if (data == nullptr || capacity < GetDataSize()) return;
    const AscendC::tiling::Conv3DBackpropFilterTilingData plain{params.plain(), dwTiling.plain(),
                                                                basicBlockTiling.plain()};
    std::memcpy(data, &plain, sizeof(plain));
  }
};

}  // namespace optiling

#endif
