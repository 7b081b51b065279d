#include "scene/read/picture_choices.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"

namespace scree {
namespace {

using render::ViewKind;

bool is_of_camera(const std::string& key) {
  for (const char* own : {"azimuth", "altitude", "field_of_view", "zoom", "from", "at"})
    if (key == own) return true;
  return false;
}

// A choice that only some views have a use for.
struct Use {
  const char* key;
  const char* views;
  bool (*fits)(const render::ViewChoice& view);
};

constexpr Use uses[] = {
    {"range", "field:NAME", [](const render::ViewChoice& v) { return v.kind == ViewKind::field; }},
    {"log", "field:NAME", [](const render::ViewChoice& v) { return v.kind == ViewKind::field; }},
    {"contours", "relief", [](const render::ViewChoice& v) { return v.kind == ViewKind::relief; }},
    {"glyphs", "field:NAME or relief",
     [](const render::ViewChoice& v) {
       return v.kind == ViewKind::field || v.kind == ViewKind::relief;
     }},
    {"line", "section", [](const render::ViewChoice& v) { return v.kind == ViewKind::section; }},
    {"turntable", "beauty or wireframe",
     [](const render::ViewChoice& v) { return v.in_perspective(); }},
    {"cut", "beauty or wireframe", [](const render::ViewChoice& v) { return v.in_perspective(); }},
};

bool same_place(const render::Vec3& a, const render::Vec3& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

}  // namespace

const std::vector<PictureNumber>& picture_numbers() {
  using S = PictureSettings;
  static const std::vector<PictureNumber> all = {
      {"azimuth", {"deg", -360, 720}, [](S& s) -> double& { return s.camera.azimuth; }},
      {"altitude", {"deg", -90, 90}, [](S& s) -> double& { return s.camera.altitude; }},
      {"field_of_view", {"deg", 1, 150}, [](S& s) -> double& { return s.camera.field; }},
      {"zoom", {"1", 0.01, 1000}, [](S& s) -> double& { return s.camera.zoom; }},
      {"sun_azimuth", {"deg", -360, 720}, [](S& s) -> double& { return s.look.sun_azimuth; }},
      {"sun_altitude", {"deg", 1, 90}, [](S& s) -> double& { return s.look.sun_altitude; }},
      {"haze", {"1", 0, 100}, [](S& s) -> double& { return s.look.haze; }},
      {"exposure", {"1", 0.01, 100}, [](S& s) -> double& { return s.look.exposure; }},
      {"exaggeration", {"1", 0.01, 100}, [](S& s) -> double& { return s.look.exaggeration; }},
      {"contours", {"m", 0, 1e5}, [](S& s) -> double& { return s.view.contours; }},
      {"tint_low", {"m", -20000, 20000}, [](S& s) -> double& { return s.look.relief.tint_low; }},
      {"tint_high", {"m", -20000, 20000}, [](S& s) -> double& { return s.look.relief.tint_high; }},
      {"water_film", {"m", 0, 1000}, [](S& s) -> double& { return s.look.relief.water_film; }},
      {"water_deep", {"m", 0, 10000}, [](S& s) -> double& { return s.look.relief.water_deep; }}};
  return all;
}

const PictureNumber& picture_number(const std::string& key) {
  for (const PictureNumber& number : picture_numbers())
    if (key == number.key) return number;
  throw Error(text("picture: no number '", key, "'"));
}

std::string Chooser::name_of(const std::string& key) const {
  if (table != nullptr) return key;
  if (key == "field_of_view") return "--camera field";
  return (is_of_camera(key) ? "--camera " : "--") + key;
}

std::string Chooser::place_of(const std::string& key) const {
  const SceneNode* item = table != nullptr ? table->find(key) : nullptr;
  return item != nullptr ? text(item->where, ": ", key) : name_of(key);
}

std::string view_words(const render::ViewChoice& view) {
  switch (view.kind) {
    case ViewKind::field:
      return "field:" + view.field;
    case ViewKind::relief:
      return "relief";
    case ViewKind::section:
      return "section";
    case ViewKind::wireframe:
      return "wireframe";
    default:
      return "beauty";
  }
}

void check_choices(const PictureSettings& settings, const std::vector<std::string>& given,
                   const Chooser& chooser) {
  const auto is_given = [&](const std::string& key) {
    return std::find(given.begin(), given.end(), key) != given.end();
  };
  const auto refuse = [&](const std::string& key, const std::string& why) {
    throw UsageError(text(chooser.place_of(key), ": ", why));
  };
  for (const Use& use : uses)
    if (is_given(use.key) && !use.fits(settings.view))
      refuse(use.key, text("expected ", chooser.name_of("view"), " ", use.views,
                           " beside it, found ", view_words(settings.view)));
  const render::Camera& camera = settings.camera;
  for (const char* key : {"azimuth", "altitude"})
    if (camera.from && is_given(key))
      refuse(key, text("says where the camera stands, and so does ", chooser.name_of("from")));
  if (camera.from && camera.at && !camera.above_ground && same_place(*camera.from, *camera.at))
    refuse("from", text("the camera stands where it looks; expected another place than ",
                        chooser.name_of("at")));
  if (const auto& line = settings.view.line;
      line && line->from.x == line->to.x && line->from.y == line->to.y)
    refuse("line", "expected two places, found one");
  if (settings.view.low && settings.view.logarithmic.value_or(false) && !(*settings.view.low > 0))
    refuse("range", text("expected a lowest above 0 beside ", chooser.name_of("log"), ", found ",
                         *settings.view.low));
  if (settings.view.low && !(*settings.view.low < *settings.view.high))
    refuse("range", text("expected the lowest below the highest, found ", *settings.view.low,
                         " and ", *settings.view.high));
}

void check_rock_view(const std::string& where, const render::ViewChoice& view) {
  const std::vector<std::string> known = {"height", "slope", "curvature", "material"};
  if (view.glyphs == render::Glyphs::velocity)
    throw UsageError(text(where, ": glyphs: rock has no velocity to draw arrows of"));
  if (view.kind != render::ViewKind::field ||
      std::find(known.begin(), known.end(), view.field) != known.end())
    return;
  throw UsageError(text(where, ": view 'field:", view.field,
                        "': of rock, as it is seen from above, expected height, slope, curvature "
                        "or material",
                        did_you_mean(view.field, known)));
}

}  // namespace scree
