#!/usr/bin/env python3
"""Checks -x, -L, --links and --totals against `find` on real folders, and maps the whole machine.

    check_links.py BINARY DIR

DIR is compared with `find`, `find -xdev` and `find -L`: the same paths, the same numbers of names, the same totals.
Changes between the two runs would show as differences, so DIR should not change. Then / and /proc are mapped with
and without -x, and the maps are parsed.
"""

import json
import tempfile
from typing import Any, Dict, Tuple

from outside import command_text, features, given, raw_path, run, run_map, same

File = Tuple[bytes, int, int, int]  # device and inode, names, bytes, allocated bytes


def nodes(binary: str, folder: str, *options: str) -> Dict[bytes, Dict[str, Any]]:
    """The properties of a folder's nodes by relative path."""
    return {raw_path(feature)[1:]: feature["properties"] for feature in features(binary, *options, f"r={folder}")}


def found(folder: str, follow: bool, *tests: str) -> Dict[bytes, Tuple[bytes, File]]:
    """The types and facts that `find` finds, by relative path."""
    command = ["find", "-L" if follow else "-H", folder, *tests, "-printf",
               "%P\\0%y\\0%D %i %n %s %b\\0"]
    fields = run(*command, statuses=(0, 1)).split(b"\0")[:-1]
    result = {}
    for path, type_, facts in zip(fields[::3], fields[1::3], fields[2::3]):
        device, inode, names, size, blocks = facts.split()
        file = (device + b" " + inode, int(names), int(size), int(blocks) * 512)
        result[b"/" + path if path else b""] = (type_, file)
    return result


def check_totals(ours: Dict[bytes, Dict[str, Any]], theirs: Dict[bytes, Tuple[bytes, File]],
                 what: str) -> int:
    """Compares the totals of all folders; returns their number."""
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
        same(f"{what}: the totals of {path!r}", [node[name] for name in ("files", "bytes", "allocated")], sums)
        count += 1
    return count


def check_folder(binary: str, folder: str) -> str:
    """Compares one folder with `find`."""
    plain = nodes(binary, folder, "--links", "--totals")
    theirs = found(folder, False)
    same(folder, plain.keys(), theirs.keys())
    several = 0
    for path, node in plain.items():
        type_, file = theirs[path]
        names = file[1] if type_ != b"d" and file[1] > 1 else None
        several += names is not None
        same(f"{folder}: the names of {path!r}", node.get("links"), names)
    totals = check_totals(plain, theirs, folder)
    same(f"-x {folder}", nodes(binary, folder, "-x").keys(), found(folder, False, "-xdev").keys())
    return f"{folder}: {len(plain)} nodes, {several} with several names, {totals} totals"


def check_follow(binary: str, folder: str) -> str:
    """Compares a folder with links followed with `find -L`, which doesn't list loops."""
    ours = nodes(binary, folder, "-L", "--totals")
    theirs = found(folder, True)
    loops = {path for path, node in ours.items() if "loop" in node}
    same(f"-L {folder}", ours.keys() - loops, set(theirs))
    for path, node in ours.items():
        is_link = path not in loops and theirs[path][0] in (b"l", b"N", b"L", b"?")
        same(f"-L {folder}: whether {path!r} is a link", node.get("special") == "symlink", is_link)
    totals = check_totals(ours, theirs, f"-L {folder}")
    return f"-L {folder}: {len(ours)} nodes, {len(loops)} loops, {totals} totals"


def check_machine(binary: str, *arguments: str) -> str:
    """Maps a changing tree and parses the map: header and footer, counts and every hundredth line."""
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
        same(f"{command_text(arguments)}: the summary", (summary["files"], summary["folders"]), (files, folders))
    return f"{command_text(arguments)}: {files + folders} nodes"


def main() -> None:
    options = given(__doc__, "binary", "folder")
    reports = [check_folder(options.binary, options.folder), check_follow(options.binary, options.folder)]
    for arguments in (["/proc"], ["-x", "/proc"], ["/sys"], ["/"], ["-x", "/"]):
        reports.append(check_machine(options.binary, *arguments))
    print("links: " + "; ".join(reports))


if __name__ == "__main__":
    main()
