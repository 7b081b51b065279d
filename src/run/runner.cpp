#include "run/runner.h"

#include <memory>

#include "base/error.h"
#include "base/hash.h"
#include "io/file/atomic_file.h"
#include "io/raster/engine_export.h"
#include "run/astray.h"
#include "run/build/build.h"
#include "run/memory.h"
#include "run/report.h"
#include "run/run_loop.h"
#include "run/run_model.h"

namespace scree {
namespace {

std::vector<OutputSettings> outputs_of(const Scene& scene, const RunOptions& options) {
  std::vector<OutputSettings> outputs = scene.outputs;
  if (outputs.empty())
    outputs = {output_of(OutputKind::height, "height.tif"),
               output_of(OutputKind::relief, "relief.png")};
  if (!options.engine.empty()) {
    outputs.push_back(output_of(OutputKind::engine, options.engine));
    outputs.back().engine = options.engine;
  }
  return outputs;
}

// The same settings on other heights or maps are another scene.
std::uint64_t fingerprint_of(const Scene& scene, const RunModel& model) {
  const std::string words = scene_text(scene);
  Hash64 hash;
  hash.update(words.data(), words.size());
  for (const auto& [name, value] : model.start_hashes()) hash.update(&value, sizeof value);
  return hash.digest();
}

RunResult result_of(const RunLoop& loop, const RunModel& model, const device::DeviceInfo& device) {
  RunResult result;
  result.files = loop.files();
  for (const OutputFile& file : result.files) result.outputs.push_back(file.path);
  result.lines = loop.lines();
  result.hashes = model.hashes();
  model.report(result);
  result.device = text(device.selector, ": ", device.name, " (", device.detail, ")");
  result.width = model.frame().width;
  result.height = model.frame().height;
  result.dx = model.frame().dx;
  result.dy = model.frame().dy;
  result.steps = model.steps_done();
  result.resumed_from = loop.resumed_from();
  result.time = model.time();
  result.dt = model.dt();
  result.seconds = loop.seconds();
  return result;
}

}  // namespace

RunResult run_scene(const Scene& wanted, const RunOptions& options) {
  Scene scene = wanted;
  scene.outputs = outputs_of(wanted, options);
  for (OutputSettings& output : scene.outputs)
    if (output.picture.view.subject.empty()) output.picture.view.subject = scene.name;
  check_scene(scene);
  if (!options.engine.empty()) io::engine_from_name(options.engine);
  RunLoop loop({scene.steps, scene.time, scene.outputs}, options);
  const device::DevicePtr device =
      options.opened ? options.opened : device::open_device(options.device);
  const std::unique_ptr<RunModel> model =
      scene.terrain.layers ? make_layer_model(scene, device) : make_height_model(scene, device);
  const auto cells = static_cast<std::size_t>(model->frame().width) *
                     static_cast<std::size_t>(model->frame().height);
  for (const OutputSettings& output : scene.outputs) {
    model->check(output);
    if (output.kind == OutputKind::picture) check_picture_memory(output.picture, cells);
  }
  loop.check();
  loop.go(*model, fingerprint_of(scene, *model));
  RunResult result = result_of(loop, *model, device->info());
  result.astray =
      result.layers ? astray(scene.name, *result.layers) : astray(scene.name, result.ledger);
  result.report_text = report_json(scene, result, device->info(), options.out);
  if (!options.report.empty()) {
    result.report = options.out / options.report;
    io::write_file(result.report, result.report_text);
  }
  return result;
}

}  // namespace scree
