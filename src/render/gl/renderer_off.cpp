// Stands in where the build has no OpenGL.
#include "base/error.h"
#include "render/gl/context.h"
#include "render/gl/renderer.h"

namespace scree::render {
namespace {

[[noreturn]] void refuse() {
  throw Error("this scree was built without pictures in perspective (SCREE_RENDER=OFF)");
}

}  // namespace

struct OffscreenContext::Handles {};
OffscreenContext::OffscreenContext() { refuse(); }
OffscreenContext::~OffscreenContext() = default;
OffscreenContext* OffscreenContext::current() { return nullptr; }
std::shared_ptr<void> OffscreenContext::take_kept() { refuse(); }

struct Renderer::Parts {};
Renderer::Renderer() { refuse(); }
Renderer::~Renderer() = default;
void Renderer::show(const Ground& /*ground*/, const Look& /*look*/) { refuse(); }
void Renderer::show(const Mesh& /*mesh*/, const Look& /*look*/, std::span<const WaterOn> /*wet*/,
                    const Mesh* /*coarse*/, const Sawn* /*sawn*/) {
  refuse();
}
bool Renderer::change_look(const Look& /*look*/) { refuse(); }
bool Renderer::change_water(std::span<const WaterOn> /*water*/) { refuse(); }
void Renderer::change_water(const Ground& /*ground*/) { refuse(); }
const Made& Renderer::made() const { refuse(); }
void Renderer::show_edges(bool /*shown*/) { refuse(); }
void Renderer::take_parts_of(int /*pixels*/) { refuse(); }
View Renderer::view_of(const Camera& /*camera*/, int /*width*/, int /*height*/) const { refuse(); }
Vec3 Renderer::place_of(int /*column*/, int /*row*/) const { refuse(); }
Vec3 Renderer::place_of(Vec3 /*point*/) const { refuse(); }
void Renderer::draw(const Camera& /*camera*/, const Target& /*target*/, int /*samples*/) {
  refuse();
}
Picture Renderer::read(const Target& /*target*/) { refuse(); }
Picture Renderer::take(const Camera& /*camera*/, int /*width*/, int /*height*/, int /*samples*/) {
  refuse();
}

bool can_render() { return false; }

}  // namespace scree::render
