// Where the view is: a map of the whole world, and signposts where nothing is in view.
import { boxOfRings, clamp, distance, fillAndStroke, fillIn, make, overlap, penOf, rawWithin, showDistance } from "./geo.js";
import { prepare } from "./land.js";
import { layers } from "./layers.js";
import { unproject, worldPlace } from "./mercator.js";

const MARGIN = 6; // pixels

export class Overview {
  constructor(view) {
    this.view = view;
    this.canvas = make("canvas", { class: "overview", role: "img", "aria-label": "Where you are in the world", hidden: true, onclick: ({ offsetX, offsetY }) => {
      const [x, y] = this.toWorld(offsetX, offsetY);
      view.camera.fly({ x, y, z: view.camera.z }, view.isCalm);
    } });
    document.body.append(this.canvas);
  }

  fit() {
    const [west, north, east, south] = this.view.extent;
    const { clientWidth, clientHeight } = this.canvas;
    const scale = Math.min((clientWidth - 2 * MARGIN) / (east - west), (clientHeight - 2 * MARGIN) / (south - north));
    return { scale, left: (west + east) / 2 - clientWidth / 2 / scale, top: (north + south) / 2 - clientHeight / 2 / scale };
  }

  toWorld(px, py) {
    const { scale, left, top } = this.fit();
    return [left + px / scale, top + py / scale];
  }

  /** Draws it, unless all of the world is in view. Returns whether it appeared or disappeared. */
  draw() {
    const wasHidden = this.canvas.hidden;
    this.paint();
    return this.canvas.hidden !== wasHidden;
  }

  /** Fills the countries in their tints, from the four tiles of zoom 1, which are requested once. */
  paintCountries(context, at) {
    const { palette, source } = this.view;
    this.asked ??= Promise.all([[0, 0], [1, 0], [0, 1], [1, 1]].map(async ([x, y]) => {
      const tile = await source.tile(1, x, y);
      // The land of a recording goes with it.
      return prepare({ z: 1, x, y, data: tile.unrecorded ?? tile });
    })).then((entries) => {
      this.entries = entries;
      this.draw();
    }, () => {});
    for (const entry of this.entries ?? []) {
      for (const land of entry.data.land.filter(({ depth }) => depth === 1)) {
        beginRings(context, land.outline, (x, y) => at(...worldPlace(entry, x, y)));
        fillIn(context, palette.land(land, 0, {}).css);
      }
    }
  }

  paint() {
    const { camera, palette, coasts, shores } = this.view;
    const [w, n, e, s] = camera.box;
    // The first picture comes first.
    this.canvas.hidden = this.view.isWhole || coasts.size === 0 || !this.view.hasPicture;
    if (this.canvas.hidden) return;
    const { pen: context, width, height } = penOf(this.canvas);
    const { scale, left, top } = this.fit();
    const at = (x, y) => [(x - left) * scale, (y - top) * scale];
    const { theme } = palette;
    context.fillStyle = theme.sea;
    context.fillRect(0, 0, width, height);
    const draw = (rings, fill, stroke) => {
      beginRings(context, rings, at);
      fillAndStroke(context, fill, stroke, 0.8);
    };
    for (const coast of coasts.values()) draw([coast], theme.shelf, theme.shelf);
    for (const { land } of shores.all.values()) draw(land, theme.land, theme.coast);
    this.paintCountries(context, at);
    const [x0, y0] = at(w, n);
    const [x1, y1] = at(e, s);
    const [across, down] = [Math.max(5, x1 - x0), Math.max(5, y1 - y0)];
    [context.strokeStyle, context.lineWidth] = [theme.select, 2];
    context.strokeRect((x0 + x1 - across) / 2, (y0 + y1 - down) / 2, across, down);
  }
}

function beginRings(context, rings, at) {
  context.beginPath();
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) context[i === 0 ? "moveTo" : "lineTo"](...at(ring[i], ring[i + 1]));
    context.closePath();
  }
}

// Signposts at the edge of a view that holds nothing: the nearest lands and files with their distance.

const MAXIMUM = 4;
const EDGE = { x: 175, y: 70 }; // pixels between the edge of the view and the middle of a signpost

/** The nearest of some targets, by `x` and `y` of their nearest points, each in another direction from a place of the world. */
export function nearestTargets(targets, { x, y }, most = MAXIMUM) {
  const sorted = targets.map((target) => ({ ...target, far: Math.hypot(target.x - x, target.y - y), angle: Math.atan2(target.y - y, target.x - x) }))
    .sort((a, b) => a.far - b.far || (a.path < b.path ? -1 : 1));
  const found = [];
  for (const target of sorted) {
    const isApart = ({ angle, path }) => path !== target.path && Math.cos(angle - target.angle) < Math.cos(Math.PI / 5);
    if (found.length < most && found.every(isApart)) found.push(target);
  }
  return found;
}

/** The place of a signpost in a view: on the way from its middle, at its edge; `angle` is clockwise from the east. */
export function postPlace(angle, { width, height }) {
  const [x, y] = [Math.max(20, width / 2 - EDGE.x), Math.max(20, height / 2 - EDGE.y)];
  const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
  const part = Math.min(Math.abs(dx) > 1e-9 ? x / Math.abs(dx) : Infinity, Math.abs(dy) > 1e-9 ? y / Math.abs(dy) : Infinity);
  return [width / 2 + dx * part, height / 2 + dy * part];
}

export class Signposts {
  constructor(view, open) {
    Object.assign(this, { view, open });
    this.element = make("nav", { class: "signposts", "aria-label": "Nothing is in view; what is nearest", hidden: true });
    document.body.append(this.element);
  }

  targets() {
    const { camera, tiles, coasts } = this.view;
    const found = new Map();
    const add = (thing, box) => {
      const [x, y] = [clamp(camera.x, box[0], box[2]), clamp(camera.y, box[1], box[3])];
      const old = found.get(thing.path);
      if (!old || Math.hypot(x - camera.x, y - camera.y) < Math.hypot(old.x - camera.x, old.y - camera.y)) found.set(thing.path, { thing, path: thing.path, box, x, y });
    };
    for (const entry of tiles.all.values()) {
      for (const land of entry.data?.land ?? []) {
        if (land.depth !== 1 || land.rings.length === 0 || !layers.isThere(land)) continue;
        const [west, north, east, south] = boxOfRings(land.rings);
        add(land, [...worldPlace(entry, west, north), ...worldPlace(entry, east, south)]);
      }
      for (const file of entry.data?.files ?? []) {
        if (!layers.isThere(file)) continue;
        const [x, y] = worldPlace(entry, file.x, file.y);
        add(file, [x, y, x, y]);
      }
    }
    for (const [path, coast] of found.size > 0 ? [] : coasts) add({ path, name: path }, boxOfRings([coast]));
    return [...found.values()];
  }

  draw() {
    const { view } = this;
    const { camera } = view;
    const { box } = camera;
    const targets = this.targets();
    // The box of a bent land may meet the view though the land does not: then no signposts are shown.
    const isEmpty = targets.length > 0 && view.filesInView().length === 0 && !targets.some((target) => overlap(box, target.box));
    this.element.hidden = !isEmpty;
    this.element.replaceChildren(...(isEmpty ? nearestTargets(targets, camera).map((target) => this.post(target)) : []));
  }

  post({ thing, x, y, angle }) {
    const { camera } = this.view;
    const far = distance(camera.place, unproject(x, y));
    const arrow = make("span", { "aria-hidden": "true", style: { transform: `rotate(${angle}rad)` } }, "➤");
    const [left, top] = postPlace(angle, camera).map((value) => `${Math.round(value)}px`);
    const go = () => this.open(thing.path, true, thing.rawPath ?? rawWithin({ path: thing.folder, rawPath: thing.rawFolder }, thing));
    return make("button", { class: "chip signpost", style: { left, top }, onclick: go }, arrow, ` ${thing.name} `, make("span", { class: "soft" }, showDistance(far)));
  }
}
