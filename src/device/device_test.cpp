// Memory, copies and arguments on every device that this machine has.
#include "device/device.h"

#include <gtest/gtest.h>

#include <numeric>
#include <sstream>

#include "base/error.h"
#include "device/cpu/cpu_device.h"
#include "device/field.h"
#include "device/opencl/sources.h"

namespace scree::device {
namespace {

DeviceOptions options_of(const std::string& selector, int threads = 0,
                         const std::string& isa = {}) {
  DeviceOptions options;
  options.selector = selector;
  options.threads = threads;
  options.isa = isa;
  options.inexact = true;
  return options;
}

constexpr Kernel copy_kernel{"copy_field", "kernel/common/bandwidth.h"};

class Devices : public ::testing::TestWithParam<DeviceOptions> {
 protected:
  DevicePtr device = open_device(GetParam());

  BufferPtr buffer_of(const std::vector<int>& values) const {
    BufferPtr buffer = device->allocate(values.size() * sizeof(int));
    device->write(*buffer, 0, values.data(), buffer->bytes());
    return buffer;
  }
  std::vector<int> values_of(const BufferPtr& buffer) const {
    std::vector<int> values(buffer->bytes() / sizeof(int));
    device->read(*buffer, 0, values.data(), buffer->bytes());
    return values;
  }
};

std::vector<int> counted(std::size_t count, int first) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

TEST_P(Devices, MemoryIsZeroAndKeepsWhatIsWritten) {
  // Also where memory of that size was full of something before.
  for (int round = 0; round < 3; ++round) {
    const BufferPtr buffer = device->allocate(1000 * sizeof(int));
    EXPECT_EQ(buffer->bytes(), 1000 * sizeof(int));
    EXPECT_EQ(values_of(buffer), std::vector<int>(1000));
    const std::vector<int> part = counted(10, 5);
    device->write(*buffer, 40, part.data(), 40);
    std::vector<int> expected(1000);
    std::copy(part.begin(), part.end(), expected.begin() + 10);
    EXPECT_EQ(values_of(buffer), expected);
    std::vector<int> back(3);
    device->read(*buffer, 48, back.data(), 12);
    EXPECT_EQ(back, (std::vector<int>{7, 8, 9}));
    device->write(*buffer, 0, counted(1000, 1).data(), buffer->bytes());
  }
  EXPECT_NE(device->allocate(0), nullptr);
}

TEST_P(Devices, AnErrorSaysHowMuchMemoryThereIsNot) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer stops the program itself";
#endif
  try {
    device->allocate(std::size_t{1} << 50);
    FAIL() << "a million gigabytes";
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("not enough memory"), std::string::npos) << what;
    EXPECT_NE(what.find("1073741824 MiB"), std::string::npos) << what;
  }
}

// A rectangle of 2 x 3 values, between buffers of equal and of other row lengths, and within one.
TEST_P(Devices, RowsAreCopied) {
  const BufferPtr from = buffer_of(counted(40, 0));
  const auto copy = [&](const BufferPtr& source, const BufferPtr& to, std::size_t to_columns) {
    device->copy_rows(*source, (1 * 8 + 2) * 4, 8 * 4, *to, (2 * to_columns + 1) * 4,
                      to_columns * 4, 2 * 4, 3);
    return values_of(to);
  };
  for (const std::size_t columns : {std::size_t{8}, std::size_t{5}}) {
    std::vector<int> expected(40, -1);
    for (std::size_t y = 0; y < 3; ++y)
      for (std::size_t x = 0; x < 2; ++x)
        expected[(2 + y) * columns + 1 + x] = static_cast<int>((1 + y) * 8 + 2 + x);
    EXPECT_EQ(copy(from, buffer_of(std::vector<int>(40, -1)), columns), expected) << columns;
  }
  // The rows overlap with those that they go to, one after the other.
  std::vector<int> expected = counted(40, 0);
  for (std::size_t y = 0; y < 3; ++y)
    for (std::size_t x = 0; x < 2; ++x)
      expected[(2 + y) * 8 + 1 + x] = expected[(1 + y) * 8 + 2 + x];
  EXPECT_EQ(copy(from, from, 8), expected);
  device->copy_rows(*from, 0, 32, *from, 0, 32, 0, 5);
  EXPECT_EQ(values_of(from), expected) << "no bytes are no copy";
}

class Copying : public Devices {
 protected:
  const Grid grid = make_grid(5, 3, 1, 1);
  const Range all{0, 0, 5, 3};

  BufferPtr field_of(int first) const { return buffer_of(counted(cells_allocated(grid), first)); }
  void copy(const BufferPtr& from, const BufferPtr& to, const Range& range) const {
    device->run(copy_kernel, range, Arguments().add(grid).add(from).add(to));
  }
  // The interior's, row by row.
  std::vector<int> inner(const BufferPtr& buffer) const {
    const std::vector<int> values = values_of(buffer);
    std::vector<int> found;
    for (int y = 0; y < grid.height; ++y)
      for (int x = 0; x < grid.width; ++x)
        found.push_back(values[static_cast<std::size_t>(cell_index(grid, x, y))]);
    return found;
  }
};

TEST_P(Copying, AKernelVisitsItsRangeAndNoMore) {
  const BufferPtr from = field_of(1000), to = field_of(-9000), before = field_of(-9000);
  copy(from, to, {1, 1, 4, 2});
  std::vector<int> expected = inner(before);
  for (const std::size_t i : {6U, 7U, 8U}) expected[i] = inner(from)[i];
  EXPECT_EQ(inner(to), expected);
  copy(from, to, {2, 2, 2, 3});
  EXPECT_EQ(inner(to), expected) << "an empty range";
}

// A device may remember the arguments of the last call: a buffer that took the place of a freed one
// is another buffer, and a value that changed is another value.
TEST_P(Copying, ANewBufferInTheOldOnesPlaceIsSeen) {
  const BufferPtr to = field_of(0);
  for (int round = 0; round < 8; ++round) {
    const BufferPtr from = field_of(100 * round);
    copy(from, to, all);
    EXPECT_EQ(inner(to), inner(from)) << round;
  }
  const BufferPtr from = field_of(7);
  for (int round = 0; round < 8; ++round) {
    const BufferPtr fresh = field_of(-100 * round);
    copy(from, fresh, all);
    EXPECT_EQ(inner(fresh), inner(from)) << round;
  }
  // Back and forth, as a process that swaps its fields does.
  BufferPtr a = field_of(1), b = field_of(2), c = field_of(3);
  const std::vector<int> expected = inner(c);
  copy(c, a, all);
  for (int round = 0; round < 5; ++round) {
    copy(a, b, all);
    device->write(*a, 0, counted(cells_allocated(grid), -1).data(), a->bytes());
    a.swap(b);
    EXPECT_EQ(inner(a), expected) << round;
  }
  // Another range, then another grid.
  const BufferPtr part = field_of(5000);
  copy(c, part, {0, 0, 1, 1});
  EXPECT_EQ(inner(part)[0], expected[0]);
  EXPECT_EQ(inner(part)[1], inner(field_of(5000))[1]);
  Grid shifted = grid;
  shifted.stride = 16;
  device->run(copy_kernel, {0, 1, 1, 2}, Arguments().add(shifted).add(c).add(part));
  const auto moved = static_cast<std::size_t>(cell_index(shifted, 0, 1));
  EXPECT_EQ(values_of(part)[moved], values_of(c)[moved]);
}

std::vector<DeviceOptions> all_options() {
  std::vector<DeviceOptions> all;
  for (const std::string& isa : usable_isas())
    for (const int threads : {1, 2}) all.push_back(options_of("cpu", threads, isa));
  for (const DeviceInfo& info : list_devices())
    if (info.selector != "cpu") all.push_back(options_of(info.selector));
  return all;
}

std::string name_of(const ::testing::TestParamInfo<DeviceOptions>& info) {
  std::string name = info.param.selector + info.param.isa;
  if (info.param.threads > 0) name += "x" + std::to_string(info.param.threads);
  std::erase(name, ':');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Devices, ::testing::ValuesIn(all_options()), name_of);
INSTANTIATE_TEST_SUITE_P(All, Copying, ::testing::ValuesIn(all_options()), name_of);

TEST(Arguments, KeepTheirOrderAndKind) {
  const DevicePtr device = open_device(options_of("cpu", 1));
  const BufferPtr buffer = device->allocate(16);
  Arguments arguments;
  arguments.add(3.5F).add(buffer).add_unused(buffer).add(7);
  const std::vector<Arguments::Value>& values = arguments.values();
  ASSERT_EQ(values.size(), 4U);
  float real = 0;
  ASSERT_EQ(values[0].bytes.size(), sizeof real);
  std::memcpy(&real, values[0].bytes.data(), sizeof real);
  EXPECT_EQ(real, 3.5F);
  EXPECT_EQ(values[0].buffer, nullptr);
  EXPECT_EQ(values[1].buffer, buffer.get());
  EXPECT_FALSE(values[1].unused);
  EXPECT_EQ(values[2].buffer, buffer.get());
  EXPECT_TRUE(values[2].unused);
  EXPECT_TRUE(values[1].bytes.empty());
  EXPECT_EQ(values[3].bytes.size(), sizeof(int));
}

TEST(OpenDevice, RefusesWhatIsNotThere) {
  const auto error_of = [](const DeviceOptions& options) -> std::string {
    try {
      open_device(options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_of(options_of("gpu")),
            "unknown device 'gpu', expected auto, cpu, opencl or opencl:N");
  EXPECT_EQ(error_of(options_of("opencl:x")), "device 'opencl:x': expected opencl or opencl:N");
  EXPECT_EQ(error_of(options_of("cpu", -1)), "threads: expected 0 (all cores) to 4096, got -1");
  EXPECT_TRUE(
      error_of(options_of("cpu", 1, "v9")).starts_with("instruction set 'v9' is not usable here"));
  EXPECT_TRUE(error_of(options_of("opencl:99")).starts_with("no OpenCL device"));
}

// ---- OpenCL programs

// Where line `wanted` of a program comes from, by its #line marks.
std::string origin(const std::string& program, const std::string& wanted) {
  std::istringstream lines(program);
  std::string file;
  int number = 0;
  for (std::string line; std::getline(lines, line); ++number) {
    if (line == wanted) return file + ":" + std::to_string(number);
    if (!line.starts_with("#line ")) continue;
    number = std::stoi(line.substr(6)) - 1;
    file = line.substr(line.find('"') + 1, line.rfind('"') - line.find('"') - 1);
  }
  return "";
}

// The real place of a line in an embedded source.
std::string place(const std::string& path, const std::string& wanted) {
  std::istringstream lines{std::string(embedded_source(path))};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line == wanted) return "src/" + path + ":" + std::to_string(number);
  }
  return "";
}

TEST(Sources, EveryLineKnowsItsFileAndNumber) {
  const std::string program = assemble_program("kernel/heights/flow.cl");
  const std::pair<const char*, const char*> known[] = {
      {"kernel/common/compat.h", "FN int imin(int a, int b) { return a < b ? a : b; }"},
      {"kernel/heights/flow.h", "FN int floor_of(float value) {"},
      {"kernel/heights/flow_ledger.h", "FN int iabs(int a) { return a < 0 ? -a : a; }"},
      {"kernel/heights/flow.cl", "#define RIGHT 1"}};
  for (const auto& [path, line] : known) {
    EXPECT_NE(place(path, line), "") << line << " is no longer in " << path;
    EXPECT_EQ(origin(program, line), place(path, line));
  }
  // Each file once, whoever includes it.
  EXPECT_EQ(program.find("#line 1 \"src/kernel/common/compat.h\""),
            program.rfind("#line 1 \"src/kernel/common/compat.h\""));
  EXPECT_THROW(assemble_program("kernel/none.h"), Error);
}

// A kernel that cannot be compiled: flow.cl without the macros that say which step it is.
TEST(Sources, ACompilersMessagePointsAtTheRealLine) {
  for (const DeviceInfo& info : list_devices()) {
    if (info.selector == "cpu") continue;
    const DevicePtr device = open_device(options_of(info.selector));
    const Kernel broken{.name = "flow_broken",
                        .program = "kernel/heights/flow.cl",
                        .entry = "flow_step",
                        .defines = "-D FLOW_KIND=undeclared_kind -D FLOW_KNOWN=0 -D FLOW_BOOKED=0"};
    try {
      device->run(broken, {0, 0, 1, 1}, Arguments().add(1));
      ADD_FAILURE() << info.name << " compiles anything";
    } catch (const Error& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find("cannot compile src/kernel/heights/flow.cl"), std::string::npos) << what;
      EXPECT_NE(what.find("undeclared_kind"), std::string::npos) << what;
      const std::string line = place("kernel/heights/flow.cl", "  HANDED(int4, near);");
      ASSERT_NE(line, "");
      EXPECT_NE(what.find(line), std::string::npos) << "expected " << line << " in\n" << what;
    }
  }
}

}  // namespace
}  // namespace scree::device
