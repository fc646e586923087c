// The bounds of the classes by which colours show numbers: round, and so that what is in view is shared out among them.

function classEdges(values, leads) {
  const edges = values.filter((value) => value > 0).map((value) => {
    let ten = 1;
    while (ten * 10 <= value) ten *= 10;
    return (leads.findLast((lead) => lead * ten <= value) ?? 1) * ten;
  });
  return [...new Set(edges)].sort((a, b) => a - b);
}

/**
 * Round bounds of classes for some values: at most five, each 1 or 3 times a power of ten.
 *
 * Each class with a value has its own, the largest first; all values below the fifth share one. If this gives fewer than
 * four classes, bounds are 1, 2 or 5 times a power of ten.
 */
export function classBounds(values) {
  const coarse = classEdges(values, [1, 3]);
  const fine = coarse.length < 4 ? classEdges(values, [1, 2, 5]) : [];
  const edges = fine.length > coarse.length ? fine : coarse;
  return edges.slice(-Math.max(1, Math.min(edges.length - 1, 5)));
}

const HOUR = 1 / 24; // days
/** Ages that bound classes, in days, with their words: the ones to prefer, and those between them. */
const ageSteps = [[HOUR, "an hour"], [1, "a day"], [7, "a week"], [30, "a month"], [90, "three months"], [365, "a year"],
  [730, "two years"], [1825, "five years"], [3650, "ten years"]];
const finerAges = [[HOUR / 6, "ten minutes"], [HOUR / 2, "half an hour"], [3 * HOUR, "three hours"], [6 * HOUR, "six hours"], [0.5, "twelve hours"],
  [2, "two days"], [3, "three days"], [5, "five days"], [10, "ten days"], [14, "two weeks"], [21, "three weeks"], [45, "six weeks"],
  [60, "two months"], [120, "four months"], [180, "six months"], [270, "nine months"], [455, "15 months"], [545, "18 months"],
  [640, "21 months"], [1095, "three years"], [1460, "four years"], [2190, "six years"], [2920, "eight years"], [5475, "15 years"],
  [7300, "20 years"]];
/** What a bound other than the first ones costs, in parts of a class. */
const [FINER, ODD] = [0.25, 0.5];
const MAXIMUM_AGES = 5;
const APART = 1.01; // ages are in one class if they differ by less than this factor

export function wordsOfAge(days) {
  const step = [...ageSteps, ...finerAges].find(([bound]) => Math.abs(bound - days) < 1e-3);
  if (step) return step[1];
  const [unit, word] = [[1, "days"], [HOUR, "hours"], [HOUR / 60, "minutes"]].find(([one]) => days >= 3 * one) ?? [HOUR / 3600, "seconds"];
  return `${+(days / unit).toPrecision(3)} ${word}`;
}

/** The roundest age that is over one and at most another, and what it costs. */
function roundAge(low, high) {
  for (const [steps, cost] of [[ageSteps, 0], [finerAges, FINER]]) {
    const found = steps.find(([days]) => days > low && days <= high);
    if (found) return [found[0], cost];
  }
  for (const unit of [1000, 100, 10, 1, HOUR, HOUR / 60]) {
    const found = Math.floor(high / unit) * unit;
    if (found > low && found <= high) return [found, ODD];
  }
  return [high, ODD];
}

/**
 * Bounds of classes for some sorted values, the least first: so that each of at most so many classes has about as many
 * values, and none is empty. There are fewer for fewer values that differ, which `isApart(low, high)` says of neighbours;
 * `round(low, high)` is the roundest number over one and at most the other, and what it costs in parts of a class.
 */
function sharedOut(sorted, most, isApart, round) {
  const cuts = [];
  for (let at = 1; at < sorted.length; at += 1) {
    if (isApart(sorted[at - 1], sorted[at])) cuts.push([at, ...round(sorted[at - 1], sorted[at])]);
  }
  const count = Math.min(most, cuts.length + 1);
  const part = sorted.length / count;
  const bounds = [];
  let first = 0;
  for (let number = 1; number < count; number += 1) {
    let [best, least] = [first, Infinity];
    // Later classes need a cut each, too.
    for (let i = first; i <= cuts.length - (count - number); i += 1) {
      const price = Math.abs(cuts[i][0] - number * part) / part + cuts[i][2];
      if (price < least) [best, least] = [i, price];
    }
    bounds.push(cuts[best][1]);
    first = best + 1;
  }
  return bounds;
}

export function ageBounds(ages) {
  const sorted = ages.map((age) => Math.max(0, age)).sort((a, b) => a - b);
  return sharedOut(sorted, MAXIMUM_AGES, (low, high) => high > APART * low, roundAge);
}

// Numbers of any meaning.

const FIFTHS = [0.2, 0.4, 0.6, 0.8];
const [CLASSES, ARM] = [6, 3]; // how many classes numbers have, and each of two arms about 0
const NARROW = 3; // numbers that differ by no more than this factor have equal steps
/** Numbers of few digits, which steps and bounds begin with: in the order of preference. */
const LEADS = [[1, 2, 5, 10], [2.5], [4, 3, 1.5, 7.5]];

/** The class of a number: how many bounds are at most as large. */
export function classIn(bounds, value) {
  const found = bounds.findIndex((bound) => value < bound);
  return found < 0 ? bounds.length : found;
}

/** Without what is beyond the digits of a sum of decimals. */
const decimal = (number) => Number(number.toPrecision(12));

/** The roundest number that is over one and at most another, and what it costs. */
function roundNumber(low, high) {
  const top = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high))));
  for (let digits = 0; digits < 12; digits += 1) {
    for (const lead of [5, 2, 1]) {
      const unit = lead * 10 ** (top + 1 - digits);
      const found = decimal(Math.floor(high / unit + 1e-9) * unit);
      if (found > low && found <= high) return [found, digits < 2 ? 0 : digits < 3 ? FINER : ODD];
    }
  }
  return [high, ODD];
}

/** Bounds in equal round steps: five to seven classes, of whole numbers perhaps fewer. */
function evenBounds(least, most, isWhole) {
  const ten = 10 ** Math.floor(Math.log10((most - least) / CLASSES));
  for (const lead of LEADS.flat()) {
    const step = lead * ten;
    const first = Math.floor(least / step + 1e-9) + 1;
    const count = Math.floor(most / step + 1e-9) - first + 1;
    if (count < CLASSES - 2 || count > CLASSES || (isWhole && !Number.isInteger(decimal(step)))) continue;
    return Array.from({ length: count }, (_, i) => decimal((first + i) * step));
  }
  // Of a few whole numbers no such step is whole.
  const step = most - least > CLASSES ? 2 : 1;
  return Array.from({ length: Math.floor((most - least) / step) }, (_, i) => least + (i + 1) * step);
}

/**
 * Round bounds of the classes of some numbers: five to seven that have about as many each; equal steps if all are within a
 * factor of 3, and fifths for a ratio that isn't within one of these; with both signs, the same on both sides of 0.
 */
export function numberBounds(values, isRatio = false) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (sorted.length === 0 || least === most) return [];
  if (isRatio && least >= 0 && most <= 1 && classIn(FIFTHS, least) !== classIn(FIFTHS, most)) return FIFTHS;
  const isOther = (low, high) => low < high;
  if (least < 0 && most > 0) {
    const arm = sharedOut(sorted.map(Math.abs).filter(Boolean).sort((a, b) => a - b), ARM, isOther, roundNumber);
    return [...arm.toReversed().map((bound) => -bound), 0, ...arm];
  }
  const [near, far] = [least, most].map(Math.abs).sort((a, b) => a - b);
  if (far <= NARROW * near) return evenBounds(least, most, sorted.every(Number.isInteger));
  return sharedOut(sorted, new Set(sorted).size <= CLASSES + 1 ? CLASSES + 1 : CLASSES, isOther, roundNumber);
}
