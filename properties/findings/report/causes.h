#pragma once

#include <vector>

#include "properties/findings/report/report.h"

namespace gradproof::findings {

/// One finding for each cause, those with the most runs first. The smallest case of a cause speaks,
/// one that breaks a law between calls only where there is no other; the rest stand in its
/// `others`, and its runs and modes are those of all.
///
/// Two findings have one cause where they deviate alike whatever law they break, where the case of
/// each shows the other's deviation, where the same fault explains the values of both, where the
/// same special value gives the same wrong one, or where what is in error in both comes about in
/// exactly the same classes of calls. A broken law has the cause of a deviation that its calls show
/// without it, or, where earlier calls or chance take part, that of its output's wrong values.
/// While an output differs from call to call, that is the cause of each law that it breaks. The
/// result depends on the findings alone, not on their order.
std::vector<ReportFinding> one_for_each_cause(std::vector<ReportFinding> findings);

}  // namespace gradproof::findings
