#include "process/layers/layer_simulation.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "base/error.h"

namespace scree {
namespace {

// The number that stands for a material and all that is linked with it by dust.
std::size_t kin(const std::vector<Material>& materials, std::size_t of) {
  std::vector<std::size_t> root(materials.size());
  for (std::size_t i = 0; i < root.size(); ++i) root[i] = i;
  // As often as there are materials: by then the lowest number has gone along the longest chain.
  for (std::size_t round = 0; round < root.size(); ++round)
    for (std::size_t i = 0; i < root.size(); ++i)
      if (materials[i].dust > 0) {
        const auto dust = static_cast<std::size_t>(materials[i].dust) - 1;
        root[i] = root[dust] = std::min(root[i], root[dust]);
      }
  return root[of];
}

void add_flow(std::vector<BalanceFlow>& flows, const BalanceFlow& flow) {
  const auto same = std::find_if(flows.begin(), flows.end(),
                                 [&](const BalanceFlow& other) { return other.name == flow.name; });
  if (same != flows.end())
    same->amount += flow.amount;
  else
    flows.push_back(flow);
}

// The parts of a flow, or the whole where they are not told apart.
void add_flows(std::vector<BalanceFlow>& flows, const std::vector<BalanceFlow>& parts,
               const BalanceFlow& whole) {
  for (const BalanceFlow& part : parts) add_flow(flows, part);
  if (parts.empty() && whole.amount != 0) add_flow(flows, whole);
}

}  // namespace

long long LayerLedger::error() const {
  long long sum = 0;
  for (const LayerBalance& balance : balances) sum += std::llabs(balance.error());
  return sum;
}

LayerSimulation::LayerSimulation(Layers& terrain, std::vector<LayerProcessPtr> processes,
                                 const SimulationOptions& options)
    : Stepping(LayerStepping(terrain), std::move(processes), options) {
  terrain.make_room();
  prepare();
  start_ = present();
}

void LayerSimulation::prepare() {
  terrain().set_fluids_run(
      std::any_of(processes_.begin(), processes_.end(),
                  [](const LayerProcessPtr& process) { return process->runs_fluids(); }));
  for (const LayerProcessPtr& process : processes_) {
    process->seed = options_.seed;
    process->prepare(terrain());
  }
}

void LayerSimulation::terrain_changed(const Receipt& receipt) {
  book(receipt);
  terrain_changed(receipt.box);
}

void LayerSimulation::set_processes(std::vector<LayerProcessPtr> processes) {
  const Blocks kept = save_state(*this);
  const auto booked = bookings();
  const auto give_back = [&] {
    std::swap(processes_, processes);
    prepare();
    restore_state(*this, kept);
  };
  std::swap(processes_, processes);
  try {
    prepare();
    StateRestorer restorer(kept, StateRestorer::Needs::what_fits);
    visit(restorer);
    if (bookings() != booked)
      throw UsageError("other processes on layers: expected one for each that holds material");
  } catch (...) {
    give_back();
    throw;
  }
  look_at_next_step();
}

std::map<std::string, std::array<long long, 3>> LayerSimulation::bookings() const {
  std::map<std::string, std::array<long long, 3>> all;
  for (const LayerProcessPtr& process : processes_)
    for (const auto& [name, booking] : process->booked(terrain())) {
      std::array<long long, 3>& sums = all[name];
      sums[0] += booking.entered, sums[1] += booking.left, sums[2] += booking.held;
    }
  // A process that has booked nothing may come and go.
  std::erase_if(all, [](const auto& one) { return one.second == std::array<long long, 3>{}; });
  return all;
}

std::map<std::string, long long> LayerSimulation::present() const {
  std::map<std::string, long long> there;
  const std::vector<long long> totals = terrain().totals();
  for (std::size_t i = 0; i < terrain().materials().size(); ++i)
    there[terrain().materials()[i].name] += totals[i + 1];
  for (const LayerProcessPtr& process : processes_)
    for (const auto& [name, booking] : process->booked(terrain())) there[name] += booking.held;
  return there;
}

LayerLedger LayerSimulation::ledger() const {
  const std::vector<Material>& materials = terrain().materials();
  std::map<std::string, std::size_t> place;  // of a name among the balances
  LayerLedger ledger;
  std::map<std::size_t, std::size_t> by_kin;
  for (std::size_t i = 0; i < materials.size(); ++i) {
    const auto [at, added] = by_kin.try_emplace(kin(materials, i), ledger.balances.size());
    if (added) ledger.balances.emplace_back();
    if (place.try_emplace(materials[i].name, at->second).second)
      ledger.balances[at->second].of.push_back(materials[i].name);
  }
  const auto balance_of = [&](const std::string& name) -> LayerBalance& {
    const auto [at, added] = place.try_emplace(name, ledger.balances.size());
    if (added) ledger.balances.emplace_back().of.push_back(name);
    return ledger.balances[at->second];
  };
  for (const auto& [name, quanta] : start_) balance_of(name).start += quanta;
  for (const auto& [name, quanta] : present()) balance_of(name).now += quanta;
  for (const auto& [name, quanta] : edited()) balance_of(name).edited += quanta;
  for (const LayerProcessPtr& process : processes_)
    for (const auto& [name, booking] : process->booked(terrain())) {
      LayerBalance& balance = balance_of(name);
      balance.entered += booking.entered;
      balance.left += booking.left;
      balance.held += booking.held;
    }
  const std::vector<long long> totals = terrain().totals();
  for (std::size_t i = 0; i < materials.size(); ++i)
    ledger.materials[materials[i].name] += totals[i + 1];
  return ledger;
}

std::vector<Balance> LayerSimulation::balances() const {
  std::vector<Balance> balances;
  std::map<std::string, std::size_t> of_name;
  for (const LayerBalance& of : ledger().balances) {
    Balance& balance = balances.emplace_back();
    for (const std::string& name : of.of)
      balance.name += (balance.name.empty() ? "" : " + ") + name;
    balance.unit = "quanta";
    balance.start = of.start;
    add_flow(balance.in, {"edited", of.edited});
    balance.held = of.held;
    balance.now = of.now;
    for (const std::string& name : of.of) of_name[name] = balances.size() - 1;
  }
  for (const LayerProcessPtr& process : processes_)
    for (const auto& [name, booking] : process->booked(terrain())) {
      Balance& balance = balances[of_name.at(name)];
      add_flows(balance.in, booking.in, {"entered", booking.entered});
      add_flows(balance.out, booking.out, {"left", booking.left});
    }
  return balances;
}

// ---- state

std::map<std::string, std::uint64_t> LayerSimulation::hashes() const {
  StateHasher hasher;
  for (const LayerProcessPtr& process : processes_)
    visit_process(hasher, *process, process->name() + ".");
  std::map<std::string, std::uint64_t> hashes = hasher.hashes();
  hashes["layers"] = terrain().hash();
  return hashes;
}

void LayerSimulation::visit(StateVisitor& visitor) {
  // What belongs to another terrain is refused before anything has changed.
  if (visitor.restores()) visit_shape(visitor);
  visit_clock(visitor);
  if (!visitor.restores()) visit_shape(visitor);
  visit_edits(visitor);
  visit_materials(visitor);
  visitor.array<std::uint32_t>(
      "layers.words", StateVisitor::any_size, [&] { return terrain().words(); },
      [&](const std::vector<std::uint32_t>& words) { terrain().set_words(words); });
  visit_start(visitor);
  visit_processes(visitor);
}

void LayerSimulation::visit_shape(StateVisitor& visitor) const {
  const LayerShape& shape = terrain().shape();
  int width = shape.width, height = shape.height;
  visitor.integer("width", width);
  visitor.integer("height", height);
  if (width != shape.width || height != shape.height)
    throw Error(text(visitor.title(), ": belongs to another terrain: its size differs"));
  visitor.description("layers.dx", shape.dx);
  visitor.description("layers.dy", shape.dy);
  visitor.description("layers.quantum", shape.quantum);
  visitor.description("layers.datum", shape.datum);
  visitor.description("layers.wrap_x", std::int64_t{shape.wrap_x});
  visitor.description("layers.wrap_y", std::int64_t{shape.wrap_y});
}

void LayerSimulation::visit_materials(StateVisitor& visitor) const {
  if (visitor.restores()) return;
  std::vector<std::string> names;
  for (const Material& m : terrain().materials()) names.push_back(m.name);
  visitor.strings("material", names);
  for (std::size_t m = 0; m < names.size(); ++m) {
    const Material& material = terrain().materials()[m];
    visitor.description(text("material.", m, ".colour"), material.colour.data(), 3);
    visitor.description(text("material.", m, ".fluid"), std::int64_t{material.fluid});
    visitor.description(text("material.", m, ".loose"), std::int64_t{material.loose});
    visitor.description(text("material.", m, ".melting"), material.melting);
  }
}

void LayerSimulation::visit_start(StateVisitor& visitor) {
  std::vector<std::string> names;
  for (const auto& [name, quanta] : start_) names.push_back(name);
  visitor.strings("start", names);
  std::map<std::string, long long> start;
  for (std::size_t i = 0; i < names.size(); ++i) {
    long long& quanta = start[names[i]];
    if (!visitor.restores()) quanta = start_.at(names[i]);
    visitor.integer(text("start.", i, ".quanta"), quanta);
  }
  start_ = std::move(start);
}

void LayerSimulation::visit_processes(StateVisitor& visitor) {
  std::map<std::string, LayerProcess*> by_name;
  for (const LayerProcessPtr& process : processes_) by_name[process->name()] = process.get();
  for (const auto& [name, process] : by_name) {
    if (!visitor.restores()) {
      StateLister lister(StateLister::Asks::names);
      process->visit(lister);
      std::vector<std::string> names;
      for (const StateEntry& entry : lister.entries()) names.push_back(entry.name);
      visitor.strings("arrays." + name, names);
    }
    visit_process(visitor, *process, text("state.", name, "."));
  }
}

}  // namespace scree
