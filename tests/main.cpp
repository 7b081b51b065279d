// The main of every test program.
#include <gtest/gtest.h>

// Only a build with AddressSanitizer has it.
extern "C" __attribute__((weak)) void __lsan_do_leak_check();  // NOLINT

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  // Now, while all threads are asleep: at the end of the process some are about to end, and the
  // leak checker crashes when one does so while it looks.
  if (__lsan_do_leak_check != nullptr) __lsan_do_leak_check();
  return result;
}
