#include "base/error.h"
#include "base/hash.h"
#include "io/file/ending.h"
#include "io/mesh/mesh.h"
#include "io/raster/engine_export.h"
#include "io/raster/picture.h"
#include "io/volume/volume.h"
#include "render/gl/renderer.h"
#include "scene/read/picture_choices.h"
#include "scene/read/read.h"
#include "terrain/heights/derive.h"

namespace scree {
namespace {

template <class Value>
std::vector<std::string> names_of(const std::map<std::string, Value>& values) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : values) names.push_back(name);
  return names;
}

render::Palette palette(const SceneNode& node) {
  return render::palettes().at(read_choice(node, "palette", names_of(render::palettes())));
}

void add_relief_keys(SceneKeys& keys, render::ReliefOptions& relief) {
  keys["palette"] = [&](const SceneNode& n) { relief.palette = palette(n); };
  keys["water"] = [&](const SceneNode& n) { relief.show_water = read_flag(n, "water"); };
  const auto real = [&](const char* key, double& value, const RealRange& range) {
    keys[key] = [&value, key, range](const SceneNode& n) { value = read_real(n, key, range); };
  };
  real("sun_azimuth", relief.sun_azimuth, {"deg", -360, 360});
  real("sun_altitude", relief.sun_altitude, {"deg", 1, 90});
  real("exaggeration", relief.exaggeration, {"1", 0, 100});
  real("exposure", relief.exposure, {"1", 0, 100});
  real("shadow", relief.shadow, {"1", 0, 1});
  real("occlusion", relief.occlusion, {"1", 0, 1});
  real("contours", relief.contour_interval, {"m", 0, 1e5});
  real("tint_low", relief.tint_low, {"m", -20000, 20000});
  real("tint_high", relief.tint_high, {"m", -20000, 20000});
  real("water_film", relief.water_film, {"m", 0, 1000});
  real("water_deep", relief.water_deep, {"m", 0, 10000});
}

// [[x, y], [x, y]]
render::SectionLine line_of(const SceneNode& node) {
  check_pair(node, "line", "[[x, y], [x, y]] in metres from the middle");
  const auto end = [&](std::size_t i) {
    check_pair(node.items[i], "line", "[[x, y], [x, y]] in metres from the middle");
    const RealRange anywhere{"m", -1e9, 1e9};
    return render::Point2{read_real(node.items[i].items[0], "line", anywhere),
                          read_real(node.items[i].items[1], "line", anywhere)};
  };
  return {end(0), end(1)};
}

void add_view_keys(SceneKeys& keys, render::ViewChoice& view) {
  keys["view"] = [&](const SceneNode& n) {
    render::set_view(text(n.where, ": view ="), read_text(n, "view"), view);
  };
  keys["glyphs"] = [&](const SceneNode& n) {
    view.glyphs = render::parse_glyphs(text(n.where, ": glyphs ="), read_text(n, "glyphs"));
  };
  keys["log"] = [&](const SceneNode& n) { view.logarithmic = read_flag(n, "log"); };
  keys["range"] = [&](const SceneNode& n) {
    check_pair(n, "range", "[lowest, highest]");
    const RealRange anything{"1", -1e30, 1e30};
    view.low = read_real(n.items[0], "range", anything);
    view.high = read_real(n.items[1], "range", anything);
  };
  keys["line"] = [&](const SceneNode& n) { view.line = line_of(n); };
}

render::Vec3 place_of(const SceneNode& node, const char* key) {
  const auto [x, y, z] = read_point(node, key, {"m", -1e9, 1e9});
  return {x, y, z};
}

// from = [x, y, z], or [x, y, "+z"] above the ground.
void read_eye(const SceneNode& node, render::Camera& camera) {
  SceneNode place = node;
  camera.above_ground = place.items.size() == 3 && place.items[2].kind == SceneNode::Kind::text &&
                        place.items[2].text.starts_with('+');
  if (camera.above_ground) place.items[2].text.erase(0, 1);
  camera.from = place_of(place, "from");
}

void add_picture_keys(SceneKeys& keys, PictureSettings& picture) {
  for (const PictureNumber& number : picture_numbers())
    keys[number.key] = [&](const SceneNode& n) {
      number.of(picture) = read_real(n, number.key, number.range);
    };
  keys["pixels"] = [&](const SceneNode& n) {
    check_pair(n, "pixels", "[width, height]");
    const auto side = [&](std::size_t i) {
      return static_cast<int>(read_integer(n.items[i], "pixels", 1, render::most_pixels_a_side));
    };
    picture.width = side(0);
    picture.height = side(1);
  };
  keys["turntable"] = [&](const SceneNode& n) {
    picture.turntable = static_cast<int>(read_integer(n, "turntable", 0, most_turned));
  };
  keys["samples"] = [&](const SceneNode& n) {
    picture.samples = static_cast<int>(read_integer(n, "samples", 1, most_samples_a_side));
  };
  keys["before"] = [&](const SceneNode& n) { picture.before = read_flag(n, "before"); };
  keys["from"] = [&](const SceneNode& n) { read_eye(n, picture.camera); };
  keys["at"] = [&](const SceneNode& n) { picture.camera.at = place_of(n, "at"); };
  add_view_keys(keys, picture.view);
  render::ReliefOptions& relief = picture.look.relief;
  keys["palette"] = [&](const SceneNode& n) { relief.palette = palette(n); };
  keys["water"] = [&](const SceneNode& n) { relief.show_water = read_flag(n, "water"); };
}

// cut = [[x, y], [x, y]]: metres from the south-west corner.
void add_solid_keys(SceneKeys& keys, SolidOutput& solid) {
  keys["cut"] = [&](const SceneNode& n) {
    const std::string expected = "[[x, y], [x, y]], two places apart, in metres";
    check_pair(n, "cut", expected);
    surface::LayerCut cut;
    const auto read = [&](const SceneNode& place, double& x, double& y) {
      check_pair(place, "cut", expected);
      x = read_real(place.items[0], "cut", {"m", -1e7, 1e7});
      y = read_real(place.items[1], "cut", {"m", -1e7, 1e7});
    };
    read(n.items[0], cut.from_x, cut.from_y);
    read(n.items[1], cut.to_x, cut.to_y);
    if (cut.from_x == cut.to_x && cut.from_y == cut.to_y)
      throw UsageError(text(n.where, ": cut: expected ", expected));
    solid.cut = cut;
  };
  keys["level"] = [&](const SceneNode& n) {
    solid.level = static_cast<int>(read_integer(n, "level", 0, 12));
  };
  add_real(keys, "cell_z", solid.cell_z, {"m", 1e-6, 1e6});
}

void add_tile_keys(SceneKeys& keys, OutputSettings& output) {
  keys["tile"] = [&](const SceneNode& n) {
    check_pair(n, "tile", "[width, height] in cells");
    output.tile_width = static_cast<int>(read_integer(n.items[0], "tile", 2, most_cells));
    output.tile_height = static_cast<int>(read_integer(n.items[1], "tile", 2, most_cells));
  };
  keys["overlap"] = [&](const SceneNode& n) {
    output.overlap = static_cast<int>(read_integer(n, "overlap", 0, most_cells));
  };
  keys["pattern"] = [&](const SceneNode& n) { output.pattern = read_text(n, "pattern"); };
  keys["flip_y"] = [&](const SceneNode& n) { output.flip_y = read_flag(n, "flip_y"); };
}

SceneKeys keys_of(OutputSettings& output, bool of_voxels) {
  SceneKeys keys;
  keys["kind"] = [](const SceneNode&) {};
  keys["file"] = [&](const SceneNode& n) { output.file = read_text(n, "file"); };
  keys["every"] = [&](const SceneNode& n) {
    output.every = static_cast<int>(read_integer(n, "every", 1, 1000000000));
  };
  const auto normalise = [&](const SceneNode& n) { output.normalise = read_flag(n, "normalise"); };
  if (output.kind == OutputKind::field || output.kind == OutputKind::mask)
    keys["normalise"] = normalise;
  if (output.kind == OutputKind::field)
    keys["field"] = [&](const SceneNode& n) { output.name = read_text(n, "field"); };
  if (output.kind == OutputKind::mask)
    keys["mask"] = [&](const SceneNode& n) {
      std::vector<std::string> names;
      for (const MaskInfo& mask : mask_list()) names.push_back(mask.name);
      output.name = read_choice(n, "mask", names);
    };
  if (output.kind == OutputKind::relief) add_relief_keys(keys, output.relief);
  if (output.kind == OutputKind::picture) add_picture_keys(keys, output.picture);
  if (!of_voxels && (output.kind == OutputKind::picture || output.kind == OutputKind::mesh))
    add_solid_keys(keys, output.solid);
  if (output.kind == OutputKind::tiles) add_tile_keys(keys, output);
  if (output.kind == OutputKind::engine)
    keys["engine"] = [&](const SceneNode& n) {
      output.engine = read_choice(n, "engine", {"unreal", "unity", "godot"});
    };
  return keys;
}

// Names that people would choose themselves.
void add_default_file(OutputSettings& output, bool of_voxels) {
  if (!output.file.empty()) return;
  switch (output.kind) {
    case OutputKind::height:
      output.file = "height.tif";
      break;
    case OutputKind::relief:
      output.file = "relief.png";
      break;
    case OutputKind::picture:
      output.file = "picture.png";
      break;
    case OutputKind::stones:
      output.file = "stones.csv";
      break;
    case OutputKind::mesh:
      output.file = of_voxels ? "rock.glb" : "layers.glb";
      break;
    case OutputKind::volume:
      output.file = "rock.vdb";
      break;
    case OutputKind::tiles:
      output.file = "tiles.png";
      break;
    case OutputKind::engine:
      output.file = output.engine;
      break;
    default:
      output.file = output.name + ".tif";
  }
}

void check_output(const OutputSettings& output) {
  const auto need = [&](bool given, const char* key) {
    if (!given) throw UsageError(text(output.where, ": output: expected ", key));
  };
  if (output.kind == OutputKind::mask) need(output.name != "bed", "mask = \"flow\" or another");
  if (output.kind == OutputKind::engine) need(!output.engine.empty(), "engine = \"unreal\"");
  if (output.kind == OutputKind::tiles) need(output.tile_width > 0, "tile = [width, height]");
}

void check_picture(const OutputSettings& output, const SceneNode& table) {
  if (output.kind != OutputKind::picture) return;
  std::vector<std::string> given;
  for (const SceneNode& item : table.items) given.push_back(item.key);
  check_choices(output.picture, given, {&table});
}

// Each key and value, as they stand in the scene's file.
void add_words(Hash64& hash, const SceneNode& node) {
  const std::string words =
      text(node.key, '\n', static_cast<int>(node.kind), '\n', node.flag, '\n', node.integer, '\n',
           parameter_text(node.real), '\n', node.text, '\n', node.items.size(), '\n');
  hash.update(words.data(), words.size());
  for (const SceneNode& item : node.items) add_words(hash, item);
}

std::string wording_of(const SceneNode& item) {
  Hash64 hash;
  add_words(hash, item);
  return hash_text(hash.digest());
}

OutputSettings read_output(const SceneNode& item, const std::vector<std::string>& kinds,
                           bool of_voxels) {
  OutputSettings output;
  output.where = item.where;
  output.wording = wording_of(item);
  const SceneNode* kind = item.find("kind");
  if (kind == nullptr)
    throw UsageError(
        text(item.where, ": output: expected kind = \"", of_voxels ? "mesh" : "height", "\""));
  output.kind = output_kinds().at(read_choice(*kind, "kind", kinds));
  // Seen from above, rock is no meadow.
  if (of_voxels) output.picture.look.relief.palette = render::Palette::plain;
  read_table(item, "output", keys_of(output, of_voxels));
  check_output(output);
  check_picture(output, item);
  add_default_file(output, of_voxels);
  check_output_file(output);
  return output;
}

}  // namespace

const std::map<std::string, OutputKind>& output_kinds() {
  static const std::map<std::string, OutputKind> all = {
      {"height", OutputKind::height},   {"field", OutputKind::field},
      {"mask", OutputKind::mask},       {"relief", OutputKind::relief},
      {"picture", OutputKind::picture}, {"tiles", OutputKind::tiles},
      {"engine", OutputKind::engine},   {"mesh", OutputKind::mesh},
      {"stones", OutputKind::stones},   {"volume", OutputKind::volume}};
  return all;
}

void check_output_file(const OutputSettings& output) {
  if (output.kind == OutputKind::engine) return;
  if (output.kind == OutputKind::stones) {
    const std::string ending = io::ending_of(output.file);
    if (ending != ".csv" && ending != ".json")
      throw UsageError(
          text(output.where, ": file = '", output.file, "': expected a .csv or .json"));
    return;
  }
  if (output.kind == OutputKind::mesh || output.kind == OutputKind::volume) {
    try {
      output.kind == OutputKind::mesh ? io::check_mesh_name(output.file)
                                      : io::check_volume_name(output.file);
    } catch (const UsageError& error) {
      throw UsageError(text(output.where, ": ", error.what()));
    }
    return;
  }
  const io::Format format = io::format_of(output.file);
  if (output.kind == OutputKind::relief || output.kind == OutputKind::picture) {
    if (output.is_film()) {
      if (output.every == 0 && output.picture.turntable == 0)
        throw UsageError(text(output.where, ": file = '", output.file,
                              "': a film needs every = N or turntable = N"));
      return;
    }
    if (!io::is_picture_name(output.file))
      throw UsageError(text(output.where, ": file = '", output.file, "': expected a ",
                            io::picture_endings,
                            output.kind == OutputKind::picture ? ", or .mp4" : ""));
    if (!io::can_write_picture(output.file))
      throw Error(text(output.where, ": file = '", output.file, "': this build of scree, or its ",
                       "GDAL, cannot write ", io::ending_of(output.file)));
    return;
  }
  if (format == io::Format::automatic)
    throw UsageError(text(output.where, ": file = '", output.file,
                          "': expected a name that ends in .tif, .png, .r16, .r32, .exr or .npy"));
  if (!io::can_write(format))
    throw Error(text(output.where, ": file = '", output.file,
                     "': this build of scree cannot write that format"));
}

void check_outputs(const std::vector<OutputSettings>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    check_output_file(outputs[i]);
    for (std::size_t j = 0; j < i; ++j)
      if (std::filesystem::path(outputs[i].file).lexically_normal() ==
          std::filesystem::path(outputs[j].file).lexically_normal())
        throw UsageError(text(outputs[i].where, ": file = '", outputs[i].file,
                              "': another output has this name"));
  }
}

void read_outputs(const SceneNode& list, std::vector<OutputSettings>& outputs) {
  std::vector<std::string> kinds = names_of(output_kinds());
  std::erase(kinds, "volume");
  outputs.clear();
  read_each(list, "output",
            [&](const SceneNode& item) { outputs.push_back(read_output(item, kinds, false)); });
}

void read_voxel_outputs(const SceneNode& list, std::vector<OutputSettings>& outputs) {
  outputs.clear();
  read_each(list, "output", [&](const SceneNode& item) {
    outputs.push_back(read_output(item, {"mesh", "volume", "picture"}, true));
    check_rock_view(item.where, outputs.back().picture.view);
  });
}

}  // namespace scree
