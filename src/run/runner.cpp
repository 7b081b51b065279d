#include "run/runner.h"

#include <memory>

#include "base/error.h"
#include "io/file/atomic_file.h"
#include "run/kinds.h"
#include "run/run_loop.h"

namespace scree {
namespace {

std::vector<OutputSettings> outputs_of(const Scene& scene, const RunKind& kind,
                                       const RunOptions& options) {
  std::vector<OutputSettings> outputs = scene.outputs;
  if (outputs.empty()) outputs = kind.standard_outputs();
  if (!options.engine.empty()) {
    outputs.push_back(output_of(OutputKind::engine, options.engine));
    outputs.back().engine = options.engine;
  }
  for (OutputSettings& output : outputs)
    if (output.picture.view.subject.empty()) output.picture.view.subject = scene.name;
  return outputs;
}

RunResult result_of(const RunLoop& loop, const RunModel& model, const device::DeviceInfo& device) {
  RunResult result;
  result.files = loop.files();
  for (const OutputFile& file : result.files) result.outputs.push_back(file.path);
  result.lines = loop.lines();
  result.hashes = model.hashes();
  model.report(result);
  result.device = text(device.selector, ": ", device.name, " (", device.detail, ")");
  result.steps = model.steps_done();
  result.resumed_from = loop.resumed_from();
  result.time = model.time();
  result.dt = model.dt();
  result.seconds = loop.seconds();
  return result;
}

}  // namespace

RunResult run_scene(const Scene& wanted, const RunOptions& options) {
  const RunKind& kind = run_kind(wanted);
  Scene scene = wanted;
  scene.outputs = outputs_of(wanted, kind, options);
  kind.check(scene, options);
  RunLoop loop({scene.steps, scene.time, scene.outputs}, options);
  const device::DevicePtr device =
      options.opened ? options.opened : device::open_device(options.device);
  const std::unique_ptr<RunModel> model = kind.make(scene, device);
  for (const OutputSettings& output : scene.outputs) model->check(output);
  loop.check();
  model->prepare(options.progress, options.cancel);
  loop.go(*model, model->fingerprint());
  RunResult result = result_of(loop, *model, device->info());
  result.kind = kind.name;
  result.report_text =
      report_json(scene, result, kind.report(scene, result), device->info(), options.out);
  if (!options.report.empty()) {
    result.report = options.out / options.report;
    io::write_file(result.report, result.report_text);
  }
  return result;
}

}  // namespace scree
