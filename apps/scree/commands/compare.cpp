#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/error.h"
#include "commands/checkpoint.h"
#include "commands/commands.h"
#include "commands/fields.h"
#include "commands/mesh_layers.h"
#include "commands/volume_input.h"
#include "commands/voxel_checkpoint.h"
#include "io/checkpoint/checkpoint.h"
#include "io/file/ending.h"
#include "process/core/registry.h"
#include "run/run_folder.h"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

struct Verdict {
  bool same = true;
  std::vector<std::string> lines;
  Json json = Json::object();
};

// ---- rasters

struct Difference {
  long long cells = 0;
  long long differing = 0;
  long long nodata = 0;  // of those: nodata on one side only
  long long first = -1;
  double largest = 0;
  double sum_of_squares = 0;
};

bool same_bits(float a, float b) {
  // Nodata is nodata, whatever its bits.
  if (std::isnan(a) && std::isnan(b)) return true;
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

Difference difference(const std::vector<float>& a, const std::vector<float>& b) {
  Difference d;
  d.cells = static_cast<long long>(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (same_bits(a[i], b[i])) continue;
    ++d.differing;
    if (d.first < 0) d.first = static_cast<long long>(i);
    if (std::isnan(a[i]) || std::isnan(b[i])) {
      ++d.nodata;
      continue;
    }
    const double by = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    d.largest = std::max(d.largest, by);
    d.sum_of_squares += by * by;
  }
  return d;
}

std::string value_text(float value) {
  return std::isnan(value) ? "nodata" : fmt::format("{:.9g}", value);
}

bool same_place(const GeoReference& a, const GeoReference& b) {
  return a.crs_wkt == b.crs_wkt && a.transform == b.transform;
}

void describe(const Difference& d, const Raster& a, const Raster& b, Verdict& verdict) {
  verdict.json["cells"] = d.cells;
  verdict.json["differing"] = d.differing;
  if (d.differing == 0) return;
  verdict.same = false;
  const auto first = static_cast<std::size_t>(d.first);
  const long long column = d.first % a.width, row = d.first / a.width;
  const double rms = std::sqrt(d.sum_of_squares / static_cast<double>(d.cells));
  verdict.lines.push_back(fmt::format(
      "{} of {} cells differ ({:.3g} %), the first at column {}, row {}: {} against {}",
      d.differing, d.cells, 100.0 * static_cast<double>(d.differing) / static_cast<double>(d.cells),
      column, row, value_text(a.values[first]), value_text(b.values[first])));
  verdict.lines.push_back(
      fmt::format("at most by {:.6g}, root mean square over all cells {:.6g}", d.largest, rms));
  if (d.nodata > 0)
    verdict.lines.push_back(fmt::format("{} of them are nodata on one side only", d.nodata));
  verdict.json["first"] = {{"column", column}, {"row", row}};
  verdict.json["largest"] = d.largest;
  verdict.json["rms"] = rms;
  verdict.json["nodata_on_one_side"] = d.nodata;
}

Verdict compare_rasters(const std::string& a_name, const std::string& b_name,
                        const InputWords& words) {
  const Raster a = read_input(a_name, words), b = read_input(b_name, words);
  Verdict verdict;
  verdict.json["kind"] = "raster";
  if (a.width != b.width || a.height != b.height) {
    verdict.same = false;
    verdict.lines.push_back(
        fmt::format("{} x {} cells against {} x {}", a.width, a.height, b.width, b.height));
    return verdict;
  }
  describe(difference(a.values, b.values), a, b, verdict);
  // Only where both say where they lie: a .npy of the same cells is the same.
  if (a.geo.present && b.geo.present && !same_place(a.geo, b.geo)) {
    verdict.same = false;
    verdict.lines.emplace_back("their georeferences differ");
    verdict.json["georeference_differs"] = true;
  }
  if (verdict.same)
    verdict.lines.push_back(fmt::format("{} x {} cells, bit for bit", a.width, a.height));
  return verdict;
}

// ---- reports

FolderReport report_of(const fs::path& path) {
  const RunFolder folder(path);
  return folder.exists() ? folder.report() : FolderReport(path);
}

std::string hash_or_none(const Json& hashes, const std::string& field) {
  return hashes.contains(field) && hashes[field].is_string() ? hashes[field].get<std::string>()
                                                             : "none";
}

// Where hashes differ, the rasters that both folders have tell by how much.
void add_rasters(const FolderReport& a, const FolderReport& b, Verdict& verdict) {
  const fs::path folder_a = a.file().parent_path(), folder_b = b.file().parent_path();
  std::set<fs::path> names;
  for (const fs::path& output : a.outputs()) {
    const std::string extension = output.extension().string();
    const fs::path name = output.lexically_relative(folder_a);
    std::error_code error;
    if (extension == ".tif" || extension == ".npy" || extension == ".exr" || extension == ".r32")
      if (fs::exists(output, error) && fs::exists(folder_b / name, error)) names.insert(name);
  }
  for (const fs::path& name : names) {
    const Verdict files =
        compare_rasters((folder_a / name).string(), (folder_b / name).string(), {});
    verdict.json["rasters"][name.string()] = files.json;
    for (const std::string& line : files.lines)
      if (!files.same) verdict.lines.push_back(name.string() + ": " + line);
  }
}

Verdict compare_reports(const fs::path& a, const fs::path& b) {
  const FolderReport report_a = report_of(a), report_b = report_of(b);
  const Json &hashes_a = report_a.hashes(), &hashes_b = report_b.hashes();
  std::set<std::string> names;
  for (const auto& [field, unused] : hashes_a.items()) names.insert(field);
  for (const auto& [field, unused] : hashes_b.items()) names.insert(field);
  Verdict verdict;
  verdict.json["kind"] = "report";
  verdict.json["fields"] = Json::object();
  for (const std::string& field : names) {
    const std::string hash_a = hash_or_none(hashes_a, field),
                      hash_b = hash_or_none(hashes_b, field);
    const bool same = hash_a == hash_b;
    verdict.json["fields"][field] = same;
    if (same) continue;
    verdict.same = false;
    verdict.lines.push_back(fmt::format("{}: {} against {}", field, hash_a, hash_b));
  }
  if (verdict.same)
    verdict.lines.push_back(fmt::format("all {} fields, by their hashes", names.size()));
  else if (RunFolder(a).exists() && RunFolder(b).exists())
    add_rasters(report_a, report_b, verdict);
  return verdict;
}

// ---- checkpoints of layers

std::vector<unsigned char> bytes_of(const io::CheckpointReader& file, const std::string& block) {
  std::vector<unsigned char> bytes(file.has(block) ? file.size(block) : 0);
  if (!bytes.empty()) file.read(block, bytes.data(), bytes.size());
  return bytes;
}

// Blocks of what processes keep beside the stacks.
std::set<std::string> kept_in(const io::CheckpointReader& file) {
  std::set<std::string> blocks;
  for (const ProcessKind& kind : process_kinds()) {
    const std::string list = "arrays." + kind.name;
    if (!file.has(list + ".count")) continue;
    for (std::int64_t i = 0; i < file.integer(list + ".count"); ++i) {
      const std::vector<unsigned char> name = bytes_of(file, text(list, ".", i));
      blocks.insert(text("state.", kind.name, ".", std::string(name.begin(), name.end())));
    }
  }
  return blocks;
}

// Stack by stack, and what processes keep byte by byte.
Verdict compare_layers(const std::string& a_name, const std::string& b_name) {
  const io::CheckpointReader file_a(a_name), file_b(b_name);
  const Layers a = read_layers_file(a_name), b = read_layers_file(b_name);
  Verdict verdict;
  verdict.json["kind"] = "layers";
  const auto differ = [&](const std::string& line) {
    verdict.same = false;
    verdict.lines.push_back(line);
  };
  if (file_a.integer("step") != file_b.integer("step"))
    differ(fmt::format("step {} against {}", file_a.integer("step"), file_b.integer("step")));
  const LayerShape &shape_a = a.shape(), &shape_b = b.shape();
  if (shape_a.width != shape_b.width || shape_a.height != shape_b.height) {
    differ(fmt::format("{} x {} cells against {} x {}", shape_a.width, shape_a.height,
                       shape_b.width, shape_b.height));
    return verdict;
  }
  if (shape_a.quantum != shape_b.quantum || shape_a.datum != shape_b.datum)
    differ(fmt::format("quanta of {} m above {} m against {} m above {} m", shape_a.quantum,
                       shape_a.datum, shape_b.quantum, shape_b.datum));
  const std::vector<Stack> stacks_a = a.stacks(), stacks_b = b.stacks();
  long long differing = 0;
  std::size_t first = 0;
  for (std::size_t i = stacks_a.size(); i-- > 0;)
    if (stacks_a[i] != stacks_b[i]) ++differing, first = i;
  verdict.json["cells"] = stacks_a.size();
  verdict.json["differing"] = differing;
  if (differing > 0) {
    const Difference tops = difference(a.heights(), b.heights());
    const auto width = static_cast<std::size_t>(shape_a.width);
    differ(
        fmt::format("{} of {} stacks differ, the first at column {}, row {}; tops at most by "
                    "{:.6g} m",
                    differing, stacks_a.size(), first % width, first / width, tops.largest));
    verdict.json["largest"] = tops.largest;
  }
  std::set<std::string> kept = kept_in(file_a);
  kept.merge(kept_in(file_b));
  for (const std::string& block : kept)
    if (bytes_of(file_a, block) != bytes_of(file_b, block)) differ(block.substr(6) + " differs");
  if (verdict.same)
    verdict.lines.push_back(fmt::format("step {}, {} stacks and {} arrays, bit for bit",
                                        file_a.integer("step"), stacks_a.size(), kept.size()));
  return verdict;
}

// ---- checkpoints of voxels

Verdict compare_voxels(const std::string& a_name, const std::string& b_name) {
  const VoxelCheckpoint a = read_voxel_checkpoint(a_name), b = read_voxel_checkpoint(b_name);
  Verdict verdict;
  verdict.json["kind"] = "voxels";
  const auto differ = [&](const std::string& line) {
    verdict.same = false;
    verdict.lines.push_back(line);
  };
  if (a.step != b.step) differ(fmt::format("step {} against {}", a.step, b.step));
  if (a.cell != b.cell) differ(fmt::format("voxels of {} m against {} m", a.cell, b.cell));
  if (a.size != b.size) {
    differ(fmt::format("{} voxels against {}", fmt::join(a.size, " x "), fmt::join(b.size, " x ")));
    return verdict;
  }
  long long differing = 0, in_one = 0;
  std::size_t first = 0;
  for (std::size_t i = a.words.size(); i-- > 0;) {
    if (a.words[i] == b.words[i]) continue;
    ++differing, first = i;
    in_one += (a.words[i] == 0) != (b.words[i] == 0) ? 1 : 0;
  }
  verdict.json["voxels"] = a.words.size();
  verdict.json["differing"] = differing;
  verdict.json["in_one"] = in_one;
  const auto nx = static_cast<std::size_t>(a.size[0]), ny = static_cast<std::size_t>(a.size[1]);
  if (differing > 0)
    differ(fmt::format("{} of {} voxels differ, the first at {}, {}, {}; {} are rock in one alone",
                       differing, a.words.size(), first % nx, first / nx % ny, first / (nx * ny),
                       in_one));
  if (verdict.same)
    verdict.lines.push_back(
        fmt::format("step {}, all {} voxels, bit for bit", a.step, a.words.size()));
  return verdict;
}

// ---- checkpoints

// The fields that both have, cell by cell; steps and sizes as they are.
Verdict compare_checkpoints(const std::string& a_name, const std::string& b_name) {
  const std::optional<std::string> layers_a = layers_in(a_name), layers_b = layers_in(b_name);
  const bool voxels_a = is_voxel_checkpoint(a_name), voxels_b = is_voxel_checkpoint(b_name);
  if (layers_a && layers_b) return compare_layers(*layers_a, *layers_b);
  if (voxels_a && voxels_b) return compare_voxels(a_name, b_name);
  if (layers_a || layers_b || voxels_a || voxels_b)
    throw UsageError(text("cannot compare ", a_name, " with ", b_name,
                          ": expected two checkpoints of one kind of terrain"));
  const Checkpoint a(a_name), b(b_name);
  Verdict verdict;
  verdict.json["kind"] = "checkpoint";
  verdict.json["fields"] = Json::object();
  const auto differ = [&](const std::string& line) {
    verdict.same = false;
    verdict.lines.push_back(line);
  };
  if (a.step() != b.step()) differ(fmt::format("step {} against {}", a.step(), b.step()));
  if (a.width() != b.width() || a.height() != b.height()) {
    differ(
        fmt::format("{} x {} cells against {} x {}", a.width(), a.height(), b.width(), b.height()));
    return verdict;
  }
  for (const std::string& field : field_names()) {
    if (a.has(field) != b.has(field)) differ(field + ": only one has it");
    if (!a.has(field) || !b.has(field)) continue;
    const bool same = a.hash(field) == b.hash(field);
    verdict.json["fields"][field] = same;
    if (same) continue;
    Raster raster_a, raster_b;
    raster_a.width = raster_b.width = a.width();
    raster_a.values = a.values(field);
    raster_b.values = b.values(field);
    Verdict cells;
    describe(difference(raster_a.values, raster_b.values), raster_a, raster_b, cells);
    verdict.same = false;
    verdict.json["fields"][field] = cells.json;
    for (const std::string& line : cells.lines)
      verdict.lines.push_back(fmt::format("{}: {}", field, line));
    // Counts may differ by less than a float of metres shows.
    if (cells.lines.empty())
      verdict.lines.push_back(field + ": differs by less than float32 shows");
  }
  if (verdict.same)
    verdict.lines.push_back(
        fmt::format("step {}, all {} fields, bit for bit", a.step(), a.fields().size()));
  return verdict;
}

// ---- anything

enum class Kind { report, checkpoint, raster };

Kind kind_of(const std::string& name) {
  const fs::path path(name);
  std::error_code error;
  if (!fs::exists(path, error)) throw Error(text(name, ": no such file or folder"));
  if (fs::is_directory(path, error) || io::ending_of(path) == ".json") return Kind::report;
  return io::ending_of(path) == ".scree" ? Kind::checkpoint : Kind::raster;
}

}  // namespace

int compare(Console& console, const CompareArguments& arguments) {
  const Kind kind = kind_of(arguments.a);
  if (kind != kind_of(arguments.b))
    throw UsageError(text("cannot compare ", arguments.a, " with ", arguments.b,
                          ": expected two rasters, two checkpoints or two output folders"));
  Verdict verdict = kind == Kind::report ? compare_reports(arguments.a, arguments.b)
                    : kind == Kind::checkpoint
                        ? compare_checkpoints(arguments.a, arguments.b)
                        : compare_rasters(arguments.a, arguments.b, arguments.input);
  console.say(verdict.same ? "same: " + verdict.lines.front() : "different");
  if (!verdict.same)
    for (const std::string& line : verdict.lines) console.say("  " + line);
  Json answer = {{"same", verdict.same}};
  answer.update(verdict.json);
  console.answer(answer);
  return verdict.same ? 0 : 1;
}

}  // namespace scree::cli
