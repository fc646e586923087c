// The legend of a time line: what lights, discs and ruins mean, and the authors on the map.
import { byId, make, showNumber } from "./geo.js";
import { sample } from "./legend.js";
import { drawDisc, initialsOf } from "./people.js";
import { hatch } from "./shapes.js";
import { drawLight, timeColours } from "./timelights.js";

/** Milliseconds between two lists of authors. */
const PAUSE = 500;
const MOST_ROWS = 60;

/** The signs of a moment, with their meaning, as in `Level.signs`. */
export function timeSigns({ theme, isDark }, { hasLives, hasAuthors }) {
  const colours = timeColours({ isDark });
  const light = (colour) => (pen, x, y) => drawLight(pen, x, y, 3.6, colour, isDark);
  const box = (pen, x, y) => {
    const path = new Path2D();
    path.rect(x - 9, y - 5, 18, 10);
    pen.fillStyle = theme.shelf;
    pen.fill(path);
    return path;
  };
  const edge = (pen, path, colour, dash = []) => {
    [pen.strokeStyle, pen.lineWidth] = [colour, 1.4];
    pen.setLineDash(dash);
    pen.stroke(path);
    pen.setLineDash([]);
  };
  return [
    ...["added", "changed", "removed"].map((words, kind) => ({ words, draw: light(colours[kind]) })),
    ...(hasAuthors ? [{ words: "author at work", draw: (pen, x, y) => {
      const colour = isDark ? "#7cc7ff" : "#175a93";
      [pen.strokeStyle, pen.lineWidth] = [colour, 1];
      pen.beginPath();
      for (const [dx, dy] of [[11, -6], [12, 4]]) {
        pen.moveTo(x - 4, y);
        pen.lineTo(x + dx, y + dy);
      }
      pen.stroke();
      drawDisc(pen, x - 4, y, 5.5, { initials: "", colour, paper: theme.paper });
    } }] : []),
    ...(hasLives ? [
      { words: "new folder", draw(pen, x, y) {
        const path = box(pen, x, y);
        pen.fillStyle = theme.land;
        pen.fill(path);
        edge(pen, path, colours[0]);
      } },
      { words: "ruin of a folder", draw(pen, x, y) {
        const path = box(pen, x, y);
        hatch(pen, path, [x - 9, y - 5, x + 9, y + 5], { colour: colours[2], alpha: 0.7, width: 1, step: 5, isRising: true });
        edge(pen, path, colours[2], [3, 2]);
      } },
      { words: "nothing there yet", draw(pen, x, y) { edge(pen, box(pen, x, y), theme.shelfedge, [1.4, 3]); } },
    ] : []),
  ];
}

export class TimeKey {
  /** `moment` has the `timeline`, and `showsTravellers`; `people` are the authors on the map. */
  constructor(view, moment, people) {
    Object.assign(this, { view, moment, people });
    this.signs = make("ul", { "aria-label": "Legend" });
    this.authors = make("ul", { "aria-label": "At work" });
    this.element = make("div", { class: "key" }, this.signs, this.authors);
    this.rows = new Map();
    this.lookedAt = -Infinity;
  }

  get options() {
    const { timeline, showsTravellers } = this.moment;
    return { hasLives: timeline.hasLives, hasAuthors: showsTravellers && timeline.authors.length > 0 };
  }

  /** Follows the moment, now and then. Authors have their number of commits so far. */
  look(now) {
    if (now - this.lookedAt < PAUSE) return;
    this.lookedAt = now;
    const { palette } = this.view;
    const bar = byId("time");
    if (bar && this.element.parentNode !== bar) bar.append(this.element);
    const { hasLives, hasAuthors } = this.options;
    const kind = `${palette.isDark}|${hasLives}|${hasAuthors}`;
    if (kind !== this.kind) {
      this.kind = kind;
      this.signs.replaceChildren(...timeSigns(palette, this.options).map(({ words, draw }) => make("li", {}, sample(draw), make("span", {}, words))));
    }
    const active = hasAuthors ? this.people.active : [];
    const shown = `${kind}${JSON.stringify(active)}`;
    if (shown === this.shown) return;
    this.shown = shown;
    if (this.rows.size > MOST_ROWS) this.rows.clear();
    this.authors.replaceChildren(...active.map(({ name, colour, commits }) => {
      const row = this.rowOf(name, colour);
      row.lastChild.textContent = showNumber(commits);
      return row;
    }));
  }

  /** The row of an author, made once. */
  rowOf(name, colour) {
    const key = `${colour}${name}`;
    if (!this.rows.has(key)) {
      const { paper } = this.view.palette.theme;
      this.rows.set(key, make("li", {}, sample((pen, x, y) => drawDisc(pen, x, y, 9, { initials: initialsOf(name), colour, paper }), { width: 22, height: 20 }),
        make("span", { class: "name" }, name), make("span", { class: "soft" })));
    }
    return this.rows.get(key);
  }
}
