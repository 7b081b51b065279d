// Inside render: OpenGL objects that delete themselves, and programs made of embedded shaders.
#pragma once

#include <epoxy/gl.h>

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

namespace scree::render::gl {

// A name that OpenGL gave us, deleted with its owner.
template <void (*Delete)(GLuint)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(GLuint name) : name_(name) {}
  ~Handle() { reset(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle(Handle&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      name_ = std::exchange(other.name_, 0);
    }
    return *this;
  }
  void reset() {
    if (name_ != 0) Delete(name_);
    name_ = 0;
  }
  GLuint name() const { return name_; }

 private:
  GLuint name_ = 0;
};

inline void delete_texture(GLuint name) { glDeleteTextures(1, &name); }
inline void delete_buffer(GLuint name) { glDeleteBuffers(1, &name); }
inline void delete_framebuffer(GLuint name) { glDeleteFramebuffers(1, &name); }
inline void delete_vertices(GLuint name) { glDeleteVertexArrays(1, &name); }
inline void delete_program(GLuint name) { glDeleteProgram(name); }
inline void delete_shader(GLuint name) { glDeleteShader(name); }
inline void delete_sampler(GLuint name) { glDeleteSamplers(1, &name); }

using Texture = Handle<delete_texture>;
using Buffer = Handle<delete_buffer>;
using Framebuffer = Handle<delete_framebuffer>;
using Vertices = Handle<delete_vertices>;
using Program = Handle<delete_program>;
using Sampler = Handle<delete_sampler>;
using Shader = Handle<delete_shader>;

// Of src/render/shader; empty where there is no such file.
std::string_view embedded_shader(std::string_view name);

// Both are names of embedded files; `defines` are lines that come before them. Error with the
// compiler's words, which name file and line.
Program make_program(std::string_view vertex, std::string_view fragment,
                     const std::string& defines = {});

// How many of all these this thread has made.
std::size_t objects_made();

Buffer make_buffer(const void* data, std::size_t bytes);
Texture make_texture(GLenum target);
Sampler make_sampler();
Framebuffer make_framebuffer();
Vertices make_vertices();

// Error where OpenGL has found fault with something, or has run out of memory.
void check(const char* doing);

// All that was asked for is drawn: a driver takes orders ahead, and would go on with them where a
// person wants to stop. Cancelled there.
void finish_part();

// Keeps the driver busy with a few parts of the work while the next ones are prepared: without a
// GPU, programs are compiled for the first of them while others are drawn. Whoever wants to stop
// waits for the parts that are under way.
class PartsUnderWay {
 public:
  PartsUnderWay() = default;
  PartsUnderWay(const PartsUnderWay&) = delete;
  PartsUnderWay& operator=(const PartsUnderWay&) = delete;
  ~PartsUnderWay();
  void add();  // all that was asked for since the last one

 private:
  void wait_for_oldest();
  std::deque<GLsync> parts_;
};

}  // namespace scree::render::gl
