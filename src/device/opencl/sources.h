// The kernel sources inside the binary, and the one text an OpenCL compiler is given.
#pragma once

#include <string>
#include <string_view>

namespace scree::device {

// The text of a file under src, as compiled in ("kernel/heights/flow.h"); empty where there is
// none.
std::string_view embedded_source(std::string_view path);

// The file with its includes in place, each once, and #line marks, so that a compiler's message
// points at the real file and line.
std::string assemble_program(const std::string& path);

}  // namespace scree::device
