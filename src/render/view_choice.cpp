#include "render/view_choice.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/suggest.h"
#include "render/statistics.h"

namespace scree::render {
namespace {

// Discharge spans decades: most of it is in a few cells.
bool spans_decades(const std::string& field) { return field == "flow"; }

std::string title_of(const ViewChoice& choice, const std::string& shown) {
  return choice.subject.empty() ? shown : choice.subject + ": " + shown;
}

// The level part of each cell's unit normal: it points down the slope.
void add_normals(const Ground& ground, MapView& view) {
  const auto at = [&](int x, int y) {
    return ground.bed[static_cast<std::size_t>(y) * static_cast<std::size_t>(ground.width) +
                      static_cast<std::size_t>(x)];
  };
  view.arrow_unit = "of a unit normal";
  for (int y = 0; y < ground.height; ++y)
    for (int x = 0; x < ground.width; ++x) {
      const int west = std::max(0, x - 1), east = std::min(ground.width - 1, x + 1),
                north = std::max(0, y - 1), south = std::min(ground.height - 1, y + 1);
      const float gx = (at(east, y) - at(west, y)) / (static_cast<float>(ground.dx) *
                                                      static_cast<float>(std::max(1, east - west)));
      const float gy =
          (at(x, north) - at(x, south)) /
          (static_cast<float>(ground.dy) * static_cast<float>(std::max(1, south - north)));
      const float size = std::sqrt(1 + gx * gx + gy * gy);
      view.arrow_x.push_back(-gx / size);
      view.arrow_y.push_back(-gy / size);
    }
}

void add_glyphs(const ViewChoice& choice, const Ground& ground, MapView& view) {
  if (choice.glyphs == Glyphs::normals) add_normals(ground, view);
  if (choice.glyphs != Glyphs::velocity) return;
  if (ground.velocity_x.empty())
    throw Error("glyphs: expected a state with the water's velocity: a scene or a checkpoint");
  view.arrow_x = ground.velocity_x;
  view.arrow_y = ground.velocity_y;
  view.arrow_unit = "m/s";
  // Films that rush down every slope are not what is meant: the more water, the more it counts.
  view.arrow_weight = ground.water;
}

Picture draw_field(const ViewChoice& choice, const Ground& ground, const Look& look,
                   const ViewFields& fields, int width, int height) {
  MapView view;
  ViewField field = fields(choice.field);
  view.title = title_of(choice, choice.field);
  view.unit = std::move(field.unit);
  view.values = std::move(field.values);
  view.kinds = std::move(field.kinds);
  view.logarithmic = choice.logarithmic.value_or(spans_decades(choice.field));
  view.low = choice.low;
  view.high = choice.high;
  if (view.values.empty()) throw Error(text("field ", choice.field, ": has no values"));
  add_glyphs(choice, ground, view);
  return draw_map(ground, look, view, width, height);
}

}  // namespace

void set_view(const std::string& what, const std::string& words, ViewChoice& choice) {
  const std::string prefix = "field:";
  if (words.starts_with(prefix) && words.size() > prefix.size()) {
    choice.kind = ViewKind::field;
    choice.field = words.substr(prefix.size());
  } else if (words == "beauty") {
    choice.kind = ViewKind::beauty;
  } else if (words == "wireframe") {
    choice.kind = ViewKind::wireframe;
  } else if (words == "relief") {
    choice.kind = ViewKind::relief;
  } else if (words == "section") {
    choice.kind = ViewKind::section;
  } else {
    throw UsageError(text(what, " '", words,
                          "': expected beauty, wireframe, field:NAME, relief or section",
                          did_you_mean(words, {"beauty", "wireframe", "relief", "section"})));
  }
}

Glyphs parse_glyphs(const std::string& what, const std::string& words) {
  if (words == "none") return Glyphs::none;
  if (words == "velocity") return Glyphs::velocity;
  if (words == "normals") return Glyphs::normals;
  throw UsageError(text(what, " '", words, "': expected none, velocity or normals",
                        did_you_mean(words, {"none", "velocity", "normals"})));
}

void settle_range(ViewChoice& choice, const ViewFields& fields) {
  if (choice.kind != ViewKind::field) return;
  MapView view;
  view.values = fields(choice.field).values;
  view.logarithmic = choice.logarithmic.value_or(spans_decades(choice.field));
  const FieldScale scale = scale_of(view);
  if (!choice.low) choice.low = scale.low;
  if (!choice.high) choice.high = scale.high;
}

int half_width(int width) { return std::max(1, (width - std::max(2, width / 320)) / 2); }

Picture side_by_side(const Picture& before, const Picture& after, int width) {
  Sheet sheet(width, after.height, 0xffffff);
  sheet.paste(before, 0, 0);
  sheet.paste(after, width - after.width, 0);
  const double size = std::min(width, 2 * after.height) / 66.0;
  if (size < 5) return sheet.take();
  Type type{.size = size, .colour = 0x1c1c1e, .align = Align::right, .bold = true};
  type.halo = 0.3 * size;
  sheet.write("before", {before.width - 1.2 * size, 2.4 * size}, type);
  sheet.write("after", {width - 1.2 * size, 2.4 * size}, type);
  return sheet.take();
}

Picture draw_view(const ViewChoice& choice, const Ground& ground, const Look& look,
                  const ViewFields& fields, bool deposit_in_metres, int width, int height) {
  switch (choice.kind) {
    case ViewKind::field:
      return draw_field(choice, ground, look, fields, width, height);
    case ViewKind::section: {
      // A ground may be gigabytes: it is copied for the sake of its water alone.
      Ground dry;
      if (!look.relief.show_water && !ground.water.empty()) {
        dry = ground;
        dry.water.clear();
      }
      Section section = section_of(dry.bed.empty() ? ground : dry, choice.line, deposit_in_metres);
      section.title = title_of(choice, "section");
      return draw_section(section, look.exaggeration == 1 ? 0 : look.exaggeration, width, height);
    }
    case ViewKind::relief: {
      MapView view;
      view.title = choice.subject;
      view.contours = choice.contours;
      add_glyphs(choice, ground, view);
      return draw_map(ground, look, view, width, height);
    }
    default:
      throw Error("view: a picture in perspective is the renderer's");
  }
}

}  // namespace scree::render
