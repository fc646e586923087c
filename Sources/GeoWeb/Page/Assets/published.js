// The world of a published site: facts for the answers of static.js, from files of a host.
//
// The page contains `world.json`, and has requested its first tiles (`begin.js`). Tiles come from an archive, folders
// and names from parts, each of which starts with the folder given in their list, in map order.
import { attempt, bytesOf, clipRing, firstWithout, keyOf, linesIn, promisedIn } from "./geo.js";
import { Archive, refusal, unpackBytes } from "./pmtiles.js";
import { AROUND_TILE, BUFFER, decodeTile, emptyTile, isInTile } from "./source.js";
import { StaticSource } from "./static.js";

const PARTS_KEPT = 24; // the maximum number of cached parts
const PARTS_BELOW = 4; // the maximum number of parts read for the largest files in a small folder
const DEPTH = 16; // the bytes of names that order the index
const MAXIMUM_PARTS = 6; // the maximum number of index parts read for a search
const FEW_NAMES = 2 << 20; // the compressed size up to which all names are searched, if few start with a text
const AHEAD = 4; // the number of files that are requested ahead of the file that is searched

/** The bytes of a path's names, which order the parts. */
function namesOf(path, raw) {
  return raw ? raw.split("/").map((name) => bytesOf("", name)) : path.split("/").map((name) => bytesOf(name));
}

function order(a, b) {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const [one, other] = [a[i], b[i]];
    for (let j = 0; j < Math.min(one.length, other.length); j += 1) {
      if (one[j] !== other[j]) return one[j] - other[j];
    }
    if (one.length !== other.length) return one.length - other.length;
  }
  return a.length - b.length;
}

/** The number of the part with a folder, by its names; −1 if none can have it. */
function partWith(parts, names) {
  return firstWithout(0, parts.length, (at) => order(namesOf(parts[at].path, parts[at].rawPath), names) <= 0) - 1;
}

/** A percent-encoded path as text; null if not UTF-8. */
function textOf(raw) { return raw ? attempt(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytesOf("", raw))) : null; }

class PublishedSource extends StaticSource {
  constructor(world) {
    super();
    this.world = world;
    this.describe(world);
    Object.assign(this, { measure: world.measure, unreadable: world.unreadable, hasTotals: world.totals });
    this.archive = new Archive(world.archive, world.begin, globalThis.begun);
    Object.assign(this, { parts: new Map(), lists: new Map() });
  }

  async askTile(z, x, y, signal) {
    for (let up = 0; up <= z; up += 1) {
      const zoom = z - up;
      const found = await this.archive.find(zoom, Math.floor(x / 2 ** up), Math.floor(y / 2 ** up));
      if (found) {
        const tile = decodeTile(await this.archive.bytes(found, signal));
        return up === 0 ? tile : cutOut(tile, up, x, y);
      }
      // Down to this zoom missing tiles are empty.
      if (zoom <= this.world.complete) break;
    }
    return emptyTile();
  }

  async text(file, signal) {
    const response = await fetch(file, { signal });
    if (!response.ok) throw new Error(refusal(response));
    return new TextDecoder().decode(await unpackBytes(new Uint8Array(await response.arrayBuffer())));
  }

  async part(file, signal) { return [...linesIn(await this.text(file, signal))]; }
  history() { return this.text(this.world.history); }
  list(file) { return promisedIn(this.lists, file, () => this.part(file).then(([text]) => JSON.parse(text))); }
  folders(file) { return promisedIn(this.parts, file, () => this.part(file), PARTS_KEPT); }

  async folder(wantedPath, wantedRaw) {
    // Only paths that are not UTF-8 are encoded.
    const text = textOf(wantedRaw);
    const [path, raw] = text === null ? [wantedPath, wantedRaw] : [text, undefined];
    const parts = await this.list(this.world.parts);
    const number = partWith(parts, namesOf(path ?? "", raw));
    if (number < 0) return null;
    const lines = await this.folders(parts[number].folders);
    // Most lines are other folders: compare their text before parsing.
    const wanted = raw ? `"rawPath":${JSON.stringify(raw)}` : `"path":${JSON.stringify(path)}`;
    for (const line of lines) {
      if (!line.includes(wanted)) continue;
      const node = JSON.parse(line);
      const { properties } = node.feature;
      if (raw ? properties.rawPath === raw : properties.path === path) return node;
    }
    return null;
  }

  /** Only the site's largest folders know their largest files; the others are small. */
  async filesBelow({ feature: { properties } }) {
    const wanted = keyOf(properties);
    const parts = await this.list(this.world.parts);
    const number = partWith(parts, namesOf(properties.path, properties.rawPath));
    const files = [];
    for (const { folders } of parts.slice(number, number + PARTS_BELOW)) {
      for (const line of await this.folders(folders)) {
        const node = JSON.parse(line);
        if (`${keyOf(node.feature.properties)}/`.startsWith(`${wanted}/`)) files.push(...this.filesOf(node));
      }
    }
    return files;
  }

  /** Offers nodes whose names start with a text; returns whether these are all. */
  async findBeginnings(wanted, signal, offer) {
    // For each index part, the start of its first name in hexadecimal, and its file.
    const parts = await this.list(this.world.search);
    const hex = Array.from(bytesOf(wanted).slice(0, DEPTH), (byte) => byte.toString(16).padStart(2, "0")).join("");
    // Only the first bytes are ordered: names with one start may be in several parts.
    const start = Math.max(0, parts.findLastIndex(([first]) => first < hex));
    const end = parts.findLastIndex(([first]) => first.slice(0, hex.length) <= hex) + 1;
    for (const [, file] of parts.slice(start, Math.min(end, start + MAXIMUM_PARTS))) {
      for (const line of await this.part(file, signal)) {
        const [name, ...folders] = JSON.parse(line);
        for (const folder of folders) {
          const { path, rawPath } = folder.path === undefined ? { path: folder === "" ? name : `${folder}/${name}` } : folder;
          offer(name, path, rawPath);
        }
      }
    }
    return end - start <= MAXIMUM_PARTS;
  }

  /** A text matches the start of names, or if few names remain to be read, any part; a glob matches whole names. */
  async searchIndex(wanted, { text, limit, signal }, offer) {
    // Stars alone match everything.
    if (/^\**$/.test(text)) return { complete: true };
    const isWhole = wanted.start !== "" && await this.findBeginnings(wanted.start, signal, offer);
    if (wanted.isGlob) return isWhole ? { complete: true } : undefined;
    if (offer.count < limit && this.world.nameBytes <= FEW_NAMES) return undefined;
    return { complete: true, hint: isWhole ? `*${text}* looks inside names, too` : "more letters find more" };
  }

  async *names(signal, { least, newer, older } = {}, skip = () => {}) {
    // For each file of names: its files, their largest size, and their oldest and newest time.
    const mayFit = ([, , largest, oldest, newest]) => (least === undefined || (largest !== null && largest >= least)) &&
      (newer === undefined || (newest !== null && newest > newer)) && (older === undefined || (oldest !== null && oldest < older));
    const all = await this.list(this.world.names);
    for (const part of all) if (!mayFit(part)) skip(part[1]);
    const [wanted, parts] = [all.filter(mayFit), []];
    for (let i = 0; i < wanted.length; i += 1) {
      while (parts.length < Math.min(wanted.length, i + 1 + AHEAD)) {
        const part = this.part(wanted[parts.length][0], signal);
        // It is reported when its turn comes.
        part.catch(() => {});
        parts.push(part);
      }
      const lines = await parts[i];
      parts[i] = null;
      for (const line of lines) {
        const { path, rawPath, files, sizes, times, special } = JSON.parse(line);
        yield { path, rawPath, files: files.map((file, at) => ({ name: file.name ?? file, rawName: file.rawName, size: sizes[at] ?? undefined, modified: times[at] ?? undefined, special: special?.[at] })) };
      }
    }
  }

  async roots() { return this.world.roots; }
  /** Requests what is needed next on zooming in: the directories of the tiles below the first. */
  lookAhead() { this.archive.find(3, 4, 4).catch(() => {}); }
}

/** Returns the part of a tile that a deeper tile shows, `up` zooms below, as far as known. */
function cutOut(tile, up, x, y) {
  const scale = 2 ** up;
  const [left, top] = [x, y].map((value) => (value % scale) * 4096);
  const moved = (features) => features.map((feature) => {
    const rings = feature.rings.map((ring) => ring.map((value, i) => value * scale - (i % 2 === 0 ? left : top)));
    return { ...feature, rings, x: rings[0]?.[0], y: rings[0]?.[1] };
  });
  const cut = (features) => moved(features).map((feature) => {
    const rings = feature.rings.map((ring) => clipRing(ring, AROUND_TILE)).filter((ring) => ring.length > 0);
    return { ...feature, rings };
  }).filter((feature) => feature.rings.length > 0);
  const land = cut(tile.land);
  // For a land that is cut off, the rest of its cell has its properties.
  const known = new Map(tile.land.map((one) => [one.id, one]));
  for (const { id } of land) known.delete(id);
  const cells = cut(tile.cells).map((cell) => {
    const lost = known.get(cell.id);
    if (!lost) return cell;
    const { path, rawPath, minzoom, breadth, files, bytes, allocated, newest, type, layers } = lost;
    return { ...cell, path, rawPath, minzoom, breadth, files, bytes, allocated, newest, type, layers };
  });
  return {
    land, cells, towns: cut(tile.towns),
    files: moved(tile.files).filter(({ x: a, y: b }) => isInTile(a, b, BUFFER)),
    labels: moved(tile.labels).filter(({ x: a, y: b }) => isInTile(a, b, 0)),
  };
}

export async function openSource() {
  return new PublishedSource(JSON.parse(document.getElementById("world").textContent));
}
