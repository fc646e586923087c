// The legend: sizes of symbols, signs, and colours with the number of folders that have them.
import { make, showBytes, showCount } from "./geo.js";
import { colourBox } from "./groundsigns.js";

const SAMPLE = { width: 26, height: 20 };
const GAP = 5; // pixels between the largest circle and the words

/** A small canvas with a drawing of the middle at `draw(pen, x, y)`. */
export function sample(draw, { width, height } = SAMPLE) {
  const ratio = Math.min(3, globalThis.devicePixelRatio || 1);
  const canvas = make("canvas", { width: Math.round(width * ratio), height: Math.round(height * ratio), "aria-hidden": "true" });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  draw(pen, width / 2, height / 2);
  return canvas;
}

/** Circles of round sizes, each within the next larger, with lines to their words. */
function references(all, palette) {
  const largest = Math.max(...all.map(({ radius }) => radius));
  const height = Math.ceil(2 * largest) + 12;
  const width = Math.ceil(2 * largest) + 24;
  const tops = [];
  for (const { radius } of all) tops.push(Math.max(height - 4 - 2 * radius, (tops.at(-1) ?? -Infinity) + 14, 6));
  const canvas = sample((pen) => {
    pen.strokeStyle = palette.theme.circlerim;
    all.forEach(({ radius }, index) => {
      const [middle, top] = [largest + 2, height - 4 - 2 * radius];
      pen.beginPath();
      pen.arc(middle, height - 4 - radius, radius, 0, Math.PI * 2);
      pen.moveTo(middle, top);
      pen.lineTo(2 * largest + 10, tops[index]);
      pen.lineTo(width, tops[index]);
      pen.stroke();
    });
  }, { width, height });
  const words = all.map(({ amount }, index) => {
    const word = make("span", {}, showBytes(amount));
    Object.assign(word.style, { left: `${width + GAP}px`, top: `${tops[index] - 8}px` });
    return word;
  });
  return make("div", { class: "references", role: "group", "aria-label": "Areas of circles" }, canvas, ...words);
}

/** Two bars. */
function bars(both) {
  return (pen, x, y) => both.forEach((colour, index) => {
    pen.fillStyle = colour;
    pen.fillRect(x - 11, y - 5 + index * 7, 22 - index * 8, 3);
  });
}

/** The rows of colours: of the present classes, with the number of folders at the level that have each. */
function colours({ level, palette }) {
  const lands = level.current?.lands ?? [];
  const { mode, theme } = palette;
  const has = (colour, word) => (land) => (mode === "type" && colour !== theme.unknown ? land.type === word : palette.shade(land) === colour);
  return palette.legend.flatMap(([colour, word]) => {
    const number = mode === "kind" ? 0 : lands.filter(has(colour, word)).length;
    if (colour === theme.unknown && number === 0) return [];
    return [make("li", {}, sample(colourBox([colour].flat(), 11, 7)), make("span", {}, word),
      ...(number > 0 ? [make("span", { class: "soft number" }, showCount(number, "folder", "folders"))] : []))];
  });
}

/** The legend of what is drawn now, as a section. */
export function legend(page) {
  const { level, palette } = page;
  const { theme } = palette;
  const { references: circles, signs } = level.signs();
  const rows = signs.map(({ words, draw }) => make("li", {}, sample(draw), make("span", {}, words)));
  // Where bars and squares show changes, they have the colours of these.
  const isOfChanges = level.view.symbols.sizing !== null;
  if (!isOfChanges) rows.push(make("li", {}, sample(bars([theme.circle, theme.square])), make("span", {}, "bars: folders, files")));
  return make("section", { class: "key", "aria-label": "Legend" }, make("h3", {}, "Legend"),
    ...(circles.length > 0 ? [references(circles, palette)] : []), make("ul", { class: "legend" }, ...rows, ...(isOfChanges ? [] : colours(page))));
}
