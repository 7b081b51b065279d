#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/log.h"
#include "base/suggest.h"
#include "commands.h"
#include "io/film.h"
#include "io/picture.h"
#include "picture_words.h"
#include "render/context.h"
#include "render/renderer.h"
#include "render_input.h"
#include "render_views.h"
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
  render::ViewChoice view;
  int samples = 2;
  int turntable = 0;  // pictures around it; 0: one
};

bool is_film(const std::string& file) { return file.ends_with(".mp4"); }

void check_name(const RenderArguments& arguments) {
  const std::string& file = arguments.out;
  if (is_film(file) && arguments.turntable.empty())
    throw UsageError(text("--out '", file, "': a film needs --turntable N"));
  if (!is_film(file) && !file.ends_with(".png"))
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
  check_name(arguments);
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
  wishes.view = parse_view(arguments);
  return wishes;
}

// The run's own palette and water, unless others are asked for.
void set_relief(const RenderArguments& arguments, const render::ReliefOptions& of_run,
                render::Look& look) {
  look.relief = of_run;
  if (arguments.view == "wireframe") look.relief.palette = render::Palette::plain;
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
  if (!arguments.before.empty() && arguments.before != "start")
    throw UsageError(text("--before '", arguments.before, "': expected start beside a scene"));
  wishes.view.subject = scene.name;
  output.picture = {
      wishes.pixels.width, wishes.pixels.height,     wishes.camera, wishes.look, wishes.view,
      wishes.turntable,    !arguments.before.empty()};
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
  for (const std::string& line : result.lines) log(LogLevel::info, line);
  tell(console, files, arguments.in, wishes, "");
}

// What a scene of voxels leaves in that file, which is read and gone.
template <class Read>
auto run_for_rock(Console& console, const RenderArguments& arguments, const VoxelOutput& output,
                  Read&& read) {
  VoxelScene scene = load_voxel_scene(arguments.in);
  scene.outputs = {output};
  const WorkFolder work(arguments.out + ".work");
  run_voxel_scene(scene, options_in(work, console));
  console.terminal().end_well();
  work.clear();
  const fs::path file = work.path() / output.file;
  auto rock = read(file.string());
  std::error_code ignored;
  fs::remove(file, ignored);
  return rock;
}

// whole: the volume of voxels, else their surface.
RenderInput input_of(Console& console, const RenderArguments& arguments, bool whole) {
  if (!is_scene(arguments.in)) return find_render_input(arguments, whole);
  RenderInput input;
  input.file = arguments.in;
  if (whole)
    input.volume = run_for_rock(console, arguments, {VoxelOutput::Kind::volume, "rock.vdb", 0},
                                [](const std::string& file) { return io::read_volume(file); });
  else
    input.mesh = run_for_rock(console, arguments, {VoxelOutput::Kind::mesh, "rock.ply", 0},
                              [](const std::string& file) { return io::read_mesh(file); });
  return input;
}

// A state before the camera, as often as it is turned.
class Exhibit {
 public:
  Exhibit(const RenderInput& input, const Wishes& wishes, int width)
      : wishes_(wishes), width_(width) {
    if (input.mesh)
      renderer_.show(*input.mesh, wishes.look);
    else
      renderer_.show(ground_of(*input.heights), wishes.look);
    renderer_.show_edges(wishes.view.kind == render::ViewKind::wireframe);
  }
  render::Picture take(double turned) {
    render::Camera camera = wishes_.camera;
    camera.azimuth += turned;
    return renderer_.take(camera, width_, wishes_.pixels.height, wishes_.samples);
  }

 private:
  const Wishes& wishes_;
  int width_;
  render::Renderer renderer_;
};

// Without ffmpeg the pictures stay.
std::vector<std::string> filmed(const std::string& out, std::vector<std::string> pictures) {
  if (!is_film(out)) return pictures;
  if (!io::can_film()) {
    log(LogLevel::warning, text(out, ": ffmpeg is not installed; its ", pictures.size(),
                                " pictures are from ", pictures.front(), " on"));
    return pictures;
  }
  io::write_film(out, {pictures.begin(), pictures.end()});
  std::error_code ignored;
  for (const std::string& picture : pictures) fs::remove(picture, ignored);
  return {out};
}

std::vector<std::string> take_pictures(const RenderInput& input, const RenderInput* before,
                                       const Wishes& wishes, const std::string& out) {
  const int width =
      before != nullptr ? render::half_width(wishes.pixels.width) : wishes.pixels.width;
  Exhibit now(input, wishes, width);
  std::optional<Exhibit> then;
  if (before != nullptr) then.emplace(*before, wishes, width);
  std::vector<std::string> files;
  const int count = std::max(1, wishes.turntable);
  const std::string frame = is_film(out) ? fs::path(out).replace_extension(".png").string() : out;
  for (int i = 0; i < count; ++i) {
    files.push_back(wishes.turntable > 0 ? numbered(frame, i).string() : frame);
    render::Picture picture = now.take(360.0 * i / count);
    if (then)
      picture = render::side_by_side(then->take(360.0 * i / count), picture, wishes.pixels.width);
    io::write_rgb_png(files.back(), picture.width, picture.height, picture.rgb);
  }
  return filmed(out, std::move(files));
}

// The same words for another input.
std::optional<RenderInput> before_of(const RenderArguments& arguments, bool whole) {
  if (arguments.before.empty()) return {};
  if (is_scene(arguments.in) || is_scene(arguments.before))
    throw UsageError(text("--before '", arguments.before,
                          "': expected two files, or start beside a scene of heights"));
  RenderArguments other = arguments;
  other.in = arguments.before;
  return find_render_input(other, whole);
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

// A map or a section: no OpenGL is needed.
int draw_to_read(Console& console, const RenderArguments& arguments, Wishes wishes) {
  const bool section = wishes.view.kind == render::ViewKind::section;
  const RenderInput input = input_of(console, arguments, section);
  const std::optional<RenderInput> before = before_of(arguments, section);
  set_relief(arguments, input.heights ? input.heights->relief : render::ReliefOptions{},
             wishes.look);
  std::vector<render::SectionMaterial> materials;
  if (input.volume)
    materials = is_scene(arguments.in) ? section_materials(load_voxel_scene(arguments.in))
                                       : section_materials(input.file, *input.volume);
  if (before && input.heights) settle_range(*input.heights, wishes.view);
  Size part = wishes.pixels;
  if (before) part.width = render::half_width(part.width);
  render::Picture picture = draw_view(wishes.view, input, wishes.look, materials, part);
  if (before)
    picture = render::side_by_side(draw_view(wishes.view, *before, wishes.look, materials, part),
                                   picture, wishes.pixels.width);
  io::write_rgb_png(arguments.out, picture.width, picture.height, picture.rgb);
  tell(console, {arguments.out}, input.file, wishes, "");
  return 0;
}

}  // namespace

int render(Console& console, const RenderArguments& arguments) {
  Wishes wishes = wishes_of(arguments);
  const bool scene = is_scene(arguments.in);
  if (scene && !is_voxel_scene(arguments.in)) {
    run_for_picture(console, arguments, wishes);
    return 0;
  }
  if (!wishes.view.in_perspective()) return draw_to_read(console, arguments, wishes);
  // Before a run that takes a while.
  const render::OffscreenContext context;
  const RenderInput input = input_of(console, arguments, false);
  const std::optional<RenderInput> before = before_of(arguments, false);
  tell_of_water(arguments, input);
  set_relief(arguments, input.heights ? input.heights->relief : render::ReliefOptions{},
             wishes.look);
  tell(console, take_pictures(input, before ? &*before : nullptr, wishes, arguments.out),
       input.file, wishes, context.device());
  return 0;
}

}  // namespace scree::cli
