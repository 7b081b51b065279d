#include "frame.glsl"

layout(location = 0) out float depth;

void main() { depth = eye.w / gl_FragCoord.z; }
