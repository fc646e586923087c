// Numbers and words, order, distances, paths, rings, elements of the page.

/** The distance of two places in metres, on a sphere with the Earth's mean radius. */
export function distance(a, b) {
  const rad = Math.PI / 180;
  const [dLat, dLon] = [(b.lat - a.lat) * rad, (b.lon - a.lon) * rad];
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin(dLon / 2) ** 2;
  return 2 * 6371008.8 * Math.asin(Math.min(1, Math.sqrt(h)));
}

export function showDistance(metres) {
  const units = [[1000, "km"], [1, "m"], [0.01, "cm"], [0.001, "mm"], [1e-6, "µm"]];
  const [size, unit] = units.find(([size]) => metres >= size) ?? units.at(-1);
  const value = metres / size;
  return `${value >= 100 ? showNumber(Math.round(value)) : +value.toPrecision(3)} ${unit}`;
}

export function showBytes(count) {
  if (count < 1000) return showCount(count, "byte", "bytes");
  const units = ["kB", "MB", "GB", "TB", "PB"];
  let value = count / 1000;
  let unit = 0;
  for (; value >= 999.5 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${value.toPrecision(3)} ${units[unit]}`;
}

let amountWords = showBytes;

export function showAmount(amount) { return amountWords(amount); }

/** Sets what sizes mean: `show` puts an amount in words. */
export function meanAmounts(show = showBytes) { amountWords = show; }

/** A whole number, grouped by thousands; the browser's own formatter is slow to start. */
export function showNumber(number) { return String(number).replace(/\B(?=(\d{3})+$)/g, ","); }
export function showCount(count, one, many) { return `${showNumber(count)} ${count === 1 ? one : many}`; }

/** A part of 1 as a percentage with at most three digits. */
export function showShare(part) {
  const percent = Math.min(1, part) * 100;
  if (percent > 0 && percent < 0.01) return "< 0.01 %";
  return `${percent >= 99.95 && percent < 100 ? "> 99.9" : +percent.toFixed(percent < 1 ? 2 : percent < 10 ? 1 : percent < 99 ? 0 : 1)} %`;
}

export function showTime(seconds) {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return "unknown";
  const two = (number) => String(number).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The longitude and latitude of a feature. */
export const placeOf = ({ properties, geometry }) => (properties.lon === undefined ? geometry.coordinates : [properties.lon, properties.lat]);

/** What identifies a node: its path, or its bytes percent-encoded if not UTF-8. */
export const keyOf = ({ path, rawPath }) => rawPath ?? path;
export function nameOf(path) { return path.slice(path.lastIndexOf("/") + 1); }

export function parentOf(path) {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** The bytes of an entry's path, percent-encoded, if it or its folder is not UTF-8. */
export function rawWithin({ path, rawPath }, { name, rawName }) {
  if (!rawPath && !rawName) return undefined;
  const folder = rawPath ?? encodeURIComponent(path).replaceAll("%2F", "/");
  return `${folder}/${rawName ?? encodeURIComponent(name)}`;
}

export const encoder = new TextEncoder();

/** The bytes of a text; `raw` has them percent-encoded if they are not UTF-8. */
export function bytesOf(text, raw) {
  if (!raw) return encoder.encode(text);
  return Uint8Array.from((raw.match(/%[0-9a-fA-F]{2}|./gsu) ?? []).flatMap((part) => (part.length === 3 ? parseInt(part.slice(1), 16) : [...encoder.encode(part)])));
}

/** What a function returns, or something else if it throws. */
export function attempt(act, other = null) {
  try {
    return act();
  } catch {
    return other;
  }
}

/** The value of a key in a map, made if it is new; the oldest of `most` goes for it. */
export function keptIn(map, key, make, most = Infinity) {
  if (!map.has(key)) {
    if (map.size >= most) map.delete(map.keys().next().value);
    map.set(key, make());
  }
  return map.get(key);
}

/** The same for a promise, made again after a failure. */
export function promisedIn(map, key, make, most) {
  return keptIn(map, key, () => {
    const promise = make();
    promise.catch(() => map.delete(key));
    return promise;
  }, most);
}

/** A well-mixed 32-bit number for up to three others. */
export function mix(a, b = 0, c = 0) {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b ^ 0x165667b1, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15) ^ c, 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return (h ^ (h >>> 15)) >>> 0;
}

export function hashText(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return mix(h, text.length);
}

export function clamp(value, low, high) { return Math.max(low, Math.min(high, value)); }

/**
 * Makes an element; text is never parsed as HTML. Attributes and children that are undefined or false, and null children, are left
 * out. Children come first, so that a select knows its value. A button submits no form.
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  if (tag === "button") element.type = tag;
  element.append(...listed(children));
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style" || name === "dataset") Object.assign(element[name], value);
    else if (PROPERTIES.includes(name)) element[name] = value;
    else if (value !== false) element.setAttribute(name, value);
  }
  return element;
}

const PROPERTIES = ["checked", "hidden", "value"];

const listed = (children) => children.flat().filter((child) => child !== undefined && child !== null && child !== false);

export function canvasOf(width, height = width, draw = undefined) {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  draw?.(canvas.getContext("2d"));
  return canvas;
}

export function barOf(part, kind = undefined) {
  return make("span", { class: "bar" }, make("span", { class: kind, style: { width: `${100 * part}%` } }));
}

/** Lets the browser go on with everything else. */
export function pause() { return new Promise((next) => setTimeout(next)); }

/** Begins a path along points. */
export function trace(pen, ...points) {
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
}

/** Strokes separate lines, each with x and y of both ends. */
export function strokeLines(pen, colour, width, ...lines) {
  pen.beginPath();
  for (const [x0, y0, x1, y1] of lines) {
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y1);
  }
  strokeIn(pen, colour, width);
}

/** Strokes a path several times, each with a width and an opacity. */
export function strokeAll(pen, colour, strokes, path) {
  for (const [width, alpha] of strokes) {
    pen.globalAlpha = alpha;
    strokeIn(pen, colour, width, path);
  }
  pen.globalAlpha = 1;
}

/** Begins a path with a circle. */
export function circle(pen, x, y, r) {
  pen.beginPath();
  pen.arc(x, y, r, 0, 2 * Math.PI);
}

/** A button that copies a text, and says so; if copying is forbidden, `select` selects the text and `hint` says what to do. */
export function copyButton(word, text, hint, select = () => {}) {
  const button = make("button", { class: "chip", onclick: async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = "Copied";
    } catch {
      select();
      button.textContent = hint;
    }
    setTimeout(() => { button.textContent = word; }, 2000);
  } }, word);
  return button;
}

export function saveBlob(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function optionsOf(choices) { return choices.map(([value, word]) => make("option", { value }, word)); }

export function boxesOnPage(elements) {
  return elements.map((element) => element.getBoundingClientRect()).filter(({ width }) => width > 0)
    .map(({ left, top, right, bottom }) => [left - 3, top - 3, right + 3, bottom + 3]);
}

/** The lines of a text without white space around them, and without empty ones. */
export function* linesIn(text) {
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf("\n", start);
    if (end < 0) end = text.length;
    const line = text.slice(start, end).trim();
    if (line !== "") yield line;
  }
}

/** Whether overlays cover the whole window because it is narrow. */
export function isNarrow() { return innerWidth <= 640; }
export function byId(id) { return document.getElementById(id); }

/** Fits a canvas to its element, and returns its context, scaled to page pixels. */
export function penOf(canvas) {
  const ratio = Math.min(3, globalThis.devicePixelRatio || 1);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  [canvas.width, canvas.height] = [width, height].map((side) => Math.round(side * ratio));
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  return { pen, width, height };
}

export function strokeIn(pen, colour, width, ...path) {
  [pen.strokeStyle, pen.lineWidth] = [colour, width];
  pen.stroke(...path);
}

export function strokeDashed(pen, colour, width, dash, ...path) {
  pen.setLineDash(dash);
  strokeIn(pen, colour, width, ...path);
  pen.setLineDash([]);
}

export function fillIn(pen, colour, ...path) {
  pen.fillStyle = colour;
  pen.fill(...path);
}

export function fillAndStroke(pen, fill, stroke, width) {
  fillIn(pen, fill);
  strokeIn(pen, stroke, width);
}

/** An empty box: minimum x and y, then maximum. */
export const emptyBox = () => [Infinity, Infinity, -Infinity, -Infinity];

export function extend(box, x, y) {
  box[0] = Math.min(box[0], x);
  box[1] = Math.min(box[1], y);
  box[2] = Math.max(box[2], x);
  box[3] = Math.max(box[3], y);
}

export function boxOfRings(rings) {
  let [west, north, east, south] = emptyBox();
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      const x = ring[i];
      const y = ring[i + 1];
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < north) north = y;
      if (y > south) south = y;
    }
  }
  return [west, north, east, south];
}

export function boxOfBoxes(boxes) { return boxes.length > 0 ? boxOfRings(boxes) : null; }

export function boxOfPlaces(numbers, xs, ys) {
  const box = emptyBox();
  for (const i of numbers) extend(box, xs[i], ys[i]);
  return box;
}

/** Whether two boxes share more than an edge. */
export function overlap(a, b) { return a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1]; }

/** Twice the area of a ring, with a sign by its direction. */
export function areaOf(ring) {
  let sum = 0;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) sum += ring[j] * ring[i + 1] - ring[i] * ring[j + 1];
  return sum;
}

/** Whether a ring (x and y in turn) contains a point. */
export function contains(ring, x, y) {
  let inside = false;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    if (ring[i + 1] > y !== ring[j + 1] > y &&
      x < ((ring[j] - ring[i]) * (y - ring[i + 1])) / (ring[j + 1] - ring[i + 1]) + ring[i]) inside = !inside;
  }
  return inside;
}

/** A ring, clipped to a box (Sutherland and Hodgman, 1974); its ranges across and down are the same by default. */
export function clipRing(ring, across, down = across) {
  let points = ring;
  for (const [axis, limit, sign] of [[0, across[0], 1], [0, across[1], -1], [1, down[0], 1], [1, down[1], -1]]) {
    const cut = [];
    for (let i = 0; i < points.length; i += 2) {
      const j = (i + points.length - 2) % points.length;
      const here = (points[i + axis] - limit) * sign;
      const before = (points[j + axis] - limit) * sign;
      if (here >= 0 !== before >= 0) {
        const t = before / (before - here);
        cut.push(points[j] + (points[i] - points[j]) * t, points[j + 1] + (points[i + 1] - points[j + 1]) * t);
      }
      if (here >= 0) cut.push(points[i], points[i + 1]);
    }
    points = cut;
  }
  return points.length >= 6 ? points : [];
}

// Order: binary search in sorted numbers, and texts in map order.

/** The first number from `low` to `high` for which a condition is false that holds for all before it. */
export function firstWithout(low, high, holds) {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The index of the last number not above a value, or −1. */
export function lastUpTo(numbers, value, count = numbers.length) { return firstWithout(0, count, (at) => numbers[at] <= value) - 1; }

/** The index of the first number not below a value, or the count. */
export function firstFrom(numbers, value) { return firstWithout(0, numbers.length, (at) => numbers[at] < value); }

/** Compares texts by their UTF-8 bytes: negative, 0 or positive. */
export function byBytes(a, b) {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const [unit, other] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (unit !== other) return rankOfUnit(unit) - rankOfUnit(other);
  }
  return a.length - b.length;
}

/** Surrogates sort after all other units. */
function rankOfUnit(unit) { return unit >= 0xd800 && unit < 0xe000 ? unit + 0x2800 : unit; }
