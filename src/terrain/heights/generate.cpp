#include "terrain/heights/generate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>

#include "base/error.h"
#include "device/field.h"
#include "kernel/heights/generate.h"

namespace scree {
namespace {

constexpr device::Kernel generate_kernel{"generate", "kernel/heights/generate.h"};

constexpr double pi = 3.14159265358979323846;
constexpr double finest_octave = 1048576;  // largest over smallest wavelength, at most

struct Direction {
  double sine, cosine;
};

// From the series, since libm's last bits differ between versions. Good to 1e-15.
Direction direction(double degrees) {
  const double turns = degrees / 360;
  const double x = (turns - std::floor(turns) - 0.5) * 2 * pi;  // -pi … pi, turned by a half
  const double quarter = x / 4;
  const double q2 = quarter * quarter;
  double sine = 1, cosine = 1;
  for (int n = 20; n >= 2; n -= 2) {
    cosine = 1 - cosine * q2 / (n * (n - 1));
    sine = 1 - sine * q2 / (n * (n + 1));
  }
  Direction d{sine * quarter, cosine};
  for (int doubling = 0; doubling < 2; ++doubling)
    d = {2 * d.sine * d.cosine, d.cosine * d.cosine - d.sine * d.sine};
  return {-d.sine, -d.cosine};
}

// What each kind is made of. `feature` is its feature size where none is given, as a share of the
// world's longer side.
struct Kind {
  const char* name;
  int land;
  int form;
  bool simplex;
  double bend;     // what warp = 1 bends it, in feature sizes; 0: not at all
  double carving;  // what carving = 1 means for it
  double feature;
};

const Kind& kind_named(const std::string& name) {
  static const Kind kinds[] = {
      {"fbm", SCREE_LAND_NOISE, SCREE_NOISE_FBM, false, 0, 0.3, 0.5},
      {"ridged", SCREE_LAND_NOISE, SCREE_NOISE_RIDGED, false, 1, 0.15, 0.5},
      {"billow", SCREE_LAND_NOISE, SCREE_NOISE_BILLOW, false, 0, 0, 0.35},
      {"warped", SCREE_LAND_NOISE, SCREE_NOISE_FBM, false, 2, 0.3, 0.5},
      {"simplex", SCREE_LAND_NOISE, SCREE_NOISE_FBM, true, 0, 0.06, 0.5},
      {"steps", SCREE_LAND_STEPS, SCREE_NOISE_FBM, false, 1, 0.3, 0.5},
      {"mountain", SCREE_LAND_MOUNTAIN, SCREE_NOISE_RIDGED, false, 1, 0.15, 0.3},
      {"cone", SCREE_LAND_CONE, SCREE_NOISE_FBM, false, 0, 0.3, 0.1},
      {"pyramid", SCREE_LAND_PYRAMID, SCREE_NOISE_FBM, false, 0, 0.3, 0.1},
      {"crater", SCREE_LAND_CRATER, SCREE_NOISE_FBM, false, 0, 0.3, 0.1},
      {"volcano", SCREE_LAND_VOLCANO, SCREE_NOISE_FBM, false, 0, 0.3, 0.1},
      {"shield", SCREE_LAND_SHIELD, SCREE_NOISE_FBM, false, 0, 0.3, 0.1},
      {"tower", SCREE_LAND_TOWER, SCREE_NOISE_FBM, false, 0, 0.3, 0.1},
      {"dam", SCREE_LAND_DAM, SCREE_NOISE_FBM, false, 0, 0.3, 0.1},
      {"grooves", SCREE_LAND_GROOVES, SCREE_NOISE_FBM, false, 0, 0.3, 0.1},
      {"plane", SCREE_LAND_PLANE, SCREE_NOISE_FBM, false, 0, 0.3, 0.1},
      {"flat", SCREE_LAND_FLAT, SCREE_NOISE_FBM, false, 0, 0.3, 0.1}};
  for (const Kind& kind : kinds)
    if (name == kind.name) return kind;
  throw UsageError(text("terrain kind '", name, "' is unknown"));
}

bool always_noisy(const Kind& kind) {
  return kind.land == SCREE_LAND_NOISE || kind.land == SCREE_LAND_STEPS ||
         kind.land == SCREE_LAND_MOUNTAIN;
}

std::int64_t to_lattice(double cells) {
  return static_cast<std::int64_t>(std::floor(cells * 68719476736.0 + 0.5));
}

// The lattice of octave k of a stream: turned by 3-4-5 triangles (36.9 degrees each time, so that
// no two octaves share their axes), shifted by its own random offset.
NoiseOctave make_octave(int k, int stream, double frequency, double feature_size, bool simplex,
                        double dx, double dy, std::uint64_t seed) {
  double c = 0.8, s = 0.6;
  for (int i = 0; i < k; ++i) {
    const double turned = 0.8 * c - 0.6 * s;
    s = 0.6 * c + 0.8 * s;
    c = turned;
  }
  const double skew = simplex ? 0.36602540378443864676 : 0;
  const auto skewed = [&](double own, double other) { return own + skew * (own + other); };
  const double x = frequency * dx / (2 * feature_size), y = frequency * dy / (2 * feature_size);
  NoiseOctave o{};
  o.ux = to_lattice(skewed(c * x, s * x));
  o.vx = to_lattice(skewed(s * x, c * x));
  o.uy = to_lattice(skewed(-s * y, c * y));
  o.vy = to_lattice(skewed(c * y, -s * y));
  o.to_ux = static_cast<float>(c * frequency);
  o.to_uy = static_cast<float>(-s * frequency);
  o.to_vx = static_cast<float>(s * frequency);
  o.to_vy = static_cast<float>(c * frequency);
  o.wavelength = static_cast<float>(1 / frequency);
  o.seed = mix_seed(static_cast<uint>(seed), static_cast<uint>(seed >> 32),
                    static_cast<uint>(stream * 64 + k));
  o.u0 = static_cast<std::int64_t>(mix_bits(o.seed ^ 0x5bd1e995u)) << 4;
  o.v0 = static_cast<std::int64_t>(mix_bits(o.seed ^ 0x1b873593u)) << 4;
  return o;
}

struct Octaves {
  std::vector<NoiseOctave> list;  // the noise's, then the warp's
  int of_noise = 0;
};

// largest_cell fades octaves that a grid cannot show; 0 keeps them all.
Octaves make_octaves(const GenerateParameters& p, const Kind& kind, double feature_size, double dx,
                     double dy, double largest_cell, std::uint64_t seed) {
  Octaves result;
  double frequency = 1, amplitude = 1;
  const int count = static_cast<int>(std::lround(p.octaves));
  for (int k = 0; k < count && frequency < finest_octave; ++k) {
    const double cells = largest_cell > 0 ? feature_size / (frequency * largest_cell) : 4;
    const double seen = k == 0 ? 1 : std::clamp(cells / 2 - 1, 0.0, 1.0);
    if (seen == 0) break;
    NoiseOctave o = make_octave(k, 0, frequency, feature_size, kind.simplex, dx, dy, seed);
    o.amplitude = static_cast<float>(amplitude * seen);
    result.list.push_back(o);
    frequency *= p.lacunarity;
    amplitude *= kind.form == SCREE_NOISE_BILLOW ? 0.8 * p.gain : p.gain;  // |n| is rough itself
  }
  result.of_noise = static_cast<int>(result.list.size());
  for (int stream = 1; stream <= 2; ++stream) {
    amplitude = kind.bend * p.warp;
    frequency = 1;
    for (int k = 0; k < SCREE_WARP_OCTAVES; ++k, frequency *= 2, amplitude *= 0.42) {
      NoiseOctave o = make_octave(k, stream, frequency, feature_size, false, dx, dy, seed);
      o.amplitude = static_cast<float>(amplitude);
      result.list.push_back(o);
    }
  }
  return result;
}

struct Spread {
  double low, high;
};

// The lowest and highest fractal sums of these parameters, but for a few, on a patch of a canonical
// world that is eight feature sizes wide: the same for every seed, size and place.
Spread typical_sums(Land land, const GenerateParameters& p, const Kind& kind) {
  constexpr int samples = 96;
  constexpr double tail = 0.0005;
  constexpr double spacing = 8.0 / samples;
  const Octaves octaves = make_octaves(p, kind, 1, spacing, spacing, 0, 1993);
  land.octaves = octaves.of_noise;
  std::vector<float> sums;
  sums.reserve(samples * samples);
  for (int y = 0; y < samples; ++y)
    for (int x = 0; x < samples; ++x) {
      float east = 0, south = 0;
      sums.push_back(land_noise(land, octaves.list.data(), x, y, &east, &south));
    }
  std::sort(sums.begin(), sums.end());
  const auto last = static_cast<double>(sums.size() - 1);
  double low = static_cast<double>(sums[static_cast<std::size_t>(tail * last)]);
  double high = static_cast<double>(sums[static_cast<std::size_t>((1 - tail) * last)]);
  // A sum of signed noise is as often above 0 as below, whatever this patch says.
  if (kind.form == SCREE_NOISE_FBM) {
    high = (high - low) / 2;
    low = -high;
  }
  return {low, high};
}

// From the fractal sum to 0 … 1. A window that scrolls asks for the same again and again.
void normalise(Land& land, const GenerateParameters& p, const Kind& kind) {
  using Key = std::tuple<const Kind*, double, double, double, double, double, double>;
  thread_local Key known{};
  thread_local Spread spread{};
  const Key key{&kind, p.octaves, p.gain, p.lacunarity, p.warp, p.sharpness, p.carving};
  if (key != known) {
    spread = typical_sums(land, p, kind);
    known = key;
  }
  const double scale = spread.high > spread.low ? 1 / (spread.high - spread.low) : 0;
  land.noise_scale = static_cast<float>(scale);
  land.noise_offset = static_cast<float>(-spread.low * scale);
}

struct World {
  double width, height;  // metres
};

void place_shape(Land& land, const GenerateParameters& p, const World& world,
                 const HeightfieldShape& shape) {
  const double half_x = shape.dx / 2, half_y = shape.dy / 2;
  const double cells_x = std::floor(p.x * world.width / half_x);
  const double cells_y = std::floor(p.y * world.height / half_y);
  land.centre_x = static_cast<std::int64_t>(cells_x);
  land.centre_y = static_cast<std::int64_t>(cells_y);
  land.rest_x = static_cast<float>(p.x * world.width - cells_x * half_x);
  land.rest_y = static_cast<float>(p.y * world.height - cells_y * half_y);
  land.half_dx = static_cast<float>(half_x);
  land.half_dy = static_cast<float>(half_y);
  land.radius = static_cast<float>(p.width * std::min(world.width, world.height) / 2);
  land.inner = static_cast<float>(p.inner);
  const Direction fall = direction(p.angle);
  land.along_x = static_cast<float>(fall.sine);
  land.along_y = static_cast<float>(-fall.cosine);
  const Direction tilt = direction(p.slope);
  land.tilt = static_cast<float>(tilt.sine / tilt.cosine);
  // The plane reaches its base in that corner of the world towards which it falls.
  const double corner_x = (fall.sine > 0 ? 1 - p.x : p.x) * world.width;
  const double corner_y = (fall.cosine > 0 ? p.y : 1 - p.y) * world.height;
  land.tilt_start =
      static_cast<float>(std::abs(fall.sine) * corner_x + std::abs(fall.cosine) * corner_y);
}

Land make_land(const GenerateParameters& p, const Kind& kind, const World& world,
               const HeightfieldShape& shape, double feature_size) {
  Land land{};
  land.land = kind.land;
  land.bent = kind.bend * p.warp > 0 ? 1 : 0;
  const double blunt = 1 - p.sharpness;
  land.style = {kind.form, kind.simplex ? 1 : 0, static_cast<float>(0.5 * blunt * blunt),
                static_cast<float>(p.carving * kind.carving), kind.bend > 1 ? 0.8f : 0.6f};
  land.relief = static_cast<float>(p.relief);
  land.base = static_cast<float>(p.base);
  land.feature_size = static_cast<float>(feature_size);
  land.roughness = always_noisy(kind) ? 0 : static_cast<float>(p.roughness);
  land.steps = static_cast<float>(p.steps);
  land.riser = static_cast<float>(0.15 + 0.85 * blunt);
  place_shape(land, p, world, shape);
  return land;
}

void check_shape(const HeightfieldShape& shape) {
  if (!(shape.dx > 0 && shape.dy > 0 && shape.dx < 1e9 && shape.dy < 1e9))
    throw UsageError(text("cell size ", shape.dx, " x ", shape.dy, " m: expected more than 0"));
}

}  // namespace

std::vector<float> generate_heights(device::Device& device, const GenerateParameters& parameters,
                                    const HeightfieldShape& shape, std::uint64_t seed, int x0,
                                    int y0, int world_width, int world_height) {
  check_shape(shape);
  Grid grid = device::make_grid(shape.width, shape.height, shape.dx, shape.dy);
  grid.x0 = x0;
  grid.y0 = y0;
  const World world{(world_width > 0 ? world_width : shape.width) * shape.dx,
                    (world_height > 0 ? world_height : shape.height) * shape.dy};
  const Kind& kind = kind_named(parameters.kind);
  const double largest_cell = std::max(shape.dx, shape.dy);
  const double wanted = parameters.feature_size > 0
                            ? parameters.feature_size
                            : kind.feature * std::max(world.width, world.height);
  // Far below a cell it is all the same: white noise.
  const double feature_size = std::max(wanted, largest_cell / 1024);
  Land land = make_land(parameters, kind, world, shape, feature_size);
  Octaves octaves =
      make_octaves(parameters, kind, feature_size, shape.dx, shape.dy, largest_cell, seed);
  if (always_noisy(kind) || land.roughness > 0) {
    normalise(land, parameters, kind);
    land.octaves = octaves.of_noise;
  }

  device::Field height(device, grid, "height", device::FieldType::float32, false);
  const std::size_t bytes = octaves.list.size() * sizeof(NoiseOctave);
  const device::BufferPtr table = device.allocate(bytes);
  device.write(*table, 0, octaves.list.data(), bytes);
  device.run(generate_kernel, {0, 0, grid.width, grid.height},
             device::Arguments().add(grid).add(land).add(table).add(height.front()));
  return height.download<float>(device, grid);
}

namespace {

// Bilinear between the centres of the mask's pixels, constant beyond the outermost ones.
std::vector<double> stretched(const std::vector<float>& mask, int mask_width, int mask_height,
                              int width, int height) {
  const auto place = [](int i, int cells, int pixels) {
    const double p = (i + 0.5) * pixels / cells - 0.5;
    return std::clamp(p, 0.0, static_cast<double>(pixels - 1));
  };
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y) {
    const double v = place(y, height, mask_height);
    const int top = static_cast<int>(v), below = std::min(top + 1, mask_height - 1);
    for (int x = 0; x < width; ++x) {
      const double u = place(x, width, mask_width);
      const int left = static_cast<int>(u), right = std::min(left + 1, mask_width - 1);
      const auto at = [&](int column, int row) {
        return static_cast<double>(
            mask[static_cast<std::size_t>(row) * static_cast<std::size_t>(mask_width) +
                 static_cast<std::size_t>(column)]);
      };
      const double upper = at(left, top) + (u - left) * (at(right, top) - at(left, top));
      const double lower = at(left, below) + (u - left) * (at(right, below) - at(left, below));
      values.push_back(upper + (v - top) * (lower - upper));
    }
  }
  return values;
}

// Weights 1 - |d| / reach at whole steps d, so that a cliff becomes a smooth slope 2 reach wide.
std::vector<double> tent(double reach) {
  std::vector<double> weights{1};
  for (int d = 1; d < reach; ++d) weights.push_back(1 - d / reach);
  double sum = weights[0];
  for (std::size_t d = 1; d < weights.size(); ++d) sum += 2 * weights[d];
  for (double& w : weights) w /= sum;
  return weights;
}

// One direction of the bevel: `count` values `step` apart for each line. Edges go on level.
void soften(std::vector<double>& values, int lines, std::size_t line_step, int count,
            std::size_t step, const std::vector<double>& weights) {
  if (weights.size() == 1) return;
  std::vector<double> line(static_cast<std::size_t>(count));
  for (int l = 0; l < lines; ++l) {
    double* first = values.data() + static_cast<std::size_t>(l) * line_step;
    for (int i = 0; i < count; ++i)
      line[static_cast<std::size_t>(i)] = first[static_cast<std::size_t>(i) * step];
    const auto at = [&](int i) {
      return line[static_cast<std::size_t>(std::clamp(i, 0, count - 1))];
    };
    for (int i = 0; i < count; ++i) {
      double sum = weights[0] * at(i);
      for (int d = 1; d < static_cast<int>(weights.size()); ++d)
        sum += weights[static_cast<std::size_t>(d)] * (at(i - d) + at(i + d));
      first[static_cast<std::size_t>(i) * step] = sum;
    }
  }
}

}  // namespace

Landscape generated_landscape(const device::DevicePtr& device, const HeightfieldShape& shape,
                              const GenerateParameters& parameters, std::uint64_t seed) {
  return Landscape(std::make_unique<Heightfield>(device, shape,
                                                 generate_heights(*device, parameters, shape, seed),
                                                 Borders::all(BorderKind::open)));
}

std::vector<float> relief_from_mask(const std::vector<float>& mask, int mask_width, int mask_height,
                                    const HeightfieldShape& shape, double base, double relief,
                                    double bevel) {
  check_shape(shape);
  if (shape.width < 1 || shape.height < 1)
    throw UsageError(text("size ", shape.width, "x", shape.height, ": expected at least 1x1"));
  if (mask_width < 1 || mask_height < 1 ||
      mask.size() != static_cast<std::size_t>(mask_width) * static_cast<std::size_t>(mask_height))
    throw UsageError(
        text("mask of ", mask.size(), " values is not ", mask_width, "x", mask_height));
  if (!(bevel >= 0)) throw UsageError(text("bevel ", bevel, " m: expected at least 0"));
  std::vector<double> values = stretched(mask, mask_width, mask_height, shape.width, shape.height);
  const auto width = static_cast<std::size_t>(shape.width);
  // A bevel wider than the terrain is as good as one of its width.
  soften(values, shape.height, width, shape.width, 1,
         tent(std::min(bevel / (2 * shape.dx), 1.0 * shape.width)));
  soften(values, shape.width, 1, shape.height, width,
         tent(std::min(bevel / (2 * shape.dy), 1.0 * shape.height)));
  std::vector<float> heights;
  heights.reserve(values.size());
  for (const double value : values) heights.push_back(static_cast<float>(base + relief * value));
  return heights;
}

}  // namespace scree
