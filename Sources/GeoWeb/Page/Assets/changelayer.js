// Differences between two states on the map: colours, arcs of moved files, and a bitmap over each tile.
import { shareOf } from "./fates.js";
import { clamp, make, mix } from "./geo.js";
import { prepare } from "./land.js";
import { project } from "./mercator.js";
import { breadthIn, drawFile, fileSize, hatch, Lamps, outlineBox, outlineOf, pathOf } from "./shapes.js";
import { TileBitmaps } from "./tiles.js";
import { hasChanged, InnerChanges, partsAt } from "./tilestates.js";

// Colours of the differences, and their legend.

/** Red, green and blue, by theme. */
const inks = {
  dark: { veil: "rgba(15,27,45,.6)", core: "246,255,253", added: "53,224,194", edge: "143,245,226", removed: "255,111,97", grew: "236,168,56",
    shrank: "134,140,250", moved: "217,200,255", ruin: "20,18,24" },
  light: { veil: "rgba(250,248,243,.62)", core: "255,255,255", added: "0,166,138", edge: "0,122,102", removed: "196,52,34", grew: "214,128,6",
    shrank: "76,84,214", moved: "116,82,196", ruin: "120,100,96" },
};

/** Names on the map, by theme: of added and removed nodes. */
const nameInks = {
  dark: { added: "#a9f7e6", removed: "#ff9c8f", moved: "#e0d3ff", left: "#b7abd6" },
  light: { added: "#005c4c", removed: "#9c2412", moved: "#5a3aa6", left: "#6f6291" },
};

function changeInks({ isDark }) { return isDark ? inks.dark : inks.light; }

export function changeNameInks({ isDark }) { return isDark ? nameInks.dark : nameInks.light; }

/** Samples of a legend: a drawing, and its meaning. */
function changeSamples(ink) {
  const solid = (rgb, alpha) => `rgba(${rgb},${alpha})`;
  return [
    { fill: solid(ink.added, 0.3), line: solid(ink.edge, 1), word: "new" },
    { fill: solid(ink.ruin, 0.42), line: solid(ink.removed, 1), dash: [4, 3], hatched: solid(ink.removed, 0.5), word: "gone" },
    { arc: solid(ink.moved, 1), word: "moved" },
    { fill: solid(ink.grew, 0.76), line: solid(ink.grew, 1), word: "grew" },
    { fill: solid(ink.shrank, 0.76), line: solid(ink.shrank, 1), word: "shrank" },
  ];
}

/** The items of a legend; without moves if these are unknown. */
export function changeLegend(palette, hasMoves) {
  return changeSamples(changeInks(palette)).filter(({ arc }) => !arc || hasMoves).map((sample) => {
    const canvas = make("canvas", { width: 26, height: 15, "aria-hidden": "true" });
    drawSample(canvas.getContext("2d"), sample);
    return make("li", {}, canvas, sample.word);
  });
}

function drawSample(pen, { fill, line, dash, hatched, arc }) {
  if (arc) {
    pen.strokeStyle = arc;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(3, 12);
    pen.quadraticCurveTo(13, -4, 23, 11);
    pen.stroke();
    return;
  }
  const whole = new Path2D();
  whole.rect(0, 0, 26, 15);
  pen.fillStyle = fill;
  pen.fill(whole);
  if (hatched) hatch(pen, whole, [0, 0, 26, 15], { colour: hatched, alpha: 1, width: 1, step: 5 });
  pen.strokeStyle = line;
  pen.lineWidth = 2;
  pen.setLineDash(dash ?? []);
  pen.strokeRect(1, 1, 24, 13);
}

// Arcs from the old to the new places of files.

const MOST_ARCS = 260;

/** The moves with at least one end in view, in pixels; moves with neighbouring ends are merged. */
function bundlesOf(moves, camera) {
  const bundles = new Map();
  for (const [ax, ay, bx, by] of moves) {
    const [x0, y0] = camera.toScreen(ax, ay);
    const [x1, y1] = camera.toScreen(bx, by);
    if (Math.hypot(x1 - x0, y1 - y0) < 3) continue;
    if (!camera.isNear(x0, y0, 20) && !camera.isNear(x1, y1, 20)) continue;
    const key = [x0, y0, x1, y1].map((value) => Math.round(value / 7)).join();
    const bundle = bundles.get(key);
    if (bundle) bundle.count += 1;
    else bundles.set(key, { x0, y0, x1, y1, count: 1 });
  }
  return [...bundles.values()].sort((a, b) => b.count - a.count).slice(0, MOST_ARCS);
}

/** Draws the arcs of moves, each `[x, y, x, y, …]` in world coordinates. */
function drawArcs(context, camera, moves, colour, strength) {
  context.strokeStyle = context.fillStyle = colour;
  for (const { x0, y0, x1, y1, count } of bundlesOf(moves, camera)) {
    // Each arc has a slightly different curvature, to tell neighbours apart.
    const bow = 0.22 + (mix(Math.round(x0 - x1), Math.round(y0 - y1)) % 100) / 1500;
    const [mx, my] = [(x0 + x1) / 2 - (y1 - y0) * bow, (y0 + y1) / 2 + (x1 - x0) * bow];
    context.beginPath();
    context.moveTo(x0, y0);
    context.quadraticCurveTo(mx, my, x1, y1);
    context.globalAlpha = strength * 0.72;
    context.lineWidth = Math.min(5, 0.8 + 0.55 * Math.log2(count));
    context.stroke();
    context.globalAlpha = strength;
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

/** The glow of a land whose parts show all differences, and the minimum of a broad one. */
const ALL_SHOWN = 0.1;
const BROAD_FROM = [260, 620];

/** The strength of a glow, by the relative size of the change. */
function glowOf(share) { return 0.14 + 0.62 * Math.sqrt(share); }

export class ChangeLayer {
  constructor(isOn) {
    this.isOn = isOn;
    /** 0 is the old state, 1 the new one. */
    this.moment = 0.5;
    /** Moved files as [x, y, x, y, size], in world coordinates. */
    this.moves = [];
    this.bitmaps = new TileBitmaps();
    this.lamps = new Lamps();
    this.inner = new InnerChanges();
  }

  /** The state that tiles show: old or new at the ends of the slider, else both; the new one while the layer is off. */
  get shown() {
    const { moment, isOn } = this;
    if (!isOn) return 1;
    return moment > 0 && moment < 1 ? 0.5 : moment;
  }

  /** Switches the layer on or off. */
  turn(isOn) { this.isOn = isOn; }

  goTo(moment) { this.moment = clamp(moment, 0, 1); }

  /** Shows arcs of moved files, given as places and sizes. */
  showMoves(moves) {
    this.moves = moves.map(([lon0, lat0, lon1, lat1, size]) => {
      const [a, b] = [project(lon0, lat0), project(lon1, lat1)];
      return [a.x, a.y, b.x, b.y, size];
    });
  }

  /** Drops what was known of other states. */
  forget() { this.inner.forget(); }

  /** Draws the differences in a view; returns whether all is up to date. */
  paint(view, list, isAtRest) {
    if (!this.isOn) return true;
    const { context, camera, canvas, tiles, ratio, palette } = view;
    const ink = changeInks(palette);
    context.fillStyle = ink.veil;
    context.fillRect(0, 0, canvas.width, canvas.height);
    const deadline = performance.now() + (isAtRest ? 30 : 6);
    for (const address of list) {
      const entry = tiles.best(address);
      if (!entry) continue;
      prepare(entry);
      this.inner.learn(entry);
    }
    const style = `${palette.key}${this.moment.toFixed(2)}.${this.inner.version}`;
    const isSharp = this.bitmaps.draw(context, camera, tiles, list, { ratio, deadline,
      keyOf: (entry) => `${style}.${entry.version}`,
      render: (pen, entry, size) => this.render(pen, entry, size, view, ink) });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const strength = Math.min(1, 5 * Math.min(this.moment, 1 - this.moment));
    if (strength > 0) drawArcs(context, camera, this.moves, `rgb(${ink.moved})`, strength);
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
    const { entry, px } = frame;
    const whole = new Map();
    for (const land of entry.data.land) {
      const isNew = land.change === "added";
      const isGone = land.change === "removed";
      if (!isNew && !isGone && !hasChanged(land)) continue;
      const outline = outlineOf(land);
      if (outline.length === 0) continue;
      const breadth = breadthIn(land, frame);
      const isWithin = whole.get(land.parent) === land.change;
      if (isNew || isGone) whole.set(land.path, land.change);
      else if (land.depth === 0) continue;
      const path = pathOf(outline, px);
      const line = pathOf(land.border ?? outline, px, !land.border);
      if (isNew) this.drawNew(context, frame, path, line, breadth, isWithin);
      else if (isGone) this.drawRuin(context, frame, land, path, line, breadth, isWithin);
      else this.drawTint(context, frame, land, path, line, breadth);
    }
    context.globalAlpha = 1;
  }

  /** New land shines along its border. */
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

  /** Removed land is hatched, with a dashed border. */
  drawRuin(context, { ink, parts, ratio, px }, land, path, line, breadth, isWithin) {
    if (parts.old === 0) return;
    const colour = `rgb(${ink.removed})`;
    if (!isWithin) {
      context.fillStyle = `rgb(${ink.ruin})`;
      context.globalAlpha = parts.old * 0.42;
      context.fill(path);
      const box = outlineBox(land).map((value) => value * px);
      if (breadth > 10) hatch(context, path, box, { colour, alpha: parts.old * 0.3, width: ratio, step: 7 * ratio });
    }
    context.strokeStyle = colour;
    context.setLineDash([5 * ratio, 3.5 * ratio]);
    context.globalAlpha = parts.old * (isWithin ? 0.4 : 0.9);
    context.lineWidth = (isWithin ? 0.8 : 1.4) * ratio;
    context.stroke(line);
    context.setLineDash([]);
  }

  /** Land with changes glows by their size, as long as its parts don't show them. */
  drawTint(context, { ink, ratio, scale }, land, path, line, breadth) {
    const { count, growth } = this.inner.hidden(land, scale);
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

  /** A cross for a removed file; a ring at the old place of a moved one. */
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
    const stops = [[0, core, 1], [0.2, core, 0.95], [0.3, colour, 0.6], [0.6, colour, 0.16], [1, colour, 0]];
    const lamp = this.lamps.of(`${r} ${colour} ${core}`, r, () => stops.map(([at, rgb, alpha]) => [at, `rgba(${rgb},${alpha})`]));
    context.drawImage(lamp, x - r, y - r);
  }
}
