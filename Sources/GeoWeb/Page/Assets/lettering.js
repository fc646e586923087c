// Letters of names: their places in a land, and their images.

// Places letters of a name along a land. Points are pairs of pixels; a polygon is convex, an array of points.
import { canvasOf, clipRing, keptIn } from "./geo.js";

/** The convex hull of points, counter-clockwise (Andrew's monotone chain, 1979). */
export function hullOf(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (sorted.length < 3) return sorted;
  const half = (all) => {
    const chain = [];
    for (const p of all) {
      while (chain.length > 1) {
        const [a, b] = [chain.at(-2), chain.at(-1)];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 1e-9) break;
        chain.pop();
      }
      chain.push(p);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

export function cutHull(hull, [west, north, east, south]) {
  const ring = clipRing(hull.flat(), [west, east], [north, south]);
  return Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i], ring[2 * i + 1]]);
}

function holds(hull, x, y) {
  for (let i = 0, j = hull.length - 1; i < hull.length; j = i, i += 1) {
    const [ax, ay] = hull[j];
    const [bx, by] = hull[i];
    if ((bx - ax) * (y - ay) - (by - ay) * (x - ax) < 0) return false;
  }
  return hull.length > 2;
}

/** The smallest rectangle around a hull: angle of its longer side, length and breadth. */
function rectangleAround(hull) {
  let best = null;
  hull.forEach(([bx, by], index) => {
    const [ax, ay] = hull[(index + hull.length - 1) % hull.length];
    const length = Math.hypot(bx - ax, by - ay);
    if (length < 1e-9) return;
    const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
    let [u0, u1, v0, v1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const [x, y] of hull) {
      const u = x * ux + y * uy;
      const v = y * ux - x * uy;
      [u0, u1, v0, v1] = [Math.min(u0, u), Math.max(u1, u), Math.min(v0, v), Math.max(v1, v)];
    }
    const area = (u1 - u0) * (v1 - v0);
    if (best && area >= best.area) return;
    const isAlong = u1 - u0 >= v1 - v0;
    best = { area, angle: Math.atan2(uy, ux) + (isAlong ? 0 : Math.PI / 2),
      length: Math.max(u1 - u0, v1 - v0), breadth: Math.min(u1 - u0, v1 - v0) };
  });
  return best;
}

/** The middle of the chord across a hull at a distance along an axis; null without one. */
function chordMiddle(hull, ux, uy, at) {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0, j = hull.length - 1; i < hull.length; j = i, i += 1) {
    const a = hull[j][0] * ux + hull[j][1] * uy;
    const b = hull[i][0] * ux + hull[i][1] * uy;
    if ((a - at) * (b - at) > 0 || a === b) continue;
    const t = (at - a) / (b - a);
    const x = hull[j][0] + (hull[i][0] - hull[j][0]) * t;
    const y = hull[j][1] + (hull[i][1] - hull[j][1]) * t;
    const v = y * ux - x * uy;
    [low, high] = [Math.min(low, v), Math.max(high, v)];
  }
  return low > high ? null : (low + high) / 2;
}

const mostBend = (ratio, isContinent) => (isContinent ? 52 : ratio < 1.3 ? 16 : 30);

/**
 * The line of a name through a land: a parabola over the long axis, through the middles of the chords at 12, 50 and 88
 * % of it, read from left to right. Null for a land without extent.
 *
 * It is `{ x, y, angle, length, sag }`: middle, direction, maximum length, and offset of the middle from the straight
 * line between the ends.
 */
export function lineThrough(hull, isContinent) {
  const rectangle = rectangleAround(hull);
  if (!rectangle || rectangle.breadth < 1) return null;
  let { angle } = rectangle;
  // Names of nearly square lands are horizontal.
  const ratio = rectangle.length / rectangle.breadth;
  while (angle > Math.PI / 2 + 0.01) angle -= Math.PI;
  while (angle <= -Math.PI / 2 + 0.01) angle += Math.PI;
  if (ratio < 1.25) {
    while (angle > Math.PI / 4) angle -= Math.PI / 2;
    while (angle < -Math.PI / 4) angle += Math.PI / 2;
  }
  const [ux, uy] = [Math.cos(angle), Math.sin(angle)];
  const along = hull.map(([x, y]) => x * ux + y * uy);
  const low = Math.min(...along);
  const length = Math.max(...along) - low;
  const middles = [0.12, 0.5, 0.88].map((part) => chordMiddle(hull, ux, uy, low + part * length));
  if (middles.some((middle) => middle === null)) return null;
  const [first, second, last] = middles;
  const tilt = Math.atan2(last - first, 0.76 * length);
  const total = angle + tilt;
  // A parabola with a sag of s over a chord c turns by about 8s/c from end to end.
  const chord = 0.76 * length / Math.cos(tilt);
  const most = (mostBend(ratio, isContinent) * Math.PI / 180) * chord / 8;
  const sag = Math.max(-most, Math.min(most, (second - (first + last) / 2) * Math.cos(tilt)));
  const v = (first + last) / 2;
  const u = low + length / 2;
  return { x: u * ux - v * uy, y: u * uy + v * ux, angle: total, length, sag, chord, breadth: rectangle.breadth };
}

function pointOn({ x, y, angle, sag, chord }, at, aside) {
  // v = sag·(1 − (2u/c)²); the curve is slightly longer than its chord, which is ignored.
  const part = (2 * at) / chord;
  const v = sag * (1 - part * part) + aside;
  const turn = Math.atan((-4 * sag * part) / chord);
  const [ux, uy] = [Math.cos(angle), Math.sin(angle)];
  return { x: x + at * ux - v * uy, y: y + at * uy + v * ux, angle: angle + turn };
}

/** The size in pixels under which a name has to be level to be read, and by how much it may turn or bend, in radians. */
const [LEAST_TURNED, LEVEL] = [10, 0.15];

export function legibleSizes({ angle, sag, chord }, sizes) {
  const turn = Math.abs(angle) + Math.atan((4 * Math.abs(sag)) / chord);
  return turn > LEVEL ? sizes.filter((size) => size >= LEAST_TURNED) : sizes;
}

/**
 * Places the letters of a name, whose `widths` are at size 1; null without room. `sizes` are tried from the largest, `tracks`, the
 * spacing in sizes, from the first.
 */
export function placeLetters(hull, line, widths, sizes, tracks, isFree) {
  const sum = widths.reduce((a, b) => a + b, 0);
  for (const size of sizes) {
    if (size * 1.05 > line.breadth) continue;
    for (const track of tracks) {
      const length = size * (sum + track * (widths.length - 1));
      if (length > line.length * 0.94) continue;
      const slack = line.length * 0.9 - length;
      for (const aside of [0, -0.7, 0.7, -1.5, 1.5, -2.4, 2.4]) {
        for (const along of slack > size ? [0, -0.25, 0.25, -0.45, 0.45] : [0]) {
          const placed = tryLetters(hull, line, widths, size, track, along * slack - length / 2, aside * size, isFree);
          if (placed) return { size, track, letters: placed };
        }
      }
    }
  }
  return null;
}

function tryLetters(hull, line, widths, size, track, start, aside, isFree) {
  const letters = [];
  let at = start;
  for (const width of widths) {
    const w = width * size;
    const letter = pointOn(line, at + w / 2, aside);
    if (!holds(hull, letter.x, letter.y)) return null;
    letter.box = letterBox(letter, w, size);
    if (!letter.box.corners.every(([x, y]) => holds(hull, x, y)) || !isFree(letter.box)) return null;
    letters.push(letter);
    at += w + track * size;
  }
  return letters;
}

/** The box of a letter: its corners, and their upright bounding box. */
function letterBox({ x, y, angle }, width, size) {
  const [ux, uy] = [Math.cos(angle), Math.sin(angle)];
  const [hw, hh] = [width / 2 + 0.5, size * 0.42];
  const corners = [[-hw, -hh], [hw, -hh], [hw, hh], [-hw, hh]].map(([u, v]) => [x + u * ux - v * uy, y + u * uy + v * ux]);
  const xs = corners.map(([cx]) => cx);
  const ys = corners.map(([, cy]) => cy);
  return { corners, 0: Math.min(...xs), 1: Math.min(...ys), 2: Math.max(...xs), 3: Math.max(...ys) };
}

// Texts as images: widths of letters, and canvases of letters with a halo.

let segmenter = null;

function lettersIn(text) {
  if (isASCII.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter("en");
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

const isASCII = /^[ -~]*$/;

export class Lettering {
  constructor(palette) {
    this.palette = palette;
    this.sprites = new Map(); // horizontal texts drawn before
    Object.assign(this, { widths: new Map(), letters: new Map() });
    this.pen = document.createElement("canvas").getContext("2d");
  }

  /** The widths of a text's letters at size 1, pairs kerned. */
  lettersOf(text, font) {
    return keptIn(this.widths, `${font}|${text}`, () => {
      const letters = lettersIn(text);
      const widths = letters.map((letter, index) => {
        const before = letters[index - 1];
        return before === undefined ? this.measure(letter, font) : this.measure(before + letter, font) - this.measure(before, font);
      });
      return { letters, widths };
    }, 6000);
  }

  measure(text, font) {
    return keptIn(keptIn(this.letters, font, () => new Map()), text, () => {
      const wanted = font.replace("1px", "100px");
      if (this.pen.wanted !== wanted) this.pen.font = this.pen.wanted = wanted;
      return this.pen.measureText(text).width / 100;
    }, 20000);
  }

  /** A canvas with letters, each with place and direction; `x` and `y` are its middle. */
  curved(letters, { size, letters: places }, style, ratio) {
    const [west, north] = [0, 1].map((side) => Math.min(...places.map(({ box }) => box[side])));
    const [east, south] = [2, 3].map((side) => Math.max(...places.map(({ box }) => box[side])));
    const margin = 4 + size * 0.3;
    const [left, top] = [Math.floor(west - margin), Math.floor(north - margin)];
    const width = Math.ceil(east + margin) - left;
    const height = Math.ceil(south + margin) - top;
    const canvas = canvasOf(Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio)));
    const context = canvas.getContext("2d");
    context.font = style.font.replace("1px", `${size}px`);
    context.textBaseline = "middle";
    context.textAlign = "center";
    context.lineJoin = "round";
    context.strokeStyle = this.palette.haloOf(style.ink);
    context.lineWidth = Math.max(3.2, Math.min(4.4, size / 4));
    context.fillStyle = this.palette.ink(style.ink);
    for (const act of ["strokeText", "fillText"]) {
      places.forEach(({ x, y, angle }, index) => {
        const [cos, sin] = [Math.cos(angle) * ratio, Math.sin(angle) * ratio];
        context.setTransform(cos, sin, -sin, cos, (x - left) * ratio, (y - top) * ratio);
        context[act](letters[index], 0, 0);
      });
    }
    return { canvas, width, height, left, top, letters, places, size, style, x: left + width / 2, y: top + height / 2 };
  }

  /** A canvas with placed letters, as `curved`; if they are level, drawn once. */
  placed(letters, found, style, ratio) {
    if (found.letters.some(({ angle }) => angle !== 0)) return this.curved(letters, found, style, ratio);
    const { size, track, letters: [{ x, y }] } = found;
    const sprite = keptIn(this.sprites, `${style.font}|${size}|${track}|${style.ink}|${letters.join("")}|${ratio}|${this.palette.key}`, () => this.curved(letters,
      { size, letters: found.letters.map(({ box, ...one }) => ({ x: one.x - x, y: one.y - y, angle: 0, box: [box[0] - x, box[1] - y, box[2] - x, box[3] - y] })) }, style, ratio), 1500);
    return { ...sprite, x: sprite.x + x, y: sprite.y + y };
  }

  level(text, font, size, ink, ratio) {
    const key = `${font}|${size}|${ink}|${text}|${ratio}|${this.palette.key}`;
    return keptIn(this.sprites, key, () => {
      const { letters, widths } = this.lettersOf(text, font);
      let at = 0;
      const places = widths.map((width) => {
        const x = (at + width / 2) * size;
        at += width;
        return { x, y: 0, angle: 0, box: [x - (width * size) / 2, -size * 0.55, x + (width * size) / 2, size * 0.55] };
      });
      return { ...this.curved(letters, { size, letters: places }, { font, ink }, ratio), text: at * size };
    }, 1500);
  }
}
