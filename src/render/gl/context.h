// An OpenGL context without a window: on a GPU, or on Mesa's software where there is none.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace scree::render {

class OffscreenContext {
 public:
  // Current on this thread until it is destroyed; then the one before it is again. Error where
  // there is no EGL, or no OpenGL 4.5.
  OffscreenContext();
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;

  // The one that is current on this thread, if any.
  static OffscreenContext* current();

  // What is costly to make on it and can be used again; it goes with the context. The last that was
  // kept, or nothing.
  void keep(std::shared_ptr<void> thing) { kept_.push_back(std::move(thing)); }
  std::shared_ptr<void> take_kept();

  const std::string& device() const { return device_; }  // as the driver calls it

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
  std::string device_;
  OffscreenContext* before_ = nullptr;
  std::vector<std::shared_ptr<void>> kept_;
};

}  // namespace scree::render
