// Inside render: what a picture is of, a ground or bodies, as the passes of a picture ask for it.
#pragma once

#include <span>
#include <vector>

#include "render/gl/canvas.h"
#include "render/gl/gl.h"
#include "render/gl/programs.h"
#include "render/gl/shader_blocks.h"
#include "render/look/camera.h"
#include "render/look/picture_scene.h"

namespace scree::render {

// A part of a picture, and how it is seen.
struct Sight {
  const View& view;
  int width = 0;  // of the whole picture, in pixels
  int height = 0;
  Part part = {};
  int samples = 2;            // along a pixel's side
  bool with_edges = false;    // of triangles
  bool over_country = false;  // the eye stands over the land, not outside it
};

// Which program a sample needs, as the stencil remembers it.
enum class SampleKind : GLint { backdrop = 0, ground = 1, wall = 2, body = 3 };

struct Shade {
  SampleKind kind;
  const gl::Program& program;
};

class Subject {
 public:
  virtual ~Subject() = default;

  // Half the width, half the depth, foot, height; and points that have to be in the picture.
  virtual Vec4 extent() const = 0;
  virtual std::span<const Vec3> outline() const = 0;
  virtual double height_at(double x, double y) const = 0;
  // UsageError for an eye that would see it from inside.
  virtual void check_eye(Vec3 eye) const = 0;

  // Over half its width, for an eye that is so far over it: 0 outside, 1 within.
  virtual double haze(double over) const = 0;
  // Pixels around a part that its shading looks at, of parts with so long a side.
  virtual int margin(int part_side, int samples) const = 0;
  virtual CanvasKind canvas_kind() const = 0;

  virtual void choose_programs(const Sight& sight) = 0;
  virtual void bind(const Canvas& canvas) const = 0;
  virtual void draw_form(const Sight& sight) = 0;
  virtual void draw_edges(const Sight& sight) = 0;
  // Of its own samples, in the order in which they are shaded.
  virtual std::vector<Shade> shades() const = 0;
};

}  // namespace scree::render
