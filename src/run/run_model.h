// Inside scene: what a run steps, whatever terrain it is.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "io/checkpoint/checkpoint.h"
#include "io/raster/raster.h"
#include "run/runner.h"
#include "run/write_outputs.h"

namespace scree {

class SteppedModel {
 public:
  virtual ~SteppedModel() = default;

  virtual std::uint64_t steps_done() const = 0;
  virtual double time() const = 0;  // seconds; 0 where steps have no duration
  virtual double dt() const = 0;
  virtual void step() = 0;

  // Cancelled where the CancelScope around it is, which may be in the middle of a picture.
  virtual WrittenOutput write(const OutputSettings& output, const std::filesystem::path& path) = 0;

  virtual void save(io::CheckpointWriter& file) const = 0;
  virtual void restore(const io::CheckpointReader& file) = 0;
};

// A terrain of cells: a heightfield, or layers.
class RunModel : public SteppedModel {
 public:
  // Of the terrain before its first step: with the settings, what tells one run from another.
  virtual std::map<std::string, std::uint64_t> start_hashes() const = 0;
  // Of all that a report names.
  virtual std::map<std::string, std::uint64_t> hashes() const = 0;
  virtual const Raster& frame() const = 0;

  // UsageError for an output of what this terrain does not have.
  virtual void check(const OutputSettings& output) const = 0;

  // Ledger, quantum and times.
  virtual void report(RunResult& result) const = 0;
};

std::unique_ptr<RunModel> make_height_model(const Scene& scene, const device::DevicePtr& device);
std::unique_ptr<RunModel> make_layer_model(const Scene& scene, const device::DevicePtr& device);

}  // namespace scree
