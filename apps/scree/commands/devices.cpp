#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands/commands.h"
#include "device/device.h"

namespace scree::cli {

int devices(Console& console) {
  std::vector<std::vector<std::string>> rows = {{"--device", "name", "memory", "rounding", ""}};
  Json list = Json::array();
  for (const device::DeviceInfo& device : device::list_devices()) {
    rows.push_back({device.selector, device.name,
                    bytes_text(static_cast<double>(device.memory_bytes)),
                    device.exact ? "exact" : "inexact", device.detail});
    list.push_back({{"device", device.selector},
                    {"name", device.name},
                    {"detail", device.detail},
                    {"memory_bytes", device.memory_bytes},
                    {"exact", device.exact},
                    {"gpu", device.is_gpu}});
  }
  console.say(table_text(rows));
  console.say("\n--device auto takes the first exact GPU, or else the CPU.");
  console.answer({{"devices", list}});
  return 0;
}

}  // namespace scree::cli
