// What has changed on disk pulses for a moment: the entry itself where it is shown, else its folder.
import { worldPlace } from "./mercator.js";

const LAST = 1400; // milliseconds
const PATIENCE = 600; // milliseconds until a folder stands in for an entry that is not shown
const MOST = 40;

export class Pulses {
  constructor(view) {
    this.view = view;
    this.all = [];
    this.waiting = [];
  }

  /** Shows that entries of a folder have changed; `box` is the folder's, in world coordinates. */
  add(path, names, box) {
    const change = { path, names, box };
    // What is shown already may be on its way out; what is new comes with a tile.
    this.find(change);
    this.waiting.push(change);
    setTimeout(() => {
      this.waiting = this.waiting.filter((other) => other !== change);
      if (!change.isFound) this.start(box);
    }, PATIENCE);
  }

  /** Looks again, since a tile has come. */
  look() {
    for (const change of this.waiting) this.find(change);
  }

  find(change) {
    for (const entry of this.view.tiles.all.values()) {
      for (const { folder, name, x, y } of entry.data?.files ?? []) {
        if (folder !== change.path || !change.names.delete(name)) continue;
        const [wx, wy] = worldPlace(entry, x, y);
        this.start([wx, wy, wx, wy]);
        change.isFound = true;
      }
    }
  }

  start(box) {
    this.all.push({ box, start: performance.now() });
    if (this.all.length > MOST) this.all.shift();
    this.view.ask();
  }

  /** Draws those that last; whether there are any. */
  draw(context, camera, now) {
    this.all = this.all.filter((pulse) => now - pulse.start < LAST);
    for (const { box: [west, north, east, south], start } of this.all) {
      const part = this.view.isCalm ? 0.3 : (now - start) / LAST;
      const [x, y] = camera.toScreen((west + east) / 2, (north + south) / 2);
      const size = Math.max(14, Math.min(160, ((east - west) / 2) * camera.scale));
      context.beginPath();
      context.arc(x, y, size * (0.6 + 0.6 * part), 0, Math.PI * 2);
      context.globalAlpha = (1 - part) * 0.9;
      context.strokeStyle = this.view.palette.theme.select;
      context.lineWidth = 3;
      context.stroke();
      context.globalAlpha = 1;
    }
    return this.all.length > 0;
  }
}
