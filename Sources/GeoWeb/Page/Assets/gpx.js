// Reads GPX 1.0 and 1.1 as the world writes it, as a stream.
import { Fault, XMLReader } from "./xml.js";

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)?$/;
const POINTS = new Set(["trkpt", "rtept", "wpt"]);
/** Which of GPX's own elements may stand in which, of those that have places. */
const WITHIN = { gpx: ["wpt", "rte", "trk", "metadata"], rte: ["rtept"], trk: ["trkseg"], trkseg: ["trkpt"] };
const PLACED = new Set(["trkpt", "trkseg", "rtept", "wpt", "trk", "rte", "gpx", "metadata"]);

/** Milliseconds of a time as XML and RFC 3339 have it; undefined if it is none. */
export function readTime(text) {
  const found = TIME.exec(text);
  if (!found) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (year < 1 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || hour > 23 || minute > 59 || second > 60) return undefined;
  date.setUTCHours(hour, minute, second, Number(`${found[7] ?? ""}000`.slice(0, 3)));
  const zone = found[8] && !/z/i.test(found[8]) ? found[8] : "+00:00";
  return date.getTime() - (zone[0] === "-" ? -1 : 1) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4))) * 60000;
}

/** Takes what a reader of XML tells, and gives what is in it to a maker of ways. */
class GPXSink {
  constructor(maker) {
    this.maker = maker;
    this.prefix = null;
    /** The names of the elements that are open; those that say nothing here are empty. */
    this.path = [];
    this.text_ = "";
  }

  begin(whole, attributes) {
    if (this.prefix === null) {
      this.prefix = whole.includes(":") ? whole.slice(0, whole.indexOf(":") + 1) : "";
      if (whole.slice(this.prefix.length) !== "gpx") throw this.reader.fault(`it is no GPX: its first element is '${whole}'`);
      this.path.push("gpx");
      return;
    }
    const parent = this.path.at(-1);
    const isOwn = whole.startsWith(this.prefix) && !whole.slice(this.prefix.length).includes(":") && !("xmlns" in attributes);
    let name = isOwn && parent !== "" ? whole.slice(this.prefix.length) : "";
    if (PLACED.has(name)) {
      if (!WITHIN[parent]?.includes(name)) {
        if (parent in WITHIN || POINTS.has(parent) || parent === "metadata") throw this.reader.fault(`'${name}' can't stand in '${parent}'`);
        name = "";
      }
    } else if (parent === "trkseg" && name !== "" && name !== "extensions") throw this.reader.fault(`'${name}' can't stand in 'trkseg'`);
    else if (!(POINTS.has(parent) ? ["ele", "time", "name", "sym"] : ["rte", "trk", "metadata", "gpx"].includes(parent) ? ["name"] : []).includes(name)) name = "";
    this.path.push(name);
    this.text_ = "";
    if (POINTS.has(name)) {
      this.point = { lat: this.degrees(name, attributes, "lat", 90), lon: this.degrees(name, attributes, "lon", 180) };
    } else if (name === "rte") this.maker.begin("route");
    else if (name === "trk") this.maker.begin("track");
    else if (name === "trkseg") this.maker.segment();
  }

  degrees(element, attributes, name, most) {
    const text = attributes[name];
    if (text === undefined) throw this.reader.fault(`'${element}' has no '${name}'`);
    const value = NUMBER.test(text.trim()) ? Number(text) : NaN;
    const what = name === "lat" ? "latitude" : "longitude";
    if (!Number.isFinite(value)) throw this.reader.fault(`'${text}' is no ${what}`);
    if (Math.abs(value) > most) throw this.reader.fault(`the ${what} '${text}' is out of range`);
    return value;
  }

  text(text) {
    const name = this.path.at(-1);
    if (["ele", "time", "name", "sym"].includes(name)) this.text_ += text;
    else if (name !== "" && text.trim() !== "") throw this.reader.fault("there is a text between elements");
  }

  end() {
    const name = this.path.pop();
    const parent = this.path.at(-1);
    const text = this.text_.trim();
    if (name === "") return;
    if (POINTS.has(name)) {
      const { lon, lat, ele, time, name: title, sym } = this.point;
      if (name === "wpt") this.maker.place(lon, lat, title, sym);
      else this.maker.add(lon, lat, ele, time, title);
    } else if (name === "rte" || name === "trk") this.maker.end();
    else if (POINTS.has(parent)) this.property(name, text);
    else if (name === "name" && (parent === "rte" || parent === "trk")) this.maker.line.name ||= text;
    else if (name === "name") this.maker.name ||= text;
    this.text_ = "";
  }

  property(name, text) {
    if (text === "") return;
    if (name === "ele") {
      const value = NUMBER.test(text) ? Number(text) : NaN;
      if (!Number.isFinite(value)) throw this.reader.fault(`'${text}' is no elevation`);
      if (Math.abs(value) > 1e9) throw this.reader.fault(`the elevation '${text}' is out of range`);
      this.point.ele = value;
    } else if (name === "time") {
      this.point.time = readTime(text);
      if (this.point.time === undefined) throw this.reader.fault(`'${text}' is no time`);
    } else this.point[name] ??= text;
  }
}

/** A reader of GPX: text is pushed into it as it comes. */
export function gpxReader(maker) {
  const sink = new GPXSink(maker);
  const reader = new XMLReader(sink);
  sink.reader = reader;
  return reader;
}

/** The encoding that a document begins with: its mark, or what it declares. */
export function encodingOf(bytes) {
  const [a, b] = bytes;
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return "utf-16be";
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return "utf-16le";
  const head = String.fromCharCode(...bytes.slice(0, 200));
  const name = /^[^<]*<\?xml[^>]*encoding\s*=\s*["']([^"']*)["']/.exec(head)?.[1].toLowerCase() ?? "utf-8";
  if (!["utf-8", "utf8", "utf-16", "iso-8859-1", "us-ascii", "latin1", "windows-1252"].includes(name)) {
    throw new Fault(`line 1: the encoding '${name}' isn't known here; turn it into UTF-8`);
  }
  return name === "utf-16" ? "utf-8" : name;
}
