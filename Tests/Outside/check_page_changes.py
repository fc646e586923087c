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
import time
from typing import Any, Dict, List, Tuple

import outside
from browser import SELECTED, Browser, Page, driving
from outside import fail, run, same
from served import serving

STAMP = 1_700_000_000
ODD = os.fsdecode(b"odd \xff </script> %41\n")  # a folder and a file
VIEW = "globalThis.geomapperChanges"
LISTED = f"{VIEW}.list.shown.map((item) => [item.path, item.change, item.growth])"


def put(root: str, path: str, size: int, age: int = 0) -> None:
    """Makes a file of a given age."""
    outside.put(root, {path: size})
    os.utime(os.path.join(root, path), (STAMP - age, STAMP - age))


def plant(at: str) -> Tuple[str, str]:
    """Makes two states, `old` and `new/tree`; the second is changed further."""
    old, new = os.path.join(at, "old"), os.path.join(at, "new", "tree")
    for number in range(40):
        put(old, f"same/part{number % 5}/file{number}.txt", 100 + number, number)
    for number in range(12):
        put(old, f"gone/in/ruin{number}.c", 4000 + number, 100 + number)
        put(old, f"attic/box/thing{number}.dat", 900 + number, 200 + number)
    for number in range(8):
        put(old, f"work/grows{number}.log", 1000, 300 + number)
    for path, size, age in (("work/shrinks.log", 50_000, 400), ("work/away.bin", 70_001, 500), ("work/left alone.txt", 10, 600),
                            ("work/turns", 333, 700), (ODD, 42, 800)):
        put(old, path, size, age)
    shutil.copytree(old, new, copy_function=shutil.copy2)
    shutil.rmtree(f"{new}/gone")
    os.rename(f"{new}/attic", f"{new}/cellar")
    os.makedirs(f"{new}/far/off")
    os.rename(f"{new}/work/away.bin", f"{new}/far/off/here.bin")
    os.remove(f"{new}/work/turns")
    for number in range(8):
        put(new, f"work/grows{number}.log", 3000, 30 + number)
    for number in range(20):
        put(new, f"brand/new{number % 2}/file{number}.py", 2000 + number, number)
    for path, size, age in (("work/shrinks.log", 5_000, 40), ("work/turns/into a folder.txt", 11, 5), ("same/part0/extra.txt", 77, 3),
                            (ODD, 43, 4)):
        put(new, path, size, age)
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


def check_glance(page: Page, shots: str) -> None:
    """The first picture shows where changes are, and their totals."""
    page.shoot(f"{shots}/changes.png")
    same("counts", counts_of(page), {"added": 22, "removed": 13, "changed": 10, "moved": 13})
    lands = lands_of(page)
    for path, change in (("tree/brand", "added"), ("tree/gone", "removed"), ("tree/attic", "removed"),
                         ("tree/cellar", "added"), ("tree/far", "added"), ("tree/work", ""), ("tree/same", "")):
        same(path, lands.get(path), change)
    page.says("#changes .head", "old", "tree")
    # A folder that may change further has the present time.
    after = f"after: now, {time.localtime().tm_mday} {time.strftime('%B')} " if page.run("geomapper.page.source.isLive") else f"after: tree, {time.strftime('%Y-%m-%d')} "
    page.says("#changes .head", "before: old", after, "77 files", "86 files")
    page.says("#changes .kinds .changed", "10 files", "changed")
    # A folder that moved as a whole is neither new nor gone.
    moved = page.run(f"geomapper.view.landsInView().filter(({{ change }}) => change).map((land) => [land.path, {VIEW}.layer.kindOf(land)])")
    same("what became of folders", {path: kind for path, kind in moved if path.startswith(("tree/attic", "tree/cellar", "tree/brand", "tree/gone"))},
         {path: {"attic": "left", "cellar": "moved", "brand": "added", "gone": "removed"}[path.split("/")[1]] for path, _ in moved
          if path.startswith(("tree/attic", "tree/cellar", "tree/brand", "tree/gone"))})
    page.says("#key", "folder that moved here, dashed: away", "tinted or outlined: grew, shrank, new, gone")
    page.says("#changes .sizes", "→", "−")
    page.check_legend("#key", "#key")
    page.check_uncovered("#key")
    for width, height in ((1280, 800), (1440, 900)):
        page.resize(width, height)
        page.settle()
        seen = page.run("['#changes .folders', '#changes .scroller'].map((list) => { const { top, bottom } = document.querySelector(list).getBoundingClientRect();"
                        " const rows = [...document.querySelectorAll(`${list} li`)].map((row) => row.getBoundingClientRect());"
                        " return rows.filter((row) => row.height > 0 && row.top >= top && row.bottom <= bottom + 1).length - Math.min(5, rows.length); })")
        if min(seen) < 0:
            fail(f"at {width} by {height} the lists of changes lack {seen} of five rows in sight")
    # The rows are the circles of the map, in the same order; the first ones have their rank.
    rows = page.run("[...document.querySelectorAll('#changes .folders button')].map((row) => [row.className.split(' ')[1],"
                    " row.querySelector('.name').firstChild.data + row.querySelector('.name').childNodes[1].data, row.querySelector('.amount').innerText])")
    circles = page.run(f"{VIEW}.symbols.captionsOf(geomapper.view.symbols.items).map(({{ lines }}) => [lines[0][0], lines[1]?.[0]])"
                       ".filter(([name]) => /^[123][.] /.test(name))")
    same("what is largest on the map", [[name, said.split(" · ")[0]] for name, said in circles], [row[1:] for row in rows[:3]])
    # The names of arrows aren't lines of other names.
    near = page.run(
        "(() => { const { placed } = geomapper.view.labels; const isArrow = ({ key }) => key.startsWith('\\n') && key.split('\\n').length === 4;"
        " const arrows = placed.filter(isArrow); const far = ([a], [b]) => Math.max(a[0] - b[2], b[0] - a[2], a[1] - b[3], b[1] - a[3]);"
        " return [arrows.length, arrows.flatMap((one) => placed.filter((other) => !isArrow(other) && other.boxes.length === 1 && far(one.boxes, other.boxes) < 8).map(({ key }) => key))]; })()")
    if near[0] == 0 or near[1]:
        fail(f"of {near[0]} names of arrows some are near {near[1]}")
    # They are at their arrows, which end at the rims of circles, and each name of what changed says by how much.
    doubts = page.run(
        f"(() => {{ const {{ camera, labels }} = geomapper.view; const {{ symbols }} = {VIEW}; const found = [];"
        " const far = ([w, n, e, s], [x, y]) => Math.hypot(Math.max(w - x, 0, x - e), Math.max(n - y, 0, y - s));"
        " for (const arrow of symbols.arrows) {"
        "  symbols.endsOf(arrow, camera).forEach(([x, y], at) => { const { wx, wy, tx, ty, r = 0 } = arrow.ends[at]; const [cx, cy] = camera.toScreen(wx, wy);"
        "   const off = Math.hypot(x - cx - tx, y - cy - ty); if (Math.abs(off - r) > 1 && off > 0) found.push([arrow.to, off, r]); });"
        "  const name = labels.placed.find(({ key }) => key === `\\n${arrow.from}\\n${arrow.to}\\n0`);"
        "  const [[ax, ay], [bx, by]] = symbols.endsOf(arrow, camera);"
        "  if (name && Math.hypot(bx - ax, by - ay) > 100 && Math.min(...symbols.pointsOf(arrow, camera).map((point) => far(name.boxes[0], point))) > 40) found.push(arrow.from, arrow.to); }"
        " for (const { key, kind } of labels.placed) if (/^[^\\n].*\\n0$/.test(key) && kind !== 'file' && kind !== 'moved' && labels.placed.find((other) => other.key === key.replace(/0$/, '1'))?.kind !== 'growth') found.push(key);"
        " return found; })()")
    if doubts:
        fail(f"arrows don't end at rims, or names are far from arrows or without their growth: {doubts}")
    # New land glows: without the layer, the same land is darker.
    shining = page.spot_in("tree/brand")
    with_layer = page.pixel(*shining)
    page.run(f"{VIEW}.layer.paint = ((paint) => function (...all) {{ return this.isShut || paint.apply(this, all); }})"
             f"({VIEW}.layer.paint); {VIEW}.layer.isShut = true; geomapper.view.restyle()")
    page.settle()
    without = page.pixel(*shining)
    if with_layer[1] - with_layer[0] < without[1] - without[0] + 10:
        fail(f"new land does not shine: {with_layer}, without the layer {without}")
    page.run(f"{VIEW}.layer.isShut = false; geomapper.view.restyle()")
    page.settle()


def check_colours(page: Page) -> None:
    """Lists, bars, counts and legend have the colours of the map, in both themes."""
    for scheme in ("light", "dark"):
        if page.run("document.documentElement.dataset.theme") != scheme:
            page.press("#theme")
        page.wait(f"document.documentElement.dataset.theme === '{scheme}'", f"the {scheme} theme")
        page.settle()
        found = page.run(
            "(() => { const { theme } = geomapper.view.palette; const rgb = (hex) => `rgb(${hex.match(/[0-9a-f]{2}/g).map((part) => parseInt(part, 16)).join(', ')})`;"
            " const wrong = []; const counts = {}; const look = (selector, name, colour) => { for (const one of document.querySelectorAll(selector)) {"
            " counts[selector] = true; const is = getComputedStyle(one)[name]; if (is !== rgb(theme[colour])) wrong.push([selector, name, is, rgb(theme[colour])]); } };"
            " for (const kind of ['added', 'removed', 'grew', 'shrank']) { look(`#changes .folders .${kind} .amount`, 'color', `${kind}ink`);"
            " look(`#changes .folders .${kind} .bar span`, 'backgroundColor', kind); look(`#changes .facts.${kind}`, 'color', `${kind}ink`);"
            " look(`#changes .facts .bar .${kind}`, 'backgroundColor', kind); look(`#changes i.${kind}`, 'color', `${kind}ink`); look(`#changes .kinds .${kind}`, 'borderTopColor', kind); }"
            " const sample = [...document.querySelectorAll('#key li')].find((row) => row.innerText === 'new')?.querySelector('canvas');"
            " const middle = sample?.getContext('2d').getImageData(sample.width / 2, sample.height / 2, 1, 1).data ?? [];"
            " return [wrong, Object.keys(counts).length, [...middle].slice(0, 3), rgb(theme.added).match(/\\d+/g).map(Number)]; })()")
        if found[0] or found[1] < 14:
            fail(f"in the {scheme} theme {found[1]} kinds of signs have colours, and not those of the map: {found[0]}")
        if max(abs(a - b) for a, b in zip(found[2], found[3])) > 3 or not found[2]:
            fail(f"in the {scheme} theme new land is {found[2]} in the legend, not {found[3]}")


def sort(page: Page, order: str) -> None:
    """Sorts the list."""
    page.run(f"{VIEW}.list.sorter.value = '{order}'; {VIEW}.list.sorter.dispatchEvent(new Event('change'))")
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
    page.wait(f"{SELECTED} === 'tree/work/shrinks.log'", "the file selected")
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
    page.wait(f"{SELECTED} === 'tree/work/away.bin'", "its old place")
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
    page.choose("#panel .contents select", "name")
    names = [row[1] for row in contents(page)]
    same("by name", names, sorted(names))


def check_slider(page: Page, shots: str) -> None:
    """From the old state to the new: entries missing in a state aren't drawn, named, or hit by taps."""
    page.run("geomapper.view.camera.set(0.5, 0.5, 0)")
    page.key("0")
    page.settle()
    spots = {path: page.spot_in(path) for path in ("tree/brand", "tree/gone")}
    both = {path: page.pixel(*spot) for path, spot in spots.items()}

    def is_there(path: str) -> bool:
        x, y = spots[path]
        return bool(page.run(f"geomapper.view.landIn({x}, {y})?.path === {json.dumps(path)}"))

    for position, name, there, least in ((0, "old", [False, True], 12), (100, "new", [True, False], 6)):
        page.run(f"{VIEW}.slider.range.value = {position}; {VIEW}.slider.range.dispatchEvent(new Event('input'))")
        page.settle()
        page.shoot(f"{shots}/changes-{name}.png")
        same(f"in the {name} state", [is_there(path) for path in spots], there)
        for (path, spot), is_shown in zip(spots.items(), there):
            if not is_shown and not differs(page, spot, both[path], least):
                fail(f"{path} is drawn in the {name} state")
        labels = page.run("geomapper.view.labels.placed.map(({ key }) => key)")
        if position == 0 and "tree/brand" in labels:
            fail("what was added has a name in the old state")
    page.focus("#map")
    for key, moment in (("o", 0), ("o", 1), ("b", 0.5)):
        page.key(key)
        page.wait(f"{VIEW}.layer.moment === {moment}", f"the moment {moment}, by a key")
    page.settle()
    same("both", [is_there("tree/brand"), is_there("tree/gone")], [True, True])
    page.key("x")
    page.settle()
    same("without the layer", [page.run(f"{VIEW}.layer.isOn"), is_there("tree/gone")], [False, False])
    page.key("x")
    page.settle()


def check_live(page: Page, new: str) -> None:
    """Changes on the disk show as differences from the old state."""
    page.select("tree/same/part0")
    before = counts_of(page)
    put(new, "same/part0/sudden.txt", 1234)
    page.wait("geomapper.selected.children.shown.some(({ name, change }) => name === 'sudden.txt' && change === 'added')",
              "a file that was made now")
    page.wait(f"document.querySelector('#changes .kinds .added strong').textContent === '{before['added'] + 1}'",
              "one more")
    page.settle()
    same("on the map", files_of(page).get("tree/same/part0/sudden.txt"), "added")
    same("its sums", page.run("geomapper.selected.states[1].files - geomapper.selected.states[0].files"), 2)
    os.remove(f"{new}/same/part0/file5.txt")
    page.wait("geomapper.selected.children.shown.some(({ name, change }) => name === 'file5.txt' && change === 'removed')",
              "a file that is gone now")
    page.settle()
    same("its ruin", files_of(page).get("tree/same/part0/file5.txt"), "removed")
    os.remove(f"{new}/same/part0/sudden.txt")
    page.wait("!geomapper.selected.children.shown.some(({ name }) => name === 'sudden.txt')", "gone without a trace")


def check_phone(page: Page, address: str, shots: str) -> None:
    """On a phone the list is a sheet that leaves half of the map, and nothing is beyond the edge."""
    page.resize(360, 640, touch=True)
    ready(page, address)
    page.check("the sheet leaves half of the map", "document.getElementById('changes').getBoundingClientRect().height <= innerHeight / 2")
    page.shoot(f"{shots}/changes-phone.png")
    page.check_edges("#changes *")
    # In a low window the list doesn't cover the scale.
    page.resize(700, 420)
    page.open("about:blank")
    ready(page, address)
    page.check("there is a list", "!document.getElementById('changes').hidden")
    page.key("r")
    page.wait("!document.getElementById('scale').hidden", "the scale")
    box, scale = page.box("#changes"), page.box("#scale span")
    if box[3] > scale[1] and scale[2] > box[0]:
        fail(f"in a low window the list {box} reaches into the scale {scale}")
    page.resize(1280, 800)


def check_file(page: Page, binary: str, old: str, new: str, at: str, shots: str) -> None:
    """The same as a file without requests: once complete, and once with only the changes."""
    for options in ([], ["--all"]):
        out = os.path.join(at, f"page{len(options)}.html")
        run(binary, "diff", "-q", "--apparent", "--format", "html", *options, "-o", out, old, new)
        ready(page, f"file://{out}")
        page.shoot(f"{shots}/changes-page{len(options)}.png")
        check_glance(page, shots)
        check_colours(page)
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
        with serving(binary, "--apparent", "--since", since, new) as served:
            ready(page, served.address)
            check_glance(page, shots)
            check_colours(page)
            check_list(page)
            if since == old:
                check_flights(page, shots)
                check_contents(page, shots)
                check_slider(page, shots)
                page.prefer(prefers_reduced_motion="no-preference")
                check_phone(page, served.address, shots)
                page.prefer(prefers_reduced_motion="reduce")
            page.leave()
    with serving(binary, "--apparent", "--since", snapshot, new) as served:
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
