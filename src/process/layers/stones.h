// Boulders that sliding layers take along until both come to rest (kernel/layers/stones.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernel/layers/stones.h"
#include "process/layers/slippage.h"

#define SCREE_PARAMETERS StonesParameters
#define SCREE_DEF "kernel/layers/stones.def"
#include "base/define_parameters.h"

#define SCREE_PARAMETERS StoneParameters
#define SCREE_DEF "kernel/layers/stone.def"
#include "base/define_parameters.h"

namespace scree {

// How the ground slides under stones: whether, in which steps, and by which rule.
struct StoneGround {
  bool slides = true;
  int every = 1;
  SlippageParameters rule = {};
};

class Stones : public LayerProcess {
 public:
  explicit Stones(StonesParameters parameters = {}, std::vector<StoneParameters> listed = {},
                  StoneGround ground = {});

  std::string name() const override { return "stones"; }
  void prepare(Layers& terrain) override;
  void run(Layers& terrain, const StepContext& context) override;
  void visit(StateVisitor& visitor) override;
  std::map<std::string, long long> counts() const override;

  // In metres: east of the terrain's western edge and north of its southern one; the height at
  // which a stone lies; kilograms.
  struct Boulder {
    double x, y, height, radius, mass;
    bool at_rest;
  };
  std::vector<Boulder> list(const Layers& terrain) const { return list(terrain, stones()); }
  // The same of stones that a state holds.
  static std::vector<Boulder> list(const Layers& terrain, const std::vector<Stone>& stones);
  // The same as text: a line a stone, x,y,height,radius,mass,at_rest, or a JSON list of such.
  std::string csv(const Layers& terrain) const;
  std::string json(const Layers& terrain) const;

  // Steps without moving after which a stone counts as at rest.
  static constexpr std::uint32_t rest_after = 16;

  // What the kernel gets.
  std::vector<StoneMaterial> table(const Layers& terrain, double seconds = 1) const;
  StoneStep numbers(const Layers& terrain, const StepContext& context) const;
  std::vector<Stone> stones() const;

 private:
  StonesParameters parameters_;
  std::vector<StoneParameters> listed_;
  StoneGround ground_;
  device::DevicePtr device_;
  std::size_t count_ = 0;
  StepTable<StoneMaterial> table_;
  device::BufferPtr stones_;
};

}  // namespace scree
