// Names on the map: larger lands first, without overlaps, and without jumps.
import { boxOfRings, byId, overlap, roomsOf, showBytes, showCount } from "./geo.js";
import { layers } from "./layers.js";
import { Lettering } from "./lettering.js";
import { worldPlace } from "./mercator.js";
import { cutHull, hullOf, lineThrough, placeLetters } from "./names.js";
import { fileSize } from "./shapes.js";

const serif = "Georgia, 'Noto Serif', 'DejaVu Serif', serif";
const sans = "system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif";
const AT_MOST = 260;

/** The style of names of a rank: font, sizes to try, and letter spacing in sizes. */
function styleOf(depth, breadth) {
  const range = (least, most, by) => {
    const sizes = [];
    const first = Math.max(least, Math.min(most, breadth / by));
    for (let size = first; size > least; size *= 0.84) sizes.push(Math.round(size * 2) / 2);
    return [...sizes, least];
  };
  if (depth === 0) return { font: `600 1px ${serif}`, caps: true, ink: 0, sizes: range(15, 46, 11), tracks: [1.6, 0.9, 0.45, 0.2] };
  if (depth === 1) return { font: `600 1px ${serif}`, caps: false, ink: 1, sizes: range(8.5, 22, 6.5), tracks: [0.5, 0.22, 0.08, 0.02] };
  if (depth === 2) return { font: `italic 1px ${serif}`, caps: false, ink: 2, sizes: range(9, 19, 7.5), tracks: [0.3, 0.1, 0.02] };
  return { font: `${depth === 3 ? 500 : 400} 1px ${sans}`, caps: false, ink: 3, sizes: range(8.5, 14, 8), tracks: [0.12, 0.03] };
}

/** A name as shown on the map. */
function labelText(name, caps) {
  const text = caps ? name.toLocaleUpperCase("en") : name;
  return text.length > 40 ? `${text.slice(0, 38)}…` : text;
}

/** Occupied boxes, indexed by cells of the view. */
class TakenBoxes {
  constructor() { this.grid = new Map(); }

  *cells(box) {
    for (let x = Math.floor(box[0] / 48); x <= Math.floor(box[2] / 48); x += 1)
      for (let y = Math.floor(box[1] / 48); y <= Math.floor(box[3] / 48); y += 1) yield x * 4096 + y;
  }

  take(box) {
    for (const key of this.cells(box)) {
      if (!this.grid.has(key)) this.grid.set(key, []);
      this.grid.get(key).push(box);
    }
  }

  isFree(box) {
    for (const key of this.cells(box)) {
      for (const other of this.grid.get(key) ?? []) {
        if (overlap(other, box)) return false;
      }
    }
    return true;
  }
}

export class Labels {
  constructor(palette, lights) {
    this.lights = lights;
    this.lettering = new Lettering(palette);
    this.placed = [];
    this.choice = null;
    this.shown = new Map();
  }

  /** Boxes of overlays, which names avoid. */
  obstacles() {
    const own = ["search", "crumbs", "panel", "tools", "drawer", "table", "scale", "time"].map(byId);
    return roomsOf([...own, byId("scale").firstElementChild, ...document.querySelectorAll(".over, .overview"), ...layers.values("overMap")].filter(Boolean));
  }

  /** A second, smaller line for a land; empty if unused. */
  noteOf(land) {
    const note = layers.first("noteOf", land);
    if (note !== undefined) return note;
    if (this.lights.isOn) {
      const count = this.lights.count(land.path);
      return count > 0 ? `${showCount(count, "match", "matches")} · ${showBytes(this.lights.bytes(land.path))}` : "";
    }
    if (land.bytes === undefined) return "";
    return land.files === 0 ? "empty" : `${showBytes(land.bytes)} · ${showCount(land.files, "file", "files")}`;
  }

  weightOf(file) { return layers.each("weightOf", file).reduce((sum, weight) => sum + weight, file.size ?? 0); }

  /**
   * Starts to choose the names of a view; shown ones go first among equals.
   *
   * ``choose(deadline)`` continues it; until the end the old names stay.
   */
  place(camera, entries, ratio) {
    this.choice = this.choices(camera.frozen, [...entries], ratio);
  }

  /** Continues choosing; returns whether there is more to do. */
  choose(deadline) {
    while (this.choice && performance.now() < deadline) {
      if (this.choice.next().done) this.choice = null;
    }
    return this.choice !== null;
  }

  *choices(camera, entries, ratio) {
    const now = performance.now();
    const taken = new TakenBoxes();
    this.obstacles().forEach((box) => taken.take(box));
    const placed = [];
    const shown = new Map();
    const keep = (label) => {
      const since = this.shown.get(label.key) ?? now;
      shown.set(label.key, since);
      placed.push({ ...label, since });
    };
    const lands = this.landsOf(camera, entries);
    yield;
    for (const land of lands) {
      if (placed.length > AT_MOST) break;
      this.placeLand(land, camera, taken, ratio, keep);
      yield;
    }
    if (!this.lights.isOn) this.placeTowns(camera, entries, taken, ratio, keep);
    yield* this.placeFiles(camera, entries, taken, ratio, keep, placed);
    this.placed = placed;
    this.shown = shown;
  }

  /** The lands of a view with their points, most important first. */
  landsOf(camera, entries) {
    const found = new Map();
    for (const entry of entries) {
      for (const land of entry.data.land) {
        const breadth = (land.breadth ?? 0) * camera.scale;
        if (breadth < (land.depth < 2 ? 12 : 17) || !layers.isThere(land)) continue;
        if (!found.has(land.path)) found.set(land.path, { land, breadth, points: [] });
        const { points } = found.get(land.path);
        for (const ring of land.outline ?? land.rings) {
          const step = ring.length > 160 ? 4 : 2;
          for (let i = 0; i < ring.length; i += step) {
            const [x, y] = worldPlace(entry, ring[i], ring[i + 1]);
            points.push(camera.toScreen(x, y));
          }
        }
      }
    }
    const { lights } = this;
    const rank = ({ land, breadth }) =>
      (land.depth === 0 ? 1e6 : 0) + (lights.isOn && lights.count(land.path) > 0 ? 1e5 : 0) + (this.shown.has(land.path) ? 1.4 : 1) * breadth * [1, 1, 0.7, 0.5][Math.min(land.depth, 3)];
    return [...found.values()].sort((a, b) => rank(b) - rank(a) || (a.land.path < b.land.path ? -1 : 1));
  }

  placeLand({ land, breadth, points }, camera, taken, ratio, keep) {
    let hull = hullOf(points);
    const view = [4, 4, camera.width - 4, camera.height - 4];
    const most = 1.25 * Math.max(camera.width, camera.height);
    // A land that fills the view needs no name: the breadcrumbs have it.
    if (breadth > most) return;
    if (hull.some(([x, y]) => x < view[0] || y < view[1] || x > view[2] || y > view[3])) hull = cutHull(hull, view);
    if (hull.length < 3) return;
    const isContinent = land.depth === 0;
    const line = lineThrough(hull, isContinent);
    if (!line) return;
    const style = styleOf(land.depth, Math.min(line.breadth, breadth * 1.2));
    if (this.lights.isOn) style.ink = this.lights.count(land.path) > 0 ? "lit" : "unlit";
    layers.each("style", style, land);
    const text = labelText(land.name, style.caps);
    const { letters, widths } = this.lettering.lettersOf(text, style.font);
    const room = (box) => taken.isFree(box);
    const found = placeLetters(hull, line, widths, style.sizes, style.tracks, room);
    if (!found) return;
    for (const { box } of found.letters) taken.take(grown(box, 1.5));
    const sprite = this.lettering.curved(letters, found, style, ratio);
    const [x, y] = camera.toWorld(sprite.x, sprite.y);
    keep({ key: land.path, x, y, dx: 0, dy: 0, sprite, boxes: found.letters.map(({ box }) => box) });
    this.placeNote(land, hull, line, found, camera, taken, ratio, keep);
  }

  /** Places a land's second line, in italics below its name. */
  placeNote(land, hull, line, found, camera, taken, ratio, keep) {
    const note = found.size >= (this.lights.isOn ? 8 : 11) ? this.noteOf(land) : "";
    if (note === "") return;
    const font = `italic 1px ${serif}`;
    const { letters, widths } = this.lettering.lettersOf(note, font);
    const size = Math.max(9, Math.min(12.5, found.size * 0.62));
    const middle = found.letters[Math.floor(found.letters.length / 2)];
    const below = { ...line, x: (found.letters[0].x + found.letters.at(-1).x) / 2,
      y: (found.letters[0].y + found.letters.at(-1).y) / 2, sag: 0,
      angle: Math.atan2(found.letters.at(-1).y - found.letters[0].y, found.letters.at(-1).x - found.letters[0].x) || middle.angle };
    const down = found.size * 0.62 + size * 0.75 + Math.max(0, line.sag);
    const moved = { ...below, x: below.x - down * Math.sin(below.angle), y: below.y + down * Math.cos(below.angle) };
    const placed = placeLetters(hull, moved, widths, [size], [0.02], (box) => taken.isFree(box));
    if (!placed) return;
    for (const { box } of placed.letters) taken.take(box);
    const sprite = this.lettering.curved(letters, placed, { font, ink: this.lights.isOn ? "lit" : "soft" }, ratio);
    const [x, y] = camera.toWorld(sprite.x, sprite.y);
    keep({ key: `${land.path}\n`, x, y, dx: 0, dy: 0, sprite, boxes: placed.letters.map(({ box }) => box) });
  }

  /** Places the number of files on built-up ground that fills much of the view. */
  placeTowns(camera, entries, taken, ratio, keep) {
    const found = new Map();
    for (const entry of entries) {
      for (const town of entry.data.towns ?? []) {
        // A town in several tiles is named in the tile with most of it.
        const [west, north, east, south] = boxOfRings(town.rings);
        const key = `${town.folder}\t${town.files}\t${town.id}`;
        const area = (east - west) * (south - north);
        if (found.get(key)?.area >= area) continue;
        const corners = [[west, north], [east, south]].map((corner) => camera.toScreen(...worldPlace(entry, ...corner)));
        const [x, y] = worldPlace(entry, (west + east) / 2, (north + south) / 2);
        found.set(key, { area, files: town.files, corners, x, y });
      }
    }
    const wide = [...found].filter(([, { corners: [[x0, y0], [x1, y1]] }]) => x1 - x0 > 150 && y1 - y0 > 70);
    for (const [key, { files, x, y }] of wide.sort((a, b) => b[1].files - a[1].files).slice(0, 12)) {
      const sprite = this.lettering.level(showCount(files, "file", "files"), `italic 1px ${serif}`, 11, "soft", ratio);
      const [px, py] = camera.toScreen(x, y);
      const box = [px - sprite.text / 2 - 2, py - 7, px + sprite.text / 2 + 2, py + 7];
      if (!taken.isFree(box)) continue;
      taken.take(box);
      keep({ key, x, y, dx: 0, dy: 0, sprite, boxes: [box] });
    }
  }

  /** Places names of files: largest first, at one of eight positions, only in free space. */
  *placeFiles(camera, entries, taken, ratio, keep, placed) {
    const wanted = [];
    const seen = new Set();
    for (const entry of entries) {
      for (const file of entry.data.files) {
        if (file.x < 0 || file.y < 0 || file.x >= 4096 || file.y >= 4096 || seen.has(file.path)) continue;
        const past = camera.z - file.minzoom;
        if (past < 1.2 || !layers.isThere(file) || (this.lights.isOn && !this.lights.isLit(file))) continue;
        seen.add(file.path);
        const [wx, wy] = worldPlace(entry, file.x, file.y);
        const [x, y] = camera.toScreen(wx, wy);
        if (!camera.isNear(x, y, 60, 20)) continue;
        const r = fileSize(past);
        if (wanted.length < 3000) taken.take([x - r, y - r, x + r, y + r]);
        wanted.push({ file, wx, wy, x, y, r, weight: (this.shown.has(file.path) ? 1e18 : 0) + this.weightOf(file) });
      }
    }
    wanted.sort((a, b) => b.weight - a.weight || (a.file.path < b.file.path ? -1 : 1));
    let count = 0;
    for (const { file, wx, wy, x, y, r } of wanted.slice(0, 900)) {
      if (placed.length > AT_MOST) break;
      if ((count += 1) % 4 === 0) yield;
      const style = { font: `1px ${sans}`, ink: this.lights.isOn ? "lit" : "file" };
      layers.each("style", style, file);
      const sprite = this.lettering.level(labelText(file.name, false), style.font, 11, style.ink, ratio);
      const [w, h] = [sprite.text / 2, 6.5];
      const gap = r + 2;
      const anchors = [[w + gap, 0], [-w - gap, 0], [0, h + gap], [0, -h - gap], [w + gap - 1, -h], [w + gap - 1, h],
        [-w - gap + 1, -h], [-w - gap + 1, h]];
      const spot = anchors.find(([dx, dy]) => taken.isFree([x + dx - w, y + dy - h, x + dx + w, y + dy + h]));
      if (!spot) continue;
      const box = [x + spot[0] - w, y + spot[1] - h, x + spot[0] + w, y + spot[1] + h];
      taken.take(box);
      keep({ key: file.path, x: wx, y: wy, dx: spot[0], dy: spot[1], sprite, boxes: [box] });
    }
  }

  /** Draws the names at their current places; new ones fade in. */
  draw(context, camera, ratio, now, isCalm) {
    let isFading = false;
    for (const label of this.placed) {
      const [x, y] = camera.toScreen(label.x, label.y);
      const { canvas, width, height } = label.sprite;
      const left = x + label.dx - width / 2;
      const top = y + label.dy - height / 2;
      if (left > camera.width || top > camera.height || left + width < 0 || top + height < 0) continue;
      const alpha = isCalm ? 1 : Math.min(1, (now - label.since + 30) / 160);
      if (alpha < 1) isFading = true;
      context.globalAlpha = alpha;
      context.drawImage(canvas, Math.round(left * ratio), Math.round(top * ratio));
    }
    context.globalAlpha = 1;
    return isFading;
  }
}

/** A box with a margin. */
function grown(box, by) { return [box[0] - by, box[1] - by, box[2] + by, box[3] + by]; }
