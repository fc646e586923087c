// The view as a file or on paper: what it is called, and what is in it.
import { Crumbs } from "./crumbs.js";
import { nameOf, showBytes, showCount } from "./geo.js";
import { unproject } from "./mercator.js";
import { printView } from "./sheet.js";
import { drawSVG } from "./svg.js";

/** How many lands a collection holds at most. */
const MOST_SAVED = 2000;

export class Saves {
  /** `page` has the view, the source, the light table, `note` and what is `selected`. */
  constructor(page) {
    this.page = page;
  }

  get selected() { return this.page.selected()?.feature.properties; }

  /** Has the browser save a file. */
  save(blob, ending) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${this.selected?.name ?? "world"}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  picture() {
    const { view } = this.page;
    view.draw(performance.now());
    view.canvas.toBlob((blob) => this.save(blob, "png"));
  }

  vector() {
    this.save(new Blob([drawSVG(this.page.view, this.selected?.path ?? "geomapper")], { type: "image/svg+xml" }), "svg");
  }

  /** What is in view has a name: what is selected, the land around the middle, or all. */
  printed() {
    const { source, view, note } = this.page;
    const path = this.selected?.path ?? view.landIn(...view.camera.middle)?.path;
    return printView(source, view, nameOf(path ?? "geomapper"), note);
  }

  /** What a printed view says below the map. */
  get caption() {
    const { view, table } = this.page;
    const { totals } = this.page.selected() ?? {};
    return [this.selected?.path ?? Crumbs.partsOf(view.landIn(...view.camera.middle)?.path ?? "").at(-1)?.path,
      totals && `${showBytes(totals.bytes)}, ${showCount(totals.files, "file", "files")}`,
      view.lights.isOn && `lit: ${Object.values(table.wanted).filter(Boolean).join(", ")}: ${showCount(table.files, "file", "files")}`,
      new Date().toISOString().slice(0, 10)].filter(Boolean).join(" · ");
  }

  /** The nodes in view, with their true geometry, as a collection of GeoJSON. */
  async collection() {
    const { source, view, note } = this.page;
    const features = [];
    const lands = view.landsInView().slice(0, MOST_SAVED);
    note(`collecting ${showCount(lands.length, "land", "lands")}…`);
    for (let first = 0; first < lands.length; first += 16) {
      const nodes = await Promise.all(lands.slice(first, first + 16).map(({ path, rawPath }) =>
        source.node(path, rawPath, 0).catch(() => null)));
      features.push(...nodes.filter(Boolean).map(({ feature }) => ({ type: "Feature", ...feature })));
    }
    for (const { file, x, y } of view.filesInView()) {
      const { lon, lat } = unproject(x, y);
      const { path, name, kind, depth, minzoom, size, modified, special } = file;
      features.push({ type: "Feature", geometry: { type: "Point", coordinates: [lon, lat] },
        properties: { path, name, kind, depth, minzoom, size, modified, special } });
    }
    note("");
    this.save(new Blob([JSON.stringify({ type: "FeatureCollection", features })], { type: "application/geo+json" }), "geojson");
  }
}
