#!/usr/bin/env python3
"""Compares what a comparison says of each folder with two runs of `du`.

    check_du.py BINARY [ROUNDS]

Trees with hard links, sparse files, links, pipes, empty folders and awkward names are made from a seed and changed.
For each folder of both, `below` has to say by how many bytes the second run of `du` tells more than the first, and how
many more entries: in each format that has it, of folders and of snapshots, from the server, and in the summary. `du` is
told to count each name, and sizes as they are; what it adds for folders themselves is taken away.
"""

import contextlib
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from typing import Any, Dict, Iterator, List, Tuple
from urllib.parse import quote, unquote_to_bytes

from outside import fail
from served import Served, serving

NAMES = [b"a", b"b", b"c d", b"\xff\n", b'q"', "ü".encode(), b"x,y", b"-", b"-rf", b"*", b"'", b"n\nl", b"\\t", b"e" * 200]
ROUNDS = 12
Below = Tuple[int, int]  # bytes, and what is no folder


def put(path: bytes, chance: random.Random, files: List[bytes]) -> None:
    """Something at a path that nothing is at: a file, a hole with little in it, another name of a file, a link, a pipe."""
    kind = chance.randrange(10)
    if kind < 2 and files:
        os.link(chance.choice(files), path)
    elif kind == 2:
        os.symlink(b"x" * chance.randrange(1, 200), path)
    elif kind == 3:
        os.mkfifo(path)
    else:
        with open(path, "wb") as file:
            file.write(chance.randbytes(chance.choice([0, 1, 511, 4096, 70_000])))
            if kind == 4:
                file.truncate(chance.randrange(1, 1 << 40))
        files.append(path)


def change(top: bytes, chance: random.Random, deeds: int) -> None:
    """Makes, replaces, removes and renames in a tree."""
    folders = [at for at, _, _ in os.walk(top)]
    files = [os.path.join(at, name) for at, _, names in os.walk(top) for name in names
             if os.path.isfile(os.path.join(at, name)) and not os.path.islink(os.path.join(at, name))]
    for _ in range(deeds):
        at = chance.choice(folders)
        path = os.path.join(at, chance.choice(NAMES))
        deed = chance.randrange(10)
        if not os.path.isdir(at):
            continue
        if os.path.lexists(path):
            if deed < 3 and path not in folders:
                os.remove(path)
                files = [known for known in files if known != path]
            elif deed < 5:
                os.rename(path, path[:120] + b"~%d" % chance.randrange(1 << 30))
                folders = [known for known, _, _ in os.walk(top)]
                files = [known for known in files if os.path.isfile(known)]
            continue
        if deed < 3 and path.count(b"/") - top.count(b"/") < 6:
            os.mkdir(path)
            folders.append(path)
        else:
            put(path, chance, files)


def run(*command: object) -> bytes:
    """What a command prints."""
    ran = subprocess.run(list(command), capture_output=True, check=False)  # type: ignore
    if ran.returncode != 0:
        fail(f"{command}: status {ran.returncode}: {ran.stderr!r}")
    return ran.stdout


def du(top: bytes, *options: str) -> Dict[bytes, int]:
    """What `du` says of each folder of a tree, by its path in it."""
    found = {}
    for line in run("du", "-0", "-l", *options, "--", top).split(b"\0")[:-1]:
        number, path = line.split(b"\t", 1)
        found[path[len(top):]] = int(number)
    return found


def told_by_du(top: bytes) -> Dict[bytes, Below]:
    """What is below each folder of a tree, but for folders."""
    sizes = ["--apparent-size", "--block-size=1"]
    # What `du` counts for a folder depends on its version.
    with tempfile.TemporaryDirectory(dir=os.path.dirname(top)) as empty:
        counts_folders = du(os.fsencode(empty), *sizes)[b""] > 0
    bytes_below, entries = du(top, *sizes), du(top, "--inodes")
    own = {at[len(top):]: os.lstat(at).st_size if counts_folders else 0 for at, _, _ in os.walk(top)}
    if set(own) != set(bytes_below):
        fail(f"du and os.walk find other folders: {set(own) ^ set(bytes_below)}")

    def inner(folder: bytes) -> Iterator[bytes]:
        return (other for other in own if other == folder or other.startswith(folder + b"/"))

    return {folder: (bytes_below[folder] - sum(own[other] for other in inner(folder)),
                     entries[folder] - sum(1 for _ in inner(folder))) for folder in own}


def raw(properties: Dict[str, str]) -> bytes:
    """The path of a node below its root."""
    path = unquote_to_bytes(properties["rawPath"]) if "rawPath" in properties else properties["path"].encode()
    _, slash, rest = path.partition(b"/")
    return slash + rest


def differences(old: Dict[bytes, Below], new: Dict[bytes, Below]) -> Dict[bytes, Below]:
    """By how much each folder of both differs."""
    none = (0, 0)
    return {folder: (new.get(folder, none)[0] - old.get(folder, none)[0], new.get(folder, none)[1] - old.get(folder, none)[1])
            for folder in old.keys() | new.keys()}


def check_features(what: str, features: List[Dict[str, Any]], wanted: Dict[bytes, Below]) -> int:
    """`below` of each folder is what `du` says; of a folder that isn't written nothing differs. How many folders."""
    found = {raw(feature["properties"]): feature["properties"].get("below", {})
             for feature in features if feature["properties"]["kind"] != "poi"}
    left = {raw(feature["properties"]) for feature in features if feature["properties"].get("change") == "left"}
    arrived = {raw(feature["properties"]) for feature in features if feature["properties"].get("change") == "moved"}
    for folder, (size, count) in wanted.items():
        below = found.get(folder, {})
        told = below.get("bytes", 0)
        if told != size:
            fail(f"{what}: {folder!r} has {told} bytes more, and du says {size}")
        away = sum(path.startswith(folder + b"/") for path in left)
        here = sum(path.startswith(folder + b"/") for path in arrived)
        if below.get("moved", 0) != here:
            fail(f"{what}: {here} files moved to {folder!r}, not {below.get('moved', 0)}")
        entries = below.get("added", 0) - below.get("removed", 0) + here - away
        if entries != count:
            fail(f"{what}: {folder!r} has {entries} entries more, and du says {count}")
    if not set(found) <= set(wanted):
        fail(f"{what}: du knows nothing of {set(found) - set(wanted)}")
    return len(wanted)


def check_served(server: Served, wanted: Dict[bytes, Below], label: str) -> int:
    """The same of folders that the server tells of, one by one."""
    count = 0
    for folder, (size, _) in sorted(wanted.items()):
        try:
            path = label + folder.decode()
        except UnicodeDecodeError:
            continue
        node = json.loads(server.get(f"/node?path={quote(path, safe='')}").body)
        told = node["feature"]["properties"].get("below", {}).get("bytes", 0)
        if told != size:
            fail(f"the server says that {path!r} has {told} bytes more, and du says {size}")
        count += 1
    return count


def check(binary: str, seed: int, work: bytes) -> int:
    """One pair of trees; how many folders were compared."""
    chance = random.Random(seed)
    old, new = os.path.join(work, b"old"), os.path.join(work, b"new")
    os.mkdir(old)
    change(old, chance, chance.randrange(120))
    run("cp", "-a", "--sparse=always", "--", old, new)
    change(new, chance, chance.randrange(60))
    for number in range(seed % 3):
        os.makedirs(os.path.join(new, b"empty", b"%d" % number))
    states = []
    for top in (old, new):
        run(binary, "snapshot", "-q", "-o", top + b".geosnap", b"new=" + top)
        states.append(top + b".geosnap")
    wanted = differences(told_by_du(old), told_by_du(new))
    count = 0
    for what, pair in (("folders", (old, new)), ("snapshots", tuple(states)), ("both", (states[0], new))):
        whole = json.loads(run(binary, "diff", "--format", "geojson", *pair))
        count += check_features(f"seed {seed}, {what}", whole["features"], wanted)
        for form, mark in (("geojsonl", b""), ("geojsonseq", b"\x1e")):
            lines = run(binary, "diff", "--format", form, "--all", *pair).splitlines()
            count += check_features(f"seed {seed}, {what}, {form}", [json.loads(line.removeprefix(mark)) for line in lines], wanted)
    with serving(binary, "--port", "0", "--since", os.fsdecode(states[0]), os.fsdecode(new)) as server:
        told = json.loads(server.get("/changes").body)["below"].get("bytes", 0)
        if told != wanted[b""][0]:
            fail(f"seed {seed}: the server says {told} in all, and du {wanted[b''][0]}")
        count += check_served(server, wanted, "new")
    said = re.search(rb"in all +([+-][0-9.]+) ?(\w*)", run(binary, "diff", old, new))
    if said and abs(wanted[b""][0]) < 1000 and int(said[1]) != wanted[b""][0]:
        fail(f"seed {seed}: the summary says {said[0]!r}, and du {wanted[b''][0]}")
    return count


def main() -> None:
    binary = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS
    count = 0
    for seed in range(rounds):
        with tempfile.TemporaryDirectory(prefix="geomapper-du.") as work:
            count += check(binary, seed, os.fsencode(work))
    # What is compared can differ.
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            check_features("a made error", [{"properties": {"path": "r", "kind": "continent", "below": {"bytes": 1}}}], {b"": (2, 0)})
    except SystemExit:
        print(f"below is what du says of {count} folders of {rounds} pairs of trees")
        return
    fail("a wrong sum is not noticed")


if __name__ == "__main__":
    main()
