#include "program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

namespace scree::testing {
namespace {

std::string contents(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// What a program says is kept outside the folder that its test looks at.
fs::path new_file(const char* what) {
  static std::atomic<int> count{0};
  return fs::temp_directory_path() /
         ("scree-cli-" + std::to_string(::getpid()) + "-" + std::to_string(count++) + "." + what);
}

}  // namespace

Running::Running(const Words& words, const fs::path& folder)
    : out_(new_file("out")), err_(new_file("err")) {
  std::vector<std::string> all = {SCREE_PROGRAM};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> pointers;
  for (std::string& word : all) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const int flags = O_CREAT | O_WRONLY | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out_.c_str(), flags, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err_.c_str(), flags, 0600);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  if (posix_spawn(&process_, SCREE_PROGRAM, &actions, nullptr, pointers.data(), environ) != 0)
    ADD_FAILURE() << "cannot start " << SCREE_PROGRAM;
  posix_spawn_file_actions_destroy(&actions);
}

Running::~Running() {
  if (!ended_) {
    send(SIGKILL);
    wait();
  }
  std::error_code ignored;
  fs::remove(out_, ignored);
  fs::remove(err_, ignored);
}

void Running::send(int signal) const {
  if (!ended_ && process_ > 0) ::kill(process_, signal);
}

void Running::take(int status) {
  ended_ = true;
  if (WIFEXITED(status)) outcome_.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome_.signal = WTERMSIG(status);
  outcome_.out = contents(out_);
  outcome_.err = contents(err_);
}

bool Running::ended() {
  int status = 0;
  if (!ended_ && ::waitpid(process_, &status, WNOHANG) == process_) take(status);
  return ended_;
}

bool Running::leaves(const fs::path& in, const std::string& ending) {
  const auto found = [&] {
    std::error_code none_yet;
    for (const fs::directory_entry& entry : fs::directory_iterator(in, none_yet))
      if (entry.path().string().ends_with(ending)) return true;
    return false;
  };
  for (int i = 0; i < 6000 && !ended(); ++i) {
    if (found()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return found();
}

Outcome Running::wait() {
  int status = 0;
  if (!ended_ && ::waitpid(process_, &status, 0) == process_) take(status);
  return outcome_;
}

Cli::Cli() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  folder_ = fs::temp_directory_path() /
            ("scree-cli-" + std::string(test->name()) + "-" + std::to_string(::getpid()));
  fs::remove_all(folder_);
  fs::create_directories(folder_);
}

Cli::~Cli() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Outcome Cli::scree(const Words& words) const { return Running(words, folder_).wait(); }

void Cli::write(const std::string& name, const std::string& bytes) const {
  std::ofstream(path(name), std::ios::binary) << bytes;
}

std::string Cli::read(const std::string& name) const { return contents(path(name)); }

void Cli::write_scene(const std::string& name, const std::string& more) const {
  write(name, R"([scene]
seed = 7
steps = 40

[terrain]
size = [48, 40]
cell = "10 m"
generate = { kind = "ridged", relief = 300 }

[water]
rain = "30 mm/h"

[hydraulic]

[thermal]
)" + more);
}

Json Cli::hashes(const std::string& folder) const {
  const Json report = Json::parse(read(folder + "/report.json"), nullptr, false);
  EXPECT_TRUE(report.is_object() && report.contains("hashes")) << folder;
  return report.is_object() ? report.value("hashes", Json()) : Json();
}

std::vector<std::string> Cli::files() const {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_))
    names.push_back(fs::relative(entry.path(), folder_).string());
  std::sort(names.begin(), names.end());
  return names;
}

Json MeshCli::mesh(const Words& more) const {
  Words words = {"mesh", "--json"};
  words.insert(words.end(), more.begin(), more.end());
  const Outcome outcome = scree(words);
  expect_success(outcome);
  const Json answer = outcome.json();
  EXPECT_EQ(answer.value("bytes", std::uintmax_t{0}),
            fs::file_size(path(answer.value("file", "nothing"))));
  return answer;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string data_file(const std::string& name) {
  return (fs::path(SCREE_TEST_DATA) / name).string();
}

void expect_failure(const Outcome& outcome, int code, const Words& parts) {
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.code, code) << outcome.err << outcome.out;
  EXPECT_TRUE(outcome.err.starts_with("scree: ")) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  for (const std::string& part : parts)
    EXPECT_NE(outcome.err.find(part), std::string::npos)
        << "no '" << part << "' in " << outcome.err;
}

void expect_success(const Outcome& outcome) {
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
}

}  // namespace scree::testing
