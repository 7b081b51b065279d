#include "surface/layers/layer_solid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "surface/march/columns.h"

namespace scree::surface {
namespace {

constexpr int samples_high = 100, most_samples_high = 32000;
constexpr float outside = -1;   // a density that is surely air
constexpr float facing = 0.5F;  // the cosine from which on a face looks up or down, and is no wall
// Of the way between two columns: a saw that would go through one leaves a little of it.
constexpr double least_left = 0.02;

// Cells from a slope to the column that it is of.
constexpr float inward = 0.7F;
// Half the way from one column to the next, and a little less, so that a place on a column is near
// that one alone.
constexpr float edge = 0.49F;

struct Corner {
  double x = 0, y = 0;
};
struct Near {
  int material = 1;
  double away = std::numeric_limits<double>::infinity();  // metres
};
const Near& nearer(const Near& a, const Near& b) { return b.away < a.away ? b : a; }
constexpr std::pair<int, int> beside[] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

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

  Mesh mesh() {
    gather();
    std::vector<float> density = ridge_free_density(lattice_, solid_);
    wall_in(density);
    MarchOptions open;
    open.closed = false;  // the ring closes it
    MarchingCubes mesher(layers_.device_ptr());
    Mesh mesh = mesher.extract(lattice_, density, open).mesh;
    if (options_.cut) saw(mesh);
    colour(mesh);
    return mesh;
  }

  // After mesh().
  std::vector<SawnFace> faces() const {
    std::vector<SawnFace> faces;
    const std::vector<Corner> corners = outline();
    for (std::size_t c = 0; c < corners.size(); ++c) {
      const Corner &from = corners[c], &to = corners[(c + 1) % corners.size()];
      if (std::hypot(to.x - from.x, to.y - from.y) > 0) faces.push_back(face_between(from, to));
    }
    for (int j = 1; j < lattice_.ny - 1; ++j)
      for (int i = 1; i < lattice_.nx - 1; ++i)
        if (inside_[index(i, j)] != 0)
          for (const auto& [di, dj] : beside)
            if (inside_[index(i + di, j + dj)] == 0) add_column(faces, i, j, di, dj);
    std::erase_if(faces, [](const SawnFace& face) { return face.columns.empty(); });
    for (SawnFace& face : faces)
      std::stable_sort(face.columns.begin(), face.columns.end(),
                       [](const auto& a, const auto& b) { return a.along < b.along; });
    return faces;
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

  // Of a column of the lattice that is not in its ring.
  const Stack& stack_of(int i, int j) const {
    return stack_at(columns_[static_cast<std::size_t>(i) - 1],
                    rows_[static_cast<std::size_t>(j) - 1]);
  }

  bool kept(int x, int y) const {
    if (!options_.cut) return true;
    return options_.cut->keeps((x + 0.5) * shape_.dx, (shape_.height - y - 0.5) * shape_.dy);
  }

  bool in_ring(int i, int j) const {
    return i == 0 || j == 0 || i == lattice_.nx - 1 || j == lattice_.ny - 1;
  }

  // Of the lattice, in the mesh's metres.
  Corner place(double i, double j) const {
    return {static_cast<double>(lattice_.origin_x) + i * static_cast<double>(lattice_.cell_x),
            static_cast<double>(lattice_.origin_y) + j * static_cast<double>(lattice_.cell_y)};
  }

  // How far on the side of the cut that is kept.
  double inside_cut(const Corner& p) const {
    return options_.cut->inside(p.x + shape_.width * shape_.dx / 2,
                                p.y + shape_.height * shape_.dy / 2);
  }

  // Of the way from a column that is kept to one beside it that is not: where the wall stands.
  double wall_share(int i, int j, int di, int dj) const {
    if (in_ring(i + di, j + dj)) return 0.5;
    const double a = inside_cut(place(i, j)), b = inside_cut(place(i + di, j + dj));
    return std::clamp(a / (a - b), least_left, 1 - least_left);
  }

  // A vertex between a column that is kept and one that is not lies where the saw went.
  void saw(Mesh& mesh) const {
    constexpr double slack = 1e-3;
    const auto sawn = [&](float& at, float origin, float cell, int i, int j, int di, int dj) {
      const bool first = inside_[index(i, j)] != 0, next = inside_[index(i + di, j + dj)] != 0;
      if (first == next || in_ring(i, j) || in_ring(i + di, j + dj)) return;
      const double share =
          first ? wall_share(i, j, di, dj) : 1 - wall_share(i + di, j + dj, -di, -dj);
      at = static_cast<float>(static_cast<double>(origin) +
                              ((di != 0 ? i : j) + share) * static_cast<double>(cell));
    };
    for (Mesh::Vector& p : mesh.positions) {
      const double gx = static_cast<double>((p[0] - lattice_.origin_x) / lattice_.cell_x),
                   gy = static_cast<double>((p[1] - lattice_.origin_y) / lattice_.cell_y);
      const bool between_x = std::abs(gx - std::round(gx)) > slack,
                 between_y = std::abs(gy - std::round(gy)) > slack;
      if (between_x)
        sawn(p[0], lattice_.origin_x, lattice_.cell_x, static_cast<int>(gx),
             static_cast<int>(std::lround(gy)), 1, 0);
      else if (between_y)
        sawn(p[1], lattice_.origin_y, lattice_.cell_y, static_cast<int>(std::lround(gx)),
             static_cast<int>(gy), 0, 1);
    }
  }

  // Of what is kept of the block; the solid lies to the left on the way around.
  std::vector<Corner> outline() const {
    const std::vector<Corner> block{place(0.5, 0.5), place(lattice_.nx - 1.5, 0.5),
                                    place(lattice_.nx - 1.5, lattice_.ny - 1.5),
                                    place(0.5, lattice_.ny - 1.5)};
    if (!options_.cut) return block;
    std::vector<Corner> kept;
    for (std::size_t c = 0; c < block.size(); ++c) {
      const Corner &p = block[c], &q = block[(c + 1) % block.size()];
      const double a = inside_cut(p), b = inside_cut(q);
      if (a >= 0) kept.push_back(p);
      if ((a >= 0) != (b >= 0))
        kept.push_back({std::lerp(p.x, q.x, a / (a - b)), std::lerp(p.y, q.y, a / (a - b))});
    }
    return kept;
  }

  SawnFace face_between(const Corner& from, const Corner& to) const {
    SawnFace face;
    face.from_x = from.x, face.from_y = from.y;
    face.to_x = to.x, face.to_y = to.y;
    const double cell_x = static_cast<double>(lattice_.cell_x),
                 cell_y = static_cast<double>(lattice_.cell_y),
                 east = std::abs(to.x - from.x) / face.length(),
                 north = std::abs(to.y - from.y) / face.length();
    face.spacing = std::max(east * cell_x, north * cell_y);
    face.depth = std::max(north * cell_x, east * cell_y);
    // Over its whole length it leaves its row of columns by what counts as on it.
    face.aslant =
        std::min(std::abs(to.x - from.x) / cell_x, std::abs(to.y - from.y) / cell_y) > least_left;
    return face;
  }

  // To the face on which the wall between two columns stands.
  void add_column(std::vector<SawnFace>& faces, int i, int j, int di, int dj) const {
    const double share = wall_share(i, j, di, dj);
    const Corner wall = place(i + share * di, j + share * dj);
    for (SawnFace& face : faces) {
      if (std::abs(face.off(wall.x, wall.y)) > face.slack()) continue;
      const Corner own = place(i, j);
      SawnFace::Column column;
      column.along = std::clamp(face.along(wall.x, wall.y), 0.0, face.length());
      column.stack = stack_of(i, j);
      if (!face.aslant) {
        face.inset = -face.off(own.x, own.y);
      } else if (!in_ring(i + di, j + dj)) {
        column.beyond = stack_of(i + di, j + dj);
        column.share = share;
      }
      face.columns.push_back(std::move(column));
      return;
    }
  }

  // Solid parts of every column of the lattice; none in the ring and beyond the cut.
  void gather() {
    inside_.assign(static_cast<std::size_t>(lattice_.nx) * static_cast<std::size_t>(lattice_.ny),
                   0);
    for (int j = 0; j < lattice_.ny; ++j)
      for (int i = 0; i < lattice_.nx; ++i) {
        solid_.first.push_back(static_cast<std::uint32_t>(solid_.parts.size()));
        if (in_ring(i, j)) continue;
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
    for (const auto& [di, dj] : beside) {
      const int x = i + di, y = j + dj;
      if (x < 0 || y < 0 || x >= lattice_.nx || y >= lattice_.ny || inside_[index(x, y)] == 0)
        continue;
      thickest = std::max(thickest, layer[index(x, y)]);
    }
    return thickest > 0.5F ? 1 - thickest : outside;
  }

  // On level ground and under ceilings, of the layer that ends there; on a wall, of the one of the
  // two columns between which it stands that is solid.
  void colour(Mesh& mesh) const {
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const Mesh::Vector& p = mesh.positions[v];
      const auto& [east, north, up] = mesh.normals[v];
      const float i = (p[0] - lattice_.origin_x) / lattice_.cell_x,
                  j = (p[1] - lattice_.origin_y) / lattice_.cell_y;
      const auto z = static_cast<double>(p[2]);
      // On slopes a vertex lies off its column's surface by more than a thin layer's thickness.
      const int material =
          std::abs(up) > facing
              ? at_surface(
                    column_near(std::lround(i - inward * east), std::lround(j - inward * north)), z,
                    up > 0)
                    .material
              : nearer(material_near(column_near(std::lround(i - edge), std::lround(j - edge)), z),
                       material_near(column_near(std::lround(i + edge), std::lround(j + edge)), z))
                    .material;
      const auto& c = layers_.materials()[static_cast<std::size_t>(material) - 1].colour;
      mesh.colours.push_back({c[0], c[1], c[2], 255});
    }
  }

  const Stack& column_near(long i, long j) const {
    const auto near = [](const std::vector<int>& all, long at) {
      const long last = static_cast<long>(all.size()) - 1;
      return all[static_cast<std::size_t>(std::clamp(at - 1, 0L, last))];
    };
    return stack_at(near(columns_, i), near(rows_, j));
  }

  // Of the layer that ends at the nearest floor (a top with nothing solid on it) or ceiling.
  Near at_surface(const Stack& stack, double z, bool floors) const {
    Near nearest;
    double bottom = shape_.datum;
    for (std::size_t k = 0; k < stack.size(); ++k) {
      const double top = bottom + stack[k].quanta * shape_.quantum;
      const bool ends = floors ? k + 1 == stack.size() || stack[k + 1].material == 0
                               : k == 0 || stack[k - 1].material == 0;
      const double away = std::abs((floors ? top : bottom) - z);
      if (stack[k].material != 0 && ends && away < nearest.away)
        nearest = {stack[k].material, away};
      bottom = top;
    }
    return nearest;
  }

  Near material_near(const Stack& stack, double z) const {
    Near nearest;
    double bottom = shape_.datum;
    for (const Layer& layer : stack) {
      const double top = bottom + layer.quanta * shape_.quantum;
      const double away = std::max({bottom - z, z - top, 0.0});
      if (layer.material != 0 && away < nearest.away) nearest = {layer.material, away};
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

double SawnFace::length() const { return std::hypot(to_x - from_x, to_y - from_y); }

double SawnFace::along(double x, double y) const {
  return ((x - from_x) * (to_x - from_x) + (y - from_y) * (to_y - from_y)) / length();
}

double SawnFace::off(double x, double y) const {
  return ((x - from_x) * (to_y - from_y) - (y - from_y) * (to_x - from_x)) / length();
}

Mesh layer_solid(const Layers& layers, const LayerSolidOptions& options,
                 std::vector<SawnFace>* faces) {
  Solid solid(layers, options);
  Mesh mesh = solid.mesh();
  if (faces != nullptr) *faces = solid.faces();
  return mesh;
}

}  // namespace scree::surface
