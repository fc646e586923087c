"""What disturbs on the map: names on each other, on symbols, across borders and coasts, in other lands; lines across them, and long ones; squares on
other symbols, over rims, and without a name on other land; arrows whose ends are nowhere named.

What is found is measured in the page from what is drawn: the boxes of names, the symbols, and the outlines of lands.
"""

import os
import random
from typing import Dict, List

from browser import Browser, Page
from outside import fail
from served import serving

MOST = 8  # in nine pictures

OVERLAPS = """(() => {
  const { camera, labels, symbols, shores } = geomapper.view;
  const roots = [...symbols.roots];
  const isIn = (ring, x, y) => { let is = false; for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2)
    if (ring[i + 1] > y !== ring[j + 1] > y && x < (ring[j] - ring[i]) * (y - ring[i + 1]) / (ring[j + 1] - ring[i + 1]) + ring[i]) is = !is; return is; };
  const isWithin = (rings, x, y) => rings.filter((ring) => isIn(ring, x, y)).length % 2 === 1;
  const isOf = (path) => roots.some((root) => path.startsWith(`${root}/`));
  // The land of the level that something is in; of what is beside it, and of a folder around it, its own.
  const homeOf = ({ path }) => { const root = roots.find((one) => path.startsWith(`${one}/`)); return root === undefined ? path : path.split("/").slice(0, root.split("/").length + 1).join("/"); };
  const isWithinOf = (path, folder) => path === folder || path.startsWith(`${folder}/`);
  const groundAt = (x, y) => {
    const { entry, ux, uy } = geomapper.view.tileAt(x, y) ?? {};
    const lands = (entry?.data?.land ?? []).filter((land) => land.depth > 0 && isWithin(land.drawn ?? land.outline ?? land.rings, ux, uy)).sort((a, b) => a.depth - b.depth).map(({ path }) => path);
    const own = lands.find((path) => roots.some((root) => path.startsWith(`${root}/`) && !path.slice(root.length + 1).includes("/"))) ?? lands.filter((path) => !isOf(path) && roots.some((root) => root.startsWith(path.slice(0, path.lastIndexOf("/") + 1)))).at(-1);
    return own ?? [...shores.all].find(([, { land }]) => isWithin(land, ...camera.toWorld(x, y)))?.[0] ?? "the sea";
  };
  const names = new Map();
  for (const { key, sprite, boxes, x, y, at, line, target } of labels.placed) {
    const whole = key.includes("\\n") ? key.replace(/\\n\\d*$/, "") : key;
    if (!names.has(whole)) names.set(whole, { text: sprite.letters.join(""), boxes: [], target, isArrow: whole.startsWith("\\n") && whole.split("\\n").length > 2, words: [] });
    names.get(whole).words.push(sprite.letters.join(""));
    const [dx, dy] = camera.toScreen(x, y).map((value, axis) => value - at[axis]);
    names.get(whole).boxes.push(...boxes.map((b) => [b[0] + dx, b[1] + dy, b[2] + dx, b[3] + dy]));
    if (line) names.get(whole).line = line.map((value, i) => value + camera.toScreen(x, y)[i % 2]);
  }
  const drawn = symbols.all.map((item) => { const [x, y] = symbols.spotOf(item, camera); return { item, x, y, r: symbols.sizeOf(item) }; }).filter(({ r }) => r >= 1.5);
  const ties = symbols.tethers(camera).filter(([x0, y0, x1, y1]) => Math.hypot(x1 - x0, y1 - y0) > 5);
  const LONGEST = 180;
  const points = ([x0, y0, x1, y1]) => Array.from({ length: 61 }, (_, i) => [x0 + (x1 - x0) * i / 60, y0 + (y1 - y0) * i / 60]);
  const meets = (line, boxes) => points(line).some(([x, y]) => boxes.some(([w, n, e, s]) => x > w + 1 && x < e - 1 && y > n + 1 && y < s - 1));
  const crosses = (line, { x, y, r, item }) => points(line).some(([px, py]) => (item.isSquare ? Math.max : Math.hypot)(Math.abs(px - x), Math.abs(py - y)) < r - 1);
  const covers = (b, { x, y, r, item }) => (item.isSquare ? Math.max : Math.hypot)(Math.max(b[0] - x, 0, x - b[2]), Math.max(b[1] - y, 0, y - b[3])) < r - 1.5;
  const holds = ({ x, y, r, item }, b) => [0, 2].every((i) => [1, 3].every((j) => (item.isSquare ? Math.max(Math.abs(b[i] - x), Math.abs(b[j] - y)) : Math.hypot(b[i] - x, b[j] - y)) < r + 1));
  const touch = (p, q) => p[0] + 1 < q[2] && q[0] + 1 < p[2] && p[1] + 1 < q[3] && q[1] + 1 < p[3];
  const found = [];
  const all = [...names.values()];
  for (const [index, { text, boxes, target, line, isArrow, words }] of all.entries()) {
    for (const other of all.slice(index + 1)) if (boxes.some((p) => other.boxes.some((q) => touch(p, q)))) found.push(`${text} is on ${other.text}`);
    for (const other of all) if (other.line && other.text !== text && meets(other.line, boxes)) found.push(`the line of ${other.text} goes through ${text}`);
    if (boxes.some((p) => labels.obstacles().some((q) => touch(p, q)))) found.push(`${text} is under a panel`);
    if (line && meets(line, labels.obstacles())) found.push(`the line of ${text} is under a panel`);
    // In its own symbol a name is where that is, and on no larger one.
    const own = drawn.find((one) => one.item.path === target?.path && boxes.every((box) => holds(one, box)));
    for (const one of drawn) {
      const { item, x, y, r } = one;
      if (one !== own && !(own && r > own.r) && boxes.some((box) => covers(box, one))) found.push(`${text} is on the sign of ${item.path}`);
      // The line of a file's name may leave the circle of its folder.
      const isAround = (!item.isSquare || roots.includes(target?.path)) && line && Math.hypot(line[0] - x, line[1] - y) < r + 1;
      if (line && item.path !== target?.path && r > 3 && !isAround && crosses(line, one)) found.push(`the line of ${text} crosses the sign of ${item.path}`);
    }
    const spots = boxes.flatMap(([w, n, e, s]) => (boxes.length > 4 ? [groundAt((w + e) / 2, (n + s) / 2)]
      : [0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((i) => [0, 1, 2].map((j) => groundAt(w + 1 + (e - w - 2) * i / 8, n + 3 + (s - n - 5) * j / 2)))));
    const places = new Set(spots);
    if (places.size > 1 && !own && (!isArrow || places.has("the sea"))) found.push(`${text} crosses the border of ${[...places].join(" and ")}`);
    if (ties.some((tie) => meets(tie, boxes))) found.push(`${text} is on the line of a symbol to its place`);
    if (line && Math.hypot(line[2] - line[0], line[3] - line[1]) > LONGEST) found.push(`the line of ${text} is long`);
    // The name of a file may be in another land if it says its folder.
    const saysFolder = target && !target.isLand && words.some((one) => /^in ./.test(one));
    const place = own ? groundAt(own.x, own.y) : [...places].find((one) => 2 * spots.filter((spot) => spot === one).length > spots.length);
    if (place !== undefined && place !== "the sea" && target && !isArrow && !saysFolder && !isWithinOf(homeOf(target), place)) found.push(`${text} is in ${place}, another land`);
  }
  const named = new Set(all.map(({ target }) => target?.path));
  for (const [index, one] of drawn.entries()) {
    const { item, x, y, r } = one;
    const corners = [[x - r, y - r], [x + r, y - r], [x - r, y + r], [x + r, y + r]];
    for (const other of drawn.slice(index + 1)) {
      const [square, rest] = item.isSquare ? [one, other] : [other, one];
      if (!square.item.isSquare || Math.min(r, other.r) < 2.5 || symbols.isOfFiles) continue;
      const box = [square.x - square.r + 1, square.y - square.r + 1, square.x + square.r - 1, square.y + square.r - 1];
      if (covers(box, rest) && !holds(rest, box)) found.push(`the square of ${square.item.path} is on the sign of ${rest.item.path}`);
      else if (covers(box, rest) && homeOf(square.item) !== homeOf(rest.item)) found.push(`the square of ${square.item.path} is on the sign of ${rest.item.path}, another land`);
    }
    for (const tie of ties) if (r > 3 && !tie.slice(2).every((value, i) => Math.abs(value - [x, y][i]) < 1) && !holds(one, [...tie.slice(0, 2), ...tie.slice(0, 2)]) && crosses(tie, one)) found.push(`the line of a symbol to its place crosses the sign of ${item.path}`);
    if (item.isSquare && r > 4 && !symbols.isOfFiles && !named.has(item.path) && corners.some(([cx, cy]) => groundAt(cx, cy) !== homeOf(item) && !roots.includes(groundAt(cx, cy)))) found.push(`the square of ${item.path} reaches other land, and has no name`);
  }
  for (const { from, to } of symbols.sizing?.arrows ?? []) if (![from, to].every((path) => named.has(path)) && !names.has(`\n${from}\n${to}`)) found.push(`the arrow to ${to} has no name, nor have its ends`);
  return found;
})()"""


def overlaps(page: Page) -> List[str]:
    """What disturbs on the page's map, in words."""
    return list(page.run(OVERLAPS))


UNNAMED = """(({ symbols, labels }) => symbols.items.lands.filter(({ r }) => r > 3).sort((a, b) => b.amount - a.amount).slice(0, 3).map(({ key }) => key)
  .filter((key) => !labels.placed.some((one) => one.key.startsWith(`${key}\\n`))))(geomapper.view)"""

OWNERS = """geomapper.page.level.current.largest.slice(0, 6).map(({ path }) => {
  const said = geomapper.view.labels.placed.some(({ key, sprite }) => key === `\n${path}\n1` && sprite.letters.join("").startsWith("in "));
  const row = [...document.querySelectorAll("#summary .files button")].find(({ dataset }) => dataset.path === path);
  const { left, top, bottom } = row.getBoundingClientRect();
  return said || [top + 1, bottom - 2].every((y) => row.contains(document.elementFromPoint(left + 9, y))) ? "" : path;
}).filter(Boolean)"""


def plant(root: str, seed: int, lands: int, loose: int = 0) -> None:
    """Makes a tree with made-up names: some large folders with large files, many small ones, and files of its own."""
    rng = random.Random(seed)
    sizes: Dict[str, int] = {}

    def name() -> str:
        return "".join(rng.choice(("ba", "ce", "dri", "fo", "gla", "hen", "ki", "lor", "mu", "ne", "pra", "so", "tu", "vel", "xi", "ze")) for _ in range(rng.choice((2, 3, 3, 4))))

    for land in range(lands):
        top, weight = f"{name()}{land}", rng.paretovariate(0.75) if rng.random() < 0.8 else 0.02
        for sub in range(rng.randint(1, 5)):
            for _ in range(rng.choice((3, 8, 20))):
                sizes[f"{top}/{name()}{sub}/{name()}.dat"] = int(weight * 20_000 * rng.paretovariate(1.2))
        if rng.random() < 0.15:
            sizes[f"{top}/{name()}.iso"] = 20_000 * lands * 2
    for _ in range(loose):
        sizes[f"{name()}{len(sizes)}.bin"] = int(3_000 * lands * rng.uniform(0.3, 1.7))
    for path, size in sizes.items():
        at = os.path.join(root, path)
        os.makedirs(os.path.dirname(at), exist_ok=True)
        with open(at, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, max(1, size))


def check_overlaps(browser: Browser, binary: str, at: str) -> None:
    """Nine pictures of three trees: whole at both themes, flown to the largest folder, and on a phone."""
    found: List[str] = []
    for seed, lands, loose in ((1, 14, 0), (2, 48, 6), (3, 26, 120)):
        root = os.path.join(at, f"tree{seed}")
        plant(root, seed, lands, loose)
        with serving(binary, root) as server:
            for scheme, size in (("light", (1440, 900)), ("dark", (1280, 800)), ("light", (390, 844))):
                page = browser.page(*size, touch=size[0] < 500)
                page.prefer(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
                page.open(server.address)
                page.wait("globalThis.geomapper?.page.level.current?.complete", "the sums of the level in view")
                page.settle()
                if scheme == "dark" and seed == 1:
                    page.run("geomapper.open(geomapper.page.level.current.lands[0].path, true)")
                    page.wait("geomapper.page.level.current.path.includes('/')", "the largest folder")
                    page.settle()
                owners = page.run(OWNERS)
                if size[0] > 500 and len(owners) > 0:
                    fail(f"tree {seed}, {scheme}: neither map nor panel says the folders of {owners}")
                unnamed = page.run(UNNAMED)
                if size[0] > 500 and unnamed:
                    fail(f"tree {seed}, {scheme}: of the three largest folders {unnamed} have no name with figures")
                found += [f"tree {seed}, {scheme}, {size[0]} pixels: {one}" for one in overlaps(page)]
                if page.run("geomapper.view.labels.placed.length") < 3:
                    fail(f"tree {seed} has no names at {size}")
                page.leave()
    if len(found) > MOST:
        fail(f"{len(found)} things disturb:\n" + "\n".join(found))
    print(f"{len(found)} things disturb in nine pictures", *found, sep="\n")
