#include "terrain/layers/layers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "device/field.h"

namespace scree {
namespace {

constexpr int longest_side = 32768;
constexpr int first_planes = 4;

void check_shape(const LayerShape& s) {
  check_layer_size(s.width, s.height);
  for (const double metres : {s.dx, s.dy, s.quantum})
    if (!(metres > 0) || !std::isfinite(metres))
      throw UsageError(
          text("layers: ", metres, " m between cells or quanta: expected more than 0"));
}

void check_materials(const std::vector<Material>& materials) {
  if (materials.empty() || materials.size() >= LAYER_MATERIALS)
    throw UsageError(
        text(materials.size(), " layer materials: expected 1 to ", LAYER_MATERIALS - 1));
  for (const Material& m : materials) {
    if (!(m.talus >= 0 && m.talus < 90))
      throw UsageError(
          text("material '", m.name, "': talus ", m.talus, ", expected 0 to 90 degrees"));
    if (!(m.strength >= 0 && m.strength <= 1))
      throw UsageError(text("material '", m.name, "': strength ", m.strength, ", expected 0 to 1"));
    if (!(m.ceiling >= 0) || !std::isfinite(m.ceiling))
      throw UsageError(
          text("material '", m.name, "': ceiling ", m.ceiling, ", expected 0 m/s or more"));
    const auto check = [&](const char* what, double value, double least, double most) {
      if (!(value >= least && value <= most))
        throw UsageError(text("material '", m.name, "': ", what, " ", value, ", expected ", least,
                              " to ", most));
    };
    check("density", m.density, 1, 30000);
    check("cohesion", m.cohesion, 0, 1e9);
    check("erodibility", m.erodibility, 0, 1000);
    check("melting", m.melting, 0, 1000);
    if (m.dust < 0 || static_cast<std::size_t>(m.dust) > materials.size())
      throw UsageError(text("material '", m.name, "' turns into number ", m.dust,
                            ": there are 1 to ", materials.size()));
  }
}

}  // namespace

std::vector<std::uint32_t> stack_words(const Stack& stack, std::size_t materials) {
  std::vector<std::uint32_t> words;
  for (const Layer& layer : stack) {
    if (layer.quanta < 0)
      throw UsageError(text("a layer of ", layer.quanta, " quanta: expected 0 or more"));
    if (layer.material < 0 || static_cast<std::size_t>(layer.material) > materials)
      throw UsageError(
          text("a layer of material ", layer.material, ": there are 0 (void) to ", materials));
    const auto material = static_cast<std::uint32_t>(layer.material);
    for (int left = layer.quanta; left > 0;) {
      int room = 0;
      if (!words.empty() && layer_material(words.back()) == material)
        room = LAYER_THICKEST - layer_thickness(words.back());
      if (room == 0) {
        words.push_back(layer_word(material, 0));
        room = LAYER_THICKEST;
      }
      const int more = std::min(left, room);
      words.back() += static_cast<std::uint32_t>(more);
      left -= more;
    }
  }
  while (!words.empty() && layer_material(words.back()) == LAYER_VOID) words.pop_back();
  return words;
}

// What slides together must fit a word, and so must a void. Columns that begin so low stay so but
// where the published rule overshoots: these can be kept and read, as a column of many words.
void check_column(const std::vector<std::uint32_t>& column, std::size_t cell,
                  const LayerShape& shape) {
  if (column.size() > LAYERS_MOST)
    throw UsageError(text("the stack of column ", cell % static_cast<std::size_t>(shape.width),
                          ", row ", cell / static_cast<std::size_t>(shape.width), " has ",
                          column.size(), " layers: expected at most ", LAYERS_MOST));
  long long height = 0;
  for (const std::uint32_t word : column) height += layer_thickness(word);
  if (height > LAYER_THICKEST)
    throw UsageError(text("cell ", cell, ": a column of ",
                          static_cast<double>(height) * shape.quantum, " m: expected at most ",
                          LAYER_THICKEST * shape.quantum, " m with a quantum of ", shape.quantum,
                          " m"));
}

void check_layer_size(int width, int height) {
  const auto sized = [](int n) { return n >= 1 && n <= longest_side; };
  if (!sized(width) || !sized(height))
    throw UsageError(text("layers of ", width, " x ", height, " cells: expected 1 to ",
                          longest_side, " a side"));
  // Kernels name a word by a 32-bit integer.
  constexpr std::size_t most = ((std::size_t{1} << 31) - 1) / LAYERS_MOST;
  const std::size_t cells = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  if (cells > most)
    throw UsageError(text(
        "layers of ", width, " x ", height, " cells: expected at most ", most, " in all: choose ",
        device::smaller_size(width, height,
                             static_cast<double>(most) / static_cast<double>(cells))));
}

std::size_t layer_bytes(const LayerShape& shape, int layers) {
  return 2 * shape.cells() *
         (static_cast<std::size_t>(layers) * sizeof(std::uint32_t) + sizeof(LayerTop));
}

Layers::Layers(device::DevicePtr device, const LayerShape& shape, std::vector<Material> materials)
    : device_(std::move(device)), shape_(shape), materials_(std::move(materials)) {
  check_shape(shape_);
  check_materials(materials_);
  grid_ = {shape_.width, shape_.height, 0, shape_.wrap_x ? 1 : 0, shape_.wrap_y ? 1 : 0};
  tops_front_ = device_->allocate(shape_.cells() * sizeof(LayerTop));
  tops_back_ = device_->allocate(shape_.cells() * sizeof(LayerTop));
  edited_.assign(materials_.size() + 1, 0);
  grow(first_planes);
}

void Layers::grow(int planes) {
  if (planes <= grid_.planes) return;
  if (planes > LAYERS_MOST)
    throw Error(text("a cell needs ", planes, " layers: at most ", LAYERS_MOST,
                     " are possible; expected fewer beds or kinds of dust"));
  const std::size_t needed = layer_bytes(shape_, planes), there = device_->info().memory_bytes;
  if (there > 0 && needed > there)
    throw Error(text(planes, " layers of ", shape_.width, " x ", shape_.height, " cells need ",
                     needed >> 20, " MiB, and ", device_->info().name, " has ", there >> 20,
                     " MiB"));
  const std::size_t plane = shape_.cells() * sizeof(std::uint32_t);
  const std::size_t bytes = plane * static_cast<std::size_t>(planes);
  back_.reset();
  device::BufferPtr taller = device_->allocate(bytes);
  if (front_)
    device_->copy_rows(*front_, 0, plane, *taller, 0, plane, plane,
                       static_cast<std::size_t>(grid_.planes));
  front_ = std::move(taller);
  back_ = device_->allocate(bytes);
  grid_.planes = planes;
}

// A step clears the words of the back as far up as the tops there say that some are not 0.
void Layers::forget_back() {
  const LayerTop unknown{0, static_cast<std::uint32_t>(grid_.planes)};
  const std::vector<LayerTop> tops(shape_.cells(), unknown);
  device_->write(*tops_back_, 0, tops.data(), tops.size() * sizeof tops[0]);
}

void Layers::make_room() {
  constexpr std::size_t share = 8;  // of the device's memory
  const device::DeviceInfo& info = device_->info();
  if (info.is_gpu && layer_bytes(shape_, LAYERS_MOST) <= info.memory_bytes / share)
    grow(LAYERS_MOST);
}

void Layers::set_words(const std::vector<std::uint32_t>& words) {
  const std::size_t cells = shape_.cells();
  if (words.size() % cells != 0 || words.size() / cells > LAYERS_MOST)
    throw UsageError(text("layers of ", cells, " cells got ", words.size(),
                          " words: expected up to ", LAYERS_MOST, " planes"));
  const auto planes = static_cast<int>(words.size() / cells);
  usual_layers_ = planes;
  grow(planes);
  std::vector<LayerTop> tops(cells);
  std::array<std::uint32_t, LAYERS_MOST> column{};
  for (std::size_t cell = 0; cell < cells; ++cell) {
    int count = 0;
    for (int k = 0; k < planes; ++k) {
      const std::uint32_t word = words[static_cast<std::size_t>(k) * cells + cell];
      if (word == 0) continue;
      if (count < k || layer_thickness(word) == 0 || layer_material(word) > materials_.size())
        throw UsageError(text("cell ", cell, ", layer ", k, ": ", layer_thickness(word),
                              " quanta of material ", layer_material(word),
                              ": expected some of 0 to ", materials_.size(), ", on another layer"));
      if (layer_material(word) == LAYER_VOID && count > 0 &&
          layer_material(column[static_cast<std::size_t>(count - 1)]) == LAYER_VOID)
        throw UsageError(text("cell ", cell, ", layer ", k, ": a void on a void: expected one"));
      column[static_cast<std::size_t>(count++)] = word;
    }
    tops[cell] = top_of(column.data(), count);
    if (count > 0 && top_material(tops[cell]) == LAYER_VOID)
      throw UsageError(text("cell ", cell, ": a void under the sky: expected none"));
    hear_of(column.data(), count);
  }
  std::vector<std::uint32_t> all = words;
  all.resize(cells * static_cast<std::size_t>(grid_.planes));
  device_->write(*front_, 0, all.data(), all.size() * sizeof all[0]);
  device_->write(*tops_front_, 0, tops.data(), tops.size() * sizeof tops[0]);
}

void Layers::hear_of(const std::uint32_t* column, int count) {
  const auto hollow = [&](std::uint32_t word) {
    const std::uint32_t material = layer_material(word);
    return material == LAYER_VOID || materials_[material - 1].fluid;
  };
  // A fluid below another layer may run out from there.
  if (std::any_of(column, column + std::max(count - 1, 0), hollow)) without_voids_ = false;
}

void Layers::set_map(const std::string& name, std::vector<float> values) {
  if (values.size() != shape_.cells())
    throw UsageError(text("layers of ", shape_.cells(), " cells got a map of ", values.size()));
  for (const float value : values)
    if (!(value >= 0) || !std::isfinite(value))
      throw UsageError(text("map '", name, "' holds ", value, ": expected nothing below 0"));
  maps_[name] = std::move(values);
}

void Layers::set_stacks(const std::vector<Stack>& stacks) {
  const std::size_t cells = shape_.cells();
  if (stacks.size() != cells)
    throw UsageError(text("layers of ", cells, " cells got ", stacks.size(), " stacks"));
  std::vector<std::uint32_t> all;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const std::vector<std::uint32_t> column = stack_words(stacks[cell], materials_.size());
    check_column(column, cell, shape_);
    if (column.size() * cells > all.size()) all.resize(column.size() * cells);
    for (std::size_t k = 0; k < column.size(); ++k) all[k * cells + cell] = column[k];
  }
  set_words(all);
}

std::vector<std::uint32_t> Layers::words() const {
  std::vector<std::uint32_t> all(shape_.cells() * static_cast<std::size_t>(grid_.planes));
  device_->read(*front_, 0, all.data(), all.size() * sizeof all[0]);
  std::size_t used = static_cast<std::size_t>(grid_.planes);
  const auto empty = [&](std::size_t plane) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(plane * shape_.cells());
    return std::all_of(first, first + static_cast<std::ptrdiff_t>(shape_.cells()),
                       [](std::uint32_t word) { return word == 0; });
  };
  while (used > 0 && empty(used - 1)) --used;
  all.resize(used * shape_.cells());
  return all;
}

std::vector<Stack> Layers::stacks() const {
  const std::vector<std::uint32_t> all = words();
  std::vector<Stack> stacks(shape_.cells());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] != 0)
      stacks[i % shape_.cells()].push_back(
          {static_cast<int>(layer_material(all[i])), layer_thickness(all[i])});
  return stacks;
}

std::uint64_t Layers::hash() const {
  const std::vector<std::uint32_t> all = words();
  Hash64 hash;
  hash.update(all.data(), all.size() * sizeof all[0]);
  return hash.digest();
}

std::vector<long long> Layers::totals() const {
  std::vector<long long> sums(materials_.size() + 1);
  for (const std::uint32_t word : words()) sums[layer_material(word)] += layer_thickness(word);
  return sums;
}

std::vector<LayerTop> Layers::tops() const {
  std::vector<LayerTop> all(shape_.cells());
  device_->read(*tops_front_, 0, all.data(), all.size() * sizeof all[0]);
  return all;
}

std::vector<float> Layers::heights() const {
  std::vector<long long> quanta(shape_.cells());
  const std::vector<std::uint32_t> all = words();
  for (std::size_t i = 0; i < all.size(); ++i)
    quanta[i % shape_.cells()] += layer_thickness(all[i]);
  std::vector<float> heights;
  heights.reserve(quanta.size());
  for (const long long q : quanta)
    heights.push_back(static_cast<float>(shape_.datum + static_cast<double>(q) * shape_.quantum));
  return heights;
}

}  // namespace scree
