// The views of `render`, of whatever a file holds.
#pragma once

#include "commands/commands.h"
#include "commands/render_input.h"
#include "render/look/view_choice.h"

namespace scree::cli {

// Everything about the view that was typed.
render::ViewChoice parse_view(const RenderArguments& arguments);

// As render::settle_range, where the view is of a field of heights or layers.
void settle_range(const RenderInput& input, render::ViewChoice& view);

// Of whatever the input is; solid: of layers. UsageError for a view that it does not have. Its
// heights are the photographer's then, unless a field may be made of them.
PhotographerPtr photograph(RenderInput& input, const PictureSettings& settings,
                           const SolidOutput& solid, int width);

}  // namespace scree::cli
