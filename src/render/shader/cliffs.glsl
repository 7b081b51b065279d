// Vertices at the edges of cliffs no wider than a cell lie on the curve that the cells follow in steps:
// how far a place of the ground was moved to where it is drawn, in half cells, as a sample keeps it.
vec2 packed_move(vec2 halves) { return (32767.0 * halves + 32768.0) / 65535.0; }
vec2 unpacked_move(vec2 share) { return (65535.0 * share - 32768.0) / 32767.0; }
