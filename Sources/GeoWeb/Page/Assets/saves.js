// Exports the view as a file or on paper.
import { Crumbs } from "./crumbs.js";
import { make, nameOf, saveBlob, showBytes, showCount } from "./geo.js";
import { unproject } from "./mercator.js";
import { drawSVG } from "./svg.js";

// Prints the view: as a sheet of `geomapper draw` if a server can draw it, else as shown.

/** The sheet's names of the page's colours. */
const shades = { kind: "tints", size: "size", age: "age", type: "type" };

/** Prints the view with a title; reports why it is not a sheet if a server could have drawn one. */
async function printView(source, { camera, palette }, title, told) {
  const sheet = make("img", { id: "sheet", alt: title });
  if (source.sheet) {
    const [west, north] = camera.toWorld(0, 0).map(within);
    const [east, south] = camera.toWorld(camera.width, camera.height).map(within);
    const [a, b] = [unproject(west, north), unproject(east, south)];
    try {
      sheet.src = URL.createObjectURL(await source.sheet({
        bbox: [a.lon, b.lat, b.lon, a.lat].map((degrees) => degrees.toFixed(9)).join(","),
        shade: shades[palette.mode] ?? "tints", title, date: Math.floor(Date.now() / 1000),
        ...(palette.isDark ? { dark: 1 } : {}),
      }));
      await sheet.decode();
      document.body.append(sheet);
      document.body.classList.add("sheet");
    } catch (error) {
      told(`the view is printed as it is seen: ${error.message}`);
    }
  }
  print();
  document.body.classList.remove("sheet");
  sheet.remove();
  URL.revokeObjectURL(sheet.src);
}

const within = (value) => Math.min(1, Math.max(0, value));

/** The maximum number of lands in a collection. */
const MOST_SAVED = 2000;

export class Saves {
  /** `page` has the view, the source, the filter view, `note` and what is `selected`. */
  constructor(page) {
    this.page = page;
  }

  get selected() { return this.page.selected()?.feature.properties; }

  save(blob, ending) { saveBlob(blob, `${this.selected?.name ?? "world"}.${ending}`); }

  picture() {
    const { view } = this.page;
    view.draw(performance.now());
    view.canvas.toBlob((blob) => this.save(blob, "png"));
  }

  vector() {
    this.save(new Blob([drawSVG(this.page.view, this.selected?.path ?? "geomapper")], { type: "image/svg+xml" }), "svg");
  }

  /** The name of the view: the selection, the land around the middle, or all. */
  printed() {
    const { source, view, note } = this.page;
    const path = this.selected?.path ?? view.landSeenIn(...view.camera.middle)?.path;
    return printView(source, view, nameOf(path ?? "geomapper"), note);
  }

  /** The caption of a printed view. */
  get caption() {
    const { view, table } = this.page;
    const { totals } = this.page.selected() ?? {};
    return [this.selected?.path ?? Crumbs.partsOf(view.landSeenIn(...view.camera.middle)?.path ?? "").at(-1)?.path,
      totals && `${showBytes(totals.bytes)}, ${showCount(totals.files, "file", "files")}`,
      view.lights.isOn && `lit: ${Object.values(table.wanted).filter(Boolean).join(", ")}: ${showCount(table.files, "file", "files")}`,
      new Date().toISOString().slice(0, 10)].filter(Boolean).join(" · ");
  }

  /** The visible nodes with true geometry, as a GeoJSON collection. */
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
