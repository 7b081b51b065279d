// A file may include headers of its own folder and of those that its target uses, by what the
// CMakeLists.txt files say. The compiler does not see to that: all headers lie under one src/.
#include "rooms.h"

#include <gtest/gtest.h>

#include "io/file/atomic_file.h"
#include "io/file/io_test.h"

namespace scree::testing {
namespace {

namespace fs = std::filesystem;

// Includes that lead upwards today; whoever mends one takes it off.
const std::vector<std::string> known = {};

TEST(Rooms, FilesIncludeOnlyWhatTheirTargetUses) {
  const IncludeReport report = check_includes(SCREE_ROOT, known);
  for (const IncludeFault& fault : report.faults)
    ADD_FAILURE() << fault.file << ": " << fault.header << " " << fault.why;
  for (const std::string& cycle : report.cycles)
    ADD_FAILURE() << "targets include each other: " << cycle;
  // Fewer would mean that the test looks in the wrong place.
  EXPECT_GT(report.files, 400);
  EXPECT_GT(report.includes, 1500);
}

// A house of three floors with a sub-folder that is a target of its own, and one that is not.
class Made : public ::testing::Test {
 protected:
  Made() {
    put("src/low/CMakeLists.txt", "scree_library(low SOURCES low.cpp)");
    put("src/low/low.h", "#pragma once\n");
    put("src/low/deep/inner.h", "#include \"low/low.h\"\n");
    put("src/middle/CMakeLists.txt",
        "# USES top\nset(below low)\nscree_library(\n  middle SOURCES m.cpp\n  USES ${below}\n)");
    put("src/middle/middle.h", "#include \"low/deep/inner.h\"\n");
    put("src/middle/part/CMakeLists.txt", "scree_library(middle_part SOURCES p.cpp USES low)");
    put("src/middle/part/part.h", "#include \"low/low.h\"\n");
    put("src/top/CMakeLists.txt",
        "scree_library(top SOURCES t.cpp USES middle TEST_LINKS scree_middle_part)");
    put("src/top/top.h", "#include \"middle/middle.h\"\n#include \"low/low.h\"\n");
    put("src/top/top_test.cpp", "#include \"middle/part/part.h\"\n");
    put("apps/app/CMakeLists.txt",
        "add_executable(scree main.cpp)\ntarget_link_libraries(scree PRIVATE scree_top)");
    put("apps/app/words.h", "#pragma once\n");
    put("apps/app/main.cpp", "#include \"words.h\"\n#include \"low/low.h\"\n");
  }
  void put(const std::string& name, const std::string& bytes) const {
    fs::create_directories((folder_ / name).parent_path());
    io::write_file(folder_ / name, bytes);
  }
  IncludeReport report(const std::vector<std::string>& but = {}) const {
    return check_includes(folder_.path(), but);
  }
  // The only fault, as "FILE: HEADER WHY".
  std::string fault() const {
    const IncludeReport found = report();
    if (found.faults.size() != 1) return std::to_string(found.faults.size()) + " faults";
    return found.faults[0].file + ": " + found.faults[0].header + " " + found.faults[0].why;
  }

 private:
  io::testing::TemporaryFolder folder_;
};

TEST_F(Made, WhatIsUsedMayBeIncluded) {
  EXPECT_EQ(report().faults.size(), 0U);
  EXPECT_EQ(report().cycles.size(), 0U);
  EXPECT_EQ(report().files, 8);
  EXPECT_EQ(report().includes, 8);
}

TEST_F(Made, WhatIsAboveMayNot) {
  put("src/low/low.cpp", "  #  include \"middle/middle.h\"\n");
  EXPECT_EQ(fault(),
            "src/low/low.cpp: middle/middle.h is of scree_middle, which scree_low does not use");
  EXPECT_EQ(report().cycles, std::vector<std::string>{"scree_low, scree_middle, scree_low"});
  EXPECT_EQ(report({"src/low: middle/middle.h"}).faults.size(), 0U);
  EXPECT_EQ(report({"src/low: middle/middle.h"}).cycles.size(), 0U);
  EXPECT_EQ(report({"src/low: middle/middle.h", "src/low: top/top.h"}).faults.size(), 1U);
}

TEST_F(Made, ATargetInASubFolderIsNotItsParent) {
  put("src/middle/m.cpp", "#include \"middle/part/part.h\"\n");
  EXPECT_EQ(fault(),
            "src/middle/m.cpp: middle/part/part.h is of scree_middle_part, which scree_middle does "
            "not use");
}

TEST_F(Made, WhatATestLinksIsForTestsAlone) {
  put("src/top/t.cpp", "#define SCREE_DEF \"middle/part/p.def\"\n#include SCREE_DEF\n");
  put("src/middle/part/p.def", "REAL()\n");
  EXPECT_EQ(fault(),
            "src/top/t.cpp: middle/part/p.def is of scree_middle_part, which scree_top does not "
            "use");
}

TEST_F(Made, CyclesAreFoundThoughTargetsUseEachOther) {
  put("src/low/CMakeLists.txt", "scree_library(low SOURCES low.cpp USES top)");
  put("src/low/low.cpp", "#include \"top/top.h\"\n");
  const IncludeReport found = report();
  EXPECT_EQ(found.faults.size(), 0U);
  EXPECT_EQ(found.cycles, (std::vector<std::string>{"scree_low, scree_top, scree_low",
                                                    "scree_low, scree_top, scree_middle, "
                                                    "scree_low"}));
}

TEST_F(Made, TwoTargetsOfOneFileHaveFoldersOfTheirOwn) {
  put("src/low/CMakeLists.txt",
      "scree_library(low SOURCES low/a.cpp)\nscree_library(deep SOURCES deep/b.cpp)");
  put("src/low/deep/b.cpp", "#include \"low/deep/inner.h\"\n");
  put("src/low/low/a.cpp", "#include \"low/deep/inner.h\"\n");
  const IncludeReport found = report();
  const bool told =
      std::any_of(found.faults.begin(), found.faults.end(), [](const IncludeFault& fault) {
        return fault.file == "src/low/low/a.cpp" &&
               fault.why == "is of scree_deep, which scree_low does not use";
      });
  EXPECT_TRUE(told);
}

TEST_F(Made, AHeaderThatIsNowhereIsTold) {
  put("src/low/low.cpp", "#include \"low/gone.h\"\n");
  EXPECT_EQ(fault(), "src/low/low.cpp: low/gone.h is not there, or in the folder of no target");
}

}  // namespace
}  // namespace scree::testing
