#include "render/look/view_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/error.h"
#include "base/suggest.h"
#include "render/look/statistics.h"
#include "render/map/map_contours.h"
#include "render/sheet/quantity_text.h"

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
    throw UsageError("glyphs: expected a state with the water's velocity: a scene or a checkpoint");
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
  const std::string unit = unit_text(field.unit);
  view.title =
      title_of(choice, field_words(choice.field) +
                           (unit.empty() || !field.kinds.empty() ? "" : " (" + unit + ")"));
  view.unit = std::move(field.unit);
  view.values = std::move(field.values);
  view.kinds = std::move(field.kinds);
  view.logarithmic = choice.logarithmic.value_or(spans_decades(choice.field));
  view.low = choice.low;
  view.high = choice.high;
  view.scale = choice.scale;
  view.legend = choice.legend;
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
  view.low = choice.low;
  view.high = choice.high;
  choice.scale = scale_of(view);
}

void settle_kinds(ViewChoice& choice, const ViewFields& fields, const ViewFields& beside) {
  if (choice.kind != ViewKind::field || choice.field != "material") return;
  for (const ViewFields* each : {&fields, &beside}) {
    ViewField field = (*each)(choice.field);
    if (field.kinds.empty()) return;
    MapView view;
    view.values = std::move(field.values);
    view.kinds = std::move(field.kinds);
    for (const MapKind& kind : kinds_on(view))
      if (std::none_of(choice.legend.begin(), choice.legend.end(), [&](const MapKind& other) {
            return other.name == kind.name && other.colour == kind.colour;
          }))
        choice.legend.push_back(kind);
  }
}

void settle_relief(ViewChoice& choice, Look& look, const Ground& ground) {
  if (choice.kind != ViewKind::relief) return;
  settle_tints(look.relief, ground.bed);
  if (choice.contours > 0) return;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const float z : ground.bed)
    if (!std::isnan(z)) {
      low = std::min(low, static_cast<double>(z));
      high = std::max(high, static_cast<double>(z));
    }
  choice.contours = high > low ? chosen_contours(low, high) : 0;
}

std::string field_words(const std::string& name) {
  static const std::map<std::string, std::string> words = {
      {"bed", "height of the ground"},
      {"height", "height"},
      {"water", "water depth"},
      {"sediment", "sediment in the water"},
      {"flux.x", "water through the eastern edge"},
      {"flux.y", "water through the southern edge"},
      {"flux.se", "water to the south-east"},
      {"flux.sw", "water to the south-west"},
      {"erodibility", "erodibility"},
      {"rain", "rain"},
      {"floor", "height below which nothing erodes"},
      {"strength", "strength of slopes"},
      {"sink", "sea"},
      {"source", "water that arrives"},
      {"sheet.source", "water that arrives"},
      {"looseness", "looseness of the ground"},
      {"advect.x", "cells that water moves east in a step"},
      {"advect.y", "cells that water moves south in a step"},
      {"advect.ahead", "sediment moved on by a step"},
      {"wetness", "wetness of the ground"},
      {"flow", "water that passed, a metre of width"},
      {"wear", "ground worn away"},
      {"deposit", "ground laid down"},
      {"slope", "slope"},
      {"curvature", "curvature"},
      {"velocity", "speed of the water"},
      {"velocity.east", "velocity of the water to the east"},
      {"velocity.north", "velocity of the water to the north"},
      {"layers", "number of layers"},
      {"voids", "height of all voids"},
      {"material", "material on top"}};
  const std::string thickness = "thickness.";
  if (name.starts_with(thickness)) return "thickness of " + name.substr(thickness.size());
  const auto found = words.find(name);
  return found != words.end() ? found->second : name;
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

Section section_of(const ViewChoice& choice, const Ground& ground, const Look& look,
                   bool deposit_in_metres) {
  // A ground may be gigabytes: it is copied for the sake of its water alone.
  Ground dry;
  if (!look.relief.show_water && !ground.water.empty()) {
    dry = ground;
    dry.water.clear();
  }
  Section section = section_of(dry.bed.empty() ? ground : dry, choice.line, deposit_in_metres);
  section.title = title_of(choice, "section");
  return section;
}

Picture draw_cut(const Section& section, const Look& look, int width, int height) {
  return draw_section(section, look.exaggeration == 1 ? 0 : look.exaggeration, width, height);
}

Picture draw_view(const ViewChoice& choice, const Ground& ground, const Look& look,
                  const ViewFields& fields, bool deposit_in_metres, int width, int height) {
  switch (choice.kind) {
    case ViewKind::field:
      return draw_field(choice, ground, look, fields, width, height);
    case ViewKind::section:
      return draw_cut(section_of(choice, ground, look, deposit_in_metres), look, width, height);
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
