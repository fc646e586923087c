// PMTiles, version 3: reads tiles of an archive by byte ranges.
import { lastUpTo, promisedIn } from "./geo.js";
import { Reader } from "./source.js";

const HEADER = 127;
const LEAD = 16384; // these first bytes contain the header and the root directory
const DIRECTORIES_KEPT = 64; // the maximum number of cached leaf directories

export function refusal({ status }) {
  // File names contain hashes, and old files are removed eventually.
  return status === 404 ? "the site was published anew: reload the page" : `the host answers ${status}`;
}

/** Decompresses gzip; bytes that the host decompressed already stay as they are. */
export async function unpackBytes(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The number of a tile along the Hilbert curves of all zooms; exact up to zoom 26. */
export function tileNumber(z, x, y) {
  let number = 0;
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const isEast = x >= side;
    const isSouth = y >= side;
    number = number * 4 + (isEast ? (isSouth ? 2 : 3) : (isSouth ? 1 : 0));
    x %= side;
    y %= side;
    if (isSouth) continue;
    if (isEast) [x, y] = [side - 1 - x, side - 1 - y];
    [x, y] = [y, x];
  }
  return (4 ** z - 1) / 3 + number;
}

/** A directory as columns: tile numbers, runs, lengths, offsets. */
function readDirectory(bytes) {
  const reader = new Reader(bytes);
  const varint = () => {
    if (reader.at >= bytes.length) throw new Error("a directory of the tiles is not whole");
    return reader.varint();
  };
  const count = varint();
  const column = () => Array.from({ length: count }, varint);
  const numbers = column();
  for (let i = 1; i < count; i += 1) numbers[i] += numbers[i - 1];
  const [runs, lengths, offsets] = [column(), column(), column()];
  for (let i = 0; i < count; i += 1) offsets[i] = offsets[i] > 0 ? offsets[i] - 1 : offsets[i - 1] + lengths[i - 1];
  return { tiles: numbers, runs, lengths, offsets };
}

function entryOf({ tiles, runs, lengths, offsets }, at, number) {
  return at >= 0 && number < tiles[at] + runs[at] ? [offsets[at], lengths[at]] : undefined;
}

export class Archive {
  /** `begin` is a directory of all tiles before number `end`; `begun` an earlier request: first byte `from`, `length`, `response`. */
  constructor(address, begin = { end: 0 }, begun = null) {
    Object.assign(this, { address, begin });
    this.begun = begun && { ...begun, end: begun.from + begun.length, bytes: begun.response.then((response) => this.body(response, begun.from, begun.length)) };
    this.begun?.bytes.catch(() => { this.begun = null; });
    [this.leaves, this.opened] = [new Map(), new Map()];
  }

  async range(offset, length, signal) {
    return this.body(await fetch(this.address, { signal, headers: { Range: `bytes=${offset}-${offset + length - 1}` } }), offset, length);
  }

  async body(response, offset, length) {
    if (response.status === 206) return new Uint8Array(await response.arrayBuffer());
    if (!response.ok) throw new Error(refusal(response));
    // A host without ranges sends the whole file.
    if (Number(response.headers.get("Content-Length")) > 1 << 24) {
      await response.body?.cancel();
      throw new Error("this host sends no ranges of files, which the tiles need");
    }
    return new Uint8Array(await response.arrayBuffer()).subarray(offset, offset + length);
  }

  /** Reads header and root directory once; again after a failure. */
  open() { return promisedIn(this.opened, "root", () => this.read()); }

  async read() {
    const bytes = await this.range(0, LEAD);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < HEADER || view.getUint32(0) !== 0x504d5469 || bytes[7] !== 3) throw new Error("no archive of tiles");
    const number = (at) => Number(view.getBigUint64(at, true));
    const root = readDirectory(await unpackBytes(bytes.slice(number(8), number(8) + number(16))));
    return { root, leaves: number(40), data: number(56), deepest: bytes[101] };
  }

  leaf(offset, length) {
    return promisedIn(this.leaves, offset, () => this.range(offset, length).then(unpackBytes).then(readDirectory), DIRECTORIES_KEPT);
  }

  async find(z, x, y) {
    const number = tileNumber(z, x, y);
    if (number < this.begin.end) return entryOf(this.begin, lastUpTo(this.begin.tiles, number), number);
    const { root, leaves, data, deepest } = await this.open();
    if (z > deepest) return undefined;
    let directory = root;
    for (let depth = 0; depth < 3; depth += 1) {
      const at = lastUpTo(directory.tiles, number);
      if (at < 0) return undefined;
      const { runs, lengths, offsets } = directory;
      if (runs[at] > 0) {
        const found = entryOf(directory, at, number);
        return found && [data + found[0], found[1]];
      }
      directory = await this.leaf(leaves + offsets[at], lengths[at]);
    }
    return undefined;
  }

  async bytes([offset, length], signal) {
    const { begun } = this;
    if (begun && offset >= begun.from && offset + length <= begun.end) {
      const bytes = await begun.bytes.catch(() => null);
      if (bytes) return unpackBytes(bytes.subarray(offset - begun.from, offset - begun.from + length));
    }
    return unpackBytes(await this.range(offset, length, signal));
  }
}
