#include "process/voxels/bubble.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "kernel/voxels/weather.h"

namespace scree {
namespace {

template <class Inside>
std::vector<Bubble::Offset> offsets_where(const Inside& inside) {
  std::vector<Bubble::Offset> offsets;
  const int reach = VOXEL_REACH + 1;  // one too far, so that a bubble that is too large shows
  for (int z = -reach; z <= reach; ++z)
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x)
        if (inside(x, y, z)) offsets.push_back({x, y, z});
  return offsets;
}

// A row of a bubble: offsets first … first + length - 1 along x, at y and z.
struct BubbleRun {
  int y, z, first, length;
};

std::vector<BubbleRun> runs_of(std::vector<Bubble::Offset> offsets) {
  std::sort(offsets.begin(), offsets.end(), [](const auto& a, const auto& b) {
    return std::array{a[2], a[1], a[0]} < std::array{b[2], b[1], b[0]};
  });
  std::vector<BubbleRun> runs;
  for (const auto& [x, y, z] : offsets) {
    if (!runs.empty() && runs.back().z == z && runs.back().y == y &&
        runs.back().first + runs.back().length == x)
      ++runs.back().length;
    else
      runs.push_back({y, z, x, 1});
  }
  return runs;
}

using RunShape = std::pair<int, int>;  // length, first offset: short ones come first

// The longest shape before this one that lies within it.
int parent_of(const std::vector<RunShape>& shapes, std::size_t i) {
  for (std::size_t k = i; k-- > 0;)
    if (shapes[k].second >= shapes[i].second &&
        shapes[k].second + shapes[k].first <= shapes[i].second + shapes[i].first)
      return static_cast<int>(k);
  return 255;
}

using SliceEntries = std::vector<int>;

// The slices of a bubble that are made of some shapes, with the heights at which each stands.
std::map<SliceEntries, std::vector<int>> slices_of(const std::vector<BubbleRun>& runs,
                                                   const std::vector<RunShape>& shapes) {
  std::map<int, SliceEntries> at_height;
  for (const BubbleRun& run : runs) {
    const auto found = std::find(shapes.begin(), shapes.end(), RunShape{run.length, run.first});
    if (found == shapes.end()) continue;
    const int shape = static_cast<int>(found - shapes.begin());
    at_height[run.z].push_back((BRICK_Y + run.y) | shape << 8);
  }
  std::map<SliceEntries, std::vector<int>> slices;
  for (const auto& [z, entries] : at_height) slices[entries].push_back(z);
  return slices;
}

int place(std::vector<int>& plan, const std::vector<int>& numbers) {
  const int at = static_cast<int>(plan.size());
  plan.insert(plan.end(), numbers.begin(), numbers.end());
  return at;
}

// Writes what a part points to, and returns its own numbers.
std::vector<int> write_part(std::vector<int>& plan, const std::vector<BubbleRun>& runs,
                            const std::vector<RunShape>& shapes) {
  std::vector<int> packed, slices;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    packed.push_back((16 + shapes[i].second) | shapes[i].first << 8 | parent_of(shapes, i) << 16);
  for (const auto& [entries, heights] : slices_of(runs, shapes)) {
    slices.push_back(place(plan, entries));
    slices.push_back(static_cast<int>(entries.size()));
    slices.push_back(place(plan, heights));
    slices.push_back(static_cast<int>(heights.size()));
  }
  const int slice_count = static_cast<int>(slices.size()) / SLICE_NUMBERS;
  const int first_run = place(plan, packed);
  return {first_run, static_cast<int>(shapes.size()), place(plan, slices), slice_count, 0, 0, 0, 0};
}

void write_bubble(std::vector<int>& plan, std::size_t k, const Bubble& bubble) {
  const std::vector<BubbleRun> runs = runs_of(bubble.offsets);
  std::vector<RunShape> shapes;
  for (const BubbleRun& run : runs) shapes.emplace_back(run.length, run.first);
  std::sort(shapes.begin(), shapes.end());
  shapes.erase(std::unique(shapes.begin(), shapes.end()), shapes.end());
  std::vector<int> parts;
  for (std::size_t first = 0; first < shapes.size(); first += PART_RUNS) {
    const std::size_t end = std::min(shapes.size(), first + PART_RUNS);
    const std::vector<int> part = write_part(plan, runs,
                                             {shapes.begin() + static_cast<std::ptrdiff_t>(first),
                                              shapes.begin() + static_cast<std::ptrdiff_t>(end)});
    parts.insert(parts.end(), part.begin(), part.end());
  }
  int low_y = 0, high_y = 0, low_z = 0, high_z = 0;
  for (const BubbleRun& run : runs) {
    low_y = std::min(low_y, run.y), high_y = std::max(high_y, run.y);
    low_z = std::min(low_z, run.z), high_z = std::max(high_z, run.z);
  }
  const std::array<int, BUBBLE_NUMBERS> head{place(plan, parts),
                                             static_cast<int>(parts.size()) / PART_NUMBERS,
                                             low_y,
                                             high_y,
                                             low_z,
                                             high_z,
                                             bubble.open_faces ? 1 : 0,
                                             bubble.volume()};
  std::copy(head.begin(), head.end(),
            plan.begin() + static_cast<std::ptrdiff_t>(k * BUBBLE_NUMBERS));
}

}  // namespace

std::vector<Bubble::Offset> sphere_offsets(double radius) {
  return offsets_where(
      [&](int x, int y, int z) { return x * x + y * y + z * z <= radius * radius; });
}

std::vector<Bubble::Offset> top_heavy_offsets(double radius, double depth) {
  return offsets_where([&](int x, int y, int z) {
    const double flat = x * x + y * y;
    if (z >= 0) return flat + z * z <= radius * radius;
    return depth > 0 &&
           flat * depth * depth + z * z * radius * radius <= radius * radius * depth * depth;
  });
}

std::vector<Bubble::Offset> disc_offsets(double radius, double half_height) {
  return offsets_where([&](int x, int y, int z) {
    return x * x + y * y <= radius * radius && std::abs(z) <= half_height;
  });
}

std::vector<double> spheroidal_rates(int volume, double rate) {
  std::vector<double> rates;
  for (int a = 0; a <= volume; ++a) rates.push_back(rate * a / volume);
  return rates;
}

int flat_face_air(const std::vector<Bubble::Offset>& offsets) {
  return static_cast<int>(
      std::count_if(offsets.begin(), offsets.end(), [](const auto& o) { return o[2] > 0; }));
}

std::vector<double> cavernous_rates(const std::vector<Bubble::Offset>& offsets, double rate) {
  const int flat = flat_face_air(offsets);
  if (flat == 0)
    throw UsageError("cavernous rates: a bubble with nothing above its middle: none would wear");
  std::vector<double> rates{0};
  for (int a = 1; a <= static_cast<int>(offsets.size()); ++a)
    rates.push_back(a < flat ? rate * (flat - a) / flat : 0);
  return rates;
}

std::vector<double> curve_rates(int volume, const std::vector<std::pair<double, double>>& points) {
  if (points.empty()) throw UsageError("a rate curve: expected at least one [ratio, rate]");
  for (std::size_t i = 1; i < points.size(); ++i)
    if (!(points[i].first > points[i - 1].first))
      throw UsageError(text("a rate curve: its air ratios must ascend, and ", points[i].first,
                            " follows ", points[i - 1].first));
  std::vector<double> rates{0};
  for (int a = 1; a <= volume; ++a) {
    const double ratio = static_cast<double>(a) / volume;
    const auto after =
        std::find_if(points.begin(), points.end(), [&](const auto& p) { return p.first >= ratio; });
    if (after == points.begin() || after == points.end()) {
      rates.push_back(after == points.end() ? points.back().second : after->second);
      continue;
    }
    const auto before = after - 1;
    const double t = (ratio - before->first) / (after->first - before->first);
    rates.push_back(before->second + t * (after->second - before->second));
  }
  return rates;
}

Bubble sphere_bubble(double radius, double rate) {
  Bubble bubble;
  bubble.name = "sphere";
  bubble.offsets = sphere_offsets(radius);
  bubble.rates = spheroidal_rates(bubble.volume(), rate);
  return bubble;
}

void check_bubble(const Bubble& bubble) {
  const std::string who = "bubble '" + bubble.name + "'";
  if (std::all_of(bubble.offsets.begin(), bubble.offsets.end(),
                  [](const auto& o) { return o == Bubble::Offset{}; }))
    throw UsageError(who +
                     " holds no voxel but its own, which is never air: expected a radius of "
                     "at least 1 voxel");
  if (bubble.offsets.size() > VOXEL_MOST_AIR)
    throw UsageError(text(who, " has ", bubble.offsets.size(), " voxels: expected at most ",
                          VOXEL_MOST_AIR, " (a sphere of radius 12)"));
  for (const auto& o : bubble.offsets)
    for (const int d : o)
      if (std::abs(d) > VOXEL_REACH)
        throw UsageError(
            text(who, " reaches ", std::abs(d), " voxels: expected at most ", VOXEL_REACH));
  std::vector<Bubble::Offset> sorted = bubble.offsets;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    throw UsageError(who + " has an offset twice");
  if (bubble.rates.size() != bubble.offsets.size() + 1)
    throw UsageError(text(who, " has ", bubble.rates.size(), " rates: expected ",
                          bubble.offsets.size() + 1, ", one for each count of air"));
  if (bubble.rates[0] != 0) throw UsageError(who + ": its rate without any air must be 0");
  for (const double rate : bubble.rates)
    if (!(rate >= 0 && rate <= 1))
      throw UsageError(text(who, ": rate ", rate, ", expected 0 to 1 of a voxel a step"));
}

std::vector<int> bubble_plan(const std::vector<Bubble>& bubbles) {
  std::vector<int> plan(bubbles.size() * BUBBLE_NUMBERS);
  for (std::size_t k = 0; k < bubbles.size(); ++k) write_bubble(plan, k, bubbles[k]);
  return plan;
}

std::vector<int> bubble_runs(const std::vector<Bubble>& bubbles) {
  std::vector<int> numbers(bubbles.size() * HEIGHT_NUMBERS);
  for (std::size_t k = 0; k < bubbles.size(); ++k) {
    const std::vector<BubbleRun> runs = runs_of(bubbles[k].offsets);
    std::size_t next = 0;
    for (int height = 0; height < HEIGHT_NUMBERS; ++height) {
      numbers[k * HEIGHT_NUMBERS + static_cast<std::size_t>(height)] =
          static_cast<int>(numbers.size());
      for (; next < runs.size() && runs[next].z + 16 == height; ++next)
        numbers.push_back(
            packed_run(16 + runs[next].first, runs[next].length, runs[next].y, runs[next].z));
    }
  }
  return numbers;
}

}  // namespace scree
