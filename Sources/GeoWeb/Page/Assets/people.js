// The authors of a time line on the map: discs with initials among what they touch, with beams to it.
import { byId, canvasOf, circle, clamp, fillAndStroke, keptIn, lastUpTo, overlap, strokeLines } from "./geo.js";
import { shortName } from "./prominence.js";
import { drawPlate, Plates } from "./timenames.js";

const MAXIMUM_SHOWN = 7; // authors on the map, the most active first
const KEPT = 3; // how much those on the map are preferred
/** The distance of two discs in pixels, in wide windows and in narrow ones, and their radius. */
const [APART, APART_NARROW, RADIUS] = [110, 64, 17];
const NARROW = 640;
/** Seconds in which a disc goes most of its way, while time runs and after a jump, comes, and goes. */
const [EASE, EASE_STILL, COMES, GOES] = [0.45, 0.12, 0.3, 0.6];
const ROUNDS = 60;
/** The extent of a disc with its name around its middle: to the west, north, east and south. */
const AROUND = [-32, -20, 32, 34];
const ASIDE = 48; // how far a disc is from the middle of what would be covered by it, in pixels
const REACH = 160; // pixels within which names of lands push a disc away
/** Beams in a frame, and of one author; steps of their age. */
const [MAXIMUM_BEAMS, MAXIMUM_OF_ONE, STEPS] = [110, 45, 4];
const FAR = 2000; // pixels outside the view in which beams end at most
const NAME_FONT = '600 12px system-ui, "Noto Sans", "DejaVu Sans", sans-serif';
const INITIALS_FONT = '700 13px system-ui, "Noto Sans", "DejaVu Sans", sans-serif';
const NAME_HIGH = 15;

/**
 * Colours of authors in the light and in the dark theme, none of a change: the first are those of the authors with most
 * commits, the others of all other authors on the map.
 */
const colours = [["#175a93", "#7cc7ff"], ["#6a35b5", "#c9a4ff"], ["#55690b", "#d3e77a"], ["#a6226f", "#ff9fd0"], ["#7a5c00", "#ffe58a"], ["#3440a8", "#9fb2ff"],
  ["#94470f", "#ffc4a3"], ["#23702c", "#93e29a"], ["#7d3a3a", "#e0b3b3"], ["#1c646e", "#a9dbe0"], ["#5b4a94", "#d9c7ff"], ["#6b5420", "#e8d5a8"],
  ["#8a3f86", "#f2c2ea"], ["#4d5f2c", "#c2d4a8"], ["#4a4a4a", "#d2d2d2"]];
const OWN_COLOURS = 7;

/** The colour of an author of a rank, while authors on the map have others: a number; `last` is what it had before, if any. */
export function colourFor(rank, last, taken) {
  if (rank < OWN_COLOURS) return rank;
  const shared = colours.length - OWN_COLOURS;
  const first = last ?? OWN_COLOURS + (rank % shared);
  for (let step = 0; step < shared; step += 1) {
    const colour = OWN_COLOURS + ((first - OWN_COLOURS + step) % shared);
    if (!taken.has(colour)) return colour;
  }
  return first;
}

/** The initials of a name: of its first and of its last word. */
export function initialsOf(name) {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters.map((word) => [...word][0].toLocaleUpperCase("en")).join("") || "?";
}

/** The offsets of discs, no two nearer than `apart`, none over boxes if there is room; x and y in turn, in pixels. */
export function spread(places, apart, boxes = []) {
  const count = places.length / 2;
  const at = [...places];
  const near = boxes.filter((box) => places.some((x, i) => i % 2 === 0 && x > box[0] - REACH && x < box[2] + REACH && places[i + 1] > box[1] - REACH && places[i + 1] < box[3] + REACH));
  for (let round = 0; round < ROUNDS; round += 1) {
    let isMoved = false;
    for (let a = 0; a < count; a += 1) {
      for (let b = a + 1; b < count; b += 1) {
        const [dx, dy] = [at[2 * b] - at[2 * a], at[2 * b + 1] - at[2 * a + 1]];
        const far = Math.hypot(dx, dy);
        if (far >= apart - 0.1) continue;
        isMoved = true;
        // Discs at one place part along any direction, always the same one.
        const turn = 2.4 * a + b;
        const [ux, uy] = far > 0.01 ? [dx / far, dy / far] : [Math.cos(turn), Math.sin(turn)];
        const push = (apart - far) / 2;
        [at[2 * a], at[2 * a + 1]] = [at[2 * a] - ux * push, at[2 * a + 1] - uy * push];
        [at[2 * b], at[2 * b + 1]] = [at[2 * b] + ux * push, at[2 * b + 1] + uy * push];
      }
    }
    for (let a = 0; a < count; a += 1) {
      for (const [west, north, east, south] of near) {
        const [x, y] = [at[2 * a], at[2 * a + 1]];
        const pushes = [x + AROUND[2] - west, east - x - AROUND[0], y + AROUND[3] - north, south - y - AROUND[1]];
        const least = Math.min(...pushes);
        if (least <= 0.1) continue;
        isMoved = true;
        const side = pushes.indexOf(least);
        at[2 * a + (side < 2 ? 0 : 1)] += side % 2 === 0 ? -least : least;
      }
    }
    if (!isMoved) break;
  }
  return at.map((value, i) => value - places[i]);
}

export class People {
  constructor(view, moment, recent) {
    Object.assign(this, { view, moment, recent });
    this.plates = new Plates(view.palette);
    this.discs = new Map();
    this.clear();
  }

  clear() {
    this.shown = new Map(); // the authors on the map by number
    /** The boxes of their discs and names in the last frame. */
    this.boxes = [];
    this.isMoving = false;
    this.rests = 0; // how often they came to rest
  }

  forget() {
    this.knownIn = null;
    this.clear();
  }

  know() {
    const { timeline } = this.moment;
    if (this.knownIn === timeline) return;
    this.knownIn = timeline;
    this.clear();
    const count = timeline.authors.length;
    this.commits = Array.from({ length: count }, () => []);
    for (let state = 0; state < timeline.stateCount; state += 1) this.commits[timeline.stateAuthors[state]]?.push(state);
    const order = Array.from({ length: count }, (_, author) => author).sort((a, b) => this.commits[b].length - this.commits[a].length || a - b);
    this.ranks = new Int32Array(count);
    this.colours = new Map();
    order.forEach((author, rank) => { this.ranks[author] = rank; });
    [this.weights, this.xs, this.ys, this.squares] = [0, 1, 2, 3].map(() => new Float64Array(count));
  }

  colourOf(author) {
    this.know();
    return colours[this.colours.get(author) ?? colourFor(this.ranks[author], undefined, new Set())][this.view.palette.isDark ? 1 : 0];
  }

  /** The authors on the map, the most active first, with `name`, `colour`, and number of `commits` so far. */
  get active() {
    const { timeline, state } = this.moment;
    return [...this.shown.values()].filter(({ isLeaving }) => !isLeaving).sort((a, b) => b.weight - a.weight).map(({ author }) => (
      { name: timeline.authors[author], colour: this.colourOf(author), commits: lastUpTo(this.commits[author], state) + 1 }));
  }

  /** Moves the authors on; returns whether any is still on its way. */
  advance(camera, passed) {
    this.know();
    this.weigh();
    const { isCalm } = this.view;
    const part = isCalm ? 1 : 1 - Math.exp(-passed / (this.moment.isRunning || byId("film") ? EASE : EASE_STILL));
    for (const person of this.shown.values()) {
      person.wx += (person.tx - person.wx) * part;
      person.wy += (person.ty - person.wy) * part;
      person.far += (person.tfar - person.far) * part;
      person.alpha = isCalm ? Number(!person.isLeaving) : Math.min(1, person.alpha + (person.isLeaving ? -passed / GOES : passed / COMES));
      if (person.isLeaving && person.alpha <= 0) this.shown.delete(person.author);
    }
    const all = [...this.shown.values()];
    const places = all.flatMap((person) => this.placeOf(person, camera));
    const offsets = spread(places, camera.width <= NARROW ? APART_NARROW : APART, this.view.labels.namesOfLands(camera));
    const wasMoving = this.isMoving;
    this.isMoving = false;
    all.forEach((person, i) => {
      const [dx, dy] = [offsets[2 * i], offsets[2 * i + 1]];
      const step = person.isNew ? 1 : part;
      if (Math.hypot(dx - person.dx, dy - person.dy) > 0.5 || Math.hypot(person.tx - person.wx, person.ty - person.wy) * camera.scale > 0.5 ||
        person.isLeaving || person.alpha < 1) this.isMoving = true;
      [person.dx, person.dy, person.isNew] = [person.dx + (dx - person.dx) * step, person.dy + (dy - person.dy) * step, false];
      [person.x, person.y] = [places[2 * i] + person.dx, places[2 * i + 1] + person.dy];
    });
    if (wasMoving && !this.isMoving) this.rests += 1;
    return this.isMoving;
  }

  /** Where a disc belongs in a view: in the middle of what the author touched, or next to it if that would be covered. */
  placeOf({ wx, wy, far }, camera) {
    const [x, y] = camera.toScreen(wx, wy);
    if (!camera.isNear(x, y, 0)) return [x, y];
    const { left, right, bottom } = camera.covered;
    const aside = Math.max(0, ASIDE - far * camera.scale);
    const [dx, dy] = [x - (left + camera.width - right) / 2, y - (camera.height - bottom) / 2];
    // Outwards there is most room.
    const length = Math.hypot(dx, dy) || 1;
    return [clamp(x + (aside * dx) / length, Math.min(x, left - AROUND[0]), Math.max(x, camera.width - right - AROUND[2])),
      clamp(y + (aside * dy) / length, Math.min(y, -AROUND[1]), Math.max(y, camera.height - bottom - AROUND[3]))];
  }

  weigh() {
    const { recent, weights, xs, ys, squares, shown } = this;
    const { timeline } = this.moment;
    const glow = this.moment.glow;
    const touched = new Set();
    for (let slot = 0; slot < recent.count; slot += 1) {
      const author = timeline.stateAuthors[timeline.states[recent.changes[slot]]];
      if (!(author >= 0)) continue;
      if (!touched.has(author)) {
        touched.add(author);
        weights[author] = xs[author] = ys[author] = squares[author] = 0;
      }
      const weight = 1.05 - recent.ages[slot] / glow;
      const node = recent.nodes[slot];
      weights[author] += weight;
      xs[author] += weight * timeline.x[node];
      ys[author] += weight * timeline.y[node];
      squares[author] += weight * (timeline.x[node] ** 2 + timeline.y[node] ** 2);
    }
    const rank = (author) => weights[author] * (shown.has(author) && !shown.get(author).isLeaving ? KEPT : 1);
    const chosen = new Set([...touched].sort((a, b) => rank(b) - rank(a) || a - b).slice(0, MAXIMUM_SHOWN));
    for (const person of shown.values()) if (!chosen.has(person.author)) person.isLeaving = true;
    for (const author of chosen) {
      const [tx, ty] = [xs[author] / weights[author], ys[author] / weights[author]];
      const tfar = Math.sqrt(Math.max(0, squares[author] / weights[author] - tx * tx - ty * ty));
      if (!shown.has(author)) {
        const taken = new Set([...shown.keys()].map((other) => this.colours.get(other)));
        this.colours.set(author, colourFor(this.ranks[author], this.colours.get(author), taken));
        shown.set(author, { author, wx: tx, wy: ty, far: tfar, dx: 0, dy: 0, x: 0, y: 0, alpha: 0, isNew: true });
      }
      Object.assign(shown.get(author), { tx, ty, tfar, weight: weights[author], isLeaving: false });
    }
  }

  drawBeams(context, camera) {
    if (this.shown.size === 0) return;
    const { recent } = this;
    const { timeline } = this.moment;
    const glow = this.moment.glow;
    const beams = new Map([...this.shown.values()].map((person) => [person.author, { person, count: 0, steps: Array.from({ length: STEPS }, () => []) }]));
    let count = 0;
    for (let slot = 0; slot < recent.count && count < MAXIMUM_BEAMS; slot += 1) {
      const of = beams.get(timeline.stateAuthors[timeline.states[recent.changes[slot]]]);
      if (!of || of.count >= MAXIMUM_OF_ONE) continue;
      const node = recent.nodes[slot];
      const [x, y] = camera.toScreen(timeline.x[node], timeline.y[node]);
      if (!camera.isNear(x, y, FAR)) continue;
      of.steps[Math.min(STEPS - 1, Math.floor((recent.ages[slot] / glow) * STEPS))].push(x, y);
      of.count += 1;
      count += 1;
    }
    // Lines of one pixel are drawn fastest.
    context.lineCap = "butt";
    for (const { person, steps } of beams.values()) {
      steps.forEach((ends, step) => {
        if (ends.length === 0) return;
        const part = 1 - (step + 0.5) / STEPS;
        context.globalAlpha = Math.max(0, person.alpha) * 0.75 * part;
        const lines = [];
        for (let i = 0; i < ends.length; i += 2) lines.push([person.x, person.y, ends[i], ends[i + 1]]);
        strokeLines(context, this.colourOf(person.author), 1, ...lines);
      });
    }
    context.globalAlpha = 1;
  }

  draw(context, camera, ratio) {
    this.boxes = [];
    const names = this.view.labels.namesOfLands(camera);
    // The most active on top.
    for (const person of [...this.shown.values()].sort((a, b) => (a.weight ?? 0) - (b.weight ?? 0))) {
      const { author, x, y, alpha } = person;
      if (!camera.isNear(x, y, 80, 40)) continue;
      const colour = this.colourOf(author);
      const disc = this.discOf(this.moment.timeline.authors[author], colour, ratio);
      const plate = this.plates.of([[shortName(this.moment.timeline.authors[author], 26), NAME_FONT, NAME_HIGH, colour]], 0, ratio);
      const half = disc.width / ratio / 2;
      context.globalAlpha = Math.max(0, alpha);
      context.drawImage(disc, x - half, y - half, 2 * half, 2 * half);
      this.boxes.push([x - half, y - half, x + half, y + half]);
      // Below the disc or above it, where no name of land is; else its initials have to do.
      const boxAt = (top) => [x - plate.width / 2, top, x + plate.width / 2, top + NAME_HIGH];
      const box = [boxAt(y + RADIUS + 2), boxAt(y - RADIUS - 2 - NAME_HIGH)].find((one) => camera.width > NARROW && !names.some((other) => overlap(one, other)));
      if (!box) continue;
      drawPlate(context, plate, box[0], box[1], ratio);
      this.boxes.push(box);
    }
    context.globalAlpha = 1;
  }

  discOf(name, colour, ratio) {
    const initials = initialsOf(name);
    const half = Math.ceil((RADIUS + 3) * ratio);
    return keptIn(this.discs, `${initials}|${colour}|${ratio}`, () => canvasOf(2 * half, 2 * half, (pen) => {
      pen.setTransform(ratio, 0, 0, ratio, half, half);
      drawDisc(pen, 0, 0, RADIUS, { initials, colour, paper: this.view.palette.theme.paper });
    }));
  }
}

export function drawDisc(pen, x, y, r, { initials, colour, paper }) {
  circle(pen, x, y, r);
  fillAndStroke(pen, paper, colour, Math.max(1.5, r / 6));
  if (r < 6) return;
  pen.font = INITIALS_FONT.replace("13px", `${Math.round(r * 0.78)}px`);
  [pen.textAlign, pen.textBaseline, pen.fillStyle] = ["center", "middle", colour];
  pen.fillText(initials, x, y + r * 0.04);
}
