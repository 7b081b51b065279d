// Inside render: bodies in a picture.
#pragma once

#include <span>
#include <vector>

#include "render/bodies/bodies.h"
#include "render/gl/made.h"
#include "render/gl/subject.h"
#include "render/gl/supplies.h"

namespace scree::render {

// What bodies are made of, as Renderer::show takes it.
struct BodyShape {
  const Mesh& mesh;
  std::span<const WaterOn> water = {};
  const Mesh* coarse = nullptr;
  const Sawn* sawn = nullptr;
};

class BodySubject : public Subject {
 public:
  BodySubject(const BodyShape& shape, const Look& look, Supplies& supplies, Made& made);

  // False where the mesh itself has to be shown again: other heights, grain or rock.
  bool change_look(const Look& look);
  // False where it was dry, or is to be.
  bool change_water(std::span<const WaterOn> water);

  Vec3 place_of(Vec3 point) const;

  Vec4 extent() const override;
  std::span<const Vec3> outline() const override { return outline_; }
  double height_at(double x, double y) const override { return bodies_.height_at(x, y); }
  void check_eye(Vec3 /*eye*/) const override {}
  double haze(double over) const override;
  int margin(int part_side, int samples) const override;
  CanvasKind canvas_kind() const override { return {true, bodies_.has_water()}; }
  void choose_programs(const Sight& sight) override;
  void bind(const Canvas& canvas) const override;
  void draw_form(const Sight& sight) override;
  void draw_edges(const Sight& sight) override;
  std::vector<Shade> shades() const override;

 private:
  void fill_land() const;

  Look look_;
  Supplies& supplies_;
  Made& made_;
  Bodies bodies_;
  std::vector<Vec3> outline_;
  const gl::Program* shade_ = nullptr;
};

}  // namespace scree::render
