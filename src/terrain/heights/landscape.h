// The tiles that make up one world. A single heightfield is a landscape of one tile; several tiles
// exchange halos and give the same bits as the whole.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "terrain/heights/heightfield.h"

namespace scree {

// The deepest water of all tiles, once it is known.
class DeepestWater {
 public:
  explicit DeepestWater(double metres) : metres_(metres) {}
  DeepestWater(std::vector<Heightfield::PendingTop> tops, double quantum)
      : tops_(std::move(tops)), quantum_(quantum) {}
  double metres();  // waits for it

 private:
  std::vector<Heightfield::PendingTop> tops_;
  double quantum_ = 0, metres_ = 0;
};

class Landscape {
 public:
  explicit Landscape(std::unique_ptr<Heightfield> whole);
  // Cuts a world into columns x rows tiles on one device. Field values are copied from `whole`.
  Landscape(const Heightfield& whole, int columns, int rows);

  std::size_t tile_count() const { return tiles_.size(); }
  Heightfield& tile(std::size_t i) { return *tiles_[i]; }
  const Heightfield& tile(std::size_t i) const { return *tiles_[i]; }
  // The only tile; an error where there are several.
  Heightfield& single();
  void each(const std::function<void(Heightfield&)>& visit);

  // Fills every tile's halo: from its neighbours where it has some, by its border elsewhere.
  void refresh_halos();
  void refresh_halos(const std::string& field);

  long long sum(const std::string& int_field) const;
  double deepest_water() const;  // metres
  // As it is after the calls so far; steps may go on meanwhile, but not beyond the next look.
  DeepestWater deepest_water_later() const;
  // Rectangles of the whole world, whichever tiles they lie in (Heightfield::write).
  Box box() const { return {0, 0, 0, cut_x_.back(), cut_y_.back(), 1}; }
  std::vector<double> values(const std::string& field, const Box& box) const;
  Receipt write(const std::string& field, const Box& box, const std::vector<double>& values);
  HeightEdits edited() const;
  Fields fields() const;

  // Of the interior of the whole world, from all tiles.
  std::uint64_t hash(const std::string& field) const;

 private:
  void exchange(const std::string& name);
  template <class T>
  std::vector<T> gather(const std::string& name) const;
  // Calls visit(tile, in the world, in the tile) for each part of a box.
  template <class Visit>
  void each_part(const Box& box, const Visit& visit) const;

  int columns_ = 1;
  int rows_ = 1;
  std::vector<int> cut_x_, cut_y_;
  std::vector<std::unique_ptr<Heightfield>> tiles_;
};

}  // namespace scree
