#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/hash.h"
#include "commands/commands.h"
#include "print/summary.h"
#include "run/voxels/voxel_runner.h"
#include "words/scenes.h"

namespace scree::cli {
namespace {

std::string ledger_text(const WeatheringLedger& l) {
  return fmt::format("{} rock + {} colluvium + {} deleted + {} left = {} voxels, {} astray", l.rock,
                     l.loose, l.deleted, l.left, l.start, l.voxel_error());
}

std::string summary(const std::string& name, const VoxelRunResult& result) {
  std::string steps = fmt::format("{} steps", result.steps);
  if (result.resumed_from > 0) steps += fmt::format(" (resumed at step {})", result.resumed_from);
  std::vector<std::vector<std::string>> rows = {
      {name, steps},
      {"terrain", fmt::format("{} x {} x {} voxels of {} m", result.shape.nx, result.shape.ny,
                              result.shape.nz, number(result.shape.cell))},
      {"device", result.device},
      {"time", duration_text(result.seconds)},
      {"ledger", ledger_text(result.ledger)}};
  for (const std::filesystem::path& file : result.outputs)
    rows.push_back({&file == &result.outputs.front() ? "files" : "", file.string()});
  if (!result.report.empty()) rows.push_back({"report", result.report.string()});
  std::string text = table_text(rows);
  for (const std::string& line : result.lines) text += "\n" + line;
  return text;
}

Json answer(const std::string& name, const VoxelRunResult& result) {
  Json json = {{"scene", name},
               {"device", result.device},
               {"size", {result.shape.nx, result.shape.ny, result.shape.nz}},
               {"cell", result.shape.cell},
               {"steps", result.steps},
               {"resumed_from", result.resumed_from},
               {"seconds", result.seconds},
               {"rock", result.ledger.rock},
               {"colluvium", result.ledger.loose},
               {"deleted", result.ledger.deleted},
               {"voxel_error", result.ledger.voxel_error()},
               {"amount_error", result.ledger.amount_error()},
               {"hashes", {{"voxels", hash_text(result.hash)}}},
               {"outputs", Json::array()}};
  for (const std::filesystem::path& file : result.outputs) json["outputs"].push_back(file.string());
  if (!result.report.empty()) json["report"] = result.report.string();
  if (!result.lines.empty()) json["lines"] = result.lines;
  return json;
}

}  // namespace

int weather(Console& console, const RunArguments& arguments) {
  const VoxelScene scene = changed_voxel_scene(arguments);
  RunOptions options = run_options(arguments, scene.name);
  options.progress = &console.terminal();
  options.cancel = &console.cancel();
  try {
    const VoxelRunResult result = run_voxel_scene(scene, options);
    console.terminal().end_well();
    console.regret(result.astray);
    console.say(summary(scene.name, result));
    console.answer(answer(scene.name, result));
  } catch (const Cancelled& stopped) {
    throw Cancelled(stopped_text(stopped, options.out));
  }
  return 0;
}

}  // namespace scree::cli
