#include "render/section/section_view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "base/error.h"
#include "render/look/colour.h"
#include "render/look/parallel.h"
#include "render/map/plane.h"
#include "render/sheet/legend.h"
#include "render/sheet/pattern.h"
#include "render/sheet/quantity_text.h"

namespace scree::render {
namespace {

constexpr unsigned paper = 0xf8f7f3, ink = 0x2b2b2e, air = 0xe6eef3, rule = 0xcfd6da;
constexpr int least_side = 200;        // a smaller sheet has no room for letters
constexpr std::size_t columns = 2048;  // of a heightfield: finer than most pictures

double type_size(int width, int height) { return std::max(6.5, std::min(width, height) / 66.0); }

// N, NE, … for a line that leads there.
std::string compass(double east, double north) {
  static const char* const names[] = {"E", "NE", "N", "NW", "W", "SW", "S", "SE"};
  const auto eighth = std::lround(std::atan2(north, east) / 0.7853981633974483);
  return names[(eighth + 8) % 8];
}

double share_along(std::size_t column, std::size_t count) {
  return (static_cast<double>(column) + 0.5) / static_cast<double>(count);
}

Point2 place_along(const SectionLine& line, double share) {
  return {line.from.x + share * (line.to.x - line.from.x),
          line.from.y + share * (line.to.y - line.from.y)};
}

// Bilinear between cells; NaN beyond the border and beside nodata.
double value_at(const Ground& ground, const std::vector<float>& field, Point2 place) {
  const double u = place.x / ground.dx + 0.5 * (ground.width - 1),
               v = 0.5 * (ground.height - 1) - place.y / ground.dy;
  // Half a cell beyond the outermost middles is still ground.
  if (u < -0.5 || v < -0.5 || u > ground.width - 0.5 || v > ground.height - 0.5)
    return std::nan("");
  const double x = std::clamp(u, 0.0, ground.width - 1.0),
               y = std::clamp(v, 0.0, ground.height - 1.0);
  const int i = std::min(static_cast<int>(x), std::max(0, ground.width - 2)),
            j = std::min(static_cast<int>(y), std::max(0, ground.height - 2));
  const auto at = [&](int a, int b) {
    return static_cast<double>(field[static_cast<std::size_t>(std::min(b, ground.height - 1)) *
                                         static_cast<std::size_t>(ground.width) +
                                     static_cast<std::size_t>(std::min(a, ground.width - 1))]);
  };
  return std::lerp(std::lerp(at(i, j), at(i + 1, j), x - i),
                   std::lerp(at(i, j + 1), at(i + 1, j + 1), x - i), y - j);
}

// What is in one of them, each once, in the order of the first one's materials.
std::vector<SectionMaterial> materials_in(const std::vector<const Section*>& sections) {
  const auto key = [](const SectionMaterial& m) { return m.name + number_text(m.colour); };
  std::set<std::string> seen;
  for (const Section* section : sections)
    for (const auto& column : section->columns)
      for (const SectionSpan& span : column)
        seen.insert(key(section->materials[static_cast<std::size_t>(span.material)]));
  std::vector<SectionMaterial> found;
  for (const Section* section : sections)
    for (const SectionMaterial& material : section->materials)
      if (seen.erase(key(material)) > 0) found.push_back(material);
  return found;
}

// A material has one look in both: what the first one does not have is told apart from all of it.
void share_looks(Section& one, Section& other) {
  std::vector<SectionMaterial> all = one.materials;
  const auto named = [&all](const std::string& name) {
    return std::find_if(all.begin(), all.end(),
                        [&](const SectionMaterial& m) { return m.name == name; });
  };
  for (const SectionMaterial& material : other.materials)
    if (named(material.name) == all.end()) all.push_back(material);
  if (all.size() > one.materials.size()) all = told_apart(std::move(all));
  for (Section* section : {&one, &other})
    for (SectionMaterial& material : section->materials)
      if (!material.name.empty()) material = *named(material.name);
}

// Heights of the lowest and the highest top of a column; 0 where there is none.
std::pair<double, double> tops_of(const Section& section) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const auto& column : section.columns)
    if (!column.empty()) {
      low = std::min(low, column.front().high);
      high = std::max(high, column.back().high);
    }
  return low > high ? std::pair{0.0, 0.0} : std::pair{low, high};
}

std::vector<SectionMaterial> legend_of(const Section& section) {
  return section.legend.empty() ? materials_in({&section}) : section.legend;
}

class SectionSheet {
 public:
  SectionSheet(const Section& section, double exaggeration, int width, int height)
      : section_(section),
        place_(section_place(section, exaggeration, width, height)),
        type_(type_size(width, height)),
        hair_(std::max(1.0, type_ / 12)),
        sheet_(width, height, paper) {}

  Picture draw() {
    settle_looks();
    sheet_.fill(place_.left, place_.top, right(), bottom(), air);
    if (place_.furnished) draw_rules();
    draw_columns();
    if (place_.furnished) furnish();
    return sheet_.take();
  }

 private:
  double right() const { return place_.left + place_.width; }
  double bottom() const { return place_.top + place_.height; }
  double y_of(double metres) const {
    return bottom() - (metres - place_.low) / (place_.high - place_.low) * place_.height;
  }

  // What a material is drawn with.
  struct Look {
    Rgb colour, ink;
    const PatternTile* pattern;
  };

  void settle_looks() {
    for (const SectionMaterial& m : section_.materials) {
      // Where no legend explains it a pattern says nothing.
      const Pattern pattern = place_.furnished ? m.pattern : Pattern::plain;
      const auto tile = tiles_.try_emplace(pattern, pattern, type_).first;
      looks_.push_back({from_srgb(m.colour), from_srgb(pattern_ink(m.colour)), &tile->second});
    }
  }

  void draw_columns() {
    const int first = static_cast<int>(place_.left), last = static_cast<int>(right());
    parallel_ranges(last - first, 0, [&](int begin, int end) {
      for (int x = first + begin; x < first + end; ++x) draw_column(x);
    });
  }

  // Each pixel takes of every span what it covers of it, over a few lines of sight.
  void draw_column(int x) {
    constexpr int each = 4;
    const int rows = static_cast<int>(bottom()) - static_cast<int>(place_.top);
    const Rgb sky = from_srgb(air);
    std::vector<Rgb> sum(static_cast<std::size_t>(std::max(0, rows)), sky);
    for (int s = 0; s < each; ++s) {
      const double share = (x + (s + 0.5) / each - place_.left) / place_.width;
      const auto n = static_cast<double>(section_.columns.size());
      const auto column = static_cast<std::size_t>(std::clamp(share * n, 0.0, n - 1));
      for (const SectionSpan& span : section_.columns[column]) add(span, x, sum, sky, 1.0F / each);
    }
    for (int y = 0; y < rows; ++y) {
      unsigned char rgb[3];
      store_srgb(sum[static_cast<std::size_t>(y)], rgb);
      if (span_seen(sum[static_cast<std::size_t>(y)], sky))
        sheet_.set(x, static_cast<int>(place_.top) + y, rgb);
    }
  }

  // Rules behind the ground show where there is nothing but air.
  static bool span_seen(const Rgb& colour, const Rgb& sky) {
    return colour.r != sky.r || colour.g != sky.g || colour.b != sky.b;
  }

  void add(const SectionSpan& span, int x, std::vector<Rgb>& sum, const Rgb& sky,
           float weight) const {
    const Look& look = looks_[static_cast<std::size_t>(span.material)];
    const int top = static_cast<int>(place_.top);
    const double from = std::max(0.0, y_of(span.high) - place_.top),
                 to = std::min(static_cast<double>(sum.size()), y_of(span.low) - place_.top);
    // In a thin bed there is no room for a pattern: it is known by its colour.
    const bool patterned = to - from > 0.3 * look.pattern->side();
    for (auto y = static_cast<std::size_t>(from); static_cast<double>(y) < to; ++y) {
      const float inked = patterned ? look.pattern->ink(x, top + static_cast<int>(y)) : 0;
      const Rgb colour = mix(look.colour, look.ink, inked);
      const double covered =
          std::min(to, static_cast<double>(y) + 1) - std::max(from, static_cast<double>(y));
      sum[y] = sum[y] + (colour + sky * -1) * (weight * static_cast<float>(covered));
    }
  }

  // ---- what stands around it

  std::vector<double> height_ticks() const {
    return round_values(place_.low, place_.high,
                        std::clamp(static_cast<int>(place_.height / (3 * type_)), 1, 8));
  }

  void draw_rules() {
    for (const double z : height_ticks())
      sheet_.line({place_.left, y_of(z)}, {right(), y_of(z)}, 0.8 * hair_, rule);
  }

  void furnish() {
    sheet_.frame(place_.left, place_.top, right(), bottom(), hair_, ink);
    // Beside the title there is room for a word, as of two sections side by side.
    const double room = sheet_.width() - place_.left - 8 * type_;
    sheet_.write(section_.title, {place_.left, place_.top - 2.5 * type_},
                 {.size = std::min(1.25 * type_, room / Sheet::width_of(section_.title, 1)),
                  .colour = ink,
                  .bold = true});
    const Type end{.size = type_, .colour = ink, .bold = true};
    sheet_.write(section_.from, {place_.left, place_.top - 0.7 * type_}, end);
    Type other = end;
    other.align = Align::right;
    if (place_.width > 5 * type_)
      sheet_.write(section_.to, {right(), place_.top - 0.7 * type_}, other);
    draw_axes();
    draw_legend(legend_of(section_), {right() + 1.8 * type_, place_.top + 0.3 * type_, type_},
                sheet_);
  }

  void draw_axes() {
    const Type ahead{.size = 0.9 * type_, .colour = ink, .align = Align::right};
    for (const double z : height_ticks()) {
      sheet_.line({place_.left - 0.5 * type_, y_of(z)}, {place_.left, y_of(z)}, hair_, ink);
      sheet_.write(number_text(z), {place_.left - 0.8 * type_, y_of(z) + 0.45 * type_}, ahead);
    }
    draw_length_axis(section_.length >= 10000);
  }

  void draw_length_axis(bool kilometres) {
    const double unit = kilometres ? 1000 : 1;
    Type below{.size = 0.9 * type_, .colour = ink, .align = Align::middle};
    double written = 0;  // as far as here
    for (const double d :
         round_values(0, section_.length / unit,
                      std::clamp(static_cast<int>(place_.width / (7 * type_)), 1, 8))) {
      const double x = place_.left + d * unit / section_.length * place_.width;
      sheet_.line({x, bottom()}, {x, bottom() + 0.5 * type_}, hair_, ink);
      // No further over the corner than a figure: there the legend may begin.
      const double half = Sheet::width_of(number_text(d), below.size) / 2,
                   middle = std::min(x, right() - half + 0.8 * type_);
      if (middle - half < written) continue;
      sheet_.write(number_text(d), {middle, bottom() + 1.8 * type_}, below);
      written = middle + half + 0.5 * type_;
    }
    below.colour = 0x6c6b68;
    const std::string words = axis_words(kilometres);
    sheet_.write(words, {place_.left + place_.width / 2, bottom() + 3.6 * type_}, below);
  }

  // All of it, or on a narrow sheet what is least to be missed.
  std::string axis_words(bool kilometres) const {
    std::string heights;
    if (std::abs(place_.exaggeration - 1) > 0.01)
      heights = "heights \u00d7 " + number_text(std::round(100 * place_.exaggeration) / 100);
    const std::string also = heights.empty() ? "" : ", " + heights;
    for (const std::string& words :
         {(kilometres ? "kilometres along the line, metres above zero"
                      : "metres along the line and above zero") +
              also,
          (kilometres ? "km along, m above zero" : "metres") + also, heights})
      if (Sheet::width_of(words, 0.9 * type_) < place_.width) return words;
    return "";
  }

  const Section& section_;
  SectionPlace place_;
  double type_;
  double hair_;  // thickness of its thin lines
  std::map<Pattern, PatternTile> tiles_;
  std::vector<Look> looks_;  // of its materials
  Sheet sheet_;
};

// A rock may have many numbers, one for each hardness: it is one bed, of the first of them.
std::vector<int> first_numbers(const std::vector<SectionMaterial>& materials) {
  std::map<std::pair<std::string, unsigned>, int> seen;
  std::vector<int> firsts;
  for (const SectionMaterial& m : materials)
    firsts.push_back(
        seen.try_emplace({m.name, m.colour}, static_cast<int>(firsts.size())).first->second);
  return firsts;
}

// A round factor that is no larger.
double round_below(double factor) {
  double best = 1;
  for (double power = 1; power <= 1e4; power *= 10)
    for (const double step : {1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0})
      if (step * power <= factor) best = step * power;
  return best;
}

}  // namespace

void check_line(const std::string& what, const SectionLine& line, double half_x, double half_y) {
  // What is left of the line after each side has cut off its own (Liang & Barsky 1984).
  double first = 0, last = 1;
  const auto cut = [&](double from, double to, double half) {
    const double step = to - from;
    if (step == 0) {
      if (std::abs(from) > half) last = -1;
      return;
    }
    const double a = (-half - from) / step, b = (half - from) / step;
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
  };
  cut(line.from.x, line.to.x, half_x);
  cut(line.from.y, line.to.y, half_y);
  if (first < last) return;
  throw UsageError(text(what, "the line from ", line.from.x, ", ", line.from.y, " to ", line.to.x,
                        ", ", line.to.y, " runs beside the terrain, which reaches ", half_x,
                        " m to the east and west of its middle and ", half_y,
                        " m to the north and south"));
}

Section section_along(const SectionLine& line) {
  const double east = line.to.x - line.from.x, north = line.to.y - line.from.y;
  Section section;
  section.length = std::hypot(east, north);
  if (!(section.length > 0)) throw UsageError("section: expected a line between two places");
  section.from = compass(-east, -north);
  section.to = compass(east, north);
  return section;
}

Section section_of(const Ground& ground, const std::optional<SectionLine>& line,
                   bool deposit_in_metres) {
  const double half = 0.5 * ground.dx * std::max(1, ground.width - 1);
  if (line)
    check_line("section: ", *line, 0.5 * ground.dx * ground.width, 0.5 * ground.dy * ground.height);
  const SectionLine along = line.value_or(SectionLine{{-half, 0}, {half, 0}});
  Section section = section_along(along);
  enum { water, laid, earth };
  section.materials = {
      {"water", 0x5b9cc4}, {"laid down", 0xd9c48f, Pattern::dots}, {"ground", 0x9a7b5c}};
  const bool with_laid = deposit_in_metres && !ground.deposit.empty() && !ground.wear.empty();
  const auto lowest = std::min_element(ground.bed.begin(), ground.bed.end(),
                                       [](float a, float b) { return a < b || std::isnan(b); });
  if (lowest == ground.bed.end() || std::isnan(*lowest))
    throw Error("section: no cell of the ground holds data");
  const auto foot = static_cast<double>(*lowest) - 1e6;
  section.columns.resize(columns);
  for (std::size_t i = 0; i < columns; ++i) {
    const Point2 place = place_along(along, share_along(i, columns));
    const double bed = value_at(ground, ground.bed, place);
    if (std::isnan(bed)) continue;
    const double net =
        with_laid ? value_at(ground, ground.deposit, place) - value_at(ground, ground.wear, place)
                  : 0;
    const double soil = std::max(0.0, net),
                 depth = ground.water.empty() ? 0 : value_at(ground, ground.water, place);
    section.columns[i].push_back({earth, foot, bed - soil});
    if (soil > 0) section.columns[i].push_back({laid, bed - soil, bed});
    if (depth > 0) section.columns[i].push_back({water, bed, bed + depth});
  }
  return section;
}

Section section_of(const Volume& volume, float isovalue, const std::optional<SectionLine>& line,
                   const std::vector<SectionMaterial>& materials) {
  const VolumeShape& shape = volume.shape;
  const auto [nx, ny, nz] = shape.size;
  const double half = 0.5 * shape.cell[0] * nx;
  if (line) check_line("section: ", *line, half, 0.5 * shape.cell[1] * ny);
  const SectionLine along = line.value_or(SectionLine{{-half, 0}, {half, 0}});
  Section section = section_along(along);
  section.materials = materials;
  const std::vector<int> firsts = first_numbers(materials);
  const auto material_at = [&](std::size_t sample) {
    const auto number = volume.materials.empty() ? 0 : static_cast<int>(volume.materials[sample]);
    return number >= 0 && number < static_cast<int>(firsts.size())
               ? firsts[static_cast<std::size_t>(number)]
               : std::clamp(number, 0, 4095);
  };
  const double bottom = shape.origin[2] - 0.5 * shape.cell[2];
  section.base = bottom;
  // As many as there are voxels along the line, and a few to each.
  section.columns.resize(std::max<std::size_t>(
      16, 4 * static_cast<std::size_t>(section.length / std::min(shape.cell[0], shape.cell[1]))));
  for (std::size_t c = 0; c < section.columns.size(); ++c) {
    const Point2 place = place_along(along, share_along(c, section.columns.size()));
    const int x = static_cast<int>(std::floor(place.x / shape.cell[0] + 0.5 * nx)),
              y = static_cast<int>(std::floor(place.y / shape.cell[1] + 0.5 * ny));
    if (x < 0 || y < 0 || x >= nx || y >= ny) continue;
    for (int z = 0; z < nz; ++z) {
      const std::size_t sample = (static_cast<std::size_t>(z) * static_cast<std::size_t>(ny) +
                                  static_cast<std::size_t>(y)) *
                                     static_cast<std::size_t>(nx) +
                                 static_cast<std::size_t>(x);
      if (volume.density[sample] < isovalue) continue;
      const int material = material_at(sample);
      while (static_cast<int>(section.materials.size()) <= material)
        section.materials.push_back({text("material ", section.materials.size()), 0xb3a18a});
      const double low = bottom + z * shape.cell[2];
      auto& spans = section.columns[c];
      if (!spans.empty() && spans.back().material == material && spans.back().high >= low - 1e-9)
        spans.back().high = low + shape.cell[2];
      else
        spans.push_back({material, low, low + shape.cell[2]});
    }
  }
  section.materials = told_apart(std::move(section.materials));
  return section;
}

void share_scale(Section& one, Section& other) {
  const auto [low, high] = tops_of(one);
  const auto [other_low, other_high] = tops_of(other);
  share_looks(one, other);
  const std::vector<SectionMaterial> legend = materials_in({&one, &other});
  if (one.base && other.base) one.base = other.base = std::min(*one.base, *other.base);
  for (Section* section : {&one, &other}) {
    section->legend = legend;
    section->lowest_top = std::min(low, other_low);
    section->highest_top = std::max(high, other_high);
  }
}

SectionPlace section_place(const Section& section, double exaggeration, int width, int height) {
  const double type = type_size(width, height);
  SectionPlace place;
  place.furnished = std::min(width, height) >= least_side;
  auto [low, high] = tops_of(section);
  low = section.lowest_top.value_or(low);
  high = section.highest_top.value_or(high);
  // Level land has none that would be worth exaggerating.
  const double relief =
      high - low > 1e-5 * section.length ? high - low : std::max(0.2 * section.length, 1e-6);
  place.low = section.base.value_or(low - 0.2 * relief);
  place.high = std::max(high, place.low + 1e-6) + 0.1 * relief;
  const double left = place.furnished ? 7 * type : 0, top = place.furnished ? 5 * type : 0,
               right = place.furnished
                           ? 2.6 * type + legend_width(legend_of(section), type, 0.4 * width)
                           : 0,
               bottom = place.furnished ? 5 * type : 0;
  const double room_x = std::max(1.0, width - left - right),
               room_y = std::max(1.0, height - top - bottom);
  const double fills = room_y * section.length / (room_x * (place.high - place.low));
  place.exaggeration = exaggeration > 0 ? exaggeration : fills < 1.5 ? 1 : round_below(fills);
  const double scale =
      std::min(room_x / section.length, room_y / ((place.high - place.low) * place.exaggeration));
  place.width = std::max(1.0, std::floor(scale * section.length));
  place.height = std::max(1.0, std::floor(scale * (place.high - place.low) * place.exaggeration));
  place.left = std::floor(left + (room_x - place.width) / 2);
  place.top = std::floor(top + (room_y - place.height) / 2);
  return place;
}

Picture draw_section(const Section& section, double exaggeration, int width, int height) {
  if (section.columns.empty() || !(section.length > 0))
    throw Error("section: there is nothing to cut");
  return SectionSheet(section, exaggeration, width, height).draw();
}

}  // namespace scree::render
