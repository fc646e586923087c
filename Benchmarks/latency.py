#!/usr/bin/env python3
"""Measures slow storage: calls that wait as on a network share, next to find and du. Linux only.

    latency.py BINARY DIR [--delays MS,MS] [--large N] [--delay MS]

`native/delay.c`, a library in front of libc, makes each call for a folder or a file wait. Measured are, on DIR: a map by
the default and by fixed numbers of threads, `stats`, `find` and `du`, for each of the delays in milliseconds; with --delay
alone jitter, one slow folder, and a folder of N files; and a server: the first picture at 20 ms a call, tiles alone
and while totals run, and when numbers of files are known.
"""

import concurrent.futures
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from typing import Dict, Iterator, List, Optional, Tuple

from figures import table
from harness import program

from outside import given
from served import Served, serving

THREADS = [2, 32, 64, 128]


def slow(milliseconds: float, **more: str) -> Dict[str, str]:
    return {**os.environ, "LD_PRELOAD": program("delay.so"), "GEOMAPPER_DELAY": str(round(milliseconds * 1000)), **more}


def timed(command: List[str], env: Dict[str, str]) -> str:
    start = time.monotonic()
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return f"{time.monotonic() - start:.2f}"


def commands(binary: str, folder: str) -> List[Tuple[str, List[str]]]:
    fixed = [(f"map, {count} threads", [binary, "map", "-q", "--threads", str(count), folder]) for count in THREADS]
    return [("map", [binary, "map", "-q", folder]), *fixed, ("stats", [binary, "stats", "-q", folder]),
            ("find", ["find", folder, "-printf", "%s %p\\n"]), ("du", ["du", folder])]


def get(served: Served, path: str) -> Tuple[float, bool]:
    """The seconds of an answer, and whether it is only a part of a tile."""
    start = time.monotonic()
    with urllib.request.urlopen(served.address + path.lstrip("/")) as answer:
        answer.read()
        return time.monotonic() - start, answer.headers.get("Geomapper-Partial") is not None


def first_picture(binary: str, folder: str, milliseconds: float) -> List[List[str]]:
    """When all tiles of the first picture show something, and when they are complete."""
    with serving(binary, folder, env=slow(milliseconds), stderr=subprocess.DEVNULL) as served:
        start = time.monotonic()
        get(served, "/")
        tiles = [f"/tiles/2/{x}/{y}.mvt?soon" for x in range(4) for y in range(4)]

        def fill(tile: str) -> Tuple[float, float]:
            _, is_partial = get(served, tile)
            first = time.monotonic() - start
            while is_partial:
                time.sleep(0.2)
                _, is_partial = get(served, tile)
            return first, time.monotonic() - start

        # A browser has six connections.
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            times = list(pool.map(fill, tiles))
    return [["first tile", f"{min(first for first, _ in times):.2f}"],
            ["all tiles, lands", f"{max(first for first, _ in times):.2f}"],
            ["all tiles, complete", f"{max(last for _, last in times):.2f}"]]


@contextlib.contextmanager
def counting(served: Served, report: List[Tuple[float, Dict[str, object]]]) -> Iterator[None]:
    start = time.monotonic()

    def count() -> None:
        with contextlib.suppress(OSError), urllib.request.urlopen(served.address + "totals") as answer:
            for line in answer:
                report.append((time.monotonic() - start, json.loads(line)))

    thread = threading.Thread(target=count)
    thread.start()
    yield
    thread.join()


def tiles_and_totals(binary: str, folder: str, milliseconds: float) -> List[List[str]]:
    """The time of tiles alone and while totals run, and the steps of totals."""
    tiles = [f"/tiles/{z}/{x}/{y}.mvt" for z in (3, 4) for x in range(2, 6) for y in range(2, 6)]
    rows = []
    report: List[Tuple[float, Dict[str, object]]] = []
    for name in ("alone", "while totals run"):
        with serving(binary, folder, env=slow(milliseconds), stderr=subprocess.DEVNULL) as served:
            with counting(served, report) if name != "alone" else contextlib.nullcontext():
                time.sleep(1)
                rows.append([f"{len(tiles)} tiles {name}", f"{sum(get(served, tile)[0] for tile in tiles):.2f}"])
    report = []
    with serving(binary, folder, env=slow(milliseconds), stderr=subprocess.DEVNULL) as served:
        with counting(served, report):
            pass
    counted: Optional[float] = next((at for at, step in report if "expected" in step), None)
    return [*rows, ["numbers of files", f"{counted:.2f}" if counted else "with sizes"],
            ["totals", f"{report[-1][0]:.2f}"]]


def main() -> None:
    options = given(__doc__, "binary", "folder", delays="0,0.2,1,5,20", delay=5.0, large=50_000)
    if not sys.platform.startswith("linux"):
        sys.exit("latency.py needs Linux")
    binary, folder = os.path.realpath(options.binary), os.path.realpath(options.folder)
    delays = [float(delay) for delay in options.delays.split(",")]
    rows = [["", *(f"{delay:g} ms" for delay in delays)]]
    for name, command in commands(binary, folder):
        # With few threads the others take many minutes.
        is_quick = name in ("map", "map, 64 threads", "map, 128 threads", "stats")
        rows.append([name, *(timed(command, slow(delay)) if delay <= 1 or is_quick else "" for delay in delays)])
    print(table(rows), end="\n\n")

    delay = options.delay
    rows = [[f"at {delay:g} ms a call", "s"],
            ["map with jitter", timed([binary, "map", "-q", folder], slow(delay, GEOMAPPER_JITTER="1"))]]
    with tempfile.TemporaryDirectory(dir=os.path.dirname(folder)) as scratch:
        for name in ["large/slow", *(f"mixed/{number}" for number in range(200)), "mixed/slow"]:
            os.makedirs(os.path.join(scratch, name))
            for file in range(options.large if name == "large/slow" else 50):
                os.close(os.open(os.path.join(scratch, name, str(file)), os.O_CREAT | os.O_WRONLY))
        rows.append([f"map of {options.large:,} files in one folder",
                     timed([binary, "map", "-q", f"{scratch}/large"], slow(delay))])
        rows.append(["map of 201 folders, one of them slow",
                     timed([binary, "map", "-q", f"{scratch}/mixed"], slow(delay, GEOMAPPER_DELAY_IN="slow"))])
    rows += tiles_and_totals(binary, folder, delay)
    print(table(rows), end="\n\n")
    print(table([["first picture at 20 ms a call", "s"], *first_picture(binary, folder, 20)]))


if __name__ == "__main__":
    main()
