// Takes the pictures of one state of a terrain, whatever it is: of a run, or of a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/mesh/mesh.h"
#include "render/look/view_choice.h"
#include "scene/output.h"

namespace scree {

class Photographer {
 public:
  virtual ~Photographer() = default;
  // turned: degrees around it, of pictures in perspective.
  virtual render::Picture take(double turned) = 0;
  // Of two whose pictures stand side by side: the same colours, heights and legend.
  virtual void share_scale(Photographer& /*before*/) {}
};
using PhotographerPtr = std::unique_ptr<Photographer>;

// Each draws `width` pixels, in perspective or to be read as the settings' view says; what is in
// perspective needs an OpenGL context that is current as long as the photographer lives.

// Of heights. deposit_in_metres as of render::section_of.
PhotographerPtr photograph(render::Ground ground, render::ViewFields fields, bool deposit_in_metres,
                           const PictureSettings& settings, int width);
// Of triangles, in perspective alone: UsageError for another view, which begins with `what`.
PhotographerPtr photograph(const Mesh& mesh, const PictureSettings& settings, int width,
                           const std::string& what);

// Of a cut through anything.
PhotographerPtr photograph(render::Section section, const PictureSettings& settings, int width);

// How wide each of two pictures side by side is, or one alone.
int width_of_each(const PictureSettings& settings);

// Where write_pictures puts them: the path itself, or NAME-000.png and so on of a turn.
std::vector<std::filesystem::path> picture_files(const PictureSettings& settings,
                                                 const std::filesystem::path& path);

// One picture, or a turn around it. before: beside it. Cancelled as the CancelScope around it is:
// what is begun then is not written.
std::vector<std::filesystem::path> write_pictures(const PictureSettings& settings,
                                                  const std::filesystem::path& path,
                                                  Photographer& now, Photographer* before);

// NAME-003.png: at least `digits` digits, and as many as the last number has, so that names are in
// the order of their numbers.
std::filesystem::path numbered(const std::filesystem::path& path, std::uint64_t number,
                               std::uint64_t last, std::size_t digits);

// A film of pictures, which are gone then unless they are to be kept. Without ffmpeg they stay, and
// a line says so.
struct Film {
  std::vector<std::filesystem::path> files;
  std::string line = {};
};
Film make_film(const std::filesystem::path& film,
               const std::vector<std::filesystem::path>& pictures, bool keep_pictures = false);

}  // namespace scree
