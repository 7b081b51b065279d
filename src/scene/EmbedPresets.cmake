# Writes example scenes into one C++ file, run at build time:
#   cmake -DOUTPUT=… -DFOLDER=examples -DNAMES="alpine|canyon" -P EmbedPresets.cmake
string(REPLACE "|" ";" NAMES "${NAMES}")
set(body "")
foreach(name IN LISTS NAMES)
  file(READ ${FOLDER}/${name}.toml scene)
  string(APPEND body "    {\"${name}\", R\"SCENE(${scene})SCENE\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from examples.
#include \"scene/presets.h\"

namespace scree {

std::span<const EmbeddedPreset> embedded_presets() {
  static constexpr EmbeddedPreset presets[] = {
${body}  };
  return presets;
}

}  // namespace scree
")
