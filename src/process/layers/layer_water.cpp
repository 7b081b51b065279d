#include "process/layers/layer_water.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "kernel/heights/flow_ledger.h"
#include "kernel/layers/load_moves.h"
#include "process/core/state.h"
#include "process/heights/flux_edges.h"
#include "process/layers/layer_materials.h"

namespace scree {
namespace {

constexpr std::uint32_t load_salt = 0x4c0ad511U;
constexpr device::Kernel bed_kernel{"load_bed", "kernel/layers/load.h"};
constexpr device::Kernel scaled_kernel{"load_scaled", "kernel/layers/load.h"};
constexpr const char* factor_field = "erodibility.map";

// OpenCL compiles these for each number of kinds.
device::Kernel of_kinds(const char* name, const char* program, int kinds) {
  static constexpr const char* defines[] = {"-D LOAD_KINDS=1", "-D LOAD_KINDS=2", "-D LOAD_KINDS=3",
                                            "-D LOAD_KINDS=4", "-D LOAD_KINDS=5", "-D LOAD_KINDS=6",
                                            "-D LOAD_KINDS=7", "-D LOAD_KINDS=8"};
  static_assert(std::size(defines) == LOADS_MOST);
  device::Kernel kernel{name, program};
  kernel.defines = defines[kinds - 1];
  return kernel;
}

// Depth among loose layers at which sediment still joins its own kind, in metres.
constexpr double mixing_depth = 0.5;

const Material& material(const Layers& terrain, int number) {
  return terrain.materials()[static_cast<std::size_t>(number) - 1];
}

// What water can carry off: the dust of all that erodes, coarse kinds first, then by number.
std::vector<int> load_materials_of(const Layers& terrain) {
  std::vector<int> kinds;
  for (std::size_t i = 0; i < terrain.materials().size(); ++i) {
    const Material& m = terrain.materials()[i];
    if (m.fluid || !(m.erodibility > 0)) continue;
    const int dust = dust_of(terrain.materials(), i);
    // What is carried must be able to settle: a layer of a fluid would run off as water.
    if (material(terrain, dust).fluid)
      throw UsageError(text("material '", m.name, "': dust = '", material(terrain, dust).name,
                            "': where water erodes, expected a dust that is no fluid, or an "
                            "erodibility of 0"));
    kinds.push_back(dust);
  }
  const auto order = [&](int number) {
    return std::pair(!material(terrain, number).coarse, number);
  };
  std::sort(kinds.begin(), kinds.end(), [&](int a, int b) { return order(a) < order(b); });
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  if (kinds.size() > LOADS_MOST)
    throw UsageError(text("water would carry ", kinds.size(),
                          " kinds of sediment: expected at most ", LOADS_MOST,
                          "; give materials a common dust, or an erodibility of 0"));
  return kinds;
}

Quantum quantum_of(const LayerShape& shape) {
  const int k = -std::ilogb(shape.quantum);
  if (std::ldexp(1.0, -k) != shape.quantum)
    throw UsageError(text("water on layers of a quantum of ", shape.quantum,
                          " m: expected a power of two, as 1/1024"));
  return {k, shape.datum};
}

Borders borders_of(const LayerShape& shape) {
  const BorderKind edge = shape.open ? BorderKind::open : BorderKind::closed;
  Borders borders = Borders::all(edge);
  if (shape.wrap_x) borders.west = borders.east = BorderKind::wrap;
  if (shape.wrap_y) borders.north = borders.south = BorderKind::wrap;
  return borders;
}

Range all_of(const Layers& terrain) {
  return {0, 0, terrain.shape().width, terrain.shape().height};
}

std::vector<float> whole_buffer(const Heightfield& surface, const char* field) {
  std::vector<float> all(device::cells_allocated(surface.grid()));
  surface.device().read(*surface.field(field).front(), 0, all.data(), all.size() * sizeof all[0]);
  return all;
}

}  // namespace

LayerWater::LayerWater(WaterParameters water, std::vector<SpringParameters> springs,
                       std::optional<HydraulicParameters> erosion)
    : erosion_(std::move(erosion)), water_(std::move(water), std::move(springs), erosion_) {
  if (erosion_ && erosion_->transport != "flux" && erosion_->transport != "none")
    throw UsageError(text("hydraulic.transport = \"", erosion_->transport,
                          "\": on layers, expected \"flux\" or \"none\""));
  if (erosion_ && erosion_->soil_to_water)
    throw UsageError("hydraulic.soil_to_water: on layers, what is dug stays what it is");
}

std::vector<LoadMaterial> LayerWater::table(const Layers& terrain) const {
  std::vector<LoadMaterial> table(LAYER_MATERIALS);
  for (LoadMaterial& entry : table) entry.load = LOAD_NONE;
  for (std::size_t i = 0; i < terrain.materials().size(); ++i) {
    const Material& m = terrain.materials()[i];
    LoadMaterial& entry = table[i + 1];
    entry.loose = m.loose ? 1 : 0;
    entry.fluid = m.fluid ? 1 : 0;
    if (materials_.empty() || m.fluid || !(m.erodibility > 0)) continue;
    entry.erodibility = static_cast<float>(m.erodibility);
    const auto kind =
        std::find(materials_.begin(), materials_.end(), dust_of(terrain.materials(), i));
    entry.load = static_cast<std::uint32_t>(kind - materials_.begin());
  }
  return table;
}

void LayerWater::prepare(Layers& terrain) {
  terrain_ = &terrain;
  const LayerShape& s = terrain.shape();
  const std::vector<Material>& all = terrain.materials();
  const auto fluid = [](const Material& m) { return m.fluid; };
  if (std::count_if(all.begin(), all.end(), fluid) > 1)
    throw UsageError("water on layers: expected at most one fluid material");
  const int water = fluid_among(all);
  water_name_ = water == 0 ? "water" : material(terrain, water).name;
  surface_ = std::make_unique<Heightfield>(
      terrain.device_ptr(), HeightfieldShape{s.width, s.height, s.dx, s.dy},
      std::vector<float>(s.cells(), static_cast<float>(s.datum)), borders_of(s), quantum_of(s));
  device::Device& device = terrain.device();
  if (erosion_) {
    materials_ = load_materials_of(terrain);
    // Where nothing erodes, it stays as it is made: nothing is dug.
    surface_->ensure("erodibility", device::FieldType::float32, false, materials_.empty() ? 0 : 1);
    surface_->ensure("floor", device::FieldType::int32, false);
    coarse_ = static_cast<int>(std::count_if(materials_.begin(), materials_.end(), [&](int number) {
      return material(terrain, number).coarse;
    }));
  }
  add_maps(terrain);
  water_.prepare(*surface_);
  const std::vector<LoadMaterial> entries = table(terrain);
  table_ = device.allocate(entries.size() * sizeof entries[0]);
  device.write(*table_, 0, entries.data(), entries.size() * sizeof entries[0]);
  needed_ = device.allocate(sizeof(std::uint32_t));
  const std::size_t apart = materials_.empty() ? 0 : materials_.size() - 1;
  // Kernels name an edge of a kind by a 32-bit integer.
  if (apart * LAYER_SIDES * s.cells() >= (std::size_t{1} << 31))
    throw UsageError(text("water on layers of ", s.width, " x ", s.height, " cells with ",
                          materials_.size(), " kinds of sediment: expected at most ",
                          (std::size_t{1} << 31) / (apart * LAYER_SIDES), " cells"));
  const std::size_t plane = s.cells() * sizeof(std::int32_t);
  loads_ = device.allocate(std::max<std::size_t>(apart, 1) * plane);
  out_ = device.allocate(std::max<std::size_t>(apart * LAYER_SIDES * plane, 4));
  left_ = device.allocate(static_cast<std::size_t>(border_slots(surface_->grid())) * (apart + 1) *
                          sizeof(long long));
  caves_.reset();
  look_for_caves({.width = s.width, .height = s.height});
  // What lies on the stacks as water is there from the beginning.
  follow(terrain, {});
}

void LayerWater::add_maps(const Layers& terrain) {
  for (const auto& [name, values] : terrain.maps()) {
    if (name == "water") surface_->set_values("water", values);
    const bool factor = name == "erodibility" && erosion_;
    if (!factor && name != "rain") continue;
    const std::string field = factor ? factor_field : name;
    surface_->ensure(field, device::FieldType::float32, false);
    surface_->set_values(field, values);
  }
}

Load LayerWater::numbers(const Layers& terrain, const StepContext& context) const {
  Load s{};
  s.layers = terrain.grid();
  s.step_seed = step_seed(context, load_salt);
  s.kinds = static_cast<int>(materials_.size());
  s.coarse = coarse_;
  for (std::size_t i = 0; i < materials_.size(); ++i)
    s.material[i] = static_cast<std::uint32_t>(materials_[i]);
  s.mixing =
      static_cast<int>(std::min(mixing_depth / terrain.shape().quantum, 1.0 * LAYER_THICKEST));
  s.booked_sides = surface_->booked_sides();
  return s;
}

Flow LayerWater::flow_numbers(const StepContext& context) const {
  return water_.flow_numbers(*surface_, context);
}

// The surface follows the stacks: they may have changed since.
void LayerWater::follow(Layers& terrain, const StepContext& context) {
  if (caves_) caves_->tidy(terrain);
  const auto& bed = surface_->field("bed").front();
  device::Arguments a;
  a.add(surface_->grid()).add(numbers(terrain, context)).add(table_);
  a.add(terrain.front()).add(terrain.tops_front()).add(surface_->field("water").front()).add(bed);
  if (materials_.empty())
    a.add_unused(bed).add_unused(bed);
  else
    a.add(surface_->field("erodibility").front()).add(surface_->field("floor").front());
  terrain.device().run(bed_kernel, all_of(terrain), a);
  if (!surface_->has(factor_field)) return;
  device::Arguments scaled;
  scaled.add(surface_->grid()).add(surface_->field(factor_field).front());
  scaled.add(surface_->field("erodibility").front());
  terrain.device().run(scaled_kernel, all_of(terrain), scaled);
}

void LayerWater::run(Layers& terrain, const StepContext& context) {
  follow(terrain, context);
  if (caves_) caves_->level(terrain, *surface_, context.step);
  if (surface_->halo_stale() || surface_->borders_move()) surface_->fill_halo();
  const Flow flow = flow_numbers(context);
  water_.run(*surface_, context, 0);
  if (materials_.empty()) return;

  device::Device& device = terrain.device();
  Load s = numbers(terrain, context);
  Heightfield& top = *surface_;
  if (materials_.size() > 1 && erosion_->transport == "flux") move_loads(terrain, flow, s);
  const device::Kernel lands = of_kinds("load_lands", "kernel/layers/load.h", s.kinds);
  std::uint32_t needed = 0;
  do {
    if (needed > 0) {
      terrain.grow(static_cast<int>(needed));
      needed = 0;
      device.write(*needed_, 0, &needed, sizeof needed);
    }
    s.layers = terrain.grid();
    device::Arguments a;
    a.add(top.grid()).add(s).add(table_).add(terrain.front()).add(terrain.tops_front());
    a.add(top.field("bed").front()).add(top.field("sediment").front());
    a.add(loads_).add(needed_);
    device.run(lands, all_of(terrain), a);
    if (!terrain.always_room()) device.read(*needed_, 0, &needed, sizeof needed);
  } while (needed > 0);
}

// Every kind but the last goes along with the sediment that the flow step has moved.
void LayerWater::move_loads(const Layers& terrain, const Flow& flow, const Load& s) {
  device::Device& device = terrain.device();
  const Heightfield& top = *surface_;
  const bool eight = top.has("flux.se");
  const auto kernel = [&](const char* name) {
    device::Kernel of = of_kinds(name, "kernel/layers/load_moves.cl", s.kinds);
    of.group_x = 64, of.group_y = 4;
    return of;
  };
  device::Arguments leaves;
  leaves.add(top.grid()).add(flow).add(s);
  leaves.add(top.field("water").back()).add(top.field("sediment").back());
  leaves.add(top.field("flux.x").front()).add(top.field("flux.y").front());
  leaves.add(top.field(eight ? "flux.se" : "flux.x").front());
  leaves.add(top.field(eight ? "flux.sw" : "flux.y").front());
  leaves.add(loads_).add(out_).add(left_);
  device.run(kernel("load_leaves"), all_of(terrain), leaves);
  if (s.booked_sides != 0)
    device.run(kernel("load_left"), {0, 0, border_slots(top.grid()), 1}, leaves);
  device::Arguments moves;
  moves.add(s).add(loads_).add(out_);
  // Rows of every kind.
  const LayerShape& shape = terrain.shape();
  device.run(kernel("load_moves"), {0, 0, shape.width, shape.height * (s.kinds - 1)}, moves);
}

double LayerWater::stable_dt(const Layers& /*terrain*/) const {
  return water_.stable_dt(*surface_, surface_->top("water") * surface_->quantum().metres());
}

std::vector<std::vector<int>> LayerWater::loads() const {
  std::vector<std::vector<int>> all;
  if (materials_.empty()) return all;
  std::vector<int> rest = surface_->raw("sediment");
  for (std::size_t kind = 0; kind + 1 < materials_.size(); ++kind) {
    std::vector<int>& here = all.emplace_back(rest.size());
    surface_->device().read(*loads_, kind * rest.size() * sizeof rest[0], here.data(),
                            rest.size() * sizeof rest[0]);
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= here[i];
  }
  all.push_back(rest);
  return all;
}

// Quanta of each kind that crossed the border.
std::vector<long long> LayerWater::left() const {
  if (materials_.size() == 1) return {surface_->booked()[LEDGER_SEDIMENT_OUT]};
  std::vector<long long> slots(left_->bytes() / sizeof(long long));
  surface_->device().read(*left_, 0, slots.data(), left_->bytes());
  std::vector<long long> sums(materials_.size());
  const auto a_kind = static_cast<std::size_t>(border_slots(surface_->grid()));
  for (std::size_t i = 0; i < sums.size() * a_kind; ++i) sums[i / a_kind] += slots[i];
  return sums;
}

std::map<std::string, LayerBooking> LayerWater::booked(const Layers& terrain) const {
  std::map<std::string, LayerBooking> all;
  const auto counts = surface_->booked();
  all[water_name_] = {
      .entered = counts[LEDGER_RAIN],
      .left = counts[LEDGER_EVAPORATED] + counts[LEDGER_WATER_OUT],
      .held = surface_->sum("water"),
      .in = {{"rained", counts[LEDGER_RAIN]}},
      .out = {{"evaporated", counts[LEDGER_EVAPORATED]}, {"left", counts[LEDGER_WATER_OUT]}}};
  if (materials_.empty()) return all;
  const std::vector<long long> gone = left();
  const std::vector<std::vector<int>> now = loads();
  for (std::size_t kind = 0; kind < materials_.size(); ++kind) {
    LayerBooking& booking = all[material(terrain, materials_[kind]).name];
    booking.left += gone[kind];
    for (const int quanta : now[kind]) booking.held += quanta;
  }
  return all;
}

// By names that ascend.
void LayerWater::visit_fluxes(StateVisitor& visitor) {
  std::vector<FluxEdges> edges(std::begin(flux_edges), std::end(flux_edges));
  std::sort(edges.begin(), edges.end(), [](const FluxEdges& a, const FluxEdges& b) {
    return std::string_view(a.field) < b.field;
  });
  const Grid& g = surface_->grid();
  for (const FluxEdges& e : edges) {
    if (!surface_->has(e.field)) continue;
    const auto get = [&] {
      const std::vector<float> all = whole_buffer(*surface_, e.field);
      std::vector<float> kept;
      each_edge(g, e, [&](std::size_t i) { kept.push_back(all[i]); });
      return kept;
    };
    const auto put = [&](const std::vector<float>& kept) {
      std::vector<float> all = whole_buffer(*surface_, e.field);
      std::size_t next = 0;
      each_edge(g, e, [&](std::size_t i) { all[i] = kept[next++]; });
      surface_->device().write(*surface_->field(e.field).front(), 0, all.data(),
                               all.size() * sizeof all[0]);
    };
    const std::size_t edges_of_it = static_cast<std::size_t>(g.width + e.west + e.east) *
                                    static_cast<std::size_t>(g.height + e.north);
    visitor.array<float>(e.field, edges_of_it, get, put);
  }
}

void LayerWater::visit_loads(StateVisitor& visitor) {
  if (materials_.size() <= 1) return;
  const auto put = [&](const std::vector<long long>& sums) {
    std::vector<long long> slots(left_->bytes() / sizeof(long long), 0);
    for (std::size_t kind = 0; kind < materials_.size(); ++kind)
      slots[kind * static_cast<std::size_t>(border_slots(surface_->grid()))] = sums.at(kind);
    surface_->device().write(*left_, 0, slots.data(), left_->bytes());
  };
  visitor.array<long long>(
      "left", materials_.size(), [&] { return left(); }, put);
  visitor.buffer("loads", StateType::int32, surface_->device(), *loads_);
}

void LayerWater::visit(StateVisitor& visitor) {
  device::Device& device = surface_->device();
  const Grid& g = surface_->grid();
  const std::size_t cells = terrain_->shape().cells();
  using Booked = std::array<long long, Heightfield::booked_entries>;
  visitor.array<long long>(
      "booked", std::tuple_size_v<Booked>,
      [&] {
        const Booked counts = surface_->booked();
        return std::vector<long long>(counts.begin(), counts.end());
      },
      [&](const std::vector<long long>& counts) {
        Booked booked{};
        std::copy(counts.begin(), counts.end(), booked.begin());
        surface_->set_booked(booked);
      });
  visit_fluxes(visitor);
  visit_loads(visitor);
  // An erosion that was there before this one may have loosened the ground.
  const char* const loose = "looseness";
  if (visitor.restores() && visitor.holds(loose)) surface_->ensure(*field_spec(loose));
  if (surface_->has(loose))
    visitor.array<float>(
        loose, cells, [&] { return surface_->field(loose).download<float>(device, g); },
        [&](const std::vector<float>& kept) { surface_->field(loose).upload(device, g, kept); });
  for (const char* name : {"sediment", "water"})
    visitor.array<int>(
        name, cells, [&] { return surface_->raw(name); },
        [&](const std::vector<int>& kept) { surface_->field(name).upload(device, g, kept); });
  if (!visitor.restores()) return;
  surface_->touch();
  look_for_caves({.width = g.width, .height = g.height});
}

void LayerWater::look_for_caves(const Box& box) {
  const int fluid = fluid_among(terrain_->materials());
  if (fluid == 0) return;
  const std::vector<int> hollow = hollow_cells(*terrain_, fluid, box);
  if (hollow.empty()) return;
  if (caves_)
    caves_->take_in(*terrain_, hollow);
  else
    caves_ = std::make_unique<CaveWater>(*terrain_, hollow, fluid);
}

void LayerWater::terrain_changed(const Box& box) {
  look_for_caves(box);
  follow(*terrain_, {});
  surface_->touch();
}

std::vector<FieldSpec> LayerWater::fields() const {
  std::vector<FieldSpec> shown{{.name = "water",
                                .type = device::FieldType::int32,
                                .unit = "m",
                                .help = "Depth of water on the surface"}};
  if (erosion_)
    shown.push_back({.name = "sediment",
                     .type = device::FieldType::int32,
                     .unit = "m",
                     .help = "Ground that the water carries"});
  return shown;
}

std::vector<float> LayerWater::values(const Layers& /*terrain*/, const std::string& field) const {
  return surface_->values(field);
}

AnyProcessPtr make_layer_water(const ProcessSet& set) {
  if (!set.on("water") && !set.on("hydraulic")) return nullptr;
  WaterParameters water;
  water.rain = 0;
  std::vector<SpringParameters> springs;
  std::optional<HydraulicParameters> erosion;
  if (set.on("water")) {
    water = set["water"].as<WaterParameters>();
    springs = set["water"].list<SpringParameters>("spring");
  }
  if (set.on("hydraulic")) erosion = set["hydraulic"].as<HydraulicParameters>();
  return std::make_unique<LayerWater>(water, springs, erosion);
}

}  // namespace scree
