// Water on layers, and the hydraulic erosion that it does: the flow step of heightfields on the top
// of the stacks, which follow it (kernel/layers/load.h).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernel/layers/load.h"
#include "process/core/registry.h"
#include "process/heights/water.h"
#include "process/layers/cave_water.h"
#include "process/layers/layer_process.h"

namespace scree {

class LayerWater : public LayerProcess {
 public:
  explicit LayerWater(WaterParameters water, std::vector<SpringParameters> springs = {},
                      std::optional<HydraulicParameters> erosion = {});

  std::string name() const override { return "water"; }
  void prepare(Layers& terrain) override;
  void run(Layers& terrain, const StepContext& context) override;
  double stable_dt(const Layers& terrain) const override;
  bool runs_fluids() const override { return true; }
  void visit(StateVisitor& visitor) override;
  // Water that was poured runs from the next step on, and caves that were dug fill.
  void terrain_changed(const Box& box) override;
  std::vector<FieldSpec> fields() const override;
  std::vector<float> values(const Layers& terrain, const std::string& field) const override;
  std::map<std::string, LayerBooking> booked(const Layers& terrain) const override;

  // The top of the stacks with its water and fluxes, as they are after the last step.
  Heightfield& surface() { return *surface_; }
  const Heightfield& surface() const { return *surface_; }
  // The sediment by kind: materials, and quanta a cell of each.
  const std::vector<int>& load_materials() const { return materials_; }
  std::vector<std::vector<int>> loads() const;

  // What the kernels get, once prepared.
  std::vector<LoadMaterial> table(const Layers& terrain) const;
  Load numbers(const Layers& terrain, const StepContext& context) const;
  Flow flow_numbers(const StepContext& context) const;

 private:
  void add_maps(const Layers& terrain);
  void visit_fluxes(StateVisitor& visitor);
  void visit_loads(StateVisitor& visitor);
  void look_for_caves(const Box& box);
  void follow(Layers& terrain, const StepContext& context);
  void move_loads(const Layers& terrain, const Flow& flow, const Load& numbers);
  std::vector<long long> left() const;

  std::optional<HydraulicParameters> erosion_;
  Water water_;
  Layers* terrain_ = nullptr;
  std::vector<int> materials_;  // of the load, coarse ones first
  int coarse_ = 0;
  std::string water_name_;
  std::unique_ptr<Heightfield> surface_;
  std::unique_ptr<CaveWater> caves_;  // where there are any
  device::BufferPtr table_, needed_, loads_, out_, left_;
};

// For a scene's [water] and [hydraulic]; null where both are off.
AnyProcessPtr make_layer_water(const ProcessSet& set);

}  // namespace scree
