// Sheet erosion (Swenson & Patil 2019), made conserving: the flow step without memory.
#pragma once

#include "kernel/heights/flow.h"
#include "process/core/process.h"
#include "process/heights/rain.h"

#define SCREE_PARAMETERS SheetParameters
#define SCREE_DEF "kernel/heights/sheet.def"
#include "base/define_parameters.h"

namespace scree {

class SheetErosion : public Process {
 public:
  explicit SheetErosion(SheetParameters parameters) : parameters_(std::move(parameters)) {}

  std::string name() const override { return "sheet"; }
  std::vector<FieldSpec> fields(const std::set<std::string>& maps) const override;
  void prepare(Heightfield& terrain) override;
  void run(Heightfield& terrain, const StepContext& context, int phase) override;

  bool follows(const std::string& field) const override { return field == "rain"; }
  double natural_dt() const override { return parameters_.step; }

  Flow flow_numbers(const Heightfield& terrain, const StepContext& context) const;

 private:
  RainShape rain_shape() const;
  bool uses_source(const Heightfield& terrain) const;

  SheetParameters parameters_;
};

}  // namespace scree
