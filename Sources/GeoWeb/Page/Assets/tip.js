// The name of what is under the mouse.
import { byId, showBytes } from "./geo.js";

/** Shows it at a pixel, or that there is nothing. */
export function showTip(view, x, y) {
  const found = view.hit(x, y);
  const tip = byId("tip");
  tip.hidden = !found;
  view.canvas.classList.toggle("pointing", Boolean(found));
  if (!found) return;
  const bytes = found.kind === "poi" ? found.size : found.bytes;
  tip.textContent = found.name + (found.kind === "poi" ? "" : "/") + (bytes === undefined ? "" : ` · ${showBytes(bytes)}`);
  tip.style.transform = `translate(${Math.min(x + 14, view.camera.width - tip.offsetWidth - 8)}px, ${Math.min(y + 16, view.camera.height - 34)}px)`;
}

export function hideTip() { byId("tip").hidden = true; }
