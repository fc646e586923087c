// The world in a standalone page: facts for the answers of static.js, from rows in the page.
//
// A row is a folder, [path, kind, depth, id, entries, modified, minzoom, lon, lat, unreadable, tint, ring], optionally
// followed by its totals, files, bytes, allocated, and by another ring, the outline of its cell; or it begins the files
// of a folder, [path, depth, minzoom], optionally with the ground of the files as an array of parts, [files, lon, lat,
// lon, lat, …]. Each file is a row [name, lon, lat, size, modified, special, unreadable]. The differences of two states
// are an object at the end.
import { boxOfRings, byId, clipRing, contains, linesIn, nameOf, parentOf, pause } from "./geo.js";
import { project, projectRing } from "./mercator.js";
import { fileType } from "./palette.js";
import { AROUND_TILE, BUFFER, emptyTile, isInTile } from "./source.js";
import { StaticSource } from "./static.js";

const LISTED = 100; // entries that could not be read
const MINIMUM_TOWN = 40; // minimum breadth of drawn ground, in tile units

class EmbeddedSource extends StaticSource {
  isSummed = false; // whether rows have totals
  deepest = 32;
  most = 34;
  folders = new Map();
  top = [];

  /** Reads the rows in blocks, so that the browser stays responsive. */
  async read(text) {
    let [current, minzoom, depth, row] = [null, 0, 0, 0];
    for (const line of linesIn(text)) {
      const values = JSON.parse(line);
      if (Array.isArray(values[11])) this.addFolder(values);
      else if (values.length === 3 || Array.isArray(values[3])) {
        current = this.made(values[0]);
        [, depth, minzoom] = values;
        current.towns = (values[3] ?? []).map(([files, ...ring], index) => ({ id: index + 1, files, minzoom, ring: projectRing(ring) }));
        for (const town of current.towns) town.box = boxOfRings([town.ring]);
      } else this.addFile(current, values, depth, minzoom);
      if ((row += 1) % 20000 === 0) await pause();
    }
    this.addUp();
    this.findUnreadable();
    if (byId("world-changes") && this.changes().measure === "allocated") this.measure = "allocated";
  }

  findUnreadable() {
    const found = [];
    for (const folder of this.folders.values()) {
      if (folder.properties.unreadable) found.push({ path: folder.properties.path });
      for (const { name, unreadable } of folder.files) if (unreadable) found.push({ path: `${folder.properties.path}/${name}` });
    }
    if (found.length > 0) this.unreadable = { count: found.length, list: found.slice(0, LISTED) };
  }

  /** Files and bytes given in rows stay as they are: they count hard links once, and include nodes that are not on the page. */
  addUp() {
    // Folders precede their contents.
    const all = [...this.folders.values()];
    for (const folder of all) {
      const sums = (folder.sums = { files: folder.files.length, folders: 0, bytes: 0, newest: undefined, types: {} });
      for (const { name, size = 0, modified, special } of folder.files) {
        const type = fileType(name, special);
        sums.bytes += size;
        sums.types[type] = (sums.types[type] ?? 0) + size;
        if (modified !== undefined && !(sums.newest >= modified)) sums.newest = modified;
      }
    }
    for (const { sums, path } of all.reverse()) {
      const above = this.folders.get(parentOf(path))?.sums;
      if (!above) continue;
      above.files += sums.files;
      above.folders += 1 + sums.folders;
      above.bytes += sums.bytes;
      if (sums.newest !== undefined && !(above.newest >= sums.newest)) above.newest = sums.newest;
      for (const [type, bytes] of Object.entries(sums.types)) above.types[type] = (above.types[type] ?? 0) + bytes;
    }
    for (const { sums, properties } of all) {
      if (!properties) continue;
      if (!this.isSummed && !properties.unreadable) Object.assign(properties, { files: sums.files, bytes: sums.bytes });
      properties.newest = sums.newest;
      const types = Object.entries(sums.types).filter(([, bytes]) => bytes > 0).sort((a, b) => b[1] - a[1]);
      if (types.length > 0) [[properties.type]] = types;
    }
  }

  /** The folder of a path, to fill; one that a filter left out has only its path. */
  made(path) {
    const known = this.folders.get(path);
    if (known) return known;
    const folder = { properties: null, ring: [], box: null, folders: [], files: [], towns: [], path };
    this.folders.set(path, folder);
    const parent = parentOf(path);
    (parent === "" ? this.top : this.made(parent).folders).push(folder);
    return folder;
  }

  addFolder([path, kind, depth, id, size, modified, minzoom, lon, lat, unreadable, tint, ring, ...more]) {
    const folder = this.made(path);
    folder.properties = { path, name: nameOf(path), kind, depth, id, minzoom, lon, lat,
      size: size ?? undefined, modified: modified ?? undefined, unreadable: unreadable === 1, tint: tint ?? undefined };
    if (isObject(more.at(-1))) Object.assign(folder.properties, differences(more.pop()));
    folder.coordinates = ring;
    folder.ring = projectRing(ring);
    folder.cell = Array.isArray(more.at(-1)) ? projectRing(more.pop()) : [];
    if (more.length === 3) {
      this.isSummed = true;
      // Null means unknown to the source of the map.
      [folder.properties.files, folder.properties.bytes, folder.properties.allocated] = more.map((sum) => sum ?? undefined);
    }
    Object.assign(folder, project(lon, lat));
    if (ring.length === 0) return;
    folder.box = boxOfRings([folder.ring, folder.cell]);
    const [west, north, east, south] = boxOfRings([folder.ring]);
    folder.properties.breadth = Math.min(east - west, south - north);
  }

  addFile(folder, [name, lon, lat, size, modified, special, unreadable, more], depth, minzoom) {
    const { x, y } = project(lon, lat);
    folder.files.push({ name, lon, lat, x, y, size: size ?? undefined, modified: modified ?? undefined,
      special: special || undefined, unreadable: unreadable === 1, depth, minzoom, ...(more && differences(more)) });
  }

  async askTile(z, x, y) {
    const tile = emptyTile();
    const scale = 4096 * 2 ** z;
    const frame = { z, scale, left: x * 4096, top: y * 4096 };
    for (const folder of this.top) this.collect(folder, frame, tile);
    tile.land.sort((a, b) => a.depth - b.depth);
    return tile;
  }

  collect(folder, frame, tile) {
    const { z, scale, left, top } = frame;
    const place = (value, start) => value * scale - start;
    const { properties, box } = folder;
    if (properties && properties.minzoom > z) return;
    const meets = ([west, north, east, south]) => place(east, left) >= -BUFFER && place(west, left) <= 4096 + BUFFER &&
      place(south, top) >= -BUFFER && place(north, top) <= 4096 + BUFFER;
    const cutOff = (ring) => clipRing(ring.map((value, index) => place(value, index % 2 === 0 ? left : top)), AROUND_TILE);
    if (box) {
      if (!meets(box)) return;
      const [cut, cell] = [folder.ring, folder.cell].map(cutOff);
      if (cut.length > 0) tile.land.push({ ...properties, rings: [cut] });
      if (cell.length > 0) tile.cells.push({ ...properties, rings: [cell] });
    } else if (properties) {
      const [x, y] = [place(folder.x, left), place(folder.y, top)];
      if (isInTile(x, y, BUFFER)) tile.files.push({ ...properties, x, y, folder: parentOf(folder.path) });
    }
    // Until files are visible, their ground is shown.
    for (const { id, files, minzoom: least, ring, box: around } of folder.towns) {
      const breadth = scale * Math.min(around[2] - around[0], around[3] - around[1]);
      if (least <= z || breadth < MINIMUM_TOWN || !meets(around)) continue;
      const cut = cutOff(ring);
      if (cut.length > 0) tile.towns.push({ folder: folder.path, id, files, minzoom: least, rings: [cut] });
    }
    for (const file of folder.files) {
      const [x, y] = [place(file.x, left), place(file.y, top)];
      if (file.minzoom > z || !isInTile(x, y, BUFFER)) continue;
      tile.files.push({ ...file, kind: "poi", x, y, folder: folder.path, path: `${folder.path}/${file.name}` });
    }
    for (const child of folder.folders) this.collect(child, frame, tile);
  }

  /** A folder that a filter left out has contents only. */
  folder(path) {
    const folder = this.folders.get(path);
    return folder ? this.nodeOf(folder) : null;
  }

  nodeOf(folder) {
    const { properties, coordinates, sums, files } = folder;
    const shown = [...folder.folders.map((land) => this.landOf(land)), ...files.map(entryOf)];
    const children = { total: shown.length, folders: folder.folders.length, files: files.length, minzoom: files[0]?.minzoom, shown };
    const ancestors = this.ancestors(folder.path);
    if (!properties) return { ancestors, children };
    const points = Array.from({ length: coordinates.length / 2 }, (_, i) => [coordinates[2 * i], coordinates[2 * i + 1]]);
    const geometry = points.length > 0 ? { type: "Polygon", coordinates: [[...points, points[0]]] }
      : { type: "Point", coordinates: [properties.lon, properties.lat] };
    const { files: count, bytes, allocated, newest, states } = properties;
    return { feature: { properties, geometry }, bbox: boxOfRings(points.length > 0 ? points : [geometry.coordinates]), ancestors, states, children,
      totals: count === undefined ? undefined : { files: count, bytes, allocated, newest, types: sums.types }, folders: sums.folders };
  }

  landOf({ path, properties, folders }) {
    if (!properties) return { name: nameOf(path), kind: "district" };
    const { name, kind, id, lon, lat, minzoom, bytes, allocated, files, newest, type, unreadable, change, below, states } = properties;
    const largest = folders.filter(({ properties: of }) => of?.bytes > 0)
      .reduce((best, { properties: of }) => (best && best.bytes >= of.bytes ? best : of), undefined);
    return { name, kind, id, lon, lat, minzoom, bytes, allocated, files, newest, type, unreadable: unreadable || undefined, change, below, states,
      largest: largest && { name: largest.name, bytes: largest.bytes, allocated: largest.allocated } };
  }

  ancestors(path) {
    const found = [];
    for (let at = parentOf(path); at !== ""; at = parentOf(at)) found.unshift({ path: at, name: nameOf(at) });
    return found;
  }

  *filesBelow({ feature: { properties: { path } } }) {
    const all = [this.folders.get(path)];
    for (const folder of all) {
      all.push(...folder.folders);
      for (const file of folder.files) yield this.fileOf(folder, { ...file, newest: file.modified }, file.minzoom);
    }
  }

  names() { return this.folders.values(); }

  async landAt(lon, lat) {
    const { x, y } = project(lon, lat);
    let [found, among] = [null, this.top];
    while (among) {
      const next = among.find(({ ring }) => contains(ring, x, y));
      [found, among] = [next ?? found, next?.folders];
    }
    return found?.path ?? "";
  }

  async roots() {
    return (this.known ??= this.top.filter((folder) => folder.properties)
      .map((folder) => ({ label: folder.path, bbox: this.nodeOf(folder).bbox, coast: folder.coordinates, taken: takenBox(folder),
        islets: folder.files.length > MAXIMUM_ISLETS ? undefined : folder.files.flatMap(({ lon, lat }) => [lon, lat]) })));
  }

  history() { return takeText("world-time"); }
  changes() { return (this.differences ??= JSON.parse(takeText("world-changes"))); }
}

const MAXIMUM_ISLETS = 300; // with more files than this, a root's ground of files is shown

const entryOf = (file) => ({ ...file, kind: "poi", newest: file.modified, type: fileType(file.name, file.special) });

function takenBox({ folders, files }) {
  const places = [...folders.map(({ coordinates, properties }) => (coordinates?.length > 0 ? coordinates : [properties?.lon, properties?.lat])),
    ...files.map(({ lon, lat }) => [lon, lat])].filter(([lon]) => lon !== undefined);
  return places.length > 0 ? boxOfRings(places) : undefined;
}

/** The text of a data element, which is then removed. */
function takeText(id) {
  const element = byId(id);
  element.remove();
  return element.textContent;
}

function isObject(value) { return typeof value === "object" && value !== null && !Array.isArray(value); }

function differences(more) {
  const flat = { ...more };
  for (const group of ["was", "below"]) for (const [key, value] of Object.entries(more[group] ?? {})) flat[`${group}_${key}`] = value;
  return flat;
}

export async function openSource() {
  const source = new EmbeddedSource();
  await source.read(takeText("world-rows"));
  return source;
}
