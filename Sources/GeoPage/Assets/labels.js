// Names on the map: larger lands first, none over another, and none that jumps.
import { TILE } from "./camera.js";
import { LabelPlaces } from "./places.js";
import { fileSize } from "./points.js";

const serif = "Georgia, 'DejaVu Serif', 'Noto Serif', serif";
const sans = "system-ui, 'DejaVu Sans', 'Noto Sans', sans-serif";

/** How the names of a rank are set. */
function styleOf(depth, breadth) {
  // What is wide is set wide: the letters lead the eye over the land.
  const wide = (least, most) => Math.round(Math.min(most, least + Math.max(0, breadth - 160) / 70) * 2) / 2;
  const size = (least, most, by) => Math.round(Math.min(most, least + breadth / by) * 2) / 2;
  const ink = Math.min(depth, 3);
  if (depth === 0) return { font: `600 ${size(15, 30, 60)}px ${serif}`, space: wide(5, 14), caps: true, ink };
  if (depth === 1) return { font: `600 ${size(12, 21, 50)}px ${serif}`, space: wide(1.5, 7), caps: false, ink };
  if (depth === 2) return { font: `italic ${size(11.5, 18, 60)}px ${serif}`, space: wide(0.5, 3), caps: false, ink };
  if (depth === 3) return { font: `500 ${size(11, 15, 80)}px ${sans}`, space: wide(0, 1.5), caps: false, ink };
  return { font: `${size(11, 14, 90)}px ${sans}`, space: wide(0, 1), caps: false, ink };
}

const fileStyle = { font: `11px ${sans}`, space: 0, caps: false, ink: "file" };

/** A name as it is written on the map. */
function labelText(name, style) {
  const text = style.caps ? name.toLocaleUpperCase("en") : name;
  return text.length > 40 ? `${text.slice(0, 38)}…` : text;
}

export class Labels {
  constructor(palette) {
    this.palette = palette;
    this.sprites = new Map();
    this.placed = [];
    this.shown = new Map();
    this.places = new LabelPlaces();
    /** Boxes of the view that something lies over. */
    this.obstacles = () => [];
  }

  /** A text with its halo, drawn once. */
  sprite(text, style, ratio) {
    const key = `${style.font}|${style.space}|${style.ink}|${text}|${ratio}|${this.palette.isDark}`;
    let sprite = this.sprites.get(key);
    if (sprite) return sprite;
    if (this.sprites.size > 1500) this.sprites.clear();
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d");
    const set = () => {
      context.font = style.font;
      context.letterSpacing = `${style.space}px`;
      context.textBaseline = "middle";
      context.lineJoin = "round";
    };
    set();
    const size = parseFloat(style.font.match(/([\d.]+)px/)[1]);
    const width = Math.ceil(context.measureText(text).width) + 8;
    const height = Math.ceil(size * 1.5) + 4;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    context.scale(ratio, ratio);
    set();
    const theme = this.palette.theme;
    context.strokeStyle = theme.halo;
    context.lineWidth = 3;
    context.strokeText(text, 4, height / 2);
    context.fillStyle = style.ink === "file" ? theme.fileink : theme.ink[style.ink];
    context.fillText(text, 4, height / 2);
    sprite = { canvas, width, height };
    this.sprites.set(key, sprite);
    return sprite;
  }

  /** Chooses the names of a view; those that are shown already go first among their like. */
  place(camera, entries, ratio) {
    const wanted = [];
    const seen = new Set();
    for (const entry of entries) {
      const count = 2 ** entry.z;
      const world = (unit, tile) => (tile + unit / 4096) / count;
      for (const label of entry.data.labels) this.addLand(wanted, seen, camera, ratio, entries, entry, label,
        world(label.x, entry.x), world(label.y, entry.y));
      for (const file of entry.data.files) {
        if (file.x < 0 || file.y < 0 || file.x >= 4096 || file.y >= 4096) continue;
        const past = camera.z - file.minzoom;
        if (past < 1.9) continue;
        this.addFile(wanted, seen, camera, file, past, world(file.x, entry.x), world(file.y, entry.y));
      }
    }
    wanted.sort((a, b) => b.weight - a.weight || (a.key < b.key ? -1 : 1));
    this.arrange(wanted, camera, ratio);
  }

  addLand(wanted, seen, camera, ratio, entries, entry, label, wx, wy) {
    const breadth = label.breadth * camera.scale;
    const most = 2.4 * Math.max(camera.width, camera.height);
    // A land that fills the view needs no name any more: the breadcrumbs have it.
    if (breadth < 22 || breadth > most || seen.has(label.path)) return;
    seen.add(label.path);
    // Fonts keep to steps of half a zoom, so that names don't swim.
    const step = label.breadth * TILE * 2 ** (Math.round(camera.z * 2) / 2);
    const style = styleOf(label.depth, Math.round(step / 20) * 20);
    const text = labelText(label.name, style);
    if (breadth > 120) {
      const { width, height } = this.sprite(text, style, ratio);
      const unit = (4096 * 2 ** entry.z) / camera.scale;
      const [right, down] = this.places.shift([...entries], entry, label, width * unit, height * unit);
      wx += right;
      wy += down;
    }
    const [x, y] = camera.toScreen(wx, wy);
    if (x < -200 || y < -50 || x > camera.width + 200 || y > camera.height + 50) return;
    const stays = this.shown.has(label.path) ? 1.5 : 1;
    wanted.push({
      key: label.path, text, x: wx, y: wy, room: breadth, offset: 0,
      weight: 1e6 * stays * label.breadth * camera.scale, style,
      isContinent: label.depth === 0,
    });
  }

  addFile(wanted, seen, camera, file, past, wx, wy) {
    if (seen.has(file.path)) return;
    seen.add(file.path);
    const [x, y] = camera.toScreen(wx, wy);
    if (x < -60 || y < -20 || x > camera.width + 60 || y > camera.height + 20) return;
    const stays = this.shown.has(file.path) ? 1e3 : 0;
    wanted.push({
      key: file.path, text: labelText(file.name, fileStyle), x: wx, y: wy, room: Infinity, offset: fileSize(past) + 8,
      weight: stays + 100 - file.depth, style: fileStyle, isContinent: false,
    });
  }

  arrange(wanted, camera, ratio) {
    const grid = new Map();
    const cell = 64;
    const cells = function* (box) {
      for (let x = Math.floor(box[0] / cell); x <= Math.floor(box[2] / cell); x += 1)
        for (let y = Math.floor(box[1] / cell); y <= Math.floor(box[3] / cell); y += 1) yield `${x},${y}`;
    };
    const take = (box) => {
      for (const key of cells(box)) {
        if (!grid.has(key)) grid.set(key, []);
        grid.get(key).push(box);
      }
    };
    this.obstacles().forEach(take);
    this.placed = [];
    const shown = new Map();
    for (const label of wanted.slice(0, 1200)) {
      if (this.placed.length > 260) break;
      const sprite = this.sprite(label.text, label.style, ratio);
      if (sprite.width > label.room * 1.35 && !label.isContinent) continue;
      const [x, y] = camera.toScreen(label.x, label.y);
      const left = x - sprite.width / 2;
      const top = y + label.offset - sprite.height / 2;
      const box = [left + 2, top + 3, left + sprite.width - 2, top + sprite.height - 3];
      const clashes = [...cells(box)].some((key) => (grid.get(key) ?? []).some((other) =>
        other[0] < box[2] && other[2] > box[0] && other[1] < box[3] && other[3] > box[1]));
      if (clashes) continue;
      take(box);
      const age = this.shown.get(label.key) ?? performance.now();
      shown.set(label.key, age);
      this.placed.push({ ...label, sprite, since: age });
    }
    this.shown = shown;
  }

  /** Draws the names where their places are now; those that are new fade in. */
  draw(context, camera, ratio, now, isCalm) {
    let isFading = false;
    for (const label of this.placed) {
      const [x, y] = camera.toScreen(label.x, label.y);
      const alpha = isCalm ? 1 : Math.min(1, (now - label.since + 30) / 160);
      if (alpha < 1) isFading = true;
      context.globalAlpha = alpha;
      const { canvas, width, height } = label.sprite;
      context.drawImage(canvas, Math.round((x - width / 2) * ratio),
        Math.round((y + label.offset - height / 2) * ratio));
    }
    context.globalAlpha = 1;
    return isFading;
  }
}
