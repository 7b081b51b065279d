#include "terrain/core/fields.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"

namespace scree {

const FieldInfo& field_of(const Fields& fields, const std::string& id) {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return field.id == id; });
  if (found != fields.end()) return *found;
  std::vector<std::string> known;
  for (const FieldInfo& field : fields) known.push_back(field.id);
  throw UsageError(text("this terrain has no field '", id, "'", did_you_mean(id, known)));
}

}  // namespace scree
