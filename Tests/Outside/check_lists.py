#!/usr/bin/env python3
"""Maps a folder from the disk and from lists by other programs, which must agree.

    check_lists.py GEOMAPPER FOLDER

GNU find and bfs print lists, ncdu and gdu export JSON; each is tried if it is installed. gdu doesn't distinguish
links from files, replaces invalid UTF-8, and gives a folder the latest time of its contents, so it is checked on a
special tree.
"""

import os
import random
import subprocess
import tempfile

from outside import given, installed, run, run_map, same, skip

FIND = "%s %T@ %y %p\\0"


def compare(binary: str, kind: str, listing: bytes, folder: str, *options: str) -> None:
    """Compares the map of a list with that of the disk."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(listing)
        file.flush()
        found = run_map(binary, "--files-from", file.name, "--list-format", kind, folder, *options)
    same(f"{kind}, {options}", found, run_map(binary, folder, *options))


def shuffled(listing: bytes) -> bytes:
    """The entries of a list in random order."""
    entries = listing.split(b"\0")[:-1]
    random.Random(1).shuffle(entries)
    return b"".join(entry + b"\0" for entry in entries)


def plain_tree(root: str) -> None:
    """Makes folders and regular files with ASCII names; each folder is newer than its contents."""
    generator = random.Random(2)
    folders = [root]
    for number in range(400):
        parent = generator.choice(folders)
        path = os.path.join(parent, f"{generator.randrange(36**4)} \"{number}\\")
        if generator.random() < 0.3:
            os.mkdir(path)
            folders.append(path)
        else:
            with open(path, "wb") as file:
                file.write(b"x" * generator.randrange(100))
            os.utime(path, (0, generator.randrange(-(10**9), 2 * 10**9)))
    for age, path in enumerate(folders):
        os.utime(path, (0, 3 * 10**9 - age))


def main() -> None:
    """Runs the checks for the installed programs."""
    options = given(__doc__, "binary", "folder")
    binary, folder = options.binary, os.path.realpath(options.folder)
    programs = installed("find", "bfs", "ncdu", "gdu")
    for program in ("find", "bfs"):
        if program in programs:
            listing = run(program, folder, "-printf", FIND)
            compare(binary, "find", listing, folder)
            compare(binary, "find", shuffled(listing), folder, "--layout", "pinned", "--size=+1k")
    if "ncdu" in programs:
        compare(binary, "ncdu", run("ncdu", "-e", "-o", "-", folder, stdin=subprocess.DEVNULL), folder)
    if "gdu" in programs:
        with tempfile.TemporaryDirectory() as root:
            root = os.path.realpath(root)
            plain_tree(root)
            compare(binary, "gdu", run("gdu", "--non-interactive", "--output-file", "-", root), root)
    if not programs:
        skip("none of find, bfs, ncdu and gdu is there")
    print(f"lists of {', '.join(programs)} give the map of the disk")


if __name__ == "__main__":
    main()
