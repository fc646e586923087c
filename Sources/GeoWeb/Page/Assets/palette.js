// Colours by theme and meaning, and the shown theme. All scales differ in lightness, not in hue alone. Lands, borders
// and names on sheets (Theme.swift) have the same colours: the same list of cases tests both.
import { kept } from "./favourites.js";
import { endings } from "./filetypes.js";
import { byId } from "./geo.js";
import { layers } from "./layers.js";
import { strengthOf } from "./prominence.js";
import { ownTint } from "./rules.js";

/** Each colour in the light and in the dark theme. */
const colours = {
  sea: ["#b3cdd2", "#10202a"], shelf: ["#c3d9d8", "#163240"], shelfedge: ["#8db0b5", "#3d5f6c"],
  waterline: [["#9dbdc3", "#a4c3c8", "#abc8cc", "#b1cccf", "#b7d1d2", "#bcd4d4"], ["#2f5262", "#2b4c5c", "#264656", "#224150", "#1e3c4a", "#1a3745"]],
  coast: ["#5b4a35", "#dcc9a0"],
  graticule: [["rgba(255,255,255,.22)", "rgba(255,255,255,.42)"], ["rgba(190,220,235,.07)", "rgba(190,220,235,.14)"]],
  land: ["#f3ebd5", "#2b2e2b"], near: ["#f8f1de", "#353934"], pale: ["#fbf7ea", "#353836"],
  unknown: ["#e4e2da", "#3a3d40"], empty: ["#c6d0d8", "#1b2025"],
  tint: [["#e9c79c", "#ccd3a4", "#dfbab2", "#b7cdbf", "#ead993", "#cbbcd0"], ["#5c4630", "#4a5233", "#5d3c39", "#345348", "#57502a", "#4c4157"]],
  edge: [["#b26b24", "#6c8030", "#a04c47", "#3f7a66", "#a78716", "#74568c"], ["#d69a5c", "#a3b865", "#d0807a", "#6fb39c", "#d2b952", "#a98cc4"]],
  border: [["#3d4f4d", "#4a3a2a", "#5d4a37", "#75614c"], ["#93a9ab", "#c9b48f", "#ac9a7c", "#8f8169"]],
  ground: [["#e9d6bd", "#dfc0a1", "#cfa384"], ["#4b4233", "#62513a", "#7d6543"]], house: ["#a5764f", "#c09a66"],
  wood: ["rgba(108,134,84,.8)", "rgba(96,124,80,.75)"], trunk: ["rgba(62,80,44,.75)", "rgba(20,30,18,.8)"],
  relief: [[[104, 70, 36], [255, 252, 240]], [[8, 7, 5], [226, 208, 170]]],
  ink: [["#7d2413", "#2b2118", "#33281d", "#3c3125"], ["#ffb89c", "#f7f2e6", "#efe8da", "#e3dbcb"]], soft: ["#54493b", "#c9c0ae"],
  fileink: ["#4c3a26", "#ecd9bb"], halo: ["rgba(253,248,236,.86)", "rgba(18,22,24,.8)"], file: ["#6a4f32", "#d8b98c"],
  circle: ["#b5472c", "#ee8a5f"], circlerim: ["#8a2f1b", "#f6ab88"], square: ["#2b4a6f", "#9dc0e6"], squarerim: ["#fdf8ec", "#15191c"],
  squareink: ["#1f3d5c", "#bcd6f0"], accent: ["#8a2f1b", "#ffb193"],
  paper: ["#fffdf7", "#20272c"], select: ["#b32d12", "#ff8a5c"],
};
const [light, dark] = [0, 1].map((theme) => Object.fromEntries(Object.entries(colours).map(([name, both]) => [name, both[theme]])));

export function addColours(more) { for (const [name, both] of Object.entries(more)) [light[name], dark[name]] = both; }

// Distances are at least 18 (CIE76), light and dark, also with one type of cones missing (by the matrices of Machado,
// Oliveira and Fernandes, 2009).
const typeColours = new Map([
  ["code", ["#1f3a86", "#3a80e0"]],
  ["text", ["#ecd044", "#f2de78"]],
  ["picture", ["#36bf8b", "#36c28c"]],
  ["sound, film", ["#d68cc2", "#c060b0"]],
  ["archive", ["#7a3a14", "#94663e"]],
  ["program", ["#dd6a30", "#ec7838"]],
  ["data", ["#4f8fdc", "#b3d7f2"]],
  ["other", ["#66645f", "#7f7b78"]],
]);
const typeOf = new Map(Object.entries(endings).flatMap(([name, all]) => all.split(" ").map((ending) => [ending, name])));

/** Lands without a class, with their colours and words. */
const rest = { empty: ["empty", "empty"], unknown: ["unknown", "not known yet"], none: ["unknown", "no value"] };

export const fileTypes = [...typeColours.keys(), "link", "device"];

export function fileType(name, special) {
  if (special) return special === "symlink" ? "link" : "device";
  const parts = name.toLowerCase().split(".");
  if (/\.so(\.\d+)+$/.test(name)) return "program";
  return (parts.length > 1 && typeOf.get(parts.at(-1))) || "other";
}

/** The filter view, light and dark: the veil over the map, the light of matches and its core, and names of matches and others. */
export const veils = [
  { veil: "rgba(247,243,234,.84)", glow: "226,112,0", core: ["132,44,0", "176,72,0"], lit: "#3a1400", unlit: "#5d5a53", halo: "rgba(253,250,243,.86)" },
  { veil: "rgba(13,20,33,.8)", glow: "255,193,82", core: ["255,250,230", "255,240,200"], lit: "#fff8e8", unlit: "#bcc4ce", halo: "rgba(9,13,21,.82)" },
];

export function rgbOf(colour) { return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)); }
export function blend(from, to, part) { return from.map((value, index) => value + (to[index] - value) * part); }
function paint(rgb) { return { rgb, css: `rgb(${rgb.map(Math.round).join()})` }; }

/** The tint of a land; maps of older versions lack it. */
function tintOf({ tint, id }) { return tint ?? id % 6; }

export function inkOn(colour) {
  const [red, green, blue] = rgbOf(colour);
  return red * 0.3 + green * 0.59 + blue * 0.11 < 120 ? "#fffdf7" : "#2b2a26";
}

export class Palette {
  constructor() {
    Object.assign(this, { isDark: false, mode: "kind" });
    this.isRaised = kept.get("relief") === "on";
    /** The classes of other modes than tints and file type, as in scale.js, else null. */
    Object.assign(this, { scale: null, isVeiled: false });
  }

  get theme() { return this.isDark ? dark : light; }
  darken(isDark) { this.isDark = isDark; }
  colourBy(mode, scale = null) { Object.assign(this, { mode, scale }); }
  raise(isRaised) { this.isRaised = isRaised; }
  veil(isVeiled) { this.isVeiled = isVeiled; }
  get key() { return `${this.mode}${this.isDark}${this.isRaised && this.mode === "kind" ? "r" : ""}${this.scale?.key ?? ""}`; }
  haloOf(which) { return which === "insquare" && this.mode === "kind" ? this.theme.square : this.halo; }
  get halo() { return this.isVeiled ? veils[this.isDark ? 1 : 0].halo : this.theme.halo; }

  /** The class of a land or file: of its file type or of the scale, or `empty`, `unknown` or `none`; undefined with tints. */
  classOf(land, isLand = true) {
    if (this.mode === "type") return land.files === 0 ? "empty" : land.type ?? "unknown";
    return this.scale?.classOf(land, isLand);
  }

  shade(land) {
    const found = this.classOf(land);
    if (found === undefined || found in rest) return this.theme[rest[found]?.[0]];
    return this.scale ? this.scale.shade(found, land, this.isDark, this.theme) : this.landType(found);
  }

  /** Whether a land has no value, and is hatched. */
  isBlank(land) { return this.scale !== null && this.scale.classOf(land) === "none"; }

  /** The colour of land with mostly one type of files: paler than the files. */
  landType(name) {
    return hexOf(blend(rgbOf(this.isDark ? this.theme.land : "#ffffff"), rgbOf(this.type(name)), this.isDark ? 0.29 : 0.4));
  }

  /** The fill of a land; `around` has colour and breadth of the land around it, `standing` is how it stands out. */
  land(land, breadth, around, standing) {
    const theme = this.theme;
    const shade = this.shade(land);
    const base = around.rgb ?? rgbOf(theme.land);
    if (shade) return paint(blend(base, rgbOf(shade), land.depth === 1 ? 0.92 : 0.8));
    if (standing === "current") return paint(rgbOf(theme.near));
    const own = blend(around.isCurrent ? base : rgbOf(theme.land), rgbOf(theme.tint[tintOf(land)]), strengthOf(standing, breadth));
    // The level's lands have their tint, whatever their depth; lands in them slightly paler ones, once they are wide.
    if (land.depth === 1 || around.isCurrent || standing === "around" || standing === "same" || standing === "within") return paint(own);
    const paler = blend(own, rgbOf(theme.pale), 0.22);
    const within = blend(base, rgbOf(theme.pale), 0.08);
    return paint(blend(within, paler, ownTint(land.depth, around.breadth)));
  }

  tinted(tint, standing) { return hexOf(blend(rgbOf(this.theme.land), rgbOf(this.theme.tint[tint]), strengthOf(standing, 0))); }

  edge(land) {
    return this.mode === "kind" ? this.theme.edge[tintOf(land)] : this.theme.border[Math.min(land.depth, 3)];
  }

  ink(which) {
    const { theme } = this;
    if (typeof which === "string" && which.startsWith("#")) return which;
    if (which === "lit" || which === "unlit") return veils[this.isDark ? 1 : 0][which];
    const named = { file: "fileink", squareink: "squareink", accent: "accent", insquare: "squarerim", soft: "soft" }[which];
    if (named) return this.mode === "kind" ? theme[named] : theme.ink[1];
    // Land of classes may be so dark that all names need the strongest ink.
    return theme.ink[this.mode !== "kind" && which > 1 ? 1 : which] ?? theme[which];
  }

  type(name) { return (typeColours.get(name) ?? typeColours.get("other"))[this.isDark ? 1 : 0]; }

  file(file) {
    if (file.unreadable) return this.theme.select;
    if (this.mode === "type") return this.type(fileType(file.name, file.special));
    return this.scale?.file(file, this) ?? this.theme.file;
  }

  get isOwn() { return this.mode.startsWith("layer."); }
  /** Whether a file may have the very colour of its land. */
  get isAlike() { return this.scale?.isAlike === true; }
  /** The mode with its classes, for the address; empty for the usual mode. */
  get link() { return this.scale?.link ?? (this.mode === "kind" ? "" : this.mode); }

  /** Rows of the legend: colours of land, their meaning, the colours of files if they are others, and the class. */
  get legend() {
    if (this.mode === "kind") return [];
    const rows = this.scale?.rows(this) ?? [...typeColours.keys()].map((name) => [this.type(name), name, undefined, name]);
    return [...rows, ...[this.isOwn ? "none" : "empty", "unknown"].map((found) => [this.theme[rest[found][0]], rest[found][1], undefined, found])];
  }
}

export function hexOf(rgb) { return `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`; }

// Light or dark: by choice, else the system's, or a layer's.

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

export function showTheme(palette) {
  const chosen = kept.get("theme");
  palette.darken(chosen ? chosen === "dark" : prefersDark.matches || layers.isDark);
  document.documentElement.dataset.theme = palette.isDark ? "dark" : "light";
  byId("theme").textContent = palette.isDark ? "☀" : "☾";
}

export function chooseRelief(palette, isRaised) {
  palette.raise(isRaised);
  kept.set("relief", isRaised ? "on" : "off");
}

export function onSystemTheme(changed) { prefersDark.addEventListener("change", changed); }

/** Saves a theme: light, dark, or without one the system's. */
export function keepTheme(name) {
  if (name === null) kept.remove("theme");
  else kept.set("theme", name);
}
