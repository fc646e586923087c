// Flights to a box, a node or the whole world, leaving covered edges free.
import { boxOfBoxes, byId, isNarrow } from "./geo.js";
import { layers } from "./layers.js";
import { wholePart } from "./mercator.js";

/** In windows lower than this part of their width, the map is next to the tools, if that leaves this part of the height as its width. */
const LOW = 0.6;
const BESIDE = 0.75;

export class Flights {
  /** `page` has the view, the source and `note`; `lack` says why there are no roots. */
  constructor(page, roots, lack) {
    this.page = page;
    this.roots = roots;
    this.lack = lack;
  }

  /** Informs the camera which edges the panels cover. */
  cover() {
    const { camera } = this.page.view;
    const panel = byId("panel");
    const over = [byId("table"), ...layers.values("overMap")].find((one) => one.clientWidth > 0) ?? byId("table");
    const summary = byId("summary");
    const below = byId("tracks-shown");
    const shown = (...all) => all.filter(({ clientWidth }) => clientWidth > 0);
    const sides = summary.classList.contains("folded") ? [over] : [over, summary];
    const covered = { left: 0, top: isNarrow() ? 60 : 0, right: 0, bottom: byId("time")?.clientHeight ?? 0 };
    if (isNarrow()) covered.bottom += Math.max(0, ...shown(panel, ...sides).map(({ clientHeight }) => clientHeight));
    else {
      covered.left = Math.max(0, ...shown(panel).map(({ offsetLeft, clientWidth }) => offsetLeft + clientWidth));
      covered.right = Math.max(0, ...shown(byId("drawer"), ...sides).map(({ offsetLeft }) => camera.width - offsetLeft));
      // There has to be room for a view.
      if (covered.left + covered.right > camera.width * 0.8) covered.left = 0;
      if (covered.right > camera.width * 0.8) covered.right = 0;
    }
    const bar = byId("bar");
    const beside = bar.offsetLeft + bar.clientWidth + 6;
    // In a low window the map has room next to the tools.
    if (!isNarrow() && camera.height < LOW * camera.width && camera.width - beside - covered.right > BESIDE * camera.height) covered.left = Math.max(covered.left, beside);
    if (below?.clientHeight > 0) covered.bottom = camera.height - below.offsetTop;
    camera.cover(covered);
  }

  /** The view of the whole world; undefined if its extent is unknown. */
  get whole() {
    const box = boxOfBoxes(this.roots.map(({ bbox, taken }) => taken ?? bbox));
    if (!box) {
      this.page.note(this.lack);
      return null;
    }
    this.cover();
    return this.page.view.camera.viewOf(box, undefined, wholePart(this.page.view.camera.width));
  }

  /** Whether the view is close to that of the whole world. */
  get seesAll() { return Math.abs((this.whole?.z ?? Infinity) - this.page.view.camera.z) < 0.3; }

  toWorld() {
    const target = this.whole;
    if (target) this.to(target);
  }

  /** Flies to a box in degrees, no nearer than a zoom. */
  toBox(box, most = this.page.view.camera.most) {
    const { camera } = this.page.view;
    this.cover();
    this.to(camera.viewOf(box, Math.min(most, camera.most)));
  }

  /** Flies to a node; to a file near enough to see it. */
  toNode(node) {
    const { camera } = this.page.view;
    const { properties, geometry } = node.feature;
    const isPoint = geometry.type === "Point";
    const most = isPoint ? Math.max(properties.minzoom + 2.6, 4) : Infinity;
    this.cover();
    this.to(camera.viewOf(node.bbox, Math.min(most, camera.most)));
  }

  to(target) {
    const { camera, isCalm } = this.page.view;
    camera.fly(target, isCalm);
  }
}
