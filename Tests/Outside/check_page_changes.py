"""Drives the page of two states in a headless browser, served live and as a file.

    check_page_changes.py GEOMAPPER [--pictures FOLDER]

Two folders are made that differ in every way: files that were added, removed, changed and moved; folders that are
new, removed and moved; a name that is a file in one and a folder in the other; names that aren't text. The page has
to show these differences: on the map, in the panel, in the list and by the slider. It has to do so again after
changes on the disk while it is open.
"""

import json
import os
import shutil
from typing import Any, Dict, List, Tuple

from browser import Browser, Page, driving
from outside import fail, run, same
from served import serving

STAMP = 1_700_000_000
ODD = b"odd \xff </script> %41\n"  # a folder and a file
VIEW = "globalThis.geomapperChanges"
LISTED = f"{VIEW}.list.shown.map((item) => [item.path, item.change, item.growth])"


def put(root: bytes, path: bytes, size: int, age: int = 0) -> None:
    """Makes a file that repeats one letter."""
    place = os.path.join(root, path)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "wb") as file:
        file.write(b"x" * size)
    os.utime(place, (STAMP - age, STAMP - age))


def plant(at: str) -> Tuple[str, str]:
    """Makes two states, `old` and `new/tree`; the second is changed further."""
    old, new = os.path.join(at, "old"), os.path.join(at, "new", "tree")
    base = os.fsencode(old)
    for number in range(40):
        put(base, b"same/part%d/file%d.txt" % (number % 5, number), 100 + number, number)
    for number in range(12):
        put(base, b"gone/in/ruin%d.c" % number, 4000 + number, 100 + number)
        put(base, b"attic/box/thing%d.dat" % number, 900 + number, 200 + number)
    for number in range(8):
        put(base, b"work/grows%d.log" % number, 1000, 300 + number)
    put(base, b"work/shrinks.log", 50_000, 400)
    put(base, b"work/away.bin", 70_001, 500)
    put(base, b"work/left alone.txt", 10, 600)
    put(base, b"work/turns", 333, 700)
    put(base, ODD, 42, 800)
    shutil.copytree(old, new, copy_function=shutil.copy2)
    base = os.fsencode(new)
    shutil.rmtree(os.path.join(base, b"gone"))
    os.rename(os.path.join(base, b"attic"), os.path.join(base, b"cellar"))
    for number in range(8):
        put(base, b"work/grows%d.log" % number, 3000, 30 + number)
    put(base, b"work/shrinks.log", 5_000, 40)
    os.makedirs(os.path.join(base, b"far/off"))
    os.rename(os.path.join(base, b"work/away.bin"), os.path.join(base, b"far/off/here.bin"))
    os.remove(os.path.join(base, b"work/turns"))
    put(base, b"work/turns/into a folder.txt", 11, 5)
    for number in range(20):
        put(base, b"brand/new%d/file%d.py" % (number % 2, number), 2000 + number, number)
    put(base, b"same/part0/extra.txt", 77, 3)
    put(base, ODD, 43, 4)
    return old, new


def counts_of(page: Page) -> Dict[str, int]:
    """The four counts at the top."""
    return dict(page.run(
        "Object.fromEntries([...document.querySelectorAll('#changes .kinds button')]"
        ".map((b) => [b.className, Number(b.querySelector('strong').textContent.replaceAll(',', ''))]))"))


def files_of(page: Page) -> Dict[str, Any]:
    """The files in view, with their changes."""
    return dict(page.run(
        "geomapper.view.filesInView().map(({ file }) => [file.path + (file.kind === 'poi' ? '' : '/'), file.change ?? ''])"))


def lands_of(page: Page) -> Dict[str, Any]:
    """The lands in view, with their changes."""
    return dict(page.run("geomapper.view.landsInView().map((land) => [land.path, land.change ?? ''])"))


def ready(page: Page, address: str) -> None:
    """Opens the page and waits for its list."""
    page.open(address)
    page.wait(f"globalThis.geomapper && {VIEW}?.list?.shown", "the list of changes")
    page.settle()


def differs(page: Page, spot: Tuple[float, float], before: List[int], by: int) -> bool:
    """Whether a pixel's colour has changed."""
    return max(abs(a - b) for a, b in zip(page.pixel(*spot), before)) >= by


def spot_in(page: Page, path: str) -> Tuple[float, float]:
    """A position in a land, away from names."""
    found = page.run(
        "(() => { const { view } = geomapper; const boxes = view.labels.placed.flatMap((l) => l.boxes);"
        " for (let y = 120; y < view.camera.height - 60; y += 4)"
        " for (let x = 20; x < view.camera.width - 400; x += 4) {"
        f" const at = (dx, dy) => view.landIn(x + dx, y + dy)?.path === {json.dumps(path)};"
        " if (at(0, 0) && at(8, 0) && at(-8, 0) && at(0, 8) && at(0, -8)"
        " && !boxes.some((b) => b[0] < x + 8 && b[2] > x - 8 && b[1] < y + 8 && b[3] > y - 8))"
        " return [x, y]; } return null; })()")
    if not found:
        fail(f"{path} is nowhere to be seen")
    return float(found[0]), float(found[1])


def check_glance(page: Page, shots: str) -> None:
    """The first picture shows where changes are, and their totals."""
    page.shoot(f"{shots}/changes.png")
    same("counts", counts_of(page), {"added": 22, "removed": 13, "changed": 10, "moved": 13})
    lands = lands_of(page)
    for path, change in (("tree/brand", "added"), ("tree/gone", "removed"), ("tree/attic", "removed"),
                         ("tree/cellar", "added"), ("tree/far", "added"), ("tree/work", ""), ("tree/same", "")):
        same(path, lands.get(path), change)
    page.says("#changes .head", "old", "tree")
    page.says("#changes .sizes", "→", "−")
    # New land glows: without the layer, the same land is darker.
    shining = spot_in(page, "tree/brand")
    with_layer = page.pixel(*shining)
    page.run(f"{VIEW}.layer.paint = ((paint) => function (...all) {{ return this.isShut || paint.apply(this, all); }})"
             f"({VIEW}.layer.paint); {VIEW}.layer.isShut = true; geomapper.view.restyle()")
    page.settle()
    without = page.pixel(*shining)
    if with_layer[1] - with_layer[0] < without[1] - without[0] + 10:
        fail(f"new land does not shine: {with_layer}, without the layer {without}")
    page.run(f"{VIEW}.layer.isShut = false; geomapper.view.restyle()")
    page.settle()


def sort(page: Page, order: str) -> None:
    """Sorts the list."""
    page.run(f"(() => {{ const {{ sorter }} = {VIEW}.list; sorter.value = '{order}'; sorter.dispatchEvent(new Event('change')); }})()")
    page.wait(f"{VIEW}.list.order === '{order}' && !{VIEW}.list.isLoading", f"the list by {order}")


def check_list(page: Page) -> None:
    """A folder that is new, removed or moved as a whole counts once; sorting and filters work."""
    rows = page.run(LISTED)
    by_path = {(path, change): growth for path, change, growth in rows}
    same("a new folder", by_path.get(("tree/brand", "added")), sum(2000 + n for n in range(20)))
    same("a folder that is gone", by_path.get(("tree/gone", "removed")), -sum(4000 + n for n in range(12)))
    same("a folder that moved", by_path.get(("tree/cellar", "moved")), 0)
    same("its bytes", page.run(f"{VIEW}.list.shown.find(({{ path }}) => path === 'tree/cellar').size"), sum(900 + n for n in range(12)))
    same("a file that moved", by_path.get(("tree/far/off/here.bin", "moved")), 0)
    same("a file that shrank", by_path.get(("tree/work/shrinks.log", "changed")), -45_000)
    if any(path.startswith(("tree/brand/", "tree/gone/", "tree/cellar/", "tree/attic")) for path, _, _ in rows):
        fail(f"what is in whole folders is listed: {rows}")
    weights = page.run(f"{VIEW}.list.shown.map(({{ growth, size }}) => Math.abs(growth) || size || 0)")
    moved = {path for path, change, _ in rows if change == "moved"}
    ordered = [w for w, (path, _, _) in zip(weights, rows) if path not in moved]
    same("the order by size", ordered, sorted(ordered, reverse=True))
    sort(page, "time")
    times = page.run(f"{VIEW}.list.shown.map((item) => item.modified ?? null)")
    known = [t for t in times if t is not None]
    if known != sorted(known, reverse=True) or times[:len(known)] != known:
        fail(f"by time: {times}")
    page.press("#changes .kinds .removed")
    page.wait(f"{VIEW}.list.shown.every(({{ change }}) => change === 'removed')", "what was removed alone")
    same("what was removed", sorted(path for path, _, _ in page.run(LISTED)), ["tree/gone", "tree/work/turns"])
    page.press("#changes .kinds .removed")
    page.wait(f"{VIEW}.list.shown.length === {len(rows)}", "all kinds again")
    sort(page, "size")


def check_flights(page: Page, shots: str) -> None:
    """A row flies to its node, and the panel shows the state before and after."""
    page.run("[...document.querySelectorAll('#changes .children button')]"
             ".find((button) => button.innerText.includes('shrinks.log')).click()")
    page.wait("geomapper.selected?.feature.properties.name === 'shrinks.log'", "the file selected")
    page.settle()
    page.shoot(f"{shots}/changes-file.png")
    page.says("#panel .difference", "50.0 kB", "5.00 kB", "−45.0 kB")
    files = files_of(page)
    same("the file on the map", files.get("tree/work/shrinks.log"), "changed")
    page.select("tree/work")
    files = files_of(page)
    for path, change in (("tree/work/away.bin", "left"), ("tree/work/turns", "removed"),
                         ("tree/work/grows3.log", "changed"), ("tree/work/left alone.txt", "")):
        if path in files:
            same(path, files[path], change)
    page.says("#panel .difference", "changed", "removed", "→")
    page.select("tree/far/off/here.bin")
    page.says("#panel .difference", "tree/work/away.bin")
    page.press("#panel .change-label .crumb")
    page.wait("geomapper.selected?.feature.properties.path === 'tree/work/away.bin'", "its old place")
    page.says("#panel .difference", "tree/far/off/here.bin")
    page.select("tree/gone")
    page.shoot(f"{shots}/changes-ruin.png")
    page.says("#panel .difference", "gone")
    page.select("tree/work/turns")
    page.says("#panel .difference", "new")
    page.select("tree")
    # The folder's name ends in `<`, so without escaping, the path would close a script.
    raw = page.run("geomapper.selected.children.shown.find((child) => child.rawName)?.below")
    same("below a name that is no text", raw, {"changed": 1, "bytes": 1})


def contents(page: Page) -> List[List[str]]:
    """The visible rows of the panel's list: sign, name, words and growth."""
    return [list(row) for row in page.run(
        "[...document.querySelectorAll('#panel .contents li')].map((item) => [item.querySelector('i')?.innerText ?? '',"
        " item.querySelector('button').innerText, item.querySelector('.change-label')?.innerText ?? '',"
        " item.querySelector('.growth')?.innerText ?? ''])")]


def check_contents(page: Page, shots: str) -> None:
    """The panel lists changed entries first, with signs, words and bytes, and unchanged ones without."""
    page.select("tree/work")
    page.shoot(f"{shots}/changes-contents.png")
    rows = contents(page)
    page.expect("the list's order", "document.querySelector('#panel .contents select').value", "change")
    same("what differs in a folder", rows[:4],
           [["↗", "away.bin", "moved away", "−70.0 kB"], ["•", "shrinks.log", "changed", "−45.0 kB"],
            *(["•", f"grows{number}.log", "changed", "+2.00 kB"] for number in range(2))])
    page.fill("#panel .contents input", "t")
    rows = [row for row in contents(page) if row[1] != "left alone.txt"]
    same("a file where there is a folder now", rows, [["×", "turns", "removed", "−333 bytes"], ["+", "turns/", "added", "+11 bytes"]])
    page.select("tree")
    rows = contents(page)
    same("the folder that shrank most", rows[0][:2], ["•", "work/"])
    by_name = {name: (sign, words, growth) for sign, name, words, growth in rows}
    same("a new folder", by_name["brand/"], ("+", "added", "+40.2 kB"))
    same("a folder that is gone", by_name["gone/"], ("×", "removed", "−48.1 kB"))
    same("a folder in which a file is new", by_name["same/"], ("•", "1 added", "+77 bytes"))
    page.fill("#panel .contents select", "name", "change")
    names = [row[1] for row in contents(page)]
    same("by name", names, sorted(names))


def check_slider(page: Page, shots: str) -> None:
    """From the old state to the new: entries missing in a state aren't drawn, named, or hit by taps."""
    page.run("geomapper.view.camera.set(0.5, 0.5, 0)")
    page.key("0")
    page.settle()
    spots = {path: spot_in(page, path) for path in ("tree/brand", "tree/gone")}
    both = {path: page.pixel(*spot) for path, spot in spots.items()}

    def is_there(path: str) -> bool:
        x, y = spots[path]
        return bool(page.run(f"geomapper.view.landIn({x}, {y})?.path === {json.dumps(path)}"))

    page.run(f"{VIEW}.slider.range.value = 0; {VIEW}.slider.range.dispatchEvent(new Event('input'))")
    page.settle()
    page.shoot(f"{shots}/changes-old.png")
    same("in the old state", [is_there("tree/brand"), is_there("tree/gone")], [False, True])
    if not differs(page, spots["tree/brand"], both["tree/brand"], 12):
        fail("what was added is there in the old state")
    named = page.run("geomapper.view.labels.placed.map(({ key }) => key)")
    if "tree/brand" in named:
        fail("what was added has a name in the old state")
    page.run(f"{VIEW}.slider.range.value = 100; {VIEW}.slider.range.dispatchEvent(new Event('input'))")
    page.settle()
    page.shoot(f"{shots}/changes-new.png")
    same("in the new state", [is_there("tree/brand"), is_there("tree/gone")], [True, False])
    if not differs(page, spots["tree/gone"], both["tree/gone"], 6):
        fail("the ruin stands in the new state")
    page.focus("#map")
    page.key("o")
    page.wait(f"{VIEW}.layer.moment === 0", "the old state, by a key")
    page.key("o")
    page.wait(f"{VIEW}.layer.moment === 1", "the new state, by a key")
    page.key("b")
    page.wait(f"{VIEW}.layer.moment === 0.5", "both, by a key")
    page.settle()
    same("both", [is_there("tree/brand"), is_there("tree/gone")], [True, True])
    page.key("x")
    page.settle()
    same("without the layer", [page.run(f"{VIEW}.layer.isOn"), is_there("tree/gone")], [False, False])
    page.key("x")
    page.settle()


def check_live(page: Page, new: str) -> None:
    """Changes on the disk show as differences from the old state."""
    base = os.fsencode(new)
    page.select("tree/same/part0")
    before = counts_of(page)
    put(base, b"same/part0/sudden.txt", 1234)
    page.wait("geomapper.selected.children.shown.some(({ name, change }) => name === 'sudden.txt' && change === 'added')",
              "a file that was made now")
    page.wait(f"document.querySelector('#changes .kinds .added strong').textContent === '{before['added'] + 1}'",
              "one more")
    page.settle()
    same("on the map", files_of(page).get("tree/same/part0/sudden.txt"), "added")
    same("its sums", page.run("geomapper.selected.states[1].files - geomapper.selected.states[0].files"), 2)
    os.remove(os.path.join(base, b"same/part0/file5.txt"))
    page.wait("geomapper.selected.children.shown.some(({ name, change }) => name === 'file5.txt' && change === 'removed')",
              "a file that is gone now")
    page.settle()
    same("its ruin", files_of(page).get("tree/same/part0/file5.txt"), "removed")
    os.remove(os.path.join(base, b"same/part0/sudden.txt"))
    page.wait("!geomapper.selected.children.shown.some(({ name }) => name === 'sudden.txt')", "gone without a trace")


def check_phone(page: Page, address: str, shots: str) -> None:
    """On a phone the list is a sheet that leaves half of the map, and nothing is beyond the edge."""
    page.resize(360, 640, touch=True)
    ready(page, address)
    if page.run("document.getElementById('changes').getBoundingClientRect().height / innerHeight") > 0.5:
        fail("the sheet covers the map")
    page.shoot(f"{shots}/changes-phone.png")
    page.check_edges("#changes *")
    # In a low window the list doesn't cover the scale.
    page.resize(700, 420)
    page.open("about:blank")
    ready(page, address)
    low = page.run(
        "(() => { const box = (name) => document.querySelector(name).getBoundingClientRect();"
        " const [list, scale] = [box('#changes'), box('#scale span')];"
        " return Math.min(list.bottom - scale.top, scale.right - list.left); })()")
    if page.run("document.getElementById('changes').hidden") or low > 0:
        fail(f"in a low window the list reaches {low} pixels into the scale")
    page.resize(1280, 800)


def check_file(page: Page, binary: str, old: str, new: str, at: str, shots: str) -> None:
    """The same as a file without requests: once complete, and once with only the changes."""
    for options in ([], ["--all"]):
        out = os.path.join(at, f"page{len(options)}.html")
        run(binary, "diff", "-q", "--format", "html", *options, "-o", out, old, new)
        ready(page, f"file://{out}")
        page.shoot(f"{shots}/changes-page{len(options)}.png")
        check_glance(page, shots)
        check_list(page)
        page.select("tree/work")
        page.says("#panel .difference", "→")
        check_contents(page, shots)
        check_slider(page, shots)
    with open(out, "rb") as file:
        if file.read().count(b"</script>") != 3:
            fail("a name ends the page's element")


def drive(browser: Browser, binary: str, shots: str, at: str) -> None:
    """All checks."""
    old, new = plant(at)
    page = browser.page()
    page.prefer(prefers_reduced_motion="reduce")
    check_file(page, binary, old, new, at, shots)
    snapshot = os.path.join(at, "old.geosnap")
    run(binary, "snapshot", "-q", "-o", snapshot, old)
    for since in (old, snapshot):
        with serving(binary, "--since", since, new) as served:
            ready(page, served.address)
            check_glance(page, shots)
            check_list(page)
            check_flights(page, shots)
            check_contents(page, shots)
            check_slider(page, shots)
            if since == old:
                page.prefer(prefers_reduced_motion="no-preference")
                check_phone(page, served.address, shots)
                page.prefer(prefers_reduced_motion="reduce")
            page.leave()
    with serving(binary, "--since", snapshot, new) as served:
        ready(page, served.address)
        check_live(page, new)
        page.leave()
    with serving(binary, new) as served:
        page.show(served.address)
        page.settle()
        page.expect("whether a page of one state has what is for two",
                    "Boolean(globalThis.geomapperChanges || document.getElementById('changes'))", False)
        if b"ChangeLayer" in served.get("/assets/page.js").body or served.get("/changes").status != 404:
            fail("a server of one state has what is for two")
        page.leave()


def main() -> None:
    with driving(__doc__) as (binary, shots, browser, at):
        drive(browser, binary, shots, at)
    print("two states on one land: on the map, in the list, in the panel, by the slider, live and as a file")


if __name__ == "__main__":
    main()
