// The progress bar: never wider than its terminal, gone when the work is done.
#include "print/terminal.h"

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "program.h"

namespace scree::testing {
namespace {

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  }));
}

TEST(ProgressBar, FitsEveryTerminal) {
  for (const bool blocks : {false, true})
    for (int columns = 0; columns < 200; ++columns)
      for (const long long done : {0LL, 1LL, 333LL, 999LL, 1000LL, 5000LL}) {
        const cli::ProgressState state{"steps", done, 1000, 12.5, done == 333};
        EXPECT_LE(width_of(cli::bar_text(state, columns, blocks)),
                  static_cast<std::size_t>(columns));
      }
}

TEST(ProgressBar, ToldAsText) {
  EXPECT_EQ(cli::bar_text({"steps", 50, 100, 10, false}, 60, false),
            "steps  50 % [##########..........] 50/100  10.0/s  0:05 left");
  EXPECT_EQ(cli::line_text({"steps", 50, 100, 10, false}),
            "steps: 50 of 100 (50 %), 10.0/s, 0:05 left");
  EXPECT_EQ(cli::line_text({"steps", 50, 100, 10, true}),
            "steps: 50 of 100 (50 %), 10.0/s, stopping");
  EXPECT_EQ(cli::clock_text(59.2), "1:00");
  EXPECT_EQ(cli::clock_text(3725), "1:02:05");
  EXPECT_EQ(cli::clock_text(86400 * 3), "3 days");
}

TEST(ProgressBar, PaceIsThatOfTheLastSeconds) {
  cli::Pace pace;
  const auto start = cli::Pace::Clock::now();
  const auto after = [&](int seconds) { return start + std::chrono::seconds(seconds); };
  pace.restart(0, start);
  for (int second = 1; second <= 20; ++second) pace.advance(second * 100, after(second));
  for (int second = 21; second <= 40; ++second)
    pace.advance(2000 + (second - 20) * 10, after(second));
  EXPECT_NEAR(pace.per_second(2200, after(40)), 10, 0.5);
}

using OnATerminal = Cli;

// Everything that a terminal of 60 columns is sent while the words run.
std::string on_terminal(const Words& words, const fs::path& folder) {
  winsize size{};
  size.ws_row = 24;
  size.ws_col = 60;
  int master = -1;
  const pid_t child = forkpty(&master, nullptr, nullptr, &size);
  if (child == 0) {
    std::vector<std::string> all = {SCREE_PROGRAM};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> pointers;
    for (std::string& word : all) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::setenv("TERM", "xterm", 1);
    ::setenv("LC_ALL", "C.UTF-8", 1);
    if (::chdir(folder.c_str()) == 0) ::execv(SCREE_PROGRAM, pointers.data());
    ::_exit(127);
  }
  std::string sent;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(master, buffer, sizeof buffer)) > 0;)
    sent.append(buffer, static_cast<std::size_t>(n));
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(master);
  EXPECT_EQ(status, 0) << sent;
  return sent;
}

TEST_F(OnATerminal, BarIsDrawnInPlaceAndRemoved) {
  write_scene("a.toml");
  const std::string sent =
      on_terminal({"run", "a.toml", "--size", "800x800", "--steps", "240"}, folder());
  const std::string erase = "\x1b[K";
  std::size_t frames = 0, at = 0;
  for (std::size_t next = 0; (next = sent.find(erase, at)) != std::string::npos; ++frames) {
    const std::size_t begin = sent.rfind('\r', next);
    ASSERT_NE(begin, std::string::npos);
    EXPECT_LT(width_of(sent.substr(begin + 1, next - begin - 1)), 60U);
    // Nothing but the frame: no line break until the bar is gone.
    EXPECT_TRUE(frames == 0 || begin == at) << sent;
    at = next + erase.size();
  }
  EXPECT_GT(frames, 3U) << sent;
  EXPECT_TRUE(sent.substr(at).starts_with("a  ")) << "the summary follows: " << sent.substr(at);
}

TEST_F(OnATerminal, QuietAndJsonDrawNothing) {
  write_scene("a.toml");
  const std::string quiet =
      on_terminal({"run", "a.toml", "--size", "200x200", "--quiet"}, folder());
  EXPECT_EQ(quiet.find('\x1b'), std::string::npos) << quiet;
  const std::string json = on_terminal({"run", "a.toml", "--size", "200x200", "--json"}, folder());
  EXPECT_TRUE(Json::parse(json, nullptr, false).is_object()) << json;
}

}  // namespace
}  // namespace scree::testing
