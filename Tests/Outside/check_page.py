"""Drives the page in a headless browser: the page of the server, and the page as a file.

    check_page.py GEOMAPPER [--pictures FOLDER]

Screenshots go to FOLDER (default .build/pictures).
"""

import os
import re
import subprocess
import tempfile
import time
from urllib.parse import quote

from browser import Browser, Page, browsing, page_arguments
from outside import fail
from served import Served, serving

FIRST_LOAD = 110_000  # compressed bytes of the page before its tiles
FRAME = 33.0  # milliseconds within which 95 of 100 frames are drawn
NASTY = "<img src=x onerror=alert(1)>&amp;</script>"
PLACE = "[geomapper.view.camera.x, geomapper.view.camera.y, geomapper.view.camera.z]"
SELECTED = "geomapper.selected?.feature.properties.path"


def plant(root: str) -> None:
    """A tree with various entries."""
    for folder in ("forest/oak/leaf", "meadow", "empty", "desert/dune"):
        os.makedirs(os.path.join(root, folder))
    for number in range(40):
        with open(os.path.join(root, "meadow", f"flower-{number:02}.txt"), "w") as file:
            file.write("x" * number * 100)
    for name in ("needle.c", "photo.png", "song.mp3", "box.zip"):
        with open(os.path.join(root, "forest/oak/leaf", name), "w") as file:
            file.write(name)
    with open(os.path.join(root, "desert", NASTY.replace("/", "∕")), "w") as file:
        file.write("harmless")
    os.symlink("meadow", os.path.join(root, "link"))


def show(page: Page, path: str) -> None:
    """Opens a node by its path and waits for it to be in view."""
    page.run(f"geomapper.open({path!r}, true)")
    page.wait(f"{SELECTED} === {path!r}", f"{path} selected")
    page.settle()


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
    page.open(address)
    seconds = page.wait("globalThis.geomapper?.view.isComplete", "first picture")
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
    page.run("document.querySelector('.relief input').click()")
    page.settle()
    if page.run("[geomapper.page.palette.isRaised, [...Object.keys(localStorage)].some((key) => key.includes('relief'))]") != [True, True]:
        fail("relief can't be chosen")
    page.run("document.querySelector('.relief input').click()")
    page.settle()


def check_zoom_and_tap(page: Page, root: str, shot: str) -> None:
    """Zooms from the world to a file with the wheel, and taps it."""
    show(page, f"{root}/forest/oak/leaf/needle.c")
    page.key("Escape")
    page.wait(f"!{SELECTED}", "nothing selected")
    place = page.run("[geomapper.view.camera.x, geomapper.view.camera.y, geomapper.view.camera.z]")
    page.run(f"geomapper.view.camera.set({place[0]}, {place[1]}, 0)")
    for _ in range(200):
        if page.run("geomapper.view.camera.z") >= place[2]:
            break
        page.mouse("mouseWheel", 640, 400, deltaX=0, deltaY=-200)
    page.settle()
    page.click(*pixel_of(page, "needle.c"))
    page.wait(f"{SELECTED} === '{root}/forest/oak/leaf/needle.c'", "the tap selects the file")
    text = page.run("document.getElementById('panel').innerText")
    for part in ("needle.c", "File", "8 bytes", f"{root}/forest/oak/leaf/needle.c"):
        if part not in text:
            fail(f"the panel does not say {part!r}: {text!r}")
    page.shoot(shot)


def check_search(page: Page, root: str, shot: str) -> None:
    """Results appear while typing; Enter flies to the first."""
    page.key("/")
    page.type("needl")
    page.wait("document.querySelectorAll('#results li').length === 1", "a result")
    page.shoot(shot)
    page.key("Enter")
    page.wait(f"{SELECTED} === '{root}/forest/oak/leaf/needle.c'", "Enter takes the result")
    page.settle()


def check_link(page: Page, root: str) -> None:
    """The address restores the view; so do back and forward."""
    show(page, f"{root}/meadow")
    time.sleep(0.5)
    link = page.run("location.href")
    place = page.run("[geomapper.view.camera.x, geomapper.view.camera.y, geomapper.view.camera.z]")
    show(page, f"{root}/empty")
    page.run("history.back()")
    page.wait(f"{SELECTED} === '{root}/meadow'", "back")
    page.run("history.forward()")
    page.wait(f"{SELECTED} === '{root}/empty'", "forward")
    page.open(link)
    page.wait(f"globalThis.geomapper && {SELECTED} === '{root}/meadow'", "the link's selection")
    page.settle()
    there = page.run("[geomapper.view.camera.x, geomapper.view.camera.y, geomapper.view.camera.z]")
    scale = 512 * 2 ** place[2]
    far = max(abs(a - b) * scale for a, b in zip(place[:2], there[:2]))
    if far > 2 or abs(place[2] - there[2]) > 0.01:
        fail(f"the link leads {far:.1f} pixels away: {place} {there}")


def check_back(page: Page, address: str, root: str) -> None:
    """After a search and a flight, Back returns to the first view, whose address has none, and Forward to the other."""
    page.open(address)
    page.wait("globalThis.geomapper?.view.isComplete", "first picture")
    page.settle()
    first = page.run(PLACE)
    page.key("/")
    page.type("needl")
    page.wait("document.querySelectorAll('#results li').length === 1", "a result")
    page.key("Enter")
    page.wait(f"{SELECTED} === '{root}/forest/oak/leaf/needle.c'", "the search")
    page.settle()
    second = page.run(PLACE)
    for way, selected, place in (("back", None, first), ("forward", f"{root}/forest/oak/leaf/needle.c", second),
                                 ("back", None, first)):
        page.run(f"history.{way}()")
        page.wait(f"({SELECTED} ?? null) === {'null' if selected is None else repr(selected)}", f"{way}: the selection")
        page.settle()
        if page.run(PLACE) != place:
            fail(f"{way} leads to {page.run(PLACE)}, not {place}")
    page.open(address)
    page.wait("globalThis.geomapper?.view.isComplete", "the page again")


def check_clicks(page: Page, root: str) -> None:
    """A click on a name selects its land, another one at the same place goes deeper; Enter does, too."""
    page.run("geomapper.page.fit(true)")
    page.settle()
    page.key("Escape")
    page.wait(f"!{SELECTED}", "nothing selected")
    name = f"{root}/meadow"
    spot = page.run("(() => { for (const { key, boxes } of geomapper.view.labels.placed)"
                    f" if (key.split('\\n')[0] === {name!r}) {{ const [[west, north, east, south]] = boxes;"
                    " return [(west + east) / 2, (north + south) / 2]; } })()")
    page.click(*spot)
    page.wait(f"{SELECTED} === {name!r}", "the land whose name was clicked")
    # Below it nothing is deeper; a root has its lands.
    spot = page.run("(() => { const { x, y } = geomapper.view.symbols.items.lands"
                    f".find(({{ path }}) => path === {name!r}); return [x, y]; }})()")
    chain = page.run(f"geomapper.view.landsUnder({spot[0]}, {spot[1]}).map(({{ path }}) => path)")
    if chain != [root, name]:
        fail(f"the lands under a symbol are {chain}")
    page.key("Escape")
    page.wait(f"!{SELECTED}", "nothing selected")
    x, y, zoom = page.run(PLACE)
    at = page.run(f"(() => {{ const [x, y] = geomapper.view.camera.toWorld({spot[0]}, {spot[1]}); return [x, y]; }})()")
    # Far out its lands are too small to see: a click selects the root, the next one a land in it.
    page.run(f"geomapper.view.camera.set({at[0]}, {at[1]}, geomapper.view.camera.least)")
    page.run("geomapper.view.landsUnder = (was => function (...at) { return was.apply(this, at).map((one, i) =>"
             " ({ ...one, breadth: i === 0 ? 100 : 20 })); })(geomapper.view.landsUnder)")
    page.run("geomapper.view.labels.placed = []")
    page.settle()
    page.run("geomapper.view.labels.placed = []; geomapper.view.fileNear = () => null; geomapper.page.level.at = () => null")
    page.run("document.getElementById('map').focus()")
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
    if not page.run("document.querySelector('.signposts').hidden"):
        fail("the whole world has signposts")
    page.run("geomapper.view.camera.set(0.001, 0.02, 6)")
    page.settle()
    page.wait("document.querySelector('.signpost')", "signposts at sea")
    text = page.run("document.querySelector('.signpost').innerText")
    if not re.search(r"\w+ [0-9.,]+ k?m", text):
        fail(f"a signpost says {text!r}")
    page.run("document.querySelector('.signpost').click()")
    page.wait(f"{SELECTED}", "the flight to what is nearest")
    page.settle()
    if not page.run("document.querySelector('.signposts').hidden"):
        fail("the signposts stay")
    page.key("Escape")


def check_keyboard(page: Page, root: str) -> None:
    """Keyboard use: move, zoom, select, favourite, up, help, and the focus order."""
    show(page, root)
    page.run("document.getElementById('map').focus()")
    before = page.run("geomapper.view.camera.x")
    page.key("ArrowRight")
    page.wait(f"geomapper.view.camera.x > {before}", "an arrow moves")
    page.settle()
    zoom = page.run("geomapper.view.camera.z")
    page.key("+")
    page.wait(f"geomapper.view.camera.z > {zoom} + 0.9", "plus zooms")
    show(page, f"{root}/desert/dune")
    page.key("Escape")
    page.run("document.getElementById('map').focus()")
    page.run("geomapper.view.camera.panBy(-185, 0)")  # the middle of the uncovered map moves to the middle of the window
    page.settle()
    page.key("Enter")
    page.wait(f"{SELECTED} === '{root}/desert/dune'", "Enter selects the middle")
    spoken = page.run("document.getElementById('spoken').textContent")
    if "dune" not in spoken or "State" not in spoken:
        fail(f"a screen reader hears {spoken!r}")
    page.key("s")
    if page.run(f"JSON.parse(localStorage['geomapper.favourites@{root}']).map(({{ path }}) => path)") != [f"{root}/desert/dune"]:
        fail("the star is not kept")
    page.key("s")
    page.key("Backspace")
    page.wait(f"{SELECTED} === '{root}/desert'", "Backspace goes to the parent")
    page.key("?")
    page.wait("document.getElementById('drawer').innerText.includes('whole world')", "help")
    page.key("Escape")
    page.wait("document.getElementById('drawer').hidden", "Esc closes the help")
    page.run("document.getElementById('map').focus()")
    order = []
    for _ in range(16):
        page.key("Tab")
        order.append(page.run("document.activeElement.id || document.activeElement.className"))
    if order[0] != "query" or not order.index("in") < order.index("help") < order.index("crumb"):
        fail(f"the focus goes {order}")


def check_colours(page: Page, root: str, shots: str) -> None:
    """The colour modes with their legends, and the dark theme."""
    show(page, f"{root}/meadow")
    page.run("document.getElementById('colours').click()")
    for mode in ("size", "age", "type", "kind"):
        page.run(f"document.querySelector('input[value={mode}]').click()")
        page.settle()
        rows = page.run("document.querySelectorAll('.legend li').length")
        if rows < 4:
            fail(f"the legend of {mode} has {rows} rows")
        page.shoot(f"{shots}/colour-{mode}.png")
    check_relief(page)
    page.key("Escape")
    # A link has the classes, which hold until the view is moved.
    page.run("geomapper.page.fit(true)")
    page.settle()
    look = "(({ mode, bounds }) => [mode, bounds])(geomapper.view.palette)"
    page.run("document.getElementById('colours').click()")
    page.run("document.querySelector('input[value=size]').click()")
    page.settle()
    page.wait("location.hash.includes('&colours=size:')", "the classes in the link")
    mode, bounds = page.run(look)
    link = page.run("location.href")
    other = [3, 1e9]
    page.open(link.replace(",".join(str(bound) for bound in bounds), ",".join(f"{bound:g}" for bound in other)))
    page.run("location.reload()")
    page.wait(f"globalThis.geomapper?.view.isComplete && geomapper.view.palette.bounds?.length === {len(other)}", "the link")
    page.settle()
    if page.run(look) != ["size", other]:
        fail(f"a link with other classes leads to {page.run(look)}")
    page.run("geomapper.view.camera.zoomAt(640, 400, -0.01)")
    page.settle()
    page.wait(f"geomapper.view.palette.bounds.join() === {','.join(str(bound) for bound in bounds)!r}", "the classes of the view")
    page.run("document.getElementById('colours').click()")
    page.run("document.querySelector('input[value=kind]').click()")
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
    show(page, f"{root}/meadow")
    page.run("geomapper.view.canvas.focus()")
    page.settle()
    for _ in range(60):
        page.run("geomapper.view.canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -380, clientX: 600,"
                 " clientY: 400, cancelable: true }))")
        time.sleep(0.02)
    page.settle()
    page.wait(f"geomapper.view.camera.z <= {end} + 0.01 && !geomapper.view.camera.isMoving", "the end of zooming")
    deepest = page.run("Math.max(...geomapper.view.symbols.items.files.map(({ thing }) => thing.minzoom))")
    reached = page.run("geomapper.view.camera.z")
    if not reached < deepest + 6:
        fail(f"the wheel zooms to {reached}, where files are shown from {deepest}")
    if page.run("document.getElementById('in').getAttribute('aria-disabled')") != "true":
        fail("the button to zoom in seems to do more")
    page.key("+")
    page.settle()
    if page.run("geomapper.view.camera.z") > reached + 0.01:
        fail("the key zooms on")
    link = page.run("location.href.replace(/#[^/]*/, '#28')")
    page.open("about:blank")
    page.open(link)
    page.settle()
    page.wait(f"geomapper.view.camera.z <= {end} + 0.01 && !geomapper.view.camera.isMoving", "the end of a link's zoom")
    if page.run("geomapper.view.camera.z") > 20:
        fail("a link leads deeper than anything")


def brightness(page: Page) -> float:
    """The mean brightness of the map."""
    return float(page.run(
        "(() => { const small = document.createElement('canvas'); small.width = small.height = 8;"
        " const context = small.getContext('2d', { willReadFrequently: true });"
        " context.drawImage(geomapper.view.canvas, 0, 0, 8, 8);"
        " return context.getImageData(0, 0, 8, 8).data.reduce((sum, v, i) => i % 4 < 3 ? sum + v"
        " : sum, 0); })()"))


def check_narrow(page: Page, root: str, shot: str) -> None:
    """On a phone nothing is beyond the edge, and a tap with a finger works."""
    page.resize(320, 568, touch=True)
    show(page, f"{root}/meadow")
    page.shoot(shot)
    if page.run("document.documentElement.scrollWidth") > 320:
        fail("the page is wider than 320 pixels")
    outside = page.run(
        "[...document.querySelectorAll('button, input, aside')].filter((e) => e.offsetParent !== null)"
        ".filter((e) => { const r = e.getBoundingClientRect(); return r.left < 0 || r.right > 320; })"
        ".map((e) => e.id || e.className)")
    if outside:
        fail(f"beyond the edge: {outside}")
    page.run("document.getElementById('more').click()")
    page.shoot(shot.replace(".png", "-tools.png"))
    covered = page.run(
        "[...document.querySelectorAll('#tools button')].filter((e) => {"
        " const r = e.getBoundingClientRect();"
        " return document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2) !== e; })"
        ".map((e) => e.id)")
    if covered:
        fail(f"under the panel: {covered}")
    page.run("document.getElementById('more').click()")
    show(page, f"{root}/meadow/flower-07.txt")
    page.key("Escape")
    page.wait(f"!{SELECTED}", "nothing selected")
    x, y = pixel_of(page, "flower-07.txt")
    point = [{"x": x, "y": y}]
    page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=point)
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    page.wait(f"{SELECTED}?.startsWith('{root}/meadow/flower-')", "a finger selects a file")
    zoom = page.run("geomapper.view.camera.z")
    for kind, span in (("touchStart", 30), ("touchMove", 60), ("touchMove", 100)):
        page.call("Input.dispatchTouchEvent", type=kind, touchPoints=[
            {"x": 160 - span / 2, "y": 200, "id": 0}, {"x": 160 + span / 2, "y": 200, "id": 1}])
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    if page.run("geomapper.view.camera.z") < zoom + 0.8:
        fail("a pinch does not zoom")
    page.resize(1280, 800)


def check_low(page: Page, root: str, shot: str) -> None:
    """In a low window, as with the page zoomed to 200 %, nothing covers the tools."""
    page.resize(700, 450)
    show(page, f"{root}/meadow")
    for tool in ("colours", "help", "lights"):
        page.run(f"document.getElementById('{tool}').click()")
        page.settle()
        covered = page.run(
            "[...document.querySelectorAll('#tools button')].filter((e) => {"
            " const r = e.getBoundingClientRect();"
            " return r.width > 0 && document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2) !== e; })"
            ".map((e) => e.id)")
        page.shoot(shot.replace(".png", f"-{tool}.png"))
        if covered:
            fail(f"{tool} lies over {covered}")
        page.key("Escape")
    page.resize(1280, 800)


def check_live(page: Page, root: str, folder: str) -> None:
    """A new file appears within a second, and nothing else moves."""
    show(page, f"{root}/meadow/flower-03.txt")
    page.run("geomapper.view.camera.zoomAt(640, 400, geomapper.selected.feature.properties.minzoom"
             " + 0.2 - geomapper.view.camera.z)")
    page.settle()
    files = "[...geomapper.view.tiles.all.values()].flatMap((e) => e.data?.files ?? [])"
    before = pixel_of(page, "flower-03.txt")
    start = time.monotonic()
    with open(os.path.join(folder, "meadow", "new-flower.txt"), "w") as file:
        file.write("new")
    page.wait(f"{files}.some((f) => f.name === 'new-flower.txt')", "the new file", 5)
    seconds = time.monotonic() - start
    if pixel_of(page, "flower-03.txt") != before:
        fail("another file has moved")
    print(f"a new file shows after {seconds:.2f} s")
    os.remove(os.path.join(folder, "meadow", "new-flower.txt"))
    page.settle()


def check_fetches(page: Page, root: str, folder: str) -> None:
    """After a change of a file, the new totals are shown, and only the tiles with that file are fetched."""
    show(page, root)
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
        with open(os.path.join(folder, path), "wb") as file:
            file.write(b"x" * size)
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
    page.mouse("mousePressed", 900, 500, button="left", clickCount=1)
    for step in range(160):
        page.mouse("mouseMoved", 900 - step * 3, 500 - step, button="left", buttons=1)
        time.sleep(0.008)
    gaps = sorted(page.run("globalThis.gaps"))
    page.mouse("mouseReleased", 423, 341, button="left", clickCount=1)
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
        served.open(server.address)
        served.wait("globalThis.geomapper?.view.isComplete", "the page of the server")
        by_server = served.run(script)
        # A page in a background tab rests, too.
        leave(served)
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
        subprocess.run([binary, "map", "--format", "html", "-o", name, folder], check=True)
        page = browser.page()
        page.open("file://" + quote(name))
        page.wait("globalThis.geomapper?.view.isComplete", "the page from disk")
        show(page, f"{root}/meadow")
        page.shoot(f"{shots}/file.png")
        # As on the served page: no gaps between lands, and totals for each of them.
        lands = page.run("geomapper.view.landsInView().filter(({ depth }) => depth > 0)"
                         ".map((land) => [land.path, land.outline !== land.rings, land.files])")
        if not lands or not all(has_cell for _, has_cell, _ in lands):
            fail(f"lands without cells: {lands}")
        text = page.run("document.getElementById('panel').innerText")
        for part in ("78.0 kB", "40", "files in all", "% of garden"):
            if part not in text:
                fail(f"the panel does not say {part!r}: {text!r}")
        check_towns(browser, binary, folder, page)
        check_search(page, root, f"{shots}/file-search.png")
        show(page, f"{root}/desert")
        if NASTY.replace("/", "∕") not in page.run("document.getElementById('panel').innerText"):
            fail("a name has not come through")
        check_zoom_end(page, root)
        check_file_totals(browser, binary, folder, root, at)
        old = os.stat(name).st_mtime_ns
        many = os.path.join(at, "many")
        os.makedirs(many)
        for number in range(300_001):
            os.close(os.open(f"{many}/{number}", os.O_CREAT | os.O_WRONLY))
        done = subprocess.run([binary, "map", "--format", "html", "-o", name, "-q", many],
                              stderr=subprocess.PIPE, text=True)
        if done.returncode != 3 or "--zoom" not in done.stderr or os.stat(name).st_mtime_ns != old:
            fail(f"too large a tree: status {done.returncode}, {done.stderr!r}")
        if sorted(os.listdir(at)) != ["many", "totals.html", "world.html"]:
            fail(f"left behind: {os.listdir(at)}")


def check_file_totals(browser: Browser, binary: str, folder: str, root: str, at: str) -> None:
    """A page as a file with totals shows them for each folder."""
    name = os.path.join(at, "totals.html")
    subprocess.run([binary, "map", "--totals", "--format", "html", "-o", name, folder], check=True)
    page = browser.page()
    page.open("file://" + quote(name))
    page.wait("globalThis.geomapper?.view.isComplete", "the page with totals")
    show(page, f"{root}/meadow")
    files = sum(len(names) for _, _, names in os.walk(os.path.join(folder, "meadow")))
    said = page.run("document.getElementById('panel').innerText")
    if not re.search(rf"\b{files:,}\s+files? in all", said):
        fail(f"no totals of {files} files in {said!r}")


def leave(page: Page) -> None:
    """Leaves the page, because a page with open connections reports an error when its server ends."""
    page.call("Page.navigate", url="about:blank")
    page.wait("location.href === 'about:blank'", "the page to be left")


def check_long_names(browser: Browser, binary: str, at: str) -> None:
    """The panel begins after the path of folders, however many lines their names take."""
    names = ["a long name " * 9 + str(number) for number in range(3)]
    folder = os.path.join(at, "long", *names)
    os.makedirs(folder)
    for number in range(80):
        with open(os.path.join(folder, f"file {number}"), "w") as file:
            file.write("x" * number)
    with serving(binary, os.path.join(at, "long")) as server:
        page = browser.page()
        page.resize(1280, 800)
        page.open(server.address)
        page.settle()
        for shown in range(3):
            show(page, "/".join(["long", *names[:shown + 1]]))
            page.wait("document.querySelectorAll('#panel .children li').length > 0", "its contents")
            bottom, top = page.run(
                "['crumbs', 'panel'].map((id) => document.getElementById(id).getBoundingClientRect())"
                ".map((box, index) => index ? box.top : box.bottom)")
            if bottom > top:
                fail(f"the panel begins at {top}, and the names of {shown + 1} folders end at {bottom}")
        leave(page)


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
        leave(page)


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
    show(page, f"{root}/desert")
    if NASTY.replace("/", "∕") not in page.run("document.getElementById('panel').innerText"):
        fail("a name is not shown as it is")
    check_narrow(page, root, f"{shots}/narrow.png")
    check_low(page, root, f"{shots}/low.png")
    check_zoom_end(page, root)


def main() -> None:
    binary, pictures, program = page_arguments(__doc__)
    with tempfile.TemporaryDirectory() as at, browsing(program) as browser:
        folder = os.path.join(at, "garden")
        plant(folder)
        with serving(binary, folder) as server:
            drive(browser, server, folder, "garden", pictures)
            check_file(browser, binary, folder, "garden", pictures)
        check_long_names(browser, binary, at)
        check_crowd(browser, binary, at)
        browser.check()
    print("the page does what it should, served and from disk")


if __name__ == "__main__":
    main()
