#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/log.h"
#include "base/suggest.h"
#include "io/atomic_file.h"
#include "io/picture.h"
#include "process/stones.h"
#include "render/context.h"
#include "render/renderer.h"
#include "scene/build.h"
#include "scene/build_layers.h"
#include "scene/checkpoints.h"
#include "scene/layer_state.h"
#include "scene/run_model.h"
#include "surface/boulders.h"
#include "surface/layer_solid.h"
#include "terrain/section.h"
#include "terrain/strata.h"

namespace scree {
namespace {

constexpr std::size_t most_samples = std::size_t{1} << 26;  // of a mesh: a quarter of a gigabyte
constexpr io::Mesh::Colour stone_colour{138, 130, 122, 255};
constexpr const char* thickness_of = "thickness.";

class LayerModel : public RunModel {
 public:
  LayerModel(const Scene& scene, const device::DevicePtr& device) {
    LoadedLayers loaded = load_layers(scene, device);
    frame_ = std::move(loaded.frame);
    layers_ = std::move(loaded.layers);
    start_ = layers_->hash();
    SimulationOptions options = simulation_options(scene);
    options.measure_times = true;
    simulation_.emplace(*layers_, make_processes<LayerProcess>(scene.processes), options);
  }

  std::uint64_t steps_done() const override { return simulation_->steps_done(); }
  double time() const override { return simulation_->time(); }
  double dt() const override { return simulation_->dt(); }
  const io::Raster& frame() const override { return frame_; }
  void step() override { simulation_->step(); }

  std::map<std::string, std::uint64_t> start_hashes() const override {
    return {{"layers", start_}};
  }
  std::map<std::string, std::uint64_t> hashes() const override { return simulation_->hashes(); }

  void check(const OutputSettings& output) const override {
    if (output.kind == OutputKind::mask)
      throw UsageError(text(output.where,
                            ": kind = \"mask\": of heightfields; expected kind = "
                            "\"field\" and a name"));
    if (output.kind == OutputKind::stones && stones() == nullptr)
      throw UsageError(text(output.where, ": kind = \"stones\": expected a table [stones]"));
    const bool pictured = output.kind == OutputKind::picture;
    if (pictured && output.picture.before)
      throw UsageError(text(output.where, ": before: of heightfields alone"));
    const std::string name = shown_field(output);
    if (name.empty()) return;
    std::vector<std::string> known = field_names();
    if (pictured) known.insert(known.end(), {"slope", "curvature"});
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    std::string all;
    for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
    throw UsageError(text(output.where, pictured ? ": view = 'field:" : ": field = '", name,
                          "': expected one of ", all, did_you_mean(name, known)));
  }

  WrittenOutput write(const OutputSettings& output, const std::filesystem::path& path) override {
    WrittenOutput written;
    if (output.kind == OutputKind::stones) {
      const std::string list =
          output.file.ends_with(".json") ? stones()->json(*layers_) : stones()->csv(*layers_);
      io::AtomicFile file(path);
      file.write(list.data(), list.size());
      file.commit();
      written.files = {path};
      return written;
    }
    if (output.kind == OutputKind::mesh) {
      io::write_mesh(path.string(), mesh_of(output));
      written.files = {path};
      return written;
    }
    if (output.kind == OutputKind::picture &&
        output.picture.view.kind == render::ViewKind::section) {
      const PictureSettings& settings = output.picture;
      const double wanted = settings.look.exaggeration;
      const render::Picture picture = render::draw_section(
          section_of(settings.view), wanted == 1 ? 0 : wanted, settings.width, settings.height);
      io::write_rgb_png(path, picture.width, picture.height, picture.rgb);
      written.files = {path};
      return written;
    }
    if (output.kind == OutputKind::picture && output.picture.view.in_perspective()) {
      const render::OffscreenContext context;
      render::Renderer renderer;
      const io::Mesh mesh = mesh_of(output);
      renderer.show(mesh, output.picture.look, wet_vertices(mesh, output.picture.look.relief));
      written.files = take_pictures(renderer, output.picture, path);
      return written;
    }
    return write_output(output, *surface(output), frame_, path);
  }

  void save(io::CheckpointWriter& file) const override {
    add_layers(file, *simulation_);
    add_frame(file, frame_);
  }
  void restore(const io::CheckpointReader& file) override { restore_layers(file, *simulation_); }

  void report(RunResult& result) const override {
    result.layers = simulation_->ledger();
    for (const LayerProcessPtr& process : simulation_->processes())
      for (const auto& [name, count] : process->counts())
        result.counts[process->name() + "." + name] = count;
    result.layer_quantum = layers_->shape().quantum;
    result.quantum.datum = layers_->shape().datum;
    result.seconds_by_process = simulation_->seconds_by_process();
  }

 private:
  std::vector<std::string> field_names() const {
    std::vector<std::string> names{"bed", "layers", "material", "voids"};
    for (const Material& m : layers_->materials()) names.push_back(thickness_of + m.name);
    for (const LayerProcessPtr& process : simulation_->processes())
      for (const FieldSpec& field : process->fields()) names.emplace_back(field.name);
    return names;
  }

  std::vector<float> values_of(const std::string& name) const {
    for (const LayerProcessPtr& process : simulation_->processes())
      for (const FieldSpec& field : process->fields())
        if (field.name == name) return process->values(*layers_, name);
    const std::vector<Stack> stacks = layers_->stacks();
    int wanted = name == "voids" ? 0 : -1;
    for (std::size_t m = 0; m < layers_->materials().size(); ++m)
      if (name == thickness_of + layers_->materials()[m].name) wanted = static_cast<int>(m) + 1;
    std::vector<float> values;
    for (const Stack& stack : stacks) {
      long long quanta = 0;
      for (const Layer& layer : stack)
        if (layer.material == wanted) quanta += layer.quanta;
      values.push_back(
          name == "layers" ? static_cast<float>(stack.size())
          : name == "material"
              ? static_cast<float>(stack.empty() ? 0 : stack.back().material)
              : static_cast<float>(static_cast<double>(quanta) * layers_->shape().quantum));
    }
    return values;
  }

  // The field that an output is of; empty where it is of none.
  static std::string shown_field(const OutputSettings& output) {
    if (output.kind == OutputKind::field) return output.name;
    const bool shown =
        output.kind == OutputKind::picture && output.picture.view.kind == render::ViewKind::field;
    return shown ? output.picture.view.field : std::string();
  }

  // Voids are air, and water lies on top.
  render::Section section_of(const render::ViewChoice& view) const {
    const LayerShape& shape = layers_->shape();
    const double half_x = 0.5 * shape.dx * shape.width, half_y = 0.5 * shape.dy * shape.height;
    const render::SectionLine line =
        view.line.value_or(render::SectionLine{{-half_x, 0}, {half_x, 0}});
    const LayerSection cut = sample_section(*layers_, line.from.x + half_x, line.from.y + half_y,
                                            line.to.x + half_x, line.to.y + half_y);
    render::Section section = render::section_along(line);
    section.title = view.subject + ": section";
    section.base = cut.bottom;
    for (const Material& m : layers_->materials())
      section.materials.push_back({m.name, static_cast<unsigned>(m.colour[0]) << 16 |
                                               static_cast<unsigned>(m.colour[1]) << 8 |
                                               m.colour[2]});
    for (const SectionColumn& column : cut.columns) {
      auto& spans = section.columns.emplace_back();
      for (const SectionPart& part : column.parts)
        if (part.material > 0) spans.push_back({part.material - 1, part.bottom, part.top});
    }
    add_water(cut, section);
    return section;
  }

  void add_water(const LayerSection& cut, render::Section& section) const {
    const std::vector<std::string> known = field_names();
    if (std::find(known.begin(), known.end(), "water") == known.end()) return;
    const LayerShape& shape = layers_->shape();
    const std::vector<float> depth = values_of("water");
    // Water in caves is a material of its own: of one colour with it.
    std::size_t fluid = 0;
    while (fluid < layers_->materials().size() && !layers_->materials()[fluid].fluid) ++fluid;
    if (fluid == section.materials.size()) section.materials.push_back({"water", 0x5b9cc4});
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

  // The top as a heightfield, with what lies on it, for everything that is drawn or written of one.
  std::unique_ptr<Heightfield> surface(const OutputSettings& output) const {
    std::unique_ptr<Heightfield> top =
        heights_of_layers(*layers_, Borders::all(BorderKind::closed)).heightfield;
    const std::string name = shown_field(output);
    const std::vector<std::string> known = field_names();
    if (!name.empty() && name != "bed" &&
        std::find(known.begin(), known.end(), name) != known.end())
      add(*top, name);
    else
      for (const LayerProcessPtr& process : simulation_->processes())
        for (const FieldSpec& field : process->fields())
          if (std::string(field.name) == "water") add(*top, field.name);
    return top;
  }

  void add(Heightfield& top, const std::string& name) const {
    if (!top.has(name)) top.ensure(name, device::FieldType::float32, false);
    top.set_values(name, values_of(name));
  }

  // As fine as was asked for, or as memory allows.
  io::Mesh mesh_of(const OutputSettings& output) const {
    surface::LayerSolidOptions options;
    options.cell_z = output.solid.cell_z;
    options.cut = output.solid.cut;
    const std::vector<float> heights = layers_->heights();
    const double height = static_cast<double>(*std::max_element(heights.begin(), heights.end())) -
                          layers_->shape().datum;
    options.level = output.solid.level.value_or(0);
    while (!output.solid.level && options.level < 12 &&
           surface::layer_solid_samples(layers_->shape(), height, options) > most_samples)
      ++options.level;
    options.stacks = with_lakes(options.cell_z > 0 ? options.cell_z : height / 100);
    io::Mesh mesh = surface::layer_solid(*layers_, options);
    add_stones(mesh, output.solid.cut);
    return mesh;
  }

  const Stones* stones() const {
    for (const LayerProcessPtr& process : simulation_->processes())
      if (const auto* found = dynamic_cast<const Stones*>(process.get())) return found;
    return nullptr;
  }

  // Those on the side that is kept lie on the solid, sunk in by a quarter of their height.
  void add_stones(io::Mesh& mesh, const std::optional<surface::LayerCut>& cut) const {
    if (stones() == nullptr) return;
    const LayerShape& s = layers_->shape();
    std::vector<surface::BoulderShape> shown;
    std::uint32_t number = 0;
    for (const Stones::Boulder& b : stones()->list(*layers_)) {
      ++number;
      if (cut && !cut->keeps(b.x, b.y)) continue;
      shown.push_back({{static_cast<float>(b.x - s.width * s.dx / 2),
                        static_cast<float>(b.y - s.height * s.dy / 2),
                        static_cast<float>(b.height + b.radius / 2)},
                       static_cast<float>(b.radius),
                       number});
    }
    surface::add_boulders(mesh, shown, stone_colour);
  }

  // Stacks with the water on them that is deeper than a sample of the mesh is high: a lake is part
  // of the solid, as the water of a cave is. Empty where none is.
  std::vector<Stack> with_lakes(double least_depth) const {
    const auto& materials = layers_->materials();
    const auto fluid =
        std::find_if(materials.begin(), materials.end(), [](const Material& m) { return m.fluid; });
    const std::vector<std::string> known = field_names();
    if (fluid == materials.end() || std::find(known.begin(), known.end(), "water") == known.end())
      return {};
    const std::vector<float> depths = values_of("water");
    std::vector<Stack> stacks = layers_->stacks();
    for (std::size_t i = 0; i < stacks.size(); ++i)
      if (const auto depth = static_cast<double>(depths[i]); depth > least_depth)
        stacks[i].push_back({static_cast<int>(fluid - materials.begin()) + 1,
                             static_cast<int>(std::lround(depth / layers_->shape().quantum))});
    return stacks;
  }

  // Shallower water than this is not seen: as in reliefs, four times the median depth.
  static float film_of(std::vector<float> depths, double asked) {
    if (asked > 0) return static_cast<float>(asked);
    const auto middle = depths.begin() + static_cast<std::ptrdiff_t>(depths.size() / 2);
    std::nth_element(depths.begin(), middle, depths.end());
    return std::clamp(4 * *middle, 0.02F, 0.5F);
  }

  // Where water stands on the top of the solid.
  std::vector<std::uint8_t> wet_vertices(const io::Mesh& mesh,
                                         const render::ReliefOptions& look) const {
    const std::vector<std::string> known = field_names();
    if (!look.show_water || std::find(known.begin(), known.end(), "water") == known.end())
      return {};
    const std::vector<float> depths = values_of("water"), heights = layers_->heights();
    const float film = film_of(depths, look.water_film);
    const LayerShape& s = layers_->shape();
    const auto is_fluid = [&](const auto& colour) {
      return std::any_of(
          layers_->materials().begin(), layers_->materials().end(), [&](const Material& m) {
            return m.fluid && std::equal(m.colour.begin(), m.colour.end(), colour.begin());
          });
    };
    std::vector<std::uint8_t> wet(mesh.positions.size(), 0);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const io::Mesh::Vector& p = mesh.positions[v];
      if (is_fluid(mesh.colours[v])) {
        wet[v] = 255;  // a lake, or what stands in a cave
        continue;
      }
      if (mesh.normals[v][2] < 0.3F) continue;
      const double x = (static_cast<double>(p[0]) + s.width * s.dx / 2) / s.dx;
      const double y = (s.height * s.dy / 2 - static_cast<double>(p[1])) / s.dy;
      const std::size_t cell =
          static_cast<std::size_t>(std::clamp(static_cast<int>(y), 0, s.height - 1)) *
              static_cast<std::size_t>(s.width) +
          static_cast<std::size_t>(std::clamp(static_cast<int>(x), 0, s.width - 1));
      // Not on the floor of a cave under a stream.
      const float up = mesh.normals[v][2];
      const float slack =
          static_cast<float>(s.dx + s.dy) * std::sqrt(std::max(1 - up * up, 0.0F)) / up + 1;
      if (p[2] < heights[cell] - slack) continue;
      wet[v] = static_cast<std::uint8_t>(
          255 * std::clamp((depths[cell] - film) / (2 * film), 0.0F, 1.0F));
    }
    return wet;
  }

  io::Raster frame_;
  std::unique_ptr<Layers> layers_;
  std::optional<LayerSimulation> simulation_;
  std::uint64_t start_ = 0;
};

}  // namespace

std::unique_ptr<RunModel> make_layer_model(const Scene& scene, const device::DevicePtr& device) {
  return std::make_unique<LayerModel>(scene, device);
}

}  // namespace scree
