// A run's report as whoever comes later reads it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "render/look/relief.h"

namespace scree {

// A file that a report names.
struct ReportedFile {
  std::filesystem::path path;
  std::string kind;  // as a scene calls it
  std::string name;  // of a field or mask
  std::uint64_t step = 0;
  bool normalised = false;
  std::optional<render::ReliefOptions> tints;
};

// An output of the end that a run has written already, though it is not whole.
struct WrittenEarlier {
  std::string wording;                       // OutputSettings::wording
  std::vector<std::filesystem::path> files;  // in the folder
  std::vector<std::string> lines;
};

// What a report says beside all else where its run is not whole.
struct Unfinished {
  bool cancelled = false;
  std::string checkpoint;  // its name in the folder; resume goes on from it
  // All steps are done, and of the outputs that come then these are missing, and those written.
  bool stepped = false;
  std::vector<std::string> missing = {};               // as the scene calls them
  std::map<std::string, WrittenEarlier> written = {};  // by the same names
};

// A report of that run, which says so; `folder` is the one where it is to lie.
std::string unfinished_report(const std::string& report, const Unfinished& unfinished,
                              const std::filesystem::path& folder);

// Read and parsed once. A file that is not there, or holds no JSON object, is an empty report: who
// needs what it should say gets an Error that names the file.
class FolderReport {
 public:
  explicit FolderReport(std::filesystem::path file);

  const std::filesystem::path& file() const { return file_; }
  bool is_there() const { return is_there_; }
  // Whether it is there and holds a JSON object.
  bool is_read() const { return is_read_; }
  const nlohmann::ordered_json& json() const { return *json_; }

  bool is_of_layers() const;
  bool is_of_voxels() const;
  std::optional<std::uint64_t> steps() const;

  // By field; Error where it has none.
  const nlohmann::ordered_json& hashes() const;
  // Error where it does not say what its files hold; reports of voxels do not.
  bool lists_files() const;
  std::vector<ReportedFile> files() const;
  // The same files by name alone, of any report.
  std::vector<std::filesystem::path> outputs() const;

  // Nothing where the run is whole.
  std::optional<Unfinished> unfinished() const;

 private:
  std::filesystem::path folder() const { return file_.parent_path(); }

  std::filesystem::path file_;
  bool is_there_ = false, is_read_ = false;
  std::shared_ptr<const nlohmann::ordered_json> json_;  // an object
};

// The tints of a run, as look_of() takes them from its outputs.
render::ReliefOptions look_of(const std::vector<ReportedFile>& files);

}  // namespace scree
