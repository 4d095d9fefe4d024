#pragma once

#include "fuzz/runtime/context_steps.h"
#include "fuzz/runtime/event_steps.h"
#include "fuzz/runtime/executor_steps.h"
#include "fuzz/runtime/memory_family_steps.h"
#include "fuzz/runtime/memory_steps.h"
#include "fuzz/runtime/notify_steps.h"
#include "fuzz/runtime/stream_family_steps.h"
#include "fuzz/runtime/stream_steps.h"

namespace gradproof::fuzz::runtime {

/// A list of steps as one type.
template <typename... Steps>
struct StepList {};

/// All steps. What leads somewhere stands here more than once.
using Repertoire =
    StepList<CreateContext, SwitchContext, SwitchContext, DestroyContext, UseDeadContext,
             MakeWithoutContext, CreateStream, CreateStream, DestroyStream, SynchroniseStream,
             UseForeignStream, UseDeadStream, Allocate, Allocate, Free, Read, Read, Fill, Fill,
             Copy, Copy, CreateEvent, RecordEvent, WaitForEvent, SynchroniseEvent, DestroyEvent,
             Plan, Plan, MakeRepeatable, Launch, Launch, LaunchAgain, DestroyExecutor,
             ForgetExecutor, HandOver, WriteAndWait, CallHost, MapMemory, CallBack, StampEvent,
             AbortStream, LimitCores, RegisterAllocator, RegisterHost, CopyRows, Reduce,
             ExportMemory, AskDevice, PlanForward, PlanForward>;

}  // namespace gradproof::fuzz::runtime
