// The matches on the map: a veil covers it, and matches shine through, drawn once per tile into a bitmap.
import { brightness, partOf } from "./lights.js";
import { veils } from "./palette.js";
import { breadthIn, drawFile, fileSize, Lamps, outlineBox, outlineOf, pathOf } from "./shapes.js";
import { TileBitmaps } from "./tiles.js";

/** The range of strength in which land shines. */
const MOST_LIGHT = 0.42;
const FAINT = 0.1;
const SMALL = 12; // pixels: smaller land is drawn as a glow

/** The opacity of land of a brightness. */
export function fillOf(strength) { return FAINT + (MOST_LIGHT - FAINT) * strength ** 1.5; }

export class LightLayer {
  constructor(palette) {
    this.palette = palette;
    /** Tests a file; null while off. */
    this.fits = null;
    this.counts = null;
    /** Increases with every change of the picture. */
    this.version = 0;
    /** The zooms from which folders and their files were seen. */
    this.zooms = new Map();
    this.fileZooms = new Map();
    this.bitmaps = new TileBitmaps();
    this.lamps = new Lamps();
    this.since = 0;
  }

  get isOn() { return this.fits !== null; }

  /** Sets the test and its counts; `fits` is null for off. */
  set(fits, counts) {
    if (!this.fits) this.since = performance.now();
    this.fits = fits;
    this.counts = counts;
    this.turn = {};
    this.version += 1;
    if (!fits) this.bitmaps = new TileBitmaps();
  }

  /** Called when counts change. */
  changed() { this.version += 1; }

  /** Whether a file matches, tested once. */
  isLit(file) {
    if (file.kind !== "poi") return (this.counts.folders.get(file.path)?.files ?? 0) > 0;
    if (file.turn !== this.turn) [file.turn, file.lit] = [this.turn, this.fits(file)];
    return file.lit;
  }

  /** The number of matches below a land. */
  count(path) { return this.counts?.folders.get(path)?.files ?? 0; }

  /** The bytes of the matches below a land. */
  bytes(path) { return this.counts?.folders.get(path)?.bytes ?? 0; }

  /** The brightness of matches, as `files` and `bytes`; 0 without any. */
  strength(some) { return some.files > 0 ? brightness(partOf(some, this.counts.all)) : 0; }

  get veiling() { return veils[this.palette.isDark ? 1 : 0]; }

  /** Records what a tile shows; returns whether it is new. */
  learn(entry) {
    if (entry.learnt === entry.version) return;
    entry.learnt = entry.version;
    if (this.zooms.size > 50000) this.zooms.clear();
    let isNew = false;
    const note = (map, path, zoom) => {
      if (map.get(path) <= zoom) return;
      map.set(path, zoom);
      isNew = true;
    };
    for (const land of entry.data.land) if (land.rings.length > 0) note(this.zooms, land.path, land.minzoom);
    for (const file of entry.data.files) {
      note(file.kind === "poi" ? this.fileZooms : this.zooms, file.kind === "poi" ? file.folder : file.path, file.minzoom);
    }
    if (isNew) this.version += 1;
  }

  /** Draws the veil, which fades in quickly. */
  veil(context, width, height, now, isCalm) {
    const part = isCalm ? 1 : Math.min(1, (now - this.since + 40) / 140);
    context.globalAlpha = part;
    context.fillStyle = this.veiling.veil;
    context.fillRect(0, 0, width, height);
    context.globalAlpha = 1;
    return part < 1;
  }

  /** Draws the matches of a view; returns whether all are up to date. */
  paint(context, camera, tiles, list, ratio, deadline) {
    // Other loaded tiles, too: matches may be just outside the view.
    for (const entry of tiles.all.values()) if (entry.data) this.learn(entry);
    return this.bitmaps.draw(context, camera, tiles, list, { ratio, deadline,
      keyOf: (entry) => `${this.version}.${entry.version}.${this.palette.isDark}`,
      render: (pen, entry, size) => this.render(pen, entry, size, ratio, camera.z) });
  }

  render(context, entry, size, ratio, zoom) {
    context.lineJoin = "round";
    this.drawLands(context, entry, size, ratio);
    this.drawFiles(context, entry, size, ratio, zoom);
  }

  drawLands(context, entry, size, ratio) {
    const px = size / 4096;
    const { glow } = this.veiling;
    const isShown = (path) => this.zooms.get(path) <= entry.z;
    const small = [];
    const lit = new Set();
    for (const land of entry.data.land) {
      const outline = outlineOf(land);
      if (outline.length === 0) continue;
      const count = this.count(land.path);
      const breadth = breadthIn(land, { entry, size, px, ratio });
      if (lit.has(land.parent) && breadth >= 2) {
        // Lands within a shining land shine by themselves, or not at all.
        context.globalCompositeOperation = "destination-out";
        context.fill(pathOf(outline, px));
        context.globalCompositeOperation = "source-over";
      }
      if (count === 0) continue;
      const strength = this.strength(this.counts.hidden(land.path, isShown, this.fileZooms.get(land.path) <= entry.z));
      if (land.depth > 0 && breadth < SMALL) {
        const [west, north, east, south] = outlineBox(land);
        if (strength > 0) small.push([((west + east) / 2) * px, ((north + south) / 2) * px, strength]);
        continue;
      }
      lit.add(land.path);
      // Continents would outshine their contents.
      context.fillStyle = `rgba(${glow},${land.depth > 0 || strength > 0 ? fillOf(strength) : FAINT / 3})`;
      context.fill(pathOf(outline, px));
      if (land.depth === 0) continue;
      context.strokeStyle = `rgb(${glow})`;
      const line = pathOf(land.border ?? outline, px, !land.border);
      for (const [width, alpha] of [[7, 0.1], [3.4, 0.2], [1.2, 0.75]]) {
        context.globalAlpha = alpha * (0.2 + 0.8 * Math.max(0.1, strength));
        context.lineWidth = width * ratio;
        context.stroke(line);
      }
      context.globalAlpha = 1;
    }
    for (const [x, y, strength] of small) this.drawLamp(context, x, y, (3.5 + 6 * strength) * ratio);
  }

  drawFiles(context, entry, size, ratio, zoom) {
    const px = size / 4096;
    const shown = entry.data.files.filter((file) => this.isLit(file));
    const sumOf = (file) => (file.kind === "poi" ? { files: 1, bytes: file.size ?? 0 } : this.counts.folders.get(file.path));
    for (const file of shown) this.drawLamp(context, file.x * px, file.y * px, (5.5 + 8.5 * this.strength(sumOf(file))) * ratio);
    for (const file of shown) {
      if (fileSize(zoom - file.minzoom) < 4) continue;
      drawFile(context, file, file.x * px, file.y * px, zoom - file.minzoom, this.palette, ratio);
    }
  }

  /** A glow sprite, drawn once for each size. */
  drawLamp(context, x, y, radius) {
    const r = Math.round(radius);
    const { glow, core } = this.veiling;
    const lamp = this.lamps.of(`${r}|${glow}`, r, () => [[0, `rgb(${core[0]})`], [0.16, `rgb(${core[1]})`], [0.26, `rgba(${glow},.75)`],
      [0.55, `rgba(${glow},.22)`], [1, `rgba(${glow},0)`]]);
    context.drawImage(lamp, x - r, y - r);
  }
}
