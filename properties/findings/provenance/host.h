#pragma once

#include <string>

namespace gradproof::findings {

/// The machine that a run was made on, as it describes itself. A part that it does not tell is
/// empty.
struct Host {
  std::string name;       ///< of the machine in its network
  std::string system;     ///< distribution and kernel, e.g. "Debian GNU/Linux 12, Linux 6.1.0"
  std::string processor;  ///< architecture and model, e.g. "x86_64, Intel(R) Xeon(R) @ 2.00GHz"
  unsigned cores = 0;     ///< threads that run at once; 0: not known

  friend bool operator==(const Host&, const Host&) = default;
};

Host this_host();

}  // namespace gradproof::findings
