// A checkpoint as `info` and `compare` see it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/checkpoint/checkpoint.h"
#include "io/raster/raster.h"
#include "terrain/heights/derive.h"

namespace scree::cli {

class Checkpoint {
 public:
  explicit Checkpoint(const std::filesystem::path& path) : Checkpoint(io::CheckpointReader(path)) {}
  explicit Checkpoint(io::CheckpointReader file);

  int width() const { return width_; }
  int height() const { return height_; }
  std::uint64_t step() const;
  double time() const;
  double dt() const;
  double quantum() const;  // metres
  // Size, cells and georeference, without values; cells of 0 m in a checkpoint that does not say.
  Raster frame() const;
  const io::CheckpointReader& file() const { return file_; }

  // The fields it holds, of those that are more than a step's scratch.
  std::vector<std::string> fields() const;
  bool has(const std::string& field) const { return file_.has("field." + field); }
  // The interior, row-major, in the field's own unit; NaN where there is no ground.
  std::vector<float> values(const std::string& field) const;
  // Of the water; cells as the frame says.
  WaterVelocity velocity() const;
  // The hash that a report would show.
  std::string hash(const std::string& field) const;

 private:
  std::vector<std::uint32_t> buffer(const std::string& field) const;
  std::vector<std::uint32_t> bits(const std::string& field) const;
  double scale_of(const std::string& field) const;

  io::CheckpointReader file_;
  int width_ = 0;
  int height_ = 0;
};

}  // namespace scree::cli
