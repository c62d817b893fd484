// Shaders. Positions come about the centre of their mesh; where that stands, less where the eye is, is worked out from two
// floats each, so that nothing trembles far from the origin. Normals come from the picture itself: facets are shown as they
// are, since they are what was tested.
const PARTS_VERTEX = `#version 300 es
precision highp float;
precision highp int;
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
layout(location = 2) in uint part;
uniform highp sampler2D poses;
uniform sampler2D looks;
uniform mat4 toClip;
uniform vec3 eyeHigh, eyeLow;
uniform float between;
uniform int pass; // 0: opaque parts, 1: see-through ones, 2: all
uniform float nearer;
out vec3 position; // about the eye
flat out vec4 look;
flat out uint id;
flat out float turned;
void main() {
  int i = int(part) * 4;
  ivec2 at = ivec2(i & 1023, i >> 10);
  vec4 x = texelFetch(poses, at, 0), y = texelFetch(poses, at + ivec2(1, 0), 0), z = texelFetch(poses, at + ivec2(2, 0), 0),
    low = texelFetch(poses, at + ivec2(3, 0), 0);
  vec3 p = mix(from, to, between);
  position = vec3(dot(x.xyz, p), dot(y.xyz, p), dot(z.xyz, p)) + ((vec3(x.w, y.w, z.w) - eyeHigh) + (low.xyz - eyeLow));
  look = texelFetch(looks, ivec2(int(part) & 1023, int(part) >> 10), 0);
  turned = low.w;
  id = part;
  bool drawn = look.a > 0.0 && (pass == 2 || (look.a > 0.99) == (pass == 0));
  gl_Position = drawn ? toClip * vec4(position, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  gl_Position.z -= nearer * gl_Position.w;
  gl_PointSize = 3.0;
}`;

const PARTS_FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
in vec3 position;
flat in vec4 look;
flat in uint id;
flat in float turned;
uniform vec4 cut; // normal and distance from the eye
uniform bool cutting;
uniform vec3 up, light;
uniform int pass, shape; // shape 0: faces, 1: edges, 2: points
uniform float ghost, ghostLight;
uniform vec3 edge;
out vec4 colour;
void main() {
  if (cutting && dot(cut.xyz, position) > cut.w) discard;
  if (shape == 1) { colour = pass == 0 ? vec4(mix(look.rgb * 0.35, edge, 0.4), 0.75) : vec4(mix(look.rgb * 0.5, vec3(1.0), ghostLight), ghost * 0.9); return; }
  if (shape == 2) { colour = vec4(look.rgb, pass == 0 ? 1.0 : ghost); return; }
  vec3 eye = normalize(-position), n = normalize(cross(dFdx(position), dFdy(position)));
  if (!(dot(n, n) > 0.5)) n = eye;
  if (dot(n, eye) < 0.0) n = -n;
  float facing = dot(n, eye), sky = 0.5 + 0.5 * dot(n, up), sun = max(dot(n, light), 0.0);
  vec3 c = look.rgb * (0.30 + 0.24 * sky + 0.28 * facing + 0.30 * sun);
  c += 0.06 * pow(max(dot(reflect(-light, n), eye), 0.0), 24.0);
  if (cutting && gl_FrontFacing != (turned > 0.0)) {
    float stripes = step(0.5, fract((gl_FragCoord.x + gl_FragCoord.y) / 9.0));
    c = look.rgb * mix(0.42, 0.55, stripes);
  }
  if (pass == 1) c = mix(c, vec3(1.0), ghostLight);
  colour = vec4(c, pass == 0 ? 1.0 : ghost * mix(0.3, 1.0, pow(1.0 - facing, 1.5)));
}`;

const PICK_FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
in vec3 position;
flat in vec4 look;
flat in uint id;
flat in float turned;
uniform vec4 cut;
uniform bool cutting;
out uvec4 picked;
void main() {
  if (cutting && dot(cut.xyz, position) > cut.w) discard;
  picked = uvec4(id + 1u, floatBitsToUint(position));
}`;

// Lines of any width: each is a rectangle on the screen, cut at the near side; a line without length is a dot.
const LINES_VERTEX = `#version 300 es
precision highp float;
layout(location = 0) in vec3 a;
layout(location = 1) in vec3 b;
uniform mat4 toClip;
uniform vec3 origin; // about the eye
uniform vec2 screen; // pixels
uniform float width, nearer;
out vec2 along; // pixels along the line and across it
out float reach;
out vec3 position;
void main() {
  vec4 p = toClip * vec4(origin + a, 1.0), q = toClip * vec4(origin + b, 1.0);
  float least = 1e-5 * max(abs(p.w), abs(q.w)) + 1e-30;
  if (p.w < least && q.w < least) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  float cutP = p.w < least ? (least - p.w) / (q.w - p.w) : 0.0, cutQ = q.w < least ? (least - q.w) / (p.w - q.w) : 0.0;
  vec4 p2 = mix(p, q, cutP), q2 = mix(q, p, cutQ);
  vec2 s = p2.xy / p2.w * screen * 0.5, t = q2.xy / q2.w * screen * 0.5, d = t - s;
  float l = length(d);
  vec2 e = l > 1e-3 ? d / l : vec2(1.0, 0.0), n = vec2(-e.y, e.x);
  bool end = (gl_VertexID & 1) == 1;
  float side = (gl_VertexID & 2) == 2 ? 1.0 : -1.0, half_ = width * 0.5 + 1.0;
  vec4 c = end ? q2 : p2;
  vec2 at = (end ? t + e * half_ : s - e * half_) + n * side * half_;
  along = vec2(end ? l + half_ : -half_, side * half_);
  reach = l;
  position = origin + (end ? mix(b, a, cutQ) : mix(a, b, cutP));
  gl_Position = vec4(at / (screen * 0.5) * c.w, c.z - nearer * c.w, c.w);
}`;

const LINES_FRAGMENT = `#version 300 es
precision highp float;
in vec2 along;
in float reach;
in vec3 position;
uniform vec4 colour_;
uniform float width;
uniform vec4 cut;
uniform bool cutting;
out vec4 colour;
void main() {
  if (cutting && dot(cut.xyz, position) > cut.w) discard;
  float off = length(vec2(along.x - clamp(along.x, 0.0, reach), along.y));
  float cover = clamp(width * 0.5 + 0.5 - off, 0.0, 1.0);
  if (cover <= 0.0) discard;
  colour = vec4(colour_.rgb, colour_.a * cover);
}`;

function compile(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(program));
  const at = {};
  for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
    const { name } = gl.getActiveUniform(program, i);
    at[name] = gl.getUniformLocation(program, name);
  }
  return { program, at };
}
