#include "surface/march/marching_cubes.h"

#include <cmath>
#include <limits>

#include "base/error.h"
#include "surface/march/packed_cases.h"

namespace scree::surface {
namespace {

constexpr device::Kernel bits_kernel{"march_bits", "kernel/surface/march.h"};
constexpr device::Kernel count_kernel{"march_count", "kernel/surface/march.h"};
constexpr device::Kernel vertices_kernel{"march_vertices", "kernel/surface/march.h"};
constexpr device::Kernel voxel_bits_kernel{"voxel_surface_bits", "kernel/surface/voxel_surface.h"};
constexpr device::Kernel voxel_vertices_kernel{"voxel_surface_vertices",
                                               "kernel/surface/voxel_surface.cl"};
constexpr device::Kernel triangles_kernel{"march_triangles", "kernel/surface/march.h"};

}  // namespace

March march_numbers(const Lattice& lattice, const MarchOptions& options, bool materials) {
  const auto sized = [](int n) { return n >= 1 && n <= 32768; };
  if (!sized(lattice.nx) || !sized(lattice.ny) || !sized(lattice.nz) ||
      lattice.samples() > (std::size_t{1} << 30))
    throw UsageError(text("a volume of ", lattice.nx, " x ", lattice.ny, " x ", lattice.nz,
                          " samples: expected 1 to 2^30 in all, 32768 a side"));
  for (const float cell : {lattice.cell_x, lattice.cell_y, lattice.cell_z})
    if (!(cell > 0) || !std::isfinite(cell))
      throw UsageError(text("a volume's cell of ", cell, " m: expected positive metres"));
  if (!std::isfinite(options.isovalue))
    throw UsageError(text("isovalue ", options.isovalue, ": expected a number"));
  March p{};
  p.nx = lattice.nx, p.ny = lattice.ny, p.nz = lattice.nz;
  p.ring = options.closed ? 1 : 0;
  p.sx = p.nx + 2 * p.ring, p.sy = p.ny + 2 * p.ring, p.sz = p.nz + 2 * p.ring;
  p.words = (p.sx + 31) / 32;
  p.materials = materials ? 1 : 0;
  p.iso = options.isovalue;
  p.cell_x = lattice.cell_x, p.cell_y = lattice.cell_y, p.cell_z = lattice.cell_z;
  p.origin_x = lattice.origin_x, p.origin_y = lattice.origin_y, p.origin_z = lattice.origin_z;
  return p;
}

MarchingCubes::MarchingCubes(device::DevicePtr device)
    : device_(std::move(device)), sums_(device_) {
  const std::vector<std::uint32_t>& cases = packed_cases();
  table_ = device_->allocate(cases.size() * sizeof cases[0]);
  device_->write(*table_, 0, cases.data(), cases.size() * sizeof cases[0]);
}

// Everything up to the number of each word's first vertex and triangle.
template <class Fill>
void MarchingCubes::count(const March& p, const Fill& fill_bits) {
  const Range words{0, 0, p.words, p.sy * p.sz};
  const int count = p.words * p.sy * p.sz;
  const std::size_t word = sizeof(std::uint32_t),
                    bytes = (static_cast<std::size_t>(count) + 1) * word;
  need(*device_, bits_, bytes);
  need(*device_, first_vertex_, bytes);
  need(*device_, first_triangle_, bytes);
  fill_bits(words);
  device::Arguments counts;
  counts.add(p).add(table_).add(bits_).add(first_vertex_).add(first_triangle_);
  device_->run(count_kernel, words, counts);
  mesh_.vertices = sums_.run(first_vertex_, count);
  mesh_.triangles = sums_.run(first_triangle_, count);
  if (mesh_.vertices > std::numeric_limits<std::uint32_t>::max() / 3 ||
      mesh_.triangles > std::numeric_limits<std::uint32_t>::max() / 3)
    throw Error("the surface has more triangles than a mesh can number: extract it in parts");
  need(*device_, mesh_.positions, 3 * mesh_.vertices * word);
  need(*device_, mesh_.normals, 3 * mesh_.vertices * word);
  need(*device_, mesh_.indices, 3 * mesh_.triangles * word);
  if (p.materials != 0) need(*device_, mesh_.materials, mesh_.vertices * word);
}

DeviceMesh MarchingCubes::with_triangles(const March& p) {
  device::Arguments triangles;
  triangles.add(p).add(table_).add(bits_).add(first_vertex_).add(first_triangle_);
  triangles.add(mesh_.indices);
  device_->run(triangles_kernel, Range{0, 0, p.words, p.sy * p.sz}, triangles);
  DeviceMesh result = mesh_;
  if (p.materials == 0) result.materials.reset();
  return result;
}

DeviceMesh MarchingCubes::extract(const Lattice& lattice, const device::BufferPtr& density,
                                  const MarchOptions& options, const device::BufferPtr& materials) {
  const March p = march_numbers(lattice, options, materials != nullptr);
  const std::size_t needed = lattice.samples() * sizeof(float);
  if (density->bytes() < needed || (materials && materials->bytes() < needed))
    throw UsageError(text("a volume of ", lattice.samples(), " samples: its buffers have fewer"));
  count(p, [&](const Range& words) {
    device::Arguments bits;
    bits.add(p).add(density).add(bits_);
    device_->run(bits_kernel, words, bits);
  });
  device::Arguments vertices;
  vertices.add(p).add(density);
  materials ? vertices.add(materials) : vertices.add_unused(bits_);
  vertices.add(bits_).add(first_vertex_).add(mesh_.positions).add(mesh_.normals);
  materials ? vertices.add(mesh_.materials) : vertices.add_unused(bits_);
  device_->run(vertices_kernel, Range{0, 0, p.words, p.sy * p.sz}, vertices);
  return with_triangles(p);
}

DeviceMesh MarchingCubes::extract(const Voxels& voxels, bool closed) {
  const VoxelShape& s = voxels.shape();
  const auto cell = static_cast<float>(s.cell);
  const auto middle = [&](std::size_t d) { return static_cast<float>(s.origin[d] + s.cell / 2); };
  const Lattice lattice{s.nx, s.ny, s.nz, cell, cell, cell, middle(0), middle(1), middle(2)};
  const March p = march_numbers(lattice, {0.5F, closed}, true);
  count(p, [&](const Range& words) {
    device::Arguments bits;
    bits.add(p).add(voxels.box()).add(voxels.bits_buffer()).add(bits_);
    device_->run(voxel_bits_kernel, words, bits);
  });
  device::Arguments vertices;
  vertices.add(p).add(voxels.words_buffer()).add(bits_).add(first_vertex_);
  vertices.add(mesh_.positions).add(mesh_.normals).add(mesh_.materials);
  device_->run(voxel_vertices_kernel, Range{0, 0, p.words, p.sy * p.sz}, vertices);
  return with_triangles(p);
}

Surface MarchingCubes::download(const DeviceMesh& mesh) const {
  Surface surface;
  const auto fetch = [&](const device::BufferPtr& from, auto& to, std::size_t count) {
    to.resize(count);
    if (count > 0) device_->read(*from, 0, to.data(), count * sizeof to[0]);
  };
  fetch(mesh.positions, surface.mesh.positions, mesh.vertices);
  fetch(mesh.normals, surface.mesh.normals, mesh.vertices);
  fetch(mesh.indices, surface.mesh.triangles, mesh.triangles);
  if (mesh.materials) fetch(mesh.materials, surface.materials, mesh.vertices);
  return surface;
}

Surface MarchingCubes::extract(const Lattice& lattice, const std::vector<float>& density,
                               const MarchOptions& options,
                               const std::vector<std::uint32_t>& materials) {
  march_numbers(lattice, options, !materials.empty());
  if (density.size() != lattice.samples() ||
      (!materials.empty() && materials.size() != lattice.samples()))
    throw UsageError(text("a volume of ", lattice.samples(), " samples got ", density.size(),
                          " densities and ", materials.size(), " materials"));
  const auto upload = [&](const auto& values) {
    const device::BufferPtr buffer = device_->allocate(values.size() * sizeof values[0]);
    device_->write(*buffer, 0, values.data(), values.size() * sizeof values[0]);
    return buffer;
  };
  return download(extract(lattice, upload(density), options,
                          materials.empty() ? device::BufferPtr() : upload(materials)));
}

}  // namespace scree::surface
