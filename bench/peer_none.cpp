#include "peer.h"

namespace scree::bench {

std::vector<Peer> peers(const std::vector<float>& /*field*/, int /*n*/, int /*threads*/) {
  return {};
}

}  // namespace scree::bench
