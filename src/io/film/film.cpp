#include "io/film/film.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "base/error.h"
#include "io/file/atomic_file.h"

namespace scree::io {
namespace {

// The program and our end of what it reads.
class Filmer {
 public:
  explicit Filmer(const std::filesystem::path& path) {
    std::array<int, 2> ends{};
    // A socket, since a program that stops reading must not end us by a signal.
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
      throw Error(text("ffmpeg: ", std::strerror(errno)));
    ours_ = ends[0];
    said_.reset(std::tmpfile());
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (said_)
      posix_spawn_file_actions_adddup2(&actions, fileno(said_.get()), STDERR_FILENO);
    else
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    // A name with a colon would be a protocol.
    std::vector<std::string> words = {"ffmpeg",
                                      "-y",
                                      "-loglevel",
                                      "error",
                                      "-f",
                                      "image2pipe",
                                      "-framerate",
                                      "25",
                                      "-i",
                                      "-",
                                      "-vf",
                                      "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                      "-pix_fmt",
                                      "yuv420p",
                                      "-movflags",
                                      "+faststart",
                                      "file:" + path.string()};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int failed =
        posix_spawnp(&process_, "ffmpeg", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (failed != 0) {
      process_ = 0;
      close(ours_);
      throw Error(text("ffmpeg: ", std::strerror(failed)));
    }
  }
  ~Filmer() { finish(); }
  Filmer(const Filmer&) = delete;
  Filmer& operator=(const Filmer&) = delete;

  // False where the program reads no more.
  bool add(const std::string& bytes) const {
    for (std::size_t sent = 0; sent < bytes.size();) {
      const ssize_t n = send(ours_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      sent += static_cast<std::size_t>(n);
    }
    return true;
  }

  // Whether it ended well.
  bool finish() {
    if (process_ == 0) return false;
    close(ours_);
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

  // The last line that it has said, if any, with what leads to it.
  std::string last_words() const {
    if (!said_) return {};
    std::rewind(said_.get());
    std::string last, line;
    for (int c = std::fgetc(said_.get()); c != EOF; c = std::fgetc(said_.get())) {
      if (c == '\n' || c == '\r')
        line.clear();
      else
        last = line += static_cast<char>(c);
    }
    return last.empty() ? last : ": " + last;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> said_{nullptr, std::fclose};
  int ours_ = -1;
  pid_t process_ = 0;
};

}  // namespace

bool can_film() {
  const char* path = std::getenv("PATH");
  std::string folders = path != nullptr ? path : "";
  for (std::size_t from = 0; from <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', from), folders.size());
    const std::string program = folders.substr(from, end - from) + "/ffmpeg";
    if (end > from && access(program.c_str(), X_OK) == 0) return true;
    from = end + 1;
  }
  return false;
}

void write_film(const std::filesystem::path& path,
                const std::vector<std::filesystem::path>& pictures) {
  if (!can_film())
    throw Error(text(path.string(), ": a film needs ffmpeg, which is not installed"));
  const std::filesystem::path part =
      path.parent_path() / (path.stem().string() + ".part" + path.extension().string());
  Filmer filmer(part);
  bool taken = true;
  for (const std::filesystem::path& picture : pictures)
    taken = taken && filmer.add(read_file(picture));
  std::error_code error;
  if (!filmer.finish() || !taken || !std::filesystem::exists(part, error)) {
    std::filesystem::remove(part, error);
    throw Error(text(path.string(), ": ffmpeg failed", filmer.last_words(), "; its ",
                     pictures.size(), " pictures are from ", pictures.front().string(), " on"));
  }
  std::filesystem::rename(part, path, error);
  if (error) throw Error(text(path.string(), ": ", error.message()));
}

}  // namespace scree::io
