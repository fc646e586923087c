// Relief and woods: hills rise with the bytes below a land, lit from the north-west; bare land is flat.
//
// Heights are computed on a coarse grid with some of the tile's buffer. Their inputs are fixed to the world, so that
// tiles fit together.
import { boxOfRings, clamp, contains, mix } from "./geo.js";
import { field, height } from "./rules.js";

const GRID = 128; // cells per tile side
const EDGE = 3; // cells around it; the buffer has two, the third repeats the second
const SIDE = GRID + 2 * EDGE;
const LIFT = 17; // exaggeration of heights

/** Smooths over nine cells, several times. */
function smooth(heights, rounds) {
  let from = heights;
  let to = new Float32Array(from.length);
  for (let round = 0; round < rounds; round += 1) {
    for (const step of [1, SIDE]) {
      for (let i = 0; i < from.length; i += 1) {
        to[i] = (from[Math.max(0, i - step)] + 2 * from[i] + from[Math.min(from.length - 1, i + step)]) / 4;
      }
      [from, to] = [to, from];
    }
  }
  return from;
}

/** Ridges from 0 to 1: sharp above, broad below. `x` and `y` are cells of the whole world. */
function ridges(x, y) {
  let sum = 0;
  let weight = 0.68;
  let size = 15;
  for (let octave = 0; octave < 3; octave += 1) {
    const value = 1 - Math.abs(field((x + 0.35 * y) / size, (y - 0.35 * x) / size, 51 + octave));
    sum += weight * value * value;
    weight *= 0.36;
    size *= 0.46;
  }
  return sum / 1.013;
}

/** The brightness of slopes, −1 in the shade to 1 in the sun, for light from the north-west; 0 is level. */
function slopes(heights, side) {
  const light = new Float32Array(heights.length);
  for (let y = 1; y < side - 1; y += 1) {
    for (let x = 1; x < side - 1; x += 1) {
      const i = y * side + x;
      const dx = heights[i + 1] - heights[i - 1];
      const dy = heights[i + side] - heights[i - side];
      const rise = (dx + dy) / 2;
      light[i] = rise / Math.sqrt(1 + dx * dx + dy * dy);
    }
  }
  return light;
}

/**
 * Draws the relief of a tile over its land.
 *
 * `lands` are the tile's, by depth, with `drawn` rings and `bytes` below; `breadths` has their breadths in pixels by
 * path.
 */
export function drawRelief(context, { entry, size, theme }, lands, breadths) {
  if (!lands.some((land) => land.bytes > 0)) return;
  const levels = drawLevels(lands, breadths);
  if (!levels) return;
  const heights = smooth(levels, 2);
  const [left, top] = [entry.x * GRID - EDGE, entry.y * GRID - EDGE];
  for (let y = 0; y < SIDE; y += 1) {
    for (let x = 0; x < SIDE; x += 1) {
      const i = y * SIDE + x;
      // Very low land is flat.
      if (heights[i] < 0.02) heights[i] = 0;
      else heights[i] = heights[i] * (0.3 + 1.1 * ridges(left + x, top + y)) * LIFT;
    }
  }
  const light = slopes(heights, SIDE);
  const picture = new ImageData(SIDE, SIDE);
  const [shade, sun] = theme.relief;
  for (let i = 0; i < light.length; i += 1) {
    const isLit = light[i] > 0;
    picture.data.set(isLit ? sun : shade, i * 4);
    picture.data[i * 4 + 3] = Math.min(255, Math.abs(light[i]) * (isLit ? 110 : 120));
  }
  paper ??= sheet();
  paper.putImageData(picture, 0, 0);
  context.imageSmoothingQuality = "high";
  // All of it, so that cells beyond the edge are blended in.
  const cell = size / GRID;
  context.drawImage(paper.canvas, -EDGE * cell, -EDGE * cell, SIDE * cell, SIDE * cell);
}

let paper = null;
let levelled = null;

function sheet(options) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  return canvas.getContext("2d", options);
}

/** The heights of lands, cell by cell; nested lands have their own height. */
function drawLevels(lands, breadths) {
  levelled ??= sheet({ willReadFrequently: true });
  levelled.fillStyle = "#000";
  levelled.fillRect(0, 0, SIDE, SIDE);
  const unit = GRID / 4096;
  let isHigh = false;
  for (const land of lands) {
    if (land.bytes === undefined) continue;
    // A land's bytes are where its folders are, once these are visible; the rest is lower.
    const breadth = breadths.get(land.path);
    const t = clamp((breadth - 200) / 400, 0, 1);
    // A land that fills the view has nothing next to it to compare with, so its hills fade.
    const nearness = clamp((breadth - 1600) / 3200, 0, 1);
    const level = Math.round(255 * height(land.bytes) ** 1.5 * (1 - 0.8 * t) * (1 - nearness));
    isHigh ||= level > 0;
    levelled.fillStyle = `rgb(${level},${level},${level})`;
    levelled.beginPath();
    for (const ring of land.drawn) {
      for (let i = 0; i < ring.length; i += 2) {
        const [x, y] = [ring[i] * unit + EDGE, ring[i + 1] * unit + EDGE];
        if (i === 0) levelled.moveTo(x, y);
        else levelled.lineTo(x, y);
      }
      levelled.closePath();
    }
    levelled.fill();
  }
  if (!isHigh) return null;
  const { data } = levelled.getImageData(0, 0, SIDE, SIDE);
  return Float32Array.from({ length: SIDE * SIDE }, (_, i) => {
    const x = Math.max(1, Math.min(SIDE - 2, i % SIDE));
    const y = Math.max(1, Math.min(SIDE - 2, Math.floor(i / SIDE)));
    return data[(y * SIDE + x) * 4] / 255;
  });
}

// Woods: a tree for each hundred files below, until the land is full; stable between days.

const TREE_STEP = 8; // pixels between trees of the densest wood
const WOOD_LEAST = 22; // pixels that a land has to be across
const WOOD_MOST = 230; // and with more, its parts have woods of their own
const FILES_TO_A_TREE = 100; // to a tree

/** The lands with woods at a zoom: of nested lands the widest that is not too wide. */
function woodedLands(lands, breadths) {
  return lands.filter((land) => {
    const breadth = breadths.get(land.path);
    const around = breadths.get(land.parent);
    return land.files >= FILES_TO_A_TREE && breadth >= WOOD_LEAST && breadth <= WOOD_MOST && (land.depth === 1 || !(around <= WOOD_MOST));
  });
}

/** Draws the woods of a tile; `scale` is drawn size to viewed size. */
export function drawWoods(context, { entry, size, px, theme, ratio, world }, lands, breadths) {
  const scale = (size * 2 ** entry.z) / world;
  const step = TREE_STEP * scale;
  const count = Math.max(1, Math.round(size / step));
  const cell = size / count;
  const crowns = new Path2D();
  const trunks = new Path2D();
  const r = 1.75 * scale;
  for (const land of woodedLands(lands, breadths)) {
    const breadth = breadths.get(land.path);
    // A land's area is about a third more than the square of its breadth.
    const chance = Math.min(0.85, ((land.files / FILES_TO_A_TREE) * TREE_STEP * TREE_STEP) / (1.35 * breadth * breadth));
    for (const ring of land.drawn) {
      const [west, north, east, south] = boxOfRings([ring]).map((value) => value * px);
      for (let y = Math.floor(north / cell); y <= south / cell; y += 1) {
        for (let x = Math.floor(west / cell); x <= east / cell; x += 1) {
          const h = mix(entry.x * count + x, entry.y * count + y, 77 + entry.z);
          // Trees cluster: cells next to a tree are more likely to have one.
          const grove = (mix((entry.x * count + x) >> 2, (entry.y * count + y) >> 2, 78) & 1023) / 1023;
          if ((h & 1023) / 1023 > chance * (0.25 + 1.5 * grove)) continue;
          const tx = (x + 0.2 + (0.6 * ((h >>> 10) & 255)) / 255) * cell;
          const ty = (y + 0.2 + (0.6 * ((h >>> 18) & 255)) / 255) * cell;
          if (!contains(ring, tx / px, ty / px) || !contains(ring, tx / px, (ty - 2.5 * r) / px) || !contains(ring, (tx + 2 * r) / px, ty / px)) continue;
          crowns.moveTo(tx + r, ty - r);
          crowns.arc(tx, ty - r, r, 0, Math.PI * 2);
          trunks.moveTo(tx, ty);
          trunks.lineTo(tx, ty + r * 0.9);
        }
      }
    }
  }
  context.lineWidth = 0.7 * ratio;
  context.strokeStyle = theme.trunk;
  context.stroke(trunks);
  context.fillStyle = theme.wood;
  context.fill(crowns);
  context.stroke(crowns);
}
