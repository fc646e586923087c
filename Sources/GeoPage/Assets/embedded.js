// A world that the page brings with it: the same answers as a server gives, from rows in the page.
//
// A row is a folder, [path, kind, depth, id, entries, modified, minzoom, lon, lat, unreadable, ring],
// after which may stand what is below it, files, bytes, allocated; or it says whose files follow, [path, depth, minzoom], each of them a row
// [name, lon, lat, size, modified, special, unreadable].
import { byId, clamp, nameOf, parentOf, project } from "./geo.js";
import { clipRing } from "./sea.js";

const BUFFER = 64;

class EmbeddedSource {
  constructor() {
    this.isLive = false;
    this.hasTotals = false;
    this.deepest = 32;
    this.most = 34;
    this.folders = new Map();
    this.top = [];
  }

  /** Reads the rows, some thousand at a time, so that the browser stays awake. */
  async read(text) {
    let current = null;
    let minzoom = 0;
    let depth = 0;
    let start = 0;
    for (let row = 0; start < text.length; row += 1) {
      let end = text.indexOf("\n", start);
      if (end < 0) end = text.length;
      const line = text.slice(start, end);
      start = end + 1;
      if (line === "") continue;
      const values = JSON.parse(line);
      if (Array.isArray(values[10])) this.addFolder(values);
      else if (values.length === 3) {
        current = this.folder(values[0]);
        [, depth, minzoom] = values;
      } else this.addFile(current, values, depth, minzoom);
      if (row % 20000 === 19999) await new Promise((next) => setTimeout(next));
    }
  }

  /** The folder of a path; one that a filter has left out has no more than that. */
  folder(path) {
    let folder = this.folders.get(path);
    if (!folder) {
      folder = { properties: null, ring: [], box: null, folders: [], files: [], path };
      this.folders.set(path, folder);
      const parent = parentOf(path);
      if (parent === "") this.top.push(folder);
      else this.folder(parent).folders.push(folder);
    }
    return folder;
  }

  addFolder([path, kind, depth, id, size, modified, minzoom, lon, lat, unreadable, ring, files, bytes, allocated]) {
    const folder = this.folder(path);
    folder.properties = { path, name: nameOf(path), kind, depth, id, minzoom, lon, lat,
      size: size ?? undefined, modified: modified ?? undefined, unreadable: unreadable === 1, files, bytes };
    if (files !== undefined) {
      folder.totals = { files, bytes: bytes ?? undefined, allocated: allocated ?? undefined };
      this.hasTotals = true;
    }
    folder.coordinates = ring;
    const world = [];
    for (let i = 0; i < ring.length; i += 2) {
      const { x, y } = project(ring[i], ring[i + 1]);
      world.push(x, y);
    }
    folder.ring = world;
    Object.assign(folder, project(lon, lat));
    if (world.length === 0) return;
    const xs = world.filter((_, index) => index % 2 === 0);
    const ys = world.filter((_, index) => index % 2 === 1);
    folder.box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  }

  addFile(folder, [name, lon, lat, size, modified, special, unreadable], depth, minzoom) {
    const { x, y } = project(lon, lat);
    folder.files.push({ name, lon, lat, x, y, size: size ?? undefined, modified: modified ?? undefined,
      special: special || undefined, unreadable: unreadable === 1, depth, minzoom });
  }

  async tile(z, x, y) {
    const tile = { land: [], files: [], labels: [] };
    const scale = 4096 * 2 ** z;
    const frame = { z, scale, left: x * 4096, top: y * 4096 };
    for (const folder of this.top) this.collect(folder, frame, tile);
    tile.land.sort((a, b) => a.depth - b.depth);
    return tile;
  }

  collect(folder, frame, tile) {
    const { z, scale, left, top } = frame;
    const place = (value, start) => value * scale - start;
    const isIn = (x, y, edge) => x >= -edge && y >= -edge && x < 4096 + edge && y < 4096 + edge;
    const { properties, box } = folder;
    if (properties && properties.minzoom > z) return;
    if (box) {
      const [west, north, east, south] = box;
      if (place(east, left) < -BUFFER || place(west, left) > 4096 + BUFFER ||
        place(south, top) < -BUFFER || place(north, top) > 4096 + BUFFER) return;
      const ring = folder.ring.map((value, index) => place(value, index % 2 === 0 ? left : top));
      const cut = clipRing(ring, -BUFFER, 4096 + BUFFER);
      if (cut.length > 0) tile.land.push({ ...properties, rings: [cut], breadth: Math.min(east - west, south - north) });
      const x = place(folder.x, left);
      const y = place(folder.y, top);
      if (isIn(x, y, 0)) {
        tile.labels.push({ ...properties, x, y, breadth: Math.min(east - west, south - north) });
      }
    } else if (properties) {
      const x = place(folder.x, left);
      const y = place(folder.y, top);
      if (isIn(x, y, BUFFER)) tile.files.push({ ...properties, x, y, folder: parentOf(folder.path) });
    }
    for (const file of folder.files) {
      if (file.minzoom > z) continue;
      const x = place(file.x, left);
      const y = place(file.y, top);
      if (isIn(x, y, BUFFER)) {
        tile.files.push({ ...file, kind: "poi", x, y, folder: folder.path, path: `${folder.path}/${file.name}` });
      }
    }
    for (const child of folder.folders) this.collect(child, frame, tile);
  }

  async node(path) {
    const folder = this.folders.get(path);
    if (folder?.properties) return this.folderNode(folder);
    const parent = this.folders.get(parentOf(path));
    const file = parent?.files.find((other) => other.name === nameOf(path));
    if (!file) return null;
    const { lon, lat, name, size, modified, special, unreadable, depth, minzoom } = file;
    return {
      feature: { geometry: { type: "Point", coordinates: [lon, lat] },
        properties: { path, name, kind: "poi", size, modified, special, unreadable, depth, minzoom } },
      bbox: [lon, lat, lon, lat], ancestors: this.ancestors(path),
    };
  }

  folderNode(folder) {
    const { properties, coordinates } = folder;
    const points = [];
    for (let i = 0; i < coordinates.length; i += 2) points.push([coordinates[i], coordinates[i + 1]]);
    const isPoint = points.length === 0;
    if (isPoint) points.push([properties.lon, properties.lat]);
    const lons = points.map(([lon]) => lon);
    const lats = points.map(([, lat]) => lat);
    const shown = [
      ...folder.folders.map((child) => ({ name: nameOf(child.path), kind: child.properties?.kind ?? "district",
        bytes: child.properties?.bytes })),
      ...folder.files.map(({ name, size, special }) => ({ name, kind: "poi", size, special })),
    ];
    return {
      feature: { properties, geometry: isPoint ? { type: "Point", coordinates: points[0] }
        : { type: "Polygon", coordinates: [[...points, points[0]]] } },
      bbox: [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)],
      ancestors: this.ancestors(folder.path), totals: folder.totals,
      children: { total: shown.length, folders: folder.folders.length, files: folder.files.length,
        shown: shown.slice(0, 200) },
    };
  }

  ancestors(path) {
    const found = [];
    for (let at = parentOf(path); at !== ""; at = parentOf(at)) found.unshift({ path: at, name: nameOf(at) });
    return found;
  }

  async search(text, limit, signal, found) {
    const wanted = text.toLowerCase();
    const offer = (name, path) => {
      const lower = name.toLowerCase();
      const at = lower.indexOf(wanted);
      if (at < 0) return;
      const rank = lower === wanted ? 3 : at === 0 ? 2 : 1;
      found({ path, name, score: rank - clamp(path.length / 1000, 0, 0.9) });
    };
    let count = 0;
    for (const folder of this.folders.values()) {
      if (signal.aborted) break;
      offer(nameOf(folder.path), folder.path);
      for (const file of folder.files) offer(file.name, `${folder.path}/${file.name}`);
      if ((count += 1) % 2000 === 0) await new Promise((next) => setTimeout(next));
    }
    return { done: true, complete: true, folders: this.folders.size };
  }

  async roots() {
    return this.top.filter((folder) => folder.properties).map((folder) => this.folderNode(folder));
  }
}

export async function openSource() {
  const source = new EmbeddedSource();
  const rows = byId("world-rows");
  await source.read(rows.textContent);
  rows.remove();
  return source;
}
