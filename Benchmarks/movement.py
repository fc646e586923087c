#!/usr/bin/env python3
"""Measures how much of a map moves when a tree changes.

    movement.py GEOMAPPER --tables FOLDER [--revisions N]
    movement.py GEOMAPPER --tables FOLDER --folders N [--layout NAME] [--seed S]
    movement.py GEOMAPPER --additions DIR [--count N] [--layout NAME] [--seed S]

With --tables, the histories are folders in FOLDER with a CSV file for each revision, with the columns id, a path, and
weight. All of them, or N evenly spread ones, are drawn in the order of their names: as maps in both layouts, and as two
kinds of treemap (treemaps.py). Prints the mean distance that a file moves from table to table, as a share of the drawing's
diagonal, and the share of files that move farther than a thousandth of it. A map is twice as wide as high. The usual
histories are the folder Datasets of github.com/vissoft18/treemaps (Vernier, Telea and Comba: Quantitative Comparison of
Dynamic Treemaps for Software Evolution Visualization, VISSOFT 2018).

--folders counts the files that move when a table gets or loses one folder alone: up to N random ones of each history that
were added or removed, at the top and below. --additions lists DIR, and counts the nodes that move when the list gets a
folder of a generated name or loses one, N times (40) each, at the top and below, or a second root. Both print the mean,
the median and the largest share.
"""
import csv
import io
import math
import os
import random
import statistics
import subprocess
import sys

import harness
import treemaps
from outside import given

LAYOUTS = ["settled", "pinned"]
TREEMAPS = [("squarified", treemaps.squarified), ("slice and dice", treemaps.slice_and_dice)]
FAR = 0.001  # of the diagonal


def spread(all_of_them, count):
    """`count` items of a list, evenly spread, including its ends."""
    step = max(1, (len(all_of_them) - 1) / max(1, count - 1))
    return [all_of_them[round(index * step)] for index in range(count) if round(index * step) < len(all_of_them)]


def weights(table):
    with open(table, newline="", encoding="utf-8") as rows:
        return {row["id"]: float(row["weight"]) for row in csv.DictReader(rows)}


def places_of(tool, layout, *roots, lines=None):
    """The place of each node below the root `world`, of folders or of a list of paths."""
    source = ["--files-from", "-", "-0"] if lines is not None else []
    ran = subprocess.run(
        [tool, "map", "-q", "--no-stat", "--layout", layout, "--format", "csv", *source, *roots],
        input="".join(f"world/{line}\0" for line in lines or []).encode("utf-8", "surrogateescape"),
        stdout=subprocess.PIPE, check=True)
    return {(row["path"], row["rawPath"], row["kind"] == "poi"): (float(row["lon"]), float(row["lat"]))
            for row in csv.DictReader(io.StringIO(ran.stdout.decode(), newline=""))
            if row["path"].split("/")[0] == "world"}


def files_of_map(tool, paths, layout):
    """The places of listed files on the map, in degrees."""
    return {path.removeprefix("world/"): place
            for (path, _, is_file), place in places_of(tool, layout, "world", lines=paths).items() if is_file}


def moved(before, now, width, height):
    """The distances that files move between two drawings, as shares of the diagonal; a map wraps at its edge."""
    ways = []
    for path in before.keys() & now.keys():
        (a, b), (c, d) = before[path], now[path]
        across = abs(c - a)
        if width == 360:
            across = min(across, 360 - across)
        ways.append(math.hypot(across, d - b) / math.hypot(width, height))
    return ways


def compare_tables(options):
    """Prints the distances that files move from table to table."""
    histories = sorted(entry.path for entry in os.scandir(options.tables) if entry.is_dir())
    names = LAYOUTS + [name for name, _ in TREEMAPS]
    found = {name: [] for name in names}
    for history in histories:
        tables = sorted(entry.path for entry in os.scandir(history) if entry.name.endswith(".csv"))
        tables = spread(tables, options.revisions or len(tables))
        sums = {name: [0.0, 0, 0] for name in names}
        before = {}
        for table in tables:
            files = weights(table)
            tree = treemaps.tree_of(files)
            drawings = {name: treemaps.centres(tree, layout) for name, layout in TREEMAPS}
            drawings |= {layout: files_of_map(options.binary, files, layout) for layout in LAYOUTS}
            for name in names if before else []:
                size = (360, 180) if name in LAYOUTS else (1, 1)
                ways = moved(before[name], drawings[name], *size)
                sums[name][0] += sum(ways)
                sums[name][1] += sum(way > FAR for way in ways)
                sums[name][2] += len(ways)
            before = drawings
        if not sums[names[0]][2]:
            sys.exit(f"{history}: no two of its tables have a path in common")
        parts = []
        for name in names:
            way, far, count = sums[name]
            found[name].append((way / count, far / count))
            parts.append(f"{name} {way / count:.4f} {100 * far / count:.1f} %")
        print(f"{os.path.basename(history)}, {len(tables)} tables: {', '.join(parts)}", flush=True)
    if not histories:
        sys.exit(f"{options.tables}: no folder of tables in it")
    for name in names:
        way, far = (statistics.mean(column) for column in zip(*found[name]))
        print(f"{name}: a file goes {way:.4f} of the diagonal a step, {100 * far:.1f} % more than "
              f"{FAR}; mean of {len(histories)}")


def report(what, shares):
    if shares:
        print(f"{what}: mean {100 * statistics.mean(shares):.1f} %, median {100 * statistics.median(shares):.1f} %, "
              f"largest {100 * max(shares):.1f} %, nothing moved in {shares.count(0)} of {len(shares)}", flush=True)


def share_moved(before, now):
    """The share of the nodes of two maps that move."""
    common = before.keys() & now.keys()
    return sum(now[path] != before[path] for path in common) / max(1, len(common))


def folders_of(files):
    return {path[:at] for path in files for at in range(len(path)) if path[at] == "/"}


def new_folders(before, now):
    """The topmost folders that only the second of two tables has."""
    old = folders_of(before)
    return [folder for folder in sorted(folders_of(now) - old)
            if "/" not in folder or folder.rpartition("/")[0] in old]


def compare_folders(options):
    """Prints the share of files that move when one folder comes or goes, in histories of tables."""
    chance = random.Random(options.seed)
    found = {}
    for history in sorted(entry.path for entry in os.scandir(options.tables) if entry.is_dir()):
        tables = [weights(entry) for entry in sorted(
            entry.path for entry in os.scandir(history) if entry.name.endswith(".csv"))]
        events = {}
        for before, now in zip(tables, tables[1:]):
            for what, rest, more in (("added", before, now), ("removed", now, before)):
                for folder in new_folders(rest, more):
                    level = "below" if "/" in folder else "at the top"
                    events.setdefault((level, what), []).append((before, more, folder))
        for kind, all_of_them in sorted(events.items()):
            for before, more, folder in chance.sample(all_of_them, min(options.folders, len(all_of_them))):
                inner = {path for path in more if path.startswith(folder + "/")}
                other = set(before) | inner if kind[1] == "added" else set(before) - inner
                found.setdefault(kind, []).append(share_moved(
                    files_of_map(options.binary, before, options.layout),
                    files_of_map(options.binary, other, options.layout)))
    for (level, what), shares in sorted(found.items()):
        report(f"a folder {what} {level}", shares)


def listing(folder):
    """The paths below a folder: its folders with a slash at the end, and its files."""
    folders, files = [], []
    for path, names, entries in os.walk(folder):
        here = os.path.relpath(path, folder)
        folders.append("" if here == "." else here + "/")
        # A link to a folder is a file on the map.
        files += [os.path.normpath(os.path.join(here, name)) for name in entries + [
            name for name in names if os.path.islink(os.path.join(path, name))]]
    return folders, files


def compare_additions(options):
    """Prints the share of nodes that move when a folder or a root is added."""
    chance = random.Random(options.seed)
    folders, files = listing(options.additions)
    before = places_of(options.binary, options.layout, "world", lines=folders + files)
    print(f"{len(before):,} nodes, {len(folders):,} folders, layout {options.layout}")

    inner = [folder for folder in folders if folder]
    top = [folder for folder in inner if folder.count("/") == 1]
    deep = [folder for folder in inner if folder.count("/") > 1]
    for what, parents, gone in (("at the top", [""], top), ("below", inner, deep)):
        report(f"a folder added {what}", [share_moved(before, places_of(
            options.binary, options.layout, "world",
            lines=folders + files + [chance.choice(parents) + f"new-{chance.randrange(10 ** 9)}/"]))
            for _ in range(options.count if parents else 0)])
        report(f"a folder removed {what}", [share_moved(before, places_of(
            options.binary, options.layout, "world",
            lines=[path for path in folders + files if not path.startswith(folder)]))
            for folder in chance.sample(gone, min(options.count, len(gone)))])
    root = f"world={options.additions}"
    one = places_of(options.binary, options.layout, root)
    report("a second root", [share_moved(one, places_of(
        options.binary, options.layout, root,
        f"root-{chance.randrange(10 ** 9)}={os.path.dirname(os.path.abspath(__file__))}"))
        for _ in range(max(1, options.count // 4))])


def main():
    options = given(__doc__, "binary", tables="", additions="", revisions=0, folders=0, layout="settled", count=40, seed=1)
    if bool(options.tables) == bool(options.additions):
        sys.exit("give --tables FOLDER or --additions DIR")
    if options.additions:
        compare_additions(options)
    else:
        (compare_folders if options.folders else compare_tables)(options)


if __name__ == "__main__":
    main()
