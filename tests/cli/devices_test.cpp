// Which device runs: SCREE_ISA and --inexact.
#include <cstdlib>

#include "program.h"

namespace scree::testing {
namespace {

// A variable that programs started meanwhile see.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Environment() { ::unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

class Device : public Cli {
 protected:
  Outcome run(const std::string& device, const std::string& out, const Words& more = {}) const {
    Words words{"run", "a.toml", "--steps", "5", "--device", device, "-o", out, "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return scree(words);
  }
  // "cpu: AMD EPYC (v4, 2 threads)"
  std::string device_of(const std::string& out) const {
    const Json report = Json::parse(read(out + "/report.json"), nullptr, false);
    return report.is_object() ? report.value("device", Json()).dump() : "no report";
  }
};

TEST_F(Device, IsaIsChosenByTheEnvironment) {
  write_scene("a.toml");
  expect_success(run("cpu", "best"));
  int usable = 0;
  for (const std::string isa : {"v2", "v3", "v4"}) {
    const Environment wish("SCREE_ISA", isa);
    const Outcome outcome = run("cpu", isa);
    if (outcome.code != 0) {
      expect_failure(outcome, 2, {"instruction set '" + isa + "'", "expected one of"});
      continue;
    }
    ++usable;
    EXPECT_NE(device_of(isa).find(isa), std::string::npos) << device_of(isa);
    EXPECT_EQ(hashes(isa), hashes("best")) << isa;
  }
  EXPECT_GE(usable, device_of("best").find("plain") == std::string::npos ? 1 : 0);
}

TEST_F(Device, AnIsaThatIsNoneIsOneLine) {
  write_scene("a.toml");
  const Environment wish("SCREE_ISA", "v9");
  expect_failure(run("cpu", "x"), 2,
                 {"SCREE_ISA", "instruction set 'v9'", "expected one of", "v2"});
  expect_failure(scree({"devices"}), 2, {"SCREE_ISA", "'v9'"});
}

TEST_F(Device, InexactChangesNothingOnADeviceThatIsExact) {
  write_scene("a.toml");
  expect_success(run("cpu", "plain"));
  expect_success(run("cpu", "inexact", {"--inexact"}));
  EXPECT_EQ(hashes("inexact"), hashes("plain"));
}

#if defined(SCREE_INEXACT_LAYER)
TEST_F(Device, ThatRoundsCarelesslyIsRefusedUnlessAskedFor) {
  write_scene("a.toml");
  const Json exact = scree({"devices", "--json"}).json();
  ASSERT_GE(exact["devices"].size(), 2U) << "no OpenCL device (pocl-opencl-icd is one)";
  const Environment layer("OPENCL_LAYERS", SCREE_INEXACT_LAYER);
  if (scree({"devices", "--json"}).json() == exact)
    GTEST_SKIP() << "this OpenCL loader knows no layers";
  expect_failure(run("opencl:0", "refused"), 1, {"round", "--inexact"});
  EXPECT_FALSE(fs::exists(path("refused/report.json")));
  expect_success(run("opencl:0", "accepted", {"--inexact"}));
  EXPECT_NE(device_of("accepted").find("opencl:0"), std::string::npos) << device_of("accepted");
  // Never chosen by itself.
  expect_success(run("auto", "automatic", {"--inexact"}));
  EXPECT_NE(device_of("automatic").find("cpu"), std::string::npos) << device_of("automatic");
}
#endif

}  // namespace
}  // namespace scree::testing
