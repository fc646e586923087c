// What changes on disk shows at once, and nothing else moves.
import { project } from "./mercator.js";

/** Listens to the source; `changed` is told of the paths of folders, `summed` that there are other totals. */
export function listenToChanges(view, source, changed, summed) {
  if (!source.isLive) return;
  let waiting = [];
  let timer = 0;
  const flush = () => {
    timer = 0;
    const folders = new Map(waiting.map((event) => [event.path, event.bbox]));
    const whole = new Set(waiting.filter(({ lon }) => lon === undefined).map(({ path }) => path));
    for (const { path, rawPath, lon, lat, ...file } of waiting) {
      // Of a file it is known where it is shown.
      if (!whole.has(path)) view.tiles.refreshFile(rawPath ?? path, { ...project(lon, lat), ...file });
    }
    for (const [path, [west, south, east, north]] of folders) {
      const a = project(west, north);
      const b = project(east, south);
      if (whole.has(path)) view.tiles.refresh(a.x, a.y, b.x, b.y);
      const names = waiting.filter((event) => event.path === path).map((event) => event.name);
      view.pulses.add(path, new Set(names), [a.x, a.y, b.x, b.y]);
    }
    waiting = [];
    changed(new Set(folders.keys()));
    view.ask();
  };
  source.listen((event) => {
    waiting.push(event);
    // A burst of changes is one picture.
    if (timer === 0) timer = setTimeout(flush, 60);
  }, summed, () => {
    view.tiles.refresh(0, 0, 1, 1);
    view.ask();
  });
}
