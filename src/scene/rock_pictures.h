// Pictures of rock in a volume: of a run of voxels, or of a file.
#pragma once

#include "io/volume.h"
#include "scene/photographer.h"

namespace scree {

// Rock is where the density is at least the isovalue. `materials` are those of the volume's
// numbers, from 0 on; one that is missing is grey.
struct RockSubject {
  io::Volume volume;
  float isovalue = 0.5F;
  std::vector<render::SectionMaterial> materials;
  std::string name;  // for messages: a file, an output
};

// In perspective, its surface in blocks that are as fine as the picture needs, and coarser for the
// shadows of the sky. A section; a relief, and the fields height, slope and curvature, of what is
// seen from above. UsageError for another field.
PhotographerPtr photograph(const RockSubject& rock, const PictureSettings& settings, int width);

// Its fields, as a map needs them.
render::ViewFields view_fields(const RockSubject& rock);

// UsageError that begins with `what` for a view that rock does not have.
void check_rock_view(const std::string& what, const render::ViewChoice& view);

// The surface as a picture of that width wants it.
struct RockSurface {
  io::Mesh mesh;
  io::Mesh coarse;                       // none where it would be no coarser
  std::vector<std::size_t> blocks = {};  // by level
};
RockSurface seen_surface(const RockSubject& rock, const PictureSettings& settings, int width);

}  // namespace scree
