// Reads XML in chunks, and in it GPX 1.0 and 1.1 as it is found in practice.

// XML 1.0 in chunks, without document types: so there are no entities but XML's own, and a document can't expand or
// refer to anything outside. Faults give their line.

/** The maximum depth of elements, and length of a markup or a text. */
const [DEEPEST, LONGEST] = [64, 1 << 20];

const NAME = "[A-Za-z_:\\x80-\\uffff][\\w:.\\-\\x80-\\uffff]*";
const START = new RegExp(`<(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`, "y");
const END = new RegExp(`</(${NAME})\\s*>`, "y");
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "g");
/** The start of a tag that more text may complete. */
const UNFINISHED = /^<(?:[^<>"']|"[^"]*"|'[^']*')*(?:"[^"]*|'[^']*)?$/;
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f]/;
const own = { amp: "&", lt: "<", gt: ">", quot: "\"", apos: "'" };

/** A fault of a file, and its place. */
export class Fault extends Error {}

/** Calls `begin(name, attributes)`, `text(text)` and `end(name)` of `sink`. */
class XMLReader {
  constructor(sink) {
    this.sink = sink;
    this.rest = "";
    /** The line number of the rest. */
    this.lines = 1;
    this.at = 0;
    this.open = [];
    this.isOver = false;
  }

  /** A fault at the last piece read. */
  fault(reason) { return new Fault(`line ${this.lines + breaksIn(this.rest, 0, this.at)}: ${reason}`); }

  /** Reads all complete pieces; at the end all must be complete. */
  push(text, isLast = false) {
    this.rest += text;
    this.at = 0;
    while (this.at < this.rest.length && this.step(isLast));
    if (isLast) {
      if (this.at < this.rest.length) throw this.fault("the file ends within a tag, or a tag is malformed");
      if (this.open.length > 0) throw this.fault(`the file ends within <${this.open.at(-1)}>`);
      if (!this.isOver) throw this.fault("the file is empty");
    } else if (this.rest.length - this.at > LONGEST) throw this.fault("a tag or a text is longer than a mebibyte");
    this.lines += breaksIn(this.rest, 0, this.at);
    this.rest = this.rest.slice(this.at);
    this.at = 0;
  }

  /** Reads one piece; false if it is incomplete. */
  step(isLast) {
    const { rest, at } = this;
    if (rest[at] !== "<") {
      let end = rest.indexOf("<", at);
      if (end < 0 && !isLast) return false;
      if (end < 0) end = rest.length;
      this.text(rest.slice(at, end), true);
      this.at = end;
      return true;
    }
    if (rest.length - at < 9 && !isLast) return false;
    if (rest.startsWith("<!--", at)) return this.pass(4, "-->");
    if (rest.startsWith("<?", at)) return this.pass(2, "?>");
    if (rest.startsWith("<![CDATA[", at)) {
      const end = rest.indexOf("]]>", at + 9);
      if (end >= 0) this.text(rest.slice(at + 9, end), false);
      return this.pass(9, "]]>");
    }
    if (rest.startsWith("<!DOCTYPE", at)) throw this.fault("a document type (<!DOCTYPE) is refused: tracks need none");
    if (rest[at + 1] === "!") throw this.fault("there is '<!' and what follows is no comment");
    return this.tag(isLast);
  }

  pass(opening, closing) {
    const end = this.rest.indexOf(closing, this.at + opening);
    if (end < 0) return false;
    this.at = end + closing.length;
    return true;
  }

  tag(isLast) {
    const { rest, at } = this;
    const isEnd = rest[at + 1] === "/";
    const pattern = isEnd ? END : START;
    pattern.lastIndex = at;
    const found = pattern.exec(rest);
    if (!found) {
      // More text may complete it.
      if (!isLast && !UNFINISHED.test(rest.slice(at, at + LONGEST + 1))) throw this.fault("a tag is not XML");
      return false;
    }
    const name = found[1];
    if (isEnd) {
      if (this.open.at(-1) !== name) {
        throw this.fault(this.open.length > 0 ? `</${name}> stands where <${this.open.at(-1)}> is open` : "an end tag ends nothing");
      }
      this.open.pop();
      this.sink.end(name);
    } else {
      if (this.open.length === 0 && this.isOver) throw this.fault("there is a second element after the document's");
      if (this.open.length >= DEEPEST) throw this.fault(`elements are nested more than ${DEEPEST} deep`);
      this.isOver = true;
      this.sink.begin(name, this.attributes(found[2]));
      if (found[3]) this.sink.end(name);
      else this.open.push(name);
    }
    this.at += found[0].length;
    return true;
  }

  attributes(text) {
    const all = {};
    for (const [, name, double, single] of text.matchAll(ATTRIBUTE)) {
      if (Object.hasOwn(all, name)) throw this.fault("an element has two attributes of one name");
      all[name] = this.decode(double ?? single);
    }
    return all;
  }

  text(text, hasEntities) {
    if (this.open.length > 0) this.sink.text(hasEntities ? this.decode(text) : text);
    else if (text.trim() !== "") throw this.fault("there is text outside of the document's element");
  }

  decode(text) {
    if (CONTROL.test(text)) throw this.fault("a text holds a control character");
    if (!text.includes("&")) return text;
    return text.replace(/&([^;&]{0,12})(;?)/g, (all, name, end) => {
      if (end === "" || name === "") throw this.fault("an '&' begins no entity");
      if (Object.hasOwn(own, name)) return own[name];
      const number = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name);
      if (!number) throw this.fault(`the entity '${name}' isn't known; XML has amp, lt, gt, quot and apos alone`);
      const code = number[1] ? parseInt(number[1], 16) : Number(number[2]);
      if (code > 0x10ffff || (code < 32 && ![9, 10, 13].includes(code)) || (code >= 0xd800 && code < 0xe000) || code === 0xfffe || code === 0xffff) {
        throw this.fault("a character reference names no character that XML has");
      }
      return String.fromCodePoint(code);
    });
  }
}

function breaksIn(text, start, end) {
  let count = 0;
  for (let at = text.indexOf("\n", start); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)?$/;
const POINTS = new Set(["trkpt", "rtept", "wpt"]);
/** The allowed parents of GPX elements with places. */
const WITHIN = { gpx: ["wpt", "rte", "trk", "metadata"], rte: ["rtept"], trk: ["trkseg"], trkseg: ["trkpt"] };
const PLACED = new Set(["trkpt", "trkseg", "rtept", "wpt", "trk", "rte", "gpx", "metadata"]);

/** Milliseconds of a time in RFC 3339 or XML form; undefined if invalid. */
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

/** Receives XML events, and passes GPX content to a track maker. */
class GPXSink {
  constructor(maker) {
    this.maker = maker;
    this.prefix = null;
    /** The names of open elements; empty for ignored ones. */
    this.path = [];
    this.text_ = "";
  }

  begin(whole, attributes) {
    if (this.prefix === null) {
      this.prefix = whole.includes(":") ? whole.slice(0, whole.indexOf(":") + 1) : "";
      if (whole.slice(this.prefix.length) !== "gpx") throw this.reader.fault(`not GPX: the first element is '${whole}'`);
      this.path.push("gpx");
      return;
    }
    const parent = this.path.at(-1);
    const isOwn = whole.startsWith(this.prefix) && !whole.slice(this.prefix.length).includes(":") && !("xmlns" in attributes);
    let name = isOwn && parent !== "" ? whole.slice(this.prefix.length) : "";
    if (PLACED.has(name)) {
      if (!WITHIN[parent]?.includes(name)) {
        if (parent in WITHIN || POINTS.has(parent) || parent === "metadata") throw this.reader.fault(`'${name}' can't be in '${parent}'`);
        name = "";
      }
    } else if (parent === "trkseg" && name !== "" && name !== "extensions") throw this.reader.fault(`'${name}' can't be in 'trkseg'`);
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

/** A reader of GPX, to which text is pushed in chunks. */
export function gpxReader(maker) {
  const sink = new GPXSink(maker);
  const reader = new XMLReader(sink);
  sink.reader = reader;
  return reader;
}

/** The encoding of a document: by byte order mark or declaration. */
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
