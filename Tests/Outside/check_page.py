"""Drives the page in a headless browser: the page of the server, and the page as a file.

    check_page.py GEOMAPPER [--pictures FOLDER]

Screenshots go to FOLDER (default .build/pictures).
"""

import os
import re
import subprocess
import tempfile
import time
from pathlib import Path
from typing import List

from browser import PLACE, SELECTED, Browser, Page, driving
from outside import fail, put, run, same
from served import Served, serving

FIRST_LOAD = 110_000  # compressed bytes of the page before its tiles
FRAME = 33.0  # milliseconds within which 95 of 100 frames are drawn
NASTY = "<img src=x onerror=alert(1)>&amp;<∕script>"


def plant(root: str) -> None:
    """A tree with various entries."""
    put(root, {f"meadow/flower-{number:02}.txt": number * 100 for number in range(40)})
    put(root, {f"forest/oak/leaf/{name}": name for name in ("needle.c", "photo.png", "song.mp3", "box.zip")})
    put(root, {f"desert/{NASTY}": "harmless"})
    for folder in ("empty", "desert/dune"):
        os.makedirs(os.path.join(root, folder))
    os.symlink("meadow", os.path.join(root, "link"))


def pixel_of(page: Page, what: str) -> "tuple[float, float]":
    """The screen position of a file in the loaded tiles."""
    x, y = page.run(
        "(() => { for (const e of geomapper.view.tiles.all.values()) for (const f of e.data?.files"
        f" ?? []) if (f.name === {what!r}) return geomapper.view.camera.toScreen("
        "(e.x + f.x / 4096) / 2 ** e.z, (e.y + f.y / 4096) / 2 ** e.z); })()")
    return float(x), float(y)


def check_first(page: Page, address: str, shot: str) -> None:
    """The first picture, and the size of its downloads."""
    page.browser.events.clear()
    start = time.monotonic()
    page.show(address)
    seconds = time.monotonic() - start
    page.settle()
    page.shoot(shot)
    weight = page.run(
        "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))"
        ".filter((e) => e.entryType === 'navigation' || e.name.includes('/assets/'))"
        ".reduce((sum, e) => sum + e.encodedBodySize, 0)")
    if not 1000 < weight < FIRST_LOAD:
        fail(f"the page weighs {weight} bytes")
    print(f"first picture after {seconds:.2f} s, {weight} bytes")


def check_ground(page: Page) -> None:
    """Free ground of a root is shallow water, all lands are on land and in view, and relief is a choice that is kept."""
    found = page.run("""(() => {
  const { view, page } = geomapper;
  const { camera, canvas, coasts, shores, tiles, palette } = view;
  const inside = (ring, x, y) => {
    let is = false;
    for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
      if (ring[i + 1] > y !== ring[j + 1] > y
        && x < (ring[j] - ring[i]) * (y - ring[i + 1]) / (ring[j + 1] - ring[i + 1]) + ring[i]) is = !is;
    }
    return is;
  };
  const [[label, { land, shallows }]] = shores.all;
  const isIn = (rings, x, y) => rings.filter((ring) => inside(ring, x, y)).length % 2 === 1;
  let [lands, dry] = [0, 0];
  for (const e of tiles.all.values()) for (const one of e.data?.land ?? []) {
    if (one.depth !== 1) continue;
    for (const ring of one.outline) for (let i = 0; i < ring.length; i += 2) {
      const [x, y] = [(e.x + ring[i] / 4096) / 2 ** e.z, (e.y + ring[i + 1] / 4096) / 2 ** e.z];
      const [px, py] = camera.toScreen(x, y);
      lands += 1;
      if (isIn(land, x, y) && px > 0 && py > 0 && px < camera.width && py < camera.height) dry += 1;
    }
  }
  const wanted = [1, 3, 5].map((at) => parseInt(palette.theme.shelf.slice(at, at + 2), 16));
  const pixels = view.context.getImageData(0, 0, canvas.width, canvas.height).data;
  let [water, pale] = [0, 0];
  for (let py = 4; py < camera.height; py += 9) for (let px = 4; px < camera.width; px += 9) {
    const [x, y] = camera.toWorld(px, py);
    if (!inside(coasts.get(label), x, y) || isIn(shallows, x, y)) continue;
    water += 1;
    const at = (Math.round(py * view.ratio) * canvas.width + Math.round(px * view.ratio)) * 4;
    if (wanted.every((value, i) => Math.abs(pixels[at + i] - value) < 3)) pale += 1;
  }
  return { lands, dry, water, pale, isRaised: palette.isRaised };
})()""")
    if not found["lands"] or found["dry"] != found["lands"]:
        fail(f"of {found['lands']} corners of lands, {found['dry']} are on land and in view")
    if found["water"] < 20 or found["pale"] < 0.8 * found["water"]:
        fail(f"of {found['water']} points on the shelf, {found['pale']} are shallow water")
    if found["isRaised"]:
        fail("relief is drawn unasked")


def check_relief(page: Page) -> None:
    """Relief is drawn once chosen, and the choice is kept."""
    page.press(".relief input")
    page.settle()
    page.expect("relief that was chosen, and kept", "[geomapper.page.palette.isRaised,"
                " Object.keys(localStorage).some((key) => key.includes('relief'))]", [True, True])
    page.press(".relief input")
    page.settle()


def check_zoom_and_tap(page: Page, root: str, shot: str) -> None:
    """Zooms from the world to a file with the wheel, and taps it."""
    path = f"{root}/forest/oak/leaf/needle.c"
    page.select(path)
    page.deselect()
    x, y, zoom = page.run(PLACE)
    page.run(f"geomapper.view.camera.set({x}, {y}, 0)")
    for _ in range(200):
        if page.run("geomapper.view.camera.z") >= zoom:
            break
        page.mouse("mouseWheel", 640, 400, deltaX=0, deltaY=-200)
    page.settle()
    page.click(*pixel_of(page, "needle.c"))
    page.wait(f"{SELECTED} === {path!r}", "the tap selects the file")
    page.says("#panel", "needle.c", "File", "8 bytes", path)
    page.shoot(shot)


def check_search(page: Page, root: str, shot: str = "") -> None:
    """Results appear while typing; Enter flies to the first."""
    page.key("/")
    page.type("needl")
    page.wait("document.querySelectorAll('#results li').length === 1", "a result")
    if shot:
        page.shoot(shot)
    page.key("Enter")
    page.wait(f"{SELECTED} === '{root}/forest/oak/leaf/needle.c'", "Enter takes the result")
    page.settle()


def check_place(page: Page, what: str, place: List[float]) -> None:
    """The view is at a place, to some pixels."""
    there = page.run(PLACE)
    far = max(abs(a - b) for a, b in zip(place[:2], there[:2])) * 512 * 2 ** place[2]
    if far > 4 or abs(place[2] - there[2]) > 0.02:
        fail(f"{what} leads {far:.1f} pixels away, to {there}, not {place}")


def check_link(page: Page, root: str) -> None:
    """The address restores the view."""
    page.select(f"{root}/meadow")
    time.sleep(0.5)
    link, place = page.run("location.href"), page.run(PLACE)
    page.select(f"{root}/empty")
    page.open(link)
    page.wait(f"globalThis.geomapper && {SELECTED} === '{root}/meadow'", "the link's selection")
    page.settle()
    check_place(page, "the link", place)


def check_back(page: Page, address: str, root: str) -> None:
    """After a search and a flight, Back returns to the first view, whose address has none, and Forward to the other."""
    page.show(address)
    page.settle()
    first = page.run(PLACE)
    check_search(page, root)
    second = page.run(PLACE)
    for way, selected, place in (("back", None, first), ("forward", f"{root}/forest/oak/leaf/needle.c", second),
                                 ("back", None, first)):
        page.run(f"history.{way}()")
        page.wait(f"({SELECTED} ?? null) === {'null' if selected is None else repr(selected)}", f"{way}: the selection")
        page.settle()
        page.expect(f"where {way} leads", PLACE, place)
    page.show(address)


def check_clicks(page: Page, root: str) -> None:
    """A click on a name selects its land, another one at the same place goes deeper; Enter does, too."""
    page.run("geomapper.page.fit(true)")
    page.settle()
    page.deselect()
    name = f"{root}/meadow"
    spot = page.run("(() => { for (const { key, boxes } of geomapper.view.labels.placed)"
                    f" if (key.split('\\n')[0] === {name!r}) {{ const [[west, north, east, south]] = boxes;"
                    " return [(west + east) / 2, (north + south) / 2]; } })()")
    page.click(*spot)
    page.wait(f"{SELECTED} === {name!r}", "the land whose name was clicked")
    # Below it nothing is deeper; a root has its lands.
    spot = page.run("(() => { const { x, y } = geomapper.view.symbols.items.lands"
                    f".find(({{ path }}) => path === {name!r}); return [x, y]; }})()")
    page.expect("the lands under a symbol", f"geomapper.view.landsUnder({spot[0]}, {spot[1]}).map(({{ path }}) => path)",
                [root, name])
    page.deselect()
    x, y, zoom = page.run(PLACE)
    at = page.run(f"(() => {{ const [x, y] = geomapper.view.camera.toWorld({spot[0]}, {spot[1]}); return [x, y]; }})()")
    # Far out its lands are too small to see: a click selects the root, the next one a land in it.
    page.run(f"geomapper.view.camera.set({at[0]}, {at[1]}, geomapper.view.camera.least)")
    page.run("geomapper.view.landsUnder = (was => function (...at) { return was.apply(this, at).map((one, i) =>"
             " ({ ...one, breadth: i === 0 ? 100 : 20 })); })(geomapper.view.landsUnder)")
    page.run("geomapper.view.labels.placed = []")
    page.settle()
    page.run("geomapper.view.labels.placed = []; geomapper.view.fileNear = () => null; geomapper.page.level.at = () => null")
    page.focus("#map")
    for path in (root, name, name):
        page.key("Enter")
        page.wait(f"{SELECTED} === {path!r}", f"{path} after Enter")
        page.settle()
        page.run("geomapper.view.labels.placed = []")
    page.run("delete geomapper.view.landsUnder; delete geomapper.view.fileNear; delete geomapper.page.level.at")
    page.key("Escape")
    page.run(f"geomapper.view.camera.set({x}, {y}, {zoom})")
    page.settle()


def check_signposts(page: Page) -> None:
    """Where nothing is in view, signposts name what is nearest with its distance, and fly there."""
    page.key("Escape")
    page.run("geomapper.page.fit(true)")
    page.settle()
    page.check("the whole world has no signposts", "document.querySelector('.signposts')?.hidden ?? true")
    page.run("geomapper.view.camera.set(0.001, 0.02, 6)")
    page.settle()
    page.wait("document.querySelector('.signpost')", "signposts at sea")
    text = page.text(".signpost")
    if not re.search(r"\w+ [0-9.,]+ k?m", text):
        fail(f"a signpost says {text!r}")
    page.press(".signpost")
    page.wait(f"{SELECTED}", "the flight to what is nearest")
    page.settle()
    page.check("the signposts go", "document.querySelector('.signposts').hidden")
    page.key("Escape")


def check_keyboard(page: Page, root: str) -> None:
    """Keyboard use: move, zoom, select, up, help, and the focus order."""
    page.select(root)
    page.focus("#map")
    before = page.run("geomapper.view.camera.x")
    page.key("ArrowRight")
    page.wait(f"geomapper.view.camera.x > {before}", "an arrow moves")
    page.settle()
    zoom = page.run("geomapper.view.camera.z")
    page.key("+")
    page.wait(f"geomapper.view.camera.z > {zoom} + 0.9", "plus zooms")
    page.select(f"{root}/desert/dune")
    page.key("Escape")
    page.focus("#map")
    page.run("geomapper.view.camera.panBy(-185, 0)")  # the middle of the uncovered map moves to the middle of the window
    page.settle()
    page.key("Enter")
    page.wait(f"{SELECTED} === '{root}/desert/dune'", "Enter selects the middle")
    page.check("a screen reader hears it", "/dune.*State|State.*dune/.test(document.getElementById('spoken').textContent)",
               "document.getElementById('spoken').textContent")
    page.key("Backspace")
    page.wait(f"{SELECTED} === '{root}/desert'", "Backspace goes to the parent")
    page.key("?")
    page.wait("document.getElementById('drawer').innerText.includes('whole world')", "help")
    page.key("Escape")
    page.wait("document.getElementById('drawer').hidden", "Esc closes the help")
    page.focus("#map")
    order = []
    for _ in range(16):
        page.key("Tab")
        order.append(page.run("document.activeElement.id || document.activeElement.className"))
    if order[0] != "query" or not order.index("in") < order.index("help") < order.index("crumb"):
        fail(f"the focus goes {order}")


def check_colours(page: Page, root: str, shots: str) -> None:
    """The colour modes, also in links, and the dark theme."""
    page.select(f"{root}/meadow")
    page.press("#colours")
    for mode in ("size", "age", "type", "kind"):
        page.press(f"input[value={mode}]")
        page.settle()
        page.shoot(f"{shots}/colour-{mode}.png")
    check_relief(page)
    page.key("Escape")
    # A link has the classes, which hold until the view is moved.
    page.run("geomapper.page.fit(true)")
    page.settle()
    look = "(({ mode, scale }) => [mode, scale.bounds])(geomapper.view.palette)"
    page.press("#colours")
    page.press("input[value=size]")
    page.settle()
    page.wait("location.hash.includes('&colours=size:')", "the classes in the link")
    mode, bounds = page.run(look)
    link = page.run("location.href")
    other = [3, 1e9]
    page.open(link.replace(",".join(str(bound) for bound in bounds), ",".join(f"{bound:g}" for bound in other)))
    page.run("location.reload()")
    page.wait(f"globalThis.geomapper?.view.isComplete && geomapper.view.palette.scale?.bounds.length === {len(other)}", "the link")
    page.settle()
    page.expect("a link with other classes", look, ["size", other])
    page.run("geomapper.view.camera.zoomAt(640, 400, -0.01)")
    page.settle()
    page.wait(f"geomapper.view.palette.scale.bounds.join() === {','.join(str(bound) for bound in bounds)!r}", "the classes of the view")
    page.press("#colours")
    page.press("input[value=kind]")
    page.key("Escape")
    page.settle()
    page.wait("!location.hash.includes('colours')", "no classes in the link")
    light = brightness(page)
    page.prefer(prefers_color_scheme="dark")
    page.settle()
    dark = brightness(page)
    if dark >= light / 2:
        fail(f"dark is not dark: {light} {dark}")
    page.shoot(f"{shots}/dark.png")
    page.prefer(prefers_color_scheme="light")


def check_zoom_end(page: Page, root: str) -> None:
    """Wheel, keys and links zoom in no further than to where all files in view are shown."""
    end = "geomapper.view.camera.end"
    page.select(f"{root}/meadow")
    page.run("geomapper.view.canvas.focus()")
    page.settle()
    for _ in range(60):
        page.run("geomapper.view.canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -380, clientX: 600,"
                 " clientY: 400, cancelable: true }))")
        time.sleep(0.02)
    page.settle()
    page.wait(f"geomapper.view.camera.z <= {end} + 0.01 && !geomapper.view.camera.isMoving", "the end of zooming")
    reached = page.run("geomapper.view.camera.z")
    page.check(f"the wheel zooms to {reached}", f"{reached} < Math.max(...geomapper.view.symbols.items.files.map(({{ thing }}) =>"
               " thing.minzoom)) + 6")
    page.expect("whether the button to zoom in is off", "document.getElementById('in').getAttribute('aria-disabled')", "true")
    page.key("+")
    page.settle()
    page.check("the key zooms no further", f"geomapper.view.camera.z <= {reached} + 0.01")
    link = page.run("location.href.replace(/#[^/]*/, '#28')")
    page.open("about:blank")
    page.open(link)
    page.settle()
    page.wait(f"geomapper.view.camera.z <= {end} + 0.01 && !geomapper.view.camera.isMoving", "the end of a link's zoom")
    page.check("a link leads no deeper than anything", "geomapper.view.camera.z <= 20")


def brightness(page: Page) -> float:
    """The mean brightness of the map."""
    return float(page.run(
        "(() => { const small = document.createElement('canvas'); small.width = small.height = 8;"
        " const context = small.getContext('2d', { willReadFrequently: true });"
        " context.drawImage(geomapper.view.canvas, 0, 0, 8, 8);"
        " return context.getImageData(0, 0, 8, 8).data.reduce((sum, v, i) => i % 4 < 3 ? sum + v : sum, 0); })()"))


def check_narrow(page: Page, root: str, shot: str) -> None:
    """On a phone the land fills the width, nothing is beyond the edge or covered, and a tap with a finger works."""
    page.resize(390, 844, touch=True)
    page.key("Escape")
    page.run("geomapper.page.fit(true)")
    page.settle()
    west, east = page.run(
        "(() => { const xs = [...geomapper.view.shores.all.values()].flatMap(({ land }) => land.flatMap((ring) => [...ring].filter((_, i) => i % 2 === 0)));"
        " return [Math.min(...xs), Math.max(...xs)].map((x) => geomapper.view.camera.toScreen(x, 0)[0]); })()")
    if west < 0 or east > 390 or east - west < 300:
        fail(f"on a phone the world goes from {west} to {east}")
    page.expect("what is too small for a finger",
        "[...document.querySelectorAll('input, select, #tools button')].filter((e) => e.offsetParent !== null)"
        ".filter((e) => e.clientHeight < 36 || e.matches('input') && parseFloat(getComputedStyle(e).fontSize) < 16)"
        ".map((e) => e.id || e.className)", [])
    for width, height in ((390, 844), (320, 568)):
        page.resize(width, height, touch=True)
        page.select(f"{root}/meadow")
        page.shoot(shot)
        page.expect("the width of the page", f"document.documentElement.scrollWidth <= {width}", True)
        page.check_edges("button, input, aside")
        for is_selected in (True, False):
            page.press("#more")
            page.shoot(shot.replace(".png", "-tools.png"))
            page.check_uncovered("#tools button, #query")
            page.press("#more")
            if is_selected:
                page.deselect()
        page.search("flower")
        page.wait("/found/.test(document.getElementById('found').textContent)", "what is found")
        page.check_uncovered("#results, #found")
        for _ in range(3):
            page.key("Escape")
    page.select(f"{root}/meadow/flower-07.txt")
    page.deselect()
    page.touch([pixel_of(page, "flower-07.txt")])
    page.wait(f"{SELECTED}?.startsWith('{root}/meadow/flower-')", "a finger selects a file")
    zoom = page.run("geomapper.view.camera.z")
    page.touch(*([(160 - span / 2, 200), (160 + span / 2, 200)] for span in (30, 60, 100)))
    page.check("a pinch zooms", f"geomapper.view.camera.z >= {zoom} + 0.8")
    page.resize(1280, 800)


def check_fingers(page: Page, root: str, shot: str) -> None:
    """On a phone a finger presses every visible control at its place on the screen, and each tool does what it says."""
    page.resize(390, 844, touch=True)
    for path in (f"{root}/meadow", None):
        page.select(path) if path else page.deselect()
        page.check_reachable()
        page.tap("#more")
        page.wait("document.getElementById('more').ariaExpanded === 'true'", "the tools")
        page.check_reachable("#tools")
        page.tap("#more")
    for tool in ("lights", "stars", "tracks", "colours", "picture", "help", "ruler", "theme"):
        state = f"(({{ ariaExpanded, ariaPressed, textContent }}) => ariaExpanded ?? ariaPressed ?? textContent)(document.getElementById('{tool}'))"
        before = page.run(state)
        page.tap("#more")
        page.tap(f"#{tool}")
        page.wait(f"{state} !== '{before}'", tool)
        page.settle()
        page.shoot(shot.replace(".png", f"-{tool}.png"))
        has_drawer = page.run("!document.getElementById('drawer').hidden")
        page.check_reachable("#drawer" if has_drawer else "#table" if tool == "lights" else "body")
        if has_drawer:
            page.tap("#drawer .close")
        elif tool == "theme":
            page.press("#theme")
        else:
            page.key("Escape")
        page.wait(f"{state} === '{before}'", f"the end of {tool}")
    page.resize(1280, 800)


def check_low(page: Page, root: str, shot: str) -> None:
    """In a low window, as with the page zoomed to 200 %, nothing covers the tools."""
    page.resize(700, 450)
    page.select(f"{root}/meadow")
    for tool in ("colours", "help", "lights"):
        page.press(f"#{tool}")
        page.settle()
        page.shoot(shot.replace(".png", f"-{tool}.png"))
        page.check_uncovered("#tools button")
        page.key("Escape")
    page.resize(1280, 800)


def check_live(page: Page, root: str, folder: str) -> None:
    """A new file appears within a second, and nothing else moves."""
    page.select(f"{root}/meadow/flower-03.txt")
    page.run("geomapper.view.camera.zoomAt(640, 400, geomapper.selected.feature.properties.minzoom"
             " + 0.2 - geomapper.view.camera.z)")
    page.settle()
    files = "[...geomapper.view.tiles.all.values()].flatMap((e) => e.data?.files ?? [])"
    before = pixel_of(page, "flower-03.txt")
    start = time.monotonic()
    put(folder, {"meadow/new-flower.txt": "new"})
    page.wait(f"{files}.some((f) => f.name === 'new-flower.txt')", "the new file", 5)
    seconds = time.monotonic() - start
    if pixel_of(page, "flower-03.txt") != before:
        fail("another file has moved")
    print(f"a new file shows after {seconds:.2f} s")
    os.remove(os.path.join(folder, "meadow", "new-flower.txt"))
    page.settle()


def check_fetches(page: Page, root: str, folder: str) -> None:
    """After a change of a file, the new totals are shown, and only the tiles with that file are fetched."""
    page.select(root)
    page.key("Escape")
    page.key("0")
    page.settle()
    page.wait("geomapper.totals.read !== undefined", "totals")
    page.settle()
    bytes_of = ("(() => Math.max(...geomapper.view.landsInView().filter((land) => land.path === %r)"
                ".map((land) => land.bytes)))()")
    path = "meadow/flower-03.txt"
    for size in (4321, 54321, 300):
        before, asked = page.run(bytes_of % root), page.run("geomapper.view.tiles.counts.asked")
        old = os.path.getsize(os.path.join(folder, path))
        put(folder, {path: size})
        page.wait(f"{bytes_of % root} === {before + size - old}", "the new sum", 5)
        time.sleep(0.5)
        page.settle()
        asked = page.run("geomapper.view.tiles.counts.asked") - asked
        shown = page.run("geomapper.view.tiles.visible(geomapper.view.camera).length")
        with_file = page.run(
            "geomapper.view.tiles.visible(geomapper.view.camera).map((t) => geomapper.view.tiles.get(t.z, t.x, t.y))"
            ".filter((e) => (e?.data.files ?? []).concat(e?.data.towns ?? [])"
            f".some((f) => f.folder === {os.path.dirname(f'{root}/{path}')!r})).length")
        if not shown > with_file or asked > with_file:
            fail(f"of {shown} tiles in view, {with_file} with files of the folder, {asked} were fetched")
    print(f"a changed file has {asked} tiles of {shown} fetched")


def check_frames(page: Page) -> None:
    """Measures the time between frames while the map is dragged, in software rendering."""
    page.run(
        "(() => { const gaps = globalThis.gaps = []; let last = performance.now();"
        " const next = (now) => { gaps.push(now - last); last = now;"
        " if (gaps.length < 400) requestAnimationFrame(next); }; requestAnimationFrame(next); })()")
    page.drag(900, 500, *((900 - step * 3, 500 - step) for step in range(160)))
    gaps = sorted(page.run("globalThis.gaps"))
    print(f"{len(gaps)} frames, p95 {gaps[int(len(gaps) * 0.95)]:.1f} ms (to reach: {FRAME:g})")


def check_towns(browser: Browser, binary: str, folder: str, page: Page) -> None:
    """A page as a file has the same ground for files of deeper zooms as the server's tiles."""
    script = """(async () => {
  const found = [];
  for (let index = 0; index < 341; index += 1) {
    const z = Math.floor(Math.log(3 * index + 1.5) / Math.log(4));
    const place = index - (4 ** z - 1) / 3;
    const address = [z, place % 2 ** z, Math.floor(place / 2 ** z)];
    const { towns } = await geomapper.view.source.tile(...address);
    for (const { folder, files, minzoom, rings } of towns ?? []) {
      const [xs, ys] = [0, 1].map((axis) => rings[0].filter((_, at) => at % 2 === axis));
      found.push([...address, folder, files, minzoom,
        Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]);
    }
  }
  return found;
})()"""
    in_file = page.run(script)
    with serving(binary, folder) as server:
        served = browser.page()
        served.show(server.address)
        by_server = served.run(script)
        # A page in a background tab rests, too.
        served.leave()
    page.call("Page.bringToFront")
    # At low zooms the server doesn't read a folder, and has no ground for it.
    known = {(town[0], town[3]) for town in by_server}
    in_file = [town for town in in_file if (town[0], town[3]) in known]
    for some, others, where in ((in_file, by_server, "by the server"), (by_server, in_file, "in the file")):
        wide = [town for town in some if min(town[8] - town[6], town[9] - town[7]) > 64]
        if not wide:
            fail("there is no ground for files")
        for town in wide:
            like = [other for other in others if other[:6] == town[:6]]
            apart = min((max(abs(a - b) for a, b in zip(other[6:], town[6:])) for other in like), default=None)
            # Sides are curves, which the file approximates with fewer points.
            if apart is None or apart > 40:
                fail(f"the ground {town} is not there {where}: {apart} units apart at least")
    print(f"{len(in_file)} pieces of ground where files will stand")


def check_file(browser: Browser, binary: str, folder: str, root: str, shots: str) -> None:
    """The page as a file, opened from disk."""
    with tempfile.TemporaryDirectory() as at:
        name = os.path.join(at, "world.html")
        run(binary, "map", "--format", "html", "-o", name, folder)
        page = browser.page()
        page.show(Path(name).as_uri())
        page.select(f"{root}/meadow")
        page.shoot(f"{shots}/file.png")
        # As on the served page: no gaps between lands, and totals for each of them.
        lands = page.run("geomapper.view.landsInView().filter(({ depth }) => depth > 0)"
                         ".map((land) => [land.path, land.outline !== land.rings, land.files])")
        if not lands or not all(has_cell for _, has_cell, _ in lands):
            fail(f"lands without cells: {lands}")
        page.says("#panel", "78.0 kB", "40", "files in all", "% of garden")
        check_towns(browser, binary, folder, page)
        check_search(page, root, f"{shots}/file-search.png")
        page.select(f"{root}/desert")
        page.says("#panel", NASTY)
        check_zoom_end(page, root)
        totals = os.path.join(at, "totals.html")
        run(binary, "map", "--totals", "--format", "html", "-o", totals, folder)
        page.show(Path(totals).as_uri())
        page.select(f"{root}/meadow")
        if not re.search(r"\b40\s+files? in all", page.text("#panel")):
            fail(f"no totals of 40 files in {page.text('#panel')!r}")
        check_too_large(binary, at)
        same("what is there", sorted(os.listdir(at)), ["totals.html", "world.html"])


def check_too_large(binary: str, at: str) -> None:
    """A page that would be too large isn't written."""
    name = os.path.join(at, "world.html")
    old = os.stat(name).st_mtime_ns
    listing = b"".join(b"many/%d\n" % number for number in range(300_001))
    done = subprocess.run([binary, "map", "--format", "html", "-o", name, "-q", "--files-from", "-", "many"],
                          input=listing, capture_output=True, check=False)
    if done.returncode != 3 or b"--zoom" not in done.stderr or os.stat(name).st_mtime_ns != old:
        fail(f"too large a tree: status {done.returncode}, {done.stderr!r}")


def check_long_names(browser: Browser, binary: str, at: str) -> None:
    """The panel begins after the path of folders, however many lines their names take."""
    names = ["a long name " * 9 + str(number) for number in range(3)]
    put(os.path.join(at, "long", *names), {f"file {number}": number for number in range(80)})
    with serving(binary, os.path.join(at, "long")) as server:
        page = browser.page()
        page.resize(1280, 800)
        page.open(server.address)
        page.settle()
        for shown in range(3):
            page.select("/".join(["long", *names[:shown + 1]]))
            page.wait("document.querySelectorAll('#panel .children li').length > 0", "its contents")
            bottom, top = page.box("#crumbs")[3], page.box("#panel")[1]
            if bottom > top:
                fail(f"the panel begins at {top}, and the names of {shown + 1} folders end at {bottom}")
        page.leave()


def check_crowd(browser: Browser, binary: str, at: str) -> None:
    """Of thousands of continents, only a few have all waterlines, which are slow to draw."""
    roots = [os.path.join(at, "crowd", f"{number:04}") for number in range(4000)]
    for root in roots:
        os.makedirs(root)
    with serving(binary, *roots) as server:
        page = browser.page()
        page.resize(1280, 800)
        page.call("Page.addScriptToEvaluateOnNewDocument", source="""
globalThis.wide = 0;
const { stroke } = CanvasRenderingContext2D.prototype;
CanvasRenderingContext2D.prototype.stroke = function (...path) {
  globalThis.wide += this.lineWidth > 20 ? 1 : 0;
  return stroke.apply(this, path);
};""")
        start = time.monotonic()
        page.open(server.address)
        page.settle()
        seconds, wide = time.monotonic() - start, page.run("wide")
        print(f"{len(roots)} continents after {seconds:.1f} s, with {wide} wide lines")
        if not 0 < wide < len(roots):
            fail(f"{len(roots)} continents have {wide} wide lines")
        page.leave()


def drive(browser: Browser, server: Served, folder: str, root: str, shots: str) -> None:
    """All checks of the served page."""
    page = browser.page()
    check_first(page, server.address, f"{shots}/first.png")
    check_ground(page)
    check_zoom_and_tap(page, root, f"{shots}/tap.png")
    check_search(page, root, f"{shots}/search.png")
    check_link(page, root)
    check_back(page, server.address, root)
    check_clicks(page, root)
    check_signposts(page)
    check_keyboard(page, root)
    check_colours(page, root, shots)
    check_live(page, root, folder)
    check_fetches(page, root, folder)
    check_frames(page)
    page.select(f"{root}/desert")
    page.says("#panel", NASTY)
    check_narrow(page, root, f"{shots}/narrow.png")
    check_fingers(page, root, f"{shots}/finger.png")
    check_low(page, root, f"{shots}/low.png")
    check_zoom_end(page, root)


def main() -> None:
    with driving(__doc__) as (binary, pictures, browser, at):
        folder = os.path.join(at, "garden")
        plant(folder)
        with serving(binary, folder) as server:
            drive(browser, server, folder, "garden", pictures)
            check_file(browser, binary, folder, "garden", pictures)
        check_long_names(browser, binary, at)
        check_crowd(browser, binary, at)
    print("the page does what it should, served and from disk")


if __name__ == "__main__":
    main()
