// The photographer of what a renderer shows: whoever makes one shows it the terrain.
#pragma once

#include "picture/photographer.h"
#include "render/gl/renderer.h"

namespace scree {

class Perspective : public Photographer {
 public:
  Perspective(const PictureSettings& settings, int width) : settings_(settings), width_(width) {
    renderer_.show_edges(settings.view.kind == render::ViewKind::wireframe);
  }
  render::Renderer& renderer() { return renderer_; }
  render::Picture take(double turned) override {
    render::Camera camera = settings_.camera;
    camera.turned += turned;
    return renderer_.take(camera, width_, settings_.height, settings_.samples);
  }

 private:
  PictureSettings settings_;
  int width_;
  render::Renderer renderer_;
};

}  // namespace scree
