#include "terrain/heights/generate.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "commands/commands.h"
#include "commands/work_folder.h"
#include "run/memory.h"

namespace scree::cli {
namespace {

GenerateParameters parameters_of(const GenerateArguments& arguments) {
  GenerateParameters parameters;
  parameters.set("kind", arguments.kind, "generate");
  for (const std::string& assignment : arguments.set) {
    const auto [key, value] = parse_assignment("--set", assignment);
    parameters.set(key, value, "--set");
  }
  return parameters;
}

// The heights on the device, and what the codec makes of them.
std::size_t bytes_needed(const Size& size) {
  return 8 * static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
}

Raster raster_of(std::vector<float> heights, const HeightfieldShape& shape) {
  Raster raster;
  raster.width = shape.width;
  raster.height = shape.height;
  raster.values = std::move(heights);
  raster.dx = shape.dx;
  raster.dy = shape.dy;
  // No place on Earth, but a cell size that GeoTIFF readers see.
  raster.geo.present = true;
  raster.geo.transform = {0, shape.dx, 0, shape.dy * shape.height, 0, -shape.dy};
  return raster;
}

}  // namespace

int generate(Console& console, const GenerateArguments& arguments) {
  const GenerateParameters parameters = parameters_of(arguments);
  const Size size = parse_size("--size", arguments.size);
  const double cell = parse_length("--cell", arguments.cell);
  const std::uint64_t seed =
      parse_whole("--seed", arguments.seed, 0, std::numeric_limits<std::int64_t>::max());
  check_output_name("--out", arguments.out);
  prepare_folder(arguments.out);
  const device::DevicePtr device = device::open_device(device_options(arguments.device));
  check_memory(bytes_needed(size), size.width, size.height, *device);
  const HeightfieldShape shape{size.width, size.height, cell, cell};
  const Raster raster = raster_of(generate_heights(*device, parameters, shape, seed), shape);
  io::write_raster(arguments.out, raster);
  const HeightRange range = io::height_range(raster);
  console.say(fmt::format("{}: {} of {} x {} cells of {} m, heights {} to {} m", arguments.out,
                          arguments.kind, size.width, size.height, number(cell), number(range.low),
                          number(range.high)));
  console.answer({{"file", arguments.out},
                  {"kind", arguments.kind},
                  {"width", size.width},
                  {"height", size.height},
                  {"cell", cell},
                  {"seed", seed},
                  {"lowest", range.low},
                  {"highest", range.high}});
  return 0;
}

}  // namespace scree::cli
