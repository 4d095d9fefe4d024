#pragma once

namespace gradproof::tests {

/// How many allocations of this process have not been released, for a program that links
/// live_allocations.cpp. Only differences mean something.
long live_allocations();

}  // namespace gradproof::tests
