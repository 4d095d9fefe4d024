#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "properties/targets/target/cann_api.h"
#include "properties/targets/target/library.h"

namespace gradproof::targets {

/// Faults of the fake library.
enum class Misbehaviour : std::uint8_t {
  None,
  // around the call
  RefuseEverything,
  ReturnOddStatus,
  TouchOutParametersOnFailure,
  ForgetExecutor,
  ForgetWorkspaceSize,
  FailPhaseTwo,
  FailSynchronise,
  // in memory
  WritePastOutput,
  WriteBeforeOutput,
  WriteIntoInput,
  WriteIntoInputGuard,
  WritePastWorkspace,
  LeaveGradInputUnwritten,
  WriteUnrequestedOutput,
  WriteInPhaseOne,
  ReadWorkspace,
  VaryFromCallToCall,
  // in the values
  TakeDilationForStride,
  LoseLastColumn,
  IgnoreGroups,
  RoundProductsToHalf,
  LosePaddingEnd,
  BiasMissesLastSample,
  TakeStrideForDilation,
  ExchangeStrideAndDilation,
  SwapStrides,
  IgnorePadding,
  PaddingOneTooLarge,
  LoseOutputPadding,
  LoseFirstTap,
  OnlyFirstSample,
  LoseLastChannelOfGroups,
  FlipKernel,
  DoubleGradients,
  NegateGradients,
  RoundInputsToHf32,
  TruncateInputsToHf32,
  RoundResultsToHalf,
  LoseTailBeyondEight,
  LoseColumnsBetweenStrides,     ///< of the larger map
  LoseSampleOfBatchBeyondNine,   ///< the last one
  LoseChannelOfMultiplesOfFour,  ///< the last of the smaller map's, of each group
  LoseSampleOfSumsBeyondSixty,   ///< the last, where batch * positions is larger
  LoseSampleOfKernelsOfThree,    ///< the last, where kernel_w is 3
  ReadNanAsZero,
  RoundGradOutputToHalf,
  RoundNegativeGradOutputToHalf,
  AddToOutputs,  ///< gradients are added to what was there
  // each breaks a law
  AddOneToGradInput,
  DoubleGradWeight,
  LoseLastTapIn1D,
  LoseLastSampleIfTransposed,
  LoseLastChannel,
  CountFirstSampleTwice,
  LoseFirstColumn,
  LoseGradWeightWithoutGradInput,
  IgnoreStrides,
  IgnoreOffset,
  DoubleGradWeightOfNd,
  DoubleGradWeightInOtherModes,
  RoundBiasInOtherModes,
  SkipSecondUseOfExecutor,
  MixUpStreams,
  LeakDeviceMemory,
  ShowScheduleInBits,      ///< gradInput depends on the schedule seed
  LoseSumInSomeSchedules,  ///< gradWeight does, beyond every bound
  ReadAddress,             ///< gradInput depends on where gradOutput lies
  DoublePlainPath,
  DoubleWithLargerWorkspace,
  DoubleWithUnalignedWorkspace,  ///< that is not aligned to 128 bytes
  ReadDataInPhaseOne,            ///< gradients are doubled where gradOutput changes afterwards
  ReadBeforeStream,              ///< phase two reads before what the stream holds is over
  DoubleOnDefaultStream,
  DoubleOnAnotherThread,
  DoubleWherePlannedByTwoThreads,  ///< in that thread's call which did not plan last
  IgnoreNewAddresses,              ///< an executor computes where phase one found its tensors
  KeepPaddingOfCallBefore,     ///< gradients are doubled where that had padding and this has none
  KeepGradOutputOfCallBefore,  ///< its first element, where the shapes are the same
  KeepWindowsOfSameShapes,     ///< gradients are doubled where those of the call before differ
  KeepMaskOfSameShapes,        ///< likewise, where its mask asked for fewer
  ForgetShapeAfterManyCalls,   ///< a call is wrong where its like was more than 500 calls before
  KeepFiniteOutputs,           ///< outputs that hold finite numbers are not written
  // each shows in gradInput, where no claim is made
  ShowBatchSize,
  ShowPlaceInBatch,
  ShowNeighbours,
  ShowGroups,
  ShowStrides,
  DoubleForward,          ///< aclnnConvolution's output
  MistakeOperatorLayout,  ///< graph operators take strides for D H W whatever the data format
};

/// A whole CANN in this process, for FLOAT tensors: memory is the host's, streams do nothing, the
/// operator is a plain loop over doubles. One at a time; its functions may be called by several
/// threads at once.
struct FakeCann {
  Misbehaviour misbehaviour = Misbehaviour::None;
  std::uint64_t workspace_size = 64;
  std::vector<std::string> socs{"Ascend910B1"};

  // What it saw.
  int live_allocations = 0, live_tensors = 0, live_arrays = 0, live_executors = 0, live_streams = 0;
  int phase_one_calls = 0, phase_two_calls = 0;
  std::int64_t context_option = 0, process_option = 0;
  std::array<std::int64_t, 2> options_in_phase_one{-1, -1};  ///< context, process
  std::int32_t device = -1;
  std::map<std::string, std::string> settings;  ///< of gradproofSetForThread
  std::thread::id last_planner;                 ///< the thread that called phase one last
  int unsynchronised_launches = 0;

  // What it remembers, and should not.
  std::vector<std::int64_t> shape_before;  ///< of gradOutput in the call before
  bool was_padded = false;
  std::vector<std::int64_t> padding_before;
  std::vector<bool> mask_before;
  float grad_output_before = 0;
  std::map<std::vector<std::int64_t>, int> last_calls;  ///< by shape, counted in phase two

  int live_objects() const {
    return live_allocations + live_tensors + live_arrays + live_executors;
  }
};

/// The one that fake_api()'s functions drive.
FakeCann& fake_cann();

CannApi fake_api();

/// fake_api(), the two graph operators, and aclnnConvolution, which takes no bias.
CannApi fake_api_with_operators();

/// A library over a fresh fake that misbehaves as asked.
std::shared_ptr<const Library> fake_library(Misbehaviour misbehaviour = Misbehaviour::None);
std::shared_ptr<const Library> fake_library(const CannApi& api, Misbehaviour misbehaviour);

}  // namespace gradproof::targets
