#include "device/opencl/sources.h"

#include <set>
#include <sstream>

#include "base/error.h"

namespace scree::device {
namespace {

void append_file(const std::string& path, std::set<std::string>& seen, std::ostringstream& out) {
  if (!seen.insert(path).second) return;
  const std::string_view source = embedded_source(path);
  if (source.empty()) throw Error(text("kernel source '", path, "' is not part of this program"));
  out << "#line 1 \"src/" << path << "\"\n";
  std::istringstream lines{std::string(source)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    constexpr std::string_view include = "#include \"kernel/";
    if (line.starts_with(include)) {
      const std::size_t begin = line.find('"') + 1;
      append_file(line.substr(begin, line.find('"', begin) - begin), seen, out);
      out << "#line " << number + 1 << " \"src/" << path << "\"\n";
    } else {
      out << line << '\n';
    }
  }
}

}  // namespace

std::string assemble_program(const std::string& path) {
  std::set<std::string> seen;
  std::ostringstream out;
  append_file(path, seen, out);
  return out.str();
}

}  // namespace scree::device
