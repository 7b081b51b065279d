// One flow step of a terrain: which variant of the kernel runs, with what.
#pragma once

#include "kernel/heights/flow.h"
#include "terrain/heights/heightfield.h"

namespace scree {

// `kind` is FLOW_…; `source` names the field of OPTION_SOURCE_MAP. Halos must be filled.
void run_flow_step(Heightfield& terrain, const Flow& numbers, int kind, const char* source);

}  // namespace scree
