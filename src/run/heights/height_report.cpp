// What report.json says of a heightfield.
#include "run/kinds.h"
#include "run/report_parts.h"

namespace scree {
namespace {

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

}  // namespace

ReportParts height_report(const Scene& /*scene*/, const RunResult& result) {
  const double quantum = result.quantum.metres();
  ReportParts parts{std::make_shared<ReportJson>()};
  parts.json->shape = {
      {"size", {result.width, result.height}},
      {"cell", {result.dx, result.dy}},
      {"quantum", {{"metres", quantum}, {"datum", result.quantum.datum}, {"k", result.quantum.k}}}};
  parts.json->clock = {{"time", result.time}, {"dt", result.dt}};
  parts.json->ledger = ledger_json(result.ledger, quantum * result.dx * result.dy);
  return parts;
}

}  // namespace scree
