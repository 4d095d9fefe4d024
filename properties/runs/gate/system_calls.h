#pragma once

namespace gradproof::runs {

/// A filter for bubblewrap's --seccomp in a file of this process' memory: threads may begin, no
/// processes; none is traced or read, nothing is mounted, no kernel program loaded. Result: the
/// file's descriptor, open as long as this process lives; -1 where there is none for this
/// processor.
int system_call_filter();

}  // namespace gradproof::runs
