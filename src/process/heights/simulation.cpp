#include "process/heights/simulation.h"

#include <algorithm>

#include "kernel/common/random.h"
#include "kernel/heights/flow_ledger.h"
#include "process/core/registry.h"

namespace scree {
namespace {

// Members by name, so that one more in a later version is not a file format of its own.
template <class Visit>
void each_count(Ledger& l, Visit&& visit) {
  visit("ledger.water_start", l.water_start);
  visit("ledger.rained", l.rained);
  visit("ledger.evaporated", l.evaporated);
  visit("ledger.water_left", l.water_left);
  visit("ledger.dissolved", l.dissolved);
  visit("ledger.solids_start", l.solids_start);
  visit("ledger.solids_left", l.solids_left);
  visit("ledger.scrolled_water", l.scrolled_water);
  visit("ledger.scrolled_solids", l.scrolled_solids);
  visit("ledger.advected", l.advected);
}

// Of a landscape of one tile, what the tile has bears its own name.
std::string tile_prefix(const Landscape& landscape, std::size_t tile) {
  return landscape.tile_count() == 1 ? std::string() : text("tile.", tile, ".");
}

struct Origin {
  int x0 = 0, y0 = 0;
};

// Shape and quantum, which must be the terrain's; where its window lies.
Origin visit_shape(StateVisitor& visitor, const Heightfield& terrain) {
  const Grid& grid = terrain.grid();
  int width = grid.width, height = grid.height, k = terrain.quantum().k;
  double datum = terrain.quantum().datum;
  Origin origin{grid.x0, grid.y0};
  visitor.integer("width", width);
  visitor.integer("height", height);
  visitor.integer("x0", origin.x0);
  visitor.integer("y0", origin.y0);
  visitor.integer("quantum.k", k);
  visitor.real("quantum.datum", datum);
  if (width != grid.width || height != grid.height || k != terrain.quantum().k ||
      datum != terrain.quantum().datum)
    throw Error(text(visitor.title(), ": belongs to another terrain: its size or heights differ"));
  return origin;
}

// The whole buffer, not the interior: edges that lead into the world live in the halo. Its layout
// follows from the grid alone, so any device can go on from it.
void visit_field(StateVisitor& visitor, Heightfield& terrain, const std::string& name) {
  device::Field& field = terrain.field(name);
  const bool counts = field.type() == device::FieldType::int32;
  visitor.buffer("field." + name, counts ? StateType::int32 : StateType::float32, terrain.device(),
                 *field.front());
  if (!visitor.restores() || !field.double_buffered()) return;
  const std::size_t bytes = field.front()->bytes();
  terrain.device().copy_rows(*field.front(), 0, bytes, *field.back(), 0, bytes, bytes, 1);
}

// A process that was there before others took its place may have left fields of its own.
void ensure_kept_fields(const StateVisitor& visitor, Heightfield& terrain) {
  const std::string prefix = "field.";
  for (const std::string& block : visitor.names(prefix)) {
    const FieldSpec* spec = field_spec(block.substr(prefix.size()));
    if (spec != nullptr) terrain.ensure(*spec);
  }
}

// What follows from the parameters need not be in a state.
bool may_be_missing(const std::string& field) {
  const FieldSpec* spec = field_spec(field);
  return spec != nullptr && spec->scratch;
}

long long named(const std::map<std::string, long long>& edited, const char* name) {
  const auto found = edited.find(name);
  return found == edited.end() ? 0 : found->second;
}

}  // namespace

std::uint32_t step_seed(const StepContext& context, std::uint32_t process_salt) {
  const auto low = static_cast<std::uint32_t>(context.seed) ^ process_salt;
  const auto high = static_cast<std::uint32_t>(context.seed >> 32) ^
                    static_cast<std::uint32_t>(context.step >> 32);
  return mix_seed(low, high, static_cast<std::uint32_t>(context.step));
}

// ---- a step

double HeightStepping::look_again() {
  const double deepest = landscape_.deepest_water();
  // A look from before the change would make steps too long again.
  if (look_) look_.emplace(std::max(look_->metres(), deepest));
  return deepest;
}

std::string HeightStepping::reason(double deepest) {
  // Shallower water than this sets no limit of its own (Water::stable_dt).
  return deepest > 0.25 ? text(" where water is ", deepest, " m deep") : std::string();
}

void HeightStepping::run(Process& process, const StepContext& context) {
  for (int phase = 0; phase < process.phases(); ++phase) {
    landscape_.refresh_halos();
    for (const std::string& name : process.halo_fields(landscape_.tile(0), phase))
      landscape_.refresh_halos(name);
    landscape_.each([&](Heightfield& tile) { process.run(tile, context, phase); });
  }
}

void HeightStepping::finish() {
  landscape_.each([](Heightfield& tile) { tile.device().finish(); });
}

void HeightStepping::set_looked(double metres) {
  look_.reset();
  if (metres >= 0) look_.emplace(metres);
}

// ---- a run

Simulation::Simulation(Landscape& landscape, std::vector<ProcessPtr> processes,
                       const SimulationOptions& options)
    : Stepping(HeightStepping(landscape), std::move(processes), options) {
  prepare(processes_);
  landscape.each([](Heightfield& tile) { tile.touch(); });
  ledger_.water_start = landscape.sum("water");
  ledger_.solids_start = landscape.sum("bed") + landscape.sum("sediment");
}

void Simulation::prepare(std::vector<ProcessPtr>& processes) {
  for (const ProcessPtr& process : processes)
    landscape().each([&](Heightfield& tile) { process->prepare(tile); });
}

void Simulation::scroll(int cells_east, int cells_south, const std::vector<float>& heights) {
  Heightfield& terrain = landscape().single();
  const Heightfield::Scrolled moved = terrain.scroll(cells_east, cells_south, heights);
  ledger_.scrolled_water += moved.water_left;
  ledger_.scrolled_solids += moved.bed_left + moved.sediment_left - moved.bed_entered;
  prepare(processes_);
}

void Simulation::terrain_changed(const Box& box, const std::string& field) {
  tell_of_change(box);
  for (const ProcessPtr& process : processes_)
    if (field.empty() || process->follows(field))
      landscape().each([&](Heightfield& tile) { process->prepare(tile); });
}

void Simulation::terrain_changed(const Receipt& receipt, const std::string& field) {
  book(receipt);
  terrain_changed(receipt.box, field);
}

void Simulation::set_processes(std::vector<ProcessPtr> processes) {
  prepare(processes);
  const Blocks kept = save_state(*this);
  processes_ = std::move(processes);
  StateRestorer restorer(kept, StateRestorer::Needs::what_fits);
  for (const ProcessPtr& process : processes_)
    visit_process(restorer, *process, text("state.", process->name(), "."));
  landscape().each([](Heightfield& tile) { tile.touch(); });
  look_at_next_step();
}

// ---- ledger

Simulation::Booked Simulation::booked() const {
  Booked sums{};
  const Landscape& landscape = policy_.landscape();
  for (std::size_t t = 0; t < landscape.tile_count(); ++t) {
    const auto part = landscape.tile(t).booked();
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += part[i];
  }
  return sums;
}

Ledger Simulation::ledger() const {
  const Landscape& landscape = policy_.landscape();
  const Booked now = booked();
  Ledger l = ledger_;
  l.rained += now[LEDGER_RAIN];
  l.evaporated += now[LEDGER_EVAPORATED];
  l.water_left += now[LEDGER_WATER_OUT];
  l.solids_left += now[LEDGER_SEDIMENT_OUT];
  l.dissolved += now[LEDGER_DISSOLVED];
  l.advected += now[LEDGER_ADVECTED];
  l.edited_water = named(edited(), "water");
  for (const char* name : {"solids", "bed", "sediment"}) l.edited_solids += named(edited(), name);
  l.water_now = landscape.sum("water");
  l.solids_now = landscape.sum("bed") + landscape.sum("sediment");
  return l;
}

std::vector<Balance> Simulation::balances() const {
  const Ledger l = ledger();
  Balance water{.name = "water", .unit = "quanta", .start = l.water_start, .now = l.water_now};
  water.in = {{"rained", l.rained}, {"dissolved", l.dissolved}, {"edited", l.edited_water}};
  water.out = {
      {"evaporated", l.evaporated}, {"left", l.water_left}, {"scrolled", l.scrolled_water}};
  Balance solids{.name = "solids", .unit = "quanta", .start = l.solids_start, .now = l.solids_now};
  solids.in = {{"advected", l.advected}, {"edited", l.edited_solids}};
  solids.out = {{"left", l.solids_left}, {"scrolled", l.scrolled_solids}};
  return {water, solids};
}

// ---- state

void Simulation::visit(StateVisitor& visitor) {
  visit_counts(visitor);
  visit_fields(visitor);
}

void Simulation::visit_counts(StateVisitor& visitor) {
  const bool restores = visitor.restores();
  double looked = restores ? -1 : policy_.looked();
  Ledger ledger = ledger_;
  Booked counts = restores ? Booked{} : booked();
  // What belongs to another terrain is refused before anything has changed.
  if (restores)
    for (std::size_t t = 0; t < landscape().tile_count(); ++t) {
      StateWithPrefix tile(visitor, tile_prefix(landscape(), t));
      visit_shape(tile, landscape().tile(t));
    }
  visit_clock(visitor);
  visitor.real("looked", looked);
  each_count(ledger, [&](const char* name, long long& value) { visitor.integer(name, value); });
  for (std::size_t i = 0; i < counts.size(); ++i) visitor.integer(text("booked.", i), counts[i]);
  visit_edits(visitor);
  for (std::size_t t = 0; t < landscape().tile_count(); ++t) {
    StateWithPrefix tile(visitor, tile_prefix(landscape(), t));
    const Origin origin = visit_shape(tile, landscape().tile(t));
    if (restores) landscape().tile(t).set_origin(origin.x0, origin.y0);
  }
  if (!restores) return;
  policy_.set_looked(looked);
  ledger_ = ledger;
  landscape().tile(0).set_booked(counts);
  for (std::size_t t = 1; t < landscape().tile_count(); ++t) landscape().tile(t).set_booked({});
}

void Simulation::visit_fields(StateVisitor& visitor) {
  for (std::size_t t = 0; t < landscape().tile_count(); ++t) {
    Heightfield& terrain = landscape().tile(t);
    StateWithPrefix tile(visitor, tile_prefix(landscape(), t));
    if (visitor.restores()) ensure_kept_fields(tile, terrain);
    for (const std::string& name : terrain.field_names())
      if (!visitor.restores() || tile.holds("field." + name) || !may_be_missing(name))
        visit_field(tile, terrain, name);
  }
  for (const ProcessPtr& process : processes_)
    visit_process(visitor, *process, text("state.", process->name(), "."));
  if (visitor.restores()) landscape().each([](Heightfield& tile) { tile.touch(); });
}

}  // namespace scree
