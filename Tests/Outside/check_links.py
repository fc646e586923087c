#!/usr/bin/env python3
"""Checks -x, -L, --links and --totals against `find` on real folders, and maps the whole machine.

    check_links.py BINARY DIR [--seeds N]

DIR is compared with `find`, `find -xdev` and `find -L`: the same paths, the same numbers
of names, the same sums. What changes between the two counts as neither's fault, so DIR should be
one that nobody writes to. Then / and /proc are mapped with and without -x, and the maps are read.

At last N (40) random trees with links and loops are mapped with -L from the disk, from a snapshot that was taken with
-L, and from a snapshot of that, in each format, with random options: all of a tree are the same, byte for byte. The
snapshots are where no link leads: one that a link leads to would be in the second map, and not in the first.
"""

import argparse
import json
import os
import random
import subprocess
import tempfile
from typing import Any, Dict, List, Set, Tuple

from outside import PATIENCE, command_text, fail, raw_path, run_map

File = Tuple[bytes, int, int, int]  # device and inode, names, bytes, allocated bytes


def nodes(binary: str, folder: str, *options: str) -> Dict[bytes, Dict[str, Any]]:
    """The properties of a folder's nodes by their paths below it."""
    lines = run_map(binary, "--format", "geojsonl", *options, f"r={folder}").splitlines()
    features = [json.loads(line) for line in lines]
    return {raw_path(feature)[1:]: feature["properties"] for feature in features}


def found(folder: str, follow: bool, *tests: str) -> Dict[bytes, Tuple[bytes, File]]:
    """What `find` finds: types and facts by path below the folder."""
    command = ["find", "-L" if follow else "-H", folder, *tests, "-printf",
               "%P\\0%y\\0%D %i %n %s %b\\0"]
    ran = subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE)
    fields = ran.stdout.split(b"\0")[:-1]
    result = {}
    for path, type_, facts in zip(fields[::3], fields[1::3], fields[2::3]):
        device, inode, names, size, blocks = facts.split()
        file = (device + b" " + inode, int(names), int(size), int(blocks) * 512)
        result[b"/" + path if path else b""] = (type_, file)
    return result


def same_paths(ours: Set[bytes], theirs: Set[bytes], what: str) -> None:
    """Fails if two sets differ."""
    if ours != theirs:
        only = [sorted(ours - theirs)[:5], sorted(theirs - ours)[:5]]
        fail(f"{what}: only in the map {only[0]}, only found {only[1]}")


def check_totals(ours: Dict[bytes, Dict[str, Any]], theirs: Dict[bytes, Tuple[bytes, File]],
                 what: str) -> int:
    """Compares the totals of all folders; returns how many there are."""
    below: Dict[bytes, Dict[bytes, File]] = {}
    for path, (type_, file) in theirs.items():
        if type_ == b"d":
            below.setdefault(path, {})
            continue
        while path:
            path = path.rpartition(b"/")[0]
            below.setdefault(path, {})[file[0]] = file
    count = 0
    for path, node in ours.items():
        if node["kind"] == "poi" or "size" not in node:
            continue
        files = below[path].values()
        sums = [len(files), sum(file[2] for file in files), sum(file[3] for file in files)]
        if [node[name] for name in ("files", "bytes", "allocated")] != sums:
            fail(f"{what}: {path!r} has {node}, found {sums}")
        count += 1
    return count


def check_folder(binary: str, folder: str) -> str:
    """Compares one folder with `find`."""
    plain = nodes(binary, folder, "--links", "--totals")
    theirs = found(folder, False)
    same_paths(set(plain), set(theirs), folder)
    several = 0
    for path, node in plain.items():
        type_, file = theirs[path]
        names = file[1] if type_ != b"d" and file[1] > 1 else None
        several += names is not None
        if node.get("links") != names:
            fail(f"{folder}: {path!r} has {node}, found {names} names")
    totals = check_totals(plain, theirs, folder)
    same_paths(set(nodes(binary, folder, "-x")), set(found(folder, False, "-xdev")),
               f"-x {folder}")
    return f"{folder}: {len(plain)} nodes, {several} with several names, {totals} totals"


def check_follow(binary: str, folder: str) -> str:
    """Compares a folder whose links are followed with `find -L`, which names no loops."""
    ours = nodes(binary, folder, "-L", "--totals")
    theirs = found(folder, True)
    loops = {path for path, node in ours.items() if "loop" in node}
    same_paths(set(ours) - loops, set(theirs), f"-L {folder}")
    for path, node in ours.items():
        is_link = path not in loops and theirs[path][0] in (b"l", b"N", b"L", b"?")
        if (node.get("special") == "symlink") != is_link:
            fail(f"-L {folder}: {path!r} is {node}, found {theirs.get(path)}")
    totals = check_totals(ours, theirs, f"-L {folder}")
    return f"-L {folder}: {len(ours)} nodes, {len(loops)} loops, {totals} totals"


def check_machine(binary: str, *arguments: str) -> str:
    """Maps something that changes and reads the map: its frame, its counts and every hundredth line."""
    with tempfile.TemporaryDirectory(prefix="geomapper-links-") as folder:
        file = f"{folder}/map"
        run_map(binary, *arguments, out=file)
        files = folders = 0
        with open(file, "rb") as lines:
            header = next(lines)
            for number, line in enumerate(lines):
                if line.startswith(b"],"):
                    break
                poi = b'"kind":"poi"' in line
                files, folders = files + poi, folders + (not poi)
                if number % 100 == 0:
                    json.loads(line.rstrip(b",\n"))
            summary = json.loads(header + line)["summary"]
        if (files, folders) != (summary["files"], summary["folders"]):
            fail(f"{command_text(arguments)}: {files} files, {folders} folders, {summary}")
    return f"{command_text(arguments)}: {files + folders} nodes"


def make_tree(generator: random.Random, top: str) -> None:
    """Makes the folders d and o, with files of several names, and links to all that there is, and above it."""
    folders = ["d", "o", "o/y"]
    files = ["o/x"]
    for name in folders:
        os.mkdir(f"{top}/{name}")
    with open(f"{top}/o/x", "w", encoding="utf-8") as file:
        file.write("12")
    os.symlink("../../d", f"{top}/o/y/back")
    for number in range(generator.randint(2, 25)):
        path = f"{generator.choice(folders)}/{generator.choice('abcdefgh')}{number}"
        kind = generator.random()
        if kind < 0.4:
            os.mkdir(f"{top}/{path}")
            folders.append(path)
        elif kind < 0.7:
            with open(f"{top}/{path}", "wb") as file:
                file.write(b"x" * generator.randint(0, 5000))
            time = generator.choice([10**18, 1_650_000_000 * 10**9, 1_650_000_000 * 10**9 + 1, -5 * 10**8])
            os.utime(f"{top}/{path}", ns=(time, time))
            files.append(path)
        elif kind < 0.75:
            os.link(f"{top}/{generator.choice(files)}", f"{top}/{path}")
        else:
            target = generator.choice(folders + files + ["d/none", path, "."])
            near = os.path.relpath(target, os.path.dirname(path))
            os.symlink(near if generator.random() < 0.8 else f"{top}/{target}", f"{top}/{path}")


def read_bytes(path: str) -> bytes:
    """What is in a file."""
    with open(path, "rb") as file:
        return file.read()


def random_options(generator: random.Random, name: str) -> List[str]:
    """Options that a format takes."""
    options = ["--format", name, "--threads", str(generator.randint(1, 4))]
    is_archive = name == "pmtiles"
    for chance, some, formats in [
            (0.5, ["--layout", "pinned"], None), (0.3, ["--newer", "@1650000000"], None),
            (0.2, ["--size", "+100"], None), (0.2, ["--exclude", "**/a*"], None), (0.2, ["--name", "*1*"], None),
            (0.2, ["--type", generator.choice(["f", "d", "l", "f,l"])], None),
            (0.3, ["--max-depth", str(generator.randint(0, 3))], ""), (0.2, ["--zoom", str(generator.randint(0, 8))], ""),
            (0.2, ["--bbox", "-20,-20,100,60"], ""), (0.5, ["--totals"], "geojson csv html"),
            (0.5, ["--links"], "geojson"), (0.3, ["--no-index"], "flatgeobuf"), (0.3, ["--compress", "none"], "parquet")]:
        fits = formats is None or (not is_archive if formats == "" else name in formats.split())
        if generator.random() < chance and fits:
            options += some
    return options


def check_random(binary: str, seeds: int) -> str:
    """Maps random trees whose links are followed from several sources."""
    count = 0
    for seed in range(seeds):
        generator = random.Random(seed)
        with tempfile.TemporaryDirectory(prefix="geomapper-links-") as top, \
                tempfile.TemporaryDirectory(prefix="geomapper-kept-") as kept:
            make_tree(generator, top)
            roots = [f"{top}/{name}" for name in (["d"] if generator.random() < 0.7 else ["d", "o"])]
            for source, target in (["-L", *roots], f"{kept}/first"), ([f"{kept}/first"], f"{kept}/second"):
                subprocess.run([binary, "snapshot", "-q", "-o", target, *source], check=True, timeout=PATIENCE)
            for name in ("geojson", "csv", "gpx", "html", "flatgeobuf", "parquet", "pmtiles"):
                options = random_options(generator, name)
                maps = []
                for source in ["-L", *roots], [f"{kept}/first"], [f"{kept}/second"]:
                    run_map(binary, *options, *source, out=f"{kept}/map")
                    maps.append(read_bytes(f"{kept}/map"))
                if maps[1] != maps[0] or maps[2] != maps[0]:
                    fail(f"seed {seed}: with {command_text(options)} a snapshot gives another map than the disk")
                count += 1
    return f"{seeds} random trees, {count} maps of three sources"


def main() -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("folder")
    parser.add_argument("--seeds", type=int, default=40)
    given = parser.parse_args()
    binary, folder = os.path.abspath(given.binary), given.folder
    reports: List[str] = [check_folder(binary, folder), check_follow(binary, folder)]
    for arguments in (["/proc"], ["-x", "/proc"], ["/sys"], ["/"], ["-x", "/"]):
        reports.append(check_machine(binary, *arguments))
    reports.append(check_random(binary, given.seeds))
    print("links: " + "; ".join(reports))


if __name__ == "__main__":
    main()
