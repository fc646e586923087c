// Two states on one land: a veil over what is the same, and over that what differs, each tile's drawn once into a
// bitmap; and arcs from where files were to where they are.
import { boxOfRings, clamp, mix } from "./geo.js";
import { prepare } from "./land.js";
import { drawFile, fileSize } from "./points.js";
import { TileBitmaps } from "./tiles.js";

/** Red, green and blue, by theme. */
const inks = {
  dark: { veil: "rgba(15,27,45,.6)", core: "246,255,253", added: "53,224,194", edge: "143,245,226", removed: "255,111,97", grew: "236,168,56",
    shrank: "134,140,250", moved: "217,200,255", ruin: "20,18,24" },
  light: { veil: "rgba(250,248,243,.62)", core: "255,255,255", added: "0,166,138", edge: "0,122,102", removed: "196,52,34", grew: "214,128,6",
    shrank: "76,84,214", moved: "116,82,196", ruin: "120,100,96" },
};

/** Names on the map, by theme: of what is new, what is gone. */
export const nameInks = {
  dark: { added: "#a9f7e6", removed: "#ff9c8f", moved: "#e0d3ff", left: "#b7abd6" },
  light: { added: "#005c4c", removed: "#9c2412", moved: "#5a3aa6", left: "#6f6291" },
};

/** From how many pixels across on a land shows what differs below it for itself. */
const SHOWN_FROM = 9;
/** How strongly a land glows whose parts show all that differs, and one that is broad at least. */
const ALL_SHOWN = 0.1;
const BROAD_FROM = [260, 620];
const MOST_ARCS = 260;

/** How large a change is beside the larger of two states, from 0 to 1. */
export function shareOf(now, growth) {
  const larger = Math.max(now, now - growth);
  return larger > 0 ? clamp(Math.abs(growth) / larger, 0, 1) : 1;
}

/** How strongly something glows, by that share. */
export function glowOf(share) { return 0.14 + 0.62 * Math.sqrt(share); }

/** How much there is to be seen of the old and of the new state at a moment, from 0, the old one, to 1. */
export function partsAt(moment) {
  return { old: clamp(2 - 2 * moment, 0, 1), new: clamp(2 * moment, 0, 1) };
}

/** Whether a node is in the state that is shown; in between both are. What is `absent` is in neither. */
export function isIn(node, moment) {
  if (node.change === "absent") return false;
  if (moment <= 0) return node.change !== "added" && node.change !== "moved";
  if (moment >= 1) return node.change !== "removed" && node.change !== "left";
  return true;
}

/** What of a tile is in the state that is shown; the arrays are new ones. */
export function tileAt(whole, moment) {
  const land = whole.land.filter((one) => isIn(one, moment));
  const gone = new Set(whole.land.filter((one) => !isIn(one, moment)).map(({ id }) => id));
  const paths = new Set(whole.land.filter((one) => !isIn(one, moment)).map(({ path }) => path));
  return { ...whole, isPrepared: false, land,
    cells: (whole.cells ?? []).filter((one) => !gone.has(one.id) && isIn(one, moment)),
    towns: (whole.towns ?? []).filter(({ folder }) => !paths.has(folder)),
    files: whole.files.filter((one) => isIn(one, moment)) };
}

const countBelow = (land) => (land.below_added ?? 0) + (land.below_removed ?? 0) + (land.below_changed ?? 0) + (land.below_moved ?? 0);
const hasChanged = (land) => countBelow(land) > 0 || Boolean(land.below_bytes);

export class ChangeLayer {
  constructor() {
    this.isOn = true;
    /** 0 is the old state, 1 the new one. */
    this.moment = 0.5;
    /** Moved files as [x, y, x, y, size], in coordinates of the world. */
    this.moves = [];
    this.bitmaps = new TileBitmaps();
    this.lamps = new Map();
    /** What differs below the lands in each land, as far as tiles have told: by its path, then theirs. */
    this.inner = new Map();
    /** Counts up with that. */
    this.version = 0;
  }

  /** What was known was of two other states. */
  forget() {
    this.inner.clear();
    this.version += 1;
  }

  /** Takes in what a tile tells of lands in lands: no tile has all of them. */
  learn(entry) {
    if (entry.compared === entry.version) return;
    entry.compared = entry.version;
    if (this.inner.size > 20000) this.inner.clear();
    for (const land of entry.data.land) {
      if (land.depth < 2 || land.breadth === undefined) continue;
      let inner = this.inner.get(land.parent);
      if (!inner) this.inner.set(land.parent, (inner = new Map()));
      const [count, growth] = [countBelow(land), land.below_bytes ?? 0];
      const known = inner.get(land.path);
      if (known?.count === count && known.growth === growth) continue;
      inner.set(land.path, { count, growth, breadth: land.breadth });
      this.version += 1;
    }
  }

  /** What differs below a land and is not shown by lands in it, at a scale: how many files, and by how many bytes. */
  hidden(land, scale) {
    let [count, growth] = [countBelow(land), land.below_bytes ?? 0];
    for (const inner of this.inner.get(land.path)?.values() ?? []) {
      if (inner.breadth * scale < SHOWN_FROM) continue;
      count -= inner.count;
      growth -= inner.growth;
    }
    return { count, growth };
  }

  /** Draws what differs in a view; whether all of it is as it is now. */
  paint(view, list, isAtRest) {
    if (!this.isOn) return true;
    const { context, camera, canvas, tiles, ratio, palette } = view;
    const ink = palette.isDark ? inks.dark : inks.light;
    context.fillStyle = ink.veil;
    context.fillRect(0, 0, canvas.width, canvas.height);
    const deadline = performance.now() + (isAtRest ? 30 : 6);
    for (const address of list) {
      const entry = tiles.best(address);
      if (entry) prepare(entry, view.tints);
      if (entry) this.learn(entry);
    }
    const style = `${palette.key}${this.moment.toFixed(2)}.${this.version}`;
    const isSharp = this.bitmaps.draw(context, camera, tiles, list, { ratio, deadline,
      keyOf: (entry) => `${style}.${entry.version}`,
      render: (pen, entry, size) => this.render(pen, entry, size, view, ink) });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.drawMoves(context, camera, ink);
    context.setTransform(1, 0, 0, 1, 0, 0);
    return isSharp;
  }

  render(context, entry, size, view, ink) {
    context.lineJoin = "round";
    const frame = { entry, size, px: size / 4096, ratio: view.ratio, zoom: view.camera.z,
      scale: size / view.ratio * 2 ** entry.z, palette: view.palette, ink, parts: partsAt(this.moment) };
    this.drawLands(context, frame);
    this.drawFiles(context, frame);
  }

  drawLands(context, frame) {
    const { entry, px, ratio, size } = frame;
    const whole = new Map();
    for (const land of entry.data.land) {
      const isNew = land.change === "added";
      const isGone = land.change === "removed";
      if (!isNew && !isGone && !hasChanged(land)) continue;
      const outline = land.drawn ?? land.outline ?? land.rings;
      if (outline.length === 0) continue;
      const path = new Path2D();
      traceLines(path, outline, px, true);
      const [west, north, east, south] = (land.changeBox ??= boxOfRings(outline));
      const breadth = (land.breadth === undefined ? Math.min(east - west, south - north) * px : (land.breadth * size * 2 ** entry.z)) / ratio;
      const line = new Path2D();
      traceLines(line, land.border ?? outline, px, !land.border);
      const isWithin = whole.get(land.parent) === land.change;
      if (isNew || isGone) whole.set(land.path, land.change);
      if (isNew) this.drawNew(context, frame, path, line, breadth, isWithin);
      else if (isGone) this.drawRuin(context, frame, path, line, breadth, [west, north, east, south], isWithin);
      else if (land.depth > 0) this.drawTint(context, frame, land, path, line, breadth);
    }
    context.globalAlpha = 1;
  }

  /** Land that is new shines along its border. */
  drawNew(context, { ink, parts, ratio }, path, line, breadth, isWithin) {
    if (parts.new === 0) return;
    context.fillStyle = `rgb(${ink.added})`;
    context.globalAlpha = parts.new * (isWithin ? 0.09 : breadth < 14 ? 0.7 : 0.2);
    context.fill(path);
    context.strokeStyle = `rgb(${isWithin ? ink.added : ink.edge})`;
    const strokes = isWithin ? [[0.8, 0.45]] : [[15, 0.05], [10, 0.08], [6, 0.13], [3.4, 0.24], [1.5, 0.95]];
    for (const [width, alpha] of strokes) {
      context.globalAlpha = parts.new * alpha;
      context.lineWidth = Math.min(width, Math.max(1, breadth / 5)) * ratio;
      context.stroke(line);
    }
  }

  /** Land that is gone lies hatched within dashes. */
  drawRuin(context, { ink, parts, ratio, px }, path, line, breadth, [west, north, east, south], isWithin) {
    if (parts.old === 0) return;
    if (!isWithin) {
      context.fillStyle = `rgb(${ink.ruin})`;
      context.globalAlpha = parts.old * 0.42;
      context.fill(path);
    }
    context.strokeStyle = `rgb(${ink.removed})`;
    if (breadth > 10 && !isWithin) {
      context.save();
      context.clip(path);
      context.globalAlpha = parts.old * 0.3;
      context.lineWidth = ratio;
      context.beginPath();
      const step = 7 * ratio;
      const height = (south - north) * px;
      for (let x = Math.floor((west * px - height) / step) * step; x < east * px; x += step) {
        context.moveTo(x, north * px);
        context.lineTo(x + height, south * px);
      }
      context.stroke();
      context.restore();
    }
    context.setLineDash([5 * ratio, 3.5 * ratio]);
    context.globalAlpha = parts.old * (isWithin ? 0.4 : 0.9);
    context.lineWidth = (isWithin ? 0.8 : 1.4) * ratio;
    context.stroke(line);
    context.setLineDash([]);
  }

  /** Land in which something differs glows by how much, as long as it hides that. */
  drawTint(context, { ink, ratio, scale }, land, path, line, breadth) {
    const { count, growth } = this.hidden(land, scale);
    const all = land.below_bytes ?? 0;
    const share = growth === 0 || land.bytes === undefined ? 0 : shareOf(Math.max(land.bytes, growth), growth);
    const near = clamp((BROAD_FROM[1] - breadth) / (BROAD_FROM[1] - BROAD_FROM[0]), 0.25, 1);
    context.fillStyle = `rgb(${(all || growth) < 0 ? ink.shrank : ink.grew})`;
    context.globalAlpha = count > 0 ? Math.max(ALL_SHOWN, glowOf(share) * near) : ALL_SHOWN;
    context.fill(path);
    if (breadth < 8) return;
    context.strokeStyle = context.fillStyle;
    const strength = count > 0 ? 0.35 + 0.65 * Math.sqrt(share) * near : 0.3;
    for (const [width, alpha] of [[6, 0.1], [1.3, 0.75]]) {
      context.globalAlpha = alpha * strength;
      context.lineWidth = width * ratio;
      context.stroke(line);
    }
  }

  drawFiles(context, frame) {
    const { entry, px, ratio, zoom, ink, parts, palette } = frame;
    const changed = entry.data.files.filter(({ change, kind }) => change && kind === "poi");
    for (const file of changed) {
      const [x, y] = [file.x * px, file.y * px];
      const size = fileSize(zoom - file.minzoom);
      const isNew = file.change === "added" || file.change === "moved";
      const part = file.change === "changed" ? 1 : isNew ? parts.new : parts.old;
      if (part === 0) continue;
      context.globalAlpha = part;
      if (file.change === "removed" || file.change === "left") {
        this.drawGone(context, x, y, Math.max(2.4, Math.min(5, size)) * ratio, file.change === "left" ? ink.moved : ink.removed, file.change === "left", ratio);
        continue;
      }
      const growth = (file.size ?? 0) - (file.was_size ?? file.size ?? 0);
      const share = file.change === "changed" ? shareOf(file.size ?? 0, growth) : 1;
      const colour = file.change === "added" ? ink.added : file.change === "moved" ? ink.moved : growth < 0 ? ink.shrank : ink.grew;
      this.drawLamp(context, x, y, (6 + 5 * share + (size >= 4 ? size : 0)) * ratio, colour, file.change === "changed" ? colour : ink.core);
      if (size >= 4) drawFile(context, file, x, y, zoom - file.minzoom, palette, ratio);
    }
    context.globalAlpha = 1;
  }

  /** A cross where a file was; a ring where one was that is elsewhere now. */
  drawGone(context, x, y, r, colour, isLeft, ratio) {
    context.strokeStyle = `rgb(${colour})`;
    context.lineWidth = 1.3 * ratio;
    context.beginPath();
    if (isLeft) context.arc(x, y, r * 0.8, 0, Math.PI * 2);
    else {
      context.moveTo(x - r, y - r);
      context.lineTo(x + r, y + r);
      context.moveTo(x + r, y - r);
      context.lineTo(x - r, y + r);
    }
    context.stroke();
  }

  /** A point with its glow, drawn once for each size and colour. */
  drawLamp(context, x, y, radius, colour, core) {
    const r = Math.round(radius);
    const key = `${r} ${colour} ${core}`;
    let lamp = this.lamps.get(key);
    if (!lamp) {
      lamp = document.createElement("canvas");
      lamp.width = lamp.height = 2 * r;
      const pen = lamp.getContext("2d");
      const glow = pen.createRadialGradient(r, r, 0, r, r, r);
      for (const [at, rgb, alpha] of [[0, core, 1], [0.2, core, 0.95], [0.3, colour, 0.6], [0.6, colour, 0.16], [1, colour, 0]]) {
        glow.addColorStop(at, `rgba(${rgb},${alpha})`);
      }
      pen.fillStyle = glow;
      pen.fillRect(0, 0, 2 * r, 2 * r);
      this.lamps.set(key, lamp);
    }
    context.drawImage(lamp, x - r, y - r);
  }

  /** Arcs from the old place to the new; those that begin and end side by side are one. */
  drawMoves(context, camera, ink) {
    const part = Math.min(1, 5 * Math.min(this.moment, 1 - this.moment));
    if (part <= 0) return;
    const { width, height } = camera;
    const bundles = new Map();
    for (const [ax, ay, bx, by] of this.moves) {
      const [x0, y0] = camera.toScreen(ax, ay);
      const [x1, y1] = camera.toScreen(bx, by);
      if (Math.hypot(x1 - x0, y1 - y0) < 3) continue;
      const isSeen = (x, y) => x > -20 && y > -20 && x < width + 20 && y < height + 20;
      if (!isSeen(x0, y0) && !isSeen(x1, y1)) continue;
      const key = [x0, y0, x1, y1].map((value) => Math.round(value / 7)).join();
      const bundle = bundles.get(key);
      if (bundle) bundle.count += 1;
      else bundles.set(key, { x0, y0, x1, y1, count: 1 });
    }
    context.strokeStyle = `rgb(${ink.moved})`;
    context.fillStyle = context.strokeStyle;
    for (const { x0, y0, x1, y1, count } of [...bundles.values()].sort((a, b) => b.count - a.count).slice(0, MOST_ARCS)) {
      // Bowed by a part of its length, each a little otherwise, so that neighbours are told apart.
      const bow = 0.22 + (mix(Math.round(x0 - x1), Math.round(y0 - y1)) % 100) / 1500;
      const [mx, my] = [(x0 + x1) / 2 - (y1 - y0) * bow, (y0 + y1) / 2 + (x1 - x0) * bow];
      context.beginPath();
      context.moveTo(x0, y0);
      context.quadraticCurveTo(mx, my, x1, y1);
      context.globalAlpha = part * 0.72;
      context.lineWidth = Math.min(5, 0.8 + 0.55 * Math.log2(count));
      context.stroke();
      context.globalAlpha = part;
      const angle = Math.atan2(y1 - my, x1 - mx);
      const head = 5 + context.lineWidth;
      context.beginPath();
      context.moveTo(x1, y1);
      context.lineTo(x1 - head * Math.cos(angle - 0.4), y1 - head * Math.sin(angle - 0.4));
      context.lineTo(x1 - head * Math.cos(angle + 0.4), y1 - head * Math.sin(angle + 0.4));
      context.fill();
    }
    context.globalAlpha = 1;
  }
}

function traceLines(path, rings, px, isClosed) {
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      if (i === 0) path.moveTo(ring[0] * px, ring[1] * px);
      else path.lineTo(ring[i] * px, ring[i + 1] * px);
    }
    if (isClosed) path.closePath();
  }
}

/** Samples of a legend: what is drawn, and what it stands for. */
export function changeSamples(isDark) {
  const ink = isDark ? inks.dark : inks.light;
  const solid = (rgb, alpha) => `rgba(${rgb},${alpha})`;
  return [
    { fill: solid(ink.added, 0.3), line: solid(ink.edge, 1), word: "new" },
    { fill: solid(ink.ruin, 0.42), line: solid(ink.removed, 1), dash: [4, 3], hatch: solid(ink.removed, 0.5), word: "gone" },
    { arc: solid(ink.moved, 1), word: "moved" },
    { fill: solid(ink.grew, 0.76), line: solid(ink.grew, 1), word: "grew" },
    { fill: solid(ink.shrank, 0.76), line: solid(ink.shrank, 1), word: "shrank" },
  ];
}
