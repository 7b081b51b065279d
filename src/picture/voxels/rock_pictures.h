// Pictures of rock in a volume: of a run of voxels, or of a file.
#pragma once

#include <array>
#include <optional>

#include "io/volume/volume.h"
#include "picture/photographer.h"

namespace scree {

// Rock is where the density is at least the isovalue. `materials` are those of the volume's
// numbers, from 0 on; one that is missing is grey.
struct RockSubject {
  // What a picture is to have in it beside the rock: metres of the volume.
  struct Stage {
    std::array<double, 3> low, high;
  };
  Volume volume;
  float isovalue = 0.5F;
  std::vector<render::SectionMaterial> materials;
  std::string name;                 // for messages: a file, an output
  std::optional<Stage> stage = {};  // so that films of what vanishes stand still
};

// Whether anything is left of it.
bool has_rock(const RockSubject& rock);
// The box of all that is rock; none where there is none.
std::optional<RockSubject::Stage> stage_of(const RockSubject& rock);

// In perspective, its surface in blocks that are as fine as the picture needs, and coarser for the
// shadows of the sky; where nothing is left of it, the plain that it stood on. A section; a relief,
// and the fields height, slope and curvature, of what is seen from above, and the material.
// UsageError for another field.
PhotographerPtr photograph(const RockSubject& rock, const PictureSettings& settings, int width);

// Its fields, as a map needs them.
render::ViewFields view_fields(const RockSubject& rock);

// The surface as a picture of that width wants it; without triangles where there is no rock.
struct RockSurface {
  Mesh mesh;
  Mesh coarse;                           // none where it would be no coarser
  std::vector<std::size_t> blocks = {};  // by level
};
RockSurface seen_surface(const RockSubject& rock, const PictureSettings& settings, int width);

}  // namespace scree
