#include "commands/render_views.h"

#include <filesystem>

#include "base/error.h"
#include "commands/volume_input.h"
#include "io/file/ending.h"
#include "words/input_field.h"
#include "words/picture_words.h"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

// What a person would call it.
std::string subject_of(const std::string& in) {
  const fs::path path = fs::absolute(in).lexically_normal();
  const std::string stem = (path.has_filename() ? path : path.parent_path()).stem().string();
  const std::string checkpoint = "checkpoint-";
  if (io::ending_of(path) != ".scree" || !stem.starts_with(checkpoint)) return stem;
  return path.parent_path().filename().string() + ", step " + stem.substr(checkpoint.size());
}

render::ViewFields fields_of(const MeshInput& input) {
  return [&input](const std::string& name) {
    InputField found = input_field("--view field:", name, input);
    return render::ViewField{std::move(found.values), std::move(found.unit)};
  };
}

}  // namespace

render::ViewChoice parse_view(const RenderArguments& arguments) {
  render::ViewChoice view;
  render::set_view("--view", arguments.view, view);
  if (arguments.logarithmic) view.logarithmic = true;
  if (!arguments.range.empty()) {
    const std::size_t comma = arguments.range.find(',');
    if (comma == std::string::npos)
      throw UsageError(text("--range '", arguments.range, "': expected LOWEST,HIGHEST"));
    view.low = parse_between("--range", arguments.range.substr(0, comma), -1e30, 1e30);
    view.high = parse_between("--range", arguments.range.substr(comma + 1), -1e30, 1e30);
  }
  if (!arguments.contours.empty())
    view.contours = parse_number_of("contours", "--contours", arguments.contours);
  if (!arguments.glyphs.empty()) view.glyphs = render::parse_glyphs("--glyphs", arguments.glyphs);
  if (!arguments.line.empty()) view.line = parse_line("--line", arguments.line);
  view.subject = subject_of(arguments.in);
  return view;
}

void settle_range(const RenderInput& input, render::ViewChoice& view) {
  if (input.heights) render::settle_range(view, fields_of(*input.heights));
  if (input.rock) render::settle_range(view, view_fields(*input.rock));
  if (input.layers) {
    const LayerSubject layers = input.layers->subject();
    render::settle_range(view, view_fields(layers));
  }
}

PhotographerPtr photograph(RenderInput& input, const PictureSettings& settings,
                           const SolidOutput& solid, int width) {
  const std::string what = text("--view: ", input.file);
  if (input.mesh) return scree::photograph(*input.mesh, settings, width, what);
  if (input.rock) {
    // A run's own state may have nothing left of it; of a file, the level is wrong.
    if (settings.view.in_perspective() && !is_voxel_checkpoint(input.file) &&
        !has_rock(*input.rock))
      throw Error(text(input.file, ": no surface at isovalue ", input.rock->isovalue));
    return scree::photograph(*input.rock, settings, width);
  }
  if (input.layers)
    return scree::photograph(input.layers->subject(), settings, solid, width, input.file);
  const bool metres = input.heights->has_plain("deposit") && input.heights->has_plain("wear");
  const bool field = settings.view.kind == render::ViewKind::field;
  return scree::photograph(ground_of(*input.heights, field), fields_of(*input.heights), metres,
                           settings, width);
}

}  // namespace scree::cli
