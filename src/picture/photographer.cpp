#include "picture/photographer.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/progress.h"
#include "io/film/film.h"
#include "io/raster/picture.h"
#include "picture/perspective.h"
#include "render/gl/renderer.h"

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
  void share_scale(Photographer& before) override {
    auto* other = dynamic_cast<GroundMap*>(&before);
    if (other == nullptr) return;
    render::settle_relief(settings_.view, settings_.look, ground_);
    render::settle_kinds(settings_.view, fields_, other->fields_);
    other->settings_ = settings_;
  }

 private:
  render::Ground ground_;
  render::ViewFields fields_;
  bool deposit_in_metres_;
  PictureSettings settings_;
  int width_;
};

class Cut : public Photographer {
 public:
  Cut(render::Section section, const PictureSettings& settings, int width)
      : section_(std::move(section)), settings_(settings), width_(width) {}
  render::Picture take(double /*turned*/) override {
    return render::draw_cut(section_, settings_.look, width_, settings_.height);
  }
  void share_scale(Photographer& before) override {
    if (auto* other = dynamic_cast<Cut*>(&before)) render::share_scale(section_, other->section_);
  }

 private:
  render::Section section_;
  PictureSettings settings_;
  int width_;
};

}  // namespace

PhotographerPtr photograph(render::Section section, const PictureSettings& settings, int width) {
  return std::make_unique<Cut>(std::move(section), settings, width);
}

PhotographerPtr photograph(render::Ground ground, render::ViewFields fields, bool deposit_in_metres,
                           const PictureSettings& settings, int width) {
  if (settings.view.kind == render::ViewKind::section)
    return photograph(render::section_of(settings.view, ground, settings.look, deposit_in_metres),
                      settings, width);
  if (!settings.view.in_perspective())
    return std::make_unique<GroundMap>(std::move(ground), std::move(fields), deposit_in_metres,
                                       settings, width);
  auto made = std::make_unique<Perspective>(settings, width);
  made->renderer().show(ground, settings.look);
  return made;
}

PhotographerPtr photograph(const Mesh& mesh, const PictureSettings& settings, int width,
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

std::vector<std::filesystem::path> picture_files(const PictureSettings& settings,
                                                 const std::filesystem::path& path) {
  if (settings.turntable == 0) return {path};
  std::vector<std::filesystem::path> files;
  const auto count = static_cast<std::uint64_t>(settings.turntable);
  for (std::uint64_t i = 0; i < count; ++i) files.push_back(numbered(path, i, count - 1, 3));
  return files;
}

std::vector<std::filesystem::path> write_pictures(const PictureSettings& settings,
                                                  const std::filesystem::path& path,
                                                  Photographer& now, Photographer* before) {
  const std::vector<std::filesystem::path> files = picture_files(settings, path);
  if (before != nullptr) now.share_scale(*before);
  for (std::size_t i = 0; i < files.size(); ++i) try {
      stop_if_cancelled();
      const double turned = 360.0 * static_cast<double>(i) / static_cast<double>(files.size());
      render::Picture picture = now.take(turned);
      if (before != nullptr)
        picture = render::side_by_side(before->take(turned), picture, settings.width);
      io::write_picture(files[i], picture.width, picture.height, picture.rgb);
    } catch (const Cancelled&) {
      throw Cancelled(text("stopped after ", i, " of ", files.size(),
                           files.size() == 1 ? " picture" : " pictures"));
    }
  return files;
}

std::filesystem::path numbered(const std::filesystem::path& path, std::uint64_t number,
                               std::uint64_t last, std::size_t digits) {
  std::string name = std::to_string(number);
  digits = std::max(digits, std::to_string(last).size());
  if (name.size() < digits) name.insert(0, digits - name.size(), '0');
  return path.parent_path() / text(path.stem().string(), "-", name, path.extension().string());
}

Film make_film(const std::filesystem::path& film,
               const std::vector<std::filesystem::path>& pictures, bool keep_pictures) {
  if (pictures.empty()) return {};
  if (!io::can_film())
    return {pictures, text(film.string(), ": ffmpeg is not installed; its ", pictures.size(),
                           " pictures are from ", pictures.front().string(), " on")};
  io::write_film(film, pictures);
  std::error_code ignored;
  if (!keep_pictures)
    for (const std::filesystem::path& picture : pictures) std::filesystem::remove(picture, ignored);
  return {{film}};
}

}  // namespace scree
