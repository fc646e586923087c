// Where tiles and answers come from, and the form of tiles.
import { layers } from "./layers.js";

export const BUFFER = 64; // how far beyond its edges a tile shows features, in grid units
export const AROUND_TILE = [-BUFFER, 4096 + BUFFER];

export const emptyTile = () => ({ land: [], cells: [], towns: [], files: [], labels: [] });
export const isInTile = (x, y, edge) => x >= -edge && y >= -edge && x < 4096 + edge && y < 4096 + edge;

/**
 * The source of a page: a server (server.js), or what the page reads itself (static.js): a published site (published.js)
 * or rows in the page (embedded.js). start.js or its replacement opens it.
 *
 * The page calls `tile`, `node`, `summary`, `search` and `matches`, and its layers see question and answer; a source
 * implements `askTile`, `askNode`, `askSummary`, `askSearch` and `askMatches`, and `roots()`: `label`, `bbox` and, if available, `coast`,
 * longitudes and latitudes in turn. Optionally it has `history()`, null if unchanged, or `changes(wanted)`, the
 * differences of two states. Only servers have `listen`, `totals`, `readAgain`, `sheet`, `landAt`, `samples`,
 * `kept`, `recording`; only sites `lookAhead`.
 */
export class Source {
  isLive = false; // whether it reports changes on disk
  /** What could not be read, if known: `count`, and the first in `list`, each with `path` and perhaps `reason`. */
  unreadable = undefined;
  /** The deepest zoom of tiles, and that of the camera. */
  deepest = 30;
  most = 32;
  /** The user's own values: `name`, `how` folders sum up, and whether they are of `kind` number or word. */
  ownLayers = [];
  /** What sizes mean at first. */
  sizes = "bytes";

  describe({ layers = [], sizes = "bytes" } = {}) {
    Object.assign(this, { ownLayers: layers, sizes });
    for (const { name } of layers) for (const end of ["", "_share", "_count"]) ownKeys.add(name + end);
  }

  /** The contents of a tile, as lists of features. */
  tile(...address) { return layers.ask((layer, ...asked) => layer.tile(...asked), (...asked) => this.askTile(...asked), address); }
  /** The node of a path, or of its bytes percent-encoded if not UTF-8, with so many children; null if missing. */
  node(...question) { return layers.ask((layer, ...asked) => layer.node(...asked), (...asked) => this.askNode(...asked), question); }
  /** The sums of a folder, its lands and own files by size, and its largest files; without a path, of all; null if missing. */
  summary(...question) { return layers.ask((layer, ...asked) => layer.summary(...asked), (...asked) => this.askSummary(...asked), question); }
  /** `search(text, limit, signal, found)`: `found` takes each result; returns how it ended, with the number of `matches`. */
  search(...question) { return layers.ask((layer, ...asked) => layer.search(...asked), (...asked) => this.askSearch(...asked), question); }
  /** `matches(wanted, { order, limit, now }, signal, report)` searches matching files; reports new matches, and the end. */
  matches(...question) { return layers.ask((layer, ...asked) => layer.matches(...asked), (...asked) => this.askMatches(...asked), question); }
}

// Decodes Mapbox Vector Tile 2.1 into plain objects.

const text = new TextDecoder();

/** The properties that are the user's own values: features have them in `layers`. */
const ownKeys = new Set();

export class Reader {
  constructor(bytes, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    Object.assign(this, { at, end });
  }

  /** A varint; exact up to 2^53. */
  varint() {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * factor;
      if (byte < 128 || byte === undefined) return value;
      factor *= 128;
    }
  }

  signed() {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  part() {
    const length = this.varint();
    const reader = new Reader(this.bytes, this.at, Math.min(this.at + length, this.end));
    this.at = reader.end;
    return reader;
  }

  string() {
    const part = this.part();
    return text.decode(part.bytes.subarray(part.at, part.end));
  }

  /** Calls back with the number of each field; unread fields are skipped. */
  fields(body) {
    while (this.at < this.end) {
      const key = this.varint();
      const before = this.at;
      body(key >>> 3);
      if (this.at === before) this.skip(key & 7);
    }
  }

  skip(wire) {
    if (wire === 0) this.varint();
    else if (wire === 1) this.at += 8;
    else if (wire === 2) this.part();
    else if (wire === 5) this.at += 4;
    else throw new Error("the tile is not whole");
  }
}

function readValue(reader) {
  let value;
  reader.fields((field) => {
    if (field === 1) value = reader.string();
    else if (field === 2) (value = reader.view.getFloat32(reader.at, true)), (reader.at += 4);
    else if (field === 3) (value = reader.view.getFloat64(reader.at, true)), (reader.at += 8);
    else if (field === 4 || field === 5) value = reader.varint();
    else if (field === 6) value = reader.signed();
    else if (field === 7) value = reader.varint() !== 0;
  });
  return value;
}

/** The rings or points of a geometry, each an array of x and y in turn. */
function readGeometry(reader) {
  const parts = [];
  let ring = null;
  let [x, y] = [0, 0];
  while (reader.at < reader.end) {
    const command = reader.varint();
    if ((command & 7) === 7) continue;
    for (let count = command >>> 3; count > 0 && reader.at < reader.end; count -= 1) {
      x += reader.signed();
      y += reader.signed();
      if ((command & 7) === 1) parts.push((ring = []));
      ring?.push(x, y);
    }
  }
  return parts;
}

function readFeature(reader, keys, values) {
  const feature = { id: 0, rings: [] };
  reader.fields((field) => {
    if (field === 1) feature.id = reader.varint();
    else if (field === 2) {
      const tags = reader.part();
      while (tags.at < tags.end) {
        const key = keys[tags.varint()];
        (ownKeys.has(key) ? (feature.layers ??= {}) : feature)[key] = values[tags.varint()];
      }
    } else if (field === 4) feature.rings = readGeometry(reader.part());
  });
  if (feature.rings.length > 0) [feature.x, feature.y] = feature.rings[0];
  return feature;
}

function readLayer(reader) {
  const found = { name: "", extent: 4096, features: [] };
  const [keys, values, parts] = [[], [], []];
  reader.fields((field) => {
    if (field === 1) found.name = reader.string();
    else if (field === 2) parts.push(reader.part());
    else if (field === 3) keys.push(reader.string());
    else if (field === 4) values.push(readValue(reader.part()));
    else if (field === 5) found.extent = reader.varint();
  });
  found.features = parts.map((part) => readFeature(part, keys, values));
  return found;
}

/** The layers `land`, `cells`, `towns`, `files` and `labels` of a tile, in units of its grid of 4,096 a side. */
export function decodeTile(bytes) {
  const tile = emptyTile();
  const reader = new Reader(bytes);
  reader.fields((field) => {
    if (field !== 3) return;
    const layer = readLayer(reader.part());
    if (layer.name in tile) tile[layer.name] = layer.features;
  });
  tile.land.sort((a, b) => a.depth - b.depth);
  for (const file of tile.files) file.path = `${file.folder}/${file.name}`;
  return tile;
}
