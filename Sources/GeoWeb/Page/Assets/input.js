// Mouse, touch and keys, and what a click selects.
import { byId, clamp, showBytes } from "./geo.js";
import { layers } from "./layers.js";
import { TILE } from "./mercator.js";

// What a click selects: the name or sign under the pointer, else a land that can be seen there.

const MINIMUM_SEEN = 60; // the least breadth in pixels of a land that a first click selects

/** Whether a pixel is on the letters of a name or between them. */
export function isOnName(boxes, px, py) {
  const spans = (a, b, at, side) => at >= Math.min(a[side], b[side]) && at <= Math.max(a[side + 2], b[side + 2]);
  const covers = (box, i) => spans(boxes[Math.max(0, i - 1)], box, px, 0) && spans(boxes[Math.max(0, i - 1)], box, py, 1);
  return boxes.some(covers);
}

/** The deepest land of a chain that can be seen, else the outermost; null for an empty chain. */
export function landSeen(chain) { return chain.findLast(({ breadth }) => breadth >= MINIMUM_SEEN) ?? chain[0] ?? null; }

/** The land that a click selects, of a chain from the outside in: after a click there one land deeper than `last`. */
export function landPicked(chain, last = null) {
  const at = chain.findIndex(({ path }) => path === last);
  return at < 0 ? landSeen(chain) : chain[Math.min(at + 1, chain.length - 1)];
}

/** How far from its sign a file is selected: less if it is only a dot. */
export function reachOf(size, slack) { return size + (size < 2 ? Math.min(slack, 2) : slack); }

const TAP = 6; // maximum pixels of a tap

export function listenToPointers(view, tap, hover) {
  const { canvas, camera } = view;
  const held = new Map();
  let [moved, wasPinch, track] = [0, false, []];
  let lastTap = { time: 0, x: 0, y: 0 };

  const at = (event) => ({ x: event.offsetX, y: event.offsetY });

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    camera.stop();
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, at(event));
    if (held.size === 1) [moved, wasPinch, track] = [0, false, []];
    else wasPinch = true;
    canvas.classList.add("held");
  });

  canvas.addEventListener("pointermove", (event) => {
    const before = held.get(event.pointerId);
    const now = at(event);
    if (!before) {
      if (event.pointerType === "mouse") hover(now.x, now.y);
      return;
    }
    if (held.size === 1) {
      moved += Math.hypot(now.x - before.x, now.y - before.y);
      if (moved > TAP) camera.panBy(now.x - before.x, now.y - before.y);
      track.push({ ...now, time: event.timeStamp });
      if (track.length > 6) track.shift();
    } else if (held.size === 2) {
      const other = [...held].find(([id]) => id !== event.pointerId)[1];
      const middle = (a, b) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
      const span = (a, b) => Math.max(10, Math.hypot(a.x - b.x, a.y - b.y));
      const [from, to] = [middle(before, other), middle(now, other)];
      camera.panBy(to.x - from.x, to.y - from.y);
      camera.zoomAt(to.x, to.y, Math.log2(span(now, other) / span(before, other)));
    }
    held.set(event.pointerId, now);
  });

  const release = (event) => {
    if (!held.delete(event.pointerId) || held.size > 0) return;
    canvas.classList.remove("held");
    const { x, y } = at(event);
    if (event.type === "pointercancel" || wasPinch) return;
    if (moved <= TAP) {
      const isDouble = event.timeStamp - lastTap.time < 320 && Math.hypot(x - lastTap.x, y - lastTap.y) < 20;
      lastTap = { time: isDouble ? 0 : event.timeStamp, x, y };
      if (isDouble) zoomTo(view, x, y, event.shiftKey ? -1 : 1);
      else tap(x, y, event.pointerType);
    } else if (track.length > 1 && !view.isCalm) {
      const [first, last] = [track[0], track.at(-1)];
      const time = Math.max(1, last.time - first.time);
      if (event.timeStamp - last.time < 60) camera.glide((last.x - first.x) / time, (last.y - first.y) / time);
    }
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);

  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    camera.stop();
    const lines = event.deltaMode === 1 ? 20 : event.deltaMode === 2 ? 400 : 1;
    // A touchpad pinch is a wheel event with Control, in small steps.
    const factor = event.ctrlKey ? 100 : 380;
    camera.zoomAt(event.offsetX, event.offsetY, clamp((-event.deltaY * lines) / factor, -1, 1));
  }, { passive: false });
}

/** Zooms by whole steps with a short flight, keeping the place under a pixel. */
export function zoomTo(view, px, py, by) {
  const { camera } = view;
  const [wx, wy] = camera.toWorld(px, py);
  const z = clamp((camera.flight?.target.z ?? camera.z) + by, camera.least, camera.limit);
  const scale = TILE * 2 ** z;
  camera.fly({ x: wx - (px - camera.width / 2) / scale, y: wy - (py - camera.height / 2) / scale, z }, view.isCalm);
  camera.release();
}

// Keys: on the map itself, and those that work everywhere except in text fields.

/** `acts` are actions by key, in addition to those of layers. */
export function listenToKeys(view, acts) {
  const { camera } = view;
  const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
    const target = event.target;
    const isField = target.matches("input, select, textarea");
    if (event.key === "Escape") return acts.Escape();
    // The space bar presses a focused button.
    if (isField || (event.key === " " && target.matches("button, a, [role=option]"))) return undefined;
    const onMap = target === view.canvas || target === document.body;
    const move = moves[event.key];
    if (move && onMap) {
      const far = event.shiftKey ? 0.6 : 0.2;
      const scale = camera.scale;
      const from = camera.flight?.target ?? camera;
      const [x, y] = [from.x + (move[0] * far * camera.width) / scale, from.y + (move[1] * far * camera.height) / scale];
      camera.fly({ x: clamp(x, 0, 1), y: clamp(y, 0, 1), z: from.z }, view.isCalm);
    } else if (event.key === "+" || event.key === "=") zoomTo(view, ...camera.middle, 1);
    else if (event.key === "-" || event.key === "_") zoomTo(view, ...camera.middle, -1);
    else if (event.key === "Enter" && onMap) acts.Enter();
    else {
      const found = event.key === "Enter" ? [] : [acts, ...layers.all.map((layer) => layer.keys)].map((all) => all[event.key]).filter(Boolean);
      if (found.length === 0) return undefined;
      found.forEach((act) => act());
    }
    return event.preventDefault();
  });
}

/** Shows it at a pixel, or hides it; `named` is what has its name or symbol there, and `said(node)` what else is said of it. */
export function showTip(view, x, y, named, said) {
  const found = view.pick(x, y, { named });
  const tip = byId("tip");
  tip.hidden = !found;
  view.canvas.classList.toggle("pointing", Boolean(found));
  if (!found) return;
  const bytes = found.kind === "poi" ? found.size : found.bytes;
  tip.textContent = [found.name + (found.kind === "poi" ? "" : "/"), bytes === undefined ? "" : showBytes(bytes), said(found)].filter(Boolean).join(" · ");
  tip.style.transform = `translate(${Math.min(x + 14, view.camera.width - tip.offsetWidth - 8)}px, ${Math.min(y + 16, view.camera.height - 34)}px)`;
}

export function hideTip() { byId("tip").hidden = true; }
