#include "run/build/build_layers.h"

#include <algorithm>
#include <cmath>

#include "base/angle.h"
#include "base/error.h"
#include "base/log.h"
#include "base/suggest.h"
#include "kernel/common/random.h"
#include "run/build/build.h"
#include "run/checkpoints.h"
#include "run/memory.h"
#include "terrain/layers/materials.h"
#include "terrain/layers/strata.h"

namespace scree {
namespace {

constexpr int usual_layers = 8;  // what memory is asked for

// Names that a scene's rules can resolve: its own, then the presets.
std::vector<std::string> known_names(const LayerRules& rules) {
  std::vector<std::string> names = material_preset_names();
  for (const MaterialSettings& own : rules.materials) names.push_back(own.material.name);
  names.emplace_back(void_name);
  return names;
}

// Degrees clockwise from north.
struct Heading {
  double east = 0, north = 1;
};
Heading heading(double degrees) {
  const double turned = degrees - 360 * std::floor(degrees / 360);
  const int quarter = static_cast<int>(turned / 90);
  const double rest = turned - 90 * quarter;
  const double sine = sine_of_degrees(rest), cosine = sine_of_degrees(90 - rest);
  switch (quarter) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

class Build {
 public:
  Build(const Scene& scene, const device::DevicePtr& device)
      : scene_(scene), rules_(*scene.terrain.layers), device_(device), table_(rules_) {}

  LoadedLayers load() {
    load_ground_heights();
    const int bedrock = table_.number(rules_.bedrock, rules_.bedrock_where);
    if (bedrock == 0 || table_.is_fluid(bedrock))
      throw UsageError(text(rules_.bedrock_where, ": bedrock = '", rules_.bedrock,
                            "': expected a material that is solid"));
    spec_.bedrock = bedrock;
    if (!rules_.faults.empty() && rules_.strata.beds.empty())
      throw UsageError(text(rules_.faults.front().where,
                            ": fault: expected a [[terrain.strata.bed]] that it breaks"));
    read_holes();
    settle_shape();
    add_strata();
    add_bodies();
    LoadedLayers loaded;
    loaded.frame = frame_;
    build(loaded);
    add_maps(*loaded.layers);
    return loaded;
  }

 private:
  // What cannot be built is said with the file that asked for it.
  void build(LoadedLayers& loaded) {
    table_.materials();  // is told by the line of what is wrong
    try {
      const std::vector<Stack> stacks = build_stacks(shape_, spec_);
      if (needs_water(stacks)) add_water();
      loaded.layers = std::make_unique<Layers>(device_, shape_, table_.materials());
      loaded.layers->set_stacks(stacks);
    } catch (const UsageError& error) {
      const std::string file =
          holes_.empty() ? scene_.file : scene_.path(rules_.boreholes->file).string();
      throw UsageError(text(file, ": ", error.what()));
    }
  }

  void add_maps(Layers& layers) const {
    for (const auto& [field, map] : scene_.terrain.maps) {
      std::vector<float> values = map_values(scene_, field, shape_.width, shape_.height);
      for (const float value : values)
        if (std::isnan(value))
          throw UsageError(
              text(map.where, ": ", field, ": ", map.file, ": has cells without data"));
      layers.set_map(field, std::move(values));
    }
  }

  // Ice melts into water, and where there are caves the water of the surface may run into them:
  // there must be a material for it.
  bool needs_water(const std::vector<Stack>& stacks) const {
    const auto hollow = [](const Stack& stack) {
      return std::any_of(stack.begin(), stack.end(),
                         [](const Layer& layer) { return layer.material == 0; });
    };
    const ProcessSet& set = scene_.processes;
    return set.on("melt") || ((set.on("water") || set.on("hydraulic")) &&
                              std::any_of(stacks.begin(), stacks.end(), hollow));
  }
  void add_water() {
    const std::vector<Material> materials = table_.materials();
    if (std::none_of(materials.begin(), materials.end(), [](const Material& m) { return m.fluid; }))
      table_.number("water", scene_.file);
  }

  // Before anything large is made.
  void check_size(int width, int height) const {
    try {
      check_layer_size(width, height);
    } catch (const UsageError& error) {
      throw UsageError(text(scene_.file, ": terrain: ", error.what()));
    }
    LayerShape shape;
    shape.width = width, shape.height = height;
    check_memory(layer_bytes(shape, usual_layers), width, height, *device_);
  }

  void load_ground_heights() {
    LoadedGround ground = load_ground(scene_, *device_, [&](const HeightfieldShape& size) {
      check_size(size.width, size.height);
    });
    frame_ = std::move(ground.frame);
    spec_.ground = std::move(ground.heights);
    for (const float height : spec_.ground)
      if (std::isnan(height))
        throw UsageError(text(scene_.file,
                              ": terrain: the ground has cells without data, and "
                              "layers need all"));
    shape_.width = ground.shape.width, shape_.height = ground.shape.height;
    shape_.dx = ground.shape.dx, shape_.dy = ground.shape.dy;
    settle_borders();
    sediment_ = on_source("sediment"), water_ = on_source("water");
  }

  // Metres of what a checkpoint of heights has on its bed, where the ground is from one.
  std::vector<float> on_source(const std::string& field) const {
    const std::filesystem::path file = scene_.path(scene_.terrain.file);
    if (scene_.terrain.source != TerrainSettings::Source::file || file.extension() != ".scree")
      return {};
    Raster raster = read_heights(io::CheckpointReader(file), field);
    if (raster.width != shape_.width || raster.height != shape_.height)
      raster = io::resample(raster, shape_.width, shape_.height, io::Registration::cells);
    return most_of(raster.values) > 0 ? std::move(raster.values) : std::vector<float>();
  }
  static double most_of(const std::vector<float>& metres) {
    return metres.empty() ? 0
                          : static_cast<double>(*std::max_element(metres.begin(), metres.end()));
  }

  // Sides that do not wrap are alike: one flag says whether what flows leaves over them.
  void settle_borders() {
    const Borders& b = scene_.terrain.borders;
    shape_.wrap_x = b.west == BorderKind::wrap;
    shape_.wrap_y = b.north == BorderKind::wrap;
    int open = 0, closed = 0;
    for (const BorderKind side : {b.west, b.east, b.north, b.south}) {
      open += side == BorderKind::open ? 1 : 0;
      closed += side == BorderKind::closed ? 1 : 0;
      if (side == BorderKind::level)
        throw UsageError(text(scene_.file, ": borders: layers have none at a level"));
    }
    if (open > 0 && closed > 0)
      throw UsageError(
          text(scene_.file, ": borders: of layers, expected all that do not wrap open or closed"));
    shape_.open = open > 0;
  }

  void read_holes() {
    if (!rules_.boreholes) return;
    if (!rules_.strata.beds.empty())
      throw UsageError(
          text(rules_.boreholes->where, ": boreholes: expected either them or strata"));
    holes_ = read_boreholes(scene_.named(rules_.boreholes->file, rules_.boreholes->where), table_);
    if (rules_.boreholes->map_coordinates)
      for (Borehole& hole : holes_) to_terrain(hole);
    if (!scene_.terrain.ground_given) spec_.ground = ground_of_boreholes(shape_, holes_);
  }

  // From the ground's coordinate system.
  void to_terrain(Borehole& hole) const {
    if (!frame_.geo.present)
      throw UsageError(
          text(rules_.boreholes->where, ": map_coordinates: the ground has no coordinate system"));
    const auto& t = frame_.geo.transform;
    const double x = hole.x - t[0], y = hole.y - t[3], area = t[1] * t[5] - t[2] * t[4];
    const double column = (x * t[5] - y * t[2]) / area, row = (y * t[1] - x * t[4]) / area;
    hole.x = column * shape_.dx;
    hole.y = (shape_.height - row) * shape_.dy;
  }

  // Bottom and quantum follow from the ground and from how deep the boreholes go.
  void settle_shape() {
    const auto [low, high] = std::minmax_element(spec_.ground.begin(), spec_.ground.end());
    double lowest = static_cast<double>(*low);
    const double highest = static_cast<double>(*high);
    for (const Borehole& hole : holes_)
      for (const BoreholeInterval& part : hole.intervals)
        lowest = std::min(lowest, static_cast<double>(*low) - part.to);
    shape_.datum = rules_.bottom.value_or(
        std::floor(lowest - std::max({(highest - lowest) / 10, shape_.dx, 1.0})));
    if (shape_.datum > static_cast<double>(*low))
      throw UsageError(text(scene_.file, ": terrain: bottom = ", shape_.datum,
                            ": expected it below the lowest ground, ", *low, " m"));
    double height = highest - shape_.datum + most_of(sediment_) + most_of(water_);
    check_column(height, text(scene_.file, ": terrain: the highest ground"));
    for (const LayerRule& layer : rules_.layers) {
      height = layer.up_to ? std::max(height, *layer.up_to - shape_.datum)
                           : height + most_metres(layer.thickness);
      check_column(height, layer.where + ": layer: its top");
    }
    shape_.quantum = rules_.quantum > 0 ? rules_.quantum : layer_quantum(height);
  }

  // Whoever chooses a quantum knows how coarse it is.
  void check_column(double height, const std::string& what) const {
    if (rules_.quantum == 0 && !(height <= tallest_column))
      throw UsageError(text(what, " lies ", height, " m above the bottom: expected at most ",
                            tallest_column, " m, or a terrain.quantum that is coarse enough"));
  }

  double most_metres(const LengthRule& rule) const {
    double most = 0;
    if (!rule.map.empty())
      for (const float value : map(rule.map, rule.where))
        most = std::max(most, static_cast<double>(value) * rule.scale);
    return rule.value + rule.noise + most;
  }

  // Noise between -1 and 1, each time another.
  std::vector<float> noise(double size) {
    GenerateParameters p;
    p.relief = 2;
    p.base = -1;
    p.feature_size = size;
    const std::uint64_t seed = scene_.seed ^ mix_bits(0x9e3779b9U + ++noises_);
    return generate_heights(*device_, p, {shape_.width, shape_.height, shape_.dx, shape_.dy}, seed);
  }

  std::vector<float> map(const std::string& file, const std::string& where) const {
    Raster raster = io::read_raster(scene_.named(file, where));
    // A plain image's samples are shares.
    if (!raster.heights_known) io::scale_to_range(raster, 0, 1);
    if (raster.width != shape_.width || raster.height != shape_.height)
      raster = io::resample(raster, shape_.width, shape_.height, io::Registration::cells);
    for (const float value : raster.values)
      if (std::isnan(value)) throw UsageError(text(where, ": ", file, ": has cells without data"));
    return std::move(raster.values);
  }

  // What a map takes from a thickness may leave nothing in places; where it leaves nothing at all,
  // it is the wrong one, or the wrong way up.
  void check_thickness(const LengthRule& rule, const std::vector<float>& values) const {
    std::size_t below = 0;
    double least = 0, most = -tallest_column;
    for (const float value : values) {
      const double thick = rule.value + static_cast<double>(value) * rule.scale;
      below += thick < 0 ? 1 : 0;
      least = std::min(least, thick), most = std::max(most, thick);
    }
    if (below == 0) return;
    if (!(most + rule.noise > 0))
      throw UsageError(text(rule.where, ": thickness: map '", rule.map, "': from ", least, " to ",
                            most, " m: expected some above 0"));
    log(LogLevel::info,
        text(rule.where, ": thickness: map '", rule.map, "': below 0, down to ", least, " m, in ",
             std::round(1000.0 * static_cast<double>(below) / static_cast<double>(values.size())) /
                 10,
             " % of the cells: it is 0 there"));
  }

  CellMetres thickness(const LengthRule& rule) {
    if (!rule.map.empty()) check_thickness(rule, map(rule.map, rule.where));
    return metres(rule);
  }

  CellMetres metres(const LengthRule& rule) {
    CellMetres metres;
    metres.everywhere = rule.value;
    if (rule.noise <= 0 && rule.map.empty()) return metres;
    metres.cells.assign(shape_.cells(), 0);
    const auto add = [&](const std::vector<float>& values, double scale) {
      for (std::size_t i = 0; i < values.size(); ++i)
        metres.cells[i] += static_cast<float>(static_cast<double>(values[i]) * scale);
    };
    if (rule.noise > 0) add(noise(rule.noise_size), rule.noise);
    if (!rule.map.empty()) add(map(rule.map, rule.where), rule.scale);
    return metres;
  }

  // A hole shows all of its intervals in its cell.
  void check_bottom(const Borehole& hole) const {
    const auto ground = static_cast<double>(spec_.ground[borehole_cell(shape_, hole)]);
    const double depth = hole.intervals.back().to;
    if (!(ground - depth >= shape_.datum))
      throw UsageError(text(hole.intervals.back().where, ": borehole '", hole.name,
                            "': goes down to ", ground - depth,
                            " m: expected terrain.bottom = ", shape_.datum, " m below that"));
  }

  void add_strata() {
    if (!holes_.empty()) {
      spec_.cores = interpolate_boreholes(shape_, holes_);
      for (const Borehole& hole : holes_) check_bottom(hole);
      return;
    }
    const StrataRules& rules = rules_.strata;
    StrataSpec& strata = spec_.strata;
    for (const LayerRule& bed : rules.beds)
      strata.beds.push_back({table_.number(bed.material, bed.where), thickness(bed.thickness)});
    strata.repeat = rules.repeat;
    strata.top = rules.top.value_or(
        static_cast<double>(*std::max_element(spec_.ground.begin(), spec_.ground.end())));
    const Heading fall = heading(rules.dip_direction);
    const double slope = tangent_of_degrees(rules.dip);
    strata.fall_east = slope * fall.east;
    strata.fall_north = slope * fall.north;
    const CellMetres fold = metres(rules.fold);
    strata.top += fold.everywhere;
    strata.fold = fold.cells;
    for (const FaultRule& fault : rules_.faults) {
      const Heading along = heading(fault.strike);
      strata.faults.push_back({fault.x, fault.y, along.east, along.north, fault.drop});
    }
  }

  void add_bodies() {
    for (const LensRule& lens : rules_.lenses)
      spec_.lenses.push_back({table_.number(lens.material, lens.where), lens.at, lens.size});
    if (!sediment_.empty())
      spec_.covers.push_back({table_.dust_of(spec_.bedrock), {0, sediment_}, {}});
    for (const LayerRule& layer : rules_.layers)
      spec_.covers.push_back(
          {table_.number(layer.material, layer.where), thickness(layer.thickness), layer.up_to});
    if (!water_.empty())
      spec_.covers.push_back({table_.number("water", scene_.file), {0, water_}, {}});
    for (const StampRule& stamp : rules_.stamps)
      spec_.stamps.push_back({table_.number(stamp.material, stamp.where),
                              map(stamp.map, stamp.where), stamp.from, stamp.to});
    for (const CaveRule& cave : rules_.caves)
      spec_.caves.push_back({cave.path, cave.radius,
                             cave.height > 0 ? cave.height / 2 : cave.radius, metres(cave.wider)});
  }

  const Scene& scene_;
  const LayerRules& rules_;
  device::DevicePtr device_;
  MaterialTable table_;
  LayerShape shape_;
  LayeredGround spec_;
  Raster frame_;
  std::vector<Borehole> holes_;
  std::vector<float> sediment_, water_;  // of a checkpoint, on its ground
  std::uint32_t noises_ = 0;
};

}  // namespace

MaterialTable::MaterialTable(const LayerRules& rules) : rules_(rules) {
  for (const MaterialSettings& own : rules.materials) table_.push_back(own);
}

int MaterialTable::add(const MaterialSettings& settings) {
  table_.push_back(settings);
  return static_cast<int>(table_.size());
}

int MaterialTable::number(const std::string& name, const std::string& where) {
  if (name == void_name) return 0;
  for (std::size_t i = 0; i < table_.size(); ++i)
    if (table_[i].material.name == name) return static_cast<int>(i) + 1;
  if (const NamedMaterial* preset = find_material_preset(name))
    return add({preset->material, preset->dust, where});
  throw UsageError(text(where, ": material '", name, "': expected one of [[material]] or a preset",
                        did_you_mean(name, known_names(rules_))));
}

bool MaterialTable::is_fluid(int number) const {
  return number > 0 && table_[static_cast<std::size_t>(number) - 1].material.fluid;
}

int MaterialTable::dust_of(int number) {
  const MaterialSettings own = table_[static_cast<std::size_t>(number) - 1];
  return own.dust.empty() ? number : this->number(own.dust, own.where);
}

std::vector<Material> MaterialTable::materials() const {
  MaterialTable whole = *this;
  // The table grows by dust of dust until all of it is there.
  for (std::size_t i = 0; i < whole.table_.size(); ++i) {
    const std::string dust = whole.table_[i].dust, where = whole.table_[i].where;
    if (dust.empty()) continue;
    const int number = whole.number(dust, where);
    if (number == 0) throw UsageError(text(where, ": dust = \"void\": expected a material"));
    whole.table_[i].material.dust = number;
  }
  std::vector<Material> all;
  for (const MaterialSettings& settings : whole.table_) all.push_back(settings.material);
  return all;
}

LoadedLayers load_layers(const Scene& scene, const device::DevicePtr& device) {
  return Build(scene, device).load();
}

}  // namespace scree
