// Boxes that cannot be are refused before anything is allocated.
#include "terrain/voxels/voxels.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace scree {
namespace {

// Says how much memory it has, and gives none.
class PoorDevice : public device::Device {
 public:
  explicit PoorDevice(std::size_t bytes) : info_{"cpu", "a poor one", "", bytes} {}
  const device::DeviceInfo& info() const override { return info_; }

 protected:
  using Buffer = device::Buffer;
  using Rows = device::Rows;
  device::BufferPtr do_allocate(std::size_t) override { return refuse(); }
  void do_write(Buffer&, const Rows&, const void*) override { refuse(); }
  void do_read(const Buffer&, const Rows&, void*) override { refuse(); }
  device::MappingPtr do_map(const device::BufferPtr&) override { throw std::logic_error("mapped"); }
  void do_copy(const Buffer&, const Rows&, Buffer&, const Rows&) override { refuse(); }
  void do_run(const device::Kernel&, const Range&, const device::Arguments&) override { refuse(); }
  void do_finish() override {}

 private:
  static device::BufferPtr refuse() { throw std::logic_error("asked for memory"); }
  device::DeviceInfo info_;
};

std::string message(std::size_t memory, const VoxelShape& shape, bool meshed) {
  try {
    check_voxels(PoorDevice(memory), shape, meshed);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(VoxelBoxes, AreCheckedAgainstTheDevicesMemory) {
  const VoxelShape shape{512, 512, 256, 1, {}};
  const std::size_t needed = voxel_bytes(shape, true);
  EXPECT_GT(needed, shape.count() * 4);
  EXPECT_EQ(message(needed, shape, true), "accepted");
  EXPECT_EQ(message(0, shape, true), "accepted") << "a device that does not say";
  const std::string refused = message(needed - 1, shape, true);
  EXPECT_NE(refused.find("512 x 512 x 256 voxels need"), std::string::npos) << refused;
  EXPECT_NE(refused.find("MiB, and a poor one has"), std::string::npos) << refused;
  EXPECT_LT(voxel_bytes(shape, false), needed);
  EXPECT_THROW(Voxels(std::make_shared<PoorDevice>(1000), shape, {{"rock", 0, 0, false, {}}}),
               Error);
}

TEST(VoxelBoxes, AndAgainstWhatKernelsAndMeshesHold) {
  EXPECT_NE(message(0, {1280, 1280, 1300, 1, {}}, true).find("2^30"), std::string::npos);
  EXPECT_EQ(message(0, {1280, 1280, 1300, 1, {}}, false), "accepted");
  EXPECT_NE(message(0, {2048, 2048, 512, 1, {}}, false).find("at most"), std::string::npos);
  EXPECT_NE(message(0, {32769, 1, 1, 1, {}}, false).find("32768"), std::string::npos);
}

}  // namespace
}  // namespace scree
