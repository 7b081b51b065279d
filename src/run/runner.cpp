#include "run/runner.h"

#include <memory>

#include "base/error.h"
#include "run/kinds.h"
#include "run/output_places.h"
#include "run/run_loop.h"
#include "run/validated_model.h"

namespace scree {
namespace {

std::vector<OutputSettings> outputs_of(const Scene& scene, const RunKind& kind,
                                       const RunOptions& options) {
  std::vector<OutputSettings> outputs = scene.outputs;
  if (outputs.empty()) {
    outputs = kind.standard_outputs();
    for (OutputSettings& output : outputs) output.wording = "as always";
  }
  if (!options.engine.empty()) {
    outputs.push_back(output_of(OutputKind::engine, options.engine));
    outputs.back().engine = outputs.back().wording = options.engine;
  }
  for (OutputSettings& output : outputs)
    if (output.picture.view.subject.empty()) output.picture.view.subject = scene.name;
  return outputs;
}

// The result as it is now. A state is hashed and its ledger taken once, since that reads all of it.
void take_result(const RunLoop& loop, const RunModel& model, const device::DeviceInfo& device,
                 const RunKind& kind, RunResult& result) {
  if (result.hashes.empty() || result.steps != model.steps_done()) {
    result = {};
    result.kind = kind.name;
    result.hashes = model.hashes();
    model.report(result);
  }
  result.files = loop.files();
  result.outputs.clear();
  for (const OutputFile& file : result.files) result.outputs.push_back(file.path);
  result.lines = loop.lines();
  result.device = text(device.selector, ": ", device.name, " (", device.detail, ")");
  result.steps = model.steps_done();
  result.resumed_from = loop.resumed_from();
  result.time = model.time();
  result.dt = model.dt();
  result.seconds = loop.seconds();
}

}  // namespace

RunResult run_scene(const Scene& wanted, const RunOptions& options) {
  const RunKind& kind = run_kind(wanted);
  Scene scene = wanted;
  scene.outputs = outputs_of(wanted, kind, options);
  kind.check(scene, options);
  RunLoop loop({scene.steps, scene.time, scene.outputs, sources_of(scene)}, options);
  const device::DevicePtr device =
      options.opened ? options.opened : device::open_device(options.device);
  std::unique_ptr<RunModel> model = kind.make(scene, device);
  if (options.validate > 0) model = validated(std::move(model), scene, options.validate);
  for (const OutputSettings& output : scene.outputs) model->check(output);
  loop.check();
  model->prepare(options.progress, options.cancel);
  RunResult result;
  loop.go(*model, model->fingerprint(), [&] {
    take_result(loop, *model, device->info(), kind, result);
    return result.report_text =
               report_json(scene, result, kind.report(scene, result), device->info(), options.out);
  });
  result.report = loop.report_file();
  return result;
}

}  // namespace scree
