#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "commands.h"
#include "scene/voxel_scene.h"
#include "scenes.h"
#include "summary.h"

namespace scree::cli {
namespace {

constexpr std::uint64_t any = std::numeric_limits<std::int64_t>::max();

Scene scene_of(const RunArguments& arguments) {
  Scene scene = find_scene(arguments.scene);
  change_scene(scene, arguments.set, arguments.steps, arguments.seed);
  if (!arguments.size.empty()) {
    const Size size = parse_size("--size", arguments.size);
    scene.set_size(size.width, size.height);
  }
  return scene;
}

RunOptions options_of(const RunArguments& arguments, const Scene& scene) {
  RunOptions options;
  options.out = arguments.out.empty() ? std::filesystem::path("out") / scene.name
                                      : std::filesystem::path(arguments.out);
  options.device = device_options(arguments.device);
  options.resume = arguments.resume;
  if (!arguments.engine.empty()) options.engine = parse_engine("--engine", arguments.engine);
  if (!arguments.checkpoint_every.empty())
    options.checkpoint_every =
        parse_whole("--checkpoint-every", arguments.checkpoint_every, 0, any);
  if (!arguments.checkpoint_seconds.empty())
    options.checkpoint_seconds =
        parse_duration("--checkpoint-seconds", arguments.checkpoint_seconds);
  return options;
}

}  // namespace

int run(Console& console, const RunArguments& arguments) {
  if (is_voxel_scene(arguments.scene)) return weather(console, arguments);
  const Scene scene = scene_of(arguments);
  RunOptions options = options_of(arguments, scene);
  options.progress = &console.terminal();
  options.cancel = &console.cancel();
  try {
    const RunResult result = run_scene(scene, options);
    console.terminal().end_well();
    console.say(summary_text(scene.name, result));
    console.answer(summary_json(scene.name, result));
  } catch (const Cancelled& stopped) {
    throw Cancelled(stopped_text(stopped, options.out));
  }
  return 0;
}

}  // namespace scree::cli
