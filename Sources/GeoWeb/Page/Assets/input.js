// Mouse, wheel and touch on the map.
import { clamp } from "./geo.js";
import { TILE } from "./mercator.js";

const TAP = 6; // pixels that a tap may move

export function listenToPointers(view, tap, hover) {
  const { canvas, camera } = view;
  const held = new Map();
  let moved = 0;
  let wasPinch = false;
  let track = [];
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
      const from = middle(before, other);
      const to = middle(now, other);
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
      const first = track[0];
      const last = track.at(-1);
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
    // A pinch on a touchpad comes as a wheel with Control, in small steps.
    const factor = event.ctrlKey ? 100 : 380;
    const by = clamp((-event.deltaY * lines) / factor, -1, 1);
    camera.zoomAt(event.offsetX, event.offsetY, by);
  }, { passive: false });
}

/** Zooms by whole steps with a short flight; what is under a pixel stays there. */
export function zoomTo(view, px, py, by) {
  const { camera } = view;
  const [wx, wy] = camera.toWorld(px, py);
  const z = clamp((camera.flight?.target.z ?? camera.z) + by, camera.least, camera.most);
  const scale = TILE * 2 ** z;
  camera.fly({
    x: wx - (px - camera.width / 2) / scale, y: wy - (py - camera.height / 2) / scale, z,
  }, view.isCalm);
}
