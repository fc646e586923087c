"""Plays histories and recordings on the page in a headless browser.

    check_page_time.py GEOMAPPER [--pictures FOLDER]

For each commit of a repository, the page is compared with `git ls-tree`, as a file and from the server, which has
to follow new commits. For snapshots, the page is compared with the folders they were taken of. The bar is played,
paused, dragged and stepped through, by mouse, keys and fingers. The address has to contain the moment. Search,
filter view and panel have to show the files of that moment, with their sizes.
"""

import base64
import hashlib
import json
import os
import random
import shutil
import subprocess
import tempfile
import time
from typing import Dict, Iterator, List, Set, Tuple
from urllib.parse import quote

import check_history
from browser import Page, browsing, page_arguments
from filming import filming
from outside import fail
from served import serving

TIME = "geomapper.time"
Log = List[Tuple[str, int, str]]  # revision, time and author of each commit
MOST_SEEK = 100.0  # milliseconds
GIT = ["git", "-c", "user.name=Ann", "-c", "user.email=ann@example.org"]


def git(*words: str, at: str = ".", **more: str) -> str:
    """The output of a git command."""
    return subprocess.run([*GIT, "-C", at, *words], check=True, capture_output=True, text=True,
                          env=dict(os.environ, **more)).stdout


def files_at(state: check_history.State) -> Dict[str, int]:
    """The files of a state with their sizes, by the page's paths."""
    return {path.decode("utf-8", "replace"): size for (path, is_folder), size in state.items() if not is_folder}


def folders_at(state: check_history.State) -> Set[str]:
    """The folders of a state, by the page's paths."""
    return {path.decode("utf-8", "replace") for path, is_folder in state if is_folder}


def shown_at(page: Page, number: int) -> Dict[str, int]:
    """The page's files of a state with their sizes, without the root's label."""
    files = page.run(f"[...{TIME}.timeline.filesIn({number})].map(({{ path, size }}) => [path, size])")
    return {path.partition("/")[2]: size for path, size in files}


def check_state(page: Page, number: int, known: check_history.State, what: str) -> None:
    """Checks a state's files, sizes, folders and totals on the page."""
    if shown_at(page, number) != files_at(known):
        fail(f"{what}: the page has {shown_at(page, number)}, and not {files_at(known)}")
    folders = page.run(
        f"(() => {{ const t = {TIME}.timeline; return [...t.folders].filter(([, node]) =>"
        f" t.presence(node, {number}) === 1).map(([path]) => path); }})()")
    if {path.partition("/")[2] for path in folders} - {""} != folders_at(known):
        fail(f"{what} has other folders on the page")
    sums = page.run(f"(() => {{ const {{ files, bytes }} = {TIME}.timeline.sumsOf(0, {number});"
                    " return [files, bytes]; })()")
    sizes = [size for (_, is_folder), size in known.items() if not is_folder]
    if sums != [len(sizes), sum(sizes)]:
        fail(f"{what}: {len(sizes)} files of {sum(sizes)} bytes are added up to {sums}")


def wait_for_time(page: Page) -> None:
    page.wait("globalThis.geomapper?.time && geomapper.view.isComplete", "the time line")
    page.settle()


def histories(page: Page, binary: str, seeds: range) -> Iterator[Tuple[str, Log, List[check_history.State]]]:
    """Opens the histories of made repositories one by one: each with its path, its commits, and their nodes."""
    for seed in seeds:
        with tempfile.TemporaryDirectory(prefix="geomapper-time.") as work:
            repository = os.path.join(work, "repo")
            os.mkdir(repository)
            os.chdir(repository)
            check_history.make(random.Random(seed))
            log = check_history.commits()
            states = [check_history.state(name) for name, _, _ in log]
            name = os.path.join(work, "history.html")
            subprocess.run([binary, "history", "--git", ".", "--format", "html", "-o", name], check=True)
            os.chdir("/")
            page.open("file://" + quote(name))
            page.wait("globalThis.geomapper?.time", "the time line")
            yield repository, log, states


def check_states(page: Page, binary: str) -> int:
    """Checks the page at each commit of made repositories; returns the number of commits."""
    count = 0
    for _, log, states in histories(page, binary, range(100, 104)):
        if page.run(f"{TIME}.timeline.stateCount") != len(log):
            fail(f"there are {len(log)} commits")
        for number, (revision, when, author) in enumerate(log):
            check_state(page, number, states[number], f"commit {number} of {len(log)}")
            told = page.run(f"[{TIME}.timeline.times[{number}], {TIME}.timeline.words[{number}],"
                            f" {TIME}.timeline.authors[{TIME}.timeline.stateAuthors[{number}]]]")
            if told[0] != when or told[1][0] != revision or told[2] != author:
                fail(f"the page says {told} of commit {revision} of {author} at {when}")
        count += len(log)
    return count


def folder_state(root: bytes) -> check_history.State:
    """The nodes of a folder on disk, in the form of a commit's."""
    nodes: check_history.State = {}
    for at, folders, files in os.walk(root):
        for name in folders:
            nodes[(os.path.relpath(os.path.join(at, name), root), True)] = 0
        for name in files:
            path = os.path.join(at, name)
            nodes[(os.path.relpath(path, root), False)] = os.lstat(path).st_size
    return nodes


def change_folder(chance: random.Random, root: bytes) -> None:
    """Changes a folder: files and folders are added, grow, are removed and renamed, and replace each other."""
    known = folder_state(root)
    for path, is_folder in chance.sample(sorted(known), min(3, len(known))):
        at = os.path.join(root, path)
        if not os.path.lexists(at):
            continue
        deed = chance.randrange(4)
        if deed == 0:
            shutil.rmtree(at) if is_folder else os.remove(at)
        elif deed == 1:
            os.rename(at, at + b"~%d" % chance.randrange(100))
        elif deed == 2:
            shutil.rmtree(at) if is_folder else os.remove(at)
            if is_folder:
                put(at, chance.randrange(9))
            else:
                put(os.path.join(at, b"inner \xff<"), chance.randrange(9))
        elif not is_folder:
            put(at, os.lstat(at).st_size + 1 + chance.randrange(9))
    for _ in range(3):
        names = [b"land%d" % chance.randrange(3) for _ in range(chance.randrange(3))]
        at = os.path.join(root, *names, b"file%d" % chance.randrange(6))
        try:
            put(at, chance.randrange(99))
        except (IsADirectoryError, NotADirectoryError, FileExistsError):
            pass


def put(path: bytes, size: int) -> None:
    """Makes a file of the given size."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(b"x" * size)


def check_snapshots(page: Page, binary: str, shots: str) -> int:
    """Checks the page of several snapshots against their folders; returns the number of snapshots."""
    count = 0
    for seed in range(4):
        chance = random.Random(200 + seed)
        with tempfile.TemporaryDirectory(prefix="geomapper-time.") as work:
            root = os.path.join(work, "tree")
            os.mkdir(root)
            states, names = [], []
            for number in range(chance.randrange(2, 6)):
                change_folder(chance, os.fsencode(root))
                states.append(folder_state(os.fsencode(root)))
                names.append(os.path.join(work, f"{number}.geosnap"))
                subprocess.run([binary, "snapshot", "-q", "-o", names[-1], root], check=True)
            given = [f"day {number}={name}" for number, name in enumerate(names)]
            html = os.path.join(work, "history.html")
            subprocess.run([binary, "history", "--format", "html", "-o", html, *given], check=True)
            page.open("file://" + quote(html))
            check_snapshot_page(page, states, seed)
            if seed == 0:
                page.shoot(f"{shots}/time-snapshots.png")
            with serving(binary, "--history", *given) as server:
                page.open(server.address)
                check_snapshot_page(page, states, seed)
                page.open("about:blank")
            count += len(states)
    return count


def check_snapshot_page(page: Page, states: List[check_history.State], seed: int) -> None:
    """Checks the states of a page of snapshots, which have no authors."""
    wait_for_time(page)
    if page.run(f"{TIME}.timeline.stateCount") != len(states):
        fail(f"there are {len(states)} snapshots")
    for number, known in enumerate(states):
        check_state(page, number, known, f"seed {seed}, snapshot {number}")
        page.run(f"{TIME}.bar.go({TIME}.timeline.times[{number}], {number})")
        said = page.run("document.querySelector('#time .said').textContent")
        if not said.startswith(f"day {number} · ") or "undefined" in said:
            fail(f"of snapshot {number} the line says {said!r}")
    if page.run("Boolean(document.querySelector('#time button[aria-label^=\"Authors\"]'))"):
        fail("there are no authors, and a button shows them")
    page.run("document.activeElement.blur()")
    page.key("a")
    if page.run(f"{TIME}.layer.scene.people.shown.size"):
        fail("there are no authors, and they are on the map")
    # A folder missing at the end is a ruin, and is labelled as such.
    gone = folders_at(states[0]) - folders_at(states[-1])
    for path in sorted(gone)[:1]:
        if not select(page, f"day {len(states) - 1}/{path}").startswith("Gone since"):
            fail(f"{path} is gone, and nobody says so")


def select(page: Page, path: str) -> str:
    """Selects a node, and returns the panel's text about the moment."""
    page.run(f"geomapper.open({json.dumps(path)}, false)")
    page.wait(f"geomapper.selected?.feature.properties.path === {json.dumps(path)}", f"{path} selected")
    return moment(page)


def moment(page: Page) -> str:
    """The panel's text about the moment."""
    return str(page.run("document.querySelector('#panel .moment')?.innerText ?? ''"))


DAY = 86400
START = 1_700_000_000 // DAY * DAY


def commit(at: str, day: float, message: str, files: Dict[str, str]) -> None:
    """Commits files; an empty text removes one."""
    for name, text in files.items():
        place = os.path.join(at, name)
        if text:
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "w", encoding="utf-8") as file:
                file.write(text)
        else:
            os.remove(place)
    git("add", "-A", at=at)
    git("commit", "-q", "-m", message, at=at, GIT_COMMITTER_DATE=f"{START + round(day * DAY)} +0000")


def plant(at: str) -> None:
    """Makes lands that come, change and go, a day or more from one commit to the next."""
    git("init", "-q", "-b", "main", at)
    commit(at, 0, "begin", {f"old/{n}.c": "x" * (n + 1) for n in range(30)})
    commit(at, 1, "a </script> of \"words\"", {f"new/part{n}/{m}.txt": "y" for n in range(3) for m in range(12)})
    commit(at, 2, "change", {"new/part1/3.txt": "z", "old/7.c": "changed"})
    commit(at, 30, "the old one goes", {f"old/{n}.c": "" for n in range(30)})
    commit(at, 31, "last", {"new/part2/last.txt": "1", "new/part2/kept.cxx": "1"})


def state(page: Page) -> int:
    return int(page.run(f"{TIME}.layer.state"))


def pixel(page: Page, x: float, y: float) -> List[int]:
    """The colour of the map at a position on the screen."""
    found = page.run(
        "(() => { const copy = document.createElement('canvas'); copy.width = copy.height = 1;"
        " const pen = copy.getContext('2d', { willReadFrequently: true });"
        f" pen.drawImage(geomapper.view.canvas, {x - 1}, {y - 1}, 3, 3, 0, 0, 1, 1);"
        " return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3); })()")
    return [int(value) for value in found]


def spot_of(page: Page, path: str) -> List[float]:
    """A pixel in the middle of a land."""
    found = page.run(f"(async () => {{ const node = await geomapper.page.source.node({path!r});"
                     " const { lon, lat } = node.feature.properties; const rad = Math.PI / 180;"
                     " const s = Math.sin(lat * rad);"
                     " return geomapper.view.camera.toScreen(lon / 360 + 0.5,"
                     " 0.5 - Math.log((1 + s) / (1 - s)) / (4 * Math.PI)); })()")
    return [float(value) for value in found]


def far(a: List[int], b: List[int]) -> int:
    return max(abs(x - y) for x, y in zip(a, b))


def check_bar(page: Page, shots: str, name: str) -> None:
    """The bar, by mouse and by keys."""
    wait_for_time(page)
    if state(page) != 4 or page.run(f"{TIME}.bar.isRunning"):
        fail("a history doesn't begin at its end")
    if "last" not in page.run("document.querySelector('#time .said').textContent"):
        fail("the message is not told")
    # Steps by revision, and the announcement.
    for number in (3, 2, 1):
        page.key(",")
        page.wait(f"{TIME}.layer.state === {number}", f"state {number}")
    said = page.run("document.querySelector('#time .said').textContent")
    if 'a </script> of "words"' not in said or "Ann" not in said:
        fail(f"the line says {said!r}")
    page.key(".")
    page.wait(f"{TIME}.layer.state === 2", "the state after it")
    moment = page.run(f"{TIME}.layer.time")
    page.key("[")
    if page.run(f"{TIME}.layer.time") != moment - DAY:
        fail("[ doesn't go back by a day")
    page.key("}")
    if page.run(f"{TIME}.layer.time") != moment + 6 * DAY:
        fail("} doesn't go on by a week")
    # The address has the moment, and restores it.
    page.wait("location.hash.includes('at=')", "the moment in the address")
    page.wait(f"decodeURIComponent(location.hash).includes(new Date({TIME}.layer.time * 1000).toISOString().slice(0, 10))",
              "the very moment in the address")
    address = page.run("location.href")
    page.key("Home")
    if state(page) != 0:
        fail("Home doesn't lead to the beginning")
    page.open("about:blank")
    page.open(address)
    wait_for_time(page)
    if page.run(f"{TIME}.layer.time") != moment + 6 * DAY:
        fail("the address doesn't lead to its moment")
    check_lands(page, shots, name)
    check_questions(page)
    check_panel(page, shots, name)
    check_lights(page)
    check_keys(page)
    check_play(page, shots, name)


def check_lands(page: Page, shots: str, name: str) -> None:
    """Future land is shallow water, former land a ruin that fades to shallow water, present land is land."""
    old, new = f"{name}/old", f"{name}/new"
    page.run(f"{TIME}.bar.setSpeed(3600)")
    colours = {}
    for number in (0, 2, 4):
        # By then no light is left.
        page.run(f"{TIME}.bar.go({TIME}.timeline.times[{number}] + {DAY // 2}, {number})")
        page.settle()
        page.run("geomapper.view.labels.placed = []; geomapper.view.draw(performance.now())")
        colours[number] = [pixel(page, *spot_of(page, path)) for path in (old, new)]
        page.shoot(f"{shots}/time-{number}.png")
    shelf = page.run("geomapper.page.palette.theme.shelf")
    shelf = [int(shelf[i:i + 2], 16) for i in (1, 3, 5)]
    if far(colours[0][1], shelf) > 12:
        fail(f"what is not there yet is not shallow water: {colours[0][1]}, {shelf}")
    if far(colours[2][1], shelf) < 20 or far(colours[0][0], shelf) < 20:
        fail("what is there is not seen")
    if far(colours[4][0], shelf) > 12 or page.run(f"geomapper.view.landIn(...{spot_of(page, old)})?.path") != name:
        fail(f"what went long ago is not shallow water: {colours[4][0]}, {shelf}")
    # For a while it is a ruin, which is found.
    page.run(f"{TIME}.bar.go({TIME}.timeline.times[3] + 0.5, 3)")
    page.settle()
    ruin = pixel(page, *spot_of(page, old))
    if far(ruin, shelf) < 12 or page.run(f"geomapper.view.landIn(...{spot_of(page, old)})?.path") != old:
        fail(f"what went is no ruin: {ruin}")
    page.shoot(f"{shots}/time-ruin.png")
    page.run(f"{TIME}.bar.go({TIME}.timeline.times[0], 0)")
    if page.run(f"geomapper.view.landIn(...{spot_of(page, new)})?.path") != name:
        fail("who points at what isn't there yet is told of it")
    page.wait(f"!geomapper.view.labels.placed.some(({{ key }}) => key.startsWith({new!r}))",
              "that nothing is named that isn't there yet")


def check_questions(page: Page) -> None:
    """Search and filter view use the files of the moment."""
    # The last file is not among the best of all times.
    for number, word, limit, wanted in (
            (0, "27.c", 50, 1), (4, "27.c", 50, 0), (0, "last", 50, 0), (4, "last", 50, 1), (4, ".c", 5, 1)):
        page.run(f"{TIME}.bar.go({TIME}.timeline.times[{number}], {number})")
        found = page.run(f"(async () => {{ const all = []; await geomapper.page.source.search({word!r}, {limit},"
                         " new AbortController().signal, (one) => all.push(one.path)); return all; })()")
        if len(found) != wanted:
            fail(f"in state {number} a search for {word} finds {found}")
    page.key("l")
    page.wait("geomapper.table.isOpen", "the filter view")
    page.run("geomapper.table.look({ name: '*.c' })")
    page.wait("geomapper.table.isDone && geomapper.table.files === 0", "that there is no *.c at the end")
    page.run(f"{TIME}.bar.go({TIME}.timeline.times[1], 1)")
    page.wait("geomapper.table.isDone && geomapper.table.files === 30", "the *.c of then")
    page.key("Escape")
    page.wait("!geomapper.table.isOpen", "no filter view")


def check_panel(page: Page, shots: str, name: str) -> None:
    """The panel shows sizes and contents of the moment, and the state they are from."""
    def at(number: int, what: str, wanted: str) -> None:
        page.run(f"{TIME}.bar.go({TIME}.timeline.times[{number}], {number})")
        page.wait(f"document.getElementById('panel').innerText.includes({json.dumps(what)})"
                  f" && document.querySelector('#panel .moment').innerText.includes({json.dumps(wanted)})",
                  f"in state {number} {what!r} and {wanted!r}")

    page.run(f"{TIME}.bar.go({TIME}.timeline.times[0], 0)")
    if not select(page, f"{name}/old/7.c").startswith("As it came 2023-11-14"):
        fail(f"the panel says {moment(page)!r}")
    at(0, "8 bytes", "As it came")
    at(1, "8 bytes", "As it came")
    at(2, "7 bytes", "As changed 2023-11-16")
    at(3, "7 bytes", "Gone since 2023-12-14")
    page.shoot(f"{shots}/time-panel.png")
    page.run("[...document.querySelectorAll('#panel .moment .crumb')].at(-1).click()")
    page.wait(f"{TIME}.layer.state === 2", "the change before")
    if "Not there yet: it comes 2023-12-15" not in select(page, f"{name}/new/part2/last.txt"):
        fail(f"the panel says {moment(page)!r}")
    select(page, name)
    at(0, "30\nfiles in all", "There")
    at(2, "66\nfiles in all", "There")
    at(4, "38\nfiles in all", "There")
    select(page, f"{name}/old")
    at(4, "30\nfiles in all", "Gone since")
    at(0, "30\nfiles in all", "There")
    if page.run("geomapper.selected.totals.bytes") != sum(range(1, 31)):
        fail("the bytes are not those of then")
    listed = page.run("geomapper.selected.children.shown.find(({ name }) => name === '29.c')")
    if (listed["size"], listed["newest"]) != (30, START):
        fail(f"a file of then is listed as {listed}")
    select(page, f"{name}/new")
    at(0, "0 + 0", "Not there yet")
    at(1, "36\nfiles in all", "There")
    page.key("Escape")
    page.wait("!geomapper.selected", "nothing selected")


def check_lights(page: Page) -> None:
    """A change is highlighted for the chosen time, then it has faded."""
    def choose(label: str, value: int) -> None:
        page.run(f"(() => {{ const chosen = document.querySelector('#time [aria-label^=\"{label}\"]');"
                 f" chosen.value = '{value}'; chosen.dispatchEvent(new Event('change')); }})()")

    # Three days are three seconds of play.
    page.run(f"{TIME}.bar.setSpeed({DAY}); {TIME}.bar.toggle('quickens'); {TIME}.bar.go({TIME}.timeline.times[2] + {3 * DAY})")
    for glow, is_lit in ((1.6, False), (5, True), (1.6, False), (60, True)):
        choose("How long", glow)
        page.wait(f"({TIME}.layer.lights.count > 0) === {str(is_lit).lower()}", f"light after three seconds, lit for {glow} s")
    choose("How long", 1.6)
    page.run(f"{TIME}.bar.toggle('quickens')")
    check_caption(page)


def check_caption(page: Page) -> None:
    """The caption has date, counters, subject and author of the moment."""
    for number, wanted in (
            (0, ["14 November 2023", "30 files · 465 bytes · 1 commit", "begin", "Ann"]),
            (1, ["15 November 2023", "66 files · 501 bytes · 2 commits", 'a </script> of "words"', "Ann"]),
            (4, ["15 December 2023", "38 files · 38 bytes · 5 commits", "last", "Ann"])):
        page.run(f"{TIME}.bar.go({TIME}.timeline.times[{number}], {number})")
        shown = page.run("[...document.querySelectorAll('#moment p')].map((line) => line.textContent)")
        if shown != wanted:
            fail(f"in state {number} the caption is {shown}")


def check_keys(page: Page) -> None:
    """Without a mouse, Tab reaches the bar, arrows move it, and screen readers announce the moment."""
    page.run("document.querySelector('#time .player').focus()")
    for _ in range(12):
        page.key("Tab")
        if page.run("document.activeElement === document.querySelector('#time .track')"):
            break
    else:
        fail("Tab doesn't lead to the bar")
    page.key("Home")
    page.key("ArrowRight")
    page.wait(f"{TIME}.layer.state === 1", "the next revision")
    if page.run("document.querySelector('#time .track').getAttribute('aria-valuetext')") != "2023-11-15 00:00":
        fail("the bar doesn't say where it is")
    if "words" not in page.run("document.getElementById('spoken').textContent"):
        fail("nobody hears the message")
    page.key("PageUp")
    page.wait(f"{TIME}.layer.time === {START + 2 * DAY}", "a day on")
    page.key("ArrowLeft")
    page.wait(f"{TIME}.layer.state === 1", "the revision before")
    page.run("document.activeElement.blur()")


def check_short(page: Page, binary: str, at: str) -> None:
    """A history of seconds is labelled in seconds, and its playback takes longer than a moment."""
    repository, name = os.path.join(at, "short"), os.path.join(at, "short.html")
    git("init", "-q", "-b", "main", repository)
    for number, seconds in enumerate((0, 5, 20)):
        commit(repository, seconds / DAY, f"{number}", {f"file{number}": "x"})
    subprocess.run([binary, "history", "--git", repository, "--format", "html", "-o", name], check=True)
    page.open("file://" + quote(name))
    wait_for_time(page)
    if page.run(f"{TIME}.bar.playback.speed") != 1:
        fail("twenty seconds are over at once")
    page.key(",")
    shown = "document.querySelector('#time .moment').textContent"
    if not page.run(shown).endswith(" 00:00:05") or state(page) != 1:
        fail(f"five seconds after midnight it is {page.run(shown)}")
    # The path of folders has the number of files at the moment, whatever the map does.
    where = "document.getElementById('crumbs').innerText.trim()"
    page.wait(f"{where} === 'short 2 files'", "the files of the moment before")
    page.key("Home")
    page.wait(f"{where} === 'short 1 file'", "the file of the first moment")
    page.key("x")
    page.key("End")
    page.wait(f"{shown}.endsWith(' 00:00:20')", "two moments, in seconds")
    # Files from before a partial history don't change at its beginning.
    subprocess.run([binary, "history", "--git", repository, "--since", f"@{START + 7}", "--format", "html", "-o", name],
                   check=True)
    page.open("about:blank")
    page.open("file://" + quote(name))
    wait_for_time(page)
    page.key("Home")
    said = page.run("document.querySelector('#time .said').textContent")
    if said != "what was there already" or not select(page, "short/file0").startswith("There by"):
        fail(f"a part of a history begins with {said!r}, and {moment(page)!r}")


def check_fingers(page: Page, name: str, shots: str) -> None:
    """By touch, on a small screen: the bar covers nothing, and dragging seeks."""
    page.resize(390, 780, touch=True)
    page.run(f"{TIME}.bar.go({TIME}.timeline.times[2], 2)")
    select(page, f"{name}/new")
    page.settle()
    page.shoot(f"{shots}/time-fingers.png")
    bar, panel = (page.run(f"(() => {{ const box = document.getElementById('{part}').getBoundingClientRect();"
                           " return [box.left, box.top, box.right, box.bottom]; })()") for part in ("time", "panel"))
    if panel[3] > bar[1] + 1 or panel[3] - panel[1] < 150:
        fail(f"the panel {panel} lies under the bar {bar}")
    if bar[0] < 0 or bar[2] > 390 or bar[3] > 780 or bar[3] - bar[1] > 190:
        fail(f"the bar is {bar}")
    beyond = page.run("[...document.querySelectorAll('#time *')].filter((e) => e.getBoundingClientRect().right > 391)"
                      ".map((e) => e.className)")
    if [one for one in beyond if one != "handle"]:
        fail(f"beyond the edge: {beyond}")
    left, top, width = page.run("(() => { const box = document.querySelector('#time .track')"
                                ".getBoundingClientRect(); return [box.left, box.top + 20, box.width]; })()")
    for kind, part in (("touchStart", 0.5), ("touchMove", 0.4), ("touchMove", 0.1), ("touchEnd", None)):
        points = [] if part is None else [{"x": left + width * part, "y": top}]
        page.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)
    found = page.run(f"({TIME}.layer.time - {TIME}.timeline.start) / ({TIME}.timeline.end - {TIME}.timeline.start)")
    if abs(found - 0.1) > 0.02:
        fail(f"a finger at a tenth leads to {found}")
    page.run("document.querySelector('#panel [aria-label=Close]').click()")
    page.resize(1280, 800)
    page.settle()


def check_play(page: Page, shots: str, name: str) -> None:
    """Play, pause, drag, speed, loop, authors."""
    page.run("document.activeElement.blur()")
    page.key("Home")
    page.run(f"{TIME}.bar.setSpeed(86400)")
    page.key(" ")
    page.wait(f"{TIME}.bar.isRunning && {TIME}.layer.state >= 1", "that it plays")
    page.wait(f"{TIME}.layer.lights.count > 0", "light on what changes")
    page.shoot(f"{shots}/time-play.png")
    started = time.monotonic()
    page.wait(f"!{TIME}.bar.isRunning", "the end")
    if time.monotonic() - started > 12:
        fail("four quiet weeks are as slow as others")
    if page.run(f"{TIME}.layer.time !== {TIME}.timeline.end"):
        fail("it doesn't end at the end")
    # Dragging seeks.
    left, top, width = page.run("(() => { const box = document.querySelector('#time .track')"
                                ".getBoundingClientRect(); return [box.left, box.top + 20, box.width]; })()")
    page.mouse("mousePressed", left + width * 0.9, top, button="left", clickCount=1)
    page.mouse("mouseMoved", left + width * 0.2, top, button="left", buttons=1)
    page.mouse("mouseReleased", left + width * 0.2, top, button="left", clickCount=1)
    part = page.run(f"({TIME}.layer.time - {TIME}.timeline.start) / ({TIME}.timeline.end - {TIME}.timeline.start)")
    if abs(part - 0.2) > 0.01:
        fail(f"dragged to a fifth it is at {part}")
    # Authors, who are shown unless they are switched off, and the legend; loop, slower and faster.
    page.run(f"{TIME}.bar.setSpeed(3600); {TIME}.bar.go({TIME}.timeline.times[2], 2)")
    page.wait(f"{TIME}.layer.scene.people.shown.size === 1", "the author on the map")
    page.wait(r"/added.*removed.*Ann\s*3/s.test(document.querySelector('#time .key').innerText)", "the legend")
    page.key("a")
    page.wait(f"{TIME}.layer.scene.people.shown.size === 0", "no author")
    page.key("a")
    page.wait(f"[...{TIME}.layer.scene.names.paths].some((path) => path.endsWith('/old/7.c'))", "the name of what changed")
    page.settle()
    speed = page.run(f"{TIME}.bar.playback.speed")
    page.key("<")
    if not page.run(f"{TIME}.bar.playback.speed < {speed}"):
        fail("< is not slower")
    check_following(page)
    page.run("document.querySelector('#time [aria-label^=\"Again\"]').click(); document.activeElement.blur()")
    page.key("End")
    page.run(f"{TIME}.bar.setSpeed(86400 * 7)")
    page.key(" ")
    page.wait(f"{TIME}.layer.state === 4", "the end again")
    page.wait(f"{TIME}.bar.isRunning && {TIME}.layer.state < 3", "the beginning after the end")
    page.key(" ")
    page.wait(f"!{TIME}.bar.isRunning", "that it stands")
    check_bar_on_phone(page, shots)


def check_following(page: Page) -> None:
    """The camera follows the play from the whole to the whole, and leaves the map to who moves it."""
    view = "[geomapper.view.camera.x, geomapper.view.camera.y, geomapper.view.camera.z]"
    page.run(f"document.activeElement.blur(); {TIME}.bar.setSpeed({4 * DAY}); {TIME}.bar.follows || {TIME}.bar.toggle('follows');"
             f" {TIME}.bar.go({TIME}.timeline.start); geomapper.view.camera.fly({{ x: 0.4, y: 0.4, z: 3 }}, true)")
    page.key(" ")
    page.wait(f"!{TIME}.bar.isRunning", "the end")
    whole = page.run("(({ x, y, z }) => [x, y, z])(geomapper.page.whole())")
    if max(abs(a - b) for a, b in zip(page.run(view), whole)) > 1e-9:
        fail(f"in the end the camera is at {page.run(view)}, and not at {whole}")
    page.key(" ")
    page.wait(f"{TIME}.bar.isRunning && {TIME}.bar.follower.last", "that it plays again")
    page.run("geomapper.view.camera.fly({ x: 0.5, y: 0.5, z: 2 }, false)")
    page.wait(f"!{TIME}.bar.follows", "that a flight ends following")
    page.key(" ")


def check_saved_film(page: Page, shots: str) -> None:
    """The page saves a play as a video, and is as it was before."""
    page.key("End")
    page.run(f"{TIME}.bar.setSpeed({DAY * 15})")
    page.settle()
    before = page.run("[geomapper.view.camera.z, geomapper.time.layer.time, geomapper.view.canvas.width, location.hash]")
    page.run("(() => { const act = URL.createObjectURL; URL.createObjectURL = (blob) => { globalThis.blob = blob;"
             " return act.call(URL, blob); }; })()")
    page.run("document.querySelector('#time .saver').click()")
    page.wait("document.querySelector('#recording progress')?.value > 0.3", "that a film is recorded")
    page.shoot(f"{shots}/time-saving.png")
    page.wait("globalThis.blob && !document.getElementById('recording')", "the film")
    size, kind, begin = page.run("(async () => [blob.size, blob.type, [...new Uint8Array(await blob.slice(0, 8).arrayBuffer())]])()")
    is_whole = begin[:4] == [0x1A, 0x45, 0xDF, 0xA3] if "webm" in kind else bytes(begin[4:]) == b"ftyp"
    if size < 20_000 or not is_whole:
        fail(f"the film is {size} bytes of {kind}, and begins with {begin}")
    page.settle()
    if page.run("[geomapper.view.camera.z, geomapper.time.layer.time, geomapper.view.canvas.width, location.hash]") != before:
        fail("after a film is saved, the page is another one")
    # Stopped, it ends at once; its keys don't reach the bar.
    page.run("delete globalThis.blob; document.querySelector('#time .saver').click()")
    page.wait("document.querySelector('#recording progress')?.value > 0", "another film")
    page.key(".")
    page.key("Escape")
    page.wait("globalThis.blob && !document.getElementById('recording')", "the part of a film")
    if page.run("document.activeElement.className") != "saver" or page.run("geomapper.time.layer.time") != before[1]:
        fail("after a film is stopped, the page is another one")


FILM = {"width": 640, "height": 360, "fps": 10, "frames": 40, "title": "A <b>film</b>", "dark": True, "seconds": 4}


def check_film(page: Page, address: str, shots: str) -> None:
    """A page draws the frames of a film in their order, the same each time, and stops if one is refused."""
    films: List[List[str]] = []
    for number in range(2):
        seen: List[str] = []

        def keep(frame: int, body: bytes) -> None:
            if len(body) != FILM["width"] * FILM["height"] * 4:
                seen.append("")
            seen.append(hashlib.sha256(body).hexdigest())
            if number == 0 and frame in (3, 20, 39):
                write_picture(f"{shots}/time-film-{frame}.ppm", body)

        with filming(address, FILM, keep) as taken:
            page.open(taken.address)
            if not taken.done.wait(120) or taken.failures:
                fail(f"{len(taken.frames)} frames, and {taken.failures}")
            page.open("about:blank")
        films.append(seen)
    if len(films[0]) != FILM["frames"] or len(set(films[0])) < 20:
        fail(f"{len(set(films[0]))} of {len(films[0])} frames differ")
    others = [number for number, (one, other) in enumerate(zip(*films)) if one != other]
    if others:
        fail(f"drawn again, frames {others} are others")
    with filming(address, FILM, lambda *_: None, stop=5) as taken:
        page.open(taken.address)
        if not taken.done.wait(60):
            fail("frames are missing")
        time.sleep(0.5)
        if len(taken.frames) != 5 or taken.failures:
            fail(f"after a frame was refused, {taken.frames} came, and {taken.failures}")
        page.open("about:blank")
    # The browser reports the refused frame, and that a film has no events.
    page.browser.problems[:] = [problem for problem in page.browser.problems if "409" not in problem and "/events" not in problem]


def write_picture(path: str, body: bytes) -> None:
    """Writes a frame as a portable pixmap."""
    colours = bytearray(len(body) // 4 * 3)
    for part in range(3):
        colours[part::3] = body[part::4]
    with open(path, "wb") as file:
        file.write(b"P6 %d %d 255\n" % (FILM["width"], FILM["height"]) + bytes(colours))


def check_bar_on_phone(page: Page, shots: str) -> None:
    """On a phone and in a low window, the whole bar can be used, and covers nothing."""
    for width, height, touch, name in ((390, 780, True, "phone"), (700, 450, False, "low")):
        page.resize(width, height, touch=touch)
        page.settle()
        outside = page.run("[...document.querySelectorAll('#time button, #time select')].filter((one) => {"
                           " const box = one.getBoundingClientRect();"
                           " return box.left < 0 || box.right > innerWidth || box.bottom > innerHeight; })"
                           ".map((one) => one.title)")
        if outside:
            fail(f"on a {name} screen {outside} are out of reach")
        page.run("document.getElementById('help').click()")
        bottom, top = page.run("[document.getElementById('drawer').getBoundingClientRect().bottom,"
                               " document.getElementById('time').getBoundingClientRect().top]")
        page.shoot(f"{shots}/time-{name}.png")
        if bottom > top:
            fail(f"on a {name} screen the drawer ends at {bottom}, under the bar, which begins at {top}")
        page.run("document.getElementById('help').click()")
    page.resize(1280, 800)
    page.settle()


def check_live(page: Page, at: str) -> None:
    """A new commit appears without a reload."""
    page.key("End")
    commit(at, 33, "while it is served", {"late/one.txt": "1"})
    page.wait(f"{TIME}.timeline.stateCount === 6 && {TIME}.layer.state === 5", "the new commit", 20)
    page.wait("geomapper.view.landsInView().some(({ name }) => name === 'late')", "its land", 20)


FORMAT = "%Y-%m-%dT%H:%M:%S"


def recording(binary: str, folder: str) -> List[str]:
    """The lines of a recording of a folder whose files change one after the other, two a second."""
    written = subprocess.run([binary, "map", "--format", "geojsonl", folder], check=True, capture_output=True)
    files = [json.loads(line) for line in written.stdout.splitlines()]
    lines = ['{"metadata":{"version":"1.0","recordedAt":"2026-01-05T14:30:00.000Z","name":"rehearsal",'
             '"roots":["tree"],"projection":2,"layout":"settled"},"events":[']
    events = []
    for number, feature in enumerate(one for one in files if one["properties"]["kind"] == "poi"):
        lon, lat = feature["geometry"]["coordinates"]
        stamp = time.strftime(FORMAT, time.gmtime(1767623400 + number // 2)) + f".{number % 2 * 5}00Z"
        events.append(json.dumps({
            "type": "location", "timestamp": stamp, "relativeTime": number / 2,
            "data": {"coordinate": {"latitude": lat, "longitude": lon}, "timestamp": stamp, "kind": "poi",
                     "path": feature["properties"]["path"], "size": 1,
                     "change": ["created", "modified", "deleted"][number % 3]}}))
    events.append(json.dumps({"type": "sample", "timestamp": stamp, "relativeTime": len(events) / 2,
                              "data": {"path": "tree", "files": 9, "folders": 1, "bytes": 5, "allocated": 5}}))
    return [*lines, *(event + "," for event in events[:-1]), events[-1], "]}"]


def drop(page: Page, name: str, text: str) -> None:
    """Drops a file on the map."""
    data = base64.b64encode(text.encode()).decode()
    page.run(
        f"(() => {{ const bytes = Uint8Array.from(atob('{data}'), (c) => c.charCodeAt(0));"
        f" const transfer = new DataTransfer(); transfer.items.add(new File([bytes], {json.dumps(name)}));"
        " const map = document.getElementById('map');"
        " for (const kind of ['dragover', 'drop']) map.dispatchEvent(new DragEvent(kind,"
        " { dataTransfer: transfer, bubbles: true, cancelable: true })); })()")


def check_player(page: Page, shots: str, count: int) -> None:
    """A recording is played, followed, and sought in."""
    wait_for_time(page)
    if page.run(f"{TIME}.timeline.stateCount") != count or page.run(f"{TIME}.layer.time") != 1767623400:
        fail("the recording doesn't begin at its beginning")
    page.run("document.activeElement.blur()")
    for _ in range(4):
        page.key(">")
    if page.run(f"{TIME}.bar.playback.speed") != 20:
        fail(f"four times > is {page.run(TIME + '.bar.playback.speed')}")
    page.key(" ")
    page.wait(f"{TIME}.layer.state > 2 && {TIME}.layer.lights.count > 0", "that it plays")
    page.shoot(f"{shots}/time-replay.png")
    page.wait(f"!{TIME}.bar.isRunning", "its end")
    if "sample" not in page.run("document.querySelector('#time .said').textContent"):
        fail("the last event is not told")
    page.key("Home")
    page.key(".")
    if page.run(f"[{TIME}.layer.state, {TIME}.layer.time]") != [1, 1767623400.5]:
        fail("a step doesn't lead to the next event")
    page.key("]")
    if page.run(f"{TIME}.layer.time") != 1767623410.5:
        fail("] doesn't go on by ten seconds")
    # Moving the map ends following; the button resumes it.
    if not page.run(f"{TIME}.bar.follows"):
        fail("a recording is not followed")
    page.run("document.activeElement.blur()")
    page.key("<")
    page.key("<")
    page.key(" ")
    page.mouse("mouseWheel", 600, 300, deltaX=0, deltaY=-240)
    page.wait(f"!{TIME}.bar.follows", "that moving the map ends following")
    page.run("document.querySelector('#time [aria-label^=\"Follow\"]').click()")
    if not page.run(f"{TIME}.bar.follows"):
        fail("the button doesn't resume following")
    page.run("document.activeElement.blur()")
    page.key(" ")
    page.wait(f"!{TIME}.bar.isRunning", "that it stands")


def check_recordings(page: Page, binary: str, shots: str, at: str, history: str) -> None:
    """Recordings from the server, recordings dropped on maps, and damaged ones."""
    folder = os.path.join(at, "tree")
    for number in range(40):
        os.makedirs(os.path.join(folder, f"land{number % 4}"), exist_ok=True)
        with open(os.path.join(folder, f"land{number % 4}", f"{number}.txt"), "w", encoding="utf-8") as file:
            file.write("x")
    lines = recording(binary, folder)
    text = "\n".join(lines)
    name = os.path.join(at, "rehearsal.json")
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    with serving(binary, "--replay", name, folder) as server:
        page.open(server.address)
        check_player(page, shots, len(lines) - 2)
        if page.run(f"{TIME}.layer.told !== null"):
            fail("the map has the land, and it is told")
        page.open("about:blank")
    with serving(binary, "--replay", name) as server:
        page.open(server.address)
        wait_for_time(page)
        told = page.run(f"{TIME}.layer.told?.lands.map(({{ path }}) => path)")
        if sorted(told) != [f"tree/land{n}" for n in range(4)]:
            fail(f"the events tell of {told}")
        page.shoot(f"{shots}/time-told.png")
        page.open("about:blank")
    for speed in ("60", "0.001", "1000"):
        with serving(binary, "--replay", name, "--speed", speed) as server:
            page.open(server.address)
            wait_for_time(page)
            shown = page.run(f"[{TIME}.bar.playback.speed, Number({TIME}.bar.speeds.value)]")
            if shown != [float(speed)] * 2:
                fail(f"--speed {speed} begins at {shown}")
            page.open("about:blank")
    with serving(binary, folder) as server:
        page.open(server.address)
        page.wait("globalThis.geomapper?.view.isComplete", "the map")
        if page.run("performance.getEntriesByType('resource').some(({ name }) => /time|player/.test(name))"):
            fail("a map loads what plays time lines")
        drop(page, "geo_log_2026-01-05_14-30-00.json", text)
        page.wait("globalThis.geomapper?.time", "the dropped recording")
        check_player(page, shots, len(lines) - 2)
        page.run("document.querySelector('#time [aria-label=\"Put it away\"]').click()")
        page.wait("!document.getElementById('time') && !geomapper.time", "that it is put away")
        # A truncated recording is played up to the damage, and its position is reported.
        drop(page, "cut.json", text[:text.index("\n", len(text) // 2) - 40])
        page.wait("globalThis.geomapper?.time", "what there is of a cut recording")
        whole = page.run(f"{TIME}.timeline.stateCount")
        said = page.run("document.getElementById('note').textContent")
        if not 5 < whole < len(lines) - 2 or f"line {whole + 2}" not in said or f"{whole} events before that" not in said:
            fail(f"of a recording that breaks off {whole} events are played, and it says {said!r}")
        # Another recording replaces it, and then is removed.
        drop(page, "whole.json", text)
        page.wait(f"{TIME}.timeline.stateCount === {len(lines) - 2}", "another recording")
        page.run("document.querySelector('#time [aria-label=\"Put it away\"]').click()")
        page.wait("!document.getElementById('time') && !geomapper.time", "that it is put away, too")
        drop(page, "none.json", '{"metadata":{"recordedAt":"noon","version":"1.0"},"events":[\n]}')
        page.wait("document.querySelector('#drawer .fault')?.innerText.includes('recordedAt')", "what is wrong")
        if page.run("Boolean(document.getElementById('time'))"):
            fail("what is no recording is played")
        page.open("about:blank")
    # A file with a history plays recordings, too, and returns to the history.
    page.open("file://" + quote(history))
    wait_for_time(page)
    drop(page, "rehearsal.json", text)
    page.wait(f"{TIME}?.below && {TIME}.timeline.stateCount === {len(lines) - 2}", "a recording on a history")
    page.run("document.querySelector('#time [aria-label=\"Put it away\"]').click()")
    page.wait(f"{TIME}.timeline.stateCount === 5 && document.getElementById('time')", "the history again")
    page.key(",")
    page.wait(f"{TIME}.layer.state === 3", "that it has its keys")


def main() -> None:
    binary, shots, program = page_arguments(__doc__)
    os.environ.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1")
    shots = os.path.abspath(shots)
    with tempfile.TemporaryDirectory(prefix="geomapper-time.") as at, browsing(program) as browser:
        page = browser.page()
        count = check_states(page, binary)
        snapshots = check_snapshots(page, binary, shots)
        repository = os.path.join(at, "project")
        plant(repository)
        name = os.path.join(at, "history.html")
        subprocess.run([binary, "history", "--git", repository, "--format", "html", "-o", name], check=True)
        page.open("file://" + quote(name))
        check_bar(page, shots, "project")
        check_short(page, binary, at)
        with serving(binary, "--history", "--git", repository) as server:
            page.open(server.address)
            check_bar(page, shots, "project")
            check_fingers(page, "project", shots)
            check_live(page, repository)
            check_saved_film(page, shots)
            page.open("about:blank")
            check_film(page, server.address, shots)
        check_recordings(page, binary, shots, at, name)
        browser.check()
    print(f"{count} commits and {snapshots} snapshots on the page are as they were; histories and recordings play")


if __name__ == "__main__":
    main()
