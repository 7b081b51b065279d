#include <nlohmann/json.hpp>

#include "base/error.h"
#include "commands/commands.h"

#ifdef SCREE_WITH_BENCH

#include <iostream>
#include <sstream>

#include "base/hash.h"
#include "bench.h"

namespace scree::cli {
namespace {

Json of(const bench::WeatheringRun& run) {
  const bench::PublishedRun& p = run.published;
  return {{"device", run.device},
          {"configuration", run.name},
          {"voxels", run.voxels},
          {"steps", run.steps},
          {"rock", run.rock},
          {"rock_left", run.rock_left},
          {"built", run.built},
          {"counted", run.counted},
          {"step", run.step},
          {"worst_step", run.worst_step},
          {"surface", run.surface},
          {"total", run.total},
          {"uncached", run.uncached},
          {"triangles", run.triangles},
          {"hash", hash_text(run.hash)},
          {"published",
           {{"uncached", {p.uncached}},
            {"counted", {p.start_cpu, p.start_gpu}},
            {"step", {p.step_cpu, p.step_gpu}},
            {"surface", {p.surface_cpu, p.surface_gpu}},
            {"total", {p.total_cpu, p.total_gpu}}}}};
}

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
                             {"moving", line.moving ? Json(*line.moving) : Json()},
                             {"published", line.published}});
  json["weathering"] = Json::array();
  for (const bench::WeatheringRun& run : report.weathering) json["weathering"].push_back(of(run));
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
  if (!arguments.voxels.empty())
    options.voxels =
        arguments.voxels == "none" ? std::array<int, 3>{} : parse_box("--voxels", arguments.voxels);
  if (!arguments.steps.empty())
    options.steps = static_cast<int>(parse_whole("--steps", arguments.steps, 1, 1000000));
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
