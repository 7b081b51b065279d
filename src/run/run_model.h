// What a run steps, whatever terrain it is: a scene's terrain with its processes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "base/progress.h"
#include "io/checkpoint/checkpoint.h"
#include "run/runner.h"
#include "run/write_outputs.h"

namespace scree {

class RunModel {
 public:
  virtual ~RunModel() = default;

  // ---- before the first step
  // UsageError for an output of what this terrain does not have, Error for one that there is no
  // memory for.
  virtual void check(const OutputSettings& output) const = 0;
  // Makes what takes long, once all is checked: ground may be a whole run.
  virtual void prepare(Progress* /*progress*/, const CancelToken* /*cancel*/) {}
  // Tells this run's checkpoints from another's: a hash of its settings, and of what it begins
  // with.
  virtual std::uint64_t fingerprint() const = 0;

  // ---- stepping
  virtual std::uint64_t steps_done() const = 0;
  virtual double time() const = 0;  // seconds; 0 where steps have no duration
  virtual double dt() const = 0;
  virtual void step() = 0;
  virtual void save(io::CheckpointWriter& file) const = 0;
  virtual void restore(const io::CheckpointReader& file) = 0;

  // ---- what came of it
  // The hashes that a report names.
  virtual std::map<std::string, std::uint64_t> hashes() const = 0;
  // Cancelled where the CancelScope around it is, which may be in the middle of a picture.
  virtual WrittenOutput write(const OutputSettings& output, const std::filesystem::path& path) = 0;
  // Its shape, its ledger and whether that closes, its counts and times.
  virtual void report(RunResult& result) const = 0;
};

}  // namespace scree
