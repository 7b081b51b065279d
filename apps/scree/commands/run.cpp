#include <nlohmann/json.hpp>

#include "base/error.h"
#include "commands/commands.h"
#include "print/summary.h"
#include "words/scenes.h"

namespace scree::cli {
namespace {

int run_scene(Console& console, const RunArguments& arguments, const Scene& scene) {
  RunOptions options = run_options(arguments, scene.name);
  options.progress = &console.terminal();
  options.cancel = &console.cancel();
  try {
    const RunResult result = scree::run_scene(scene, options);
    console.terminal().end_well();
    console.regret(result.astray);
    console.say(summary_text(scene.name, result));
    console.answer(summary_json(scene.name, result));
  } catch (const Cancelled& stopped) {
    throw Cancelled(stopped_text(stopped, options.out));
  }
  return 0;
}

}  // namespace

int run(Console& console, const RunArguments& arguments) {
  return run_scene(console, arguments, changed_scene(arguments));
}

int weather(Console& console, const RunArguments& arguments) {
  const Scene scene = changed_scene(arguments);
  if (scene.terrain.kind != "voxels")
    throw UsageError(
        text(arguments.scene, ": no scene of voxels: expected [terrain] kind = \"voxels\""));
  return run_scene(console, arguments, scene);
}

}  // namespace scree::cli
