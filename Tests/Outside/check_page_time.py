"""Plays histories on the page in a headless browser.

    check_page_time.py GEOMAPPER [--pictures FOLDER]

For each commit of a repository, the page is compared with `git ls-tree`, as a file and from the server, which has
to follow new commits. For snapshots, the page is compared with the folders they were taken of. The bar is played,
paused, dragged and stepped through, by mouse, keys and fingers. The address has to contain the moment. Search,
filter view and panel have to show the files of that moment, with their sizes.
"""

import json
import os
import random
import shutil
import tempfile
from pathlib import Path
from typing import Dict, Iterator, List, Set, Tuple

import check_history
from browser import PLACE, Page, driving
from outside import Repository, fail, put, run, same
from served import serving

TIME = "geomapper.time"
SAID = "document.querySelector('#time .said').textContent"
DAY = 86400
START = 1_700_000_000 // DAY * DAY


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
    files = files_at(known)
    same(f"the files of {what}", shown_at(page, number), files)
    folders = page.run(f"[...{TIME}.timeline.folders].filter(([, node]) => {TIME}.timeline.presence(node, {number}) === 1)"
                       ".map(([path]) => path)")
    same(f"the folders of {what}", {path.partition("/")[2] for path in folders} - {""}, folders_at(known))
    sizes = [size for (_, is_folder), size in known.items() if not is_folder]
    page.expect(f"files and bytes of {what}", f"(({{ files, bytes }}) => [files, bytes])({TIME}.timeline.sumsOf(0, {number}))",
                [len(sizes), sum(sizes)])


def show_history(page: Page, address: str) -> None:
    """Opens a page with a time line, and waits until everything is shown."""
    page.open(address)
    wait_for_time(page)


def wait_for_time(page: Page) -> None:
    """Waits for the time line and a whole picture."""
    page.wait("globalThis.geomapper?.time && geomapper.view.isComplete", "the time line")
    page.settle()


def written(binary: str, name: str, *words: object) -> str:
    """The address of a page in one file with a history."""
    run(binary, "history", "--format", "html", "-o", name, *words)
    return Path(name).absolute().as_uri()


def histories(page: Page, binary: str, seeds: range) -> Iterator[Tuple[str, check_history.Log, List[check_history.State]]]:
    """Opens the histories of made repositories one by one: each with its path, its commits, and their nodes."""
    for seed in seeds:
        with check_history.repository(seed) as (work, log, states):
            page.open(written(binary, f"{work}/history.html", "--git", "."))
            page.wait("globalThis.geomapper?.time", "the time line")
            yield f"{work}/repo", log, states


def check_states(page: Page, binary: str) -> int:
    """Checks the page at each commit of made repositories; returns the number of commits."""
    count = 0
    for _, log, states in histories(page, binary, range(100, 104)):
        page.expect("the number of commits", f"{TIME}.timeline.stateCount", len(log))
        for number, (revision, when, author) in enumerate(log):
            check_state(page, number, states[number], f"commit {number} of {len(log)}")
            page.expect(f"commit {number}", f"[{TIME}.timeline.times[{number}], {TIME}.timeline.words[{number}][0],"
                        f" {TIME}.timeline.authors[{TIME}.timeline.stateAuthors[{number}]]]", [when, revision, author])
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
    def make(path: bytes, size: int) -> None:
        put(os.fsdecode(os.path.dirname(path)), {os.fsdecode(os.path.basename(path)): size})

    known = folder_state(root)
    for path, is_folder in chance.sample(sorted(known), min(3, len(known))):
        at = os.path.join(root, path)
        if not os.path.lexists(at):
            continue
        deed = chance.randrange(4)
        if deed in (0, 2):
            shutil.rmtree(at) if is_folder else os.remove(at)
        if deed == 1:
            os.rename(at, at + b"~%d" % chance.randrange(100))
        elif deed == 2:
            make(at if is_folder else os.path.join(at, b"inner \xff<"), chance.randrange(9))
        elif deed == 3 and not is_folder:
            make(at, os.lstat(at).st_size + 1 + chance.randrange(9))
    for _ in range(3):
        names = [b"land%d" % chance.randrange(3) for _ in range(chance.randrange(3))]
        try:
            make(os.path.join(root, *names, b"file%d" % chance.randrange(6)), chance.randrange(99))
        except (IsADirectoryError, NotADirectoryError, FileExistsError):
            pass


def check_snapshots(page: Page, binary: str, shots: str) -> int:
    """Checks the page of several snapshots against their folders; returns the number of snapshots."""
    count = 0
    for seed in range(4):
        chance = random.Random(200 + seed)
        with tempfile.TemporaryDirectory(prefix="geomapper-time.") as work:
            root = os.path.join(work, "tree")
            os.mkdir(root)
            states, given = [], []
            for number in range(chance.randrange(2, 6)):
                change_folder(chance, os.fsencode(root))
                states.append(folder_state(os.fsencode(root)))
                given.append(f"day {number}={work}/{number}.geosnap")
                run(binary, "snapshot", "-q", "-o", f"{work}/{number}.geosnap", root)
            page.open(written(binary, f"{work}/history.html", *given))
            check_snapshot_page(page, states, seed)
            if seed == 0:
                page.shoot(f"{shots}/time-snapshots.png")
            with serving(binary, "--history", *given) as server:
                page.open(server.address)
                check_snapshot_page(page, states, seed)
                page.leave()
            count += len(states)
    return count


def check_snapshot_page(page: Page, states: List[check_history.State], seed: int) -> None:
    """Checks the states of a page of snapshots, which have no authors."""
    wait_for_time(page)
    page.expect("the number of snapshots", f"{TIME}.timeline.stateCount", len(states))
    for number, known in enumerate(states):
        check_state(page, number, known, f"seed {seed}, snapshot {number}")
        go(page, number)
        page.check("what the line says", f"{SAID}.startsWith('day {number} · ') && !{SAID}.includes('undefined')", SAID)
    page.check("no button for authors", "!document.querySelector('#time button[aria-label^=\"Authors\"]')")
    page.run("document.activeElement.blur()")
    page.key("a")
    page.expect("authors on the map", f"{TIME}.layer.scene.people.shown.size", 0)
    # A folder missing at the end is a ruin, and is labelled as such.
    for path in sorted(folders_at(states[0]) - folders_at(states[-1]))[:1]:
        page.select(f"day {len(states) - 1}/{path}", False)
        page.says("#panel .moment", "Gone since")


def plant(at: str) -> Repository:
    """Makes lands that come, change and go, a day or more from one commit to the next."""
    made = Repository(at)
    for day, message, files in (
            (0, "begin", {f"old/{n}.c": n + 1 for n in range(30)}),
            (1, "a </script> of \"words\"", {f"new/part{n}/{m}.txt": "y" for n in range(3) for m in range(12)}),
            (2, "change", {"new/part1/3.txt": "z", "old/7.c": "changed"}),
            (30, "the old one goes", {f"old/{n}.c": None for n in range(30)}),
            (31, "last", {"new/part2/last.txt": "1", "new/part2/kept.cxx": "1"})):
        made.commit(START + day * DAY, message, files)
    return made


def go(page: Page, number: int, later: float = 0) -> None:
    """Moves the bar to a state, or to some seconds after it."""
    page.run(f"{TIME}.bar.go({TIME}.timeline.times[{number}] + {later}, {number})")


def wait_for_state(page: Page, number: int) -> None:
    """Waits until the bar is at a state."""
    page.wait(f"{TIME}.layer.state === {number}", f"state {number}")


def far(a: List[int], b: List[int]) -> int:
    """The distance between two colours."""
    return max(abs(x - y) for x, y in zip(a, b))


def check_bar(page: Page, shots: str, name: str) -> None:
    """The bar, by mouse and by keys."""
    wait_for_time(page)
    page.expect("where a history begins", f"[{TIME}.layer.state, {TIME}.bar.isRunning]", [4, False])
    page.says("#time .said", "last")
    # Steps by revision, and the announcement.
    for number in (3, 2, 1):
        page.key(",")
        wait_for_state(page, number)
    page.says("#time .said", 'a </script> of "words"', "Ann")
    page.key(".")
    wait_for_state(page, 2)
    moment = page.run(f"{TIME}.layer.time")
    for key, later in (("[", -DAY), ("}", 6 * DAY)):
        page.key(key)
        page.expect(f"where {key} leads", f"{TIME}.layer.time", moment + later)
    # The address has the moment, and restores it.
    page.wait("location.hash.includes('at=')", "the moment in the address")
    page.wait(f"decodeURIComponent(location.hash).includes(new Date({TIME}.layer.time * 1000).toISOString().slice(0, 10))",
              "the very moment in the address")
    address = page.run("location.href")
    page.key("Home")
    page.expect("the state that Home leads to", f"{TIME}.layer.state", 0)
    show_history(page, address)
    page.expect("the moment of the address", f"{TIME}.layer.time", moment + 6 * DAY)
    check_lands(page, shots, name)
    check_questions(page)
    check_panel(page, shots, name)
    check_caption(page)
    check_play(page, shots)


def check_lands(page: Page, shots: str, name: str) -> None:
    """Future land is shallow water, former land a ruin that fades to shallow water, present land is land."""
    old, new = f"{name}/old", f"{name}/new"

    def land_at(path: str) -> str:
        return str(page.run("geomapper.view.landIn({}, {})?.path".format(*page.screen_of(path))))

    page.run(f"{TIME}.bar.setSpeed(3600)")
    colours = {}
    for number in (0, 2, 4):
        go(page, number, DAY // 2)  # by then no light is left
        page.settle()
        page.run("geomapper.view.labels.placed = []; geomapper.view.draw(performance.now())")
        colours[number] = [page.pixel(*page.screen_of(path), 1) for path in (old, new)]
        page.shoot(f"{shots}/time-{number}.png")
    shelf = page.run("geomapper.page.palette.theme.shelf")
    shelf = [int(shelf[i:i + 2], 16) for i in (1, 3, 5)]
    if far(colours[0][1], shelf) > 12 or far(colours[4][0], shelf) > 12:
        fail(f"what is not there yet, or went long ago, is not shallow water: {colours}, {shelf}")
    if far(colours[2][1], shelf) < 20 or far(colours[0][0], shelf) < 20:
        fail(f"what is there is not seen: {colours}, {shelf}")
    same("the land where land went long ago", land_at(old), name)
    # For a while it is a ruin, which is found.
    go(page, 3, 0.5)
    page.settle()
    ruin = page.pixel(*page.screen_of(old), 1)
    if far(ruin, shelf) < 12:
        fail(f"what went is no ruin: {ruin}")
    same("the land of a ruin", land_at(old), old)
    page.shoot(f"{shots}/time-ruin.png")
    go(page, 0)
    same("the land that isn't there yet", land_at(new), name)
    page.wait(f"!geomapper.view.labels.placed.some(({{ key }}) => key.startsWith({new!r}))",
              "that nothing is named that isn't there yet")


def check_questions(page: Page) -> None:
    """Search and filter view use the files of the moment."""
    # The last file is not among the best of all times.
    for number, word, limit, wanted in (
            (0, "27.c", 50, 1), (4, "27.c", 50, 0), (0, "last", 50, 0), (4, "last", 50, 1), (4, ".c", 5, 1)):
        go(page, number)
        page.expect(f"what a search for {word} finds in state {number}",
                    f"(async () => {{ const all = []; await geomapper.page.source.search({word!r}, {limit},"
                    " new AbortController().signal, (one) => all.push(one.path)); return all.length; })()", wanted)
    page.key("l")
    page.wait("geomapper.table.isOpen", "the filter view")
    page.run("geomapper.table.search({ name: '*.c' })")
    page.wait("geomapper.table.isDone && geomapper.table.files === 0", "that there is no *.c at the end")
    go(page, 1)
    page.wait("geomapper.table.isDone && geomapper.table.files === 30", "the *.c of then")
    page.key("Escape")
    page.wait("!geomapper.table.isOpen", "no filter view")


def check_panel(page: Page, shots: str, name: str) -> None:
    """The panel shows sizes and contents of the moment, and the state they are from."""
    def at(number: int, what: str, wanted: str) -> None:
        go(page, number)
        page.wait(f"document.getElementById('panel').innerText.includes({json.dumps(what)})"
                  f" && document.querySelector('#panel .moment').innerText.includes({json.dumps(wanted)})",
                  f"in state {number} {what!r} and {wanted!r}")

    go(page, 0)
    page.select(f"{name}/old/7.c", False)
    page.says("#panel .moment", "As it came 2023-11-14")
    at(0, "8 bytes", "As it came")
    at(1, "8 bytes", "As it came")
    at(2, "7 bytes", "As changed 2023-11-16")
    at(3, "7 bytes", "Gone since 2023-12-14")
    page.shoot(f"{shots}/time-panel.png")
    page.run("[...document.querySelectorAll('#panel .moment .crumb')].at(-1).click()")
    wait_for_state(page, 2)
    page.select(f"{name}/new/part2/last.txt", False)
    page.says("#panel .moment", "Not there yet: it comes 2023-12-15")
    page.select(name, False)
    at(0, "30\nfiles in all", "There")
    at(2, "66\nfiles in all", "There")
    at(4, "38\nfiles in all", "There")
    page.select(f"{name}/old", False)
    at(4, "30\nfiles in all", "Gone since")
    at(0, "30\nfiles in all", "There")
    page.expect("the bytes of then", "geomapper.selected.totals.bytes", sum(range(1, 31)))
    page.expect("a file of then", "(({ size, newest }) => [size, newest])"
                "(geomapper.selected.children.shown.find(({ name }) => name === '29.c'))", [30, START])
    page.select(f"{name}/new", False)
    at(0, "0 + 0", "Not there yet")
    at(1, "36\nfiles in all", "There")
    page.deselect()


def check_lights(page: Page) -> None:
    """A change is highlighted for the chosen time, then it has faded."""
    # Three days are three seconds of play.
    page.run(f"{TIME}.bar.setSpeed({DAY}); {TIME}.bar.toggle('quickens'); {TIME}.bar.go({TIME}.timeline.times[2] + {3 * DAY})")
    for glow, is_lit in ((1.6, False), (5, True), (1.6, False), (60, True)):
        page.choose("#time [aria-label^='How long']", glow)
        page.wait(f"({TIME}.layer.lights.count > 0) === {str(is_lit).lower()}", f"light after three seconds, lit for {glow} s")
    page.choose("#time [aria-label^='How long']", 1.6)
    page.run(f"{TIME}.bar.toggle('quickens')")


def check_caption(page: Page) -> None:
    """The caption has date, counters, subject and author of the moment."""
    for number, wanted in (
            (0, ["14 November 2023", "30 files · 465 bytes · 1 commit", "begin", "Ann"]),
            (1, ["15 November 2023", "66 files · 501 bytes · 2 commits", 'a </script> of "words"', "Ann"]),
            (4, ["15 December 2023", "38 files · 38 bytes · 5 commits", "last", "Ann"])):
        go(page, number)
        page.expect(f"the caption of state {number}",
                    "[...document.querySelectorAll('#moment p')].map((line) => line.textContent)", wanted)


def check_keys(page: Page) -> None:
    """Without a mouse, Tab reaches the bar, arrows move it, and screen readers announce the moment."""
    page.focus("#time .player")
    for _ in range(12):
        page.key("Tab")
        if page.run("document.activeElement === document.querySelector('#time .track')"):
            break
    else:
        fail("Tab doesn't lead to the bar")
    page.key("Home")
    page.key("ArrowRight")
    wait_for_state(page, 1)
    page.expect("what the bar says", "document.querySelector('#time .track').getAttribute('aria-valuetext')", "2023-11-15 00:00")
    page.check("the message is announced", "document.getElementById('spoken').textContent.includes('words')")
    page.key("PageUp")
    page.wait(f"{TIME}.layer.time === {START + 2 * DAY}", "a day on")
    page.key("ArrowLeft")
    wait_for_state(page, 1)
    page.run("document.activeElement.blur()")


def place_on_bar(page: Page, part: float) -> Tuple[float, float]:
    """The position of a part of the bar on the screen."""
    left, top, right, _ = page.box("#time .track")
    return left + (right - left) * part, top + 20


def expect_part(page: Page, what: str, wanted: float, tolerance: float) -> None:
    """Checks the part of the time line at which the moment is."""
    part = page.run(f"({TIME}.layer.time - {TIME}.timeline.start) / ({TIME}.timeline.end - {TIME}.timeline.start)")
    if abs(part - wanted) > tolerance:
        fail(f"{what} it is at {part}, not {wanted}")


def check_play(page: Page, shots: str) -> None:
    """Play, drag, speed, authors."""
    page.run("document.activeElement.blur()")
    page.key("Home")
    page.run(f"{TIME}.bar.setSpeed(86400)")
    page.key(" ")
    page.wait(f"{TIME}.bar.isRunning && {TIME}.layer.state >= 1", "that it plays")
    page.wait(f"{TIME}.layer.lights.count > 0", "light on what changes")
    page.shoot(f"{shots}/time-play.png")
    if page.wait(f"!{TIME}.bar.isRunning", "the end") > 12:
        fail("four quiet weeks are as slow as others")
    page.check("it ends at the end", f"{TIME}.layer.time === {TIME}.timeline.end")
    # Dragging seeks.
    page.drag(*place_on_bar(page, 0.9), place_on_bar(page, 0.2))
    expect_part(page, "dragged to a fifth", 0.2, 0.01)
    # Authors, who are shown unless they are switched off, and the legend; slower.
    page.run(f"{TIME}.bar.setSpeed(3600)")
    go(page, 2)
    page.wait(f"{TIME}.layer.scene.people.shown.size === 1", "the author on the map")
    page.wait(r"/added.*removed.*Ann\s*3/s.test(document.querySelector('#time .key').innerText)", "the legend")
    page.key("a")
    page.wait(f"{TIME}.layer.scene.people.shown.size === 0", "no author")
    page.key("a")
    page.wait(f"[...{TIME}.layer.scene.names.paths].some((path) => path.endsWith('/old/7.c'))", "the name of what changed")
    page.settle()
    speed = page.run(f"{TIME}.bar.playback.speed")
    page.key("<")
    page.check("< is slower", f"{TIME}.bar.playback.speed < {speed}")


def check_following(page: Page) -> None:
    """The camera follows the play from the whole to the whole, and leaves the map to who moves it."""
    page.run(f"document.activeElement.blur(); {TIME}.bar.setSpeed({4 * DAY}); {TIME}.bar.follows || {TIME}.bar.toggle('follows');"
             f" {TIME}.bar.go({TIME}.timeline.start); geomapper.view.camera.fly({{ x: 0.4, y: 0.4, z: 3 }}, true)")
    page.key(" ")
    page.wait(f"!{TIME}.bar.isRunning", "the end")
    page.check("in the end the camera shows the whole", f"(({{ x, y, z }}) => {PLACE}.every((v, i) =>"
               " Math.abs(v - [x, y, z][i]) < 1e-9))(geomapper.page.whole())", PLACE)
    page.key(" ")
    page.wait(f"{TIME}.bar.isRunning && {TIME}.bar.follower.last", "that it plays again")
    page.run("geomapper.view.camera.fly({ x: 0.5, y: 0.5, z: 2 }, false)")
    page.wait(f"!{TIME}.bar.follows", "that a flight ends following")
    page.key(" ")


def check_loop(page: Page) -> None:
    """After its end, a loop begins again."""
    page.run("document.querySelector('#time [aria-label^=\"Again\"]').click(); document.activeElement.blur()")
    page.key("End")
    page.run(f"{TIME}.bar.setSpeed(86400 * 7)")
    page.key(" ")
    page.wait(f"{TIME}.layer.state === 4", "the end again")
    page.wait(f"{TIME}.bar.isRunning && {TIME}.layer.state < 3", "the beginning after the end")
    page.key(" ")
    page.wait(f"!{TIME}.bar.isRunning", "that it stands")


def check_bar_on_phone(page: Page, shots: str) -> None:
    """On a phone and in a low window, the whole bar can be used, and covers nothing."""
    for width, height, touch, name in ((390, 780, True, "phone"), (700, 450, False, "low")):
        page.resize(width, height, touch=touch)
        page.settle()
        page.check_edges("#time button, #time select")
        page.check(f"the bar ends in the {name} window", "[...document.querySelectorAll('#time button, #time select')]"
                   ".every((one) => one.getBoundingClientRect().bottom <= innerHeight)")
        page.press("#help")
        page.shoot(f"{shots}/time-{name}.png")
        bottom, top = page.box("#drawer")[3], page.box("#time")[1]
        if bottom > top:
            fail(f"on a {name} screen the drawer ends at {bottom}, under the bar, which begins at {top}")
        page.press("#help")
    page.resize(1280, 800)
    page.settle()


def check_short(page: Page, binary: str, at: str) -> None:
    """A history of seconds is labelled in seconds, and its playback takes longer than a moment."""
    repository = Repository(f"{at}/short")
    for number, seconds in enumerate((0, 5, 20)):
        repository.commit(START + seconds, f"{number}", {f"file{number}": "x"})
    show_history(page, written(binary, f"{at}/short.html", "--git", repository.at))
    page.expect("the speed of twenty seconds", f"{TIME}.bar.playback.speed", 1)
    page.key(",")
    shown = "document.querySelector('#time .moment').textContent"
    page.check("five seconds after midnight", f"{shown}.endsWith(' 00:00:05') && {TIME}.layer.state === 1", shown)
    # The path of folders has the number of files at the moment, whatever the map does.
    where = "document.getElementById('crumbs').innerText.trim()"
    page.wait(f"{where} === 'short 2 files'", "the files of the moment before")
    page.key("Home")
    page.wait(f"{where} === 'short 1 file'", "the file of the first moment")
    page.key("x")
    page.key("End")
    page.wait(f"{shown}.endsWith(' 00:00:20')", "two moments, in seconds")
    # Files from before a partial history don't change at its beginning.
    show_history(page, written(binary, f"{at}/part.html", "--git", repository.at, "--since", f"@{START + 7}"))
    page.key("Home")
    page.expect("what a part of a history begins with", SAID, "what was there already")
    page.select("short/file0", False)
    page.says("#panel .moment", "There by")
    # A link that was cut off shows the history.
    show_history(page, f"{page.run('location.href.split(`#`)[0]')}#1/0/0&at=2023-11%3")


def check_fingers(page: Page, name: str, shots: str) -> None:
    """By touch, on a small screen: the bar covers nothing, and dragging seeks."""
    page.resize(390, 780, touch=True)
    go(page, 2)
    page.select(f"{name}/new", False)
    page.settle()
    page.shoot(f"{shots}/time-fingers.png")
    bar, panel = page.box("#time"), page.box("#panel")
    if panel[3] > bar[1] + 1 or panel[3] - panel[1] < 150:
        fail(f"the panel {panel} is under the bar {bar}")
    if bar[0] < 0 or bar[2] > 390 or bar[3] > 780 or bar[3] - bar[1] > 190:
        fail(f"the bar is {bar}")
    page.expect("beyond the edge", "[...document.querySelectorAll('#time *')].filter((e) =>"
                " e.getBoundingClientRect().right > 391 && e.className !== 'handle').map((e) => e.className)", [])
    page.touch(*([place_on_bar(page, part)] for part in (0.5, 0.4, 0.1)))
    expect_part(page, "with a finger at a tenth", 0.1, 0.02)
    page.press("#panel [aria-label=Close]")
    page.resize(1280, 800)
    page.settle()


def check_live(page: Page, repository: Repository) -> None:
    """A new commit appears without a reload."""
    page.key("End")
    repository.commit(START + 33 * DAY, "while it is served", {"late/one.txt": "1"})
    page.wait(f"{TIME}.timeline.stateCount === 6 && {TIME}.layer.state === 5", "the new commit", 20)
    page.wait("geomapper.view.landsInView().some(({ name }) => name === 'late')", "its land", 20)


def main() -> None:
    with driving(__doc__) as (binary, shots, browser, at):
        page = browser.page()
        count = check_states(page, binary)
        snapshots = check_snapshots(page, binary, shots)
        repository = plant(f"{at}/project")
        page.open(written(binary, f"{at}/history.html", "--git", repository.at))
        check_bar(page, shots, "project")
        check_short(page, binary, at)
        with serving(binary, "--history", "--git", repository.at) as server:
            page.open(server.address)
            check_bar(page, shots, "project")
            check_lights(page)
            check_keys(page)
            check_following(page)
            check_loop(page)
            check_bar_on_phone(page, shots)
            check_fingers(page, "project", shots)
            check_live(page, repository)
            page.leave()
    print(f"{count} commits and {snapshots} snapshots on the page are as they were; histories play")


if __name__ == "__main__":
    main()
