#include "process/voxels/voxel_simulation.h"

#include <array>
#include <utility>

#include "base/error.h"

namespace scree {

VoxelSimulation::VoxelSimulation(Voxels& terrain, std::vector<VoxelProcessPtr> processes,
                                 const SimulationOptions& options)
    : Stepping(VoxelStepping(terrain), std::move(processes), options) {
  prepare();
  const Voxels::Totals totals = terrain.totals();
  start_ = totals.rock + totals.loose;
  start_amount_ = totals.amount;
}

void VoxelSimulation::prepare() {
  for (const VoxelProcessPtr& process : processes_) {
    process->seed = options_.seed;
    process->prepare(terrain());
  }
}

void VoxelSimulation::terrain_changed(const Receipt& receipt) {
  book(receipt);
  terrain_changed(receipt.box);
}

void VoxelSimulation::set_processes(std::vector<VoxelProcessPtr> processes) {
  const Blocks kept = save_state(*this);
  const WeatheringLedger before = ledger();
  std::swap(processes_, processes);
  try {
    prepare();
    StateRestorer restorer(kept, StateRestorer::Needs::what_fits);
    visit(restorer);
    const WeatheringLedger now = ledger();
    if (now.voxel_error() != before.voxel_error() || now.amount_error() != before.amount_error())
      throw UsageError("other processes on voxels: expected one for each that has worn rock");
  } catch (...) {
    std::swap(processes_, processes);
    prepare();
    restore_state(*this, kept);
    throw;
  }
}

WeatheringLedger VoxelSimulation::ledger() const {
  const Voxels::Totals now = terrain().totals();
  WeatheringLedger ledger;
  ledger.start = start_;
  ledger.rock = now.rock;
  ledger.loose = now.loose;
  ledger.start_amount = start_amount_;
  ledger.amount = now.amount;
  for (const auto& [name, count] : edited())
    (name == "amount" ? ledger.edited_amount : ledger.edited) += count;
  for (const VoxelProcessPtr& process : processes_) process->book(ledger);
  return ledger;
}

std::vector<Balance> VoxelSimulation::balances() const {
  const WeatheringLedger l = ledger();
  Balance voxels{.name = "voxels", .unit = "voxels", .start = l.start, .now = l.rock + l.loose};
  voxels.in = {{"edited", l.edited}};
  voxels.out = {{"deleted", l.deleted}, {"left", l.left}};
  Balance amount{
      .name = "amount", .unit = "1/2047 voxel", .start = l.start_amount, .now = l.amount};
  amount.in = {{"renewed", l.renewed}, {"edited", l.edited_amount}};
  amount.out = {{"worn", l.worn}, {"left", l.left_amount}, {"cut off", l.cut_amount}};
  return {voxels, amount};
}

// ---- state

void VoxelSimulation::visit(StateVisitor& visitor) {
  visit_clock(visitor);
  visit_edits(visitor);
  visitor.integer("booked.start", start_);
  visitor.integer("booked.start_amount", start_amount_);
  for (const VoxelProcessPtr& process : processes_) process->visit(visitor);
  visit_terrain(visitor);
  if (!visitor.restores()) return;
  const VoxelShape& shape = terrain().shape();
  for (const VoxelProcessPtr& process : processes_)
    process->terrain_changed({.width = shape.nx, .height = shape.ny, .depth = shape.nz});
}

void VoxelSimulation::visit_terrain(StateVisitor& visitor) {
  const VoxelShape& shape = terrain().shape();
  const std::array<int, 3> size{shape.nx, shape.ny, shape.nz};
  for (std::size_t d = 0; d < 3; ++d) {
    visitor.description(text("voxels.size.", d), std::int64_t{size[d]});
    visitor.description(text("voxels.origin.", d), shape.origin[d]);
  }
  visitor.description("voxels.cell", shape.cell);
  std::vector<std::array<std::uint8_t, 3>> colours;
  for (const VoxelMaterial& material : terrain().materials()) colours.push_back(material.colour);
  visitor.description("voxels.colours", colours.data(), colours.size() * sizeof colours[0]);
  visitor.array<std::uint32_t>(
      "voxels.words", shape.count(), [&] { return terrain().words(); },
      [&](const std::vector<std::uint32_t>& words) { terrain().set_words(words); });
}

}  // namespace scree
