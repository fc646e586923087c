#!/usr/bin/env python3
"""Measures histories of a generated repository, compared with `git log`.

    Benchmarks/history.py GEOMAPPER [--commits N] [--rounds N]

The repository is made by `git fast-import`: files are added, changed and removed in a growing tree, as in a project
of some years. Ratios are to `git log`. Memory is that of the largest process, including git, which maps its files into
memory.
"""

import os
import random
import subprocess
import sys
import tempfile
from typing import IO, List

from harness import compare

from outside import given

START = 1_300_000_000
LOG = ["log", "--reverse", "--first-parent", "-m", "--raw", "-z", "--no-renames", "--no-abbrev", "--no-ext-diff",
       "--no-textconv", "--format=tformat:%x01%H%x00%ct%x00%aN%x00"]


def name_of(number: int) -> str:
    """The path of a file: a folder has sixty files and eight sub-folders."""
    folder = number // 60
    parts = []
    while folder > 0:
        parts.append(f"part{folder % 8}")
        folder //= 8
    return "/".join([*reversed(parts), f"file{number}.c"])


def write_commits(out: IO[bytes], commits: int) -> None:
    """Writes the input of `git fast-import`: one file or some in each commit, with small blobs that recur."""
    chance = random.Random(7)
    alive: List[int] = []
    born = 0
    out.write(b"".join(b"blob\nmark :%d\ndata %d\n%s\n" % (n + 1, n, b"x" * n) for n in range(1000)))
    for number in range(commits):
        author = f"Author {chance.randrange(60)} <a@example.org> {START + number * 1800} +0000"
        lines = [f"commit refs/heads/main\nauthor {author}\ncommitter {author}\ndata 9\nchange it\n"]
        touched = set()
        for _ in range(1 if chance.random() < 0.8 else chance.randrange(2, 6)):
            deed = chance.random()
            if deed < 0.22 or not alive:
                alive.append(born)
                born += 1
                at = len(alive) - 1
            else:
                # Recent files change most.
                at = len(alive) - 1 - min(len(alive) - 1, int(chance.expovariate(0.004)))
            if alive[at] in touched:
                continue
            touched.add(alive[at])
            if deed > 0.94 and len(alive) > 100:
                lines.append(f"D {name_of(alive.pop(at))}\n")
            else:
                lines.append(f"M 100644 :{chance.randrange(1000) + 1} {name_of(alive[at])}\n")
        out.write("".join(lines).encode() + b"\n")


def make(at: str, commits: int) -> None:
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", at], check=True)
    with subprocess.Popen(["git", "-C", at, "fast-import", "--quiet"], stdin=subprocess.PIPE) as process:
        assert process.stdin
        write_commits(process.stdin, commits)
    if process.returncode != 0:
        sys.exit("git fast-import has failed")


def main() -> None:
    options = given(__doc__, "binary", commits=100_000, rounds=3)
    with tempfile.TemporaryDirectory(prefix="geomapper-history.") as work:
        at = os.path.join(work, "project.git")
        make(at, options.commits)
        commands = {"git log": ["git", "-C", at, *LOG, "main", "--"]}
        for kind in ("geojson", "csv", "gpx", "html"):
            commands[f"history, {kind}"] = [
                options.binary, "history", "--git", at, "--format", kind, "-o", f"{work}/history.{kind}", "main"]
        commands["history, events"] = [*commands["history, csv"][:-1], "--events", "main"]
        compare(commands, options.rounds)


if __name__ == "__main__":
    main()
