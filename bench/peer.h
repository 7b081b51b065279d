// Other people's meshers, measured beside ours where they are installed.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace scree::bench {

struct Peer {
  std::string name;
  std::function<void()> run;               // extracts the surface at 0.5, with normals if it can
  std::function<std::size_t()> triangles;  // of the last run
};

// All that this build has. A field of n x n x n, x fastest, which must outlive them.
std::vector<Peer> peers(const std::vector<float>& field, int n, int threads);

// peer_vtk.cpp and peer_openvdb.cpp, where they are installed.
Peer vtk_peer(const std::vector<float>& field, int n, int threads);
Peer openvdb_peer(const std::vector<float>& field, int n, int threads);

}  // namespace scree::bench
