// Texts as images: widths of letters, and canvases of letters with a halo.

let segmenter = null;

/** Splits a text into letters as a reader sees them. */
function lettersIn(text) {
  if (isASCII.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter("en");
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

const isASCII = /^[ -~]*$/;

export class Lettering {
  constructor(palette) {
    this.palette = palette;
    /** Horizontal texts drawn before. */
    this.sprites = new Map();
    this.widths = new Map();
    this.letters = new Map();
    this.pen = document.createElement("canvas").getContext("2d");
  }

  /** The widths of a text's letters at size 1, pairs kerned. */
  lettersOf(text, font) {
    const key = `${font}|${text}`;
    let found = this.widths.get(key);
    if (found) return found;
    if (this.widths.size > 6000) this.widths.clear();
    const letters = lettersIn(text);
    const widths = letters.map((letter, index) => {
      const before = letters[index - 1];
      return before === undefined ? this.measure(letter, font) : this.measure(before + letter, font) - this.measure(before, font);
    });
    found = { letters, widths };
    this.widths.set(key, found);
    return found;
  }

  /** The width of a letter or a pair at size 1. */
  measure(text, font) {
    let known = this.letters.get(font);
    if (!known || known.size > 20000) this.letters.set(font, (known = new Map()));
    let width = known.get(text);
    if (width === undefined) {
      const wanted = font.replace("1px", "100px");
      if (this.pen.wanted !== wanted) this.pen.font = this.pen.wanted = wanted;
      width = this.pen.measureText(text).width / 100;
      known.set(text, width);
    }
    return width;
  }

  /** A canvas with letters, each with place and direction; `x` and `y` are its middle. */
  curved(letters, { size, letters: places }, style, ratio) {
    let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const { box } of places) {
      west = Math.min(west, box[0]);
      north = Math.min(north, box[1]);
      east = Math.max(east, box[2]);
      south = Math.max(south, box[3]);
    }
    const margin = 4 + size * 0.3;
    const [left, top] = [Math.floor(west - margin), Math.floor(north - margin)];
    const width = Math.ceil(east + margin) - left;
    const height = Math.ceil(south + margin) - top;
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(width * ratio));
    canvas.height = Math.max(1, Math.round(height * ratio));
    const context = canvas.getContext("2d");
    context.font = style.font.replace("1px", `${size}px`);
    context.textBaseline = "middle";
    context.textAlign = "center";
    context.lineJoin = "round";
    context.strokeStyle = this.palette.halo;
    context.lineWidth = Math.max(2.4, Math.min(4, size / 5));
    context.fillStyle = this.palette.ink(style.ink);
    for (const act of ["strokeText", "fillText"]) {
      places.forEach(({ x, y, angle }, index) => {
        const [cos, sin] = [Math.cos(angle) * ratio, Math.sin(angle) * ratio];
        context.setTransform(cos, sin, -sin, cos, (x - left) * ratio, (y - top) * ratio);
        context[act](letters[index], 0, 0);
      });
    }
    return { canvas, width, height, left, top, letters, places, size, style, x: left + width / 2, y: top + height / 2 };
  }

  /** A horizontal text with halo, drawn once. */
  level(text, font, size, ink, ratio) {
    const key = `${font}|${size}|${ink}|${text}|${ratio}|${this.palette.key}`;
    let sprite = this.sprites.get(key);
    if (sprite) return sprite;
    if (this.sprites.size > 1500) this.sprites.clear();
    const { letters, widths } = this.lettersOf(text, font);
    let at = 0;
    const places = widths.map((width) => {
      const x = (at + width / 2) * size;
      at += width;
      return { x, y: 0, angle: 0, box: [x - (width * size) / 2, -size * 0.55, x + (width * size) / 2, size * 0.55] };
    });
    sprite = this.curved(letters, { size, letters: places }, { font, ink }, ratio);
    sprite.text = at * size;
    this.sprites.set(key, sprite);
    return sprite;
  }
}
