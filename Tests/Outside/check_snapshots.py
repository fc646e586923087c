#!/usr/bin/env python3
"""Reads snapshots with a second reader, and compares them with the disk.

    check_snapshots.py BINARY [DIR...]

Each DIR (by default /usr/share and a tree of odd names) is stored in a snapshot, to a file and to a pipe. The
reader of snapshots.py, which was written from the documentation, has to find by the index the same as lstat.
"""

import os
import stat
import tempfile
from pathlib import Path
from typing import Tuple

from outside import fail, given, put, run, same
from snapshots import Snapshot, Wrong

KINDS = {stat.S_IFREG: 0, stat.S_IFDIR: 1, stat.S_IFLNK: 2, stat.S_IFIFO: 3, stat.S_IFSOCK: 4,
         stat.S_IFBLK: 5, stat.S_IFCHR: 6}


def device(number: int) -> int:
    """A device number in the encoding of statx."""
    return os.major(number) << 32 | os.minor(number)


def compare(snapshot: Snapshot, directory: bytes) -> Tuple[int, int]:
    """Compares each folder with the disk; returns the numbers of folders and files."""
    folders = files = 0
    label = snapshot.roots[0][0]
    for path, record in snapshot.walk():
        at = directory + path[len(label):]
        own = os.lstat(at) if path != label else os.stat(at)
        folders += 1
        if not record.flags & 2:
            if os.access(at, os.R_OK | os.X_OK):
                fail(f"{at!r} has no listing: {record.reason}")
            continue
        same(f"{at!r}", (record.time, record.storage), (own.st_mtime_ns // 10**9, (
            own.st_mtime_ns % 10**9, own.st_blocks * 512, device(own.st_dev), own.st_ino,
            own.st_nlink, own.st_uid, own.st_gid)))
        there = {name: os.lstat(os.path.join(at, name)) for name in os.listdir(at)}
        inner = sorted(name for name in there if stat.S_ISDIR(there[name].st_mode))
        same(f"the sub-folders of {at!r}", [name for name, _, _ in record.folders], inner)
        same(f"the files of {at!r}", [file.name for file in record.files], sorted(there.keys() - set(inner)))
        for file in record.files:
            files += 1
            known = there[file.name]
            found = (KINDS[stat.S_IFMT(known.st_mode)], known.st_size, known.st_mtime_ns // 10**9,
                     known.st_nlink, known.st_mtime_ns % 10**9, known.st_blocks * 512,
                     device(known.st_dev), known.st_ino, known.st_uid, known.st_gid)
            if file.status == 0:
                same(f"{at!r}/{file.name!r}", (
                    file.kind, file.size, file.time, file.links, file.nanoseconds, file.room,
                    file.device, file.inode, file.owner, file.group), found)
    same("folders and files by the trailer", (snapshot.folders, snapshot.files), (folders, files))
    return folders, files


def odd(at: Path) -> None:
    """A tree of odd names and files."""
    (at / "deep" / "er").mkdir(parents=True)
    put(str(at), {f"wide/file with a name that is long enough {number * 7919 % 3001}": "" for number in range(3000)})
    for number in range(3000):
        (at / f"wide/folder {number}").mkdir()
    put(str(at), {os.fsdecode(b"\xff\n\x01"): "", "sparse": ""})
    os.symlink("nowhere", at / "link")
    os.mkfifo(at / "pipe")
    os.truncate(at / "sparse", 1 << 40)
    os.utime(at / "sparse", ns=(-1_500_000_001, -1_500_000_001))
    os.link(at / "sparse", at / "deep" / "same")


def taken(binary: str, directory: bytes, scratch: Path) -> bytes:
    """The bytes of a snapshot; a pipe gives the same except for the time and checksums."""
    file, root = scratch / "taken.geosnap", b"root=" + directory
    run(binary, "snapshot", root, "-o", file, statuses=(0, 1))
    data = file.read_bytes()
    if b"sound" not in run(binary, "snapshot", "--info", file):
        fail(f"--info doesn't find the snapshot of {directory!r} sound")
    same("a snapshot in a pipe", unsealed(run(binary, "snapshot", root, statuses=(0, 1))), unsealed(data))
    return data


def unsealed(data: bytes) -> bytes:
    """A snapshot without its time and the checksums that depend on it."""
    length = 16 + int.from_bytes(data[12:16], "little")
    return data[:16] + data[28:length] + data[length + 4:-16]


def main() -> None:
    options = given(__doc__, "binary", "directory*")
    told = []
    with tempfile.TemporaryDirectory(prefix="geomapper-snapshots-") as folder:
        tree = Path(folder) / "odd"
        odd(tree)
        for directory in options.directory or [str(tree), "/usr/share"]:
            data = taken(options.binary, os.fsencode(directory), Path(folder))
            try:
                entries = sum(compare(Snapshot(data), os.fsencode(directory)))
            except Wrong as error:
                fail(f"the second reader refuses the snapshot of {directory}: {error}")
            told.append(f"{entries} entries of {directory}, {len(data) / entries:.2f} bytes each")
    print("; ".join(told))


if __name__ == "__main__":
    main()
