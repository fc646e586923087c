// Two states of a tree on the map: what is shown of each, and signs of their differences.
import { changeIn, NONE_MOVED } from "./changelabels.js";
import { circle, clamp, fillIn, keptIn, mix, parentOf, strokeDashed, strokeIn, strokeLines, trace } from "./geo.js";
import { prepare } from "./land.js";
import { project } from "./mercator.js";
import { rgbOf } from "./palette.js";
import { breadthIn, drawFile, drawGlow, fileSize, hatch, outlineBox, outlineOf, pathOf } from "./shapes.js";
import { TileBitmaps } from "./tiles.js";

export function partsAt(moment) { return { old: clamp(2 - 2 * moment, 0, 1), new: clamp(2 * moment, 0, 1) }; }

/** Whether a node is in the shown state; in between both are shown. `absent` is in neither. */
function isIn(node, moment) {
  if (node.change === "absent") return false;
  if (moment <= 0) return node.change !== "added" && node.change !== "moved";
  if (moment >= 1) return node.change !== "removed" && node.change !== "left";
  return true;
}

export function tileAt(whole, moment) {
  const land = whole.land.filter((one) => isIn(one, moment));
  const others = whole.land.filter((one) => !isIn(one, moment));
  const gone = new Set(others.map(({ id }) => id));
  const paths = new Set(others.map(({ path }) => path));
  return { ...whole, isPrepared: false, land,
    cells: (whole.cells ?? []).filter((one) => !gone.has(one.id) && isIn(one, moment)),
    towns: (whole.towns ?? []).filter(({ folder }) => !paths.has(folder)),
    files: whole.files.filter((one) => isIn(one, moment)) };
}

/** Where a land is for a level with some roots: one of its `level`, `deep` in one, `around` the roots, or `beside` these. */
export function placeAt({ path, parent, depth }, roots) {
  if (depth === 0 || roots.some((root) => root === path || root.startsWith(`${path}/`))) return "around";
  if (roots.includes(parent)) return "level";
  const isBeside = !roots.some((root) => path.startsWith(`${root}/`)) && (parent === undefined || roots.some((root) => root.startsWith(`${parent}/`)));
  return isBeside ? "beside" : "deep";
}

/** How lands stand out where changes do: none is tinted but the folder in view, those `within` the level's are fainter still. */
export function receding(prominence, roots = []) {
  return { key: `same${prominence.key}`, of(land) {
    const standing = prominence.of(land);
    if (standing === "current" || standing === "around") return standing;
    return roots.includes(parentOf(land)) ? "same" : "within";
  } };
}

const countBelow = (land) => (land.below_added ?? 0) + (land.below_removed ?? 0) + (land.below_changed ?? 0) + (land.below_moved ?? 0);

/** How a land of a tile changed: added, removed, grew, shrank, same if only its contents did, or null. */
export function changeOfLand(land) {
  if (land.change === "added" || land.change === "removed") return land.change;
  const growth = land.below_bytes ?? 0;
  return growth > 0 ? "grew" : growth < 0 ? "shrank" : countBelow(land) > 0 ? "same" : null;
}

// Differences between two states on the map: tints and outlines of lands, signs of files, and arcs of moved ones.

/** The strength of tints: of the level's lands, and of those beside the folder in view. */
const TINT = { level: 0.24, beside: 0.1 };
/** Files have signs of their own from this size in pixels on; smaller ones count in their land. */
const MINIMUM_FILE = 1.7;

export function changeNameInks({ theme }) {
  return { added: theme.addedink, removed: theme.removedink, moved: theme.movedink, left: theme.soft };
}

// Arcs from the old to the new places of files.

const MAXIMUM_ARCS = 260;

/** The moves with at least one end in view, in pixels; moves with neighbouring ends are merged. */
function bundlesOf(moves, camera) {
  const bundles = new Map();
  for (const [ax, ay, bx, by] of moves) {
    const [x0, y0] = camera.toScreen(ax, ay);
    const [x1, y1] = camera.toScreen(bx, by);
    if (Math.hypot(x1 - x0, y1 - y0) < 3 || (!camera.isNear(x0, y0, 20) && !camera.isNear(x1, y1, 20))) continue;
    const key = [x0, y0, x1, y1].map((value) => Math.round(value / 7)).join();
    keptIn(bundles, key, () => ({ x0, y0, x1, y1, count: 0 })).count += 1;
  }
  return [...bundles.values()].sort((a, b) => b.count - a.count).slice(0, MAXIMUM_ARCS);
}

/** Draws the arcs of moves, each `[x, y, x, y, …]` in world coordinates. */
function drawArcs(context, camera, moves, colour, strength) {
  context.strokeStyle = context.fillStyle = colour;
  for (const { x0, y0, x1, y1, count } of bundlesOf(moves, camera)) {
    // Each arc has a slightly different curvature, so that neighbours differ.
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
    trace(context, [x1, y1], ...[-0.4, 0.4].map((turn) => [x1 - head * Math.cos(angle + turn), y1 - head * Math.sin(angle + turn)]));
    context.fill();
  }
  context.globalAlpha = 1;
}

export class ChangeLayer {
  constructor(isOn) {
    this.isOn = isOn;
    this.moment = 0.5; // 0 is the old state, 1 the new one
    /** Moved files as [x, y, x, y, size], in world coordinates. */
    Object.assign(this, { moves: [], bitmaps: new TileBitmaps(), sprites: new Map() });
    this.hasArrows = false; // whether arrows show what moved, in place of arcs
    this.moved = NONE_MOVED; // the folders that moved as a whole: where they are, and where they were
    /** How the lands of the level changed, in the measure of its figures; and how often that changed. */
    Object.assign(this, { kinds: new Map(), version: 0 });
  }

  /** The state that tiles show: old or new at the ends of the slider, else both; the new one while the layer is off. */
  get shown() {
    const { moment, isOn } = this;
    if (!isOn) return 1;
    return moment > 0 && moment < 1 ? 0.5 : moment;
  }

  turn(isOn) { this.isOn = isOn; }
  goTo(moment) { this.moment = clamp(moment, 0, 1); }
  showMoved(moved) { this.moved = moved; }

  /** Takes the figures of a level: the bytes of tiles are apparent sizes. */
  follow(level) {
    if (level === this.level) return;
    this.level = level;
    const before = this.kinds;
    this.kinds = new Map((level?.lands ?? []).map((land) => [land.path, changeIn(land)?.kind]).filter(([, kind]) => kind));
    if (this.kinds.size !== before.size || [...this.kinds].some(([path, kind]) => before.get(path) !== kind)) this.version += 1;
  }

  /** How a land changed, as `changeOfLand`, or moved or left: alone or in a folder that moved. */
  kindOf(land) {
    const kind = this.kinds.get(land.path) ?? changeOfLand(land);
    const folders = { added: this.moved.here, removed: this.moved.away }[kind];
    for (let path = folders?.size > 0 ? land.path : ""; path.includes("/"); path = parentOf(path)) if (folders.has(path)) return kind === "added" ? "moved" : "left";
    return kind;
  }

  leaveMoves(hasArrows) { this.hasArrows = hasArrows; }

  showMoves(moves) {
    this.moves = moves.map(([lon0, lat0, lon1, lat1, size]) => {
      const [a, b] = [project(lon0, lat0), project(lon1, lat1)];
      return [a.x, a.y, b.x, b.y, size];
    });
  }

  paint(view, list, isAtRest) {
    if (!this.isOn) return true;
    const { context, camera, tiles, ratio, palette } = view;
    const deadline = view.clock.now() + (isAtRest ? 30 : 6);
    tiles.showing(list).forEach(prepare);
    const level = view.symbols.level?.current;
    this.follow(level);
    const style = `${palette.key}${this.version}.${this.moment.toFixed(2)}.${this.moved.here.size}.${level?.roots.join("\n") ?? ""}`;
    const isSharp = this.bitmaps.draw(context, camera, tiles, list, { ratio, deadline,
      keyOf: (entry) => `${style}.${entry.version}`,
      render: (pen, entry, size) => this.render(pen, entry, size, view, level?.roots ?? []) });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const strength = Math.min(1, 5 * Math.min(this.moment, 1 - this.moment));
    if (strength > 0 && !this.hasArrows) drawArcs(context, camera, this.moves, palette.theme.moved, strength);
    context.setTransform(1, 0, 0, 1, 0, 0);
    return isSharp;
  }

  render(context, entry, size, view, roots) {
    context.lineJoin = "round";
    const { palette } = view;
    const frame = { entry, size, px: size / 4096, ratio: view.ratio, zoom: view.camera.z, palette, theme: palette.theme, roots, parts: partsAt(this.moment) };
    this.drawLands(context, frame);
    this.drawFiles(context, frame);
  }

  drawLands(context, frame) {
    const { entry, px, roots, parts, theme } = frame;
    const whole = new Map();
    for (const land of entry.data.land) {
      const kind = this.kindOf(land);
      if (kind === null) continue;
      const outline = outlineOf(land);
      const place = placeAt(land, roots);
      const isWithin = whole.get(land.parent) === kind;
      if (land.change) whole.set(land.path, kind);
      const part = kind === "added" || kind === "moved" ? parts.new : kind === "removed" || kind === "left" ? parts.old : 1;
      const colour = theme[kind === "left" ? "moved" : kind];
      if (outline.length === 0 || place === "around" || part === 0) continue;
      const breadth = breadthIn(land, frame);
      if (place === "deep" && (isWithin || breadth < 12)) continue;
      const path = pathOf(outline, px);
      const line = pathOf(land.border ?? outline, px, !land.border);
      const isGone = kind === "removed" || kind === "left";
      if (place !== "deep") {
        context.globalAlpha = part * TINT[place];
        fillIn(context, colour, path);
      }
      if (isGone && breadth > 10) {
        const box = outlineBox(land).map((value) => value * px);
        hatch(context, path, box, { colour, alpha: part * (place === "level" ? 0.5 : 0.3), width: frame.ratio, step: 7 * frame.ratio });
      }
      this.drawLine(context, frame, line, colour, part * { level: 0.95, beside: 0.5, deep: 0.4 }[place], isGone, Math.min(1.5, breadth / 8));
    }
    context.globalAlpha = 1;
  }

  drawLine(context, { ratio }, line, colour, alpha, isDashed, width) {
    context.globalAlpha = alpha;
    strokeDashed(context, colour, Math.max(0.8, width) * ratio, isDashed ? [5 * ratio, 3.5 * ratio] : [], line);
  }

  /** The files of a tile with signs of their change: not those in the level's folders, which have squares. */
  filesIn({ files }, zoom, roots) {
    return files.filter(({ change, kind, folder, minzoom }) => change && kind === "poi" && !roots.includes(folder) && fileSize(zoom - minzoom) >= MINIMUM_FILE);
  }

  drawFiles(context, frame) {
    const { entry, px, ratio, zoom, theme, parts, palette, roots } = frame;
    const core = palette.isDark ? "246,255,253" : "255,255,255";
    for (const file of this.filesIn(entry.data, zoom, roots)) {
      const [x, y] = [file.x * px, file.y * px];
      const size = fileSize(zoom - file.minzoom);
      const isNew = file.change === "added" || file.change === "moved";
      const part = file.change === "changed" ? 1 : isNew ? parts.new : parts.old;
      if (part === 0) continue;
      context.globalAlpha = part;
      if (file.change === "removed" || file.change === "left") {
        this.drawGone(context, x, y, Math.max(2.4, Math.min(5, size)) * ratio, file.change === "left" ? theme.moved : theme.removed, file.change === "left", ratio);
        continue;
      }
      const growth = (file.size ?? 0) - (file.was_size ?? file.size ?? 0);
      const colour = rgbOf(theme[file.change === "changed" ? (growth < 0 ? "shrank" : growth > 0 ? "grew" : "same") : file.change]).join();
      this.drawGlow(context, x, y, (6 + (size >= 4 ? size : 0)) * ratio, colour, file.change === "changed" ? colour : core);
      if (size >= 4) drawFile(context, file, x, y, zoom - file.minzoom, palette, ratio);
    }
    context.globalAlpha = 1;
  }

  /** A cross for a removed file; a ring at the old place of a moved one. */
  drawGone(context, x, y, r, colour, isLeft, ratio) {
    if (!isLeft) return strokeLines(context, colour, 1.3 * ratio, [x - r, y - r, x + r, y + r], [x + r, y - r, x - r, y + r]);
    circle(context, x, y, r * 0.8);
    return strokeIn(context, colour, 1.3 * ratio);
  }

  drawGlow(context, x, y, radius, colour, core) {
    const stops = [[0, core, 1], [0.2, core, 0.95], [0.3, colour, 0.6], [0.6, colour, 0.16], [1, colour, 0]];
    drawGlow(this.sprites, context, x, y, radius, `${colour} ${core}`, () => stops.map(([at, rgb, alpha]) => [at, `rgba(${rgb},${alpha})`]));
  }
}
