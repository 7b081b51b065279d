#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/suggest.h"
#include "commands.h"
#include "io/picture.h"
#include "picture_words.h"
#include "render/context.h"
#include "render/renderer.h"
#include "render_input.h"

namespace scree::cli {
namespace {

// What was asked for.
struct Wishes {
  Size pixels;
  render::Camera camera;
  render::Look look;
  int samples = 2;
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

}  // namespace

int render(Console& console, const RenderArguments& arguments) {
  Wishes wishes = wishes_of(arguments);
  const RenderInput input = find_render_input(arguments);
  set_relief(arguments, input.heights ? input.heights->relief : render::ReliefOptions{},
             wishes.look);
  const render::OffscreenContext context;
  render::Renderer renderer;
  if (input.mesh)
    renderer.show(*input.mesh, wishes.look);
  else
    renderer.show(ground_of(*input.heights), wishes.look);
  const render::Picture picture =
      renderer.take(wishes.camera, wishes.pixels.width, wishes.pixels.height, wishes.samples);
  io::write_rgb_png(arguments.out, picture.width, picture.height, picture.rgb);
  console.say(fmt::format("{}: {} x {} pixels of {}, drawn by {}", arguments.out, picture.width,
                          picture.height, input.file, context.device()));
  console.answer({{"file", arguments.out},
                  {"source", input.file},
                  {"width", picture.width},
                  {"height", picture.height},
                  {"device", context.device()}});
  return 0;
}

}  // namespace scree::cli
