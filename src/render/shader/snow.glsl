// Snow: how much of it has stayed, and what still looks out of it.
struct Snow {
  float cover;  // share of a sample
  float deep;   // 0 a dusting, 1 what hides the form of the ground
};

// How much lies there, 0 none, 1 all that can. level: height as a share of the palette's. hollow: 0 a
// crest, 0.5 even ground, 1 a hollow. broad: noise of stretches, about 0.5.
float snow_amount(float level, float hollow, float broad, float slope, vec3 normal) {
  // More falls and stays the higher it is; wind takes it from crests and leaves it in hollows; the
  // sun takes it from the slopes that it faces.
  float turned = dot(normal.xy, sun.xy) / max(length(sun.xy), 1e-4);
  float above = level - rock_warm.w - 0.03;
  float amount = 4.3 * above + 2.0 * max(hollow - 0.5, -0.12) * smoothstep(-0.2, 0.05, above) + 0.9 * (broad - 0.5) - 0.22 * turned;
  // It slides off what is steep, all at once off walls.
  amount = min(amount, 1.1) - 0.5 * smoothstep(0.5, 1.3, slope) - smoothstep(1.1, 1.9, slope);
  return rock_warm.w > 1.0 ? -1.0 : amount;
}

// Stones look out of it until it is deeper than they are high; on a slope there are more of them.
// lie: the slope of the ground around. grain: heights of the stones, 0 to 1. footprint: of a sample.
Snow snow_on(float amount, float lie, float grain, float footprint) {
  Snow snow;
  float stones = mix(0.35, 1.0, smoothstep(0.25, 0.8, lie)) * (grain - 0.15);
  float edge = clamp(0.04 + 0.08 * footprint / cells.z, 0.04, 0.2);
  snow.cover = smoothstep(-edge, edge, amount - stones + 0.12);
  snow.deep = smoothstep(0.1, 0.75, amount - 0.5 * stones);
  return snow;
}
