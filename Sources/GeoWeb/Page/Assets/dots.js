// The many small symbols of a level: drawn once into a bitmap that is moved along, and drawn again bit by bit.
import { DOT } from "./signs.js";

const AROUND = 0.3; // of the view, beyond its edges
const SLICE = 1500; // symbols at once
const STRETCH = 0.6; // zooms by which the bitmap may be stretched while moving

export class Dots {
  constructor() {
    this.shown = null;
    this.job = null;
  }

  clear() { this.shown = this.job = null; }

  /**
   * Draws the symbols of a view: `groups` have columns `x` and `y` of world places, `sizes(i)`, half sides in pixels,
   * `isLeft(i)` for those drawn otherwise, `isRound`, and a `colour(i)`. `key` changes with them. Returns whether all
   * are up to date.
   */
  draw(context, camera, ratio, groups, key, isAtRest, deadline) {
    if (!groups.some(({ x, isLeft }) => x.some((_, i) => !isLeft(i)))) {
      this.clear();
      return true;
    }
    const fits = (picture) => picture?.key === key && picture.ratio === ratio && this.covers(picture, camera) &&
      Math.abs(picture.z - camera.z) < (isAtRest ? 1e-6 : STRETCH);
    if (!fits(this.shown)) {
      if (!fits(this.job)) this.job = this.begin(camera, ratio, groups, key);
      while (this.job && (performance.now() < deadline)) {
        if (!this.job.steps.next().done) continue;
        this.shown = this.job;
        this.job = null;
      }
    } else this.job = null;
    const { shown } = this;
    if (shown) {
      const [x, y] = camera.toScreen(shown.west, shown.north);
      const by = 2 ** (camera.z - shown.z);
      const [width, height] = [shown.canvas.width * by, shown.canvas.height * by];
      if (by > 0.2 && by < 5) context.drawImage(shown.canvas, Math.round(x * ratio), Math.round(y * ratio), width, height);
    }
    return fits(shown);
  }

  covers({ west, north, east, south }, camera) {
    const [x0, y0] = camera.toWorld(0, 0);
    const [x1, y1] = camera.toWorld(camera.width, camera.height);
    return x0 >= west && y0 >= north && x1 <= east && y1 <= south;
  }

  begin({ x, y, z, scale, width, height }, ratio, groups, key) {
    const canvas = document.createElement("canvas");
    const [across, down] = [width * (1 + 2 * AROUND), height * (1 + 2 * AROUND)];
    canvas.width = Math.round(across * ratio);
    canvas.height = Math.round(down * ratio);
    const [west, north] = [x - across / 2 / scale, y - down / 2 / scale];
    const job = { key, ratio, z, canvas, west, north, east: west + across / scale, south: north + down / scale };
    job.steps = this.steps(job, groups, scale);
    return job;
  }

  *steps({ canvas, west, north, east, south, ratio }, groups, scale) {
    const pen = canvas.getContext("2d");
    let count = 0;
    for (const { x, y, size, isLeft, isRound, colour, alpha } of groups) {
      pen.globalAlpha = alpha;
      for (let i = 0; i < x.length; i += 1) {
        if ((count += 1) % SLICE === 0) yield;
        if (x[i] < west || x[i] > east || y[i] < north || y[i] > south || isLeft(i)) continue;
        const r = Math.max(DOT, size(i));
        const [px, py] = [(x[i] - west) * scale * ratio, (y[i] - north) * scale * ratio];
        pen.fillStyle = colour(i);
        if (isRound) {
          pen.beginPath();
          pen.arc(px, py, r * ratio, 0, Math.PI * 2);
          pen.fill();
        } else {
          const side = Math.max(1, Math.floor(2 * r * ratio));
          pen.fillRect(Math.round(px - side / 2), Math.round(py - side / 2), side, side);
        }
      }
    }
  }
}
