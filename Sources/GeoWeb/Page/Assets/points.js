// Files: dots from afar, then sheets, then sheets that show what sort of file they are.
import { fileType, inkOn } from "./palette.js";

/** How large a file is drawn, in pixels, `past` zooms after it comes into sight. */
export function fileSize(past) {
  if (past < 0.75) return 1.1;
  if (past < 1.5) return 1.7;
  if (past < 2.25) return 2.6;
  return Math.min(8, 4.6 + (past - 2.25) * 1.2);
}

const glyphs = {
  // Lines on a sheet from -1 to 1, as pairs of points.
  code: [[-0.1, -0.35, -0.5, 0.1], [-0.5, 0.1, -0.1, 0.55], [0.1, -0.35, 0.5, 0.1], [0.5, 0.1, 0.1, 0.55]],
  text: [[-0.5, -0.3, 0.3, -0.3], [-0.5, 0.1, 0.5, 0.1], [-0.5, 0.5, 0.4, 0.5]],
  picture: [[-0.6, 0.6, -0.15, -0.1], [-0.15, -0.1, 0.15, 0.35], [0.15, 0.35, 0.35, 0.1], [0.35, 0.1, 0.6, 0.6]],
  "sound, film": [[-0.3, -0.4, 0.5, 0.1], [0.5, 0.1, -0.3, 0.6], [-0.3, 0.6, -0.3, -0.4]],
  archive: [[0, -0.8, 0, -0.4], [0, -0.2, 0, 0.1], [-0.3, 0.3, 0.3, 0.3], [0.3, 0.3, 0.3, 0.6], [0.3, 0.6, -0.3, 0.6], [-0.3, 0.6, -0.3, 0.3]],
  program: [[-0.5, -0.1, 0.5, -0.1], [-0.5, 0.4, 0.5, 0.4], [-0.25, -0.4, -0.25, 0.7], [0.25, -0.4, 0.25, 0.7]],
  data: [[-0.5, -0.3, -0.2, -0.3], [0.1, -0.3, 0.5, -0.3], [-0.5, 0.1, -0.2, 0.1], [0.1, 0.1, 0.5, 0.1], [-0.5, 0.5, -0.2, 0.5], [0.1, 0.5, 0.5, 0.5]],
  link: [[-0.5, 0.5, 0.4, -0.2], [0.4, -0.2, 0, -0.25], [0.4, -0.2, 0.3, 0.2]],
  device: [[-0.4, -0.1, 0.4, -0.1], [0.4, -0.1, 0.4, 0.5], [0.4, 0.5, -0.4, 0.5], [-0.4, 0.5, -0.4, -0.1]],
};

export function drawFile(context, file, x, y, past, palette, ratio) {
  const r = fileSize(past) * ratio;
  const colour = palette.file(file);
  const theme = palette.theme;
  if (r < 4 * ratio) {
    context.beginPath();
    if (file.special) context.rect(x - r, y - r, 2 * r, 2 * r);
    else context.arc(x, y, r, 0, Math.PI * 2);
    context.fillStyle = colour;
    if (r > 1.5 * ratio) {
      context.strokeStyle = theme.paper;
      context.lineWidth = 0.8 * ratio;
      context.stroke();
    }
    context.fill();
    return;
  }
  // A sheet of paper with a folded corner; a landless folder has a tab instead.
  const w = r * 0.82;
  const fold = r * 0.55;
  context.beginPath();
  if (file.kind !== "poi") {
    context.moveTo(x - r, y - w * 0.8);
    context.lineTo(x - r * 0.2, y - w * 0.8);
    context.lineTo(x, y - w * 0.5);
    context.lineTo(x + r, y - w * 0.5);
    context.lineTo(x + r, y + w * 0.8);
    context.lineTo(x - r, y + w * 0.8);
  } else {
    context.moveTo(x - w, y - r);
    context.lineTo(x + w - fold, y - r);
    context.lineTo(x + w, y - r + fold);
    context.lineTo(x + w, y + r);
    context.lineTo(x - w, y + r);
  }
  context.closePath();
  context.fillStyle = palette.mode === "kind" ? theme.paper : colour;
  context.strokeStyle = palette.mode === "kind" ? colour : theme.ink[0];
  context.lineWidth = ratio;
  context.lineJoin = "round";
  context.fill();
  context.stroke();
  const glyph = file.kind === "poi" && r > 4.8 * ratio && glyphs[fileType(file.name, file.special)];
  if (!glyph) return;
  context.beginPath();
  for (const [ax, ay, bx, by] of glyph) {
    context.moveTo(x + ax * w, y + ay * r * 0.8 + r * 0.1);
    context.lineTo(x + bx * w, y + by * r * 0.8 + r * 0.1);
  }
  context.strokeStyle = palette.mode === "kind" ? colour : inkOn(colour);
  context.lineWidth = Math.max(0.9, r * 0.13);
  context.stroke();
}
