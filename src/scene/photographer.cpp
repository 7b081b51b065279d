#include "scene/photographer.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "base/error.h"
#include "io/film.h"
#include "io/picture.h"
#include "render/renderer.h"
#include "scene/perspective.h"

namespace scree {
namespace {

class GroundMap : public Photographer {
 public:
  GroundMap(render::Ground ground, render::ViewFields fields, bool deposit_in_metres,
            const PictureSettings& settings, int width)
      : ground_(std::move(ground)),
        fields_(std::move(fields)),
        deposit_in_metres_(deposit_in_metres),
        settings_(settings),
        width_(width) {}
  render::Picture take(double /*turned*/) override {
    return render::draw_view(settings_.view, ground_, settings_.look, fields_, deposit_in_metres_,
                             width_, settings_.height);
  }

 private:
  render::Ground ground_;
  render::ViewFields fields_;
  bool deposit_in_metres_;
  PictureSettings settings_;
  int width_;
};

}  // namespace

PhotographerPtr photograph(render::Ground ground, render::ViewFields fields, bool deposit_in_metres,
                           const PictureSettings& settings, int width) {
  if (!settings.view.in_perspective())
    return std::make_unique<GroundMap>(std::move(ground), std::move(fields), deposit_in_metres,
                                       settings, width);
  auto made = std::make_unique<Perspective>(settings, width);
  made->renderer().show(ground, settings.look);
  return made;
}

PhotographerPtr photograph(const io::Mesh& mesh, const PictureSettings& settings, int width,
                           const std::string& what) {
  if (!settings.view.in_perspective())
    throw UsageError(text(what, ": a mesh has only the views beauty and wireframe"));
  auto made = std::make_unique<Perspective>(settings, width);
  made->renderer().show(mesh, settings.look);
  return made;
}

int width_of_each(const PictureSettings& settings) {
  return settings.before ? render::half_width(settings.width) : settings.width;
}

std::vector<std::filesystem::path> write_pictures(const PictureSettings& settings,
                                                  const std::filesystem::path& path,
                                                  Photographer& now, Photographer* before) {
  std::vector<std::filesystem::path> files;
  const int count = std::max(1, settings.turntable);
  for (int i = 0; i < count; ++i) {
    const double turned = 360.0 * i / count;
    files.push_back(settings.turntable > 0 ? numbered(path, i) : path);
    render::Picture picture = now.take(turned);
    if (before != nullptr)
      picture = render::side_by_side(before->take(turned), picture, settings.width);
    io::write_rgb_png(files.back(), picture.width, picture.height, picture.rgb);
  }
  return files;
}

std::filesystem::path numbered(const std::filesystem::path& path, int number) {
  char digits[16];
  std::snprintf(digits, sizeof digits, "-%03d", number);
  return path.parent_path() / (path.stem().string() + digits + path.extension().string());
}

Film make_film(const std::filesystem::path& film,
               const std::vector<std::filesystem::path>& pictures) {
  if (pictures.empty()) return {};
  if (!io::can_film())
    return {pictures, text(film.string(), ": ffmpeg is not installed; its ", pictures.size(),
                           " pictures are from ", pictures.front().string(), " on")};
  io::write_film(film, pictures);
  std::error_code ignored;
  for (const std::filesystem::path& picture : pictures) std::filesystem::remove(picture, ignored);
  return {{film}};
}

}  // namespace scree
