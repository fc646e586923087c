// The symbols of the level in view: circles of its lands, squares of its files, with areas in proportion to bytes.
import { contains, nameOf, parentOf, rawWithin } from "./geo.js";
import { layers } from "./layers.js";
import { line, signsIn } from "./legend.js";
import { project } from "./mercator.js";
import { isAway, pushedApart, withRoom } from "./placing.js";
import { captionOf, fileCaptions, landCaptions, lastLine, LARGEST_FILES, LOOSE_PART, looseCaption, looseFiles, NARROW, rootCaption, shortName, sideOf } from "./prominence.js";
import { DOT, dot, Dots, drawCircle, drawSquare, drawTether, looks } from "./shapes.js";

const MAXIMUM_LANDS = 110; // symbols that are pushed apart, and drawn one by one
const MAXIMUM_FILES = 90;
const MINIMUM_LAND = 1.6; // pixels: radius of the smallest circle drawn
const MINIMUM_FILE = 2.6; // pixels: half a side of a square drawn by itself
const MAXIMUM_FILES_NARROW = 3; // named in a small window
const MAXIMUM_LANDS_NARROW = 6;
const MAXIMUM_CHANGES_NARROW = 8; // and changes
const MAXIMUM_ROOTS = 24; // roots with figures
const MAXIMUM_NAMED = 12; // lands with figures in a view, if fewer are always named
const MINIMUM_CIRCLED = 3; // pixels: radius of the smallest circle with figures because it is large in a view
const MINIMUM_SQUARED = 5; // pixels: the same of half a square's side
const FILE_DOT = 1.6; // pixels: half a side of a file's square at a moment of a time line
const LOOSE_SQUARES = 3; // squares of loose files, if they are many
const LOOSE_SPOTS = 12; // loose files at which their name may be
const NEAR = 0.4; // of the view: symbols this far outside take part
const SPLIT = 300; // milliseconds of the change between levels
const EASE = 90; // milliseconds in which a symbol goes most of the way to a new place
/** Circles of this radius in pixels are drawn lighter if they are larger than their land by so much. */
const [LIGHTENED, OVER] = [18, 2];

/** What lines below names say: the kind of line, its ink and face, its sign in the legend, and words. */
const lineWords = [["inner", "accent", "", "in", "most in: sub-folder with over a fifth, of the three largest, where there is room"], ["most", "squareink", "italic ", "most", "mostly: file with over half of a folder"], ["last", "accent", "italic ", "last", "changed last: date of its newest file"]];

/** Whether a symbol has a line to its place; squares are in the circle of their folder. */
const isAside = ({ dx, dy, r, circle: own }) => !own && isAway(dx, dy, r);

function toRim([x, y], [px, py], r) {
  const part = r / Math.hypot(px - x, py - y);
  return [x, y, px + (x - px) * part, py + (y - py) * part];
}

export class Symbols {
  constructor(view) {
    Object.assign(this, { view, level: null, summary: null });
    this.all = []; // those drawn one by one, largest first
    /** Those of the level before, while they vanish. */
    this.leaving = [];
    this.items = { lands: [], files: [], columns: [] };
    this.dots = new Dots(view.clock);
    this.version = 0; // increases when other symbols are drawn one by one
    this.drawnAt = 0;
  }

  follow(level) {
    this.level = level;
    level.listen(() => this.changed());
  }

  get sizing() { return layers.sizing; }

  get isOn() {
    return Boolean(this.level?.current) && !this.view.lights.isOn && (!layers.isPlain || layers.isSized || this.sizing !== null);
  }

  /** Whether symbols are those of a moment: they stand back behind what happens, and files are dots. */
  get isTimed() { return layers.isTimed && this.sizing === null; }
  get isOfFiles() { return this.level.amounts.lands.length === 0; }

  changed() {
    const { current } = this.level;
    const { sizing } = this;
    const sized = sizing && sizing.version;
    if (current === this.summary && sized === this.sized) return;
    this.sized = sized;
    const before = this.summary;
    const isSame = before !== null && before.path === current.path && before.rawPath === current.rawPath;
    this.summary = current;
    const old = this.all;
    this.roots = new Set(current.roots);
    this.items = this.itemsOf(current);
    this.captions = this.captionsOf(current);
    if (!isSame) this.dots.clear();
    this.version += 1;
    this.zoom = undefined;
    // With other figures of the same level, symbols go on from where they are.
    if (isSame) this.settle(new Map(old.map((item) => [item.key, item])));
    else this.all = [];
    this.place(this.view.camera);
    if (this.view.isCalm) this.leaving = [];
    else this.split(old, isSame);
  }

  settle(old) {
    this.all = [...this.items.lands, ...this.items.files].filter(({ key }) => old.has(key));
    for (const item of this.all) [item.dx, item.dy] = [old.get(item.key).dx, old.get(item.key).dy];
  }

  itemsOf(summary) {
    const itemOf = (thing, isLand) => {
      const path = thing.path ?? `${summary.path}/${thing.name}`;
      const rawPath = thing.rawPath ?? (thing.path === undefined ? rawWithin(summary, thing) : undefined);
      const { x, y } = project(thing.lon, thing.lat);
      return { key: `${isLand ? "" : "\n"}${rawPath ?? path}`, path, rawPath, name: thing.name ?? nameOf(path), isLand, thing, wx: x, wy: y,
        isSquare: !isLand, amount: this.level.amount(thing) ?? 0, x: 0, y: 0, dx: 0, dy: 0 };
    };
    const columns = (items) => ({ items, x: Float64Array.from(items, ({ wx }) => wx), y: Float64Array.from(items, ({ wy }) => wy) });
    const { sizing } = this;
    if (sizing) return { ...sizing.itemsOf(summary, itemOf, this.level), columns: [columns([]), columns([])] };
    const lands = summary.lands.map((land) => itemOf(land, true));
    this.most = new Map();
    const named = (summary.largest ?? []).slice(0, LARGEST_FILES[Number(lands.length === 0)])
      .map((file) => itemOf(file, false)).filter((file) => !this.isMost(file, lands));
    const keys = new Set(named.map(({ key }) => key));
    const files = [...named, ...(summary.own ?? []).map((file) => itemOf(file, false)).filter(({ key }) => !keys.has(key))];
    files.sort((a, b) => b.amount - a.amount);
    // Among lands files are dots: squares are the largest of all, and of many middling ones.
    const loose = looseFiles({ own: [], ...summary }, (thing) => this.level.amount(thing))?.amount ?? 0;
    const own = files.filter(({ path, amount }) => amount > 0 && this.roots.has(parentOf(path))).slice(0, loose >= LOOSE_PART * this.level.amounts.sum ? LOOSE_SQUARES : 0);
    for (const item of [...named, ...own]) item.isLarge = true;
    return { lands, files, named: files.filter(({ isLarge }) => isLarge), columns: [columns(lands), columns(files.filter(({ path }) => this.roots.has(parentOf(path))))] };
  }

  /** Whether a file has more than half of its land's bytes: then the circle of the land is its sign, too. */
  isMost(file, lands) {
    const land = lands.find(({ path }) => path === this.level.partWith(file.path));
    if (!land || 2 * file.amount <= land.amount) return false;
    this.most.set(land.thing, file.thing);
    return true;
  }

  /** The symbols that are always named, with their lines, most important first. */
  captionsOf(summary) {
    if (this.sizing) return this.sizing.captionsOf(this.items);
    const amount = (thing) => this.level.amount(thing);
    const items = new Map(this.items.lands.map((item) => [item.thing, item]));
    const lands = landCaptions(summary.lands, amount, this.level.least, this.most).map(({ thing, lines }) => ({ item: items.get(thing), lines }));
    const { named } = this.items;
    const files = fileCaptions(named.map(({ path, name, thing }) => ({ path, name, bytes: thing.bytes, allocated: thing.allocated, layers: thing.layers })), amount)
      .map(({ lines }, index) => ({ item: named[index], lines }));
    const roots = this.level.parts.filter(({ box }) => box).slice(0, MAXIMUM_ROOTS).map((part) => ({ lines: rootCaption(part), isRoot: true,
      item: { key: `/${part.path}`, path: part.path, isLand: true, isSquare: true, box: part.box, wx: (part.box[0] + part.box[2]) / 2, wy: (part.box[1] + part.box[3]) / 2 } }));
    // What changed last has room for its date.
    const first = new Set(lands.filter(({ lines }, index) => index < 3 || lines.at(-1)[1] === "last"));
    return [...roots, ...first, ...files.slice(0, 3), ...this.looseOf(summary), ...lands.filter((land) => !first.has(land)), ...files.slice(3)];
  }

  looseOf(summary) {
    if (summary.path === undefined) return [];
    const places = (summary.own ?? []).map(({ lon, lat }) => project(lon, lat));
    const found = looseCaption({ own: [], ...summary }, (thing) => this.level.amount(thing), places);
    if (!found) return [];
    const { x, y, lines } = found;
    const some = [found, ...places.filter((_, index) => index % Math.ceil(places.length / LOOSE_SPOTS) === 0)];
    return [{ lines, item: { spots: (camera) => some.map((place) => camera.toScreen(place.x, place.y)), key: `${summary.rawPath ?? summary.path}/`, path: summary.path, rawPath: summary.rawPath, isLand: true, amount: 0, r: 0, wx: x, wy: y } }];
  }

  /** The symbols to name in a view: those that are always named, then the largest in it up to as many; most important first. */
  captionsIn(camera) {
    const isIn = (item) => (item.isLand || this.single.has(item)) && camera.isNear(...(item.spot ? item.spot(camera) : camera.toScreen(item.wx, item.wy)), 0);
    if (this.sizing) return this.captions.filter(({ item }) => this.sizing.isThere(item) && isIn(item)).slice(0, camera.width < NARROW ? MAXIMUM_CHANGES_NARROW : Infinity);
    const isNarrow = camera.width < NARROW;
    let [lands, files] = isNarrow ? [MAXIMUM_LANDS_NARROW - (this.view.palette.mode === "age" ? 1 : 0), MAXIMUM_FILES_NARROW] : [Infinity, Infinity];
    const named = this.withNewest(this.captions.filter(({ item, isRoot }) => isIn(item) && !(isNarrow && item.spots) && (item.isLand ? (lands -= 1) >= 0 || isRoot : !this.isTimed && (files -= 1) >= 0)), isIn);
    const keys = new Set(named.map(({ item }) => item.key));
    const more = (isLand, most, least) => {
      const left = (isNarrow ? most / 2 : most) - named.filter(({ item, isRoot }) => (isNarrow || !isRoot) && item.isLand === isLand).length;
      return this.all.filter((item) => item.isLand === isLand && !keys.has(item.key) && item.r >= least && isIn(item)).sort((a, b) => b.amount - a.amount)
        .slice(0, Math.max(0, left)).map((item) => ({ item, lines: captionOf(item, (thing) => this.level.amount(thing)), isMinor: true }));
    };
    return [...named, ...more(true, MAXIMUM_NAMED, MINIMUM_CIRCLED), ...this.isOfFiles && !this.isTimed ? more(false, LARGEST_FILES[1], MINIMUM_SQUARED) : []]
      .map((caption) => ({ ...caption, lines: caption.item.isLand ? caption.lines.filter(([, kind]) => this.hasLines(kind, camera)) : this.linesWithFolder(caption) }));
  }

  /** On a map by age the newest land of a view has a name, which says so. */
  withNewest(named, isIn) {
    if (this.view.palette.mode !== "age") return named;
    const item = this.items.lands.reduce((best, one) => (one.thing.newest > (best?.thing.newest ?? 0) && isIn(one) ? one : best), null);
    if (!item) return named;
    const lines = (named.find((one) => one.item === item)?.lines ?? captionOf(item, (thing) => this.level.amount(thing))).filter(([, kind]) => kind !== "last");
    return [{ item, lines: [...lines, lastLine(item.thing)] }, ...named.filter((one) => one.item !== item)];
  }

  /** Whether names have lines of a kind: a small window has no room for those below the figures, but for what is newest by age. */
  hasLines(kind, { width }) { return width >= NARROW || (kind === "last" ? this.view.palette.mode === "age" : kind !== "inner"); }

  linesWithFolder({ item, lines: [name, ...others] }) {
    if (this.isOfFiles) return [name, ...others];
    const words = `in ${shortName(nameOf(this.homeOf(item)), 24)}`;
    return [name, [[words, ...others.map(([text]) => text)].join(" · "), "figures"]];
  }

  /** The path of the land that a symbol belongs to: the folder of the level, or the one in view. */
  homeOf({ path, isLand }) {
    const part = isLand ? path : this.level.partWith(path);
    return part === null || (part === path && !isLand) ? this.level.rootOf(path) ?? parentOf(path) : part;
  }

  tethers(camera) {
    return this.all.filter((item) => isAside({ ...item, dx: item.tx, dy: item.ty })).map((item) => toRim(camera.toScreen(item.wx, item.wy), this.spotOf(item, camera), item.r));
  }

  /** The radius of a circle, or half the side of a square, at the present zoom. */
  sizeOf({ isLand, amount, box, isLarge, change }) {
    if (box) return ((box[3] - box[1]) / 2) * this.view.camera.scale;
    const r = this.level.radius(amount);
    if (!isLand && this.isTimed) return Math.min(FILE_DOT, sideOf(r) / 2);
    if (isLand) return amount >= this.level.least && amount > 0 ? Math.max(MINIMUM_LAND, r) : 0;
    return isLarge ? Math.max(MINIMUM_FILE, sideOf(r) / 2) : this.isOfFiles || change ? sideOf(r) / 2 : Math.min(DOT, sideOf(r) / 2);
  }

  /** Chooses the symbols of a view that are drawn one by one, and pushes them apart. */
  place(camera) {
    if (!this.level?.current) return;
    // Tiles know how large lands are.
    const key = `${camera.z.toFixed(3)}|${camera.width}|${camera.height}|${this.view.tiles.counts.came}`;
    // While the view only pans, symbols keep their places.
    if (this.zoom !== undefined && this.placedFor === key && this.isCovering(camera)) return;
    this.placedFor = key;
    this.zoom = camera.z;
    this.placedAt = [camera.x, camera.y];
    const isNear = ({ wx, wy }) => {
      const [x, y] = camera.toScreen(wx, wy);
      return camera.isNear(x, y, NEAR * camera.width, NEAR * camera.height);
    };
    const chosen = [];
    const bySize = (items) => (this.sizing ? [...items].sort((a, b) => b.amount - a.amount) : items);
    for (const [items, most, least] of [[this.items.lands, MAXIMUM_LANDS, 0.1], [this.items.files, this.isOfFiles || camera.width >= NARROW ? MAXIMUM_FILES : 0, MINIMUM_FILE]]) {
      let count = 0;
      for (const item of bySize(items)) {
        if (count >= most) break;
        const r = this.sizeOf(item);
        if (r < least) { if (item.amount === 0 || !item.isLand) break; else continue; }
        if (!isNear(item)) continue;
        item.r = r;
        [item.x, item.y] = camera.toScreen(item.wx, item.wy);
        chosen.push(item);
        count += 1;
      }
    }
    chosen.sort((a, b) => b.r - a.r || (a.key < b.key ? -1 : 1));
    const breadths = new Map(this.view.landsInView().map((land) => [land.path, land.breadth * camera.scale]));
    for (const item of chosen) item.isOver = item.isLand && item.r > LIGHTENED && Math.PI * item.r ** 2 > OVER * breadths.get(item.path) ** 2;
    const circles = new Map(chosen.filter(({ isLand }) => isLand).map((item) => [item.path, item]));
    for (const item of chosen) item.circle = item.isLand ? null : circles.get(this.level.partWith(item.path));
    const shapes = chosen.map((item) => ({ x: item.x, y: item.y, r: item.r, isSquare: item.isSquare, group: item.isLand ? item.path : item.circle?.path }));
    const places = pushedApart(shapes);
    const known = new Set(this.all);
    chosen.forEach((item, i) => {
      [item.tx, item.ty] = [places[2 * i] - item.x, places[2 * i + 1] - item.y];
      if (!known.has(item)) [item.dx, item.dy] = [item.tx, item.ty];
    });
    const rooms = withRoom(shapes, places);
    // Through a light circle its land is seen.
    const all = chosen.filter(({ circle: own }, i) => this.isOfFiles || (rooms[i] && !own?.isOver));
    if (all.length !== this.all.length || all.some((item) => !known.has(item))) this.version += 1;
    this.all = all;
    this.single = new Set(all);
  }

  /** Lands that have a line, by their paths: those smaller than their circle, and the raised one. */
  outlines() {
    const { theme } = this.view.palette;
    const lines = new Map();
    if (this.isOn) for (const item of this.all) if (item.isOver) lines.set(item.path, [theme[item.change?.kind] ?? this.lookOf(item).rim, 1.8]);
    if (this.level?.raised) lines.set(this.level.raised, [theme.circlerim, 3]);
    return lines;
  }

  isCovering({ x, y, scale, width, height }) {
    return Math.abs(x - this.placedAt[0]) * scale < NEAR * width && Math.abs(y - this.placedAt[1]) * scale < NEAR * height;
  }

  /** Lets symbols of a new level come out of the land they are in, or those of the old one go into theirs. */
  split(old, isSame) {
    const now = this.view.clock.now();
    const isIn = (path, folder) => path === folder || path.startsWith(`${folder}/`);
    const { path } = this.summary;
    const from = path === undefined ? undefined : old.find((item) => item.isLand && isIn(path, item.path));
    const stayed = new Map(old.map((item) => [item.key, item]));
    for (const item of this.all) {
      const known = stayed.get(item.key);
      if (isSame && known) {
        // With another size it grows or shrinks in its place.
        const { wx, wy, dx, dy } = item;
        if (Math.abs((known.drawn ?? known.r) - item.r) > 0.5) item.from = { wx, wy, dx, dy, r: known.drawn ?? known.r, isNew: false, since: now };
        continue;
      }
      const { wx, wy, dx, dy, r } = known ?? from ?? item;
      item.from = { wx, wy, dx, dy, r: stayed.has(item.key) ? r : Math.max(1, 0.35 * r), isNew: !stayed.has(item.key), since: now };
    }
    const keys = new Set(this.all.map(({ key }) => key));
    this.leaving = old.filter(({ key }) => !keys.has(key)).map((item) => {
      const to = item === from ? item : this.all.find((other) => other.isLand && isIn(item.path, other.path));
      return { ...item, to: to && to !== item ? to : null, since: now };
    });
    this.view.ask();
  }

  lookOf(item) {
    const { palette } = this.view;
    const look = looks(palette.theme)[item.isLand ? "land" : "file"];
    const isRaised = this.level.raised !== null && this.level.raised === item.path;
    if (palette.mode === "kind") return { ...look, isRaised, isFaint: this.isTimed || item.isOver };
    if (item.isLand) return { ...look, rim: palette.theme.ink[1], isRaised, isHollow: true };
    return { ...look, fill: this.colourOf(item), rim: palette.theme.square, isRaised };
  }

  colourOf({ thing, name }) {
    const { palette } = this.view;
    if (palette.mode === "kind") return palette.theme.square;
    return palette.file({ name, size: thing.bytes, modified: thing.modified, special: thing.special, layers: thing.layers });
  }

  draw(context, camera, ratio, isAtRest, deadline) {
    if (!this.isOn) {
      this.dots.clear();
      return false;
    }
    const { palette, isCalm } = this.view;
    const now = this.view.clock.now();
    const step = isCalm ? 1 : 1 - Math.exp(-Math.min(60, now - this.drawnAt) / EASE);
    this.drawnAt = now;
    context.setTransform(1, 0, 0, 1, 0, 0);
    const isFull = this.dots.draw(context, camera, ratio, this.groups(), `${this.version}|${palette.key}`, isAtRest, deadline);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    let isMoving = this.drawLeaving(context, camera, now);
    const drawn = [];
    for (const item of this.all) {
      const [ax, ay] = camera.toScreen(item.wx, item.wy);
      item.r = this.sizeOf(item);
      if (Math.hypot(item.tx - item.dx, item.ty - item.dy) > 0.5) {
        item.dx += (item.tx - item.dx) * step;
        item.dy += (item.ty - item.dy) * step;
        isMoving = true;
      } else [item.dx, item.dy] = [item.tx, item.ty];
      let [x, y, r, alpha] = [ax + item.dx, ay + item.dy, item.r, 1];
      if (item.from) {
        const part = Math.min(1, (now - item.from.since) / SPLIT);
        if (part < 1) {
          const eased = 1 - (1 - part) ** 3;
          const [fx, fy] = camera.toScreen(item.from.wx, item.from.wy);
          [x, y] = [fx + item.from.dx + (x - fx - item.from.dx) * eased, fy + item.from.dy + (y - fy - item.from.dy) * eased];
          r = item.from.r + (r - item.from.r) * eased;
          if (item.from.isNew) alpha = Math.min(1, 0.25 + part);
          isMoving = true;
        } else item.from = null;
      }
      item.drawn = r;
      if (!camera.isNear(x, y, r + 4)) continue;
      drawn.push([item, x, y, r, alpha, ax, ay]);
    }
    for (const [item, x, y, , , ax, ay] of drawn) {
      if (item.from || !isAside(item)) continue;
      drawTether(context, toRim([ax, ay], [x, y], item.r), item.isSquare ? palette.theme.square : this.lookOf(item).rim);
    }
    for (const [item, x, y, r, alpha] of drawn) {
      context.globalAlpha = alpha;
      this.drawOne(context, item, x, y, r, this.level.raised === item.path);
    }
    context.globalAlpha = 1;
    this.sizing?.drawAbove(context, camera, palette, this.level.amounts.largest);
    return isMoving || !isFull;
  }

  drawLeaving(context, camera, now) {
    this.leaving = this.leaving.filter(({ since }) => now - since < SPLIT);
    for (const item of this.leaving) {
      const part = (now - item.since) / SPLIT;
      const eased = 1 - (1 - part) ** 3;
      let [x, y] = camera.toScreen(item.wx, item.wy);
      [x, y] = [x + item.dx, y + item.dy];
      if (item.to) {
        const [tx, ty] = camera.toScreen(item.to.wx, item.to.wy);
        [x, y] = [x + (tx - x) * eased, y + (ty - y) * eased];
      }
      if (!camera.isNear(x, y, item.r)) continue;
      context.globalAlpha = 1 - part;
      this.drawOne(context, item, x, y, item.r * (item.to && !item.change ? 1 - 0.6 * eased : 1), false);
    }
    context.globalAlpha = 1;
    return this.leaving.length > 0;
  }

  drawOne(context, item, x, y, r, isRaised) {
    const size = Math.max(DOT, r);
    if (item.change) this.sizing?.draw(context, item, x, y, size, this.view.palette, isRaised);
    else (item.isSquare ? drawSquare : drawCircle)(context, x, y, size, this.lookOf(item));
  }

  groups() {
    const { theme, mode } = this.view.palette;
    // The smallest have no rim: in the colour of a class they would vanish on their land.
    const colourOf = mode === "age" ? () => theme.square : (item) => this.colourOf(item);
    return this.items.columns.map(({ items, x, y }, index) => ({ x, y, isRound: index === 0, alpha: index === 0 ? 0.75 : items.length > 3000 ? 0.45 : 0.7,
      colour: index === 0 ? () => (mode === "kind" ? theme.circle : theme.ink[1]) : (i) => colourOf(items[i]), size: (i) => this.dotSize(items[i]),
      isLeft: (i) => this.single?.has(items[i]) || (index === 0 && this.sizeOf(items[i]) === 0) }));
  }

  /** The size of a symbol in the bitmap: among lands, squares without room are dots. */
  dotSize(item) { return item.isLand || this.isOfFiles ? this.sizeOf(item) : DOT; }

  /** All symbols of a view with places and sizes in pixels and looks, the small ones first. */
  *drawn(camera) {
    if (!this.isOn) return;
    for (const { items } of this.items.columns) {
      for (const item of items) {
        const [x, y] = camera.toScreen(item.wx, item.wy);
        const r = this.dotSize(item);
        if (this.single.has(item) || !camera.isNear(x, y, r) || (item.isLand && r === 0)) continue;
        yield { x, y, r: Math.max(DOT, r), isSquare: item.isSquare, look: this.lookOf(item), isDot: true };
      }
    }
    for (const item of this.all) {
      const [x, y] = this.spotOf(item, camera);
      if (camera.isNear(x, y, item.r)) yield { x, y, r: item.r, isSquare: item.isSquare, look: this.lookOf(item), isDot: false };
    }
  }

  signs() {
    if (!this.isOn) return [];
    const { palette, labels } = this.view;
    const { theme } = palette;
    const { land, file } = looks(theme);
    if (palette.mode === "kind") land.isFaint = this.isTimed;
    else {
      Object.assign(land, { rim: theme.ink[1], isHollow: true });
      Object.assign(file, { fill: theme.paper, rim: theme.square });
    }
    const aside = this.all.filter(isAside);
    const isSquare = aside.every((item) => item.isSquare);
    const lines = signsIn([
      [aside.length > 0, "pushed aside from its place", (pen, x, y) => {
        drawTether(pen, [x - 8, y + 4, x + 4, y - 2], isSquare ? theme.square : land.rim);
        (isSquare ? drawSquare : drawCircle)(pen, x + 4, y - 2, isSquare ? 4 : 5, isSquare ? file : land);
      }],
      [labels.placed.some(({ line }) => line), "line from a name to its sign", (pen, x, y) => {
        line(theme.soft, 0.9)(pen, x, y);
        dot(pen, x - 9, y, 2, theme.soft);
      }],
    ]);
    if (this.sizing) return [...this.sizing.signs(this.all, palette), ...lines];
    const lands = this.all.some(({ isLand }) => isLand);
    const squares = !this.isTimed && this.all.some(({ isLand }) => !isLand);
    const { areaWords } = this.level;
    const hasDots = this.items.files.length > 0 && this.sizeOf(this.items.files.at(-1)) < MINIMUM_FILE;
    return [...signsIn([
      [lands, `folder: area is ${areaWords}`, (pen, x, y) => drawCircle(pen, x, y, 8, land)],
      [squares, lands ? "large file, same scale" : `file: area is ${areaWords}`, (pen, x, y) => drawSquare(pen, x, y, 6, file)],
      [hasDots, "smaller file", (pen, x, y) => dot(pen, x, y, 1.2, theme.square)],
      ...lineWords.map(([kind, ink, face, sign, words]) => [labels.placed.some((one) => one.kind === kind), words, (pen, x, y) => {
        [pen.fillStyle, pen.font] = [palette.ink(ink), `${face}12px Georgia, serif`];
        pen.fillText(sign, x - pen.measureText(sign).width / 2, y + 4);
      }]),
      [this.all.some(({ isOver }) => isOver), "light: much larger than its land, which has this outline", (pen, x, y) => {
        drawCircle(pen, x, y, 9, { ...land, isFaint: true });
        [pen.strokeStyle, pen.lineWidth] = [land.rim, 1.8];
        pen.strokeRect(x - 4, y - 3, 7, 6);
      }],
    ]), ...lines];
  }

  /** The middle of a symbol in a view, once it has come to rest. */
  spotOf(item, camera) {
    if (item.spot) return item.spot(camera);
    const [x, y] = camera.toScreen(item.wx, item.wy);
    return this.single?.has(item) ? [x + item.tx, y + item.ty] : [x, y];
  }

  /** How a land is named among symbols: none, child (of the level) or deep; `named` has the keys of those that have figures. */
  roleOf({ path, rawPath, parent }, named) {
    if (named.has(rawPath ?? path)) return "none";
    // Of very many roots most have no figures.
    if (this.roots.has(path)) return this.roots.size > MAXIMUM_ROOTS && !named.has(`/${path}`) ? "child" : "none";
    if (this.roots.has(parent)) return "child";
    return this.level.rootOf(path) === undefined ? "none" : "deep";
  }

  countIn(camera) {
    const [west, north, east, south] = camera.box;
    return this.items.columns[1].items.filter(({ wx, wy }) => wx >= west && wx <= east && wy >= north && wy <= south).length;
  }

  /** Whether a box of a view is over another root than that of a path. */
  isOverRoot([west, north, east, south], path, camera) {
    const places = [[west, north], [east, north], [west, south], [east, south]].map(([x, y]) => camera.toWorld(x, y));
    return this.level.parts.some(({ path: other, box }) => other !== path && box && places.some(([x, y]) =>
      x > box[0] && x < box[2] && y > box[1] && y < box[3] && this.level.landOf(other).some((ring) => contains(ring, x, y))));
  }

  isOwn({ folder }) { return this.roots.has(folder); }

  /** The symbol at a pixel, the uppermost of those that are large enough, or null. */
  at(px, py) {
    if (!this.isOn) return null;
    const { camera } = this.view;
    let found = null;
    for (const item of this.all) {
      const [x, y] = camera.toScreen(item.wx, item.wy);
      const r = Math.max(5, item.r);
      const [dx, dy] = [Math.abs(px - x - item.dx), Math.abs(py - y - item.dy)];
      // Smaller ones are drawn later.
      if (item.isSquare ? Math.max(dx, dy) <= r : Math.hypot(dx, dy) <= r) found = item;
    }
    return found;
  }
}
