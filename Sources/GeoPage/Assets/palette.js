// Colours, by theme and by what they tell. All scales differ in lightness, not in hue alone.
import { hashText } from "./geo.js";

const themes = {
  light: {
    sea: "#b9d3e0", shelf: ["#a9c8d9", "#9dbfd3", "#8fb5cc"], coast: "#3f6078", graticule: "#abc8d8",
    land: ["#f3ecd8", "#f7f1e0", "#faf6ea", "#fdfaf2"], border: ["#5b7687", "#7b5e48", "#8d7158", "#9c836b"],
    country: [[42, 66, 83], [205, 42, 85], [338, 34, 88], [92, 36, 82], [18, 60, 85], [265, 34, 88], [172, 25, 83],
      [58, 48, 85]],
    wild: "rgba(88, 112, 72, 0.55)", hill: "rgba(128, 98, 62, 0.5)",
    ink: ["#2b2a26", "#2b2a26", "#35322b", "#45413a"], fileink: "#63492d", halo: "rgba(255,253,246,.9)",
    file: "#6a4f32", paper: "#fffdf7", select: "#c2361b",
  },
  dark: {
    sea: "#14222d", shelf: ["#182a37", "#1c3040", "#213849"], coast: "#7d9fb4", graticule: "#1c2e3b",
    land: ["#2d3130", "#343838", "#3b3f3f", "#434747"], border: ["#84a2b3", "#b09a7a", "#a08f75", "#93866f"],
    country: [[42, 20, 23], [205, 20, 22], [338, 12, 25], [92, 15, 21], [18, 18, 24], [265, 14, 26], [172, 16, 21],
      [58, 15, 22]],
    wild: "rgba(132, 160, 112, 0.45)", hill: "rgba(176, 148, 110, 0.42)",
    ink: ["#f7f2e6", "#f3eee2", "#e6e1d5", "#d8d3c8"], fileink: "#e2c9a4", halo: "rgba(20,24,27,.88)",
    file: "#d8b98c", paper: "#20272c", select: "#ff8a5c",
  },
};

// Apart by 18 or more (CIE76), light and dark, also as people see them who lack one sort of cones
// (by the matrices of Machado, Oliveira and Fernandes, 2009).
const types = [
  ["code", "#1f3a86", "#3a80e0", "c h cc cpp hpp cxx rs go py js mjs ts tsx jsx java swift rb pl pm sh bash lua php cs kt scala hs ml el lisp vim sql cmake make mk awk tcl r jl zig asm s"],
  ["text", "#ecd044", "#f2de78", "txt md rst html htm css pdf doc docx odt tex man 1 2 3 4 5 6 7 8 adoc org log epub po mo gmo info ps rtf"],
  ["picture", "#36bf8b", "#36c28c", "png jpg jpeg gif svg webp ico bmp tif tiff xpm heic psd xcf avif"],
  ["sound, film", "#d68cc2", "#c060b0", "mp3 ogg flac wav opus m4a mid aac mp4 mkv avi mov webm ogv mpg"],
  ["archive", "#7a3a14", "#94663e", "zip gz xz bz2 zst tar tgz 7z rar deb rpm jar whl iso lz4 br"],
  ["program", "#dd6a30", "#ec7838", "so a o exe dll dylib bin ko class pyc pyo elc wasm node la"],
  ["data", "#4f8fdc", "#b3d7f2", "json xml yaml yml toml ini conf cfg csv tsv db sqlite dat plist properties desktop list rules service ttf otf woff woff2 pcf"],
];
const other = ["other", "#66645f", "#7f7b78"];
const typeOf = new Map(types.flatMap(([name, , , all]) => all.split(" ").map((end) => [end, name])));
const typeColours = new Map([...types, other].map(([name, ...colours]) => [name, colours]));

/** What sort of file a name stands for. */
export function fileType(name, special) {
  if (special) return special === "symlink" ? "link" : "device";
  const parts = name.toLowerCase().split(".");
  if (/\.so(\.\d+)+$/.test(name)) return "program";
  return (parts.length > 1 && typeOf.get(parts.at(-1))) || "other";
}

const ramps = {
  light: ["#fdf0c0", "#f3d184", "#d9ab6c", "#a9846a", "#6f6269", "#3a4368"],
  dark: ["#2b3350", "#4b5275", "#77708a", "#ab9185", "#dcb777", "#fbe7a1"],
};
const sizes = [1e3, 1e4, 1e5, 1e6, 1e8];
const counts = [4, 16, 64, 256, 1024];
const ages = [1, 7, 30, 365, 1825];

// How much lighter than their country lands are, by rank.
const lifts = [0, 3.8, 7.4];

/** A colour, as much lighter as one says. */
const hsl = ([hue, saturation, light], lift) => `hsl(${hue} ${saturation}% ${light + lift}%)`;

export class Palette {
  constructor() {
    this.isDark = false;
    this.mode = "kind";
    this.now = Date.now() / 1000;
  }

  get theme() { return this.isDark ? themes.dark : themes.light; }
  get ramp() { return this.isDark ? ramps.dark : ramps.light; }
  get key() { return `${this.mode}${this.isDark}`; }

  step(value, bounds) {
    const found = bounds.findIndex((bound) => value < bound);
    return this.ramp[found < 0 ? bounds.length : found];
  }

  age(modified) {
    if (modified === undefined) return undefined;
    // The youngest stand out.
    const found = ages.findIndex((days) => this.now - modified < days * 86400);
    return this.ramp[ages.length - (found < 0 ? ages.length : found)];
  }

  land(land) {
    const theme = this.theme;
    // Farther down two tones take turns, so that land stands out from the land around it.
    const rank = Math.min(land.depth, 3 - ((land.depth + 1) % 2));
    if (this.mode === "size" && land.size !== undefined) return this.step(land.size, counts);
    if (this.mode === "age") return this.age(land.modified) ?? theme.land[rank];
    if (this.mode !== "kind" || land.depth === 0) return theme.land[rank];
    return hsl(this.country(land), lifts[rank - 1]);
  }

  /** Hue, saturation and lightness of the country that a land is or lies in. */
  country(land) {
    const colours = this.theme.country;
    return colours[hashText(land.path.split("/", 2).join("/")) % colours.length];
  }

  /** The colour of the band inside a land's border. */
  band(land) {
    if (this.mode !== "kind" || land.depth === 0) return this.border(land.depth);
    return hsl(this.country(land), this.isDark ? 26 : -34);
  }

  border(depth) { return this.theme.border[Math.min(depth, 3)]; }

  /** The colour of a sort of files. */
  type(name) { return (typeColours.get(name) ?? typeColours.get("other"))[this.isDark ? 1 : 0]; }

  file(file) {
    if (file.unreadable) return this.theme.select;
    if (this.mode === "size" && file.size !== undefined) return this.step(file.size, sizes);
    if (this.mode === "age") return this.age(file.modified) ?? this.theme.file;
    if (this.mode === "type") return this.type(fileType(file.name, file.special));
    return this.theme.file;
  }

  /** Rows of the legend: a colour, and what it stands for. */
  get legend() {
    const theme = this.theme;
    if (this.mode === "size") {
      const words = ["under 1 kB, 4 entries", "under 10 kB, 16", "under 100 kB, 64", "under 1 MB, 256",
        "under 100 MB, 1,024", "more"];
      return words.map((word, index) => [this.ramp[index], word]);
    }
    if (this.mode === "age") {
      const words = ["changed today", "this week", "this month", "this year", "in five years", "longer ago"];
      return words.map((word, index) => [this.ramp[5 - index], word]);
    }
    if (this.mode === "type") return [...typeColours.keys()].map((name) => [this.type(name), name]);
    return [
      [theme.sea, "sea: nothing is there"],
      [theme.land[0], "continent: a root"],
      [hsl(theme.country[1], 0), "country: a folder in it"],
      [hsl(theme.country[3], 0), "another country"],
      [hsl(theme.country[3], lifts[1]), "state: a folder in that"],
      [hsl(theme.country[3], lifts[2]), "district: those in states"],
      [theme.file, "point: a file"],
    ];
  }
}
