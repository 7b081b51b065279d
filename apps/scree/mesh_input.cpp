#include "mesh_input.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/log.h"
#include "checkpoint.h"
#include "console.h"
#include "io/atomic_file.h"
#include "scene/checkpoints.h"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

// ---- reports

std::optional<Json> report_in(const fs::path& folder) {
  const fs::path file = folder / "report.json";
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  Json report = Json::parse(io::read_file(file), nullptr, false);
  if (!report.is_object() || !report.contains("outputs") || !report["outputs"].is_array())
    throw Error(text(file.string(), ": expected a report of scree with \"outputs\""));
  return report;
}

// How well a file will do, 0 for not at all: that of the end before those of a step, height before
// bed, and a format that knows its cells in floats before one that does not.
int likeness(const fs::path& file) {
  const io::Format written = io::format_of(file);
  if (written == io::Format::automatic) return 0;
  const bool whole = written == io::Format::png16 || written == io::Format::raw16;
  const int format = written == io::Format::geotiff ? 3 : whole ? 1 : 2;
  const std::string stem = file.stem().string();
  for (const std::string name : {"height", "bed"}) {
    const int kind = 4 * (name == "height" ? 1 : 0) + format;
    if (stem == name) return 8 + kind;
    if (!stem.starts_with(name + "-")) continue;
    const bool step = std::all_of(stem.begin() + static_cast<std::ptrdiff_t>(name.size()) + 1,
                                  stem.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    if (step) return kind;
  }
  return 0;
}

// The one that was written last, of those that do best.
std::optional<fs::path> heightmap_of(const Json& report) {
  std::optional<fs::path> best;
  int best_likeness = 0;
  for (const Json& output : report["outputs"]) {
    if (!output.is_string()) continue;
    const fs::path file = output.get<std::string>();
    const int found = likeness(file);
    if (found == 0 || found < best_likeness) continue;
    best = file;
    best_likeness = found;
  }
  return best;
}

// ---- checkpoints

// A checkpoint counts cells, the report of its run knows how large they are.
void take_cell_size(const fs::path& folder, io::Raster& raster) {
  const std::optional<Json> report = report_in(folder);
  if (!report || report->value("size", Json()) != Json({raster.width, raster.height})) return;
  const Json cell = report->value("cell", Json());
  if (!cell.is_array() || cell.size() != 2 || !cell[0].is_number() || !cell[1].is_number()) return;
  raster.dx = cell[0].get<double>();
  raster.dy = cell[1].get<double>();
}

io::Raster raster_of(const Checkpoint& checkpoint, const fs::path& folder,
                     const InputWords& words) {
  io::Raster raster;
  raster.width = checkpoint.width();
  raster.height = checkpoint.height();
  raster.values = checkpoint.values("bed");
  if (words.cell.empty())
    take_cell_size(folder, raster);
  else
    raster.dx = raster.dy = parse_length("--cell", words.cell);
  return raster;
}

std::optional<MeshInput> newest_checkpoint(const fs::path& folder, const InputWords& words) {
  for (const CheckpointFile& candidate : list_checkpoints(folder)) {
    std::optional<Checkpoint> checkpoint;
    try {
      checkpoint.emplace(candidate.path);
    } catch (const Error& error) {
      log(LogLevel::warning, text(error.what(), "; looking for an older one"));
      continue;
    }
    return MeshInput{candidate.path.string(), raster_of(*checkpoint, folder, words)};
  }
  return {};
}

// ---- anything

MeshInput in_folder(const std::string& name, const InputWords& words) {
  const fs::path folder(name);
  const std::optional<Json> report = report_in(folder);
  if (const std::optional<fs::path> file = report ? heightmap_of(*report) : std::nullopt) {
    const std::string raster = (folder / *file).string();
    return {raster, read_input(raster, words)};
  }
  if (std::optional<MeshInput> found = newest_checkpoint(folder, words)) return *found;
  if (!report)
    throw Error(
        text(name, ": expected a run's folder, found neither report.json nor a checkpoint"));
  throw Error(text(name,
                   ": none of the run's outputs is named height or bed, and there is no "
                   "checkpoint; name the raster itself"));
}

}  // namespace

MeshInput find_heights(const std::string& name, const InputWords& words) {
  const fs::path path(name);
  std::error_code error;
  MeshInput input;
  if (fs::is_directory(path, error)) {
    input = in_folder(name, words);
  } else if (path.extension() == ".scree") {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    input = {name, raster_of(Checkpoint(path), folder, words)};
  } else {
    input = {name, read_input(name, words)};
  }
  check_measures(input.file, input.raster);
  return input;
}

}  // namespace scree::cli
