#include "peer.h"

namespace scree::bench {

std::vector<Peer> peers([[maybe_unused]] const std::vector<float>& field, [[maybe_unused]] int n,
                        [[maybe_unused]] int threads) {
  std::vector<Peer> all;
#ifdef SCREE_PEER_VTK
  all.push_back(vtk_peer(field, n, threads));
#endif
#ifdef SCREE_PEER_OPENVDB
  all.push_back(openvdb_peer(field, n, threads));
#endif
  return all;
}

}  // namespace scree::bench
