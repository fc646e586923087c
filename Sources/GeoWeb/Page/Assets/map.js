// The map: a canvas that is redrawn only after changes.
import { Camera } from "./camera.js";
import { MatchLayer } from "./filterview.js";
import { areaOf, boxOfRings, contains, nameOf } from "./geo.js";
import { landPicked, landSeen, reachOf } from "./input.js";
import { Labels } from "./labels.js";
import { landsAt, prepare, tileDrawer } from "./land.js";
import { layers } from "./layers.js";
import { groundSigns } from "./legend.js";
import { Pulses } from "./live.js";
import { Marks, showScale } from "./marks.js";
import { gridPlace, worldPlace } from "./mercator.js";
import { NO_LEVEL, prominenceAt } from "./prominence.js";
import { Shores } from "./sea.js";
import { fileSize } from "./shapes.js";
import { Symbols } from "./symbols.js";
import { Tiles } from "./tiles.js";

/** The time that all with a deadline go by: the browser's, or that of a film's frames. */
class Clock {
  held = null;
  now() { return this.held ?? performance.now(); }
  hold(now) { this.held = now; }
}

const FIRST_PATIENCE = 250; // how long the first picture waits for all of its tiles, in milliseconds

export class MapView {
  constructor(canvas, source, palette) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    Object.assign(this, { source, palette });
    this.clock = new Clock();
    this.camera = new Camera(source.most, () => this.moved(), this.clock);
    this.coasts = new Map(); // outlines of roots by path, in world coordinates
    this.shores = new Shores(() => this.restyle());
    this.tiles = new Tiles(source, this.clock, tileDrawer(palette, () => (
      { z: this.camera.z, ahead: this.tiles.ahead, coasts: this.coasts, shores: this.shores, prominence: this.prominence, isPlain: layers.isPlain,
        recedes: layers.recedes })), {
      loaded: (entry) => this.loaded(entry), failed: (error) => this.acts.failed?.(error) });
    this.lights = new MatchLayer(palette, this.clock);
    this.symbols = new Symbols(this);
    this.labels = new Labels(palette, this.clock, this.lights, this.symbols);
    this.marks = new Marks(palette);
    this.pulses = new Pulses(this);
    Object.assign(this, { prominence: NO_LEVEL, frames: [] });
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.movedAt = 0;
    this.begunAt = Infinity; // when the map began; nothing is requested or drawn before
    /** Whether there was a complete picture, since when, and whether one with names. */
    this.hasPicture = this.hasNames = false;
    Object.assign(this, { pictureAt: Infinity, labelsFor: "", labelsAt: 0, isAsked: false });
    this.isDriven = false; // whether something else draws the frames
    this.acts = {};
    for (const event of ["focus", "blur"]) canvas.addEventListener(event, () => this.ask());
    this.resize();
    new ResizeObserver(() => this.resize()).observe(canvas);
  }

  /**
   * Sets callbacks: `moved` after camera moves, `rested` once the picture is complete and at rest, `failed` if a tile
   * fails; and, once each, `started` after the first frame with content, and `finished` after the first complete
   * picture with names.
   */
  on(acts) { this.acts = acts; }

  callOnce(name) {
    this.acts[name]?.();
    delete this.acts[name];
  }

  moved() {
    this.movedAt = this.clock.now();
    this.ask();
    this.acts.moved?.();
  }

  loaded(entry) {
    if (entry.data && (this.isFirst || this.shores.wants(entry))) {
      // All tiles of the first picture determine the shores before any is drawn.
      prepare(entry);
      this.shores.learn(entry);
    }
    this.labelsFor = "";
    this.pulses.findAll();
    this.ask();
  }

  get isCalm() { return this.calm.matches; }
  /** Whether the first picture is pending, and the map not moved. */
  get isFirst() { return !this.hasPicture && this.movedAt === -Infinity; }

  resize() {
    this.ratio = Math.min(3, globalThis.devicePixelRatio || 1);
    const { clientWidth, clientHeight } = this.canvas;
    const [width, height] = [clientWidth, clientHeight].map((side) => Math.max(1, Math.round(side * this.ratio)));
    const { canvas, camera } = this;
    if (width === canvas.width && height === canvas.height && clientWidth === camera.width && clientHeight === camera.height) return;
    [canvas.width, canvas.height] = [width, height];
    camera.resize(clientWidth, clientHeight);
    this.labelsFor = "";
    // A resized canvas is empty until redrawn.
    this.draw(this.clock.now());
  }

  /** Starts at the camera's place, which is no move; `whole` is the zoom of the view of all roots. */
  begin(roots, whole) {
    this.shores.begin(roots, this.tiles.zoomAt(whole));
    this.begunAt = this.clock.now();
    this.movedAt = -Infinity;
    this.draw(this.begunAt);
    this.completeShores();
  }

  completeShores() { this.shores.load(this.source, this.tiles, prepare); }

  ask() {
    if (this.isAsked || this.isDriven) return;
    this.isAsked = true;
    requestAnimationFrame((now) => {
      this.isAsked = false;
      if (this.isDriven) return;
      const start = performance.now();
      this.draw(now);
      this.frames.push(performance.now() - start);
      if (this.frames.length > 600) this.frames.shift();
    });
  }

  /** Leaves it to something else to draw frames, or draws them again as they are requested. */
  drive(isDriven) {
    this.isDriven = isDriven;
    this.ask();
  }

  follow(level) { this.symbols.follow(level); }

  standOut() {
    const level = this.symbols?.level;
    const current = level?.current ?? null;
    const receding = (one) => layers.first((layer) => layer.receding(one, current?.roots)) ?? one;
    if (!current || (layers.isPlain && !layers.recedes)) return receding(NO_LEVEL);
    if (this.levelFor !== current) {
      this.levelFor = current;
      this.levelled = prominenceAt(current, (thing) => level.amount(thing));
    }
    return receding(this.levelled);
  }

  restyle() {
    this.labelsFor = "";
    this.ask();
  }

  draw(now) {
    if (this.begunAt === Infinity) return;
    const { camera, context, ratio, tiles } = this;
    camera.step(now);
    for (const layer of layers.all) layer.frame(now);
    showScale(camera, layers.isMeasured);
    tiles.calm(this.isCalm);
    const list = tiles.visible(camera);
    tiles.want(list);
    this.prominence = this.standOut();
    // While time runs, other shores wait until the present ones are drawn.
    if (layers.isPlain && (this.isSharp || !layers.isRunning)) this.shores.follow(this.clock.now(), layers.values((layer) => layer.groundKey).join(), layers.isRunning);
    const style = `${this.palette.key}${tiles.ahead}.${this.coasts.size}.${this.shores.version}.${this.prominence.key}${layers.isPlain ? "t" : ""}`;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = this.palette.theme.sea;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    const waits = list.some((t) => !tiles.get(t.z, t.x, t.y));
    // Land depends on all tiles: drawing before they come is wasted.
    if ((waits || !this.shores.isComplete) && this.isFirst && this.clock.now() - this.begunAt < FIRST_PATIENCE) {
      clearTimeout(this.restTimer);
      this.restTimer = setTimeout(() => this.ask(), FIRST_PATIENCE);
      return;
    }
    context.imageSmoothingEnabled = true;
    const isAtRest = !camera.isMoving && this.clock.now() - this.movedAt > 110;
    // While time runs, the next frame is due.
    const isFree = isAtRest && !layers.isRunning;
    // The map can't be moved without a picture: draw it in one go.
    const begun = this.clock.now();
    const deadline = this.isFirst ? Infinity : begun + (isFree ? 20 : 6);
    // A frame while moving has to end in time, but all parts go on.
    const until = (most, left) => (isFree ? this.clock.now() + most : Math.max(this.clock.now() + 1, begun + left));
    const isSharp = list.length === 0 || tiles.paint(context, camera, list, ratio, style, isAtRest, deadline);
    this.isSharp = isSharp;
    const isLaid = layers.all.map((layer) => layer.paint(this, list, isAtRest)).every(Boolean);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.marks.drawFrame(context, camera);
    const entries = tiles.showing(list);
    this.marks.drawOutlines(context, camera, this.symbols.outlines(), entries);
    context.setTransform(1, 0, 0, 1, 0, 0);
    const isLit = !this.lights.isOn || this.drawLights(list, isAtRest);
    const isSizing = this.symbols.draw(context, camera, ratio, isAtRest, until(12, 8));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.marks.drawSelection(context, camera, entries);
    const isPulsing = this.pulses.draw(context, camera, this.clock.now());
    context.setTransform(1, 0, 0, 1, 0, 0);
    this.placeLabels(list, isAtRest);
    // The first names follow the first picture, then at once.
    const time = this.hasNames ? 12 : 40;
    const isWaiting = Boolean(this.symbols.level?.isPending);
    const isChoosing = this.labels.choose(this.isFirst ? 0 : until(time, 9)) || isWaiting || isSizing;
    const isFading = this.labels.draw(context, camera, ratio, this.clock.now(), this.isCalm);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    for (const layer of layers.all) layer.paintAbove(context, camera);
    if (this.canvas.matches(":focus-visible")) this.marks.drawCrosshair(context, camera);
    this.isDrawn = isSharp && isLaid && isLit && list.every((t) => tiles.get(t.z, t.x, t.y));
    this.isComplete = this.isDrawn && !isChoosing;
    if (this.isDrawn && !this.hasPicture) [this.hasPicture, this.pictureAt] = [true, this.clock.now()];
    this.callOnce("started");
    if (this.isComplete && isAtRest) {
      this.hasNames = true;
      this.callOnce("finished");
      this.completeShores();
      const at = `${camera.z},${camera.x},${camera.y},${style},${list.map((t) => tiles.get(t.z, t.x, t.y)?.version)}`;
      if (at !== this.restedAt) {
        this.restedAt = at;
        this.acts.rested?.();
      }
    }
    if (camera.isMoving || layers.isRunning || isFading || (isChoosing && !isWaiting) || isPulsing || !isLaid || !isLit || (!isSharp && !waits)) this.ask();
    clearTimeout(this.restTimer);
    if (!isAtRest) this.restTimer = setTimeout(() => this.ask(), 120);
  }

  drawLights(list, isAtRest) {
    const { context, camera, canvas, lights, tiles, ratio } = this;
    tiles.showing(list).forEach(prepare);
    const isFalling = lights.veil(context, canvas.width, canvas.height, this.clock.now(), this.isCalm);
    const isSharp = lights.paint(context, camera, tiles, list, ratio, this.clock.now() + (isAtRest ? 25 : 5));
    return isSharp && !isFalling;
  }

  /** Chooses names: now and then while moving, at rest for the exact view. */
  placeLabels(list, isAtRest) {
    const { camera } = this;
    const now = this.clock.now();
    const view = [camera.z.toFixed(4), Math.round(camera.x * camera.scale), Math.round(camera.y * camera.scale),
      isAtRest, this.palette.key, this.lights.isOn && this.lights.version, this.symbols.isOn, ...layers.values((layer) => layer.namesKey)].join();
    if (this.symbols.level?.isPending || view === this.labelsFor || (!isAtRest && (this.labels.choice || now - this.labelsAt < 260))) return;
    this.labelsFor = view;
    this.labelsAt = now;
    const entries = this.tiles.showing(list);
    entries.forEach(prepare);
    this.labels.place(camera, entries, this.ratio);
  }

  get extent() {
    const taken = [...this.shores.all.values()].flatMap(({ land }) => land);
    const box = boxOfRings(taken.length > 0 ? taken : this.coasts.values());
    return box[0] < box[2] ? box : [0, 0, 1, 1];
  }

  get isWhole() {
    const [[west, north, east, south], [w, n, e, s]] = [this.extent, this.camera.box];
    return w <= west && n <= north && e >= east && s >= south;
  }

  signs() {
    if (this.lights.isOn) return this.lights.signs();
    const contents = this.shown.map(({ data }) => data);
    const standings = new Set(contents.flatMap(({ land }) => land.filter(({ depth }) => depth > 0).map(({ path }) => this.prominence.of(path))));
    // Small land apart, without folders, is around files.
    const hasIslets = this.symbols.level?.isWorld && [...this.shores.all.values()].some(({ land }) => land.some((ring) => areaOf(ring) > 0 === areaOf(land[0]) > 0 &&
      !this.symbols.items.lands.some(({ wx, wy }) => contains(ring, wx, wy))));
    return [...this.symbols.signs(), ...layers.all.flatMap((layer) => layer.signs()), ...groundSigns(this.palette, contents, { standings, hasIslets, isSelected: Boolean(this.marks.selection), isPlain: layers.isPlain, recedes: layers.recedes })];
  }

  landsInView() {
    return [...new Map(this.shown.flatMap(({ data }) => data.land.map((land) => [land.path, land]))).values()];
  }

  get shown() { return this.tiles.showing(this.tiles.visible(this.camera)); }

  filesInView() {
    const found = new Map();
    for (const entry of this.shown) {
      for (const file of entry.data.files) {
        const [x, y] = worldPlace(entry, file.x, file.y);
        const [px, py] = this.camera.toScreen(x, y);
        if (px >= 0 && py >= 0 && px <= this.camera.width && py <= this.camera.height) found.set(file.path, { file, x, y });
      }
    }
    return [...found.values()];
  }

  tileAt(px, py) {
    const { camera, tiles } = this;
    const [wx, wy] = camera.toWorld(px, py);
    const z = tiles.zoomFor(camera);
    const [x, y] = [wx, wy].map((value) => Math.floor(value * 2 ** z));
    if (x < 0 || y < 0 || x >= 2 ** z || y >= 2 ** z) return null;
    const entry = tiles.best({ z, x, y });
    if (!entry) return null;
    const [ux, uy] = gridPlace(entry, wx, wy);
    return { entry, ux, uy };
  }

  /** The lands under a pixel, from the outside in, with their breadths in pixels. */
  landsUnder(px, py) {
    const at = this.tileAt(px, py);
    if (!at) return [];
    return landsAt(at.entry.data, at.ux, at.uy).map((land) => {
      const [west, north, east, south] = land.breadth === undefined ? boxOfRings(land.rings) : [];
      const breadth = land.breadth ?? Math.min(east - west, south - north) / 4096 / 2 ** at.entry.z;
      return { path: land.path, breadth: breadth * this.camera.scale, land };
    });
  }

  landIn(px, py) { return layers.thing(this.landsUnder(px, py).at(-1)?.land ?? null); }
  landSeenIn(px, py) { return layers.thing(landSeen(this.landsUnder(px, py))?.land ?? null); }

  nodeNamed(path) {
    return this.landsInView().find((land) => land.path === path) ?? this.filesInView().find(({ file }) => file.path === path)?.file;
  }

  /** The node that a click selects; `named` has its name or symbol there, `last` is the path that the last click there selected. */
  pick(px, py, { slack = 6, named = null, last = null } = {}) {
    const lands = this.landsUnder(px, py);
    const goesDeeper = last !== null && lands.some(({ path }) => path === last);
    const at = this.tileAt(px, py);
    const file = at && !goesDeeper ? this.fileNear(at, slack) : null;
    // A sign drawn right there wins over letters above it.
    if (file?.isHit) return layers.thing(file.file);
    if (named && !goesDeeper) return layers.thing(this.nodeNamed(named.path) ?? { ...named, name: nameOf(named.path), kind: named.isLand ? "" : "poi" });
    return layers.thing(file?.file ?? landPicked(lands, last)?.land ?? null);
  }

  fileNear({ entry, ux, uy }, slack) {
    const { camera } = this;
    const unit = camera.scale / 2 ** entry.z / 4096;
    let [best, nearest] = [null, Infinity];
    for (const file of entry.data.files) {
      if (!layers.isThere(file)) continue;
      const size = fileSize(camera.z - file.minzoom);
      const far = Math.hypot(file.x - ux, file.y - uy) * unit;
      if (far < reachOf(size, slack) && far < nearest) [best, nearest] = [{ file, isHit: far < size }, far];
    }
    return best;
  }

  select(feature) {
    this.marks.select(feature);
    // The panel then covers other names.
    this.restyle();
  }
}
