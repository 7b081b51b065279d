#include "picture/voxels/rock_pictures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/suggest.h"
#include "picture/perspective.h"
#include "scene/read/picture_choices.h"
#include "surface/blocks/blocks.h"
#include "surface/march/marching_cubes.h"
#include "surface/march/volume_lattice.h"
#include "terrain/heights/derive.h"

namespace scree {
namespace {

constexpr int block_size = 16;  // cells of a block: its levels are 0 to 4
// As a ground's cells are drawn (render/ground/grid_detail.cpp).
constexpr double pixels_a_cell = 1.4;
constexpr double pixels_an_edge = 7;  // of a wireframe

Mesh coloured(surface::Surface surface, const RockSubject& rock) {
  surface.mesh.colours.reserve(surface.materials.size());
  for (const std::uint32_t material : surface.materials) {
    const unsigned srgb =
        material < rock.materials.size() ? rock.materials[material].colour : 0x9b978f;
    const auto byte = [&](int shift) { return static_cast<std::uint8_t>(srgb >> shift & 0xff); };
    surface.mesh.colours.push_back({byte(16), byte(8), byte(0), 255});
  }
  return std::move(surface.mesh);
}

class Mesher {
 public:
  explicit Mesher(const RockSubject& rock)
      : rock_(rock),
        lattice_(surface::lattice_of(rock.volume.shape, rock.volume.shape.origin)),
        grid_(lattice_, block_size),
        blocks_(lattice_, rock.volume.density.data(), rock.isovalue,
                rock.volume.materials.empty() ? nullptr : rock.volume.materials.data()) {}

  surface::BlockGrid& grid() { return grid_; }
  double widest_cell() const {
    const auto& cell = rock_.volume.shape.cell;
    return std::max({cell[0], cell[1], cell[2]});
  }

  Mesh in_blocks(std::vector<std::size_t>* count = nullptr) const {
    const std::vector<surface::BlockMesh> blocks = blocks_.blocks(grid_);
    if (count != nullptr) {
      count->assign(static_cast<std::size_t>(grid_.most_level()) + 1, 0);
      for (std::size_t i = 0; i < blocks.size(); ++i)
        if (!blocks[i].mesh.triangles.empty()) ++(*count)[grid_.levels()[i]];
    }
    return coloured(surface::welded(blocks), rock_);
  }

  Mesh whole() const {
    device::DeviceOptions cpu;
    cpu.selector = "cpu";
    surface::MarchingCubes mesher(device::open_device(cpu));
    return coloured(mesher.extract(lattice_, rock_.volume.density, {.isovalue = rock_.isovalue},
                                   rock_.volume.materials),
                    rock_);
  }

 private:
  const RockSubject& rock_;
  surface::Lattice lattice_;
  surface::BlockGrid grid_;
  surface::BlockMesher blocks_;
};

struct Extent {
  render::Vec3 low, high;
  render::Vec3 size() const { return high - low; }
  void add(const RockSubject::Stage& stage) {
    low = {std::min(low.x, stage.low[0]), std::min(low.y, stage.low[1]),
           std::min(low.z, stage.low[2])};
    high = {std::max(high.x, stage.high[0]), std::max(high.y, stage.high[1]),
            std::max(high.z, stage.high[2])};
  }
};

Extent box_of(const Mesh& mesh) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Extent box{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  for (const Mesh::Vector& p : mesh.positions) {
    const auto [x, y, z] = p;
    const render::Vec3 v{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
    box.low = {std::min(box.low.x, v.x), std::min(box.low.y, v.y), std::min(box.low.z, v.z)};
    box.high = {std::max(box.high.x, v.x), std::max(box.high.y, v.y), std::max(box.high.z, v.z)};
  }
  return box;
}

// What is seen from above: where the density passes the isovalue last on the way up.
float top_of(const Volume& volume, float isovalue, int x, int y) {
  const auto [nx, ny, nz] = volume.shape.size;
  const std::size_t slice = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny),
                    at = static_cast<std::size_t>(y) * static_cast<std::size_t>(nx) +
                         static_cast<std::size_t>(x);
  const auto density = [&](int z) {
    return volume.density[at + slice * static_cast<std::size_t>(z)];
  };
  for (int z = nz - 1; z >= 0; --z) {
    if (density(z) < isovalue) continue;
    const float above = z + 1 < nz ? density(z + 1) : std::min(0.0F, isovalue - 1);
    const double part = static_cast<double>((density(z) - isovalue) / (density(z) - above));
    return static_cast<float>(volume.shape.origin[2] + volume.shape.cell[2] * (z + part));
  }
  return std::numeric_limits<float>::quiet_NaN();
}

// Of the rock's top at a place east and north of the middle of a box, above its foot; 0 beside it.
double top_in(const Extent& box, const RockSubject& rock, double east, double north) {
  const VolumeShape& shape = rock.volume.shape;
  const double x = (east + (box.low.x + box.high.x) / 2 - shape.origin[0]) / shape.cell[0],
               y = (north + (box.low.y + box.high.y) / 2 - shape.origin[1]) / shape.cell[1];
  if (!(x > -0.5 && y > -0.5 && x < shape.size[0] - 0.5 && y < shape.size[1] - 0.5)) return 0;
  const auto top =
      static_cast<double>(top_of(rock.volume, rock.isovalue, static_cast<int>(std::lround(x)),
                                 static_cast<int>(std::lround(y))));
  return std::isnan(top) ? 0 : top - box.low.z;
}

// Where the camera stands, in the volume's own metres, on each of some places around it.
struct Eyes {
  std::vector<std::array<double, 3>> places;
  double pixel = 0;  // how wide one is at a metre
};

Eyes eyes_of(const Extent& box, const RockSubject& rock, const PictureSettings& settings,
             int width) {
  const double stretch = settings.look.exaggeration;
  const render::Vec3 size = box.size();
  std::vector<render::Vec3> corners;
  for (int n = 0; n < 8; ++n)
    corners.push_back({(n & 1) != 0 ? size.x / 2 : -size.x / 2,
                       (n & 2) != 0 ? size.y / 2 : -size.y / 2,
                       (n & 4) != 0 ? size.z * stretch : 0});
  Eyes eyes;
  const int count = std::clamp(settings.turntable, 1, 12);
  for (int i = 0; i < count; ++i) {
    render::Camera camera = settings.camera;
    camera.turned = 360.0 * i / count;
    if (camera.from && camera.above_ground) {
      const render::Vec3 at = render::turned_eye(camera, corners);
      camera.from->z += stretch * top_in(box, rock, at.x, at.y);
    }
    const render::View view =
        render::look(camera, corners, static_cast<double>(width) / settings.height);
    eyes.places.push_back({view.eye.x + (box.low.x + box.high.x) / 2,
                           view.eye.y + (box.low.y + box.high.y) / 2,
                           view.eye.z / stretch + box.low.z});
    eyes.pixel = 2 * view.tan_x / width;
  }
  return eyes;
}

// Cells about so many pixels wide from wherever the camera stands.
std::vector<std::uint8_t> levels_for(surface::BlockGrid& grid, const Eyes& eyes, double pixels) {
  std::vector<std::uint8_t> finest(grid.count(), 255);
  for (const std::array<double, 3>& eye : eyes.places) {
    grid.set_levels(eye, 1 / (eyes.pixel * pixels));
    for (std::size_t i = 0; i < finest.size(); ++i)
      finest[i] = std::min(finest[i], grid.levels()[i]);
  }
  return grid.eased(std::move(finest));
}

// Triangles without an area at the corners of a box: nothing of them is seen, but the camera has
// them in its picture.
void add_corners(Mesh& mesh, const RockSubject::Stage& stage) {
  for (const std::array<double, 3>* corner : {&stage.low, &stage.high}) {
    const auto index = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.push_back({static_cast<float>((*corner)[0]), static_cast<float>((*corner)[1]),
                              static_cast<float>((*corner)[2])});
    if (!mesh.colours.empty() || mesh.triangles.empty())
      mesh.colours.push_back({155, 151, 143, 255});
    mesh.triangles.push_back({index, index, index});
  }
}

// All that the voxels fill.
RockSubject::Stage box_of(const VolumeShape& shape) {
  RockSubject::Stage box;
  for (std::size_t d = 0; d < 3; ++d) {
    box.low[d] = shape.origin[d] - shape.cell[d] / 2;
    box.high[d] = box.low[d] + shape.size[d] * shape.cell[d];
  }
  return box;
}

PhotographerPtr in_perspective(const RockSubject& rock, const PictureSettings& settings,
                               int width) {
  auto made = std::make_unique<Perspective>(settings, width);
  RockSurface seen = seen_surface(rock, settings, width);
  if (seen.mesh.triangles.empty()) seen.mesh = {};
  if (rock.stage || seen.mesh.triangles.empty())
    add_corners(seen.mesh, rock.stage.value_or(box_of(rock.volume.shape)));
  made->renderer().show(seen.mesh, settings.look, {},
                        seen.coarse.triangles.empty() ? nullptr : &seen.coarse);
  return made;
}

// What it is made of, as it is seen from above.
render::ViewField materials_of(const RockSubject& rock) {
  const int nx = rock.volume.shape.size[0], ny = rock.volume.shape.size[1],
            nz = rock.volume.shape.size[2];
  const std::size_t slice = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
  render::ViewField field{{}, "1"};
  const auto seen_at = [&](int x, int y) {
    const std::size_t column =
        static_cast<std::size_t>(y) * static_cast<std::size_t>(nx) + static_cast<std::size_t>(x);
    for (int z = nz - 1; z >= 0; --z) {
      const std::size_t sample = column + slice * static_cast<std::size_t>(z);
      if (rock.volume.density[sample] < rock.isovalue) continue;
      return rock.volume.materials.empty() ? 0.0F
                                           : static_cast<float>(rock.volume.materials[sample]);
    }
    return std::numeric_limits<float>::quiet_NaN();
  };
  for (int y = ny - 1; y >= 0; --y)
    for (int x = 0; x < nx; ++x) field.values.push_back(seen_at(x, y));
  field.kinds = render::told_apart(rock.materials);
  return field;
}

render::Ground ground_of(const RockSubject& rock) {
  const VolumeShape& shape = rock.volume.shape;
  render::Ground ground;
  ground.width = shape.size[0];
  ground.height = shape.size[1];
  ground.dx = shape.cell[0];
  ground.dy = shape.cell[1];
  // Row 0 is north.
  for (int y = ground.height - 1; y >= 0; --y)
    for (int x = 0; x < ground.width; ++x)
      ground.bed.push_back(top_of(rock.volume, rock.isovalue, x, y));
  return ground;
}

render::ViewField field_of(const RockSubject& rock, const render::Ground& ground,
                           const std::string& name) {
  if (name == "material") return materials_of(rock);
  const HeightView heights{ground.bed.data(), ground.width, ground.height, ground.dx, ground.dy};
  if (name == "slope") return {slope_degrees(heights), "deg"};
  if (name == "curvature") return {curvature(heights), "1/m"};
  return {ground.bed, "m"};
}

}  // namespace

std::optional<RockSubject::Stage> stage_of(const RockSubject& rock) {
  const VolumeShape& shape = rock.volume.shape;
  const auto [nx, ny, nz] = shape.size;
  std::array<int, 3> low{nx, ny, nz}, high{-1, -1, -1};
  std::size_t sample = 0;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x, ++sample) {
        if (rock.volume.density[sample] < rock.isovalue) continue;
        const std::array<int, 3> at{x, y, z};
        for (std::size_t d = 0; d < 3; ++d) {
          low[d] = std::min(low[d], at[d]);
          high[d] = std::max(high[d], at[d]);
        }
      }
  if (high[0] < 0) return {};
  RockSubject::Stage stage;
  for (std::size_t d = 0; d < 3; ++d) {
    stage.low[d] = shape.origin[d] + (low[d] - 0.5) * shape.cell[d];
    stage.high[d] = shape.origin[d] + (high[d] + 0.5) * shape.cell[d];
  }
  return stage;
}

bool has_rock(const RockSubject& rock) {
  return std::any_of(rock.volume.density.begin(), rock.volume.density.end(),
                     [&](float density) { return density >= rock.isovalue; });
}

RockSurface seen_surface(const RockSubject& rock, const PictureSettings& settings, int width) {
  Mesher mesher(rock);
  RockSurface seen;
  // Lamps see all of it on few pixels, and throw soft shadows.
  const VolumeShape& shape = rock.volume.shape;
  double square = 0;
  for (std::size_t d = 0; d < 3; ++d) square += std::pow(shape.size[d] * shape.cell[d], 2);
  const double texel = std::sqrt(square) / render::lamp_pixels;
  int level = 0;
  while (level < mesher.grid().most_level() && mesher.widest_cell() * (2 << level) <= 3 * texel)
    ++level;
  if (level > 0) {
    mesher.grid().set_levels(
        std::vector<std::uint8_t>(mesher.grid().count(), static_cast<std::uint8_t>(level)));
    seen.coarse = mesher.in_blocks();
  }
  Extent box = seen.coarse.triangles.empty()
                   ? Extent{{0, 0, 0},
                            {shape.size[0] * shape.cell[0], shape.size[1] * shape.cell[1],
                             shape.size[2] * shape.cell[2]}}
                   : box_of(seen.coarse);
  if (rock.stage) box.add(*rock.stage);
  const bool edges = settings.view.kind == render::ViewKind::wireframe;
  const std::vector<std::uint8_t> levels = levels_for(
      mesher.grid(), eyes_of(box, rock, settings, width), edges ? pixels_an_edge : pixels_a_cell);
  if (std::any_of(levels.begin(), levels.end(), [](auto n) { return n > 0; })) {
    mesher.grid().set_levels(levels);
    seen.mesh = mesher.in_blocks(&seen.blocks);
  }
  // What is thinner than a coarse cell may be all that there is.
  if (seen.mesh.triangles.empty()) seen.mesh = mesher.whole();
  // Those of the densities make a ball of every lone voxel; the renderer's follow the triangles.
  seen.mesh.normals.clear();
  return seen;
}

render::ViewFields view_fields(const RockSubject& rock) {
  return [&rock](const std::string& name) { return field_of(rock, ground_of(rock), name); };
}

PhotographerPtr photograph(const RockSubject& rock, const PictureSettings& settings, int width) {
  const render::ViewChoice& view = settings.view;
  check_rock_view(rock.name, view);
  if (view.in_perspective()) return in_perspective(rock, settings, width);
  if (view.kind == render::ViewKind::section) {
    render::Section section =
        render::section_of(rock.volume, rock.isovalue, view.line, rock.materials);
    section.title = view.subject + ": section";
    return photograph(std::move(section), settings, width);
  }
  render::Ground ground = ground_of(rock);
  render::ViewField shown;
  if (view.kind == render::ViewKind::field) shown = field_of(rock, ground, view.field);
  return photograph(
      std::move(ground), [shown](const std::string& /*name*/) { return shown; }, false, settings,
      width);
}

}  // namespace scree
