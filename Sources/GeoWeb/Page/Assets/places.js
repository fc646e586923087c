// The user's points: on the map, as a list with starred ones on top, and as a form.
import { copyButton, distance, fillAndStroke, make, nameOf, optionsOf, parentOf, showDistance } from "./geo.js";
import { Layer, layers } from "./layers.js";
import { project } from "./mercator.js";
import { bearing, directionOf } from "./polylines.js";
import { write } from "./shapes.js";

const signs = ["★", "●", "■", "▲", "◆", "♥", "⚑", "⌂", "⚠", "✔"];
/** The maximum number of waypoints added from a file: the list has a row for each. */
export const MAXIMUM_ADDED = 1000;
const LONGEST_TITLE = 200;
const PLACE = /^\s*([+-]?\d+(?:\.\d+)?)\s*[,;\s]\s*([+-]?\d+(?:\.\d+)?)\s*$/;

const titleOf = (point) => point.title || (point.path === undefined ? "Point" : nameOf(point.path));
const hasPlace = ({ lon, lat }) => Number.isFinite(lon) && Number.isFinite(lat);

export class Places extends Layer {
  constructor(page, settings) {
    super();
    Object.assign(this, { page, settings, points: page.points });
    this.list = make("div", {});
    this.element = make("div", { class: "library" }, this.list);
    this.edited = null;
    layers.add(this);
    this.draw();
  }

  pane() {
    this.draw();
    return this.element;
  }

  fromMiddle(point) {
    if (!hasPlace(point)) return "";
    const { place } = this.page.view.camera;
    const [far, toward] = [distance(place, point), bearing(place, point)];
    return toward === null || far < 1e-6 ? "in the middle" : `${showDistance(far)} ${directionOf(toward)} (${Math.round(toward) % 360}°)`;
  }

  draw() {
    const { points } = this;
    const rows = [...points.all].sort((a, b) => Number(b.star) - Number(a.star)).map((point) => this.row(point));
    const add = [make("button", { class: "chip", onclick: () => this.add(this.page.view.camera.place) }, "Add the middle of the view")];
    const node = this.page.selected();
    if (node && !points.all.some(({ path }) => path === node.feature.properties.path)) {
      add.push(make("button", { class: "chip", onclick: () => this.page.star() }, "Add what is selected"));
    }
    const focus = this.element.contains(document.activeElement);
    this.list.replaceChildren(make("div", { class: "row" }, ...add),
      ...(rows.length > 0 ? [make("ul", { class: "entries" }, ...rows)]
        : [make("p", { class: "soft" }, "None yet: select something and press its star, or add a point.")]));
    if (focus && !this.element.contains(document.activeElement)) this.element.querySelector("button")?.focus({ preventScroll: true });
    this.page.view.ask();
  }

  row(point) {
    if (point === this.edited) return make("li", {}, this.form(point));
    const title = titleOf(point);
    const place = make("small", { class: "from" }, this.fromMiddle(point));
    place.point = point;
    return make("li", {},
      make("button", { class: "title", title: point.path ?? "", onclick: () => this.go(point) },
        `${point.sign ?? (point.star ? "★" : "●")} ${title}`,
        ...(point.path === undefined ? [] : [make("span", { class: "soft" }, ` ${parentOf(point.path)}`)]), place),
      make("button", { class: "chip star", "aria-pressed": String(Boolean(point.star)), "aria-label": `Star of ${title}`, onclick: () => {
        point.star = !point.star;
        this.changed();
      } }, "★"),
      make("button", { class: "chip", "aria-label": `Edit ${title}`, onclick: () => this.edit(point) }, "✎"));
  }

  go(point) {
    if (point.path !== undefined) this.page.open(point.path, true, point.rawPath);
    else this.page.goTo([point.lon, point.lat, point.lon, point.lat], Math.max(this.page.view.camera.z, 4));
  }

  add({ lon, lat }) {
    const point = { lon, lat, title: "", sign: "⚑", star: false, isNew: true };
    this.points.add(point);
    this.edit(point);
  }

  /** Adds waypoints as points, except known ones; returns the added, and whether they are saved. */
  addAll(waypoints) {
    const keyOf = ({ lon, lat, title }) => JSON.stringify([lon, lat, title ?? ""]);
    const [known, added] = [new Set(this.points.all.map(keyOf)), []];
    for (const { lon, lat, name, sign } of waypoints) {
      const point = { lon, lat, title: name.trim().slice(0, LONGEST_TITLE) || undefined, sign: signs.includes(sign) ? sign : "⚑", star: false };
      if (known.has(keyOf(point))) continue;
      known.add(keyOf(point));
      added.push(point);
    }
    this.points.add(...added);
    return { added, isKept: this.changed() };
  }

  removeAll(points) {
    if (points.includes(this.edited)) this.edited = null;
    this.points.remove(points);
    this.changed();
  }

  edit(point) {
    this.leave();
    this.edited = point;
    this.draw();
    this.element.querySelector("form input")?.focus({ preventScroll: true });
  }

  /** Leaves the form; an unsaved point is dropped. */
  leave() {
    if (this.edited?.isNew) this.points.remove([this.edited]);
    this.edited = null;
  }

  /** Saves and shows the points; false if storage is full. */
  changed() {
    const isKept = this.points.save();
    this.draw();
    this.page.starred();
    return isKept;
  }

  form(point) {
    const title = make("input", { type: "text", "aria-label": "Title", placeholder: titleOf(point), maxlength: String(LONGEST_TITLE), value: point.title ?? "" });
    const sign = make("select", { "aria-label": "Sign", value: point.sign ?? signs[0] }, optionsOf(signs.map((one) => [one, one])));
    const place = make("input", { type: "text", "aria-label": "Place: latitude, longitude", disabled: point.path !== undefined,
      value: hasPlace(point) ? `${+point.lat.toFixed(9)}, ${+point.lon.toFixed(9)}` : "" });
    const fault = make("p", { class: "fault", role: "alert" });
    const copy = copyButton("Copy", () => place.value.replace(/\s/g, ""), "Marked: press Ctrl-C", () => {
      place.disabled = false;
      place.select();
    });
    return make("form", { onkeydown: (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.leave();
      this.draw();
    }, onsubmit: (event) => {
      event.preventDefault();
      const found = PLACE.exec(place.value);
      const [lat, lon] = found ? [Number(found[1]), Number(found[2])] : [NaN, NaN];
      if (point.path === undefined && !(Math.abs(lat) <= 90 && Math.abs(lon) <= 180)) {
        fault.textContent = "A place is a latitude from −90 to 90 and a longitude from −180 to 180, such as 48.2, 16.37";
        place.focus();
        return;
      }
      point.title = title.value.trim() || undefined;
      point.sign = sign.value;
      if (point.path === undefined) [point.lat, point.lon] = [lat, lon];
      delete point.isNew;
      this.edited = null;
      this.changed();
    } }, title, make("div", { class: "row" }, sign, place), fault,
    make("div", { class: "row" }, make("button", { type: "submit", class: "chip" }, "Keep"), copy,
      make("button", { class: "chip", onclick: () => { this.leave(); this.draw(); } }, "Cancel"),
      make("button", { class: "chip", onclick: () => this.removeAll([point]) }, "Delete")));
  }

  paintAbove(context, camera) {
    const { theme } = this.page.palette;
    this.spots = [];
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const point of this.points.all) {
      if (!hasPlace(point)) continue;
      const { x: wx, y: wy } = project(point.lon, point.lat);
      const [x, y] = camera.toScreen(wx, wy);
      if (!camera.isNear(x, y, 40)) continue;
      this.spots.push({ point, x, y: y - 14 });
      context.beginPath();
      context.arc(x, y - 15, 10, Math.PI * 0.8, Math.PI * 0.2);
      context.lineTo(x, y);
      context.closePath();
      fillAndStroke(context, theme.paper, theme.select, 2);
      context.fillStyle = theme.select;
      context.font = "12px system-ui, 'DejaVu Sans', sans-serif";
      context.fillText(point.sign ?? "★", x, y - 15);
      if (!this.settings.waypoints || !point.title) continue;
      context.font = "600 12px system-ui, 'DejaVu Sans', sans-serif";
      write(context, point.title, x, y + 9, theme.halo, theme.ink[1]);
    }
    context.textAlign = "start";
    context.textBaseline = "alphabetic";
    // The list shows distances from the middle of the view.
    if (!this.element.isConnected || camera.isMoving) return;
    for (const from of this.element.querySelectorAll(".from")) from.textContent = this.fromMiddle(from.point);
  }

  tap(x, y) {
    const found = this.spots?.find((spot) => Math.hypot(spot.x - x, spot.y - y) < 14);
    if (!found) return false;
    if (found.point.path !== undefined) this.page.open(found.point.path, false, found.point.rawPath);
    else {
      this.page.drawer.open("stars");
      this.edit(found.point);
    }
    return true;
  }
}
