// A terrain of one height a cell: bed, water and suspended sediment as whole counts of a quantum,
// fluxes as floats, and whatever further fields its processes ask for.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/field.h"
#include "kernel/heights/halo.h"
#include "terrain/core/fields.h"
#include "terrain/heights/height_fields.h"

namespace scree {

// Heights are counts of 2^-k metres about a datum. k is chosen so that nothing can overflow.
struct Quantum {
  int k = 20;
  double datum = 0;  // metres

  double metres() const;  // one quantum
  std::int32_t to_quanta(double metres_above_datum_zero) const;
  // Metres of room, above and below, for what is piled up and dug, and for water.
  static constexpr double usual_room = 257;
  static Quantum for_range(double lowest, double highest, double room = usual_room);
  // The same of the lowest and the highest of them; NaN is nodata.
  static Quantum for_heights(const std::vector<float>& heights, double room = usual_room);
};

enum class BorderKind { closed, open, wrap, level, keep };

struct Borders {
  BorderKind west = BorderKind::closed;
  BorderKind east = BorderKind::closed;
  BorderKind north = BorderKind::closed;
  BorderKind south = BorderKind::closed;
  double level = 0;  // metres, for BorderKind::level

  static Borders all(BorderKind kind, double level = 0) { return {kind, kind, kind, kind, level}; }
};

struct HeightfieldShape {
  int width = 0;
  int height = 0;
  double dx = 1;  // metres
  double dy = 1;
};

struct WorldSize {
  int width = 0;
  int height = 0;
};

// How the raw numbers of a field become metres (or what its unit says): value * scale + offset.
struct FieldUnits {
  std::string unit;
  double scale = 1;
  double offset = 0;
};

// What writes moved, in quanta.
struct HeightEdits {
  long long water = 0, solids = 0;  // of bed and sediment
  HeightEdits& operator+=(const HeightEdits& other) {
    water += other.water, solids += other.solids;
    return *this;
  }
  friend bool operator==(const HeightEdits&, const HeightEdits&) = default;
};

class Heightfield {
 public:
  // heights in metres, row-major, north row first; NaN is nodata.
  Heightfield(device::DevicePtr device, const HeightfieldShape& shape,
              const std::vector<float>& heights, const Borders& borders,
              std::optional<Quantum> quantum = {});

  const Grid& grid() const { return grid_; }
  const Quantum& quantum() const { return quantum_; }
  const Borders& borders() const { return borders_; }
  device::Device& device() const { return *device_; }
  const device::DevicePtr& device_ptr() const { return device_; }
  double cell_area() const { return static_cast<double>(grid_.dx) * static_cast<double>(grid_.dy); }

  // Where this window lies in a larger or endless world, in cells.
  void set_origin(int x0, int y0);
  // A wrapped world's size; set by the constructor from the borders, changed for tiles.
  void set_wrap(int wrap_x, int wrap_y);
  // The size of the world in cells; the window itself unless set. Positions given as a share of
  // the extent (rain, springs) are shares of this.
  WorldSize world_size() const { return world_; }
  void set_world_size(const WorldSize& size) { world_ = size; }

  // Another terrain of the same shape, quantum and borders, with the same ground, state and maps,
  // and without what processes have added.
  std::unique_ptr<Heightfield> bare_twin() const;

  // ---- fields
  bool has(const std::string& name) const { return fields_.count(name) > 0; }
  device::Field& field(const std::string& name);
  const device::Field& field(const std::string& name) const;
  // Adds a field with a start value, or returns the one that is there.
  device::Field& ensure(const std::string& name, device::FieldType type, bool double_buffered,
                        float start = 0);
  device::Field& ensure(const FieldSpec& spec);
  // The field of that name as another terrain has it, but for its values.
  device::Field& ensure_like(const Heightfield& other, const std::string& name);
  std::vector<std::string> field_names() const;
  FieldUnits units(const std::string& name) const;
  Fields fields() const;

  // Interior values in SI units; nodata is NaN.
  std::vector<float> values(const std::string& name) const;
  // From SI units. bed keeps nodata cells as they are.
  void set_values(const std::string& name, const std::vector<float>& values);
  std::vector<std::int32_t> raw(const std::string& name) const;

  // All cells.
  Box box() const { return {0, 0, 0, grid_.width, grid_.height, 1}; }
  // Of a rectangle of cells. What is counted in quanta is as exact as it is kept.
  std::vector<double> values(const std::string& name, const Box& box) const;
  std::vector<std::int32_t> raw(const std::string& name, const Box& box) const;
  // The same of a field of floats, as they are kept.
  std::vector<float> numbers(const std::string& name, const Box& box) const;
  // Changes a rectangle, from SI units; counts are rounded to the nearest quantum. What cannot be
  // is refused before anything has changed: UsageError says which cell it is. Nodata stays, and
  // takes nothing but NaN. Halos are then stale.
  Receipt write(const std::string& name, const Box& box, const std::vector<double>& values);

  // The same in two parts: checked first, and done when all that belongs together has been checked.
  // `column` and `row` say where this terrain lies in the whole, by which messages count cells.
  struct PlannedWrite {
    std::string name;
    Range cells{};
    std::vector<std::int32_t> counts;  // of an integer field
    std::vector<float> numbers;        // of a float field
    HeightEdits moved;
    Receipt receipt;
  };
  PlannedWrite plan_write(const std::string& name, const Box& box,
                          const std::vector<double>& values, int column = 0, int row = 0) const;
  void carry_out(const PlannedWrite& write);
  // What all writes have moved since it was made. A ledger takes its own from their receipts.
  const HeightEdits& edited() const { return edited_; }

  // The documented hash of a field (base/hash.h).
  std::uint64_t hash(const std::string& name) const;
  std::map<std::string, std::uint64_t> hashes() const;

  // ---- borders
  // Fills the halo of the state (bed, water, sediment, fluxes).
  void fill_halo();
  // Of any other field: the nearest cell's, or the wrapped one's.
  void fill_halo(device::Field& field);
  // True where a step needs the halo filled again: a closed border stays as it is.
  bool borders_move() const;
  int booked_sides() const;

  // ---- integer reductions
  long long sum(const std::string& int_field) const;
  std::int32_t top(const std::string& int_field) const;  // the largest count
  // The largest count as it is after the calls so far, which later calls need not wait for.
  class PendingTop {
   public:
    PendingTop(device::PendingReadPtr columns, std::size_t count)
        : columns_(std::move(columns)), count_(count) {}
    std::int32_t wait();

   private:
    device::PendingReadPtr columns_;
    std::size_t count_;
  };
  // One at a time: the next makes the one before it void.
  PendingTop top_later(const std::string& int_field) const;

  // ---- what the steps booked (kernel/heights/flow_ledger.h), added up
  static constexpr int booked_entries = 8;
  const device::BufferPtr& ledger();
  std::array<long long, booked_entries> booked() const;
  void set_booked(const std::array<long long, booked_entries>& counts);

  // Moves the window by whole cells over its world. What stays in view keeps its state; `heights`
  // are the metres of the whole new window, of which only cells that come into view are used.
  // Returns what left and entered.
  struct Scrolled {
    long long water_left = 0, sediment_left = 0, bed_left = 0, bed_entered = 0;
  };
  Scrolled scroll(int cells_east, int cells_south, const std::vector<float>& heights);

  // Marks the state as changed from outside, so that the next step fills every halo.
  void touch() { halo_stale_ = true; }
  bool halo_stale() const { return halo_stale_; }

  std::size_t bytes() const;

 private:
  // What was said of a field when it was added.
  struct Declared {
    std::string unit = "1", help;
    float start = 0;  // of cells that come into view
    bool scratch = false, above_datum = false;
  };
  // The sum and the top of each column of a field.
  struct Columns {
    device::BufferPtr sums, tops;
  };
  void reduce(const std::string& int_field, Columns& into) const;
  Border border_codes() const;
  void check_heights(const std::vector<float>& heights) const;
  float fresh(const std::string& name) const;
  void plan_counts(PlannedWrite& write, const std::vector<double>& values, int column,
                   int row) const;
  void plan_numbers(PlannedWrite& write, const std::vector<double>& values, int column,
                    int row) const;

  device::DevicePtr device_;
  Grid grid_;
  Quantum quantum_;
  Borders borders_;
  WorldSize world_;
  std::map<std::string, std::unique_ptr<device::Field>> fields_;
  std::map<std::string, Declared> declared_;
  mutable Columns reduced_, reduced_later_;
  device::BufferPtr ledger_;
  HeightEdits edited_;
  bool halo_stale_ = true;
};

// Bytes a heightfield of this size needs on its device, before it is allocated: its state and
// further planes of four bytes a cell.
std::size_t heightfield_bytes(int width, int height, int further_planes);

}  // namespace scree
