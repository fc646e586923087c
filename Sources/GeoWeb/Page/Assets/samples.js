// The trends of sampled folders: a chart in the panel of each.
import { Charts } from "./charts.js";
import { Layer, layers } from "./layers.js";

class Samples extends Layer {
  async begin(page) {
    this.source = page.source;
    this.charts = new Charts(page);
    this.charts.element.open = true;
    await this.list();
  }

  async list() {
    try {
      const { paths, interval } = await this.source.samples();
      this.paths = new Set(paths);
      clearInterval(this.timer);
      this.timer = setInterval(() => this.renew(), Math.max(2, paths.length > 0 ? interval : 2) * 1000);
    } catch {
      this.timer ??= setInterval(() => this.renew(), 5000);
    }
  }

  sections({ feature: { properties: { path, kind } } }) {
    if (kind === "poi" || !this.charts) return [];
    if (this.path !== path) {
      this.path = path;
      this.charts.show(null);
      this.renew();
    }
    return [this.charts.element];
  }

  async renew() {
    if (!this.paths || this.paths.size === 0) await this.list();
    const { path } = this;
    if (!this.charts.element.isConnected && path === this.shown || !this.paths?.has(path)) return;
    try {
      const series = await this.source.samples(path);
      if (path !== this.path) return;
      this.charts[this.shown === path ? "renew" : "show"](new Map([[path, series]]));
      this.shown = path;
    } catch {
      // The server or the folder is gone: keep the chart.
    }
  }
}

layers.add(new Samples());
