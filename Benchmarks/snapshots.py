#!/usr/bin/env python3
"""Measures questions about a large snapshot, including the start of the program.

    Benchmarks/snapshots.py GEOMAPPER FOLDER [ENTRIES]

Makes a list of ENTRIES generated files (10 million by default) in FOLDER, makes a snapshot of it, and measures
`locate`, `whereis`, and the first tile of the page. FOLDER keeps the snapshot for another run.
"""

import os
import random
import sys
import time
from typing import List, Tuple

from client import memory
from figures import summary
from harness import compare

from outside import given, run
from served import serving

QUESTIONS = ROUNDS = 5
FOLDERS = 6  # minimum files of a folder; this makes about 1.5 folders for every 100 entries


def write_list(path: str, entries: int) -> List[str]:
    """Writes generated paths in random order, and returns some of them."""
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


def first_tile(binary: str, snapshot: str) -> Tuple[float, float]:
    """The milliseconds until a server's first tile, and its peak memory in MiB."""
    start = time.perf_counter()
    with serving(binary, snapshot) as server:
        if server.get("/tiles/0/0/0.mvt").status != 200:
            sys.exit("there is no first tile")
        seconds = time.perf_counter() - start
        return 1000 * seconds, memory(server.process.pid)[1]


def main() -> None:
    options = given(__doc__, "binary", "folder", "entries?")
    binary, folder, entries = options.binary, options.folder, int(options.entries or 10_000_000)
    os.makedirs(folder, exist_ok=True)
    snapshot, paths = f"{folder}/large-{entries}.geosnap", f"{folder}/paths"
    if not os.path.exists(snapshot):
        some = write_list(f"{folder}/list", entries)
        with open(paths, "w", encoding="utf-8") as file:
            file.writelines(f"large/{name[2:]}\n" for name in some)
        run(binary, "snapshot", "-q", "--files-from", f"{folder}/list", "-o", snapshot, "large=.", patience=3600)
        os.remove(f"{folder}/list")
    with open(paths, encoding="utf-8") as file:
        some = file.read().split("\n")[:-1]
    print(f"{entries:,} files, {os.path.getsize(snapshot) / 1e6:.0f} MB")
    commands = {"--version": [binary, "--version"]}
    for number, path in enumerate(some[:QUESTIONS]):
        for kind, question in (("locate", path), ("whereis", f"{number % 7 - 3},{number * 5 - 10}")):
            commands[f"{kind} {number + 1}"] = [binary, kind, "--root", f"large={snapshot}", question]
    compare(commands, ROUNDS)
    tiles = [first_tile(binary, f"large={snapshot}") for _ in range(QUESTIONS * ROUNDS)]
    print(f"first tile: {summary([each for each, _ in tiles], 1)}, {max(peak for _, peak in tiles):.1f} MiB")


if __name__ == "__main__":
    main()
