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
import sys
import tempfile
from pathlib import Path
from typing import List, Set

import reference
from outside import command_text, fail, skip

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


def shown(tree: Path, options: List[str]) -> Set[str]:
    """The folders that the reference shows and lists."""
    raw = [option.encode() for option in [*options, "--format", "geojsonl", str(tree)]]
    parsed, roots = reference.parse_arguments(raw)
    out = io.BytesIO()
    reference.map_roots(parsed, roots, out)
    properties = [json.loads(line)["properties"] for line in out.getvalue().splitlines()]
    base = tree.parent
    return {str(base / p["path"]) for p in properties if p["kind"] != "poi" and "size" in p}


def traced(binary: str, tree: Path, options: List[str], threads: int, log: Path) -> List[Set[str]]:
    """The folders of a tree that the tool opened, and those that it listed."""
    command = ["strace", "-f", "-y", "-qq", "-e", "trace=open,openat,openat2,getdents64"]
    command += ["-o", str(log), binary, "map", "--threads", str(threads), "-o", "/dev/null"]
    command += [*options, str(tree)]
    ran = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if ran.returncode != 0:
        fail(f"{command_text(command)}: status {ran.returncode}: {ran.stderr!r}")
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
    parsed, roots = reference.parse_arguments([b"--format", b"geojsonl", os.fsencode(tree)])
    out = io.BytesIO()
    reference.map_roots(parsed, roots, out)
    points = [json.loads(line) for line in out.getvalue().splitlines()]
    points = [f["geometry"]["coordinates"] for f in points if f["geometry"]["type"] == "Point"]
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
    """Runs the command line."""
    if len(sys.argv) != 2:
        sys.exit("usage: check_prune.py BINARY")
    if not strace_works():
        skip("there is no strace, or it may not trace")
    chance = random.Random(1)
    with tempfile.TemporaryDirectory(prefix="geomapper-prune-") as folder:
        tree, log = Path(os.path.realpath(folder), "tree"), Path(folder, "log")
        make_tree(tree, chance)
        everything = shown(tree, [])
        opened_in_all = runs = 0
        for i, options in enumerate(cases(tree, chance)):
            expected, threads = shown(tree, options), (1, 2, 16)[i % 3]
            what = f"{' '.join(options) or 'no filter'}, {threads} threads"
            for verb, folders in zip(
                ("opened", "listed"), traced(sys.argv[1], tree, options, threads, log)
            ):
                for path in sorted(folders - expected)[:1]:
                    fail(f"{what}: {verb} {path}, which is not to be read")
                for path in sorted(expected - folders)[:1]:
                    fail(f"{what}: not {verb}, though to be read: {path}")
            opened_in_all += len(expected)
            runs += 1
    print(f"prune: {runs} combinations of filters on {len(everything)} folders opened and listed "
          f"exactly the {opened_in_all} that are shown")


if __name__ == "__main__":
    main()
