// What report.json says of layers.
#include "run/kinds.h"
#include "run/report_parts.h"

namespace scree {
namespace {

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

}  // namespace

ReportParts layer_report(const Scene& /*scene*/, const RunResult& result) {
  const double quantum = result.layer_quantum;
  ReportParts parts{std::make_shared<ReportJson>()};
  parts.json->shape = {{"size", {result.width, result.height}},
                       {"cell", {result.dx, result.dy}},
                       {"quantum", {{"metres", quantum}, {"datum", result.quantum.datum}}}};
  parts.json->clock = {{"time", result.time}, {"dt", result.dt}};
  parts.json->ledger = ledger_json(*result.layers, quantum * result.dx * result.dy);
  if (!result.counts.empty()) parts.json->facts["counts"] = Json(result.counts);
  return parts;
}

}  // namespace scree
