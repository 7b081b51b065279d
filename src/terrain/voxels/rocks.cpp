#include "terrain/voxels/rocks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/angle.h"
#include "base/error.h"
#include "kernel/common/random.h"
#include "kernel/voxels/rocks.h"

namespace scree {
namespace {

constexpr device::Kernel rocks_kernel{"rocks", "kernel/voxels/rocks.h"};
constexpr int grades_of_noise = 16;

int grades_of(const Rock& rock) { return rock.noise > 0 ? grades_of_noise : 1; }

// Where a rock lies in the table of materials.
struct Place {
  int material = 0, grades = 1;
  float grain = 0;
  int whole = 0;
};

Place find_rock(const RockSpec& spec, const std::string& name, double cell) {
  int material = 1;
  for (const Rock& rock : spec.rocks) {
    if (rock.name == name)
      return {material, grades_of(rock), static_cast<float>(rock.noise_size / cell),
              rock.jointed ? 0 : 1};
    material += grades_of(rock);
  }
  throw UsageError(text("no rock is called '", name, "'"));
}

std::uint32_t seed_of(const RockSpec& spec, std::uint32_t salt, std::size_t i) {
  return mix_seed(static_cast<std::uint32_t>(spec.seed),
                  static_cast<std::uint32_t>(spec.seed >> 32) ^ salt,
                  static_cast<std::uint32_t>(i));
}

float wave_of(double metres, double cell, const char* what) {
  if (!(metres > 0)) throw UsageError(text(what, ": noise_size ", metres, ", expected above 0"));
  // Noise is as white as voxels can tell long before its lattice outgrows 32 bits.
  return static_cast<float>(std::max(metres / cell, 1.0 / 64));
}

void set_bounds(RockForm& f, const VoxelBox& b) {
  // Within the box before they are whole numbers: a form may reach farther than those do.
  const auto within = [](float at, int n) {
    return static_cast<int>(std::clamp(at, 0.0F, static_cast<float>(n)));
  };
  const auto low = [&](float middle, float half, float noise, int n) {
    return within(std::floor(middle - half - noise) - 1, n);
  };
  const auto high = [&](float middle, float half, float noise, int n) {
    return within(std::ceil(middle + half + noise) + 1, n);
  };
  const float wide = std::max(f.top, 1.0F);
  f.x0 = low(f.x, f.rx * wide, f.noise, b.nx), f.x1 = high(f.x, f.rx * wide, f.noise, b.nx);
  f.y0 = low(f.y, f.ry * wide, f.noise, b.ny), f.y1 = high(f.y, f.ry * wide, f.noise, b.ny);
  f.z0 = low(f.z, f.rz, f.noise, b.nz), f.z1 = high(f.z, f.rz, f.noise, b.nz);
}

void check_form(const RockFormSpec& from, std::size_t i, const VoxelBox& b) {
  if (!(from.layer_stretch > 0) || !(from.top >= 0))
    throw UsageError(text("form ", i + 1, ": layer_stretch and top must not be negative"));
  if (from.kind == RockFormSpec::Kind::solid) {
    const std::size_t words = static_cast<std::size_t>(b.bricks_x) *
                              static_cast<std::size_t>(b.ny) * static_cast<std::size_t>(b.nz);
    if (from.solid.size() != words)
      throw UsageError(text("form ", i + 1, ": a solid of ", from.solid.size(), " words: expected ",
                            words, ", those of another box"));
    return;
  }
  for (const double size : from.size)
    if (!(size > 0) || !std::isfinite(size))
      throw UsageError(text("form ", i + 1, ": size ", size, ", expected above 0"));
}

RockForm packed(const RockSpec& spec, std::size_t i, const VoxelBox& b, double cell) {
  const RockFormSpec& from = spec.forms[i];
  check_form(from, i, b);
  const auto voxels = [&](double metres) { return static_cast<float>(metres / cell); };
  RockForm f{};
  f.kind = static_cast<int>(from.kind);
  f.carve = from.carve ? 1 : 0;
  if (!from.rock.empty()) {
    const Place place = find_rock(spec, from.rock, cell);
    f.material = place.material, f.grades = place.grades, f.grain = place.grain;
    f.whole = place.whole;
  }
  f.rx = voxels(from.size[0] / 2), f.ry = voxels(from.size[1] / 2), f.rz = voxels(from.size[2] / 2);
  f.x = voxels(from.at[0]), f.y = voxels(from.at[1]), f.z = voxels(from.at[2]) + f.rz;
  f.top = static_cast<float>(from.top);
  f.thickness = voxels(from.thickness);
  f.noise = voxels(from.noise);
  f.wave = wave_of(from.noise_size, cell, "a form");
  f.shift = voxels(from.layer_shift);
  f.stretch = static_cast<float>(from.layer_stretch);
  f.seed = seed_of(spec, 0xf0123U, i);
  set_bounds(f, b);
  if (from.kind == RockFormSpec::Kind::solid)
    f.x0 = f.y0 = f.z0 = 0, f.x1 = b.nx, f.y1 = b.ny, f.z1 = b.nz;
  return f;
}

std::vector<RockLayer> packed_layers(const RockSpec& spec, double cell) {
  std::vector<RockLayer> layers;
  double top = 0;
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    const RockLayerSpec& from = spec.layers[i];
    const Place place = find_rock(spec, from.rock, cell);
    if (!(from.thickness > 0) && i + 1 < spec.layers.size())
      throw UsageError(text("layer ", i + 1, ": thickness ", from.thickness, ", expected above 0"));
    top += from.thickness;
    RockLayer layer{};
    layer.top = static_cast<float>(top / cell);
    layer.noise = static_cast<float>(from.noise / cell);
    layer.wave = wave_of(from.noise_size, cell, "a layer");
    layer.grain = place.grain, layer.material = place.material, layer.grades = place.grades;
    layer.whole = place.whole;
    layer.seed = seed_of(spec, 0x1a7e2U, i);
    layers.push_back(layer);
  }
  return layers;
}

// Planes so close that their numbers, or those that lean over one voxel, cannot be counted.
constexpr double most_planes = 1 << 22, most_leaning = 1000;

void check_planes(const RockJoint& joint, const RockJointSpec& from, std::size_t i,
                  const VoxelBox& b) {
  const double across = std::hypot(b.nx, b.ny, b.nz);
  const double planes =
      (across + std::abs(static_cast<double>(joint.offset)) + static_cast<double>(joint.noise)) /
      static_cast<double>(joint.spacing);
  if (planes > most_planes)
    throw UsageError(text("joint ", i + 1, ": a spacing of ", from.spacing, " m: ", planes,
                          " planes, expected at most ", most_planes));
}

// Two axes in the planes, and how many planes can come to where another belongs.
void set_jitter(RockJoint& joint, const RockJointSpec& from, const VoxelBox& b) {
  const double n[3] = {static_cast<double>(joint.nx), static_cast<double>(joint.ny),
                       static_cast<double>(joint.nz)};
  // Across the axis that the normal is farthest from.
  const int far = std::abs(n[0]) <= std::abs(n[1]) && std::abs(n[0]) <= std::abs(n[2]) ? 0
                  : std::abs(n[1]) <= std::abs(n[2])                                   ? 1
                                                                                       : 2;
  double s[3] = {};
  s[(far + 1) % 3] = -n[(far + 2) % 3], s[(far + 2) % 3] = n[(far + 1) % 3];
  const double length = std::sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
  for (double& part : s) part /= length;
  const double t[3] = {n[1] * s[2] - n[2] * s[1], n[2] * s[0] - n[0] * s[2],
                       n[0] * s[1] - n[1] * s[0]};
  const double middle[3] = {b.nx / 2.0, b.ny / 2.0, b.nz / 2.0};
  const auto dot = [](const double* a, const double* c) {
    return a[0] * c[0] + a[1] * c[1] + a[2] * c[2];
  };
  joint.sx = static_cast<float>(s[0]), joint.sy = static_cast<float>(s[1]);
  joint.sz = static_cast<float>(s[2]), joint.tx = static_cast<float>(t[0]);
  joint.ty = static_cast<float>(t[1]), joint.tz = static_cast<float>(t[2]);
  joint.s0 = static_cast<float>(dot(s, middle)), joint.t0 = static_cast<float>(dot(t, middle));
  joint.jitter = static_cast<float>(from.jitter) * joint.spacing;
  const double rise = tangent_of_degrees(from.tilt);
  joint.tilt = static_cast<float>(rise);
  const double corner = std::sqrt(dot(middle, middle)) * std::sqrt(2.0);
  const double farthest = (from.jitter * static_cast<double>(joint.spacing) + rise * corner +
                           static_cast<double>(joint.reach)) /
                          static_cast<double>(joint.spacing);
  if (farthest > most_leaning)
    throw UsageError(text("joints ", from.spacing, " m apart that lean by ", from.tilt,
                          " degrees: ", farthest, " of them come to one place, expected at most ",
                          most_leaning, ": a wider spacing or less tilt"));
  joint.others = static_cast<int>(std::ceil(farthest + 0.5));
}

std::vector<RockJoint> packed_joints(const RockSpec& spec, const VoxelBox& b, double cell) {
  std::vector<RockJoint> joints;
  for (std::size_t i = 0; i < spec.joints.size(); ++i) {
    const RockJointSpec& from = spec.joints[i];
    const auto& n = from.normal;
    const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 0) || !(from.spacing > 0) || !(from.thickness > 0))
      throw UsageError(
          text("joint ", i + 1, ": expected a normal, and a spacing and a thickness ", "above 0"));
    const Place place = find_rock(spec, from.rock, cell);
    RockJoint joint{};
    joint.nx = static_cast<float>(n[0] / length), joint.ny = static_cast<float>(n[1] / length);
    joint.nz = static_cast<float>(n[2] / length);
    joint.offset = static_cast<float>(from.offset / cell);
    joint.spacing = static_cast<float>(from.spacing / cell);
    joint.reach = static_cast<float>(from.thickness / cell / 2);
    joint.noise = static_cast<float>(from.noise / cell);
    joint.wave = wave_of(from.noise_size, cell, "a joint");
    joint.material = place.material, joint.grades = place.grades, joint.grain = place.grain;
    joint.seed = seed_of(spec, 0x101f7U, i);
    if (!(from.jitter >= 0 && from.jitter <= 0.5) || !(from.tilt >= 0 && from.tilt <= 20))
      throw UsageError(text("joint ", i + 1, ": jitter ", from.jitter, " and tilt ", from.tilt,
                            ", expected 0 to 0.5 and 0 to 20 degrees"));
    check_planes(joint, from, i, b);
    if (from.jitter > 0 || from.tilt > 0) set_jitter(joint, from, b);
    joints.push_back(joint);
  }
  return joints;
}

template <class T>
device::BufferPtr uploaded(device::Device& device, std::vector<T> values) {
  if (values.empty()) values.resize(1);
  const device::BufferPtr buffer = device.allocate(values.size() * sizeof(T));
  device.write(*buffer, 0, values.data(), values.size() * sizeof(T));
  return buffer;
}

// Where joints do not cut the ground its words have air, which is nobody's before it is counted.
std::vector<std::uint32_t> marked_ground(const RockSpec& spec) {
  std::vector<bool> whole(VOXEL_MATERIALS);
  std::size_t material = 1;
  for (const Rock& rock : spec.rocks)
    for (int g = 0; g < grades_of(rock); ++g) whole[material++] = !rock.jointed;
  std::vector<std::uint32_t> words = spec.ground;
  for (std::uint32_t& word : words)
    if (whole[voxel_material(word)]) word = with_air(word, 1);
  return words;
}

std::vector<float> ground_in_voxels(const RockSpec& spec, const Voxels& terrain) {
  const VoxelShape& shape = terrain.shape();
  const auto columns = static_cast<std::size_t>(shape.nx) * static_cast<std::size_t>(shape.ny);
  if (!spec.heights.empty() && spec.heights.size() != columns)
    throw UsageError(text("ground of ", spec.heights.size(), " heights for ", shape.nx, " x ",
                          shape.ny, " columns of voxels"));
  std::vector<float> heights;
  for (const float metres : spec.heights) {
    if (!std::isfinite(metres)) throw UsageError("ground with a height that is no number");
    heights.push_back(static_cast<float>(static_cast<double>(metres) / shape.cell));
  }
  return heights;
}

}  // namespace

std::vector<RockFormSpec> table_form(const std::array<double, 3>& at,
                                     const std::array<double, 3>& size, double leg_width,
                                     double slab_height) {
  RockFormSpec leg, slab;
  leg.kind = slab.kind = RockFormSpec::Kind::column;
  leg.at = slab.at = at;
  leg.size = {leg_width, leg_width, size[2] - slab_height};
  slab.at[2] += leg.size[2];
  slab.size = {size[0], size[1], slab_height};
  return {leg, slab};
}

std::vector<VoxelMaterial> rock_materials(const RockSpec& spec) {
  std::vector<VoxelMaterial> materials;
  for (const Rock& rock : spec.rocks) {
    if (!(rock.durability >= 0 && rock.durability <= 1) || !(rock.noise >= 0 && rock.noise <= 1))
      throw UsageError(text("rock '", rock.name, "': durability ", rock.durability, " with noise ",
                            rock.noise, ", expected 0 to 1"));
    const int grades = grades_of(rock);
    for (int g = 0; g < grades; ++g) {
      const double place = grades > 1 ? 2.0 * g / (grades - 1) - 1 : 0;
      const double durability = std::clamp(rock.durability + rock.noise * place, 0.0, 1.0);
      materials.push_back({rock.name, durability, rock.bubble, rock.loose, rock.colour});
    }
  }
  if (materials.size() >= VOXEL_MATERIALS)
    throw UsageError(text("rocks of ", materials.size(), " materials (", grades_of_noise,
                          " for each whose durability varies): expected at most ",
                          VOXEL_MATERIALS - 1));
  return materials;
}

std::uint32_t rock_number(const RockSpec& spec, const std::string& name) {
  const Place place = find_rock(spec, name, 1);
  return static_cast<std::uint32_t>(place.material + place.grades / 2);
}

void build_rocks(Voxels& terrain, const RockSpec& spec) {
  const double cell = terrain.shape().cell;
  const bool by_layers = !spec.heights.empty() || std::any_of(spec.forms.begin(), spec.forms.end(),
                                                              [](const RockFormSpec& f) {
                                                                return !f.carve && f.rock.empty();
                                                              });
  if (by_layers && spec.layers.empty())
    throw UsageError("rocks without a rock of their own need layers, and there are none");
  if (!spec.ground.empty()) terrain.set_words(marked_ground(spec));
  std::vector<RockForm> forms;
  SolidMask solids;
  for (std::size_t i = 0; i < spec.forms.size(); ++i) {
    forms.push_back(packed(spec, i, terrain.box(), cell));
    if (spec.forms[i].kind != RockFormSpec::Kind::solid) continue;
    forms.back().solid = static_cast<std::uint32_t>(solids.size());
    solids.insert(solids.end(), spec.forms[i].solid.begin(), spec.forms[i].solid.end());
  }
  const RockPlan plan{static_cast<int>(forms.size()), static_cast<int>(spec.layers.size()),
                      static_cast<int>(spec.joints.size()),
                      !spec.ground.empty()    ? 2
                      : !spec.heights.empty() ? 1
                                              : 0};
  device::Device& device = terrain.device();
  device::Arguments a;
  a.add(terrain.box()).add(plan);
  // Named, so that they outlive the call.
  const device::BufferPtr form_buffer = uploaded(device, forms),
                          layer_buffer = uploaded(device, packed_layers(spec, cell)),
                          joint_buffer = uploaded(device, packed_joints(spec, terrain.box(), cell)),
                          ground = uploaded(device, ground_in_voxels(spec, terrain)),
                          solid_buffer = uploaded(device, std::move(solids));
  a.add(form_buffer).add(layer_buffer).add(joint_buffer).add(ground).add(solid_buffer);
  a.add(terrain.words_buffer());
  const VoxelBox& b = terrain.box();
  device.run(rocks_kernel, Range{0, 0, b.bricks_x, b.ny * b.nz}, a);
  terrain.words_changed();
  device.finish();
}

}  // namespace scree
