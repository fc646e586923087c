"""Kills `geomapper keep` at random moments, lets the disk become full, and checks that the store stays whole.

    check_keep.py GEOMAPPER [--kills N] [--seed S]

A tree changes between runs. Each run keeps, or removes states, and is killed by SIGKILL after a random time. After each
kill the store lists every state of before, but for those being removed, and at most one more. Now and then all states are
read: the newest of a copy is removed again and again, so each becomes a snapshot. With a disk of a few megabytes (where it can be mounted) runs fail until
states are removed, and no state is lost. Two runs at once both keep their state.
"""

import json
import os
import random
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Dict, List, Set

from outside import fail, given, run, same

FOLDERS, FILES = 12, 700


class Store:
    """A store of the states of a tree."""

    def __init__(self, binary: str, base: Path, place: Path) -> None:
        self.binary, self.tree, self.place = binary, base / "tree", place
        self.environment = dict(os.environ, TMPDIR=str(base))

    def command(self, *arguments: str) -> List[str]:
        return [self.binary, "keep", "-q", "--store", str(self.place), *arguments]

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
        """Runs the command to its end; 3 is the status on a full disk."""
        ran = subprocess.run(self.command(*arguments), env=self.environment, capture_output=True, check=False)
        if ran.returncode not in (0, 3):
            fail(f"{arguments}: status {ran.returncode}: {ran.stderr!r}")
        return ran

    def keep(self) -> None:
        """Keeps a state, and must not fail."""
        run(*self.command(str(self.tree)), env=self.environment)

    def start(self, *arguments: str) -> "subprocess.Popen[bytes]":
        """Starts the command."""
        return subprocess.Popen(self.command(*arguments), env=self.environment, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE)

    def states(self) -> List[Dict[str, Any]]:
        return json.loads(run(*self.command("--list", "--format", "json"), env=self.environment))["states"]

    def times(self) -> List[str]:
        return [state["time"] for state in self.states()]

    def names(self) -> List[str]:
        """The names of the states, in the order of their times; how times are printed depends on the other states."""
        names = [name[: -len(".state")] for name in os.listdir(self.place) if name.endswith(".state")]
        names.sort(key=lambda name: [int(part) for part in name.split("-")[:2]])
        if len(names) != len(self.states()):
            fail(f"of {names} only {self.times()} are listed")
        return names


def change(tree: Path, generator: random.Random) -> None:
    """Changes some files."""
    for _ in range(generator.randint(0, 30)):
        path = tree / f"folder-{generator.randrange(FOLDERS)}" / f"file with a long name {generator.randrange(FILES)}"
        path.parent.mkdir(parents=True, exist_ok=True)
        if generator.random() < 0.1:
            path.unlink(missing_ok=True)
        else:
            with open(path, "wb") as file:
                file.truncate(generator.randrange(100_000))
    if generator.random() < 0.05:
        shutil.rmtree(tree / f"folder-{generator.randrange(FOLDERS)}", ignore_errors=True)


def whole(store: Store) -> None:
    """No file is without its state but what the next run sweeps up, and each state has its tree."""
    names = set(os.listdir(store.place)) - {"version"}
    states = {name[: -len(".state")] for name in names if name.endswith(".state")}
    for name in states:
        if f"{name}.geosnap" not in names and f"{name}.delta" not in names:
            fail(f"the state {name} has no tree")


def kill_at_random(store: Store, generator: random.Random, kills: int) -> str:
    done = 0
    store.keep()
    started = time.monotonic()
    store.keep()
    usual = time.monotonic() - started
    for number in range(kills):
        change(store.tree, generator)
        before = store.names()
        # A run that was killed between the tree and the state has left a complete state, which the next one adds.
        left = {name[: -len(".new")] for name in os.listdir(store.place) if name.endswith(".new")}
        removed: Set[str] = set()
        arguments = ["--retain", "all", str(store.tree)]
        if len(before) > 12 or (len(before) > 3 and generator.random() < 0.2):
            removed = set(generator.sample(before, generator.randint(1, len(before) // 2)))
            arguments = ["--drop", *(at for at, name in zip(store.times(), before) if name in removed)]
        process = store.start(*arguments)
        time.sleep(generator.uniform(0, usual * 1.1))
        process.kill()
        _, errors = process.communicate()
        done += process.returncode >= 0
        if process.returncode > 0:
            fail(f"kill {number}: status {process.returncode}: {errors!r}")
        whole(store)
        after = store.names()
        if not set(before) - removed <= set(after) or len(set(after) - set(before) - left) > 1:
            fail(f"kill {number}: {before} became {after}, removing {removed}")
        if number % 50 == 49:
            check_trees(store)
    store.keep()
    check_trees(store)
    same("what is left behind", [name for name in os.listdir(store.place) if name.startswith(".new-")], [])
    return f"{kills} kills ({done} came too late)"


def check_trees(store: Store) -> None:
    """Removing states reads and writes all that depend on them: the newest of a copy, one after another."""
    with tempfile.TemporaryDirectory(dir=store.tree.parent) as folder:
        copy = Store(store.binary, store.tree.parent, Path(folder) / "kept")
        shutil.copytree(store.place, copy.place)
        while len(copy.times()) > 1:
            time_of = copy.times()[-1]
            run(*copy.command("--drop", time_of), env=store.environment)
            newest = copy.states()[-1]
            about = [json.loads(run(store.binary, "snapshot", "--info", snapshot, "--format", "json"))
                     for snapshot in copy.place.glob("*.geosnap")]
            if not all(one["sound"] for one in about):
                fail(f"without {time_of} a snapshot is damaged: {about}")
            counts = [(one["files"], one["folders"]) for one in about]
            if (newest["files"], newest["folders"]) not in counts:
                fail(f"without {time_of} no snapshot has the {newest['files']} files of the newest state")


def fill_the_disk(store: Store, base: Path, generator: random.Random) -> str:
    small = base / "small"
    small.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(small)], capture_output=True,
                             check=False)
    if mounted.returncode != 0:
        return "no small disk can be mounted"
    try:
        full = Store(store.binary, base, small / "kept")
        failures = kept = 0
        for _ in range(40):
            for _ in range(20):
                change(store.tree, generator)
            before = full.names() if full.place.exists() else []
            status = full.run("--retain", "all", str(store.tree)).returncode
            after = full.names()
            if status == 0:
                kept += 1
                same("the number of states on a small disk", len(after), len(before) + 1)
                continue
            failures += 1
            same("the states on a full disk", after, before)
            whole(full)
            if len(after) > 2:
                gone = after[1: 1 + len(after) // 2]
                status = full.run("--drop", *(at for at, name in zip(full.times(), after) if name in gone)).returncode
                if not set(after) - set(gone) <= set(full.names()):
                    fail("--drop on a full disk lost states")
                if status == 3:
                    break
        if failures == 0:
            fail("the small disk never became full")
        if full.times():
            check_trees(full)
        return f"{kept} states on a small disk, {failures} times full"
    finally:
        subprocess.run(["umount", str(small)], check=False)


def run_at_once(store: Store) -> str:
    before = len(store.times())
    command = [store.binary, "keep", "--store", str(store.place), "--retain", "all", str(store.tree)]
    processes = [subprocess.Popen(command, env=store.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                 for _ in range(6)]
    for process in processes:
        _, errors = process.communicate(timeout=120)
        same(f"the status of one of several runs at once, {errors!r}", process.returncode, 0)
        if b"clock" in errors:
            fail(f"one of several runs at once: {errors!r}")
    same("the states of several runs at once", len(store.times()), before + len(processes))
    check_trees(store)
    return f"{len(processes)} runs at once"


def main() -> None:
    arguments = given(__doc__, "binary", kills=200, seed=1)
    generator = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        (base / "tree").mkdir()
        store = Store(arguments.binary, base, base / "kept")
        for _ in range(200):
            change(store.tree, generator)
        parts = [kill_at_random(store, generator, arguments.kills), fill_the_disk(store, base, generator),
                 run_at_once(store)]
    print(", ".join(parts) + ": no state was lost")


if __name__ == "__main__":
    main()
