#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/log.h"
#include "commands/commands.h"
#include "commands/work_folder.h"
#include "print/summary.h"
#include "words/scenes.h"
#include "words/sea.h"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

OutputSettings output(OutputKind kind, const fs::path& file, const char* where) {
  OutputSettings settings;
  settings.kind = kind;
  settings.file = fs::absolute(file).string();
  settings.where = where;
  return settings;
}

std::vector<OutputSettings> outputs_of(const ErodeArguments& arguments) {
  check_output_name("--out", arguments.out);
  std::vector<OutputSettings> outputs = {output(OutputKind::height, arguments.out, "--out")};
  if (!arguments.relief.empty())
    outputs.push_back(output(OutputKind::relief, arguments.relief, "--relief"));
  if (!arguments.masks.empty()) {
    for (const MaskInfo& mask : mask_list()) {
      const fs::path file = fs::path(arguments.masks) / (mask.name + ".tif");
      outputs.push_back(output(OutputKind::mask, file, "--masks"));
      outputs.back().name = mask.name;
    }
  }
  if (!arguments.engine.empty()) {
    // unreal.png, unity.r16 and the like, beside the result.
    const fs::path base =
        fs::path(arguments.out).replace_extension("").string() + "_" + arguments.engine;
    outputs.push_back(output(OutputKind::engine, base, "--engine"));
    outputs.back().engine = parse_engine("--engine", arguments.engine);
  }
  return outputs;
}

void add_sea(Scene& scene, const ErodeArguments& arguments) {
  if (arguments.sea == "none") return;
  std::string level = arguments.sea;
  if (level == "auto") {
    const std::optional<double> found = find_sea(io::read_raster(arguments.in, scene.terrain.read));
    if (!found) return;
    level = fmt::format("{}", *found);
    log(LogLevel::info, text(arguments.in, ": the flat area at ", level,
                             " m is taken for the sea and stays (--sea none: it is land)"));
  }
  try {
    scene.apply_override("terrain.sea=" + level);
  } catch (const UsageError&) {
    throw UsageError(text("--sea '", level, "': expected a height in metres, auto or none"));
  }
}

Scene scene_of(const ErodeArguments& arguments) {
  Scene scene = find_preset(arguments.preset);
  use_source(scene, arguments.in);
  // A preset lies in no folder: the raster keeps the name that was typed.
  scene.terrain.file = arguments.in;
  scene.terrain.read = read_options(arguments.input);
  if (!arguments.input.cell.empty())
    scene.terrain.dx = scene.terrain.dy = parse_length("--cell", arguments.input.cell);
  if (!arguments.input.height_range.empty())
    scene.terrain.height_range = parse_height_range("--height-range", arguments.input.height_range);
  add_sea(scene, arguments);
  change_scene(scene, arguments.set, arguments.steps, arguments.seed);
  scene.outputs = outputs_of(arguments);
  return scene;
}

// Files as they were typed, not as they were passed on.
void as_typed(RunResult& result, const ErodeArguments& arguments) {
  if (fs::path(arguments.out).is_absolute()) return;
  const fs::path here = fs::current_path();
  for (fs::path& file : result.outputs) file = file.lexically_proximate(here);
}

std::string as_typed(std::string message) {
  const std::string here = (fs::current_path() / "").string();
  if (const std::size_t at = message.find(here); at != std::string::npos)
    message.erase(at, here.size());
  return message;
}

// Scenes speak of their own keys; here they are options.
std::string as_options(std::string message) {
  const std::pair<const char*, const char*> names[] = {
      {"terrain.height_range = [lowest, highest], metres", "--height-range LOW,HIGH"},
      {"leave out terrain.height_range", "leave out --height-range"},
      {"terrain.cell, metres", "--cell METRES"},
      {"leave out terrain.cell and terrain.extent, or choose terrain.size to resample",
       "leave out --cell"}};
  for (const auto& [key, option] : names) {
    const std::size_t at = message.find(key);
    if (at != std::string::npos) message.replace(at, std::string_view(key).size(), option);
  }
  return message;
}

}  // namespace

int erode(Console& console, const ErodeArguments& arguments) {
  const Scene scene = scene_of(arguments);
  const WorkFolder work(arguments.out + ".work");
  RunOptions options;
  options.out = work.path();
  options.device = device_options(arguments.device);
  options.resume = arguments.resume;
  options.progress = &console.terminal();
  options.cancel = &console.cancel();
  options.report.clear();
  options.allow_outside = true;  // they lie where the command line says
  try {
    RunResult result = run_scene(scene, options);
    as_typed(result, arguments);
    work.clear();
    console.terminal().end_well();
    console.regret(result.astray);
    console.say(summary_text(arguments.preset, result));
    console.answer(summary_json(arguments.preset, result));
  } catch (const UsageError& error) {
    throw UsageError(as_options(error.what()));
  } catch (const Cancelled& stopped) {
    throw Cancelled(stopped_text(stopped, work.path()));
  } catch (const Error& error) {
    if (fs::path(arguments.out).is_absolute()) throw;
    throw Error(as_typed(error.what()));
  }
  return 0;
}

}  // namespace scree::cli
