// Files of triangles.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/mesh.h"

namespace scree::io {

// By the name's ending: .obj, .ply (binary), .stl (binary), .glb. The file appears whole or not at
// all. Throws where the ending is unknown, there is no triangle, a vertex is not finite or an index
// has no vertex. OBJ, PLY and STL keep z up; GLB has y up, as glTF wants. Equal meshes of one name
// give equal bytes.
void write_mesh(const std::string& path, const Mesh& mesh);

// Levels of detail of one surface, finest first, in one .glb: nodes NAME_LOD0, NAME_LOD1, ... after
// the file. The first is the scene and names the others (extension MSFT_lod), so that a reader that
// does not know the extension shows the finest. Other endings are a UsageError.
void write_mesh_levels(const std::string& path, std::span<const Mesh> levels);

// The shape in a file of the same endings: positions and triangles, z up (OBJ, PLY and STL as they
// are, GLB turned), and the vertices' colours of all but STL; faces of more corners become fans. A
// GLB's nodes are put where its scene puts them, levels of detail beyond the first left out. Text
// and binary files, either byte order.
Mesh read_mesh(const std::string& path);

// What a name's ending promises.
bool holds_levels(const std::string& path);
bool holds_colours(const std::string& path);
bool has_y_up(const std::string& path);

// The endings that write_mesh knows, ".obj" first.
const std::vector<std::string>& mesh_endings();

// Before a mesh is made for it: UsageError where the ending is unknown, Error where this build
// cannot write it.
void check_mesh_name(const std::string& path);

}  // namespace scree::io
