// The scales of colours: classes of numbers between round bounds, and words with a colour each.
import { decoded } from "./address.js";
import { ageBounds, classBounds, classIn, numberBounds, wordsOfAge } from "./classes.js";
import { rawWithin, showBytes, showCount, showShare } from "./geo.js";
import { blend, hexOf, rgbOf } from "./palette.js";

// Colours, in the light and in the dark theme. Land colours keep names on them readable; files, without names on them,
// are stronger.
export const ramps = {
  land: [["#fdf7e3", "#fae7b9", "#f5d096", "#ecb67f", "#dd9d7b", "#cc8d86"], ["#2a3138", "#363b52", "#4b4462", "#60505f", "#705850", "#735b33"]],
  file: [["#fdf0c0", "#f3d184", "#d9ab6c", "#a9846a", "#6f6269", "#3a4368"], ["#2b3350", "#4b5275", "#77708a", "#ab9185", "#dcb777", "#fbe7a1"]],
  // Of land and files alike: distances are at least 16 (CIE76) on land, also with one type of cones missing, and lightness
  // (L*) differs by 7.
  alike: [["#f6f7f0", "#fad5b2", "#f5b274", "#ee8494", "#ba6f9d"], ["#212325", "#1e3651", "#4e3e81", "#854c5d", "#7e7038"]],
  // Two arms, of which the ends are the same in grey.
  arms: [["#6f9fd8", "#a9c6ea", "#dbe7f3", "#f6e6d0", "#efba84", "#dd8a52"], ["#2f6db0", "#27507d", "#22374d", "#3f3328", "#6b4a22", "#96601c"]],
};
/** The colours of words, the first for the largest share, and of all others; checked to be told apart as types of files are. */
export const wordColours = [["#1896fc", "#e7be40", "#dd65ba", "#20bc67", "#af8001", "#abb2f4", "#9c52be", "#b4eb89", "#0f8651", "#7deff7"],
  ["#7a89fc", "#e4ac3a", "#50894f", "#ee6ca9", "#b2ba8d", "#852e79", "#9a7309", "#d9a0f1", "#8e1c16", "#1944a4"]];
export const otherWord = ["#9a9790", "#6b6966"];
/** How strong the colour of a word is on land with that word alone, and the part of it on land with all words. */
const [STRENGTHS, WEAKEST] = [[0.8, 0.52], 0.25];
const MAXIMUM_BOUNDS = 6;
const usual = { size: [1e5, 1e6, 1e7, 1e8, 1e9], age: [7, 30, 365, 1825] };
const DAY = 86400;

/** The colour of a class on a ramp: first and last are the ramp's, for any number of classes. */
function colourOn(ramp, index, last) {
  const at = (index * (ramp.length - 1)) / Math.max(1, last);
  if (last < ramp.length) return ramp[Math.round(at)];
  const low = Math.floor(at);
  return hexOf(blend(rgbOf(ramp[low]), rgbOf(ramp[Math.min(low + 1, ramp.length - 1)]), at - low));
}

export function showValue(value, isRatio = false) {
  if (typeof value === "string") return value;
  if (isRatio && value >= 0 && value <= 1) return showShare(value);
  if (Number.isInteger(value) || Math.abs(value) >= 1e6) return value.toLocaleString("en", { maximumSignificantDigits: Math.abs(value) >= 1e9 ? 3 : 9 });
  return String(Number(value.toPrecision(3)));
}

/** What is known of the values that are undefined: that there are none, or nothing yet. */
const lacking = (thing, isLand) => (isLand && thing.files === undefined ? "unknown" : "none");

/** Classes between bounds. A subclass says which `value` a land or file has, how bounds are chosen and said, and its ramps. */
class NumberScale {
  isAlike = true;
  landRamp = ramps.alike;
  fileRamp = ramps.alike;

  /** `given` has the bounds of an address, if there are any. */
  constructor(mode, given) {
    this.mode = mode;
    const bounds = given.map(Number).filter((bound) => Number.isFinite(bound) && (bound > 0 || mode.startsWith("layer."))).sort((a, b) => a - b);
    this.isGiven = bounds.length > 0;
    this.bounds = this.isGiven ? bounds.slice(0, MAXIMUM_BOUNDS) : usual[mode] ?? [];
  }

  get key() { return this.bounds.join(); }
  get link() { return `${this.mode}:${this.bounds.map((bound) => String(+bound.toPrecision(6))).join()}`; }

  /** Fits the classes to what is in view; returns whether they changed. */
  classify({ lands, own }) {
    const values = (things, isLand) => things.map((thing) => this.value(thing, isLand)).filter((value) => value !== undefined);
    const bounds = this.boundsOf(values(lands, true), values(own, false));
    const isChanged = bounds.join() !== this.key;
    this.bounds = bounds;
    return isChanged;
  }

  classOf(thing, isLand = true) {
    if (this.isEmpty(thing)) return "empty";
    const value = this.value(thing, isLand);
    return value === undefined ? this.lacking(thing, isLand) : classIn(this.bounds, value);
  }

  isEmpty({ files }) { return files === 0; }
  lacking() { return "unknown"; }
  /** The place of a class on the ramp. */
  placeOf(found) { return found; }
  ramp(which, isDark) { return which[isDark ? 1 : 0]; }
  colour(which, found, isDark) { return colourOn(this.ramp(which, isDark), this.placeOf(found), this.bounds.length); }
  shade(found, land, isDark) { return this.colour(this.landRamp, found, isDark); }

  file(file, { isDark }) {
    const value = this.value(file, false);
    return value === undefined ? undefined : this.colour(this.fileRamp, classIn(this.bounds, value), isDark);
  }

  rows({ isDark }) {
    const { bounds } = this;
    return Array.from({ length: bounds.length + 1 }, (_, found) => [this.colour(this.landRamp, found, isDark), this.words(found),
      this.isAlike ? undefined : this.colour(this.fileRamp, found, isDark), found]);
  }
}

class SizeScale extends NumberScale {
  isAlike = false;
  landRamp = ramps.land;
  fileRamp = ramps.file;
  value(thing, isLand) { return isLand ? thing.bytes : thing.size ?? thing.bytes; }
  isEmpty({ files, bytes }) { return files === 0 || bytes === 0; }
  boundsOf(lands) { return classBounds(lands); }
  words(found) {
    const { bounds } = this;
    return found < bounds.length ? `under ${showBytes(bounds[found])} in all` : bounds.length > 0 ? `${showBytes(bounds.at(-1))} or more` : "with bytes";
  }
}

class AgeScale extends NumberScale {
  now = Date.now() / 1000;

  value(thing, isLand) {
    const time = isLand ? thing.newest : thing.modified;
    return time === undefined ? undefined : (this.now - time) / DAY;
  }

  boundsOf(lands) { return ageBounds(lands); }
  // The youngest are emphasized.
  placeOf(found) { return this.bounds.length - found; }
  words(found) {
    const { bounds } = this;
    if (found === bounds.length) return bounds.length > 0 ? "longer ago" : "all about equally old";
    return `${found === 0 ? "changed within " : "within "}${wordsOfAge(bounds[found])}`;
  }
}

class LayerScale extends NumberScale {
  constructor(mode, given, { name, how }) {
    super(mode, given);
    Object.assign(this, { name, isRatio: how === "ratio" });
  }

  value(thing) { return thing.layers?.[this.name]; }
  isEmpty() { return false; }
  lacking(thing, isLand) { return lacking(thing, isLand); }
  boundsOf(lands, files) { return numberBounds([...lands, ...files], this.isRatio); }
  ramp(which, isDark) { return super.ramp(this.bounds.includes(0) && this.bounds[0] < 0 ? ramps.arms : which, isDark); }
  file(file, palette) { return super.file(file, palette) ?? palette.theme.unknown; }

  words(found) {
    const { bounds } = this;
    const show = (bound) => showValue(bound, this.isRatio);
    if (bounds.length === 0) return "all values";
    if (found === 0) return `under ${show(bounds[0])}`;
    return found === bounds.length ? `${show(bounds.at(-1))} or more` : `${show(bounds[found - 1])} to ${show(bounds[found])}`;
  }
}

/** Words of a layer: those of most of the amounts in view have colours of their own. */
class WordScale {
  isAlike = true;

  constructor(mode, given, { name }) {
    Object.assign(this, { mode, name });
    this.all = given.map(decoded).filter((word) => word !== null).slice(0, wordColours[0].length);
    this.isGiven = this.all.length > 0;
    /** Whether the words in view have more than these. */
    this.hasOther = this.all.length === wordColours[0].length;
  }

  get key() { return this.all.join("\n"); }
  get link() { return `${this.mode}:${this.all.map((word) => encodeURIComponent(word)).join()}`; }

  /** Words of the level come first, then those that only land and large files within its lands have. */
  classify({ lands, own, inner = [], amount }) {
    const words = (things) => {
      const sums = new Map();
      for (const thing of things) {
        const word = thing.layers?.[this.name];
        if (word !== undefined) sums.set(word, (sums.get(word) ?? 0) + (amount(thing) ?? 1) * this.share(thing));
      }
      return [...sums].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word);
    };
    const before = this.key;
    const all = [...new Set([...words([...lands, ...own]), ...words(inner)])];
    this.hasOther = all.length > wordColours[0].length;
    this.all = all.slice(0, wordColours[0].length);
    return this.key !== before;
  }

  share({ layers }) { return layers[`${this.name}_share`] ?? 1; }

  classOf(thing, isLand = true) {
    const word = thing.layers?.[this.name];
    if (word === undefined) return lacking(thing, isLand);
    const found = this.all.indexOf(word);
    return found < 0 ? "other" : found;
  }

  colour(found, isDark) { return (found === "other" ? otherWord : [wordColours[0][found], wordColours[1][found]])[isDark ? 1 : 0]; }

  /** Paler than files, the more so the smaller the share of the word. */
  shade(found, land, isDark, theme) {
    const strength = STRENGTHS[isDark ? 1 : 0] * (WEAKEST + (1 - WEAKEST) * this.share(land));
    return hexOf(blend(rgbOf(isDark ? theme.land : "#ffffff"), rgbOf(this.colour(found, isDark)), strength));
  }

  file(file, { isDark, theme }) {
    return file.layers?.[this.name] === undefined ? theme.unknown : this.colour(this.classOf(file), isDark);
  }

  rows({ isDark, theme }) {
    const whole = { layers: {} };
    const row = (found, words) => [this.shade(found, whole, isDark, theme), words, this.colour(found, isDark), found];
    return [...this.all.map((word, found) => row(found, word)), ...(this.hasOther ? [row("other", "other")] : [])];
  }
}

/** The scale of a mode as in an address, perhaps with its classes; null for a mode without one. */
export function scaleOf(link, all) {
  const at = link.indexOf(":");
  const mode = at < 0 ? link : link.slice(0, at);
  const given = at < 0 ? [] : link.slice(at + 1).split(",").filter(Boolean);
  if (mode === "size") return new SizeScale(mode, given);
  if (mode === "age") return new AgeScale(mode, given);
  const layer = mode.startsWith("layer.") && all.find(({ name }) => name === mode.slice(6));
  if (!layer) return null;
  return layer.kind === "word" ? new WordScale(mode, given, layer) : new LayerScale(mode, given, layer);
}

const LARGEST = 14; // how many of the largest files are known

/** A file of a summary, which has a path only if there are several roots. */
export function withPath(summary, file) {
  return file.path === undefined ? { ...file, path: `${summary.path}/${file.name}`, rawPath: rawWithin(summary, file) } : file;
}

/** What sizes mean if not bytes: files, or a layer that adds up. */
class Sizes {
  constructor(name) { this.name = name; }

  /** The amount of a land or file, or of all in view; undefined if unknown. */
  amount(thing) {
    if (!thing) return undefined;
    const { kind, files, layers } = thing;
    const isUnknown = files === undefined && kind !== undefined && kind !== "poi";
    // What has no value adds nothing.
    if (this.name !== "files") return layers?.[this.name] ?? (isUnknown ? undefined : 0);
    return files ?? (kind === "poi" || (kind === undefined && thing.lon !== undefined) ? 1 : undefined);
  }

  show(amount) { return this.name === "files" ? showCount(amount, "file", "files") : `${showValue(amount)} ${this.name}`; }
  get words() { return this.name === "files" ? "its number of files" : `its ${this.name}`; }

  /** The summary in the order of these sizes. Only own files are known by them. */
  arranged(summary) {
    const { lands = [], own = [] } = summary;
    const sorted = (things) => things.map((thing, index) => [thing, this.amount(thing) ?? -1, index]).sort((a, b) => b[1] - a[1] || a[2] - b[2]).map(([thing]) => thing);
    const files = sorted(own);
    const largest = this.name === "files" ? [] : files.slice(0, LARGEST).filter((file) => this.amount(file) > 0).map((file) => withPath(summary, file));
    return { ...summary, lands: sorted(lands), own: files, largest };
  }
}

/** What sizes mean: null for bytes, and for the name of no layer that adds up. */
export function sizesOf(name, all) {
  return name === "files" || all.some((layer) => layer.name === name && layer.how === "sum") ? new Sizes(name) : null;
}
