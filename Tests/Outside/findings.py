"""The differences that programs find between two trees, in one form: for each path, and whether it is a folder, the
word `added`, `removed` or `changed`.

A moved file is removed at one path and added at the other: the other programs don't detect moves.
"""

import json
import os
import re
import stat
from typing import Dict, List, Set, Tuple

from outside import path_in_root, run

Findings = Dict[Tuple[bytes, bool], str]

# Times are compared by the nanosecond; rsync compares only seconds by default.
RSYNC = ["rsync", "-an", "--delete", "-i", "--modify-window=-1", "--out-format=%i %n"]
DIFF = ["diff", "-rq", "--no-dereference"]
GIT = ["diff", "--name-status", "--no-renames", "-z"]
GIT_MOVES = ["diff", "--name-status", "-M", "-z"]
GIT_FOLDERS = ["git", "diff", "--no-index", "--name-status", "--no-renames", "-z"]


def output(*command: str, statuses: Tuple[int, ...] = (0,)) -> bytes:
    """The output of a command in plain English."""
    return run(*command, statuses=statuses, env={**os.environ, "LC_ALL": "C"})


def of_geomapper(binary: str, *arguments: str) -> Findings:
    """What `geomapper diff` finds."""
    found: Findings = {}
    words = {"moved": "added", "left": "removed"}
    for line in output(binary, "diff", "-q", "--format", "geojsonl", *arguments).splitlines():
        properties = json.loads(line).get("properties", {})
        if "change" not in properties:
            continue
        change = properties["change"]
        found[(path_in_root(properties), properties["kind"] != "poi")] = words.get(change, change)
    return found


def kind(path: bytes) -> int:
    """The file type of the entry at a path; 0 if there is no entry."""
    try:
        return stat.S_IFMT(os.lstat(path).st_mode)
    except OSError:
        return 0


def of_rsync(old: bytes, new: bytes) -> Findings:
    """The changes that `rsync` would make to turn the old tree into the new one."""
    found: Findings = {}
    for line in output(*RSYNC, os.fsdecode(new) + "/", os.fsdecode(old) + "/").split(b"\n"):
        if not line:
            continue
        flags, path = line[:11], line[12:]
        path = re.sub(rb"\\#([0-7]{3})", lambda match: bytes([int(match[1], 8)]), path)
        bare, before = path.rstrip(b"/"), kind(old + b"/" + path.rstrip(b"/"))
        if flags.startswith(b"*deleting"):
            found[(bare, path.endswith(b"/"))] = "removed"
        elif flags[1:2] == b"d":
            if b"+" in flags:
                found[(bare, True)] = "added"
                if before:
                    # rsync doesn't report the removal of a file that a folder replaces.
                    found[(bare, False)] = "removed"
        elif b"+" in flags:
            found[(bare, False)] = "changed" if before and before != stat.S_IFDIR else "added"
            if before == stat.S_IFDIR:
                found[(bare, True)] = "removed"
        elif flags[2:5] != b"...":
            found[(bare, False)] = "changed"
    return found


def all_below(top: bytes, path: bytes) -> List[Tuple[bytes, bool]]:
    """The entry at a path, and all entries in it."""
    if kind(top + b"/" + path) != stat.S_IFDIR:
        return [(path, False)]
    nodes = [(path, True)]
    for name in os.listdir(top + b"/" + path):
        nodes += all_below(top, path + b"/" + name)
    return nodes


def of_diff(old: bytes, new: bytes) -> Findings:
    """The differences by `diff -rq`, which compares contents and ignores times. Paths must not contain line ends."""
    found: Findings = {}
    only = re.compile(rb"Only in (%s|%s)(/.*?)?: (.*)" % (re.escape(old), re.escape(new)))
    differ = re.compile(rb"(?:Files|Symbolic links) %s/(.*) and %s/\1 differ" % (re.escape(old), re.escape(new)))
    other = re.compile(rb"File %s/(.*) is an? (.*) while file %s/\1 is an? (.*)" % (re.escape(old), re.escape(new)))
    for line in output(*DIFF, os.fsdecode(old), os.fsdecode(new), statuses=(0, 1)).split(b"\n"):
        if match := only.fullmatch(line):
            path = (match[2] + b"/" if match[2] else b"/")[1:] + match[3]
            word = "removed" if match[1] == old else "added"
            found.update({node: word for node in all_below(match[1], path)})
        elif match := differ.fullmatch(line):
            found[(match[1], False)] = "changed"
        elif match := other.fullmatch(line):
            if b"directory" in (match[2], match[3]):
                found.update({node: "removed" for node in all_below(old, match[1])})
                found.update({node: "added" for node in all_below(new, match[1])})
            elif match[2] != match[3]:
                found[(match[1], False)] = "changed"
        elif line:
            raise SystemExit(f"diff says what nobody understands: {line!r}")
    return found


def have_same_contents(old: bytes, new: bytes, path: bytes) -> bool:
    """Whether two entries differ only in time."""
    first, second = old + b"/" + path, new + b"/" + path
    if kind(first) != kind(second):
        return False
    if kind(first) == stat.S_IFLNK:
        return os.readlink(first) == os.readlink(second)
    if kind(first) != stat.S_IFREG:
        return True
    with open(first, "rb") as one, open(second, "rb") as other:
        return one.read() == other.read()


def by_contents(found: Findings, old: bytes, new: bytes) -> Findings:
    """The findings of a comparison by contents, derived from one by sizes and times."""
    return {node: word for node, word in found.items()
            if word != "changed" or not have_same_contents(old, new, node[0])}


def of_git(repository: str, old: str, new: str) -> Findings:
    """The differences between two revisions by git."""
    fields = output("git", "-C", repository, *GIT, old, new).split(b"\0")
    words = {b"A": "added", b"D": "removed", b"M": "changed", b"T": "changed"}
    return {(path, False): words[word] for word, path in zip(fields[::2], fields[1::2])}


def of_git_folders(old: bytes, new: bytes) -> Findings:
    """The differences between two folders outside a repository by git, which compares contents and ignores times."""
    told = output(*GIT_FOLDERS, os.fsdecode(old), os.fsdecode(new), statuses=(0, 1)).split(b"\0")
    words = {b"A": "added", b"D": "removed", b"M": "changed", b"T": "changed"}
    found: Findings = {}
    for word, path in zip(told[::2], told[1::2]):
        top = new if path.startswith(new + b"/") else old
        found[(path[len(top) + 1:], False)] = words[word]
    return found


def moves_of_geomapper(binary: str, *arguments: str) -> Set[Tuple[bytes, bytes]]:
    """The old and new paths of moved files by `geomapper diff`."""
    moves = set()
    for line in output(binary, "diff", "-q", "--format", "geojsonl", *arguments).splitlines():
        properties = json.loads(line).get("properties", {})
        if properties.get("change") == "moved":
            moves.add((path_in_root(properties, "from"), path_in_root(properties)))
    return moves


def moves_of_git(repository: str, old: str, new: str) -> Set[Tuple[bytes, bytes]]:
    """The old and new paths of files that git finds unchanged at another path."""
    fields = iter(output("git", "-C", repository, *GIT_MOVES, old, new).split(b"\0"))
    moves = set()
    for word in fields:
        if word[:1] in (b"R", b"C"):
            places = (next(fields), next(fields))
            if word == b"R100":
                moves.add(places)
        elif word:
            next(fields)
    return moves


def files(found: Findings) -> Findings:
    """The findings about entries that are not folders."""
    return {node: word for node, word in found.items() if not node[1]}


def difference(one: Findings, other: Findings) -> str:
    """Examples of where two findings differ; empty if they agree."""
    nodes = sorted(node for node in one.keys() | other.keys() if one.get(node) != other.get(node))
    return ", ".join(f"{node[0]!r}: {one.get(node)} and {other.get(node)}" for node in nodes[:5])
