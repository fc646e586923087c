// Order: binary search in sorted numbers, and texts in map order.

/** The index of the last number not above a value, or −1. */
export function lastUpTo(numbers, value, count = numbers.length) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The index of the first number not below a value, or the count. */
export function firstFrom(numbers, value) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Compares texts by their UTF-8 bytes: negative, 0 or positive. */
export function byBytes(a, b) {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const [unit, other] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (unit !== other) return rankOfUnit(unit) - rankOfUnit(other);
  }
  return a.length - b.length;
}

/** Surrogates sort after all other units. */
function rankOfUnit(unit) { return unit >= 0xd800 && unit < 0xe000 ? unit + 0x2800 : unit; }
