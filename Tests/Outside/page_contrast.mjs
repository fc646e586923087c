// Measures the contrast of all names on the map with all that may be under them, in both themes and all modes.
//
//     node page_contrast.mjs
//
// Names have to have the minimum contrast of WCAG 2: 4.5, and 3 for the names of continents, which are large.
import assert from "node:assert/strict";
import { scripts } from "./page_modules.mjs";

const LEAST = 4.5;
const LEAST_LARGE = 3;
const MODES = ["kind", "size", "age", "type", "layer.ratio", "layer.even", "layer.arms", "layer.word"];
/** Layers, and values in view that lead to all of their classes. */
const LAYERS = [{ name: "ratio", how: "ratio", kind: "number", values: [0, 0.3, 0.5, 0.7, 1] }, { name: "even", how: "sum", kind: "number", values: [100, 120, 140, 160, 180, 200, 220] },
  { name: "arms", how: "mean", kind: "number", values: [-9, -2, -0.5, 0.5, 2, 9] },
  { name: "word", how: "share", kind: "word", values: Array.from({ length: 11 }, (_, i) => `w${i}`) }];
const DAY = 86400;
const INKS = [["continent", 0], ["country", 1], ["state", 2], ["district", 3], ["figures", "soft"], ["file", "file"],
  ["large file", "squareink"], ["largest folder", "accent"]];
/** The names that may be over water, too. */
const AT_SEA = ["continent", "country", "figures", "large file", "largest folder"];

const { Palette, fillOf, otherWord, ramps, rgbOf, scaleOf, veils, wordColours } = await scripts("palette", "filterview", "scale");

/** Shows a mode, with classes for what is in view. */
function show(palette, isDark, mode) {
  palette.darken(isDark);
  const scale = scaleOf(mode, LAYERS);
  palette.colourBy(mode, scale);
  const layer = LAYERS.find(({ name }) => mode === `layer.${name}`);
  if (layer) scale.classify({ lands: layer.values.map((value, i) => ({ files: 1, bytes: 100 - i, layers: { [layer.name]: value } })), own: [], amount: ({ bytes }) => bytes });
  return (layer?.values ?? []).flatMap((value) => [0.1, 1].map((share) => ({ [layer.name]: value, [`${layer.name}_share`]: share })));
}

/** The relative luminance of a colour. */
function light(rgb) {
  const [r, g, b] = rgb.map((v) => v / 255).map((s) => (s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
  const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

/** What the map may have under a name: its description and colour. */
function* grounds(palette, values) {
  const { mode, theme } = palette;
  const now = Date.now() / 1000;
  for (const name of ["land", "sea", "shelf", "near"]) yield [name, rgbOf(theme[name])];
  const types = mode === "type" ? palette.legend.map(([, word]) => word) : [undefined];
  const standings = mode === "kind" ? ["unknown", "full", "little", "beside", "around", "current"] : ["full"];
  for (let depth = 1; depth < 5; depth += 1) {
    for (const layers of values) yield [`${depth} ${JSON.stringify(layers)}`, palette.land({ depth, files: 1, tint: 0, layers }, 400, { breadth: 500 }, "full").rgb];
    yield [`${depth} empty`, palette.land({ depth, bytes: 0, files: 0, tint: 0 }, 400, { breadth: 500 }, "full").rgb];
    for (let tint = 0; tint < 6; tint += 1) for (const breadth of [20, 400, 3000])
      for (const bytes of [undefined, 1, 3e5, 3e6, 3e7, 3e8, 1e12]) for (const newest of [undefined, now, now - 20 * DAY, now - 300 * DAY, 0])
        for (const type of types) for (const standing of standings)
          yield [`${depth} ${tint} ${breadth} ${bytes} ${type} ${standing}`,
            palette.land({ depth, bytes, newest, type, tint }, breadth, { breadth: 500 }, standing).rgb];
  }
}

/** What the filter view may have under a name: the ground under the veil, and the same with the glow of matches. */
function veiled({ isDark, theme }) {
  const numbers = (text) => text.match(/[.0-9]+/g).map(Number);
  const over = (rgb, [r, g, b], part) => [r, g, b].map((v, i) => rgb[i] + (v - rgb[i]) * part);
  const { veil, glow } = veils[isDark ? 1 : 0];
  const dim = [theme.land, theme.near, theme.pale, theme.sea, theme.shelf, theme.unknown, ...theme.tint, ...ramps.land[isDark ? 1 : 0], ...theme.ground]
    .map((colour) => over(rgbOf(colour), numbers(veil), numbers(veil)[3]));
  const bright = dim.flatMap((rgb) => [0, 0.5, 1].map((strength) => over(rgb, numbers(glow), fillOf(strength))));
  return [dim, [...dim, ...bright]];
}

let least = Infinity;

/** Checks the contrast of an ink with grounds. */
function check(palette, name, which, all) {
  const ink = rgbOf(palette.ink(which));
  const limit = name === "continent" ? LEAST_LARGE : LEAST;
  for (const [ground, rgb] of all) {
    const found = contrast(ink, rgb);
    if (limit === LEAST) least = Math.min(least, found);
    // Rounded as WCAG's own tools do.
    assert.ok(+found.toFixed(2) >= limit,
      `${palette.isDark ? "dark" : "light"}, shading by ${palette.mode}: contrast of the name of a ${name} is ${found} on ${ground}`);
  }
}

const palette = new Palette();
for (const isDark of [false, true]) for (const mode of MODES) {
  const values = show(palette, isDark, mode);
  const all = [...grounds(palette, values)];
  for (const [name, which] of INKS) check(palette, name, which, all.filter(([ground]) => AT_SEA.includes(name) || !["sea", "shelf"].includes(ground)));
  const [dim, lit] = veiled(palette);
  check(palette, "match", "lit", lit.map((rgb) => ["the veil", rgb]));
  check(palette, "file that doesn't match", "unlit", dim.map((rgb) => ["the veil", rgb]));
}
// MARK: Classes of age

const LAND = 0.92; // of a class's colour on land
const LEAST_STEP = 7; // of lightness (L*) between neighbours
const LEAST_DISTANCE = 16; // between any two, by CIE76
/** With all cones, and with one type missing (Machado, Oliveira and Fernandes, 2009), on linear light. */
const SIGHTS = [[[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]];

const linear = (rgb) => rgb.map((v) => v / 255).map((s) => (s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4));
const times = (matrix, values) => matrix.map((row) => row.reduce((sum, part, i) => sum + part * values[i], 0));

/** L*, a* and b* of linear light. */
function labOf(light) {
  const xyz = times([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], light.map((v) => Math.max(0, Math.min(1, v))));
  const [x, y, z] = [xyz[0] / 0.95047, xyz[1], xyz[2] / 1.08883].map((t) => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

let nearest = Infinity;
for (const isDark of [false, true]) {
  show(palette, isDark, "age");
  const land = rgbOf(palette.theme.land);
  const classes = ramps.alike[isDark ? 1 : 0].map((colour) => rgbOf(colour).map((v, i) => land[i] + (v - land[i]) * LAND));
  const lightness = classes.map((rgb) => labOf(linear(rgb))[0]);
  const steps = lightness.slice(1).map((one, i) => (isDark ? one - lightness[i] : lightness[i] - one));
  assert.ok(classes.length === 5 && Math.min(...steps) >= LEAST_STEP, `lightness of ages: ${lightness}`);
  for (const sight of SIGHTS) {
    const seen = classes.map((rgb) => labOf(times(sight, linear(rgb))));
    seen.forEach((one, i) => seen.slice(0, i).forEach((other) => { nearest = Math.min(nearest, Math.hypot(...one.map((v, axis) => v - other[axis]))); }));
  }
}
assert.ok(nearest >= LEAST_DISTANCE, `two ages differ by ${nearest}`);
console.log(`ages differ by ${nearest.toFixed(1)} or more`);

// MARK: Classes of layers

const LEAST_OF_WORDS = 12; // between the colours of any two words, by CIE76
const LEAST_ARM = 5; // of lightness between neighbours of an arm
const apart = { words: Infinity, arms: Infinity };
for (const theme of [0, 1]) {
  const words = [...wordColours[theme], otherWord[theme]].map(rgbOf);
  for (const sight of SIGHTS) {
    const seen = words.map((rgb) => labOf(times(sight, linear(rgb))));
    seen.forEach((one, i) => seen.slice(0, i).forEach((other) => { apart.words = Math.min(apart.words, Math.hypot(...one.map((v, axis) => v - other[axis]))); }));
  }
  // Each arm is the stronger, the farther from 0, and both ends are the same in grey.
  const arms = ramps.arms[theme].map((colour) => labOf(linear(rgbOf(colour)))[0]);
  const strength = theme === 0 ? arms.map((one) => -one) : arms;
  for (const i of [0, 1]) apart.arms = Math.min(apart.arms, strength[i] - strength[i + 1], strength[5 - i] - strength[4 - i]);
  assert.ok(Math.abs(arms[0] - arms[5]) < 3, `the ends of arms: ${arms}`);
  // More classes than colours still get lighter or darker from one to the next.
  show(palette, theme === 1, "layer.even");
  const rows = palette.legend.slice(0, 7).map(([colour]) => labOf(linear(rgbOf(colour)))[0]);
  const steps = rows.slice(1).map((one, i) => (theme === 1 ? one - rows[i] : rows[i] - one));
  assert.ok(steps.every((step) => step > 4), `lightness of seven classes: ${rows}`);
}
assert.ok(apart.words >= LEAST_OF_WORDS, `two words differ by ${apart.words}`);
assert.ok(apart.arms >= LEAST_ARM, `two classes of an arm differ by ${apart.arms}`);
console.log(`words differ by ${apart.words.toFixed(1)} or more, classes of arms by ${apart.arms.toFixed(1)} of lightness`);
console.log(`least contrast ${least.toFixed(2)}`);
