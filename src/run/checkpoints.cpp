#include "run/checkpoints.h"

#include <cmath>
#include <limits>

#include "base/error.h"
#include "device/field.h"

namespace scree {
void add_frame(BlockWriter& file, const Raster& frame) {
  file.add_real("cell.x", frame.dx);
  file.add_real("cell.y", frame.dy);
  const GeoReference& geo = frame.geo;
  if (!geo.present) return;
  file.add("geo.transform", geo.transform.data(), sizeof geo.transform);
  file.add("geo.crs", geo.crs_wkt.data(), geo.crs_wkt.size());
  file.add_integer("geo.geographic", geo.geographic ? 1 : 0);
  file.add_integer("geo.pixel_is_point", geo.pixel_is_point ? 1 : 0);
}

void add_heights(BlockWriter& file, const Simulation& simulation, const Raster& frame) {
  StateSaver saver(file);
  auto& visited = const_cast<Simulation&>(simulation);  // a saver leaves all as it is
  visited.visit_counts(saver);
  add_frame(file, frame);
  visited.visit_fields(saver);
}

Raster read_frame(const io::CheckpointReader& file) {
  Raster frame;
  frame.width = static_cast<int>(file.integer("width"));
  frame.height = static_cast<int>(file.integer("height"));
  if (!file.has("cell.x")) return frame;
  frame.dx = file.real("cell.x");
  frame.dy = file.real("cell.y");
  if (!file.has("geo.transform")) return frame;
  GeoReference& geo = frame.geo;
  geo.present = true;
  file.read("geo.transform", geo.transform.data(), sizeof geo.transform);
  geo.crs_wkt.resize(file.size("geo.crs"));
  file.read("geo.crs", geo.crs_wkt.data(), geo.crs_wkt.size());
  geo.geographic = file.integer("geo.geographic") != 0;
  geo.pixel_is_point = file.integer("geo.pixel_is_point") != 0;
  return frame;
}

Raster read_heights(const io::CheckpointReader& file, const std::string& field) {
  const std::string block = "field." + field;
  if (!file.has(block) || !file.has("quantum.k"))
    throw UsageError(text(file.path().string(), ": expected a checkpoint of heights"));
  Raster raster = read_frame(file);
  raster.heights_known = true;
  const Grid grid = device::make_grid(raster.width, raster.height, 1, 1);
  std::vector<std::int32_t> whole(device::cells_allocated(grid));  // halo and padding included
  file.read(block, whole.data(), whole.size() * sizeof whole[0]);
  const double quantum = std::ldexp(1.0, -static_cast<int>(file.integer("quantum.k")));
  const double datum = field == "bed" ? file.real("quantum.datum") : 0;
  for (int y = 0; y < raster.height; ++y)
    for (int x = 0; x < raster.width; ++x) {
      const std::int32_t count =
          whole[static_cast<std::size_t>(y + SCREE_HALO) * static_cast<std::size_t>(grid.stride) +
                static_cast<std::size_t>(SCREE_PAD + x)];
      raster.values.push_back(field == "bed" && count == SCREE_WALL
                                  ? std::numeric_limits<float>::quiet_NaN()
                                  : static_cast<float>(count * quantum + datum));
    }
  return raster;
}

}  // namespace scree
