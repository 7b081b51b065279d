// Inside render: programs of the graphics driver, each made when it is first needed.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "base/error.h"
#include "render/gl/gl.h"

namespace scree::render {

// A program that is made when it is first needed: a driver may take a second for all of them.
class LazyProgram {
 public:
  LazyProgram(const char* vertex, const char* fragment, const char* defines = "")
      : vertex_(vertex), fragment_(fragment), defines_(defines) {}

  const gl::Program& made() {
    if (program_.name() == 0) program_ = gl::make_program(vertex_, fragment_, defines_);
    return program_;
  }

 private:
  const char *vertex_, *fragment_, *defines_;
  gl::Program program_;
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

// What the form of a ground is drawn with: with holes in it, or whole.
struct GroundPrograms {
  explicit GroundPrograms(const char* defines)
      : depth("ground.vert", "ground_depth.frag", defines),
        wall_depth("wall.vert", "wall_depth.frag", defines),
        edges("ground.vert", "edge.frag", defines) {}
  LazyProgram depth, wall_depth, edges;
};

struct BodyPrograms {
  LazyProgram depth{"body.vert", "body.frag"};
  LazyProgram sawn_depth{"body.vert", "body.frag", "#define SAWN\n"};
  LazyProgram edges{"body.vert", "edge.frag"};
  LazyProgram shade{"screen.vert", "body_shade.frag"};
  LazyProgram wet_shade{"screen.vert", "body_shade.frag", "#define WATER\n"};
  LazyProgram lamp{"lamp.vert", "nothing.frag"};
};

struct Programs {
  GroundPrograms whole{""}, holed{"#define HOLES\n"};
  ShadeVariants<3> ground{"ground.frag"}, backdrop{"backdrop.frag"};
  ShadeVariants<2> wall{"wall.frag"};
  BodyPrograms body;
  LazyProgram resolve{"screen.vert", "resolve.frag"};
};

}  // namespace scree::render
