// Other people's meshers, measured beside ours where they are installed.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace scree::bench {

struct Peer {
  std::string name;
  std::function<void()> run;               // extracts the surface at 0.5, with normals
  std::function<std::size_t()> triangles;  // of the last run
};

std::vector<Peer> peers(const std::vector<float>& field, int n, int threads);

}  // namespace scree::bench
