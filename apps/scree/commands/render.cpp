#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/suggest.h"
#include "commands/commands.h"
#include "commands/mesh_layers.h"
#include "commands/render_input.h"
#include "commands/render_views.h"
#include "commands/work_folder.h"
#include "io/file/ending.h"
#include "io/film/film.h"
#include "io/raster/picture.h"
#include "io/raster/raster.h"
#include "picture/photographer.h"
#include "picture/voxels/rock_pictures.h"
#include "render/gl/context.h"
#include "run/memory.h"
#include "run/run_look.h"
#include "run/runner.h"
#include "scene/read/picture_choices.h"
#include "words/picture_words.h"
#include "words/scenes.h"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

bool is_film(const std::string& file) { return io::ending_of(file) == ".mp4"; }

void check_name(const RenderArguments& arguments) {
  const std::string& file = arguments.out;
  if (is_film(file) && arguments.turntable.empty())
    throw UsageError(text("--out '", file, "': a film needs --turntable N"));
  if (!is_film(file) && !io::is_picture_name(file))
    throw UsageError(text("--out '", file, "': expected a name that ends in ", io::picture_endings,
                          ", or .mp4"));
  // Before a scene is run for it.
  const std::string written = is_film(file) ? ".png" : io::ending_of(file);
  if (!io::can_write_picture("picture" + written))
    throw Error(
        text("--out '", file, "': this build of scree, or its GDAL, cannot write ", written));
}

render::Palette palette_of(const std::string& word) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : render::palettes()) names.push_back(name);
  if (render::palettes().count(word) == 0)
    throw UsageError(text("--palette '", word, "': expected ",
                          fmt::format("{}", fmt::join(names, ", ")), did_you_mean(word, names)));
  return render::palettes().at(word);
}

// What was typed, by the keys that a scene has for it.
std::vector<std::string> given_in(const RenderArguments& arguments) {
  std::vector<std::string> given;
  for (const auto& [key, word] : {std::pair{"range", arguments.range},
                                  {"contours", arguments.contours},
                                  {"glyphs", arguments.glyphs},
                                  {"line", arguments.line},
                                  {"cut", arguments.cut},
                                  {"turntable", arguments.turntable}})
    if (!word.empty()) given.emplace_back(key);
  if (arguments.logarithmic) given.emplace_back("log");
  for (const char* key : {"azimuth", "altitude"})
    if (arguments.camera.find(text(key, "=")) != std::string::npos) given.emplace_back(key);
  return given;
}

PictureSettings settings_of(const RenderArguments& arguments) {
  check_name(arguments);
  PictureSettings settings;
  const Size pixels = parse_pixels("--pixels", arguments.pixels);
  settings.width = pixels.width;
  settings.height = pixels.height;
  settings.camera = parse_camera("--camera", arguments.camera);
  parse_sun("--sun", arguments.sun, settings.look);
  for (const auto& [key, word] : {std::pair{"haze", arguments.haze},
                                  {"exposure", arguments.exposure},
                                  {"exaggeration", arguments.exaggeration}})
    if (!word.empty())
      picture_number(key).of(settings) = parse_number_of(key, text("--", key), word);
  if (!arguments.samples.empty())
    settings.samples =
        static_cast<int>(parse_whole("--samples", arguments.samples, 1, most_samples_a_side));
  if (!arguments.turntable.empty())
    settings.turntable =
        static_cast<int>(parse_whole("--turntable", arguments.turntable, 1, most_turned));
  if (!arguments.palette.empty()) palette_of(arguments.palette);
  settings.view = parse_view(arguments);
  settings.before = !arguments.before.empty();
  check_choices(settings, given_in(arguments), {});
  return settings;
}

// The run's own palette, unless another is asked for. Of its reliefs one may be with water and one
// without: a picture shows the water that there is, unless it is to be dry.
void set_relief(const RenderArguments& arguments, const render::ReliefOptions& of_run,
                render::Look& look) {
  look.relief = of_run;
  if (arguments.view == "wireframe") look.relief.palette = render::Palette::plain;
  if (!arguments.palette.empty()) look.relief.palette = palette_of(arguments.palette);
  look.relief.show_water = !arguments.dry;
}

bool is_scene(const std::string& name) {
  const std::vector<std::string> presets = preset_names();
  std::error_code error;
  return io::ending_of(name) == ".toml" ||
         (!fs::exists(name, error) &&
          std::find(presets.begin(), presets.end(), name) != presets.end());
}

// Seen from above, rock is no meadow.
render::ReliefOptions rock_relief() {
  render::ReliefOptions relief;
  relief.palette = render::Palette::plain;
  return relief;
}

void tell(Console& console, const std::vector<std::string>& files, const std::string& source,
          const PictureSettings& settings, const std::string& device) {
  const std::string drawn = device.empty() ? "" : ", drawn by " + device;
  const std::string more =
      files.size() > 1 ? fmt::format(" and {} more", files.size() - 1) : std::string();
  console.say(fmt::format("{}{}: {} x {} pixels of {}{}", files.front(), more, settings.width,
                          settings.height, source, drawn));
  Json json = {{"file", files.front()},
               {"files", files},
               {"source", source},
               {"width", settings.width},
               {"height", settings.height}};
  if (!device.empty()) json["device"] = device;
  console.answer(json);
}

std::string work_folder_of(const RenderArguments& arguments) { return arguments.out + ".work"; }

// A film is made in the folder for work: pictures that lie beside it are somebody's. Without ffmpeg
// its pictures are all that there will be.
bool is_made_apart(const RenderArguments& arguments) {
  return is_film(arguments.out) && io::can_film();
}
fs::path made_at(const RenderArguments& arguments) {
  const fs::path out = arguments.out;
  return is_made_apart(arguments) ? work_folder_of(arguments) / out.filename() : out;
}

// Pictures of a film that will not be.
void remove_pictures(const RenderArguments& arguments, const PictureSettings& settings) {
  if (!is_made_apart(arguments)) return;
  std::error_code ignored;
  for (const fs::path& file : picture_files(settings, made_at(arguments).replace_extension(".png")))
    fs::remove(file, ignored);
}

// To where it was asked for.
void put_in_place(const RenderArguments& arguments, std::vector<fs::path>& files) {
  if (!is_made_apart(arguments)) return;
  std::error_code error;
  for (fs::path& file : files) {
    fs::rename(file, arguments.out, error);
    if (error) throw Error(text(arguments.out, ": ", error.message()));
    file = fs::absolute(arguments.out);
  }
}

// A run that leaves nothing but what it is asked for, and nothing at all where it is stopped.
template <class Run>
auto run_in_passing(Console& console, const RenderArguments& arguments,
                    const PictureSettings& settings, const Run& run) {
  const WorkFolder work(work_folder_of(arguments));
  RunOptions options;
  options.out = work.path();
  options.device = device_options(arguments.run.device);
  options.progress = &console.terminal();
  options.cancel = &console.cancel();
  options.report.clear();
  options.allow_outside = true;  // they lie where the command line says
  options.leave_state = false;
  try {
    auto result = run(options);
    put_in_place(arguments, result.outputs);
    return result;
  } catch (const Cancelled&) {
    remove_pictures(arguments, settings);
    throw;
  }
}

// As a person who is in this folder calls them.
std::vector<std::string> names_of(const RenderArguments& arguments,
                                  const std::vector<fs::path>& files) {
  std::vector<std::string> names;
  for (const fs::path& file : files)
    names.push_back(fs::path(arguments.out).is_absolute()
                        ? file.string()
                        : file.lexically_proximate(fs::current_path()).string());
  return names;
}

// Cut, where that is asked for.
SolidOutput solid_of(const RenderArguments& arguments, bool of_layers) {
  SolidOutput solid;
  if (arguments.cut.empty()) return solid;
  if (!of_layers) throw UsageError(text("--cut: expected a terrain of layers: ", arguments.in));
  solid.cut = parse_cut(arguments.cut);
  return solid;
}

OutputSettings picture_output(const RenderArguments& arguments, const PictureSettings& settings,
                              const std::string& subject) {
  OutputSettings output =
      scree::output_of(OutputKind::picture, fs::absolute(made_at(arguments)).string());
  output.where = arguments.in;
  output.picture = settings;
  output.picture.view.subject = subject;
  return output;
}

// A scene is run, and its only output is the picture.
void run_for_picture(Console& console, const RenderArguments& arguments, Scene scene,
                     const PictureSettings& settings, const SolidOutput& solid) {
  scene.outputs = {picture_output(arguments, settings, scene.name)};
  scene.outputs.front().solid = solid;
  const auto result = run_in_passing(console, arguments, settings, [&](const RunOptions& options) {
    return run_scene(scene, options);
  });
  console.terminal().end_well();
  console.regret(result.astray);
  for (const std::string& line : result.lines) log(LogLevel::info, line);
  tell(console, names_of(arguments, result.outputs), arguments.in, settings, "");
}

void render_scene(Console& console, const RenderArguments& arguments, PictureSettings settings) {
  if (settings.before && arguments.before != "start")
    throw UsageError(text("--before '", arguments.before, "': expected start beside a scene"));
  RunArguments words = arguments.run;
  words.scene = arguments.in;
  const Scene scene = changed_scene(words);
  // A solid can be cut where it is made of layers.
  const SolidOutput solid = solid_of(arguments, scene.terrain.layers.has_value());
  if (scene.terrain.voxels) {
    set_relief(arguments, rock_relief(), settings.look);
    check_rock_view(arguments.in, settings.view);
  } else {
    set_relief(arguments, look_of(scene.outputs), settings.look);
  }
  run_for_picture(console, arguments, scene, settings, solid);
}

// What is there already is not run.
void refuse_changes(const RenderArguments& arguments) {
  const RunArguments& run = arguments.run;
  for (const auto& [option, given] :
       {std::pair{"--steps", !run.steps.empty()}, std::pair{"--size", !run.size.empty()},
        std::pair{"--seed", !run.seed.empty()}, std::pair{"--set", !run.set.empty()}})
    if (given) throw UsageError(text(option, ": expected a scene to change: ", arguments.in));
}

// Another input in the same words.
std::optional<RenderInput> before_of(const RenderArguments& arguments,
                                     const PictureSettings& settings) {
  if (!settings.before) return {};
  if (arguments.before == "start" || is_scene(arguments.before))
    throw UsageError(text("--before '", arguments.before, "': expected a file beside a file; ",
                          "start is what a scene began with"));
  RenderArguments other = arguments;
  other.in = arguments.before;
  return find_render_input(other, settings.view);
}

// "48 x 40 cells of 10 x 10 m"; empty of a mesh.
std::string grid_of(const RenderInput& input) {
  if (input.heights) {
    const Raster& raster = input.heights->raster;
    return text(raster.width, " x ", raster.height, " cells of ", raster.dx, " x ", raster.dy,
                " m");
  }
  if (input.layers) {
    const LayerShape& shape = input.layers->layers.shape();
    return text(shape.width, " x ", shape.height, " cells of ", shape.dx, " x ", shape.dy, " m");
  }
  if (!input.rock) return {};
  const auto& [size, cell] = std::tie(input.rock->volume.shape.size, input.rock->volume.shape.cell);
  return text(size[0], " x ", size[1], " x ", size[2], " voxels of ", cell[0], " x ", cell[1],
              " x ", cell[2], " m");
}

// Whether both lie at the same place on Earth, as far as they say.
bool same_place(const RenderInput& a, const RenderInput& b) {
  if (!a.heights || !b.heights) return true;
  const Raster &one = a.heights->raster, &other = b.heights->raster;
  if (!one.geo.present || !other.geo.present) return true;
  const auto &s = one.geo.transform, &t = other.geo.transform;
  const double half = 0.5 * (std::abs(s[1]) + std::abs(s[2]));
  return std::abs(s[0] - t[0]) <= half && std::abs(s[3] - t[3]) <= half;
}

std::string kind_of(const RenderInput& input) {
  return input.mesh ? "a mesh" : input.rock ? "a volume" : "a terrain";
}

// Side by side, what is at the same place in both halves is the same place.
void check_before(const RenderInput& input, const RenderInput& before) {
  std::error_code error;
  if (fs::equivalent(input.file, before.file, error))
    throw UsageError(text("--before: ", before.file, ": expected another state than the one that ",
                          "is shown, found the same"));
  const std::string is = kind_of(input), other = kind_of(before);
  if (is != other)
    throw UsageError(text("--before: ", before.file, ": expected ", is, " as ", input.file,
                          " is, found ", other));
  const std::string expected = grid_of(input), found = grid_of(before);
  if (!expected.empty() && !found.empty() && expected != found)
    throw Error(text("--before: ", before.file, ": expected ", expected, " as ", input.file,
                     " has, found ", found));
  if (!same_place(input, before))
    throw Error(text("--before: ", before.file, ": lies elsewhere than ", input.file,
                     "; expected the same extent"));
}

// Half a word is better than a picture that people wonder about.
void tell_of_water(const RenderArguments& arguments, const RenderInput& input) {
  std::error_code error;
  if (arguments.dry || !input.heights || input.heights->has_plain("water") ||
      !fs::is_directory(arguments.in, error))
    return;
  log(LogLevel::info, text(arguments.in,
                           ": no water is shown, since the run did not write it: [[output]] kind = "
                           "\"field\", field = \"water\""));
}

render::ReliefOptions relief_of(const RenderInput& input) {
  return input.heights  ? input.heights->relief
         : input.layers ? input.layers->relief
         : input.rock   ? rock_relief()
                        : render::ReliefOptions{};
}

// The picture, the pictures of a turn, or the film of them.
std::vector<fs::path> make_pictures(const RenderArguments& arguments,
                                    const PictureSettings& settings, Photographer& now,
                                    Photographer* then) {
  const bool film = is_film(arguments.out);
  const WorkFolder work(work_folder_of(arguments));
  if (is_made_apart(arguments)) fs::create_directories(work.path());
  const fs::path named = made_at(arguments),
                 out = film ? fs::path(named).replace_extension(".png") : named;
  std::vector<fs::path> files;
  try {
    files = write_pictures(settings, out, now, then);
  } catch (const Error&) {
    remove_pictures(arguments, settings);
    throw;
  }
  if (!film) return files;
  Film made = make_film(arguments.out, files);
  if (!made.line.empty()) log(LogLevel::warning, made.line);
  return made.files;
}

void render_file(Console& console, const RenderArguments& arguments, PictureSettings settings) {
  refuse_changes(arguments);
  const CancelScope stoppable(&console.cancel());
  std::optional<render::OffscreenContext> context;
  if (settings.view.in_perspective()) context.emplace();
  RenderInput input = find_render_input(arguments, settings.view);
  std::optional<RenderInput> before = before_of(arguments, settings);
  if (before) check_before(input, *before);
  check_picture_memory(settings, input.heights ? input.heights->raster.values.size() : 0);
  tell_of_water(arguments, input);
  set_relief(arguments, relief_of(input), settings.look);
  if (before) settle_range(input, settings.view);
  const int width = width_of_each(settings);
  const SolidOutput solid = solid_of(arguments, input.layers.has_value());
  if (solid.cut) surface::check_cut("--", *solid.cut, input.layers->layers.shape());
  const PhotographerPtr now = photograph(input, settings, solid, width);
  const PhotographerPtr then = before ? photograph(*before, settings, solid, width) : nullptr;
  const std::vector<fs::path> files = make_pictures(arguments, settings, *now, then.get());
  tell(console, {files.begin(), files.end()}, input.file, settings,
       context ? context->device() : "");
}

}  // namespace

int render(Console& console, const RenderArguments& arguments) {
  if (arguments.in.empty()) throw UsageError("IN: expected the name of a file, found nothing");
  const PictureSettings settings = settings_of(arguments);
  prepare_folder(arguments.out);
  if (is_scene(arguments.in))
    render_scene(console, arguments, settings);
  else
    render_file(console, arguments, settings);
  return 0;
}

}  // namespace scree::cli
