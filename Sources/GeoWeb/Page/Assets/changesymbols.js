// The symbols of a level of two states: what changed, with sizes before and after, in place of the sizes of all.
import { changeCaptions, changedOf, changeIn, changeWords, growthOf, largeNewFiles, moveLine, movesBetween, newFileLines, showGrowth } from "./changelabels.js";
import { fillIn, nameOf, showBytes, strokeDashed, strokeIn, trace } from "./geo.js";
import { signsIn } from "./legend.js";
import { project } from "./mercator.js";
import { addColours } from "./palette.js";
import { shortName } from "./prominence.js";
import { hatch } from "./shapes.js";

const changeColours = {
  grew: ["#d98a12", "#f0a93b"], shrank: ["#5c63dc", "#8f97ff"], added: ["#0f9f86", "#35e0c2"], removed: ["#cc3d26", "#ff6f61"], moved: ["#45423a", "#dcd8cd"],
  grewink: ["#804c00", "#f0a93b"], shrankink: ["#434ac0", "#a9afff"], addedink: ["#00604f", "#35e0c2"], removedink: ["#a5301b", "#ff8a7d"], movedink: ["#33302a", "#e9e5da"],
};
addColours({ ...changeColours, same: ["#8d8778", "#9aa09a"], faint: ["#6b6455", "#9c978a"] });

export function shareColours({ theme }) { for (const name of Object.keys(changeColours)) document.documentElement.style.setProperty(`--${name}`, theme[name]); }

export function bowed([x0, y0], [x1, y1]) {
  const bow = 0.2;
  return [(x0 + x1) / 2 - (y1 - y0) * bow, (y0 + y1) / 2 + (x1 - x0) * bow];
}

/** The ends of an arrow between two circles, each with `x`, `y` and radius, at their rims, where it doesn't hide them; at the middles of near ones. */
export function fromRims([from, to]) {
  const control = bowed(from, to);
  const at = ([x, y, r]) => {
    const far = Math.hypot(control[0] - x, control[1] - y);
    return far > r + LEAST_ARROW ? [x + ((control[0] - x) * r) / far, y + ((control[1] - y) * r) / far] : [x, y];
  };
  return [at(from), at(to)];
}

const keyOf = ({ from, to }) => `\n${from}\n${to}`;

export function pointOn(from, control, to, part) {
  const [a, b, c] = [(1 - part) ** 2, 2 * part * (1 - part), part ** 2];
  return [0, 1].map((axis) => a * from[axis] + b * control[axis] + c * to[axis]);
}

function shapeOf(x, y, r, isSquare) {
  const path = new Path2D();
  if (isSquare) path.rect(x - r, y - r, 2 * r, 2 * r);
  else path.arc(x, y, r, 0, Math.PI * 2);
  return path;
}

function fill(pen, path, colour, part, rule = "nonzero") {
  const alpha = pen.globalAlpha;
  pen.globalAlpha = alpha * part;
  fillIn(pen, colour, path, rule);
  pen.globalAlpha = alpha;
}

/** `r` is the radius of the larger size; `shown` is the state that is shown: 0, 1, or 0.5 for both. */
function drawChange(pen, x, y, r, { kind, before, after }, { theme, isSquare = false, isRaised = false, isOver = false, shown = 0.5 }) {
  const colour = theme[kind === "left" ? "moved" : kind];
  const bold = isRaised ? 2.2 : 1;
  const most = Math.max(before, after);
  if (shown !== 0.5) {
    const size = r * Math.sqrt((shown === 0 ? before : after) / most);
    if (size < 0.5) return;
    const path = shapeOf(x, y, size, isSquare);
    fill(pen, path, colour, 0.35);
    strokeIn(pen, colour, 1.4 * bold, path);
    return;
  }
  const outer = shapeOf(x, y, r, isSquare);
  if (kind === "added" || kind === "moved") {
    fill(pen, outer, colour, isSquare ? 0.16 : isOver ? 0.4 : 0.78);
    strokeIn(pen, colour, (isSquare ? 1.8 : 1.2) * bold, outer);
  } else if (kind === "removed" || kind === "left") {
    fill(pen, outer, theme.land, 0.5);
    if (r > 4) hatch(pen, outer, [x - r, y - r, x + r, y + r], { colour, alpha: 0.75 * pen.globalAlpha, width: 1, step: 6 });
    strokeDashed(pen, colour, 1.6 * bold, [4, 3], outer);
  } else {
    const size = r * Math.sqrt(Math.min(before, after) / most);
    const inner = shapeOf(x, y, size, isSquare);
    const ring = new Path2D(outer);
    ring.addPath(inner);
    fill(pen, inner, theme.land, isOver ? 0.2 : 0.62);
    fill(pen, ring, colour, isOver ? 0.4 : 0.68, "evenodd");
    strokeIn(pen, colour, 1.2 * bold, outer);
    // The line of the state before is full, that of the state after what shrank dashed.
    if (size > 0.8) strokeDashed(pen, theme.ink[1], 1.1, kind === "shrank" ? [2.5, 2] : [], inner);
  }
}

function drawArrow(pen, from, to, width, { theme }) {
  const control = bowed(from, to);
  const [end, path] = [pointOn(from, control, to, 0.985), new Path2D()];
  path.moveTo(...from);
  path.quadraticCurveTo(...control, ...end);
  pen.lineCap = "round";
  strokeIn(pen, theme.halo, width + 2.4, path);
  strokeIn(pen, theme.moved, width, path);
  pen.lineCap = "butt";
  const angle = Math.atan2(to[1] - control[1], to[0] - control[0]);
  const head = Math.min(9 + 1.6 * width, 0.5 * Math.hypot(to[0] - from[0], to[1] - from[1]));
  trace(pen, to, ...[-0.42, 0.42].map((turn) => [to[0] - head * Math.cos(angle + turn), to[1] - head * Math.sin(angle + turn)]));
  fillIn(pen, theme.moved);
}

const [THIN, THICK] = [1.6, 6]; // how thick arrows are in pixels: at least, and with bytes
/** From this length in pixels on, half an arrow begins at a rim. */
const LEAST_ARROW = 12;
const NEAR_ARROW = 7; // the radius in pixels around points of an arrow that names keep off
const LITTLE_MOVE = 0.02; // moves of less than this part of the level's largest change have no arrow
const MAXIMUM_ARROWS = 4;
const NAMED_AT = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8]; // the parts of an arrow at which its name may be
/** The distance in pixels of an arrow's name from others, so that it isn't read as one of their lines. */
const ARROW_APART = 9;
const GREW = { kind: "grew", before: 3, after: 8 };
const SHRANK = { kind: "shrank", before: 8, after: 3 };

export class ChangeSymbols {
  constructor(layer, changed) {
    Object.assign(this, { layer, changed, rows: [], places: new Map(), files: [], arrows: [] });
    this.most = new Map(); // the lines of lands of which a new file is most
    this.version = 0; // increases when other things are to be shown
  }

  receive(rows, moves, source) {
    Object.assign(this, { rows, moves, source });
    this.renew();
  }

  renew() {
    this.version += 1;
    this.changed();
  }

  amounts({ lands, own }) {
    const sizes = (things) => changedOf(things).map(({ change }) => Math.max(change.before, change.after));
    return { lands: sizes(lands), files: sizes(own) };
  }

  itemsOf(summary, itemOf, level) {
    const made = (isLand) => ({ thing, change }) => Object.assign(itemOf(thing, isLand), { change, amount: Math.max(change.before, change.after) });
    const lands = changedOf(summary.lands, this.layer.moved).map(made(true));
    const own = changedOf(summary.own).map(made(false));
    const largest = Math.max(0, ...[...lands, ...own].map(({ change }) => Math.abs(growthOf(change))));
    const wanted = largeNewFiles(this.rows, summary.roots, largest);
    this.find(wanted);
    const isMost = (file) => {
      const land = lands.find(({ path }) => path === level.partWith(file.path));
      const growth = land ? growthOf(land.change) : 0;
      if (growth <= 0 || 2 * file.size <= growth) return false;
      this.most.set(land.thing, [`new: ${shortName(nameOf(file.path), 28)}, ${showBytes(file.size)}`, "most", "addedink"]);
      return true;
    };
    this.most.clear();
    const files = wanted.filter((file) => !isMost(file)).map(({ path, rawPath, size }) => ({ ...this.places.get(path), path, rawPath, name: nameOf(path), bytes: size, change: "added" }))
      .filter(({ lon }) => lon !== undefined).map((thing) => made(false)({ thing, change: changeIn(thing) }));
    const places = new Map(summary.lands.map((land) => [land.path, land]));
    this.arrows = movesBetween(this.moves ?? [], (path) => level.partWith(path)).filter(({ bytes }) => bytes >= largest * LITTLE_MOVE).slice(0, MAXIMUM_ARROWS).map((move) => ({ ...move,
      ends: [move.from, move.to].map((path) => this.endOf(path, lands, places)) })).filter(({ ends }) => ends.every(Boolean));
    return { lands, files: [...files, ...own], named: files };
  }

  endOf(path, lands, places) {
    const item = lands.find((one) => one.path === path);
    if (item) return item;
    const land = places.get(path);
    if (!land) return null;
    const { x, y } = project(land.lon, land.lat);
    return { wx: x, wy: y, dx: 0, dy: 0, tx: 0, ty: 0 };
  }

  async find(files) {
    const missing = files.filter(({ path }) => !this.places.has(path));
    if (missing.length === 0) return;
    for (const { path } of missing) this.places.set(path, {});
    await Promise.all(missing.map(async ({ path, rawPath }) => {
      const node = await this.source.node(path, rawPath).catch(() => null);
      const [lon, lat] = node?.feature.geometry.coordinates ?? [];
      if (typeof lon === "number") this.places.set(path, { lon, lat });
    }));
    this.renew();
  }

  captionsOf({ lands, files, named }) {
    const items = new Map([...lands, ...files].map((item) => [item.thing, item]));
    const captions = changeCaptions(lands.length > 0 ? lands : files).map(({ thing, lines }) => ({ item: items.get(thing), lines: [...lines, this.most.get(thing)].filter(Boolean) }));
    const more = lands.length > 0 ? files.filter((item) => named.includes(item)) : [];
    const arrows = this.arrows.map((arrow) => ({ lines: [[moveLine(arrow), "moved", "movedink"], [[arrow.from, arrow.to].map((path) => shortName(nameOf(path), 24)).join(" → "), "moved", "movedink"]],
      item: { key: keyOf(arrow), path: arrow.to, isLand: true, amount: 0, r: 0, apart: ARROW_APART, wx: arrow.ends[0].wx, wy: arrow.ends[0].wy,
        spot: (camera) => this.pointsOf(arrow, camera)[0], spots: (camera) => this.pointsOf(arrow, camera) } }));
    return [...captions.slice(0, 3), ...more.map((item) => ({ item, lines: newFileLines(item.thing) })), ...arrows, ...captions.slice(3)]
      .filter(({ item }) => item && this.isThere(item));
  }

  isThere({ change }) {
    const { shown } = this.layer;
    return !change || shown === 0.5 || (shown === 0 ? change.before : change.after) > 0;
  }

  /** Both ends of an arrow, at the rims of its circles, once symbols have come to rest. */
  endsOf({ ends }, camera, [across, down] = ["tx", "ty"]) {
    return fromRims(ends.map((end) => {
      const [x, y] = camera.toScreen(end.wx, end.wy);
      return [x + (end[across] ?? 0), y + (end[down] ?? 0), end.r ?? 0];
    }));
  }

  figuresOf(lands) {
    return new Map(lands.map((land) => [land.rawPath ?? land.path, changeIn(land)]).filter(([, change]) => change && growthOf(change) !== 0)
      .map(([key, change]) => [key, showGrowth(growthOf(change))]));
  }

  pointsOf(arrow, camera) {
    const [from, to] = this.endsOf(arrow, camera);
    return NAMED_AT.map((part) => pointOn(from, bowed(from, to), to, part));
  }

  /** Points along arrows that names keep off. */
  obstacles(camera) {
    if (this.layer.shown !== 0.5) return [];
    return this.arrows.flatMap((arrow) => {
      const [from, to] = this.endsOf(arrow, camera);
      const control = bowed(from, to);
      const count = Math.min(40, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / 14));
      return Array.from({ length: count }, (_, index) => pointOn(from, control, to, (index + 0.5) / count))
        .map(([x, y]) => ({ item: null, of: keyOf(arrow), x, y, r: NEAR_ARROW, isSquare: false }));
    });
  }

  draw(pen, item, x, y, r, palette, isRaised) {
    drawChange(pen, x, y, r, item.change, { theme: palette.theme, isSquare: item.isSquare, isRaised, isOver: item.isOver, shown: this.layer.shown });
  }

  drawAbove(pen, camera, palette, largest) {
    if (this.layer.shown !== 0.5) return;
    for (const { ends, bytes } of this.arrows) {
      const [from, to] = this.endsOf({ ends }, camera, ["dx", "dy"]);
      if (Math.hypot(to[0] - from[0], to[1] - from[1]) < 8) continue;
      drawArrow(pen, from, to, THIN + THICK * Math.sqrt(Math.min(1, bytes / Math.max(1, largest))) * 0.6, palette);
    }
  }

  signs(all, { theme }) {
    const has = (...kinds) => all.some(({ change }) => kinds.includes(change.kind));
    const circle = (change) => (pen, x, y) => drawChange(pen, x, y, 9, change, { theme });
    const square = (change) => (pen, x, y) => drawChange(pen, x, y, 6, change, { theme, isSquare: true });
    return signsIn([
      [has("grew"), "grew: ring = what came", circle(GREW)],
      [has("shrank"), "shrank: ring = what went", circle(SHRANK)],
      [all.some(({ change, isSquare }) => change.kind === "added" && !isSquare), "new", circle({ kind: "added", before: 0, after: 1 })],
      [has("removed"), "gone", circle({ kind: "removed", before: 1, after: 0 })],
      [all.some(({ change, isSquare }) => change.kind === "added" && isSquare), "new file", square({ kind: "added", before: 0, after: 1 })],
      [all.some(({ isOver }) => isOver), "light: much larger than its land", (pen, x, y) => drawChange(pen, x, y, 9, GREW, { theme, isOver: true })],
      ...["moved", "left"].map((kind) => [has(kind), changeWords[kind], (all.some(({ change, isSquare }) => change.kind === kind && !isSquare) ? circle : square)({ kind, before: Number(kind === "left"), after: Number(kind === "moved") })]),
      [this.arrows.length > 0, "moved from one folder to another", (pen, x, y) => drawArrow(pen, [x - 9, y + 2], [x + 9, y + 2], THIN, { theme })],
    ]);
  }
}
