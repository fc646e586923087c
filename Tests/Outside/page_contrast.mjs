// Measures the contrast of all names on the map with all that may be under them, in both themes and all modes.
//
//     node page_contrast.mjs
//
// Names have to have the minimum contrast of WCAG 2: 4.5, and 3 for the names of continents, which are large.
import assert from "node:assert/strict";
import { scripts } from "./page_modules.mjs";

const LEAST = 4.5;
const LEAST_LARGE = 3;
const MODES = ["kind", "size", "age", "type"];
const DAY = 86400;
const INKS = [["continent", 0], ["country", 1], ["state", 2], ["district", 3], ["figures", "soft"], ["file", "file"],
  ["large file", "squareink"], ["largest folder", "accent"]];
/** The names that may be over water, too. */
const AT_SEA = ["continent", "country", "figures", "large file", "largest folder"];

const { Palette, fillOf, rgbOf, veils } = await scripts("palette", "filterview");

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
function* grounds(palette) {
  const { mode, now, theme } = palette;
  for (const name of ["land", "sea", "shelf", "near"]) yield [name, rgbOf(theme[name])];
  const types = mode === "type" ? palette.legend.map(([, word]) => word) : [undefined];
  const standings = mode === "kind" ? ["unknown", "full", "little", "beside", "around", "current"] : ["full"];
  for (let depth = 1; depth < 5; depth += 1) {
    yield [`${depth} empty`, palette.land({ depth, bytes: 0, files: 0, tint: 0 }, 400, { breadth: 500 }, "full").rgb];
    for (let tint = 0; tint < 6; tint += 1) for (const breadth of [20, 400, 3000])
      for (const bytes of [undefined, 1, 3e5, 3e6, 3e7, 3e8, 1e12]) for (const newest of [undefined, now, now - 20 * DAY, now - 300 * DAY, 0])
        for (const type of types) for (const standing of standings)
          yield [`${depth} ${tint} ${breadth} ${bytes} ${type} ${standing}`,
            palette.land({ depth, bytes, newest, type, tint }, breadth, { breadth: 500 }, standing).rgb];
  }
}

/** What the filter view may have under a name: the ground under the veil, and the same with the glow of matches. */
function veiled({ isDark, landRamp, theme }) {
  const numbers = (text) => text.match(/[.0-9]+/g).map(Number);
  const over = (rgb, [r, g, b], part) => [r, g, b].map((v, i) => rgb[i] + (v - rgb[i]) * part);
  const { veil, glow } = veils[isDark ? 1 : 0];
  const dim = [theme.land, theme.near, theme.pale, theme.sea, theme.shelf, theme.unknown, ...theme.tint, ...landRamp, ...theme.ground]
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
  Object.assign(palette, { isDark, mode });
  const all = [...grounds(palette)];
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
  Object.assign(palette, { isDark, mode: "age" });
  const land = rgbOf(palette.theme.land);
  const classes = palette.ageRamp.map((colour) => rgbOf(colour).map((v, i) => land[i] + (v - land[i]) * LAND));
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
console.log(`least contrast ${least.toFixed(2)}`);
