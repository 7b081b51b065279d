// What a sample keeps of how its ground is drawn. Vertices at the edges of cliffs no wider than a cell lie
// on the curve that the cells follow in steps: how far the place was moved, in half cells. And the slope
// of the triangle, which looked at from afar spans many cells.
struct Drawn {
  vec2 moved;
  float slope;
};

vec4 packed_drawn(Drawn d) { return vec4((32767.0 * d.moved + 32768.0) / 65535.0, d.slope / (1.0 + d.slope), 1.0); }
Drawn unpacked_drawn(vec4 t) { return Drawn((65535.0 * t.xy - 32768.0) / 32767.0, t.z / max(1.0 - t.z, 1e-4)); }
