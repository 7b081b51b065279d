#include "print/summary.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/hash.h"

namespace scree::cli {
namespace {

std::string cells_text(const RunResult& result) {
  const std::string cell =
      result.dx == result.dy ? number(result.dx) : number(result.dx) + " x " + number(result.dy);
  if (result.layers)
    return fmt::format("layers on {} x {} cells of {} m, quantum {} m", result.width, result.height,
                       cell, number(result.layer_quantum));
  return fmt::format("{} x {} cells of {} m, quantum 2^-{} m", result.width, result.height, cell,
                     result.quantum.k);
}

std::string ledger_text(const Ledger& ledger) {
  std::string line = fmt::format("water {} and solids {} quanta astray", ledger.water_error(),
                                 ledger.solids_error());
  if (ledger.advected != 0)
    line += fmt::format(" ({} made by a transport that does not conserve)", ledger.advected);
  return line;
}

std::string ledger_text(const LayerLedger& ledger) {
  return fmt::format("{} quanta astray in {} balances", ledger.error(), ledger.balances.size());
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
  std::string steps =
      fmt::format("{} steps, {} simulated", result.steps, duration_text(result.time));
  if (result.resumed_from > 0) steps += fmt::format(" (resumed at step {})", result.resumed_from);
  std::vector<std::vector<std::string>> rows = {
      {name, steps},
      {"terrain", cells_text(result)},
      {"device", result.device},
      {"time", pace_text(result)},
      {"ledger", result.layers ? ledger_text(*result.layers) : ledger_text(result.ledger)}};
  for (const std::filesystem::path& file : result.outputs)
    rows.push_back({&file == &result.outputs.front() ? "files" : "", file.string()});
  if (!result.report.empty()) rows.push_back({"report", result.report.string()});
  std::string text = table_text(rows);
  for (const std::string& line : result.lines) text += "\n" + line;
  return text;
}

Json summary_json(const std::string& name, const RunResult& result) {
  Json json = {{"scene", name},
               {"device", result.device},
               {"width", result.width},
               {"height", result.height},
               {"dx", result.dx},
               {"dy", result.dy},
               {"steps", result.steps},
               {"resumed_from", result.resumed_from},
               {"simulated_seconds", result.time},
               {"seconds", result.seconds},
               {"hashes", Json::object()},
               {"outputs", Json::array()}};
  if (result.layers) {
    json["layer_error"] = result.layers->error();
  } else {
    json["water_error"] = result.ledger.water_error();
    json["solids_error"] = result.ledger.solids_error();
  }
  for (const auto& [field, hash] : result.hashes) json["hashes"][field] = hash_text(hash);
  for (const std::filesystem::path& file : result.outputs) json["outputs"].push_back(file.string());
  if (!result.report.empty()) json["report"] = result.report.string();
  if (!result.lines.empty()) json["lines"] = result.lines;
  return json;
}

}  // namespace scree::cli
