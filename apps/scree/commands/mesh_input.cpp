#include "commands/mesh_input.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/log.h"
#include "commands/checkpoint.h"
#include "commands/volume_input.h"
#include "io/file/atomic_file.h"
#include "io/file/ending.h"
#include "print/console.h"
#include "run/checkpoints.h"
#include "run/run_look.h"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

// ---- folders

// A file that a report names.
struct ReportFile {
  fs::path path;
  std::string kind, name;
  render::ReliefOptions relief;
  std::uint64_t step = 0;
  bool normalised = false;
};

render::ReliefOptions relief_of(const Json& entry) {
  render::ReliefOptions relief;
  const auto palette = render::palettes().find(entry.at("palette").get<std::string>());
  if (palette != render::palettes().end()) relief.palette = palette->second;
  relief.show_water = entry.at("water").get<bool>();
  relief.tint_low = entry.at("tint_low").get<double>();
  relief.tint_high = entry.at("tint_high").get<double>();
  relief.water_film = entry.at("water_film").get<double>();
  relief.water_deep = entry.at("water_deep").get<double>();
  return relief;
}

ReportFile file_of(const Json& entry, const fs::path& folder) {
  ReportFile file;
  file.path = folder / entry.at("file").get<std::string>();
  file.kind = entry.at("kind").get<std::string>();
  file.step = entry.at("step").get<std::uint64_t>();
  file.name = entry.value("name", "");
  if (entry.contains("palette")) file.relief = relief_of(entry);
  file.normalised = entry.value("normalised", false);
  return file;
}

// Nothing where there is no report.
std::optional<std::vector<ReportFile>> report_in(const fs::path& folder) {
  const fs::path path = folder / "report.json";
  std::error_code error;
  if (!fs::exists(path, error)) return {};
  try {
    std::vector<ReportFile> files;
    const Json report = Json::parse(io::read_file(path));
    for (const Json& entry : report.at("files")) files.push_back(file_of(entry, folder));
    return files;
  } catch (const Json::exception&) {
    throw Error(text(path.string(),
                     ": expected a report of this scree, whose \"files\" have file, kind and step; "
                     "name the raster itself"));
  }
}

bool holds_heights(const ReportFile& file) {
  return file.kind == "height" || (file.kind == "field" && file.name == "bed" && !file.normalised);
}

// A format that knows its cells in floats before one that does not.
int likeness(const ReportFile& file) {
  const io::Format format = io::format_of(file.path);
  const bool whole = format == io::Format::png16 || format == io::Format::raw16;
  return format == io::Format::geotiff ? 3 : whole ? 1 : 2;
}

// The newest, and of these the one that does best.
const ReportFile* heightmap_of(const std::vector<ReportFile>& files) {
  const ReportFile* best = nullptr;
  for (const ReportFile& file : files) {
    if (!holds_heights(file)) continue;
    if (best == nullptr || file.step > best->step ||
        (file.step == best->step && likeness(file) >= likeness(*best)))
      best = &file;
  }
  return best;
}

// As look_of() of the scene.
render::ReliefOptions relief_in(const std::vector<ReportFile>& files) {
  render::ReliefOptions relief;
  for (const char* kind : {"picture", "relief"})
    for (const ReportFile& file : files)
      if (file.kind == kind) relief = file.relief;
  return relief;
}

// The fields of that step that are still there; one in its own unit before one that is not.
void add_fields(const std::vector<ReportFile>& files, std::uint64_t step, MeshInput& input) {
  auto paths = std::make_shared<std::map<std::string, fs::path>>();
  for (const ReportFile& file : files) {
    std::error_code error;
    if (file.name.empty() || file.step != step || !fs::exists(file.path, error)) continue;
    if (file.normalised && input.has_plain(file.name)) continue;
    input.fields[file.name] = file.normalised;
    (*paths)[file.name] = file.path;
  }
  input.relief = relief_in(files);
  Raster like;
  like.width = input.raster.width;
  like.height = input.raster.height;
  input.field = [paths, like](const std::string& name) {
    return read_field(paths->at(name).string(), like);
  };
}

// ---- checkpoints

MeshInput input_of(const fs::path& path, std::shared_ptr<Checkpoint> checkpoint,
                   const InputWords& words) {
  MeshInput input{path.string(), checkpoint->frame()};
  input.raster.values = checkpoint->values("bed");
  input.relief = look_in(checkpoint->file());
  if (!words.cell.empty()) input.raster.dx = input.raster.dy = parse_length("--cell", words.cell);
  input.step = checkpoint->step();
  for (const std::string& name : checkpoint->fields()) input.fields[name] = false;
  input.field = [checkpoint](const std::string& name) { return checkpoint->values(name); };
  if (checkpoint->has("flux.x") && checkpoint->has("water"))
    input.velocity = [checkpoint] { return checkpoint->velocity(); };
  return input;
}

std::optional<MeshInput> newest_checkpoint(const fs::path& folder, const InputWords& words) {
  for (const CheckpointFile& candidate : list_checkpoints(folder)) {
    std::shared_ptr<Checkpoint> checkpoint;
    try {
      checkpoint = std::make_shared<Checkpoint>(candidate.path);
    } catch (const Error& error) {
      log(LogLevel::warning, text(error.what(), "; looking for an older one"));
      continue;
    }
    return input_of(candidate.path, std::move(checkpoint), words);
  }
  return {};
}

// ---- anything

MeshInput in_folder(const std::string& name, const InputWords& words) {
  const fs::path folder(name);
  const std::optional<std::vector<ReportFile>> report = report_in(folder);
  const ReportFile* heights = report ? heightmap_of(*report) : nullptr;
  const std::vector<CheckpointFile> saved = list_checkpoints(folder);
  std::optional<MeshInput> found;
  if (heights == nullptr || (!saved.empty() && saved.front().step > heights->step))
    found = newest_checkpoint(folder, words);
  if (heights != nullptr && (!found || found->step < heights->step)) {
    found = MeshInput{heights->path.string(), read_input(heights->path.string(), words)};
    add_fields(*report, heights->step, *found);
    found->step = heights->step;
  }
  if (found) {
    tell_of_later_steps(name, found->step, "the last of which it left the heights or a checkpoint");
    return *std::move(found);
  }
  if (!report)
    throw Error(
        text(name, ": expected a run's folder, found neither report.json nor a checkpoint"));
  throw Error(text(name,
                   ": none of the run's outputs is a heightmap or the field bed, and there is no "
                   "checkpoint; name the raster itself"));
}

}  // namespace

MeshInput find_heights(const std::string& name, const InputWords& words) {
  const fs::path path(name);
  std::error_code error;
  MeshInput input;
  if (fs::is_directory(path, error))
    input = in_folder(name, words);
  else if (io::ending_of(path) == ".scree")
    input = input_of(path, std::make_shared<Checkpoint>(path), words);
  else
    input = {name, read_input(name, words)};
  check_measures(input.file, input.raster);
  check_heights(input.file, input.raster);
  return input;
}

render::ReliefOptions look_in(const io::CheckpointReader& checkpoint) {
  if (const std::optional<render::ReliefOptions> kept = read_look(checkpoint)) return *kept;
  const auto report = report_in(checkpoint.path().parent_path());
  return report ? relief_in(*report) : render::ReliefOptions{};
}

void tell_of_later_steps(const std::string& folder, std::uint64_t step, const std::string& why) {
  const fs::path path = fs::path(folder) / "report.json";
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return;
  const Json report = Json::parse(io::read_file(path), nullptr, false);
  if (!report.is_object() || !report.contains("steps") || !report["steps"].is_number_unsigned())
    return;
  const auto steps = report["steps"].get<std::uint64_t>();
  if (step < steps)
    log(LogLevel::warning, text(folder, ": this is step ", step, " of ", steps, ", ", why));
}

std::optional<std::string> output_of_voxels(const std::string& name, const FileTest& wanted,
                                            const char* expected) {
  const fs::path folder(name), path = folder / "report.json";
  std::error_code error;
  if (!fs::is_directory(folder, error)) return {};
  const Json report =
      fs::exists(path, error) ? Json::parse(io::read_file(path), nullptr, false) : Json();
  const bool of_voxels = report.is_object() && report.value("size", Json()).size() == 3;
  std::optional<std::string> newest;
  if (of_voxels)
    for (const Json& output : report.value("outputs", Json::array()))
      if (output.is_string() && wanted(output.get<std::string>()))
        newest = (folder / output.get<std::string>()).string();
  if (newest || (report.is_object() && !of_voxels)) return newest;
  for (const CheckpointFile& candidate : list_checkpoints(folder)) try {
      if (is_voxel_checkpoint(candidate.path)) return candidate.path.string();
    } catch (const Error&) {
      continue;  // torn: an older one may be whole
    }
  if (of_voxels)
    throw Error(text(name, ": a run of voxels: expected ", expected,
                     " among its outputs or a checkpoint, found none"));
  return {};
}

std::optional<std::string> volume_in(const std::string& name) {
  return output_of_voxels(
      name, [](const std::string& file) { return io::ending_of(file) == ".vdb"; }, "a .vdb");
}

std::vector<float> read_field(const std::string& file, const Raster& like) {
  Raster raster = io::read_raster(file);
  if (raster.width != like.width || raster.height != like.height)
    throw Error(text(file, ": expected ", like.width, " x ", like.height,
                     " cells, as the heights have, found ", raster.width, " x ", raster.height));
  return std::move(raster.values);
}

}  // namespace scree::cli
