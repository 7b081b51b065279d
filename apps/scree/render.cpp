#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/suggest.h"
#include "commands.h"
#include "io/picture.h"
#include "picture_words.h"
#include "render/context.h"
#include "render/renderer.h"
#include "render_input.h"
#include "scene/runner.h"
#include "scene/voxel_runner.h"
#include "scene/write_outputs.h"
#include "scenes.h"
#include "work_folder.h"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

// What was asked for.
struct Wishes {
  Size pixels;
  render::Camera camera;
  render::Look look;
  int samples = 2;
  int turntable = 0;  // pictures around it; 0: one
};

void check_name(const std::string& file) {
  if (!file.ends_with(".png"))
    throw UsageError(text("--out '", file, "': expected a name that ends in .png"));
}

render::Palette palette_of(const std::string& word) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : render::palettes()) names.push_back(name);
  if (render::palettes().count(word) == 0)
    throw UsageError(text("--palette '", word, "': expected ",
                          fmt::format("{}", fmt::join(names, ", ")), did_you_mean(word, names)));
  return render::palettes().at(word);
}

Wishes wishes_of(const RenderArguments& arguments) {
  check_name(arguments.out);
  Wishes wishes;
  wishes.pixels = parse_pixels("--pixels", arguments.pixels);
  wishes.camera = parse_camera("--camera", arguments.camera);
  parse_sun("--sun", arguments.sun, wishes.look);
  if (!arguments.haze.empty()) wishes.look.haze = parse_between("--haze", arguments.haze, 0, 100);
  if (!arguments.exposure.empty())
    wishes.look.exposure = parse_between("--exposure", arguments.exposure, 0.01, 100);
  if (!arguments.exaggeration.empty())
    wishes.look.exaggeration = parse_between("--exaggeration", arguments.exaggeration, 0.01, 100);
  if (!arguments.samples.empty())
    wishes.samples = static_cast<int>(parse_whole("--samples", arguments.samples, 1, 4));
  if (!arguments.turntable.empty())
    wishes.turntable = static_cast<int>(parse_whole("--turntable", arguments.turntable, 1, 10000));
  if (!arguments.palette.empty()) palette_of(arguments.palette);
  return wishes;
}

// The run's own palette and water, unless others are asked for.
void set_relief(const RenderArguments& arguments, const render::ReliefOptions& of_run,
                render::Look& look) {
  look.relief = of_run;
  if (!arguments.palette.empty()) look.relief.palette = palette_of(arguments.palette);
  if (arguments.dry) look.relief.show_water = false;
}

bool is_scene(const std::string& name) {
  const std::vector<std::string> presets = preset_names();
  std::error_code error;
  return fs::path(name).extension() == ".toml" ||
         (!fs::exists(name, error) &&
          std::find(presets.begin(), presets.end(), name) != presets.end());
}

// What its own relief says of palette and water.
render::ReliefOptions relief_of(const Scene& scene) {
  render::ReliefOptions relief;
  for (const OutputSettings& output : scene.outputs)
    if (output.kind == OutputKind::relief) relief = output.relief;
  return relief;
}

void tell(Console& console, const std::vector<std::string>& files, const std::string& source,
          const Wishes& wishes, const std::string& device) {
  const std::string drawn = device.empty() ? "" : ", drawn by " + device;
  const std::string more =
      files.size() > 1 ? fmt::format(" and {} more", files.size() - 1) : std::string();
  console.say(fmt::format("{}{}: {} x {} pixels of {}{}", files.front(), more, wishes.pixels.width,
                          wishes.pixels.height, source, drawn));
  Json json = {{"file", files.front()},
               {"files", files},
               {"source", source},
               {"width", wishes.pixels.width},
               {"height", wishes.pixels.height}};
  if (!device.empty()) json["device"] = device;
  console.answer(json);
}

// A run that leaves nothing but what it is asked for.
RunOptions options_in(const WorkFolder& work, Console& console) {
  RunOptions options;
  options.out = work.path();
  options.progress = &console.terminal();
  options.cancel = &console.cancel();
  options.report.clear();
  return options;
}

// Its only output is the picture.
void run_for_picture(Console& console, const RenderArguments& arguments, Wishes wishes) {
  Scene scene = find_scene(arguments.in);
  set_relief(arguments, relief_of(scene), wishes.look);
  OutputSettings output;
  output.kind = OutputKind::picture;
  output.file = fs::absolute(arguments.out).string();
  output.where = "--out";
  output.picture = {wishes.pixels.width, wishes.pixels.height, wishes.camera, wishes.look,
                    wishes.turntable};
  scene.outputs = {output};
  const WorkFolder work(arguments.out + ".work");
  const RunResult result = run_scene(scene, options_in(work, console));
  work.clear();
  console.terminal().end_well();
  std::vector<std::string> files;
  for (const fs::path& file : result.outputs)
    files.push_back(fs::path(arguments.out).is_absolute()
                        ? file.string()
                        : file.lexically_proximate(fs::current_path()).string());
  tell(console, files, arguments.in, wishes, "");
}

// The rock as it is at the end of a scene of voxels.
io::Mesh run_for_mesh(Console& console, const RenderArguments& arguments) {
  VoxelScene scene = load_voxel_scene(arguments.in);
  scene.outputs = {{VoxelOutput::Kind::mesh, "rock.ply", 0}};
  const WorkFolder work(arguments.out + ".work");
  run_voxel_scene(scene, options_in(work, console));
  console.terminal().end_well();
  work.clear();
  const fs::path file = work.path() / "rock.ply";
  io::Mesh mesh = io::read_mesh(file.string());
  std::error_code ignored;
  fs::remove(file, ignored);
  return mesh;
}

RenderInput input_of(Console& console, const RenderArguments& arguments) {
  if (!is_scene(arguments.in)) return find_render_input(arguments);
  RenderInput input;
  input.file = arguments.in;
  input.mesh = run_for_mesh(console, arguments);
  return input;
}

std::vector<std::string> take_pictures(render::Renderer& renderer, const Wishes& wishes,
                                       const std::string& out) {
  std::vector<std::string> files;
  const int count = std::max(1, wishes.turntable);
  for (int i = 0; i < count; ++i) {
    render::Camera camera = wishes.camera;
    camera.azimuth += 360.0 * i / count;
    files.push_back(wishes.turntable > 0 ? numbered(out, i).string() : out);
    const render::Picture picture =
        renderer.take(camera, wishes.pixels.width, wishes.pixels.height, wishes.samples);
    io::write_rgb_png(files.back(), picture.width, picture.height, picture.rgb);
  }
  return files;
}

}  // namespace

int render(Console& console, const RenderArguments& arguments) {
  Wishes wishes = wishes_of(arguments);
  const bool scene = is_scene(arguments.in);
  if (scene && !is_voxel_scene(arguments.in)) {
    run_for_picture(console, arguments, wishes);
    return 0;
  }
  // Before a run that takes a while.
  const render::OffscreenContext context;
  const RenderInput input = input_of(console, arguments);
  set_relief(arguments, input.heights ? input.heights->relief : render::ReliefOptions{},
             wishes.look);
  render::Renderer renderer;
  if (input.mesh)
    renderer.show(*input.mesh, wishes.look);
  else
    renderer.show(ground_of(*input.heights), wishes.look);
  tell(console, take_pictures(renderer, wishes, arguments.out), input.file, wishes,
       context.device());
  return 0;
}

}  // namespace scree::cli
