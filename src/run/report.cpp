#include "run/report.h"

#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "run/run_look.h"

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

// A balance for each material with all that turn into the same dust.
Json ledger_json(const LayerLedger& ledger, double quantum_volume) {
  Json balances = Json::array();
  for (const LayerBalance& b : ledger.balances)
    balances.push_back({{"of", b.of},
                        {"start", b.start},
                        {"entered", b.entered},
                        {"left", b.left},
                        {"held", b.held},
                        {"end", b.now},
                        {"error", b.error()}});
  Json volumes = Json::object();
  for (const auto& [name, quanta] : ledger.materials)
    volumes[name] = static_cast<double>(quanta) * quantum_volume;
  return {{"quanta", balances}, {"error", ledger.error()}, {"cubic_metres", volumes}};
}

template <class Value>
std::string name_of(const std::map<std::string, Value>& values, Value value) {
  for (const auto& [name, known] : values)
    if (known == value) return name;
  return {};
}

// What a file holds, for programs that look for one.
Json file_json(const OutputFile& file, const std::string& name) {
  const OutputSettings& output = file.output;
  Json json = {{"file", name}, {"kind", name_of(output_kinds(), output.kind)}};
  if (output.kind == OutputKind::engine) json["engine"] = output.engine;
  // What decides its tints; the light is no matter of the land's.
  if (const render::ReliefOptions* tints = tints_of(output))
    json.update({{"palette", name_of(render::palettes(), tints->palette)},
                 {"water", tints->show_water},
                 {"tint_low", tints->tint_low},
                 {"tint_high", tints->tint_high},
                 {"water_film", tints->water_film},
                 {"water_deep", tints->water_deep}});
  if (output.kind == OutputKind::field || output.kind == OutputKind::mask) {
    json["name"] = output.name;
    json["normalised"] = output.normalise;
  }
  json["step"] = file.step;
  return json;
}

// Names are relative to the run's folder, so that the report is true wherever it is copied to.
void add_outputs(const RunResult& result, const std::filesystem::path& folder, Json& report) {
  Json names = Json::array(), files = Json::array();
  for (const OutputFile& file : result.files) {
    names.push_back(file.path.lexically_relative(folder).generic_string());
    files.push_back(file_json(file, names.back().get<std::string>()));
  }
  report["outputs"] = names;
  report["files"] = files;
}

}  // namespace

std::string report_json(const Scene& scene, const RunResult& result,
                        const device::DeviceInfo& device, const std::filesystem::path& folder) {
  const double quantum = result.layers ? result.layer_quantum : result.quantum.metres();
  Json report;
  report["scree"] = SCREE_VERSION;
  report["scene"] = scene.name;
  if (result.layers) report["terrain"] = "layers";
  report["seed"] = scene.seed;
  report["device"] = {{"selector", device.selector},
                      {"name", device.name},
                      {"detail", device.detail},
                      {"exact", device.exact}};
  report["size"] = {result.width, result.height};
  report["cell"] = {result.dx, result.dy};
  report["quantum"] = {{"metres", quantum}, {"datum", result.quantum.datum}};
  if (!result.layers) report["quantum"]["k"] = result.quantum.k;
  report["steps"] = result.steps;
  report["resumed_from"] = result.resumed_from;
  report["time"] = result.time;
  report["dt"] = result.dt;
  Json seconds = Json::object();
  seconds["total"] = result.seconds;
  seconds["processes"] = Json(result.seconds_by_process);
  report["seconds"] = seconds;
  const double volume = quantum * result.dx * result.dy;
  report["ledger"] =
      result.layers ? ledger_json(*result.layers, volume) : ledger_json(result.ledger, volume);
  if (!result.counts.empty()) report["counts"] = Json(result.counts);
  Json hashes = Json::object();
  for (const auto& [field, hash] : result.hashes) hashes[field] = hash_text(hash);
  report["hashes"] = hashes;
  add_outputs(result, folder, report);
  // A name that is no UTF-8 must not stop a run that is done.
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace scree
