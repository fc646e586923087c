#!/usr/bin/env python3
"""Feeds the tool unusual input, and checks that it ends as documented.

    fuzz.py BINARY [--seconds N] [--seed N] [--seeds N]

The input: random options from the help of each command; lists, snapshots, maps and exports with changed bytes,
tracks and recordings too; names of random bytes through every format into strict parsers; and lines close to valid
questions for the co-process. No run may crash, hang, end with an undocumented
status, or fail without a message. Failing cases are shrunk before they are printed; the seed repeats them.
"""

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
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from outside import fail, given, run, strict_json

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
STATES = (
    b"diff broken tree", b"diff --format csv tree broken", b"diff --all --format geojsonl a=broken a=tree",
    b"diff --exit-code broken broken", b"diff --format html -o out broken tree", b"history broken",
    b"history --events --format geojsonl broken", b"verify -q broken", b"replay broken")
MOMENT = b'"timestamp":"2026-01-05T14:30:01.000Z","relativeTime":'
# For each kind of text, the pieces of a valid one, and commands that read it.
TEXTS: Dict[str, Tuple[List[bytes], Sequence[bytes]]] = {
    "list of paths": (
        [b"a/\n", b"a/b\n", b"./c\n", b"/d\n", b"a/../b\n", b"\n", b"e"],
        (b"map --files-from - --list-format lines", b"map --files-from - --list-format lines -0")),
    "list of find": (
        [b"4 1.5 d .\0", b"4 -1.25 d ./a\0", b"9223372036854775807 0 f ./a/b\0",
         b"1 99999999999999999999 l ./c\0", b"x y z ./d\0", b"1 2 f"],
        (b"map --files-from - --list-format find",)),
    "export": (
        [b'[1,2,{"progname":"x"},', b'[{"name":"."},', b'{"name":"a","asize":3},',
         b'{"name":"b","mtime":-1},', b'[{"name":"c"}],', b'{"name":"d"}]', b"]",
         b'{"name":"\\ud800"},', b"[" * 2000],
        (b"map --files-from - --list-format ncdu", b"map --files-from - --list-format gdu")),
    "states": (
        [b'[1,2,{"progname":"ncdu","timestamp":1700000000},\n', b'[{"name":"/x/tree"},\n',
         b'{"name":"a","asize":3},\n', b'{"name":"b","mtime":-1,"dsize":9223372036854775807},\n',
         b'[{"name":"c","read_error":true}],\n', b'{"name":"d","notreg":true}]\n', b"]\n"],
        STATES),
    "tracks": (
        [b'<?xml version="1.0"?>\n', b'<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">\n',
         b"<metadata><time>2024-05-01T00:00:00Z</time></metadata>\n",
         b'<wpt lat="1" lon="2"><name>A &amp; B</name></wpt>\n',
         b"<rte><rtept lat='1' lon='2'/><rtept lat='3' lon='2'/></rte>\n", b"<trk><name>&#x41;</name><trkseg>\n",
         b'<trkpt lat="1" lon="2"><ele>5</ele><time>2024-05-01T00:00:01Z</time></trkpt>\n',
         b"<!-- - --><trkpt lat='1e1' lon='-.5'/>\n", b"</trkseg><trkseg/></trk>\n",
         b"<extensions><a xmlns='b'><![CDATA[<]]></a></extensions>\n", b"</gpx>\n"],
        (b"track info -", b"track info --format json -", b"track convert --format geojson -",
         b"track convert --format csv -", b"track convert --format json -", b"track convert -", b"track cues -",
         b"track simplify --tolerance 5 -", b"track redact --near 1,2,3 -")),
    "recordings": (
        [b'{"metadata":{"version":"1.0","recordedAt":"2026-01-05T14:30:00.000Z","device":"d",'
         b'"systemVersion":"s"},"events":[\n',
         b'{"type":"location",' + MOMENT + b'1,"data":{"coordinate":{"latitude":1,"longitude":2},'
         b'"path":"a/b","kind":"poi","change":"created"}},\n',
         b'{"type":"sample",' + MOMENT + b'2,"data":{"path":"a","files":1,"folders":2,"bytes":3,"free":4}},\n',
         b'{"type":"alert",' + MOMENT + b'3,"data":{"name":"a","path":"b","rule":"c","value":1,"limit":2,'
         b'"state":"raised"}},\n',
         b'{"type":"gap",' + MOMENT + b'4,"data":{"since":"2026-01-05T14:30:00.000Z"}},\n',
         b'{"type":"pause",' + MOMENT + b"5}\n", b"]}\n"],
        (b"recordings info --directory . broken", b"recordings info --directory . --format json broken",
         b"recordings export --directory . --format csv broken",
         b"recordings export --directory . --format gpx broken",
         b"recordings export --directory . --format geojson broken", b"recordings export --directory . broken",
         b"recordings info --directory . --compare 1,2 broken", b"track from broken")),
}
# Without a format the content decides; without an operand the common folder is the root.
for _name, _pieces in LISTINGS.items():
    _given = b"map --files-from - --list-format " + _name
    TEXTS[f"{_name.decode()} listing"] = (
        _pieces, (_given, _given + b" r=", b"map --files-from -", b"diff broken tree", b"stats broken"))


class Fuzzer:
    """A seed, the binary and the trees it is run on."""

    def __init__(self, binary: str, seed: int, scratch: Path) -> None:
        """Makes a tree of odd names."""
        self.binary = os.path.abspath(binary)
        self.chance = random.Random(seed)
        self.scratch = scratch
        self.tree = scratch / "tree"
        self.counts: Dict[str, int] = {}
        self.environment = {**os.environ, "HOME": str(scratch)}
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
        told = run(self.binary, "help", command, env=self.environment)
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

    def texts(self) -> None:
        """A list, export, track or recording with changed, removed or moved pieces."""
        kind = self.chance.choice(list(TEXTS))
        pieces, commands = TEXTS[kind]
        self.damaged(kind, pieces, self.chance.choice(commands))

    def maps(self) -> None:
        """A map with changed, removed or moved lines, together with its tree."""
        form = self.chance.choice(("geojson", "geojsonl", "geojsonseq"))
        told = run(self.binary, "map", "-q", "--format", form, self.tree, env=self.environment)
        # Coast lines are long, and not read.
        told = re.sub(rb'"coordinates":\[\[.*?\]\]\]', b'"coordinates":[[[1,2],[3,4],[5,6],[1,2]]]', told)
        self.damaged("maps", told.splitlines(keepends=True), self.chance.choice(STATES))

    def damaged(self, what: str, pieces: List[bytes], command: bytes) -> None:
        """Runs a command on damaged pieces, as standard input and as the file `broken`."""
        def run_on(some: List[bytes]) -> Tuple[List[bytes], bytes]:
            (self.scratch / "broken").write_bytes(b"".join(some))
            return command.split(), b"".join(some)

        # The error that there are no two samples to compare has no position.
        is_placed = what in ("tracks", "recordings") and b"--compare" not in command
        self.check(what, [self.mutated(piece) for piece in self.shaken(pieces)], run_on, is_placed)

    def snapshots(self) -> None:
        """A snapshot with some changed bytes, or truncated."""
        kept = self.scratch / "kept.geosnap"
        if not kept.exists():
            run(self.binary, "snapshot", "-q", "-o", kept, self.tree, env=self.environment)
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
            b"join -q --incomplete -o out FILE", b"snapshot -q -o out FILE",
            b"map a=FILE tree", b"diff FILE tree", b"diff --format csv --all tree FILE", b"draw --sheet 120x90 -o out FILE",
            b"history FILE kept.geosnap", b"history --events --format csv FILE", b"map --format parquet FILE",
            b"publish -q --max-zoom 3 -o out FILE")).replace(b"FILE", b"damaged.geosnap").split()
        self.counts["snapshots"] = self.counts.get("snapshots", 0) + 1
        trouble = self.trouble(line)
        if trouble:
            fail(f"{line!r} of {bytes(changed).hex()}: {trouble}")

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
              case: Callable[[List[bytes]], Tuple[List[bytes], bytes]], is_placed: bool = False) -> None:
        """Runs a case; if it fails, removes all parts that the failure doesn't need."""
        self.counts[what] = self.counts.get(what, 0) + 1
        trouble = self.trouble(*case(line), is_placed)
        if not trouble:
            return
        at = 0
        while at < len(line):
            shorter = line[:at] + line[at + 1:]
            again = self.trouble(*case(shorter), is_placed)
            if again:
                line, trouble = shorter, again
            else:
                at += 1
        fail(f"{what}: {case(line)!r}: {trouble}")

    def writers(self) -> None:
        """Passes names of random bytes through each format."""
        self.counts["writers"] = self.counts.get("writers", 0) + 1
        tree = self.scratch / "names"
        self.grow(tree, 2)
        counts = set()
        for kind in FORMATS:
            text = run(self.binary, "map", "-q", "--format", kind, tree, env=self.environment)
            if kind != "html":
                counts.add(parsed(kind, text))
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
    options = given(__doc__, "binary", seconds=45.0, seed=1, seeds=0)
    end, seed = time.monotonic() + options.seconds, options.seed
    counts: Dict[str, int] = {}
    while time.monotonic() < end and (not options.seeds or seed < options.seed + options.seeds):
        with tempfile.TemporaryDirectory(prefix="geomapper-fuzz-") as folder:
            fuzzer = Fuzzer(options.binary, seed, Path(folder))
            steps = [fuzzer.arguments, fuzzer.arguments, fuzzer.texts, fuzzer.snapshots, fuzzer.writers,
                     fuzzer.questions, fuzzer.texts, fuzzer.texts, fuzzer.maps]
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
    print(f"fuzz: seeds {options.seed} to {seed - 1}: {told}")


if __name__ == "__main__":
    main()
