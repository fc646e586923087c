// Files that are dropped or opened: their types, and where they go.
//
// Tracks, places and recordings go into the library. A recording also goes to the player, if there is one: a part of
// the page named `player`, with `openRecording({ name, metadata, events, fault }, page)`.
import { encodingOf, Fault, gpxReader } from "./gpx.js";
import { parts } from "./lazy.js";
import { readJSONText } from "./trackjson.js";
import { WaysMaker } from "./ways.js";

/** The maximum size of a file in bytes. */
const LARGEST = 256 * 1024 * 1024;
/** Bytes of GPX to read before yielding to the browser. */
const READ_AT_ONCE = 1 << 20;

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

async function readGPX(file, head, maker) {
  const reader = gpxReader(maker);
  const decoder = new TextDecoder(encodingOf(head), { fatal: true });
  for (let start = 0; start < file.size; start += READ_AT_ONCE) {
    const bytes = new Uint8Array(await file.slice(start, start + READ_AT_ONCE).arrayBuffer());
    let text;
    try {
      text = decoder.decode(bytes, { stream: start + READ_AT_ONCE < file.size });
    } catch {
      throw reader.fault(`after this line a text is not in the encoding ${decoder.encoding}`);
    }
    reader.push(text);
  }
  reader.push("", true);
}

/** Reads a file: its type, lines, places and samples, and a recording's events. */
export async function readFile(file) {
  if (file.size > LARGEST) throw new Fault(`it has more than ${LARGEST / 1024 / 1024} MiB`);
  const head = new Uint8Array(await file.slice(0, 4096).arrayBuffer());
  const maker = new WaysMaker();
  let read = { kind: sniff(head) };
  if (read.kind === "gpx") await readGPX(file, head, maker);
  else if (read.kind === "json") read = readJSONText((await file.text()).replace(/^\ufeff/, ""), maker);
  else throw new Fault("it begins neither like GPX nor like JSON");
  if (read.kind !== "recording" && maker.lines.length + maker.places.length === 0) {
    throw new Fault(read.left > 0 ? "it holds neither lines nor points" : "it holds no points");
  }
  return { ...read, name: maker.name, lines: maker.lines, places: maker.places, count: maker.count };
}

/** Opens files one by one; `took` gets each that was read, `failed` the others. */
export async function openFiles(files, page, { took, failed }) {
  for (const file of files) {
    try {
      const read = await readFile(file);
      await took(file, read);
      if (read.kind !== "recording") continue;
      if (read.recording.fault) failed(file, read.recording.fault);
      if (parts.player) (await parts.player()).openRecording({ name: file.name, ...read.recording }, page);
    } catch (error) {
      failed(file, error instanceof Fault ? error.message : `it can't be read: ${error.message}`);
    }
  }
}
