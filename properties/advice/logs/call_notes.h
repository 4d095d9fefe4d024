#pragma once

#include "properties/advice/logs/reading.h"

namespace gradproof::advice {

/// Adds to the calls of a reading what their numbers say: channels that seem to be last, elements
/// that no output reads, errors that a right library shows where numbers differ.
void add_notes(Reading& reading);

}  // namespace gradproof::advice
