#include "scene/report.h"

#include <nlohmann/json.hpp>

#include "base/hash.h"

namespace scree {
namespace {

using Json = nlohmann::ordered_json;

Json ledger_json(const Ledger& l, double quantum_volume) {
  const std::pair<const char*, long long> counts[] = {
      {"water_start", l.water_start},   {"rained", l.rained},
      {"dissolved", l.dissolved},       {"evaporated", l.evaporated},
      {"water_left", l.water_left},     {"scrolled_water", l.scrolled_water},
      {"water_end", l.water_now},       {"water_error", l.water_error()},
      {"solids_start", l.solids_start}, {"advected", l.advected},
      {"solids_left", l.solids_left},   {"scrolled_solids", l.scrolled_solids},
      {"solids_end", l.solids_now},     {"solids_error", l.solids_error()}};
  Json quanta = Json::object(), volume = Json::object();
  for (const auto& [name, count] : counts) {
    quanta[name] = count;
    volume[name] = static_cast<double>(count) * quantum_volume;
  }
  return {{"quanta", quanta}, {"cubic_metres", volume}};
}

// Relative to the run's folder, so that the report is true wherever it is copied to.
Json output_list(const RunResult& result, const std::filesystem::path& folder) {
  Json list = Json::array();
  for (const std::filesystem::path& path : result.outputs)
    list.push_back(path.lexically_relative(folder).generic_string());
  return list;
}

}  // namespace

std::string report_json(const Scene& scene, const RunResult& result,
                        const device::DeviceInfo& device, const std::filesystem::path& folder) {
  const double quantum = result.quantum.metres();
  Json report;
  report["scree"] = SCREE_VERSION;
  report["scene"] = scene.name;
  report["seed"] = scene.seed;
  report["device"] = {{"selector", device.selector},
                      {"name", device.name},
                      {"detail", device.detail},
                      {"exact", device.exact}};
  report["size"] = {result.width, result.height};
  report["cell"] = {result.dx, result.dy};
  report["quantum"] = {
      {"k", result.quantum.k}, {"metres", quantum}, {"datum", result.quantum.datum}};
  report["steps"] = result.steps;
  report["resumed_from"] = result.resumed_from;
  report["time"] = result.time;
  report["dt"] = result.dt;
  Json seconds = Json::object();
  seconds["total"] = result.seconds;
  seconds["processes"] = Json(result.seconds_by_process);
  report["seconds"] = seconds;
  report["ledger"] = ledger_json(result.ledger, quantum * result.dx * result.dy);
  Json hashes = Json::object();
  for (const auto& [field, hash] : result.hashes) hashes[field] = hash_text(hash);
  report["hashes"] = hashes;
  report["outputs"] = output_list(result, folder);
  // A name that is no UTF-8 must not stop a run that is done.
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace scree
