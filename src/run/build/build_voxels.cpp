#include "run/build/build_voxels.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "run/build/voxel_sources.h"

namespace scree {
namespace {

std::vector<Bubble::Offset> offsets_of(const BubbleSettings& s, double cell) {
  const double radius = s.radius.voxels(cell);
  if (s.shape == "offsets") return s.offsets;
  if (s.shape == "disc")
    return disc_offsets(radius, s.half_height ? s.half_height->voxels(cell) : radius / 5);
  if (s.shape == "top-heavy")
    return top_heavy_offsets(radius, s.depth ? s.depth->voxels(cell) : radius / 3);
  return sphere_offsets(radius);
}

Bubble made(const BubbleSettings& s, double cell) {
  Bubble bubble;
  bubble.name = s.name;
  bubble.offsets = offsets_of(s, cell);
  bubble.open_faces = s.open_faces.value_or(s.rates == "cavernous");
  const double rate = s.rate.voxels(cell);
  if (s.rates == "cavernous") {
    bubble.rates = cavernous_rates(bubble.offsets, rate);
  } else if (s.rates == "curve") {
    std::vector<std::pair<double, double>> points = s.curve;
    for (auto& [ratio, multiple] : points) multiple *= rate;
    bubble.rates = curve_rates(bubble.volume(), points);
  } else {
    bubble.rates = spheroidal_rates(bubble.volume(), rate);
  }
  return bubble;
}

}  // namespace

std::vector<Bubble> make_bubbles(const Scene& scene) {
  const VoxelRules& rules = *scene.terrain.voxels;
  std::vector<Bubble> bubbles;
  for (const BubbleSettings& settings : rules.bubbles) {
    try {
      bubbles.push_back(made(settings, rules.shape.cell));
      check_bubble(bubbles.back());
    } catch (const UsageError& error) {
      throw UsageError(text(settings.where, ": ", error.what()));
    }
  }
  if (bubbles.empty()) bubbles.push_back(sphere_bubble(10, 1));
  return bubbles;
}

std::vector<WeatherRegion> make_regions(const Scene& scene) {
  const VoxelRules& rules = *scene.terrain.voxels;
  std::vector<WeatherRegion> regions;
  for (const RegionSettings& settings : rules.regions) {
    regions.push_back(settings.region);
    if (settings.region.kind != WeatherRegion::Kind::map) continue;
    std::vector<float> numbers = load_region_map(scene, settings);
    (settings.quantity == "rate" ? regions.back().rates : regions.back().durabilities) =
        std::move(numbers);
  }
  return regions;
}

RockSpec named_rocks(const Scene& scene) {
  const VoxelRules& rules = *scene.terrain.voxels;
  RockSpec rocks = rules.rocks;
  rocks.seed = scene.seed;
  for (std::size_t i = 0; i < rocks.rocks.size(); ++i) {
    const std::string& name = rules.rock_bubbles[i];
    if (name.empty()) continue;
    const auto found = std::find_if(rules.bubbles.begin(), rules.bubbles.end(),
                                    [&](const BubbleSettings& b) { return b.name == name; });
    if (found == rules.bubbles.end())
      throw UsageError(
          text(scene.file, ": rock '", rocks.rocks[i].name, "': no bubble is called '", name, "'"));
    rocks.rocks[i].bubble = static_cast<int>(found - rules.bubbles.begin());
  }
  return rocks;
}

RockSpec make_rocks(const Scene& scene, const device::DevicePtr& device, Progress* progress,
                    const CancelToken* cancel) {
  const VoxelRules& rules = *scene.terrain.voxels;
  RockSpec rocks = named_rocks(scene);
  for (const SolidSettings& solid : rules.solids)
    rocks.forms[solid.form].solid = load_solid(scene, solid);
  if (rules.generate || rules.ground) add_ground(scene, device, rocks, progress, cancel);
  return rocks;
}

}  // namespace scree
