// How often a renderer has made each thing that pictures need: what did not change is kept.
#pragma once

namespace scree::render {

struct Made {
  int forms = 0;       // what is shown: surface or triangles, and all that follows from them
  int waters = 0;      // water on it
  int sky_lights = 0;  // how much of the sky each place of it sees
  int sun_lights = 0;  // how far the sun's light reaches
  int skies = 0;       // the colours of the sky
  int canvases = 0;    // room to draw in, for pictures of one size

  bool operator==(const Made&) const = default;
};

}  // namespace scree::render
