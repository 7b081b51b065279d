#include "run/report.h"

#include "base/hash.h"
#include "run/report_parts.h"
#include "run/run_look.h"

namespace scree {
namespace {

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

std::string report_json(const Scene& scene, const RunResult& result, const ReportParts& parts,
                        const device::DeviceInfo& device, const std::filesystem::path& folder) {
  const ReportJson& own = *parts.json;
  Json report;
  report["scree"] = SCREE_VERSION;
  report["scene"] = scene.name;
  // Reports are of heightfields unless they say something else.
  if (result.kind != TerrainSettings().kind) report["terrain"] = result.kind;
  report["seed"] = scene.seed;
  report["device"] = {{"selector", device.selector},
                      {"name", device.name},
                      {"detail", device.detail},
                      {"exact", device.exact}};
  report.update(own.shape);
  report["steps"] = result.steps;
  report["resumed_from"] = result.resumed_from;
  report.update(own.clock);
  Json seconds = Json::object();
  seconds["total"] = result.seconds;
  seconds["processes"] = Json(result.seconds_by_process);
  report["seconds"] = seconds;
  report["ledger"] = own.ledger;
  report.update(own.facts);
  Json hashes = Json::object();
  for (const auto& [field, hash] : result.hashes) hashes[field] = hash_text(hash);
  report["hashes"] = hashes;
  add_outputs(result, folder, report);
  // A name that is no UTF-8 must not stop a run that is done.
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace scree
