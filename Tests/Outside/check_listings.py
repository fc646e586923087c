#!/usr/bin/env python3
"""Maps lists, backups and archives by what other programs list of them, and compares with the folder itself.

    check_listings.py GEOMAPPER FOLDER

GNU find, bfs and ncdu list FOLDER, which has to give the same map. gdu doesn't distinguish links from files, replaces
invalid UTF-8, and gives a folder the latest time of its contents, so it lists a tree without these.

Then a folder of awkward names is backed up with restic and borg, copied to a remote of rclone, packed with tar, bsdtar
and zip, and each is listed by the program itself. What a program can't list is known here: restic, borg and rclone
replace bytes that are not UTF-8, rclone and unzip replace control characters, rclone has no links and pipes, and
listings by borg, tar and unzip have no times with a zone. A program that is missing is left out, with a message.
"""

import json
import os
import random
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple, Optional, Tuple

from outside import fail, given, installed, path_in_root, put, run, run_map, same, strict_json

FIND = "%s %T@ %y %p\\0"
NAMES = [
    b"plain", b"sp ace", b"line\nbreak", b"quote\"s'", b"back\\slash", b"\xff\xfe", b"-dash", b"tab\there", "é漢🙂".encode(),
    b"ctl\x01\x1b\x7f", b"arrow -> x", b"trailing ", b" leading", b"#hash", b"a\\nb", b"link to y", b"star*?[x]", b"cr\rx",
    b"percent%0a", b"^Jx", "u\u2028x".encode(), b"=", b"a=b", b"\"", b"12:00 2026-01-31 12:00 x",
]
ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8", "TZ": "America/New_York", "RESTIC_PASSWORD": "x",
               "BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK": "yes"}


def compare(binary: str, kind: str, listing: bytes, folder: str, *options: str) -> None:
    """The map of a list is that of the disk."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(listing)
        file.flush()
        found = run_map(binary, "--files-from", file.name, "--list-format", kind, folder, *options)
    same(f"{kind}, {options}", found, run_map(binary, folder, *options))


def shuffled(listing: bytes) -> bytes:
    """The entries of a list in random order."""
    entries = listing.split(b"\0")[:-1]
    random.Random(1).shuffle(entries)
    return b"".join(entry + b"\0" for entry in entries)


def plain_tree(root: str) -> None:
    """Makes folders and regular files with ASCII names; each folder is newer than its contents."""
    generator = random.Random(2)
    folders = [root]
    for number in range(400):
        parent = generator.choice(folders)
        path = os.path.join(parent, f"{generator.randrange(36**4)} \"{number}\\")
        if generator.random() < 0.3:
            os.mkdir(path)
            folders.append(path)
        else:
            put(parent, {os.path.basename(path): generator.randrange(100)})
            os.utime(path, (0, generator.randrange(-(10**9), 2 * 10**9)))
    for age, path in enumerate(folders):
        os.utime(path, (0, 3 * 10**9 - age))


def check_lists(binary: str, folder: str, at: Path) -> List[str]:
    """Checks programs whose lists have everything; returns those that are installed."""
    programs = installed("find", "bfs", "ncdu", "gdu")
    for program in {"find", "bfs"} & set(programs):
        listing = run(program, folder, "-printf", FIND)
        compare(binary, "find", listing, folder)
        compare(binary, "find", shuffled(listing), folder, "--layout", "pinned", "--size=+1k")
    if "ncdu" in programs:
        compare(binary, "ncdu", run("ncdu", "-e", "-o", "-", folder, stdin=subprocess.DEVNULL), folder)
        linked = at / "linked"
        put(str(linked), {"a": 100_000, "b/c": 5})
        os.link(linked / "a", linked / "b/d")
        os.truncate(linked / "b/c", 10_000_000)
        for options in (["-e"], []):
            (at / "export").write_bytes(run("ncdu", *options, "-o", "-", str(linked), stdin=subprocess.DEVNULL))
            totals = [json.loads(run(binary, "stats", "-q", "--format", "json", *source)) for source in (
                [str(linked)], ["--files-from", str(at / "export"), "--list-format", "ncdu", str(linked)])]
            for member in ("bytes", "allocated"):
                same(f"ncdu, {member}", *(str(one["total"][member]).encode() for one in totals))
    if "gdu" in programs:
        root = str(at / "plain")
        os.mkdir(root)
        plain_tree(root)
        compare(binary, "gdu", run("gdu", "--non-interactive", "--output-file", "-", root), root)
    return programs


class Node(NamedTuple):
    """What a map says of a file or folder."""

    is_folder: bool
    special: str
    size: Optional[str]
    modified: Optional[str]


class Kind(NamedTuple):
    """A program that lists."""

    name: str
    programs: Tuple[str, ...]
    # Makes the listing of the folder `tree` in the current folder.
    listing: Callable[[Path], bytes]
    has_times: bool = False
    # Bytes of names that it replaces.
    replaced: bytes = rb"(?!)"
    has_links: bool = True
    has_pipes: bool = True
    links_have_sizes: bool = True
    # The label where the entries have no folder in common.
    label: Optional[str] = None


def plant(tree: Path) -> None:
    """Makes the folder."""
    at = os.fsencode(tree)
    for folder in (b"empty dir", b"a/b/c", b"-x"):
        os.makedirs(os.path.join(at, folder))
    for number, name in enumerate(NAMES):
        path = os.path.join(at, b"a", name)
        with open(path, "wb") as file:
            file.write(b"x" * 7 * number)
        os.utime(path, ns=(0, (1_700_000_000 + number) * 10**9 + 500_000_000))
    with open(tree / "a/b/c/deep", "wb") as file:
        file.write(b"x" * 100_000)
    os.utime(tree / "a/b/c/deep", ns=(0, -1_500_000_000))
    for name, target in ((b"sym", b"plain"), (b"long", b"x" * 90), (b"line", b"new\nline")):
        os.symlink(target, os.path.join(at, b"a/b", name))
    os.mkfifo(tree / "a/pipe")


def told(*command: object, at: Path, statuses: Tuple[int, ...] = (0,)) -> bytes:
    """The output of a program."""
    return run(*command, statuses=statuses, cwd=at, env=ENVIRONMENT, stdin=subprocess.DEVNULL)


def restic(at: Path) -> bytes:
    """The listing of the newest snapshot."""
    if not (at / "restic").exists():
        told("restic", "init", "-q", "--repo", "restic", at=at)
    told("restic", "backup", "-q", "--no-cache", "--repo", "restic", "tree", at=at)
    return told("restic", "ls", "--json", "--no-cache", "--repo", "restic", "latest", at=at)


def borg(at: Path) -> bytes:
    """The listing of an archive."""
    os.environ["BORG_BASE_DIR"] = ENVIRONMENT["BORG_BASE_DIR"] = str(at / "borg-base")
    told("borg", "init", "-e", "none", "borg", at=at)
    told("borg", "create", "borg::one", "tree", at=at)
    return told("borg", "list", "--json-lines", "borg::one", at=at)


def rclone(at: Path) -> bytes:
    """The listing of a folder as a remote."""
    return told("rclone", "--config", os.devnull, "lsjson", "-R", "tree", at=at)


def packed(*list_command: str) -> Callable[[Path], bytes]:
    """The listing of an archive of tar."""
    def listing(at: Path) -> bytes:
        told("tar", "-cf", "tree.tar", "tree", at=at)
        return told(*list_command, "tree.tar", at=at)
    return listing


def zipped(at: Path) -> bytes:
    """The listing of a zip archive."""
    told("zip", "-q", "-r", "--symlinks", "tree.zip", "tree", at=at, statuses=(0, 18))
    return told("unzip", "-l", "tree.zip", at=at)


def mtree(*options: str) -> Callable[[Path], bytes]:
    """An mtree of the folder."""
    return lambda at: told("bsdtar", "-cf", "-", *options, "tree", at=at)


NO_UTF8 = rb"\xff"
CONTROLS = rb"[\x00-\x1f\x7f\xff]"
KINDS = [
    Kind("restic", ("restic",), restic, has_times=True, replaced=NO_UTF8, links_have_sizes=False),
    Kind("borg", ("borg",), borg, replaced=NO_UTF8),
    Kind("rclone", ("rclone",), rclone, has_times=True, replaced=CONTROLS, has_links=False, has_pipes=False, label="listing"),
    Kind("mtree", ("bsdtar",), mtree("--format=mtree"), has_times=True),
    Kind("mtree", ("bsdtar",), mtree("--format=mtree-classic"), has_times=True, label="listing"),
    Kind("tar", ("tar",), packed("tar", "-tvf")),
    Kind("tar", ("tar",), packed("tar", "--full-time", "-tvf")),
    Kind("tar", ("tar",), packed("tar", "--block-number", "-tvf")),
    Kind("tar", ("tar", "bsdtar"), packed("bsdtar", "-tvf")),
    Kind("unzip", ("zip", "unzip"), zipped, replaced=CONTROLS, has_links=False, has_pipes=False),
]


def nodes(raw: bytes, inside: bytes = b"") -> Dict[bytes, Node]:
    """The nodes of a map by their paths without the root, or without a folder in it."""
    found = {}
    for line in raw.split(b"\n")[:-1]:
        properties = strict_json(line)["properties"]
        path = path_in_root(properties)
        if inside:
            if path != inside and not path.startswith(inside + b"/"):
                continue
            path = path[len(inside) + 1:]
        is_folder = properties["kind"] != "poi"
        found[path] = Node(
            is_folder, properties.get("special", ""), properties.get("size"), properties.get("modified"))
    return found


def difference(kind: Kind, wanted: Dict[bytes, Node], found: Dict[bytes, Node]) -> Optional[str]:
    """How a listing differs from the folder, except for what the program can't list."""
    def is_kept(path: bytes) -> bool:
        return not re.search(kind.replaced, path)

    def is_listed(node: Node) -> bool:
        return (kind.has_links or node.special != "symlink") and (kind.has_pipes or node.special != "fifo")

    unlike = [path for path in wanted if not is_kept(path)]
    # unzip lists links as files.
    links = [path for path, node in wanted.items() if node.special == "symlink"] if kind.name == "unzip" else []
    names = {path for path, node in wanted.items() if is_kept(path) and is_listed(node)} | set(links)
    others = {path for path in found if path not in names}
    if names - set(found):
        return f"not listed: {sorted(names - set(found))}"
    if len(others) > len(unlike):
        return f"not in the folder: {sorted(others)}"
    for path in sorted(names - set(links)):
        disk, listed = wanted[path], found[path]
        if (disk.is_folder, disk.special) != (listed.is_folder, listed.special):
            return f"{path!r}: {listed} in place of {disk}"
        # Folders of rclone and zip lack entries; the root of rclone has no time.
        is_sized = not disk.is_folder and (kind.links_have_sizes or disk.special != "symlink")
        if is_sized and disk.size != listed.size:
            return f"{path!r}: size {listed.size} in place of {disk.size}"
        is_dated = kind.has_times and (path or kind.name != "rclone") and (is_sized or disk.is_folder)
        if listed.modified != (disk.modified if is_dated else None):
            return f"{path!r}: time {listed.modified} in place of {disk.modified}"
    return None


def check(binary: str, kind: Kind, listing: bytes, at: Path) -> None:
    """Compares all ways to read a listing with the folder."""
    file = at / "listing.txt"
    file.write_bytes(listing)
    wanted = nodes(run(binary, "map", "-q", "--format", "geojsonl", at / "tree"))
    inside = b"tree" if kind.name == "mtree" and kind.label else b""
    for arguments in ([file], ["--files-from", file], ["--files-from", file, "--list-format", kind.name, "given="],
                      [f"given={file}"]):
        raw = run(binary, "map", "--format", "geojsonl", *arguments)
        trouble = difference(kind, wanted, nodes(raw, inside))
        if trouble:
            fail(f"{kind.name}, {arguments}: {trouble}")
        label = strict_json(raw.split(b"\n")[0])["properties"]["path"]
        wished = "given" if "given" in str(arguments[-1]) else kind.label or "tree"
        if label != wished:
            fail(f"{kind.name}, {arguments}: the label is {label}, not {wished}")
    if kind.name == "mtree" and not kind.label:
        changes = run(binary, "diff", file, at / "tree")
        if b"nothing differs" not in changes:
            fail(f"mtree: {changes!r}")
    # As PowerShell writes it.
    try:
        file.write_bytes(listing.decode().replace("\n", "\r\n").encode("utf-16"))
    except UnicodeDecodeError:
        pass
    else:
        if run(binary, "map", "--format", "geojsonl", f"given={file}") != raw:
            fail(f"{kind.name}: a listing in UTF-16 differs")
        file.write_bytes(listing)
    # A pipe of the shell.
    piped = run("bash", "-c", '"$1" map -q --format geojsonl given=<(cat "$2")', "bash", binary, file)
    if piped != raw:
        fail(f"{kind.name}: a pipe differs from a file")
    cut = run("bash", "-c", f'head -c {len(listing) * 2 // 3} "$2" | "$1" map --files-from - --list-format {kind.name} --format csv r= 2>&1',
              "bash", binary, file, statuses=(1,))
    if not re.search(rb"standard input, (line|byte) [0-9]+: .*(cut off|'unzip -l' has)", cut):
        fail(f"{kind.name}: a listing that is cut off is not named: {cut[-500:]!r}")


def check_busybox(binary: str, at: Path) -> None:
    """busybox shows a further name by an arrow alone, and escapes nothing."""
    put(str(at / "box"), {"a": 5, "d/f": 7, "x -> y": 0})
    os.link(at / "box/a", at / "box/d/b")
    told("busybox", "tar", "-cf", "box.tar", "box", at=at)
    (at / "box.list").write_bytes(told("busybox", "tar", "-tvf", "box.tar", at=at))
    found = {path: (node.is_folder, node.special) for path, node in
             nodes(run(binary, "map", "--format", "geojsonl", at / "box.list")).items()}
    wanted = {path: (path in (b"", b"d"), "") for path in (b"", b"a", b"d", b"d/b", b"d/f", b"x -> y")}
    if found != wanted:
        fail(f"busybox: {found}, not {wanted}")


def check_history(binary: str, at: Path) -> None:
    """The history of two snapshots of restic, and what differs between them."""
    (at / "first").write_bytes(restic(at))
    (at / "tree/a/added").write_bytes(b"12345")
    (at / "tree/a/plain").unlink()
    (at / "second").write_bytes(restic(at))
    changes = run(binary, "diff", "--format", "csv", at / "first", at / "second").decode(errors="replace")
    if "tree/a/added,poi,2,added" not in changes or "tree/a/plain,poi,2,removed" not in changes:
        fail(f"restic: two snapshots differ by {changes}")
    times = {}
    for name in ("first", "second"):
        head = strict_json((at / name).read_bytes().split(b"\n")[0])
        told_time = run("date", "-u", "-d", head["time"], "+%Y-%m-%dT%H:%M:%SZ").decode().strip()
        times[name] = told_time
    lives = run(binary, "history", "--format", "csv", at / "second", at / "first").decode(errors="replace")
    if times["first"] not in lives or f"tree/a/added,poi,2,1,{times['second']}" not in lives:
        fail(f"restic: the history has other times than {times}: {lives[:2000]}")


def main() -> None:
    """Runs the checks for the installed programs."""
    options = given(__doc__, "binary", "folder")
    binary = options.binary
    missing: List[str] = []
    with tempfile.TemporaryDirectory() as folder:
        at = Path(os.path.realpath(folder))
        checked = check_lists(binary, os.path.realpath(options.folder), at)
        plant(at / "tree")
        for kind in KINDS:
            lacking = [program for program in kind.programs if not shutil.which(program)]
            missing += lacking
            if not lacking:
                check(binary, kind, kind.listing(at), at)
                checked.append(kind.name)
        if shutil.which("busybox"):
            check_busybox(binary, at)
            checked.append("busybox")
        if shutil.which("restic"):
            check_history(binary, at)
    for program in sorted(set(missing)):
        print(f"not checked: {program} is not installed")
    print(f"listings of {', '.join(dict.fromkeys(checked))} give the map of the folder")


if __name__ == "__main__":
    main()
