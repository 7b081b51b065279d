// What a run steps, whatever terrain it is: a scene's terrain with its processes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "data/blocks.h"
#include "process/core/balance.h"
#include "run/runner.h"
#include "run/snapshot.h"
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
  // All that the next step reads, and what others need to look at it without its scene.
  virtual void save(BlockWriter& blocks) const = 0;
  virtual void restore(const BlockReader& blocks) = 0;
  // A second model of the same terrain with the processes of this scene, for a state to be restored
  // into: it reads no file again, and takes nothing over from this one's processes.
  virtual std::unique_ptr<RunModel> twin(const Scene& scene) const = 0;
  // The processes that another scene of the same terrain would have, from the next step on: each
  // keeps what the one of its name knows.
  virtual void set_processes(const Scene& scene) = 0;

  // ---- looking and changing
  virtual Fields fields() const = 0;
  // Of a box that lies within the field.
  virtual FieldData read(const FieldInfo& field, const Box& box) const = 0;
  // Values in the field's unit, booked; UsageError, and nothing has changed, for what cannot be.
  virtual Receipt write(const FieldInfo& field, const Box& box,
                        const std::vector<double>& values) = 0;
  virtual std::vector<Balance> balances() const = 0;

  // ---- what came of it
  // The hashes that a report names.
  virtual std::map<std::string, std::uint64_t> hashes() const = 0;
  // Cancelled where the CancelScope around it is, which may be in the middle of a picture.
  virtual WrittenOutput write(const OutputSettings& output, const std::filesystem::path& path) = 0;
  // Its shape, its ledger and whether that closes, its counts and times.
  virtual void report(RunResult& result) const = 0;
};

}  // namespace scree
