#include "run/checkpoints.h"

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/hash.h"
#include "base/log.h"
#include "device/field.h"

namespace scree {
namespace {

constexpr std::string_view prefix = "checkpoint-";
constexpr std::string_view suffix = ".scree";
constexpr std::size_t kept = 2;

std::optional<std::uint64_t> step_in(const std::string& name) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return {};
  std::uint64_t step = 0;
  const char* end = name.data() + name.size() - suffix.size();
  const auto [stop, error] = std::from_chars(name.data() + prefix.size(), end, step);
  if (error != std::errc{} || stop != end) return {};
  return step;
}

}  // namespace

std::vector<CheckpointFile> list_checkpoints(const std::filesystem::path& folder) {
  std::vector<CheckpointFile> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (const auto step = step_in(entry.path().filename().string()))
      found.push_back({*step, entry.path()});
  std::sort(found.begin(), found.end(),
            [](const CheckpointFile& a, const CheckpointFile& b) { return a.step > b.step; });
  return found;
}

std::filesystem::path write_checkpoint(const std::filesystem::path& folder, std::uint64_t step,
                                       std::uint64_t fingerprint, bool keep_older,
                                       const std::function<void(io::CheckpointWriter&)>& add) {
  std::filesystem::path path = folder / text(prefix, step, suffix);
  io::CheckpointWriter file(path);
  file.add_integer("fingerprint", static_cast<std::int64_t>(fingerprint));
  file.add_integer("step", static_cast<std::int64_t>(step));
  add(file);
  file.commit();
  std::size_t others = 0;
  for (const CheckpointFile& other : list_checkpoints(folder)) {
    if (other.path == path) continue;
    // A later step is from an older run: this one would have made it after now.
    const bool keep = keep_older && other.step < step && ++others < kept;
    std::error_code error;
    if (!keep) std::filesystem::remove(other.path, error);
  }
  return path;
}

void add_frame(BlockWriter& file, const Raster& frame) {
  file.add_real("cell.x", frame.dx);
  file.add_real("cell.y", frame.dy);
  const GeoReference& geo = frame.geo;
  if (!geo.present) return;
  file.add("geo.transform", geo.transform.data(), sizeof geo.transform);
  file.add("geo.crs", geo.crs_wkt.data(), geo.crs_wkt.size());
  file.add_integer("geo.geographic", geo.geographic ? 1 : 0);
  file.add_integer("geo.pixel_is_point", geo.pixel_is_point ? 1 : 0);
}

void add_heights(BlockWriter& file, const Simulation& simulation, const Raster& frame) {
  StateSaver saver(file);
  auto& visited = const_cast<Simulation&>(simulation);  // a saver leaves all as it is
  visited.visit_counts(saver);
  add_frame(file, frame);
  visited.visit_fields(saver);
}

Raster read_frame(const io::CheckpointReader& file) {
  Raster frame;
  frame.width = static_cast<int>(file.integer("width"));
  frame.height = static_cast<int>(file.integer("height"));
  if (!file.has("cell.x")) return frame;
  frame.dx = file.real("cell.x");
  frame.dy = file.real("cell.y");
  if (!file.has("geo.transform")) return frame;
  GeoReference& geo = frame.geo;
  geo.present = true;
  file.read("geo.transform", geo.transform.data(), sizeof geo.transform);
  geo.crs_wkt.resize(file.size("geo.crs"));
  file.read("geo.crs", geo.crs_wkt.data(), geo.crs_wkt.size());
  geo.geographic = file.integer("geo.geographic") != 0;
  geo.pixel_is_point = file.integer("geo.pixel_is_point") != 0;
  return frame;
}

Raster read_heights(const io::CheckpointReader& file, const std::string& field) {
  const std::string block = "field." + field;
  if (!file.has(block) || !file.has("quantum.k"))
    throw UsageError(text(file.path().string(), ": expected a checkpoint of heights"));
  Raster raster = read_frame(file);
  raster.heights_known = true;
  const Grid grid = device::make_grid(raster.width, raster.height, 1, 1);
  std::vector<std::int32_t> whole(device::cells_allocated(grid));  // halo and padding included
  file.read(block, whole.data(), whole.size() * sizeof whole[0]);
  const double quantum = std::ldexp(1.0, -static_cast<int>(file.integer("quantum.k")));
  const double datum = field == "bed" ? file.real("quantum.datum") : 0;
  for (int y = 0; y < raster.height; ++y)
    for (int x = 0; x < raster.width; ++x) {
      const std::int32_t count =
          whole[static_cast<std::size_t>(y + SCREE_HALO) * static_cast<std::size_t>(grid.stride) +
                static_cast<std::size_t>(SCREE_PAD + x)];
      raster.values.push_back(field == "bed" && count == SCREE_WALL
                                  ? std::numeric_limits<float>::quiet_NaN()
                                  : static_cast<float>(count * quantum + datum));
    }
  return raster;
}

bool restore_newest(const std::filesystem::path& folder, std::uint64_t fingerprint,
                    const std::function<void(const io::CheckpointReader&)>& restore) {
  for (const CheckpointFile& candidate : list_checkpoints(folder)) {
    std::optional<io::CheckpointReader> file;
    try {
      file.emplace(candidate.path);
    } catch (const Error& error) {
      log(LogLevel::warning, text(error.what(), "; looking for an older one"));
      continue;
    }
    if (static_cast<std::uint64_t>(file->integer("fingerprint")) != fingerprint)
      throw UsageError(text(candidate.path.string(),
                            ": belongs to a scene with other settings; run without resume to start "
                            "afresh, or choose another folder"));
    restore(*file);
    return true;
  }
  return false;
}

void remove_checkpoints(const std::filesystem::path& folder) {
  for (const CheckpointFile& old : list_checkpoints(folder)) {
    std::error_code error;
    if (!std::filesystem::remove(old.path, error))
      throw Error(text(old.path.string(),
                       ": another run's checkpoint, which cannot be removed: ", error.message()));
    log(LogLevel::warning, text(old.path.string(), ": removed, as this run starts afresh"));
  }
}

void remove_leftovers(const std::filesystem::path& folder) {
  // As io::AtomicFile names them: .scree-PROCESS-COUNT.tmp
  constexpr std::string_view start = ".scree-";
  std::vector<std::filesystem::path> dead;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(start) || !name.ends_with(".tmp")) continue;
    pid_t process = 0;
    std::from_chars(name.data() + start.size(), name.data() + name.size(), process);
    if (process > 0 && ::kill(process, 0) != 0 && errno == ESRCH) dead.push_back(entry.path());
  }
  for (const std::filesystem::path& path : dead) std::filesystem::remove(path, error);
}

}  // namespace scree
