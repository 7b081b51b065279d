// The same bits everywhere: every process and all together, on every backend.
#include "parity.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernel/common/arithmetic.h"

namespace scree::testing {
namespace {

class Parity : public ::testing::TestWithParam<ParityCase> {};

TEST_P(Parity, EqualHashesOnEveryBackend) {
  // Past where a run looks at its deepest water less often. Bits that once differ never agree
  // again, so the largest, which takes most of the time, needs fewer: 100 steps let water gather,
  // run over every seam of blocks and work-groups, and dig.
  static_assert(300 > Simulation::dt_later + Simulation::dt_delay);
  for (const ParitySize& size : parity_sizes())
    expect_parity(GetParam(), size, size.width > 256 ? 100 : 300);
}

// What the kernels stand on: correctly rounded quotients and roots, for every mantissa.
TEST(Arithmetic, InverseAndRootRoundCorrectly) {
  constexpr device::Kernel kernel{"arithmetic", "kernel/common/arithmetic.h"};
  const Range all{0, 0, ARITHMETIC_WIDTH, ARITHMETIC_HEIGHT};
  std::vector<std::int32_t> wrong(std::size_t{ARITHMETIC_WIDTH} * ARITHMETIC_HEIGHT);
  for (const Backend& backend : all_backends()) {
    if (backend.label.ends_with(" x1")) continue;  // threads do not round
    const device::BufferPtr counts = backend.device->allocate(wrong.size() * sizeof wrong[0]);
    for (const float scale : {0x1p-80F, 0x1p-20F, 1.0F, 0x1p+20F, 0x1p+80F}) {
      backend.device->run(kernel, all, device::Arguments().add(scale).add(counts));
      backend.device->read(*counts, 0, wrong.data(), wrong.size() * sizeof wrong[0]);
      EXPECT_EQ(std::count(wrong.begin(), wrong.end(), 0), static_cast<long>(wrong.size()))
          << backend.label << " around " << scale;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Processes, Parity, ::testing::ValuesIn(parity_cases()),
                         [](const auto& param_info) { return param_info.param.name; });

}  // namespace
}  // namespace scree::testing
