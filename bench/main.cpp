// The benchmark alone, for machines without the command line's dependencies:
//   scree_bench [--device D]… [--size N]… [--threads N] [--seconds S] [--only TEXT]
//               [--voxels WxHxD] [--steps N]
#include <cstdio>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

#include "base/error.h"
#include "bench.h"

int main(int argc, char** argv) {
  try {
    scree::bench::BenchOptions options;
    for (int i = 1; i < argc; i += 2) {
      const std::string key = argv[i];
      if (i + 1 == argc) throw std::invalid_argument(key + ": expected an option and its value");
      const std::string value = argv[i + 1];
      if (key == "--device")
        options.devices.push_back(value);
      else if (key == "--size")
        options.sizes.push_back(std::stoi(value));
      else if (key == "--seconds")
        options.seconds = std::stod(value);
      else if (key == "--only")
        options.only = value;
      else if (key == "--threads")
        options.threads = std::stoi(value);
      else if (key == "--steps")
        options.steps = std::stoi(value);
      else if (key == "--voxels" && value == "none")
        options.voxels = {};
      else if (key == "--voxels" && std::sscanf(value.c_str(), "%dx%dx%d", options.voxels.data(),
                                                &options.voxels[1], &options.voxels[2]) == 3)
        continue;
      else
        throw std::invalid_argument(scree::text("unknown option or value: ", key, " ", value));
    }
    scree::bench::print_report(scree::bench::run_benchmarks(options, std::cerr), std::cout);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "scree_bench: " << error.what() << '\n';
    return 1;
  }
}
