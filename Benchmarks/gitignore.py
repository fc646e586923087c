#!/usr/bin/env python3
"""Compares `geomapper map --gitignore` with fd, which lists the same entries.

    gitignore.py BINARY DIR [--runs N]

DIR is a git work tree. Both run by turns; what they find is counted, and has to be the same number.
fd prints paths alone; the map is made twice, with and without metadata. Prints medians of wall and
processor time.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Dict, List, Tuple


def timed(command: List[str], output: str) -> Tuple[float, float]:
    """Seconds of a run, by the wall and of processors."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    with open(output, "wb") as file:
        subprocess.run(command, stdout=file, stderr=subprocess.DEVNULL, check=False)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, spent


def lines(path: str) -> int:
    """How many lines a file has."""
    with open(path, "rb") as file:
        return sum(1 for _ in file)


def main() -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("folder")
    parser.add_argument("--runs", type=int, default=7)
    given = parser.parse_args()
    finder = shutil.which("fdfind") or shutil.which("fd")
    if not finder:
        sys.exit("fd is not there; Debian has it in the package fd-find")
    if not os.path.exists(os.path.join(given.folder, ".git")):
        sys.exit(f"{given.folder} is no git work tree: fd would not read its .gitignore")
    mapped = [os.path.abspath(given.binary), "map", "-q", "--gitignore", "--format", "geojsonl",
              given.folder]
    commands = {
        "fd": [finder, "--hidden", "--exclude", ".git", "--no-global-ignore-file", ".",
               given.folder],
        "geomapper": mapped,
        "geomapper --no-stat": [*mapped, "--no-stat"],
    }
    times: Dict[str, List[Tuple[float, float]]] = {name: [] for name in commands}
    found: Dict[str, int] = {}
    with tempfile.TemporaryDirectory(prefix="geomapper-ignore-") as scratch:
        for _ in range(given.runs + 1):
            for number, (name, command) in enumerate(commands.items()):
                output = os.path.join(scratch, f"{number}")
                times[name].append(timed(command, output))
                # The map has a feature for the folder itself.
                found[name] = lines(output) - (0 if name == "fd" else 1)
                os.unlink(output)
    if len(set(found.values())) != 1:
        print(f"they don't find the same number of entries: {found}", file=sys.stderr)
    print(f"{found['geomapper']:,} entries, medians of {given.runs} runs by turns")
    for name, runs in times.items():
        wall, spent = (statistics.median(column) for column in zip(*runs[1:]))
        print(f"{name:20} {wall:6.3f} s, {spent:6.3f} s of processors")


if __name__ == "__main__":
    main()
