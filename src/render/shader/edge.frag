// Edges of triangles, over what is there.
layout(location = 0) out vec4 shaded;

void main() { shaded = vec4(0.012, 0.014, 0.02, 0.62); }
