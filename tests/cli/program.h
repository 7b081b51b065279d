// Runs the program as a person would: words in, exit code and text out. Each test has a folder of
// its own, removed at its end.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace scree::testing {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

struct Outcome {
  int code = -1;   // exit code
  int signal = 0;  // that ended it, if one did
  std::string out;
  std::string err;

  Json json() const { return Json::parse(out, nullptr, false); }
};

// A program that runs meanwhile; killed if the test forgets it.
class Running {
 public:
  Running(const Words& words, const fs::path& folder);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  void send(int signal) const;
  bool ended();
  Outcome wait();
  // Waits until the folder is there and holds a file that ends so; false where the program ended,
  // or took long, without one.
  bool leaves(const fs::path& in, const std::string& ending);

 private:
  void take(int status);

  pid_t process_ = -1;
  bool ended_ = false;
  fs::path out_, err_;
  Outcome outcome_;
};

class Cli : public ::testing::Test {
 public:
  Cli();
  ~Cli() override;
  Cli(const Cli&) = delete;
  Cli& operator=(const Cli&) = delete;

 protected:
  // In this test's folder.
  Outcome scree(const Words& words) const;
  fs::path path(const std::string& name) const { return folder_ / name; }
  const fs::path& folder() const { return folder_; }
  void write(const std::string& name, const std::string& bytes) const;
  std::string read(const std::string& name) const;
  // A small scene that uses every part of the engine that runs in a moment.
  void write_scene(const std::string& name, const std::string& more = {}) const;
  Json hashes(const std::string& folder) const;
  // Every path below, relative, sorted.
  std::vector<std::string> files() const;

 private:
  fs::path folder_;
};

// `scree mesh`.
class MeshCli : public Cli {
 protected:
  // The answer of a call that succeeds; the file that it names is as long as it says.
  Json mesh(const Words& more) const;
};

bool contains(const std::string& text, const std::string& part);
std::string data_file(const std::string& name);

// Code, exactly one line on stderr that begins with "scree: " and holds each of the parts.
void expect_failure(const Outcome& outcome, int code, const Words& parts);
void expect_success(const Outcome& outcome);

}  // namespace scree::testing
