// An OpenGL context without a window: on a GPU, or on Mesa's software where there is none.
#pragma once

#include <memory>
#include <string>

namespace scree::render {

class OffscreenContext {
 public:
  // Current on this thread until it is destroyed. Error where there is no EGL, or no OpenGL 4.5.
  OffscreenContext();
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;

  const std::string& device() const { return device_; }  // as the driver calls it

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
  std::string device_;
};

}  // namespace scree::render
