#include "words/scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>

#include "base/suggest.h"
#include "run/output_places.h"
#include "run/run_folder.h"
#include "words/arguments.h"

namespace scree::cli {
namespace {

constexpr std::uint64_t any = std::numeric_limits<std::int64_t>::max();

// "256x256" cells, or "512x512x256" voxels.
void resize(Scene& scene, const std::string& words) {
  if (scene.sides() == 3) {
    const auto [nx, ny, nz] = parse_box("--size", words);
    scene.set_size(nx, ny, nz);
    return;
  }
  const Size size = parse_size("--size", words);
  scene.set_size(size.width, size.height);
}

}  // namespace

Scene find_preset(const std::string& name) {
  const std::vector<std::string> known = preset_names();
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw UsageError(text("no preset '", name, "'", did_you_mean(name, known), "; there are ",
                          fmt::format("{}", fmt::join(known, ", "))));
  return preset(name);
}

Scene find_scene(const std::string& name) {
  const std::filesystem::path path(name);
  std::error_code error;
  const std::vector<std::string> known = preset_names();
  const bool is_preset = std::find(known.begin(), known.end(), name) != known.end();
  // A folder may well be called like a preset; a file is meant.
  if (is_preset && !std::filesystem::is_regular_file(path, error)) return preset(name);
  if (!std::filesystem::exists(path, error) && !path.has_extension() && !path.has_parent_path())
    throw Error(text(name, ": no such scene file, and no preset of that name",
                     did_you_mean(name, known), "; there are ",
                     fmt::format("{}", fmt::join(known, ", "))));
  return load_scene(path);
}

void change_scene(Scene& scene, const std::vector<std::string>& set, const std::string& steps,
                  const std::string& seed) {
  for (const std::string& assignment : set) {
    parse_assignment("--set", assignment);
    scene.apply_override(assignment);
  }
  if (!steps.empty()) {
    scene.steps = parse_whole("--steps", steps, 0, any);
    scene.time = 0;
  }
  if (!seed.empty()) scene.seed = parse_whole("--seed", seed, 0, any);
}

Scene changed_scene(const RunArguments& arguments) {
  Scene scene = find_scene(arguments.scene);
  change_scene(scene, arguments.set, arguments.steps, arguments.seed);
  if (!arguments.size.empty()) resize(scene, arguments.size);
  return scene;
}

std::string stopped_text(const Cancelled& stopped, const std::filesystem::path& folder) {
  std::string line = stopped.what();
  const std::vector<CheckpointFile> saved = RunFolder(folder).checkpoints();
  if (!saved.empty() && line.find(saved.front().path.string()) == std::string::npos)
    line += "; the state is in " + saved.front().path.string();
  return line + "; the same command with --resume goes on from there";
}

RunOptions run_options(const RunArguments& arguments, const std::string& scene) {
  RunOptions options;
  options.allow_outside = arguments.allow_outside;
  options.out = arguments.out.empty()
                    ? default_folder(scene, arguments.scene, arguments.allow_outside)
                    : std::filesystem::path(arguments.out);
  options.device = device_options(arguments.device);
  options.resume = arguments.resume;
  if (!arguments.engine.empty()) options.engine = parse_engine("--engine", arguments.engine);
  if (!arguments.checkpoint_every.empty())
    options.checkpoint_every = parse_whole("--checkpoint-every", arguments.checkpoint_every, 0,
                                           std::numeric_limits<std::int64_t>::max());
  if (!arguments.checkpoint_seconds.empty())
    options.checkpoint_seconds =
        parse_duration("--checkpoint-seconds", arguments.checkpoint_seconds);
  if (!arguments.validate.empty())
    options.validate = parse_whole("--validate", arguments.validate, 1, any);
  return options;
}

}  // namespace scree::cli
