#!/usr/bin/env python3
"""Makes repositories, and compares `history` with git's own data for each commit.

    check_history.py BINARY [ROUNDS]

The repositories have merges, files that become folders and back, links, submodules, names of any bytes, committer
times that go backwards, and authors whom .mailmap renames. The nodes that live at any time have to be those of `git
ls-tree -r -t` of the last commit up to then, by first parents. Replayed events have to lead to the same files; a
track has to hold its author's changes. Places have to be those that `map --files-from` gives the union of all
commits.
"""

import contextlib
import json
import os
import random
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from datetime import datetime, timezone
from typing import Dict, Iterator, List, Set, Tuple

from outside import fail, given, path_in_root, run, same, same_places

NAMES = [b"a", b"b", b"c d", b"\xff\n", b'q"', "ü".encode(), b"x,y"]
AUTHORS = ["Ann <ann@example.org>", "Bob, the <bob@example.org>", "Zoë <z@example.org>"]
GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"]
Log = List[Tuple[str, int, str]]  # name, effective time and author of each commit
State = Dict[Tuple[bytes, bool], int]  # sizes by path and whether the node is a folder


def change(chance: random.Random) -> None:
    """Makes a random change in the work tree."""
    for _ in range(chance.randrange(6)):
        path = b"/".join(chance.choice(NAMES) for _ in range(chance.randrange(1, 4)))
        subprocess.run(["rm", "-rf", "--", path], check=True)
        parent = os.path.dirname(path)
        while parent and not os.path.isdir(parent):
            if os.path.lexists(parent):
                os.remove(parent)
            parent = os.path.dirname(parent)
        if os.path.dirname(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
        deed = chance.random()
        if deed < 0.6:
            with open(path, "wb") as file:
                file.write(b"x" * chance.randrange(5))
        elif deed < 0.7:
            os.symlink(b"nowhere", path)
        elif deed < 0.75:
            run("git", "init", "-q", path)
            run(*GIT, "-C", path, "commit", "-q", "--allow-empty", "-m", "sub")


def commit(chance: random.Random, number: int) -> None:
    """Commits the change by a random author, at a time that may be earlier than the last one."""
    when = f"{1_600_000_000 + number * 100 + chance.choice([0, 0, 0, -250, 50])} +0000"
    run(*GIT, "add", "-A")
    run(*GIT, "commit", "-q", "--allow-empty", "-m", str(number), "--author",
        chance.choice(AUTHORS), env=dict(os.environ, GIT_COMMITTER_DATE=when))


def make(chance: random.Random) -> None:
    """Makes a repository in the current folder."""
    run("git", "init", "-q", "-b", "main")
    with open(".mailmap", "w", encoding="utf-8") as file:
        file.write("Robert <bob@example.org>\n")
    for number in range(chance.randrange(1, 14)):
        change(chance)
        commit(chance, number)
        if number and chance.random() < 0.3:
            run(*GIT, "checkout", "-q", "-f", "-b", f"side{number}", "HEAD~1")
            run("git", "clean", "-qffdx")
            change(chance)
            commit(chance, number)
            run(*GIT, "checkout", "-q", "-f", "main")
            run("git", "clean", "-qffdx")
            merged = subprocess.run(
                [*GIT, "merge", "-q", "-m", "merge", "-X", "ours", f"side{number}"],
                capture_output=True, check=False)
            if merged.returncode != 0:
                subprocess.run([*GIT, "merge", "--abort"], capture_output=True, check=False)
                run("git", "reset", "-q", "--hard")


def commits() -> Log:
    """The commits by first parents from the root on: names, effective times, authors."""
    found, latest = [], None
    text = run("git", "log", "--first-parent", "--reverse", "--format=%H %ct %aN").decode()
    for line in text.splitlines():
        name, time, author = line.split(" ", 2)
        latest = int(time) if latest is None else max(latest, int(time))
        found.append((name, latest, author))
    return found


def state(revision: str) -> State:
    """The nodes of a commit, except for the root."""
    nodes: State = {}
    entries: Dict[bytes, int] = defaultdict(int)
    for line in run("git", "ls-tree", "-r", "-t", "-l", "-z", revision).split(b"\0")[:-1]:
        facts, path = line.split(b"\t", 1)
        mode, kind, _, size = facts.split()
        nodes[(path, kind != b"blob")] = int(size) if size != b"-" else (
            -1 if kind == b"commit" else 0)
        entries[os.path.dirname(path)] += 1
    for (path, is_folder), size in nodes.items():
        if is_folder and size == 0:
            nodes[(path, True)] = entries[path]
    return nodes


@contextlib.contextmanager
def repository(seed: int) -> Iterator[Tuple[str, Log, List[State]]]:
    """A random repository as the current folder within the block: the folder around it, its commits and their nodes."""
    with tempfile.TemporaryDirectory(prefix="geomapper-history.") as work:
        os.mkdir(os.path.join(work, "repo"))
        os.chdir(os.path.join(work, "repo"))
        make(random.Random(seed))
        log = commits()
        yield work, log, [state(name) for name, _, _ in log]
        os.chdir("/")


def seconds(text: str) -> float:
    """The Unix time of an RFC 3339 text."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S" + (".%fZ" if "." in text else "Z")).replace(
        tzinfo=timezone.utc).timestamp()


def check_lives(binary: str, states: List[State], log: Log) -> int:
    """Compares the lives with each commit; returns the number of lives."""
    written = run(binary, "history", "--git", ".")
    lives = [feature["properties"] for feature in json.loads(written)["features"]]
    last: Dict[int, int] = {time: number for number, (_, time, _) in enumerate(log)}
    for time, number in last.items():
        living = {}
        for life in lives:
            if seconds(life["start"]) <= time < seconds(life.get("end", "9999-12-31T00:00:00Z")):
                node = (path_in_root(life), life["kind"] != "poi")
                if node in living:
                    fail(f"{node} lives twice at {time}")
                living[node] = life
        living.pop((b"", True), None)
        same(f"the nodes that live at {time}", living.keys(), states[number].keys())
    numbers: Dict[Tuple[bytes, bool], int] = defaultdict(int)
    for life in lives:
        node = (path_in_root(life), life["kind"] != "poi")
        numbers[node] += 1
        same(f"the number of a life of {node}", life["life"], numbers[node])
        if "end" not in life and node[0]:
            same(f"the size of {node}", life.get("size", -1), states[-1][node])
    rows = run(binary, "history", "--git", ".", "--format", "csv").count(b"\r\n")
    if rows < len(lives) + 1:
        fail(f"the table has {rows} lines for {len(lives)} lives")
    label = json.loads(written)["geomapper"]["roots"][0].encode()
    same_places(binary, written, {(label, True)} | {
        (label + b"/" + path, is_folder) for known in states for path, is_folder in known})
    return len(lives)


def check_events(binary: str, states: List[State], log: Log) -> int:
    """Replays the events; returns their number."""
    text = run(binary, "history", "--git", ".", "--events", "--format", "geojsonl")
    events = [json.loads(line)["properties"] for line in text.splitlines()]
    by_revision = defaultdict(list)
    for event in events:
        by_revision[event["revision"]].append(event)
    times = [event["time"] for event in events]
    same("the times of events", times, sorted(times))
    files: Set[bytes] = set()
    touched: Dict[str, List[str]] = defaultdict(list)
    for (name, time, author), known in zip(log, states):
        for event in by_revision[name]:
            if seconds(event["time"]) != time or event["author"] != author:
                fail(f"{event} is of {author} at {time}")
            path = path_in_root(event)
            if (path in files) == (event["change"] == "added"):
                fail(f"{path!r} is {event['change']} in {name}")
            (files.discard if event["change"] == "removed" else files.add)(path)
            touched[author].append(event["time"])
        same(f"the files after the events up to {name}", files, {path for path, folder in known if not folder})
    gpx = ElementTree.fromstring(run(binary, "history", "--git", ".", "--format", "gpx"))
    space = "{http://www.topografix.com/GPX/1/1}"
    tracks = [(track.findtext(space + "name"),
               sorted(point.findtext(space + "time") for point in track.iter(space + "trkpt")))
              for track in gpx.iter(space + "trk")]
    same("the tracks of authors", tracks, [(name, sorted(touched[name])) for name in sorted(touched, key=str.encode)])
    return len(events)


def main() -> None:
    options = given(__doc__, "binary", "rounds?")
    binary, rounds = options.binary, int(options.rounds or 15)
    lives = events = revisions = 0
    for seed in range(rounds):
        with repository(seed) as (_, log, states):
            lives += check_lives(binary, states, log)
            events += check_events(binary, states, log)
            revisions += len(log)
    print(f"{lives} lives and {events} events of {revisions} commits in {rounds} repositories are "
          "those that git tells")


if __name__ == "__main__":
    main()
