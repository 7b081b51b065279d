# Writes the kernel sources into one C++ file, run at build time:
#   cmake -DOUTPUT=… -DROOT=src -DFILES="a|b" -P EmbedKernels.cmake
string(REPLACE "|" ";" FILES "${FILES}")
set(body "")
foreach(file IN LISTS FILES)
  file(READ ${ROOT}/${file} source)
  # A string literal may hold 64 KiB; kernel headers are far smaller, and a guard says so.
  string(LENGTH "${source}" length)
  if(length GREATER 60000)
    message(FATAL_ERROR "${file} is too long to embed: split it")
  endif()
  string(APPEND body "    {\"${file}\", R\"KERNEL(${source})KERNEL\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from src/kernel.
#include <utility>

#include \"device/opencl/sources.h\"

namespace scree::device {

std::string_view embedded_source(std::string_view path) {
  static constexpr std::pair<std::string_view, std::string_view> files[] = {
${body}  };
  for (const auto& [name, source] : files)
    if (name == path) return source;
  return {};
}

}  // namespace scree::device
")
