#include "render/gl/gl.h"

#include <algorithm>
#include <regex>
#include <vector>

#include "base/error.h"
#include "base/progress.h"

namespace scree::render::gl {
namespace {

// A shader's text with what it includes, each once. `#line` says which file a line is from: GLSL
// knows no names, and drivers mix up numbers of files, so lines of the second begin at 10001.
class Source {
 public:
  Source(std::string_view name, const std::string& defines) {
    text_ = "#version 450 core\n" + defines;
    add(name);
  }

  const std::string& text() const { return text_; }

  // "0:12(3): error: …" or "0(12) : error: …" as the drivers say it, with the file's name.
  std::string named(const std::string& message) const {
    static const std::regex place(R"((^|\n)\d+[:(](\d+)\)?)");
    std::string result;
    auto from = message.cbegin();
    for (std::smatch match; std::regex_search(from, message.cend(), match, place);
         from = match.suffix().first) {
      const std::size_t line = std::stoul(match[2]), file = line / lines_a_file;
      result += match.prefix().str() + match[1].str() + "src/render/shader/" +
                (file < files_.size() ? files_[file] : "?") + scree::text(":", line % lines_a_file);
    }
    return result + std::string(from, message.cend());
  }

 private:
  void add(std::string_view name) {
    if (std::find(files_.begin(), files_.end(), name) != files_.end()) return;
    const std::size_t file = files_.size();
    files_.emplace_back(name);
    std::string_view rest = embedded_shader(name);
    if (rest.empty()) throw Error(scree::text("shader ", name, ": not in this program"));
    text_ += scree::text("#line ", file * lines_a_file + 1, "\n");
    for (std::size_t line = 1; !rest.empty(); ++line) {
      const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
      const std::string_view words = rest.substr(0, end);
      rest.remove_prefix(end);
      constexpr std::string_view include = "#include \"";
      if (!words.starts_with(include)) {
        text_ += words;
        continue;
      }
      const std::string_view from = words.substr(include.size());
      add(from.substr(0, from.find('"')));
      text_ += scree::text("#line ", file * lines_a_file + line + 1, "\n");
    }
  }

  static constexpr std::size_t lines_a_file = 10000;
  std::vector<std::string> files_;
  std::string text_;
};

thread_local std::size_t made_here = 0;

std::string log_of(GLuint name, void (*length_of)(GLuint, GLenum, GLint*),
                   void (*read)(GLuint, GLsizei, GLsizei*, GLchar*)) {
  GLint length = 0;
  length_of(name, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(std::max(length, 1)), ' ');
  GLsizei written = 0;
  read(name, length, &written, log.data());
  log.resize(static_cast<std::size_t>(written));
  return log;
}

Shader compiled(GLenum kind, std::string_view file, const std::string& defines) {
  const Source source(file, defines);
  Shader shader(glCreateShader(kind));
  const char* words = source.text().c_str();
  glShaderSource(shader.name(), 1, &words, nullptr);
  glCompileShader(shader.name());
  GLint good = 0;
  glGetShaderiv(shader.name(), GL_COMPILE_STATUS, &good);
  if (!good)
    throw Error(text(
        "shader ", file, ": ",
        source.named(log_of(
            shader.name(), [](GLuint n, GLenum w, GLint* v) { glGetShaderiv(n, w, v); },
            [](GLuint n, GLsizei s, GLsizei* l, GLchar* t) { glGetShaderInfoLog(n, s, l, t); }))));
  return shader;
}

}  // namespace

Program make_program(std::string_view vertex, std::string_view fragment,
                     const std::string& defines) {
  const Shader first = compiled(GL_VERTEX_SHADER, vertex, defines);
  const Shader second = compiled(GL_FRAGMENT_SHADER, fragment, defines);
  Program program(glCreateProgram());
  ++made_here;
  glAttachShader(program.name(), first.name());
  glAttachShader(program.name(), second.name());
  glLinkProgram(program.name());
  GLint good = 0;
  glGetProgramiv(program.name(), GL_LINK_STATUS, &good);
  if (!good)
    throw Error(text(
        "shaders ", vertex, " and ", fragment, ": ",
        log_of(
            program.name(), [](GLuint n, GLenum w, GLint* v) { glGetProgramiv(n, w, v); },
            [](GLuint n, GLsizei s, GLsizei* l, GLchar* t) { glGetProgramInfoLog(n, s, l, t); })));
  return program;
}

std::size_t objects_made() { return made_here; }

Buffer make_buffer(const void* data, std::size_t bytes) {
  GLuint name = 0;
  glCreateBuffers(1, &name);
  ++made_here;
  glNamedBufferStorage(name, static_cast<GLsizeiptr>(std::max<std::size_t>(bytes, 1)), data,
                       GL_DYNAMIC_STORAGE_BIT);
  return Buffer(name);
}

Texture make_texture(GLenum target) {
  GLuint name = 0;
  glCreateTextures(target, 1, &name);
  ++made_here;
  return Texture(name);
}

Sampler make_sampler() {
  GLuint name = 0;
  glCreateSamplers(1, &name);
  ++made_here;
  return Sampler(name);
}

Framebuffer make_framebuffer() {
  GLuint name = 0;
  glCreateFramebuffers(1, &name);
  ++made_here;
  return Framebuffer(name);
}

Vertices make_vertices() {
  GLuint name = 0;
  glCreateVertexArrays(1, &name);
  ++made_here;
  return Vertices(name);
}

void check(const char* doing) {
  const GLenum error = glGetError();
  if (error == GL_NO_ERROR) return;
  if (error == GL_OUT_OF_MEMORY)
    throw Error(text("picture: the graphics driver has no memory left while ", doing,
                     "; take fewer pixels"));
  throw Error(text("picture: OpenGL error ", error, " while ", doing));
}

void finish_part() {
  glFinish();
  stop_if_cancelled();
}

PartsUnderWay::~PartsUnderWay() {
  while (!parts_.empty()) wait_for_oldest();
}

void PartsUnderWay::add() {
  constexpr std::size_t most = 8;
  parts_.push_back(glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
  glFlush();
  if (parts_.size() > most) wait_for_oldest();
  stop_if_cancelled();
}

void PartsUnderWay::wait_for_oldest() {
  constexpr GLuint64 second = 1'000'000'000;
  GLenum done = GL_TIMEOUT_EXPIRED;
  while (done == GL_TIMEOUT_EXPIRED)
    done = glClientWaitSync(parts_.front(), GL_SYNC_FLUSH_COMMANDS_BIT, second);
  glDeleteSync(parts_.front());
  parts_.pop_front();
}

}  // namespace scree::render::gl
