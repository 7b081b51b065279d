#include "terrain/heights/heightfield.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/error.h"
#include "base/hash.h"
#include "kernel/common/reduce.h"
#include "kernel/heights/flow_ledger.h"
#include "terrain/heights/flow_lanes.h"

namespace scree {

using device::Arguments;
using device::Field;
using device::FieldType;

namespace {

constexpr device::Kernel fill_halo_kernel{"fill_halo", "kernel/heights/halo.h"};
constexpr device::Kernel fill_halo_float_kernel{"fill_halo_float", "kernel/heights/halo.h"};
constexpr device::Kernel reduce_band_kernel{"reduce_band", "kernel/common/reduce.h"};
constexpr device::Kernel reduce_columns_kernel{"reduce_columns", "kernel/common/reduce.h"};

int border_code(BorderKind kind) {
  switch (kind) {
    case BorderKind::closed:
      return BORDER_CLOSED;
    case BorderKind::open:
      return BORDER_OPEN;
    case BorderKind::wrap:
      return BORDER_WRAP;
    case BorderKind::level:
      return BORDER_LEVEL;
    case BorderKind::keep:
      return BORDER_KEEP;
  }
  return BORDER_CLOSED;
}

std::vector<float> finite_range(const std::vector<float>& heights) {
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (const float h : heights)
    if (!std::isnan(h)) low = std::min(low, h), high = std::max(high, h);
  if (low > high) return {0.0F, 0.0F};
  return {low, high};
}

}  // namespace

double Quantum::metres() const { return std::ldexp(1.0, -k); }

std::int32_t Quantum::to_quanta(double metres_) const {
  return static_cast<std::int32_t>(std::floor((metres_ - datum) * std::ldexp(1.0, k) + 0.5));
}

// Half the relief with a quarter to spare, and room for water and what is piled up, must stay below
// the level limit.
Quantum Quantum::for_range(double lowest, double highest, double room) {
  Quantum q;
  q.datum = std::floor((lowest + highest) / 2);
  const double reach = (highest - lowest) / 2 * 1.25 + room;
  q.k = std::ilogb(static_cast<double>(SCREE_LEVEL_LIMIT) / reach);
  q.k = std::clamp(q.k, 0, 20);
  return q;
}

Quantum Quantum::for_heights(const std::vector<float>& heights, double room) {
  const std::vector<float> range = finite_range(heights);
  return for_range(static_cast<double>(range[0]), static_cast<double>(range[1]), room);
}

Heightfield::Heightfield(device::DevicePtr device, const HeightfieldShape& shape,
                         const std::vector<float>& heights, const Borders& borders,
                         std::optional<Quantum> quantum)
    : device_(std::move(device)),
      grid_(device::make_grid(shape.width, shape.height, shape.dx, shape.dy)),
      borders_(borders),
      world_{shape.width, shape.height} {
  if (!(shape.dx > 0) || !(shape.dy > 0) || !std::isfinite(shape.dx) || !std::isfinite(shape.dy))
    throw UsageError(text("cell size ", shape.dx, " x ", shape.dy, " m: expected positive metres"));
  check_heights(heights);
  const std::vector<float> range = finite_range(heights);
  quantum_ = quantum ? *quantum : Quantum::for_heights(heights);
  const double reach =
      std::max(std::abs(range[0] - quantum_.datum), std::abs(range[1] - quantum_.datum));
  if (reach / quantum_.metres() >= SCREE_LEVEL_LIMIT)
    throw Error(text("heights from ", range[0], " to ", range[1], " m do not fit a quantum of 2^-",
                     quantum_.k, " m"));
  if ((borders.west == BorderKind::wrap) != (borders.east == BorderKind::wrap) ||
      (borders.north == BorderKind::wrap) != (borders.south == BorderKind::wrap))
    throw UsageError("borders: a side that wraps needs its opposite side to wrap too");
  if (borders.west == BorderKind::wrap) grid_.wrap_x = grid_.width;
  if (borders.north == BorderKind::wrap) grid_.wrap_y = grid_.height;
  for (const FieldSpec& spec : height_state) ensure(spec);
  std::vector<std::int32_t> bed(heights.size());
  std::transform(heights.begin(), heights.end(), bed.begin(),
                 [&](float h) { return std::isnan(h) ? SCREE_WALL : quantum_.to_quanta(h); });
  field("bed").upload(*device_, grid_, bed);
}

void Heightfield::check_heights(const std::vector<float>& heights) const {
  const auto cells = static_cast<std::size_t>(grid_.width) * static_cast<std::size_t>(grid_.height);
  if (heights.size() != cells)
    throw Error(text("heights: expected ", grid_.width, "x", grid_.height, " values, got ",
                     heights.size()));
  for (std::size_t i = 0; i < cells; ++i)
    if (std::isinf(heights[i]))
      throw Error(text("heights: cell ", i % static_cast<std::size_t>(grid_.width), ",",
                       i / static_cast<std::size_t>(grid_.width), " is infinite"));
}

void Heightfield::set_origin(int x0, int y0) {
  grid_.x0 = x0;
  grid_.y0 = y0;
}
void Heightfield::set_wrap(int wrap_x, int wrap_y) {
  grid_.wrap_x = wrap_x;
  grid_.wrap_y = wrap_y;
}

Field& Heightfield::field(const std::string& name) {
  const auto found = fields_.find(name);
  if (found == fields_.end()) throw UsageError(text("this terrain has no field '", name, "'"));
  return *found->second;
}
const Field& Heightfield::field(const std::string& name) const {
  return const_cast<Heightfield*>(this)->field(name);
}

const FieldSpec* height_field(const char* name) {
  const auto named = [name](const FieldSpec& spec) { return std::string_view(spec.name) == name; };
  const auto* state = std::find_if(std::begin(height_state), std::end(height_state), named);
  if (state != std::end(height_state)) return state;
  const auto* map = std::find_if(std::begin(height_maps), std::end(height_maps), named);
  return map != std::end(height_maps) ? map : nullptr;
}

Field& Heightfield::ensure(const std::string& name, FieldType type, bool double_buffered,
                           float start) {
  Declared& declared = declared_[name];
  if (const FieldSpec* own = height_field(name.c_str()))
    declared = {own->unit, own->help, start, own->scratch, own->above_datum};
  declared.start = start;
  const auto found = fields_.find(name);
  if (found != fields_.end()) {
    if (found->second->type() != type)
      throw Error(text("field '", name, "' exists with another type"));
    return *found->second;
  }
  auto made = std::make_unique<Field>(*device_, grid_, name, type, double_buffered);
  if (start != 0 && type == FieldType::float32) made->fill(*device_, grid_, start);
  return *fields_.emplace(name, std::move(made)).first->second;
}

Field& Heightfield::ensure(const FieldSpec& spec) {
  Field& added = ensure(spec.name, spec.type, spec.double_buffered, spec.start);
  declared_[spec.name] = {spec.unit, spec.help, spec.start, spec.scratch, spec.above_datum};
  return added;
}

Field& Heightfield::ensure_like(const Heightfield& other, const std::string& name) {
  const Field& like = other.field(name);
  Field& added = ensure(name, like.type(), like.double_buffered());
  declared_[name] = other.declared_.at(name);
  return added;
}

std::unique_ptr<Heightfield> Heightfield::bare_twin() const {
  const HeightfieldShape shape{grid_.width, grid_.height, static_cast<double>(grid_.dx),
                               static_cast<double>(grid_.dy)};
  auto twin = std::make_unique<Heightfield>(device_, shape, values("bed"), borders_, quantum_);
  twin->set_origin(grid_.x0, grid_.y0);
  twin->set_wrap(grid_.wrap_x, grid_.wrap_y);
  twin->set_world_size(world_);
  for (const auto& [name, from] : fields_) {
    if (height_field(name.c_str()) == nullptr) continue;  // a process's
    const Field& to = twin->ensure_like(*this, name);
    const std::size_t bytes = from->front()->bytes();
    device_->copy(*from->front(), 0, *to.front(), 0, bytes);
    if (to.double_buffered()) device_->copy(*from->front(), 0, *to.back(), 0, bytes);
  }
  return twin;
}

// What a cell has that nothing is known of: of a factor, one.
float Heightfield::fresh(const std::string& name) const {
  const FieldSpec* own = height_field(name.c_str());
  return own != nullptr && own->start != 0 ? own->start : declared_.at(name).start;
}

std::vector<std::string> Heightfield::field_names() const {
  std::vector<std::string> names;
  for (const auto& [name, unused] : fields_) names.push_back(name);
  return names;
}

FieldUnits Heightfield::units(const std::string& name) const {
  const auto found = declared_.find(name);
  if (found == declared_.end()) return {"1", 1, 0};
  const Declared& declared = found->second;
  const double q = quantum_.metres();
  const bool counts = declared.unit == "m" && field(name).type() == FieldType::int32;
  if (counts) return {declared.unit, q, declared.above_datum ? quantum_.datum : 0};
  // Fluxes are of quanta over a cell.
  return {declared.unit, name.starts_with("flux.") ? q * cell_area() : 1, 0};
}

Fields Heightfield::fields() const {
  Fields all;
  for (const auto& [name, kept] : fields_) {
    const FieldUnits u = units(name);
    const Declared& declared = declared_.at(name);
    std::string words = name;
    std::replace(words.begin(), words.end(), '.', ' ');
    const bool counts = kept->type() == FieldType::int32;
    all.push_back({name, words, kept->type(), u.unit, counts ? u.scale : 0, u.scale, u.offset,
                   box(), !declared.scratch, declared.help});
  }
  return all;
}

std::vector<float> Heightfield::values(const std::string& name) const {
  const Field& f = field(name);
  const FieldUnits u = units(name);
  const std::vector<std::int32_t> bed = raw("bed");
  std::vector<float> out(bed.size());
  const auto convert = [&](const auto& from) {
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = bed[i] == SCREE_WALL
                   ? std::numeric_limits<float>::quiet_NaN()
                   : static_cast<float>(static_cast<double>(from[i]) * u.scale + u.offset);
  };
  if (f.type() == FieldType::int32)
    convert(f.download<std::int32_t>(*device_, grid_));
  else
    convert(f.download<float>(*device_, grid_));
  return out;
}

void Heightfield::set_values(const std::string& name, const std::vector<float>& values) {
  Field& f = field(name);
  const FieldUnits u = units(name);
  const std::vector<std::int32_t> bed = raw("bed");
  if (values.size() != bed.size())
    throw Error(text("field '", name, "': expected ", bed.size(), " values, got ", values.size()));
  const auto wall = [&](std::size_t i) { return bed[i] == SCREE_WALL || std::isnan(values[i]); };
  // Land where a map has no value is as if there were no map.
  const float none = fresh(name);
  if (f.type() == FieldType::float32) {
    std::vector<float> numbers(values.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = wall(i) ? none : static_cast<float>((values[i] - u.offset) / u.scale);
    f.upload(*device_, grid_, numbers);
  } else {
    std::vector<std::int32_t> counts(values.size());
    const double limit = SCREE_LEVEL_LIMIT;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      double n = std::floor((static_cast<double>(values[i]) - u.offset) / u.scale + 0.5);
      if (name == "floor" && !(n > -limit)) n = -limit;  // so deep that nothing digs there
      if (!wall(i) && std::abs(n) > limit)
        throw Error(text("field '", name, "': ", values[i], " ", u.unit,
                         " is out of range for a quantum of 2^-", quantum_.k, " m"));
      counts[i] = name == "floor" ? static_cast<std::int32_t>(n)
                  : !wall(i)      ? static_cast<std::int32_t>(n)
                                  : (name == "bed" ? SCREE_WALL : 0);
    }
    f.upload(*device_, grid_, counts);
  }
  touch();
}

std::vector<std::int32_t> Heightfield::raw(const std::string& name) const {
  return field(name).download<std::int32_t>(*device_, grid_);
}

std::uint64_t Heightfield::hash(const std::string& name) const {
  const Field& f = field(name);
  if (f.type() == FieldType::int32) {
    const auto data = f.download<std::int32_t>(*device_, grid_);
    return hash_bytes(data.data(), data.size() * sizeof(std::int32_t));
  }
  const auto data = f.download<float>(*device_, grid_);
  return hash_bytes(data.data(), data.size() * sizeof(float));
}

std::map<std::string, std::uint64_t> Heightfield::hashes() const {
  std::map<std::string, std::uint64_t> all;
  for (const auto& [name, unused] : fields_) all[name] = hash(name);
  return all;
}

Border Heightfield::border_codes() const {
  Border b{};
  b.west = border_code(borders_.west);
  b.east = border_code(borders_.east);
  b.north = border_code(borders_.north);
  b.south = border_code(borders_.south);
  const double level =
      std::clamp((borders_.level - quantum_.datum) / quantum_.metres(),
                 -static_cast<double>(SCREE_LEVEL_LIMIT), static_cast<double>(SCREE_LEVEL_LIMIT));
  b.level = static_cast<int>(std::floor(level + 0.5));
  return b;
}

void Heightfield::fill_halo() {
  const auto flux = [&](const char* name, const char* stand_in) {
    return has(name) ? field(name).front() : field(stand_in).front();
  };
  Arguments arguments;
  arguments.add(grid_).add(border_codes());
  arguments.add(field("bed").front()).add(field("water").front()).add(field("sediment").front());
  arguments.add(field("flux.x").front()).add(field("flux.y").front());
  arguments.add(flux("flux.se", "flux.x")).add(flux("flux.sw", "flux.y"));
  device_->run(fill_halo_kernel, Range{0, 0, halo_cells(grid_), 1}, arguments);
  if (halo_stale_) {
    // A closed border is the same in both buffers and is filled once.
    for (const char* name : {"bed", "water", "sediment"}) {
      Field& f = field(name);
      device_->copy(*f.front(), 0, *f.back(), 0, f.front()->bytes());
    }
    halo_stale_ = false;
  }
}

// Words are copied as they are, so the kernel serves counts too.
void Heightfield::fill_halo(Field& field) {
  Arguments arguments;
  arguments.add(grid_).add(border_codes()).add(field.front());
  device_->run(fill_halo_float_kernel, Range{0, 0, halo_cells(grid_), 1}, arguments);
}

bool Heightfield::borders_move() const {
  for (const BorderKind kind : {borders_.west, borders_.east, borders_.north, borders_.south})
    if (kind != BorderKind::closed && kind != BorderKind::keep) return true;
  return false;
}

int Heightfield::booked_sides() const {
  const auto booked = [](BorderKind kind) {
    return kind == BorderKind::open || kind == BorderKind::level;
  };
  return (booked(borders_.west) ? SIDE_WEST : 0) | (booked(borders_.east) ? SIDE_EAST : 0) |
         (booked(borders_.north) ? SIDE_NORTH : 0) | (booked(borders_.south) ? SIDE_SOUTH : 0);
}

void Heightfield::reduce(const std::string& int_field, Columns& into) const {
  const int bands = (grid_.height + REDUCE_ROWS - 1) / REDUCE_ROWS;
  const std::size_t slots = static_cast<std::size_t>(bands) * static_cast<std::size_t>(grid_.width);
  if (!into.sums) {
    into.sums = device_->allocate(slots * sizeof(long long));
    into.tops = device_->allocate(slots * sizeof(std::int32_t));
  }
  Arguments band;
  band.add(grid_).add(field(int_field).front()).add(into.sums).add(into.tops);
  device_->run(reduce_band_kernel, Range{0, 0, grid_.width, bands}, band);
  Arguments columns;
  columns.add(grid_).add(into.sums).add(into.tops);
  device_->run(reduce_columns_kernel, Range{0, 0, grid_.width, 1}, columns);
}

std::int32_t Heightfield::top(const std::string& int_field) const {
  reduce(int_field, reduced_);
  return PendingTop(device_->read_later(reduced_.tops), static_cast<std::size_t>(grid_.width))
      .wait();
}

std::int32_t Heightfield::PendingTop::wait() {
  std::vector<std::int32_t> tops(count_);
  columns_->wait(tops.data(), tops.size() * sizeof tops[0]);
  return *std::max_element(tops.begin(), tops.end());
}

Heightfield::PendingTop Heightfield::top_later(const std::string& int_field) const {
  reduce(int_field, reduced_later_);
  return {device_->read_later(reduced_later_.tops), static_cast<std::size_t>(grid_.width)};
}

long long Heightfield::sum(const std::string& int_field) const {
  reduce(int_field, reduced_);
  std::vector<long long> sums(static_cast<std::size_t>(grid_.width));
  device_->read(*reduced_.sums, 0, sums.data(), sums.size() * sizeof(long long));
  long long result = 0;
  for (const long long s : sums) result += s;
  return result;
}

const device::BufferPtr& Heightfield::ledger() {
  if (!ledger_) {
    const auto tiles = [](int cells, int tile) {
      return static_cast<std::size_t>((cells + tile - 1) / tile);
    };
    ledger_ =
        device_->allocate(tiles(grid_.width, flow_tile_width(device_->info())) *
                          tiles(grid_.height, FLOW_TILE_Y) * LEDGER_ENTRIES * sizeof(long long));
  }
  return ledger_;
}

std::array<long long, Heightfield::booked_entries> Heightfield::booked() const {
  static_assert(booked_entries == LEDGER_ENTRIES);
  std::array<long long, booked_entries> sums{};
  if (!ledger_) return sums;
  std::vector<long long> slots(ledger_->bytes() / sizeof(long long));
  device_->read(*ledger_, 0, slots.data(), ledger_->bytes());
  for (std::size_t i = 0; i < slots.size(); ++i) sums[i % booked_entries] += slots[i];
  return sums;
}

void Heightfield::set_booked(const std::array<long long, booked_entries>& counts) {
  std::vector<long long> slots(ledger()->bytes() / sizeof(long long), 0);
  std::copy(counts.begin(), counts.end(), slots.begin());
  device_->write(*ledger_, 0, slots.data(), ledger_->bytes());
}

namespace {

// The old interior moved by (east, south) cells; cells that come into view get `fresh(i)`.
template <class T, class Fresh>
std::vector<T> moved_window(const std::vector<T>& old, const Grid& g, int east, int south,
                            Fresh&& fresh) {
  std::vector<T> now(old.size());
  for (int y = 0; y < g.height; ++y)
    for (int x = 0; x < g.width; ++x) {
      const int ox = x + east, oy = y + south;
      const auto i = static_cast<std::size_t>(y) * static_cast<std::size_t>(g.width) +
                     static_cast<std::size_t>(x);
      const bool kept = ox >= 0 && ox < g.width && oy >= 0 && oy < g.height;
      now[i] = kept ? old[static_cast<std::size_t>(oy) * static_cast<std::size_t>(g.width) +
                          static_cast<std::size_t>(ox)]
                    : static_cast<T>(fresh(i));
    }
  return now;
}

long long sum_of(const std::vector<std::int32_t>& counts) {
  long long sum = 0;
  for (const std::int32_t n : counts) sum += n == SCREE_WALL ? 0 : n;
  return sum;
}

}  // namespace

Heightfield::Scrolled Heightfield::scroll(int cells_east, int cells_south,
                                          const std::vector<float>& heights) {
  check_heights(heights);
  Scrolled result;
  for (auto& [name, f] : fields_) {
    const bool is_bed = name == "bed";
    if (f->type() == FieldType::int32) {
      const auto old = f->download<std::int32_t>(*device_, grid_);
      const auto now = moved_window(old, grid_, cells_east, cells_south, [&](std::size_t i) {
        if (!is_bed) return 0;
        return std::isnan(heights[i]) ? SCREE_WALL : quantum_.to_quanta(heights[i]);
      });
      const auto kept =
          moved_window(old, grid_, cells_east, cells_south, [](std::size_t) { return 0; });
      const long long left = sum_of(old) - sum_of(kept);
      if (is_bed) result.bed_left = left, result.bed_entered = sum_of(now) - sum_of(kept);
      if (name == "water") result.water_left = left;
      if (name == "sediment") result.sediment_left = left;
      f->clear(*device_);
      f->upload(*device_, grid_, now);
    } else {
      const float start = fresh(name);
      const auto now = moved_window(f->download<float>(*device_, grid_), grid_, cells_east,
                                    cells_south, [&](std::size_t) { return start; });
      f->clear(*device_);
      f->upload(*device_, grid_, now);
    }
  }
  set_origin(grid_.x0 + cells_east, grid_.y0 + cells_south);
  touch();
  return result;
}

std::size_t Heightfield::bytes() const {
  std::size_t sum = 0;
  for (const auto& [name, f] : fields_) sum += f->bytes();
  return sum;
}

std::size_t heightfield_bytes(int width, int height, int further_planes) {
  const std::size_t plane = device::cells_allocated(device::make_grid(width, height, 1, 1)) * 4;
  return plane * static_cast<std::size_t>(10 + further_planes);
}

}  // namespace scree
