// Inside render: programs of the graphics driver, each made when it is first needed.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "base/error.h"
#include "render/gl/gl.h"

namespace scree::render {

// The form of a ground; with holes in it, or whole.
struct GroundPrograms {
  explicit GroundPrograms(const std::string& defines)
      : depth(gl::make_program("ground.vert", "ground_depth.frag", defines)),
        wall_depth(gl::make_program("wall.vert", "wall_depth.frag", defines)) {}
  gl::Program depth, wall_depth;
};

// What draws bodies.
struct BodyPrograms {
  gl::Program depth = gl::make_program("body.vert", "body.frag");
  gl::Program shade = gl::make_program("screen.vert", "body_shade.frag");
};

struct Define {
  bool wanted;
  const char* name;
};

// The programs that one shader makes, each with what was asked for and nothing else, and made when
// it is first used: on a machine without a GPU, what is left out is time.
template <std::size_t choices>
class ShadeVariants {
 public:
  explicit ShadeVariants(const char* fragment) : fragment_(fragment) {}

  void choose(const Define (&defines)[choices]) {
    std::string text_of_defines;
    chosen_ = 0;
    for (std::size_t n = 0; n < choices; ++n) {
      if (!defines[n].wanted) continue;
      chosen_ |= std::size_t{1} << n;
      text_of_defines += text("#define ", defines[n].name, "\n");
    }
    gl::Program& program = programs_[chosen_];
    if (program.name() == 0) program = gl::make_program("screen.vert", fragment_, text_of_defines);
  }

  const gl::Program& chosen() const { return programs_[chosen_]; }

 private:
  const char* fragment_;
  std::array<gl::Program, std::size_t{1} << choices> programs_;
  std::size_t chosen_ = 0;
};

}  // namespace scree::render
