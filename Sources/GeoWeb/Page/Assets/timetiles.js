// Tiles at a moment of a time line: shallow water covers future land, and removed land is a ruin.
import { parentOf } from "./geo.js";
import { basePaths, prepare } from "./land.js";
import { coastPath } from "./sea.js";
import { breadthIn, drawFile, hatch, outlineBox, outlineOf, pathOf } from "./shapes.js";
import { TileBitmaps } from "./tiles.js";
import { timeColours } from "./timelights.js";
import { GONE, NOT_YET, THERE } from "./timeline.js";

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
  }

  /** Draws the tiles of a view, as long as there is time; returns whether all are up to date. */
  draw(context, camera, tiles, list, ratio, deadline) {
    this.lands = 0;
    return this.bitmaps.draw(context, camera, tiles, list, { ratio, deadline,
      keyOf: (entry) => `${this.look(this.known(entry))}.${entry.version}.${this.view.palette.key}.${this.view.shores.version}`,
      render: (pen, entry, size) => this.render(pen, { entry, size, ratio, px: size / 4096, zoom: camera.z, known: this.known(entry) }) });
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
    entry.timed = { version: entry.version, timeline, land: nodesOf(land), files: nodesOf(files), dots, state: -2, hash: 0,
      landStates: new Uint8Array(land.length), fileStates: new Uint8Array(files.length), dotStates: new Uint8Array(dots.length) };
    return entry.timed;
  }

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

  /** Updates the presence of a tile's nodes; returns a number that changes with any of them. */
  look(known) {
    const { state } = this.moment;
    const comparison = this.moment.span?.comparison ?? null;
    if (known.state !== state || known.comparison !== comparison) {
      [known.state, known.comparison] = [state, comparison];
      known.hash = 0x811c9dc5;
      const note = (nodes, states) => {
        for (let i = 0; i < nodes.length; i += 1) {
          states[i] = nodes[i] < 0 ? THERE : this.moment.presenceOf(nodes[i]);
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

  // Drawing

  /** The colour of removed nodes. */
  get goneColour() { return timeColours(this.view.palette)[2]; }
  get ruin() { return this.view.palette.isDark ? "rgba(38,40,42,.86)" : "rgba(214,208,196,.86)"; }

  render(context, frame) {
    context.lineJoin = "round";
    this.drawLands(context, frame);
    this.drawDots(context, frame);
    this.drawFiles(context, frame);
  }

  drawLands(context, frame) {
    const { entry, known, ratio } = frame;
    const { theme } = this.view.palette;
    const covered = new Set();
    entry.data.land.forEach((land, index) => {
      const state = known.landStates[index];
      const parent = land.parent ?? parentOf(land.path);
      const isCovered = covered.has(parent);
      if (state === THERE && !isCovered) return;
      covered.add(land.path);
      const path = this.outline(land, frame);
      if (!path) return;
      // Land of unknown breadth is drawn in full.
      const breadth = land.breadth === undefined ? Infinity : breadthIn(land, frame);
      if (!isCovered) this.cover(context, land, path, breadth, state, frame);
      if (breadth < 9) return;
      context.strokeStyle = state === NOT_YET ? theme.waterline[0] : this.goneColour;
      context.globalAlpha = isCovered ? 0.22 : state === NOT_YET ? 0.45 : 0.6;
      context.setLineDash(state === GONE && !isCovered ? [4 * ratio, 3 * ratio] : []);
      context.lineWidth = (isCovered ? 0.7 : 1) * ratio;
      context.stroke(path);
      context.globalAlpha = 1;
      context.setLineDash([]);
    });
  }

  /** Covers future land with what is there instead, and removed land with ruins. */
  cover(context, land, path, breadth, state, { entry, size, px, ratio }) {
    const { theme } = this.view.palette;
    context.fillStyle = state === GONE ? this.ruin : land.depth > 1 ? theme.land : land.depth === 1 ? theme.shelf : theme.sea;
    context.fill(path);
    // Half of its border is outside it.
    context.strokeStyle = context.fillStyle;
    context.lineWidth = 1.6 * ratio;
    context.stroke(path);
    if (state === NOT_YET && land.depth === 1) {
      // The rims of other lands reach into it.
      context.save();
      context.clip(path);
      context.fillStyle = theme.land;
      context.strokeStyle = theme.coast;
      context.lineWidth = 1.5 * ratio;
      for (const coast of basePaths(entry, size, ratio, this.view).taken) {
        context.fill(coast);
        context.stroke(coast);
      }
      context.restore();
    }
    if (state !== GONE || breadth <= 5) return;
    const box = outlineBox(land).map((value) => value * px);
    hatch(context, path, box, { colour: this.goneColour, alpha: 0.2, width: ratio, step: 6 * ratio, isRising: true });
  }

  /** The drawn extent of a land as a path; a continent has its whole coast. */
  outline(land, { entry, size, px, ratio }) {
    const coast = land.depth === 0 && this.view.coasts.get(land.path);
    if (coast) return coastPath([coast], entry, size, ratio);
    const rings = outlineOf(land);
    return rings.length > 0 && rings[0].length > 0 ? pathOf(rings, px) : null;
  }

  drawDots(context, { entry, known, size, ratio }) {
    const { timeline } = this.moment;
    const count = 2 ** entry.z;
    context.fillStyle = this.view.palette.theme.file;
    context.globalAlpha = 0.6;
    known.dots.forEach((node, index) => {
      if (known.dotStates[index] !== THERE) return;
      context.fillRect((timeline.x[node] * count - entry.x) * size - 0.6 * ratio, (timeline.y[node] * count - entry.y) * size - 0.6 * ratio,
        1.3 * ratio, 1.3 * ratio);
    });
    context.globalAlpha = 1;
  }

  drawFiles(context, { entry, known, px, ratio, zoom }) {
    entry.data.files.forEach((file, index) => {
      const past = zoom - file.minzoom;
      if (known.fileStates[index] === THERE) {
        drawFile(context, file, file.x * px, file.y * px, past, this.view.palette, ratio);
      } else if (known.fileStates[index] === GONE && past > 1) {
        context.strokeStyle = this.goneColour;
        context.globalAlpha = 0.4;
        context.lineWidth = 0.8 * ratio;
        context.beginPath();
        context.arc(file.x * px, file.y * px, 1.8 * ratio, 0, 2 * Math.PI);
        context.stroke();
        context.globalAlpha = 1;
      }
    });
  }
}
