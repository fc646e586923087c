// The level in view: the folder whose children are compared with each other, and the scale of their symbols.
import { areaOf, boxOfRings, contains, isNarrow, keptIn, meanAmounts } from "./geo.js";
import { layers } from "./layers.js";
import { gridPlace } from "./mercator.js";
import { landThatFills, leastAmount, referenceAmounts, unitRadius } from "./prominence.js";

const PAUSE = 140; // milliseconds between two looks while the view moves
const COLUMNS = 14; // points across at which a view is sampled
const ROWS = 10;
const KEPT = 40; // summaries
const QUICKEST = 500; // milliseconds between two requests of growing sums, at first
const SLOWEST = 6000;
const LAND = 0.65; // the part of a root that is land, roughly

/** The key of a land: its path, or the bytes of the path if it isn't UTF-8. */
const keyOf = (thing) => thing?.rawPath ?? thing?.path ?? "";

/** The level in view: `current` is the summary of the folder in view, `raised` the path of what is pointed at; each may be null. */
export class Level {
  current = null;
  raised = null;
  callbacks = [];
  /** Amounts of the level's lands and own files, their sum, and the largest. */
  amounts = { lands: [], files: [], sum: 0, largest: 0 };
  area = Infinity; // the area of its land, in parts of the world
  parts = []; // of several roots: `path`, `sum` and number of `files`, `area` and `box` of each

  constructor(view, source, selected) {
    Object.assign(this, { view, source, selected, known: new Map() });
    /** Requests under way by key: whether to repeat them. */
    Object.assign(this, { asked: new Map(), land: null, wanted: "", lookedAt: -Infinity, pause: QUICKEST });
    Object.assign(this, { timer: 0, world: null });
    this.sizes = null; // what sizes mean, null for bytes
  }

  get isWorld() { return this.current !== null && this.current === this.world; }
  get isPending() { return this.current === null && this.asked.size > 0; }
  /** Whether the current level is the one of the view as it was last looked at. */
  get isSettled() { return this.current !== null && (this.wanted === keyOf(this.current) || (this.wanted === "" && this.isWorld)); }
  get areaWords() { return this.sizes?.words ?? `its bytes, ${this.measure === "allocated" ? "on disk" : "apparent size"}`; }
  get measure() { return (this.current ?? this.world)?.measure ?? "bytes"; }
  /** The size of a land or file: bytes by the measure in use, unless sizes mean something else; undefined if unknown. */
  amount(thing) { return this.sizes ? this.sizes.amount(thing) : thing?.[this.measure]; }

  /** Sets what sizes mean, as in scale.js; null for bytes. Returns a promise of figures in their order. */
  measureBy(sizes) {
    this.sizes = sizes;
    meanAmounts(sizes ? (amount) => sizes.show(amount) : undefined);
    return this.refresh();
  }

  arranged(summary) { return summary && this.sizes ? this.sizes.arranged(summary) : summary; }
  radius(amount) { return amount > 0 ? this.unit * Math.sqrt(amount) : 0; }

  /** The radius of one byte, at the present zoom. */
  get unit() {
    const { z, width, height } = this.view.camera;
    const known = this.unitFor;
    if (known?.z !== z || known.width !== width || known.height !== height) {
      [this.unitFor, this.unitNow] = [{ z, width, height }, this.unitAt(this.view.camera)];
    }
    return this.unitNow;
  }

  unitAt({ scale, width, height }) {
    if (!this.current) return 0;
    const parts = this.parts.map(({ sum, area }) => ({ sum, area: area * scale * scale }));
    return unitRadius({ ...this.amounts, isWorld: this.isWorld, area: this.area * scale * scale, parts, side: Math.min(width, height) });
  }

  get least() { return leastAmount(this.amounts.sum); }
  listen(callback) { this.callbacks.push(callback); }
  report() { for (const callback of this.callbacks) callback(this); }

  raise(path) {
    if (this.raised === path) return;
    this.raised = path;
    this.report();
    this.view.ask();
  }

  /** What a symbol or a name at a pixel stands for: `path`, `rawPath`, and whether it `isLand`; null without one. */
  at(px, py) {
    const found = this.view.labels.at(px, py, this.view.camera) ?? this.view.symbols.at(px, py);
    return found && { path: found.path, rawPath: found.rawPath, isLand: found.isLand };
  }

  /** The path of the level's file or land in whose bar a thing on the map counts; null if it is outside. */
  partWith(path) {
    const root = this.rootOf(path);
    if (root === undefined) return null;
    const end = path.indexOf("/", root.length + 1);
    return end < 0 ? path : path.slice(0, end);
  }

  /** What is drawn now, for a legend: round amounts with the `radius` of their circles, and signs with `words` and `draw(pen, x, y)`. */
  signs() {
    const references = referenceAmounts(this.unit, this.amounts.largest).map((amount) => ({ amount, radius: this.radius(amount) }));
    return { references: this.view.symbols.isOn ? references : [], signs: this.view.signs() };
  }

  /** Chooses the level for the view; while the view moves only now and then. */
  choose(isAtRest = true) {
    const now = this.view.clock.now();
    if (!this.source.summary || (!isAtRest && now - this.lookedAt < PAUSE)) return;
    this.lookedAt = now;
    this.land = this.landInView();
    this.wanted = keyOf(this.land);
    const found = this.known.get(this.wanted);
    // Coasts come later than the first figures.
    if (found && this.current && this.coasts !== this.view.coasts.size) this.keep(this.wanted, { ...found });
    if (found) this.show(this.known.get(this.wanted));
    else this.fetch(this.land);
  }

  /** Asks for all figures again; the known ones stay until then. Returns a promise of their end. */
  refresh() {
    // The current level stays until its successor comes.
    this.known.clear();
    return Promise.all([this.fetch(this.land, true), ...(this.land ? [this.fetch(null, true)] : [])]);
  }

  async fetch(land, isAgain = false) {
    const key = keyOf(land);
    if (!this.source.summary) return;
    if (this.asked.has(key)) {
      // The answer under way may be older than the request.
      if (isAgain) this.asked.set(key, true);
      return;
    }
    this.asked.set(key, false);
    try {
      const summary = await this.source.summary(land?.path, land?.rawPath);
      // Lists are absent as long as they are unknown.
      const whole = summary && { sizes: this.sizes?.name, ...this.arranged({ lands: [], own: [], largest: [], ...summary }) };
      // The same figures need no other picture.
      if (whole) this.keep(key, this.current && this.wanted === key && areSame(whole, this.current) ? this.current : whole);
    } catch {
      // Without figures there are no symbols; the map itself says what fails.
    }
    const isOld = this.asked.get(key);
    this.asked.delete(key);
    if (this.wanted === key && this.known.has(key)) this.show(this.known.get(key));
    if (isOld) this.fetch(land);
    this.follow();
    this.view.ask();
  }

  follow() {
    if (this.current?.complete !== false || !this.source.isLive || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = 0;
      this.pause = Math.min(SLOWEST, this.pause * 1.4);
      this.refresh();
    }, this.pause);
  }

  keep(key, summary) {
    if (this.known.size > KEPT) this.known.delete(this.known.keys().next().value);
    this.known.set(key, summary);
    if (key === "") {
      this.world = summary;
      // A single root is the world.
      if (summary.path !== undefined) this.known.set(keyOf(summary), summary);
    } else if (this.world && keyOf(this.world) === key) this.keep("", summary);
  }

  show(summary) {
    if (summary === this.current) return;
    this.current = summary;
    this.measureAll();
  }

  measureAll() {
    const summary = this.current;
    if (!summary) return;
    // Without the sums of lands, files would be compared with each other only.
    // What can't be read has none.
    const isKnown = summary.lands.every((land) => land.unreadable || this.amount(land) !== undefined);
    const amounts = (things) => things.map((thing) => (isKnown ? this.amount(thing) ?? 0 : 0));
    const sized = layers.sizing?.amounts(summary);
    const [lands, files] = sized ? [sized.lands, sized.files] : [amounts(summary.lands), amounts(summary.own)];
    const all = [...lands, ...files];
    this.amounts = { lands, files, sum: all.reduce((sum, amount) => sum + amount, 0), largest: all.reduce((a, b) => Math.max(a, b), 0) };
    this.parts = summary.roots.length > 1 ? this.partsOf(summary, isKnown) : [];
    this.area = this.areaOf(summary);
    this.coasts = this.view.coasts.size;
    this.unitFor = null;
    this.report();
    this.view.restyle();
  }

  /** The folder of the level that a path is in; undefined outside. */
  rootOf(path, { roots } = this.current ?? { roots: [] }) {
    if (roots.length === 1) return path.startsWith(`${roots[0]}/`) ? roots[0] : undefined;
    // Several roots are labels.
    this.labels = this.labels?.of === roots ? this.labels : { of: roots, all: new Set(roots) };
    const label = path.slice(0, path.indexOf("/"));
    return label !== "" && this.labels.all.has(label) ? label : undefined;
  }

  /** The rings of a root's land; of its coast while the land is unknown. */
  landOf(root) {
    const land = this.view.shores.all.get(root)?.land ?? [];
    return land.length > 0 ? land : [this.view.coasts.get(root)];
  }

  partsOf(summary, isKnown) {
    const { lands, own, roots } = summary;
    const parts = new Map(roots.map((path) => [path, { path, sum: 0, files: 0, area: Infinity, box: null }]));
    for (const [things, count] of [[lands, ({ files }) => files], [own, () => 1]]) {
      for (const thing of things) {
        const part = parts.get(this.rootOf(thing.path, summary));
        if (!part) continue;
        part.sum += this.amount(thing) ?? 0;
        part.files += count(thing) ?? NaN;
      }
    }
    for (const part of parts.values()) {
      const coast = this.view.coasts.get(part.path);
      if (coast) Object.assign(part, { area: LAND * ringArea(coast), box: boxOfRings([this.landOf(part.path).reduce((a, b) => (ringArea(b) > ringArea(a) ? b : a))]) });
    }
    if (!isKnown) for (const part of parts.values()) [part.sum, part.files] = [0, NaN];
    return [...parts.values()].sort((a, b) => b.sum - a.sum);
  }

  /** The area of a level's land, in parts of the world; Infinity if unknown. */
  areaOf(summary) {
    const roots = new Set(summary.roots);
    const isOf = (path) => (summary.path === undefined ? roots.has(path) : path === summary.path);
    let area = 0;
    for (const [path, coast] of this.view.coasts) if (isOf(path)) area += LAND * ringArea(coast);
    if (area > 0) return area;
    const land = this.view.landsInView().find(({ path, breadth }) => isOf(path) && breadth !== undefined);
    return land ? 0.95 * land.breadth ** 2 : Infinity;
  }

  /** The folder to show: of the selection, if that is in view as after a flight, else the deepest that fills the view. */
  landInView() {
    const { camera } = this.view;
    const { left, right, bottom } = isNarrow() ? { left: 0, right: 0, bottom: 0 } : camera.covered;
    const free = { x: left, y: 0, width: Math.max(1, camera.width - left - right), height: Math.max(1, camera.height - bottom) };
    const filling = landThatFills(this.samples(free));
    const node = this.selected();
    if (!node) return filling;
    const isFile = node.feature.properties.kind === "poi";
    const folder = isFile ? node.ancestors.at(-1) : { ...node.feature.properties, bbox: node.bbox };
    if (!folder?.bbox || (!isFile && (filling?.path ?? "").startsWith(`${folder.path}/`))) return filling;
    const [x0, y0, x1, y1] = camera.boxOf(folder.bbox);
    const [w, n, e, s] = camera.boxOf(node.bbox);
    const [mx, my] = [(w + e) / 2 - free.x, (n + s) / 2 - free.y];
    const isInside = mx > 0 && my > 0 && mx < free.width && my < free.height;
    return isInside && Math.max((x1 - x0) / free.width, (y1 - y0) / free.height) > 0.55 ? folder : filling;
  }

  /** The lands at points of a part of the view; only lands large enough to fill it. */
  samples(free) {
    const { camera, tiles } = this.view;
    const least = 0.3 * Math.min(free.width, free.height);
    // One object for a land in all tiles.
    const [entries, wide, one] = [new Map(), new Map(), new Map()];
    const count = 2 ** tiles.zoomFor(camera);
    const samples = [];
    for (let row = 0; row < ROWS; row += 1) {
      for (let column = 0; column < COLUMNS; column += 1) {
        const [wx, wy] = camera.toWorld(free.x + ((column + 0.5) / COLUMNS) * free.width, free.y + ((row + 0.5) / ROWS) * free.height);
        const [x, y] = [Math.floor(wx * count), Math.floor(wy * count)];
        const found = [];
        samples.push(found);
        if (x < 0 || y < 0 || x >= count || y >= count) continue;
        const entry = keptIn(entries, x * 65536 + y, () => tiles.best({ z: tiles.zoomFor(camera), x, y }));
        if (!entry) continue;
        keptIn(wide, entry, () => entry.data.land.filter((land) => !land.isRecorded && (land.breadth ?? 0) * camera.scale > least));
        const [ux, uy] = gridPlace(entry, wx, wy);
        for (const land of wide.get(entry)) if (land.rings.some((ring) => contains(ring, ux, uy))) found.push(keptIn(one, keyOf(land), () => land));
      }
    }
    return samples;
  }

}

function areSame(a, b) {
  const isSame = (one, other, keys) => keys.every((key) => one[key] === other[key]);
  const facts = ["path", "rawPath", "name", "bytes", "allocated", "files", "newest", "modified", "lon", "lat"];
  return isSame(a, b, ["path", "rawPath", "complete", "measure", "sizes", "bytes", "allocated", "files", "folders", "newest"]) && a.roots.join() === b.roots.join() &&
    ["lands", "own", "largest"].every((list) => a[list].length === b[list].length &&
      a[list].every((one, i) => isSame(one, b[list][i], facts) && one.largest?.bytes === b[list][i].largest?.bytes && JSON.stringify(one.layers) === JSON.stringify(b[list][i].layers)));
}

const ringArea = (ring) => Math.abs(areaOf(ring)) / 2;
