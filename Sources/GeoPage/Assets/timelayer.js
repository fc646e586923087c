// A moment of a time line on the map: what is not there yet lies below the sea, what is gone as a ruin, and
// what has changed is lit until it fades.
import { clamp, hashText, parentOf } from "./geo.js";
import { prepare } from "./land.js";
import { drawFile } from "./points.js";
import { coastIn } from "./sea.js";
import { TileBitmaps } from "./tiles.js";
import { GONE, NOT_YET, REMAINED, THERE } from "./timeline.js";

/** How changes are lit, by kind: added, changed, removed. */
export const timeColours = { dark: ["#35e0c2", "#ffc152", "#ff6f61"], light: ["#00836b", "#c96a00", "#c8321f"] };
/** Changes that are looked at for a frame at most, the newest first. */
const MOST_LIT = 60000;
const LIT_CELL = 5; // pixels, in which one light is enough
const LIGHT = 15; // pixels
/** How many files of a tile are dots at most that are too many to be told apart yet. */
const MOST_DOTS = 1500;
/** How often names may follow lands that come and go while time runs, in milliseconds. */
const NAMES_PAUSE = 500;
const MOST_TRAVELLERS = 12;
/** How long somebody is seen who does nothing more, in fades. */
const LINGER = 2;
const WAY_LENGTH = 12; // places

export class TimeLayer {
  constructor(view, timeline) {
    this.view = view;
    this.timeline = timeline;
    this.time = timeline.start;
    this.state = -1;
    /** How long a change is lit, in seconds of the time line. */
    this.fade = 1;
    this.showsTravellers = false;
    /** What is shown besides: how the moment differs from another one; null if that isn't asked for. */
    this.span = null;
    this.lights = new Map();
    this.bitmaps = new TileBitmaps();
    this.namesFor = 0;
    this.namesAt = 0;
    this.lands = 0;
    this.isRunning = false;
    this.travellers = [];
    /** Land that only the time line tells of; null if the map has it. */
    this.told = null;
    /** Called at the beginning of each frame, and when the moment is another one. */
    this.onframe = () => {};
    this.onseek = () => {};
  }

  /** Goes to a moment; several states may be of one, of which the last counts if none is given. */
  seek(time, state = this.timeline.stateAt(time)) {
    this.time = time;
    this.state = state;
    this.onseek();
    this.view.ask();
  }

  /** Whether the map is drawn without what comes and goes: that is drawn by the moment. */
  get isPlain() { return this.timeline.hasLives; }

  /** What a thing of the map is at the moment: what nobody knows of is there. */
  presence(thing) {
    if (!this.timeline.hasLives) return THERE;
    const node = this.timeline.node(thing.path, thing.kind !== "poi");
    return node === undefined ? THERE : this.presenceOf(node);
  }

  /** What a node is at the moment; where two are compared it is there if it is there at one of them. */
  presenceOf(node) {
    return this.span?.comparison?.has(node) ? THERE : this.timeline.presence(node, this.state);
  }

  /** What names are chosen for; it changes with lands that come and go, but not all the time. */
  get namesKey() {
    const now = performance.now();
    if (this.lands !== this.namesFor && (!this.isRunning || now - this.namesAt > NAMES_PAUSE)) {
      this.namesFor = this.lands;
      this.namesAt = now;
    }
    return this.namesFor;
  }

  /** Draws the moment over the tiles of a view; whether all of it is as it is now. */
  draw(context, camera, tiles, list, ratio, isAtRest) {
    let isSharp = true;
    if (this.timeline.hasLives) isSharp = this.drawTiles(context, camera, tiles, list, ratio, performance.now() + (isAtRest ? 25 : 6));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.told?.draw(context, camera);
    this.drawLights(context, camera);
    this.travellers = this.showsTravellers ? this.travellersNow() : [];
    for (const traveller of this.travellers) this.drawWay(context, camera, traveller);
    context.globalAlpha = 1;
    context.setTransform(1, 0, 0, 1, 0, 0);
    return isSharp;
  }

  drawTiles(context, camera, tiles, list, ratio, deadline) {
    this.lands = 0;
    return this.bitmaps.draw(context, camera, tiles, list, { ratio, deadline,
      keyOf: (entry) => `${this.look(this.known(entry))}.${entry.version}.${this.view.palette.key}`,
      render: (pen, entry, size) => this.render(pen, entry, this.known(entry), size, ratio, camera.z) });
  }

  /** The nodes of what a tile shows, found once. */
  known(entry) {
    if (entry.timed?.version === entry.version && entry.timed.timeline === this.timeline) return entry.timed;
    prepare(entry, this.view.tints);
    const { timeline } = this;
    const nodesOf = (things) => Int32Array.from(things, (thing) => timeline.node(thing.path, thing.kind !== "poi") ?? -1);
    const { land, files } = entry.data;
    const dots = this.dotsIn(entry, new Set(files.map(({ path }) => path)));
    entry.timed = { version: entry.version, timeline, land: nodesOf(land), files: nodesOf(files), dots, state: -2, hash: 0,
      landStates: new Uint8Array(land.length), fileStates: new Uint8Array(files.length), dotStates: new Uint8Array(dots.length) };
    return entry.timed;
  }

  /** Files in a tile that come into sight closer by only; of very many some, spread over all of them. */
  dotsIn(entry, shown) {
    const { timeline } = this;
    const count = 2 ** entry.z;
    const [west, north] = [entry.x / count, entry.y / count];
    const found = [];
    for (let node = 0; node < timeline.nodeCount; node += 1) {
      const [x, y] = [(timeline.x[node] - west) * count, (timeline.y[node] - north) * count];
      if (x >= 0 && y >= 0 && x < 1 && y < 1 && !timeline.isFolder[node] && !shown.has(timeline.paths[node])) found.push(node);
    }
    const step = Math.ceil(found.length / MOST_DOTS);
    return Int32Array.from(step > 1 ? found.filter((_, index) => index % step === 0) : found);
  }

  /** Finds out what all that a tile shows is now; a number that is another one if any of it is. */
  look(known) {
    const { state } = this;
    const comparison = this.span?.comparison ?? null;
    if (known.state !== state || known.comparison !== comparison) {
      [known.state, known.comparison] = [state, comparison];
      known.hash = 0x811c9dc5;
      const note = (nodes, states) => {
        for (let i = 0; i < nodes.length; i += 1) {
          states[i] = nodes[i] < 0 ? THERE : this.presenceOf(nodes[i]);
          known.hash = Math.imul(known.hash ^ states[i], 0x01000193);
        }
      };
      note(known.land, known.landStates);
      known.landHash = known.hash;
      note(known.files, known.fileStates);
      note(known.dots, known.dotStates);
    }
    this.lands = Math.imul(this.lands ^ known.landHash, 0x01000193);
    return known.hash;
  }

  render(context, entry, known, size, ratio, zoom) {
    context.lineJoin = "round";
    this.drawLands(context, entry, known, size, ratio);
    this.drawFiles(context, entry, known, size, ratio, zoom);
  }

  drawLands(context, entry, known, size, ratio) {
    const { theme } = this.view.palette;
    const px = size / 4096;
    const covered = new Set();
    entry.data.land.forEach((land, index) => {
      const state = known.landStates[index];
      const parent = land.parent ?? parentOf(land.path);
      const isCovered = covered.has(parent);
      if (state === THERE && !isCovered) return;
      covered.add(land.path);
      const path = this.outline(entry, land, size, px);
      if (!path) return;
      const breadth = (land.breadth ?? 1) * size * 2 ** entry.z / ratio;
      if (!isCovered) {
        context.fillStyle = state === GONE ? this.ruin : theme.sea;
        context.fill(path);
        // The border that it had lies half beyond it.
        context.strokeStyle = context.fillStyle;
        context.lineWidth = 1.6 * ratio;
        context.stroke(path);
        if (state === GONE && breadth > 5) this.hatch(context, path, land, px, ratio);
      }
      if (breadth < 9) return;
      context.strokeStyle = state === NOT_YET ? theme.waterline[0] : timeColours[this.theme][2];
      context.globalAlpha = isCovered ? 0.22 : state === NOT_YET ? 0.45 : 0.6;
      context.setLineDash(state === GONE && !isCovered ? [4 * ratio, 3 * ratio] : []);
      context.lineWidth = (isCovered ? 0.7 : 1) * ratio;
      context.stroke(path);
      context.globalAlpha = 1;
      context.setLineDash([]);
    });
  }

  get theme() { return this.view.palette.isDark ? "dark" : "light"; }
  get ruin() { return this.view.palette.isDark ? "rgba(38,40,42,.86)" : "rgba(214,208,196,.86)"; }

  /** Up to where a land is drawn, as a path; a continent has a coast of its own. */
  outline(entry, land, size, px) {
    let rings = land.drawn ?? land.outline ?? land.rings;
    let scale = px;
    const coast = land.depth === 0 && this.view.coasts.get(land.path);
    if (coast) [rings, scale] = [[coastIn(coast, entry, size)], 1];
    if (rings.length === 0 || rings[0].length === 0) return null;
    const path = new Path2D();
    for (const ring of rings) {
      for (let i = 0; i < ring.length; i += 2) {
        if (i === 0) path.moveTo(ring[0] * scale, ring[1] * scale);
        else path.lineTo(ring[i] * scale, ring[i + 1] * scale);
      }
      path.closePath();
    }
    return path;
  }

  /** Lines across what is gone. */
  hatch(context, path, land, px, ratio) {
    const rings = land.drawn ?? land.outline ?? land.rings;
    let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const ring of rings) {
      for (let i = 0; i < ring.length; i += 2) {
        [west, east] = [Math.min(west, ring[i] * px), Math.max(east, ring[i] * px)];
        [north, south] = [Math.min(north, ring[i + 1] * px), Math.max(south, ring[i + 1] * px)];
      }
    }
    context.save();
    context.clip(path);
    context.strokeStyle = timeColours[this.theme][2];
    context.globalAlpha = 0.2;
    context.lineWidth = ratio;
    context.beginPath();
    const step = 6 * ratio;
    const height = south - north;
    for (let x = Math.floor((west - height) / step) * step; x < east; x += step) {
      context.moveTo(x, south);
      context.lineTo(x + height, north);
    }
    context.stroke();
    context.restore();
  }

  drawFiles(context, entry, known, size, ratio, zoom) {
    const { palette } = this.view;
    const { timeline } = this;
    const px = size / 4096;
    const count = 2 ** entry.z;
    context.fillStyle = palette.theme.file;
    context.globalAlpha = 0.6;
    known.dots.forEach((node, index) => {
      if (known.dotStates[index] !== THERE) return;
      context.fillRect((timeline.x[node] * count - entry.x) * size - 0.6 * ratio, (timeline.y[node] * count - entry.y) * size - 0.6 * ratio,
        1.3 * ratio, 1.3 * ratio);
    });
    context.globalAlpha = 1;
    entry.data.files.forEach((file, index) => {
      const past = zoom - file.minzoom;
      if (known.fileStates[index] === THERE) {
        drawFile(context, file, file.x * px, file.y * px, past, palette, ratio);
      } else if (known.fileStates[index] === GONE && past > 1) {
        context.strokeStyle = timeColours[this.theme][2];
        context.globalAlpha = 0.4;
        context.lineWidth = 0.8 * ratio;
        context.beginPath();
        context.arc(file.x * px, file.y * px, 1.8 * ratio, 0, 2 * Math.PI);
        context.stroke();
        context.globalAlpha = 1;
      }
    });
  }

  /** Whether a change of a state has faded, and how far. */
  ageOf(state) { return (this.time - this.timeline.times[state]) / this.fade; }

  /** Lights what has changed a short while ago, the newest changes first; of what is in one spot, one. */
  drawLights(context, camera) {
    const { timeline, state } = this;
    // Where two moments are compared, what differs is lit.
    if (state < 0 || this.span) return;
    const width = Math.ceil(camera.width / LIT_CELL) + 6;
    const height = Math.ceil(camera.height / LIT_CELL) + 6;
    if (this.grid?.length !== width * height) this.grid = new Uint8Array(width * height);
    this.grid.fill(0);
    this.litCount = 0;
    const first = timeline.firstChanges[timeline.stateAt(this.time - this.fade) + 1] ?? 0;
    const end = timeline.firstChanges[state + 1];
    const colours = timeColours[this.theme];
    context.globalCompositeOperation = this.view.palette.isDark ? "lighter" : "source-over";
    for (let change = end - 1; change >= Math.max(first, end - MOST_LIT); change -= 1) {
      const kind = timeline.kinds[change];
      const node = timeline.nodes[change];
      if (kind === REMAINED || timeline.isFolder[node]) continue;
      const [px, py] = camera.toScreen(timeline.x[node], timeline.y[node]);
      if (!(px > -LIGHT && py > -LIGHT && px < camera.width + LIGHT && py < camera.height + LIGHT)) continue;
      const cell = (Math.floor(py / LIT_CELL) + 3) * width + Math.floor(px / LIT_CELL) + 3;
      if (this.grid[cell]) continue;
      this.grid[cell] = 1;
      const left = 1 - this.ageOf(timeline.states[change]);
      if (left <= 0) continue;
      const radius = LIGHT * (0.45 + 0.55 * left);
      context.globalAlpha = left ** 1.4;
      context.drawImage(this.light(colours[kind]), px - radius, py - radius, 2 * radius, 2 * radius);
      this.litCount += 1;
    }
    context.globalAlpha = 1;
    context.globalCompositeOperation = "source-over";
  }

  /** The box around what is lit, in world coordinates; null if nothing is. */
  litBox() {
    const { timeline, state } = this;
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    if (state < 0) return null;
    const end = timeline.firstChanges[state + 1];
    const first = timeline.firstChanges[timeline.stateAt(this.time - this.fade) + 1] ?? 0;
    for (let change = Math.max(first, end - MOST_LIT); change < end; change += 1) {
      const place = timeline.nodes[change];
      if (timeline.kinds[change] === REMAINED) continue;
      [box[0], box[2]] = [Math.min(box[0], timeline.x[place]), Math.max(box[2], timeline.x[place])];
      [box[1], box[3]] = [Math.min(box[1], timeline.y[place]), Math.max(box[3], timeline.y[place])];
    }
    return box[0] <= box[2] ? box : null;
  }

  /** A light with its glow, drawn once for each colour. */
  light(colour) {
    let light = this.lights.get(colour);
    if (light) return light;
    light = document.createElement("canvas");
    light.width = light.height = 64;
    const pen = light.getContext("2d");
    const glow = pen.createRadialGradient(32, 32, 0, 32, 32, 32);
    glow.addColorStop(0, "#ffffff");
    glow.addColorStop(0.14, colour);
    glow.addColorStop(0.28, `${colour}b0`);
    glow.addColorStop(0.6, `${colour}38`);
    glow.addColorStop(1, `${colour}00`);
    pen.fillStyle = glow;
    pen.fillRect(0, 0, 64, 64);
    this.lights.set(colour, light);
    return light;
  }

  /** Draws what stands above the names of lands. */
  drawAbove(context, camera) {
    const { palette } = this.view;
    const spots = this.travellers.map(({ author, x, y, strength }) => {
      const name = this.timeline.authors[author];
      const [px, py] = camera.toScreen(x, y);
      return { name, px, py, strength, colour: this.colourOf(name) };
    }).filter(({ px, py }) => px > -80 && py > -20 && px < camera.width + 80 && py < camera.height + 20);
    for (const { px, py, strength, colour } of spots) {
      context.globalAlpha = strength;
      context.beginPath();
      context.arc(px, py, 5, 0, 2 * Math.PI);
      context.fillStyle = colour;
      context.strokeStyle = palette.theme.paper;
      context.lineWidth = 1.5;
      context.fill();
      context.stroke();
    }
    this.drawNames(context, spots);
    context.globalAlpha = 1;
  }

  /** Writes names beside the dots, each where none of another one is. */
  drawNames(context, spots) {
    context.font = '600 12px system-ui, "DejaVu Sans", sans-serif';
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.strokeStyle = this.view.palette.theme.paper;
    context.lineWidth = 3.5;
    const taken = [];
    for (const { name, px, py, strength, colour } of spots) {
      const width = context.measureText(name).width;
      const free = [9, -9 - width].map((dx) => [px + dx, py - 8, px + dx + width, py + 8])
        .find(([w, n, e, s]) => !taken.some((other) => other[0] < e && other[2] > w && other[1] < s && other[3] > n));
      if (!free) continue;
      taken.push(free);
      context.globalAlpha = strength;
      context.fillStyle = colour;
      context.strokeText(name, free[0], py);
      context.fillText(name, free[0], py);
    }
  }

  colourOf(name) {
    const hue = hashText(name) % 360;
    return this.view.palette.isDark ? `hsl(${hue} 85% 74%)` : `hsl(${hue} 75% 32%)`;
  }

  /** Where authors are, and the ways that they came: they go from what they did last to what they do next. */
  travellersNow() {
    const { timeline, time, fade } = this;
    const shown = [];
    timeline.ways.forEach(({ states, x, y }, author) => {
      if (states.length === 0) return;
      let [low, high] = [0, states.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (states[middle] <= this.state) low = middle + 1;
        else high = middle;
      }
      const last = low - 1;
      const since = last < 0 ? Infinity : time - timeline.times[states[last]];
      const until = low < states.length ? timeline.times[states[low]] - time : Infinity;
      if (last < 0 || (since > LINGER * fade && until > fade)) return;
      const gap = since + until;
      const travel = Math.min(gap, fade);
      const part = until < travel ? 1 - until / travel : 0;
      const eased = part * part * (3 - 2 * part);
      const next = Math.min(low, states.length - 1);
      shown.push({ author, last, x: x[last] + (x[next] - x[last]) * eased, y: y[last] + (y[next] - y[last]) * eased,
        weight: Math.min(since, until), strength: clamp(1.2 - Math.min(since / LINGER, until) / fade, 0.25, 1), xs: x, ys: y });
    });
    return shown.sort((a, b) => a.weight - b.weight).slice(0, MOST_TRAVELLERS);
  }

  /** Draws the way that somebody came. */
  drawWay(context, camera, { author, last, x, y, xs, ys, strength }) {
    const first = Math.max(0, last - (this.view.isCalm ? 4 : WAY_LENGTH));
    context.lineJoin = context.lineCap = "round";
    context.strokeStyle = this.colourOf(this.timeline.authors[author]);
    let [px, py] = camera.toScreen(x, y);
    for (let at = last; at >= first; at -= 1) {
      const [qx, qy] = camera.toScreen(xs[at], ys[at]);
      context.beginPath();
      context.moveTo(clamp(px, -9999, 9999), clamp(py, -9999, 9999));
      context.lineTo(clamp(qx, -9999, 9999), clamp(qy, -9999, 9999));
      context.lineWidth = 1.6;
      context.globalAlpha = 0.75 * strength * (1 - (last - at) / (WAY_LENGTH + 1));
      context.stroke();
      [px, py] = [qx, qy];
    }
  }
}
