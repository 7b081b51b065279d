#include "process/layers/slippage.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/angle.h"
#include "base/error.h"
#include "kernel/layers/slip_work.h"
#include "process/core/registry.h"
#include "process/heights/nine_point.h"
#include "process/layers/layer_materials.h"

namespace scree {
namespace {

constexpr std::uint32_t slippage_salt = 0x2b9f4d61U;
// On an OpenCL device: what slides from tops to tops; then, where there are voids, the columns of
// which more moves are found, and built once more. A tile has room for a few materials, or a
// smaller one for as many as there may be. As published, all columns are worked out one by one.
struct SlipKernels {
  constexpr SlipKernels(int tile_rows, const char* tile_defines)
      : rows(tile_rows), defines(tile_defines) {}
  constexpr device::Kernel on_tiles(const char* name, const char* program) const {
    return {name, program, SLIP_TILE_X, rows, SLIP_TILE_X, rows, 1, 0, name, defines};
  }

  int rows;
  const char* defines;
  device::Kernel tops = on_tiles("slip", "kernel/layers/slip.cl");
  device::Kernel inside = on_tiles("slip_inside", "kernel/layers/slip_inside.cl");
  // Few are listed, and how many only the device knows: some lanes go round them.
  device::Kernel listed = {"slip_listed",
                           "kernel/layers/slip_columns.cl",
                           SLIP_LIST_X,
                           SLIP_LIST_Y,
                           SLIP_LIST_X,
                           SLIP_LIST_Y,
                           16,
                           64,
                           "slip_listed",
                           defines};
};
constexpr SlipKernels few_materials(SLIP_TILE_Y, "");
constexpr SlipKernels many_materials(2, "-D SLIP_TILE_Y=2 -D SLIP_KINDS=31");
static_assert(LAYER_MATERIALS == 32);
constexpr device::Kernel as_published{
    "slip", "kernel/layers/slip_columns.cl", 0, 0, 32, 4, 1, 0, "slip_all", "-D SLIP_PUBLISHED"};

}  // namespace

std::vector<LayerMaterial> Slippage::table(const Layers& terrain, const SlippageParameters& rule,
                                           double seconds) {
  const LayerShape& s = terrain.shape();
  const NinePointWeights w = nine_point_weights(s.dx, s.dy);
  const double spread = rule.rate > 0 ? std::min(rule.rate * seconds, w.most()) : w.most();
  std::vector<LayerMaterial> table(LAYER_MATERIALS);
  for (std::size_t i = 0; i < terrain.materials().size(); ++i) {
    const Material& m = terrain.materials()[i];
    LayerMaterial& entry = table[i + 1];
    const double slope = tangent_of_degrees(m.talus) / s.quantum;
    entry.share_x = static_cast<float>(m.strength * spread * w.x);
    entry.share_y = static_cast<float>(m.strength * spread * w.y);
    entry.share_d = static_cast<float>(m.strength * spread * w.d);
    if (rule.published)  // half of the largest difference (Beneš & Forsbach 2001, §3)
      entry.share_x = entry.share_y = entry.share_d = static_cast<float>(m.strength / 2);
    entry.drop_x = static_cast<float>(slope * s.dx);
    entry.drop_y = static_cast<float>(slope * s.dy);
    entry.drop_d = static_cast<float>(slope * length_of(s.dx, s.dy));
    entry.steepest = static_cast<float>(slope * slope);
    entry.ceiling =
        static_cast<float>(std::min(m.ceiling * seconds / s.quantum, 1.0 * LAYER_THICKEST));
    entry.dust = static_cast<std::uint32_t>(dust_of(terrain.materials(), i));
    entry.loose = m.loose ? 1 : 0;
    if (m.fluid && terrain.fluids_run())
      entry.drop_x = entry.drop_y = entry.drop_d = entry.steepest =
          std::numeric_limits<float>::max();
  }
  return table;
}

Slopes Slippage::slopes(const LayerShape& shape) {
  const double dx = shape.dx, dy = shape.dy, diagonal = length_of(dx, dy);
  Slopes s{};
  s.along_x = static_cast<float>(1 / dx);
  s.along_y = static_cast<float>(1 / dy);
  s.along_d = static_cast<float>(1 / diagonal);
  s.across_x = static_cast<float>(1 / (2 * dy));
  s.across_y = static_cast<float>(1 / (2 * dx));
  // Square to a diagonal, which on cells that are not square the other diagonal is not.
  s.across_d = static_cast<float>((dy / dx + dx / dy) / 2 / diagonal);
  s.turn = static_cast<float>((dy / dx - dx / dy) / 2 / diagonal);
  return s;
}

Slippage::Slippage(SlippageParameters parameters) : parameters_(std::move(parameters)) {
  if (!(parameters_.scatter >= 0 && parameters_.scatter <= 1))
    throw UsageError(text("scatter = ", parameters_.scatter, ": expected 0 to 1"));
  if (!(parameters_.rate >= 0) || !std::isfinite(parameters_.rate))
    throw UsageError(text("rate = ", parameters_.rate, ": expected 0 m2/s or more"));
  if (!(parameters_.mixing >= 0) || !std::isfinite(parameters_.mixing))
    throw UsageError(text("mixing = ", parameters_.mixing, ": expected 0 m or more"));
}

void Slippage::prepare(Layers& terrain) {
  table_ = {};
  work_ = {};
  needed_ = terrain.device().allocate(sizeof(std::uint32_t));
}

Slip Slippage::numbers(const Layers& terrain, const StepContext& context) const {
  Slip p{};
  p.step_seed = step_seed(context, slippage_salt);
  p.scatter = static_cast<float>(parameters_.scatter);
  p.mixing = static_cast<int>(
      std::min(parameters_.mixing / terrain.shape().quantum, 1.0 * LAYER_THICKEST));
  p.slopes = slopes(terrain.shape());
  p.published = parameters_.published ? 1 : 0;
  p.materials = static_cast<int>(terrain.materials().size()) + 1;
  p.usual = terrain.usual_layers();
  for (std::size_t i = 0; i < terrain.materials().size(); ++i)
    if (terrain.materials()[i].ceiling > 0) p.crumbling |= 2U << i;
  p.voids = parameters_.published || terrain.without_voids() ? 0 : 1;
  return p;
}

void Slippage::run(Layers& terrain, const StepContext& context) {
  device::Device& device = terrain.device();
  const Slip slip = numbers(terrain, context);
  table_.set(device, context.dt * every,
             [&](double seconds) { return table(terrain, parameters_, seconds); });
  const SlipKernels& kernels =
      terrain.materials().size() <= SLIP_KINDS ? few_materials : many_materials;
  device::Kernel inside = kernels.inside,
                 kernel = parameters_.published ? as_published : kernels.tops;
  inside.next = &kernels.listed;
  if (slip.voids != 0) kernel.next = &inside;
  if (slip.voids != 0 && !work_ && device.info().selector.starts_with("opencl"))
    work_ = device.allocate(static_cast<std::size_t>(work_words(terrain.grid(), kernels.rows)) *
                            sizeof(std::uint32_t));
  std::uint32_t needed = 0;
  do {
    // A step that found no room has changed nothing: it is run again with more.
    if (needed > 0) {
      terrain.grow(static_cast<int>(needed));
      needed = 0;
      device.write(*needed_, 0, &needed, sizeof needed);
    }
    device::Arguments a;
    a.add(terrain.grid()).add(slip).add(table_.buffer());
    a.add(terrain.front()).add(terrain.tops_front());
    a.add(terrain.back()).add(terrain.tops_back()).add(needed_);
    if (work_)
      a.add(work_);
    else
      a.add_unused(needed_);
    device.run(kernel, Range{0, 0, terrain.shape().width, terrain.shape().height}, a);
    if (!terrain.always_room()) device.read(*needed_, 0, &needed, sizeof needed);
  } while (needed > 0);
  terrain.swap();
}

SCREE_PROCESS(slippage) {
  ProcessKind kind = kind_of<Slippage, SlippageParameters>("slippage");
  kind.title = "Thermal erosion of layers";
  kind.help = "every surface of a stack slides to the talus angle of what it is made of";
  kind.order = 40;
  return kind;
}

}  // namespace scree
