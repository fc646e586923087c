// Pushes symbols apart that would hide each other.

const ROUNDS = 40;
const AGAIN = 8; // rounds after which near symbols are looked up again
const SLACK = 16; // pixels by which symbols may come nearer until then
const GAP = 2; // pixels between squares
/** A circle less than this part of another's radius may be on top of it. */
const SMALL = 0.3;
/** A circle may be covered by this part of its radius. */
const COVERED = 0.15;

/**
 * How far two symbols overlap too much: a vector that moves `b` away from `a`, or null. Both have `x`, `y`, and `r`, a
 * circle's radius or half a square's side; smaller ones are drawn on top.
 */
function excess(a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const far = Math.hypot(dx, dy);
  const [large, small] = a.r >= b.r ? [a, b] : [b, a];
  if (a.isSquare && b.isSquare) {
    const [ox, oy] = [a.r + b.r + GAP - Math.abs(dx), a.r + b.r + GAP - Math.abs(dy)];
    if (ox <= 0 || oy <= 0) return null;
    return ox < oy ? [ox * (dx < 0 ? -1 : 1), 0] : [0, oy * (dy < 0 ? -1 : 1)];
  }
  let least;
  if (!a.isSquare && !b.isSquare) {
    if (small.r < SMALL * large.r) return null;
    least = large.r + (1 - COVERED) * small.r;
  } else {
    const [square, circle] = a.isSquare ? [a, b] : [b, a];
    // Enough of the circle shows around the square.
    if (circle.r > 1.08 * square.r) return null;
    least = square.r + 0.5 * circle.r;
  }
  if (far >= least) return null;
  // Symbols at one place part along any direction, always the same one.
  const turn = (a.index * 2.4 + b.index) % (2 * Math.PI);
  const [ux, uy] = far > 1e-6 ? [dx / far, dy / far] : [Math.cos(turn), Math.sin(turn)];
  return [ux * (least - far), uy * (least - far)];
}

/** The pairs of symbols that meet, or may soon. */
function nearPairs(symbols) {
  const pairs = [];
  symbols.forEach((a, i) => {
    for (let j = i + 1; j < symbols.length; j += 1) {
      const b = symbols[j];
      const reach = a.r + b.r + SLACK;
      if (Math.abs(a.x - b.x) < reach && Math.abs(a.y - b.y) < reach) pairs.push([a, b]);
    }
  });
  return pairs;
}

/**
 * The places of symbols in pixels so that none hides another, `x` and `y` in turn; large ones move less. `symbols` have
 * `x`, `y`, `r` and `isSquare`. Takes time with the square of their number.
 */
export function pushedApart(symbols) {
  const all = symbols.map(({ x, y, r, isSquare }, index) => ({ x, y, r, isSquare: Boolean(isSquare), index }));
  const sorted = [...all].sort((a, b) => b.r - a.r);
  let pairs = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Symbols that are far apart don't meet within a few rounds.
    if (round % AGAIN === 0) pairs = nearPairs(sorted);
    let isMoved = false;
    for (const [a, b] of pairs) {
      const push = excess(a, b);
      if (!push) continue;
      isMoved = true;
      const part = (b.r * b.r) / (a.r * a.r + b.r * b.r);
      a.x -= push[0] * part;
      a.y -= push[1] * part;
      b.x += push[0] * (1 - part);
      b.y += push[1] * (1 - part);
    }
    if (!isMoved) break;
  }
  const places = new Float64Array(2 * all.length);
  all.forEach(({ x, y }, i) => places.set([x, y], 2 * i));
  return places;
}
