// The camera: the part of the world in view, its flights, and where zooming ends.
import { boxOfBoxes, byId, clamp, contains, isNarrow, overlap } from "./geo.js";
import { layers } from "./layers.js";
import { boxInWorld, filledPart, fittingZoom, gridPlace, leastZoom, project, TILE, unproject, wholePart } from "./mercator.js";
import { meets } from "./placing.js";
import { outlineBox, outlineOf } from "./shapes.js";

const EQUATOR = 40075016.686; // the length of the Earth's equator in metres

export class Camera {
  /** `most` is the deepest zoom; `moved` is called after each change; flights go by the `clock`. */
  constructor(most = 32, moved = () => {}, clock = performance) {
    Object.assign(this, { most, moved, clock, x: 0.5, y: 0.5, z: 0, width: 1, height: 1, flight: null, push: null });
    this.covered = { left: 0, top: 0, right: 0, bottom: 0 };
    this.end = Infinity; // the zoom at which nothing more can come in the present view
    this.isFree = false; // whether the zoom comes from the user or a link, and so has to end there
  }

  get scale() { return TILE * 2 ** this.z; }
  /** The deepest zoom to which the user can zoom in from here. */
  get limit() { return Math.max(this.z, Math.min(this.most, this.end)); }
  get least() { return leastZoom(this.width, this.height); }
  get place() { return unproject(this.x, this.y); }
  /** Metres per pixel in the middle, on the Earth. */
  get metresOfPixel() { return (EQUATOR * Math.cos((this.place.lat * Math.PI) / 180)) / this.scale; }
  get middle() { return [this.width / 2, this.height / 2]; }
  get isMoving() { return this.flight !== null || this.push !== null; }
  begin({ x, y, z }) { Object.assign(this, { x, y, z }); }
  cover(covered) { this.covered = covered; }

  resize(width, height) {
    Object.assign(this, { width: Math.max(1, width), height: Math.max(1, height) });
    this.keep();
  }

  get frozen() {
    const { x, y, z, width, height } = this;
    return Object.assign(new Camera(), { x, y, z, width, height });
  }

  toScreen(x, y) {
    const scale = this.scale;
    return [(x - this.x) * scale + this.width / 2, (y - this.y) * scale + this.height / 2];
  }

  /** The box of the world in view: west, north, east, south. */
  get box() { return [...this.toWorld(0, 0), ...this.toWorld(this.width, this.height)]; }

  /** The pixels around a box in degrees: left, top, right and bottom. */
  boxOf(box) {
    const [west, north, east, south] = boxInWorld(box);
    return [...this.toScreen(west, north), ...this.toScreen(east, south)];
  }

  toWorld(px, py) {
    const scale = this.scale;
    return [(px - this.width / 2) / scale + this.x, (py - this.height / 2) / scale + this.y];
  }

  /** Whether a pixel is in the view, or at most so far outside. */
  isNear(px, py, across, down = across) {
    return px > -across && py > -down && px < this.width + across && py < this.height + down;
  }

  keep() {
    this.z = clamp(this.z, this.least, this.most);
    // The middle of what is free is in the world.
    const { left, top, right, bottom } = this.covered;
    const [dx, dy] = [(left - right) / 2 / this.scale, (top - bottom) / 2 / this.scale];
    this.x = clamp(this.x, Math.min(0, -dx), Math.max(1, 1 - dx));
    this.y = clamp(this.y, Math.min(0, -dy), Math.max(1, 1 - dy));
    this.moved();
  }

  stop() { this.flight = this.push = null; }

  set(x, y, z) {
    this.stop();
    Object.assign(this, { isFree: false, x, y, z });
    this.keep();
  }

  panBy(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.keep();
  }

  zoomAt(px, py, by) {
    const [wx, wy] = this.toWorld(px, py);
    this.z = clamp(this.z + by, this.least, this.limit);
    this.release();
    this.x = wx - (px - this.width / 2) / this.scale;
    this.y = wy - (py - this.height / 2) / this.scale;
    this.keep();
  }

  /** The view of a box in degrees, leaving covered edges free. */
  viewOf(box, most = this.most, part = undefined) { return this.viewAround(boxInWorld(box), { most, part }); }

  /** The view of a box of the world: it fills `part` of what is not `covered`, no nearer than zoom `most`. */
  viewAround([west, north, east, south], { covered: { left, top, right, bottom } = this.covered, part = filledPart(this.width), most = this.most }) {
    const free = { width: this.width - left - right, height: this.height - top - bottom };
    const z = clamp(Math.min(fittingZoom(east - west, south - north, free, part), most), this.least, most);
    const scale = TILE * 2 ** z;
    return { x: (west + east) / 2 + (right - left) / 2 / scale, y: (north + south) / 2 + (bottom - top) / 2 / scale, z };
  }

  /** Flies along the path of van Wijk and Nuij (2003): out, over, and in again. */
  fly(to, isCalm) {
    this.stop();
    this.isFree = false;
    const target = { ...to, z: clamp(to.z, this.least, this.most) };
    if (isCalm) return this.set(target.x, target.y, target.z);
    const w0 = Math.max(this.width, this.height) / this.scale;
    const w1 = w0 * 2 ** (this.z - target.z);
    const u1 = Math.hypot(target.x - this.x, target.y - this.y);
    const rho = 1.4;
    const from = { x: this.x, y: this.y, z: this.z };
    let length, at;
    if (u1 < 1e-6 * Math.min(w0, w1)) {
      length = Math.abs(Math.log(w1 / w0)) / rho;
      at = (s) => [0, w0 * Math.exp(Math.sign(w1 - w0) * rho * s)];
    } else {
      const b = (w, sign) => (w1 * w1 - w0 * w0 + sign * rho ** 4 * u1 * u1) / (2 * w * rho * rho * u1);
      // ln(√(b²+1) − b), in the form that does not cancel for large b.
      const r = (b) => -Math.asinh(b);
      const r0 = r(b(w0, 1));
      length = (r(b(w1, -1)) - r0) / rho;
      at = (s) => [
        (w0 * (Math.cosh(r0) * Math.tanh(rho * s + r0) - Math.sinh(r0))) / (rho * rho * u1),
        (w0 * Math.cosh(r0)) / Math.cosh(rho * s + r0),
      ];
    }
    const time = clamp(length * 420, 250, 2600);
    this.flight = { from, target, length, at, time, w0, start: this.clock.now() };
    this.moved();
    return undefined;
  }

  /** Marks the present zoom, or the one it flies to, as one that has to end. */
  release() { this.isFree = true; }
  endAt(end) { this.end = end; }

  /** Goes back to there if the user or a link went beyond. */
  turnBack(isCalm) {
    if (this.isFree && !this.isMoving && this.z > this.end + 0.01) this.fly({ x: this.x, y: this.y, z: this.end }, isCalm);
  }

  glide(vx, vy) {
    if (Math.hypot(vx, vy) > 0.05) this.push = { vx, vy, last: this.clock.now() };
    this.moved();
  }

  step(now) {
    if (this.flight) {
      const { from, target, length, at, time, w0, start } = this.flight;
      const t = clamp((now - start) / time, 0, 1);
      const eased = t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2;
      const [u, w] = at(length * eased);
      const part = t === 1 ? 1 : clamp(u, 0, 1);
      this.x = from.x + (target.x - from.x) * part;
      this.y = from.y + (target.y - from.y) * part;
      this.z = t === 1 ? target.z : from.z + Math.log2(w0 / w);
      if (t === 1) this.flight = null;
      this.keep();
    } else if (this.push) {
      const time = Math.min(50, now - this.push.last);
      this.push.last = now;
      const damp = Math.exp(-time / 260);
      this.push.vx *= damp;
      this.push.vy *= damp;
      if (Math.hypot(this.push.vx, this.push.vy) < 0.02) this.push = null;
      else this.panBy(this.push.vx * time, this.push.vy * time);
    }
  }
}

// Flights to a box, a node or the whole world, leaving covered edges free.

const SIGN = 14; // pixels around the place of a node that its sign and the mark of the selection take
const SEEN = 0.6; // the part of a selected node that has to be in sight, of what is in the window

export class Flights {
  /** `page` has the view, the source and `note`; `lack` says why there are no roots. */
  constructor(page, roots, lack) { Object.assign(this, { page, roots, lack }); }

  cover() {
    const { camera } = this.page.view;
    const [panel, table, summary, below] = ["panel", "table", "summary", "tracks-shown"].map(byId);
    const over = [table, ...layers.values((layer) => layer.overMap)].find((one) => one.clientWidth > 0) ?? table;
    const shown = (...all) => all.filter((one) => one?.clientWidth > 0);
    const sides = summary.classList.contains("folded") ? [over] : [over, summary];
    const covered = { left: 0, top: isNarrow() ? 60 : 0, right: 0, bottom: Math.max(0, ...shown(byId("time"), byId("key")).map((one) => camera.height - one.getBoundingClientRect().top)) };
    if (isNarrow()) covered.bottom += Math.max(0, ...shown(panel, ...sides).map(({ clientHeight }) => clientHeight));
    else {
      covered.left = Math.max(0, ...shown(panel).map(({ offsetLeft, clientWidth }) => offsetLeft + clientWidth));
      covered.right = Math.max(0, ...shown(byId("drawer"), ...sides).map(({ offsetLeft }) => camera.width - offsetLeft));
      // There has to be room for a view.
      if (covered.left + covered.right > camera.width * 0.8) covered.left = 0;
      if (covered.right > camera.width * 0.8) covered.right = 0;
    }
    if (!isNarrow()) this.leaveTools(covered);
    if (below?.clientHeight > 0) covered.bottom = camera.height - below.offsetTop;
    camera.cover(covered);
  }

  /** Leaves the corner of the tools free: the map is next to them or below, wherever it has more room. */
  leaveTools(covered) {
    const { camera } = this.page.view;
    const { right, bottom } = byId("tools").getBoundingClientRect();
    const [width, height] = [camera.width - covered.right, camera.height - covered.bottom];
    const isBeside = Math.min(width - right, height) >= Math.min(width - covered.left, height - bottom);
    if (isBeside) covered.left = Math.max(covered.left, right + 6);
    else covered.top = Math.max(covered.top, bottom + 6);
  }

  get whole() {
    const { camera } = this.page.view;
    const box = boxOfBoxes(this.roots.map(({ bbox, taken }) => taken ?? bbox));
    if (!box) {
      this.page.note(this.lack);
      return null;
    }
    this.cover();
    return camera.viewOf(box, undefined, wholePart(camera.width));
  }

  get seesAll() { return Math.abs((this.whole?.z ?? Infinity) - this.page.view.camera.z) < 0.3; }

  toWorld() {
    const target = this.whole;
    if (target) this.to(target);
  }

  /** Flies to a box in degrees, no nearer than a zoom. */
  toBox(box, most = this.page.view.camera.most) {
    const { camera } = this.page.view;
    this.cover();
    this.to(camera.viewOf(box, Math.min(most, camera.most)));
  }

  toNode({ feature: { properties, geometry }, bbox }) {
    this.toBox(bbox, geometry.type === "Point" ? Math.max(properties.minzoom + 2.6, 4) : Infinity);
  }

  /** Moves the view if what covers the map hides much of a node: no farther than to bring it out, without zooming. */
  reveal(node) {
    const { camera } = this.page.view;
    this.cover();
    const { left, top, right, bottom } = camera.covered;
    const [x0, y0, x1, y1] = camera.boxOf(node.bbox);
    const box = [x0 - SIGN, y0 - SIGN, x1 + SIGN, y1 + SIGN];
    const areaIn = (west, north, east, south) => Math.max(0, Math.min(box[2], east) - Math.max(box[0], west)) * Math.max(0, Math.min(box[3], south) - Math.max(box[1], north));
    if (areaIn(left, top, camera.width - right, camera.height - bottom) > SEEN * areaIn(0, 0, camera.width, camera.height)) return;
    // What is larger than the free part fills it.
    const shift = (low, high, from, to) => (high - low < to - from ? clamp(0, from - low, to - high) : clamp(0, to - high, from - low));
    const [dx, dy] = [shift(box[0], box[2], left, camera.width - right), shift(box[1], box[3], top, camera.height - bottom)];
    this.to({ x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale, z: camera.z });
  }

  to(target) { this.page.view.camera.fly(target, this.page.view.isCalm); }
}

// Where zooming ends: once all nodes in view are shown, and their signs are as large as they get.

const FULL = 5; // so many zooms after a file appears, its sign has its full size
const MAXIMUM_FILES = 20_000; // a summary with so many files may lack others

/** The places of the last summary's lands and files, with the zooms from which they are shown. */
let last = {};

function placesOf(summary) {
  if (last.summary === summary) return last.places;
  const things = [...summary.lands, ...summary.own].filter(({ lon, minzoom }) => lon !== undefined && minzoom !== undefined);
  last = { summary, places: things.map(({ lon, lat, minzoom }) => ({ ...project(lon, lat), minzoom })) };
  return last.places;
}

function ringMeets(ring, box) {
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) if (meets([ring[j], ring[j + 1], ring[i], ring[i + 1]], box)) return true;
  return contains(ring, box[0], box[1]);
}

/** Whether a view shows land other than the level's folder and those around it: what is in it is unknown. */
function hasOtherLand({ camera, tiles }, { path, roots }) {
  const isAround = (land) => land.depth === 0 || roots.includes(land.path) || (path !== undefined && path.startsWith(`${land.path}/`));
  const [west, north, east, south] = camera.box;
  return [...new Set(tiles.visible(camera).map((address) => tiles.best(address)))].some((entry) => {
    if (!entry) return true;
    const box = [...gridPlace(entry, west, north), ...gridPlace(entry, east, south)];
    return entry.data.land.some((land) => !isAround(land) && outlineOf(land).length > 0 && overlap(box, outlineBox(land)) &&
      outlineOf(land).some((ring) => ringMeets(ring, box)));
  });
}

/** The zoom at which nothing more can come in a view; infinite if that is unknown. `level` is the level in view. */
export function zoomEnd(view, level) {
  const { camera } = view;
  const { current } = level;
  if (!current || !level.isSettled || layers.isDeep || hasOtherLand(view, current)) return Infinity;
  const places = placesOf(current);
  const near = current.own.length < MAXIMUM_FILES ? places.filter(({ x, y }) => camera.isNear(...camera.toScreen(x, y), 0)) : places;
  const fullAt = (all) => all.reduce((most, { minzoom }) => Math.max(most, minzoom), 0) + FULL;
  return near.length === 0 ? Math.min(camera.z, fullAt(places)) : fullAt(near);
}
