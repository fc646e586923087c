#!/usr/bin/env python3
"""Reads snapshots with a second reader, and compares them with the disk.

    check_snapshots.py BINARY [DIR...]

Each DIR (by default /usr/share and a tree of odd names) is stored in a snapshot, to a file and to a pipe. The
reader of snapshots.py, which was written from the documentation, has to find by the index the same as lstat. The
check reports the number of bytes for an entry, and the share of each column.
"""

import os
import stat
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from typing import List, Tuple

from outside import fail
from snapshots import (DEVICES, GROUPS, INODES, NANOSECONDS, OWNERS, ROOMS, Snapshot, Wrong)

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
        if (record.time, record.storage) != (own.st_mtime_ns // 10**9, (
                own.st_mtime_ns % 10**9, own.st_blocks * 512, device(own.st_dev), own.st_ino,
                own.st_nlink, own.st_uid, own.st_gid)):
            fail(f"{at!r} is {record.time} {record.storage}, and on the disk {own}")
        names = os.listdir(at)
        there = {name: os.lstat(os.path.join(at, name)) for name in names}
        if sorted(n for n in names if stat.S_ISDIR(there[n].st_mode)) != [
                name for name, _, _ in record.folders]:
            fail(f"{at!r} has other sub-folders: {record.folders}")
        if sorted(n for n in names if not stat.S_ISDIR(there[n].st_mode)) != [
                file.name for file in record.files]:
            fail(f"{at!r} has other files")
        for file in record.files:
            files += 1
            known = there[file.name]
            found = (KINDS[stat.S_IFMT(known.st_mode)], known.st_size, known.st_mtime_ns // 10**9,
                     known.st_nlink, known.st_mtime_ns % 10**9, known.st_blocks * 512,
                     device(known.st_dev), known.st_ino, known.st_uid, known.st_gid)
            if file.status == 0 and found != (
                    file.kind, file.size, file.time, file.links, file.nanoseconds, file.room,
                    file.device, file.inode, file.owner, file.group):
                fail(f"{at!r}/{file.name!r} is {file}, and on the disk {found}")
    if (folders, files) != (snapshot.folders, snapshot.files):
        fail(f"{folders} folders and {files} files are not what the trailer says")
    return folders, files


def odd(at: Path) -> None:
    """A tree of odd names and files."""
    (at / "deep" / "er").mkdir(parents=True)
    wide = at / "wide"
    wide.mkdir()
    for number in range(3000):
        (wide / f"file with a name that is long enough {number * 7919 % 3001}").touch()
        (wide / f"folder {number}").mkdir()
    os.close(os.open(os.path.join(os.fsencode(at), b"\xff\n\x01"), os.O_CREAT | os.O_WRONLY))
    os.symlink("nowhere", at / "link")
    os.mkfifo(at / "pipe")
    (at / "sparse").touch()
    os.truncate(at / "sparse", 1 << 40)
    os.utime(at / "sparse", ns=(-1_500_000_001, -1_500_000_001))
    os.link(at / "sparse", at / "deep" / "same")


def taken(binary: str, directory: bytes, scratch: Path) -> bytes:
    """The bytes of a snapshot; a pipe gives the same except for the time and checksums."""
    file = scratch / "taken.geosnap"
    ran = subprocess.run([binary, "snapshot", b"root=" + directory, "-o", str(file)], check=False,
                         capture_output=True)
    if ran.returncode not in (0, 1):
        fail(f"status {ran.returncode}: {ran.stderr!r}")
    data = file.read_bytes()
    told = subprocess.run([binary, "snapshot", "--info", str(file)], check=False,
                          capture_output=True)
    if told.returncode != 0 or b"sound" not in told.stdout:
        fail(f"--info: status {told.returncode}: {told.stdout!r}")
    piped = subprocess.run([binary, "snapshot", b"root=" + directory], check=False,
                           capture_output=True).stdout
    if len(piped) != len(data) or unsealed(piped) != unsealed(data):
        fail(f"two snapshots of {directory!r} differ in more than the time")
    return data


def unsealed(data: bytes) -> bytes:
    """A snapshot without its time and the checksums that depend on it."""
    length = 16 + int.from_bytes(data[12:16], "little")
    return data[:16] + data[28:length] + data[length + 4:-16]


def report(snapshot: Snapshot, length: int, entries: int) -> str:
    """The bytes for an entry, and the share of some columns, measured by compressing the blocks without them."""
    def packed(*left_out: int) -> int:
        return sum(len(zlib.compress(b"".join(
            part for number, part in enumerate(parts) if number not in left_out)))
                   for parts in snapshot.parts)
    whole = packed()
    adds = ", ".join(f"{(whole - packed(*columns)) / entries:.2f} for {what}" for what, columns in (
        ("nanoseconds", (NANOSECONDS,)), ("identity", (DEVICES, INODES)),
        ("room", (ROOMS,)), ("owners", (OWNERS, GROUPS))))
    return f"{length / entries:.2f} bytes an entry, of which {adds}"


def main() -> None:
    """Runs the command line."""
    binary = os.path.abspath(sys.argv[1])
    told: List[str] = []
    with tempfile.TemporaryDirectory(prefix="geomapper-snapshots-") as folder:
        tree = Path(folder) / "odd"
        odd(tree)
        directories = [os.fsencode(name) for name in sys.argv[2:]] or [
            os.fsencode(tree), b"/usr/share"]
        for directory in directories:
            data = taken(binary, directory, Path(folder))
            try:
                snapshot = Snapshot(data)
                folders, files = compare(snapshot, directory)
            except Wrong as error:
                fail(f"the second reader refuses the snapshot of {directory!r}: {error}")
            told.append(f"{folders + files} entries of {os.fsdecode(directory)}: "
                        + report(snapshot, len(data), folders + files))
    print("; ".join(told))


if __name__ == "__main__":
    main()
