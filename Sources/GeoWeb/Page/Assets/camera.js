// The camera: a centre in world coordinates and a zoom, and its movements.
import { clamp } from "./geo.js";
import { filledPart, fittingZoom, leastZoom, project, TILE, unproject } from "./mercator.js";

/** The length of the Earth's equator in metres. */
const EQUATOR = 40075016.686;

export class Camera {
  /** `most` is the deepest zoom; `moved` is called after each change. */
  constructor(most = 32, moved = () => {}) {
    Object.assign(this, { most, moved });
    this.x = 0.5;
    this.y = 0.5;
    this.z = 0;
    this.width = 1;
    this.height = 1;
    this.covered = { left: 0, top: 0, right: 0, bottom: 0 };
    this.flight = null;
    this.push = null;
    /** The zoom at which nothing more can come in the present view. */
    this.end = Infinity;
    /** Whether the zoom comes from the user or a link, and so has to end there. */
    this.isFree = false;
  }

  get scale() { return TILE * 2 ** this.z; }
  /** The deepest zoom to which the user can zoom in from here. */
  get limit() { return Math.max(this.z, Math.min(this.most, this.end)); }
  get least() { return leastZoom(this.width, this.height); }
  get place() { return unproject(this.x, this.y); }
  /** Metres per pixel in the middle, on the Earth. */
  get metresOfPixel() { return (EQUATOR * Math.cos((this.place.lat * Math.PI) / 180)) / this.scale; }
  /** The pixel in the middle. */
  get middle() { return [this.width / 2, this.height / 2]; }
  get isMoving() { return this.flight !== null || this.push !== null; }

  /** Sets how many pixels are covered at the edges. */
  cover(covered) { this.covered = covered; }

  resize(width, height) {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.keep();
  }

  /** A copy that doesn't change when the camera moves. */
  get frozen() {
    const still = new Camera();
    Object.assign(still, { x: this.x, y: this.y, z: this.z, width: this.width, height: this.height });
    return still;
  }

  /** The pixel of a place in the world. */
  toScreen(x, y) {
    const scale = this.scale;
    return [(x - this.x) * scale + this.width / 2, (y - this.y) * scale + this.height / 2];
  }

  /** The place in the world under a pixel. */
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
    this.x = clamp(this.x, 0, 1);
    this.y = clamp(this.y, 0, 1);
    this.moved();
  }

  stop() {
    this.flight = null;
    this.push = null;
  }

  set(x, y, z) {
    this.stop();
    this.isFree = false;
    Object.assign(this, { x, y, z });
    this.keep();
  }

  panBy(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.keep();
  }

  /** Zooms, keeping the place under a pixel. */
  zoomAt(px, py, by) {
    const [wx, wy] = this.toWorld(px, py);
    this.z = clamp(this.z + by, this.least, this.limit);
    this.release();
    this.x = wx - (px - this.width / 2) / this.scale;
    this.y = wy - (py - this.height / 2) / this.scale;
    this.keep();
  }

  /** The view of a box in degrees, leaving covered edges free. */
  viewOf([west, south, east, north], most = this.most, part = undefined) {
    const a = project(west, north);
    const b = project(east, south);
    return this.viewAround([a.x, a.y, b.x, b.y], { most, part });
  }

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
      const b = (w, sign) =>
        (w1 * w1 - w0 * w0 + sign * rho ** 4 * u1 * u1) / (2 * w * rho * rho * u1);
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
    this.flight = { from, target, length, at, time, w0, start: performance.now() };
    this.moved();
    return undefined;
  }

  /** Marks the present zoom, or the one it flies to, as one that has to end. */
  release() { this.isFree = true; }

  /** Sets where zooming ends. */
  endAt(end) { this.end = end; }

  /** Goes back to there if the user or a link went beyond. */
  turnBack(isCalm) {
    if (this.isFree && !this.isMoving && this.z > this.end + 0.01) this.fly({ x: this.x, y: this.y, z: this.end }, isCalm);
  }

  glide(vx, vy) {
    if (Math.hypot(vx, vy) > 0.05) this.push = { vx, vy, last: performance.now() };
    this.moved();
  }

  /** Moves on; called once a frame. */
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
