#include "surface/mesh/manifold.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <type_traits>
#include <vector>

namespace scree::surface {
namespace {

using Triangle = Mesh::Triangle;
using Direction = std::array<double, 3>;

// Of all vertices in one place, the number of the first.
std::vector<std::uint32_t> by_place(const Mesh& mesh) {
  std::vector<std::uint32_t> order(mesh.positions.size()), first(mesh.positions.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return mesh.positions[a] != mesh.positions[b] ? mesh.positions[a] < mesh.positions[b] : a < b;
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && mesh.positions[order[i]] == mesh.positions[order[i - 1]];
    first[order[i]] = same ? first[order[i - 1]] : order[i];
  }
  return first;
}

Triangle from_least(Triangle t) {
  std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  return t;
}

// Which triangles stay: those of three places, less pairs that lie back to back.
std::vector<std::uint32_t> kept(const Mesh& mesh, const std::vector<std::uint32_t>& place) {
  std::map<Triangle, std::vector<std::uint32_t>> known;
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    const Triangle at{place[t[0]], place[t[1]], place[t[2]]};
    if (at[0] == at[1] || at[1] == at[2] || at[2] == at[0]) continue;
    const auto back = known.find(from_least({at[0], at[2], at[1]}));
    if (back != known.end() && !back->second.empty())
      back->second.pop_back();
    else
      known[from_least(at)].push_back(i);
  }
  std::vector<std::uint32_t> stay;
  for (const auto& [at, numbers] : known) stay.insert(stay.end(), numbers.begin(), numbers.end());
  std::sort(stay.begin(), stay.end());
  return stay;
}

// A corner of a triangle that stays, 3 * triangle + k; its edge leads to the next corner.
using Corner = std::uint32_t;
Corner next_corner(Corner c) { return c % 3 == 2 ? c - 2 : c + 1; }

struct Side {
  std::uint32_t low, high;  // the edge's places
  bool forth;               // leads from low to high
  Corner corner;
  double angle = 0;  // around the edge
};

Direction between(const Mesh& mesh, std::uint32_t from, std::uint32_t to) {
  Direction d{};
  for (std::size_t k = 0; k < 3; ++k)
    d[k] =
        static_cast<double>(mesh.positions[to][k]) - static_cast<double>(mesh.positions[from][k]);
  return d;
}
double dot(const Direction& a, const Direction& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Direction cross(const Direction& a, const Direction& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

class Cutter {
 public:
  explicit Cutter(const Mesh& mesh) : mesh_(mesh), place_(by_place(mesh)) {
    for (const std::uint32_t t : kept(mesh, place_)) triangles_.push_back(mesh.triangles[t]);
    owner_.resize(3 * triangles_.size());
    std::iota(owner_.begin(), owner_.end(), 0U);
  }

  Mesh run() {
    std::vector<Side> sides = sorted_sides();
    for (std::size_t i = 0; i < sides.size();) {
      std::size_t end = i;
      while (end < sides.size() && sides[end].low == sides[i].low &&
             sides[end].high == sides[i].high)
        ++end;
      join(sides.data() + i, sides.data() + end);
      i = end;
    }
    return renumbered();
  }

 private:
  std::uint32_t place_of(Corner c) const { return place_[triangles_[c / 3][c % 3]]; }

  std::vector<Side> sorted_sides() const {
    std::vector<Side> sides;
    for (Corner c = 0; c < owner_.size(); ++c) {
      const std::uint32_t a = place_of(c), b = place_of(next_corner(c));
      sides.push_back({std::min(a, b), std::max(a, b), a < b, c});
    }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
      if (a.low != b.low) return a.low < b.low;
      return a.high != b.high ? a.high < b.high : a.corner < b.corner;
    });
    return sides;
  }

  // Joins the triangles at an edge in twos. Turning around the edge, the solid lies between one
  // that leads back and the next that leads forth.
  void join(Side* first, Side* last) {
    if (last - first > 2) sort_by_angle(first, last);
    std::vector<const Side*> open, closing;
    for (const Side* s = first; s != last; ++s) {
      if (!s->forth) {
        open.push_back(s);
      } else if (!open.empty()) {
        join(*open.back(), *s);
        open.pop_back();
      } else {
        closing.push_back(s);
      }
    }
    // Those before the first that leads back come after the last.
    for (const Side* s : closing)
      if (!open.empty()) {
        join(*open.back(), *s);
        open.pop_back();
      }
  }
  void sort_by_angle(Side* first, Side* last) const {
    const Direction axis = between(mesh_, first->low, first->high);
    Direction u = cross(axis, {1, 0, 0});
    for (const Direction& other : {Direction{0, 1, 0}, Direction{0, 0, 1}})
      if (const Direction v = cross(axis, other); dot(v, v) > dot(u, u)) u = v;
    const Direction w = cross(axis, u);
    const double scale = std::sqrt(dot(u, u) / dot(w, w));
    for (Side* s = first; s != last; ++s) {
      const Direction d = between(mesh_, first->low, place_of(next_corner(next_corner(s->corner))));
      s->angle = std::atan2(dot(d, w) * scale, dot(d, u));
    }
    std::sort(first, last, [](const Side& a, const Side& b) {
      return a.angle != b.angle ? a.angle < b.angle : a.corner < b.corner;
    });
  }
  void join(const Side& a, const Side& b) {
    unite(a.corner, next_corner(b.corner));
    unite(next_corner(a.corner), b.corner);
    pairs_.push_back({a.corner, b.corner});
  }
  Corner find(Corner c) {
    while (owner_[c] != c) c = owner_[c] = owner_[owner_[c]];
    return c;
  }
  void unite(Corner a, Corner b) {
    a = find(a), b = find(b);
    owner_[std::max(a, b)] = std::min(a, b);
  }

  Mesh renumbered() {
    Mesh out;
    std::vector<std::uint32_t> number(owner_.size());
    for (Corner c = 0; c < owner_.size(); ++c) {
      const Corner first = find(c);
      if (first == c) {
        number[c] = static_cast<std::uint32_t>(out.positions.size());
        const std::uint32_t was = triangles_[c / 3][c % 3];
        out.positions.push_back(mesh_.positions[was]);
        if (!mesh_.normals.empty()) out.normals.push_back(mesh_.normals[was]);
        if (!mesh_.colours.empty()) out.colours.push_back(mesh_.colours[was]);
      }
      number[c] = number[first];
    }
    for (Corner c = 0; c < owner_.size(); c += 3)
      out.triangles.push_back({number[c], number[c + 1], number[c + 2]});
    halve_doubled_edges(out);
    return out;
  }

  // Two edges between the same two vertices, where the surface meets itself along a line and is one
  // fan at either end: all but the first get a vertex in the middle.
  void halve_doubled_edges(Mesh& out) const {
    std::map<std::array<std::uint32_t, 2>, std::size_t> seen;
    std::map<Corner, std::uint32_t> middle;  // of the edge that leads from a corner
    for (const auto& [a, b] : pairs_) {
      const std::uint32_t u = out.triangles[a / 3][a % 3], v = out.triangles[b / 3][b % 3];
      if (seen[{std::min(u, v), std::max(u, v)}]++ == 0) continue;
      middle[a] = middle[b] = add_middle(out, u, v);
    }
    if (middle.empty()) return;
    std::vector<Triangle> cut;
    for (std::uint32_t t = 0; t < out.triangles.size(); ++t) {
      std::vector<std::uint32_t> rim;
      std::ptrdiff_t from = 0;  // a middle, if any, so that no triangle lies along a side
      for (Corner k = 0; k < 3; ++k) {
        rim.push_back(out.triangles[t][k]);
        const auto found = middle.find(3 * t + k);
        if (found == middle.end()) continue;
        from = static_cast<std::ptrdiff_t>(rim.size());
        rim.push_back(found->second);
      }
      std::rotate(rim.begin(), rim.begin() + from, rim.end());
      for (std::size_t k = 1; k + 1 < rim.size(); ++k) cut.push_back({rim[0], rim[k], rim[k + 1]});
    }
    out.triangles = std::move(cut);
  }
  static std::uint32_t add_middle(Mesh& out, std::uint32_t u, std::uint32_t v) {
    const auto mean = [&](auto& values) {
      if (values.empty()) return;
      auto value = values[u];
      for (std::size_t k = 0; k < value.size(); ++k) {
        using Part = std::remove_reference_t<decltype(value[k])>;
        value[k] = static_cast<Part>(
            (static_cast<float>(value[k]) + static_cast<float>(values[v][k])) / 2);
      }
      values.push_back(value);
    };
    mean(out.positions);
    mean(out.colours);
    mean(out.normals);
    if (!out.normals.empty()) {
      auto& n = out.normals.back();
      const float length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
      if (length > 0)
        for (float& part : n) part /= length;
    }
    return static_cast<std::uint32_t>(out.positions.size() - 1);
  }

  const Mesh& mesh_;
  std::vector<std::uint32_t> place_;
  std::vector<Triangle> triangles_;
  std::vector<Corner> owner_;
  std::vector<std::array<Corner, 2>> pairs_;
};

}  // namespace

Mesh as_manifold(const Mesh& mesh) { return Cutter(mesh).run(); }

}  // namespace scree::surface
