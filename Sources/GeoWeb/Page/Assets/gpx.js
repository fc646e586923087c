// Reads GPX 1.0 and 1.1 as it is found in practice.

export class Fault extends Error {}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)?$/;

/** Milliseconds of a time in RFC 3339 or XML form; undefined if invalid. */
export function readTime(text) {
  const found = TIME.exec(text);
  if (!found) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (year < 1 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || hour > 24 || minute > 59 || second > 60) return undefined;
  if (hour === 24 && (minute > 0 || second > 0 || Number(found[7] ?? 0) > 0)) return undefined;
  date.setUTCHours(hour, minute, second, Number(`${found[7] ?? ""}000`.slice(0, 3)));
  const zone = found[8] && !/z/i.test(found[8]) ? found[8] : "+00:00";
  return date.getTime() - (zone[0] === "-" ? -1 : 1) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4))) * 60000;
}

const parts = (element, name) => [...element.children].filter((child) => child.localName === name && child.namespaceURI === element.namespaceURI);
const textOf = (element, name) => parts(element, name)[0]?.textContent.trim() ?? "";

/** A number within limits; undefined if it is empty or can't be used, which `maker` notes. */
function numberOf(text, what, most, maker) {
  if (text === "") return undefined;
  const value = NUMBER.test(text.trim()) ? Number(text) : NaN;
  if (Math.abs(value) <= most) return value;
  maker.leaveOut(Number.isNaN(value) ? `'${text}' is no ${what}` : `the ${what} '${text}' is out of range`);
  return undefined;
}

function readPoint(element, maker, add) {
  const [lat, lon] = [["lat", "latitude", 90], ["lon", "longitude", 180]].map(([name, what, most]) => {
    const text = element.getAttribute(name);
    if (text) return numberOf(text, what, most, maker);
    maker.leaveOut(`'${element.localName}' has no '${name}'`);
    return undefined;
  });
  const ele = numberOf(textOf(element, "ele"), "elevation", 1e9, maker);
  const written = textOf(element, "time");
  const time = written === "" ? undefined : readTime(written);
  if (written !== "" && time === undefined) maker.leaveOut(`'${written}' is no time`);
  if (lat !== undefined && lon !== undefined) add(lon, lat, ele, time, textOf(element, "name"), textOf(element, "sym"));
}

export function readGPX(text, maker) {
  if (text.includes("<!DOCTYPE")) throw new Fault("a document type (<!DOCTYPE) is refused: tracks need none");
  const read = new DOMParser().parseFromString(text, "application/xml");
  const wrong = read.querySelector("parsererror");
  if (wrong) {
    const [, line = "?", reason = "not XML"] = /line (?:number )?(\d+)(?: at column \d+: (.*?)(?=Below is|\n|$))?/i.exec(wrong.textContent) ?? [];
    throw new Fault(`line ${line}: ${reason}`);
  }
  const gpx = read.documentElement;
  if (gpx.localName !== "gpx") throw new Fault(`not GPX: the first element is '${gpx.nodeName}'`);
  maker.name ||= textOf(parts(gpx, "metadata")[0] ?? gpx, "name") || textOf(gpx, "name");
  for (const point of parts(gpx, "wpt")) readPoint(point, maker, (lon, lat, ele, time, name, sym) => maker.place(lon, lat, name, sym));
  const add = (...point) => maker.add(...point);
  for (const [kind, name, within, point] of [["route", "rte", null, "rtept"], ["track", "trk", "trkseg", "trkpt"]]) {
    for (const line of parts(gpx, name)) {
      maker.begin(kind, textOf(line, "name"));
      for (const segment of within ? parts(line, within) : [line]) {
        maker.segment();
        for (const place of parts(segment, point)) readPoint(place, maker, add);
      }
      maker.end();
    }
  }
}

export function encodingOf(bytes) {
  const [a, b] = bytes;
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return "utf-16be";
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return "utf-16le";
  const head = String.fromCharCode(...bytes.slice(0, 200));
  const name = /^[^<]*<\?xml[^>]*encoding\s*=\s*["']([^"']*)["']/.exec(head)?.[1].toLowerCase() ?? "utf-8";
  if (name === "utf-16") return "utf-8";
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw new Fault(`line 1: the encoding '${name}' isn't known here; turn it into UTF-8`);
  }
}
