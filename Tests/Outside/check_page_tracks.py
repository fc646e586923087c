"""Drives the library of tracks and points in a headless browser.

    check_page_tracks.py GEOMAPPER [--pictures FOLDER]

Checks opened and dropped files, their list, drawings, the profile, cues, points, settings, diagnostics, the page as
a file, and the cases of tracks.json, which GeoTrackTests and GeoLiveTests check for the tool. With
GEOMAPPER_RECORD_RULES set, the page's results are written there instead.
"""

import base64
import json
import os
import subprocess
import tempfile
from typing import Any, Dict, List
from urllib.parse import quote

from browser import Browser, Page, browsing, page_arguments
from check_page import SELECTED, plant
from outside import fail
from served import serving

CASES = os.path.join(os.path.dirname(__file__), "tracks.json")
LIBRARY = "(await geomapper.library())"
CALM = "geomapper.view.camera.isMoving === false"
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
    def put(name: str, text: str) -> None:
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    put("2024-05-01_Morning ride.gpx", track([[i, i / 2, i * 10 % 70] for i in range(30)]))
    put("2024-07-09 Second.gpx", track([[-i, 20, 5] for i in range(20)]))
    put("2023-01-02 Old one.gpx", track([[100 + i / 10, -40, i] for i in range(10)]))
    put("way.gpx", HEAD + "<wpt lat='12' lon='3'><name>Well</name></wpt><rte><name>Way</name>"
        "<rtept lat='0' lon='0'/><rtept lat='0' lon='10'><name>Bend</name></rtept>"
        "<rtept lat='-10' lon='10'/><rtept lat='-10' lon='30'><name>End</name></rtept></rte></gpx>")
    put("shapes.geojson", json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"name": "Line"},
         "geometry": {"type": "LineString", "coordinates": [[5, 5, 1], [6, 6, 2]]}},
        {"type": "Feature", "properties": {"name": "Spot"}, "geometry": {"type": "Point", "coordinates": [5, 6]}}]}))
    put("track.json", json.dumps({"name": "J", "segments": [{"coords": [
        {"latitude": 1, "longitude": 2, "altitude": 3, "time": 1}, {"latitude": 2, "longitude": 3}]}]}))
    put("broken.gpx", HEAD + "<trk><trkseg>\n<trkpt lat='1' lon='2'/>\n<trkpt lat='1'/>")
    put("broken.json", '{"name": "x",\n "segments": [}')
    put("other.json", '{"name": "x"}')
    put("bomb.gpx", '<!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa">]><gpx>&a;</gpx>')


def choose(page: Page, folder: str, *names: str) -> None:
    """Opens files as the browser's dialogue does."""
    page.run("document.getElementById('drawer').hidden && document.getElementById('tracks').click()")
    page.wait("document.querySelector('#drawer input[type=file]')", "the button that opens files")
    node = page.call("DOM.getDocument", depth=0)["root"]["nodeId"]
    field = page.call("DOM.querySelector", nodeId=node, selector="#drawer input[type=file]")["nodeId"]
    page.call("DOM.setFileInputFiles", nodeId=field, files=[os.path.join(folder, name) for name in names])


def shown(page: Page) -> List[str]:
    """The titles of the tracks on the map."""
    return list(page.run(f"(async () => {LIBRARY}.layer.shown.map((one) => one.head.title))()"))


def press(page: Page, label: str) -> None:
    """Presses a button by its label."""
    page.run(f"document.querySelector('[aria-label={json.dumps(label)}]').click()")


def tap(page: Page, title: str) -> None:
    """Taps a row of the list."""
    page.run("[...document.querySelectorAll('#drawer .title')]"
             f".find((b) => b.innerText.startsWith({json.dumps(title)})).click()")


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
    page.wait("document.querySelectorAll('#drawer .title').length === 3", "three tracks")
    page.settle()
    page.shoot(f"{shots}/tracks-several.png")
    if page.run(TITLES) != ["Second", "Morning ride", "Old one"]:
        fail(f"the list is {page.run(TITLES)}")
    if page.run("[...document.querySelectorAll('#drawer h3')].map((h) => h.innerText)") != ["2024", "2023"]:
        fail("the list is not grouped by year")
    small = page.run("document.querySelectorAll('#drawer small')[1].innerText")
    if not small.startswith("2024-05-01 · ") or not small.endswith(" km"):
        fail(f"below the title stands {small!r}")
    if sorted(shown(page)) != ["Morning ride", "Old one", "Second"]:
        fail(f"on the map are {shown(page)}")
    colours = page.run(f"(async () => {LIBRARY}.layer.shown.map((one) => one.colour[0]))()")
    legend = page.run("[...document.querySelectorAll('#tracks-shown .swatch')].map((s) => s.style.background)")
    if len(set(colours)) != 3 or len(set(legend)) != 3:
        fail(f"colours {colours}, legend {legend}")
    press(page, "Star of Old one")
    page.wait(f"{TITLES}[0] === 'Old one'", "what has a star on top")
    page.run("(() => { const q = document.querySelector('#drawer input[type=search]'); q.value = 'morn';"
             " q.dispatchEvent(new Event('input')); })()")
    if page.run(TITLES) != ["Morning ride"]:
        fail(f"the search finds {page.run(TITLES)}")
    press(page, "Rename Morning ride")
    page.run("document.querySelector('.entries input').value = 'Morning walk'; 0")
    page.key("Enter")
    page.wait(f"{TITLES}[0] === 'Morning walk'", "the new name")
    page.run("(() => { const q = document.querySelector('#drawer input[type=search]'); q.value = '';"
             " q.dispatchEvent(new Event('input')); })()")
    press(page, "Delete Second")
    page.wait("document.querySelectorAll('#drawer .title').length === 2", "one less")
    page.wait("document.querySelector('#drawer .crumb')", "a way back")
    page.run("document.querySelector('#drawer .crumb').click()")
    page.wait("document.querySelectorAll('#drawer .title').length === 3", "it is back")
    press(page, "Delete Second")
    page.wait("document.querySelectorAll('#drawer .title').length === 2", "one less again")


def check_taps(page: Page, shots: str) -> None:
    """A tap shows a track and fits the view to it; another tap hides it; the last one tapped wins."""
    page.run("[...document.querySelectorAll('#drawer .chip')].find((b) => b.innerText === 'Several at once').click()")
    for title in shown(page):
        press(page, f"Put {title} away")
    if shown(page) or not page.run("document.getElementById('tracks-shown').hidden"):
        fail("they are not put away")
    tap(page, "Morning walk")
    page.wait(f"!document.getElementById('tracks-shown').hidden && {CALM}", "it shows")
    page.settle()
    if not is_fitted(page, [0, 0, 29, 14.5]):
        fail("the view is not fitted to the track")
    page.shoot(f"{shots}/track.png")
    tap(page, "Morning walk")
    page.wait("document.getElementById('tracks-shown').hidden", "tapped again it is away")
    page.run("(() => { const t = (s) => [...document.querySelectorAll('#drawer .title')]"
             ".find((b) => b.innerText.startsWith(s)); t('Morning').click(); t('Old').click(); t('Morning').click();"
             " t('Old').click(); })()")
    page.wait("!document.getElementById('tracks-shown').hidden", "one shows")
    page.settle()
    if shown(page) != ["Old one"] or not is_fitted(page, [100, -40, 100.9, -40]):
        fail(f"the last tap does not win: {shown(page)}")


def check_profile(page: Page) -> None:
    """The scrubber marks a position along the track and shows its data."""
    tap(page, "Morning walk")
    page.wait(f"document.querySelector('#tracks-shown .shown')?.innerText.includes('Morning') && {CALM}", "it shows")
    said = page.run("document.querySelector('#tracks-shown output').innerText")
    if "km" not in said or "up " not in said:
        fail(f"it says {said!r}")
    page.run("document.querySelector('#tracks-shown input[type=range]').focus()")
    page.key("ArrowRight")
    page.run("(() => { const r = document.querySelector('#tracks-shown input[type=range]'); r.value = 1000;"
             " r.dispatchEvent(new Event('input')); })()")
    said = page.run("document.querySelector('#tracks-shown output').innerText")
    mark = page.run(f"(async () => {{ const m = {LIBRARY}.layer.mark; return [m.x, m.metres]; }})()")
    length = page.run(f"(async () => {LIBRARY}.profile.shape.length)()")
    if abs(mark[1] / length - 0.5) > 1e-9 or abs((mark[0] - 0.5) * 360 - 14.5) > 0.3:
        fail(f"half way is at {mark} of {length}")
    if "m high" not in said or "/h" not in said:
        fail(f"half way it says {said!r}")
    inked = page.run(
        "(() => { const c = document.querySelector('.profile'); const d = c.getContext('2d')"
        ".getImageData(0, 0, c.width, c.height).data; return d.filter((v, i) => i % 4 === 3 && v > 0).length; })()")
    if inked < 2000:
        fail("there is no profile")


def check_markers(page: Page, shots: str) -> None:
    """Markers come every 1, 3, 5 or 10 units, whatever the unit is; with 0 there are no markers."""
    for units in (1, 3, 5, 10, 0):
        page.run(f"(async () => {{ {LIBRARY}.settings.set('markers', {units}); geomapper.view.ask(); }})()")
        for zoom in (4, 9):
            page.run(f"(async () => {{ const p = {LIBRARY}.layer.mark; geomapper.view.camera.set(p.x, p.y, {zoom}); }})()")
            page.settle()
            marks = page.run(f"(async () => {LIBRARY}.layer.markers.map((m) => m.metres))()")
            if (units > 0) != (len(marks) > 0):
                fail(f"every {units}: {marks}")
            steps = [metres / units for metres in marks] if units else []
            ten = min((10.0 ** k for k in range(-9, 9) if all(
                abs(s / 10.0 ** k - round(s / 10.0 ** k)) < 1e-6 for s in steps)), key=lambda v: -v, default=1)
            if units and (len(marks) > 60 or any(abs(s / ten - round(s / ten)) > 1e-6 for s in steps)):
                fail(f"every {units}, at zoom {zoom}: {marks}")
    page.run(f"(async () => {{ {LIBRARY}.settings.set('markers', 5); }})()")
    page.shoot(f"{shots}/track-near.png")


def check_kinds(page: Page, folder: str, shots: str) -> None:
    """A planned route with its next cue on top, waypoints, GeoJSON, JSON; and errors with their positions."""
    choose(page, folder, "way.gpx")
    page.wait("!document.getElementById('cue').hidden", "a cue")
    page.settle()
    page.shoot(f"{shots}/route.png")
    cue = page.run("document.getElementById('cue').innerText")
    if not cue.startswith("Go east (90°)") or "to Bend" not in cue:
        fail(f"the first cue says {cue!r}")
    page.run("(() => { const r = document.querySelector('#tracks-shown input[type=range]'); r.value = 100;"
             " r.dispatchEvent(new Event('input')); })()")
    cue = page.run("document.getElementById('cue').innerText")
    if not cue.startswith("Turn right in 889 km") and not cue.startswith("Turn right in 8"):
        fail(f"the next cue says {cue!r}")
    page.run("document.getElementById('cue').click()")
    page.wait("document.getElementById('cue').innerText.startsWith('Turn left')", "the one after it")
    choose(page, folder, "shapes.geojson", "track.json")
    page.wait("document.querySelectorAll('#drawer .title').length === 5", "five tracks")
    choose(page, folder, "broken.gpx", "broken.json", "other.json", "bomb.gpx")
    page.wait("document.querySelectorAll('#drawer .fault').length === 4", "four faults")
    faults = page.run("[...document.querySelectorAll('#drawer .fault')].map((p) => p.innerText)")
    for fault, part in zip(faults, ("broken.gpx: line 5: 'trkpt' has no 'lon'", "broken.json: line 2, column 15",
                                    "other.json: it is neither", "bomb.gpx: line 1: a document type")):
        if part not in fault:
            fail(f"{fault!r} does not say {part!r}")
    page.shoot(f"{shots}/tracks-faults.png")


def drop(page: Page, name: str, data: bytes) -> None:
    """Drops a file on the map."""
    page.run(
        "(() => { const bytes = Uint8Array.from(atob('" + base64.b64encode(data).decode() + "'), (c) => c.charCodeAt(0));"
        f" const transfer = new DataTransfer(); transfer.items.add(new File([bytes], {json.dumps(name)},"
        " { lastModified: 1700000000000 })); const map = document.getElementById('map');"
        " for (const kind of ['dragover', 'drop']) map.dispatchEvent(new DragEvent(kind,"
        " { dataTransfer: transfer, bubbles: true, cancelable: true })); })()")


def check_recording(page: Page, recording: bytes) -> None:
    """A dropped recording is a track, even if it is truncated."""
    before = page.run(f"(async () => {LIBRARY}.heads.length)()")
    drop(page, "geo_log_2026-01-05_14-30-00.json", recording)
    page.wait("document.querySelector('#tracks-shown .shown')?.innerText.includes('rehearsal')", "the recording")
    head = page.run(f"(async () => {LIBRARY}.heads.at(-1))()")
    if head["subtitle"] != "2026-01-05 14:30:00" or not head["isRecording"] or head["points"] < 3:
        fail(f"the recording is {head}")
    drop(page, "cut.json", recording[:len(recording) * 2 // 3])
    page.wait("document.querySelectorAll('#drawer .fault').length === 1", "what is wrong with a cut one")
    fault = page.run("document.querySelector('#drawer .fault').innerText")
    if "cut.json: line " not in fault or "before that can be used" not in fault:
        fail(f"of a cut recording it says {fault!r}")
    if page.run(f"(async () => {LIBRARY}.heads.length)()") != before + 2:
        fail("the recordings are not in the library")
    if page.run("getComputedStyle(document.getElementById('time')).position") != "fixed":
        fail("the bar has not its style")


def samples(hours: int) -> bytes:
    """A recording of samples only, one a minute, which grow by a hundredth each hour."""
    lines = ['{"metadata":{"version":"1.0","recordedAt":"2026-02-03T00:00:00.000Z","roots":["r"]},"events":[']
    for minute in range(hours * 60 + 1):
        data = {"path": "r", "files": 10 + minute % 7, "folders": 1, "bytes": 10**9 + minute * 10**7 // 60,
                "free": 10**10 - minute}
        lines.append(json.dumps({"type": "sample", "relativeTime": minute * 60, "data": data}) + ",")
    return "\n".join([*lines[:-1], lines[-1][:-1], "]}"]).encode()


def check_charts(page: Page, shots: str) -> None:
    """Samples of a recording as charts, with their forecast, and zoomed in."""
    drop(page, "geo_log_2026-02-03_00-00-00.json", samples(8))
    page.wait("document.querySelector('#tracks-shown .shown').innerText.includes('Recording')", "the samples")
    page.run("document.querySelector('details.charts summary').click()")
    said = page.run("document.querySelector('details.charts summary').innerText")
    if said != "Samples: 1.08 GB ↑ rising, +10.0 MB an hour, full in 42 days":
        fail(f"of the trend it says {said!r}")
    rows = page.run("[...document.querySelectorAll('details.charts td:first-child')].map((c) => c.innerText)")
    if rows != ["last 1 h", "last 6 h", "last 24 h"]:
        fail(f"the windows are {rows}")
    average = page.run("document.querySelectorAll('details.charts tr')[1].lastChild.innerText")
    if average != "1.07 GB":
        fail(f"the average of the last hour is {average}")
    page.wait("document.querySelector('.chart').getAttribute('aria-label')", "a chart")
    page.shoot(f"{shots}/charts.png")
    page.run("[...document.querySelectorAll('details.charts .chip')].find((b) => b.innerText === '1 h').click()")
    charts = f"{LIBRARY}.profile.charts"
    if page.run(f"(async () => {charts}.to - {charts}.from)()") != 3600:
        fail("an hour is not an hour")
    left, top, width = page.run("(() => { const r = document.querySelector('.chart').getBoundingClientRect();"
                                " return [r.left, r.top, r.width]; })()")
    page.mouse("mouseWheel", left + width / 2, top + 40, deltaX=0, deltaY=-300)
    page.wait(f"(async () => {charts}.to - {charts}.from < 2000)()", "it is nearer")
    page.run("(() => { const q = document.querySelectorAll('details.charts select')[1]; q.value = 'files';"
             " q.dispatchEvent(new Event('change')); })()")
    if not page.run("document.querySelector('.chart').getAttribute('aria-label')").endswith("average 13 of 481"):
        fail("files are told wrongly: " + page.run("document.querySelector('.chart').getAttribute('aria-label')"))


def check_served_charts(browser: Browser, binary: str, folder: str, root: str, shots: str) -> None:
    """The samples of a server appear in the panel, and continue."""
    with serving(binary, "--sample", "1s", folder) as server:
        page = browser.page()
        page.open(server.address)
        page.wait("globalThis.geomapper?.view.isComplete", "first picture")
        page.run(f"geomapper.open('{root}', false)")
        page.wait("document.querySelector('#panel .chart')?.getAttribute('aria-label')", "a chart in the panel", seconds=20)
        greatest = "document.querySelector('#panel .chart').getAttribute('aria-label').match(/greatest ([^,]+)/)[1]"
        before = page.run(greatest)
        with open(os.path.join(folder, "grown"), "wb") as file:
            file.write(b"x" * 3_000_000)
        page.wait(f"{greatest} !== '{before}' && {greatest}.endsWith('MB')", "it has grown", seconds=20)
        page.shoot(f"{shots}/served-charts.png")
        os.remove(os.path.join(folder, "grown"))


def check_points(page: Page, root: str, shots: str) -> None:
    """Points: added, named, marked as favourites, shown on the map, measured from the middle, copied, deleted."""
    page.run("document.getElementById('drawer').hidden || document.activeElement.blur()")
    page.key("Escape")
    page.run(f"geomapper.open('{root}/meadow', true)")
    page.wait(f"{SELECTED} === '{root}/meadow'", "the meadow")
    page.settle()
    page.run("document.getElementById('map').focus()")
    page.key("s")
    page.key("f")
    page.wait("document.querySelectorAll('#drawer .title').length === 1", "the favourite is a point")
    page.run("[...document.querySelectorAll('#drawer .chip')].find((b) => b.innerText.startsWith('Add the middle')).click()")
    page.run("(() => { const [title, place] = document.querySelectorAll('#drawer form input'); title.value = 'Camp';"
             " document.querySelector('#drawer form select').value = '⌂'; place.value = '95, 1';"
             " document.querySelector('#drawer form').requestSubmit(); })()")
    if "latitude" not in page.run("document.querySelector('#drawer form .fault').innerText"):
        fail("a place that is none is taken")
    page.run("(() => { document.querySelectorAll('#drawer form input')[1].value = '0, 90';"
             " document.querySelector('#drawer form').requestSubmit(); })()")
    page.wait("document.querySelectorAll('#drawer .title').length === 2", "the new point")
    page.run("geomapper.view.camera.set(0.5, 0.5, 1)")
    page.settle()
    rows = page.run("[...document.querySelectorAll('#drawer .title')].map((b) => b.innerText)")
    if "10,008 km east (90°)" not in rows[1] or not rows[1].startswith("⌂ Camp") or not rows[0].startswith("★ meadow"):
        fail(f"the points are {rows}")
    page.shoot(f"{shots}/points.png")
    press(page, "Star of Camp")
    press(page, "Star of meadow")
    page.wait("document.querySelector('#drawer .title').innerText.startsWith('⌂ Camp')", "the starred one on top")
    # At a position where nothing covers the map.
    page.run("geomapper.view.camera.set(0.68, 0.62, 1)")
    page.settle()
    x, y = page.run("geomapper.view.camera.toScreen(0.75, 0.5)")
    page.click(x, y - 14)
    page.wait("document.querySelector('#drawer form')", "a tap on the map opens it")
    page.run("[...document.querySelectorAll('#drawer form .chip')].find((b) => b.innerText === 'Delete').click()")
    page.wait("document.querySelectorAll('#drawer .title').length === 1", "it is deleted")


def check_waypoints(page: Page, root: str, shots: str) -> None:
    """Waypoints of a file become points, once each; they are stored, and can be removed."""
    many = "".join(f"<wpt lat='{i / 100}' lon='1'/>" for i in range(1001))
    mixed = ("<wpt lat='12' lon='3'><name>Well</name></wpt><wpt lat='-5' lon='-6'><name>House</name><sym>⌂</sym></wpt>"
             "<wpt lat='7' lon='8'><sym>Campground</sym></wpt>")
    drop(page, "way.gpx", f"{HEAD}{mixed}</gpx>".encode())
    drop(page, "many.gpx", f"{HEAD}{many}</gpx>".encode())
    page.run("document.getElementById('drawer').hidden || document.activeElement.blur()")
    page.key("Escape")
    page.run("document.getElementById('tracks').click()")
    page.wait(f"{TITLES}.includes('many') && {TITLES}.includes('way (2)')", "a file of the name of another has a number")
    labels = page.run("[...document.querySelectorAll('#drawer .own-line')].map((b) => b.getAttribute('aria-label')).sort()")
    if labels != [f"Add to points: {title}" for title in ("many", "shapes", "way", "way (2)")]:
        fail(f"waypoints can be added of {labels}")
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
        press(page, f"Add to points: {label}")
        page.wait(f"document.querySelector('.library [role=status]').innerText.includes({json.dumps(says)})", says)
        if page.run(points) != wanted:
            fail(f"after {says!r} the points are {page.run(points)}")
    press(page, "Add to points: shapes")
    page.wait("document.querySelector('.library [role=status]').innerText.includes('shapes')", "a point of GeoJSON is added")
    if page.run(points) != [*three, ["⚑", "Spot", 6, 5]]:
        fail(f"with a point of GeoJSON the points are {page.run(points)}")
    page.shoot(f"{shots}/tracks-waypoints.png")
    page.run("document.querySelector('.library [role=status] .crumb').click()")
    if page.run(points) != three:
        fail(f"after Undo the points are {page.run(points)}")
    page.run("[...document.querySelectorAll('#drawer nav button')].find((b) => b.innerText === 'Points').click()")
    page.wait("document.querySelectorAll('#drawer .title').length === 4", "the list of points has them")
    if not page.run("[...document.querySelectorAll('#drawer .title')].some((b) => b.innerText.startsWith('⌂ House'))"):
        fail("a waypoint's sign and name are not in the list of points")
    if page.run(f"JSON.parse(localStorage['geomapper.favourites@{root}']).length") != 4:
        fail("the waypoints are not kept")
    page.key("Escape")


def check_ruler(page: Page) -> None:
    """The ruler removes the last point, or all."""
    page.key("Escape")
    page.run("document.getElementById('ruler').click()")
    for x in (500, 600, 700):
        page.click(x, 300)
    page.run("document.getElementById('map').focus()")
    page.key("Backspace")
    if page.run("document.getElementById('note').innerText.includes('Undo')") is not True:
        fail("the ruler does not say what can be done")
    page.run("[...document.querySelectorAll('#note button')][0].click()")
    page.run("[...document.querySelectorAll('#note button')][1].click()")
    if "tap two points" not in page.run("document.getElementById('note').innerText"):
        fail("the ruler is not cleared")
    page.key("Escape")


def check_settings(page: Page, shots: str) -> None:
    """Settings are stored, and can be reset; diagnostics count."""
    page.run("document.getElementById('tracks').click()")
    page.wait("document.querySelector('#drawer nav')", "the tabs")
    page.run("[...document.querySelectorAll('#drawer nav button')].find((b) => b.innerText === 'Settings').click()")
    page.wait("document.querySelector('#drawer select')", "settings")
    page.shoot(f"{shots}/settings.png")
    page.run("(() => { const [theme, markers] = document.querySelectorAll('#drawer select'); theme.value = 'dark';"
             " theme.dispatchEvent(new Event('change')); markers.value = '10'; markers.dispatchEvent(new Event('change'));"
             " document.querySelector('#drawer input[type=checkbox]').click(); })()")
    if page.run("[document.documentElement.dataset.theme, localStorage['geomapper.settings']]") != [
            "dark", '{"markers":10,"waypoints":false}']:
        fail("the settings are not kept")
    page.run("[...document.querySelectorAll('#drawer .chip')].find((b) => b.innerText === 'Reset settings').click()")
    if page.run("[document.documentElement.dataset.theme, localStorage['geomapper.settings']]") != ["light", None]:
        fail("the settings are not put back")
    page.run("[...document.querySelectorAll('#drawer nav button')].find((b) => b.innerText === 'Diagnostics').click()")
    page.wait("document.querySelector('.diagnostics')", "diagnostics")
    page.shoot(f"{shots}/diagnostics.png")
    said = page.run("document.querySelector('.diagnostics').innerText")
    counts = page.run("geomapper.view.tiles.counts")
    if counts["came"] < 4 or counts["kept"] < 1 or "Tiles from server" not in said or "Tiles from cache" not in said:
        fail(f"diagnostics: {counts}, {said!r}")
    page.key("Escape")


def check_kept(page: Page) -> None:
    """Everything survives a reload."""
    titles = sorted(page.run(f"(async () => {LIBRARY}.heads.map((h) => h.title))()"))
    page.open(page.run("location.href"))
    page.wait("globalThis.geomapper?.view.isComplete", "the page anew")
    if sorted(page.run(f"(async () => {LIBRARY}.heads.map((h) => h.title))()")) != titles:
        fail("the tracks are not kept")
    page.run("document.getElementById('map').focus()")
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
    page.run("document.getElementById('more').click(); document.getElementById('tracks').click()")
    page.wait("document.querySelectorAll('#drawer .title').length > 5", "the list")
    page.shoot(f"{shots}/tracks-narrow-list.png")
    outside = page.run(
        "[...document.querySelectorAll('#drawer button, #drawer input, #tracks-shown button, #tracks-shown input')]"
        ".filter((e) => e.offsetParent !== null && !e.classList.contains('unseen'))"
        ".filter((e) => { const r = e.getBoundingClientRect(); return r.left < 0 || r.right > 320; })"
        ".map((e) => e.outerHTML)")
    cut = page.run("[...document.querySelectorAll('#drawer .chip')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.innerText)")
    if cut:
        fail(f"wider than its button: {cut}")
    if outside or page.run("document.documentElement.scrollWidth") > 320:
        fail(f"beyond the edge: {outside}")
    page.key("Escape")
    page.resize(1280, 800)


def check_file(browser: Browser, binary: str, folder: str, root: str, files: str, shots: str) -> None:
    """The page as a file has all of it."""
    with tempfile.TemporaryDirectory() as at:
        name = os.path.join(at, "world.html")
        subprocess.run([binary, "map", "--format", "html", "-o", name, folder], check=True)
        page = browser.page()
        page.open("file://" + quote(name))
        page.wait("globalThis.geomapper?.view.isComplete", "the page from disk")
        choose(page, files, "way.gpx")
        page.wait("!document.getElementById('cue').hidden", "a cue")
        page.settle()
        page.shoot(f"{shots}/file-track.png")
        page.run(f"geomapper.open('{root}/meadow', false)")
        page.wait(f"{SELECTED} === '{root}/meadow'", "the meadow")
        page.run("document.querySelector('#panel .star').click()")
        page.run("document.getElementById('stars').click()")
        page.wait("document.querySelectorAll('#drawer .title').length === 1", "its point")


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


def agree(one: Any, other: Any) -> bool:
    """Whether two values are equal, within the precision that the browser's functions guarantee."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(agree, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(agree(one[key], other[key]) for key in one)
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return abs(one - other) <= 1e-9 * max(1, abs(one))
    return bool(one == other)


def check_cases(page: Page) -> None:
    """The page reads and measures as the tool does."""
    with open(CASES, encoding="utf-8") as file:
        cases: List[Dict[str, Any]] = json.load(file)
    results = page.run_cases("trackActs", "/assets/library.js", cases)
    if os.environ.get("GEOMAPPER_RECORD_RULES"):
        with open(CASES, "w", encoding="utf-8") as file:
            file.write("[\n" + ",\n".join(
                json.dumps({**case, "output": result}, separators=(",", ":"))
                for case, result in zip(cases, results)) + "\n]\n")
        return
    for case, result in zip(cases, results):
        if not agree(case["output"], result):
            fail(f"{case['rule']} of {json.dumps(case['input'])}: {result}, not {case['output']}")
    print(f"{len(cases)} cases of tracks hold")


def record(binary: str, at: str) -> bytes:
    """Makes a recording of a few events."""
    folder, name = os.path.join(at, "stage"), os.path.join(at, "log.json")
    os.makedirs(folder)
    with subprocess.Popen([binary, "record", "-q", "--name", "rehearsal", "--sample", "1s", "--for", "3s", "-o", name,
                           "--directory", at, folder]) as process:
        while not os.path.exists(name) or os.path.getsize(name) == 0:
            if process.poll() is not None:
                fail("nothing is recorded")
        for number in range(8):
            with open(os.path.join(folder, f"prop-{number}"), "w", encoding="ascii") as file:
                file.write("x" * number)
        process.wait()
    with open(name, "rb") as file:
        return file.read()


def main() -> None:
    binary, shots, program = page_arguments(__doc__)
    with tempfile.TemporaryDirectory() as at, browsing(program) as browser:
        os.environ["XDG_DATA_HOME"] = os.path.join(at, "data")
        folder, files = os.path.join(at, "garden"), os.path.join(at, "files")
        plant(folder)
        os.makedirs(files)
        write(files)
        recording = record(binary, at)
        with serving(binary, folder) as server:
            page = browser.page()
            page.open(server.address)
            page.wait("globalThis.geomapper?.view.isComplete", "first picture")
            if page.run("performance.getEntriesByType('resource').some((e) => e.name.includes('library.js'))"):
                fail("the library is loaded before somebody wants it")
            check_cases(page)
            check_list(page, files, shots)
            check_taps(page, shots)
            check_profile(page)
            check_markers(page, shots)
            check_kinds(page, files, shots)
            check_recording(page, recording)
            check_charts(page, shots)
            check_mutations(page)
            check_points(page, "garden", shots)
            check_waypoints(page, "garden", shots)
            check_ruler(page)
            check_settings(page, shots)
            check_kept(page)
            check_phone(page, shots)
            check_file(browser, binary, folder, "garden", files, shots)
        check_served_charts(browser, binary, folder, "garden", shots)
        browser.check()
    print("the library of tracks and points does what it should")


if __name__ == "__main__":
    main()
