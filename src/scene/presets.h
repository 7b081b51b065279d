// Inside scene: the example scenes that are presets, put into the binary at build time.
#pragma once

#include <span>
#include <string_view>

namespace scree {

struct EmbeddedPreset {
  std::string_view name;
  std::string_view text;
};

std::span<const EmbeddedPreset> embedded_presets();

}  // namespace scree
