#include "run/folder_report.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "io/file/atomic_file.h"

namespace scree {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

render::ReliefOptions tints_of(const Json& entry) {
  render::ReliefOptions tints;
  const auto palette = render::palettes().find(entry.at("palette").get<std::string>());
  if (palette != render::palettes().end()) tints.palette = palette->second;
  tints.show_water = entry.at("water").get<bool>();
  tints.tint_low = entry.at("tint_low").get<double>();
  tints.tint_high = entry.at("tint_high").get<double>();
  tints.water_film = entry.at("water_film").get<double>();
  tints.water_deep = entry.at("water_deep").get<double>();
  return tints;
}

ReportedFile file_of(const Json& entry, const fs::path& folder) {
  ReportedFile file;
  file.path = folder / entry.at("file").get<std::string>();
  file.kind = entry.at("kind").get<std::string>();
  file.step = entry.at("step").get<std::uint64_t>();
  file.name = entry.value("name", "");
  if (entry.contains("palette")) file.tints = tints_of(entry);
  file.normalised = entry.value("normalised", false);
  return file;
}

// The texts in a list, whatever else is in it.
std::vector<std::string> texts_in(const Json& report, const char* key) {
  std::vector<std::string> texts;
  const auto list = report.find(key);
  if (list == report.end() || !list->is_array()) return texts;
  for (const Json& one : *list)
    if (one.is_string()) texts.push_back(one.get<std::string>());
  return texts;
}

std::string text_at(const Json& report, const char* key) {
  const auto found = report.find(key);
  return found != report.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

FolderReport::FolderReport(fs::path file) : file_(std::move(file)) {
  std::error_code error;
  is_there_ = fs::exists(file_, error);
  Json json;
  if (is_there_) try {
      json = Json::parse(io::read_file(file_), nullptr, false);
    } catch (const Error&) {
      // Whoever needs what it says is told why it cannot be read.
    }
  is_read_ = json.is_object();
  json_ = std::make_shared<const Json>(is_read_ ? std::move(json) : Json::object());
}

bool FolderReport::is_of_layers() const { return text_at(*json_, "terrain") == "layers"; }

// Reports have said so by three numbers before they said it by name.
bool FolderReport::is_of_voxels() const {
  const auto size = json_->find("size");
  return size != json_->end() && size->size() == 3;
}

std::optional<std::uint64_t> FolderReport::steps() const {
  const auto steps = json_->find("steps");
  if (steps == json_->end() || !steps->is_number_unsigned()) return {};
  return steps->get<std::uint64_t>();
}

const Json& FolderReport::hashes() const {
  if (!is_read_) io::read_file(file_);  // says why it cannot be read
  const auto hashes = json_->find("hashes");
  if (hashes == json_->end() || !hashes->is_object())
    throw Error(text(file_.string(), ": expected a report of scree with \"hashes\""));
  return *hashes;
}

bool FolderReport::lists_files() const { return json_->contains("files"); }

std::vector<ReportedFile> FolderReport::files() const {
  if (!is_read_) io::read_file(file_);
  try {
    std::vector<ReportedFile> files;
    for (const Json& entry : json_->at("files")) files.push_back(file_of(entry, folder()));
    return files;
  } catch (const Json::exception&) {
    throw Error(text(file_.string(),
                     ": expected a report of this scree, whose \"files\" have file, kind and step; "
                     "name the raster itself"));
  }
}

std::vector<fs::path> FolderReport::outputs() const {
  std::vector<fs::path> paths;
  for (const std::string& name : texts_in(*json_, "outputs")) paths.push_back(folder() / name);
  return paths;
}

std::optional<Unfinished> FolderReport::unfinished() const {
  const Json& report = *json_;
  if (!report.contains("cancelled") && !report.contains("missing")) return {};
  Unfinished unfinished;
  unfinished.cancelled = report.contains("cancelled");
  unfinished.checkpoint = text_at(report, "checkpoint");
  unfinished.stepped = report.contains("missing");
  unfinished.missing = texts_in(report, "missing");
  const auto written = report.find("written");
  if (written == report.end() || !written->is_object()) return unfinished;
  for (const auto& [name, entry] : written->items()) {
    if (!entry.is_object()) continue;
    WrittenEarlier& earlier = unfinished.written[name];
    earlier.wording = text_at(entry, "wording");
    for (const std::string& file : texts_in(entry, "files"))
      earlier.files.push_back(folder() / file);
    earlier.lines = texts_in(entry, "lines");
  }
  return unfinished;
}

std::string unfinished_report(const std::string& report, const Unfinished& unfinished,
                              const fs::path& folder) {
  Json json = Json::parse(report);
  if (unfinished.cancelled) json["cancelled"] = true;
  if (!unfinished.checkpoint.empty()) json["checkpoint"] = unfinished.checkpoint;
  if (unfinished.stepped) {
    json["missing"] = unfinished.missing;
    Json written = Json::object();
    for (const auto& [name, earlier] : unfinished.written) {
      Json files = Json::array();
      for (const fs::path& file : earlier.files)
        files.push_back(file.lexically_relative(folder).generic_string());
      written[name] = {{"wording", earlier.wording}, {"files", files}, {"lines", earlier.lines}};
    }
    json["written"] = written;
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

render::ReliefOptions look_of(const std::vector<ReportedFile>& files) {
  render::ReliefOptions look;
  for (const char* kind : {"picture", "relief"})
    for (const ReportedFile& file : files)
      if (file.kind == kind && file.tints) look = *file.tints;
  return look;
}

}  // namespace scree
