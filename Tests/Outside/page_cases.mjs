// What the page's scripts are asked in the cases of rules.json, tracks.json and moves.json, to which Swift tests hold the
// tool, too; page_scripts.mjs runs them.

/** A result with its numbers rounded, so that it is the same on all machines. */
export function round(v) {
  return typeof v === 'number' ? +v.toFixed(9) : Array.isArray(v) ? v.map(round)
    : v && typeof v === 'object' ? Object.fromEntries(Object.entries(v).map(([k, x]) => [k, round(x)])) : v;
}

/** By the names of rules.json: the rules by which the page draws; `page` is what its scripts export. */
export function ruleActs(page) {
  return {
    wander: ([x, y]) => page.wander(x, y), height: page.height,
    // A cell of the page's relief is two thirds of a unit.
    ridges: ([x, y]) => page.ridges(1.5 * x, 1.5 * y),
    dashes: page.dashes, border: ([d, b]) => page.borderOf(d, b), ownTint: ([d, b]) => page.ownTint(d, b),
    strength: page.tintStrength, classes: (v) => page.classBounds(v), numbers: ([v, isRatio]) => page.numberBounds(v, isRatio), ages: (v) => [page.ageBounds(v), page.ageBounds(v).map(page.wordsOfAge)], hull: page.hullOf,
    line: ([hull, is]) => page.lineThrough(page.hullOf(hull), is),
    letters: ([hull, widths, sizes, tracks]) => {
      const h = page.hullOf(hull);
      const found = page.placeLetters(h, page.lineThrough(h, false), widths, sizes, tracks, () => true);
      return found && { size: found.size, track: found.track, at: found.letters.map(({ x, y, angle }) => [x, y, angle]) };
    },
    town: ([files, pixels]) => page.townStep(files, pixels),
    glob: ([text, name]) => {
      try { return page.matchesGlob(page.readGlob(text), new TextEncoder().encode(name)); } catch { return null; }
    },
    fits: ([wanted, file, now]) => page.fitterOf(wanted, now)(file),
    brightness: page.brightness,
    colours: (name) => {
      const palette = Object.assign(new page.Palette(), { isDark: name === 'dark' });
      const { land, coast, unknown, soft, tint, edge, border, ink } = palette.theme;
      const types = page.fileTypes.slice(0, 8).map((type) => palette.type(type));
      const numbers = (value) => Array.isArray(value) ? value.map(numbers) : parseInt(value.slice(1), 16);
      return Object.fromEntries(Object.entries({ land, coast, unknown, soft, tint, edge, border, ink, types,
        ramp: page.ramps.land[palette.isDark ? 1 : 0], ages: page.ramps.alike[palette.isDark ? 1 : 0] }).map(([key, value]) => [key, numbers(value)]));
    },
    hidden: ([folders, path, shown, showsFiles]) => {
      const counts = new page.MatchCounts();
      for (const [folder, files] of folders) counts.add(folder, files, 0);
      return [counts.folders.get(path)?.files ?? 0, counts.hidden(path, (inner) => shown.includes(inner), showsFiles).files];
    },
    settled: ([files, near]) => page.settledGround(files.map(([x, y]) => ({ x, y })), near),
  };
}

/** By the names of tracks.json: reading and measuring tracks; `library` is what the scripts of the library export. */
export function trackActs(library) {
  const lineOf = (maker, points) => {
    for (const [lon, lat, ele, time] of points) maker.add(lon, lat, ele ?? undefined, time ?? undefined);
  };
  return {
    cues: (points) => {
      const maker = new library.PolylineMaker();
      maker.begin('route');
      lineOf(maker, points);
      maker.end();
      return library.cuesOf(maker.lines[0]).map(({ what, degrees = null, along, index }) => [what, degrees, along, index]);
    },
    turn: (degrees) => library.wordsOf({ what: 'turn', degrees }),
    go: (degrees) => library.wordsOf({ what: 'start', degrees }),
    measure: (segments) => {
      const maker = new library.PolylineMaker();
      maker.begin('track');
      for (const points of segments) { maker.segment(); lineOf(maker, points); }
      maker.end();
      const { points, length, duration, moving, greatest = null, climb, descent, lowest = null, highest = null, box } =
        library.measure(maker.lines);
      return { points, length, duration, moving, greatest, climb, descent, lowest, highest, box };
    },
    trend: (pairs) => library.trendOf(pairs.map(([time]) => time), pairs.map(([, value]) => value)),
  };
}

/** By the names of changes.json: how two states are drawn. */
export function changeActs(page) {
  return {
    change: (thing) => page.changeIn(thing),
    shown: (all) => page.changedOf(all.map(([before, after], index) => ({ index, states: [{ bytes: before }, { bytes: after }] }))).map(({ thing }) => thing.index),
    lines: ({ kind, before, after, files }) => page.changeCaptions([{ thing: { name: "n", path: "n", files }, change: { kind, before, after } }])[0].lines.slice(1).map(([text]) => text),
    newFile: (bytes) => page.newFileLines({ name: "n", bytes })[1][0],
    moved: (rows) => page.movesBetween(rows, (path) => (path.startsWith("r/") ? path.split("/").slice(0, 2).join("/") : null)).map((sum) => ({ ...sum, text: page.moveLine(sum) })),
    unit: (given) => page.unitRadius(given),
    references: ([unit, largest]) => page.referenceAmounts(unit, largest),
    apart: (symbols) => [...page.pushedApart(symbols.map(([x, y, r, isSquare, group]) => ({ x, y, r, isSquare, group })))],
    room: (symbols) => page.withRoom(symbols.map(([x, y, r, isSquare, group]) => ({ x, y, r, isSquare, group })), symbols.flatMap((symbol) => symbol.slice(5))),
    rims: (ends) => page.fromRims(ends).flat(),
    colours: (name) => {
      const { theme } = Object.assign(new page.Palette(), { isDark: name === "dark" });
      const kinds = ["added", "removed", "grew", "shrank", "moved"];
      return Object.fromEntries([...kinds, ...kinds.map((kind) => `${kind}ink`), "same", "faint"].map((key) => [key, parseInt(theme[key].slice(1), 16)]));
    },
  };
}

/** By the names of moves.json: what moved between two states, each of them files with sizes and contents, and folders. */
export function moveActs(page) {
  /** Some states as a time line: a second state is a later one. Paths are sorted as a map has them. */
  const timelineOf = (states, start = 0, pause = () => 1) => {
    const kinds = new Map();
    for (const state of states) for (const [path, known] of Object.entries(state)) kinds.set(`${path}${known ? "" : "/"}`, known !== null);
    const paths = [];
    const add = (folder) => {
      const isIn = (key) => key.startsWith(folder) && key.length > folder.length && !key.slice(folder.length, -1).includes("/");
      const inside = [...kinds.keys()].filter(isIn).sort(page.byBytes);
      for (const key of inside.filter((one) => kinds.get(one))) paths.push([key, false]);
      for (const key of inside.filter((one) => !kinds.get(one))) {
        paths.push([key.slice(0, -1), true]);
        add(key);
      }
    };
    add("");
    const contents = new Map();
    const contentOf = (known) => {
      const key = known.join();
      if (!contents.has(key)) contents.set(key, 4 * (contents.size + 1));
      return contents.get(key);
    };
    const changes = states.map((state, number) => {
      const before = states[number - 1] ?? {};
      return paths.flatMap(([path, isFolder]) => {
        const [was, is] = [before, state].map((one) => (path in one && (one[path] === null) === isFolder ? one[path] : undefined));
        if (is === undefined) return was === undefined ? [] : [[path, isFolder, page.REMOVED]];
        if (was === undefined) return [[path, isFolder, number === 0 ? page.REMAINED : page.ADDED, is]];
        return JSON.stringify(was) === JSON.stringify(is) ? [] : [[path, isFolder, page.CHANGED, is]];
      });
    });
    const timeline = new page.Timeline(paths.length, states.length, changes.flat().length);
    for (const [path, isFolder] of paths) timeline.addNode(path, isFolder, 0, 0);
    let time = start;
    for (const rows of changes) {
      timeline.addState(time, 0, "", "");
      time += pause();
      for (const [path, isFolder, kind, known] of rows) {
        if (known) timeline.addChange(timeline.node(path, isFolder), kind, known[0], contentOf(known));
        else timeline.addChange(timeline.node(path, isFolder), kind);
      }
    }
    return { timeline: timeline.finish(), paths };
  };
  const below = (path) => path.slice(2);
  const comparisonOf = (states) => {
    const inRoot = (state) => Object.fromEntries([["r", null], ...Object.entries(state).map(([path, known]) => [`r/${path}`, known])]);
    const { timeline } = timelineOf(states.map(inRoot));
    return { timeline, comparison: new page.StateComparison(timeline, 0, 1) };
  };
  return {
    timelineOf,
    grown: (states) => {
      const rows = (all) => all.map(({ path, bytes, part, mostly }) => [below(path), bytes, ...(part ? [part] : []), ...(mostly ? [below(mostly)] : [])]);
      const { grown, shrunk } = comparisonOf(states).comparison.folders();
      return { grown: rows(grown), shrunk: rows(shrunk) };
    },
    moves: (states) => {
      const { timeline, comparison } = comparisonOf(states);
      const files = [...comparison.others].filter(([node]) => comparison.changeOf(node) === "left")
        .map(([node, other]) => [below(timeline.paths[node]), below(timeline.paths[other])]);
      const folders = comparison.rows().filter(({ folder, change }) => folder && change === "moved").map(({ from, path }) => [below(from), below(path)]);
      const sorted = (rows) => Object.fromEntries(rows.sort());
      return { files: sorted(files), folders: sorted(folders) };
    },
  };
}
