// A model that doubts itself: every so many steps it restores the state that it has just saved into
// a second model, steps both, and compares all that they then hold.
#pragma once

#include <memory>

#include "run/run_model.h"

namespace scree {

// The second model has the processes of this scene, which is the first one's unless that is what is
// tried. A step throws Error with the names of what differs.
std::unique_ptr<RunModel> validated(std::unique_ptr<RunModel> model, const Scene& scene,
                                    std::uint64_t every);

}  // namespace scree
