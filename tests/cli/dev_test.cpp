// ./dev sets a machine up once: a second call installs, asks and configures nothing. The programs
// that it calls are stand-ins that note how they were called.
#include <chrono>
#include <cstdlib>

#include "program.h"

namespace scree::testing {
namespace {

class Dev : public Cli {
 protected:
  Dev() {
    fs::copy_file(fs::path(SCREE_ROOT) / "dev", path("dev"));
    write("CMakePresets.json", "{}");
    fs::create_directories(path("bin"));
    stand_in("dpkg-query", "echo installed");
    stand_in("apt-get", "exit 1");
    stand_in("cmake",
             "case $* in *--preset*) mkdir -p build/release; touch build/release/build.ninja ;; "
             "esac");
  }
  void stand_in(const std::string& name, const std::string& does) const {
    const std::string file = "bin/" + name;
    write(file,
          "#!/bin/sh\necho \"" + name + " $*\" >>'" + path("calls").string() + "'\n" + does + "\n");
    fs::permissions(path(file), fs::perms::owner_all);
  }
  // What a call of ./dev called, one a line.
  std::string calls_of(const std::string& words) const {
    fs::remove(path("calls"));
    const std::string command = "cd '" + folder().string() + "' && env -u SCREE_SETUP PATH='" +
                                path("bin").string() + "':\"$PATH\" bash ./dev " + words +
                                " >said 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << read("said");
    return read("calls");
  }
};

TEST_F(Dev, ASecondCallDoesNoSetUpWork) {
  const std::string first = calls_of("build");
  EXPECT_TRUE(contains(first, "dpkg-query ")) << first;
  EXPECT_TRUE(contains(first, "cmake --preset release")) << first;
  EXPECT_TRUE(contains(first, "cmake --build ")) << first;
  const std::string second = calls_of("build");
  EXPECT_TRUE(second.starts_with("cmake --build ")) << second;
  EXPECT_EQ(second.find('\n'), second.size() - 1) << second;
}

TEST_F(Dev, WhatChangedIsDoneAgain) {
  calls_of("build");
  // New presets are configured; a new list of packages is looked at; `--again` looks anyway.
  fs::last_write_time(path("CMakePresets.json"),
                      fs::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_TRUE(contains(calls_of("build"), "cmake --preset release"));
  std::string script = read("dev");
  const std::string start = "build_packages=(";
  ASSERT_TRUE(contains(script, start));
  script.insert(script.find(start) + start.size(), "\n  one-more");
  write("dev", script);
  EXPECT_TRUE(contains(calls_of("setup"), "one-more"));
  EXPECT_EQ(calls_of("setup"), "");
  EXPECT_TRUE(contains(calls_of("setup --again"), "one-more"));
}

}  // namespace
}  // namespace scree::testing
