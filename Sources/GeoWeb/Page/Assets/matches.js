// The rules of the filter view, as pure functions: matches, their order and brightness.
import { byBytes, bytesOf, clamp, encoder, keptIn, parentOf } from "./geo.js";
import { fileType } from "./palette.js";

const STAR = -1;
const UNCLOSED = "a '[' lacks its ']'; for the character itself write '\\['";
const [SLASH, ESCAPE, ASTERISK, ANY, OPEN, CLOSE] = [..."/\\*?[]"].map((sign) => sign.charCodeAt(0));

const range = (low, high) => Array.from({ length: high - low + 1 }, (_, index) => low + index);
const [digits, upper, lower, graphic] = [range(48, 57), range(65, 90), range(97, 122), range(33, 126)];
const classes = {
  alnum: [...digits, ...upper, ...lower], alpha: [...upper, ...lower], blank: [32, 9], cntrl: [...range(0, 31), 127],
  digit: digits, graph: graphic, lower, print: range(32, 126), space: [32, 9, 10, 13], upper,
  punct: graphic.filter((byte) => ![...digits, ...upper, ...lower].includes(byte)),
  xdigit: [...digits, ...range(97, 102), ...range(65, 70)],
};

function foldCase(set) {
  for (let byte = 65; byte <= 90; byte += 1) set[byte] = set[byte + 32] = set[byte] | set[byte + 32];
  return set;
}

function readSet(bytes, start) {
  const set = new Uint8Array(256);
  let at = start;
  const isNegated = bytes[at] === 33 || bytes[at] === 94;
  if (isNegated) at += 1;
  let previous = null;
  const member = () => {
    if (bytes[at] === ESCAPE) at += 1;
    if (at >= bytes.length) throw new Error(UNCLOSED);
    return bytes[at++];
  };
  do {
    if (at >= bytes.length) throw new Error(UNCLOSED);
    if (bytes[at] === 45 && previous !== null && at + 1 < bytes.length && bytes[at + 1] !== CLOSE) {
      at += 1;
      const high = member();
      for (let byte = previous; byte <= high; byte += 1) set[byte] = 1;
      previous = null;
    } else if (bytes[at] === OPEN && bytes[at + 1] === 58) {
      const end = bytes.indexOf(CLOSE, at + 2);
      if (end < 0) throw new Error(UNCLOSED);
      if (end > at + 2 && bytes[end - 1] === 58) {
        const members = classes[String.fromCharCode(...bytes.slice(at + 2, end - 1))];
        if (!members) throw new Error("there is no such class in '[[:…:]]'");
        for (const byte of members) set[byte] = 1;
        previous = null;
        at = end + 1;
      } else {
        previous = OPEN;
        set[previous] = 1;
        at += 1;
      }
    } else {
      previous = member();
      set[previous] = 1;
    }
  } while (bytes[at] !== CLOSE);
  foldCase(set);
  if (isNegated) set.forEach((value, byte) => { set[byte] = 1 - value; });
  set[SLASH] = 0;
  return { set, end: at + 1 };
}

function literal(byte) {
  const set = new Uint8Array(256);
  set[byte] = 1;
  return foldCase(set);
}

/** Parses a glob, or a part of a name, as the server does, ignoring the case of ASCII: for each step the accepted bytes, or `STAR`. Throws if invalid. */
export function readGlob(text) {
  const bytes = [...encoder.encode(text)];
  if (bytes.includes(SLASH)) throw new Error("a name has no '/' in it");
  if (!bytes.some((byte) => [ASTERISK, ANY, OPEN, ESCAPE].includes(byte))) return [STAR, ...bytes.map(literal), STAR];
  const steps = [];
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] === ASTERISK) {
      if (steps.at(-1) !== STAR) steps.push(STAR);
      at += 1;
    } else if (bytes[at] === ANY) {
      steps.push(new Uint8Array(256).fill(1));
      at += 1;
    } else if (bytes[at] === OPEN) {
      const { set, end } = readSet(bytes, at + 1);
      steps.push(set);
      at = end;
    } else {
      if (bytes[at] === ESCAPE) at += 1;
      if (at >= bytes.length) throw new Error("nothing follows the last '\\'; for the character itself write '\\\\'");
      steps.push(literal(bytes[at]));
      at += 1;
    }
  }
  return steps;
}

/** Whether all bytes match; the work is at most steps times bytes. */
export function matchesGlob(steps, bytes) {
  let [at, step, star, from] = [0, 0, -1, 0];
  while (at < bytes.length) {
    if (step < steps.length && steps[step] === STAR) {
      [star, from] = [step, at];
      step += 1;
    } else if (step < steps.length && steps[step][bytes[at]]) {
      at += 1;
      step += 1;
    } else if (star >= 0) {
      from += 1;
      [at, step] = [from, star + 1];
    } else return false;
  }
  while (steps[step] === STAR) step += 1;
  return step === steps.length;
}

export const nothing = { name: "", type: "", size: "", age: "" };

export function isAsked(wanted) { return Object.keys(nothing).some((key) => (wanted[key] ?? "") !== ""); }

/** Bounds of a size: `+N` is more than N bytes, `-N` fewer, `=N` exactly. */
function sizeBounds(text) {
  const value = Number(text.slice(1));
  if (!/^[-+=][0-9]+$/.test(text)) throw new Error("a size is a sign and a number of bytes");
  if (text[0] === "+") return [value + 1, Infinity];
  return text[0] === "-" ? [0, value - 1] : [value, value];
}

/** The bounds of size and time of a filter: `least`, `most`, `newer` and `older`, undefined without the condition. */
export function boundsOf(wanted, now) {
  const [least, most] = wanted.size ? sizeBounds(wanted.size) : [];
  return { least, most, ...timesOf(wanted, now) };
}

/** Returns a function that tests a file; unknown values don't match. An age of `+D` means not modified for D days, `-D` modified since; `now` is in Unix seconds. */
export function fitterOf(wanted, now) {
  const steps = wanted.name ? readGlob(wanted.name) : null;
  const { least, most, newer, older } = boundsOf(wanted, now);
  return ({ name, rawName, size, modified, special }) => {
    if (wanted.type && fileType(name, special) !== wanted.type) return false;
    if (wanted.size && !(size >= least && size <= most)) return false;
    if (newer !== undefined && !(modified > newer)) return false;
    if (older !== undefined && !(modified < older)) return false;
    return !steps || matchesGlob(steps, bytesOf(name, rawName));
  };
}

export function timesOf({ age }, now) {
  if (!age) return {};
  if (!/^[-+][0-9]+$/.test(age)) throw new Error("an age is a sign and a number of days");
  const time = Math.floor(now) - Number(age.slice(1)) * 86400;
  return age[0] === "+" ? { older: time } : { newer: time };
}

/** The brightness of matches that have a part of the bytes of all, 0 to 1: all have the maximum, the least are visible. */
export function brightness(part) { return clamp(1 + 0.16 * Math.log10(part), 0.2, 1); }

/** The part of all matches that some have, as `files` and `bytes`: of their bytes, or if none has any, of their number. */
export function partOf(some, all) { return all.bytes > 0 ? some.bytes / all.bytes : some.files / all.files; }
const byFileName = (a, b) => byBytes(a.name, b.name) || byBytes(a.path, b.path);

export const matchOrders = {
  size: (a, b) => (b.size ?? -1) - (a.size ?? -1) || byFileName(a, b),
  newest: (a, b) => (b.modified ?? -Infinity) - (a.modified ?? -Infinity) || byFileName(a, b),
  oldest: (a, b) => (a.modified ?? Infinity) - (b.modified ?? Infinity) || byFileName(a, b),
  name: byFileName,
};

export class MatchCounts {
  constructor() { Object.assign(this, { folders: new Map(), all: { files: 0, bytes: 0 } }); }

  add(path, files, bytes) {
    const folders = [this.of(path).own, this.all];
    for (let at = path; at !== ""; at = parentOf(at)) folders.push(this.of(at));
    for (const sums of folders) {
      sums.files += files;
      sums.bytes += bytes;
    }
  }

  of(path) {
    return keptIn(this.folders, path, () => {
      const parent = parentOf(path);
      if (parent !== "") this.of(parent).inner.push(path);
      return { files: 0, bytes: 0, own: { files: 0, bytes: 0 }, inner: [] };
    });
  }

  /** The matches below a folder that nothing on the map represents yet; `isShown` tests a sub-folder, `showsFiles` its own files. */
  hidden(path, isShown, showsFiles) {
    const sum = { files: 0, bytes: 0 };
    const folder = this.folders.get(path);
    if (!folder) return sum;
    const hidden = folder.inner.filter((inner) => !isShown(inner)).map((inner) => this.folders.get(inner));
    for (const { files, bytes } of showsFiles ? hidden : [folder.own, ...hidden]) {
      sum.files += files;
      sum.bytes += bytes;
    }
    return sum;
  }
}
