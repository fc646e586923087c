// Draws paths, files, symbols and marks.
import { boxOfRings, canvasOf, circle, fillAndStroke, fillIn, keptIn, strokeIn, strokeLines, trace } from "./geo.js";
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
  context.globalAlpha = alpha;
  const height = south - north;
  const [from, to] = isRising ? [south, north] : [north, south];
  const lines = [];
  for (let x = Math.floor((west - height) / step) * step; x < east; x += step) lines.push([x, from, x + height, to]);
  strokeLines(context, colour, width, ...lines);
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
    // A file may have the very colour of its land.
    if (palette.isAlike) strokeIn(context, theme.square, ratio);
    else if (r > 1.5 * ratio) strokeIn(context, theme.paper, 0.8 * ratio);
    context.fill();
    return;
  }
  // A sheet of paper with a folded corner; a folder without land has a tab instead.
  const [w, fold] = [r * 0.82, r * 0.55];
  const sheet = file.kind !== "poi"
    ? [[-r, -w * 0.8], [-r * 0.2, -w * 0.8], [0, -w * 0.5], [r, -w * 0.5], [r, w * 0.8], [-r, w * 0.8]]
    : [[-w, -r], [w - fold, -r], [w, fold - r], [w, r], [-w, r]];
  trace(context, ...sheet.map(([dx, dy]) => [x + dx, y + dy]));
  context.closePath();
  context.lineJoin = "round";
  if (palette.mode === "kind") fillAndStroke(context, theme.paper, colour, ratio);
  else fillAndStroke(context, colour, theme.ink[0], ratio);
  const glyph = file.kind === "poi" && r > 4.8 * ratio && glyphs[fileType(file.name, file.special)];
  if (!glyph) return;
  const lines = glyph.map(([ax, ay, bx, by]) => [x + ax * w, y + ay * r * 0.8 + r * 0.1, x + bx * w, y + by * r * 0.8 + r * 0.1]);
  strokeLines(context, palette.mode === "kind" ? colour : inkOn(colour), Math.max(0.9, r * 0.13), ...lines);
}

/** Draws a glow, whose sprite `all` keeps by its key; `stops()` are its colours from the middle, with parts of the radius. */
export function drawGlow(all, pen, x, y, radius, key, stops) {
  const r = Math.round(radius);
  const sprite = keptIn(all, `${r}|${key}`, () => canvasOf(2 * r, 2 * r, (own) => {
    const glow = own.createRadialGradient(r, r, 0, r, r, r);
    for (const [at, colour] of stops()) glow.addColorStop(at, colour);
    own.fillStyle = glow;
    own.fillRect(0, 0, 2 * r, 2 * r);
  }));
  pen.drawImage(sprite, x - r, y - r);
}

export function dot(context, x, y, size, colour) {
  circle(context, x, y, size);
  fillIn(context, colour);
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

// Draws the signs of size: circles of lands, squares of files, dots, and lines to the place they belong to.

const SHADED = 12; // pixels: smaller circles are filled evenly
const SPRITE = 160; // pixels

/** Shaded fills of circles by colour, scaled to each size. */
const fills = new Map();

function fillOf(colour) {
  return keptIn(fills, colour, () => canvasOf(SPRITE, SPRITE, (pen) => {
    const half = SPRITE / 2;
    const glow = pen.createRadialGradient(half * 0.75, half * 0.7, half * 0.1, half, half, half);
    // 42 to 68 %.
    for (const [at, alpha] of [[0, "6b"], [1, "ad"]]) glow.addColorStop(at, colour + alpha);
    dot(pen, half, half, half, glow);
  }));
}

/** `look` has `fill` and `rim`, and may be `isRaised`, `isFaint`, so that the ground shows, or `isHollow`, on land of a class. */
export function drawCircle(pen, x, y, r, { fill, rim, isRaised = false, isFaint = false, isHollow = false }) {
  const alpha = pen.globalAlpha;
  circle(pen, x, y, r);
  if (isHollow) return strokeIn(pen, rim, isRaised ? 3.5 : 1.4);
  if (isFaint || r < SHADED) {
    pen.globalAlpha = alpha * (isFaint ? 0.16 : 0.62);
    fillIn(pen, fill);
    pen.globalAlpha = alpha;
  } else pen.drawImage(fillOf(fill), x - r, y - r, 2 * r, 2 * r);
  return strokeIn(pen, rim, isRaised ? 3.5 : isFaint ? 1.8 : r < 3 ? 0.8 : 1.2);
}

export function drawSquare(pen, x, y, r, { fill, rim, isRaised = false }) {
  pen.fillStyle = fill;
  pen.fillRect(x - r, y - r, 2 * r, 2 * r);
  if (r < 2.5 && !isRaised) return;
  pen.strokeStyle = rim;
  pen.lineWidth = isRaised ? 3.5 : 1;
  pen.strokeRect(x - r, y - r, 2 * r, 2 * r);
}

export function drawTether(pen, line, colour) {
  strokeLines(pen, colour, 1, line);
  dot(pen, line[0], line[1], 1.6, colour);
}

export const DOT = 1.3; // the half side in pixels of the square of a file too small for one

export function looks({ circle, circlerim, square, squarerim }) {
  return { land: { fill: circle, rim: circlerim }, file: { fill: square, rim: squarerim } };
}

// The many small symbols of a level: drawn once into a bitmap that is moved along, and drawn again bit by bit.

const AROUND = 0.3; // of the view, beyond its edges
const SLICE = 1500; // symbols at once
const STRETCH = 0.6; // zooms by which the bitmap may be stretched while moving

export class Dots {
  constructor(clock) { Object.assign(this, { clock, shown: null, job: null }); }
  clear() { this.shown = this.job = null; }

  /**
   * Draws the symbols of a view: `groups` have columns `x` and `y` of world places, `sizes(i)`, half sides in pixels,
   * `isLeft(i)` for those drawn otherwise, `isRound`, and a `colour(i)`. `key` changes with them. Returns whether all
   * are up to date.
   */
  draw(context, camera, ratio, groups, key, isAtRest, deadline) {
    if (!groups.some(({ x, isLeft }) => x.some((_, i) => !isLeft(i)))) {
      this.clear();
      return true;
    }
    const fits = (picture) => picture?.key === key && picture.ratio === ratio && this.covers(picture, camera) &&
      Math.abs(picture.z - camera.z) < (isAtRest ? 1e-6 : STRETCH);
    if (!fits(this.shown)) {
      if (!fits(this.job)) this.job = this.begin(camera, ratio, groups, key);
      while (this.job && this.clock.now() < deadline) {
        if (this.job.steps.next().done) [this.shown, this.job] = [this.job, null];
      }
    } else this.job = null;
    const { shown } = this;
    const by = shown ? 2 ** (camera.z - shown.z) : 0;
    if (by > 0.2 && by < 5) {
      const [x, y] = camera.toScreen(shown.west, shown.north);
      context.drawImage(shown.canvas, Math.round(x * ratio), Math.round(y * ratio), shown.canvas.width * by, shown.canvas.height * by);
    }
    return fits(shown);
  }

  covers({ west, north, east, south }, camera) {
    const [x0, y0, x1, y1] = camera.box;
    return x0 >= west && y0 >= north && x1 <= east && y1 <= south;
  }

  begin({ x, y, z, scale, width, height }, ratio, groups, key) {
    const [across, down] = [width * (1 + 2 * AROUND), height * (1 + 2 * AROUND)];
    const canvas = canvasOf(Math.round(across * ratio), Math.round(down * ratio));
    const [west, north] = [x - across / 2 / scale, y - down / 2 / scale];
    const job = { key, ratio, z, canvas, west, north, east: west + across / scale, south: north + down / scale };
    job.steps = this.steps(job, groups, scale);
    return job;
  }

  *steps({ canvas, west, north, east, south, ratio }, groups, scale) {
    const pen = canvas.getContext("2d");
    let count = 0;
    for (const { x, y, size, isLeft, isRound, colour, alpha } of groups) {
      pen.globalAlpha = alpha;
      for (let i = 0; i < x.length; i += 1) {
        if ((count += 1) % SLICE === 0) yield;
        if (x[i] < west || x[i] > east || y[i] < north || y[i] > south || isLeft(i)) continue;
        const r = Math.max(DOT, size(i));
        const [px, py] = [(x[i] - west) * scale * ratio, (y[i] - north) * scale * ratio];
        pen.fillStyle = colour(i);
        if (isRound) {
          circle(pen, px, py, r * ratio);
          pen.fill();
        } else {
          const side = Math.max(1, Math.floor(2 * r * ratio));
          pen.fillRect(Math.round(px - side / 2), Math.round(py - side / 2), side, side);
        }
      }
    }
  }
}
