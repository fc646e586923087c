// A list of any length of rows of one height: only those in sight are elements.
import { make } from "./geo.js";

export class Rows {
  /** `row` makes the element of one, with a button whose `data-name` tells it from others. */
  constructor(height, label, row, scrolled = () => {}) {
    this.height = height;
    this.row = row;
    this.all = [];
    this.list = make("ul", { class: "children", "aria-label": label });
    this.space = make("div", { class: "space" }, this.list);
    this.element = make("div", { class: "scroller", tabindex: "-1", onscroll: () => {
      scrolled(this.element.scrollTop);
      this.draw();
    } }, this.space);
  }

  show(all) {
    this.all = all;
    this.space.style.height = `${all.length * this.height}px`;
    this.draw();
  }

  draw() {
    const { element, list, height, all } = this;
    const first = Math.max(0, Math.floor(element.scrollTop / height) - 4);
    const last = Math.min(all.length, Math.ceil((element.scrollTop + (element.clientHeight || 300)) / height) + 4);
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.name : null;
    list.style.transform = `translateY(${first * height}px)`;
    list.replaceChildren(...all.slice(first, last).map((one) => this.row(one)));
    if (focused === null) return;
    const again = [...list.querySelectorAll("button")].find((button) => button.dataset.name === focused);
    (again ?? element).focus({ preventScroll: true });
  }
}
