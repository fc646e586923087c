// Keys: on the map itself, and those that work everywhere but in a text field.
import { clamp } from "./geo.js";
import { zoomTo } from "./input.js";

export const keys = [
  ["← ↑ → ↓", "move; with Shift, farther"],
  ["+ −", "zoom in, out"],
  ["0", "whole world"],
  ["Enter", "select what is in the middle"],
  ["i", "into the folder; Backspace to the one around"],
  ["n N", "next, previous in this folder"],
  ["/", "search"],
  ["l", "light table: files by name, type, size, age"],
  ["f", "points; s puts a star to what is selected"],
  ["t", "tracks: a library of them"],
  ["c", "colours and legend"],
  ["r", "ruler; Backspace takes a point back, Delete all"],
  ["p v g", "save the view as PNG, SVG, GeoJSON"],
  ["d", "light or dark"],
  ["?", "this help"],
  ["Esc", "close, or select nothing"],
];

/** `acts` are what letters do, by key. */
export function listenToKeys(view, acts) {
  const { camera } = view;
  const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target;
    const isField = target.matches("input, select, textarea");
    if (event.key === "Escape") {
      acts.Escape();
      return;
    }
    if (isField) return;
    const onMap = target === view.canvas || target === document.body;
    const move = moves[event.key];
    if (move && onMap) {
      const far = event.shiftKey ? 0.6 : 0.2;
      const scale = camera.scale;
      const from = camera.flight?.target ?? camera;
      camera.fly({
        x: clamp(from.x + (move[0] * far * camera.width) / scale, 0, 1),
        y: clamp(from.y + (move[1] * far * camera.height) / scale, 0, 1),
        z: from.z,
      }, view.isCalm);
    } else if (event.key === "+" || event.key === "=") zoomTo(view, ...camera.middle, 1);
    else if (event.key === "-" || event.key === "_") zoomTo(view, ...camera.middle, -1);
    else if (event.key === "Enter" && onMap) acts.Enter();
    else if (event.key !== "Enter" && acts[event.key]) acts[event.key]();
    else return;
    event.preventDefault();
  });
}
