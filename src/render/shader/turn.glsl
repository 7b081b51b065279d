// For fragments: a number from 0 to 1 that differs between neighbouring samples, so that few looks of
// each seem many (Jimenez 2014).
float turn_here() {
  vec2 at = gl_FragCoord.xy + vec2(project_right.w, project_up.w);
  return fract(52.9829189 * fract(dot(at, vec2(0.06711056, 0.00583715))));
}
