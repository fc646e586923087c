#!/usr/bin/env python3
"""Maps a folder from the disk and from lists by other programs, which must agree.

    check_lists.py GEOMAPPER FOLDER

GNU find and bfs print lists, ncdu and gdu export JSON; each is tried if it is installed. gdu doesn't distinguish
links from files, replaces invalid UTF-8, and gives a folder the latest time of its contents, so it is checked on a
special tree.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from typing import List

from outside import command_text, fail, run_map, skip

FIND = "%s %T@ %y %p\\0"


def listed(command: List[str]) -> bytes:
    """The output of a program."""
    ran = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=300)
    if ran.returncode != 0 or not ran.stdout:
        fail(f"{command_text(command)}: status {ran.returncode}: {ran.stderr!r}")
    return ran.stdout


def compare(binary: str, kind: str, listing: bytes, folder: str, options: List[str]) -> int:
    """Compares the map of a list with that of the disk; returns the number of bytes."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(listing)
        file.flush()
        found = run_map(binary, "--files-from", file.name, "--list-format", kind, folder, *options)
    wanted = run_map(binary, folder, *options)
    if found != wanted:
        pairs = zip(wanted.split(b"\n"), found.split(b"\n"))
        first = next((pair for pair in pairs if pair[0] != pair[1]), (b"more", b"less"))
        fail(f"{kind}, {options}: ...{first[0][-300:]!r} on the disk, "
             f"...{first[1][-300:]!r} in the list")
    return len(found)


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
    binary, folder = sys.argv[1], os.path.realpath(sys.argv[2])
    checked: List[str] = []
    for program in ("find", "bfs"):
        if shutil.which(program) is None:
            continue
        listing = listed([program, folder, "-printf", FIND])
        compare(binary, "find", listing, folder, [])
        compare(binary, "find", shuffled(listing), folder, ["--layout", "pinned", "--size=+1k"])
        checked.append(program)
    if shutil.which("ncdu"):
        compare(binary, "ncdu", listed(["ncdu", "-e", "-o", "-", folder]), folder, [])
        checked.append("ncdu")
    if shutil.which("gdu"):
        with tempfile.TemporaryDirectory() as root:
            root = os.path.realpath(root)
            plain_tree(root)
            listing = listed(["gdu", "--non-interactive", "--output-file", "-", root])
            compare(binary, "gdu", listing, root, [])
        checked.append("gdu")
    if not checked:
        skip("none of find, bfs, ncdu and gdu is there")
    print(f"lists of {', '.join(checked)} give the map of the disk")


if __name__ == "__main__":
    main()
