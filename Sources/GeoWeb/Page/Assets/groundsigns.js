// The lines and signs of the ground as they are drawn in a view, with their meaning, for legends.
import { borderOf, dashes } from "./rules.js";
import { hatch } from "./shapes.js";
import { changeOfLand } from "./tilestates.js";

/** Half the width and height of a swatch. */
const [ACROSS, DOWN] = [9, 5];

/** A drawing of a box in some colours, side by side, of half a width and height. */
export function colourBox(colours, across, down) {
  return (pen, x, y) => colours.forEach((colour, index) => {
    const width = (2 * across) / colours.length;
    pen.fillStyle = colour;
    pen.fillRect(x - across + index * width, y - down, width, 2 * down);
  });
}

const swatch = (...colours) => colourBox(colours, ACROSS, DOWN);

/** A drawing of a line, over an optional swatch. */
function line(colour, width, dash = [], under = () => {}) {
  return (pen, x, y) => {
    under(pen, x, y);
    [pen.strokeStyle, pen.lineWidth] = [colour, width];
    pen.setLineDash(dash);
    pen.beginPath();
    pen.moveTo(x - ACROSS, y);
    pen.lineTo(x + ACROSS, y);
    pen.stroke();
    pen.setLineDash([]);
  };
}

const borders = ["", "border of a folder", "border, one level deeper", "border, two or more levels deeper"];

/**
 * The signs of the ground that are drawn for some tiles' contents: `words`, and `draw(pen, x, y)`, which draws a sample
 * around a point, 9 pixels to each side.
 */
export function groundSigns(palette, contents, { standings = new Set(), isPlain = false, recedes = false } = {}) {
  const { theme, mode } = palette;
  const has = (test) => contents.some(test);
  const hasLand = (test) => has(({ land }) => land.some(test));
  const signs = [
    [true, "sea", swatch(theme.sea)],
    [hasLand(({ depth }) => depth === 0), "shallow water: ground of a root that nothing has taken", line(theme.shelfedge, 1.4, [1.4, 3], swatch(theme.shelf))],
    [true, "land: folders and files have taken it", line(theme.coast, 1.5, [], swatch(theme.land))],
    [mode === "kind" && !recedes && hasLand(({ depth }) => depth > 0), "folders; tints tell neighbours apart", swatch(...[0, 3, 5].map((tint) => theme.tint[tint]))],
    [mode === "kind" && standings.has("little"), "pale: under 0.1 % of the folder in view", swatch(...[0, 3, 5].map((tint) => palette.tinted(tint, "little")))],
    [recedes && hasLand((land) => ["grew", "shrank"].includes(changeOfLand(land))), "tinted land: it grew, it shrank", swatch(theme.grew, theme.shrank)],
    [recedes && hasLand((land) => changeOfLand(land) === "same"), "tinted land without a ring: changed, its size did not", swatch(theme.same)],
    [standings.has("current"), "the folder in view", line(recedes ? theme.border[0] : theme.edge[0], 1.8, [], swatch(theme.near))],
    ...[1, 2, 3].map((depth) => [hasLand((land) => (depth < 3 ? land.depth === depth : land.depth >= 3)), borders[depth],
      line(theme.border[depth], borderOf(depth, 60).width, dashes(depth))]),
    [hasLand(({ unreadable }) => unreadable), "hatched: a folder that can't be read", (pen, x, y) => {
      const path = new Path2D();
      path.rect(x - ACROSS, y - DOWN, 2 * ACROSS, 2 * DOWN);
      hatch(pen, path, [x - ACROSS, y - DOWN, x + ACROSS, y + DOWN], { colour: theme.select, alpha: 0.6, width: 1, step: 5 });
    }],
    [!isPlain && !recedes && mode === "kind" && has(({ towns, files }) => towns?.length > 0 || files.length > 20), "built-up ground: files, darker where they are dense",
      swatch(...theme.ground)],
    [!isPlain && !recedes && mode === "kind" && palette.isRaised, "hills: bytes below, on one scale", swatch(`rgb(${theme.relief[1]})`, `rgb(${theme.relief[0]})`)],
    [!isPlain && !recedes && mode === "kind" && palette.isRaised, "tree: about 100 files below", (pen, x, y) => {
      [pen.fillStyle, pen.strokeStyle, pen.lineWidth] = [theme.wood, theme.trunk, 0.8];
      pen.beginPath();
      pen.arc(x, y - 1.5, 3, 0, 2 * Math.PI);
      pen.moveTo(x, y + 1.5);
      pen.lineTo(x, y + 5);
      pen.fill();
      pen.stroke();
    }],
  ];
  return signs.filter(([isDrawn]) => isDrawn).map(([, words, draw]) => ({ words, draw }));
}
