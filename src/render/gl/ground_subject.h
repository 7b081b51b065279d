// Inside render: a ground in a picture.
#pragma once

#include <span>
#include <vector>

#include "render/gl/ground_form.h"
#include "render/gl/ground_textures.h"
#include "render/gl/made.h"
#include "render/gl/subject.h"
#include "render/gl/supplies.h"
#include "render/ground/ground_maps.h"

namespace scree::render {

class GroundSubject : public Subject {
 public:
  GroundSubject(const Ground& ground, const Look& look, Supplies& supplies, Made& made);

  // False where the ground itself has to be shown again: other heights, tints or water.
  bool change_look(const Look& look);
  void change_water(const Ground& ground);

  Vec3 place_of(int column, int row) const;

  Vec4 extent() const override;
  std::span<const Vec3> outline() const override { return outline_; }
  double height_at(double x, double y) const override;
  void check_eye(Vec3 eye) const override;
  double haze(double over) const override;
  int margin(int /*part_side*/, int /*samples*/) const override { return 0; }
  CanvasKind canvas_kind() const override { return {}; }
  void choose_programs(const Sight& sight) override;
  void bind(const Canvas& canvas) const override;
  void draw_form(const Sight& sight) override;
  void draw_edges(const Sight& sight) override;
  std::vector<Shade> shades() const override;

 private:
  GroundPrograms& programs() const;

  Look look_;
  Supplies& supplies_;
  Made& made_;
  GroundMaps maps_;
  GroundTextures textures_;
  GroundForm form_;
  std::vector<Vec3> outline_;
};

}  // namespace scree::render
