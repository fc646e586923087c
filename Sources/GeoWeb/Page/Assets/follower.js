// Flies where something happens on a time line.

const FOLLOW_PAUSE = 900; // milliseconds
/** To which zoom one is led at most, unless one looks closer already. */
const FOLLOW_ZOOM = 7;
/** How much of the window is filled by what happens. */
const FOLLOW_PART = 0.6;
/** Pixels: how near to an edge nobody looks, and from which size on what is seen need not be larger. */
const [FOLLOW_EDGE, FOLLOW_SIZE] = [40, 60];

export class Follower {
  /** `lights` are those of what happens, `cover` is what lies over the map at its bottom. */
  constructor(view, lights, cover) {
    Object.assign(this, { view, lights, cover });
    this.flownAt = 0;
  }

  /** Flies there now and then, unless it is seen well. */
  follow(now) {
    const { camera, isCalm } = this.view;
    if (camera.isMoving || now - this.flownAt < FOLLOW_PAUSE) return;
    const { box } = this.lights;
    if (!box) return;
    this.flownAt = now;
    const bottom = this.cover.clientHeight;
    const [west, north] = camera.toScreen(box[0], box[1]);
    const [east, south] = camera.toScreen(box[2], box[3]);
    const isSeen = west > FOLLOW_EDGE && north > FOLLOW_EDGE && east < camera.width - FOLLOW_EDGE &&
      south < camera.height - bottom - FOLLOW_EDGE / 2;
    if (isSeen && Math.max(east - west, south - north) > FOLLOW_SIZE) return;
    const view = camera.viewAround(box, { covered: { left: 0, right: 0, bottom }, part: FOLLOW_PART, most: Math.max(camera.z, FOLLOW_ZOOM) });
    if (isSeen && view.z <= camera.z + 0.5) return;
    camera.fly(view, isCalm);
  }
}
