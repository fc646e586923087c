// One scene, drawn by several means while the view moves over it: how long does a frame take?
"use strict";

const [WIDTH, HEIGHT, TILE] = [1280, 800, 512];
const stage = document.getElementById("stage");

function canvas(width = WIDTH, height = HEIGHT) {
  const element = document.createElement("canvas");
  [element.width, element.height] = [width, height];
  return element;
}

const toCss = ([r, g, b]) => `rgb(${r * 255} ${g * 255} ${b * 255})`;

/** Draws all that meets a box of the scene, the box's corner at the origin. */
function drawScene(context, scene, left, top, width, height) {
  context.fillStyle = "#b9d3e0";
  context.fillRect(0, 0, width, height);
  context.lineJoin = "round";
  context.setTransform(1, 0, 0, 1, -left, -top);
  for (const land of scene.lands) {
    const [west, north, east, south] = land.box;
    if (west > left + width || east < left || north > top + height || south < top) continue;
    context.fillStyle = toCss(land.fill);
    context.fill(land.path);
    context.strokeStyle = "#8a6f5a";
    context.lineWidth = land.line;
    context.stroke(land.path);
  }
  context.fillStyle = "#6a4f32";
  for (let i = 0; i < scene.points.length; i += 2) {
    const [x, y] = [scene.points[i], scene.points[i + 1]];
    if (x < left - 2 || y < top - 2 || x > left + width + 2 || y > top + height + 2) continue;
    context.beginPath();
    context.arc(x, y, 1.7, 0, Math.PI * 2);
    context.fill();
  }
  context.setTransform(1, 0, 0, 1, 0, 0);
}

/** Names as pictures, made once, as any renderer without text of its own needs them. */
function labelSprites(scene) {
  return scene.labels.map(([x, y, text]) => {
    const sprite = canvas(text.length * 9 + 12, 22);
    const context = sprite.getContext("2d");
    context.font = "italic 14px Georgia, 'DejaVu Serif', serif";
    context.textBaseline = "middle";
    context.lineWidth = 3.4;
    context.strokeStyle = "#fffdf6";
    context.strokeText(text, 4, 11);
    context.fillText(text, 4, 11);
    return { x, y, sprite };
  });
}

function drawLabels(context, labels, left, top) {
  for (const { x, y, sprite } of labels) {
    const [px, py] = [Math.round(x - left), Math.round(y - top)];
    if (px > -200 && py > -30 && px < WIDTH + 10 && py < HEIGHT + 10) context.drawImage(sprite, px, py);
  }
}

const renderers = {
  /** Every land anew in each frame. */
  "canvas, every path in every frame"(scene) {
    const target = canvas();
    stage.append(target);
    const context = target.getContext("2d", { alpha: false });
    const labels = labelSprites(scene);
    return (left, top) => {
      drawScene(context, scene, left, top, WIDTH, HEIGHT);
      drawLabels(context, labels, left, top);
    };
  },

  /** What the page does: tiles are drawn when they come into view, frames are made of them. */
  "canvas, tiles as bitmaps"(scene) {
    const target = canvas();
    stage.append(target);
    const context = target.getContext("2d", { alpha: false });
    const labels = labelSprites(scene);
    const tiles = new Map();
    return (left, top) => {
      for (let y = Math.floor(top / TILE); y * TILE < top + HEIGHT; y += 1) {
        for (let x = Math.floor(left / TILE); x * TILE < left + WIDTH; x += 1) {
          let tile = tiles.get(`${x},${y}`);
          if (!tile) {
            tile = canvas(TILE, TILE);
            drawScene(tile.getContext("2d"), scene, x * TILE, y * TILE, TILE, TILE);
            tiles.set(`${x},${y}`, tile);
          }
          context.drawImage(tile, Math.round(x * TILE - left), Math.round(y * TILE - top));
        }
      }
      drawLabels(context, labels, left, top);
    };
  },

  /** All geometry as triangles in one buffer; the names on a canvas above. */
  "WebGL 2, names on a canvas": (scene) => webGL(scene, true),
  "WebGL 2, without antialiasing": (scene) => webGL(scene, false),
};

function webGL(scene, antialias) {
  const target = canvas();
  const above = canvas();
  stage.append(target, above);
  const gl = target.getContext("webgl2", { antialias, alpha: false });
  if (!gl) throw new Error("no WebGL 2");
  const context = above.getContext("2d");
  const labels = labelSprites(scene);
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, `#version 300 es
      in vec2 place; in vec3 colour; uniform vec2 corner; out vec3 tint;
      void main() {
        vec2 at = (place - corner) / vec2(${WIDTH / 2}.0, ${HEIGHT / 2}.0) - 1.0;
        gl_Position = vec4(at.x, -at.y, 0.0, 1.0); gl_PointSize = 3.4; tint = colour;
      }`],
    [gl.FRAGMENT_SHADER, `#version 300 es
      precision mediump float; in vec3 tint; out vec4 result;
      void main() { result = vec4(tint, 1.0); }`],
  ]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.useProgram(program);
  const numbers = [];
  for (const land of scene.lands) {
    for (const corner of triangles(land.ring)) numbers.push(land.ring[corner * 2], land.ring[corner * 2 + 1], ...land.fill);
    outline(land.ring, land.line / 2, (x, y) => numbers.push(x, y, 0.54, 0.44, 0.35));
  }
  const triangled = numbers.length / 5;
  for (let i = 0; i < scene.points.length; i += 2) numbers.push(scene.points[i], scene.points[i + 1], 0.42, 0.31, 0.2);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.STATIC_DRAW);
  for (const [name, size, offset] of [["place", 2, 0], ["colour", 3, 8]]) {
    const at = gl.getAttribLocation(program, name);
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, size, gl.FLOAT, false, 20, offset);
  }
  const corner = gl.getUniformLocation(program, "corner");
  gl.clearColor(0.725, 0.827, 0.878, 1);
  return (left, top) => {
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniform2f(corner, left, top);
    gl.drawArrays(gl.TRIANGLES, 0, triangled);
    gl.drawArrays(gl.POINTS, triangled, scene.points.length / 2);
    context.clearRect(0, 0, WIDTH, HEIGHT);
    drawLabels(context, labels, left, top);
  };
}

/** The corners of a ring's triangles, by cutting off ears. */
function triangles(ring) {
  const at = (i) => [ring[i * 2], ring[i * 2 + 1]];
  const turn = ([ax, ay], [bx, by], [cx, cy]) => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  const left = [...Array(ring.length / 2).keys()];
  let area = 0;
  for (let i = 0, j = left.length - 1; i < left.length; j = i, i += 1) {
    area += ring[j * 2] * ring[i * 2 + 1] - ring[i * 2] * ring[j * 2 + 1];
  }
  if (area < 0) left.reverse();
  const found = [];
  for (let tries = 0; left.length > 3 && tries < left.length;) {
    const [i, j, k] = [left.at(-1), left[0], left[1]];
    const [a, b, c] = [at(i), at(j), at(k)];
    const isEar = turn(a, b, c) > 0 && !left.slice(2, -1).some((other) => {
      const p = at(other);
      return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
    });
    if (isEar) {
      found.push(i, j, k);
      left.shift();
      tries = 0;
    } else {
      left.push(left.shift());
      tries += 1;
    }
  }
  found.push(...left.slice(0, 3));
  return found;
}

/** A ring's line as two triangles for each of its sides. */
function outline(ring, half, put) {
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    const [ax, ay, bx, by] = [ring[j], ring[j + 1], ring[i], ring[i + 1]];
    const long = Math.hypot(bx - ax, by - ay) || 1;
    const [nx, ny] = [((ay - by) / long) * half, ((bx - ax) / long) * half];
    put(ax + nx, ay + ny); put(ax - nx, ay - ny); put(bx + nx, by + ny);
    put(bx + nx, by + ny); put(ax - nx, ay - ny); put(bx - nx, by - ny);
  }
}

/** Moves over the scene for some seconds; the gaps between frames and the time to get ready. */
async function measure(name, scene, seconds) {
  stage.replaceChildren();
  const begun = performance.now();
  const draw = renderers[name](scene);
  draw(-WIDTH / 2, -HEIGHT / 2);
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  const ready = performance.now() - begun;
  const gaps = [];
  const start = performance.now();
  let last = start;
  for (let frame = 0; last - start < seconds * 1000; frame += 1) {
    const now = await new Promise(requestAnimationFrame);
    if (frame > 0) gaps.push(now - last);
    last = now;
    // Around the middle, 600 pixels a second: by time, so that slow ones cover the same ground.
    const angle = (now - start) / 1000;
    draw(-WIDTH / 2 + Math.sin(angle) * 600, -HEIGHT / 2 + Math.cos(angle * 0.7) * 400 - 400);
  }
  return { ready, gaps };
}

function makeReady(scene) {
  for (const land of scene.lands) {
    land.path = new Path2D();
    const [xs, ys] = [[], []];
    for (let i = 0; i < land.ring.length; i += 2) {
      land.path[i === 0 ? "moveTo" : "lineTo"](land.ring[i], land.ring[i + 1]);
      xs.push(land.ring[i]);
      ys.push(land.ring[i + 1]);
    }
    land.path.closePath();
    land.box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  }
  return scene;
}

globalThis.bench = { names: Object.keys(renderers), measure, makeReady };
