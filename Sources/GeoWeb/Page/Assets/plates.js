// Short texts as images: one line or two with a halo, drawn once.

/** The number of kept images. */
const MOST_KEPT = 400;
/** The space around a text for its halo, in pixels. */
const MARGIN = 3;
const HALO = 3.6;

export class Plates {
  constructor(palette) {
    this.palette = palette;
    this.all = new Map();
    this.pen = document.createElement("canvas").getContext("2d");
  }

  /**
   * The image of some lines, each `[text, font, height, ink]`, with a font in CSS pixels; `side` aligns them: 1 left, 0
   * in the middle, -1 right. Returns the `canvas` with the `width` and `height` of the text, without the margin.
   */
  of(lines, side, ratio) {
    const key = `${lines.map((line) => line.join("|")).join("\n")}|${side}|${ratio}|${this.palette.isDark}`;
    const known = this.all.get(key);
    if (known) return known;
    if (this.all.size >= MOST_KEPT) this.all.clear();
    const widths = lines.map(([text, font]) => {
      this.pen.font = font;
      return this.pen.measureText(text).width;
    });
    const width = Math.ceil(Math.max(...widths));
    const height = lines.reduce((sum, [, , high]) => sum + high, 0);
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil((width + 2 * MARGIN) * ratio);
    canvas.height = Math.ceil((height + 2 * MARGIN) * ratio);
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = HALO;
    context.strokeStyle = this.palette.halo;
    let top = MARGIN;
    lines.forEach(([text, font, high, ink], index) => {
      context.font = font;
      context.fillStyle = ink;
      const x = MARGIN + ((1 - side) / 2) * (width - widths[index]);
      context.strokeText(text, x, top + high / 2);
      context.fillText(text, x, top + high / 2);
      top += high;
    });
    const made = { canvas, width, height };
    this.all.set(key, made);
    return made;
  }
}

/** Draws an image of `Plates` with its text from a place on. */
export function drawPlate(context, { canvas }, left, top, ratio) {
  context.drawImage(canvas, Math.round((left - MARGIN) * ratio) / ratio, Math.round((top - MARGIN) * ratio) / ratio, canvas.width / ratio, canvas.height / ratio);
}
