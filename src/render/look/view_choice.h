// How a terrain is shown: in perspective, or in one of the views that are read.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "render/map/map_view.h"
#include "render/section/section_view.h"

namespace scree::render {

enum class ViewKind {
  beauty,     // in perspective, as the eye would see it
  wireframe,  // in perspective, with the triangles' edges
  field,      // any field from above, in colours
  relief,     // hillshade and contours from above
  section,    // a vertical cut
};

enum class Glyphs { none, velocity, normals };

struct ViewChoice {
  ViewKind kind = ViewKind::beauty;
  std::string field = {};                // its name
  std::optional<bool> logarithmic = {};  // chosen by the field unless given
  std::optional<double> low = {}, high = {};
  std::optional<FieldScale> scale = {};  // settle_range's: of the state beside it
  std::vector<MapKind> legend = {};      // settle_kinds': of it and of the state beside it
  double contours = 0;                   // metres; 0: chosen
  Glyphs glyphs = Glyphs::none;          // on a field or a relief
  std::optional<SectionLine> line = {};  // of a section
  std::string subject = {};              // what the title says before anything else

  // Needs OpenGL.
  bool in_perspective() const { return kind == ViewKind::beauty || kind == ViewKind::wireframe; }
};

// "beauty", "wireframe", "relief", "section" or "field:NAME". UsageError that begins with `what`.
void set_view(const std::string& what, const std::string& words, ViewChoice& choice);
// "none", "velocity", "normals".
Glyphs parse_glyphs(const std::string& what, const std::string& words);

struct ViewField {
  std::vector<float> values;
  std::string unit;
  std::vector<MapKind> kinds = {};  // of values that are numbers of materials
};
// A field by name; an error of its own where there is none.
using ViewFields = std::function<ViewField(const std::string&)>;

// Gives a field the colours and ends that its values call for, so that another state of it can be
// shown in the same.
void settle_range(ViewChoice& choice, const ViewFields& fields);

// The same of the legend that names materials in both.
void settle_kinds(ViewChoice& choice, const ViewFields& fields, const ViewFields& beside);

// The same of a relief's colours and contours.
void settle_relief(ViewChoice& choice, Look& look, const Ground& ground);

// What a field is called in a title: "water depth" for water; its own name where it is none of
// ours.
std::string field_words(const std::string& name);

// Two pictures of one size in one, with their names. Each is half_width(width) pixels wide.
int half_width(int width);
Picture side_by_side(const Picture& before, const Picture& after, int width);

// The cut that such a view shows. deposit_in_metres as of section_of.
Section section_of(const ViewChoice& choice, const Ground& ground, const Look& look,
                   bool deposit_in_metres);
// exaggeration 1 is that of pictures in perspective: here it is chosen.
Picture draw_cut(const Section& section, const Look& look, int width, int height);

// A view that is read. deposit_in_metres as of section_of.
Picture draw_view(const ViewChoice& choice, const Ground& ground, const Look& look,
                  const ViewFields& fields, bool deposit_in_metres, int width, int height);

}  // namespace scree::render
