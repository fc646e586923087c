// Names of what changes at a moment, with what happened; each keeps its place as long as it is shown.
import { byId, canvasOf, clamp, keptIn, nameOf, overlap, parentOf, strokeLines } from "./geo.js";
import { shortName } from "./prominence.js";
import { coreOf, happened, timeInks } from "./timelights.js";

// Short texts as images: one line or two with a halo, drawn once.

const MAXIMUM_KEPT = 400; // the number of kept images
/** The space around a text for its halo, in pixels. */
const [MARGIN, HALO] = [3, 3.6];

export class Plates {
  constructor(palette) {
    Object.assign(this, { palette, all: new Map() });
    this.pen = document.createElement("canvas").getContext("2d");
  }

  /** The image of lines, each `[text, font, height, ink]`, and the size of the text; `side` aligns: 1 left, 0 middle, -1 right. */
  of(lines, side, ratio) {
    const key = `${lines.map((line) => line.join("|")).join("\n")}|${side}|${ratio}|${this.palette.isDark}`;
    return keptIn(this.all, key, () => this.drawn(lines, side, ratio), MAXIMUM_KEPT);
  }

  drawn(lines, side, ratio) {
    const widths = lines.map(([text, font]) => {
      this.pen.font = font;
      return this.pen.measureText(text).width;
    });
    const width = Math.ceil(Math.max(...widths));
    const height = lines.reduce((sum, [, , high]) => sum + high, 0);
    const canvas = canvasOf(Math.ceil((width + 2 * MARGIN) * ratio), Math.ceil((height + 2 * MARGIN) * ratio));
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = HALO;
    context.strokeStyle = this.palette.halo;
    let top = MARGIN;
    lines.forEach(([text, font, high, ink], index) => {
      context.font = font;
      context.fillStyle = ink;
      const x = MARGIN + ((1 - side) / 2) * (width - widths[index]);
      context.strokeText(text, x, top + high / 2);
      context.fillText(text, x, top + high / 2);
      top += high;
    });
    return { canvas, width, height };
  }
}

export function drawPlate(context, { canvas }, left, top, ratio) {
  context.drawImage(canvas, Math.round((left - MARGIN) * ratio) / ratio, Math.round((top - MARGIN) * ratio) / ratio, canvas.width / ratio, canvas.height / ratio);
}

const MAXIMUM_NAMED = 14;
const MAXIMUM_NAMED_NARROW = 6;
const NARROW = 640; // pixels
/** Frames between two choices, and new names in each, so that no frame takes long. */
const [PASS, NEW_AT_ONCE] = [5, 3];
const PANNED = 60; // pixels that the view moves until names are chosen again
/** Seconds in which a name comes and goes, and for which it is shown at least. */
const [COMES, GOES, STAYS] = [0.15, 0.35, 0.8];
const OUTDOES = 2; // how much more another file must have changed to take the place of a name
/** Candidates for names, and how much those that are shown are preferred. */
const MAXIMUM_TRIED = 40;
const KEPT = 1.5;
const NAME_FONT = '600 13px Georgia, "Noto Serif", "DejaVu Serif", serif';
const WORDS_FONT = '11px Georgia, "Noto Serif", "DejaVu Serif", serif';
const [NAME_HIGH, WORDS_HIGH] = [15, 12.5];
const GAPS = [2, 14, 30]; // distances from the light in pixels; from the second on a line leads there
/** What it costs, in pixels of distance, to cover an author or another light. */
const [OVER_AUTHOR, OVER_LIGHT] = [40, 7];
const BOXES_KEPT = 1000; // milliseconds for which the boxes of the page's overlays are kept
const MAXIMUM_MOVED = 500;

/** The importance of a file's changes: their number, the freshest first, then the size. `part` is the rest of its glow. */
export function weightOfChanges(count, part, size) { return count * (0.35 + 0.65 * part) + Math.log10(1 + (size > 0 ? size : 0)) / 10; }

/** The places of a box next to a light of radius `r`, the best first: left and top from its middle, side, and distance. */
export function placesBeside(r, { width, height }) {
  return GAPS.flatMap((gap, step) => {
    const far = r + gap;
    const [across, down] = [0.75 * far, 0.75 * far];
    return [[far, -height / 2, 1], [-far - width, -height / 2, -1], [across, -down - 0.6 * height, 1], [across, down - 0.4 * height, 1],
      [-across - width, -down - 0.6 * height, -1], [-across - width, down - 0.4 * height, -1], [-width / 2, -far - height, 0], [-width / 2, far, 0]]
      .map(([left, top, side], rank) => ({ left, top, side, step, cost: gap + 1.2 * rank }));
  });
}

export class TimeNames {
  constructor(view, moment, recent, people) {
    Object.assign(this, { view, moment, recent, people, all: new Map(), paths: new Set() });
    this.plates = new Plates(view.palette);
    this.moved = new Set(); // the nodes whose names made room for others
    Object.assign(this, { frames: 0, overlaysAt: -Infinity, overlayBoxes: [] });
  }

  clear() {
    if (this.all.size === 0) return;
    this.all.clear();
    this.paths = new Set();
  }

  nameOf(node) {
    const { timeline } = this.moment;
    if (this.namedIn !== timeline) {
      [this.namedIn, this.sameNames] = [timeline, new Map()];
      for (const path of timeline.files.keys()) this.sameNames.set(nameOf(path), (this.sameNames.get(nameOf(path)) ?? 0) + 1);
    }
    const [path, name, folder] = [timeline.paths[node], nameOf(timeline.paths[node]), parentOf(timeline.paths[node])];
    return this.sameNames.get(name) > 1 && folder.includes("/") ? `${shortName(nameOf(folder), 20)}/${shortName(name, 28)}` : shortName(name, 36);
  }

  advance(camera, ratio, passed) {
    const { isCalm } = this.view;
    this.frames -= 1;
    const { isRunning } = this.moment;
    const key = `${this.recent.key}|${camera.z.toFixed(2)}|${Math.round((camera.x * camera.scale) / PANNED)}|${Math.round((camera.y * camera.scale) / PANNED)}|${this.view.palette.isDark}|${this.people.rests}`;
    const { placed } = this.view.labels;
    const isDue = isRunning || key !== this.key || placed !== this.placedFor || this.isPending;
    if (isDue && this.frames <= 0) {
      this.frames = PASS;
      [this.key, this.placedFor] = [key, placed];
      this.choose(camera, ratio);
    }
    let isFading = this.isPending || (isDue && !isRunning);
    for (const [node, label] of this.all) {
      const step = isCalm ? 1 : passed / (label.isLeaving ? -GOES : COMES);
      label.alpha = isCalm ? Number(!label.isLeaving) : Math.min(1, label.alpha + step);
      label.shown += passed;
      if (label.alpha <= 0 && label.isLeaving) this.all.delete(node);
      else if (label.alpha < 1) isFading = true;
    }
    this.paths = new Set([...this.all.values()].filter(({ isLeaving }) => !isLeaving).map(({ path }) => path));
    return isFading;
  }

  choose(camera, ratio) {
    const wanted = this.candidates(camera);
    const weights = new Map(wanted.map(({ node, weight }) => [node, weight]));
    const most = camera.width <= NARROW ? MAXIMUM_NAMED_NARROW : MAXIMUM_NAMED;
    const taken = [...this.overlays(), ...this.view.labels.boxesIn(camera, this.paths)];
    // Names of files come and go with these, so that only those of lands make one move.
    const names = this.view.labels.namesOfLands(camera);
    this.isPending = false;
    for (const [node, label] of this.all) {
      const slot = this.recent.slotOf(node);
      if (slot < 0) this.moved.delete(node);
      if (!label.isLeaving && (slot < 0 || !weights.has(node) || this.isInTheWay(label, this.boxOf(label, camera), names))) label.isLeaving = this.isPending = true;
      else if (!label.isLeaving) this.dress(label, slot, ratio);
    }
    const standing = [...this.all.values()].filter(({ isLeaving }) => !isLeaving);
    const boxes = new Map([...this.all].map(([node, label]) => [node, this.boxOf(label, camera)]));
    let [free, made] = [most - standing.length, 0];
    for (const { node, slot, weight, x, y } of wanted) {
      if (this.all.has(node)) continue;
      const least = free > 0 ? null : standing.filter(({ shown, isLeaving }) => shown > STAYS && !isLeaving).sort((a, b) => weights.get(a.node) - weights.get(b.node))[0];
      if (free <= 0 && !(least && weights.get(least.node) * OUTDOES < weight)) break;
      if (made === NEW_AT_ONCE) {
        this.isPending = true;
        break;
      }
      const label = { node, path: this.moment.timeline.paths[node], alpha: 0, shown: 0, isLeaving: false };
      if (!this.placeOf(label, { slot, x, y, ratio, camera, wanted }, [...taken, ...boxes.values()])) continue;
      this.all.set(node, label);
      boxes.set(node, this.boxOf(label, camera));
      [made, free] = [made + 1, free - 1];
      if (least) [least.isLeaving, free] = [true, free + 1];
    }
  }

  /** Whether a name is on one of a land, or an author is on it; it then looks for another place, once. */
  isInTheWay({ node, shown }, box, names) {
    const meets = (other) => overlap(other, box);
    if (this.moved.has(node) || !(names.some(meets) || (shown > STAYS && this.people.boxes.some(meets)))) return false;
    if (this.moved.size > MAXIMUM_MOVED) this.moved.clear();
    this.moved.add(node);
    return true;
  }

  candidates(camera) {
    const { recent } = this;
    const { x, y, sizes, paths } = this.moment.timeline;
    const glow = this.moment.glow;
    let [found, least] = [[], -Infinity];
    for (let slot = 0; slot < recent.count; slot += 1) {
      const node = recent.nodes[slot];
      const label = this.all.get(node);
      const weight = weightOfChanges(recent.counts[slot], 1 - recent.ages[slot] / glow, sizes[recent.changes[slot]]) * (label && !label.isLeaving ? KEPT : 1);
      if (weight <= least || paths[node] === "") continue;
      const [px, py] = camera.toScreen(x[node], y[node]);
      if (px < 4 || py < 4 || px > camera.width - 4 || py > camera.height - 4) continue;
      found.push({ node, slot, weight, x: px, y: py });
      if (found.length < 8 * MAXIMUM_TRIED) continue;
      found = found.sort((a, b) => b.weight - a.weight).slice(0, MAXIMUM_TRIED);
      least = found.at(-1).weight;
    }
    return found.sort((a, b) => b.weight - a.weight).slice(0, MAXIMUM_TRIED);
  }

  dress(label, slot, ratio) {
    const { recent, view } = this;
    const words = happened(recent.kinds[slot], recent.counts[slot]);
    const look = `${recent.kinds[slot]}|${words}|${label.side}|${ratio}|${view.palette.isDark}`;
    if (look === label.look) return;
    label.look = look;
    label.ink = timeInks(view.palette)[recent.kinds[slot]];
    const before = label.plate?.width;
    label.plate = this.plates.of([[this.nameOf(label.node), NAME_FONT, NAME_HIGH, label.ink], [words, WORDS_FONT, WORDS_HIGH, view.palette.theme.soft]], label.side, ratio);
    // The side next to the light stays where it is.
    if (before !== undefined) label.dx += ((label.side - 1) / 2) * (label.plate.width - before);
  }

  /** Finds the place of a new name; false without room. */
  placeOf(label, { slot, x, y, ratio, camera, wanted }, taken) {
    label.side = 1;
    this.dress(label, slot, ratio);
    const r = 1.75 * coreOf(this.recent.counts[slot]);
    const authors = this.people.boxes;
    let [best, least] = [null, Infinity];
    for (const place of placesBeside(r, label.plate)) {
      if (place.cost >= least) continue;
      const box = [x + place.left - 1, y + place.top, x + place.left + label.plate.width + 1, y + place.top + label.plate.height];
      if (box[0] < 4 || box[1] < 4 || box[2] > camera.width - 4 || box[3] > camera.height - 4 || taken.some((other) => overlap(other, box))) continue;
      let { cost } = place;
      for (const other of authors) if (overlap(other, box)) cost += OVER_AUTHOR;
      for (const other of wanted) if (other.node !== label.node && other.x > box[0] && other.x < box[2] && other.y > box[1] && other.y < box[3]) cost += OVER_LIGHT;
      if (cost < least) [best, least] = [place, cost];
    }
    if (!best) return false;
    [label.side, label.look] = [best.side, ""];
    label.plate = undefined;
    this.dress(label, slot, ratio);
    [label.dx, label.dy, label.hasLine] = [best.left, best.top, best.step > 0];
    return true;
  }

  boxOf({ node, dx, dy, plate }, camera) {
    const { x, y } = this.moment.timeline;
    const [px, py] = camera.toScreen(x[node], y[node]);
    return [px + dx, py + dy, px + dx + plate.width, py + dy + plate.height];
  }

  overlays() {
    const now = this.view.clock.now();
    if (now - this.overlaysAt > BOXES_KEPT) [this.overlaysAt, this.overlayBoxes] = [now, byId("film") ? [] : this.view.labels.obstacles()];
    return this.overlayBoxes;
  }

  draw(context, camera, ratio) {
    for (const label of this.all.values()) {
      const [left, top, right, bottom] = this.boxOf(label, camera);
      if (right < 0 || bottom < 0 || left > camera.width || top > camera.height) continue;
      context.globalAlpha = Math.max(0, label.alpha);
      if (label.hasLine) {
        const [x, y] = [left - label.dx, top - label.dy];
        strokeLines(context, label.ink, 1, [x, y, clamp(x, left, right), clamp(y, top, bottom)]);
      }
      drawPlate(context, label.plate, left, top, ratio);
    }
    context.globalAlpha = 1;
  }
}
