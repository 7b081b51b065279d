#include "commands/mesh_input.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/error.h"
#include "commands/checkpoint.h"
#include "commands/volume_input.h"
#include "io/file/ending.h"
#include "run/run_folder.h"
#include "run/run_look.h"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

// ---- folders

bool holds_heights(const ReportedFile& file) {
  return file.kind == "height" || (file.kind == "field" && file.name == "bed" && !file.normalised);
}

// A format that knows its cells in floats before one that does not.
int likeness(const ReportedFile& file) {
  const io::Format format = io::format_of(file.path);
  const bool whole = format == io::Format::png16 || format == io::Format::raw16;
  return format == io::Format::geotiff ? 3 : whole ? 1 : 2;
}

// The newest, and of these the one that does best.
const ReportedFile* heightmap_of(const std::vector<ReportedFile>& files) {
  const ReportedFile* best = nullptr;
  for (const ReportedFile& file : files) {
    if (!holds_heights(file)) continue;
    if (best == nullptr || file.step > best->step ||
        (file.step == best->step && likeness(file) >= likeness(*best)))
      best = &file;
  }
  return best;
}

// The fields of that step that are still there; one in its own unit before one that is not.
void add_fields(const std::vector<ReportedFile>& files, std::uint64_t step, MeshInput& input) {
  auto paths = std::make_shared<std::map<std::string, fs::path>>();
  for (const ReportedFile& file : files) {
    std::error_code error;
    if (file.name.empty() || file.step != step || !fs::exists(file.path, error)) continue;
    if (file.normalised && input.has_plain(file.name)) continue;
    input.fields[file.name] = file.normalised;
    (*paths)[file.name] = file.path;
  }
  input.relief = look_of(files);
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

std::optional<MeshInput> newest_checkpoint(const RunFolder& folder, const InputWords& words) {
  std::optional<io::CheckpointReader> newest = folder.newest_checkpoint({}, RunFolder::Torn::warn);
  if (!newest) return {};
  const fs::path path = newest->path();
  return input_of(path, std::make_shared<Checkpoint>(*std::move(newest)), words);
}

// ---- anything

MeshInput in_folder(const std::string& name, const InputWords& words) {
  const RunFolder folder(name);
  const bool reported = folder.report().is_there();
  const std::vector<ReportedFile> files =
      reported ? folder.report().files() : std::vector<ReportedFile>{};
  const ReportedFile* heights = heightmap_of(files);
  const std::vector<CheckpointFile> saved = folder.checkpoints();
  std::optional<MeshInput> found;
  if (heights == nullptr || (!saved.empty() && saved.front().step > heights->step))
    found = newest_checkpoint(folder, words);
  if (heights != nullptr && (!found || found->step < heights->step)) {
    found = MeshInput{heights->path.string(), read_input(heights->path.string(), words)};
    add_fields(files, heights->step, *found);
    found->step = heights->step;
  }
  if (found) {
    folder.note_later_steps(found->step, "the last of which it left the heights or a checkpoint");
    return *std::move(found);
  }
  if (!reported)
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
  const RunFolder folder = RunFolder::around(checkpoint.path());
  return folder.report().is_there() ? look_of(folder.report().files()) : render::ReliefOptions{};
}

std::optional<std::string> output_of_voxels(const std::string& name, const FileTest& wanted,
                                            const char* expected) {
  const RunFolder folder(name);
  if (!folder.exists()) return {};
  const FolderReport& report = folder.report();
  // What a run that was stopped has written is older than the state in which it stopped.
  if (report.is_of_voxels() && folder.unfinished_state())
    return folder.unfinished_state()->string();
  std::optional<std::string> newest;
  if (report.is_of_voxels())
    for (const fs::path& output : report.outputs())
      if (wanted(output.string())) newest = output.string();
  if (newest || (report.is_read() && !report.is_of_voxels())) return newest;
  if (const auto checkpoint = folder.newest_checkpoint(holds_voxels))
    return checkpoint->path().string();
  if (report.is_of_voxels())
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
