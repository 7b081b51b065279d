#include <nlohmann/json.hpp>

#include "base/error.h"
#include "commands.h"

#ifdef SCREE_WITH_BENCH

#include <iostream>
#include <sstream>

#include "bench.h"

namespace scree::cli {
namespace {

Json to_json(const bench::BenchReport& report) {
  Json json = {{"copy_bandwidth", Json::object()}, {"lines", Json::array()}};
  for (const auto& [device, bytes] : report.copy_bandwidth) json["copy_bandwidth"][device] = bytes;
  for (const bench::BenchLine& line : report.lines)
    json["lines"].push_back({{"device", line.device},
                             {"process", line.process},
                             {"size", line.size},
                             {"milliseconds", line.milliseconds},
                             {"cells_per_second", line.cells_per_second},
                             {"bytes_per_cell", line.bytes_per_cell},
                             {"bytes_held", line.bytes_held},
                             {"share", line.share},
                             {"published", line.published}});
  return json;
}

}  // namespace

int bench(Console& console, const BenchArguments& arguments) {
  bench::BenchOptions options;
  options.devices = arguments.devices;
  for (const std::string& size : arguments.sizes)
    options.sizes.push_back(static_cast<int>(parse_whole("--size", size, 1, 65536)));
  if (!arguments.threads.empty())
    options.threads = static_cast<int>(parse_whole("--threads", arguments.threads, 1, 4096));
  if (!arguments.seconds.empty()) options.seconds = parse_duration("--seconds", arguments.seconds);
  options.only = arguments.only;
  std::ostream nowhere(nullptr);
  const bool quiet = console.json() || console.quiet();
  const bench::BenchReport report = bench::run_benchmarks(options, quiet ? nowhere : std::cerr);
  std::ostringstream table;
  bench::print_report(report, table);
  console.say(table.str());
  console.answer(to_json(report));
  return 0;
}

}  // namespace scree::cli

#else

namespace scree::cli {

int bench(Console&, const BenchArguments&) {
  throw Error("this build of scree has no benchmarks; configure it with SCREE_BENCH=ON");
}

}  // namespace scree::cli

#endif
