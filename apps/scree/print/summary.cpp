#include "print/summary.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/hash.h"

namespace scree::cli {
namespace {

std::string cells_text(const RunResult& result) {
  const std::string cell =
      result.dx == result.dy ? number(result.dx) : number(result.dx) + " x " + number(result.dy);
  return fmt::format("{} x {} cells of {} m", result.width, result.height, cell);
}

// The size of cells for programs, which stands where voxels have theirs.
Json cells_json(const RunResult& result) {
  return {{"width", result.width}, {"height", result.height}, {"dx", result.dx}, {"dy", result.dy}};
}

// ---- what each kind of terrain says of a run, in one list

struct SummaryKind {
  const char* name;
  std::string (*terrain)(const RunResult&);
  std::string (*ledger)(const RunResult&);
  Json (*shape)(const RunResult&);
  Json (*balance)(const RunResult&);
  bool timed;  // its steps have a duration
};

std::string height_ledger(const RunResult& result) {
  const Ledger& ledger = result.ledger;
  std::string line = fmt::format("water {} and solids {} quanta astray", ledger.water_error(),
                                 ledger.solids_error());
  if (ledger.advected != 0)
    line += fmt::format(" ({} made by a transport that does not conserve)", ledger.advected);
  return line;
}

const SummaryKind heights = {"heightfield",
                             [](const RunResult& r) {
                               return fmt::format("{}, quantum 2^-{} m", cells_text(r),
                                                  r.quantum.k);
                             },
                             height_ledger,
                             cells_json,
                             [](const RunResult& r) {
                               return Json{{"water_error", r.ledger.water_error()},
                                           {"solids_error", r.ledger.solids_error()}};
                             },
                             true};

const SummaryKind layers = {"layers",
                            [](const RunResult& r) {
                              return fmt::format("layers on {}, quantum {} m", cells_text(r),
                                                 number(r.layer_quantum));
                            },
                            [](const RunResult& r) {
                              return fmt::format("{} quanta astray in {} balances",
                                                 r.layers->error(), r.layers->balances.size());
                            },
                            cells_json,
                            [](const RunResult& r) {
                              return Json{{"layer_error", r.layers->error()}};
                            },
                            true};

std::string voxel_ledger(const RunResult& result) {
  const WeatheringLedger& l = *result.weathering;
  return fmt::format("{} rock + {} colluvium + {} deleted + {} left = {} voxels, {} astray", l.rock,
                     l.loose, l.deleted, l.left, l.start, l.voxel_error());
}

const SummaryKind voxels = {
    "voxels",
    [](const RunResult& r) {
      return fmt::format("{} x {} x {} voxels of {} m", r.voxels.nx, r.voxels.ny, r.voxels.nz,
                         number(r.voxels.cell));
    },
    voxel_ledger,
    [](const RunResult& r) {
      return Json{{"size", {r.voxels.nx, r.voxels.ny, r.voxels.nz}}, {"cell", r.voxels.cell}};
    },
    [](const RunResult& r) {
      return Json{{"rock", r.weathering->rock},
                  {"colluvium", r.weathering->loose},
                  {"deleted", r.weathering->deleted},
                  {"voxel_error", r.weathering->voxel_error()},
                  {"amount_error", r.weathering->amount_error()}};
    },
    false};

const SummaryKind& summary_kind(const RunResult& result) {
  for (const SummaryKind* kind : {&heights, &layers, &voxels})
    if (result.kind == kind->name) return *kind;
  throw Error(text("no summary of a terrain of kind '", result.kind, "'"));
}

std::string pace_text(const RunResult& result) {
  const auto done = static_cast<double>(result.steps - result.resumed_from);
  if (done <= 0 || result.seconds <= 0) return duration_text(result.seconds);
  return fmt::format("{}, {} steps/s", duration_text(result.seconds),
                     rate_text(done / result.seconds));
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds >= 48 * 3600.0) return fmt::format("{:.1f} days", seconds / 86400);
  if (seconds >= 7200) return fmt::format("{:.1f} h", seconds / 3600);
  if (seconds >= 120) return fmt::format("{:.1f} min", seconds / 60);
  return fmt::format("{:.3g} s", seconds);
}

std::string summary_text(const std::string& name, const RunResult& result) {
  const SummaryKind& kind = summary_kind(result);
  std::string steps = fmt::format("{} steps", result.steps);
  if (kind.timed) steps += fmt::format(", {} simulated", duration_text(result.time));
  if (result.resumed_from > 0) steps += fmt::format(" (resumed at step {})", result.resumed_from);
  std::vector<std::vector<std::string>> rows = {
      {name, steps},
      {"terrain", kind.terrain(result)},
      {"device", result.device},
      {"time", kind.timed ? pace_text(result) : duration_text(result.seconds)},
      {"ledger", kind.ledger(result)}};
  for (const std::filesystem::path& file : result.outputs)
    rows.push_back({&file == &result.outputs.front() ? "files" : "", file.string()});
  if (!result.report.empty()) rows.push_back({"report", result.report.string()});
  std::string text = table_text(rows);
  for (const std::string& line : result.lines) text += "\n" + line;
  return text;
}

Json summary_json(const std::string& name, const RunResult& result) {
  const SummaryKind& kind = summary_kind(result);
  Json json = {{"scene", name}, {"device", result.device}};
  json.update(kind.shape(result));
  json["steps"] = result.steps;
  json["resumed_from"] = result.resumed_from;
  if (kind.timed) json["simulated_seconds"] = result.time;
  json["seconds"] = result.seconds;
  json["hashes"] = Json::object();
  for (const auto& [field, hash] : result.hashes) json["hashes"][field] = hash_text(hash);
  json["outputs"] = Json::array();
  for (const std::filesystem::path& file : result.outputs) json["outputs"].push_back(file.string());
  json.update(kind.balance(result));
  if (!result.report.empty()) json["report"] = result.report.string();
  if (!result.lines.empty()) json["lines"] = result.lines;
  return json;
}

}  // namespace scree::cli
