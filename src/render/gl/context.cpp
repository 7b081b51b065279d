#include "render/gl/context.h"

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "base/addresses.h"
#include "base/error.h"

namespace scree::render {

struct OffscreenContext::Handles {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;

  void use() const { eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context); }

  Handles() = default;
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;
  ~Handles() {
    if (display == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    // The display stays: all contexts of the process share it, and its driver.
  }
};

namespace {

// As OpenGL has it: one a thread.
thread_local OffscreenContext* current_here = nullptr;

constexpr const char* advice = " (on Debian: apt-get install libegl1 libgl1 libgl1-mesa-dri)";

// The loader of functions ends the program where a library is missing: ask first.
void require_library(const char* name) {
  void* library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) throw Error(text("pictures need ", name, ", which is not there", advice));
  dlclose(library);
}

// A driver that runs out of addresses may not come back to say so.
void require_room() {
  constexpr std::size_t megabyte = std::size_t{1} << 20, needed = 1024 * megabyte;
  const std::size_t left = addresses_left();
  if (left == 0 || left >= needed) return;
  throw Error(text("a picture in perspective needs ", needed / megabyte,
                   " MiB of addresses for its driver, and ", left / megabyte,
                   " are left: raise the limit (ulimit -v)"));
}

bool has_word(const char* list, std::string_view word) {
  for (const char* at = list; at != nullptr && *at != 0;) {
    const std::size_t length = std::strcspn(at, " ");
    if (std::string_view(at, length) == word) return true;
    at += length + (at[length] == ' ' ? 1 : 0);
  }
  return false;
}

// Displays that need no window, GPUs before software.
std::vector<EGLDisplay> candidates() {
  const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  std::vector<EGLDisplay> displays;
  const auto add = [&](EGLenum platform, void* native) {
    const EGLDisplay display = eglGetPlatformDisplayEXT(platform, native, nullptr);
    if (display != EGL_NO_DISPLAY) displays.push_back(display);
  };
  if (!has_word(extensions, "EGL_EXT_platform_base")) return displays;
  if (has_word(extensions, "EGL_EXT_device_enumeration") &&
      has_word(extensions, "EGL_EXT_platform_device")) {
    EGLint count = 0;
    eglQueryDevicesEXT(0, nullptr, &count);
    std::vector<EGLDeviceEXT> devices(static_cast<std::size_t>(count));
    eglQueryDevicesEXT(count, devices.data(), &count);
    for (EGLDeviceEXT device : devices) {
      const char* kind = eglQueryDeviceStringEXT(device, EGL_EXTENSIONS);
      if (!has_word(kind, "EGL_MESA_device_software")) add(EGL_PLATFORM_DEVICE_EXT, device);
    }
  }
  if (has_word(extensions, "EGL_MESA_platform_surfaceless"))
    add(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY);
  return displays;
}

EGLContext context_on(EGLDisplay display) {
  if (!eglBindAPI(EGL_OPENGL_API)) return EGL_NO_CONTEXT;
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                               4,
                               EGL_CONTEXT_MINOR_VERSION,
                               5,
                               EGL_CONTEXT_OPENGL_PROFILE_MASK,
                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                               EGL_NONE};
  return eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
}

}  // namespace

OffscreenContext::OffscreenContext() : handles_(std::make_unique<Handles>()) {
  require_room();
  require_library("libEGL.so.1");
  require_library("libGL.so.1");
  for (EGLDisplay display : candidates()) {
    EGLint major = 0, minor = 0;
    if (!eglInitialize(display, &major, &minor)) continue;
    const EGLContext context = context_on(display);
    if (context != EGL_NO_CONTEXT &&
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
      handles_->display = display;
      handles_->context = context;
      device_ = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
      before_ = std::exchange(current_here, this);
      return;
    }
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    eglTerminate(display);
  }
  throw Error(text("pictures need OpenGL 4.5 through EGL without a window, and no driver gives it",
                   advice));
}

OffscreenContext::~OffscreenContext() {
  if (current_here != this) handles_->use();
  kept_.clear();
  handles_.reset();
  if (current_here == this) current_here = before_;
  if (current_here != nullptr) current_here->handles_->use();
}

OffscreenContext* OffscreenContext::current() { return current_here; }

std::shared_ptr<void> OffscreenContext::take_kept() {
  if (kept_.empty()) return nullptr;
  std::shared_ptr<void> last = std::move(kept_.back());
  kept_.pop_back();
  return last;
}

}  // namespace scree::render
