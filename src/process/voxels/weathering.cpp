#include "process/voxels/weathering.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "base/angle.h"
#include "base/error.h"
#include "kernel/common/random.h"
#include "process/core/registry.h"
#include "process/core/state.h"

namespace scree {
namespace {

constexpr std::uint32_t weathering_salt = 0x5c2ee417U;
constexpr std::uint32_t colluvium_salt = 0x31d8a90bU;

constexpr device::Kernel weather_kernel{"weather", "kernel/voxels/weather.cl", 1, 1, BRICK_X, 8};
constexpr device::Kernel air_kernel{"air_count", "kernel/voxels/weather.cl", 1, 1, BRICK_X / 4,
                                    BRICK_Y};
constexpr device::Kernel add_kernel{"air_add", "kernel/voxels/weather.cl", 1, 1, BRICK_X, 8};
constexpr device::Kernel mark_kernel{"weather_mark", "kernel/voxels/weather.h"};
constexpr device::Kernel clear_kernel{"weather_clear", "kernel/voxels/weather.h"};
constexpr device::Kernel fall_kernel{"colluvium_fall", "kernel/voxels/colluvium.h"};
constexpr device::Kernel gather_kernel{"colluvium_gather", "kernel/voxels/colluvium.h"};
constexpr device::Kernel round_clear_kernel{"colluvium_clear", "kernel/voxels/colluvium.h"};
constexpr device::Kernel claim_kernel{"colluvium_claim", "kernel/voxels/colluvium.h"};
constexpr device::Kernel move_kernel{"colluvium_move", "kernel/voxels/colluvium.h"};
constexpr device::Kernel place_kernel{"colluvium_place", "kernel/voxels/colluvium.h"};

// A device's constant memory holds at least this many bytes, and the plan is kept there.
constexpr std::size_t most_plan_bytes = 65536;
constexpr std::size_t most_bubbles = 32;
// Between two looks at how many tokens are left: a look waits for the device.
constexpr int rounds_at_once = 4;
constexpr int most_rounds = 1 << 20;

template <class T>
device::BufferPtr uploaded(device::Device& device, const std::vector<T>& values) {
  const device::BufferPtr buffer = device.allocate(values.size() * sizeof(T));
  device.write(*buffer, 0, values.data(), values.size() * sizeof(T));
  return buffer;
}

Weather numbers_of(const std::vector<Bubble>& bubbles, bool keep) {
  Weather numbers{0, static_cast<int>(bubbles.size()), keep ? 1 : 0, 1, 1, 1, 0, 0};
  for (const Bubble& bubble : bubbles) {
    // A face that opens is felt by its neighbour: a reach is at least 1.
    for (const auto& [x, y, z] : bubble.offsets) {
      numbers.reach_x = std::max(numbers.reach_x, std::abs(x));
      numbers.reach_y = std::max(numbers.reach_y, std::abs(y));
      numbers.reach_z = std::max(numbers.reach_z, std::abs(z));
    }
    if (bubble.open_faces) numbers.anew = 1;
  }
  return numbers;
}

// Of a brick in which voxels from `low` to below `high` changed: whether they lie within reach of
// its neighbour on the lower side, and twice that of the one on the upper side, as
// change_in_row() has it.
std::uint32_t felt(int low, int high, int first, int size, int reach) {
  return (low < first + reach ? 1U : 0U) | (high > first + size - reach ? 2U : 0U);
}

void check_bubbles(const std::vector<Bubble>& bubbles, const Voxels& terrain) {
  if (bubbles.empty() || bubbles.size() > most_bubbles)
    throw UsageError(text(bubbles.size(), " bubbles: expected 1 to ", most_bubbles));
  for (const Bubble& bubble : bubbles) check_bubble(bubble);
  for (const VoxelMaterial& m : terrain.materials())
    if (m.bubble < 0 || static_cast<std::size_t>(m.bubble) >= bubbles.size())
      throw UsageError(text("material '", m.name, "' has bubble ", m.bubble, ": there are ",
                            bubbles.size(), ", from 0 on"));
}

}  // namespace

Weathering::Weathering(WeatheringPlan plan, WeatheringParameters parameters)
    : bubbles_(std::move(plan.bubbles)),
      regions_(std::move(plan.regions)),
      parameters_(std::move(parameters)) {
  if (parameters_.stability_every != std::round(parameters_.stability_every))
    throw UsageError(
        text("stability_every = ", parameters_.stability_every, ": expected whole steps"));
  stability_every_ = static_cast<std::uint64_t>(parameters_.stability_every);
}

void Weathering::prepare(Voxels& terrain) {
  terrain_ = &terrain;
  check_bubbles(bubbles_, terrain);
  numbers_ = numbers_of(bubbles_, parameters_.colluvium);
  make_buffers();
  if (parameters_.colluvium) make_colluvium();
  stability_.reset();
  if (stability_every_ > 0) stability_.emplace(terrain);
  field_.emplace(terrain);
  field_->set(regions_);
  // A revision that no terrain has: all air is counted.
  seen_revision_ = terrain.revision() - 1;
  refresh();
}

void Weathering::make_buffers() {
  device::Device& device = terrain().device();
  const std::vector<int> plan = bubble_plan(bubbles_);
  if (plan.size() * sizeof plan[0] > most_plan_bytes)
    throw UsageError(text("bubbles of ", plan.size(), " rows in all: expected at most ",
                          most_plan_bytes / sizeof plan[0]));
  plan_ = uploaded(device, plan);
  runs_ = uploaded(device, bubble_runs(bubbles_));
  gone_ = device.allocate(terrain().bits_buffer()->bytes());
  const auto bricks = static_cast<std::size_t>(terrain().bricks());
  const std::size_t word = sizeof(std::uint32_t);
  active_ = device.allocate(bricks * ACTIVE_WORDS * word);
  changed_ = device.allocate(bricks * word);
  stale_ = device.allocate(bricks * word);
  tally_ = device.allocate(bricks * 4 * sizeof(std::int64_t));
}

void Weathering::make_colluvium() {
  device::Device& device = terrain().device();
  const VoxelBox& b = terrain().box();
  const auto columns = static_cast<std::size_t>(b.nx) * static_cast<std::size_t>(b.ny);
  const std::size_t word = sizeof(std::uint32_t);
  const auto& materials = terrain().materials();
  const auto loose =
      std::find_if(materials.begin(), materials.end(), [](const auto& m) { return m.loose; });
  if (loose == materials.end())
    throw UsageError("colluvium: no material of the terrain is loose for it to be made of");
  loose_material_ = static_cast<std::uint32_t>(loose - materials.begin()) + 1;
  fallen_ = device.allocate(static_cast<std::size_t>(b.bricks_x) * static_cast<std::size_t>(b.ny) *
                            static_cast<std::size_t>(b.nz) * word);
  columns_ = device.allocate(columns * static_cast<std::size_t>(column_words(b)) * word);
  counters_ = device.allocate(COLLUVIUM_COUNTERS * word);
  claims_ = device.allocate(columns * word);
}

void Weathering::upload_tables() {
  std::vector<std::uint32_t> table(VOXEL_MATERIALS);
  for (std::size_t m = 0; m < terrain().materials().size(); ++m) {
    const VoxelMaterial& material = terrain().materials()[m];
    const auto share =
        static_cast<std::uint32_t>(std::lround((1 - material.durability) * WEATHER_WHOLE));
    table[m + 1] =
        material_entry(share, static_cast<std::uint32_t>(material.bubble), material.loose ? 1 : 0);
  }
  std::vector<std::uint32_t> rates(bubbles_.size() * WEATHER_RATES);
  for (std::size_t k = 0; k < bubbles_.size(); ++k)
    for (std::size_t a = 0; a < bubbles_[k].rates.size(); ++a)
      rates[k * WEATHER_RATES + a] = static_cast<std::uint32_t>(
          std::lround(bubbles_[k].rates[a] * VOXEL_FULL * WEATHER_RATE_ONE));
  table_ = uploaded(terrain().device(), table);
  rates_ = uploaded(terrain().device(), rates);
}

void Weathering::run_bricks(const device::Kernel& kernel, const device::Arguments& arguments) {
  const VoxelBox& b = terrain().box();
  terrain().device().run(kernel, Range{0, 0, b.bricks_z, b.bricks_x * b.bricks_y}, arguments);
}

void Weathering::refresh() {
  if (seen_revision_ == terrain().revision()) return;
  seen_revision_ = terrain().revision();
  columns_known_ = false;
  upload_tables();
  const std::vector<std::uint32_t> all(static_cast<std::size_t>(terrain().bricks()),
                                       CHANGED_ANYWHERE);
  terrain().device().write(*changed_, 0, all.data(), all.size() * sizeof all[0]);
  recount(true);
}

void Weathering::recount(bool anew) {
  device::Device& device = terrain().device();
  const VoxelBox& b = terrain().box();
  const Range bricks{0, 0, terrain().bricks(), 1};
  device::Arguments mark;
  mark.add(b).add(changed_).add(stale_);
  device.run(mark_kernel, bricks, mark);
  Weather numbers = numbers_;
  numbers.step_seed = 0;
  if (anew) {
    device::Arguments count;
    count.add(b).add(numbers).add(plan_).add(table_).add(terrain().bits_buffer()).add(stale_);
    count.add(terrain().words_buffer()).add(active_);
    run_bricks(air_kernel, count);
  }
  device::Arguments added;
  added.add(b).add(numbers).add(plan_).add(runs_).add(table_).add(terrain().bits_buffer());
  added.add(gone_).add(stale_).add(terrain().words_buffer()).add(active_);
  run_bricks(add_kernel, added);
  device::Arguments clear;
  clear.add(b).add(gone_).add(changed_);
  device.run(clear_kernel, bricks, clear);
}

void Weathering::terrain_changed(const Box& box) {
  // Where the terrain was changed more than once, refresh() takes it all up.
  if (terrain().revision() - seen_revision_ > 1) return;
  seen_revision_ = terrain().revision();
  columns_known_ = false;
  const VoxelBox& b = terrain().box();
  const std::array<int, 3> low{box.x, box.y, box.z};
  const std::array<int, 3> high{box.x + box.width, box.y + box.height, box.z + box.depth};
  std::vector<std::uint32_t> changes(static_cast<std::size_t>(terrain().bricks()));
  for (int bz = low[2] / BRICK_Z; bz * BRICK_Z < high[2]; ++bz)
    for (int by = low[1] / BRICK_Y; by * BRICK_Y < high[1]; ++by)
      for (int bx = low[0] / BRICK_X; bx * BRICK_X < high[0]; ++bx)
        changes[static_cast<std::size_t>(brick_index(b, bx, by, bz))] =
            CHANGED_ANEW | 1U |
            felt(low[0], high[0], bx * BRICK_X, BRICK_X, numbers_.reach_x) << 1 |
            felt(low[1], high[1], by * BRICK_Y, BRICK_Y, numbers_.reach_y) << 3 |
            felt(low[2], high[2], bz * BRICK_Z, BRICK_Z, numbers_.reach_z) << 5;
  terrain().device().write(*changed_, 0, changes.data(), changes.size() * sizeof changes[0]);
  recount(true);
}

void Weathering::run(Voxels& /*terrain*/, const StepContext& context) {
  refresh();
  numbers_.step_seed = step_seed(context, weathering_salt);
  field_->prepare(context.step + 1);
  numbers_.regions = field_->kinds();
  device::Arguments a;
  a.add(terrain().box()).add(numbers_).add(table_).add(rates_).add(active_);
  a.add(terrain().words_buffer()).add(terrain().bits_buffer()).add(gone_).add(changed_);
  a.add(parameters_.colluvium ? fallen_ : stale_);
  for (const device::BufferPtr* part : {&field_->bricks(), &field_->words(), &field_->columns()})
    *part ? a.add(*part) : a.add_unused(stale_);
  a.add(tally_);
  run_bricks(weather_kernel, a);
  check_stability(context.step);
  if (parameters_.colluvium) drop(context);
  recount(parameters_.colluvium || stability_ || numbers_.anew != 0);
}

Weathering::Activity Weathering::activity() const {
  const auto bricks = static_cast<std::size_t>(terrain().bricks());
  std::vector<std::uint32_t> rows(bricks * ACTIVE_WORDS), stale(bricks);
  terrain().device().read(*active_, 0, rows.data(), rows.size() * sizeof rows[0]);
  terrain().device().read(*stale_, 0, stale.data(), stale.size() * sizeof stale[0]);
  Activity found;
  for (std::size_t brick = 0; brick < bricks; ++brick) {
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(brick * ACTIVE_WORDS);
    found.weathering += std::any_of(first, first + ACTIVE_WORDS, [](auto w) { return w != 0; });
    found.recounted += stale[brick] != 0;
  }
  return found;
}

void Weathering::set_regions(std::vector<WeatherRegion> regions) {
  if (field_) field_->set(regions);
  regions_ = std::move(regions);
}

void Weathering::check_stability(std::uint64_t step) {
  if (!stability_ || (step + 1) % stability_every_ != 0) return;
  const StabilityCheck::Cut cut = stability_->take(table_, changed_, fallen_);
  booked_.cut_off += cut.rock + cut.loose;
  booked_.cut_amount += cut.amount;
}

// ---- colluvium -----------------------------------------------------------------------------

Colluvium Weathering::colluvium_numbers(const StepContext& context) const {
  Colluvium p{};
  const double slope = tangent_of_degrees(parameters_.repose);
  const auto fall = [&](double r) {
    return static_cast<int>(std::lround(slope * r * COLLUVIUM_ONE));
  };
  for (int r = 1; r <= COLLUVIUM_SIGHT; ++r) {
    p.axis[r] = fall(r);
    p.diagonal[r] = fall(r * std::sqrt(2.0));
  }
  p.material = loose_material_;
  p.seed = step_seed(context, colluvium_salt);
  return p;
}

void Weathering::need_tokens(std::size_t count) {
  const std::size_t bytes = count * sizeof(std::uint32_t);
  if (origins_ && origins_->bytes() >= bytes) return;
  for (device::BufferPtr* buffer : {&origins_, &places_, &heights_, &amounts_}) {
    buffer->reset();
    *buffer = terrain().device().allocate(bytes + bytes / 4);
  }
}

void Weathering::drop(const StepContext& context) {
  device::Device& device = terrain().device();
  const VoxelBox& b = terrain().box();
  const Range words{0, 0, b.bricks_x, b.ny};
  std::array<std::uint32_t, COLLUVIUM_COUNTERS> counters{};
  device.write(*counters_, 0, counters.data(), sizeof counters);
  device::Arguments fall;
  fall.add(b)
      .add(columns_known_ ? 0 : 1)
      .add(table_)
      .add(terrain().words_buffer())
      .add(terrain().bits_buffer())
      .add(fallen_);
  fall.add(changed_).add(columns_).add(counters_);
  device.run(fall_kernel, words, fall);
  columns_known_ = true;
  device.read(*counters_, 0, counters.data(), sizeof counters);
  rounds_ = 0;
  if (counters[COLLUVIUM_FOUND] == 0) return;
  need_tokens(counters[COLLUVIUM_FOUND]);
  device::Arguments gather;
  gather.add(b).add(terrain().words_buffer()).add(fallen_).add(changed_).add(columns_);
  gather.add(counters_).add(origins_).add(places_).add(heights_).add(amounts_);
  device.run(gather_kernel, words, gather);
  Colluvium numbers = colluvium_numbers(context);
  numbers.tokens = static_cast<int>(counters[COLLUVIUM_FOUND]);
  do {
    for (int i = 0; i < rounds_at_once; ++i) run_round(numbers);
    device.read(*counters_, 0, counters.data(), sizeof counters);
    rounds_ += rounds_at_once;
    if (rounds_ > most_rounds) throw Error("colluvium does not come to rest");
  } while (counters[COLLUVIUM_LIVE] > 0);
  booked_.left += counters[COLLUVIUM_LEFT];
  booked_.left_amount += counters[COLLUVIUM_LEFT_AMOUNT] +
                         (static_cast<long long>(counters[COLLUVIUM_LEFT_CARRY]) << 32);
}

void Weathering::run_round(const Colluvium& numbers) {
  device::Device& device = terrain().device();
  const VoxelBox& b = terrain().box();
  const Range tokens{0, 0, TOKENS_IN_ROW, (numbers.tokens + TOKENS_IN_ROW - 1) / TOKENS_IN_ROW};
  device::Arguments clear;
  clear.add(b).add(claims_).add(counters_);
  device.run(round_clear_kernel, Range{0, 0, b.nx, b.ny}, clear);
  device::Arguments claim;
  claim.add(b).add(numbers).add(columns_).add(origins_).add(places_).add(heights_).add(amounts_);
  claim.add(claims_).add(counters_);
  device.run(claim_kernel, tokens, claim);
  device::Arguments move;
  move.add(b).add(numbers).add(columns_).add(origins_).add(places_).add(heights_).add(amounts_);
  move.add(claims_).add(counters_);
  device.run(move_kernel, tokens, move);
  device::Arguments place;
  place.add(b).add(numbers).add(places_).add(heights_).add(amounts_);
  place.add(terrain().words_buffer()).add(terrain().bits_buffer()).add(changed_).add(columns_);
  device.run(place_kernel, tokens, place);
}

// ---- ledger --------------------------------------------------------------------------------

Weathering::Booked Weathering::booked() const {
  std::vector<std::int64_t> tally(static_cast<std::size_t>(terrain().bricks()) * 4);
  terrain().device().read(*tally_, 0, tally.data(), tally.size() * sizeof tally[0]);
  Booked all = booked_;
  for (std::size_t i = 0; i < tally.size(); i += 4) {
    all.rock_gone += tally[i];
    all.loose_gone += tally[i + 1];
    all.worn += tally[i + 2];
  }
  return all;
}

void Weathering::set_booked(const Booked& booked) {
  const std::vector<std::int64_t> none(static_cast<std::size_t>(terrain().bricks()) * 4);
  terrain().device().write(*tally_, 0, none.data(), none.size() * sizeof none[0]);
  booked_ = booked;
}

void Weathering::visit(StateVisitor& visitor) {
  Booked b = booked();
  visitor.integer("booked.rock_gone", b.rock_gone);
  visitor.integer("booked.loose_gone", b.loose_gone);
  visitor.integer("booked.worn", b.worn);
  visitor.integer("booked.left", b.left);
  visitor.integer("booked.left_amount", b.left_amount);
  visitor.integer("booked.cut_off", b.cut_off);
  visitor.integer("booked.cut_amount", b.cut_amount);
  if (visitor.restores()) set_booked(b);
}

void Weathering::book(WeatheringLedger& ledger) const {
  const Booked all = booked();
  ledger.deleted += all.loose_gone + (parameters_.colluvium ? 0 : all.rock_gone + all.cut_off);
  ledger.cut_off += all.cut_off;
  ledger.cut_amount += parameters_.colluvium ? 0 : all.cut_amount;
  ledger.left += all.left;
  ledger.worn += all.worn;
  ledger.renewed += parameters_.colluvium ? all.rock_gone * static_cast<long long>(VOXEL_FULL) : 0;
  ledger.left_amount += all.left_amount;
}

SCREE_PROCESS(weathering) {
  ProcessKind kind{.name = "weathering",
                   .title = "Weathering of voxels",
                   .help = "rock wears where air surrounds it, falls, and piles up",
                   .parameters = AnyParameters(WeatheringParameters{})};
  kind.terrain = VoxelProcess::terrain_kind;
  kind.order = 60;
  kind.takes_every = false;
  kind.make[kind.terrain] = [](const ProcessSet& set) -> AnyProcessPtr {
    if (!set.on("weathering")) return nullptr;
    const ProcessSettings& settings = set["weathering"];
    return std::make_unique<Weathering>(settings.plan_as<WeatheringPlan>("weathering"),
                                        settings.as<WeatheringParameters>());
  };
  return kind;
}

}  // namespace scree
