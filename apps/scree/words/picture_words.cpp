#include "words/picture_words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "base/error.h"
#include "base/suggest.h"
#include "base/units.h"
#include "render/gl/renderer.h"
#include "scene/read/picture_choices.h"

namespace scree::cli {
namespace {

std::vector<std::string> split(const std::string& words, char at) {
  std::vector<std::string> parts;
  for (std::size_t from = 0;;) {
    const std::size_t end = words.find(at, from);
    parts.push_back(words.substr(from, end - from));
    if (end == std::string::npos) return parts;
    from = end + 1;
  }
}

render::Vec3 parse_place(const std::string& option, const std::string& words) {
  const std::vector<std::string> parts = split(words, ':');
  if (parts.size() != 3)
    throw UsageError(
        text(option, " '", words, "': expected X:Y:Z in metres, such as 0:-4000:2500"));
  constexpr double far = 1e9;
  return {parse_between(option, parts[0], -far, far), parse_between(option, parts[1], -far, far),
          parse_between(option, parts[2], -far, far)};
}

void set_key(const std::string& option, const std::string& key, const std::string& value,
             render::Camera& camera) {
  const std::string name = option + " " + key;
  if (key == "azimuth")
    camera.azimuth = parse_number_of("azimuth", name, value);
  else if (key == "altitude")
    camera.altitude = parse_number_of("altitude", name, value);
  else if (key == "field")
    camera.field = parse_number_of("field_of_view", name, value);
  else if (key == "zoom")
    camera.zoom = parse_number_of("zoom", name, value);
  else if (key == "from") {
    const std::size_t up = value.rfind(":+");
    camera.above_ground = up != std::string::npos && std::count(&value[0], &value[up], ':') == 1;
    camera.from = parse_place(
        name, camera.above_ground ? value.substr(0, up + 1) + value.substr(up + 2) : value);
  } else if (key == "at")
    camera.at = parse_place(name, value);
  else
    throw UsageError(
        text(option, " '", key, "': expected azimuth, altitude, field, zoom, from, at, top or low",
             did_you_mean(key, {"azimuth", "altitude", "field", "zoom", "from", "at"})));
}

}  // namespace

double parse_between(const std::string& option, const std::string& word, double least,
                     double most) {
  double value = std::nan("");
  try {
    value = parse_number(word);
  } catch (const UsageError&) {
    // Said below.
  }
  if (!(value >= least && value <= most))
    throw UsageError(text(option, " '", word, "': expected a number from ", least, " to ", most));
  return value;
}

double parse_number_of(const std::string& key, const std::string& option, const std::string& word) {
  const RealRange& range = picture_number(key).range;
  double value = std::nan("");
  try {
    value = parse_quantity(word, range.unit);
  } catch (const UsageError&) {
    // Said below.
  }
  if (!(value >= range.least && value <= range.most))
    throw UsageError(text(option, " '", word, "': expected a number from ", range.least, " to ",
                          range.most, std::string(range.unit) == "1" ? "" : text(" ", range.unit)));
  return value;
}

render::Camera parse_camera(const std::string& option, const std::string& words) {
  render::Camera camera;
  if (words.empty()) return camera;
  std::map<std::string, std::string> said;  // by which word
  const auto say = [&](const std::string& key, const std::string& word) {
    const auto [before, fresh] = said.emplace(key, word);
    if (!fresh)
      throw UsageError(text(option, " '", word, "': '", before->second, "' says ", key,
                            " already; expected one of them"));
  };
  for (const std::string& part : split(words, ',')) {
    const std::size_t equals = part.find('=');
    if (part == "top" || part == "low") {
      say("altitude", part);
      camera.altitude = part == "top" ? 90 : 13;
    } else {
      const std::string key = part.substr(0, equals);
      set_key(option, key, equals == std::string::npos ? "" : part.substr(equals + 1), camera);
      say(key, part);
    }
  }
  const std::string& altitude = said["altitude"];
  if (camera.from && (altitude == "top" || altitude == "low"))
    throw UsageError(
        text(option, " '", altitude, "': says where the camera stands, and so does from"));
  if (altitude == "top" && said.count("azimuth") == 0) camera.azimuth = 180;  // north is up
  return camera;
}

void parse_sun(const std::string& option, const std::string& words, render::Look& look) {
  if (words.empty()) return;
  const std::vector<std::string> parts = split(words, ',');
  if (parts.size() != 2)
    throw UsageError(
        text(option, " '", words, "': expected AZIMUTH,ALTITUDE in degrees, such as 300,35"));
  look.sun_azimuth = parse_number_of("sun_azimuth", option, parts[0]);
  look.sun_altitude = parse_number_of("sun_altitude", option, parts[1]);
}

render::SectionLine parse_line(const std::string& option, const std::string& words) {
  const std::vector<std::string> ends = split(words, ',');
  const auto place = [&](const std::string& end) {
    const std::vector<std::string> parts = split(end, ':');
    if (ends.size() != 2 || parts.size() != 2)
      throw UsageError(text(option, " '", words,
                            "': expected X:Y,X:Y in metres from the middle, such as -500:0,500:0"));
    constexpr double far = 1e9;
    return render::Point2{parse_between(option, parts[0], -far, far),
                          parse_between(option, parts[1], -far, far)};
  };
  return {place(ends[0]), place(ends.back())};
}

Size parse_pixels(const std::string& option, const std::string& words) {
  const std::vector<std::string> parts = split(words, 'x');
  const auto whole = [&](const std::string& word) {
    return static_cast<int>(
        parse_whole(option, word, 1, static_cast<std::uint64_t>(render::most_pixels_a_side)));
  };
  if (parts.size() != 2)
    throw UsageError(text(option, " '", words, "': expected WIDTHxHEIGHT, such as 1920x1080"));
  return {whole(parts[0]), whole(parts[1])};
}

}  // namespace scree::cli
