#!/usr/bin/env python3
"""Checks slow storage: folders that never answer, --give-up, interrupts, and tiles before their metadata. Linux only.

    check_slow.py GEOMAPPER

A library in front of libc (Benchmarks/native/delay.c) delays calls for folders.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from typing import Dict, Iterator, List

from browser import browsing, find_browser
from outside import fail, given, put, run, same, skip
from served import PATIENCE, Served, serving

SOURCE = os.path.join(os.path.dirname(__file__), os.pardir, os.pardir, "Benchmarks", "native", "delay.c")
TILES = [f"/tiles/2/{x}/{y}.mvt" for x in range(4) for y in range(4)]


def plant(root: str) -> None:
    """Folders in folders; `dead` doesn't answer."""
    for name in ("good", "dead", "other"):
        put(root, {f"{name}/{number}/file {file}": file for number in range(6) for file in range(5)})


def slow(library: str, delay: object, folder: str = "") -> Dict[str, str]:
    """The environment of a program with delays."""
    found = {**os.environ, "LD_PRELOAD": library, "GEOMAPPER_DELAY": str(delay)}
    return {**found, "GEOMAPPER_DELAY_IN": folder} if folder else found


def check_give_up(binary: str, root: str, dead: Dict[str, str]) -> None:
    """Folders that don't answer are unreadable, and all others are there."""
    for command in (["map"], ["stats"], ["find", "file 1"]):
        result = subprocess.run([binary, *command, "--give-up", "1s", root], env=dead, capture_output=True, check=False,
                                timeout=PATIENCE)
        same(f"status of {command[0]}", result.returncode, 1)
        named = b"could not be searched" if command[0] == "find" else b"tree/dead: no answer within 1 s"
        if named not in result.stderr:
            fail(f"{command[0]}: {result.stderr!r}")
        if b"good" not in result.stdout or b"other" not in result.stdout:
            fail(f"{command[0]} lacks folders that answer")
    fast = run(binary, "map", root)
    same("a map with patience", run(binary, "map", "--give-up", "1h", root), fast)
    same("a map with patience, five at once", run(binary, "map", "--give-up", "1h", "--threads", "5", root), fast)


def check_roots(binary: str, root: str, dead: Dict[str, str]) -> None:
    """A root that doesn't answer ends each command in time, with a clear error."""
    path = os.path.join(root, "dead")
    commands: List[List[str]] = [
        ["map"], ["serve"], ["stats"], ["snapshot", "-o", "/dev/null"], ["find", "file 1"], ["draw", "-o", "/dev/null"],
        ["diff", root], ["locate", "--root", root], ["keep"]]
    for command in commands:
        result = subprocess.run([binary, *command, "--give-up", "1s", path], env=dead, capture_output=True, check=False,
                                timeout=PATIENCE)
        same(f"status of {command[0]} of a dead root", result.returncode, 2)
        if f"'{path}': no answer within 1 s".encode() not in result.stderr:
            fail(f"{command[0]}: {result.stderr!r}")
    with subprocess.Popen([binary, "map", path], env=dead) as process:
        time.sleep(1)
        same("a map of a dead root", process.poll(), None)
        process.send_signal(signal.SIGINT)
        same("status of a dead root after Ctrl-C", process.wait(PATIENCE), -signal.SIGINT)


def check_progress(binary: str, root: str, dead: Dict[str, str]) -> None:
    """Progress and totals say which folder doesn't answer, and for how long."""
    for threads in ([], ["--threads", "1"]):
        with subprocess.Popen([binary, "map", *threads, "--progress", "always", "-o", "/dev/null", root], env=dead,
                              stderr=subprocess.PIPE) as process:
            assert process.stderr
            for line in process.stderr:
                if b"no answer from tree/dead for " in line:
                    break
            else:
                fail("progress doesn't say which folder hangs")
            process.kill()
    with serving(binary, root, env=dead) as served, urllib.request.urlopen(served.address + "totals") as answer:
        for line in answer:
            step = json.loads(line)
            if "waiting" in step:
                same("the folder that hangs", step["waiting"], "tree/dead")
                if step["seconds"] < 5:
                    fail(f"it is named after {step['seconds']} s")
                break


def check_end(binary: str, root: str, slowly: Dict[str, str], store: str) -> None:
    """Progress shows what is known, and the end by the last kept state."""
    environment = {**slowly, "HOME": store, "XDG_DATA_HOME": store}
    shown = subprocess.run([binary, "stats", "--progress", "always", root], env=environment, capture_output=True,
                           check=False, timeout=PATIENCE).stderr
    if not re.search(rb"at least [0-9]+ files?, [0-9]+ of [0-9]+ known folders read, ", shown):
        fail(f"progress doesn't say what is known: {shown!r}")
    run(binary, "keep", "-q", root, env={**environment, "GEOMAPPER_DELAY": "0"})
    for command in (["map"], ["stats"], ["snapshot", "-o", "/dev/null"]):
        shown = subprocess.run([binary, *command, "--progress", "always", root], env=environment, capture_output=True,
                               check=False, timeout=PATIENCE).stderr
        if not re.search(rb" [0-9]+ %, .*about, by the state of [0-9-]+T", shown):
            fail(f"progress of {command[0]} has no end: {shown!r}")


def check_interrupt(binary: str, root: str, dead: Dict[str, str]) -> None:
    """Ctrl-C ends at once, and leaves no file."""
    with tempfile.TemporaryDirectory() as folder:
        with subprocess.Popen([binary, "map", "-o", os.path.join(folder, "map.geojson"), root], env=dead) as process:
            while not os.listdir(folder):
                time.sleep(0.02)
            time.sleep(0.3)
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            same("status after Ctrl-C", process.wait(PATIENCE), -signal.SIGINT)
            if time.monotonic() - start > 1:
                fail("Ctrl-C takes long")
        same("files after Ctrl-C", os.listdir(folder), [])


def whole(served: Served) -> List[bytes]:
    """The bodies of all tiles, once they are complete."""
    return [served.get(tile).body for tile in TILES]


def is_partial(served: Served, tile: str) -> bool:
    """Whether the page gets only a part of a tile now."""
    return "geomapper-partial" in served.get(tile + "?soon").fields


@contextlib.contextmanager
def timed(what: str, limit: float) -> Iterator[None]:
    """Fails if the block takes long."""
    start = time.monotonic()
    yield
    taken = time.monotonic() - start
    if taken > limit:
        fail(f"{what} takes {taken:.1f} s")


def check_tiles(binary: str, root: str, library: str) -> None:
    """A page gets tiles at once, then complete ones, and no tile waits for a folder that it doesn't show."""
    with serving(binary, root) as served:
        expected = whole(served)
        same("partial tiles of a fast disk", [tile for tile in TILES if is_partial(served, tile)], [])
    with serving(binary, root, env=slow(library, 100_000)) as served:
        with timed("a picture", 16 * 0.6):
            parts = [tile for tile in TILES if is_partial(served, tile)]
        if not parts:
            fail("tiles wait for a disk of 100 ms")
        same("tiles of a slow disk", whole(served), expected)
        same("partial tiles at last", [tile for tile in TILES if is_partial(served, tile)], [])
    with serving(binary, root, env=slow(library, "forever", "dead")) as served:
        with timed("a picture with a folder that hangs", 16 * 0.6):
            parts = [tile for tile in TILES if is_partial(served, tile)]
        time.sleep(0.5)
        parts = [tile for tile in TILES if is_partial(served, tile)]
        if not 0 < len(parts) < len(TILES):
            fail(f"{len(parts)} tiles wait for a folder that hangs")
    with serving(binary, "--give-up", "1s", root, env=slow(library, "forever", "dead")) as served:
        whole(served)


def check_page(binary: str, root: str, library: str) -> None:
    """The page draws lands first, and fills them in."""
    program = find_browser()
    if not program:
        return
    with serving(binary, root, env=slow(library, 50_000)) as served, browsing(program) as browser:
        page = browser.page()
        page.open(served.address)
        tiles = "[...(globalThis.geomapper?.view.tiles.all.values() ?? [])]"
        page.wait(f"{tiles}.some((tile) => tile.data?.land.length > 0 && tile.tries > 0)", "lands before the rest", 30)
        page.wait(f"{tiles}.length > 0 && {tiles}.every((tile) => tile.data && !tile.tries)", "complete tiles", 60)
        page.wait("geomapper.view.isComplete", "the picture", 30)


def main() -> None:
    options = given(__doc__, "binary")
    if not sys.platform.startswith("linux") or not shutil.which("cc"):
        skip("it needs Linux and a C compiler")
    with tempfile.TemporaryDirectory() as folder:
        library, root = os.path.join(folder, "delay.so"), os.path.join(folder, "tree")
        run("cc", "-std=c11", "-O2", "-fPIC", "-shared", SOURCE, "-o", library, "-ldl")
        plant(root)
        dead = slow(library, "forever", "dead")
        check_give_up(options.binary, root, dead)
        check_roots(options.binary, root, dead)
        check_progress(options.binary, root, dead)
        check_end(options.binary, root, slow(library, 200_000), os.path.join(folder, "store"))
        check_interrupt(options.binary, root, dead)
        check_tiles(options.binary, root, library)
        check_page(options.binary, root, library)
    print("folders that don't answer stop no others, and tiles come before their metadata")


if __name__ == "__main__":
    main()
