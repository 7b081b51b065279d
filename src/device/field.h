// A named, typed 2-D array on a device, with a halo. Kernels read the front and write the back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/device.h"

namespace scree::device {

enum class FieldType { int32, float32 };

// What to choose instead of a size of which only this share fits, for messages.
std::string smaller_size(int width, int height, double share);

// The shape all fields of a terrain share.
Grid make_grid(int width, int height, double dx, double dy);
std::size_t cells_allocated(const Grid& grid);

class Field {
 public:
  // double_buffered: a pass reads neighbours' old values and writes new ones.
  Field(Device& device, const Grid& grid, std::string name, FieldType type, bool double_buffered);

  const std::string& name() const { return name_; }
  FieldType type() const { return type_; }
  const BufferPtr& front() const { return front_; }
  const BufferPtr& back() const { return back_; }
  bool double_buffered() const { return back_ != front_; }
  void swap() { front_.swap(back_); }
  std::size_t bytes() const;

  // The interior, row-major. T is std::int32_t or float and must match the type.
  template <class T>
  std::vector<T> download(Device& device, const Grid& grid) const;
  template <class T>
  void upload(Device& device, const Grid& grid, const std::vector<T>& values);
  // The same of some of its cells, row by row; to both buffers, so that the next step finds them
  // in whichever it reads.
  template <class T>
  std::vector<T> download(Device& device, const Grid& grid, const Range& cells) const;
  template <class T>
  void write(Device& device, const Grid& grid, const Range& cells, const std::vector<T>& values);
  // Zeroes both buffers, halo included.
  void clear(Device& device);
  void fill(Device& device, const Grid& grid, float value);
  void fill(Device& device, const Grid& grid, std::int32_t value);

 private:
  template <class T>
  void check_type() const;
  void check_count(const Range& cells, std::size_t count) const;

  std::string name_;
  FieldType type_;
  BufferPtr front_;
  BufferPtr back_;
};

}  // namespace scree::device
