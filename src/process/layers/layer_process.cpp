#include "process/layers/layer_process.h"

#include "base/error.h"

namespace scree {

void LayerState::add(const std::string& name, device::Device& device,
                     const device::Buffer& buffer) {
  std::vector<unsigned char>& bytes = arrays_[name];
  bytes.resize(buffer.bytes());
  device.read(buffer, 0, bytes.data(), bytes.size());
}

void LayerState::get(const std::string& name, device::Device& device,
                     device::Buffer& buffer) const {
  const std::vector<unsigned char>& bytes = find(name, 1);
  if (bytes.size() != buffer.bytes())
    throw UsageError(
        text("state '", name, "' has ", bytes.size(), " bytes: expected ", buffer.bytes()));
  device.write(buffer, 0, bytes.data(), bytes.size());
}

const std::vector<unsigned char>& LayerState::find(const std::string& name,
                                                   std::size_t element) const {
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) throw UsageError(text("there is no state '", name, "'"));
  if (found->second.size() % element != 0)
    throw UsageError(text("state '", name, "' has ", found->second.size(),
                          " bytes: expected elements of ", element));
  return found->second;
}

}  // namespace scree
