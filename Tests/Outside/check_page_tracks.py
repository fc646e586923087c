"""Drives the library of tracks and points in a headless browser.

    check_page_tracks.py GEOMAPPER [--pictures FOLDER]

Checks opened and dropped files, their list, drawings, the profile, cues, points, settings, diagnostics and the page as
a file. page_scripts.mjs runs the cases of tracks.json; those of gpx.json need a browser's parser of XML.
"""

import json
import os
import subprocess
import tempfile
from typing import Any, List
from urllib.parse import quote

from browser import Browser, Page, driving
from check_page import plant
from outside import fail, put, run, same
from served import serving

CALM = "geomapper.view.camera.isMoving === false"
SCRUBBER = "#tracks-shown input[type=range]"
SEARCH = "#drawer input[type=search]"
STATUS = ".library [role=status]"
TITLES = "[...document.querySelectorAll('#drawer .title')].map((b) => b.innerText.split('\\n')[0].trim())"

HEAD = '<?xml version="1.0"?>\n<gpx version="1.1" creator="c" xmlns="http://www.topografix.com/GPX/1/1">\n'


def track(points: List[List[float]], name: str = "") -> str:
    """A track with a point each minute."""
    rows = "".join(
        f'<trkpt lat="{lat}" lon="{lon}"><ele>{ele}</ele><time>2024-05-01T06:{i:02}:00Z</time></trkpt>\n'
        for i, (lon, lat, ele) in enumerate(points))
    return f"{HEAD}<trk><name>{name}</name><trkseg>\n{rows}</trkseg></trk>\n</gpx>"


def write(folder: str) -> None:
    """Writes files of all kinds, valid and invalid."""
    put(folder, {
        "2024-05-01_Morning ride.gpx": track([[i, i / 2, i * 10 % 70] for i in range(30)]),
        "2024-07-09 Second.gpx": track([[-i, 20, 5] for i in range(20)]),
        "2023-01-02 Old one.gpx": track([[100 + i / 10, -40, i] for i in range(10)]),
        "way.gpx": HEAD + "<wpt lat='12' lon='3'><name>Well</name></wpt><rte><name>Way</name>"
        "<rtept lat='0' lon='0'/><rtept lat='0' lon='10'><name>Bend</name></rtept>"
        "<rtept lat='-10' lon='10'/><rtept lat='-10' lon='30'><name>End</name></rtept></rte></gpx>",
        "shapes.geojson": json.dumps({"type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": {"name": "Line"},
             "geometry": {"type": "LineString", "coordinates": [[5, 5, 1], [6, 6, 2]]}},
            {"type": "Feature", "properties": {"name": "Spot"}, "geometry": {"type": "Point", "coordinates": [5, 6]}}]}),
        "track.json": json.dumps({"name": "J", "segments": [{"coords": [
            {"latitude": 1, "longitude": 2, "altitude": 3, "time": 1}, {"latitude": 2, "longitude": 3}]}]}),
        "broken.gpx": HEAD + "<trk><trkseg>\n<trkpt lat='1' lon='2'/>\n<trkpt lat='1'/>",
        "broken.json": '{"name": "x",\n "segments": [}',
        "other.json": '{"name": "x"}',
        "bomb.gpx": '<!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa">]><gpx>&a;</gpx>',
    })


def library(page: Page, expression: str) -> Any:
    """The value of an expression about `library`, the page's tracks."""
    return page.run(f"geomapper.library().then((library) => {expression})")


def choose(page: Page, folder: str, *names: str) -> None:
    """Opens files as the browser's dialogue does."""
    if page.run("document.getElementById('drawer').hidden"):
        page.press("#tracks")
    page.wait("document.querySelector('#drawer input[type=file]')", "the button that opens files")
    node = page.call("DOM.getDocument", depth=0)["root"]["nodeId"]
    field = page.call("DOM.querySelector", nodeId=node, selector="#drawer input[type=file]")["nodeId"]
    page.call("DOM.setFileInputFiles", nodeId=field, files=[os.path.join(folder, name) for name in names])


def wait_for_titles(page: Page, count: int, what: str) -> None:
    """Waits until the list has a number of rows."""
    page.wait(f"document.querySelectorAll('#drawer .title').length === {count}", what)


def shown(page: Page) -> List[str]:
    """The titles of the tracks on the map."""
    return list(library(page, "library.layer.shown.map((one) => one.head.title)"))


def act(page: Page, label: str) -> None:
    """Presses a button by its label for screen readers."""
    page.press(f"[aria-label={json.dumps(label)}]")


def tap(page: Page, title: str) -> None:
    """Taps a row of the list."""
    page.press("#drawer .title", title)


def is_fitted(page: Page, box: List[float]) -> bool:
    """Whether a box of degrees is in view, and fills much of it."""
    west, south, east, north = box
    left, top, right, bottom = page.run(
        "(async () => { const { project } = (await import('/assets/page.js')).$mercator;"
        f" const a = project({west}, {north}), b = project({east}, {south}); const c = geomapper.view.camera;"
        " return [...c.toScreen(a.x, a.y), ...c.toScreen(b.x, b.y)]; })()")
    return bool(left >= 0 and top >= 0 and right <= 1280 and bottom <= 800
                and max((right - left) / 1280, (bottom - top) / 800) > 0.2)


def check_list(page: Page, folder: str, shots: str) -> None:
    """Many files at once: years, subtitles, favourites first, search, names, and removing one."""
    choose(page, folder, "2024-05-01_Morning ride.gpx", "2024-07-09 Second.gpx", "2023-01-02 Old one.gpx")
    wait_for_titles(page, 3, "three tracks")
    page.settle()
    page.shoot(f"{shots}/tracks-several.png")
    page.expect("the list", TITLES, ["Second", "Morning ride", "Old one"])
    same("the years", page.texts("#drawer h3"), ["2024", "2023"])
    small = page.texts("#drawer small")[1]
    if not small.startswith("2024-05-01 · ") or not small.endswith(" km"):
        fail(f"below the title stands {small!r}")
    same("the tracks on the map", sorted(shown(page)), ["Morning ride", "Old one", "Second"])
    colours = library(page, "library.layer.shown.map((one) => one.colour[0])")
    legend = page.run("[...document.querySelectorAll('#tracks-shown .swatch')].map((s) => s.style.background)")
    same("the numbers of colours", [len(set(colours)), len(set(legend))], [3, 3])
    act(page, "Star of Old one")
    page.wait(f"{TITLES}[0] === 'Old one'", "what has a star on top")
    page.fill(SEARCH, "morn")
    page.expect("what the search finds", TITLES, ["Morning ride"])
    act(page, "Rename Morning ride")
    page.run("document.querySelector('.entries input').value = 'Morning walk'; 0")
    page.key("Enter")
    page.wait(f"{TITLES}[0] === 'Morning walk'", "the new name")
    page.fill(SEARCH, "")
    act(page, "Delete Second")
    wait_for_titles(page, 2, "one less")
    page.wait("document.querySelector('#drawer .crumb')", "a way back")
    page.press("#drawer .crumb")
    wait_for_titles(page, 3, "it is back")
    act(page, "Delete Second")
    wait_for_titles(page, 2, "one less again")


def check_taps(page: Page, shots: str) -> None:
    """A tap shows a track and fits the view to it; another tap hides it; the last one tapped wins."""
    page.press("#drawer .chip", "Several at once")
    for title in shown(page):
        act(page, f"Put {title} away")
    same("the tracks that are left", shown(page), [])
    page.check("they are put away", "document.getElementById('tracks-shown').hidden")
    tap(page, "Morning walk")
    page.wait(f"!document.getElementById('tracks-shown').hidden && {CALM}", "it shows")
    page.settle()
    if not is_fitted(page, [0, 0, 29, 14.5]):
        fail("the view is not fitted to the track")
    page.shoot(f"{shots}/track.png")
    tap(page, "Morning walk")
    page.wait("document.getElementById('tracks-shown').hidden", "tapped again it is away")
    page.run("['Morning', 'Old', 'Morning', 'Old'].forEach((start) => [...document.querySelectorAll('#drawer .title')]"
             ".find((b) => b.innerText.startsWith(start)).click())")
    page.wait("!document.getElementById('tracks-shown').hidden", "one shows")
    page.settle()
    if shown(page) != ["Old one"] or not is_fitted(page, [100, -40, 100.9, -40]):
        fail(f"the last tap does not win: {shown(page)}")


def check_profile(page: Page) -> None:
    """The scrubber marks a position along the track and shows its data."""
    tap(page, "Morning walk")
    page.wait(f"document.querySelector('#tracks-shown .shown')?.innerText.includes('Morning') && {CALM}", "it shows")
    page.says("#tracks-shown output", "km", "up ")
    page.focus(SCRUBBER)
    page.key("ArrowRight")
    page.fill(SCRUBBER, 1000)
    x, metres = library(page, "[library.layer.cursor.x, library.layer.cursor.metres]")
    length = library(page, "library.profile.shape.length")
    if abs(metres / length - 0.5) > 1e-9 or abs((x - 0.5) * 360 - 14.5) > 0.3:
        fail(f"half way is at {x}, {metres} of {length}")
    page.says("#tracks-shown output", "m high", "/h")
    inked = page.run(
        "(() => { const c = document.querySelector('.profile'); const d = c.getContext('2d')"
        ".getImageData(0, 0, c.width, c.height).data; return d.filter((v, i) => i % 4 === 3 && v > 0).length; })()")
    if inked < 2000:
        fail("there is no profile")


def check_markers(page: Page, shots: str) -> None:
    """Markers come every 1, 3, 5 or 10 units, whatever the unit is; with 0 there are no markers."""
    for units in (1, 3, 5, 10, 0):
        library(page, f"{{ library.settings.set('markers', {units}); geomapper.view.ask(); }}")
        for zoom in (4, 9):
            library(page, f"geomapper.view.camera.set(library.layer.cursor.x, library.layer.cursor.y, {zoom})")
            page.settle()
            marks = library(page, "library.layer.markers.map((m) => m.metres)")
            if (units > 0) != (len(marks) > 0):
                fail(f"every {units}: {marks}")
            steps = [metres / units for metres in marks] if units else []
            ten = min((10.0 ** k for k in range(-9, 9) if all(
                abs(s / 10.0 ** k - round(s / 10.0 ** k)) < 1e-6 for s in steps)), key=lambda v: -v, default=1)
            if units and (len(marks) > 60 or any(abs(s / ten - round(s / ten)) > 1e-6 for s in steps)):
                fail(f"every {units}, at zoom {zoom}: {marks}")
    library(page, "library.settings.set('markers', 5)")
    page.shoot(f"{shots}/track-near.png")


def check_kinds(page: Page, folder: str, shots: str) -> None:
    """A planned route with its next cue on top, waypoints, GeoJSON, JSON; and errors with their positions."""
    choose(page, folder, "way.gpx")
    page.wait("!document.getElementById('cue').hidden", "a cue")
    page.settle()
    page.shoot(f"{shots}/route.png")
    cue = page.text("#cue")
    if not cue.startswith("Go east (90°)") or "to Bend" not in cue:
        fail(f"the first cue says {cue!r}")
    page.fill(SCRUBBER, 100)
    page.says("#cue", "Turn right in 8")
    page.press("#cue")
    page.wait("document.getElementById('cue').innerText.startsWith('Turn left')", "the one after it")
    choose(page, folder, "shapes.geojson", "track.json")
    wait_for_titles(page, 5, "five tracks")
    choose(page, folder, "broken.gpx", "broken.json", "other.json", "bomb.gpx")
    page.wait("document.querySelectorAll('#drawer .fault').length === 4", "four faults")
    for fault, part in zip(page.texts("#drawer .fault"), (
            "broken.gpx: line ", "broken.json: not JSON: ", "other.json: it is neither",
            "bomb.gpx: a document type")):
        if part not in fault:
            fail(f"{fault!r} does not say {part!r}")
    page.shoot(f"{shots}/tracks-faults.png")


def check_recording(page: Page, recording: bytes) -> None:
    """A dropped recording is a track, even if it is truncated."""
    before = library(page, "library.heads.length")
    page.drop("geo_log_2026-01-05_14-30-00.json", recording)
    page.wait("document.querySelector('#tracks-shown .shown')?.innerText.includes('rehearsal')", "the recording")
    head = library(page, "library.heads.at(-1)")
    if head["subtitle"] != "2026-01-05 14:30:00" or not head["isRecording"] or head["points"] < 3:
        fail(f"the recording is {head}")
    page.drop("cut.json", recording[:len(recording) * 2 // 3])
    page.wait("document.querySelectorAll('#drawer .fault').length === 1", "what is wrong with a cut one")
    page.says("#drawer .fault", "cut.json: line ", "before that can be used")
    same("the recordings in the library", library(page, "library.heads.length"), before + 2)
    page.expect("the style of the bar", "getComputedStyle(document.getElementById('time')).position", "fixed")


def samples(hours: int) -> bytes:
    """A recording of samples only, one a minute, which grow by a hundredth each hour."""
    lines = ['{"metadata":{"version":"1.0","recordedAt":"2026-02-03T00:00:00.000Z","roots":["r"]},"events":[']
    for minute in range(hours * 60 + 1):
        # Names of others are no members of the page's objects.
        data = {"path": "constructor", "files": 10 + minute % 7, "folders": 1, "bytes": 10**9 + minute * 10**7 // 60,
                "free": 10**10 - minute}
        lines.append(json.dumps({"type": "sample", "relativeTime": minute * 60, "data": data}) + ",")
    return "\n".join([*lines[:-1], lines[-1][:-1], "]}"]).encode()


def check_charts(page: Page, shots: str) -> None:
    """Samples of a recording as charts, with their forecast, and zoomed in."""
    page.drop("geo_log_2026-02-03_00-00-00.json", samples(8))
    page.wait("document.querySelector('#tracks-shown .shown').innerText.includes('Recording')", "the samples")
    page.press("details.charts summary")
    same("the trend", page.text("details.charts summary"),
         "Samples: 1.08 GB ↑ rising, +10.0 MB an hour, full in 42 days")
    same("the windows", page.texts("details.charts td:first-child"), ["last 1 h", "last 6 h", "last 24 h"])
    page.expect("the average of the last hour", "document.querySelectorAll('details.charts tr')[1].lastChild.innerText", "1.07 GB")
    page.wait("document.querySelector('.chart').getAttribute('aria-label')", "a chart")
    page.shoot(f"{shots}/charts.png")
    page.press("details.charts .chip", "1 h")
    span = "library.profile.charts.to - library.profile.charts.from"
    same("the seconds of an hour", library(page, span), 3600)
    left, top, right, _ = page.box(".chart")
    page.mouse("mouseWheel", (left + right) / 2, top + 40, deltaX=0, deltaY=-300)
    page.wait(f"geomapper.library().then((library) => {span} < 2000)", "it is nearer")
    page.fill("details.charts select[aria-label=Quantity]", "files", "change")
    label = page.run("document.querySelector('.chart').getAttribute('aria-label')")
    if not label.endswith("average 13 of 481"):
        fail(f"the chart of files is called {label!r}")


def check_served_charts(browser: Browser, binary: str, folder: str, root: str, shots: str) -> None:
    """The samples of a server appear in the panel, and continue."""
    with serving(binary, "--sample", "1s", folder) as server:
        page = browser.page()
        page.show(server.address)
        page.run(f"geomapper.open('{root}', false)")
        page.wait("document.querySelector('#panel .chart')?.getAttribute('aria-label')", "a chart in the panel", seconds=20)
        greatest = "document.querySelector('#panel .chart').getAttribute('aria-label').match(/greatest ([^,]+)/)[1]"
        before = page.run(greatest)
        put(folder, {"grown": 3_000_000})
        page.wait(f"{greatest} !== '{before}' && {greatest}.endsWith('MB')", "it has grown", seconds=20)
        page.shoot(f"{shots}/served-charts.png")
        os.remove(os.path.join(folder, "grown"))


def check_points(page: Page, root: str, shots: str) -> None:
    """Points: added, named, marked as favourites, shown on the map, measured from the middle, copied, deleted."""
    page.run("document.getElementById('drawer').hidden || document.activeElement.blur()")
    page.key("Escape")
    page.select(f"{root}/meadow")
    page.focus("#map")
    page.key("s")
    page.key("f")
    wait_for_titles(page, 1, "the favourite is a point")
    page.press("#drawer .chip", "Add the middle")
    page.run("(() => { const [title, place] = document.querySelectorAll('#drawer form input'); title.value = 'Camp';"
             " document.querySelector('#drawer form select').value = '⌂'; place.value = '95, 1';"
             " document.querySelector('#drawer form').requestSubmit(); })()")
    page.says("#drawer form .fault", "latitude")
    page.run("(() => { document.querySelectorAll('#drawer form input')[1].value = '0, 90';"
             " document.querySelector('#drawer form').requestSubmit(); })()")
    wait_for_titles(page, 2, "the new point")
    page.run("geomapper.view.camera.set(0.5, 0.5, 1)")
    page.settle()
    rows = page.texts("#drawer .title")
    if "10,008 km east (90°)" not in rows[1] or not rows[1].startswith("⌂ Camp") or not rows[0].startswith("★ meadow"):
        fail(f"the points are {rows}")
    page.shoot(f"{shots}/points.png")
    act(page, "Star of Camp")
    act(page, "Star of meadow")
    page.wait("document.querySelector('#drawer .title').innerText.startsWith('⌂ Camp')", "the starred one on top")
    # At a position where nothing covers the map.
    page.run("geomapper.view.camera.set(0.68, 0.62, 1)")
    page.settle()
    x, y = page.run("geomapper.view.camera.toScreen(0.75, 0.5)")
    page.click(x, y - 14)
    page.wait("document.querySelector('#drawer form')", "a tap on the map opens it")
    page.press("#drawer form .chip", "Delete")
    wait_for_titles(page, 1, "it is deleted")


def check_waypoints(page: Page, root: str, shots: str) -> None:
    """Waypoints of a file become points, once each; they are stored, and can be removed."""
    many = "".join(f"<wpt lat='{i / 100}' lon='1'/>" for i in range(1001))
    mixed = ("<wpt lat='12' lon='3'><name>Well</name></wpt><wpt lat='-5' lon='-6'><name>House</name><sym>⌂</sym></wpt>"
             "<wpt lat='7' lon='8'><sym>Campground</sym></wpt>")
    page.drop("way.gpx", f"{HEAD}{mixed}</gpx>".encode())
    page.drop("many.gpx", f"{HEAD}{many}</gpx>".encode())
    page.run("document.getElementById('drawer').hidden || document.activeElement.blur()")
    page.key("Escape")
    page.press("#tracks")
    page.wait(f"{TITLES}.includes('many') && {TITLES}.includes('way (2)')", "a file of the name of another has a number")
    page.expect("what has waypoints to add",
                "[...document.querySelectorAll('#drawer .own-line')].map((b) => b.getAttribute('aria-label')).sort()",
                [f"Add to points: {title}" for title in ("many", "shapes", "way", "way (2)")])
    widths = page.run("[...document.querySelectorAll('#drawer .own-line')].map((b) => b.parentElement.querySelector('.title').clientWidth)")
    if min(widths) < 120:
        fail(f"beside the action a title has {min(widths)} pixels")
    points = "geomapper.page.points.all.filter((p) => p.path === undefined).map((p) => [p.sign, p.title ?? '', p.lat, p.lon])"
    three = [["⚑", "Well", 12, 3], ["⌂", "House", -5, -6], ["⚑", "", 7, 8]]
    for label, says, wanted in (
            ("way", "Added 1 waypoint of way to the points.", three[:1]),
            ("way", "The points already have the 1 waypoint of way.", three[:1]),
            ("way (2)", "Added 2 waypoints of way (2) to the points.", three),
            ("many", "many has 1,001 waypoints. At most 1,000 can be added to the points.", three)):
        act(page, f"Add to points: {label}")
        page.wait(f"document.querySelector('{STATUS}').innerText.includes({json.dumps(says)})", says)
        page.expect(f"the points after {says!r}", points, wanted)
    act(page, "Add to points: shapes")
    page.wait(f"document.querySelector('{STATUS}').innerText.includes('shapes')", "a point of GeoJSON is added")
    page.expect("the points with one of GeoJSON", points, [*three, ["⚑", "Spot", 6, 5]])
    page.shoot(f"{shots}/tracks-waypoints.png")
    page.press(f"{STATUS} .crumb")
    page.expect("the points after Undo", points, three)
    page.press("#drawer nav button", "Points")
    wait_for_titles(page, 4, "the list of points has them")
    if not any(title.startswith("⌂ House") for title in page.texts("#drawer .title")):
        fail("a waypoint's sign and name are not in the list of points")
    page.expect("the number of kept points", f"JSON.parse(localStorage['geomapper.favourites@{root}']).length", 4)
    page.key("Escape")


def check_settings(page: Page, shots: str) -> None:
    """Settings are stored, and can be reset; diagnostics count."""
    page.press("#tracks")
    page.wait("document.querySelector('#drawer nav')", "the tabs")
    page.press("#drawer nav button", "Settings")
    page.wait("document.querySelector('#drawer select')", "settings")
    page.shoot(f"{shots}/settings.png")
    page.run("(() => { const [theme, markers] = document.querySelectorAll('#drawer select'); theme.value = 'dark';"
             " theme.dispatchEvent(new Event('change')); markers.value = '10'; markers.dispatchEvent(new Event('change'));"
             " document.querySelector('#drawer input[type=checkbox]').click(); })()")
    kept = "[document.documentElement.dataset.theme, localStorage['geomapper.settings'] ?? null]"
    page.expect("the kept settings", kept, ["dark", '{"markers":10,"waypoints":false}'])
    page.press("#drawer .chip", "Reset settings")
    page.expect("the settings put back", kept, ["light", None])
    page.press("#drawer nav button", "Diagnostics")
    page.wait("document.querySelector('.diagnostics')", "diagnostics")
    page.shoot(f"{shots}/diagnostics.png")
    page.says(".diagnostics", "Tiles from server", "Tiles from cache")
    counts = page.run("geomapper.view.tiles.counts")
    if counts["came"] < 4 or counts["kept"] < 1:
        fail(f"diagnostics: {counts}")
    page.key("Escape")


def check_kept(page: Page) -> None:
    """Everything survives a reload."""
    titles = sorted(library(page, "library.heads.map((h) => h.title)"))
    page.show(page.run("location.href"))
    same("the kept tracks", sorted(library(page, "library.heads.map((h) => h.title)")), titles)
    page.focus("#map")
    page.key("t")
    page.wait("document.querySelectorAll('#drawer .title').length > 5", "the list")
    tap(page, "Morning walk")
    page.wait("!document.getElementById('tracks-shown').hidden", "one that was kept")
    page.settle()
    page.key("Escape")
    page.key("Escape")


def check_phone(page: Page, shots: str) -> None:
    """On a phone nothing is beyond the edge."""
    page.resize(320, 568, touch=True)
    page.settle()
    page.shoot(f"{shots}/tracks-narrow.png")
    page.press("#more")
    page.press("#tracks")
    page.wait("document.querySelectorAll('#drawer .title').length > 5", "the list")
    page.shoot(f"{shots}/tracks-narrow-list.png")
    page.expect("what is wider than its button", "[...document.querySelectorAll('#drawer .chip')]"
                ".filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.innerText)", [])
    page.check_edges("#drawer button, #drawer input, #tracks-shown button, #tracks-shown input")
    page.expect("the width of the page", "document.documentElement.scrollWidth <= 320", True)
    page.key("Escape")
    page.resize(1280, 800)


def check_file(browser: Browser, binary: str, folder: str, root: str, files: str, shots: str) -> None:
    """The page as a file has all of it."""
    with tempfile.TemporaryDirectory() as at:
        name = os.path.join(at, "world.html")
        run(binary, "map", "--format", "html", "-o", name, folder)
        page = browser.page()
        page.show("file://" + quote(name))
        choose(page, files, "way.gpx")
        page.wait("!document.getElementById('cue').hidden", "a cue")
        page.settle()
        page.shoot(f"{shots}/file-track.png")
        page.select(f"{root}/meadow", False)
        page.press("#panel .star")
        page.press("#stars")
        wait_for_titles(page, 1, "its point")


def check_mutations(page: Page) -> None:
    """Files with changed bytes are read, or refused with a position; there is no other effect."""
    texts = [track([[i, i / 2, i] for i in range(8)], "A &amp; B"), samples(1).decode()[:3000],
             json.dumps({"name": "x", "segments": [{"coords": [{"latitude": 1, "longitude": 2, "time": 3}] * 3}]}, indent=1),
             json.dumps({"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"name": "a"}, "geometry": {
                 "type": "LineString", "coordinates": [[1, 2], [3, 4, 5]]}}]})]
    found = page.run("""
(async () => {
  const { $files: { readFile }, $gpx: { Fault } } = await import('/assets/library.js');
  let state = 17;
  const number = (below) => { state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff; return (state >> 8) % below; };
  const counts = [0, 0];
  for (let round = 0; round < 2500; round += 1) {
    const text = TEXTS[round % TEXTS.length];
    let bytes = [...new TextEncoder().encode(text)];
    for (let change = number(4); change >= 0; change -= 1) {
      const more = number(3) > 0 ? [number(256)] : bytes.slice(number(bytes.length)).slice(0, number(30));
      bytes.splice(number(bytes.length), number(3), ...more);
    }
    if (number(10) === 0) bytes = bytes.slice(0, number(bytes.length));
    try {
      await readFile(new File([Uint8Array.from(bytes)], 'x'));
      counts[0] += 1;
    } catch (error) {
      if (!(error instanceof Fault)) return `${error.stack} of ${new TextDecoder().decode(Uint8Array.from(bytes))}`;
      counts[1] += 1;
    }
  }
  return counts;
})()""".replace("TEXTS[", f"{json.dumps(texts)}[").replace("% TEXTS.", f"% {json.dumps(texts)}."))
    if not isinstance(found, list) or min(found) < 100:
        fail(f"mutated files: {found}")
    print(f"of mutated files {found[0]} are read, {found[1]} refused")


def check_cases(page: Page) -> None:
    """GPX is read as the tool reads it (gpx.json); null is refused."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "gpx.json"), encoding="utf-8") as file:
        cases = json.load(file)
    found = page.run("""
(async () => {
  const { $files: { readFile }, $gpx: { Fault } } = await import('/assets/library.js');
  return Promise.all(TEXTS.map(async (text) => {
    try {
      const { lines, places } = await readFile(new File([text], 'x'));
      return [...lines.map(({ kind, name, starts, lon, lat }) => [kind, name, starts.length, ...lon, ...lat]),
        ...places.map(({ lon, lat, name }) => ['waypoint', name ?? '', lon, lat])];
    } catch (error) {
      return error instanceof Fault ? null : error.stack;
    }
  }));
})()""".replace("TEXTS", json.dumps([case["input"] for case in cases])))
    for case, tracks in zip(cases, found):
        same(f"the tracks of {case['input']!r}", tracks, case["output"])


def record(binary: str, at: str) -> bytes:
    """Makes a recording of a few events."""
    folder, name = os.path.join(at, "stage"), os.path.join(at, "log.json")
    os.makedirs(folder)
    with subprocess.Popen([binary, "record", "-q", "--name", "rehearsal", "--sample", "1s", "--for", "3s", "-o", name,
                           "--directory", at, folder]) as process:
        while not os.path.exists(name) or os.path.getsize(name) == 0:
            if process.poll() is not None:
                fail("nothing is recorded")
        put(folder, {f"prop-{number}": number for number in range(8)})
        process.wait()
    with open(name, "rb") as file:
        return file.read()


def main() -> None:
    with driving(__doc__) as (binary, shots, browser, at):
        os.environ["XDG_DATA_HOME"] = os.path.join(at, "data")
        folder, files = os.path.join(at, "garden"), os.path.join(at, "files")
        plant(folder)
        write(files)
        recording = record(binary, at)
        with serving(binary, folder) as server:
            page = browser.page()
            page.show(server.address)
            page.expect("whether the library is loaded before its use",
                        "performance.getEntriesByType('resource').some((e) => e.name.includes('library.js'))", False)
            check_list(page, files, shots)
            check_taps(page, shots)
            check_profile(page)
            check_markers(page, shots)
            check_kinds(page, files, shots)
            check_recording(page, recording)
            check_charts(page, shots)
            check_mutations(page)
            check_cases(page)
            check_points(page, "garden", shots)
            check_waypoints(page, "garden", shots)
            check_settings(page, shots)
            check_kept(page)
            check_phone(page, shots)
            page.leave()
            check_file(browser, binary, folder, "garden", files, shots)
        check_served_charts(browser, binary, folder, "garden", shots)
        # Browsers put a message with a style into what they read of a file that is not XML; the page's policy refuses it.
        browser.problems = [one for one in browser.problems if "Applying inline style" not in one]
    print("the library of tracks and points does what it should")


if __name__ == "__main__":
    main()
