#!/usr/bin/env python3
"""Compares the tool with the reference implementation on random trees, byte for byte.

    compare.py BINARY [--seconds N] [--seed S] [--keep]

Every tree comes from a seed: odd names, links, pipes, sockets, devices, deep chains that pass the horizon, many
siblings, old and fractional times, unreadable folders, circular links, files with several names, other file
systems. On each, the tool and reference.py run with random options. The first difference is printed with its seed,
the command and the first line that differs. `--seed S` repeats that seed, and `--keep` keeps the tree. As root,
both run as an unprivileged user, so that unreadable folders are unreadable.
"""

import itertools
import json
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, List, NoReturn, Tuple

import reference
from outside import command_text, fail, given, same

NOBODY = 65534
COMBINATIONS = 6
PATIENCE = 60  # seconds for one map


# ------------------------------------------------------------------------------------------------
# Names
# ------------------------------------------------------------------------------------------------

ODD_NAMES = [
    b"-", b"--", b"-rf", b"--help", b"...", b" ", b"a b", b" lead", b"trail ", b"a=b", b"=x",
    b"#1", b'say "hi"', b"it's", b"back\\slash", b"comma, too", b"semi;colon", b"<xml>&amp;",
    b"]]>", b"%41", b"new\nline", b"cr\r", b"cr\r\nlf", b"tab\t", b"\x01", b"\x1b[31m", b"\x7f",
    b"\xc2\x80", b"\xc2\x9f", b"\xc2\xa0", b"\xef\xbb\xbfbom", b"\xe2\x80\xa8", b"\xef\xbf\xbe",
    b"\xef\xbf\xbf", b"\xef\xbf\xbd", "é".encode(), "e\u0301".encode(), "😀".encode(),
    "👩‍👩‍👧".encode(), "日本".encode(), "\U0010ffff".encode(), b"\xff", b"\xc3", b"\xe2\x82",
    b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"ok\x80", b"\xf0\x9fA",
    b"\xe1\x80\xe2\xf0\x91\x92\xf1\xbfA", b"\x08\x0c\x0b", b"null", b"CON", b"*?[",
]
PLAIN = b"abcdefghijklmnopqrstuvwxyz0123456789._-"
ANY = bytes(byte for byte in range(1, 256) if byte != ord("/"))
PLANES = (0x20, 0x7F), (0x80, 0x7FF), (0x800, 0xD7FF), (0xE000, 0xFFFF), (0x10000, 0x10FFFF)


def random_name(chance: random.Random) -> bytes:
    """A file name: anything but `/` and NUL, at most 255 bytes."""
    kind = chance.randrange(10)
    if kind < 4:
        return bytes(chance.choices(PLAIN, k=chance.randint(1, 12)))
    if kind < 6:
        return chance.choice(ODD_NAMES)
    if kind == 6:
        return chance.choice(ODD_NAMES) + chance.choice(ODD_NAMES)
    if kind == 7:
        return bytes(chance.choices(ANY, k=chance.randint(1, 40)))
    if kind == 8:
        planes = chance.choices(PLANES, k=chance.randint(1, 20))
        return "".join(chr(chance.randint(*plane)) for plane in planes).replace("/", "|").encode()
    alphabet = chance.choice([b"x", b"\xff", b'"', b"\xe9a", b"\x01\x02"])
    return bytes(chance.choices(alphabet, k=chance.choice([1, 31, 32, 33, 63, 254, 255])))


# ------------------------------------------------------------------------------------------------
# Trees
# ------------------------------------------------------------------------------------------------


@dataclass
class Tree:
    """A tree in the making, with a limit on its size."""

    chance: random.Random
    budget: int
    counts: Dict[str, int] = field(default_factory=dict)
    made: Dict[str, List[bytes]] = field(default_factory=lambda: {"files": [], "folders": []})

    def remember(self, what: str, folder: int, name: bytes) -> None:
        """Stores the path of a new entry, as a target for links."""
        try:
            path = os.readlink(f"/proc/self/fd/{folder}".encode()) + b"/" + name
        except OSError:  # too deep for its path to be determined
            return
        if len(path) < 3000:
            self.made[what].append(path)

    def count(self, what: str) -> None:
        """Counts a new entry by kind."""
        self.counts[what] = self.counts.get(what, 0) + 1
        self.budget -= 1

    def grow(self, folder: int, depth: int) -> None:
        """Fills an open folder."""
        few, many = (0, 1, 2, 3, 5, 9), (40, 120, 300)
        files = self.chance.choice(many if self.chance.random() < 0.06 else few)
        folders = self.chance.choice(many if self.chance.random() < 0.04 else few)
        if depth == 0:
            folders = max(folders, self.chance.choice(few) + 1)
        for _ in range(min(files, self.budget)):
            self.make_file(folder, self.name(folder))
        for _ in range(folders):
            if self.budget <= 0:
                break
            self.make_folder(folder, depth + 1, lambda opened: self.grow(opened, depth + 1))

    def name(self, folder: int) -> bytes:
        """A name that the folder doesn't contain yet."""
        while True:
            name = random_name(self.chance)
            if name in (b".", b".."):
                continue
            try:
                os.lstat(name, dir_fd=folder)
            except FileNotFoundError:
                return name

    def make_folder(self, parent: int, depth: int, fill: Callable[[int], None]) -> None:
        """Makes a sub-folder, fills it, then sets its time and mode."""
        name = self.name(parent)
        os.mkdir(name, 0o755, dir_fd=parent)
        self.count("folders")
        self.remember("folders", parent, name)
        opened = os.open(name, os.O_RDONLY | os.O_DIRECTORY, dir_fd=parent)
        fill(opened)
        self.set_time(name, parent)
        if depth > 1 and self.chance.random() < 0.05:
            os.fchmod(opened, self.chance.choice([0o000, 0o444, 0o111]))
            self.count("closed folders")
        os.close(opened)

    def make_file(self, folder: int, name: bytes) -> None:
        """Makes an entry that is not a folder."""
        kind = self.chance.randrange(16)
        try:
            if kind == 0:
                target = self.chance.choice([b"nowhere", b".", b"..", name, b"/dev/null"])
                made = self.made[self.chance.choice(["files", "folders"])]
                if made and self.chance.random() < 0.4:
                    target = self.chance.choice(made)
                os.symlink(target, name, dir_fd=folder)
                self.count("links")
            elif kind == 4 and self.made["files"]:
                os.link(self.chance.choice(self.made["files"]), name, dst_dir_fd=folder)
                self.count("hard links")
            elif kind == 1:
                os.mkfifo(name, 0o644, dir_fd=folder)
                self.count("pipes")
            elif kind == 2:
                os.mknod(name, 0o644 | stat.S_IFSOCK, dir_fd=folder)
                self.count("sockets")
            elif kind == 3 and os.geteuid() == 0:
                type_ = self.chance.choice([stat.S_IFCHR, stat.S_IFBLK])
                os.mknod(name, 0o600 | type_, os.makedev(1, 3), dir_fd=folder)
                self.count("devices")
            else:
                self.make_regular_file(folder, name)
        except PermissionError:  # a container may forbid devices
            self.make_regular_file(folder, name)
        self.set_time(name, folder)

    def make_regular_file(self, folder: int, name: bytes) -> None:
        """Makes a file of some size, sparse if large."""
        opened = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644, dir_fd=folder)
        os.ftruncate(opened, self.chance.choice([0, 0, 1, 999, 1 << 20, (1 << 40) + 1]))
        os.close(opened)
        self.count("files")
        self.remember("files", folder, name)

    def set_time(self, name: bytes, folder: int) -> None:
        """Sometimes sets an odd modification time."""
        if self.chance.random() < 0.5:
            return
        seconds = self.chance.choice(
            [0, -1, 1, -(1 << 31), (1 << 31) - 1, (1 << 31), (1 << 32), -62135596801, -62135596800,
             253402300799, 253402300800, self.chance.randint(-(1 << 31), 1 << 32)]
        )
        fraction = self.chance.choice([0, 1, 500_000_000, 999_999_999])
        moment = seconds * 10**9 + fraction
        try:
            os.utime(name, ns=(moment, moment), dir_fd=folder, follow_symlinks=False)
        except OSError:  # outside the file system's range
            pass

    def chain(self, folder: int, depth: int, levels: int) -> None:
        """Nested folders past the horizon, each with siblings."""
        for _ in range(self.chance.choice([0, 0, 1, 3])):
            self.make_file(folder, self.name(folder))
        for _ in range(self.chance.choice([0, 0, 0, 1])):
            self.make_folder(folder, depth + 1, lambda opened: None)
        if levels > 0:
            self.make_folder(folder, depth + 1, lambda o: self.chain(o, depth + 1, levels - 1))


def make_tree(at: Path, chance: random.Random) -> Dict[str, int]:
    """Makes a tree, and returns its numbers of entries by kind."""
    tree = Tree(chance, budget=chance.choice([5, 20, 60, 150, 400, 1200]))
    at.mkdir()
    opened = os.open(at, os.O_RDONLY | os.O_DIRECTORY)
    tree.grow(opened, 0)
    if chance.random() < 0.4:
        tree.chain(opened, 0, chance.randint(5, 90))
    os.close(opened)
    if chance.random() < 0.25:
        mount_small_disk(at / "mounted", tree)
    return tree.counts


def mount_small_disk(at: Path, tree: Tree) -> None:
    """Mounts another file system with some entries, if permitted."""
    if os.path.lexists(at):
        return
    at.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=8m,mode=755", "tmpfs", str(at)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode:
        return
    tree.budget = 20
    opened = os.open(at, os.O_RDONLY | os.O_DIRECTORY)
    tree.made["files"] = []  # hard links between file systems are impossible
    tree.grow(opened, 1)
    os.close(opened)
    tree.count("mounts")


def is_small(folder: Path, most: int = 20_000) -> bool:
    """Whether a tree has few nodes even with links followed."""
    left = most

    def look(path: bytes, above: List[Tuple[int, int]]) -> None:
        nonlocal left
        try:
            status = os.stat(path)
            if (status.st_dev, status.st_ino) in above:
                return
            entries = list(os.scandir(path))
        except OSError:
            return
        left -= len(entries)
        for entry in entries:
            if left < 0:
                return
            try:
                if entry.is_dir():
                    look(entry.path, above + [(status.st_dev, status.st_ino)])
            except OSError:
                continue

    look(os.fsencode(folder), [])
    return left >= 0


def remove(folder: Path) -> None:
    """Removes a tree, including unreadable folders and mounts."""
    for line in Path("/proc/self/mountinfo").read_bytes().splitlines():
        place = os.fsdecode(line.split()[4])  # the names used here need no octal escapes
        if place.startswith(f"{folder}/"):
            subprocess.run(["umount", place], check=True)
    # Unlike shutil, these two can handle paths longer than the limit of a system call.
    open_up = ["chmod", "-R", "u+rwx", "--", str(folder)]
    subprocess.run(open_up, stderr=subprocess.DEVNULL, check=False)
    subprocess.run(["rm", "-rf", "--", str(folder)], check=True)


# ------------------------------------------------------------------------------------------------
# Options
# ------------------------------------------------------------------------------------------------


def random_roots(tree: Path, chance: random.Random) -> List[bytes]:
    """Arguments that name one to three roots: the tree, or folders just below it, some labelled."""
    base = os.fsencode(tree)
    inner = [entry.path for entry in os.scandir(base) if entry.is_dir(follow_symlinks=False)]
    inner.sort()
    kind = chance.randrange(6)
    if kind == 0 or not inner:
        return [base + chance.choice([b"", b"/", b"//", b"/."])]
    if kind == 1:
        return [random_label(chance) + b"=" + base]
    if kind == 2:  # a link to a folder is followed
        link = base + b".link"
        if not os.path.lexists(link):
            os.symlink(chance.choice(inner), link)
        return [link]
    if kind == 3:
        return [b"here=" + base, b"there=" + base + b"/"]  # one folder twice
    chosen = chance.sample(inner, min(len(inner), chance.randint(1, 3)))
    labels = {path.rsplit(b"/", 1)[-1] for path in chosen}
    roots = []
    for path in chosen:
        label = random_label(chance)
        while label in labels:
            label = random_label(chance)
        labels.add(label)
        # An argument without a label begins with a slash, so that no `=` in it makes one.
        roots.append(path if chance.random() < 0.5 else label + b"=" + path)
    return roots


def random_label(chance: random.Random) -> bytes:
    """A label: a name that can come before `=`."""
    while True:
        label = random_name(chance)
        if label not in (b".", b"..") and not label.startswith(b"-") and b"=" not in label:
            return label


Spot = Tuple[float, float]


def random_box(spots: List[Spot], chance: random.Random) -> str:
    """A box, often with edges exactly on printed coordinates."""
    if spots and chance.random() < 0.8:
        (x1, y1), (x2, y2) = chance.choice(spots), chance.choice(spots)
        if chance.random() < 0.5:
            spread = 10 ** chance.uniform(-9, 1.5)
            x2, y2 = x1 + spread * chance.random(), y1 + spread * chance.random()
    else:
        x1, x2 = chance.uniform(-180, 180), chance.uniform(-180, 180)
        y1, y2 = chance.uniform(-90, 90), chance.uniform(-90, 90)
    if chance.random() < 0.8 and x1 > x2:
        x1, x2 = x2, x1
    if chance.random() < 0.1:
        x1, x2 = -180.0, 180.0
    values = [max(-180.0, x1), max(-90.0, min(y1, y2)), min(180.0, x2), min(90.0, max(y1, y2))]
    return ",".join(chance.choice([repr, repr, lambda v: f"{v:.17e}"])(value) for value in values)


def random_options(spots: List[Spot], chance: random.Random, follow: bool) -> List[str]:
    """Options that change the output; `follow` allows options that follow links."""
    options = []
    format_ = chance.choice(["geojson", "geojson", "geojsonseq", "geojsonl", "csv", "gpx"])
    if format_ != "geojson" or chance.random() < 0.5:
        options += ["--format", format_]
    if chance.random() < 0.5:
        options += ["--layout", chance.choice(["settled", "pinned", "pinned"])]
    if chance.random() < 0.3:
        options += ["--zoom", str(chance.choice([0, 1, 2, 3, 4, 6, 8, 12, 20, 34, 40, 64]))]
    if chance.random() < 0.35:
        options += ["--bbox", random_box(spots, chance)]
    if chance.random() < 0.2:
        options += ["--max-depth", str(chance.choice([0, 1, 2, 3, 5, 30, 1000]))]
    if chance.random() < 0.25:
        options.append("--no-stat")
    if format_.startswith("geojson") and chance.random() < 0.25:
        options.append("--tippecanoe")
    if chance.random() < 0.3:
        options.append("-x")
    if follow and chance.random() < 0.4:
        options.append("-L")
    if format_.startswith("geojson") and "--no-stat" not in options:
        options += [option for option in ("--links", "--totals") if chance.random() < 0.3]
    return options


# ------------------------------------------------------------------------------------------------
# Running and comparing
# ------------------------------------------------------------------------------------------------


class Bench:
    """A temporary folder that all users can read, with a copy of the tool in it."""

    def __init__(self, binary: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="geomapper-compare-"))
        self.folder.chmod(0o755)
        self.binary = self.folder / "geomapper"
        shutil.copy(binary, self.binary)
        self.binary.chmod(0o755)
        self.trees = self.folder / "trees"  # the highest folder that links lead to, except for /dev/null
        self.trees.mkdir(mode=0o755)
        self.out = self.folder / "out"
        self.out.mkdir()
        self.out.chmod(0o777)
        self.user: Dict[str, Any] = {}
        if os.geteuid() == 0:
            self.user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}

    def run(self, command: List[Any]) -> Tuple[int, bytes, bytes]:
        """Status, output and messages of a command."""
        ran = subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE, **self.user)
        return ran.returncode, ran.stdout, ran.stderr

    def expected(self, arguments: List[Any]) -> Tuple[int, bytes]:
        """Status and output of the reference, run in a child of this process."""
        file = self.out / "expected"
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            self._run_reference(file, [os.fsencode(argument) for argument in arguments])
        _, waited = os.waitpid(child, 0)
        if waited not in (0, 1 << 8):
            fail(f"reference.py {command_text(arguments)}: wait status {waited}")
        out = file.read_bytes()
        file.unlink()
        return waited >> 8, out

    def _run_reference(self, file: Path, arguments: List[bytes]) -> NoReturn:
        """Writes the reference's map to a file and ends this process."""
        status = 70
        try:
            if self.user:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            sys.setrecursionlimit(100_000)
            options, roots = reference.parse_arguments(arguments)
            with open(file, "wb") as out:
                status = reference.map_roots(options, roots, out)
        except BaseException:  # the child must not continue the parent's code
            traceback.print_exc()
        sys.stderr.flush()
        os._exit(status)

    def found(
        self, arguments: List[Any], threads: int, to_file: bool
    ) -> Tuple[int, bytes, List[Any]]:
        """The tool's output, to standard output or to a file, and its command."""
        file = self.out / "map"
        command = [str(self.binary), "map", "--threads", str(threads)]
        command += (["-o", str(file)] if to_file else []) + arguments
        status, out, messages = self.run(command)
        if status not in (0, 1):
            fail(f"{command_text(command)}: status {status}\n{messages!r}")
        if (status == 0) != (messages == b""):
            fail(f"{command_text(command)}: status {status} with the messages {messages!r}")
        if to_file:
            out = file.read_bytes()
            file.unlink()
        return status, out, command


def spots_of(map_: bytes) -> List[Spot]:
    """Some positions of a map in GeoJSON lines."""
    spots: List[Spot] = []
    for line in map_.splitlines()[:400]:
        coordinates = json.loads(line)["geometry"]["coordinates"]
        ring = coordinates[0] if isinstance(coordinates[0], list) else [coordinates]
        spots += [(lon, lat) for lon, lat in ring[:: max(1, len(ring) // 8)]]
    return spots


@dataclass
class Totals:
    """The numbers of what was compared."""

    trees: int = 0
    maps: int = 0
    bytes: int = 0
    counts: Dict[str, int] = field(default_factory=dict)


def compare_seed(seed: int, bench: Bench, totals: Totals) -> None:
    """Makes the tree of a seed and compares."""
    chance = random.Random(seed)
    tree = bench.trees / "tree"
    for what, count in make_tree(tree, chance).items():
        totals.counts[what] = totals.counts.get(what, 0) + count
    totals.trees += 1
    follow = is_small(bench.trees)
    for _ in range(COMBINATIONS):
        roots: List[Any] = list(random_roots(tree, chance))
        _, plain = bench.expected(["--format", "geojsonl", "--no-stat", *roots])
        options = random_options(spots_of(plain), chance, follow)
        arguments = options + roots
        expected_status, expected = bench.expected(arguments)
        threads, to_file = chance.choice([1, 2, 16]), chance.random() < 0.3
        status, found, command = bench.found(arguments, threads, to_file)
        totals.maps += 1
        totals.bytes += len(expected)
        same(command_text(command), found, expected)
        if status < expected_status or (status != expected_status and not is_partial(options)):
            fail(
                f"{command_text(command)}: status {status}, reference {expected_status}"
            )


def is_partial(options: List[str]) -> bool:
    """Whether there is a filter, so that unreadable entries may be read and not written."""
    return any(option in options for option in ("--zoom", "--bbox", "--max-depth"))


def main() -> None:
    options = given(__doc__, "binary", seconds=60.0, seed=-1, first=int(time.time()), keep=False)
    # A `kill` cleans up too.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    os.umask(0o022)
    bench, totals, keep = Bench(options.binary), Totals(), True
    end = time.monotonic() + options.seconds
    first = options.first if options.seed < 0 else options.seed
    try:
        for seed in itertools.count(first):
            compare_seed(seed, bench, totals)
            if options.seed >= 0 or time.monotonic() > end:
                break
            remove(bench.trees / "tree")
            (bench.trees / "tree.link").unlink(missing_ok=True)
        keep = False
    finally:
        if keep:
            print(f"the seed is {seed}", file=sys.stderr)
        if keep and options.keep:
            print(f"kept: {bench.folder}", file=sys.stderr)
        else:
            remove(bench.folder)
    made = ", ".join(f"{count} {what}" for what, count in sorted(totals.counts.items()))
    print(
        f"compare: {totals.maps} maps of {totals.trees} trees from seed {first} on are equal, "
        f"{totals.bytes} bytes; in the trees {made}"
    )


if __name__ == "__main__":
    main()
