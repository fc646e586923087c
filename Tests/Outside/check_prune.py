#!/usr/bin/env python3
"""Checks with strace that hidden folders are never opened.

    check_prune.py BINARY

The check makes a tree, and maps it with --zoom, --bbox, --max-depth and all of them together, on 1, 2 and 16
threads. The tool must open and list exactly the folders that the reference implementation shows and may read.
Without a working strace the status is 77.
"""

import io
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Set

import reference
from outside import given, run, same, skip

OPENED = re.compile(r"open(?:at|at2)?(?:\(| resumed).*= [0-9]+<(.*)>$")
LISTED = re.compile(r"getdents64\([0-9]+<([^>]*)>")


def make_tree(at: Path, chance: random.Random, depth: int = 0) -> None:
    """A tree with a few hundred folders and plain names."""
    at.mkdir()
    for i in range(chance.choice([0, 1, 3, 40])):
        (at / f"file{i}").touch()
    widths = {0: 9, 1: 6}
    for i in range(widths.get(depth, chance.choice([0, 1, 2, 3]) if depth < 6 else 0)):
        make_tree(at / f"folder{i}", chance, depth + 1)


def reference_map(tree: Path, options: List[str]) -> List[Dict[str, Any]]:
    """The features of the reference's map."""
    raw = [os.fsencode(option) for option in [*options, "--format", "geojsonl", str(tree)]]
    out = io.BytesIO()
    reference.map_roots(*reference.parse_arguments(raw), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def shown(tree: Path, options: List[str]) -> Set[str]:
    """The folders that the reference shows and lists."""
    properties = [feature["properties"] for feature in reference_map(tree, options)]
    return {str(tree.parent / p["path"]) for p in properties if p["kind"] != "poi" and "size" in p}


def traced(binary: str, tree: Path, options: List[str], threads: int, log: Path) -> List[Set[str]]:
    """The folders of a tree that the tool opened, and those that it listed."""
    command = ["strace", "-f", "-y", "-qq", "-e", "trace=open,openat,openat2,getdents64"]
    command += ["-o", str(log), binary, "map", "--threads", str(threads), "-o", "/dev/null"]
    command += [*options, str(tree)]
    run(*command)
    text = log.read_text(errors="replace").splitlines()
    inside = (str(tree), f"{tree}/")
    found = []
    for pattern in (OPENED, LISTED):
        paths = {match.group(1) for line in text for match in [pattern.search(line)] if match}
        folders = {path for path in paths if path == inside[0] or path.startswith(inside[1])}
        found.append({path for path in folders if os.path.isdir(path)})
    return found


def boxes(tree: Path, chance: random.Random, count: int) -> List[str]:
    """Boxes around features of the tree, small and large."""
    geometries = [feature["geometry"] for feature in reference_map(tree, [])]
    points = [geometry["coordinates"] for geometry in geometries if geometry["type"] == "Point"]
    found = []
    for _ in range(count):
        lon, lat = chance.choice(points)
        half = 10 ** chance.uniform(-4, 1)
        found.append(f"{lon - half:.9f},{lat - half:.9f},{lon + half:.9f},{lat + half:.9f}")
    return found


def cases(tree: Path, chance: random.Random) -> List[List[str]]:
    """Combinations of filters."""
    found: List[List[str]] = [[]]
    found += [["--zoom", str(zoom)] for zoom in (0, 1, 2, 3, 5, 7, 9)]
    found += [["--max-depth", str(depth)] for depth in (0, 1, 2, 4)]
    found += [["--bbox", box] for box in boxes(tree, chance, 6)]
    found.append(["--bbox", "170,-80,-170,80"])
    for box in boxes(tree, chance, 3):
        zoom, depth = str(chance.randint(3, 8)), str(chance.randint(2, 5))
        found.append(["--zoom", zoom, "--bbox", box, "--max-depth", depth])
    return found


def strace_works() -> bool:
    """Whether strace works here."""
    if not shutil.which("strace"):
        return False
    ran = subprocess.run(["strace", "-f", "-y", "-o", "/dev/null", "true"],
                         stderr=subprocess.DEVNULL, check=False)
    return ran.returncode == 0


def main() -> None:
    options = given(__doc__, "binary")
    if not strace_works():
        skip("there is no strace, or it may not trace")
    chance = random.Random(1)
    with tempfile.TemporaryDirectory(prefix="geomapper-prune-") as folder:
        tree, log = Path(os.path.realpath(folder), "tree"), Path(folder, "log")
        make_tree(tree, chance)
        combinations, opened_in_all = cases(tree, chance), 0
        for i, filters in enumerate(combinations):
            expected, threads = shown(tree, filters), (1, 2, 16)[i % 3]
            for verb, folders in zip(("opened", "listed"), traced(options.binary, tree, filters, threads, log)):
                same(f"{' '.join(filters) or 'no filter'}, {threads} threads: {verb} folders", folders, expected)
            opened_in_all += len(expected)
    print(f"prune: {len(combinations)} combinations of filters opened and listed "
          f"exactly the {opened_in_all} folders that are shown")


if __name__ == "__main__":
    main()
