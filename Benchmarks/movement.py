#!/usr/bin/env python3
"""How much of a map moves while a project grows.

    movement.py GEOMAPPER REPOSITORY… [--revisions N] [--layout NAME]

Takes N revisions (24) of each repository, evenly spread over its history by first parents, maps each
of them, and counts the paths of two successive maps whose place on the second isn't that on the
first. Prints a line for each repository, and the share of all.
"""
import argparse
import csv
import io
import subprocess
import sys


def revisions(repository, count):
    log = subprocess.run(
        ["git", "-C", repository, "rev-list", "--first-parent", "--reverse", "HEAD"],
        check=True, capture_output=True, text=True).stdout.split()
    step = max(1, (len(log) - 1) / max(1, count - 1))
    return [log[round(index * step)] for index in range(count) if round(index * step) < len(log)]


def places(tool, repository, revision, layout):
    """The places of a revision, by path and kind; its root has one label in all of them."""
    with subprocess.Popen(
            [tool, "map", "--git", repository, "--layout", layout, "--format", "csv",
             f"tree={revision}"], stdout=subprocess.PIPE) as process:
        found = {(row["path"], row["kind"] == "poi"): (row["lon"], row["lat"])
                 for row in csv.DictReader(io.TextIOWrapper(process.stdout, newline=""))}
    if process.returncode:
        sys.exit(f"{repository}: the map of {revision} failed")
    return found


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("geomapper")
    parser.add_argument("repositories", nargs="+")
    parser.add_argument("--revisions", type=int, default=24)
    parser.add_argument("--layout", default="settled")
    options = parser.parse_args()
    shares = []
    for repository in options.repositories:
        moved = kept = 0
        before = None
        for revision in revisions(repository, options.revisions):
            now = places(options.geomapper, repository, revision, options.layout)
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
