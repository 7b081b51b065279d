#include "terrain/heights/landscape.h"

#include <algorithm>

#include "base/error.h"
#include "base/hash.h"

namespace scree {
namespace {

std::vector<int> cuts(int size, int parts) {
  std::vector<int> at;
  for (int i = 0; i <= parts; ++i)
    at.push_back(static_cast<int>(static_cast<long long>(size) * i / parts));
  return at;
}

// Where a tile is in the list of all tiles.
std::size_t place(int column, int row, int columns) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
         static_cast<std::size_t>(column);
}

template <class T>
std::vector<T> cropped(const std::vector<T>& all, int width, int x0, int y0, int x1, int y1) {
  std::vector<T> part;
  part.reserve(static_cast<std::size_t>(x1 - x0) * static_cast<std::size_t>(y1 - y0));
  for (int y = y0; y < y1; ++y) {
    const auto row = all.begin() + static_cast<std::ptrdiff_t>(y) * width;
    part.insert(part.end(), row + x0, row + x1);
  }
  return part;
}

// Copies a rectangle of cells between two tiles, in interior coordinates.
void copy_cells(const device::Field& from, const Grid& fg, int fx, int fy, device::Field& to,
                const Grid& tg, int tx, int ty, int width, int height, device::Device& device) {
  const auto offset = [](const Grid& g, int x, int y) {
    return static_cast<std::size_t>(cell_index(g, x, y)) * 4;
  };
  device.copy_rows(*from.front(), offset(fg, fx, fy), static_cast<std::size_t>(fg.stride) * 4,
                   *to.front(), offset(tg, tx, ty), static_cast<std::size_t>(tg.stride) * 4,
                   static_cast<std::size_t>(width) * 4, static_cast<std::size_t>(height));
}

constexpr int halo = SCREE_HALO;

}  // namespace

Landscape::Landscape(std::unique_ptr<Heightfield> whole)
    : cut_x_{0, whole->grid().width}, cut_y_{0, whole->grid().height} {
  tiles_.push_back(std::move(whole));
}

Landscape::Landscape(const Heightfield& whole, int columns, int rows)
    : columns_(columns), rows_(rows) {
  const Grid& g = whole.grid();
  cut_x_ = cuts(g.width, columns);
  cut_y_ = cuts(g.height, rows);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const int x0 = cut_x_[c], x1 = cut_x_[c + 1], y0 = cut_y_[r], y1 = cut_y_[r + 1];
      if (x1 - x0 < halo || y1 - y0 < halo)
        throw UsageError(text("tiles must be at least ", halo, " cells wide and high"));
      Borders borders = whole.borders();
      const bool wrap_x = borders.west == BorderKind::wrap,
                 wrap_y = borders.north == BorderKind::wrap;
      if (c > 0 || wrap_x) borders.west = BorderKind::keep;
      if (c + 1 < columns || wrap_x) borders.east = BorderKind::keep;
      if (r > 0 || wrap_y) borders.north = BorderKind::keep;
      if (r + 1 < rows || wrap_y) borders.south = BorderKind::keep;
      const HeightfieldShape shape{x1 - x0, y1 - y0, static_cast<double>(g.dx),
                                   static_cast<double>(g.dy)};
      auto tile = std::make_unique<Heightfield>(
          whole.device_ptr(), shape, cropped(whole.values("bed"), g.width, x0, y0, x1, y1), borders,
          whole.quantum());
      tile->set_origin(g.x0 + x0, g.y0 + y0);
      tile->set_wrap(g.wrap_x, g.wrap_y);
      tile->set_world_size(whole.world_size());
      for (const std::string& name : whole.field_names()) {
        const device::Field& f = whole.field(name);
        device::Field& t = tile->ensure_like(whole, name);
        if (f.type() == device::FieldType::int32)
          t.upload(tile->device(), tile->grid(),
                   cropped(f.download<std::int32_t>(whole.device(), g), g.width, x0, y0, x1, y1));
        else
          t.upload(tile->device(), tile->grid(),
                   cropped(f.download<float>(whole.device(), g), g.width, x0, y0, x1, y1));
      }
      tiles_.push_back(std::move(tile));
    }
}

Heightfield& Landscape::single() {
  if (tiles_.size() != 1) throw Error("this works on a landscape of one tile");
  return *tiles_.front();
}

void Landscape::each(const std::function<void(Heightfield&)>& visit) {
  for (auto& t : tiles_) visit(*t);
}

void Landscape::refresh_halos() {
  for (auto& t : tiles_)
    if (t->halo_stale() || t->borders_move()) t->fill_halo();
  if (tiles_.size() == 1) return;
  for (const char* name : {"bed", "water", "sediment", "flux.x", "flux.y", "flux.se", "flux.sw"})
    if (tiles_.front()->has(name)) exchange(name);
}

void Landscape::refresh_halos(const std::string& field) {
  for (auto& t : tiles_) t->fill_halo(t->field(field));
  if (tiles_.size() > 1) exchange(field);
}

// First east-west with all rows, halo included, then north-south with all columns: corners then
// come along by themselves.
void Landscape::exchange(const std::string& name) {
  const auto at = [&](int c, int r) -> Heightfield& {
    return *tiles_[place((c + columns_) % columns_, (r + rows_) % rows_, columns_)];
  };
  for (int pass = 0; pass < 2; ++pass)
    for (int r = 0; r < rows_; ++r)
      for (int c = 0; c < columns_; ++c) {
        Heightfield& t = at(c, r);
        const Grid& g = t.grid();
        const auto take = [&](const Heightfield& n, int fx, int fy, int tx, int ty, int w, int h) {
          copy_cells(n.field(name), n.grid(), fx, fy, t.field(name), g, tx, ty, w, h, t.device());
        };
        const int tall = g.height + 2 * halo, wide = g.width + 2 * halo;
        if (pass == 0 && t.borders().west == BorderKind::keep)
          take(at(c - 1, r), at(c - 1, r).grid().width - halo, -halo, -halo, -halo, halo, tall);
        if (pass == 0 && t.borders().east == BorderKind::keep)
          take(at(c + 1, r), 0, -halo, g.width, -halo, halo, tall);
        if (pass == 1 && t.borders().north == BorderKind::keep)
          take(at(c, r - 1), -halo, at(c, r - 1).grid().height - halo, -halo, -halo, wide, halo);
        if (pass == 1 && t.borders().south == BorderKind::keep)
          take(at(c, r + 1), -halo, 0, -halo, g.height, wide, halo);
      }
}

long long Landscape::sum(const std::string& int_field) const {
  long long total = 0;
  for (const auto& t : tiles_) total += t->sum(int_field);
  return total;
}

double DeepestWater::metres() {
  std::int32_t top = 0;
  for (Heightfield::PendingTop& t : tops_) top = std::max(top, t.wait());
  if (!tops_.empty()) metres_ = top * quantum_;
  tops_.clear();
  return metres_;
}

double Landscape::deepest_water() const {
  std::int32_t top = 0;
  for (const auto& t : tiles_) top = std::max(top, t->top("water"));
  return top * tiles_.front()->quantum().metres();
}

DeepestWater Landscape::deepest_water_later() const {
  std::vector<Heightfield::PendingTop> tops;
  for (const auto& t : tiles_) tops.push_back(t->top_later("water"));
  return {std::move(tops), tiles_.front()->quantum().metres()};
}

template <class T>
std::vector<T> Landscape::gather(const std::string& name) const {
  const auto width = static_cast<std::size_t>(cut_x_.back());
  std::vector<T> all(width * static_cast<std::size_t>(cut_y_.back()));
  for (int r = 0; r < rows_; ++r)
    for (int c = 0; c < columns_; ++c) {
      const Heightfield& t = *tiles_[place(c, r, columns_)];
      const auto part = t.field(name).download<T>(t.device(), t.grid());
      const auto w = static_cast<std::size_t>(t.grid().width);
      for (int y = 0; y < t.grid().height; ++y)
        std::copy_n(
            part.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(y) * w), w,
            all.begin() +
                static_cast<std::ptrdiff_t>(
                    static_cast<std::size_t>(cut_y_[static_cast<std::size_t>(r)] + y) * width +
                    static_cast<std::size_t>(cut_x_[static_cast<std::size_t>(c)])));
    }
  return all;
}

template <class Visit>
void Landscape::each_part(const Box& box, const Visit& visit) const {
  for (int r = 0; r < rows_; ++r)
    for (int c = 0; c < columns_; ++c) {
      const int x = cut_x_[static_cast<std::size_t>(c)], y = cut_y_[static_cast<std::size_t>(r)];
      const std::size_t tile = place(c, r, columns_);
      const Grid& g = tiles_[tile]->grid();
      const Box here = box.common({x, y, 0, g.width, g.height, 1});
      if (!here.empty()) visit(tile, here, Box{here.x - x, here.y - y, 0, here.width, here.height});
    }
}

std::vector<double> Landscape::values(const std::string& field, const Box& box) const {
  check_box(this->box(), box);
  std::vector<double> all(box.cells());
  each_part(box, [&](std::size_t tile, const Box& here, const Box& in_tile) {
    const std::vector<double> part = tiles_[tile]->values(field, in_tile);
    for (int y = here.y; y < here.y + here.height; ++y)
      std::copy_n(part.data() + here.index(here.x, y), here.width,
                  all.data() + box.index(here.x, y));
  });
  return all;
}

Receipt Landscape::write(const std::string& field, const Box& box,
                         const std::vector<double>& values) {
  check_edit(this->box(), box, values.size());
  if (tiles_.size() == 1) return tiles_.front()->write(field, box, values);
  std::vector<std::pair<std::size_t, Heightfield::PlannedWrite>> planned;
  Receipt receipt;
  receipt.box = box;
  each_part(box, [&](std::size_t tile, const Box& here, const Box& in_tile) {
    std::vector<double> part(here.cells());
    for (int y = here.y; y < here.y + here.height; ++y)
      std::copy_n(values.data() + box.index(here.x, y), here.width,
                  part.data() + here.index(here.x, y));
    planned.emplace_back(tile, tiles_[tile]->plan_write(field, in_tile, part, here.x - in_tile.x,
                                                        here.y - in_tile.y));
  });
  for (const auto& [tile, write] : planned) {
    tiles_[tile]->carry_out(write);
    receipt.changed += write.receipt.changed;
    for (const auto& [name, quanta] : write.receipt.edited) receipt.edited[name] += quanta;
  }
  return receipt;
}

HeightEdits Landscape::edited() const {
  HeightEdits all;
  for (const auto& t : tiles_) all += t->edited();
  return all;
}

Fields Landscape::fields() const {
  Fields all = tiles_.front()->fields();
  for (FieldInfo& field : all) field.shape = box();
  return all;
}

std::uint64_t Landscape::hash(const std::string& field) const {
  if (tiles_.front()->field(field).type() == device::FieldType::int32) {
    const auto data = gather<std::int32_t>(field);
    return hash_bytes(data.data(), data.size() * 4);
  }
  const auto data = gather<float>(field);
  return hash_bytes(data.data(), data.size() * 4);
}

}  // namespace scree
