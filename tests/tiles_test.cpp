// A world cut into tiles that exchange halos gives the same bits as the whole.
#include <gtest/gtest.h>

#include <limits>

#include "process/heights/sheet.h"
#include "process/heights/thermal.h"
#include "process/heights/water.h"
#include "testing.h"

namespace scree::testing {
namespace {

struct Scene {
  std::string name;
  std::function<std::vector<ProcessPtr>()> processes;
};

// How a test's name shows its scene.
void PrintTo(const Scene& scene, std::ostream* out) { *out << scene.name; }

template <int neighbours>
WaterParameters wet() {
  WaterParameters p;
  p.neighbours = std::to_string(neighbours);
  p.rain = 3e-4;
  p.evaporation = 1e-3;
  return p;
}

template <int neighbours>
std::vector<ProcessPtr> water() {
  return process_list(std::make_unique<Water>(wet<neighbours>()));
}

template <int neighbours, char transport>
std::vector<ProcessPtr> hydraulic() {
  HydraulicParameters erosion;
  erosion.transport = transport == 'f' ? "flux" : (transport == 'e' ? "euler" : "maccormack");
  return process_list(
      std::make_unique<Water>(wet<neighbours>(), std::vector<SpringParameters>{}, erosion));
}

std::vector<ProcessPtr> thermal() {
  return process_list(std::make_unique<ThermalWeathering>(ThermalParameters{}));
}

std::vector<ProcessPtr> sheet() {
  SheetParameters film;
  film.rain = 0.2;
  film.evaporation = 0.1;
  film.rain_shape = "disc";
  film.rain_radius = 60;
  return process_list(std::make_unique<SheetErosion>(film));
}

// Everything that depends on where a cell is: drops, springs, shapes, wetness, tracking; and maps.
std::vector<ProcessPtr> everything() {
  WaterParameters rain = wet<8>();
  rain.drop_rain = 1e-3;
  rain.rain_shape = "strip";
  rain.rain_radius = 40;
  HydraulicParameters erosion;
  erosion.loosening = 0.5;
  erosion.soil_to_water = true;
  erosion.constants = "material";
  auto flow = std::make_unique<Water>(rain, std::vector<SpringParameters>(1), erosion);
  flow->track = true;
  ThermalParameters slopes;
  slopes.wetness_influence = 1;
  auto talus = std::make_unique<ThermalWeathering>(slopes);
  talus->every = 2;
  talus->track = true;
  return process_list(std::move(flow), std::move(talus));
}

std::vector<Scene> scenes() {
  std::vector<Scene> all = {{"water4", water<4>},
                            {"water8", water<8>},
                            {"flux4", hydraulic<4, 'f'>},
                            {"flux8", hydraulic<8, 'f'>},
                            {"euler4", hydraulic<4, 'e'>},
                            {"euler8", hydraulic<8, 'e'>},
                            {"maccormack4", hydraulic<4, 'm'>},
                            {"maccormack8", hydraulic<8, 'm'>},
                            {"thermal", thermal},
                            {"sheet", sheet},
                            {"everything", everything}};
  for (const std::string& name : further_processes())
    all.push_back({name, [=] { return standard_process(name); }});
  return all;
}

struct Shape {
  int width, height;
  double dx, dy;
  int columns, rows;
};
const Shape shapes[] = {{37, 29, 4, 7, 2, 2}, {50, 64, 5, 5, 3, 2}};

const Borders sides[] = {
    Borders::all(BorderKind::open),
    Borders::all(BorderKind::closed),
    Borders::all(BorderKind::wrap),
    Borders::all(BorderKind::level, 25),
    {BorderKind::wrap, BorderKind::wrap, BorderKind::open, BorderKind::level, 20},
    {BorderKind::open, BorderKind::closed, BorderKind::wrap, BorderKind::wrap, 0}};

std::unique_ptr<Heightfield> whole(const device::DevicePtr& device, const Shape& shape,
                                   const Borders& borders) {
  std::vector<float> heights = rough_heights(shape.width, shape.height, 60, 13);
  // Nodata that lies across a seam.
  for (int x = 15; x < 22; ++x)
    heights[static_cast<std::size_t>(14 * shape.width + x)] =
        std::numeric_limits<float>::quiet_NaN();
  auto terrain = std::make_unique<Heightfield>(
      device, HeightfieldShape{shape.width, shape.height, shape.dx, shape.dy}, heights, borders);
  terrain->set_values("water", field_of(shape.width, shape.height,
                                        [](int x, int y) { return (x + y) % 7 == 0 ? 1 : 0; }));
  return terrain;
}

class Tiles : public ::testing::TestWithParam<Scene> {};

TEST_P(Tiles, GiveTheBitsOfTheWhole) {
  for (const Shape& shape : shapes)
    for (const Borders& borders : sides) {
      // A seam that shows does so at once, and for good. One run is so long that it looks at its
      // deepest water less often, too.
      const bool first = &shape == &shapes[0] && &borders == &sides[0];
      const std::uint64_t steps = first ? 300 : 100;
      for (const Backend& backend : all_backends()) {
        SCOPED_TRACE(backend.label + " at " + std::to_string(shape.width));
        auto terrain = whole(backend.device, shape, borders);
        if (GetParam().name == "everything") add_maps(*terrain);
        Landscape cut(*terrain, shape.columns, shape.rows);
        Landscape single(std::move(terrain));
        Simulation a(single, GetParam().processes()), b(cut, GetParam().processes());
        a.run(steps);
        b.run(steps);
        for (const std::string& name : single.single().field_names())
          EXPECT_EQ(single.hash(name), cut.hash(name))
              << name << " west " << static_cast<int>(borders.west) << " north "
              << static_cast<int>(borders.north);
        const Ledger one = a.ledger(), many = b.ledger();
        EXPECT_EQ(one.rained, many.rained);
        EXPECT_EQ(one.evaporated, many.evaporated);
        EXPECT_EQ(one.water_left, many.water_left);
        EXPECT_EQ(one.solids_left, many.solids_left);
        EXPECT_EQ(one.advected, many.advected);
        EXPECT_EQ(many.water_error(), 0);
        EXPECT_EQ(many.solids_error(), 0);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Processes, Tiles, ::testing::ValuesIn(scenes()),
                         [](const auto& param_info) { return param_info.param.name; });

}  // namespace
}  // namespace scree::testing
