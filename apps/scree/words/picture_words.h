// Words of `render` into a camera, a sun and a view. Everything wrong is a UsageError.
#pragma once

#include <string>

#include "render/look/camera.h"
#include "render/look/picture_scene.h"
#include "render/look/view_choice.h"
#include "words/arguments.h"

namespace scree::cli {

// "azimuth=200,altitude=30,zoom=1.5", "from=0:-4000:2500,at=0:0:800", "top", "low".
render::Camera parse_camera(const std::string& option, const std::string& words);

// "300,35": azimuth and altitude, degrees.
void parse_sun(const std::string& option, const std::string& words, render::Look& look);

// A number between these.
double parse_between(const std::string& option, const std::string& word, double least, double most);

// In the range that a scene's key of that name has.
double parse_number_of(const std::string& key, const std::string& option, const std::string& word);

// "-500:0,500:120": metres east and north of the middle.
render::SectionLine parse_line(const std::string& option, const std::string& words);

// "1920x1080".
Size parse_pixels(const std::string& option, const std::string& words);

}  // namespace scree::cli
