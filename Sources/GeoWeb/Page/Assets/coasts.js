// The coasts of the continents, whole, so that waterlines run on from tile to tile.
import { projectRing } from "./mercator.js";

/** How many coasts are drawn whole. */
const MOST_COASTS = 64;

function addCoast(view, label, coast) {
  if (coast.length > 0) view.coasts.set(label, projectRing(coast));
}

/** Adds those that came with the roots. */
export function addCoasts(view, roots) {
  for (const { label, coast } of roots.slice(0, MOST_COASTS)) if (coast) addCoast(view, label, coast);
}

/** Asks for those that are not at hand. */
export async function loadCoasts(view, source, roots) {
  const missing = roots.slice(0, MOST_COASTS).filter(({ coast }) => !coast);
  if (missing.length === 0) return;
  try {
    for (const { label } of missing) {
      const geometry = (await source.node(label, undefined, 0))?.feature.geometry;
      if (geometry?.type === "Polygon") addCoast(view, label, geometry.coordinates[0].slice(0, -1).flat());
    }
    view.restyle();
  } catch {
    // Then each tile draws what it has of them.
  }
}
