// Names on the map: larger lands first, without overlaps, and without jumps.
import { areaOf, boxesOnPage, boxOfRings, byId, keptIn, overlap, rawWithin, showAmount, showBytes, showCount, strokeLines } from "./geo.js";
import { isOnName } from "./input.js";
import { layers } from "./layers.js";
import { cutHull, hullOf, legibleSizes, Lettering, lineThrough, placeLetters } from "./lettering.js";
import { worldPlace } from "./mercator.js";
import { Grounds, costOver, covers, crosses, distanceOf, meetEachOther, meets, placeAround, placeBlock } from "./placing.js";
import { NARROW, shortName } from "./prominence.js";
import { dot, fileSize, outlineOf } from "./shapes.js";

const serif = "Georgia, 'Noto Serif', 'DejaVu Serif', serif";
const sans = "system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif";
const MAXIMUM_NAMES = 260;
const MAXIMUM_FILE_NAMES = 420; // names of files in a folder without sub-folders
const MINIMUM_NAMED = 3; // pixels: half a side of the smallest named square among lands
const SLIDE = 220; // milliseconds
/** What it costs in pixels of distance if a name is in no land, in another land, as one of a file that says its folder may be, or if a pixel of its line is. */
const [OUTSIDE, ABROAD, LINE_ABROAD] = [4, 90, 0.5];
/** Lines go so many pixels across other lands at most, those of the largest lands farther. */
const [MAXIMUM_ABROAD, FARTHER_ABROAD] = [60, 120];
const ALONE = 24; // pixels between the name of a file in another land and the names and symbols there
const LONGEST = 180; // pixels of a line
const FAR_LANDS = 6;
/** What it costs the name of an arrow to cross borders or a coast, and for each pixel of these. */
const [OVER_BORDER, BORDER] = [45, 0.5];
const OTHER_ARROW = 15; // and to be near a point of another arrow
const LEAST_NAMED = 3; // names of a small window, which may cross borders
const WRITTEN_IN = 26; // pixels: half a side of the smallest square with its name in it
/** And if it is shorter or smaller: without some lines, with figures in lines of their own, with the first figure alone, with none; the size, and whether it is tried all around. */
const SHORTER = [[0, (lines) => lines], [10, split], [20, outer, 1, true], [28, (lines) => split(outer(lines))], [38, (lines) => split(outer(lines)), 0.84, true], [60, (lines) => first(lines, 2), 1, true], [70, (lines) => first(lines, 2), 0.78, true],
  [130, (lines) => first(lines, 1), 0.9, true]];
const KEEPING = 80; // what leaving its former side costs a name, less for a short one
/** From this cost on, a name is tried all around, in some of these ways. */
const POOR = 50;
const OVER_ROOT = 50; // and if it is over another root
const MANY_ROOTS = 50; // roots, of which only names of roots keep off others
const ACROSS_RIM = 30; // and if it crosses the rim of another symbol
const RIM = 2; // pixels between names and rims
const NOWHERE = 60; // from which on names of little importance are left out
const APART = 6; // pixels between names
const FAR_FROM_ROOT = 50; // pixels from which on the name of a root would be another's
export const LEADER_END = 2; // the radius in pixels of the dot where the line of a name meets its symbol
const LINE_STEP = 5; // pixels between points of a line that names keep off
const MINOR_GAP = 30; // pixels: how far names are from symbols that are only large in the view
const MINIMUM_SQUARE = 1.5; // and among very many files
const DOTTED = 1.8; // pixels: half a side of the smallest square that names keep off
const OVER_DOT = 8; // what it costs a name to cover a small file
const MAXIMUM_DOTS = 3000; // files in view from which these are very many
const TRIED = 1600; // names of files that are tried
const DEEP = 80; // pixels across from which a land below the level's lands is named

const AROUND_ROOT = [18, 16, 20, 6, 8, 4]; // the directions of names of roots: above, and below

/** The styles of lines next to symbols: font, size, and height of the line in pixels, and ink. */
const lineStyles = {
  root: { font: `600 1px ${serif}`, size: 17, height: 18.5, ink: 0 },
  top: { font: `600 1px ${serif}`, size: 16.5, height: 18, ink: 1 },
  land: { font: `600 1px ${serif}`, size: 14, height: 15.5, ink: 1 },
  minor: { font: `600 1px ${serif}`, size: 12.5, height: 14, ink: 1 },
  file: { font: `italic 1px ${serif}`, size: 13, height: 14.5, ink: "squareink" },
  loose: { font: `italic 1px ${sans}`, size: 12.5, height: 14.5, ink: "squareink" },
  figures: { font: `1px ${serif}`, size: 11.5, height: 13, ink: "soft" },
  inner: { font: `1px ${serif}`, size: 11.5, height: 13, ink: "accent" },
  growth: { font: `1px ${serif}`, size: 13, height: 14.5, ink: 1 },
  moved: { font: `italic 1px ${serif}`, size: 12.5, height: 14, ink: 1 },
  most: { font: `italic 1px ${serif}`, size: 11.5, height: 13, ink: "squareink" },
  last: { font: `italic 1px ${serif}`, size: 11.5, height: 13, ink: "accent" },
};

function styleOf(depth, breadth) {
  const range = (least, most, by) => {
    const sizes = [];
    const first = Math.max(least, Math.min(most, breadth / by));
    for (let size = first; size > least; size *= 0.84) sizes.push(Math.round(size * 2) / 2);
    return [...sizes, least];
  };
  if (depth === 0) return { font: `600 1px ${serif}`, caps: true, ink: 0, sizes: range(15, 46, 11), tracks: [1.6, 0.9, 0.45, 0.2] };
  if (depth === 1) return { font: `600 1px ${serif}`, caps: false, ink: 1, sizes: range(8.5, 22, 6.5), tracks: [0.5, 0.22, 0.08, 0.02] };
  if (depth === 2) return { font: `italic 1px ${serif}`, caps: false, ink: 2, sizes: range(9, 19, 7.5), tracks: [0.3, 0.1, 0.02] };
  return { font: `${depth === 3 ? 500 : 400} 1px ${sans}`, caps: false, ink: 3, sizes: range(8.5, 14, 8), tracks: [0.12, 0.03] };
}

/** The style of names of lands of the level that have no figures, and of those below them. */
const plainStyle = (breadth) => ({ font: `italic 1px ${serif}`, caps: false, ink: "soft", tracks: [0.03],
  sizes: [13, 12, 11, 10, 9].filter((size) => size <= Math.max(9, breadth / 5)) });

/** The style of those that would have figures if there were room. */
const boldStyle = { font: `600 1px ${serif}`, caps: false, ink: 1, tracks: [0.02], sizes: [14, 12.5, 11, 10, 9] };

/** The lines of a name with figures in lines of their own, and without some kinds. */
function split(lines) { return lines.flatMap(([text, ...style]) => (/figures|growth|last|moved/.test(style[0]) ? text.split(/ · |(?<=last), |(?<=files?,) /) : [text]).map((part) => [part, ...style])); }
/** The first lines, how much a thing grew, how much moved, and that of what changed last. */
function first(lines, count) { return split(lines).filter(([, kind], index) => index < count || kind === "last" || kind === "moved" || (kind === "growth" && index === 1)); }
function outer(lines) { return lines.filter(([, kind]) => kind !== "inner" && kind !== "most"); }
function labelText(name, caps) { return shortName(caps ? name.toLocaleUpperCase("en") : name); }

class OccupiedBoxes {
  constructor() { this.grid = new Map(); }

  *cells(box) {
    for (let x = Math.floor(box[0] / 48); x <= Math.floor(box[2] / 48); x += 1)
      for (let y = Math.floor(box[1] / 48); y <= Math.floor(box[3] / 48); y += 1) yield x * 4096 + y;
  }

  add(box) { for (const key of this.cells(box)) keptIn(this.grid, key, () => []).push(box); }

  isFree(box) {
    for (const key of this.cells(box)) if (this.grid.get(key)?.some((other) => overlap(other, box))) return false;
    return true;
  }
}

export class Labels {
  constructor(palette, clock, lights, symbols) {
    Object.assign(this, { palette, clock, lights, symbols, placed: [], choice: null, shown: new Map() });
    this.spots = new Map();
    this.lettering = new Lettering(palette);
  }

  obstacles() {
    const own = ["search", "crumbs", "panel", "summary", "tools", "more", "drawer", "table", "scale", "time", "moment", "key"].map(byId);
    return boxesOnPage([...own, byId("scale").firstElementChild, ...document.querySelectorAll(".over, .overview"), ...layers.values((layer) => layer.overMap)].filter(Boolean));
  }

  noteOf(land) {
    const note = layers.first((layer) => layer.noteOf(land));
    if (note !== undefined) return note;
    if (this.lights.isOn) {
      const count = this.lights.count(land.path);
      return count > 0 ? `${showCount(count, "match", "matches")} · ${showBytes(this.lights.bytes(land.path))}` : "";
    }
    const { sizes } = this.symbols.level ?? {};
    const amount = sizes ? sizes.amount(land) : land.bytes;
    if (land.files === 0) return "empty";
    return amount === undefined ? "" : [...new Set([showAmount(amount), showCount(land.files, "file", "files")])].join(" · ");
  }

  /** Starts to choose the names of a view, which `choose(deadline)` continues; until the end the old names stay. */
  place(camera, entries, ratio) { this.choice = this.choices(new Placement(this, camera.frozen, [...entries], ratio)); }

  choose(deadline) {
    while (this.choice && this.clock.now() < deadline) {
      if (this.choice.next().done) this.choice = null;
    }
    return this.choice !== null;
  }

  *choices(placement) {
    yield* placement.choices();
    const { placed, shown } = placement;
    // Names that move a little, for instance because another symbol does, glide.
    const before = new Map(this.placed.map((label) => [label.key, label]));
    for (const label of placed) {
      const old = before.get(label.key);
      if (!old || old.x !== label.x || Math.hypot(old.dx - label.dx, old.dy - label.dy) < 1) continue;
      label.slide = { dx: (old.drawn?.dx ?? old.dx) - label.dx, dy: (old.drawn?.dy ?? old.dy) - label.dy, since: this.clock.now() };
    }
    Object.assign(this, { placed, shown, spots: placement.spots });
  }

  at(px, py, camera) {
    for (const { x, y, at, boxes, target } of this.placed) {
      if (!target) continue;
      const [nx, ny] = camera.toScreen(x, y);
      if (isOnName(boxes, px - nx + at[0], py - ny + at[1])) return target;
    }
    return null;
  }

  *boxesIn(camera, hidden) {
    for (const label of this.placed) if (!isHidden(label, hidden)) yield* boxesOf(label, camera);
  }

  /** The boxes of the straight names of lands in a view. */
  namesOfLands(camera) {
    return this.placed.filter(({ target, boxes }) => target?.isLand && boxes.length === 1).flatMap((label) => boxesOf(label, camera));
  }

  draw(context, camera, ratio, now, isCalm) {
    let isFading = false;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { soft } = this.palette.theme;
    for (const { x, y, line } of this.placed) {
      if (!line) continue;
      const [px, py] = camera.toScreen(x, y);
      strokeLines(context, soft, 0.9, line.map((value, i) => value + (i % 2 === 0 ? px : py)));
      // The end at the symbol.
      dot(context, px + line[0], py + line[1], LEADER_END, soft);
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    const hidden = layers.values((layer) => layer.hiddenNames).find(({ size }) => size > 0);
    for (const label of this.placed) {
      if (hidden && isHidden(label, hidden)) continue;
      let [x, y] = camera.toScreen(label.x, label.y);
      if (label.slide && !isCalm) {
        const left = Math.max(0, 1 - (now - label.slide.since) / SLIDE) ** 2;
        [x, y] = [x + label.slide.dx * left, y + label.slide.dy * left];
        label.drawn = { dx: label.dx + label.slide.dx * left, dy: label.dy + label.slide.dy * left };
        if (left > 0) isFading = true;
        else label.slide = label.drawn = null;
      }
      const { canvas, width, height } = label.sprite;
      const [left, top] = [x + label.dx - width / 2, y + label.dy - height / 2];
      if (left > camera.width || top > camera.height || left + width < 0 || top + height < 0) continue;
      const alpha = isCalm ? 1 : Math.min(1, (now - label.since + 30) / 160);
      if (alpha < 1) isFading = true;
      context.globalAlpha = alpha;
      context.drawImage(canvas, Math.round(left * ratio), Math.round(top * ratio));
    }
    context.globalAlpha = 1;
    return isFading;
  }
}

class Placement {
  constructor(labels, camera, entries, ratio) {
    const { lights, symbols, lettering } = labels;
    Object.assign(this, { labels, camera, entries, ratio, lights, symbols, lettering, isSized: symbols.isOn });
    this.now = labels.clock.now();
    this.occupied = new OccupiedBoxes();
    /** The names, and by key since when each is shown. */
    Object.assign(this, { placed: [], shown: new Map() });
    this.spots = labels.spots; // where blocks are, by key
  }

  keep(label) {
    const since = this.labels.shown.get(label.key) ?? this.now;
    this.shown.set(label.key, since);
    this.placed.push({ ...label, since, at: this.camera.toScreen(label.x, label.y) });
  }

  *choices() {
    this.panels = this.labels.obstacles();
    this.panels.forEach((box) => this.occupied.add(box));
    const named = this.isSized ? yield* this.placeBlocks() : null;
    // A small window has room for names of the most important only.
    const isFull = this.isSized && this.camera.width < NARROW;
    const lands = this.landsOf((land) => (!this.isSized ? "name" : isFull && !this.wanted.has(land.rawPath ?? land.path) ? "none" : this.symbols.roleOf(land, named)));
    yield;
    for (const land of lands) {
      if (this.placed.length > MAXIMUM_NAMES) break;
      this.placeLand(land);
      yield;
    }
    if (this.isSized && (!isFull || this.symbols.isOfFiles)) yield* this.placeOwnFiles(named);
    yield* this.placeFiles();
  }

  /** Learns where lands are: those of the level, those beside the folders in view, and these. */
  *survey() {
    const { camera, entries, symbols } = this;
    const grounds = new Grounds(camera);
    const zero = camera.toScreen(0, 0);
    for (const [path, { land }] of symbols.view.shores.all) {
      const rings = land.map((ring) => [areaOf(ring), ring]).sort(([a], [b]) => Math.abs(b) - Math.abs(a));
      // Lakes turn the other way round.
      for (const [area, ring] of rings) grounds.add(area > 0 === rings[0][0] > 0 ? path : undefined, ring, zero, camera.scale);
    }
    yield;
    this.around = new Set([...symbols.roots].flatMap((path) => path.split("/").map((_, index, names) => names.slice(0, index + 1).join("/"))));
    const found = entries.flatMap((entry) => entry.data.land.filter(({ parent, breadth }) => this.around.has(parent) && (breadth ?? 1) * camera.scale > 8).map((land) => ({ entry, land })));
    found.sort((a, b) => a.land.depth - b.land.depth);
    let count = 0;
    for (const { entry, land } of found) {
      if ((count += 1) % 20 === 0) yield;
      const at = camera.toScreen(...worldPlace(entry, 0, 0));
      for (const ring of outlineOf(land)) grounds.add(land.path, ring, at, camera.scale / 2 ** entry.z / 4096);
    }
    grounds.close();
    this.grounds = grounds;
  }

  isFree(box) { return this.occupied.isFree(box) && !this.grounds?.borders(box); }

  /** The lands to name, with their points, most important first; `roleOf` says how a land is named. */
  landsOf(roleOf) {
    const { camera, entries, lights } = this;
    // The panel has the name of the folder in view.
    const alone = this.symbols.level?.current?.path;
    const found = new Map();
    for (const entry of entries) {
      for (const land of entry.data.land) {
        const breadth = (land.breadth ?? 0) * camera.scale;
        if (breadth < (land.depth < 2 ? 12 : 17) || !layers.isThere(land) || (lights.isOn && land.path === alone)) continue;
        const { points, role } = keptIn(found, land.path, () => {
          const wanted = roleOf(land);
          return { land, breadth, role: wanted === "deep" && breadth < DEEP ? "none" : wanted, points: [] };
        });
        for (const ring of role === "none" ? [] : land.outline ?? land.rings) {
          const step = ring.length > 160 ? 4 : 2;
          for (let i = 0; i < ring.length; i += step) points.push(camera.toScreen(...worldPlace(entry, ring[i], ring[i + 1])));
        }
      }
    }
    const rank = ({ land, breadth }) => (land.depth === 0 ? 1e6 : 0) + (lights.isOn && lights.count(land.path) > 0 ? 1e5 : 0) +
      (this.labels.shown.has(land.path) ? 1.4 : 1) * breadth * [1, 1, 0.7, 0.5][Math.min(land.depth, 3)];
    return [...found.values()].filter(({ role }) => role !== "none").sort((a, b) => rank(b) - rank(a) || (a.land.path < b.land.path ? -1 : 1));
  }

  placeLand({ land, breadth, points, role }) {
    const { camera, lettering, lights } = this;
    const view = [4, 4, camera.width - 4, camera.height - 4];
    // A land that fills the view needs no name: the breadcrumbs have it.
    if (breadth > 1.25 * Math.max(camera.width, camera.height)) return;
    let hull = hullOf(points);
    if (hull.some(([x, y]) => x < view[0] || y < view[1] || x > view[2] || y > view[3])) hull = cutHull(hull, view);
    if (hull.length < 3) return;
    const line = lineThrough(hull, land.depth === 0);
    if (!line) return;
    const across = Math.min(line.breadth, breadth * 1.2);
    const style = role === "name" ? styleOf(land.depth, across) : { ...(this.wanted.has(land.rawPath ?? land.path) ? boldStyle : plainStyle(across)) };
    if (lights.isOn) style.ink = lights.count(land.path) > 0 ? "lit" : "unlit";
    for (const layer of layers.all) layer.style(style, land);
    const isFree = (box) => this.isFree(box);
    const isPlain = role === "child" || role === "deep";
    const figure = isPlain && this.figures?.get(land.rawPath ?? land.path);
    for (const text of [figure && `${labelText(land.name, style.caps)} ${figure}`, labelText(land.name, style.caps)].filter(Boolean)) {
      const { letters, widths } = lettering.lettersOf(text, style.font);
      const found = (isPlain && placeLetters(hull, levelLine(hull), widths, style.sizes, style.tracks, isFree)) ||
        placeLetters(hull, line, widths, legibleSizes(line, style.sizes), style.tracks, isFree);
      if (!found) continue;
      this.keepLetters(land.path, land, letters, found, style, 1.5);
      if (role === "name") this.placeNote(land, hull, line, found);
      return;
    }
  }

  keepLetters(key, land, letters, found, style, margin) {
    const boxes = found.letters.map(({ box }) => box);
    for (const box of boxes) this.occupied.add(grown(box, margin));
    const sprite = this.lettering.placed(letters, found, style, this.ratio);
    const [x, y] = this.camera.toWorld(sprite.x, sprite.y);
    this.keep({ key, x, y, dx: 0, dy: 0, sprite, boxes, target: land.isRecorded ? null : targetOf(land, true) });
  }

  placeNote(land, hull, line, found) {
    const note = found.size >= (this.lights.isOn ? 8 : 11) ? this.labels.noteOf(land) : "";
    if (note === "") return;
    const font = `italic 1px ${serif}`;
    const { letters, widths } = this.lettering.lettersOf(note, font);
    const size = Math.max(9, Math.min(12.5, found.size * 0.62));
    const middle = found.letters[Math.floor(found.letters.length / 2)];
    const [from, to] = [found.letters[0], found.letters.at(-1)];
    const angle = Math.atan2(to.y - from.y, to.x - from.x) || middle.angle;
    const down = found.size * 0.62 + size * 0.75 + Math.max(0, line.sag);
    const moved = { ...line, x: (from.x + to.x) / 2 - down * Math.sin(angle), y: (from.y + to.y) / 2 + down * Math.cos(angle), sag: 0, angle };
    const placed = placeLetters(hull, moved, widths, legibleSizes(moved, [size]), [0.02], (box) => this.isFree(box));
    if (placed) this.keepLetters(`${land.path}\n`, land, letters, placed, { font, ink: this.lights.isOn ? "lit" : "soft" }, 0);
  }

  spritesOf(texts, part, within) {
    return texts.map(([text, kind, own]) => {
      const { font, size, height, ink } = lineStyles[kind];
      return { sprite: this.lettering.level(text, font, size * part, within ?? own ?? ink, this.ratio), height: height * part };
    });
  }

  sizeOf(texts, part) {
    const widths = texts.map(([text, kind]) => this.lettering.lettersOf(text, lineStyles[kind].font).widths.reduce((sum, width) => sum + width, 0) * lineStyles[kind].size);
    return { width: Math.max(...widths) * part + 2, height: texts.reduce((sum, [, kind]) => sum + lineStyles[kind].height, 0) * part };
  }

  *placeBlocks() {
    const { camera, symbols, occupied, ratio } = this;
    symbols.place(camera);
    yield* this.survey();
    const [named, blocks] = [new Set(), []];
    // Names keep off the lines to the places of symbols that were pushed aside.
    const lines = symbols.tethers(camera);
    const spots = new Map();
    // A small window has less room for names.
    const isNarrow = camera.width < NARROW;
    const part = isNarrow ? 0.85 : 1;
    // Small files stay visible, if they can.
    const dots = symbols.items.files.filter((item) => !symbols.single.has(item) && symbols.sizeOf(item) >= DOTTED).slice(0, MAXIMUM_DOTS);
    const obstacles = [...[...symbols.all, ...dots].map((item, index) => {
      const [x, y] = symbols.spotOf(item, camera);
      return { item, isDot: index >= symbols.all.length, x, y, r: symbols.sizeOf(item), isSquare: item.isSquare };
    }), ...(symbols.sizing?.obstacles(camera) ?? [])];
    yield;
    const captions = symbols.captionsIn(camera);
    this.wanted = new Map(captions.map(({ item, lines }) => [item.key, lines[1]?.[0].split(" · ")[0]]));
    // Each name of what changed says by how much.
    this.figures = symbols.sizing?.figuresOf(symbols.summary.lands) ?? this.wanted;
    const leading = new Set(captions.filter(({ item, isRoot }) => item.isLand && !item.spots && !isRoot).slice(0, FAR_LANDS).map(({ item }) => item));
    for (const { item, lines: all, isRoot, isMinor } of captions) {
      const [x, y] = symbols.spotOf(item, camera);
      if (!camera.isNear(x, y, 0)) continue;
      const r = symbols.sizeOf(item);
      const near = obstacles.filter((other) => other.item !== item && Math.hypot(other.x - x, other.y - y) < 400 + other.r);
      const { before: old, after } = item.change ?? {};
      const isRing = old > 0 && after > 0;
      const symbol = { x, y, r, isSquare: item.isSquare, isOpen: item.isLand ? !item.isSquare && !item.spot && !item.isOver : r >= WRITTEN_IN,
        inner: isRing ? r * Math.sqrt(Math.min(old, after) / Math.max(old, after)) : r };
      // A name along a line may be at any of its points.
      const anchors = (item.spots?.(camera) ?? [[x, y]]).map(([ax, ay]) => ({ ...symbol, x: ax, y: ay }));
      const root = isRoot ? item.path : symbols.level.rootOf(item.path);
      const home = item.spot ? null : symbols.homeOf(item);
      const mayStray = !isRoot && symbols.level.parts.length < MANY_ROOTS;
      // A line may leave the circles that its symbol is in, and that to loose files the squares.
      const inWay = near.filter((other) => other.item && !other.isDot && other.r > 3 && ((other.isSquare && r > 0) || Math.hypot(other.x - x, other.y - y) > other.r));
      const isIn = (at) => at === home || at === undefined || this.around.has(at);
      const own = isRoot || home === null ? null : this.grounds.which(isIn);
      let [saysFolder, mayCross] = [false, isRoot || home === null];
      // A name is in its own land, in none, or in its symbol; that of a file that says its folder may be in another.
      const mayBe = (box, isInside) => {
        if (mayCross || isInside) return true;
        const at = this.grounds.under(box);
        return at !== null && (isIn(at) || (saysFolder && occupied.isFree(grown(box, ALONE))));
      };
      const most = isNarrow ? 0 : leading.has(item) ? FARTHER_ABROAD : MAXIMUM_ABROAD;
      const test = {
        isFree: (box, isInside) => box[0] > 3 && box[1] > 3 && box[2] < camera.width - 3 && box[3] < camera.height - 3 && mayBe(box, isInside) &&
          occupied.isFree(grown(box, item.apart ?? APART)) && !lines.some((line) => meets(line, box)) && !(isRoot && symbols.isOverRoot(box, root, camera)),
        isClear: (line) => ![blocks, this.panels].some((boxes) => boxes.some((box) => meets(line, box))) && !inWay.some((other) => crosses(line, other)) && !lines.some((other) => meetEachOther(line, other)),
        toll: (line) => {
          const far = own ? this.grounds.outside(line, own) : 0;
          // A name along a line is at it.
          return far > most || Math.hypot(line[2] - line[0], line[3] - line[1]) > LONGEST ? Infinity : LINE_ABROAD * far + (item.spots ? OVER_BORDER : 0);
        },
        cost: (box, line, least = Infinity, isInside = false) => {
          let isAbroad = false;
          let sum = mayStray && symbols.isOverRoot(box, root, camera) ? OVER_ROOT : 0;
          if (home === null || isRoot) {
            const borders = this.grounds.borders(box);
            sum += borders > 0 ? OVER_BORDER + BORDER * borders : 0;
          } else if (!isInside) {
            const at = this.grounds.at((box[0] + box[2]) / 2, (box[1] + box[3]) / 2);
            sum += (at === home ? 0 : isIn(at) ? OUTSIDE : ABROAD);
            isAbroad = !isIn(at);
          }
          for (const other of near) {
            if (sum >= least) break;
            if (other.isDot) {
              if (covers(box, other)) sum += OVER_DOT;
              continue;
            }
            // Across a border it is read as that of the nearest circle.
            if (home !== null && !isRoot && other.item?.isLand && distanceOf(box, other.x, other.y) < other.r + (isAbroad ? ALONE : mayCross ? APART : 0) && symbols.homeOf(other.item) !== home) return Infinity;
            // Larger ones are below its symbol.
            if (isInside && other.r > r) continue;
            if (home !== null && !isRoot && covers(grown(box, RIM), other)) return Infinity;
            if (item.spots && other.of && other.of !== item.key && distanceOf(box, other.x, other.y) < other.r + ALONE) sum += OTHER_ARROW;
            sum += costOver(box, other, line) + (other.item && isAcross(box, other) ? ACROSS_RIM : 0);
          }
          return sum;
        },
      };
      let [place, texts, scale] = [null, all, part];
      /** Takes a place for some of the lines if it is better; `way` is one of those above. */
      const tryIn = function* (way, isAround) {
        const [price, shorten, smaller = 1] = way;
        const some = shorten(all);
        const size = this.sizeOf(some, smaller * part);
        saysFolder = !item.isLand && some.some(([text]) => text.startsWith("in "));
        for (const [at, anchor] of anchors.entries()) {
          const found = isAround ? yield* placeAround(anchor, size, test, (place?.cost ?? Infinity) - price)
            : placeBlock(anchor, size, test, before && before.at === at ? { ...before, keeps: KEEPING - before.way[0] / 3 } : null, isRoot ? AROUND_ROOT : undefined);
          if (found && (!place || found.cost + price < place.cost)) [place, texts, scale] = [{ ...found, cost: found.cost + price, way, at }, some, smaller * part];
        }
      }.bind(this);
      // A name that had a place keeps it, if it can.
      const before = this.labels.spots.get(item.key);
      if (before) yield* tryIn(before.way, false);
      for (const way of SHORTER) {
        const [price, shorten, smaller = 1] = way;
        if (place && place.cost <= price) break;
        if (price > 0 && smaller === 1 && String(shorten(all)) === String(all)) continue;
        yield* tryIn(way, false);
        yield;
      }
      for (const way of isRoot || isMinor ? [] : SHORTER.filter(([, , , isLast]) => isLast)) {
        if (place && place.cost <= Math.max(POOR, way[0])) break;
        yield* tryIn(way, true);
      }
      // The largest have a name in any case: right at their circle it may cross borders.
      if (!place && item.isLand && !item.spot && (isNarrow ? named.size < LEAST_NAMED : leading.has(item))) {
        const isOwn = (box, isInside) => test.isFree(box, isInside) && (isInside || isIn(this.grounds.at((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)));
        for (const [may, smaller, count] of [[false, 0.65, 2], [false, 0.57, 1], [true, 1, 2], [true, 0.8, 2], [true, 0.65, 2]]) {
          if (place) break;
          mayCross = may;
          texts = split(all).slice(0, isNarrow ? 1 : count);
          place = placeBlock({ ...symbol, isOpen: !item.isSquare }, this.sizeOf(texts, scale = smaller * part), { ...test, isFree: isOwn });
        }
      }
      // Far from its land the name of a root would be taken for another's: then it is on it.
      if (isRoot && !(place?.gap < FAR_FROM_ROOT)) place = placeBlock({ ...symbol, r: 0 }, this.sizeOf(texts, scale), test);
      // Without a place of its own a land may have its name inside.
      if (!place || (isMinor && (place.gap > MINOR_GAP || place.cost > NOWHERE))) continue;
      named.add(item.key);
      // On a symbol in the colour of its change, text in the same colour can't be read.
      const inside = item.change ? 1 : item.isSquare ? "insquare" : undefined;
      const sprites = this.spritesOf(texts, scale, place.isInside ? inside : undefined);
      const { box, side, direction, gap, far, line, way = SHORTER[0], at = 0 } = place;
      spots.set(item.key, { direction, gap, far, way, at });
      // Next to the name of a file in another land, that of the land would be read as its line.
      occupied.add(grown(box, item.apart ?? (item.isLand || this.grounds.at(box[0], box[1]) === home ? 1 : ALONE / 2)));
      blocks.push(box);
      if (line) lines.push(line);
      const [ax, ay] = camera.toScreen(item.wx, item.wy);
      let top = box[1];
      sprites.forEach(({ sprite, height: high }, index) => {
        const half = sprite.text / 2;
        const middle = side === 1 ? box[0] + half : side === -1 ? box[2] - half : (box[0] + box[2]) / 2;
        this.keep({ key: `${item.key}\n${index}`, x: item.wx, y: item.wy, dx: middle - ax, dy: top + high / 2 - ay, sprite, target: item, kind: texts[index][1],
          boxes: [[middle - half, top, middle + half, top + high]],
          line: index === 0 && line ? line.map((value, i) => value - (i % 2 === 0 ? ax : ay)) : null });
        top += high;
      });
      yield;
    }
    this.spots = spots;
    // Other names keep off lines and all symbols.
    for (const [x0, y0, x1, y1] of lines) {
      const count = Math.ceil(Math.hypot(x1 - x0, y1 - y0) / LINE_STEP);
      for (let i = 0; i <= count; i += 1) {
        const [x, y] = [x0 + ((x1 - x0) * i) / count, y0 + ((y1 - y0) * i) / count];
        occupied.add([x - 1, y - 1, x + 1, y + 1]);
      }
    }
    for (const { x, y, r, isSquare } of obstacles) {
      const [half, less] = [r + 1, isSquare ? r + 1 : 0.7 * r];
      occupied.add([x - half, y - less, x + half, y + less]);
      if (!isSquare) occupied.add([x - less, y - half, x + less, y + half]);
    }
    return named;
  }

  *placeOwnFiles(named) {
    const { camera, symbols, occupied, ratio } = this;
    const font = `1px ${serif}`;
    let tried = 0;
    // Of very many files only those that are more than a dot.
    const least = !symbols.isOfFiles ? MINIMUM_NAMED : symbols.countIn(camera) > MAXIMUM_DOTS ? MINIMUM_SQUARE : 0;
    for (const item of symbols.items.files) {
      if (this.placed.length > MAXIMUM_FILE_NAMES || tried > TRIED) return;
      if (named.has(item.key)) continue;
      const r = symbols.sizeOf(item);
      if (r < least) return;
      const [x, y] = symbols.spotOf(item, camera);
      if (!camera.isNear(x, y, 0)) continue;
      if ((tried += 1) % 8 === 0) yield;
      const size = r > 6 || symbols.isOfFiles ? 10.5 : 10;
      const text = shortName(item.name);
      const half = (this.lettering.lettersOf(text, font).widths.reduce((sum, width) => sum + width, 0) * size) / 2;
      const gap = Math.max(1.3, r) + 2.5;
      // In another land it would be of that.
      const isOwn = (at) => at === undefined || this.around.has(at);
      const middleAt = (way) => x + way * (gap + half);
      const boxAt = (way) => [middleAt(way) - half, y - 5.5, middleAt(way) + half, y + 5.5];
      const side = [1, -1].find((way) => this.isFree(boxAt(way)) && isOwn(this.grounds.at(middleAt(way), y)));
      if (!side) continue;
      const [middle, box] = [middleAt(side), boxAt(side)];
      occupied.add(box);
      const [ax, ay] = camera.toScreen(item.wx, item.wy);
      const sprite = this.lettering.level(text, font, size, r > 6 ? "squareink" : "soft", ratio);
      this.keep({ key: item.key, x: item.wx, y: item.wy, dx: middle - ax, dy: y - ay, sprite, boxes: [box], target: item });
    }
  }

  *placeFiles() {
    const { camera, entries, occupied, ratio, isSized } = this;
    const wanted = [];
    const seen = new Set();
    for (const entry of entries) {
      for (const file of entry.data.files) {
        if (file.x < 0 || file.y < 0 || file.x >= 4096 || file.y >= 4096 || seen.has(file.path)) continue;
        const past = camera.z - file.minzoom;
        if (past < (isSized ? 1.8 : 1.2) || (isSized && this.symbols.isOwn(file)) || !layers.isThere(file) || (this.lights.isOn && !this.lights.isLit(file))) continue;
        seen.add(file.path);
        const [wx, wy] = worldPlace(entry, file.x, file.y);
        const [x, y] = camera.toScreen(wx, wy);
        if (!camera.isNear(x, y, 60, 20)) continue;
        const r = fileSize(past);
        if (wanted.length < 3000) occupied.add([x - r, y - r, x + r, y + r]);
        wanted.push({ file, wx, wy, x, y, r, weight: (this.labels.shown.has(file.path) ? 1e18 : 0) + weightOf(file) });
      }
    }
    wanted.sort((a, b) => b.weight - a.weight || (a.file.path < b.file.path ? -1 : 1));
    let count = 0;
    for (const { file, wx, wy, x, y, r } of wanted.slice(0, 900)) {
      if (this.placed.length > MAXIMUM_NAMES) break;
      if ((count += 1) % 4 === 0) yield;
      const style = { font: `1px ${sans}`, ink: this.lights.isOn ? "lit" : "file" };
      for (const layer of layers.all) layer.style(style, file);
      const sprite = this.lettering.level(labelText(file.name, false), style.font, 11, style.ink, ratio);
      const [w, h] = [sprite.text / 2, 6.5];
      const gap = r + 2;
      const anchors = [[w + gap, 0], [-w - gap, 0], [0, h + gap], [0, -h - gap], [w + gap - 1, -h], [w + gap - 1, h], [-w - gap + 1, -h], [-w - gap + 1, h]];
      const boxAt = ([dx, dy]) => [x + dx - w, y + dy - h, x + dx + w, y + dy + h];
      const spot = anchors.find((anchor) => this.isFree(boxAt(anchor)));
      if (!spot) continue;
      const box = boxAt(spot);
      occupied.add(box);
      this.keep({ key: file.path, x: wx, y: wy, dx: spot[0], dy: spot[1], sprite, boxes: [box], target: targetOf(file, file.kind !== "poi") });
    }
  }
}

function isAcross([west, north, east, south], { x, y, r, isSquare }) {
  const [dx, dy] = [Math.max(west - x, 0, x - east), Math.max(north - y, 0, y - south)];
  const [fx, fy] = [Math.max(x - west, east - x), Math.max(y - north, south - y)];
  const reach = isSquare ? Math.max : Math.hypot;
  return reach(dx, dy) < r - 1 && reach(fx, fy) > r;
}

function weightOf(file) { return layers.all.reduce((sum, layer) => sum + layer.weightOf(file), file.size ?? 0); }

function boxesOf({ x, y, at, boxes }, camera) {
  const [px, py] = camera.toScreen(x, y);
  // Boxes of letters have corners, too.
  return boxes.map((box) => [box[0] + px - at[0], box[1] + py - at[1], box[2] + px - at[0], box[3] + py - at[1]]);
}

function isHidden({ target }, hidden) { return Boolean(target) && !target.isLand && hidden.has(target.path); }

function targetOf({ path, rawPath, folder, rawFolder, ...rest }, isLand) {
  return { path, rawPath: rawPath ?? (folder === undefined ? undefined : rawWithin({ path: folder, rawPath: rawFolder }, rest)), isLand };
}

/** A horizontal line through the middle of a hull, for `placeLetters`. */
function levelLine(hull) {
  const [west, north, east, south] = boxOfRings([hull.flat()]);
  const middle = hull.reduce(([x, y], [px, py]) => [x + px / hull.length, y + py / hull.length], [0, 0]);
  return { x: middle[0], y: middle[1], angle: 0, length: east - west, chord: east - west, sag: 0, breadth: south - north };
}

function grown(box, by) { return [box[0] - by, box[1] - by, box[2] + by, box[3] + by]; }
