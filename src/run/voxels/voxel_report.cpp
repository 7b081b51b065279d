#include "run/voxels/voxel_report.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/hash.h"

namespace scree {

std::string voxel_report_json(const VoxelScene& scene, const VoxelRunResult& result,
                              const device::DeviceInfo& device,
                              const std::filesystem::path& folder) {
  using Json = nlohmann::ordered_json;
  const WeatheringLedger& l = result.ledger;
  Json report;
  report["scree"] = SCREE_VERSION;
  report["scene"] = scene.name;
  report["terrain"] = "voxels";
  report["seed"] = scene.seed;
  report["device"] = {{"selector", device.selector},
                      {"name", device.name},
                      {"detail", device.detail},
                      {"exact", device.exact}};
  report["size"] = {result.shape.nx, result.shape.ny, result.shape.nz};
  report["cell"] = result.shape.cell;
  report["steps"] = result.steps;
  report["resumed_from"] = result.resumed_from;
  report["seconds"] = {{"total", result.seconds}};
  report["ledger"] = {{"voxels",
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
  // By number, from 1 on, as volumes have them.
  Json materials = Json::array();
  for (const VoxelMaterial& m : rock_materials(scene.rocks)) {
    char colour[8];
    std::snprintf(colour, sizeof colour, "#%02x%02x%02x", m.colour[0], m.colour[1], m.colour[2]);
    materials.push_back({{"name", m.name}, {"colour", colour}});
  }
  report["materials"] = materials;
  report["hashes"] = {{"voxels", hash_text(result.hash)}};
  Json outputs = Json::array();
  for (const std::filesystem::path& path : result.outputs)
    outputs.push_back(path.lexically_relative(folder).generic_string());
  report["outputs"] = outputs;
  // A name that is no UTF-8 must not stop a run that is done.
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace scree
