// A terrain of layers: every cell a stack of materials from the bottom up, with voids wherever
// there are caves or overhangs. Laid out as kernel/layers/layers.h says.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device/device.h"
#include "kernel/layers/layers.h"
#include "terrain/core/fields.h"

namespace scree {

// What layers are made of. Number 0 of every table is a void.
struct Material {
  std::string name;
  double talus = 35;      // degrees: the steepest slope that it stands at
  double strength = 0.5;  // 0 … 1: how readily what is too steep moves; 0 never does
  double ceiling = 0;     // m/s that fall from it where it is the ceiling of a void
  int dust = 0;           // number of what it becomes when it moves; 0: it stays what it is
  bool loose = false;     // lies in grains, among which others may settle
  std::array<std::uint8_t, 3> colour{150, 130, 110};
  double density = 2500;     // kg/m3
  double cohesion = 500000;  // Pa: what a roof of it bears in bending; 0 spans nothing
  double erodibility = 1;    // factor on what flowing water digs
  bool coarse = false;       // water carries it, and lays it down, as coarse sediment
  bool fluid = false;        // water in a cave: it bears nothing, and what is loose sinks in it
  double melting = 0;        // factor on the rate of melt; 0 never melts
};

struct Layer {
  int material = 0;  // 0: a void
  int quanta = 0;
  friend bool operator==(const Layer&, const Layer&) = default;
};
using Stack = std::vector<Layer>;

// Metres that a column, or a layer of it, may have: more than there is of any planet's crust, and a
// quantum that holds them is still no coarser than 1/64 m.
constexpr double tallest_column = 100000;

struct LayerShape {
  int width = 0, height = 0;
  double dx = 1, dy = 1;        // metres between cells
  double quantum = 1.0 / 1024;  // metres
  double datum = 0;             // height of the bottom of all stacks, metres
  bool wrap_x = false, wrap_y = false;
  bool open = false;  // water, and what it carries, leaves over edges that do not wrap

  std::size_t cells() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }
};

class Layers {
 public:
  // `materials` are numbers 1, 2, … All stacks are empty at first.
  Layers(device::DevicePtr device, const LayerShape& shape, std::vector<Material> materials);

  const LayerShape& shape() const { return shape_; }
  const LayerGrid& grid() const { return grid_; }
  device::Device& device() const { return *device_; }
  const device::DevicePtr& device_ptr() const { return device_; }
  // materials()[m - 1] is material m.
  const std::vector<Material>& materials() const { return materials_; }

  // What varies from place to place beside the stacks, a number a cell, rows from north to south:
  // "rain" (m/s), "water" (m, at the start), "erodibility" (a factor). For processes that ask.
  void set_map(const std::string& name, std::vector<float> values);
  const std::map<std::string, std::vector<float>>& maps() const { return maps_; }

  // True where fluids run as water, and so do not slide as layers do.
  bool fluids_run() const { return fluids_run_; }
  void set_fluids_run(bool run) { fluids_run_ = run; }

  // One stack a cell, rows from north to south. Layers of one material that touch become one, and
  // voids under the open sky are dropped.
  void set_stacks(const std::vector<Stack>& stacks);
  std::vector<Stack> stacks() const;

  // All columns.
  Box box() const { return {0, 0, 0, shape_.width, shape_.height, 1}; }
  // Of a rectangle of columns.
  std::vector<Stack> stacks(const Box& box) const;
  // Puts other stacks there, as set_stacks() takes them. What cannot be is refused before anything
  // has changed: UsageError says which column it is.
  Receipt write_stacks(const Box& box, const std::vector<Stack>& stacks);
  // Puts the top surface at these heights, to the nearest quantum. A lower one is dug from the top
  // down, through whatever lies there: where it lies in a void, the void's floor is the new top. A
  // higher one is piled up of the material that lies on top, or of the one that is named.
  Receipt write_tops(const Box& box, const std::vector<double>& metres,
                     const std::string& material = {});
  // Quanta of each material, by number, that such writes have brought in, or taken away, since it
  // was made. A ledger takes its own from their receipts.
  const std::vector<long long>& edited() const { return edited_; }
  Fields fields() const;
  // A field of that list as it is kept, of a rectangle of columns.
  std::vector<std::int32_t> counts(const std::string& field, const Box& box) const;

  // The same from words as kernels have them, plane by plane: no layer of 0 quanta below another,
  // no void upon a void or under the sky.
  void set_words(const std::vector<std::uint32_t>& words);
  // All words, plane by plane, as many planes as the tallest stack has layers.
  std::vector<std::uint32_t> words() const;
  // The documented hash (base/hash.h) of the words.
  std::uint64_t hash() const;
  // Quanta of each material, by number; [0] is of voids.
  std::vector<long long> totals() const;
  // What kernels know of the top of each column.
  std::vector<LayerTop> tops() const;
  // Heights of the top surface in metres.
  std::vector<float> heights() const;

  // For processes: kernels read the front and write the back, which are then swapped. A step that
  // needs more planes than there are is run again after grow(). What is in the back belongs
  // together: tops_back tells how many of the words there are not 0 (slip.h asks).
  const device::BufferPtr& front() const { return front_; }
  const device::BufferPtr& back() const { return back_; }
  const device::BufferPtr& tops_front() const { return tops_front_; }
  const device::BufferPtr& tops_back() const { return tops_back_; }
  void swap() {
    std::swap(front_, back_);
    std::swap(tops_front_, tops_back_);
  }
  void grow(int planes);
  // Says that the back holds something else than kernels have left there, a copy of the state that
  // was lent to somebody, say: the next step then writes all of it.
  void forget_back();
  // On a GPU with memory to spare, room for all layers that there may be: a step that need not ask
  // whether it had enough does not wait for the answer, which there takes longer than the step.
  void make_room();
  // Layers of the tallest stack that was set: most have no more than that.
  int usual_layers() const { return usual_layers_; }
  // True where a step cannot need more planes than there are, so that nobody need wait to hear it:
  // a full stack of so few kinds always has two layers to put together (stack_squeeze).
  bool always_room() const {
    return grid_.planes == LAYERS_MOST && materials_.size() < LAYERS_MOST;
  }
  // True where no stack has ever had a void, or a fluid that leaves one when it runs out from under
  // another layer: no process makes the first one.
  bool without_voids() const { return without_voids_; }

 private:
  // As many planes of a box's words as its tallest stack has layers, and the tops.
  struct Columns {
    int planes = 0;
    std::vector<std::uint32_t> words;
    std::vector<LayerTop> tops;
  };
  device::Rows rows_of(const Box& box, int plane, std::size_t element) const;
  Columns read_columns(const Box& box) const;
  std::vector<Stack> stacks_of(const Columns& columns) const;
  void put_columns(const Box& box, const std::vector<std::vector<std::uint32_t>>& columns,
                   int planes);
  Receipt change_stacks(const Box& box, const std::vector<Stack>& before,
                        const std::vector<Stack>& after, int planes);
  std::size_t cell_of(const Box& box, std::size_t column) const;
  // Hears of every column that is put into the terrain from outside.
  void hear_of(const std::uint32_t* column, int count);
  int material_named(const std::string& name) const;

  device::DevicePtr device_;
  LayerShape shape_;
  LayerGrid grid_{};
  std::map<std::string, std::vector<float>> maps_;
  std::vector<Material> materials_;
  bool fluids_run_ = false, without_voids_ = true;
  int usual_layers_ = 0;
  std::vector<long long> edited_;
  device::BufferPtr front_, back_, tops_front_, tops_back_;
};

// A stack as it is kept: words from the bottom up. UsageError for what is not one of so many
// materials.
std::vector<std::uint32_t> stack_words(const Stack& stack, std::size_t materials);
// UsageError where a column, of that number in rows from north to south, is taller than may be.
void check_column(const std::vector<std::uint32_t>& column, std::size_t cell,
                  const LayerShape& shape);

// UsageError, with a size that is possible, for more cells than kernels can count the layers of.
void check_layer_size(int width, int height);

// Bytes of device memory for so many layers a cell, before anything is allocated.
std::size_t layer_bytes(const LayerShape& shape, int layers);

}  // namespace scree
