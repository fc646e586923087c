// Signposts at the edge of a view that holds nothing: the nearest lands and files with their distance.
import { boxOfRings, clamp, distance, make, overlap, rawWithin, showDistance } from "./geo.js";
import { layers } from "./layers.js";
import { unproject, worldPlace } from "./mercator.js";

const MOST = 4;
const EDGE = { x: 175, y: 70 }; // pixels between the edge of the view and the middle of a signpost

/**
 * The nearest of some targets, each in another direction from a place of the world; `x` and `y` are those of the target's
 * nearest point.
 */
export function nearestTargets(targets, { x, y }, most = MOST) {
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
  /** `open` flies to a node. */
  constructor(view, open) {
    this.view = view;
    this.open = open;
    this.element = make("nav", { class: "signposts", "aria-label": "Nothing is in view; what is nearest" });
    this.element.hidden = true;
    document.body.append(this.element);
  }

  /** The folders and files of loaded tiles, with the nearest points of their boxes to the middle of the view. */
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

  /** Shows signposts if neither a folder nor a file is in view. */
  draw() {
    const { view } = this;
    const { camera } = view;
    const box = [...camera.toWorld(0, 0), ...camera.toWorld(camera.width, camera.height)];
    const targets = this.targets();
    // The box of a bent land may meet the view though the land does not: then no signposts are shown.
    const isEmpty = targets.length > 0 && view.filesInView().length === 0 && !targets.some((target) => overlap(box, target.box));
    this.element.hidden = !isEmpty;
    this.element.replaceChildren(...(isEmpty ? nearestTargets(targets, camera).map((target) => this.post(target)) : []));
  }

  post({ thing, x, y, angle }) {
    const { camera } = this.view;
    const far = distance(camera.place, unproject(x, y));
    const arrow = make("span", { "aria-hidden": "true" }, "➤");
    arrow.style.transform = `rotate(${angle}rad)`;
    const post = make("button", { class: "chip signpost", onclick: () => this.open(thing.path, true, thing.rawPath ?? rawWithin({ path: thing.folder, rawPath: thing.rawFolder }, thing)) },
      arrow, ` ${thing.name} `, make("span", { class: "soft" }, showDistance(far)));
    const [left, top] = postPlace(angle, camera);
    [post.style.left, post.style.top] = [`${Math.round(left)}px`, `${Math.round(top)}px`];
    return post;
  }
}
