// Pictures of layers: of a run, or of a checkpoint without its scene.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "io/checkpoint/checkpoint.h"
#include "picture/layers/sawn_solid.h"
#include "picture/photographer.h"
#include "process/layers/stones.h"
#include "terrain/heights/derive.h"
#include "terrain/heights/heightfield.h"
#include "terrain/layers/layers.h"
#include "terrain/layers/section.h"

namespace scree {

// What their pictures and fields are made from: the stacks, and what lies or runs on them.
class LayerSubject {
 public:
  using Values = std::function<std::vector<float>()>;
  // more: fields beside the stacks' own, by name, in metres; water is shown where it is one.
  // on_solid: adds what else lies on the solid, on the side of a cut that is kept.
  using OnSolid = std::function<void(Mesh&, const std::optional<surface::LayerCut>&)>;
  // velocity: of the water on top, where it is known.
  using Velocity = std::function<WaterVelocity()>;
  explicit LayerSubject(const Layers& layers, std::map<std::string, Values> more = {},
                        OnSolid on_solid = {}, Velocity velocity = {})
      : layers_(layers),
        more_(std::move(more)),
        on_solid_(std::move(on_solid)),
        velocity_(std::move(velocity)) {}

  std::vector<std::string> field_names() const;
  std::vector<float> values(const std::string& name) const;
  int columns_across() const { return std::max(layers_.shape().width, layers_.shape().height); }
  double columns() const {
    return static_cast<double>(layers_.shape().width) * layers_.shape().height;
  }
  double height() const;  // of the highest stack
  double cell() const { return std::min(layers_.shape().dx, layers_.shape().dy); }
  // UsageError that begins with `what` for a field that a picture cannot show, and for arrows where
  // no water runs.
  void check_shown(const std::string& what, const render::ViewChoice& view) const;
  // A field as a picture shows it.
  render::ViewField shown(const std::string& name) const;
  // The top, with its water and how that moves.
  render::Ground ground() const;

  // The top as a heightfield, with the field, if any, and otherwise the water on it.
  std::unique_ptr<Heightfield> top(const std::string& field) const;
  // As fine as was asked for, or as memory allows; lakes are part of it, unless it is to be dry.
  // faces: its flat ones; where they are wanted it is to be looked at, with sharp edges, and walls
  // without the steps of cells.
  Mesh solid(const SolidOutput& output, bool dry = false, SolidFaces* faces = nullptr) const;
  // What a picture knows of those faces, whose triangles get vertices of their own. wet: water is
  // shown as such.
  render::Sawn sawn(Mesh& mesh, const SolidFaces& faces, bool wet) const;
  // What water stands or runs on the solid, in its caves too: one a vertex, or none. A vertex of a
  // lake gets the colour of the ground below.
  std::vector<render::WaterOn> water_on(Mesh& mesh, const render::ReliefOptions& look) const;
  // As a picture wants its colours: the fourth of what lies in grains, and of ice, is 255, that of
  // rock with beds 127, of other rock and of stones 0.
  void mark_kinds(Mesh& mesh) const;
  // Voids are air, and water lies on top.
  render::Section section(const render::ViewChoice& view, bool with_water) const;

 private:
  class WaterFinder;
  bool has_water() const { return more_.contains("water"); }
  void add_water(const LayerSection& cut, render::Section& section) const;
  // The first that is a fluid, or their number where none is.
  std::size_t fluid_material() const;
  // As maps and sections show them.
  std::vector<render::SectionMaterial> shown_materials() const;
  // Stacks with the water on them that is deeper than a sample of the mesh is high: a lake is part
  // of the solid, as the water of a cave is. Empty where none is.
  std::vector<Stack> with_lakes(double least_depth) const;

  const Layers& layers_;
  std::map<std::string, Values> more_;
  OnSolid on_solid_;
  Velocity velocity_;
};

// The fields of a view of one, as a map needs them.
render::ViewFields view_fields(const LayerSubject& layers);

// In all views; `what` begins the message of a UsageError.
PhotographerPtr photograph(const LayerSubject& layers, const PictureSettings& settings,
                           const SolidOutput& solid, int width, const std::string& what);

// Stones on a solid: those on the side of a cut that is kept, some of them half buried.
void add_stones(Mesh& mesh, const Layers& layers, const std::vector<Stones::Boulder>& stones,
                const std::optional<surface::LayerCut>& cut);

// Those that a checkpoint has on its layers; none in one from before it knew where they lie.
std::vector<Stones::Boulder> stones_of_layers(const io::CheckpointReader& file,
                                              const Layers& layers);
// What water a checkpoint has on its layers.
std::map<std::string, LayerSubject::Values> fields_of_layers(const io::CheckpointReader& file);

}  // namespace scree
