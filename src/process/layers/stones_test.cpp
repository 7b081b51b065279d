// Stones ride on what slides, and stop where it does.
#include "process/layers/stones.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/error.h"
#include "process/core/registry.h"
#include "process/layers/layer_simulation.h"
#include "process/layers/slippage.h"
#include "testing.h"

namespace scree {
namespace {

enum : int { rock = 1, mud = 2 };
std::vector<Material> ground() {
  std::vector<Material> m(2);
  m[0].name = "rock", m[0].strength = 0, m[0].talus = 85;
  m[1].name = "mud", m[1].strength = 1, m[1].talus = 8, m[1].loose = true, m[1].density = 1800;
  return m;
}

LayerShape shape_of(int width, int height) {
  LayerShape shape;
  shape.width = width, shape.height = height;
  return shape;
}

// A slope of rock down to the east that ends in a plain, under mud in its upper half.
std::vector<Stack> slope(const LayerShape& shape, int mud_quanta) {
  std::vector<Stack> stacks;
  for (int i = 0; i < shape.width * shape.height; ++i) {
    const int x = i % shape.width, foot = shape.width * 2 / 3;
    Stack stack{{rock, 100 + std::max(foot - x, 0) * 300}};
    if (x < shape.width / 3) stack.push_back({mud, mud_quanta});
    stacks.push_back(stack);
  }
  return stacks;
}

StoneParameters stone_at(double x, double y, double radius, double density = 2700) {
  StoneParameters p;
  p.x = x, p.y = y, p.radius = radius, p.density = density;
  return p;
}

struct Sliding {
  std::unique_ptr<Layers> layers;
  std::unique_ptr<LayerSimulation> simulation;
  Stones* stones = nullptr;
};
Sliding on_ground(const device::DevicePtr& device, const LayerShape& shape,
                  const std::vector<Stack>& stacks, std::vector<StoneParameters> listed,
                  double strewn = 0, bool published = false) {
  Sliding run;
  run.layers = std::make_unique<Layers>(device, shape, ground());
  run.layers->set_stacks(stacks);
  StonesParameters parameters;
  parameters.count = strewn;
  SlippageParameters slippage;
  slippage.published = published;
  std::vector<LayerProcessPtr> processes;
  processes.push_back(
      std::make_unique<Stones>(parameters, std::move(listed), StoneGround{.rule = slippage}));
  processes.push_back(std::make_unique<Slippage>(slippage));
  run.stones = dynamic_cast<Stones*>(processes.front().get());
  run.simulation = std::make_unique<LayerSimulation>(*run.layers, std::move(processes));
  return run;
}
Sliding on_a_slope(const device::DevicePtr& device, const LayerShape& shape, int mud_quanta,
                   std::vector<StoneParameters> listed, double strewn = 0) {
  return on_ground(device, shape, slope(shape, mud_quanta), std::move(listed), strewn);
}

TEST(Stones, AreCarriedDownAndStop) {
  const LayerShape shape = shape_of(36, 5);
  Sliding run = on_a_slope(testing::cpu(), shape, 3000, {stone_at(0.25, 0.5, 1.2)});
  const Stones::Boulder start = run.stones->list(*run.layers)[0];
  EXPECT_NEAR(start.x, 9, 0.01);
  EXPECT_NEAR(start.y, 2.5, 0.01);
  EXPECT_NEAR(start.mass, 2700 * 4.0 / 3 * 3.14159 * 1.2 * 1.2 * 1.2, 1);
  run.simulation->run(300);
  const Stones::Boulder carried = run.stones->list(*run.layers)[0];
  EXPECT_GT(carried.x, start.x + 2);
  EXPECT_LT(carried.height, start.height - 0.5);
  EXPECT_NEAR(carried.y, 2.5, 1) << "straight down";
  EXPECT_FALSE(carried.at_rest);
  // The mud comes near its angle, and the stone to rest.
  run.simulation->run(2000);
  const Stones::Boulder late = run.stones->list(*run.layers)[0];
  EXPECT_TRUE(late.at_rest);
  run.simulation->run(300);
  const Stones::Boulder last = run.stones->list(*run.layers)[0];
  EXPECT_TRUE(last.at_rest);
  EXPECT_EQ(last.x, late.x);
  EXPECT_EQ(last.y, late.y);
}

// Those that were carried and those that never were; and they stay there while the mud creeps on.
TEST(Stones, AllComeToRestWhereASlopeDoes) {
  const LayerShape shape = shape_of(36, 12);
  Sliding run = on_a_slope(testing::cpu(), shape, 3000, {stone_at(0.25, 0.5, 1.2)}, 40);
  const std::vector<Stone> start = run.stones->stones();
  run.simulation->run(100);
  EXPECT_LT(run.stones->counts().at("stones_at_rest"), 41);
  run.simulation->run(2400);
  const std::vector<Stone> late = run.stones->stones();
  EXPECT_EQ(run.stones->counts().at("stones_at_rest"), 41);
  const std::uint64_t ground = run.layers->hash();
  run.simulation->run(200);
  EXPECT_NE(run.layers->hash(), ground);
  const std::vector<Stone> last = run.stones->stones();
  int carried = 0;
  for (std::size_t i = 0; i < last.size(); ++i) {
    EXPECT_NEAR(last[i].x, late[i].x, 0.01 * STONE_PARTS) << i;
    EXPECT_NEAR(last[i].y, late[i].y, 0.01 * STONE_PARTS) << i;
    carried += last[i].x > start[i].x + STONE_PARTS ? 1 : 0;
  }
  EXPECT_GT(carried, 10) << "by more than a cell";
}

TEST(Stones, LieStillOnWhatRests) {
  const LayerShape shape = shape_of(30, 7);
  Sliding run = on_a_slope(testing::cpu(), shape, 0,
                           {stone_at(0.2, 0.5, 2), stone_at(0.5, 0.2, 0.3), stone_at(1, 1, 5)});
  const std::vector<Stone> before = run.stones->stones();
  run.simulation->run(50);
  const std::vector<Stone> after = run.stones->stones();
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(after[i].x, before[i].x);
    EXPECT_EQ(after[i].y, before[i].y);
    EXPECT_EQ(after[i].still, 50U);
  }
  EXPECT_EQ(run.stones->counts().at("stones_at_rest"), 3);
}

TEST(Stones, HeavyOnesLagBehind) {
  const LayerShape shape = shape_of(48, 21);
  Sliding run = on_a_slope(testing::cpu(), shape, 2000,
                           {stone_at(0.25, 0.25, 1, 500), stone_at(0.25, 0.75, 1, 20000)});
  run.simulation->run(300);
  const std::vector<Stones::Boulder> all = run.stones->list(*run.layers);
  EXPECT_GT(all[0].x - 12, 1.5 * (all[1].x - 12));
  EXPECT_GT(all[1].x, 12.01);
}

// As the description goes, from stacks.
std::vector<Stone> moved_naively(const LayerShape& s, const std::vector<Stack>& stacks,
                                 std::vector<Stone> stones, const std::vector<StoneMaterial>& table,
                                 const StoneStep& p) {
  const auto top = [&](int x, int y) {
    int sum = 0;
    for (const Layer& layer : stacks[static_cast<std::size_t>(y * s.width + x)])
      sum += layer.quanta;
    return sum;
  };
  static constexpr int ways[][2] = {{1, 0}, {-1, 0},  {0, 1},  {0, -1},
                                    {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
  for (std::size_t i = 0; i < stones.size(); ++i) {
    Stone& stone = stones[i];
    const double at_x = stone.x / 65536.0, at_y = stone.y / 65536.0;
    const auto middle_x = static_cast<int>(std::floor(at_x + 0.5)),
               middle_y = static_cast<int>(std::floor(at_y + 0.5));
    float sum_x = 0, sum_y = 0, weight = 0, cells = 0;
    for (int y = 0; y < s.height; ++y)
      for (int x = 0; x < s.width; ++x) {
        const auto away_x = static_cast<float>(x - at_x) * p.dx,
                   away_y = static_cast<float>(y - at_y) * p.dy;
        const bool inside = away_x * away_x + away_y * away_y <= stone.radius * stone.radius;
        if (!inside && !(x == middle_x && y == middle_y)) continue;
        cells += 1;
        const Stack& stack = stacks[static_cast<std::size_t>(y * s.width + x)];
        if (stack.empty()) continue;
        const StoneMaterial& entry = table[static_cast<std::size_t>(stack.back().material)];
        const LayerMaterial& m = entry.slides;
        const auto thick = static_cast<float>(stack.back().quanta);
        float slide_x = 0, slide_y = 0;
        for (std::size_t side = 0; side < 8; ++side) {
          const int nx = x + ways[side][0], ny = y + ways[side][1];
          if (nx < 0 || ny < 0 || nx >= s.width || ny >= s.height || top(x, y) <= top(nx, ny))
            continue;
          // The ground's steepest slope, from what the edges around say.
          std::vector<int> around;
          for (const auto& way : ways)
            around.push_back(top(std::clamp(x + way[0], 0, s.width - 1),
                                 std::clamp(y + way[1], 0, s.height - 1)));
          std::vector<float> across(8);
          across_edges(p.slopes, top(x, y), around.data(), across.data());
          const float along = (side >= 4 ? 1 / std::sqrt(2.0F) : 1.0F) / p.dx *
                              static_cast<float>(top(x, y) - top(nx, ny));
          const float slope = along * along + across[side];
          if (slope <= m.steepest) continue;
          const float excess =
              static_cast<float>(top(x, y) - top(nx, ny)) -
              (across[side] > 0 ? along * (1 / std::sqrt(slope)) : 1) * (side >= 4  ? m.drop_d
                                                                         : side < 2 ? m.drop_x
                                                                                    : m.drop_y);
          if (excess <= 0) continue;
          const float amount = std::min((side >= 4  ? m.share_d
                                         : side < 2 ? m.share_x
                                                    : m.share_y) *
                                            excess,
                                        thick * 0.125F) /
                               thick;
          slide_x += amount * (p.dx * static_cast<float>(ways[side][0]));
          slide_y += amount * (p.dy * static_cast<float>(ways[side][1]));
        }
        sum_x += slide_x, sum_y += slide_y;
        weight += entry.weight * thick;
      }
    weight = weight / cells;
    const float own = stone.mass / (3.14159265F * stone.radius * stone.radius);
    const float taken = p.grip * (weight / std::max(weight + own, 1e-6F)) / cells;
    const std::uint32_t bits = cell_hash(p.step_seed, static_cast<int>(i), 0);
    const auto step = [&](float metres, float cell, std::uint32_t which) {
      const float parts = std::clamp(metres / cell * 65536, -32768.0F, 32768.0F);
      return static_cast<int>(std::nearbyint(parts + rounding(bits, which) * 0.999F));
    };
    const float way_x = sum_x * taken, way_y = sum_y * taken;
    stone.level = top(middle_x, middle_y);
    if (way_x * way_x + way_y * way_y <= p.creep * p.creep) {
      ++stone.still;
      continue;
    }
    stone.still = 0;
    stone.x = std::clamp(stone.x + step(way_x, p.dx, SCREE_DRAW_A), 0, (s.width - 1) * 65536);
    stone.y = std::clamp(stone.y + step(way_y, p.dy, SCREE_DRAW_B), 0, (s.height - 1) * 65536);
    stone.level = top((stone.x + 32768) / 65536, (stone.y + 32768) / 65536);
  }
  return stones;
}

bool same(const Stone& a, const Stone& b) {
  return std::tie(a.x, a.y, a.radius, a.mass, a.still, a.level) ==
         std::tie(b.x, b.y, b.radius, b.mass, b.still, b.level);
}

TEST(Stones, AgreeWithAWalkOverAllCells) {
  const LayerShape shape = shape_of(24, 13);
  Layers layers(testing::cpu(), shape, ground());
  layers.set_stacks(slope(shape, 1500));
  StonesParameters parameters;
  parameters.count = 30;
  Stones stones(parameters, {stone_at(0, 0, 3), stone_at(1, 0.5, 0.4)});
  Slippage slippage;
  stones.prepare(layers);
  slippage.prepare(layers);
  for (std::uint64_t step = 0; step < 40; ++step) {
    const StepContext context{1, step, 5};
    const std::vector<Stone> expected =
        moved_naively(shape, layers.stacks(), stones.stones(), stones.table(layers),
                      stones.numbers(layers, context));
    stones.run(layers, context);
    const std::vector<Stone> now = stones.stones();
    for (std::size_t i = 0; i < now.size(); ++i)
      ASSERT_TRUE(same(now[i], expected[i])) << step << ", stone " << i;
    slippage.run(layers, context);
  }
}

// Mud that slides east into a cave in a cliff, 12 m away, between two walls: its floor goes on
// down, and its ceiling is at 9 m.
constexpr int cliff = 12, ceiling = 9 * 1024;
std::vector<Stack> mouth(const LayerShape& shape, int first_row, int last_row) {
  std::vector<Stack> stacks;
  for (int i = 0; i < shape.width * shape.height; ++i) {
    const int x = i % shape.width, y = i / shape.width, floor = 6000 - 150 * x;
    Stack stack{{rock, floor}};
    if (x < cliff)
      stack.push_back({mud, 3000 - 200 * x});
    else if (y >= first_row && y <= last_row)
      stack.push_back({0, ceiling - floor});
    if (x >= cliff) stack.push_back({rock, 2 * ceiling - (stack.size() > 1 ? ceiling : floor)});
    stacks.push_back(stack);
  }
  return stacks;
}

TEST(Stones, SameBitsOnEveryBackendAndAfterAnInterruption) {
  LayerShape shape = shape_of(31, 17);
  shape.wrap_x = true;
  std::map<std::string, std::uint64_t> expected;
  for (const testing::Backend& backend : testing::all_backends()) {
    Sliding run = on_a_slope(backend.device, shape, 2500, {stone_at(0.1, 0.5, 4)}, 50);
    run.simulation->run(30);
    if (expected.empty()) expected = run.simulation->hashes();
    EXPECT_EQ(run.simulation->hashes(), expected) << backend.label;
  }
  std::uint64_t caves = 0;
  for (const testing::Backend& backend : testing::all_backends()) {
    Sliding run = on_ground(backend.device, shape, mouth(shape, 3, 9), {stone_at(0.2, 0.4, 1)}, 80);
    run.simulation->run(60);
    if (caves == 0) caves = run.simulation->hashes().at("stones.stones");
    EXPECT_EQ(run.simulation->hashes().at("stones.stones"), caves) << backend.label;
  }
  Sliding first = on_a_slope(testing::cpu(), shape, 2500, {stone_at(0.1, 0.5, 4)}, 50);
  first.simulation->run(13);
  Sliding second = on_a_slope(testing::cpu(), shape, 2500, {stone_at(0.1, 0.5, 4)}, 50);
  second.layers->set_words(first.layers->words());
  restore_state(*second.simulation, save_state(*first.simulation));
  second.simulation->run(17);
  EXPECT_EQ(second.simulation->hashes(), expected);
}

TEST(Stones, GoIntoACaveThatTheyFitInto) {
  struct Case {
    double radius;
    int first_row, last_row;
    bool goes;
  };
  // Higher than the mouth is, wider than it is, and neither.
  for (const Case& c : {Case{0.5, 0, 14, true}, Case{1.4, 6, 8, true}, Case{3.5, 0, 14, false},
                        Case{1.6, 6, 8, false}}) {
    const LayerShape shape = shape_of(30, 15);
    for (const bool published : {false, true}) {
      Sliding run = on_ground(testing::cpu(), shape, mouth(shape, c.first_row, c.last_row),
                              {stone_at(10.5 / 30, 0.5, c.radius, 100)}, 0, published);
      run.simulation->run(200);
      const Stones::Boulder stone = run.stones->list(*run.layers)[0];
      EXPECT_GT(stone.x, 10.6) << c.radius;
      EXPECT_EQ(stone.x > cliff, c.goes) << c.radius << ", at " << stone.x;
      EXPECT_LT(stone.height, 9) << "under the roof, or before it, and never up on it";
    }
  }
}

// Three cells wide, and six metres deep.
TEST(Stones, LieOverAPitThatIsNarrowerThanTheyAre) {
  const LayerShape shape = shape_of(15, 15);
  std::vector<Stack> stacks;
  for (int i = 0; i < 225; ++i) {
    const bool pit = std::abs(i % 15 - 7) < 2 && std::abs(i / 15 - 7) < 2;
    stacks.push_back({{rock, pit ? 1024 : 7 * 1024}});
  }
  std::vector<StoneParameters> listed;
  for (const double radius : {1.4, 1.6, 5.0})
    for (const double x : {6.5, 7.5, 8.5, 9.5}) listed.push_back(stone_at(x / 15, 0.5, radius));
  Sliding run = on_ground(testing::cpu(), shape, stacks, listed);
  const std::vector<double> expected{1, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7, 7};
  for (const int steps : {0, 20}) {
    run.simulation->run(static_cast<std::uint64_t>(steps));
    const std::vector<Stones::Boulder> all = run.stones->list(*run.layers);
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].height, expected[i]) << i;
  }
}

// A plane of mud that falls as far to the east as 2.4 times to the south: halfway between two edges
// of the lattice, over either of which it is less steep than it is.
struct OnAPlane {
  std::unique_ptr<Layers> layers;
  std::unique_ptr<LayerSimulation> simulation;
  Stones* stones = nullptr;
};
OnAPlane on_a_plane(const ProcessSet& set, double degrees, std::uint64_t seed = 1, double dt = 0) {
  const LayerShape shape = shape_of(16, 16);
  OnAPlane run;
  run.layers = std::make_unique<Layers>(testing::cpu(), shape, ground());
  const double slope = std::tan(degrees * 3.14159265 / 180) / shape.quantum;
  std::vector<Stack> stacks;
  for (int i = 0; i < 256; ++i)
    stacks.push_back({{rock, 100},
                      {mud, static_cast<int>(slope * (20 - 0.92388 * (i % 16) +
                                                      -0.38268 * static_cast<int>(i / 16)) +
                                             5000)}});
  run.layers->set_stacks(stacks);
  SimulationOptions options;
  options.seed = seed;
  options.dt = dt;
  auto processes = make_processes<LayerProcess>(set);
  for (const auto& process : processes)
    if (auto* stones = dynamic_cast<Stones*>(process.get())) run.stones = stones;
  run.simulation = std::make_unique<LayerSimulation>(*run.layers, std::move(processes), options);
  return run;
}
std::vector<int> places(const Stones& stones) {
  std::vector<int> all;
  for (const Stone& stone : stones.stones()) all.insert(all.end(), {stone.x, stone.y});
  return all;
}
ProcessSet strewn_on(const ProcessSet& ground) {
  ProcessSet set = ground;
  set.use("stones", "count", 6.0).use("stones", "creep", 0.0);
  return set;
}

TEST(Stones, StayWhereNothingSlides) {
  OnAPlane run = on_a_plane(strewn_on({}), 20);
  const std::vector<int> before = places(*run.stones);
  run.simulation->run(20);
  EXPECT_EQ(places(*run.stones), before);
  EXPECT_EQ(run.stones->counts().at("stones_at_rest"), 6);
}

TEST(Stones, MoveInTheStepsInWhichTheGroundSlides) {
  ProcessSet set = strewn_on(ProcessSet().use("slippage"));
  set["slippage"].every = 3;
  OnAPlane run = on_a_plane(set, 20);
  for (int step = 0; step < 60; ++step) {
    const std::vector<int> before = places(*run.stones);
    run.simulation->step();
    EXPECT_EQ(places(*run.stones) == before, step % 3 != 0) << step;
  }
  EXPECT_EQ(run.stones->counts().at("stones_at_rest"), 0);
}

// Where slopes have no rate, a step moves stones as it moves the ground, however long it stands
// for; where they have one, both go so far in a time.
TEST(Stones, AreCarriedAsFarAsTheGroundInAnyStep) {
  const auto placed = [](double rate, double dt, int every, std::uint64_t slides) {
    ProcessSet set = ProcessSet().use("slippage", "rate", rate).use("stones", "count", 6.0);
    set.use("stones", "creep", 0.0005)["slippage"].every = every;
    OnAPlane run = on_a_plane(set, 20, 1, dt);
    const std::vector<int> before = places(*run.stones);
    run.simulation->run((slides - 1) * static_cast<std::uint64_t>(every) + 1);
    std::vector<int> after = places(*run.stones);
    double way = 0;
    for (std::size_t i = 0; i < after.size(); ++i) way += std::abs(after[i] - before[i]);
    return way / STONE_PARTS;
  };
  const double usual = placed(0, 1, 1, 30);
  EXPECT_GT(usual, 0.5);
  EXPECT_EQ(placed(0, 300, 1, 30), usual);
  EXPECT_EQ(placed(0, 0.05, 1, 30), usual);
  EXPECT_GT(placed(0, 1, 7, 30), 0.5 * usual) << "other draws of chance";
  const double slow = placed(0.1, 1, 1, 30);
  EXPECT_GT(slow, 0.1);
  EXPECT_LT(slow, 0.8 * usual);
  EXPECT_NEAR(placed(0.1, 0.5, 1, 60), slow, 0.15 * slow);
}

// Its talus angle is 8 degrees: a plane of 8.4 slides, but none of its edges is as steep.
TEST(Stones, GoByTheSlopesByWhichTheGroundSlides) {
  for (const bool published : {false, true}) {
    OnAPlane run = on_a_plane(strewn_on(ProcessSet().use("slippage", "published", published)), 8.4);
    const std::vector<int> before = places(*run.stones);
    run.simulation->step();
    EXPECT_EQ(places(*run.stones) == before, published);
  }
  // As published, half of the largest difference, here that of a step to the south-east, goes all
  // the ways down.
  OnAPlane run = on_a_plane(strewn_on(ProcessSet().use("slippage", "published", true)), 20);
  const std::vector<int> before = places(*run.stones);
  run.simulation->run(30);
  const std::vector<int> after = places(*run.stones);
  for (std::size_t i = 0; i < after.size(); ++i) EXPECT_GT(after[i], before[i]) << i;
}

TEST(Stones, AreStrewnByTheSeedOfTheRun) {
  const ProcessSet set = strewn_on({});
  EXPECT_EQ(places(*on_a_plane(set, 20, 4).stones), places(*on_a_plane(set, 20, 4).stones));
  EXPECT_NE(places(*on_a_plane(set, 20, 4).stones), places(*on_a_plane(set, 20, 5).stones));
}

// A quarter as many are at least twice as large, as far as the largest lets them.
TEST(Stones, SmallOnesAreMany) {
  StonesParameters strewn;
  strewn.count = 4000;
  strewn.least_radius = 0.5;
  strewn.most_radius = 50;
  const Sliding run = on_a_slope(testing::cpu(), shape_of(4, 4), 0, {stone_at(0.5, 0.25, 1)});
  Stones stones(strewn);
  stones.prepare(*run.layers);
  int small = 0, twice = 0, four = 0;
  for (const Stone& stone : stones.stones()) {
    small += stone.radius >= 0.5F ? 1 : 0;
    twice += stone.radius >= 1 ? 1 : 0;
    four += stone.radius >= 2 ? 1 : 0;
  }
  EXPECT_EQ(small, 4000);
  EXPECT_NEAR(twice, 1000, 120);
  EXPECT_NEAR(four, 250, 60);
}

TEST(Stones, AreListed) {
  const LayerShape shape = shape_of(4, 4);
  Sliding run = on_a_slope(testing::cpu(), shape, 0, {stone_at(0.5, 0.25, 1)});
  const std::string csv = run.stones->csv(*run.layers);
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "x,y,height,radius,mass,at_rest");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 2);
  ProcessSet set;
  set.use("stones", "count", 7.0);
  set["stones"].lists["stone"].emplace_back(StoneParameters{});
  const auto made = make_processes<LayerProcess>(set);
  ASSERT_EQ(made.size(), 1U);
  made[0]->prepare(*run.layers);
  EXPECT_EQ(made[0]->counts().at("stones"), 8);
  EXPECT_THROW(Stones({}, {stone_at(0.5, 2, 1)}), UsageError);
}

}  // namespace
}  // namespace scree
