// Order: places in sorted numbers, found by halves, and texts in the order of the map.

/** The last of so many numbers that is no larger than a value; −1 if none is. */
export function lastUpTo(numbers, value, count = numbers.length) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The first number that is no smaller than a value; how many there are if none is. */
export function firstFrom(numbers, value) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Compares texts as the bytes of their UTF-8 are compared: negative, 0 or positive. */
export function byBytes(a, b) {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const [unit, other] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (unit !== other) return rankOfUnit(unit) - rankOfUnit(other);
  }
  return a.length - b.length;
}

/** Halves of characters beyond 0xFFFF come after all that has one unit. */
function rankOfUnit(unit) { return unit >= 0xd800 && unit < 0xe000 ? unit + 0x2800 : unit; }
