#!/usr/bin/env python3
"""Compares the layers `git:…` of `map` with git's own log.

    check_layers_git.py BINARY [ROUNDS] [--repository DIR] [--seconds N]

Repositories are those of check_history.py, which have merges, submodules, names of any bytes and a .mailmap, with
renamed and binary files besides; and this one, or DIR. The oracle reads `git log --numstat` in its quoted form. Maps
are of the revision, of the work tree, and of a folder in it; of all commits, and of the last ones.
"""

import os
import random
import re
import subprocess
import tempfile
import time
from collections import Counter, defaultdict
from typing import Dict, List, Optional, Tuple

from check_history import GIT, NAMES, commit, make
from outside import fail, features, given, path_in_root, run, same

LAYERS = ["commits", "authors", "last_author", "main_author", "lines"]
ASKED = [word for name in LAYERS for word in ("--layer", "git:" + name.replace("_", "-"))]
Values = Dict[bytes, Tuple[int, int, str, str, int]]
ESCAPES = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13, b'"': 34, b"\\": 92}


def unquoted(path: bytes) -> bytes:
    """A path as git quotes it."""
    if not path.startswith(b'"'):
        return path
    return re.sub(rb"\\([0-7]{3}|.)",
                  lambda match: bytes([int(match[1], 8) if len(match[1]) == 3 else ESCAPES[match[1]]]), path[1:-1])


def expected(since: Optional[int]) -> Values:
    """The values of all paths, by the log of the current repository."""
    options = [f"--since={since}"] if since else []
    log = run("git", "-c", "core.quotePath=true", "log", "--first-parent", "--numstat", "--no-renames", "-m",
              "--ignore-submodules=all", "--format=commit %aN%x00%aE", *options)
    counts: Dict[bytes, Counter] = defaultdict(Counter)
    last: Dict[bytes, str] = {}
    lines: Counter = Counter()
    author = (b"", b"")
    for line in log.split(b"\n"):
        if line.startswith(b"commit "):
            name, mail = line[7:].split(b"\0")
            author = (name, mail)
        elif line:
            added, removed, quoted = line.split(b"\t", 2)
            path = unquoted(quoted)
            last.setdefault(path, author[0].decode())
            counts[path][author] += 1
            lines[path] += sum(int(number) for number in (added, removed) if number != b"-")
    values: Values = {}
    for path, authors in counts.items():
        most = max(authors.values())
        main = min(name for (name, _), count in authors.items() if count == most)
        values[path] = (sum(authors.values()), len(authors), last[path], main.decode(), lines[path])
    return values


def files(folder: bytes = b"") -> List[bytes]:
    """The files of the last commit in a folder."""
    entries = run("git", "ls-tree", "-r", "-z", "HEAD").split(b"\0")[:-1]
    paths = [entry.split(b"\t", 1)[1] for entry in entries if b" blob " in entry.split(b"\t", 1)[0]]
    return [path for path in paths if path.startswith(folder)]


def found(binary: str, *arguments: str) -> Values:
    """The values of files in a map."""
    values: Values = {}
    for feature in features(binary, *arguments, *ASKED):
        properties = feature["properties"]
        if properties["kind"] == "poi" and "commits" in properties:
            values[path_in_root(properties)] = tuple(properties[name] for name in LAYERS)
    return values


def check(binary: str, what: str, since: Optional[int]) -> int:
    """Compares the maps of the current repository; the number of values compared."""
    log = expected(since)
    limits = ["--git-since", f"@{since}"] if since else []
    values = {path: log[path] for path in files() if path in log}
    same(f"{what}: revision", found(binary, "--git", ".", "r=HEAD", *limits), values)
    same(f"{what}: work tree", found(binary, "r=.", "--exclude", "/.git", *limits), values)
    for folder in sorted({path.split(b"/")[0] for path in values if b"/" in path})[:3]:
        try:
            name = folder.decode()
        except UnicodeDecodeError:
            continue
        below = {path[len(folder) + 1:]: value for path, value in values.items() if path.startswith(folder + b"/")}
        # A former submodule is still a repository of its own.
        if not os.path.lexists(os.path.join(name, ".git")):
            same(f"{what}: {name}", found(binary, f"r=./{name}", *limits), below)
        same(f"{what}: HEAD:{name}", found(binary, "--git", ".", f"r=HEAD:{name}", *limits), below)
    return len(values)


def enrich(chance: random.Random) -> None:
    """Adds commits that rename files, and one with a binary file."""
    for number in range(3):
        paths = files()
        if paths:
            old = chance.choice(paths)
            new = os.path.dirname(old) + (b"/" if b"/" in old else b"") + chance.choice(NAMES) + b"2"
            if not os.path.lexists(new):
                subprocess.run([*GIT, "mv", "-f", "--", old, new], capture_output=True, check=False)
        with open("binary", "wb") as file:
            file.write(b"\0" * (number + 1))
        with open("text", "ab") as file:
            file.write(b"line\n" * chance.randrange(4))
        commit(chance, 20 + number)


def main() -> None:
    """Checks made repositories and a large one."""
    arguments = given(__doc__, "binary", "rounds?", repository=None, seconds=0.0)
    here = os.path.dirname(os.path.abspath(__file__))
    compared = 0
    for seed in range(int(arguments.rounds or 25)):
        chance = random.Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            make(chance)
            enrich(chance)
            for since in (None, 1_600_000_000 + 100 * chance.randrange(1, 24)):
                compared += check(arguments.binary, f"seed {seed}, since {since}", since)
            os.chdir("/")
    with tempfile.TemporaryDirectory() as folder:
        run("git", "clone", "-q", arguments.repository or os.path.join(here, "../.."), folder)
        os.chdir(folder)
        dates = sorted(int(date) for date in run("git", "log", "--first-parent", "--format=%ct").split())
        for since in (None, dates[len(dates) // 2]):
            compared += check(arguments.binary, f"clone, since {since}", since)
        begin = time.monotonic()
        run(arguments.binary, "map", "-q", "--git", ".", *ASKED, "-o", os.devnull)
        spent = time.monotonic() - begin
        os.chdir("/")
    if arguments.seconds and spent > arguments.seconds:
        fail(f"{len(dates)} commits take {spent:.1f} s")
    print(f"{compared} values agree; {len(dates)} commits take {spent:.1f} s")


if __name__ == "__main__":
    main()
