#include "render_views.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "input_field.h"
#include "io/atomic_file.h"
#include "material_colours.h"
#include "picture_words.h"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

unsigned hex(const std::array<std::uint8_t, 3>& colour) {
  return static_cast<unsigned>(colour[0]) << 16 | static_cast<unsigned>(colour[1]) << 8 | colour[2];
}

// What a person would call it.
std::string subject_of(const std::string& in) {
  const fs::path path = fs::absolute(in).lexically_normal();
  const std::string stem = (path.has_filename() ? path : path.parent_path()).stem().string();
  const std::string checkpoint = "checkpoint-";
  if (path.extension() != ".scree" || !stem.starts_with(checkpoint)) return stem;
  return path.parent_path().filename().string() + ", step " + stem.substr(checkpoint.size());
}

void refuse_unused(const RenderArguments& arguments, const render::ViewChoice& view) {
  const auto only = [&](bool given, const char* option, bool fits, const char* views) {
    if (given && !fits)
      throw UsageError(
          text(option, ": expected --view ", views, " beside it, found ", arguments.view));
  };
  const bool field = view.kind == render::ViewKind::field,
             relief = view.kind == render::ViewKind::relief;
  only(!arguments.range.empty(), "--range", field, "field:NAME");
  only(arguments.logarithmic, "--log", field, "field:NAME");
  only(!arguments.contours.empty(), "--contours", relief, "relief");
  only(!arguments.glyphs.empty(), "--glyphs", field || relief, "field:NAME or relief");
  only(!arguments.line.empty(), "--line", view.kind == render::ViewKind::section, "section");
  only(!arguments.turntable.empty(), "--turntable", view.in_perspective(), "beauty or wireframe");
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
  refuse_unused(arguments, view);
  if (arguments.logarithmic) view.logarithmic = true;
  if (!arguments.range.empty()) {
    const std::size_t comma = arguments.range.find(',');
    if (comma == std::string::npos)
      throw UsageError(text("--range '", arguments.range, "': expected LOWEST,HIGHEST"));
    view.low = parse_between("--range", arguments.range.substr(0, comma), -1e30, 1e30);
    view.high = parse_between("--range", arguments.range.substr(comma + 1), -1e30, 1e30);
  }
  if (!arguments.contours.empty()) view.contours = parse_length("--contours", arguments.contours);
  if (!arguments.glyphs.empty()) view.glyphs = render::parse_glyphs("--glyphs", arguments.glyphs);
  if (!arguments.line.empty()) view.line = parse_line("--line", arguments.line);
  view.subject = subject_of(arguments.in);
  return view;
}

std::vector<render::SectionMaterial> section_materials(const VoxelScene& scene) {
  std::vector<render::SectionMaterial> materials(1);
  for (const VoxelMaterial& material : rock_materials(scene.rocks))
    materials.push_back({material.name, hex(material.colour)});
  return materials;
}

std::vector<render::SectionMaterial> section_materials(const std::string& file,
                                                       const io::VolumeFile& volume) {
  std::vector<render::SectionMaterial> materials;
  const fs::path path = fs::path(file).parent_path() / "report.json";
  std::error_code error;
  const Json report =
      fs::exists(path, error) ? Json::parse(io::read_file(path), nullptr, false) : Json();
  const Json known = report.is_object() ? report.value("materials", Json::array()) : Json::array();
  for (std::uint32_t number = 0; number < 256; ++number) {
    const io::Mesh::Colour colour = material_colour(volume, number);
    render::SectionMaterial material{number == 0 ? "rock" : text("material ", number),
                                     hex({colour[0], colour[1], colour[2]})};
    if (number > 0 && number <= known.size() && known[number - 1].is_object()) {
      material.name = known[number - 1].value("name", material.name);
      const std::string srgb = known[number - 1].value("colour", "");
      if (srgb.size() == 7)
        material.colour = static_cast<unsigned>(std::strtoul(srgb.c_str() + 1, nullptr, 16));
    }
    materials.push_back(std::move(material));
  }
  return materials;
}

void settle_range(const MeshInput& input, render::ViewChoice& view) {
  render::settle_range(view, fields_of(input));
}

render::Picture draw_view(const render::ViewChoice& view, const RenderInput& input,
                          const render::Look& look,
                          const std::vector<render::SectionMaterial>& materials, Size pixels) {
  if (input.volume) {
    render::Section section =
        render::section_of(input.volume->volume, input.volume->isovalue(), view.line, materials);
    section.title = view.subject + ": section";
    return render::draw_section(section, look.exaggeration == 1 ? 0 : look.exaggeration,
                                pixels.width, pixels.height);
  }
  if (!input.heights)
    throw UsageError(text("--view: ", input.file,
                          ": expected heights, or for a section a volume; a mesh has only beauty "
                          "and wireframe"));
  const bool metres = input.heights->has_plain("deposit") && input.heights->has_plain("wear");
  return render::draw_view(view, ground_of(*input.heights), look, fields_of(*input.heights), metres,
                           pixels.width, pixels.height);
}

}  // namespace scree::cli
