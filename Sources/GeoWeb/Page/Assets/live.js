// Reports of a server: changes on disk, which show at once and pulse, and totals.
import { byId, circle, clamp, make, showNumber, strokeIn } from "./geo.js";
import { boxInWorld, project, worldPlace } from "./mercator.js";

/** Listens to the source; `changed` gets the paths of folders, the others the source's arguments. */
export function listenToChanges(view, source, { changed, ...acts }) {
  if (!source.isLive) return;
  let [waiting, timer] = [[], 0];
  const flush = () => {
    timer = 0;
    const folders = new Map(waiting.map((event) => [event.path, event.bbox]));
    const whole = new Set(waiting.filter(({ lon }) => lon === undefined).map(({ path }) => path));
    for (const { path, rawPath, lon, lat, ...file } of waiting) {
      // The tiles that show a file are known.
      if (!whole.has(path)) view.tiles.refreshFile(rawPath ?? path, { ...project(lon, lat), ...file });
    }
    for (const [path, bbox] of folders) {
      const box = boxInWorld(bbox);
      if (whole.has(path)) view.tiles.refresh(...box);
      view.pulses.add(path, new Set(waiting.filter((event) => event.path === path).map(({ name }) => name)), box);
    }
    waiting = [];
    changed(new Set(folders.keys()));
    view.ask();
  };
  source.listen({
    ...acts,
    changed(event) {
      waiting.push(event);
      // Draw a burst of changes once.
      if (timer === 0) timer = setTimeout(flush, 60);
    },
    missed() {
      view.tiles.refresh(0, 0, 1, 1);
      view.ask();
    },
  });
}

// Changes on disk pulse for a moment: at the entry if visible, else its folder.

const LAST = 1400; // milliseconds
const PATIENCE = 600; // milliseconds until a folder replaces a hidden entry
const MAXIMUM = 40;

export class Pulses {
  constructor(view) { Object.assign(this, { view, all: [], waiting: [] }); }

  /** `box` is the folder's, in world coordinates. */
  add(path, names, box) {
    const change = { path, names, box };
    // Visible nodes may be about to vanish; new ones come with a tile.
    this.find(change);
    this.waiting.push(change);
    setTimeout(() => {
      this.waiting = this.waiting.filter((other) => other !== change);
      if (!change.isFound) this.start(box);
    }, PATIENCE);
  }

  findAll() { for (const change of this.waiting) this.find(change); }

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
    this.all.push({ box, start: this.view.clock.now() });
    if (this.all.length > MAXIMUM) this.all.shift();
    this.view.ask();
  }

  draw(context, camera, now) {
    this.all = this.all.filter((pulse) => now - pulse.start < LAST);
    for (const { box: [west, north, east, south], start } of this.all) {
      const part = this.view.isCalm ? 0.3 : (now - start) / LAST;
      const size = clamp(((east - west) / 2) * camera.scale, 14, 160);
      circle(context, ...camera.toScreen((west + east) / 2, (north + south) / 2), size * (0.6 + 0.6 * part));
      context.globalAlpha = (1 - part) * 0.9;
      strokeIn(context, this.view.palette.theme.select, 3);
      context.globalAlpha = 1;
    }
    return this.all.length > 0;
  }
}

// Totals are counted after the first picture: their progress, and a stop button.

export class Totals {
  /** `changed` is called with the `version` of other totals, `counting` with each step, and null at the end. */
  constructor(source, changed, counting) {
    Object.assign(this, { source, changed, counting });
    this.line = byId("progress");
    this.read = undefined; // when they were read, in milliseconds; undefined before
  }

  async start() {
    if (!this.source.totals) return;
    this.abort = new AbortController();
    try {
      await this.source.totals(this.abort.signal, (step) => this.show(step));
    } catch {
      // Stopped, or the server is gone: keep the known totals.
    }
    this.line.hidden = true;
    this.counting(null);
  }

  stop() {
    this.abort?.abort();
    this.line.hidden = true;
  }

  show(step) {
    if (step.done) {
      this.line.hidden = true;
      this.read = Date.now() - (step.age ?? 0) * 1000;
      this.changed({ version: step.version });
      return;
    }
    this.line.hidden = false;
    this.counting(step);
    this.line.replaceChildren(`adding up: ${showNumber(step.files)} files `,
      make("button", { class: "crumb", onclick: () => this.stop() }, "stop"));
  }

  get age() {
    if (this.read === undefined) return "";
    const minutes = Math.floor((Date.now() - this.read) / 60000);
    if (minutes < 2) return "";
    return minutes < 120 ? `${minutes} minutes ago` : `${Math.floor(minutes / 60)} hours ago`;
  }
}
