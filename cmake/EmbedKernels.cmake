# Writes the sources of kernels, or of shaders, into one C++ file, run at build time:
#   cmake -DOUTPUT=… -DROOT=src -DFILES="a|b" -P EmbedKernels.cmake
# HEADER, NAMESPACE and FUNCTION say who asks for them: the kernels' unless given.
if(NOT HEADER)
  set(HEADER device/opencl/sources.h)
  set(NAMESPACE scree::device)
  set(FUNCTION embedded_source)
endif()
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
file(WRITE ${OUTPUT} "// Generated.
#include <utility>

#include \"${HEADER}\"

namespace ${NAMESPACE} {

std::string_view ${FUNCTION}(std::string_view path) {
  static constexpr std::pair<std::string_view, std::string_view> files[] = {
${body}  };
  for (const auto& [name, source] : files)
    if (name == path) return source;
  return {};
}

}  // namespace ${NAMESPACE}
")
