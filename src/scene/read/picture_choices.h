// What a person may choose of a picture, described once: for scenes and for `scree render`.
#pragma once

#include <string>
#include <vector>

#include "scene/output.h"
#include "scene/read/node.h"

namespace scree {

constexpr int most_turned = 100000;  // pictures around something
constexpr int most_samples_a_side = 4;

// A number by the key that it has in a scene.
struct PictureNumber {
  const char* key;
  RealRange range;
  double& (*of)(PictureSettings&);
};
const std::vector<PictureNumber>& picture_numbers();
const PictureNumber& picture_number(const std::string& key);

// Who chose, and so how messages call things: `log` in a table of a scene, or --log.
struct Chooser {
  const SceneNode* table = nullptr;  // none: a command
  std::string name_of(const std::string& key) const;
  // The same with the line where it was chosen, for the beginning of a message.
  std::string place_of(const std::string& key) const;
};

// Whether choices make sense together: UsageError for one that the view has no use for, for a
// camera that looks at itself and the like. given: keys of a scene.
void check_choices(const PictureSettings& settings, const std::vector<std::string>& given,
                   const Chooser& chooser);

// UsageError that begins with `where` for a view that rock does not have.
void check_rock_view(const std::string& where, const render::ViewChoice& view);

// "field:slope", "relief": as set_view reads it.
std::string view_words(const render::ViewChoice& view);

}  // namespace scree
