#!/usr/bin/env python3
"""Compares `geomapper map --gitignore` with fd, which lists the same entries.

    gitignore.py GEOMAPPER DIR [--runs N]

DIR is a git work tree. Both have to find the same number of entries. fd prints paths only; the map is made with and
without metadata.
"""

import os
import shutil
import subprocess
import sys

from harness import compare

from outside import given


def main() -> None:
    options = given(__doc__, "binary", "folder", runs=7)
    finder = shutil.which("fdfind") or shutil.which("fd")
    if not finder:
        sys.exit("fd is not there; Debian has it in the package fd-find")
    if not os.path.exists(os.path.join(options.folder, ".git")):
        sys.exit(f"{options.folder} is not a git work tree: fd would not read its .gitignore")
    mapped = [options.binary, "map", "-q", "--gitignore", "--format", "geojsonl", options.folder]
    commands = {
        "geomapper": mapped,
        "geomapper --no-stat": [*mapped, "--no-stat"],
        "fd": [finder, "--hidden", "--exclude", ".git", "--no-global-ignore-file", ".", options.folder],
    }
    found = {name: subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout.count(b"\n")
             for name, command in commands.items()}
    found["fd"] += 1  # the map has a feature for the root, too
    if len(set(found.values())) != 1:
        print(f"they don't find the same number of entries: {found}", file=sys.stderr)
    print(f"{found['geomapper']:,} entries")
    compare(commands, options.runs)


if __name__ == "__main__":
    main()
