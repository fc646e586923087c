// A small map of the whole world that shows the view, and moves it by a tap.
import { boxOfRings, fillAndStroke, make, penOf } from "./geo.js";
import { prepare } from "./land.js";
import { worldPlace } from "./mercator.js";

const MARGIN = 6; // pixels

export class Overview {
  constructor(view) {
    this.view = view;
    this.canvas = make("canvas", { class: "overview", role: "img", "aria-label": "Where you are in the world" });
    this.canvas.addEventListener("click", (event) => {
      const [x, y] = this.toWorld(event.offsetX, event.offsetY);
      view.camera.fly({ x, y, z: view.camera.z }, view.isCalm);
    });
    this.canvas.hidden = true;
    document.body.append(this.canvas);
  }

  /** The bounding box of all land. */
  get extent() {
    const { coasts, shores } = this.view;
    const taken = [...shores.all.values()].flatMap(({ land }) => land);
    const box = boxOfRings(taken.length > 0 ? taken : coasts.values());
    return box[0] < box[2] ? box : [0, 0, 1, 1];
  }

  fit() {
    const [west, north, east, south] = this.extent;
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
    this.asked ??= Promise.all([[0, 0], [1, 0], [0, 1], [1, 1]].map(async ([x, y]) => ({ z: 1, x, y, data: await source.tile(1, x, y) }))).then((entries) => {
      for (const entry of entries) prepare(entry);
      this.entries = entries;
      this.draw();
    }, () => {});
    for (const entry of this.entries ?? []) {
      for (const land of entry.data.land) {
        if (land.depth !== 1) continue;
        context.beginPath();
        for (const ring of land.outline) {
          for (let i = 0; i < ring.length; i += 2) context[i === 0 ? "moveTo" : "lineTo"](...at(...worldPlace(entry, ring[i], ring[i + 1])));
          context.closePath();
        }
        context.fillStyle = palette.land(land, 0, {}).css;
        context.fill();
      }
    }
  }

  paint() {
    const { camera, palette, coasts, shores } = this.view;
    const [w, n] = camera.toWorld(0, 0);
    const [e, s] = camera.toWorld(camera.width, camera.height);
    const [west, north, east, south] = this.extent;
    const isAll = w <= west && n <= north && e >= east && s >= south;
    // The first picture comes first.
    this.canvas.hidden = isAll || coasts.size === 0 || !this.view.hasPicture;
    if (this.canvas.hidden) return;
    const { pen: context, width, height } = penOf(this.canvas);
    const { scale, left, top } = this.fit();
    const at = (x, y) => [(x - left) * scale, (y - top) * scale];
    const { theme } = palette;
    context.fillStyle = theme.sea;
    context.fillRect(0, 0, width, height);
    const draw = (rings, fill, stroke) => {
      context.beginPath();
      for (const ring of rings) {
        for (let i = 0; i < ring.length; i += 2) context[i === 0 ? "moveTo" : "lineTo"](...at(ring[i], ring[i + 1]));
        context.closePath();
      }
      fillAndStroke(context, fill, stroke, 0.8);
    };
    for (const coast of coasts.values()) draw([coast], theme.shelf, theme.shelf);
    for (const { land } of shores.all.values()) draw(land, theme.land, theme.coast);
    this.paintCountries(context, at);
    const [x0, y0] = at(w, n);
    const [x1, y1] = at(e, s);
    const [boxWidth, boxHeight] = [Math.max(5, x1 - x0), Math.max(5, y1 - y0)];
    context.strokeStyle = theme.select;
    context.lineWidth = 2;
    context.strokeRect((x0 + x1 - boxWidth) / 2, (y0 + y1 - boxHeight) / 2, boxWidth, boxHeight);
  }
}
