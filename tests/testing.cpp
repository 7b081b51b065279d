#include "testing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "device/cpu/cpu_device.h"
#include "kernel/common/random.h"
#include "kernel/heights/flow.h"
#include "process/core/registry.h"

namespace scree::testing {
namespace {

std::vector<Backend> open_all() {
  std::vector<Backend> backends;
  for (const std::string& isa : device::usable_isas())
    for (const int threads : {1, 2}) {
      device::DeviceOptions options;
      options.selector = "cpu";
      options.threads = threads;
      options.isa = isa;
      backends.push_back({text_of(isa, threads), device::open_device(options)});
    }
  for (const device::DeviceInfo& info : device::list_devices()) {
    if (!info.selector.starts_with("opencl") || !info.exact) continue;
    device::DeviceOptions options;
    options.selector = info.selector;
    backends.push_back({info.selector + " " + info.name, device::open_device(options)});
  }
  return backends;
}

float noise(unsigned seed, int x, int y) { return draw(cell_hash(seed, x, y), SCREE_DRAW_A); }

// Bilinear value noise on a lattice of the given width.
float smooth(unsigned seed, int x, int y, int width) {
  const int cx = x / width, cy = y / width;
  const float fx = static_cast<float>(x % width) / static_cast<float>(width);
  const float fy = static_cast<float>(y % width) / static_cast<float>(width);
  const float a = noise(seed, cx, cy), b = noise(seed, cx + 1, cy);
  const float c = noise(seed, cx, cy + 1), d = noise(seed, cx + 1, cy + 1);
  return (a + (b - a) * fx) * (1 - fy) + (c + (d - c) * fx) * fy;
}

}  // namespace

std::string text_of(const std::string& isa, int threads) {
  return "cpu " + isa + " x" + std::to_string(threads);
}

const std::vector<Backend>& all_backends() {
  static const std::vector<Backend> backends = open_all();
  return backends;
}

device::DevicePtr cpu() { return all_backends()[1].device; }

std::vector<Backend> one_of_each_kind() {
  std::vector<Backend> kinds{all_backends()[1]};
  for (const Backend& backend : all_backends())
    if (!is_cpu(backend)) kinds.push_back(backend);
  return kinds;
}

std::vector<float> rough_heights(int width, int height, float relief, unsigned seed) {
  std::vector<float> heights;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const float hills = smooth(seed, x, y, 24) * 0.6F + smooth(seed + 1, x, y, 7) * 0.25F;
      const float step = noise(seed + 2, x / 11, y / 13) > 0.8F ? 0.1F : 0.0F;
      heights.push_back(relief * (hills + step + noise(seed + 3, x, y) * 0.05F));
    }
  return heights;
}

std::vector<float> field_of(int width, int height, const std::function<double(int, int)>& value) {
  std::vector<float> field;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) field.push_back(static_cast<float>(value(x, y)));
  return field;
}

Landscape land_of(const device::DevicePtr& device, const HeightfieldShape& shape,
                  const std::vector<float>& heights, const Borders& borders) {
  return Landscape(std::make_unique<Heightfield>(device, shape, heights, borders));
}

void add_maps(Heightfield& terrain) {
  const Grid& g = terrain.grid();
  const auto add = [&](const char* name, const std::function<double(int, int)>& value) {
    terrain.ensure(name, device::FieldType::float32, false);
    terrain.set_values(name, field_of(g.width, g.height, value));
  };
  add("erodibility", [](int x, int y) { return (x * 5 + y * 3) % 16 * 0.125; });
  add("strength", [](int x, int y) { return 0.5 + (x + y * 7) % 8 * 0.25; });
  add("rain", [](int x, int y) { return (x + y) % 4 * 1e-4; });
  const std::vector<float> heights = terrain.values("bed");
  float lowest = std::numeric_limits<float>::infinity(), highest = -lowest;
  for (const float h : heights) {
    if (std::isnan(h)) continue;
    lowest = std::min(lowest, h);
    highest = std::max(highest, h);
  }
  const float shore = lowest + (highest - lowest) / 4;
  std::vector<float> floor = heights;
  for (std::size_t i = 0; i < floor.size(); ++i) floor[i] -= 0.25F * static_cast<float>(i % 5);
  terrain.ensure("floor", device::FieldType::int32, false);
  terrain.set_values("floor", floor);
  std::vector<std::int32_t> sink;
  sink.reserve(heights.size());
  for (const float h : heights) sink.push_back(h < shore ? -1 : 0);
  terrain.ensure("sink", device::FieldType::int32, false).upload(terrain.device(), g, sink);
}

std::vector<float> raw_floats(const Heightfield& terrain, const std::string& name) {
  return terrain.field(name).download<float>(terrain.device(), terrain.grid());
}

std::vector<std::string> further_processes() {
  const std::set<std::string> varied = {"water", "hydraulic", "sheet", "thermal"};
  std::vector<std::string> names;
  for (const ProcessKind& kind : process_kinds())
    if (kind.terrain == "heightfield" && !varied.contains(kind.name)) names.push_back(kind.name);
  return names;
}

std::vector<ProcessPtr> standard_process(const std::string& name) {
  return make_processes(ProcessSet().use(name));
}

double Discharges::Vector::length() const { return std::hypot(x, y); }

Discharges::Discharges(const Heightfield& terrain)
    : width_(terrain.grid().width),
      metres_x_(terrain.quantum().metres() * static_cast<double>(terrain.grid().dx) / 2),
      metres_y_(terrain.quantum().metres() * static_cast<double>(terrain.grid().dy) / 2),
      east_(raw_floats(terrain, "flux.x")),
      south_(raw_floats(terrain, "flux.y")) {
  const bool eight = terrain.has("flux.se");
  se_ = eight ? raw_floats(terrain, "flux.se") : std::vector<float>(east_.size());
  sw_ = eight ? raw_floats(terrain, "flux.sw") : std::vector<float>(east_.size());
}

Discharges::Vector Discharges::at(int x, int y) const {
  const auto i = static_cast<std::size_t>(y * width_ + x);
  const std::size_t north = i - static_cast<std::size_t>(width_);
  const float nw = se_[north - 1], ne = sw_[north + 1];
  return {
      metres_x_ * static_cast<double>(flow_sum_x(east_[i - 1], east_[i], nw, se_[i], ne, sw_[i])),
      metres_y_ *
          static_cast<double>(flow_sum_y(south_[north], south_[i], nw, se_[i], ne, sw_[i]))};
}

}  // namespace scree::testing
