#!/usr/bin/env python3
"""How much of a map moves when one folder, or one root, is added.

    additions.py GEOMAPPER DIR [--count N] [--layout NAME] [--seed S]

Lists what is in DIR, adds a folder with a made-up name N times (40), each time to the list as it was, and counts the
nodes whose place is not the one that they had: for a folder at the top of DIR, for one in any of its folders, each as
likely as the others, and for a second root beside DIR. Prints the mean, the median and the largest share of each.
Nothing on the disk is changed.
"""
import argparse
import csv
import io
import os
import random
import statistics
import subprocess
import sys


def listing(folder):
    """The paths below a folder: its folders with a slash at the end, and its files."""
    folders, files = [], []
    for path, names, entries in os.walk(folder):
        here = os.path.relpath(path, folder)
        folders.append("" if here == "." else here + "/")
        files += [os.path.normpath(os.path.join(here, name)) for name in entries]
        # What is a link to a folder is not entered, and is no folder on the map.
        files += [os.path.normpath(os.path.join(here, name)) for name in names
                  if os.path.islink(os.path.join(path, name))]
    return folders, files


def places(tool, layout, lines):
    """The place of each path of a list."""
    text = "".join(f"world/{line}\0" for line in lines)
    ran = subprocess.run(
        [tool, "map", "-q", "--no-stat", "--layout", layout, "--format", "csv", "--files-from", "-", "-0",
         "world"], input=text.encode("utf-8", "surrogateescape"), stdout=subprocess.PIPE, check=True)
    return {(row["path"], row["rawPath"], row["kind"] == "poi"): (row["lon"], row["lat"])
            for row in csv.DictReader(io.StringIO(ran.stdout.decode(), newline=""))}


def rooted(tool, layout, folder, other=None):
    """The places below a root that may have another one beside it."""
    roots = [f"world={folder}"] + ([other] if other else [])
    ran = subprocess.run(
        [tool, "map", "-q", "--no-stat", "--layout", layout, "--format", "csv", *roots],
        stdout=subprocess.PIPE, check=True)
    return {(row["path"], row["rawPath"], row["kind"] == "poi"): (row["lon"], row["lat"])
            for row in csv.DictReader(io.StringIO(ran.stdout.decode(), newline=""))
            if row["path"].split("/")[0] == "world"}


def moved(before, after):
    """The share of nodes that are elsewhere."""
    return sum(after[path] != place for path, place in before.items()) / len(before)


def told(what, shares):
    print(f"{what}: mean {100 * statistics.mean(shares):.1f} %, median {100 * statistics.median(shares):.1f} %, "
          f"largest {100 * max(shares):.1f} %, nothing moved in {shares.count(0)} of {len(shares)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("geomapper")
    parser.add_argument("folder")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--layout", default="settled")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    folders, files = listing(options.folder)
    lines = folders + files
    before = places(options.geomapper, options.layout, lines)
    print(f"{len(before):,} nodes, {len(folders):,} folders, layout {options.layout}")
    for what, parents in (("a folder at the top", [""]), ("a folder anywhere", folders)):
        shares = []
        for _ in range(options.count):
            name = chance.choice(parents) + f"new-{chance.randrange(10 ** 9)}/"
            shares.append(moved(before, places(options.geomapper, options.layout, lines + [name])))
        told(what, shares)
    alone = rooted(options.geomapper, options.layout, options.folder)
    shares = []
    for _ in range(max(1, options.count // 4)):
        other = f"root-{chance.randrange(10 ** 9)}={os.path.dirname(os.path.abspath(__file__))}"
        shares.append(moved(alone, rooted(options.geomapper, options.layout, options.folder, other)))
    told("a second root", shares)


if __name__ == "__main__":
    sys.exit(main())
