#!/usr/bin/env python3
"""Measures questions to a large snapshot, the start of the program included.

    Benchmarks/snapshots.py GEOMAPPER FOLDER [ENTRIES]

Makes a list of ENTRIES made-up files (10 million if not given) in FOLDER, has a snapshot made of it, and
asks that for a place, for what is at a place, and for the first tiles of the page; told are the least and
the median time, and the most memory. FOLDER keeps the snapshot for another run.
"""

import os
import random
import statistics
import subprocess
import sys
import time
from typing import Callable, List, Tuple

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "Tests", "Outside"))

# pylint: disable=wrong-import-position
from served import serving  # noqa: E402

TIMES = 25
FOLDERS = 6  # of a hundred entries one and a half is a folder of its own


def write_list(path: str, entries: int) -> List[str]:
    """Writes made-up paths in an order of their own; returns some of them."""
    dice = random.Random(1)
    folders = ["."]
    some: List[str] = []
    with open(path, "w", encoding="utf-8") as file:
        left = entries
        while left > 0:
            # Some folders have many sub-folders, most have few; none is deeper than a dozen levels.
            parent = folders[int(len(folders) * dice.random() ** 1.5)]
            if parent.count("/") > 11:
                continue
            folder = f"{parent}/{dice.choice('abcdefgh')}{len(folders)}"
            folders.append(folder)
            for number in range(min(left, int(dice.paretovariate(1.2) * FOLDERS))):
                name = f"{folder}/file-{number}.{dice.choice(['txt', 'c', 'png', 'log'])}"
                file.write(name + "\n")
                left -= 1
                if left % 200_003 == 0:
                    some.append(name)
    return some


def timed(command: List[str]) -> Tuple[float, float]:
    """The seconds that a command takes, and its most memory in MiB, as GNU time has it."""
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    seconds = time.perf_counter() - start
    # What wait tells of a child of this process counts this process's own memory.
    told = subprocess.run(["time", "-f", "%M", *command], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, check=True)
    return seconds, int(told.stderr.split()[-1]) / 1024


def first_tile(binary: str, snapshot: str) -> Tuple[float, float]:
    """The same of a server until it has given its first tile."""
    start = time.perf_counter()
    with serving(binary, snapshot) as server:
        if server.get("/tiles/0/0/0.mvt").status != 200:
            sys.exit("there is no first tile")
        seconds = time.perf_counter() - start
        with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
            peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    return seconds, peak / 1024


def tell(what: str, measure: Callable[[int], Tuple[float, float]]) -> None:
    measured = [measure(number) for number in range(TIMES)]
    times = [seconds * 1000 for seconds, _ in measured]
    print(f"{what}: least {min(times):.1f} ms, median {statistics.median(times):.1f} ms, "
          f"{max(peak for _, peak in measured):.1f} MiB")


def main() -> None:
    binary, folder = sys.argv[1:3]
    entries = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000_000
    os.makedirs(folder, exist_ok=True)
    snapshot, paths = f"{folder}/large-{entries}.geosnap", f"{folder}/paths"
    if not os.path.exists(snapshot):
        some = write_list(f"{folder}/list", entries)
        with open(paths, "w", encoding="utf-8") as file:
            file.writelines(f"large/{name[2:]}\n" for name in some)
        subprocess.run(
            [binary, "snapshot", "-q", "--files-from", f"{folder}/list", "-o", snapshot, "large=."], check=True)
        os.remove(f"{folder}/list")
    with open(paths, encoding="utf-8") as file:
        some = file.read().split("\n")[:-1]
    print(f"{entries:,} files, {os.path.getsize(snapshot) / 1e6:.0f} MB")
    tell("--version", lambda number: timed([binary, "--version"]))
    tell("locate", lambda number: timed(
        [binary, "locate", "--root", f"large={snapshot}", some[number % len(some)]]))
    tell("whereis", lambda number: timed(
        [binary, "whereis", "--root", f"large={snapshot}", f"{number % 7 - 3},{number % 11 * 2 - 10}"]))
    tell("first tile", lambda number: first_tile(binary, f"large={snapshot}"))


if __name__ == "__main__":
    main()
