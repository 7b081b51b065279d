#include "run/run_look.h"

namespace scree {
namespace {

template <class Look, class Visit>
void each_number(Look& look, Visit&& visit) {
  visit("look.tint_low", look.tint_low);
  visit("look.tint_high", look.tint_high);
  visit("look.water_film", look.water_film);
  visit("look.water_deep", look.water_deep);
}

}  // namespace

const render::ReliefOptions* tints_of(const OutputSettings& output) {
  if (output.kind == OutputKind::relief) return &output.relief;
  if (output.kind == OutputKind::picture) return &output.picture.look.relief;
  return nullptr;
}

render::ReliefOptions look_of(const std::vector<OutputSettings>& outputs) {
  render::ReliefOptions look;
  for (const OutputKind kind : {OutputKind::picture, OutputKind::relief})
    for (const OutputSettings& output : outputs)
      if (output.kind == kind) look = *tints_of(output);
  return look;
}

void add_look(BlockWriter& file, const render::ReliefOptions& look) {
  for (const auto& [name, palette] : render::palettes())
    if (palette == look.palette) file.add("look.palette", name.data(), name.size());
  file.add_integer("look.water", look.show_water ? 1 : 0);
  each_number(look, [&](const char* name, double value) { file.add_real(name, value); });
}

std::optional<render::ReliefOptions> read_look(const io::CheckpointReader& file) {
  if (!file.has("look.palette")) return {};
  render::ReliefOptions look;
  std::string name(file.size("look.palette"), ' ');
  file.read("look.palette", name.data(), name.size());
  const auto palette = render::palettes().find(name);
  if (palette != render::palettes().end()) look.palette = palette->second;
  look.show_water = file.integer("look.water") != 0;
  each_number(look, [&](const char* block, double& value) { value = file.real(block); });
  return look;
}

}  // namespace scree
