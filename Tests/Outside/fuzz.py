#!/usr/bin/env python3
"""Feeds the tool unusual input, and checks that it ends as documented.

    fuzz.py BINARY [--seconds N] [--seed N] [--seeds N]

The input: random options from the help of each command; lists, snapshots, maps and exports with changed bytes;
patterns compared with `git check-ignore --no-index`; names of random bytes through every format into strict
parsers; and lines close to valid questions for the co-process. No run may crash, hang, end with an undocumented
status, or fail without a message. Failing cases are shrunk before they are printed; the seed repeats them.
"""

import argparse
import csv
import io
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
import zlib
from pathlib import Path
from typing import Callable, Dict, List, Optional, Tuple

from outside import fail, raw_path, strict_json

PATIENCE = 30
STATUSES = {b"verify": (0, 1, 2, 3, 4), b"diff": (0, 1, 2, 3, 5)}
COMMANDS = ("map", "locate", "whereis", "route", "find", "stats", "split", "join", "verify", "help", "snapshot",
            "diff", "history", "draw", "publish", "track", "replay", "recordings")
FORMATS = ("geojson", "geojsonseq", "geojsonl", "csv", "gpx", "html")
# Pieces of listings by other programs.
LISTINGS = {
    b"restic": [b'{"struct_type":"snapshot","time":"2026-01-31T12:00:00Z","paths":["/a"]}\n',
                b'{"struct_type":"node","type":"dir","path":"/a","mtime":"2026-01-31T12:00:00.5+02:00"}\n',
                b'{"struct_type":"node","type":"file","path":"/a/b","size":9223372036854775807}\n',
                b'{"struct_type":"node","type":"symlink","path":"/a/\\udcff","size":-1}\n', b'{"struct_type":"node","type":"fi'],
    b"borg": [b'{"type": "d", "mode": "drwxr-xr-x", "path": "a", "size": 0, "mtime": "2026-01-31T12:00:00.5"}\n',
              b'{"type": "-", "mode": "hrw-r--r--", "path": "a/b", "size": 0, "mtime": "1969-01-31T12:00:00Z"}\n',
              b'{"type": "l", "mode": "lrwxrwxrwx", "path": "a/../c", "size": 1e400, "mtime": ""}\n', b"{}\n", b"\n", b"{"],
    b"rclone": [b"[\n", b'{"Path":"a","Size":-1,"IsDir":true,"ModTime":"2026-01-31T12:00:00Z"},\n', b'{"Path":"a/b","Size":3,"IsDir":false}',
                b",", b'{"Path":"a/c","IsDir":1},\n', b'{"Path":"","Name":[[{}]],"IsDir":false}', b"]\n", b"]"],
    b"mtree": [b"#mtree\n", b"/set type=file size=1\n", b". type=dir time=1.5\n", b"a type=dir\n", b"b\\040c \\\n  size=3\n", b"..\n",
               b"./a/d type=link link=x\\\n", b"/unset all\n", b"\\9\n", b"x=y", b"\t# \n"],
    b"tar": [b"drwxr-xr-x a/b 0 2026-01-31 12:00 a/\n", b"-rw-r--r-- a/b 9 2026-01-31 12:00:00.5 a/b\\012\n",
             b"lrwxrwxrwx  0 a   b   0 Feb 13  2009 a/c -> d -> e\n", b"hrw-r--r-- a/b 0 2026-01-31 12:00 x link to a/b\n",
             b"crw-r--r-- a/b 1,3 2026-01-31 12:00 dev\n", b"-rw-r--r-- a/b 99999999999999999999 2026-01-31 12:00 ../x\n", b"V---------"],
    b"unzip": [b"Archive:  x.zip\n", b"  Length      Date    Time    Name\n", b"---------  ---------- -----   ----\n",
               b"        0  2026-01-31 12:00   a/\n", b"       15  01-31-2026 12:00  ^a/b\n", b"\n", b"---------                     -------\n",
               b"       15                     2 files\n"],
}
FOUND = re.compile(rb"Fatal error|AddressSanitizer|ThreadSanitizer|stack smashing")
Environment = Dict[str, str]


class Fuzzer:
    """A seed, the binary and the trees it is run on."""

    def __init__(self, binary: str, seed: int, scratch: Path) -> None:
        """Makes a tree of odd names."""
        self.binary = os.path.abspath(binary)
        self.chance = random.Random(seed)
        self.scratch = scratch
        self.tree = scratch / "tree"
        self.counts: Dict[str, int] = {}
        self.environment = {**os.environ, "HOME": str(scratch), "GIT_CONFIG_NOSYSTEM": "1"}
        self.environment.pop("XDG_CONFIG_HOME", None)
        self.grow(self.tree, 0)
        self.options = {command: self.known(command) for command in COMMANDS}

    def name(self) -> bytes:
        """Random bytes for a name, some of them text."""
        kinds = (b"ab.*[]!\\#", b"\"&<>,\n\r\t\x1b\x7f", bytes(range(1, 256)),
                 "é漢🙂\u2028\ufeff\u202e".encode())
        alphabet = self.chance.choice(kinds)
        size = self.chance.choice((1, 2, 5, 30))
        name = bytes(self.chance.choice(alphabet) for _ in range(size)).replace(b"/", b"_")
        return b"x" if name in (b".", b"..") else name

    def grow(self, at: Path, depth: int) -> None:
        """Makes files and folders in a folder."""
        at.mkdir(exist_ok=True)
        for _ in range(self.chance.choice((0, 2, 9))):
            inside = os.path.join(os.fsencode(at), self.name())
            if not os.path.lexists(inside):
                os.close(os.open(inside, os.O_CREAT | os.O_WRONLY))
        for _ in range(4 - depth):
            inside = os.path.join(os.fsencode(at), self.name())
            if not os.path.lexists(inside):
                self.grow(Path(os.fsdecode(inside)), depth + 1)

    def known(self, command: str) -> List[bytes]:
        """The options in a command's help."""
        told = subprocess.run([self.binary, "help", command], capture_output=True, check=False,
                              timeout=PATIENCE, env=self.environment).stdout
        return sorted(set(re.findall(rb"(?<![\w-])--?[a-zA-Z0][\w-]*", told)))

    def trouble(self, arguments: List[bytes], given: bytes = b"", is_placed: bool = False) -> Optional[str]:
        """The fault of a run, if any; `is_placed` requires the position of an error."""
        command = [os.fsencode(self.binary), *arguments]
        try:
            ran = subprocess.run(command, input=given, capture_output=True, check=False,
                                 timeout=PATIENCE, cwd=self.scratch, env=self.environment)
        except subprocess.TimeoutExpired:
            return f"no end after {PATIENCE} s"
        if ran.returncode not in STATUSES.get(arguments[0], (0, 1, 2, 3)) or FOUND.search(ran.stderr):
            return f"status {ran.returncode}: {ran.stderr[-2000:]!r}"
        if ran.returncode in (2, 3) and not ran.stderr:
            return f"status {ran.returncode} without a word"
        if is_placed and ran.returncode in (1, 2) and not re.search(rb"line [0-9]+", ran.stderr):
            return f"status {ran.returncode} without a place: {ran.stderr!r}"
        if b"\x1b" in ran.stderr:
            return f"an escape reaches the terminal: {ran.stderr[-600:]!r}"
        if ran.returncode in (2, 3) and list(self.scratch.glob("out*")):
            return f"status {ran.returncode} leaves {list(self.scratch.glob('out*'))}"
        for left in self.scratch.glob("out*"):
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        return None

    def value(self) -> bytes:
        """A random value for an option."""
        picks = (b"0", b"1", b"-1", b"64", b"65", b"1e400", b"nan", b"18446744073709551616", b"",
                 b"csv", b"find", b"ncdu", b"-180,-90,180,90", b"1,2,3", b"+10M", b"=", b"f,d",
                 b"@99999999999999999999", b"2026-02-30", b"[!a-", b"**", b"\\", b"always",
                 b"pinned", b"-", b"tree", b"out", b"none/out", b"a=tree", self.name())
        return self.chance.choice(picks)

    def arguments(self) -> None:
        """A random command line."""
        command = self.chance.choice(COMMANDS)
        line = []
        for _ in range(self.chance.randint(0, 6)):
            line.append(self.chance.choice(self.options[command] or [b"--x"]))
            if self.chance.random() < 0.6:
                line.append(self.value())
        line += [self.value() for _ in range(self.chance.randint(0, 2))]
        self.check("arguments", line, lambda some: ([command.encode(), *some], b""))

    def lists(self) -> None:
        """A list with some changed bytes."""
        kind = self.chance.choice((b"lines", b"find", b"ncdu", b"gdu", *LISTINGS))
        if kind == b"lines":
            pieces = [b"a/\n", b"a/b\n", b"./c\n", b"/d\n", b"a/../b\n", b"\n", b"e"]
        elif kind == b"find":
            pieces = [b"4 1.5 d .\0", b"4 -1.25 d ./a\0", b"9223372036854775807 0 f ./a/b\0",
                      b"1 99999999999999999999 l ./c\0", b"x y z ./d\0", b"1 2 f"]
        elif kind in LISTINGS:
            pieces = LISTINGS[kind]
        else:
            pieces = [b'[1,2,{"progname":"x"},', b'[{"name":"."},', b'{"name":"a","asize":3},',
                      b'{"name":"b","mtime":-1},', b'[{"name":"c"}],', b'{"name":"d"}]', b"]",
                      b'{"name":"\\ud800"},', b"[" * 2000]
        count = self.chance.randint(0, 12)
        line = pieces if self.chance.random() < 0.3 else self.chance.choices(pieces, k=count)
        line = [self.mutated(piece) for piece in line]
        null = [b"-0"] if kind == b"lines" and self.chance.random() < 0.3 else []
        # Without a format, the content decides.
        named = [b"--list-format", kind] if null or self.chance.random() < 0.7 else []
        label = [b"r="] if kind in LISTINGS and named and self.chance.random() < 0.5 else []
        head = [b"map", b"--files-from", b"-", *named, *null, *label]
        self.check(f"{kind.decode()} list", line, lambda some: (head, b"".join(some)))

    def snapshots(self) -> None:
        """A snapshot with some changed bytes, or truncated."""
        kept = self.scratch / "kept.geosnap"
        if not kept.exists():
            subprocess.run([self.binary, "snapshot", "-q", "-o", str(kept), str(self.tree)],
                           check=True, timeout=PATIENCE, env=self.environment)
        changed = bytearray(kept.read_bytes())
        if self.chance.random() < 0.7:
            # Checksums reveal most changes; only correct ones let the reader get past them.
            changed = self.resealed(bytes(changed))
        else:
            for _ in range(self.chance.randint(1, 4)):
                at = self.chance.randrange(len(changed))
                changed[at] = self.chance.randrange(256)
            if self.chance.random() < 0.2:
                del changed[self.chance.randrange(len(changed)):]
        damaged = self.scratch / "damaged.geosnap"
        damaged.write_bytes(changed)
        line = self.chance.choice((
            b"snapshot --info FILE", b"map FILE", b"stats FILE", b"map --totals --threads 3 FILE",
            b"find a FILE", b"whereis -q --root FILE 10,10", b"verify -q --layout settled FILE",
            b"split --parts 3 FILE", b"snapshot -q -o out FILE",
            b"map a=FILE tree", b"diff FILE tree", b"diff --format csv --all tree FILE", b"draw -o out FILE",
            b"history FILE kept.geosnap", b"history --events --format csv FILE", b"map --format parquet FILE",
            b"publish -q --max-zoom 3 -o out FILE")).replace(b"FILE", b"damaged.geosnap").split()
        self.counts["snapshots"] = self.counts.get("snapshots", 0) + 1
        trouble = self.trouble(line)
        if trouble:
            fail(f"{line!r} of {bytes(changed).hex()}: {trouble}")

    def states(self) -> None:
        """Maps and exports with changed, removed or moved lines, together with their tree."""
        if self.chance.random() < 0.5:
            told = subprocess.run(
                [self.binary, "map", "-q", "--format", self.chance.choice(("geojson", "geojsonl", "geojsonseq")),
                 str(self.tree)], capture_output=True, check=True, timeout=PATIENCE, env=self.environment).stdout
            # Coast lines are long, and not read.
            pieces = re.sub(rb'"coordinates":\[\[.*?\]\]\]', b'"coordinates":[[[1,2],[3,4],[5,6],[1,2]]]', told
                            ).splitlines(keepends=True)
        else:
            pieces = [b'[1,2,{"progname":"ncdu","timestamp":1700000000},\n', b'[{"name":"/x/tree"},\n', b'{"name":"a","asize":3},\n',
                      b'{"name":"b","mtime":-1,"dsize":9223372036854775807},\n', b'[{"name":"c","read_error":true}],\n',
                      b'{"name":"d","notreg":true}]\n', b"]\n"]
        line = [self.mutated(piece) for piece in self.shaken(pieces)]
        head = self.chance.choice((
            b"diff broken.json tree", b"diff --format csv tree broken.json", b"diff --all --format geojsonl a=broken.json a=tree",
            b"diff --exit-code broken.json broken.json", b"diff --format html -o out broken.json tree", b"history broken.json",
            b"history --events --format geojsonl broken.json", b"verify -q broken.json", b"replay broken.json")).split()

        def run(some: List[bytes]) -> Tuple[List[bytes], bytes]:
            (self.scratch / "broken.json").write_bytes(b"".join(some))
            return head, b""

        self.check("states", line, run)

    def tracks(self) -> None:
        """Tracks with changed, removed or moved pieces."""
        pieces = [b'<?xml version="1.0"?>\n', b'<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">\n',
                  b"<metadata><time>2024-05-01T00:00:00Z</time></metadata>\n", b'<wpt lat="1" lon="2"><name>A &amp; B</name></wpt>\n',
                  b"<rte><rtept lat='1' lon='2'/><rtept lat='3' lon='2'/></rte>\n", b"<trk><name>&#x41;</name><trkseg>\n",
                  b'<trkpt lat="1" lon="2"><ele>5</ele><time>2024-05-01T00:00:01Z</time></trkpt>\n', b"<!-- - --><trkpt lat='1e1' lon='-.5'/>\n",
                  b"</trkseg><trkseg/></trk>\n", b"<extensions><a xmlns='b'><![CDATA[<]]></a></extensions>\n", b"</gpx>\n"]
        line = [self.mutated(piece) for piece in self.shaken(pieces)]
        head = self.chance.choice((
            b"track info -", b"track info --format json -", b"track convert --format geojson -", b"track convert --format csv -",
            b"track convert --format json -", b"track convert -", b"track cues -", b"track simplify --tolerance 5 -",
            b"track redact --near 1,2,3 -")).split()
        self.check("tracks", line, lambda some: (head, b"".join(some)), is_placed=True)

    def recordings(self) -> None:
        """Recordings with changed, removed or moved pieces."""
        time = b'"timestamp":"2026-01-05T14:30:01.000Z","relativeTime":'
        pieces = [b'{"metadata":{"version":"1.0","recordedAt":"2026-01-05T14:30:00.000Z","device":"d","systemVersion":"s"},"events":[\n',
                  b'{"type":"location",' + time + b'1,"data":{"coordinate":{"latitude":1,"longitude":2},"path":"a/b","kind":"poi","change":"created"}},\n',
                  b'{"type":"sample",' + time + b'2,"data":{"path":"a","files":1,"folders":2,"bytes":3,"free":4}},\n',
                  b'{"type":"alert",' + time + b'3,"data":{"name":"a","path":"b","rule":"c","value":1,"limit":2,"state":"raised"}},\n',
                  b'{"type":"gap",' + time + b'4,"data":{"since":"2026-01-05T14:30:00.000Z"}},\n', b'{"type":"pause",' + time + b"5}\n", b"]}\n"]
        line = [self.mutated(piece) for piece in self.shaken(pieces)]
        head = self.chance.choice((
            b"recordings info --directory . broken.json", b"recordings info --directory . --format json broken.json",
            b"recordings export --directory . --format csv broken.json", b"recordings export --directory . --format gpx broken.json",
            b"recordings export --directory . --format geojson broken.json", b"recordings export --directory . broken.json",
            b"recordings info --directory . --compare 1,2 broken.json", b"track from broken.json")).split()

        def run(some: List[bytes]) -> Tuple[List[bytes], bytes]:
            (self.scratch / "broken.json").write_bytes(b"".join(some))
            return head, b""

        # The error that there are no two samples to compare has no position.
        self.check("recordings", line, run, is_placed=b"--compare" not in head)

    def shaken(self, pieces: List[bytes]) -> List[bytes]:
        """The pieces, mostly complete and in order."""
        return pieces if self.chance.random() < 0.5 else self.chance.choices(pieces, k=self.chance.randint(0, 12))

    def changed(self, piece: bytes) -> bytes:
        """The bytes with some changed, added or removed."""
        changed = bytearray(piece)
        for _ in range(self.chance.choice((0, 0, 1, 1, 2, 8))):
            at = self.chance.randrange(len(changed) + 1)
            taken = self.chance.choice((1, 1, 1, 0, 3))
            given = self.chance.choice((taken, taken, self.chance.randint(0, 11)))
            number = self.chance.choice((b"\0", b"\x7f", b"\xff", self.chance.randbytes(1)))
            changed[at:at + taken] = number * given
        return bytes(changed)

    def resealed(self, kept: bytes) -> bytearray:
        """A snapshot with changed numbers, and all checksums correct.

        See the format in the documentation: a header, blocks, an index in pages, a trailer.
        """
        def sealed(body: bytes) -> bytes:
            return struct.pack("<I", zlib.crc32(body)) + body

        index, slots, folders, files, blocks = struct.unpack_from("<5Q", kept, len(kept) - 56)
        start = 16 + struct.unpack_from("<I", kept, 12)[0]
        header = kept[16:start]
        if self.chance.random() < 0.3:
            header = self.changed(header)
        out = bytearray(kept[:12] + struct.pack("<I", len(header)) + header)
        out += struct.pack("<I", zlib.crc32(out))
        moved = {0: 0}
        at = start + 4
        while at < index:
            packed, length, of_map = struct.unpack_from("<3I", kept, at + 4)
            moved[at] = len(out)
            raw = zlib.decompress(kept[at + 16:at + 16 + packed], -15)
            other = self.changed(raw)
            of_map = min(len(other), max(0, of_map + len(other) - length))
            if self.chance.random() < 0.1:
                of_map = self.chance.randrange(1 << self.chance.randint(1, 32))
            deflater = zlib.compressobj(6, zlib.DEFLATED, -15)
            stream = deflater.compress(other) + deflater.flush()
            length = len(other) if self.chance.random() < 0.95 else self.chance.randrange(1 << 18)
            out += sealed(struct.pack("<3I", len(stream), length, of_map) + stream)
            at += 16 + packed
        place, table = len(out), bytearray()
        for number in range(slots):
            page, inside = divmod(number, 341)
            slot = index + page * 4096 + 4 + 12 * inside
            block = int.from_bytes(kept[slot:slot + 6], "little")
            table += moved.get(block, 0).to_bytes(6, "little") + kept[slot + 6:slot + 12]
        for _ in range(self.chance.choice((0, 0, 0, 1, 3))):
            where = self.chance.randrange(len(table))
            table[where] = self.chance.choice((0, 255, table[where] ^ 1, self.chance.randrange(256)))
        for page in range(0, len(table), 341 * 12):
            out += sealed(bytes(table[page:page + 341 * 12]))
        numbers = [place, slots, folders, files, blocks]
        if self.chance.random() < 0.2:
            numbers[self.chance.randrange(5)] = self.chance.randrange(1 << self.chance.randint(1, 64))
        trailer = struct.pack("<5QI", *numbers, zlib.crc32(out))
        return out + trailer + struct.pack("<I", zlib.crc32(trailer)) + kept[-8:]

    def mutated(self, piece: bytes) -> bytes:
        """The bytes, unchanged or with small changes."""
        changed = bytearray(piece)
        while changed and self.chance.random() < 0.2:
            at = self.chance.randrange(len(changed))
            changed[at:at + self.chance.randint(0, 1)] = self.chance.randbytes(
                self.chance.randint(0, 2))
        return bytes(changed)

    def check(self, what: str, line: List[bytes],
              run: Callable[[List[bytes]], Tuple[List[bytes], bytes]], is_placed: bool = False) -> None:
        """Runs a case; if it fails, removes all parts that the failure doesn't need."""
        self.counts[what] = self.counts.get(what, 0) + 1
        trouble = self.trouble(*run(line), is_placed)
        if not trouble:
            return
        at = 0
        while at < len(line):
            shorter = line[:at] + line[at + 1:]
            again = self.trouble(*run(shorter), is_placed)
            if again:
                line, trouble = shorter, again
            else:
                at += 1
        fail(f"{what}: {run(line)!r}: {trouble}")

    def writers(self) -> None:
        """Passes names of random bytes through each format."""
        self.counts["writers"] = self.counts.get("writers", 0) + 1
        tree = self.scratch / "names"
        self.grow(tree, 2)
        counts = set()
        for kind in FORMATS:
            ran = subprocess.run([self.binary, "map", "-q", "--format", kind, str(tree)],
                                 capture_output=True, check=False, timeout=PATIENCE,
                                 env=self.environment)
            if ran.returncode != 0:
                fail(f"{kind} of {os.listdir(os.fsencode(tree))}: status {ran.returncode}")
            if kind != "html":
                counts.add(parsed(kind, ran.stdout))
        if len(counts) != 1:
            fail(f"formats differ in the number of nodes, {counts}: {os.listdir(tree)}")
        shutil.rmtree(os.fsencode(tree))

    def questions(self) -> None:
        """Lines close to valid questions: each gets one answer in JSON."""
        whole = [b'{"path":"tree"}', b'{"path":"tree/a","feature":true}', b'{"lon":1.5,"lat":2}',
                 b'{"lon":-180,"lat":90,"zoom":3,"radius":1e9,"limit":5}', b'{"lon":1e999,"lat":0}',
                 b'{"path":"\\ud800","x":[[{}]]}', b"[" * 500, b"{}", b"null", b'{"path":5}',
                 b'{"path":"' + b"a/" * 3000 + b'"}']
        lines = [self.mutated(self.chance.choice(whole)).replace(b"\n", b"")
                 for _ in range(self.chance.randint(1, 20))]
        self.counts["questions"] = self.counts.get("questions", 0) + len(lines)
        ran = subprocess.run([self.binary, "locate", "--coprocess", "--root", str(self.tree)],
                             input=b"\n".join(lines) + b"\n", capture_output=True, check=False,
                             timeout=PATIENCE, env=self.environment)
        answers = ran.stdout.split(b"\n")[:-1]
        if ran.returncode != 0 or FOUND.search(ran.stderr):
            fail(f"questions {lines!r}: status {ran.returncode}: {ran.stderr[-2000:]!r}")
        asked = [line for line in lines if line.strip()]
        if len(answers) not in (len(asked), len(lines)):
            fail(f"questions {lines!r}: {len(answers)} answers: {answers!r}")
        for answer in answers:
            strict_json(answer)

    def ignored(self) -> None:
        """Compares random patterns with git's decisions."""
        work = self.scratch / "work"
        work.mkdir()
        subprocess.run(["git", "init", "-q", str(work)], check=True, env=self.environment)
        names = [b"a", b"b", b"ab", b"a.b", b"[a]", b"a b", b"\\a", b"!a", b"#a", b"\xff", b".a"]
        folders = [os.path.join(os.fsencode(work), at) for at in (b"", b"a", b"a/b", b".a")]
        for at in folders:
            os.makedirs(at, exist_ok=True)
        for at in folders:
            for name in self.chance.sample(names, 6):
                if not os.path.lexists(os.path.join(at, name)):
                    os.close(os.open(os.path.join(at, name), os.O_CREAT))
        tokens = names + [b"*", b"**", b"?", b"/", b"/", b"!", b"[!a]", b"[a-", b"\\", b" ", b"#",
                          b"[[:alpha:]]", b"[]-a]", b"\r", b"\t", b"\x00", b"\xef\xbb\xbf"]
        lines = [b"".join(self.chance.choices(tokens, k=self.chance.randint(1, 5)))
                 for _ in range(self.chance.randint(1, 5))]
        difference = self.difference(work, lines)
        at = 0
        while difference and at < len(lines):
            again = self.difference(work, lines[:at] + lines[at + 1:])
            if again:
                lines, difference = lines[:at] + lines[at + 1:], again
            else:
                at += 1
        if difference:
            fail(f".gitignore {lines}: {difference}")
        self.counts["patterns"] = self.counts.get("patterns", 0) + 1
        shutil.rmtree(os.fsencode(work))

    def difference(self, work: Path, lines: List[bytes]) -> Optional[str]:
        """The paths on which git and the tool disagree."""
        (work / ".gitignore").write_bytes(b"\n".join(lines) + b"\n")
        base = os.fsencode(work)
        paths = []
        for at, folders, files in os.walk(base):
            if b".git" in folders:
                folders.remove(b".git")
            paths += [os.path.relpath(os.path.join(at, n), base) for n in folders + files]
        asked = subprocess.run(["git", "-C", str(work), "check-ignore", "--no-index", "-z",
                                "--stdin"], input=b"\0".join(paths) + b"\0", capture_output=True,
                               check=False, env=self.environment)
        hidden = set(asked.stdout.split(b"\0")) - {b""}
        def lost(path: bytes) -> bool:
            parts = path.split(b"/")
            return any(b"/".join(parts[:i + 1]) in hidden for i in range(len(parts)))
        wanted = {path for path in paths if not lost(path)}
        ran = subprocess.run([self.binary, "map", "-q", "--gitignore", "--format", "geojsonl",
                              f"r={work}"], capture_output=True, check=False, timeout=PATIENCE,
                             env=self.environment)
        if ran.returncode != 0:
            return f"status {ran.returncode}: {ran.stderr[-600:]!r}"
        found = {raw_path(strict_json(line))[2:] for line in ran.stdout.splitlines()[1:]}
        return f"git alone hides {sorted(found - wanted)}, the tool alone " \
            f"{sorted(wanted - found)}" if found != wanted else None


def parsed(kind: str, text: bytes) -> int:
    """The number of nodes that a strict parser finds."""
    if kind == "geojson":
        return len(strict_json(text[:-1])["features"])
    if kind == "csv":
        rows = list(csv.reader(io.StringIO(text.decode(), newline=""), strict=True))
        if {len(row) for row in rows} != {12}:
            fail(f"csv records of other than twelve fields: {text[:400]!r}")
        return len(rows) - 1
    if kind == "gpx":
        return len(ElementTree.fromstring(text))
    lines = text.split(b"\n")[:-1]
    for line in lines:
        strict_json(line[1:] if kind == "geojsonseq" else line)
    return len(lines)


def main() -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--seconds", type=float, default=45)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, help="how many seeds at most, a hundred cases each")
    given = parser.parse_args()
    end = time.monotonic() + given.seconds
    seed = given.seed
    counts: Dict[str, int] = {}
    while time.monotonic() < end and (not given.seeds or seed < given.seed + given.seeds):
        with tempfile.TemporaryDirectory(prefix="geomapper-fuzz-") as folder:
            fuzzer = Fuzzer(given.binary, seed, Path(folder))
            steps = [fuzzer.arguments, fuzzer.arguments, fuzzer.lists, fuzzer.snapshots,
                     fuzzer.writers, fuzzer.questions, fuzzer.tracks, fuzzer.recordings, fuzzer.states]
            steps += [fuzzer.ignored] if shutil.which("git") else []
            try:
                for turn in range(100):
                    if time.monotonic() > end:
                        break
                    steps[turn % len(steps)]()
            except SystemExit:
                print(f"the seed is {seed}", file=sys.stderr)
                raise
        for what, count in fuzzer.counts.items():
            counts[what] = counts.get(what, 0) + count
        seed += 1
    told = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    print(f"fuzz: seeds {given.seed} to {seed - 1}: {told}")


if __name__ == "__main__":
    main()
