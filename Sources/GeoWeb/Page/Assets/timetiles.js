// Tiles at a moment of a time line: which lands are in each, and its files.
import { prepare } from "./land.js";
import { MomentSums } from "./momentsums.js";
import { drawFile, fileSize } from "./shapes.js";
import { TileBitmaps } from "./tiles.js";
import { THERE } from "./timeline.js";

/** The maximum number of dots for the files of a tile that are too dense to be shown. */
const MOST_DOTS = 1500;

export class TimeTiles {
  /** `moment` has the `timeline`, its `state`, the comparison `span`, and `presenceOf(node)`. */
  constructor(view, moment) {
    this.view = view;
    this.moment = moment;
    this.bitmaps = new TileBitmaps();
    /** Changes whenever a land in view is drawn differently. */
    this.lands = 0;
    /** What is there, followed from state to state. */
    this.sums = null;
  }

  /** Draws the files of a view, as long as there is time; returns whether all tiles are up to date. */
  draw(context, camera, tiles, list, ratio, deadline) {
    const { timeline, state } = this.moment;
    if (this.sums?.timeline !== timeline) this.sums = new MomentSums(timeline);
    this.sums.goTo(state);
    this.lands = 0;
    this.isOld = false;
    const frameOf = (entry, size) => ({ entry, size, ratio, px: size / 4096, zoom: camera.z, known: this.known(entry) });
    const isSharp = this.bitmaps.draw(context, camera, tiles, list, { ratio, deadline, keyOf: (entry) => this.keyOf(entry),
      render: (pen, entry, size) => this.render(pen, frameOf(entry, size)),
      renew: (pen, entry, size) => this.renew(pen, frameOf(entry, size)) });
    return isSharp && !this.isOld;
  }

  keyOf(entry) {
    const known = this.known(entry);
    this.look(known);
    // The tile itself draws the lands that are there.
    if (entry.look !== known.landHash) [entry.look, this.isOld] = [known.landHash, true];
    return `${known.hash}${known.isRough && !this.moment.isRunning ? "+" : ""}`;
  }

  // Contents

  /** The nodes of a tile, found once. */
  known(entry) {
    const { timeline } = this.moment;
    if (entry.timed?.version === entry.version && entry.timed.timeline === timeline) return entry.timed;
    prepare(entry);
    const nodesOf = (things) => Int32Array.from(things, (thing) => timeline.node(thing.path, thing.kind !== "poi") ?? -1);
    const { land, files } = entry.data;
    const dots = this.dotsIn(entry, new Set(files.map(({ path }) => path)));
    const lands = nodesOf(land);
    entry.timed = { version: entry.version, timeline, land: lands, files: nodesOf(files), dots, state: -2, hash: 0,
      indices: new Map([...lands].map((node, index) => [node, index])), look: "", isRough: false,
      fileStates: new Uint8Array(files.length), dotStates: new Uint8Array(dots.length), drawnFiles: null, drawnDots: null };
    return entry.timed;
  }

  /** The index of a land in a tile by its node; undefined without one. */
  indexOf(entry, node) { return entry.timed?.indices.get(node); }

  /** Files that only deeper zooms show; a spread sample of very many. */
  dotsIn(entry, shown) {
    const { timeline } = this.moment;
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

  /** Whether a node is there; when comparing, at either moment. */
  isThere(node) {
    if (node < 0 || this.sums.versions[node] >= 0) return true;
    return this.moment.span !== null && this.moment.presenceOf(node) === THERE;
  }

  /** Updates which of a tile's nodes are there, and a number that changes with any of them. */
  look(known) {
    const { state } = this.moment;
    const comparison = this.moment.span?.comparison ?? null;
    if (known.state !== state || known.comparison !== comparison) {
      [known.state, known.comparison] = [state, comparison];
      known.hash = 0x811c9dc5;
      const mix = (is) => { known.hash = Math.imul(known.hash ^ is, 0x01000193); };
      for (const node of known.land) mix(Number(this.isThere(node)));
      known.landHash = known.hash;
      for (const [nodes, states] of [[known.files, known.fileStates], [known.dots, known.dotStates]]) {
        for (let i = 0; i < nodes.length; i += 1) {
          states[i] = Number(this.isThere(nodes[i]));
          mix(states[i]);
        }
      }
    }
    this.lands = Math.imul(this.lands ^ known.landHash, 0x01000193);
  }

  // Drawing

  lookOf({ size, zoom, entry: { version } }) { return `${version}|${size}|${zoom.toFixed(2)}|${this.view.palette.key}`; }

  render(context, frame) {
    const { known } = frame;
    known.dotStates.forEach((is, index) => { if (is) this.drawDot(context, index, frame); });
    known.fileStates.forEach((is, index) => { if (is) this.drawFile(context, index, frame); });
    Object.assign(known, { look: this.lookOf(frame), isRough: false, drawnFiles: known.fileStates.slice(), drawnDots: known.dotStates.slice() });
  }

  /** Draws only what came and went since; false if all has to be drawn. */
  renew(context, frame) {
    const { known, px, ratio, size, zoom, entry } = frame;
    if (!this.moment.isRunning || known.look !== this.lookOf(frame)) return false;
    const { timeline } = this.moment;
    const count = 2 ** entry.z;
    const erase = (x, y, r) => {
      context.clearRect(x - r, y - r, 2 * r, 2 * r);
      // Neighbours may have lost a part.
      known.isRough = true;
    };
    known.dotStates.forEach((is, index) => {
      if (is === known.drawnDots[index]) return;
      const node = known.dots[index];
      if (is) this.drawDot(context, index, frame);
      else erase((timeline.x[node] * count - entry.x) * size, (timeline.y[node] * count - entry.y) * size, 1.5 * ratio);
    });
    known.fileStates.forEach((is, index) => {
      if (is === known.drawnFiles[index]) return;
      const file = entry.data.files[index];
      if (is) this.drawFile(context, index, frame);
      else erase(file.x * px, file.y * px, (fileSize(zoom - file.minzoom) + 1.5) * ratio);
    });
    known.drawnDots.set(known.dotStates);
    known.drawnFiles.set(known.fileStates);
    return true;
  }

  drawDot(context, index, { entry, known, size, ratio }) {
    const { x, y } = this.moment.timeline;
    const node = known.dots[index];
    const count = 2 ** entry.z;
    context.fillStyle = this.view.palette.theme.file;
    context.globalAlpha = 0.6;
    context.fillRect((x[node] * count - entry.x) * size - 0.6 * ratio, (y[node] * count - entry.y) * size - 0.6 * ratio, 1.3 * ratio, 1.3 * ratio);
    context.globalAlpha = 1;
  }

  drawFile(context, index, { entry, px, ratio, zoom }) {
    const file = entry.data.files[index];
    drawFile(context, file, file.x * px, file.y * px, zoom - file.minzoom, this.view.palette, ratio);
  }
}
