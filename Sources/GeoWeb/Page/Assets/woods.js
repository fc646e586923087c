// Woods: a tree for each hundred files below, until the land is full; the same ones every day.
import { boxOfRings, contains, mix } from "./geo.js";

const TREE_STEP = 8; // pixels between trees in the densest wood
const WOOD_LEAST = 22; // pixels that a land has to be across
const WOOD_MOST = 230; // and with more, its parts have woods of their own
const FILES_TO_A_TREE = 100; // to a tree

/** Which lands have woods at a zoom: of those that lie in each other the widest that is not too wide. */
export function woodedLands(lands, breadths) {
  return lands.filter((land) => {
    const breadth = breadths.get(land.path);
    const around = breadths.get(land.parent);
    return land.files >= FILES_TO_A_TREE && breadth >= WOOD_LEAST && breadth <= WOOD_MOST && (land.depth === 1 || !(around <= WOOD_MOST));
  });
}

/** Draws the woods of a tile; `scale` is by how much what is drawn is larger than what is looked at. */
export function drawWoods(context, { entry, size, px, theme, ratio, world }, lands, breadths) {
  const scale = (size * 2 ** entry.z) / world;
  const step = TREE_STEP * scale;
  const count = Math.max(1, Math.round(size / step));
  const cell = size / count;
  const crowns = new Path2D();
  const trunks = new Path2D();
  const r = 1.75 * scale;
  for (const land of woodedLands(lands, breadths)) {
    const breadth = breadths.get(land.path);
    // A land is about a third larger than the square of its breadth.
    const chance = Math.min(0.85, ((land.files / FILES_TO_A_TREE) * TREE_STEP * TREE_STEP) / (1.35 * breadth * breadth));
    for (const ring of land.drawn) {
      const [west, north, east, south] = boxOfRings([ring]).map((value) => value * px);
      for (let y = Math.floor(north / cell); y <= south / cell; y += 1) {
        for (let x = Math.floor(west / cell); x <= east / cell; x += 1) {
          const h = mix(entry.x * count + x, entry.y * count + y, 77 + entry.z);
          // Trees stand together: what is next to a tree is more likely to be one.
          const grove = (mix((entry.x * count + x) >> 2, (entry.y * count + y) >> 2, 78) & 1023) / 1023;
          if ((h & 1023) / 1023 > chance * (0.25 + 1.5 * grove)) continue;
          const tx = (x + 0.2 + (0.6 * ((h >>> 10) & 255)) / 255) * cell;
          const ty = (y + 0.2 + (0.6 * ((h >>> 18) & 255)) / 255) * cell;
          if (!contains(ring, tx / px, ty / px) || !contains(ring, tx / px, (ty - 2.5 * r) / px) || !contains(ring, (tx + 2 * r) / px, ty / px)) continue;
          crowns.moveTo(tx + r, ty - r);
          crowns.arc(tx, ty - r, r, 0, Math.PI * 2);
          trunks.moveTo(tx, ty);
          trunks.lineTo(tx, ty + r * 0.9);
        }
      }
    }
  }
  context.lineWidth = 0.7 * ratio;
  context.strokeStyle = theme.trunk;
  context.stroke(trunks);
  context.fillStyle = theme.wood;
  context.fill(crowns);
  context.stroke(crowns);
}
