// Rectangles of columns, read and written: as on plain stacks, booked, and heard of by what is kept
// about all of them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "process/core/state.h"
#include "process/layers/layer_simulation.h"
#include "process/layers/slippage.h"
#include "testing.h"

namespace scree::testing {
namespace {

enum : int { air = 0, rock = 1, sand = 2, clay = 3, brine = 4 };

std::vector<Material> materials() {
  return {{.name = "rock", .talus = 60, .dust = 2},
          {.name = "sand", .talus = 30, .strength = 1, .loose = true},
          {.name = "clay", .talus = 20, .strength = 1, .loose = true},
          {.name = "brine", .talus = 1, .fluid = true}};
}

LayerShape shape_of(int width, int height) {
  LayerShape shape;
  shape.width = width, shape.height = height;
  shape.quantum = 0.125;
  shape.datum = -10;
  return shape;
}

Box any_box(int width, int height) {
  Box box;
  box.x = *rc::gen::inRange(0, width), box.width = *rc::gen::inRange(1, width - box.x + 1);
  box.y = *rc::gen::inRange(0, height), box.height = *rc::gen::inRange(1, height - box.y + 1);
  return box;
}

// As it is kept: no two layers of one material upon each other, none without thickness, no void
// under the sky.
Stack tidy(const Stack& stack) {
  Stack kept;
  for (const Layer& layer : stack) {
    if (layer.quanta == 0) continue;
    if (!kept.empty() && kept.back().material == layer.material)
      kept.back().quanta += layer.quanta;
    else
      kept.push_back(layer);
  }
  while (!kept.empty() && kept.back().material == air) kept.pop_back();
  return kept;
}

Stack any_stack(int most_layers) {
  Stack stack;
  for (int k = *rc::gen::inRange(0, most_layers + 1); k > 0; --k)
    stack.push_back({*rc::gen::inRange(0, 5), *rc::gen::inRange(0, 400)});
  return stack;
}

long long height_of(const Stack& stack) {
  long long height = 0;
  for (const Layer& layer : stack) height += layer.quanta;
  return height;
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

// What the front holds is what the same stacks make in a new terrain.
bool is_like_new(const Layers& terrain, const std::vector<Stack>& stacks) {
  Layers anew(terrain.device_ptr(), terrain.shape(), terrain.materials());
  anew.set_stacks(stacks);
  const std::vector<LayerTop> tops = terrain.tops(), expected = anew.tops();
  for (std::size_t i = 0; i < tops.size(); ++i)
    if (tops[i].height != expected[i].height || tops[i].about != expected[i].about) return false;
  return terrain.stacks() == anew.stacks() && terrain.hash() == anew.hash() &&
         terrain.totals() == anew.totals() && (anew.without_voids() || !terrain.without_voids());
}

TEST(WriteLayers, AnyRectangleIsAsOnPlainStacks) {
  EXPECT_TRUE(rc::check([] {
    const std::vector<Backend>& all = all_backends();
    const Backend& backend = all[*rc::gen::inRange<std::size_t>(0, all.size())];
    const int width = *rc::gen::inRange(1, 24), height = *rc::gen::inRange(1, 12);
    Layers terrain(backend.device, shape_of(width, height), materials());
    std::vector<Stack> plain(terrain.shape().cells());
    for (Stack& stack : plain) stack = tidy(any_stack(3));
    terrain.set_stacks(plain);
    for (int round = 0; round < 4; ++round) {
      const Box box = any_box(width, height);
      const std::vector<long long> totals = terrain.totals(), booked = terrain.edited();
      std::vector<Stack> stacks(box.cells());
      std::size_t changed = 0;
      for (int y = box.y; y < box.y + box.height; ++y)
        for (int x = box.x; x < box.x + box.width; ++x) {
          Stack& there = plain[terrain.box().index(x, y)];
          Stack& asked = stacks[box.index(x, y)];
          asked = *rc::gen::inRange(0, 3) == 0 ? there : any_stack(9);
          changed += asked != there ? 1 : 0;
          there = tidy(asked);
        }
      const Receipt receipt = terrain.write_stacks(box, stacks);
      RC_ASSERT(receipt.box == box);
      RC_ASSERT(receipt.changed == changed);
      RC_ASSERT(is_like_new(terrain, plain));
      for (std::size_t i = 0; i < stacks.size(); ++i) stacks[i] = tidy(stacks[i]);
      RC_ASSERT(terrain.stacks(box) == stacks);
      for (std::size_t m = 1; m < totals.size(); ++m) {
        const long long moved = terrain.totals()[m] - totals[m];
        const std::string& name = terrain.materials()[m - 1].name;
        RC_ASSERT(terrain.edited()[m] - booked[m] == moved);
        RC_ASSERT((receipt.edited.contains(name) ? receipt.edited.at(name) : 0) == moved);
      }
      RC_ASSERT(terrain.edited()[0] == 0);
    }
  }));
}

// Quantum by quantum: what lies lowest stays, and what is piled up is of one kind.
TEST(WriteLayers, AnyTopsAreDugAndPiledUp) {
  EXPECT_TRUE(rc::check([] {
    const int width = *rc::gen::inRange(1, 16), height = *rc::gen::inRange(1, 9);
    Layers terrain(cpu(), shape_of(width, height), materials());
    std::vector<Stack> plain(terrain.shape().cells());
    for (Stack& stack : plain) {
      stack = tidy(any_stack(5));
      if (stack.empty()) stack = {{rock, 8}};
    }
    terrain.set_stacks(plain);
    const bool named = *rc::gen::inRange(0, 2) == 1;
    const Box box = any_box(width, height);
    std::vector<double> metres(box.cells());
    const std::vector<long long> totals = terrain.totals();
    for (int y = box.y; y < box.y + box.height; ++y)
      for (int x = box.x; x < box.x + box.width; ++x) {
        Stack& there = plain[terrain.box().index(x, y)];
        const long long before = height_of(there);
        const int wanted = *rc::gen::inRange(0, 2000);
        metres[box.index(x, y)] = -10 + 0.125 * (wanted + *rc::gen::inRange(-49, 50) / 100.0);
        // Taken apart into layers of one quantum.
        std::vector<int> column;
        for (const Layer& layer : there)
          column.insert(column.end(), static_cast<std::size_t>(layer.quanta), layer.material);
        const int filling = named ? static_cast<int>(clay) : column.back();
        if (wanted != before) column.resize(static_cast<std::size_t>(wanted), filling);
        there.clear();
        for (const int material : column) there.push_back({material, 1});
        there = tidy(there);
      }
    const Receipt receipt = terrain.write_tops(box, metres, named ? "clay" : "");
    RC_ASSERT(is_like_new(terrain, plain));
    for (std::size_t m = 1; m < totals.size(); ++m) {
      const std::string& name = terrain.materials()[m - 1].name;
      RC_ASSERT(terrain.totals()[m] - totals[m] == terrain.edited()[m]);
      RC_ASSERT((receipt.edited.contains(name) ? receipt.edited.at(name) : 0) ==
                terrain.edited()[m]);
    }
  }));
}

TEST(WriteLayers, DiggingOpensAVoidAndPilingUpKeepsIt) {
  Layers terrain(cpu(), shape_of(2, 1), materials());
  const Stack cave{{rock, 80}, {air, 40}, {clay, 16}};
  terrain.set_stacks({cave, cave});
  // 3 m lie in the void: the roof goes, and the top is its floor.
  Receipt receipt = terrain.write_tops({0, 0, 0, 1, 1}, {3});
  EXPECT_EQ(terrain.stacks()[0], (Stack{{rock, 80}}));
  EXPECT_EQ(receipt.edited, (std::map<std::string, long long>{{"clay", -16}}));
  receipt = terrain.write_tops({1, 0, 0, 1, 1}, {8});
  EXPECT_EQ(terrain.stacks()[1], (Stack{{rock, 80}, {air, 40}, {clay, 24}}));
  receipt = terrain.write_tops({1, 0, 0, 1, 1}, {9}, "sand");
  EXPECT_EQ(terrain.stacks()[1], (Stack{{rock, 80}, {air, 40}, {clay, 24}, {sand, 8}}));
  EXPECT_EQ(receipt.edited, (std::map<std::string, long long>{{"sand", 8}}));
  receipt = terrain.write_tops({1, 0, 0, 1, 1}, {-10});
  EXPECT_EQ(terrain.stacks()[1], Stack{});
  EXPECT_EQ(terrain.edited(), (std::vector<long long>{0, -80, 0, -32, 0}));
}

TEST(WriteLayers, WhatCannotBeIsRefusedAsAWhole) {
  Layers terrain(cpu(), shape_of(3, 2), materials());
  const Stack ground{{rock, 80}, {sand, 8}};
  terrain.set_stacks({ground, ground, ground, ground, {}, ground});
  const std::uint64_t before = terrain.hash();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto tops = [&](const Box& box, const std::vector<double>& metres,
                        const std::string& material = {}) {
    const std::string words = refusal([&] { terrain.write_tops(box, metres, material); });
    EXPECT_EQ(terrain.hash(), before) << words;
    EXPECT_EQ(terrain.edited(), std::vector<long long>(5)) << words;
    return words;
  };
  const auto stacks = [&](const Box& box, const std::vector<Stack>& written) {
    const std::string words = refusal([&] { terrain.write_stacks(box, written); });
    EXPECT_EQ(terrain.hash(), before) << words;
    EXPECT_TRUE(terrain.without_voids()) << words;
    return words;
  };
  EXPECT_EQ(tops({0, 1, 0, 1, 1}, {-11}),
            "column 0, row 1: -11 m: expected -10 m, where all stacks begin, to 2.09714e+06 m with "
            "a quantum of 0.125 m");
  EXPECT_NE(tops({0, 1, 0, 1, 1}, {1e9}).find("1e+09 m: expected -10 m"), std::string::npos);
  EXPECT_EQ(tops({1, 0, 0, 2, 1}, {0, nan}), "column 2, row 0: nan: expected metres");
  EXPECT_EQ(tops({0, 1, 0, 2, 1}, {0, 0}),
            "column 1, row 1: nothing lies there: expected the name of a material to pile up");
  EXPECT_EQ(tops({0, 0, 0, 1, 1}, {5}, "snad"),
            "no material 'snad' lies in this terrain, did you mean 'sand'?");
  EXPECT_EQ(tops({2, 0, 0, 2, 1}, {0, 0}), "a box of 2x1 at 2,0: expected one within 3x2 at 0,0");
  EXPECT_EQ(tops({0, 0, 0, 2, 1}, {0}), "a box of 2 cells got 1 values");
  EXPECT_EQ(stacks({0, 0, 0, 2, 1}, {{{rock, 4}, {air, 5}, {rock, 1}}, {{7, 3}}}),
            "cell 1: a layer of material 7: there are 0 (void) to 4");
  EXPECT_EQ(stacks({1, 1, 0, 1, 1}, {{{rock, -3}}}),
            "cell 4: a layer of -3 quanta: expected 0 or more");
  EXPECT_NE(stacks({1, 1, 0, 1, 1}, {{{rock, 1 << 24}, {sand, 1}}}).find("cell 4: a column of"),
            std::string::npos);
  Stack many;
  for (int k = 0; k < 17; ++k) many.push_back({1 + k % 2, 5});
  EXPECT_EQ(stacks({1, 1, 0, 1, 1}, {many}),
            "the stack of column 1, row 1 has 17 layers: expected at most 16");
  EXPECT_THROW(terrain.stacks({0, 0, 0, 4, 1}), UsageError);
}

TEST(WriteLayers, EveryWayToWriteTellsOfVoidsAndOfTallStacks) {
  const auto flat = [](const Stack& stack) {
    Layers terrain(cpu(), shape_of(2, 2), materials());
    terrain.set_stacks(std::vector<Stack>(4, stack));
    return terrain;
  };
  Layers hollow = flat({{rock, 80}});
  EXPECT_TRUE(hollow.without_voids());
  hollow.write_stacks({1, 1, 0, 1, 1}, {{{rock, 40}, {air, 8}, {rock, 8}}});
  EXPECT_FALSE(hollow.without_voids());
  Layers wet = flat({{rock, 80}, {brine, 8}});
  EXPECT_TRUE(wet.without_voids());
  wet.write_tops({0, 0, 0, 1, 1}, {2});
  EXPECT_TRUE(wet.without_voids()) << "more of the same on top";
  wet.write_tops({0, 0, 0, 1, 1}, {3}, "clay");
  EXPECT_FALSE(wet.without_voids()) << "a fluid under clay may run out";
  Layers tall = flat({{rock, 80}});
  EXPECT_EQ(tall.usual_layers(), 1);
  tall.write_stacks({0, 0, 0, 1, 1},
                    {{{rock, 4}, {sand, 4}, {rock, 4}, {sand, 4}, {rock, 4}, {clay, 4}}});
  EXPECT_EQ(tall.usual_layers(), 6);
  EXPECT_GE(tall.grid().planes, 6);
}

std::vector<LayerProcessPtr> slides() {
  std::vector<LayerProcessPtr> processes;
  processes.push_back(std::make_unique<Slippage>(SlippageParameters{}));
  return processes;
}

std::vector<Stack> hills(const LayerShape& shape) {
  std::vector<Stack> stacks;
  for (int y = 0; y < shape.height; ++y)
    for (int x = 0; x < shape.width; ++x) {
      const int bump = (x * 7 + y * 13) % 29;
      stacks.push_back({{rock, 100 + 9 * bump}, {clay, 3 + bump}, {sand, 10 + bump % 5}});
    }
  return stacks;
}

// Towers and pits with voids, of more layers and of fewer than there were.
void edit(Layers& terrain, int round) {
  const Box tower{5 + round, 4, 0, 9, 6}, pit{20, 2 + round, 0, 12, 11};
  std::vector<Stack> stacks = terrain.stacks(tower);
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    Stack& stack = stacks[i];
    stack.push_back({air, 8 + static_cast<int>(i % 3)});
    for (int k = 0; k < 3; ++k) stack.push_back({k % 2 == 0 ? rock : sand, 30});
    if (stack.size() > 9) stack.resize(2);
  }
  terrain.write_stacks(tower, stacks);
  std::vector<double> metres(pit.cells());
  for (std::size_t i = 0; i < metres.size(); ++i) metres[i] = -9 + static_cast<double>(i % 7);
  terrain.write_tops(pit, metres, "clay");
}

// A terrain that was written to steps on as one that was made so, whatever its back holds.
TEST(WriteLayers, StepsAfterAWriteAreThoseOfATerrainMadeSo) {
  const LayerShape shape = shape_of(45, 19);
  for (const Backend& backend : all_backends()) {
    Layers terrain(backend.device, shape, materials());
    terrain.set_stacks(hills(shape));
    LayerSimulation simulation(terrain, slides(), {.dt = 1});
    for (int round = 0; round < 3; ++round) {
      simulation.run(5);
      edit(terrain, round);
      Layers twin(backend.device, shape, materials());
      twin.set_words(terrain.words());
      LayerSimulation other(twin, slides(), {.dt = 1});
      restore_state(other, save_state(simulation));
      for (int step = 0; step < 3; ++step) {
        simulation.step(), other.step();
        EXPECT_EQ(terrain.hash(), twin.hash()) << backend.label << ", round " << round;
      }
    }
    const LayerLedger ledger = simulation.ledger();
    long long start = 0, now = 0, edited = 0;
    for (const LayerBalance& balance : ledger.balances) start += balance.start, now += balance.now;
    for (const long long quanta : terrain.edited()) edited += quanta;
    EXPECT_NE(edited, 0);
    EXPECT_EQ(start + edited, now) << backend.label;
  }
}

// Somebody took the back, and left in it what he liked.
TEST(WriteLayers, ABackThatIsForgottenIsWrittenWhole) {
  const LayerShape shape = shape_of(45, 19);
  for (const Backend& backend : all_backends()) {
    Layers terrain(backend.device, shape, materials()), twin(backend.device, shape, materials());
    for (Layers* one : {&terrain, &twin}) {
      one->set_stacks(hills(shape));
      one->grow(LAYERS_MOST);  // more than columns have
    }
    LayerSimulation simulation(terrain, slides(), {.dt = 1}), other(twin, slides(), {.dt = 1});
    simulation.run(4), other.run(4);
    std::vector<std::uint32_t> anything(terrain.back()->bytes() / sizeof(std::uint32_t));
    for (std::size_t i = 0; i < anything.size(); ++i)
      anything[i] =
          layer_word(1U + static_cast<std::uint32_t>(i % 3), 5 + static_cast<int>(i % 11));
    backend.device->write(*terrain.back(), 0, anything.data(), terrain.back()->bytes());
    terrain.forget_back();
    for (int step = 0; step < 4; ++step) {
      simulation.step(), other.step();
      EXPECT_EQ(terrain.hash(), twin.hash()) << backend.label << ", step " << step;
    }
  }
}

TEST(WriteLayers, TheFieldsSayWhatTheyAre) {
  const Layers terrain(cpu(), shape_of(3, 2), materials());
  const Fields fields = terrain.fields();
  const FieldInfo& bed = field_of(fields, "bed");
  EXPECT_EQ(bed.quantum, 0.125);
  EXPECT_EQ(bed.offset, -10);
  EXPECT_TRUE(bed.writable);
  EXPECT_EQ(bed.shape, (Box{0, 0, 0, 3, 2, 1}));
  const FieldInfo& clay_field = field_of(fields, "thickness.clay");
  EXPECT_EQ(clay_field.name, "thickness of clay");
  EXPECT_EQ(clay_field.scale, 0.125);
  EXPECT_EQ(clay_field.offset, 0);
  EXPECT_FALSE(clay_field.writable);
  for (const FieldInfo& field : fields) EXPECT_NE(field.help, "") << field.id;
}

}  // namespace
}  // namespace scree::testing
