#!/usr/bin/env python3
"""Compares `geomapper diff` with `stats` of the same trees, and with other programs that compare trees.

    Benchmarks/changes.py GEOMAPPER FOLDER [--files N] [--rounds N] [--small N] [--only make|stats|others]

FOLDER keeps two generated trees of N files (a million by default), of which 1 % differ, a snapshot of
each, and a snapshot in which all files have moved; two trees of SMALL files (100,000) with contents; and
a repository with both as revisions. The commands run in rounds.

`diff -rq` and `git diff --no-index` read all contents, and ignore times. The others compare only sizes
and times, or, in a repository, objects. For the repository, geomapper and git have to find the same;
check_changes.py checks what geomapper finds in folders.
"""

import os
import random
import sys
from typing import List

from harness import compare, make_tree

from check_changes import GIT, of_geomapper, of_git
from outside import given, run

SHARE = 0.01
LONG = 3600  # seconds that making trees may take


def change(top: str) -> int:
    """Writes, touches, removes, adds or moves one file in a hundred, and returns their number."""
    chance = random.Random(5)
    folders: List[str] = []
    count = 0
    for at, inner, names in os.walk(top):
        inner.sort()
        folders.append(at)
        for name in sorted(names):
            path = os.path.join(at, name)
            if chance.random() >= SHARE or os.path.islink(path):
                continue
            count += 1
            deed = chance.random()
            when = 1_700_000_000 + count
            if deed < 0.4:
                with open(path, "ab") as file:
                    file.write(b"x")
            elif deed < 0.6:
                os.utime(path, (when, when))
            elif deed < 0.75:
                os.remove(path)
            elif deed < 0.9:
                with open(path + ".new", "wb") as file:
                    file.truncate(1000 + count)
            else:
                os.rename(path, os.path.join(chance.choice(folders), name + ".moved"))
    return count


def make_large(binary: str, at: str, count: int) -> None:
    for name in ("old", "new"):
        tree = f"{at}/{name}"
        if os.path.exists(f"{tree}.geosnap"):
            continue
        make_tree("home", tree, count, count * 6 // 100)
        if name == "new":
            change(tree)
        run(binary, "snapshot", "-q", "-o", f"{tree}.geosnap", tree, patience=LONG)


def make_moved(binary: str, at: str) -> None:
    tree = f"{at}/old"
    if os.path.exists(f"{at}/moved.geosnap"):
        return
    names = os.listdir(tree)
    for name in names:
        os.rename(f"{tree}/{name}", f"{tree}/{name}.moved")
    run(binary, "snapshot", "-q", "-o", f"{at}/moved.geosnap", tree, patience=LONG)
    for name in names:
        os.rename(f"{tree}/{name}.moved", f"{tree}/{name}")


def make_small(at: str, count: int) -> None:
    if os.path.exists(f"{at}/repository"):
        return
    chance = random.Random(3)
    os.makedirs(f"{at}/small-old")
    folders = [f"{at}/small-old"]
    for number in range(count):
        if number % 17 == 0:
            parent = chance.choice(folders)
            folders.append(f"{parent if parent.count('/') < 12 + at.count('/') else folders[0]}/folder {number}")
            os.mkdir(folders[-1])
        path = f"{folders[-1]}/file {number}.txt"
        with open(path, "wb") as file:
            file.write(chance.randbytes(int(chance.paretovariate(0.9) * 60) % 40_000))
        when = 1_600_000_000 + chance.randrange(10**8) + chance.random()
        os.utime(path, (when, when))
    run("cp", "-a", f"{at}/small-old", f"{at}/small-new")
    change(f"{at}/small-new")
    git = ["git", "-C", f"{at}/repository", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "gc.auto=0"]
    run("git", "init", "-q", f"{at}/repository")
    for tree in ("small-old", "small-new"):
        run(*git, f"--work-tree={at}/{tree}", "add", "-A", patience=LONG)
        run(*git, f"--work-tree={at}/{tree}", "commit", "-q", "-m", tree)
    run(*git, "repack", "-adq", patience=LONG)


def against_stats(binary: str, at: str, rounds: int) -> None:
    old, new = f"{at}/old", f"{at}/new"
    compare({
        "diff of two snapshots": [binary, "diff", "-q", old + ".geosnap", new + ".geosnap"],
        "the same where all files moved": [binary, "diff", "-q", old + ".geosnap", f"{at}/moved.geosnap"],
    }, rounds)
    # Alternate only commands that read the same tree: reading another one evicts it from the system's
    # cache. The ratios are to `stats`.
    compare({
        "stats of the folder": [binary, "stats", "-q", new],
        "diff of a snapshot and a folder": [binary, "diff", "-q", old + ".geosnap", new],
    }, rounds)
    compare({
        "stats of both": [binary, "stats", "-q", old, new],
        "diff of two folders": [binary, "diff", "-q", old, new],
    }, rounds)


def against_others(binary: str, at: str, rounds: int) -> None:
    old, new, repository = f"{at}/small-old", f"{at}/small-new", f"{at}/repository"
    found = of_geomapper(binary, repository, "HEAD~", "HEAD")
    if found != of_git(repository, "HEAD~", "HEAD"):
        sys.exit("geomapper and git find different things")
    print(f"{len(found)} files of revisions differ")
    folders = ["git", "diff", "--no-index", "--name-status", "--no-renames", "-z"]
    compare({
        "geomapper diff": [binary, "diff", "-q", "--format", "csv", old, new],
        "rsync -an --delete -i": ["rsync", "-an", "--delete", "-i", "--modify-window=-1", new + "/", old + "/"],
        "diff -rq, which reads contents": ["diff", "-rq", "--no-dereference", old, new],
        "git diff --no-index, which reads contents": [*folders, old, new],
        "geomapper diff of revisions": [binary, "diff", "-q", "--format", "csv", "--git", repository,
                                        "HEAD~", "HEAD"],
        "git diff --name-status": ["git", "-C", repository, *GIT, "HEAD~", "HEAD"],
        "git diff --name-status -M": ["git", "-C", repository, "diff", "--name-status", "-M", "-z", "HEAD~", "HEAD"],
    }, rounds)


def main() -> None:
    options = given(__doc__, "binary", "folder", files=1_000_000, small=100_000, rounds=5, only="")
    binary, folder = options.binary, options.folder
    os.makedirs(folder, exist_ok=True)
    if options.only in ("", "make"):
        make_large(binary, folder, options.files)
        make_moved(binary, folder)
        make_small(folder, options.small)
    if options.only in ("", "stats"):
        against_stats(binary, folder, options.rounds)
    if options.only in ("", "others"):
        against_others(binary, folder, options.rounds)


if __name__ == "__main__":
    main()
