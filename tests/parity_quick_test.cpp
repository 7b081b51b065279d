// Small and short enough for the sanitizers, which look at every access of every kernel.
#include <gtest/gtest.h>

#include "parity.h"

namespace scree::testing {
namespace {

class QuickParity : public ::testing::TestWithParam<ParityCase> {};

TEST_P(QuickParity, EqualHashesOnEveryBackend) {
  for (const ParitySize& size : parity_sizes())
    if (size.width * size.height < 1000) expect_parity(GetParam(), size, 40);
}

INSTANTIATE_TEST_SUITE_P(Processes, QuickParity, ::testing::ValuesIn(parity_cases()),
                         [](const auto& param_info) { return param_info.param.name; });

}  // namespace
}  // namespace scree::testing
