#!/usr/bin/env python3
"""Compares two trees independently, and checks that `diff` finds the same.

    check_changes.py BINARY [ROUNDS]

Trees of random names, with hard links, sparse files, links and pipes, are made on disk and changed: files are
added, removed, written, moved and copied, folders become files and back. This script compares the results of
os.lstat by the definition, without the tool. `diff` has to report the same for folders, snapshots and a mix of
both, and so do the totals of each folder on the server and in the summary. Places have to be those that
`map --files-from` gives the union, and `verify` has to agree. For git revisions the result has to be that of
`git diff --name-status`.
"""

import json
import os
import random
import re
import stat
import subprocess
import tempfile
from collections import defaultdict
from typing import Any, Dict, List, Optional, Tuple
from urllib.parse import quote

from outside import fail, given, path_in_root, raw_member, run, same, same_places
from served import Served, serving

Node = Tuple[bytes, bool]  # the path from the label on, and whether the node is a folder
Tree = Dict[Node, os.stat_result]
Changes = Dict[Node, Tuple[str, Optional[bytes]]]  # how nodes differ, and the other path of those that moved
WORDS = {stat.S_IFLNK: "symlink", stat.S_IFIFO: "fifo", stat.S_IFREG: None}
NAMES = [b"a", b"b", b"c d", b"\xff\n", b'q"', "ü".encode(), b"x,y", b"-", b"a" * 60, b"-rf", b"*", b"'", b"\\t"]
HOLES = [511, 70_000, 1 << 20, 1 << 40]  # sizes of sparse files
SMALL = [511, 4096]  # for git, which reads contents
SERVED = 12  # the number of rounds that also check the server
GIT = ["diff", "--name-status", "--no-renames", "-z"]


def make(top: bytes, chance: random.Random, holes: List[int]) -> None:
    """Makes a tree of some folders and files, with few distinct sizes and times."""
    os.mkdir(top)
    folders = [top]
    for _ in range(chance.randrange(60)):
        path = os.path.join(chance.choice(folders), chance.choice(NAMES))
        if not os.path.lexists(path):
            put(path, folders, chance, holes)


def put(path: bytes, folders: List[bytes], chance: random.Random, holes: List[int]) -> None:
    """Makes an entry at an unused path."""
    kind = chance.random()
    if kind < 0.4:
        os.mkdir(path)
        folders.append(path)
        return
    if kind < 0.5:
        os.symlink(chance.choice([b"nowhere", b"b"]), path)
    elif kind < 0.55:
        os.mkfifo(path)
    else:
        others = [os.path.join(folders[0], name) for name in os.listdir(folders[0])]
        others = [other for other in others if os.path.isfile(other) and not os.path.islink(other)]
        if kind < 0.65 and others:
            os.link(chance.choice(others), path)
            return
        with open(path, "wb") as file:
            file.write(b"x" * chance.randrange(4))
            if kind > 0.95:
                file.truncate(chance.choice(holes))
    when = chance.randrange(3) * 10**9 + chance.randrange(2)
    os.utime(path, ns=(when, when), follow_symlinks=False)


def change(top: bytes, chance: random.Random) -> None:
    """Makes some typical changes to a tree."""
    for _ in range(chance.randrange(25)):
        folders, files = [top], []
        for at, inner, others in os.walk(top):
            folders += [os.path.join(at, name) for name in inner
                        if not os.path.islink(os.path.join(at, name))]
            files += [os.path.join(at, name) for name in others]
        deed = chance.random()
        fresh = os.path.join(chance.choice(folders), chance.choice(NAMES))
        old = chance.choice(files) if files and deed < 0.8 else chance.choice(folders)
        if deed > 0.9 and not os.path.lexists(fresh):
            put(fresh, folders, chance, HOLES)
        elif old == top:
            continue
        elif deed < 0.2:
            subprocess.run(["rm", "-rf", "--", old], check=True)
            if chance.random() < 0.5:
                put(old, folders, chance, HOLES)
        elif not os.path.lexists(fresh) and not (fresh + b"/").startswith(old + b"/"):
            if chance.random() < 0.3:
                subprocess.run(["cp", "-a", "--", old, fresh], check=True)
            else:
                os.rename(old, fresh)


def state(top: bytes, label: bytes) -> Tree:
    """The lstat results of all entries of a tree."""
    found = {(label, True): os.lstat(top)}
    for at, inner, names in os.walk(top):
        for name in inner + names:
            known = os.lstat(os.path.join(at, name))
            path = label + os.path.join(at, name)[len(top):]
            found[(path, stat.S_ISDIR(known.st_mode))] = known
    return found


def expected(old: Tree, new: Tree) -> Changes:
    """How each node differs, and the other path of those that moved."""
    def facts(known: os.stat_result) -> Tuple[int, int, int]:
        return stat.S_IFMT(known.st_mode), known.st_size, known.st_mtime_ns

    changes: Changes = {}
    unchanged = set()
    for node in old.keys() | new.keys():
        if node not in old:
            changes[node] = ("added", None)
        elif node not in new:
            changes[node] = ("removed", None)
        elif not node[1] and facts(old[node]) != facts(new[node]):
            changes[node] = ("changed", None)
        else:
            unchanged.add(facts(new[node]))
    places: Dict[Tuple[int, int, int], Dict[str, List[bytes]]] = defaultdict(
        lambda: defaultdict(list))
    for node, (word, _) in changes.items():
        if word in ("added", "removed") and not node[1]:
            known = facts(old[node] if word == "removed" else new[node])
            if known[0] == stat.S_IFREG and known[1] > 0 and known not in unchanged:
                places[known][word].append(node[0])
    for both in places.values():
        before, after = sorted(both["removed"]), sorted(both["added"])
        pairs = []
        if len(before) == len(after) == 1:
            pairs = [(before[0], after[0])]
        else:
            for name in {os.path.basename(path) for path in before}:
                pairs += zip([path for path in before if os.path.basename(path) == name],
                             [path for path in after if os.path.basename(path) == name])
        for source, target in pairs:
            changes[(source, False)] = ("left", target)
            changes[(target, False)] = ("moved", source)
    return changes


def check_map(binary: str, written: bytes, old: Tree, new: Tree) -> int:
    """Compares a map with the expected differences; returns how many nodes differ."""
    wanted = expected(old, new)
    holding = {(node[0][:cut], True) for node in wanted
               for cut, byte in enumerate(node[0]) if byte == ord("/")}
    seen = set()
    for feature in json.loads(written)["features"]:
        properties = feature["properties"]
        node = (raw_member(properties, "path"), properties["kind"] != "poi")
        if node in seen:
            fail(f"{node} is written twice")
        seen.add(node)
        word, other = wanted.get(node, (None, None))
        places = raw_member(properties, "from") or raw_member(properties, "to")
        same(f"the change of {node}", (properties.get("change"), places), (word, other))
        known = new.get(node, old.get(node))
        if not node[1]:
            same(f"the facts about {node}",
                 (properties["size"], properties["modified"], properties.get("special")),
                 (known.st_size, known.st_mtime_ns // 10**9, WORDS[stat.S_IFMT(known.st_mode)]))
        if word == "changed":
            was = properties["was"]
            same(f"what {node} was", (was["size"], was["modified"]),
                 (old[node].st_size, old[node].st_mtime_ns // 10**9))
        if node[1]:
            check_below(node[0], properties.get("below", {}), wanted, old, new)
    same("the nodes that are written", seen, wanted.keys() | holding)
    run(binary, "verify", "-q", "changes.geojson")
    return len(wanted)


def check_below(path: bytes, below: Dict[str, int], wanted: Changes, old: Tree, new: Tree) -> None:
    """Compares the totals of the differences in a folder."""
    def files(known: Tree) -> int:
        return sum(facts.st_size for node, facts in known.items()
                   if not node[1] and node[0].startswith(path + b"/"))

    counts: Dict[str, int] = defaultdict(int)
    for node, (word, _) in wanted.items():
        if not node[1] and node[0].startswith(path + b"/") and word != "left":
            counts[word] += 1
    counts["bytes"] = files(new) - files(old)
    same(f"the totals below {path!r}", below, {word: number for word, number in counts.items() if number})


def below_of(features: List[Dict[str, Any]]) -> Dict[bytes, int]:
    """The difference in bytes below each folder."""
    return {path_in_root(feature["properties"]): feature["properties"].get("below", {}).get("bytes", 0)
            for feature in features}


def check_served(server: Served, below: Dict[bytes, int], folders: List[bytes]) -> None:
    """The server reports the totals of the differences for each folder, and for the whole tree."""
    told = json.loads(server.get("/changes").body)["below"].get("bytes", 0)
    same("the bytes that the server reports in all", told, below.get(b"", 0))
    for folder in folders:
        try:
            path = folder.decode()
        except UnicodeDecodeError:
            continue
        node = json.loads(server.get(f"/node?path={quote(path, safe='')}").body)
        told = node["feature"]["properties"].get("below", {}).get("bytes", 0)
        same(f"the bytes that the server reports for {path!r}", told, below.get(folder.partition(b"/")[2], 0))


def bytes_once(folder: bytes) -> int:
    """The bytes of all files below a folder, each once however many names it has."""
    sizes: Dict[Tuple[int, int], int] = {}
    for at, folders, names in os.walk(folder):
        for name in names + [name for name in folders if os.path.islink(os.path.join(at, name))]:
            facts = os.lstat(os.path.join(at, name))
            sizes[facts.st_dev, facts.st_ino] = facts.st_size
    return sum(sizes.values())


def check_disk(binary: str, chance: random.Random, is_served: bool) -> int:
    """Checks a pair of trees in all combinations of sources; returns how many nodes differ."""
    run("rm", "-rf", "old", "new")
    make(b"old", chance, HOLES)
    run("cp", "-a", "old", "new")
    change(b"new", chance)
    for name in ("old", "new"):
        run(binary, "snapshot", "-q", "-o", name + ".geosnap", name)
    old, new = state(b"old", b"new"), state(b"new", b"new")
    written: Dict[str, Any] = {}
    for states in (["old.geosnap", "new"], ["old", "new.geosnap"], ["old.geosnap", "new.geosnap"], ["old", "new"]):
        run(binary, "diff", "-q", "--format", "geojson", "-o", "changes.geojson", *states)
        with open("changes.geojson", "rb") as file:
            raw = file.read()
        found = json.loads(raw)
        for name in found["geomapper"]["states"]:
            name.pop("time", None)
        same(f"the differences of {states}", found, written or found)
        written = found
    below = below_of(written["features"])
    # Features count each name, the summary each file once.
    size = bytes_once(b"new") - bytes_once(b"old")
    said = re.search(rb"in all +([+-][0-9.]+) ?(\w*)", run(binary, "diff", "--apparent", "old", "new"))
    if said and abs(size) < 1000:
        same("the bytes that the summary reports", int(said[1]), size)
    if is_served:
        with serving(binary, "--port", "0", "--since", "old.geosnap", "new") as server:
            check_served(server, below, sorted(path for path, is_folder in old.keys() | new.keys() if is_folder))
    status = 5 if expected(old, new) else 0
    run(binary, "diff", "-q", "--exit-code", "old", "new", statuses=(status,))
    run(binary, "diff", "-q", "--exit-code", "old", "old.geosnap")
    same_places(binary, raw, old.keys() | new.keys())
    return check_map(binary, raw, old, new)


def of_git(repository: str, old: str, new: str) -> Dict[bytes, str]:
    """How files differ between two revisions, by git; a moved file is removed and added."""
    fields = run("git", "-C", repository, *GIT, old, new).split(b"\0")
    words = {b"A": "added", b"D": "removed", b"M": "changed", b"T": "changed"}
    return {path: words[word] for word, path in zip(fields[::2], fields[1::2])}


def of_geomapper(binary: str, repository: str, old: str, new: str) -> Dict[bytes, str]:
    """The same by `diff`."""
    found = json.loads(run(binary, "diff", "-q", "--format", "geojson", "--git", repository, old, new))
    same("the names of states", [state["name"] for state in found["geomapper"]["states"]], [old, new])
    changed = (feature["properties"] for feature in found["features"])
    words = {"moved": "added", "left": "removed"}
    return {path_in_root(one): words.get(one["change"], one["change"]) for one in changed if one["kind"] == "poi"}


def check_git(binary: str, chance: random.Random) -> int:
    """Compares commits of random trees with git's own results."""
    git = ["git", "-C", "repo", "-c", "user.name=a", "-c", "user.email=a@b"]
    run("rm", "-rf", "repo")
    run("git", "init", "-q", "repo")
    for number in range(6):
        run("find", "repo", "-mindepth", "1", "-maxdepth", "1", "!", "-name", ".git", "-exec", "rm", "-rf", "{}", "+")
        make(b"tree", chance, SMALL)
        run("sh", "-c", "find tree -type p -delete; cp -a tree/. repo/; rm -rf tree")
        run(*git, "add", "-A")
        run(*git, "commit", "-q", "--allow-empty", "-m", number)
    differences = 0
    for number in range(5):
        states = [f"HEAD~{number + 1}", f"HEAD~{number}"]
        found = of_geomapper(binary, "repo", *states)
        same(f"files of {states}", found, of_git("repo", *states))
        differences += len(found)
    return differences


def main() -> None:
    options = given(__doc__, "binary", "rounds?")
    rounds = int(options.rounds or 25)
    disk = revisions = 0
    with tempfile.TemporaryDirectory(prefix="geomapper-changes.") as work:
        os.chdir(work)
        for seed in range(rounds):
            chance = random.Random(seed)
            disk += check_disk(options.binary, chance, seed < SERVED)
            if seed % 5 == 0:
                revisions += check_git(options.binary, chance)
        os.chdir("/")
    print(f"{disk} nodes of {rounds} pairs of trees and {revisions} files of revisions differ as lstat and git have it")


if __name__ == "__main__":
    main()
