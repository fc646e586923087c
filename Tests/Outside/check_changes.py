#!/usr/bin/env python3
"""Compares two trees independently, and checks that `diff` finds the same.

    check_changes.py BINARY [ROUNDS]

Trees of random names, with hard links, sparse files, links and pipes, are made on disk and changed: files are
added, removed, written, moved and copied, folders become files and back. This script compares the results of
os.lstat by the definition, without the tool. `diff` has to report the same in each GeoJSON format, for folders,
snapshots and a mix of both, and so do the totals of each folder on the server and in the summary. Places have to be
those that `map --files-from` gives the union, and `verify` has to agree. For git revisions the result has to be
that of `git diff --name-status`. `rsync -n`, which compares sizes and times, has to find the same. So does `diff
-rq`, which compares contents, except for files that differ only in time.
"""

import json
import os
import random
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from collections import defaultdict
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple
from urllib.parse import quote

from findings import by_contents, difference, of_diff, of_geomapper, of_git, of_rsync
from outside import fail, path_in_root, raw_member, run
from served import Served, serving

Node = Tuple[bytes, bool]  # the path from the label on, and whether the node is a folder
WORDS = {stat.S_IFLNK: "symlink", stat.S_IFIFO: "fifo", stat.S_IFREG: None}
NAMES = [b"a", b"b", b"c d", b"\xff\n", b'q"', "ü".encode(), b"x,y", b"-", b"a" * 60, b"-rf", b"*", b"'", b"\\t"]


class Kind(NamedTuple):
    """How to make a tree."""

    names: Sequence[bytes]
    holes: Sequence[int]  # sizes of sparse files


ODD = Kind(NAMES, [511, 70_000, 1 << 20, 1 << 40])
# For `diff`, which prints a line for each path, and reads contents.
TAME = Kind([name for name in NAMES if b"\n" not in name and b"\\" not in name], [511, 4096])
READ = Kind(NAMES, TAME.holes)  # with odd names, for git, which reads contents too
SERVED = 12  # the number of rounds that also check the server


def make(top: bytes, chance: random.Random, sort: Kind = ODD) -> None:
    """Makes a tree of some folders and files, with few distinct sizes and times."""
    os.mkdir(top)
    folders = [top]
    for _ in range(chance.randrange(60)):
        path = os.path.join(chance.choice(folders), chance.choice(sort.names))
        if not os.path.lexists(path):
            put(path, folders, chance, sort)


def put(path: bytes, folders: List[bytes], chance: random.Random, sort: Kind) -> None:
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
                file.truncate(chance.choice(sort.holes))
    when = chance.randrange(3) * 10**9 + chance.randrange(2)
    os.utime(path, ns=(when, when), follow_symlinks=False)


def change(top: bytes, chance: random.Random, sort: Kind = ODD) -> None:
    """Makes some typical changes to a tree."""
    for _ in range(chance.randrange(25)):
        folders, files = [top], []
        for at, inner, others in os.walk(top):
            folders += [os.path.join(at, name) for name in inner
                        if not os.path.islink(os.path.join(at, name))]
            files += [os.path.join(at, name) for name in others]
        deed = chance.random()
        fresh = os.path.join(chance.choice(folders), chance.choice(sort.names))
        old = chance.choice(files) if files and deed < 0.8 else chance.choice(folders)
        if deed > 0.9 and not os.path.lexists(fresh):
            put(fresh, folders, chance, sort)
        elif old == top:
            continue
        elif deed < 0.2:
            subprocess.run(["rm", "-rf", "--", old], check=True)
            if chance.random() < 0.5:
                put(old, folders, chance, sort)
        elif not os.path.lexists(fresh) and not (fresh + b"/").startswith(old + b"/"):
            if chance.random() < 0.3:
                subprocess.run(["cp", "-a", "--", old, fresh], check=True)
            else:
                os.rename(old, fresh)


def state(top: bytes, label: bytes) -> Dict[Node, os.stat_result]:
    """The lstat results of all entries of a tree."""
    found = {(label, True): os.lstat(top)}
    for at, inner, names in os.walk(top):
        for name in inner + names:
            known = os.lstat(os.path.join(at, name))
            path = label + os.path.join(at, name)[len(top):]
            found[(path, stat.S_ISDIR(known.st_mode))] = known
    return found


def expected(old: Dict[Node, os.stat_result],
             new: Dict[Node, os.stat_result]) -> Dict[Node, Tuple[str, Optional[bytes]]]:
    """How each node differs, and the other path of those that moved."""
    def facts(known: os.stat_result) -> Tuple[int, int, int]:
        return stat.S_IFMT(known.st_mode), known.st_size, known.st_mtime_ns

    changes: Dict[Node, Tuple[str, Optional[bytes]]] = {}
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


def check_map(binary: str, written: bytes, old: Dict[Node, os.stat_result],
              new: Dict[Node, os.stat_result]) -> int:
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
        if properties.get("change") != word:
            fail(f"{node} is {properties.get('change')}, and not {word}")
        if (raw_member(properties, "from") or raw_member(properties, "to")) != other:
            fail(f"the other place of {node} is {other!r}: {properties}")
        known = new.get(node, old.get(node))
        if not node[1]:
            kind = WORDS[stat.S_IFMT(known.st_mode)]
            facts = (properties["size"], properties["modified"], properties.get("special"))
            if facts != (known.st_size, known.st_mtime_ns // 10**9, kind):
                fail(f"{node}: {facts}")
        if word == "changed":
            before = old[node]
            was = properties["was"]
            if (was["size"], was["modified"]) != (before.st_size, before.st_mtime_ns // 10**9):
                fail(f"{node} was {was}")
        if node[1]:
            check_below(node[0], properties.get("below", {}), wanted, old, new)
    missing = (wanted.keys() | holding) - seen
    if missing or seen - wanted.keys() - holding:
        fail(f"not written: {missing}; written for nothing: {seen - wanted.keys() - holding}")
    run(binary, "verify", "-q", "changes.geojson")
    return len(wanted)


def check_below(path: bytes, below: Dict[str, int],
                wanted: Dict[Node, Tuple[str, Optional[bytes]]],
                old: Dict[Node, os.stat_result], new: Dict[Node, os.stat_result]) -> None:
    """Compares the totals of the differences in a folder."""
    def files(known: Dict[Node, os.stat_result]) -> int:
        return sum(facts.st_size for node, facts in known.items()
                   if not node[1] and node[0].startswith(path + b"/"))

    counts: Dict[str, int] = defaultdict(int)
    for node, (word, _) in wanted.items():
        if not node[1] and node[0].startswith(path + b"/") and word != "left":
            counts[word] += 1
    counts["bytes"] = files(new) - files(old)
    if below != {word: number for word, number in counts.items() if number}:
        fail(f"below {path!r} there is {below}, and not {dict(counts)}")


def check_places(binary: str, written: bytes, nodes: List[Node]) -> None:
    """Compares places with those of a map of a list of all paths."""
    both = {node[0] for node in nodes if node[1]} & {node[0] for node in nodes if not node[1]}
    if both:
        return
    with open("list", "wb") as file:
        for path, is_folder in nodes:
            file.write(path + (b"/\0" if is_folder else b"\0"))
    listed = run(binary, "map", "-q", "--files-from", "list", "-0", "new")
    places = {raw_member(feature["properties"], "path"): (feature["geometry"],
                                                   feature["properties"]["minzoom"])
              for feature in json.loads(listed)["features"]}
    for feature in json.loads(written)["features"]:
        path = raw_member(feature["properties"], "path")
        if places[path] != (feature["geometry"], feature["properties"]["minzoom"]):
            fail(f"{path!r} is not where the union has it")


def below_of(features: List[Dict[str, Any]]) -> Dict[bytes, Dict[str, int]]:
    """The totals of the differences in each folder that has any."""
    return {path_in_root(feature["properties"]): feature["properties"]["below"]
            for feature in features if "below" in feature["properties"]}


def check_lines(binary: str, whole: List[Dict[str, Any]], states: List[str]) -> None:
    """The line formats have the collection's features; with --all, the totals of folders stay the same."""
    for form, mark in (("geojsonl", b""), ("geojsonseq", b"\x1e")):
        for more in ([], ["--all"]):
            lines = run(binary, "diff", "-q", "--format", form, *more, *states).splitlines()
            found = [json.loads(line.removeprefix(mark)) for line in lines]
            found = [feature for feature in found if "properties" in feature]
            if below_of(found) != below_of(whole) or (not more and found != whole):
                fail(f"{form} {more} differs from the collection")


def check_served(server: Served, below: Dict[bytes, Dict[str, int]], folders: List[bytes]) -> None:
    """The server reports the totals of the differences for each folder, and for the whole tree."""
    told = json.loads(server.get("/changes").body)["below"].get("bytes", 0)
    if told != below.get(b"", {}).get("bytes", 0):
        fail(f"the server says {told} in all, and not {below.get(b'', {})}")
    for folder in folders:
        try:
            path = folder.decode()
        except UnicodeDecodeError:
            continue
        node = json.loads(server.get(f"/node?path={quote(path, safe='')}").body)
        told = node["feature"]["properties"].get("below", {}).get("bytes", 0)
        if told != below.get(folder.partition(b"/")[2], {}).get("bytes", 0):
            fail(f"the server says that {path!r} differs by {told} bytes: {below}")


def check_disk(binary: str, chance: random.Random, is_served: bool) -> int:
    """Checks a pair of trees in all combinations of sources; returns how many nodes differ."""
    for name in ("old", "new"):
        subprocess.run(["rm", "-rf", name], check=True)
    make(b"old", chance)
    subprocess.run(["cp", "-a", "old", "new"], check=True)
    change(b"new", chance)
    for name in ("old", "new"):
        run(binary, "snapshot", "-q", "-o", name + ".geosnap", name)
    old, new = state(b"old", b"new"), state(b"new", b"new")
    written = b""
    for states in (["old", "new"], ["old.geosnap", "new"], ["old", "new.geosnap"],
                   ["old.geosnap", "new.geosnap"]):
        run(binary, "diff", "-q", "--format", "geojson", "-o", "changes.geojson", *states)
        with open("changes.geojson", "rb") as file:
            found = file.read()
        bare = json.loads(found)
        for name in bare["geomapper"]["states"]:
            name.pop("time", None)
        if written and json.dumps(bare) != json.dumps(json.loads(written)):
            fail(f"{states} differ in another way than the folders")
        if not written:
            check_lines(binary, bare["features"], states)
        written = written or found
    below = below_of(json.loads(written)["features"])
    size = below.get(b"", {}).get("bytes", 0)
    said = re.search(rb"in all +([+-][0-9.]+) ?(\w*)", run(binary, "diff", "old", "new"))
    if said and abs(size) < 1000 and int(said[1]) != size:
        fail(f"the summary says {said[0]!r}, and not {size}")
    if is_served:
        with serving(binary, "--port", "0", "--since", "old.geosnap", "new") as server:
            check_served(server, below, sorted(path for path, is_folder in old.keys() | new.keys() if is_folder))
    status = 5 if expected(old, new) else 0
    run(binary, "diff", "-q", "--exit-code", "old", "new", statuses=(status,))
    run(binary, "diff", "-q", "--exit-code", "old", "old.geosnap")
    check_places(binary, written, sorted(old.keys() | new.keys()))
    return check_map(binary, written, old, new)


def check_others(binary: str, chance: random.Random) -> int:
    """Compares a pair of trees with the results of other programs; returns how many nodes differ."""
    for name in ("old", "new"):
        subprocess.run(["rm", "-rf", name], check=True)
    make(b"old", chance, TAME)
    subprocess.run(["cp", "-a", "old", "new"], check=True)
    change(b"new", chance, TAME)
    found = of_geomapper(binary, "old", "new")
    if wrong := difference(found, of_rsync(b"old", b"new")):
        fail(f"geomapper and rsync find {wrong}")
    if wrong := difference(by_contents(found, b"old", b"new"), of_diff(b"old", b"new")):
        fail(f"geomapper, of contents, and diff find {wrong}")
    return len(found)


def check_git(binary: str, chance: random.Random) -> int:
    """Compares commits of random trees with git's own results."""
    git = ["git", "-C", "repo", "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["rm", "-rf", "repo"], check=True)
    run("git", "init", "-q", "repo")
    for number in range(6):
        subprocess.run("find repo -mindepth 1 -maxdepth 1 ! -name .git -exec rm -rf {} +",
                       shell=True, check=True)
        make(b"tree", chance, READ)
        subprocess.run("find tree -type p -delete; cp -a tree/. repo/; rm -rf tree",
                       shell=True, check=True)
        run(*git, "add", "-A")
        run(*git, "commit", "-q", "--allow-empty", "-m", str(number))
    differences = 0
    for number in range(5):
        states = [f"HEAD~{number + 1}", f"HEAD~{number}"]
        found = json.loads(run(binary, "diff", "-q", "--format", "geojson", "--git", "repo", *states))
        said = {}
        for feature in found["features"]:
            properties = feature["properties"]
            if properties["kind"] == "poi":
                word = {"moved": "added", "left": "removed"}.get(
                    properties["change"], properties["change"])
                said[(path_in_root(properties), False)] = word
        if wrong := difference(said, of_git("repo", *states)):
            fail(f"{states}: the tool and git find {wrong}")
        if [state["name"] for state in found["geomapper"]["states"]] != states:
            fail(f"the states are {found['geomapper']['states']}")
        differences += len(said)
    return differences


def main() -> None:
    binary = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 25
    os.environ.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1")
    disk = revisions = others = 0
    has_rsync = shutil.which("rsync") is not None
    with tempfile.TemporaryDirectory(prefix="geomapper-changes.") as work:
        os.chdir(work)
        for seed in range(rounds):
            chance = random.Random(seed)
            disk += check_disk(binary, chance, seed < SERVED)
            if has_rsync:
                others += check_others(binary, chance)
            if seed % 5 == 0:
                revisions += check_git(binary, chance)
        os.chdir("/")
    if not has_rsync:
        print("skipped: rsync is not installed")
    print(f"{disk} nodes of {rounds} pairs of trees and {revisions} files of revisions differ as "
          f"lstat and git have it, {others} as rsync and diff do")


if __name__ == "__main__":
    main()
