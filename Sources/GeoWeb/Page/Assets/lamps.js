// Points with a glow, as pictures that are drawn once.

export class Lamps {
  constructor() { this.all = new Map(); }

  /** The lamp of a key, so many pixels in radius; `stops` gives its colours from the middle outwards, each with the part of the radius it is at. */
  of(key, radius, stops) {
    const known = this.all.get(key);
    if (known) return known;
    const lamp = document.createElement("canvas");
    lamp.width = lamp.height = 2 * radius;
    const pen = lamp.getContext("2d");
    const glow = pen.createRadialGradient(radius, radius, 0, radius, radius, radius);
    for (const [at, colour] of stops()) glow.addColorStop(at, colour);
    pen.fillStyle = glow;
    pen.fillRect(0, 0, 2 * radius, 2 * radius);
    this.all.set(key, lamp);
    return lamp;
  }
}
