// The loaded tiles: fetched in order of need, cached, drawn once into bitmaps.
import { canvasOf, clamp } from "./geo.js";
import { TILE, tilesAhead } from "./mercator.js";

const KEPT = 220;
const AT_ONCE = 16;
const FADE = 180; // milliseconds
/** After how many milliseconds a tile is requested again that failed, and one that lacks something. */
const [RETRY, FILLING] = [1000, 200];
/** How long a tier waits for a tile of the next one, and for all of them, in milliseconds; how many zooms it is kept at most. */
const [PATIENCE, MAXIMUM_PATIENCE, MAXIMUM_APART] = [700, 3000, 2];

/** The properties of a land that affect its picture, as finely as visible. */
function lookOf({ bytes, newest, type }) {
  return [bytes === undefined ? "" : Math.round(16 * Math.log2(1 + bytes)), Math.floor((newest ?? 0) / 3600), type].join();
}

export class Tiles {
  constructor(source, clock, draw, { loaded, failed }) {
    Object.assign(this, { source, clock, draw, all: new Map(), wanted: [], busy: 0 });
    this.ahead = 1; // how many zooms the tiles are ahead of the view
    /** Counts of tiles that came into view: loaded before, requested, received, cancelled, failed. */
    Object.assign(this, { counts: { kept: 0, asked: 0, came: 0, dropped: 0, failed: 0 }, failures: [] });
    Object.assign(this, { inView: new Set() });
    this.eye = canvasOf(1).getContext("2d");
    this.isCalm = false;
    /** What is shown, as the zoom and style of tiles; what it replaces, while it fades in; since when another is due. */
    this.shown = this.fading = null;
    this.dueSince = Infinity;
    this.drawnAt = -Infinity; // when a tile was drawn last
    this.acts = { loaded, failed };
  }

  calm(isCalm) { this.isCalm = isCalm; }
  static key(z, x, y) { return `${z}/${x}/${y}`; }

  /** The tiles of a view, middle ones first. */
  visible(camera, z = this.zoomFor(camera)) {
    const count = 2 ** z;
    const [west, north, east, south] = camera.box;
    const span = (low, high) => [low, high].map((value) => clamp(Math.floor(value * count), 0, count - 1));
    const [x0, x1] = span(west, east);
    const [y0, y1] = span(north, south);
    const found = [];
    for (let y = y0; y <= y1; y += 1) for (let x = x0; x <= x1; x += 1) found.push({ z, x, y });
    const far = (t) => Math.hypot(t.x + 0.5 - camera.x * count, t.y + 0.5 - camera.y * count);
    return found.sort((a, b) => far(a) - far(b));
  }

  /** The zoom of a view's tiles: the next one, drawn smaller, so that the view looks ahead; far out the one after it. */
  zoomFor(camera) {
    this.ahead = tilesAhead(camera.z);
    return this.zoomAt(camera.z);
  }

  zoomAt(zoom) { return clamp(Math.floor(zoom + 1e-6) + tilesAhead(zoom), 0, this.source.deepest); }

  /** Requests the tiles of a view, and cancels others. */
  want(list) {
    const keys = new Set(list.map((t) => Tiles.key(t.z, t.x, t.y)));
    for (const [key, entry] of this.all) {
      if (entry.abort && !keys.has(key)) {
        entry.abort.abort();
        if (!entry.data) this.all.delete(key);
      }
    }
    for (const key of keys) if (!this.inView.has(key) && this.all.get(key)?.data) this.counts.kept += 1;
    this.inView = keys;
    this.wanted = list.filter((t) => {
      const entry = this.all.get(Tiles.key(t.z, t.x, t.y));
      if (entry) entry.used = this.clock.now();
      return !entry || (entry.isStale && !entry.abort);
    });
    this.next();
    this.trim();
  }

  next() {
    while (this.busy < AT_ONCE && this.wanted.length > 0) {
      const address = this.wanted.shift();
      const key = Tiles.key(address.z, address.x, address.y);
      const entry = this.all.get(key) ?? { ...address, data: null, bitmap: null, version: 0 };
      entry.used = this.clock.now();
      entry.abort = new AbortController();
      entry.isStale = false;
      this.all.set(key, entry);
      this.load(key, entry);
    }
  }

  async load(key, entry) {
    this.busy += 1;
    this.counts.asked += 1;
    const { signal } = entry.abort;
    try {
      let isPartial = false;
      entry.data = await this.source.tile(entry.z, entry.x, entry.y, signal, () => { isPartial = true; });
      entry.version += 1;
      if (isPartial) this.retry(entry, FILLING);
      else entry.tries = 0;
      this.counts.came += 1;
      this.acts.loaded(entry);
    } catch (error) {
      if (signal.aborted) {
        entry.isStale = entry.data !== null;
        this.counts.dropped += 1;
      } else {
        this.counts.failed += 1;
        this.failures = [{ time: Date.now(), what: `${key}: ${error.message}` }, ...this.failures].slice(0, 20);
        this.retry(entry, RETRY);
        this.acts.failed(error);
      }
    }
    entry.abort = null;
    this.busy -= 1;
    this.next();
  }

  /** Requests a tile again that failed or lacks something, at growing intervals from `first` milliseconds on. */
  retry(entry, first) {
    setTimeout(() => { entry.isStale = true; this.acts.loaded(entry); }, Math.min(30000, first * 2 ** (entry.tries ?? 0)));
    entry.tries = (entry.tries ?? 0) + 1;
  }

  trim() {
    if (this.all.size <= KEPT) return;
    const old = [...this.all].filter(([, entry]) => !entry.abort).sort((a, b) => a[1].used - b[1].used);
    for (const [key] of old.slice(0, this.all.size - KEPT)) this.all.delete(key);
  }

  get(z, x, y) {
    const entry = this.all.get(Tiles.key(z, x, y));
    return entry?.data ? entry : undefined;
  }

  /** The tile, or its nearest loaded ancestor. */
  best({ z, x, y }, first = 0, fits = Boolean) {
    for (let up = first; up <= z; up += 1) {
      const entry = this.get(z - up, Math.floor(x / 2 ** up), Math.floor(y / 2 ** up));
      if (fits(entry)) return entry;
    }
    return undefined;
  }

  bestDrawn(address) { return this.best(address, 1, (entry) => entry?.bitmap); }
  /** The loaded tiles that show some addresses, each once. */
  showing(list) { return [...new Set(list.map((address) => this.best(address)))].filter(Boolean); }

  refresh(west, north, east, south) {
    // A coast extends slightly beyond a tile's edge.
    const edge = 1 / 64;
    for (const entry of this.all.values()) {
      const box = [entry.x - edge, entry.y - edge, entry.x + 1 + edge, entry.y + 1 + edge].map((value) => value / 2 ** entry.z);
      if (box[0] <= east && box[2] >= west && box[1] <= south && box[3] >= north) entry.isStale = true;
    }
  }

  /** Fetches the tiles again that may show a file; unless only its contents changed, also those with its folder's number of files. */
  refreshFile(folder, { name, what, x, y, minzoom }) {
    for (const entry of this.all.values()) {
      const count = 2 ** entry.z;
      // The zoom may have changed by one with the number of files.
      const isThere = entry.z >= minzoom - 1 && Math.floor(x * count) === entry.x && Math.floor(y * count) === entry.y;
      const isOf = (feature) => (feature.rawFolder ?? feature.folder) === folder;
      const isShown = () => entry.data.files.some((file) => isOf(file) && (what !== "modified" || file.name === name));
      const isCounted = () => what !== "modified" && entry.data.towns?.some(isOf);
      if (isThere || !entry.data || isShown() || isCounted()) entry.isStale = true;
    }
  }

  /** Updates the totals of lands without fetching; `noteOf` returns a land's text. Returns whether any text changed. */
  sum(folders, noteOf) {
    const sums = new Map(folders.map((folder) => [folder.rawPath ?? folder.path, folder]));
    let isOther = false;
    for (const entry of this.all.values()) {
      // Pending answers may be outdated.
      if (entry.abort) entry.isStale = true;
      let isRedrawn = false;
      for (const land of [...(entry.data?.land ?? []), ...(entry.data?.cells ?? [])]) {
        const sum = sums.get(land.rawPath ?? land.path);
        if (!sum) continue;
        const before = [noteOf(land), lookOf(land)];
        for (const key of ["files", "bytes", "allocated", "newest", "type"]) land[key] = sum[key];
        isOther ||= before[0] !== noteOf(land);
        isRedrawn ||= before[1] !== lookOf(land);
      }
      if (isRedrawn) entry.version += 1;
    }
    return isOther;
  }

  /** Draws the picture of a tile in pieces up to the deadline of a frame, unless it fits; returns whether it does. */
  render(entry, size, style, deadline) {
    const drawn = entry.bitmap;
    const fits = (picture) => picture?.version === entry.version && picture.style === style && picture.size === size;
    if (fits(drawn) && drawn.look === entry.look) return true;
    // What looks different since its drawing began is drawn again afterwards, so that it is drawn at all.
    if (!fits(entry.job)) {
      const canvas = canvasOf(size);
      entry.job = { canvas, size, style, version: entry.version, look: entry.look, pieces: this.draw(canvas, entry, size) };
    }
    while (this.clock.now() < deadline) {
      const { done } = entry.job.pieces.next();
      // Drawing on a canvas is deferred until it is read.
      if (deadline !== Infinity) this.eye.drawImage(entry.job.canvas, 0, 0, 1, 1, 0, 0, 1, 1);
      if (!done) continue;
      const { canvas, version, look } = entry.job;
      // The picture that is shown stays until all others of the style are drawn.
      if (drawn && drawn.style !== style) entry.before = drawn;
      // The first picture of a tile fades in over its substitute.
      entry.bitmap = { canvas, size, style, version, look, since: drawn ? drawn.since : this.clock.now() };
      entry.job = null;
      this.drawnAt = this.clock.now();
      return look === entry.look;
    }
    return false;
  }

  /** The picture of a tile in a style, if there is one, or in another. */
  static pictureOf({ bitmap, before }, style) {
    return bitmap && bitmap.style !== style && before?.style === style ? before : bitmap;
  }

  spot(camera, address, ratio) {
    const count = 2 ** address.z;
    const [left, top] = camera.toScreen(address.x / count, address.y / count);
    const [right, bottom] = camera.toScreen((address.x + 1) / count, (address.y + 1) / count);
    const [x, y] = [left, top].map((value) => Math.round(value * ratio));
    return { x, y, width: Math.round(right * ratio) - x, height: Math.round(bottom * ratio) - y };
  }

  paint(context, camera, list, ratio, style, isAtRest, deadline) {
    const { z } = list[0];
    const exact = Math.round(TILE * 2 ** (camera.z - z) * ratio);
    const size = clamp(exact, 64, 2048);
    let [isReady, isSharp] = [true, true];
    for (const address of list) {
      const entry = this.get(address.z, address.x, address.y);
      // While moving, another size will do.
      const wanted = isAtRest ? size : (entry?.bitmap?.size ?? clamp(exact, 256, TILE * ratio));
      const isDrawn = entry !== undefined && this.render(entry, wanted, style, deadline);
      if (!isDrawn || wanted !== size) isSharp = false;
      if (!isDrawn && (entry?.bitmap?.style !== style || entry.bitmap.version !== entry.version)) isReady = false;
    }
    this.turn(z, style, isReady || deadline === Infinity);
    const { shown, fading } = this;
    const part = fading ? (this.clock.now() - fading.since + 20) / FADE : 1;
    if (part < 1) this.drawTier(context, camera, fading, list, ratio);
    else this.endFade(list);
    context.globalAlpha = Math.min(1, part);
    const isWhole = this.drawTier(context, camera, shown, list, ratio, part >= 1);
    context.globalAlpha = 1;
    return isSharp && isWhole && part >= 1 && shown.z === z && shown.style === style;
  }

  /** Shows a zoom and style of tiles, once all of a view are drawn, so that they change together. */
  turn(z, style, isReady) {
    const { shown } = this;
    if (shown?.z === z && shown.style === style) {
      this.dueSince = Infinity;
      return;
    }
    const now = this.clock.now();
    this.dueSince = Math.min(this.dueSince, now);
    const isFar = shown !== null && Math.abs(shown.z - z) > MAXIMUM_APART;
    const isPatient = now - Math.max(this.dueSince, this.drawnAt) < PATIENCE && now - this.dueSince < MAXIMUM_PATIENCE;
    if (shown && !isReady && !isFar && isPatient) return;
    this.fading = shown && !isFar && !this.isCalm ? { ...shown, since: now } : null;
    this.shown = { z, style, since: now };
    this.dueSince = Infinity;
  }

  endFade(list) {
    if (this.fading) for (const entry of list.map(({ z, x, y }) => this.get(z, x, y)).filter(Boolean)) entry.before = null;
    this.fading = null;
  }

  /** Draws the pictures of a zoom and style, or their substitutes; returns whether each new tile has faded in. */
  drawTier(context, camera, { z, style, since }, list, ratio, fades = false) {
    const now = this.clock.now();
    let isWhole = true;
    for (const address of z === list[0].z ? list : this.visible(camera, z)) {
      const spot = this.spot(camera, address, ratio);
      const own = this.get(address.z, address.x, address.y);
      const picture = own && Tiles.pictureOf(own, style);
      // A tile that comes later fades in by itself.
      const age = picture && fades && picture.since > since && !this.isCalm ? now - picture.since : FADE;
      if (!picture || age < FADE) {
        const other = this.bestDrawn(address);
        if (other) put(context, other, Tiles.pictureOf(other, style).canvas, address, spot);
        isWhole = false;
      }
      if (!picture) continue;
      if (age < FADE) context.globalAlpha = Math.min(1, (age + 20) / FADE);
      put(context, own, picture.canvas, address, spot);
      if (age < FADE) context.globalAlpha = 1;
    }
    return isWhole;
  }
}

function put(context, from, picture, address, { x, y, width, height }) {
  const up = 2 ** (address.z - from.z);
  const part = picture.width / up;
  context.drawImage(picture, (address.x % up) * part, (address.y % up) * part, part, part, x, y, width, height);
}

export class TileBitmaps {
  /** The number of bitmaps to keep, if fewer are in view. */
  static most = 40;

  constructor() { this.all = new Map(); }

  /**
   * Draws the bitmaps of a view, re-rendered if their key or size at rest changed, as long as there is time; returns
   * whether all are up to date. `keyOf` is called once for each tile; `render` draws one of a size, and `renew`
   * changes a drawn one, if it can.
   */
  draw(context, camera, tiles, list, { ratio, deadline, keyOf, render, renew = () => false }) {
    let isSharp = true;
    const used = new Set();
    for (const address of list) {
      const entry = tiles.best(address);
      if (!entry) continue;
      const spot = tiles.spot(camera, address, ratio);
      const size = clamp(Math.round(spot.width * 2 ** (address.z - entry.z)), 64, 2048);
      const key = keyOf(entry);
      let drawn = this.all.get(entry);
      if (!drawn || drawn.key !== key || (drawn.size !== size && !camera.isMoving)) {
        if (drawn?.size === size && renew(drawn.canvas.getContext("2d"), entry, size)) drawn.key = key;
        else if (!drawn || tiles.clock.now() < deadline) {
          drawn = { canvas: drawn?.canvas ?? document.createElement("canvas"), size, key };
          [drawn.canvas.width, drawn.canvas.height] = [size, size];
          render(drawn.canvas.getContext("2d"), entry, size);
          this.all.set(entry, drawn);
        } else isSharp = false;
      }
      used.add(entry);
      put(context, entry, drawn.canvas, address, spot);
    }
    for (const entry of this.all.keys()) if (!used.has(entry) && this.all.size > TileBitmaps.most) this.all.delete(entry);
    return isSharp;
  }
}
