// Drawing for layers in tiles: paths, boxes and breadths of lands, hatching, files, and glowing points.
import { boxOfRings, fillAndStroke } from "./geo.js";
import { fileType, inkOn } from "./palette.js";

/** Rings, or open lines, as a path; `px` is pixels per unit. */
export function pathOf(rings, px, isClosed = true) {
  const path = new Path2D();
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      if (i === 0) path.moveTo(ring[0] * px, ring[1] * px);
      else path.lineTo(ring[i] * px, ring[i + 1] * px);
    }
    if (isClosed) path.closePath();
  }
  return path;
}

/** The drawn extent of a land, as rings in tile units. */
export function outlineOf(land) { return land.drawn ?? land.outline ?? land.rings; }

/** The box around it, cached. */
export function outlineBox(land) { return (land.outlineBox ??= boxOfRings(outlineOf(land))); }

/** The breadth of a land in page pixels; if its tile lacks it, that of its part here. */
export function breadthIn(land, { entry, size, px, ratio }) {
  if (land.breadth !== undefined) return (land.breadth * size * 2 ** entry.z) / ratio;
  const [west, north, east, south] = outlineBox(land);
  return (Math.min(east - west, south - north) * px) / ratio;
}

/** Hatches a path, `step` pixels between lines; `box` is around it, in pixels. */
export function hatch(context, path, [west, north, east, south], { colour, alpha, width, step, isRising = false }) {
  context.save();
  context.clip(path);
  context.strokeStyle = colour;
  context.globalAlpha = alpha;
  context.lineWidth = width;
  context.beginPath();
  const height = south - north;
  for (let x = Math.floor((west - height) / step) * step; x < east; x += step) {
    context.moveTo(x, isRising ? south : north);
    context.lineTo(x + height, isRising ? north : south);
  }
  context.stroke();
  context.restore();
}

// Files: dots from afar, then sheets, then sheets with their type.

/** The size of a file in pixels, `past` zooms after it appears. */
export function fileSize(past) {
  if (past < 0.75) return 1.1;
  if (past < 1.5) return 1.7;
  if (past < 2.25) return 2.6;
  return Math.min(8, 4.6 + (past - 2.25) * 1.2);
}

const glyphs = {
  // Lines on a sheet from -1 to 1, as point pairs.
  code: [[-0.1, -0.35, -0.5, 0.1], [-0.5, 0.1, -0.1, 0.55], [0.1, -0.35, 0.5, 0.1], [0.5, 0.1, 0.1, 0.55]],
  text: [[-0.5, -0.3, 0.3, -0.3], [-0.5, 0.1, 0.5, 0.1], [-0.5, 0.5, 0.4, 0.5]],
  picture: [[-0.6, 0.6, -0.15, -0.1], [-0.15, -0.1, 0.15, 0.35], [0.15, 0.35, 0.35, 0.1], [0.35, 0.1, 0.6, 0.6]],
  "sound, film": [[-0.3, -0.4, 0.5, 0.1], [0.5, 0.1, -0.3, 0.6], [-0.3, 0.6, -0.3, -0.4]],
  archive: [[0, -0.8, 0, -0.4], [0, -0.2, 0, 0.1], [-0.3, 0.3, 0.3, 0.3], [0.3, 0.3, 0.3, 0.6], [0.3, 0.6, -0.3, 0.6], [-0.3, 0.6, -0.3, 0.3]],
  program: [[-0.5, -0.1, 0.5, -0.1], [-0.5, 0.4, 0.5, 0.4], [-0.25, -0.4, -0.25, 0.7], [0.25, -0.4, 0.25, 0.7]],
  data: [[-0.5, -0.3, -0.2, -0.3], [0.1, -0.3, 0.5, -0.3], [-0.5, 0.1, -0.2, 0.1], [0.1, 0.1, 0.5, 0.1], [-0.5, 0.5, -0.2, 0.5], [0.1, 0.5, 0.5, 0.5]],
  link: [[-0.5, 0.5, 0.4, -0.2], [0.4, -0.2, 0, -0.25], [0.4, -0.2, 0.3, 0.2]],
  device: [[-0.4, -0.1, 0.4, -0.1], [0.4, -0.1, 0.4, 0.5], [0.4, 0.5, -0.4, 0.5], [-0.4, 0.5, -0.4, -0.1]],
};

export function drawFile(context, file, x, y, past, palette, ratio) {
  const r = fileSize(past) * ratio;
  const colour = palette.file(file);
  const theme = palette.theme;
  if (r < 4 * ratio) {
    context.beginPath();
    if (file.special) context.rect(x - r, y - r, 2 * r, 2 * r);
    else context.arc(x, y, r, 0, Math.PI * 2);
    context.fillStyle = colour;
    if (r > 1.5 * ratio) {
      context.strokeStyle = theme.paper;
      context.lineWidth = 0.8 * ratio;
      context.stroke();
    }
    context.fill();
    return;
  }
  // A sheet of paper with a folded corner; a folder without land has a tab instead.
  const w = r * 0.82;
  const fold = r * 0.55;
  context.beginPath();
  if (file.kind !== "poi") {
    context.moveTo(x - r, y - w * 0.8);
    context.lineTo(x - r * 0.2, y - w * 0.8);
    context.lineTo(x, y - w * 0.5);
    context.lineTo(x + r, y - w * 0.5);
    context.lineTo(x + r, y + w * 0.8);
    context.lineTo(x - r, y + w * 0.8);
  } else {
    context.moveTo(x - w, y - r);
    context.lineTo(x + w - fold, y - r);
    context.lineTo(x + w, y - r + fold);
    context.lineTo(x + w, y + r);
    context.lineTo(x - w, y + r);
  }
  context.closePath();
  context.lineJoin = "round";
  if (palette.mode === "kind") fillAndStroke(context, theme.paper, colour, ratio);
  else fillAndStroke(context, colour, theme.ink[0], ratio);
  const glyph = file.kind === "poi" && r > 4.8 * ratio && glyphs[fileType(file.name, file.special)];
  if (!glyph) return;
  context.beginPath();
  for (const [ax, ay, bx, by] of glyph) {
    context.moveTo(x + ax * w, y + ay * r * 0.8 + r * 0.1);
    context.lineTo(x + bx * w, y + by * r * 0.8 + r * 0.1);
  }
  context.strokeStyle = palette.mode === "kind" ? colour : inkOn(colour);
  context.lineWidth = Math.max(0.9, r * 0.13);
  context.stroke();
}

// Points with a glow, as cached images.

export class Lamps {
  constructor() { this.all = new Map(); }

  /**
   * The glow sprite of a key, with a radius in pixels; `stops` are its colours from the middle outwards, with parts of
   * the radius.
   */
  of(key, radius, stops) {
    const known = this.all.get(key);
    if (known) return known;
    const lamp = document.createElement("canvas");
    lamp.width = lamp.height = 2 * radius;
    const pen = lamp.getContext("2d");
    const glow = pen.createRadialGradient(radius, radius, 0, radius, radius, radius);
    for (const [at, colour] of stops()) glow.addColorStop(at, colour);
    pen.fillStyle = glow;
    pen.fillRect(0, 0, 2 * radius, 2 * radius);
    this.all.set(key, lamp);
    return lamp;
  }
}

// Marks over the map.

export function dot(context, x, y, size, colour) {
  context.beginPath();
  context.arc(x, y, size, 0, Math.PI * 2);
  context.fillStyle = colour;
  context.fill();
}

/** Draws a text readable on any background. */
export function write(context, text, x, y, halo, ink) {
  context.lineWidth = 4;
  context.lineJoin = "round";
  context.strokeStyle = halo;
  context.strokeText(text, x, y);
  context.fillStyle = ink;
  context.fillText(text, x, y);
}
