// Files with tracks and recordings: reading them, and keeping tracks in the browser.
import { encodingOf, Fault, readGPX } from "./gpx.js";
import { showCount } from "./geo.js";
import { parts } from "./lazy.js";
import { PolylineMaker } from "./polylines.js";
import { readJSONText } from "./trackjson.js";

// Tracks in the browser's storage: list data, and separately the lines.

const HEADS = "heads";
const LINES = "lines";

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const ended = (work) => new Promise((resolve, reject) => {
  work.oncomplete = resolve;
  work.onabort = () => reject(work.error);
});

function open(name) {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(HEADS, { keyPath: "id" });
    request.result.createObjectStore(LINES);
  };
  return done(request);
}

export class Shelf {
  static async open(key) {
    const shelf = new Shelf();
    shelf.memory = new Map();
    try {
      shelf.base = await open(`geomapper.tracks@${key}`);
    } catch {
      // Private windows and some pages on disk have none.
      shelf.base = null;
    }
    return shelf;
  }

  get isKept() { return this.base !== null; }

  async heads() {
    const kept = this.base ? await done(this.base.transaction(HEADS).objectStore(HEADS).getAll()) : [];
    return [...kept, ...[...this.memory.values()].map(({ head }) => head)];
  }

  async lines(id) {
    return this.memory.get(id)?.lines ?? (this.base ? done(this.base.transaction(LINES).objectStore(LINES).get(id)) : undefined);
  }

  /** Saves a track; without lines, only its list data. False if only in memory. */
  async put(head, lines) {
    const keep = () => {
      this.memory.set(head.id, { head, lines: this.memory.get(head.id)?.lines ?? lines });
      return false;
    };
    if (this.memory.has(head.id) || !this.base) return keep();
    try {
      await this.change((heads, all) => {
        heads.put(head);
        if (lines) all.put(lines, head.id);
      });
      return true;
    } catch {
      // Storage is full: it lasts as long as the page.
      return keep();
    }
  }

  async delete(id) {
    this.memory.delete(id);
    if (this.base) await this.change((heads, lines) => [heads, lines].forEach((store) => store.delete(id)));
  }

  change(act) {
    const work = this.base.transaction([HEADS, LINES], "readwrite");
    act(work.objectStore(HEADS), work.objectStore(LINES));
    return ended(work);
  }
}

const LARGEST = 256 * 1024 * 1024; // the maximum size of a file in bytes

/** The type of a file by its first bytes: `gpx`, `json`, or empty if unknown. */
function sniff(bytes) {
  for (const byte of bytes) {
    if (byte === 0x3c) return "gpx";
    if (byte === 0x7b || byte === 0x5b) return "json";
    // Byte order marks, white space and the zeros of UTF-16.
    if (![0xef, 0xbb, 0xbf, 0xfe, 0xff, 0, 9, 10, 13, 32].includes(byte)) return "";
  }
  return "";
}

async function textOf(file, encoding) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Fault(`a text is not in the encoding ${encoding}`);
  }
}

export async function readFile(file) {
  if (file.size > LARGEST) throw new Fault(`it has more than ${LARGEST / 1024 / 1024} MiB`);
  const head = new Uint8Array(await file.slice(0, 4096).arrayBuffer());
  const maker = new PolylineMaker();
  let read = { kind: sniff(head) };
  if (read.kind === "gpx") readGPX(await textOf(file, encodingOf(head)), maker);
  else if (read.kind === "json") read = readJSONText((await file.text()).replace(/^\ufeff/, ""), maker);
  else throw new Fault("it begins neither like GPX nor like JSON");
  if (read.kind !== "recording" && maker.lines.length + maker.places.length === 0) {
    throw new Fault(read.left > 0 ? "it holds neither lines nor points" : "it holds no points");
  }
  const { left, firstFault } = maker;
  const fault = left > 0 ? `${firstFault}${left > 1 ? `, and ${showCount(left - 1, "more fault", "more faults")}` : ""}; the rest can be used` : null;
  return { ...read, fault, name: maker.name, lines: maker.lines, places: maker.places, count: maker.count };
}

export async function openFiles(files, page, { took, failed }) {
  for (const file of files) {
    try {
      const read = await readFile(file);
      await took(file, read);
      if (read.fault) failed(file, read.fault);
      if (read.kind !== "recording") continue;
      if (read.recording.fault) failed(file, read.recording.fault);
      if (parts.player) (await parts.player()).openRecording({ name: file.name, ...read.recording }, page);
    } catch (error) {
      failed(file, error instanceof Fault ? error.message : `it can't be read: ${error.message}`);
    }
  }
}
