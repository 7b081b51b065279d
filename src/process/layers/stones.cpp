#include "process/layers/stones.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "base/angle.h"
#include "base/error.h"
#include "process/core/registry.h"
#include "process/core/state.h"
#include "process/layers/slippage.h"

namespace scree {
namespace {

constexpr std::uint32_t stones_salt = 0x570e5001U, strewn_salt = 0x3d2f1b07U;
constexpr device::Kernel stones_kernel{"stones", "kernel/layers/stones.h"};

Stone made(const LayerShape& s, const StoneParameters& p) {
  // Whole cells of the width, of which the first one's middle is at half a cell.
  const auto place = [](double share, int cells) {
    const double at = std::clamp(share * cells - 0.5, 0.0, cells - 1.0);
    return static_cast<int>(std::floor(at * STONE_PARTS + 0.5));
  };
  Stone stone{};
  stone.x = place(p.x, s.width);
  stone.y = place(p.y, s.height);
  stone.radius = static_cast<float>(p.radius);
  stone.mass = static_cast<float>(p.density * (4.0 / 3 * pi) * p.radius * p.radius * p.radius);
  stone.level = LAYER_SKY;
  return stone;
}

// Millimetres at any distance.
std::string digits(double value) {
  std::array<char, 32> buffer{};
  const int length = std::snprintf(buffer.data(), buffer.size(), "%.9g", value);
  return {buffer.data(), static_cast<std::size_t>(length)};
}

}  // namespace

Stones::Stones(StonesParameters parameters, std::vector<StoneParameters> listed, StoneGround ground)
    : parameters_(std::move(parameters)), listed_(std::move(listed)), ground_(std::move(ground)) {
  if (!(parameters_.least_radius > 0) || !(parameters_.most_radius >= parameters_.least_radius))
    throw UsageError(text("stones: least_radius = ", parameters_.least_radius,
                          " and most_radius = ", parameters_.most_radius,
                          ": expected more than 0, and no less"));
  if (parameters_.count != std::floor(parameters_.count))
    throw UsageError(text("stones: count = ", parameters_.count, ": expected a whole number"));
  for (const StoneParameters& stone : listed_)
    if (!(stone.radius > 0) || !(stone.density > 0) || !(stone.x >= 0 && stone.x <= 1) ||
        !(stone.y >= 0 && stone.y <= 1))
      throw UsageError(text("a stone of radius ", stone.radius, " m at ", stone.x, ", ", stone.y,
                            ": expected more than 0 m, and 0 to 1"));
}

std::vector<StoneMaterial> Stones::table(const Layers& terrain, double seconds) const {
  const std::vector<LayerMaterial> slides = Slippage::table(terrain, ground_.rule, seconds);
  std::vector<StoneMaterial> table(LAYER_MATERIALS);
  for (std::size_t i = 0; i < terrain.materials().size(); ++i) {
    const Material& m = terrain.materials()[i];
    StoneMaterial& entry = table[i + 1];
    entry.slides = slides[i + 1];
    entry.weight = static_cast<float>(m.density * terrain.shape().quantum);
    if (m.fluid || !ground_.slides)  // runs away under it, or stays
      entry.slides.share_x = entry.slides.share_y = entry.slides.share_d = 0;
  }
  return table;
}

void Stones::prepare(Layers& terrain) {
  device_ = terrain.device_ptr();
  const std::uint32_t strewn = step_seed({.seed = seed}, strewn_salt);
  std::vector<Stone> all;
  for (const StoneParameters& stone : listed_) all.push_back(made(terrain.shape(), stone));
  for (int i = 0; i < static_cast<int>(parameters_.count); ++i) {
    const std::uint32_t h = cell_hash(strewn, i, 0);
    const auto share = [&](std::uint32_t which) { return static_cast<double>(draw(h, which)); };
    StoneParameters stone;
    stone.x = share(SCREE_DRAW_A);
    stone.y = share(SCREE_DRAW_B);
    // Small ones are many.
    const double large = share(SCREE_DRAW_C);
    // Of broken rock there is a quarter as much twice as large (Turcotte 1986, with a fractal
    // dimension of 2).
    const double least = parameters_.least_radius, most = parameters_.most_radius;
    stone.radius = 1 / std::sqrt((1 - large) / (least * least) + large / (most * most));
    stone.density = parameters_.density;
    all.push_back(made(terrain.shape(), stone));
  }
  count_ = all.size();
  table_ = {};
  stones_ = device_->allocate(std::max<std::size_t>(count_, 1) * sizeof(Stone));
  if (count_ > 0) device_->write(*stones_, 0, all.data(), count_ * sizeof(Stone));
}

StoneStep Stones::numbers(const Layers& terrain, const StepContext& context) const {
  StoneStep p{};
  p.step_seed = step_seed(context, stones_salt);
  p.grip = static_cast<float>(parameters_.grip);
  // Where time is counted in steps, so it is here.
  const double seconds = ground_.rule.rate > 0 ? context.dt * ground_.every : 1;
  p.creep = static_cast<float>(parameters_.creep * seconds);
  p.dx = static_cast<float>(terrain.shape().dx);
  p.dy = static_cast<float>(terrain.shape().dy);
  p.diagonal = static_cast<float>(length_of(terrain.shape().dx, terrain.shape().dy));
  p.quanta = static_cast<float>(1 / terrain.shape().quantum);
  p.slopes = Slippage::slopes(terrain.shape());
  p.published = ground_.rule.published ? 1 : 0;
  return p;
}

void Stones::run(Layers& terrain, const StepContext& context) {
  if (count_ == 0 || context.step % static_cast<std::uint64_t>(ground_.every) != 0) return;
  table_.set(*device_, context.dt * ground_.every,
             [&](double seconds) { return table(terrain, seconds); });
  device::Arguments a;
  a.add(terrain.grid()).add(numbers(terrain, context)).add(table_.buffer());
  a.add(terrain.front()).add(terrain.tops_front()).add(stones_);
  device_->run(stones_kernel, Range{0, 0, static_cast<int>(count_), 1}, a);
}

std::vector<Stone> Stones::stones() const {
  std::vector<Stone> all(count_);
  if (count_ > 0) device_->read(*stones_, 0, all.data(), count_ * sizeof(Stone));
  return all;
}

void Stones::visit(StateVisitor& visitor) {
  static_assert(sizeof(Stone) == 24);
  visitor.array<Stone>(
      "stones", count_, [&] { return stones(); },
      [&](const std::vector<Stone>& kept) {
        if (count_ > 0) device_->write(*stones_, 0, kept.data(), count_ * sizeof(Stone));
      });
}

std::map<std::string, long long> Stones::counts() const {
  const std::vector<Stone> all = stones();
  const auto rest =
      std::count_if(all.begin(), all.end(), [](const Stone& s) { return s.still >= rest_after; });
  return {{"stones", static_cast<long long>(all.size())}, {"stones_at_rest", rest}};
}

std::vector<Stones::Boulder> Stones::list(const Layers& terrain, const std::vector<Stone>& stones) {
  const LayerShape& s = terrain.shape();
  // Where a stone lies is no matter of parameters.
  const StoneStep step = Stones().numbers(terrain, {});
  const std::vector<std::uint32_t> words = terrain.words();
  const std::vector<LayerTop> tops = terrain.tops();
  std::vector<Boulder> all;
  for (const Stone& stone : stones) {
    const int level = place_of_stone(terrain.grid(), step, words.data(), tops.data(), stone).level;
    all.push_back({(stone.x / (1.0 * STONE_PARTS) + 0.5) * s.dx,
                   (s.height - 0.5 - stone.y / (1.0 * STONE_PARTS)) * s.dy,
                   static_cast<double>(static_cast<float>(s.datum + level * s.quantum)),
                   static_cast<double>(stone.radius), static_cast<double>(stone.mass),
                   stone.still >= rest_after});
  }
  return all;
}

std::string Stones::csv(const Layers& terrain) const {
  std::string lines = "x,y,height,radius,mass,at_rest\n";
  for (const Boulder& b : list(terrain))
    lines += text(digits(b.x), ",", digits(b.y), ",", digits(b.height), ",", digits(b.radius), ",",
                  digits(b.mass), ",", b.at_rest ? 1 : 0, "\n");
  return lines;
}

std::string Stones::json(const Layers& terrain) const {
  std::string lines;
  for (const Boulder& b : list(terrain))
    lines += text(lines.empty() ? "[\n" : ",\n", R"(  {"x": )", digits(b.x), R"(, "y": )",
                  digits(b.y), R"(, "height": )", digits(b.height), R"(, "radius": )",
                  digits(b.radius), R"(, "mass": )", digits(b.mass), R"(, "at_rest": )",
                  b.at_rest ? "true" : "false", "}");
  return (lines.empty() ? "[" : lines) + "\n]\n";
}

SCREE_PROCESS(stones) {
  ProcessKind kind{.name = "stones",
                   .title = "Stones",
                   .help = "boulders that sliding layers take along until both rest",
                   .order = 39,
                   .takes_every = false,
                   .parameters = AnyParameters(StonesParameters{})};
  kind.lists.emplace("stone", StoneParameters{});
  kind.terrain = "layers";
  kind.make[kind.terrain] = [](const ProcessSet& set) -> AnyProcessPtr {
    if (!set.on("stones")) return nullptr;
    const ProcessSettings& slippage = set["slippage"];
    const StoneGround ground{slippage.enabled, slippage.every, slippage.as<SlippageParameters>()};
    return std::make_unique<Stones>(set["stones"].as<StonesParameters>(),
                                    set["stones"].list<StoneParameters>("stone"), ground);
  };
  return kind;
}

}  // namespace scree
