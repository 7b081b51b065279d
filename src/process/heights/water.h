// Water and, where asked for, the hydraulic erosion it does: one fused step
// (kernel/heights/flow.h).
#pragma once

#include <optional>
#include <vector>

#include "process/core/process.h"
#include "process/heights/hydraulic.h"
#include "process/heights/rain.h"

#define SCREE_PARAMETERS WaterParameters
#define SCREE_DEF "kernel/heights/water.def"
#include "base/define_parameters.h"

namespace scree {

class Water : public Process {
 public:
  explicit Water(WaterParameters water, std::vector<SpringParameters> springs = {},
                 std::optional<HydraulicParameters> erosion = {});

  std::string name() const override { return erosion_ ? "water + hydraulic" : "water"; }
  std::vector<FieldSpec> fields(const std::set<std::string>& maps) const override;
  void prepare(Heightfield& terrain) override;
  int phases() const override;
  void run(Heightfield& terrain, const StepContext& context, int phase) override;
  std::vector<std::string> halo_fields(const Heightfield& terrain, int phase) const override;
  bool follows(const std::string& field) const override { return field == "rain"; }
  double stable_dt(const Heightfield& terrain, double deepest) const override;

  // The numbers one step runs with, for tests that compare with a plain reference.
  Flow flow_numbers(const Heightfield& terrain, const StepContext& context) const;

 private:
  bool eight() const { return water_.neighbours == "8"; }
  bool semi_lagrangian() const;
  bool uses_source(const Heightfield& terrain) const;
  RainShape rain_shape() const;
  void update_wetness(Heightfield& terrain, double dt);

  WaterParameters water_;
  std::vector<SpringParameters> springs_;
  std::optional<HydraulicParameters> erosion_;
};

}  // namespace scree
