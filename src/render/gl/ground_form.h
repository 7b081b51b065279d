// Inside render: the triangles of a ground, and the walls of the block that it is cut out of.
#pragma once

#include "render/gl/gl.h"
#include "render/gl/programs.h"
#include "render/gl/subject.h"
#include "render/gl/supplies.h"
#include "render/ground/grid_detail.h"
#include "render/ground/ground_maps.h"

namespace scree::render {

class GroundForm {
 public:
  explicit GroundForm(const GroundMaps& maps);

  // What stands higher or lower than it did: which steps its blocks are drawn in may change.
  void change_surface(const GroundMaps& maps) { detail_ = GridDetail(maps); }

  void draw_ground(const gl::Program& program, const Sight& sight, const BlockTriangles& triangles);
  void draw_walls(const gl::Program& program, const Sight& sight, const gl::Vertices& nothing);

 private:
  void draw_level(std::size_t level, std::size_t first, std::size_t count,
                  const BlockTriangles& triangles, gl::PartsUnderWay& under_way) const;
  void draw_rim() const;

  GridDetail detail_;
  gl::Buffer instances_;  // room for each block
  gl::Vertices block_vertices_;
  bool has_holes_ = false;
  gl::Buffer rim_;
  gl::Vertices rim_vertices_;
  GLsizei rim_pieces_ = 0;
};

}  // namespace scree::render
