#include "surface/marching_cubes.h"

#include <cmath>
#include <limits>

#include "base/error.h"
#include "kernel/scan.h"
#include "surface/cases.h"

namespace scree::surface {
namespace {

constexpr device::Kernel bits_kernel{"march_bits", "kernel/march.h"};
constexpr device::Kernel count_kernel{"march_count", "kernel/march.h"};
constexpr device::Kernel vertices_kernel{"march_vertices", "kernel/march.h"};
constexpr device::Kernel triangles_kernel{"march_triangles", "kernel/march.h"};
constexpr device::Kernel sums_kernel{"scan_sums", "kernel/scan.h"};
constexpr device::Kernel apply_kernel{"scan_apply", "kernel/scan.h"};

std::vector<std::uint32_t> packed_cases() {
  std::vector<std::uint32_t> words(cube_cases.size() * MARCH_CASE_WORDS);
  for (std::size_t c = 0; c < cube_cases.size(); ++c) {
    std::uint32_t* word = words.data() + c * MARCH_CASE_WORDS;
    word[0] = static_cast<std::uint32_t>(cube_cases[c].triangles);
    for (std::size_t k = 0; k < cube_cases[c].corners.size(); ++k)
      word[(k + 1) / 4] |= static_cast<std::uint32_t>(cube_cases[c].corners[k])
                           << 8 * ((k + 1) % 4);
  }
  return words;
}

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

MarchingCubes::MarchingCubes(device::DevicePtr device) : device_(std::move(device)) {
  const std::vector<std::uint32_t> cases = packed_cases();
  table_ = device_->allocate(cases.size() * sizeof cases[0]);
  device_->write(*table_, 0, cases.data(), cases.size() * sizeof cases[0]);
}

void MarchingCubes::need(device::BufferPtr& buffer, std::size_t bytes) {
  if (buffer && buffer->bytes() >= bytes) return;
  buffer.reset();  // before the new one, so that both need not fit
  buffer = device_->allocate(bytes);
}

// Of `count` numbers and a last one, which becomes their sum and is returned.
std::uint32_t MarchingCubes::scan(device::BufferPtr& values, int count) {
  const std::uint32_t zero = 0;
  const std::size_t end = static_cast<std::size_t>(count) * sizeof zero;
  device_->write(*values, end, &zero, sizeof zero);
  scan(values, count + 1, 0);
  std::uint32_t sum = 0;
  device_->read(*values, end, &sum, sizeof sum);
  return sum;
}

void MarchingCubes::scan(device::BufferPtr& values, int count, std::size_t level) {
  const int pieces = (count + SCAN_PIECE - 1) / SCAN_PIECE;
  if (sums_.size() <= level) sums_.resize(level + 1);
  need(sums_[level], static_cast<std::size_t>(pieces) * sizeof(std::uint32_t));
  if (pieces == 1) {
    const std::uint32_t zero = 0;
    device_->write(*sums_[level], 0, &zero, sizeof zero);
  } else {
    device::Arguments sums;
    sums.add(count).add(values).add(sums_[level]);
    device_->run(sums_kernel, Range{0, 0, pieces, 1}, sums);
    device::BufferPtr before = sums_[level];
    scan(before, pieces, level + 1);
  }
  device::Arguments apply;
  apply.add(count).add(sums_[level]).add(values);
  device_->run(apply_kernel, Range{0, 0, pieces, 1}, apply);
}

DeviceMesh MarchingCubes::extract(const Lattice& lattice, const device::BufferPtr& density,
                                  const MarchOptions& options, const device::BufferPtr& materials) {
  const March p = march_numbers(lattice, options, materials != nullptr);
  const std::size_t needed = lattice.samples() * sizeof(float);
  if (density->bytes() < needed || (materials && materials->bytes() < needed))
    throw UsageError(text("a volume of ", lattice.samples(), " samples: its buffers have fewer"));
  const Range words{0, 0, p.words, p.sy * p.sz};
  const int count = p.words * p.sy * p.sz;
  const std::size_t word = sizeof(std::uint32_t),
                    bytes = (static_cast<std::size_t>(count) + 1) * word;
  need(bits_, bytes);
  need(first_vertex_, bytes);
  need(first_triangle_, bytes);

  device::Arguments bits;
  bits.add(p).add(density).add(bits_);
  device_->run(bits_kernel, words, bits);
  device::Arguments counts;
  counts.add(p).add(table_).add(bits_).add(first_vertex_).add(first_triangle_);
  device_->run(count_kernel, words, counts);
  mesh_.vertices = scan(first_vertex_, count);
  mesh_.triangles = scan(first_triangle_, count);
  if (mesh_.vertices > std::numeric_limits<std::uint32_t>::max() / 3 ||
      mesh_.triangles > std::numeric_limits<std::uint32_t>::max() / 3)
    throw Error("the surface has more triangles than a mesh can number: extract it in parts");

  need(mesh_.positions, 3 * mesh_.vertices * word);
  need(mesh_.normals, 3 * mesh_.vertices * word);
  need(mesh_.indices, 3 * mesh_.triangles * word);
  if (materials) need(mesh_.materials, mesh_.vertices * word);
  device::Arguments vertices;
  vertices.add(p).add(density);
  materials ? vertices.add(materials) : vertices.add_unused(bits_);
  vertices.add(bits_).add(first_vertex_).add(mesh_.positions).add(mesh_.normals);
  materials ? vertices.add(mesh_.materials) : vertices.add_unused(bits_);
  device_->run(vertices_kernel, words, vertices);
  device::Arguments triangles;
  triangles.add(p).add(table_).add(bits_).add(first_vertex_).add(first_triangle_);
  triangles.add(mesh_.indices);
  device_->run(triangles_kernel, words, triangles);
  DeviceMesh result = mesh_;
  if (!materials) result.materials.reset();
  return result;
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
