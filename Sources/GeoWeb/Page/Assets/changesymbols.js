// The symbols of a level of two states: what changed, with sizes before and after, in place of the sizes of all.
import { bowed, drawArrow, drawChange, pointOn } from "./changesigns.js";
import { changeCaptions, changedOf, changeIn, growthOf, largeNewFiles, movesBetween, moveLine, newFileLines } from "./changesizes.js";
import { nameOf } from "./geo.js";
import { project } from "./mercator.js";

/** How thick arrows are in pixels: at least, and with bytes. */
const THIN = 1.6;
const THICK = 6;
/** The radius in pixels around points of an arrow that names keep off. */
const NEAR_ARROW = 7;
/** The sample in a legend. */
const GREW = { kind: "grew", before: 3, after: 8 };
const SHRANK = { kind: "shrank", before: 8, after: 3 };

export class ChangeSymbols {
  /** `layer` has the shown state; `changed` is called when other things are to be shown. */
  constructor(layer, changed) {
    this.layer = layer;
    this.changed = changed;
    this.rows = [];
    this.places = new Map();
    /** Increases when other things are to be shown. */
    this.version = 0;
    this.files = [];
    this.arrows = [];
  }

  /** Takes rows of changes, and those of all moves. */
  take(rows, moves, source) {
    Object.assign(this, { rows, moves, source });
    this.renew();
  }

  renew() {
    this.version += 1;
    this.changed();
  }

  /** The amounts of a level, which decide the scale of its symbols. */
  amounts({ lands, own }) {
    const sizes = (things) => changedOf(things).map(({ change }) => Math.max(change.before, change.after));
    return { lands: sizes(lands), files: sizes(own) };
  }

  /** The things of a level that have symbols; `itemOf(thing, isLand)` makes them. */
  itemsOf(summary, itemOf, level) {
    const made = (isLand) => ({ thing, change }) => Object.assign(itemOf(thing, isLand), { change, amount: Math.max(change.before, change.after) });
    const lands = changedOf(summary.lands).map(made(true));
    const own = changedOf(summary.own).map(made(false));
    const largest = Math.max(0, ...[...lands, ...own].map(({ change }) => Math.abs(growthOf(change))));
    const wanted = largeNewFiles(this.rows, summary.roots, largest);
    this.find(wanted);
    const files = wanted.map(({ path, rawPath, size }) => ({ ...this.places.get(path), path, rawPath, name: nameOf(path), bytes: size, change: "added" }))
      .filter(({ lon }) => lon !== undefined).map((thing) => made(false)({ thing, change: changeIn(thing) }));
    const places = new Map(summary.lands.map((land) => [land.path, land]));
    this.arrows = movesBetween(this.moves ?? [], (path) => level.partWith(path)).map((move) => ({ ...move,
      ends: [move.from, move.to].map((path) => this.endOf(path, lands, places)) })).filter(({ ends }) => ends.every(Boolean));
    return { lands, files: [...files, ...own], named: files };
  }

  /** The end of an arrow: the symbol of a land or its place. */
  endOf(path, lands, places) {
    const item = lands.find((one) => one.path === path);
    if (item) return item;
    const land = places.get(path);
    if (!land) return null;
    const { x, y } = project(land.lon, land.lat);
    return { wx: x, wy: y, dx: 0, dy: 0, tx: 0, ty: 0 };
  }

  /** Finds places of files. */
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

  /** What is named, with the lines of names, the most important first. */
  captionsOf({ lands, files, named }) {
    const items = new Map([...lands, ...files].map((item) => [item.thing, item]));
    const captions = changeCaptions(lands.length > 0 ? lands : files).map(({ thing, lines }) => ({ item: items.get(thing), lines }));
    const more = lands.length > 0 ? files.filter((item) => named.includes(item)) : [];
    const arrows = this.arrows.map((arrow) => ({ lines: [[moveLine(arrow), "moved", "movedink"]],
      item: { key: `\n${arrow.from}\n${arrow.to}`, path: arrow.to, isLand: true, amount: 0, r: 0, wx: arrow.ends[0].wx, wy: arrow.ends[0].wy,
        spot: (camera) => this.middleOf(arrow, camera) } }));
    return [...captions.slice(0, 3), ...more.map((item) => ({ item, lines: newFileLines(item.thing) })), ...arrows, ...captions.slice(3)]
      .filter(({ item }) => item && this.isThere(item));
  }

  /** Whether a symbol belongs to the shown state. */
  isThere({ change }) {
    const { shown } = this.layer;
    return !change || shown === 0.5 || (shown === 0 ? change.before : change.after) > 0;
  }

  /** Both ends of an arrow once symbols have come to rest. */
  endsOf({ ends }, camera) {
    return ends.map(({ wx, wy, tx, ty }) => {
      const [x, y] = camera.toScreen(wx, wy);
      return [x + (tx ?? 0), y + (ty ?? 0)];
    });
  }

  middleOf(arrow, camera) {
    const [from, to] = this.endsOf(arrow, camera);
    return pointOn(from, bowed(from, to), to, 0.5);
  }

  /** Points along arrows that names keep off. */
  obstacles(camera) {
    if (this.layer.shown !== 0.5) return [];
    return this.arrows.flatMap((arrow) => {
      const [from, to] = this.endsOf(arrow, camera);
      const control = bowed(from, to);
      const count = Math.min(40, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / 14));
      return Array.from({ length: count }, (_, index) => pointOn(from, control, to, (index + 0.5) / count))
        .map(([x, y]) => ({ item: null, x, y, r: NEAR_ARROW, isSquare: false }));
    });
  }

  /** Draws a symbol. */
  draw(pen, item, x, y, r, palette, isRaised) {
    drawChange(pen, x, y, r, item.change, { theme: palette.theme, isSquare: item.isSquare, isRaised, shown: this.layer.shown });
  }

  /** Draws the arrows over the symbols. */
  drawAbove(pen, camera, palette, largest) {
    if (this.layer.shown !== 0.5) return;
    for (const { ends, bytes } of this.arrows) {
      const [from, to] = ends.map(({ wx, wy, dx, dy }) => {
        const [x, y] = camera.toScreen(wx, wy);
        return [x + dx, y + dy];
      });
      if (Math.hypot(to[0] - from[0], to[1] - from[1]) < 8) continue;
      drawArrow(pen, from, to, THIN + THICK * Math.sqrt(Math.min(1, bytes / Math.max(1, largest))) * 0.6, palette);
    }
  }

  /** The signs that are drawn, as in `Level.signs`. */
  signs(all, { theme }) {
    const has = (...kinds) => all.some(({ change }) => kinds.includes(change.kind));
    const circle = (change) => (pen, x, y) => drawChange(pen, x, y, 9, change, { theme });
    const square = (change) => (pen, x, y) => drawChange(pen, x, y, 6, change, { theme, isSquare: true });
    return [
      [has("grew"), "grew: ring = what came", circle(GREW)],
      [has("shrank"), "shrank: ring = what went", circle(SHRANK)],
      [all.some(({ change, isSquare }) => change.kind === "added" && !isSquare), "new", circle({ kind: "added", before: 0, after: 1 })],
      [has("removed"), "gone", circle({ kind: "removed", before: 1, after: 0 })],
      [all.some(({ change, isSquare }) => change.kind === "added" && isSquare), "new file", square({ kind: "added", before: 0, after: 1 })],
      [has("moved"), "moved here", square({ kind: "moved", before: 0, after: 1 })],
      [has("left"), "moved away", square({ kind: "left", before: 1, after: 0 })],
      [this.arrows.length > 0, "moved from one folder to another", (pen, x, y) => drawArrow(pen, [x - 9, y + 2], [x + 9, y + 2], THIN, { theme })],
    ].filter(([isDrawn]) => isDrawn).map(([, words, draw]) => ({ words, draw }));
  }
}
