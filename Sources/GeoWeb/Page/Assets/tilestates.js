// Two states of a tree: a tile's nodes in the shown state, and how its lands changed.
import { clamp, parentOf } from "./geo.js";

/** The visibility of the old and the new state at a moment, from 0, the old one, to 1. */
export function partsAt(moment) {
  return { old: clamp(2 - 2 * moment, 0, 1), new: clamp(2 * moment, 0, 1) };
}

/** Whether a node is in the shown state; in between both are shown. `absent` is in neither. */
function isIn(node, moment) {
  if (node.change === "absent") return false;
  if (moment <= 0) return node.change !== "added" && node.change !== "moved";
  if (moment >= 1) return node.change !== "removed" && node.change !== "left";
  return true;
}

/** The nodes of a tile in the shown state, in new arrays. */
export function tileAt(whole, moment) {
  const land = whole.land.filter((one) => isIn(one, moment));
  const others = whole.land.filter((one) => !isIn(one, moment));
  const gone = new Set(others.map(({ id }) => id));
  const paths = new Set(others.map(({ path }) => path));
  return { ...whole, isPrepared: false, land,
    cells: (whole.cells ?? []).filter((one) => !gone.has(one.id) && isIn(one, moment)),
    towns: (whole.towns ?? []).filter(({ folder }) => !paths.has(folder)),
    files: whole.files.filter((one) => isIn(one, moment)) };
}

const countBelow = (land) => (land.below_added ?? 0) + (land.below_removed ?? 0) + (land.below_changed ?? 0) + (land.below_moved ?? 0);

/** How a land of a tile changed: added, removed, grew, shrank, same if only its contents did, or null. */
export function changeOfLand(land) {
  if (land.change === "added" || land.change === "removed") return land.change;
  const growth = land.below_bytes ?? 0;
  return growth > 0 ? "grew" : growth < 0 ? "shrank" : countBelow(land) > 0 ? "same" : null;
}

/**
 * Where a land is for a level with some roots: `level` for its own lands, `deep` in these, `around` for the roots and
 * the folders around them, and `beside` for others next to these, `deep` for those within.
 */
export function placeAt({ path, parent, depth }, roots) {
  if (depth === 0 || roots.some((root) => root === path || root.startsWith(`${path}/`))) return "around";
  if (roots.includes(parent)) return "level";
  const isBeside = !roots.some((root) => path.startsWith(`${root}/`)) && (parent === undefined || roots.some((root) => root.startsWith(`${parent}/`)));
  return isBeside ? "beside" : "deep";
}

/**
 * How lands stand out where changes do: none is tinted, those `within` lands of a level with some roots are fainter still;
 * the folder in view is as usual.
 */
export function receding(prominence, roots = []) {
  return { key: `same${prominence.key}`, of(land) {
    const standing = prominence.of(land);
    if (standing === "current" || standing === "around") return standing;
    return roots.includes(parentOf(land)) ? "same" : "within";
  } };
}
