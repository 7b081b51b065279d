#include "surface/layer_solid.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "surface/columns.h"

namespace scree::surface {
namespace {

constexpr int samples_high = 100, most_samples_high = 32000;
constexpr float outside = -1;   // a density that is surely air
constexpr float facing = 0.5F;  // the cosine from which on a face looks up or down, and is no wall

// Columns that are kept, in a lattice with a ring of air around them; rows from south to north.
class Solid {
 public:
  Solid(const Layers& layers, const LayerSolidOptions& options)
      : layers_(layers), shape_(layers.shape()), options_(options) {
    stacks_ = options_.stacks.empty() ? layers.stacks() : std::move(options_.stacks);
    if (options.level < 0 || options.level > 12)
      throw UsageError(text("level = ", options.level, ": expected 0 to 12"));
    if (!(options.cell_z >= 0) || !std::isfinite(options.cell_z))
      throw UsageError(text("cell_z = ", options.cell_z, ": expected 0 m or more"));
    const int step = 1 << options.level;
    for (int x = 0; x < shape_.width; x += step) columns_.push_back(x);
    for (int y = shape_.height - 1; y >= 0; y -= step) rows_.push_back(y);
    find_height();
    lattice_.nx = static_cast<int>(columns_.size()) + 2;
    lattice_.ny = static_cast<int>(rows_.size()) + 2;
    lattice_.cell_x = static_cast<float>(shape_.dx * step);
    lattice_.cell_y = static_cast<float>(shape_.dy * step);
    const double cell_z = layer_solid_cell_z(height_, options);
    if (!(height_ / cell_z <= most_samples_high))
      throw UsageError(text("cell_z = ", cell_z, " m of a solid ", height_,
                            " m high: expected at least ", height_ / most_samples_high, " m"));
    lattice_.nz = static_cast<int>(std::ceil(height_ / cell_z)) + 3;
    lattice_.cell_z = static_cast<float>(cell_z);
    lattice_.origin_x = static_cast<float>((0.5 - step) * shape_.dx - shape_.width * shape_.dx / 2);
    const double south = shape_.height - 1 - rows_.front() + 0.5;
    lattice_.origin_y =
        static_cast<float>((south - step) * shape_.dy - shape_.height * shape_.dy / 2);
    lattice_.origin_z = static_cast<float>(shape_.datum - cell_z / 2);
  }

  io::Mesh mesh() {
    gather();
    std::vector<float> density = ridge_free_density(lattice_, solid_);
    wall_in(density);
    MarchOptions open;
    open.closed = false;  // the ring closes it
    MarchingCubes mesher(layers_.device_ptr());
    io::Mesh mesh = mesher.extract(lattice_, density, open).mesh;
    colour(mesh);
    return mesh;
  }

 private:
  void find_height() {
    long long highest = 0;
    for (const Stack& stack : stacks_) {
      long long height = 0;
      for (const Layer& layer : stack) height += layer.quanta;
      highest = std::max(highest, height);
    }
    height_ = static_cast<double>(highest) * shape_.quantum;
    if (highest == 0) throw Error("no layer is left to make a mesh of");
  }

  const Stack& stack_at(int x, int y) const {
    return stacks_[static_cast<std::size_t>(y) * static_cast<std::size_t>(shape_.width) +
                   static_cast<std::size_t>(x)];
  }

  bool kept(int x, int y) const {
    if (!options_.cut) return true;
    return options_.cut->keeps((x + 0.5) * shape_.dx, (shape_.height - y - 0.5) * shape_.dy);
  }

  // Solid parts of every column of the lattice; none in the ring and beyond the cut.
  void gather() {
    inside_.assign(static_cast<std::size_t>(lattice_.nx) * static_cast<std::size_t>(lattice_.ny),
                   0);
    for (int j = 0; j < lattice_.ny; ++j)
      for (int i = 0; i < lattice_.nx; ++i) {
        solid_.first.push_back(static_cast<std::uint32_t>(solid_.parts.size()));
        const bool ring = i == 0 || j == 0 || i == lattice_.nx - 1 || j == lattice_.ny - 1;
        if (ring) continue;
        const int x = columns_[static_cast<std::size_t>(i) - 1],
                  y = rows_[static_cast<std::size_t>(j) - 1];
        if (!kept(x, y)) continue;
        inside_[index(i, j)] = 1;
        add_parts(stack_at(x, y));
      }
    solid_.first.push_back(static_cast<std::uint32_t>(solid_.parts.size()));
  }

  // The ground goes on below the bottom: the lattice ends there.
  void add_parts(const Stack& stack) {
    long long bottom = 0;
    const std::size_t first = solid_.parts.size();
    for (const Layer& layer : stack) {
      const long long top = bottom + layer.quanta;
      const auto metres = [&](long long quanta) {
        return static_cast<float>(shape_.datum + static_cast<double>(quanta) * shape_.quantum);
      };
      if (layer.material != 0) {
        const bool joined =
            solid_.parts.size() > first && solid_.parts.back().top == metres(bottom);
        if (!joined) solid_.parts.emplace_back();
        if (!joined && bottom > 0) solid_.parts.back().bottom = metres(bottom);
        solid_.parts.back().top = metres(top);
      }
      bottom = top;
    }
  }

  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(lattice_.nx) +
           static_cast<std::size_t>(i);
  }

  // Beside what is solid, air as thin as the rock is thick: then the wall stands halfway between
  // the columns, whatever its depth in the rock.
  void wall_in(std::vector<float>& density) const {
    const std::size_t slice = inside_.size();
    for (int k = 1; k < lattice_.nz; ++k) {
      float* layer = density.data() + static_cast<std::size_t>(k) * slice;
      for (int j = 0; j < lattice_.ny; ++j)
        for (int i = 0; i < lattice_.nx; ++i)
          if (inside_[index(i, j)] == 0) layer[index(i, j)] = air_beside(layer, i, j);
    }
    for (std::size_t c = 0; c < slice; ++c) density[c] = std::min(1 - density[slice + c], 0.4F);
  }

  float air_beside(const float* layer, int i, int j) const {
    float thickest = 0;
    for (const auto& [di, dj] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
      const int x = i + di, y = j + dj;
      if (x < 0 || y < 0 || x >= lattice_.nx || y >= lattice_.ny || inside_[index(x, y)] == 0)
        continue;
      thickest = std::max(thickest, layer[index(x, y)]);
    }
    return thickest > 0.5F ? 1 - thickest : outside;
  }

  // Of the nearest solid part of the column under a vertex, a little way into the rock.
  void colour(io::Mesh& mesh) const {
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const io::Mesh::Vector& p = mesh.positions[v];
      const io::Mesh::Vector& n = mesh.normals[v];
      const float x = p[0] - 0.7F * lattice_.cell_x * n[0],
                  y = p[1] - 0.7F * lattice_.cell_y * n[1];
      const double z = static_cast<double>(p[2] - 0.05F * lattice_.cell_z * n[2]);
      const auto near = [](float at, float origin, float cell, std::size_t count) {
        const auto i = std::lround((at - origin) / cell) - 1;
        return static_cast<std::size_t>(std::clamp(i, 0L, static_cast<long>(count) - 1));
      };
      const int column = columns_[near(x, lattice_.origin_x, lattice_.cell_x, columns_.size())];
      const int row = rows_[near(y, lattice_.origin_y, lattice_.cell_y, rows_.size())];
      const Stack& stack = stack_at(column, row);
      // On slopes a vertex lies off its column's surface by more than a thin layer's thickness.
      const int material = n[2] > facing    ? at_surface(stack, static_cast<double>(p[2]), true)
                           : n[2] < -facing ? at_surface(stack, static_cast<double>(p[2]), false)
                                            : material_near(stack, z);
      const auto& c = layers_.materials()[static_cast<std::size_t>(material) - 1].colour;
      mesh.colours.push_back({c[0], c[1], c[2], 255});
    }
  }

  // Of the layer that ends at the nearest floor (a top with nothing solid on it) or ceiling.
  int at_surface(const Stack& stack, double z, bool floors) const {
    int nearest = 1;
    double least = std::numeric_limits<double>::infinity(), bottom = shape_.datum;
    for (std::size_t k = 0; k < stack.size(); ++k) {
      const double top = bottom + stack[k].quanta * shape_.quantum;
      const bool ends = floors ? k + 1 == stack.size() || stack[k + 1].material == 0
                               : k == 0 || stack[k - 1].material == 0;
      const double away = std::abs((floors ? top : bottom) - z);
      if (stack[k].material != 0 && ends && away < least) least = away, nearest = stack[k].material;
      bottom = top;
    }
    return nearest;
  }

  int material_near(const Stack& stack, double z) const {
    int nearest = 1;
    double least = std::numeric_limits<double>::infinity(), bottom = shape_.datum;
    for (const Layer& layer : stack) {
      const double top = bottom + layer.quanta * shape_.quantum;
      const double away = std::max({bottom - z, z - top, 0.0});
      if (layer.material != 0 && away < least) least = away, nearest = layer.material;
      bottom = top;
    }
    return nearest;
  }

  const Layers& layers_;
  const LayerShape& shape_;
  std::vector<Stack> stacks_;
  LayerSolidOptions options_;
  std::vector<int> columns_, rows_;
  double height_ = 0;
  Lattice lattice_;
  Columns solid_;
  std::vector<char> inside_;
};

}  // namespace

double layer_solid_cell_z(double height, const LayerSolidOptions& options) {
  return options.cell_z > 0 ? options.cell_z : height / samples_high;
}

ThinParts thin_parts(const Layers& layers, double cell_z) {
  const LayerShape& s = layers.shape();
  ThinParts thin;
  for (const Stack& stack : layers.stacks()) {
    const auto hollow = [](const Layer& layer) { return layer.material == 0; };
    if (std::none_of(stack.begin(), stack.end(), hollow)) continue;
    bool any = false;
    // Layers that touch are one part, whatever they are made of.
    for (std::size_t first = 0, next = 0; first < stack.size(); first = next) {
      double metres = 0;
      for (; next < stack.size() && hollow(stack[next]) == hollow(stack[first]); ++next)
        metres += stack[next].quanta * s.quantum;
      if (!(metres < cell_z)) continue;
      any = true;
      thin.cubic_metres += metres * s.dx * s.dy;
      thin.thinnest = thin.thinnest > 0 ? std::min(thin.thinnest, metres) : metres;
    }
    thin.columns += any ? 1 : 0;
  }
  return thin;
}

std::string thin_parts_note(const Layers& layers, double cell_z, const std::string& key) {
  const ThinParts thin = thin_parts(layers, cell_z);
  if (thin.columns == 0) return {};
  return text(thin.columns, " columns have roofs, floors or voids that are thinner than the ",
              cell_z, " m between samples, ", thin.cubic_metres,
              " m3 in all, which the solid may lack; the thinnest has ", thin.thinnest, " m (", key,
              " chooses other samples)");
}

std::size_t layer_solid_samples(const LayerShape& shape, double height,
                                const LayerSolidOptions& options) {
  const std::size_t step = std::size_t{1} << options.level;
  const double high = height > 0 ? std::ceil(height / layer_solid_cell_z(height, options)) : 0;
  return (static_cast<std::size_t>(shape.width) / step + 3) *
         (static_cast<std::size_t>(shape.height) / step + 3) *
         (static_cast<std::size_t>(std::min(high, 1.0 * most_samples_high)) + 3);
}

void check_cut(const std::string& before, const LayerCut& cut, const LayerShape& shape) {
  // If any column is on the kept side, one in a corner is.
  for (const double x : {0.5, shape.width - 0.5})
    for (const double y : {0.5, shape.height - 0.5})
      if (cut.keeps(x * shape.dx, y * shape.dy)) return;
  throw UsageError(text(before, "cut: expected some of the terrain, which is ",
                        shape.width * shape.dx, " x ", shape.height * shape.dy,
                        " m, to the left of the line; all of it lies to the right"));
}

io::Mesh layer_solid(const Layers& layers, const LayerSolidOptions& options) {
  return Solid(layers, options).mesh();
}

}  // namespace scree::surface
