// The legend: sizes of symbols, signs of the ground, and colours with the number of folders that have them.
import { circle, fillAndStroke, make, showAmount, showCount, strokeDashed, trace } from "./geo.js";
import { borderOf, dashes } from "./rules.js";
import { hatch } from "./shapes.js";

const [ACROSS, DOWN] = [9, 5]; // half the width and height of a swatch

function colourBox(colours, across, down) {
  return (pen, x, y) => colours.forEach((colour, index) => {
    const width = (2 * across) / colours.length;
    pen.fillStyle = colour;
    pen.fillRect(x - across + index * width, y - down, width, 2 * down);
  });
}

export const swatch = (...colours) => colourBox(colours, ACROSS, DOWN);

export function line(colour, width, dash = [], under = () => {}) {
  return (pen, x, y) => {
    under(pen, x, y);
    trace(pen, [x - ACROSS, y], [x + ACROSS, y]);
    strokeDashed(pen, colour, width, dash);
  };
}

function hatched(across, down, look, under = () => {}) {
  return (pen, x, y) => {
    under(pen, x, y);
    const path = new Path2D();
    path.rect(x - across, y - down, 2 * across, 2 * down);
    hatch(pen, path, [x - across, y - down, x + across, y + down], { width: 1, step: 5, ...look });
  };
}

export const signsIn = (rows) => rows.filter(([isDrawn]) => isDrawn).map(([, words, draw]) => ({ words, draw }));

/** The signs of the ground that are drawn for some tiles: `words`, and `draw(pen, x, y)` of a sample, 9 pixels to each side. */
export function groundSigns(palette, contents, { standings = new Set(), hasIslets = false, isSelected = false, isPlain = false, recedes = false } = {}) {
  const { theme, mode } = palette;
  const has = (test) => contents.some(test);
  const hasLand = (test) => has(({ land }) => land.some(test));
  const borders = [1, 2, 3].filter((depth) => hasLand((land) => Math.min(3, land.depth) === depth));
  return signsIn([
    [true, "sea", swatch(theme.sea)],
    [true, "coast, rim inside it", line(theme.coast, 1.5, [], swatch(theme.land))],
    [hasIslets, "islet: files of the top folder", (pen, x, y) => {
      circle(pen, x, y, 5);
      fillAndStroke(pen, theme.land, theme.coast, 1.2);
    }],
    [isSelected, "selected", line(theme.select, 2.5)],
    [hasLand(({ depth }) => depth === 0), "shallow water: free ground of a root", line(theme.shelfedge, 1.4, [1.4, 3], swatch(theme.shelf))],
    [mode === "kind" && !recedes && hasLand(({ depth }) => depth > 0), "folders; tints distinguish neighbours", swatch(...[0, 3, 5].map((tint) => theme.tint[tint]))],
    [mode === "kind" && standings.has("little"), "pale: under 0.1 % of this folder", swatch(...[0, 3, 5].map((tint) => palette.tinted(tint, "little")))],
    [standings.has("current"), "the folder in view", line(recedes ? theme.border[0] : theme.edge[0], 1.8, [], swatch(theme.near))],
    [borders.length > 0, `borders of folders${borders.length > 1 ? "; dashed: deeper" : ""}`, (pen, x, y) => borders.forEach((depth, index) =>
      line(theme.border[depth], borderOf(depth, 60).width, dashes(depth))(pen, x, y + 5 * (index - (borders.length - 1) / 2)))],
    [hasLand(({ unreadable }) => unreadable), "hatched: a folder that can't be read", hatched(ACROSS, DOWN, { colour: theme.select, alpha: 0.6 })],
    [!isPlain && !recedes && mode === "kind" && has(({ towns, files }) => towns?.length > 0 || files.length > 20), "ground of files, darker where dense, and dots",
      (pen, x, y) => {
        swatch(...theme.ground)(pen, x, y);
        pen.fillStyle = theme.house;
        for (const [across, down] of [[-6, 1], [0, -2], [5, 2]]) pen.fillRect(x + across, y + down, 1.5, 1.5);
      }],
    [!isPlain && !recedes && mode === "kind" && palette.isRaised, "hills: bytes below, on one scale", swatch(`rgb(${theme.relief[1]})`, `rgb(${theme.relief[0]})`)],
    [!isPlain && !recedes && mode === "kind" && palette.isRaised, "tree: about 100 files below", (pen, x, y) => {
      circle(pen, x, y - 1.5, 3);
      pen.moveTo(x, y + 1.5);
      pen.lineTo(x, y + 5);
      fillAndStroke(pen, theme.wood, theme.trunk, 0.8);
    }],
  ]);
}

const SAMPLE = { width: 26, height: 20 };
const GAP = 5; // pixels between the largest circle and the words

/** A small canvas with a drawing of the middle at `draw(pen, x, y)`. */
export function sample(draw, { width, height } = SAMPLE) {
  const ratio = Math.min(3, globalThis.devicePixelRatio || 1);
  const canvas = make("canvas", { width: Math.round(width * ratio), height: Math.round(height * ratio), "aria-hidden": "true", style: { width: `${width}px`, height: `${height}px` } });
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  draw(pen, width / 2, height / 2);
  return canvas;
}

function references(all, palette) {
  const largest = Math.max(...all.map(({ radius }) => radius));
  const [height, width] = [Math.ceil(2 * largest) + 12, Math.ceil(2 * largest) + 24];
  const tops = [];
  for (const { radius } of all) tops.push(Math.max(height - 4 - 2 * radius, (tops.at(-1) ?? -Infinity) + 14, 6));
  const canvas = sample((pen) => {
    pen.strokeStyle = palette.mode === "kind" ? palette.theme.circlerim : palette.theme.ink[1];
    all.forEach(({ radius }, index) => {
      const [middle, top] = [largest + 2, height - 4 - 2 * radius];
      circle(pen, middle, height - 4 - radius, radius);
      pen.moveTo(middle, top);
      pen.lineTo(2 * largest + 10, tops[index]);
      pen.lineTo(width, tops[index]);
      pen.stroke();
    });
  }, { width, height });
  const words = all.map(({ amount }, index) => make("span", { style: { left: `${width + GAP}px`, top: `${tops[index] - 8}px` } }, showAmount(amount)));
  return make("div", { class: "references", role: "group", "aria-label": "Areas of circles" }, canvas, ...words);
}

function bars(both) {
  return (pen, x, y) => both.forEach((colour, index) => {
    pen.fillStyle = colour;
    pen.fillRect(x - 11, y - 5 + index * 7, 22 - index * 8, 3);
  });
}

/** The rows of colours, of land and of files: of the present classes, with the number of folders and files at the level that have each. */
function colours({ level, palette }) {
  const { lands = [], own = [] } = level.current ?? {};
  const things = palette.isOwn ? own : [];
  const has = (found, isLand = true) => (thing) => palette.classOf(thing, isLand) === found;
  const halves = palette.legend.some(([, , file]) => file) ? [make("li", { class: "soft" }, "left half: folders, right half: files")] : [];
  return [...halves, ...palette.legend.flatMap(([colour, word, file, found]) => {
    const numbers = [lands, things].map((all, i) => all.filter(has(found, i === 0)).length);
    const counts = ["folder", "file"].map((one, i) => numbers[i] > 0 && showCount(numbers[i], one, `${one}s`)).filter(Boolean);
    if (counts.length === 0 && ["empty", "unknown", "none"].includes(found) && !level.view.landsInView().some(has(found))) return [];
    // The rim shows pale colours on the panel, too.
    const box = (...at) => [[palette.theme.border[3]], file === undefined ? [colour] : [colour, file]].forEach((all, inner) => colourBox(all, 11 - inner, 7 - inner)(...at));
    return [make("li", {}, sample(found === "none" ? hatched(11, 7, { colour: palette.theme.border[3], alpha: 0.5 }, box) : box), make("span", {}, word),
      ...(counts.length > 0 ? [make("span", { class: "soft number" }, counts.join(", "))] : []))];
  })];
}

export function legend(page, hasLines = false) {
  const { level, palette } = page;
  const { theme } = palette;
  const { references: circles, signs } = level.signs();
  const rows = signs.map(({ words, draw }) => make("li", {}, sample(draw), make("span", {}, words)));
  // Where bars show changes or matches, they have the colours of these.
  const isOther = level.view.symbols.sizing !== null || level.view.lights.isOn;
  const { lands = [], own = [] } = level.current ?? {};
  if (!isOther && lands.length > 0) {
    const kinds = [[theme.circle, "folders"], [theme.square, "files"]].slice(0, own.length > 0 ? 2 : 1);
    rows.push(make("li", {}, sample(bars(kinds.map(([colour]) => colour))), make("span", {}, `bars: ${kinds.map(([, words]) => words).join(", ")}`)));
  }
  if (hasLines) rows.push(make("li", {}, sample(line(theme.circlerim, 1.2)), make("span", {}, "line: growth over time")));
  // What the user's own numbers look like comes first: many words leave no room for all.
  const all = isOther ? rows : palette.isOwn ? [...colours(page), ...rows] : [...rows, ...colours(page)];
  return make("section", { class: "key", "aria-label": "Legend" }, make("h3", {}, "Legend"),
    ...(circles.length > 0 ? [references(circles, palette)] : []), make("ul", { class: "legend" }, ...all));
}
