// How fast surfaces are extracted, beside what others take on the same data in the same run:
//   scree_bench_surfaces [--size N] [--seconds S] [--device D]
// With a device, that one alone.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "clock.h"
#include "device/parallel.h"
#include "kernel/common/random.h"
#include "peer.h"
#include "surface/blocks/live_mesh.h"
#include "surface/march/marching_cubes.h"

namespace scree::bench {
namespace {

// The shortest of the runs that fit the time, in milliseconds.
double shortest(double seconds, const std::function<void()>& run) {
  run();
  double best = 1e30, all = 0;
  do {
    const auto start = Clock::now();
    run();
    const double once = seconds_since(start);
    best = std::min(best, once), all += once;
  } while (all < seconds);
  return best * 1e3;
}

float lattice_noise(float x, float y, float z) {
  const int xi = static_cast<int>(x), yi = static_cast<int>(y), zi = static_cast<int>(z);
  const auto eased = [](float t) { return t * t * (3 - 2 * t); };
  const auto mixed = [](float a, float b, float t) { return a + (b - a) * t; };
  const float fx = eased(x - static_cast<float>(xi)), fy = eased(y - static_cast<float>(yi)),
              fz = eased(z - static_cast<float>(zi));
  const auto value = [&](int a, int b, int c) {
    return draw(cell_hash(mix_seed(5, static_cast<uint>(zi + c), 1), xi + a, yi + b), 1);
  };
  const auto slice = [&](int c) {
    return mixed(mixed(value(0, 0, c), value(1, 0, c), fx),
                 mixed(value(0, 1, c), value(1, 1, c), fx), fy);
  };
  return mixed(slice(0), slice(1), fz);
}

std::vector<float> noise_field(int n) {
  const auto side = static_cast<std::size_t>(n);
  std::vector<float> field(side * side * side);
  device::parallel_for(side, [&](std::size_t z) {
    for (std::size_t y = 0; y < side; ++y)
      for (std::size_t x = 0; x < side; ++x) {
        const float s = 0.0375F;
        field[(z * side + y) * side + x] = lattice_noise(
            static_cast<float>(x) * s, static_cast<float>(y) * s, static_cast<float>(z) * s);
      }
  });
  return field;
}

std::vector<float> terrain_field(int n) {
  std::vector<float> field(static_cast<std::size_t>(n) * static_cast<std::size_t>(n) *
                           static_cast<std::size_t>(n));
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      const auto u = static_cast<float>(x), v = static_cast<float>(y);
      const float height = static_cast<float>(n) / 2 + 60 * lattice_noise(u * 0.03F, v * 0.03F, 0) +
                           6 * lattice_noise(u * 0.2F, v * 0.2F, 3) - 33;
      for (int z = 0; z < n; ++z)
        field[static_cast<std::size_t>((z * n + y) * n + x)] =
            0.5F + height - static_cast<float>(z);
    }
  return field;
}

void print(const char* field, const std::string& who, std::size_t triangles, double ms) {
  std::printf("| %s | %s | %.2f M | %.2f |\n", field, who.c_str(),
              static_cast<double>(triangles) * 1e-6, ms);
  std::fflush(stdout);
}

void ours(const char* name, const std::vector<float>& field, int n, const std::string& selector,
          int threads, double seconds) {
  device::DeviceOptions options;
  options.selector = selector, options.threads = threads;
  const device::DevicePtr device = device::open_device(options);
  const device::BufferPtr density = device->allocate(field.size() * sizeof field[0]);
  device->write(*density, 0, field.data(), field.size() * sizeof field[0]);
  surface::MarchingCubes mesher(device);
  const surface::Lattice lattice{n, n, n, 1, 1, 1, 0, 0, 0};
  surface::MarchOptions open;
  open.closed = false;
  surface::DeviceMesh mesh;
  const double ms = shortest(seconds, [&] {
    mesh = mesher.extract(lattice, density, open);
    device->finish();
  });
  const std::string where =
      selector == "cpu" && threads > 0 ? std::to_string(threads) + " threads" : device->info().name;
  print(name, "Scree, " + where, mesh.triangles, ms);
}

// Blocks of 16 cells, closed where the volume ends: all at full detail, seen from the middle of the
// volume, and one in a hundred again after a change.
void blocks(const char* name, const std::vector<float>& field, int n, const std::string& selector,
            int threads, double seconds) {
  device::DeviceOptions options;
  options.selector = selector, options.threads = threads;
  const device::DevicePtr device = device::open_device(options);
  const device::BufferPtr density = device->allocate(field.size() * sizeof field[0]);
  device->write(*density, 0, field.data(), field.size() * sizeof field[0]);
  surface::DeviceBlockMesher mesher(device);
  const surface::Lattice lattice{n, n, n, 1, 1, 1, 0, 0, 0};
  surface::BlockGrid grid(lattice);
  const std::string where =
      selector == "cpu" && threads > 0 ? std::to_string(threads) + " threads" : device->info().name;
  const auto measure = [&](const std::string& what, const std::vector<std::size_t>& chosen) {
    surface::DeviceBlocks mesh;
    const double ms = shortest(seconds, [&] {
      mesh = mesher.extract(lattice, grid, chosen, density);
      device->finish();
    });
    print(name, "Scree, " + what + ", " + where, mesh.triangles, ms);
  };
  measure("blocks", grid.all());
  std::vector<std::size_t> few;
  for (std::size_t i = 50; i < grid.count(); i += 100) few.push_back(i);
  measure(std::to_string(few.size()) + " blocks", few);
  grid.set_levels({n / 2.0, n / 2.0, n / 2.0}, 16);
  measure("blocks from afar", grid.all());
}

// One in a hundred blocks changes.
void live(const char* name, const std::vector<float>& field, int n, double seconds) {
  const surface::Lattice lattice{n, n, n, 1, 1, 1, 0, 0, 0};
  surface::LiveMesh mesh(lattice, field.data(), 0.5F);
  std::vector<surface::LiveMesh::Box> boxes;
  const std::size_t wanted = mesh.grid().count() / 100;
  std::size_t triangles = 0;
  for (std::size_t i = 0; i < mesh.grid().count() && boxes.size() < wanted; i += 3) {
    const auto block = mesh.grid().block(i);
    surface::LiveMesh::Box box{};
    for (std::size_t d = 0; d < 3; ++d) {
      box.first[d] = mesh.grid().first_sample(block[d]) + 4;
      box.last[d] = box.first[d] + 7;
    }
    if (mesh.blocks()[i].mesh.triangles.empty() || mesh.grid().in_ring(block)) continue;
    boxes.push_back(box), triangles += mesh.blocks()[i].mesh.triangles.size();
  }
  const double ms = shortest(seconds, [&] { mesh.touch(boxes); });
  print(name,
        "Scree, live, " + std::to_string(boxes.size()) + " of " +
            std::to_string(mesh.grid().count()) + " blocks, all threads",
        triangles, ms);
}

int run(int n, double seconds, const std::string& only) {
  std::printf("| field, %d³ | by | triangles | ms |\n| --- | --- | ---: | ---: |\n", n);
  for (const bool noise : {true, false}) {
    const char* name = noise ? "noise" : "terrain";
    const std::vector<float> field = noise ? noise_field(n) : terrain_field(n);
    if (!only.empty()) {
      ours(name, field, n, only, 0, seconds);
      blocks(name, field, n, only, 0, seconds);
      continue;
    }
    for (const int threads : {1, 2}) {
      ours(name, field, n, "cpu", threads, seconds);
      blocks(name, field, n, "cpu", threads, seconds);
      for (const Peer& peer : peers(field, n, threads)) {
        const double ms = shortest(seconds, peer.run);
        print(name, peer.name + ", " + std::to_string(threads) + " threads", peer.triangles(), ms);
      }
    }
    for (const device::DeviceInfo& info : device::list_devices())
      if (info.is_gpu && info.exact) {
        ours(name, field, n, info.selector, 0, seconds);
        blocks(name, field, n, info.selector, 0, seconds);
      }
    live(name, field, n, seconds);
  }
  return 0;
}

}  // namespace
}  // namespace scree::bench

int main(int argc, char** argv) {
  try {
    int size = 256;
    double seconds = 1;
    std::string only;
    for (int i = 1; i < argc; i += 2) {
      const std::string key = argv[i];
      if (i + 1 == argc) throw std::invalid_argument(key + ": expected an option and its value");
      if (key == "--size")
        size = std::clamp(std::stoi(argv[i + 1]), 8, 1000);
      else if (key == "--seconds")
        seconds = std::stod(argv[i + 1]);
      else if (key == "--device")
        only = argv[i + 1];
      else
        throw std::invalid_argument("unknown option " + key);
    }
    return scree::bench::run(size, seconds, only);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "scree_bench_surfaces: %s\n", error.what());
    return 1;
  }
}
