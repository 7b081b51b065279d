#include "picture/layers/layer_pictures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/suggest.h"
#include "picture/heights/height_pictures.h"
#include "picture/perspective.h"
#include "render/ground/water.h"
#include "render/sheet/pattern.h"
#include "surface/layers/boulders.h"
#include "surface/layers/layer_solid.h"
#include "terrain/layers/strata.h"

namespace scree {
namespace {

constexpr std::size_t most_samples = std::size_t{1} << 26;  // of a mesh: a quarter of a gigabyte
constexpr double samples_shown = 1 << 25;                   // of a picture's, where so few suffice
constexpr float from_the_side = 0.3F;                       // upward part of the normal of a wall
constexpr const char* thickness_of = "thickness.";
constexpr Mesh::Colour stone_colour{138, 130, 122, 255};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

unsigned srgb_of(const Material& m) {
  return static_cast<unsigned>(m.colour[0]) << 16 | static_cast<unsigned>(m.colour[1]) << 8 |
         m.colour[2];
}

// As Sawn has it.
std::uint8_t kind_of(const Material& m) {
  if (m.loose || m.melting > 0) return 255;
  return render::has_beds(m.name) ? 127 : 0;
}

// As in reliefs of the same land.
std::vector<float> films_of(const LayerShape& shape, const std::vector<float>& heights,
                            const std::vector<float>& depths, const render::ReliefOptions& look) {
  render::ReliefInput land;
  land.width = shape.width;
  land.height = shape.height;
  land.dx = shape.dx;
  land.dy = shape.dy;
  land.bed = heights;
  land.water = depths;
  return render::water_films(land, look, render::film_on_maps).of_cell;
}

// The edges of a wireframe are to be told apart: its cells are a few pixels wide.
SolidOutput in_pixels(SolidOutput solid, const LayerSubject& layers,
                      const PictureSettings& settings, int width) {
  if (solid.level) return solid;
  const double cells = layers.columns_across() / std::max(1.0, settings.camera.zoom);
  int level = 0;
  while (level < 8 && cells / (1 << level) * 7 > width) ++level;
  solid.level = level;
  return solid;
}

// Beds are crisp where samples up a column are close: as close as a mesh of small terrains can have
// them, and at least a hundred.
SolidOutput with_crisp_beds(SolidOutput solid, const LayerSubject& layers) {
  const double room = samples_shown / layers.columns();
  if (solid.cell_z == 0 && !solid.level && room > 100)
    solid.cell_z = layers.height() / std::min(room, 240.0);
  return solid;
}

// A wall across the cells has a step at each of them, which is none of its own: its vertices lean
// toward those around them, but stay as high as they are. Sawn faces stay flat.
void even_walls(Mesh& mesh, const std::vector<std::uint8_t>& on_faces) {
  constexpr int passes = 4;
  constexpr float wall = 0.5F;  // upward part of a normal
  std::vector<char> moves(mesh.positions.size());
  for (std::size_t v = 0; v < moves.size(); ++v)
    moves[v] = std::abs(mesh.normals[v][2]) < wall && on_faces[v] == 0;
  struct Sum {
    float x = 0, y = 0, count = 0;
  };
  for (int pass = 0; pass < passes; ++pass) {
    std::vector<Sum> sums(mesh.positions.size());
    for (const Mesh::Triangle& t : mesh.triangles)
      for (std::size_t i = 0; i < 3; ++i) {
        if (moves[t[i]] == 0) continue;
        Sum& sum = sums[t[i]];
        for (const std::size_t j : {(i + 1) % 3, (i + 2) % 3}) {
          if (moves[t[j]] == 0) continue;
          sum.x += mesh.positions[t[j]][0];
          sum.y += mesh.positions[t[j]][1];
          ++sum.count;
        }
      }
    for (std::size_t v = 0; v < sums.size(); ++v) {
      if (sums[v].count == 0) continue;
      mesh.positions[v][0] = std::midpoint(mesh.positions[v][0], sums[v].x / sums[v].count);
      mesh.positions[v][1] = std::midpoint(mesh.positions[v][1], sums[v].y / sums[v].count);
    }
  }
}

PhotographerPtr in_perspective(const LayerSubject& layers, const PictureSettings& settings,
                               const SolidOutput& solid, int width) {
  auto made = std::make_unique<Perspective>(settings, width);
  const bool lines = settings.view.kind == render::ViewKind::wireframe;
  SolidFaces faces;
  Mesh mesh = layers.solid(
      lines ? in_pixels(solid, layers, settings, width) : with_crisp_beds(solid, layers),
      !settings.look.relief.show_water, lines ? nullptr : &faces);
  const render::Sawn sawn = layers.sawn(mesh, faces, settings.look.relief.show_water);
  const std::vector<render::WaterOn> water = layers.water_on(mesh, settings.look.relief);
  layers.mark_kinds(mesh);
  render::Look look = settings.look;
  look.grain = layers.cell();
  made->renderer().show(mesh, look, water, nullptr, lines ? nullptr : &sawn);
  return made;
}

}  // namespace

std::vector<std::string> LayerSubject::field_names() const {
  std::vector<std::string> names{"bed", "layers", "material", "voids"};
  for (const Material& m : layers_.materials()) names.push_back(thickness_of + m.name);
  for (const auto& [name, values] : more_) names.push_back(name);
  return names;
}

std::vector<float> LayerSubject::values(const std::string& name) const {
  if (const auto found = more_.find(name); found != more_.end()) return found->second();
  const std::vector<Stack> stacks = layers_.stacks();
  int wanted = name == "voids" ? 0 : -1;
  for (std::size_t m = 0; m < layers_.materials().size(); ++m)
    if (name == thickness_of + layers_.materials()[m].name) wanted = static_cast<int>(m) + 1;
  std::vector<float> values;
  for (const Stack& stack : stacks) {
    long long quanta = 0;
    for (const Layer& layer : stack)
      if (layer.material == wanted) quanta += layer.quanta;
    values.push_back(
        name == "layers" ? static_cast<float>(stack.size())
        : name == "material"
            ? static_cast<float>(stack.empty() ? 0 : stack.back().material)
            : static_cast<float>(static_cast<double>(quanta) * layers_.shape().quantum));
  }
  return values;
}

void LayerSubject::check_shown(const std::string& what, const render::ViewChoice& view) const {
  if (view.glyphs == render::Glyphs::velocity && !velocity_)
    throw UsageError(text(what, "glyphs: no water runs here to draw arrows of"));
  if (view.line)
    render::check_line(what, *view.line, 0.5 * layers_.shape().dx * layers_.shape().width,
                       0.5 * layers_.shape().dy * layers_.shape().height);
  if (view.kind != render::ViewKind::field) return;
  std::vector<std::string> known = field_names();
  known.insert(known.end(), {"height", "slope", "curvature"});
  if (velocity_) known.insert(known.end(), {"velocity", "velocity.east", "velocity.north"});
  if (contains(known, view.field)) return;
  std::string all;
  for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
  throw UsageError(text(what, "view 'field:", view.field, "': expected one of ", all,
                        did_you_mean(view.field, known)));
}

render::ViewField LayerSubject::shown(const std::string& name) const {
  if (velocity_ && name.starts_with("velocity")) {
    WaterVelocity velocity = velocity_();
    if (name != "velocity") return {velocity.along(name), "m/s"};
    for (std::size_t i = 0; i < velocity.east.size(); ++i)
      velocity.east[i] = std::hypot(velocity.east[i], velocity.north[i]);
    return {std::move(velocity.east), "m/s"};
  }
  if (name == "voids" || name.starts_with(thickness_of)) return {values(name), "m"};
  if (name != "material") return field_of(*top(name), name);
  render::ViewField field{values(name), "1"};
  field.kinds = shown_materials();
  field.kinds.insert(field.kinds.begin(), {"nothing", 0xd8d6d0});
  return field;
}

render::Ground LayerSubject::ground() const {
  render::Ground ground = ground_of(*top(""));
  if (!velocity_) return ground;
  WaterVelocity velocity = velocity_();
  ground.velocity_x = std::move(velocity.east);
  ground.velocity_y = std::move(velocity.north);
  return ground;
}

std::unique_ptr<Heightfield> LayerSubject::top(const std::string& field) const {
  double deepest = 0;
  if (has_water())
    for (const float depth : values("water"))
      deepest = std::max(deepest, static_cast<double>(depth));
  std::unique_ptr<Heightfield> top =
      heights_of_layers(layers_, Borders::all(BorderKind::closed), deepest).heightfield;
  const auto add = [&](const std::string& name) {
    std::vector<float> shown = values(name);
    // With what lies on the stacks as a layer.
    if (name == "water") {
      const std::vector<float> layer = top->values(name);
      std::transform(shown.begin(), shown.end(), layer.begin(), shown.begin(), std::plus<>());
    }
    if (!top->has(name)) top->ensure(name, device::FieldType::float32, false);
    top->set_values(name, shown);
  };
  if (!field.empty() && field != "bed" && contains(field_names(), field))
    add(field);
  else if (has_water())
    add("water");
  return top;
}

double LayerSubject::height() const {
  const std::vector<float> heights = layers_.heights();
  return static_cast<double>(*std::max_element(heights.begin(), heights.end())) -
         layers_.shape().datum;
}

Mesh LayerSubject::solid(const SolidOutput& output, bool dry, SolidFaces* faces) const {
  surface::LayerSolidOptions options;
  options.cell_z = output.cell_z;
  options.cut = output.cut;
  const double height = this->height();
  options.level = output.level.value_or(0);
  while (!output.level && options.level < 12 &&
         surface::layer_solid_samples(layers_.shape(), height, options) > most_samples)
    ++options.level;
  if (!dry) options.stacks = with_lakes(options.cell_z > 0 ? options.cell_z : height / 100);
  Mesh mesh = surface::layer_solid(layers_, options, faces != nullptr ? &faces->all : nullptr);
  if (faces != nullptr) {
    sharpen_edges(mesh, faces->all, layers_.shape(), surface::layer_solid_cell_z(height, options));
    even_walls(mesh, faces_at(mesh, faces->all));
    faces->vertices = mesh.positions.size();
  }
  if (on_solid_) on_solid_(mesh, output.cut);
  return mesh;
}

render::Sawn LayerSubject::sawn(Mesh& mesh, const SolidFaces& faces, bool wet) const {
  render::Sawn sawn = saw(mesh, faces, layers_.shape());
  const std::size_t fluid = fluid_material();
  for (std::size_t m = 0; m < layers_.materials().size(); ++m) {
    const Material& material = layers_.materials()[m];
    const auto& c = material.colour;
    sawn.materials.push_back(
        {{c[0], c[1], c[2], kind_of(material)}, wet && has_water() && m == fluid});
  }
  return sawn;
}

std::size_t LayerSubject::fluid_material() const {
  const auto& materials = layers_.materials();
  // A checkpoint knows the names alone.
  const auto found = std::find_if(materials.begin(), materials.end(),
                                  [](const Material& m) { return m.fluid || m.name == "water"; });
  return static_cast<std::size_t>(found - materials.begin());
}

std::vector<Stack> LayerSubject::with_lakes(double least_depth) const {
  const std::size_t fluid = fluid_material();
  if (fluid == layers_.materials().size() || !has_water()) return {};
  const std::vector<float> depths = values("water");
  std::vector<Stack> stacks = layers_.stacks();
  for (std::size_t i = 0; i < stacks.size(); ++i)
    if (const auto depth = static_cast<double>(depths[i]); depth > least_depth)
      stacks[i].push_back({static_cast<int>(fluid) + 1,
                           static_cast<int>(std::lround(depth / layers_.shape().quantum))});
  return stacks;
}

// What a vertex of the solid has to know of the column that it stands in.
class LayerSubject::WaterFinder {
 public:
  WaterFinder(const LayerSubject& layers, const render::ReliefOptions& look)
      : layers_(layers.layers_),
        shape_(layers_.shape()),
        fluid_(static_cast<int>(layers.fluid_material()) + 1),
        stacks_(layers_.stacks()),
        heights_(layers_.heights()),
        depths_(layers.values("water")),
        films_(films_of(shape_, heights_, depths_, look)) {
    if (layers.velocity_) velocity_ = layers.velocity_();
  }

  render::WaterOn at(const Mesh::Vector& p, const Mesh::Vector& normal,
                     Mesh::Colour& colour) const {
    const std::size_t cell = cell_of(p);
    if (is_fluid(colour)) return lake(cell, p[2], normal[2] < from_the_side, colour);
    if (normal[2] < from_the_side) return {};
    // Not on the floor of a cave under a stream.
    const float slack = static_cast<float>(shape_.dx + shape_.dy) *
                            std::sqrt(std::max(1 - normal[2] * normal[2], 0.0F)) / normal[2] +
                        1;
    if (p[2] < heights_[cell] - slack) return {};
    const float film = films_[cell];
    return moving(cell, std::clamp((depths_[cell] - film) / (2 * film), 0.0F, 1.0F), depths_[cell]);
  }

 private:
  std::size_t cell_of(const Mesh::Vector& p) const {
    const double x = (static_cast<double>(p[0]) + shape_.width * shape_.dx / 2) / shape_.dx;
    const double y = (shape_.height * shape_.dy / 2 - static_cast<double>(p[1])) / shape_.dy;
    return static_cast<std::size_t>(std::clamp(static_cast<int>(y), 0, shape_.height - 1)) *
               static_cast<std::size_t>(shape_.width) +
           static_cast<std::size_t>(std::clamp(static_cast<int>(x), 0, shape_.width - 1));
  }

  bool is_fluid(const Mesh::Colour& colour) const {
    if (fluid_ > static_cast<int>(layers_.materials().size())) return false;
    const auto& own = material(fluid_).colour;
    return std::equal(own.begin(), own.end(), colour.begin());
  }

  const Material& material(int number) const {
    return layers_.materials()[static_cast<std::size_t>(number - 1)];
  }

  render::WaterOn moving(std::size_t cell, float cover, float depth) const {
    if (velocity_.east.empty()) return {cover, depth, 0, 0};
    return {cover, depth, velocity_.east[cell], velocity_.north[cell]};
  }

  // A lake, or what stands in a cave: of all waters in the column that whose top is nearest. The
  // colour becomes that of the ground below it. Of water that is seen from the side, how deep in
  // it.
  render::WaterOn lake(std::size_t cell, float z, bool side, Mesh::Colour& colour) const {
    float nearest = std::numeric_limits<float>::infinity(), depth = 0;
    bool open = false;
    int bottom = 0;
    const auto consider = [&](double top, double thick, int below, bool on_top) {
      const float off = std::abs(static_cast<float>(top) - z);
      if (off >= nearest) return;
      nearest = off;
      depth = static_cast<float>(thick);
      bottom = below;
      open = on_top;
    };
    double top = shape_.datum;
    int below = 0;
    for (const Layer& layer : stacks_[cell]) {
      const double thick = static_cast<double>(layer.quanta) * shape_.quantum;
      top += thick;
      if (layer.material == fluid_)
        consider(top, thick, below, false);
      else if (layer.material > 0)
        below = layer.material;
    }
    const auto on_top = static_cast<double>(depths_[cell]);
    consider(top + on_top, on_top, below, true);
    if (bottom > 0) std::copy_n(material(bottom).colour.begin(), 3, colour.begin());
    if (side) return {1, nearest, 0, 0};
    return open ? moving(cell, 1, depth) : render::WaterOn{1, depth, 0, 0};
  }

  const Layers& layers_;
  const LayerShape& shape_;
  int fluid_;
  std::vector<Stack> stacks_;
  std::vector<float> heights_, depths_, films_;
  WaterVelocity velocity_;
};

std::vector<render::WaterOn> LayerSubject::water_on(Mesh& mesh,
                                                    const render::ReliefOptions& look) const {
  if (!look.show_water || !has_water()) return {};
  const WaterFinder finder(*this, look);
  std::vector<render::WaterOn> water;
  water.reserve(mesh.positions.size());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    water.push_back(finder.at(mesh.positions[v], mesh.normals[v], mesh.colours[v]));
  return water;
}

void LayerSubject::mark_kinds(Mesh& mesh) const {
  for (Mesh::Colour& colour : mesh.colours) {
    const auto& all = layers_.materials();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Material& m) {
      return std::equal(m.colour.begin(), m.colour.end(), colour.begin());
    });
    colour[3] = found != all.end() ? kind_of(*found) : 0;
  }
}

// With water after the last where none of them is: it lies on any of them.
std::vector<render::SectionMaterial> LayerSubject::shown_materials() const {
  std::vector<render::SectionMaterial> shown;
  for (const Material& m : layers_.materials()) shown.push_back({m.name, srgb_of(m)});
  if (fluid_material() == shown.size()) shown.push_back({"water", 0x5b9cc4});
  return render::told_apart(std::move(shown));
}

render::Section LayerSubject::section(const render::ViewChoice& view, bool with_water) const {
  const LayerShape& shape = layers_.shape();
  const double half_x = 0.5 * shape.dx * shape.width, half_y = 0.5 * shape.dy * shape.height;
  const render::SectionLine line =
      view.line.value_or(render::SectionLine{{-half_x, 0}, {half_x, 0}});
  const LayerSection cut = sample_section(layers_, line.from.x + half_x, line.from.y + half_y,
                                          line.to.x + half_x, line.to.y + half_y);
  render::Section section = render::section_along(line);
  section.title = view.subject + ": section";
  section.base = cut.bottom;
  section.materials = shown_materials();
  for (const SectionColumn& column : cut.columns) {
    auto& spans = section.columns.emplace_back();
    for (const SectionPart& part : column.parts)
      if (part.material > 0) spans.push_back({part.material - 1, part.bottom, part.top});
  }
  if (with_water && has_water()) add_water(cut, section);
  return section;
}

void LayerSubject::add_water(const LayerSection& cut, render::Section& section) const {
  const LayerShape& shape = layers_.shape();
  const std::vector<float> depth = values("water");
  // Water in caves is a material of its own: of one colour with it.
  const std::size_t fluid = fluid_material();
  for (std::size_t i = 0; i < cut.columns.size(); ++i) {
    const int x = static_cast<int>(cut.columns[i].x / shape.dx),
              y = shape.height - 1 - static_cast<int>(cut.columns[i].y / shape.dy);
    if (x < 0 || y < 0 || x >= shape.width || y >= shape.height) continue;
    const auto water = static_cast<double>(
        depth[static_cast<std::size_t>(y) * static_cast<std::size_t>(shape.width) +
              static_cast<std::size_t>(x)]);
    auto& spans = section.columns[i];
    if (!(water > 0) || spans.empty()) continue;
    const double top = spans.back().high;
    spans.push_back({static_cast<int>(fluid), top, top + water});
  }
}

render::ViewFields view_fields(const LayerSubject& layers) {
  return [&layers](const std::string& name) { return layers.shown(name); };
}

PhotographerPtr photograph(const LayerSubject& layers, const PictureSettings& settings,
                           const SolidOutput& solid, int width, const std::string& what) {
  const render::ViewChoice& view = settings.view;
  layers.check_shown(text(what, ": "), view);
  if (view.in_perspective()) return in_perspective(layers, settings, solid, width);
  if (view.kind == render::ViewKind::section)
    return photograph(layers.section(view, settings.look.relief.show_water), settings, width);
  render::ViewField shown;
  if (view.kind == render::ViewKind::field) shown = layers.shown(view.field);
  return photograph(
      layers.ground(), [shown](const std::string& /*name*/) { return shown; }, false, settings,
      width);
}

void add_stones(Mesh& mesh, const Layers& layers, const std::vector<Stones::Boulder>& stones,
                const std::optional<surface::LayerCut>& cut) {
  const LayerShape& s = layers.shape();
  std::vector<surface::BoulderShape> shown;
  std::uint32_t number = 0;
  for (const Stones::Boulder& b : stones) {
    ++number;
    if (cut && !cut->keeps(b.x, b.y)) continue;
    shown.push_back({{static_cast<float>(b.x - s.width * s.dx / 2),
                      static_cast<float>(b.y - s.height * s.dy / 2),
                      static_cast<float>(b.height + b.radius * (0.05 + 0.07 * (number % 5)))},
                     static_cast<float>(b.radius),
                     number});
  }
  surface::add_boulders(mesh, shown, stone_colour);
}

std::vector<Stones::Boulder> stones_of_layers(const io::CheckpointReader& file,
                                              const Layers& layers) {
  const char* const block = "state.stones.stones";
  if (!file.has(block) || !file.has("layers.wrap_x")) return {};
  std::vector<Stone> stones(file.size(block) / sizeof(Stone));
  file.read(block, stones.data(), stones.size() * sizeof(Stone));
  return Stones::list(layers, stones);
}

std::map<std::string, LayerSubject::Values> fields_of_layers(const io::CheckpointReader& file) {
  std::map<std::string, LayerSubject::Values> fields;
  for (const char* name : {"water", "sediment"}) {
    const std::string block = text("state.water.", name);
    if (!file.has(block)) continue;
    std::vector<std::int32_t> quanta(file.size(block) / sizeof(std::int32_t));
    file.read(block, quanta.data(), quanta.size() * sizeof quanta[0]);
    const double quantum = file.real("layers.quantum");
    std::vector<float> metres;
    metres.reserve(quanta.size());
    for (const std::int32_t q : quanta) metres.push_back(static_cast<float>(q * quantum));
    fields[name] = [metres] { return metres; };
  }
  return fields;
}

}  // namespace scree
