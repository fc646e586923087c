#!/usr/bin/env python3
"""Maps ten thousand folders in one another with a small stack.

    check_depth.py BINARY

With 256 KiB of stack, in each layout and for one and several threads, the map has to have every
folder, one after the other, and the same bytes each time.
"""

import os
import resource
import subprocess
import sys
import tempfile

from outside import PATIENCE, fail, raw_path, strict_json

FOLDERS = 10_000
STACK = 256 << 10


def make(at: str) -> None:
    """One folder in the other, each with a file, made from where the last one is."""
    above = os.open(at, os.O_RDONLY)
    for number in range(FOLDERS):
        os.mkdir("d", dir_fd=above)
        folder = os.open("d", os.O_RDONLY, dir_fd=above)
        os.close(above)
        above = folder
        if number % 100 == 0:
            os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=above))
    os.close(above)


def mapped(binary: str, *options: str) -> bytes:
    """The map with a small stack."""
    command = [binary, "map", "-q", "--format", "geojsonl", *options]
    run = subprocess.run(
        command, capture_output=True, check=False, timeout=PATIENCE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (STACK, STACK)))
    if run.returncode != 0:
        fail(f"{' '.join(command)}: status {run.returncode}: {run.stderr!r}")
    return run.stdout


def check(binary: str, layout: str, base: str) -> None:
    """All folders and files are there, for any number of threads."""
    options = ("--layout", layout, f"r={base}")
    text = mapped(binary, "--threads", "1", *options)
    for threads in ("2", "8"):
        if mapped(binary, "--threads", threads, *options) != text:
            fail(f"layout {layout}: {threads} threads give another map than one does")
    paths = {raw_path(strict_json(line)) for line in text.splitlines()}
    for depth in range(FOLDERS + 1):
        if b"r" + b"/d" * depth not in paths:
            fail(f"layout {layout}: the folder at depth {depth} is not on the map")
    nodes = FOLDERS + 1 + FOLDERS // 100
    if len(paths) != nodes:
        fail(f"layout {layout}: {len(paths)} nodes, not {nodes}")


def main() -> None:
    """Runs the command line."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="geomapper-depth-") as base:
        try:
            make(base)
            for layout in ("settled", "pinned"):
                check(sys.argv[1], layout, base)
        finally:
            # Deeper than the interpreter would remove it.
            subprocess.run(["rm", "-rf", f"{base}/d"], check=True)
    print(f"depth: {FOLDERS:,} folders in one another, {STACK >> 10} KiB of stack, both layouts")


if __name__ == "__main__":
    main()
