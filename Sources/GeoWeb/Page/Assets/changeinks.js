// The colours of what differs between two states, and what each of them stands for.
import { make } from "./geo.js";
import { hatch } from "./outlines.js";

/** Red, green and blue, by theme. */
const inks = {
  dark: { veil: "rgba(15,27,45,.6)", core: "246,255,253", added: "53,224,194", edge: "143,245,226", removed: "255,111,97", grew: "236,168,56",
    shrank: "134,140,250", moved: "217,200,255", ruin: "20,18,24" },
  light: { veil: "rgba(250,248,243,.62)", core: "255,255,255", added: "0,166,138", edge: "0,122,102", removed: "196,52,34", grew: "214,128,6",
    shrank: "76,84,214", moved: "116,82,196", ruin: "120,100,96" },
};

/** Names on the map, by theme: of what is new, what is gone. */
const nameInks = {
  dark: { added: "#a9f7e6", removed: "#ff9c8f", moved: "#e0d3ff", left: "#b7abd6" },
  light: { added: "#005c4c", removed: "#9c2412", moved: "#5a3aa6", left: "#6f6291" },
};

export function changeInks({ isDark }) { return isDark ? inks.dark : inks.light; }

export function changeNameInks({ isDark }) { return isDark ? nameInks.dark : nameInks.light; }

/** Samples of a legend: what is drawn, and what it stands for. */
function changeSamples(ink) {
  const solid = (rgb, alpha) => `rgba(${rgb},${alpha})`;
  return [
    { fill: solid(ink.added, 0.3), line: solid(ink.edge, 1), word: "new" },
    { fill: solid(ink.ruin, 0.42), line: solid(ink.removed, 1), dash: [4, 3], hatched: solid(ink.removed, 0.5), word: "gone" },
    { arc: solid(ink.moved, 1), word: "moved" },
    { fill: solid(ink.grew, 0.76), line: solid(ink.grew, 1), word: "grew" },
    { fill: solid(ink.shrank, 0.76), line: solid(ink.shrank, 1), word: "shrank" },
  ];
}

/** The items of a legend; without moves if nobody knows of any. */
export function changeLegend(palette, hasMoves) {
  return changeSamples(changeInks(palette)).filter(({ arc }) => !arc || hasMoves).map((sample) => {
    const canvas = make("canvas", { width: 26, height: 15, "aria-hidden": "true" });
    drawSample(canvas.getContext("2d"), sample);
    return make("li", {}, canvas, sample.word);
  });
}

function drawSample(pen, { fill, line, dash, hatched, arc }) {
  if (arc) {
    pen.strokeStyle = arc;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(3, 12);
    pen.quadraticCurveTo(13, -4, 23, 11);
    pen.stroke();
    return;
  }
  const whole = new Path2D();
  whole.rect(0, 0, 26, 15);
  pen.fillStyle = fill;
  pen.fill(whole);
  if (hatched) hatch(pen, whole, [0, 0, 26, 15], { colour: hatched, alpha: 1, width: 1, step: 5 });
  pen.strokeStyle = line;
  pen.lineWidth = 2;
  pen.setLineDash(dash ?? []);
  pen.strokeRect(1, 1, 24, 13);
}
