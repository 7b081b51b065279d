// A model that doubts itself: every so many steps it restores the state that it has just saved into
// a second model of the same scene, steps both, and compares all that they then hold.
#pragma once

#include <memory>

#include "run/run_model.h"

namespace scree {

// `twin` is made for the same scene and not yet prepared. A step throws Error with the names of
// what differs.
std::unique_ptr<RunModel> validated(std::unique_ptr<RunModel> model, std::unique_ptr<RunModel> twin,
                                    std::uint64_t every);

}  // namespace scree
