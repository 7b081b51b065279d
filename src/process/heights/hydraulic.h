// Hydraulic erosion: the numbers it adds to the flow step, and the published sediment advections.
#pragma once

#include "kernel/heights/flow.h"
#include "process/core/process.h"

#define SCREE_PARAMETERS HydraulicParameters
#define SCREE_DEF "kernel/heights/hydraulic.def"
#include "base/define_parameters.h"

namespace scree {

// Adds the fields that it needs.
void add_erosion_fields(const HydraulicParameters& erosion, std::vector<FieldSpec>& needed);

// Fills the erosion part of a step's numbers.
void add_erosion(Flow& flow, const HydraulicParameters& erosion, const Heightfield& terrain,
                 double dt);

// Phase 1 and 2 of a step with transport = euler or maccormack.
void advect_ahead(Heightfield& terrain, const Flow& flow, bool eight);
void advect_finish(Heightfield& terrain, const Flow& flow, bool correct);

}  // namespace scree
