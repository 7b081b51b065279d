#include "terrain/layers/strata.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace scree {
namespace {

// More than a stack can have, unless many are of one material.
constexpr int most_repeats = 1000;
// Of a cave's path, from one place of it to the next.
constexpr int most_chambers = 100000;

long long height_of(const Stack& stack) {
  long long height = 0;
  for (const Layer& layer : stack) height += layer.quanta;
  return height;
}

// Puts a material between two heights of a stack, in quanta from its bottom. Voids stay as they
// are.
void replace(Stack& stack, long long from, long long to, int material) {
  Stack changed;
  long long bottom = 0;
  const auto add = [&](int what, long long quanta) {
    if (quanta <= 0) return;
    if (!changed.empty() && changed.back().material == what)
      changed.back().quanta += static_cast<int>(quanta);
    else
      changed.push_back({what, static_cast<int>(quanta)});
  };
  for (const Layer& layer : stack) {
    const long long top = bottom + layer.quanta;
    const long long low = std::clamp(from, bottom, top), high = std::clamp(to, low, top);
    const bool kept = layer.material == 0;
    add(layer.material, low - bottom);
    add(kept ? 0 : material, high - low);
    add(layer.material, top - high);
    bottom = top;
  }
  stack = std::move(changed);
}

// Where a cell is, in metres.
struct Place {
  double x = 0, y = 0;
};

class Builder {
 public:
  Builder(const LayerShape& shape, const LayeredGround& spec) : shape_(shape), spec_(spec) {}

  std::vector<Stack> build() {
    stacks_.resize(shape_.cells());
    for (std::size_t cell = 0; cell < stacks_.size(); ++cell) {
      stacks_[cell] = under_ground(cell);
      for (const LensSpec& lens : spec_.lenses) add_lens(cell, lens);
      for (const CoverSpec& cover : spec_.covers) add_cover(cell, cover);
      for (const StampSpec& stamp : spec_.stamps) add_stamp(cell, stamp);
    }
    for (const CaveSpec& cave : spec_.caves) carve(cave);
    return std::move(stacks_);
  }

 private:
  Place place(std::size_t cell) const {
    const auto width = static_cast<std::size_t>(shape_.width);
    const std::size_t column = cell % width, row = cell / width;
    return {(static_cast<double>(column) + 0.5) * shape_.dx,
            (shape_.height - static_cast<double>(row) - 0.5) * shape_.dy};
  }
  long long level(double height) const {
    return std::llround((height - shape_.datum) / shape_.quantum);
  }

  Stack under_ground(std::size_t cell) const {
    const double ground = static_cast<double>(spec_.ground[cell]);
    const long long top = level(ground);
    if (!(ground >= shape_.datum) || top < 0)
      throw UsageError(text("ground at ", ground, " m lies below the bottom of the layers, ",
                            shape_.datum, " m"));
    if (top > LAYER_SKY)
      throw UsageError(text("ground at ", ground, " m is ", top,
                            " quanta above the bottom: expected", " at most ", LAYER_SKY));
    Stack stack{{spec_.bedrock, static_cast<int>(top)}};
    if (!spec_.cores.empty())
      add_core(stack, top, spec_.cores[cell]);
    else if (!spec_.strata.beds.empty())
      add_beds(stack, cell, top);
    return stack;
  }

  // From the ground down.
  static void add_core(Stack& stack, long long top, const Stack& core) {
    for (const Layer& layer : core) {
      replace(stack, top - layer.quanta, top, layer.material);
      top -= layer.quanta;
    }
  }

  double top_of_strata(std::size_t cell) const {
    const StrataSpec& strata = spec_.strata;
    const Place p = place(cell);
    double z = strata.top - strata.fall_east * (p.x - shape_.width * shape_.dx / 2) -
               strata.fall_north * (p.y - shape_.height * shape_.dy / 2);
    if (!strata.fold.empty()) z += static_cast<double>(strata.fold[cell]);
    for (const FaultSpec& fault : strata.faults)
      if ((p.x - fault.x) * fault.north - (p.y - fault.y) * fault.east > 0) z -= fault.drop;
    return z;
  }

  void add_beds(Stack& stack, std::size_t cell, long long top) const {
    const StrataSpec& strata = spec_.strata;
    double pile = 0;
    for (const BedSpec& bed : strata.beds) pile += std::max(bed.thickness.at(cell), 0.0);
    double z = top_of_strata(cell);
    if (strata.repeat && pile > 0) {
      const double height = static_cast<double>(top) * shape_.quantum;
      if (!(height <= pile * most_repeats))
        throw UsageError(text("strata that repeat are ", pile, " m thick in all, and there are ",
                              height, " m of them: expected them to repeat at most ", most_repeats,
                              " times"));
      const double ground = shape_.datum + height;
      z += pile * std::ceil((ground - z) / pile);
    }
    bool first = true;
    do {
      for (const BedSpec& bed : strata.beds) {
        const double below = z - std::max(bed.thickness.at(cell), 0.0);
        // What lies above the first one is more of it.
        replace(stack, level(below), first ? top : level(z), bed.material);
        first = false;
        z = below;
      }
    } while (strata.repeat && pile > 0 && level(z) > 0);
  }

  void add_lens(std::size_t cell, const LensSpec& lens) {
    const Place p = place(cell);
    const double u = 2 * (p.x - lens.at[0]) / lens.size[0],
                 v = 2 * (p.y - lens.at[1]) / lens.size[1];
    const double rest = 1 - u * u - v * v;
    if (!(rest > 0)) return;
    const double half = lens.size[2] / 2 * std::sqrt(rest);
    replace(stacks_[cell], level(lens.at[2] - half), level(lens.at[2] + half), lens.material);
  }

  void add_cover(std::size_t cell, const CoverSpec& cover) {
    Stack& stack = stacks_[cell];
    const long long height = height_of(stack);
    const long long quanta =
        cover.up_to ? level(*cover.up_to) - height
                    : std::llround(std::max(cover.thickness.at(cell), 0.0) / shape_.quantum);
    if (height + quanta > LAYER_SKY)
      throw UsageError(
          text("layers of ", height + quanta, " quanta: expected at most ", LAYER_SKY));
    if (quanta > 0) stack.push_back({cover.material, static_cast<int>(quanta)});
  }

  void add_stamp(std::size_t cell, const StampSpec& stamp) {
    if (!(stamp.share[cell] >= 0.5F)) return;
    const long long height = height_of(stacks_[cell]);
    replace(stacks_[cell], height - std::llround(stamp.to / shape_.quantum),
            height - std::llround(stamp.from / shape_.quantum), stamp.material);
  }

  // A chamber at each of many places along the path: they overlap to a passage.
  void carve(const CaveSpec& cave) {
    double widest = 0;
    for (const float more : cave.wider.cells) widest = std::max(widest, static_cast<double>(more));
    const double reach = cave.radius + std::max(cave.wider.everywhere + widest, 0.0);
    for (std::size_t i = 0; i < cave.path.size(); ++i) {
      const auto& from = cave.path[i];
      const auto& to = cave.path[std::min(i + 1, cave.path.size() - 1)];
      const double length =
          std::sqrt((to[0] - from[0]) * (to[0] - from[0]) + (to[1] - from[1]) * (to[1] - from[1]) +
                    (to[2] - from[2]) * (to[2] - from[2]));
      const double apart = std::min(cave.radius, cave.half_height) / 8;
      if (!(length <= apart * most_chambers))
        throw UsageError(text("a cave of radius ", cave.radius, " m and height ",
                              2 * cave.half_height, " m along ", length,
                              " m: expected a wider or shorter one"));
      const int steps = static_cast<int>(length / apart) + 1;
      for (int s = 0; s < steps; ++s) {
        const double t = static_cast<double>(s) / steps;
        chamber(cave, reach,
                {from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1]),
                 from[2] + t * (to[2] - from[2])});
      }
    }
  }

  void chamber(const CaveSpec& cave, double reach, const std::array<double, 3>& at) {
    // One cell beyond the terrain on either side stands for all that lie there.
    const auto cell_at = [](double metres, double size, int cells) {
      return static_cast<int>(std::clamp(std::floor(metres / size), -1.0, 1.0 * cells));
    };
    const auto column = [&](double x) { return cell_at(x, shape_.dx, shape_.width); };
    const auto row = [&](double y) {
      return shape_.height - 1 - cell_at(y, shape_.dy, shape_.height);
    };
    const int left = std::max(column(at[0] - reach), 0);
    const int right = std::min(column(at[0] + reach), shape_.width - 1);
    const int north = std::max(row(at[1] + reach), 0);
    const int south = std::min(row(at[1] - reach), shape_.height - 1);
    for (int y = north; y <= south; ++y)
      for (int x = left; x <= right; ++x) {
        const std::size_t cell =
            static_cast<std::size_t>(y) * static_cast<std::size_t>(shape_.width) +
            static_cast<std::size_t>(x);
        const Place p = place(cell);
        const double radius = cave.radius + cave.wider.at(cell);
        const double u = (p.x - at[0]) / radius, v = (p.y - at[1]) / radius;
        const double rest = 1 - u * u - v * v;
        if (!(radius > 0) || !(rest > 0)) continue;
        const double half = cave.half_height * radius / cave.radius * std::sqrt(rest);
        replace(stacks_[cell], level(at[2] - half), level(at[2] + half), 0);
      }
  }

  const LayerShape& shape_;
  const LayeredGround& spec_;
  std::vector<Stack> stacks_;
};

}  // namespace

std::vector<Stack> build_stacks(const LayerShape& shape, const LayeredGround& spec) {
  if (spec.ground.size() != shape.cells())
    throw UsageError(text("layers of ", shape.cells(), " cells on ground of ", spec.ground.size()));
  return Builder(shape, spec).build();
}

double layer_quantum(double metres) {
  double quantum = 1.0 / 1024;
  while (1.5 * metres / quantum > LAYER_THICKEST) quantum *= 2;
  return quantum;
}

int layer_quanta(const LayerShape& shape, double metres) {
  const double most = LAYER_SKY * shape.quantum;
  if (!(metres >= -most && metres <= most))
    throw UsageError(text(metres, " m of layers: expected at most ", most, " m with a quantum of ",
                          shape.quantum, " m"));
  return static_cast<int>(std::llround(metres / shape.quantum));
}

StacksOfHeights stacks_of_heights(const Heightfield& terrain, const LayerShape& shape, int bedrock,
                                  int sediment, int water) {
  const Grid& g = terrain.grid();
  if (g.width != shape.width || g.height != shape.height)
    throw UsageError(text("layers of ", shape.width, " x ", shape.height, " cells of heights of ",
                          g.width, " x ", g.height));
  const double fine = terrain.quantum().metres();
  const double lift = terrain.quantum().datum - shape.datum;
  const std::vector<std::int32_t> bed = terrain.raw("bed");
  StacksOfHeights result;
  result.stacks.resize(shape.cells());
  const auto add = [&](std::size_t cell, double metres, int material) {
    const double quanta = std::floor(metres / shape.quantum);
    if (quanta < 0 || quanta > LAYER_SKY)
      throw UsageError(text("heights of ", metres,
                            " m above the bottom of the layers: expected 0 to ",
                            LAYER_SKY * shape.quantum));
    result.dropped += metres - quanta * shape.quantum;
    if (quanta > 0) result.stacks[cell].push_back({material, static_cast<int>(quanta)});
  };
  const auto add_field = [&](const char* name, int material) {
    if (material == 0) return;
    const std::vector<std::int32_t> counts = terrain.raw(name);
    for (std::size_t cell = 0; cell < counts.size(); ++cell)
      if (bed[cell] != SCREE_WALL) add(cell, counts[cell] * fine, material);
  };
  if (std::find(bed.begin(), bed.end(), SCREE_WALL) != bed.end()) result.nodata.resize(bed.size());
  for (std::size_t cell = 0; cell < bed.size(); ++cell)
    if (bed[cell] != SCREE_WALL)
      add(cell, bed[cell] * fine + lift, bedrock);
    else
      result.nodata[cell] = 1;
  add_field("sediment", sediment);
  add_field("water", water);
  return result;
}

HeightsOfLayers heights_of_layers(const Layers& layers, const Borders& borders, double more_water,
                                  const std::vector<char>& nodata) {
  const LayerShape& s = layers.shape();
  if (!nodata.empty() && nodata.size() != s.cells())
    throw UsageError(text("layers of ", s.cells(), " cells, and ", nodata.size(), " of nodata"));
  const auto missing = [&](std::size_t cell) { return !nodata.empty() && nodata[cell] != 0; };
  const auto fluid = [&](const Layer& layer) {
    return layer.material > 0 &&
           layers.materials()[static_cast<std::size_t>(layer.material) - 1].fluid;
  };
  std::vector<float> ground = layers.heights();
  const float highest = *std::max_element(ground.begin(), ground.end());
  std::vector<double> beds, levels;
  for (const Stack& stack : layers.stacks()) {
    const auto solid = std::find_if_not(stack.rbegin(), stack.rend(), fluid);
    const Stack dry(stack.begin(), solid.base());
    const auto metres = [&](const Stack& of) {
      return s.datum + static_cast<double>(height_of(of)) * s.quantum;
    };
    beds.push_back(metres(dry)), levels.push_back(metres(stack));
    ground[beds.size() - 1] = static_cast<float>(beds.back());
  }
  const float lowest = *std::min_element(ground.begin(), ground.end());
  // Any quantum has room for some.
  constexpr double spare = 256;
  const auto quantum =
      Quantum::for_range(static_cast<double>(lowest),
                         static_cast<double>(highest) + std::max(more_water - spare, 0.0));
  for (std::size_t i = 0; i < ground.size(); ++i)
    if (missing(i)) ground[i] = std::numeric_limits<float>::quiet_NaN();
  HeightsOfLayers result;
  result.heightfield = std::make_unique<Heightfield>(
      layers.device_ptr(), HeightfieldShape{s.width, s.height, s.dx, s.dy}, ground, borders,
      quantum);
  // A float has too few digits for the quanta of a mountain.
  std::vector<std::int32_t> bed, water;
  for (std::size_t i = 0; i < beds.size(); ++i) {
    const int lies = quantum.to_quanta(beds[i]);
    bed.push_back(missing(i) ? SCREE_WALL : lies);
    water.push_back(missing(i) ? 0 : quantum.to_quanta(levels[i]) - lies);
  }
  Heightfield& made = *result.heightfield;
  made.field("bed").upload(layers.device(), made.grid(), bed);
  made.field("water").upload(layers.device(), made.grid(), water);
  result.voids = layers.totals()[0];
  return result;
}

}  // namespace scree
