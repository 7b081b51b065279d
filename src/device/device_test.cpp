// Memory, copies and arguments on every device that this machine has.
#include "device/device.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <numeric>
#include <sstream>
#include <thread>

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

// A stretch of rows as it is in a plain copy of the buffer.
struct Piece {
  Rows rows;
  std::size_t first, pitch, width;  // the same in values
  std::vector<int> read_from(const std::vector<int>& plain) const {
    std::vector<int> values;
    for (std::size_t r = 0; r < rows.count; ++r)
      for (std::size_t x = 0; x < width; ++x) values.push_back(plain[first + r * pitch + x]);
    return values;
  }
  void write_to(std::vector<int>& plain, const std::vector<int>& values) const {
    for (std::size_t i = 0; i < values.size(); ++i)
      plain[first + i / width * pitch + i % width] = values[i];
  }
};

// Any rectangle of a buffer of so many rows, none of them whole, or all; rows may go on into the
// next, where the buffer does not end.
Piece any_piece(std::size_t columns, std::size_t lines) {
  const auto below = [](std::size_t most) { return *rc::gen::inRange<std::size_t>(0, most); };
  Piece piece{};
  piece.pitch = columns;
  piece.first = below(columns * lines);
  piece.width = 1 + below(std::min(columns, columns * lines - piece.first));
  const std::size_t room = (columns * lines - piece.first - piece.width) / columns;
  piece.rows = {piece.first * 4, columns * 4, piece.width * 4, 1 + below(room + 1)};
  return piece;
}

TEST_P(Devices, AnyRowsAreReadAndWrittenAsOnAPlainCopy) {
  EXPECT_TRUE(rc::check([&] {
    const auto columns = *rc::gen::inRange<std::size_t>(1, 40);
    const auto lines = *rc::gen::inRange<std::size_t>(1, 20);
    std::vector<int> plain = counted(columns * lines, 1000);
    const BufferPtr buffer = buffer_of(plain);
    for (int round = 0; round < 3; ++round) {
      const Piece piece = any_piece(columns, lines);
      std::vector<int> found(piece.width * piece.rows.count);
      device->read_rows(*buffer, piece.rows, found.data());
      RC_ASSERT(found == piece.read_from(plain));
      const std::vector<int> values = counted(found.size(), -5000 * (round + 1));
      device->write_rows(*buffer, piece.rows, values.data());
      piece.write_to(plain, values);
      RC_ASSERT(values_of(buffer) == plain);
    }
    const BufferPtr other = device->allocate(buffer->bytes());
    const Piece part = any_piece(columns * lines, 1);
    device->copy(*buffer, part.rows.offset, *other, part.rows.offset, part.rows.bytes);
    std::vector<int> expected(plain.size());
    part.write_to(expected, part.read_from(plain));
    RC_ASSERT(values_of(other) == expected);
  }));
}

TEST_P(Devices, RowsThatAreNotThereAreRefused) {
  const BufferPtr buffer = buffer_of(counted(40, 0));
  std::vector<int> values(40, 7);
  const auto refused = [&](const Rows& rows) {
    EXPECT_THROW(device->read_rows(*buffer, rows, values.data()), Error);
    EXPECT_THROW(device->write_rows(*buffer, rows, values.data()), Error);
    EXPECT_THROW(device->copy_rows(*buffer, rows.offset, rows.pitch, *buffer, rows.offset,
                                   rows.pitch, rows.bytes, rows.count),
                 Error);
  };
  refused({132, 32, 8, 2});
  refused({0, 32, 36, 5});
  refused({0, 8, 12, 2});
  refused(Rows::stretch(0, 164));
  device->write_rows(*buffer, {0, 32, 0, 5}, values.data());
  device->write_rows(*buffer, {0, 32, 8, 0}, values.data());
  EXPECT_EQ(values_of(buffer), counted(40, 0));
  device->write_rows(*buffer, {128, 32, 32, 1}, values.data());
  EXPECT_EQ(values_of(buffer)[39], 7);
}

TEST_P(Devices, AMappingShowsWhatCallsBeforeItLeft) {
  BufferPtr buffer = buffer_of(counted(1000, 3));
  const auto shown = [](const Mapping& mapping) {
    std::vector<int> values(mapping.bytes() / sizeof(int));
    std::memcpy(values.data(), mapping.data(), mapping.bytes());
    return values;
  };
  MappingPtr mapping = device->map(buffer);
  EXPECT_EQ(shown(*mapping), counted(1000, 3));
  mapping.reset();
  device->write(*buffer, 0, counted(1000, -7).data(), 4000);
  mapping = device->map(buffer);
  EXPECT_EQ(shown(*mapping), counted(1000, -7));
  const BufferPtr copied = device->allocate(4000);
  device->copy(*buffer, 0, *copied, 0, 4000);
  buffer.reset();
  EXPECT_EQ(shown(*mapping), counted(1000, -7)) << "it keeps its buffer";
  EXPECT_EQ(shown(*device->map(copied)), counted(1000, -7));
  EXPECT_EQ(device->map(device->allocate(0))->bytes(), 0U);
  if (device->info().selector == "cpu") {
    const BufferPtr here = device->allocate(16);
    EXPECT_EQ(device->map(here)->data(), device->map(here)->data()) << "the memory itself";
  }
}

// The words of the error that a call makes; none where there is none.
std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_P(Devices, AThreadThatDoesNotOwnItIsRefused) {
  const BufferPtr buffer = buffer_of(counted(4, 0));
  const PendingReadPtr pending = device->read_later(buffer);
  int value = 0;
  const std::vector<std::function<void()>> calls = {
      [&] { device->allocate(4); },
      [&] { device->write(*buffer, 0, &value, 4); },
      [&] { device->read(*buffer, 0, &value, 4); },
      [&] {
        device->write_rows(*buffer, {0, 8, 4, 1}, &value);
      },
      [&] {
        device->read_rows(*buffer, {0, 8, 4, 1}, &value);
      },
      [&] { device->read_later(buffer); },
      [&] { pending->wait(&value, 4); },
      [&] { device->map(buffer); },
      [&] { device->copy(*buffer, 0, *buffer, 8, 4); },
      [&] { device->copy_rows(*buffer, 0, 4, *buffer, 8, 4, 4, 1); },
      [&] {
        device->run(copy_kernel, {0, 0, 0, 0}, {});
      },
      [&] { device->finish(); }};
  const auto all_by_another = [&] {
    std::vector<std::string> said;
    std::thread([&] {
      for (const auto& call : calls) said.push_back(refusal(call));
    }).join();
    return said;
  };
  const std::string expected = "device " + device->info().selector +
                               ": called from a thread that does not own it: expected the one "
                               "that opened it, or that took it over";
  EXPECT_EQ(all_by_another(), std::vector<std::string>(calls.size(), expected));
  for (const auto& call : calls) EXPECT_EQ(refusal(call), "");
  // Handed over, and back.
  std::thread([&] {
    device->take_over();
    for (const auto& call : calls) EXPECT_EQ(refusal(call), "");
  }).join();
  EXPECT_EQ(refusal(calls.front()), expected);
  device->take_over();
  EXPECT_EQ(refusal(calls.front()), "");
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

// Some cells of a field, beside a plain copy of its interior; the halo stays as it is.
TEST_P(Copying, SomeCellsOfAFieldAreReadAndWrittenInBothItsBuffers) {
  EXPECT_TRUE(rc::check([&] {
    const int width = *rc::gen::inRange(1, 40), height = *rc::gen::inRange(1, 20);
    const Grid shape = make_grid(width, height, 1, 1);
    Field field(*device, shape, "bed", FieldType::int32, true);
    const std::vector<int> before = counted(cells_allocated(shape), 1000);
    device->write(*field.front(), 0, before.data(), field.front()->bytes());
    device->write(*field.back(), 0, before.data(), field.back()->bytes());
    Range cells{};
    cells.x0 = *rc::gen::inRange(0, width), cells.x1 = *rc::gen::inRange(cells.x0, width) + 1;
    cells.y0 = *rc::gen::inRange(0, height), cells.y1 = *rc::gen::inRange(cells.y0, height) + 1;
    const auto count = static_cast<std::size_t>((cells.x1 - cells.x0) * (cells.y1 - cells.y0));
    const std::vector<int> values = counted(count, -9000);
    field.write(*device, shape, cells, values);
    std::vector<int> expected = before;
    for (int y = cells.y0, i = 0; y < cells.y1; ++y)
      for (int x = cells.x0; x < cells.x1; ++x, ++i)
        expected[static_cast<std::size_t>(cell_index(shape, x, y))] =
            values[static_cast<std::size_t>(i)];
    RC_ASSERT(values_of(field.front()) == expected);
    RC_ASSERT(values_of(field.back()) == expected);
    RC_ASSERT(field.download<int>(*device, shape, cells) == values);
  }));
}

TEST_P(Copying, CellsThatAFieldDoesNotHaveAreRefused) {
  Field field(*device, grid, "bed", FieldType::int32, false);
  for (const Range& cells :
       {Range{-1, 0, 2, 2}, Range{0, 0, 6, 1}, Range{0, 2, 1, 4}, Range{3, 0, 2, 1}})
    EXPECT_THROW(field.download<int>(*device, grid, cells), Error);
  EXPECT_THROW(field.download<float>(*device, grid, all), Error);
  EXPECT_THROW(field.write(*device, grid, {0, 0, 2, 2}, std::vector<int>(3)), Error);
}

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
