// Places in sorted numbers, found by halves.

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
