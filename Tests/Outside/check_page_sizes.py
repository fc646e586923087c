"""Drives the page in a headless browser: circles and squares by size, and the names of what is large.

    check_page_sizes.py GEOMAPPER [--pictures FOLDER]

The areas of the symbols are compared with the sizes of the tree, and the names and figures with its numbers of files.
"""

import os
import time
from typing import Any, Dict, List

from browser import Browser, Page, driving
from check_page_tools import check_names
from outside import fail, put, same
from overlaps import check_overlaps
from served import serving

NOW = int(time.time())
LARGE = {f"large/{name}.bin": size for name, size in (("one", 4_000_000), ("two", 1_500_000), ("three", 400_000))}
OTHERS = {"middle/half/part.bin": 900_000, "middle/rest/part.bin": 600_000, "little/note.txt": 30_000, "own.iso": 800_000, "loose.txt": 60_000}

SYMBOLS = """geomapper.view.symbols.all.map(({ path, isLand, r, tx, ty, wx, wy }) =>
  ({ path, isLand, r, x: geomapper.view.camera.toScreen(wx, wy)[0] + tx, y: geomapper.view.camera.toScreen(wx, wy)[1] + ty }))"""
NAMES = ("geomapper.view.labels.placed.map(({ key, sprite, boxes }) => ({ key, text: sprite.letters.join(''),"
         " boxes: boxes.map((box) => [box[0], box[1], box[2], box[3]]) }))")


def plant(at: str) -> None:
    """Makes a tree with folders of known sizes, one with many small files, and one of many files only."""
    sizes = {**LARGE, **OTHERS, **{f"many/{number}.txt": 1000 for number in range(300)},
             **{f"store/goods/{number:03}.dat": 4096 * (1 + number % 7) for number in range(120)}, "store/goods/huge.dat": 2_000_000}
    put(os.path.join(at, "disk"), sizes)
    for name in sizes:
        age = 1 if name.startswith("little/") else 50
        os.utime(os.path.join(at, "disk", name), (NOW - age * 86400,) * 2)


def begin(page: Page, address: str) -> None:
    """Opens the page and waits for all sums."""
    page.open(address)
    page.wait("globalThis.geomapper?.page.level.current?.complete", "the sums of the level in view")
    page.settle()


def symbols(page: Page) -> Dict[str, Any]:
    """The symbols drawn one by one, by path."""
    return {one["path"]: one for one in page.run(SYMBOLS)}


def names(page: Page) -> List[Dict[str, Any]]:
    """The names on the map."""
    return page.run(NAMES)


def fly(page: Page, path: str) -> None:
    """Flies to a folder, and waits until it is the level in view."""
    page.run(f"geomapper.open({path!r}, true)")
    page.wait(f"geomapper.page.level.current?.path === {path!r}", f"{path} as the level in view")
    page.settle()
    page.wait("geomapper.view.symbols.leaving.length === 0", "the end of the change")
    page.settle()


def check_areas(page: Page) -> None:
    """Areas follow the bytes, and the largest has the largest circle."""
    found = symbols(page)
    amounts = page.run("Object.fromEntries([...geomapper.page.level.current.lands, ...geomapper.page.level.current.largest]"
                       ".map((thing) => [thing.path, geomapper.page.level.amount(thing)]))")
    largest = max((one for one in found.values() if one["isLand"]), key=lambda one: one["r"])
    if largest["path"] != "disk/large" or not 20 < largest["r"] <= 78.001:
        fail(f"the largest circle is {largest}")
    for path in ("disk/middle", "disk/store", "disk/many"):
        near = (found[path]["r"] / largest["r"]) ** 2 * amounts["disk/large"] / amounts[path]
        if abs(near - 1) > 0.02:
            fail(f"the circle of {path} is {near} times as large as its bytes")
    square, circle = found["disk/own.iso"], found["disk/middle"]
    ratio = (2 * square["r"]) ** 2 / (3.14159265 * circle["r"] ** 2) * amounts["disk/middle"] / amounts["disk/own.iso"]
    if abs(ratio - 1) > 0.02:
        fail(f"a square has {ratio} times the area of a circle for as many bytes")


def check_words(page: Page) -> None:
    """The largest have their figures, the name of what fills the view is not on the map, and no names overlap."""
    found = names(page)
    texts = [one["text"] for one in found]
    large = page.run("geomapper.page.level.current.lands.map(({ name, files }) => [name, files])")
    for name, files in large:
        if name not in texts or not any(text.endswith(f"{files} files") or text.endswith(f"{files} file") for text in texts):
            fail(f"{name} has no name with its {files} files: {texts}")
    day = time.strftime("%Y-%m-%d", time.localtime(NOW - 86400))
    for word in ("own.iso", "two.bin", "mostly part.bin, 901 kB", day):
        if not any(text == word or text == f"changed last, {word}" for text in texts):
            fail(f"{word} is not on the map: {texts}")
    # Files that are in none of the folders have a name on the map, and a row.
    if "files of disk here:" not in texts or not any(text.endswith("kB · 2 files") for text in texts):
        fail(f"the loose files have no name: {texts}")
    page.expect("the row of the loose files", "document.querySelector('#summary .own').innerText.split('\\n').filter(Boolean)", ["files of disk here", "864 kB", "2 files"])
    if any(text.lower() == "disk" for text in texts):
        fail("the name of the root is over the map")
    check_names(page)


def check_owners(page: Page) -> None:
    """The name of a file says its folder, on the map and in the panel."""
    found = symbols(page)
    lines = [one for one in names(page) if one["key"].startswith("\n") and one["key"].endswith("\n1")]
    owners = {one["key"][1:-2]: one["text"] for one in lines}
    for path, text in owners.items():
        same(f"the folder of {path}", text.split(" · ")[0], f"in {path.split('/')[-2 if path.count('/') == 1 else 1]}")
    if len(owners) < 3 or not owners.keys() <= found.keys():
        fail(f"of the files {found.keys()} only {owners} say their folders")
    rows = page.run("[...document.querySelectorAll('#summary .files button')].map((row) => [row.dataset.path, row.querySelector('.within').textContent])")
    same("folders in the panel", [words for _, words in rows], [f"in {' / '.join(path.split('/')[1:-1]) or 'disk'}" for path, _ in rows])


def check_largest_files(page: Page) -> None:
    """Of the largest files at least three are in sight in the panel, above the legend."""
    for width, height in ((1440, 900), (1280, 800)):
        page.resize(width, height)
        page.settle()
        rows = page.run("[...document.querySelectorAll('#summary .files button')].map((row) => { const { left, top, bottom } = row.getBoundingClientRect();"
                        " return [top + 1, bottom - 2].every((y) => row.contains(document.elementFromPoint(left + 9, y))); })")
        if sum(rows) < min(3, len(rows)) or len(rows) < 4:
            fail(f"at {width} by {height} {rows} of the largest files are in sight")


def check_leaders(page: Page) -> None:
    """The line of a name has a dot where it meets its symbol."""
    ends: List[List[float]] = []
    # In small windows there is less room around symbols.
    for size in ((1000, 640), (800, 520), (640, 420)):
        page.resize(*size)
        page.settle()
        ends = page.run("geomapper.view.labels.placed.filter(({ line }) => line).map(({ x, y, line }) =>"
                        " { const [px, py] = geomapper.view.camera.toScreen(x, y); return [px + line[0], py + line[1]]; })")
        if ends:
            break
    if not ends:
        fail("no name has a line")
    soft = page.run("geomapper.view.palette.theme.soft.match(/[0-9a-f]{2}/g).map((part) => parseInt(part, 16))")
    seen = [page.pixel(round(x), round(y), 1) for x, y in ends]
    if not any(max(abs(a - b) for a, b in zip(one, soft)) < 60 for one in seen):
        fail(f"the ends of lines are {seen}, not {soft}")
    page.resize(1280, 800)
    page.settle()


def check_rims(page: Page) -> None:
    """No name with figures goes across the rim of the circle of another."""
    page.run("geomapper.view.camera.zoomAt(640, 400, -0.7)")
    page.settle()
    across = page.run(
        "(() => { const { camera, labels, symbols } = geomapper.view; const circles = symbols.all.filter(({ isSquare, r }) => !isSquare && r > 4)"
        ".map((item) => [item.path, ...symbols.spotOf(item, camera), item.r]);"
        " return labels.placed.filter(({ key }) => key.includes('\\n')).flatMap(({ key, target, boxes: [b] }) => circles.filter(([path, x, y, r]) => path !== target?.path"
        " && Math.hypot(Math.max(b[0] - x, 0, x - b[2]), Math.max(b[1] - y, 0, y - b[3])) < r - 2"
        " && Math.hypot(Math.max(x - b[0], b[2] - x), Math.max(y - b[1], b[3] - y)) > r).map(([path]) => [key, path])); })()")
    if across:
        fail(f"names are across rims: {across}")
    page.run("geomapper.view.camera.zoomAt(640, 400, 0.7)")
    page.settle()


def check_steadiness(page: Page) -> None:
    """Names keep their places at their symbols while the view moves little."""
    where = "Object.fromEntries([...geomapper.view.labels.spots].map(([key, { direction }]) => [key, direction]))"
    before = page.run(where)
    page.run("geomapper.view.camera.zoomAt(640, 400, 0.25)")
    page.settle()
    after = page.run(where)
    both = before.keys() & after.keys()
    stayed = [key for key in both if before[key] == after[key]]
    if len(stayed) < 0.7 * len(both) or len(both) < 5:
        fail(f"of {len(both)} names {len(stayed)} stayed where they were")
    page.run("geomapper.view.camera.zoomAt(640, 400, -0.25)")
    page.settle()


def check_pointing(page: Page) -> None:
    """Symbols and names know what they stand for, and pointing at land raises it."""
    circle = symbols(page)["disk/large"]
    at = page.run(f"geomapper.page.level.at({circle['x'] + circle['r'] * 0.7}, {circle['y']})")
    if at is None or at["path"] not in ("disk/large", *[f"disk/{name}" for name in LARGE]):
        fail(f"at the circle of disk/large is {at}")
    box = next(one["boxes"][0] for one in names(page) if one["text"] == "middle")
    at = page.run(f"geomapper.page.level.at({(box[0] + box[2]) / 2}, {(box[1] + box[3]) / 2})")
    if at != {"path": "disk/middle", "isLand": True}:
        fail(f"the name of disk/middle stands for {at}")
    page.run("globalThis.raised = []; geomapper.page.level.listen(() => raised.push(geomapper.page.level.raised)); 0")
    page.mouse("mouseMoved", (box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    page.wait("raised.at(-1) === 'disk/middle'", "disk/middle raised")
    page.says("#summary .key", "mostly: file with over half of a folder", "changed last: date", "coast, rim inside it", "ground of files", "islet: files of the top folder", "line from a name", "bars: folders, files")
    page.check("the legend has signs", "geomapper.page.level.signs().signs.length > 1 && geomapper.page.level.signs().references.length > 0")


def check_levels(page: Page, shot: str) -> None:
    """Within a folder its own folders and files are compared; of files alone the largest has the largest square."""
    fly(page, "disk/middle")
    if not {"disk/middle/half", "disk/middle/rest"} <= symbols(page).keys():
        fail(f"in disk/middle are {symbols(page).keys()}")
    fly(page, "disk/store/goods")
    found = symbols(page)
    huge = found["disk/store/goods/huge.dat"]
    if any(one["isLand"] for one in found.values()) or huge["r"] != max(one["r"] for one in found.values()) or huge["r"] > 37.6:
        fail(f"the largest square is {huge}")
    if sum("huge.dat" in one["text"] for one in names(page)) != 1 or len(names(page)) < 30:
        fail(f"{len(names(page))} names of files")
    page.shoot(shot)


def check_others(page: Page) -> None:
    """The filter view hides sizes."""
    page.run("geomapper.table.open({ name: '*.bin' })")
    page.wait("geomapper.view.lights.isOn", "the filter view")
    page.check("the filter view hides sizes", "!geomapper.view.symbols.isOn && geomapper.page.level.signs().references.length === 0")
    page.run("geomapper.table.close()")
    page.settle()
    page.check("there are sizes after the filter view", "geomapper.view.symbols.isOn")


def check_newest(page: Page) -> None:
    """On a map by age the newest folder in view is named, wherever the newest of all is."""
    page.run("geomapper.page.drawer.acts.recolour('age')")
    page.wait("geomapper.view.palette.scale", "classes of age")
    page.settle()
    named = ("(() => { const { symbols, camera } = geomapper.view; const inView = symbols.items.lands.filter(({ wx, wy }) => camera.isNear(...camera.toScreen(wx, wy), 0));"
             " inView.sort((a, b) => b.thing.newest - a.thing.newest); const path = inView[0].path;"
             " return [inView.length, geomapper.view.labels.placed.some(({ key }) => key.startsWith(`${path}\n`)),"
             " symbols.captionsIn(camera).find(({ item }) => item.path === path).lines.at(-1)[1]]; })()")
    same("the newest of all", page.run(named)[1:], [True, "last"])
    newest = page.run("geomapper.view.symbols.items.lands.reduce((a, b) => (b.thing.newest > a.thing.newest ? b : a)).path")
    page.run("geomapper.view.camera.zoomAt(640, 400, 0.7)")
    page.settle()
    x = page.screen_of(newest)[0]
    # Until it is out of view.
    page.run(f"geomapper.view.camera.panBy({-x - 10 if x < 640 else 1290 - x}, 0)")
    page.settle()
    x = page.screen_of(newest)[0]
    if 0 < x < 1280:
        fail(f"the newest of all is still in view, at {x}")
    count, is_named, kind = page.run(named)
    if count == 0 or not is_named or kind != "last":
        fail(f"of {count} folders in view the newest is {'' if is_named else 'not '}named, with a line {kind}")
    # With classes of colours the legend is longest.
    page.key("0")
    page.settle()
    page.check_legend("#summary", "#summary .key")
    # Only what is drawn is in it.
    if "empty" in page.text("#summary .key"):
        fail("the legend has empty folders, of which there are none")
    page.resize(1280, 800)
    page.run("geomapper.page.drawer.acts.recolour('kind')")
    page.key("0")
    page.settle()


def check_phone(browser: Browser, address: str, shot: str) -> None:
    """On a phone at most six lands and three files have names, with lines across no other land."""
    page = browser.page(390, 844, touch=True)
    begin(page, address)
    page.shoot(shot)
    counts = page.run("(() => { const { placed } = geomapper.view.labels; const first = placed.filter(({ key }) => !/\\n[1-9]$/.test(key));"
                      " const lands = first.filter(({ target }) => target?.isLand).length;"
                      " const topOf = (path) => path.split('/').slice(0, 2).join('/');"
                      " const strays = placed.filter(({ line, x, y, target }) => line && Array.from({ length: 21 }, (_, i) => geomapper.view.camera.toScreen(x, y)"
                      ".map((at, axis) => at + line[axis] + (line[axis + 2] - line[axis]) * i / 20)).some((at) => geomapper.view.landsUnder(...at)"
                      ".some(({ land }) => land.depth === 1 && land.path !== topOf(target.path) && target.path !== 'disk')));"
                      " return [lands, first.length - lands, strays.length]; })()")
    if not (3 <= counts[0] <= 6 and counts[1] <= 3) or counts[2] != 0:
        fail(f"on a phone are {counts} names of lands and files, and lines across other lands")
    page.leave()


def check_roots(browser: Browser, binary: str, at: str, shot: str) -> None:
    """Several roots are compared on one scale, each with its name above its land."""
    roots = [os.path.join(at, "disk", name) for name in ("large", "middle", "store")]
    with serving(binary, *roots) as server:
        page = browser.page()
        begin(page, server.address)
        texts = [one["text"] for one in names(page)]
        if not {"large", "middle", "store", "goods"} <= set(texts):
            fail(f"of three roots there are {texts}")
        page.shoot(shot)
        page.leave()
        # On a phone names of roots count, and each is nearer to its own land than to others.
        page = browser.page(390, 844, touch=True)
        begin(page, server.address)
        # Names are chosen again when coasts have come.
        strays = (
            "(() => { const { camera, labels, shores } = geomapper.view; const first = labels.placed.filter(({ key, target }) => target?.isLand && !/\\n[1-9]$/.test(key));"
            " const far = ([x, y], path) => Math.min(...shores.all.get(path).land.flatMap((ring) => ring.flatMap((_, i) => (i % 2 ? [] : [camera.toScreen(ring[i], ring[i + 1])])))"
            ".map(([px, py]) => Math.hypot(px - x, py - y)));"
            " const roots = first.filter(({ key }) => key.startsWith('/')); const strays = roots.filter(({ x, y, dx, dy, key }) => { const [px, py] = camera.toScreen(x, y);"
            " const nearest = [...shores.all.keys()].sort((a, b) => far([px + dx, py + dy], a) - far([px + dx, py + dy], b))[0]; return `/${nearest}\n0` !== key; });"
            " return [first.length, roots.length, strays.map(({ key }) => key)]; })()")
        page.wait(f"(([count, roots, strays]) => count <= 6 && roots > 0 && strays.length === 0)({strays})",
                  "at most six names on a phone, those of roots at their land")
        page.leave()


def main() -> None:
    with driving(__doc__) as (binary, pictures, browser, at):
        plant(at)
        with serving(binary, os.path.join(at, "disk")) as server:
            page = browser.page()
            begin(page, server.address)
            page.shoot(f"{pictures}/sizes.png")
            check_areas(page)
            check_words(page)
            page.check_legend("#summary", "#summary .key")
            check_owners(page)
            check_largest_files(page)
            check_leaders(page)
            check_rims(page)
            check_steadiness(page)
            check_pointing(page)
            check_levels(page, f"{pictures}/sizes-files.png")
            check_others(page)
            page.key("0")
            page.settle()
            check_newest(page)
            page.leave()
            check_phone(browser, server.address, f"{pictures}/sizes-phone.png")
        check_roots(browser, binary, at, f"{pictures}/sizes-roots.png")
        check_overlaps(browser, binary, at)
    print("sizes are drawn as they are, and what is large has its name")


if __name__ == "__main__":
    main()
