// What report.json says of voxels.
#include <cstdio>

#include "run/kinds.h"
#include "run/report_parts.h"

namespace scree {
namespace {

Json ledger_json(const WeatheringLedger& l) {
  return {{"voxels",
           {{"start", l.start},
            {"rock", l.rock},
            {"colluvium", l.loose},
            {"deleted", l.deleted},
            {"left", l.left},
            {"cut_off", l.cut_off},
            {"error", l.voxel_error()}}},
          {"amount",
           {{"whole_voxel", VOXEL_FULL},
            {"start", l.start_amount},
            {"now", l.amount},
            {"worn", l.worn},
            {"renewed", l.renewed},
            {"left", l.left_amount},
            {"cut_off", l.cut_amount},
            {"error", l.amount_error()}}}};
}

// By number, from 1 on, as volumes have them.
Json materials_json(const RockSpec& rocks) {
  Json materials = Json::array();
  for (const VoxelMaterial& m : rock_materials(rocks)) {
    char colour[8];
    std::snprintf(colour, sizeof colour, "#%02x%02x%02x", m.colour[0], m.colour[1], m.colour[2]);
    materials.push_back({{"name", m.name}, {"colour", colour}});
  }
  return materials;
}

}  // namespace

ReportParts voxel_report(const Scene& scene, const RunResult& result) {
  const VoxelShape& shape = result.voxels;
  ReportParts parts{std::make_shared<ReportJson>()};
  parts.json->shape = {{"size", {shape.nx, shape.ny, shape.nz}}, {"cell", shape.cell}};
  parts.json->ledger = ledger_json(*result.weathering);
  parts.json->facts["materials"] = materials_json(scene.terrain.voxels->rocks);
  return parts;
}

}  // namespace scree
