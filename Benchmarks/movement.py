#!/usr/bin/env python3
"""How much of a map moves while a project grows.

    movement.py GEOMAPPER REPOSITORY… [--revisions N] [--layout NAME] [--history | --diff]

Takes N revisions (24) of each repository, evenly spread over its history by first parents, maps each
of them, and counts the paths of two successive maps whose place on the second isn't that on the
first. Prints a line for each repository, and the share of all.

With --history the map of each revision is compared with the world of all states, which `history` has and
in which nothing moves: how many of the revision's paths are elsewhere there, and how far, in kilometres as
on the Earth. Prints that of all revisions together, and of the newest. With --diff it compares the map of
each revision in the same way with the world of two states that `diff` has of it and the one before.
"""
import argparse
import csv
import io
import math
import statistics
import subprocess
import sys


def revisions(repository, count):
    log = subprocess.run(
        ["git", "-C", repository, "rev-list", "--first-parent", "--reverse", "HEAD"],
        check=True, capture_output=True, text=True).stdout.split()
    step = max(1, (len(log) - 1) / max(1, count - 1))
    return [log[round(index * step)] for index in range(count) if round(index * step) < len(log)]


def places(tool, repository, layout, *names, command=("map",)):
    """The places of revisions, by path and kind; their root has one label in all of them."""
    with subprocess.Popen(
            [tool, *command, "--git", repository, "--layout", layout, "--format", "csv",
             *(f"tree={name}" for name in names)], stdout=subprocess.PIPE) as process:
        found = {(row["path"], row["kind"] == "poi"): (row["lon"], row["lat"])
                 for row in csv.DictReader(io.TextIOWrapper(process.stdout, newline=""))}
    if process.returncode:
        sys.exit(f"{repository}: the map of {names} failed")
    return found


def distance(one, other):
    """Kilometres between two places."""
    (a, b), (c, d) = ((math.radians(float(degrees)) for degrees in place) for place in (one, other))
    half = math.sin((d - b) / 2) ** 2 + math.cos(b) * math.cos(d) * math.sin((c - a) / 2) ** 2
    return 12742 * math.asin(math.sqrt(min(1, half)))


def apart(now, world):
    """How far the paths of a map lie from where they are in the world of all states."""
    return [0.0 if world[path] == place else distance(world[path], place)
            for path, place in now.items()]


def told(distances):
    """The share of those that are elsewhere, and how far these are."""
    far = [one for one in distances if one > 0]
    share = f"{100 * len(far) / len(distances):5.2f} %  {len(far):,} of {len(distances):,}"
    if not far:
        return share
    ends = statistics.quantiles(far, n=20) if len(far) > 1 else far * 19
    return f"{share} elsewhere, {statistics.median(far):,.0f} km away, 95 % within {ends[18]:,.0f} km"


def compare_with_history(options):
    """Prints how far the world of all states is from the map of each."""
    for repository in options.repositories:
        world = places(options.geomapper, repository, options.layout, "HEAD", command=["history"])
        every = []
        for revision in revisions(repository, options.revisions):
            newest = apart(places(options.geomapper, repository, options.layout, revision), world)
            every += newest
        print(f"{repository}\n  all     {told(every)}\n  newest  {told(newest)}", flush=True)


def compare_with_diff(options):
    """Prints how far worlds of two states are from the map of the newer one."""
    for repository in options.repositories:
        every = []
        names = revisions(repository, options.revisions)
        for old, new in zip(names, names[1:]):
            world = places(
                options.geomapper, repository, options.layout, old, new, command=["diff", "--all"])
            every += apart(places(options.geomapper, repository, options.layout, new), world)
        print(f"{repository}\n  pairs   {told(every)}", flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("geomapper")
    parser.add_argument("repositories", nargs="+")
    parser.add_argument("--revisions", type=int, default=24)
    parser.add_argument("--layout", default="settled")
    parser.add_argument("--history", action="store_true")
    parser.add_argument("--diff", action="store_true")
    options = parser.parse_args()
    if options.history or options.diff:
        (compare_with_history if options.history else compare_with_diff)(options)
        return
    shares = []
    for repository in options.repositories:
        moved = kept = 0
        before = None
        for revision in revisions(repository, options.revisions):
            now = places(options.geomapper, repository, options.layout, revision)
            if before is not None:
                both = before.keys() & now.keys()
                kept += len(both)
                moved += sum(before[path] != now[path] for path in both)
            before = now
        if not kept:
            sys.exit(f"{repository}: no two of its revisions have a path in common")
        shares.append(moved / kept)
        print(f"{100 * moved / kept:5.2f} %  {moved:,} of {kept:,}  {repository}", flush=True)
    print(f"{100 * sum(shares) / len(shares):5.2f} %  mean of {len(shares)}")


if __name__ == "__main__":
    main()
