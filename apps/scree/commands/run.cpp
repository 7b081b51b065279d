#include <nlohmann/json.hpp>

#include "base/error.h"
#include "commands/commands.h"
#include "print/summary.h"
#include "scene/voxel_scene.h"
#include "words/scenes.h"

namespace scree::cli {
int run(Console& console, const RunArguments& arguments) {
  if (is_voxel_scene(arguments.scene)) return weather(console, arguments);
  const Scene scene = changed_scene(arguments);
  RunOptions options = run_options(arguments, scene.name);
  options.progress = &console.terminal();
  options.cancel = &console.cancel();
  try {
    const RunResult result = run_scene(scene, options);
    console.terminal().end_well();
    console.regret(result.astray);
    console.say(summary_text(scene.name, result));
    console.answer(summary_json(scene.name, result));
  } catch (const Cancelled& stopped) {
    throw Cancelled(stopped_text(stopped, options.out));
  }
  return 0;
}

}  // namespace scree::cli
