"""A second reader of snapshots, written only from the article SnapshotFormat."""

import struct
import zlib
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

MAGIC = b"\x89geosnap"
END = b"geosnap\n"
COLUMNS = 16
(RECORDS, FOLDER_TIMES, STATES, REASONS, LENGTHS, LETTERS, SIZES, TIMES, LINKS, FOLDER_STORAGE,
 NANOSECONDS, ROOMS, DEVICES, INODES, OWNERS, GROUPS) = range(COLUMNS)


class Wrong(Exception):
    """The bytes break the rules of the format."""


def need(holds: bool, what: str) -> None:
    """Raises an error unless a rule of the format holds."""
    if not holds:
        raise Wrong(what)


class Bytes:
    """Decodes values from bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        """The next bytes."""
        need(self.at + count <= len(self.data), "bytes are missing")
        self.at += count
        return self.data[self.at - count:self.at]

    def varint(self) -> int:
        """A varint: seven bits in each byte."""
        number = 0
        for shift in range(0, 70, 7):
            byte = self.take(1)[0]
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                need(number < 1 << 64, "a number is too large")
                return number
        raise Wrong("a number is too long")

    def difference(self) -> int:
        """A signed varint (zigzag)."""
        number = self.varint()
        return -(number + 1) // 2 if number & 1 else number // 2

    def text(self) -> bytes:
        """A length, and that many bytes."""
        return self.take(self.varint())

    def at_end(self) -> bool:
        """Whether all bytes are read."""
        return self.at == len(self.data)


class Runs(Bytes):
    """A column of run-length encoded numbers."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.value = 0
        self.left = 0

    def next(self) -> int:
        """The next number."""
        if not self.left:
            self.value, self.left = self.varint(), self.varint()
            need(self.left > 0, "an empty run")
        self.left -= 1
        return self.value


def signed(number: int) -> int:
    """A wrapped sum as a signed number."""
    number &= (1 << 64) - 1
    return number - (1 << 64) if number >> 63 else number


class File(NamedTuple):
    """The facts about an entry that is not a folder."""

    name: bytes
    kind: int
    status: int
    reason: Optional[object]
    size: int
    time: int
    links: int
    nanoseconds: int
    room: int
    device: int
    inode: int
    owner: int
    group: int


class Record:
    """A folder, or the part of it that is in one block."""

    def __init__(self) -> None:
        self.flags = 0
        self.reason: Optional[object] = None
        self.totals = (0, 0)
        self.time: Optional[int] = None
        self.storage: Optional[Tuple[int, ...]] = None
        self.folders: List[Tuple[bytes, int, int]] = []
        self.files: List[File] = []


class Snapshot:
    """A snapshot, read completely."""

    def __init__(self, data: bytes) -> None:
        """Reads and checks all parts."""
        need(data[:8] == MAGIC, "no snapshot")
        version, length = struct.unpack_from("<II", data, 8)
        need(version == 1, "another version")
        head = data[:16 + length]
        need(struct.unpack_from("<I", data, len(head))[0] == zlib.crc32(head), "header")
        body = Bytes(head[16:])
        self.seconds, self.nanoseconds, self.origin, self.knows = struct.unpack(
            "<qIBI", body.take(17))
        self.roots = [(body.text(), body.text()) for _ in range(body.varint())]
        self.options = [body.text() for _ in range(body.varint())]
        need(body.at_end(), "the header goes on")
        need(self.roots == sorted(self.roots) and len(self.roots) > 0, "roots")

        trailer = data[-56:]
        (index, slots, self.folders, self.files, blocks, whole, own) = struct.unpack(
            "<QQQQQII", trailer[:48])
        need(trailer[48:] == END, "the end")
        need(own == zlib.crc32(trailer[:44]), "trailer")
        need(whole == zlib.crc32(data[:-56]), "the checksum of all")
        self.slots = []
        for page in range((slots + 340) // 341):
            at = index + 4096 * page
            count = min(341, slots - 341 * page)
            packed = data[at + 4:at + 4 + 12 * count]
            need(struct.unpack_from("<I", data, at)[0] == zlib.crc32(packed), "page")
            for low, high, record, end in struct.iter_unpack("<IHHI", packed):
                self.slots.append((low | high << 32, record, end))
        need(index + 12 * slots + 4 * ((slots + 340) // 341) == len(data) - 56, "index")

        self.parts: List[List[bytes]] = []
        self.blocks: Dict[int, List[Record]] = {}
        self.order: List[int] = []
        at = len(head) + 4
        while at < index:
            sum_, packed_, long_, map_ = struct.unpack_from("<IIII", data, at)
            need(sum_ == zlib.crc32(data[at + 4:at + 16 + packed_]), "block")
            raw = zlib.decompress(data[at + 16:at + 16 + packed_], -15)
            need(len(raw) == long_ <= 131072, "a block's length")
            self.blocks[at] = self.records(raw, map_)
            self.order.append(at)
            at += 16 + packed_
        need(at == index and len(self.order) == blocks, "blocks")

    def records(self, raw: bytes, map_length: int) -> List[Record]:
        """The records of a block."""
        start = Bytes(raw)
        lengths = [start.varint() for _ in range(COLUMNS)]
        parts = [start.take(length) for length in lengths]
        need(start.at_end(), "a block goes on")
        need(map_length == len(raw) - sum(lengths[LINKS + 1:]), "the part for maps")
        runs = (STATES, LINKS, ROOMS, DEVICES, OWNERS, GROUPS)
        columns = [Runs(part) if n in runs else Bytes(part) for n, part in enumerate(parts)]
        self.parts.append(parts)
        records: List[Record] = []
        # The bases of differences: the folder's time, device and inode, time, inode; name.
        last = [0, 0, 0, 0, 0]
        name = b""
        while not columns[RECORDS].at_end():
            record = Record()
            column = columns[RECORDS]
            record.flags = column.take(1)[0]
            if record.flags & 1:
                need(record.flags == 1 and not records, "a record goes on")
            else:
                if record.flags & 4:
                    record.reason = reason(column)
                record.totals = (column.varint(), column.varint())
                if record.flags & 16:
                    last[0] = signed(last[0] + columns[FOLDER_TIMES].difference())
                    record.time = last[0]
                    if self.knows & 30:
                        record.storage = folder_storage(columns[FOLDER_STORAGE], last)
            counts = (column.varint(), column.varint())
            for number in range(sum(counts)):
                shared, rest = columns[LENGTHS].varint(), columns[LENGTHS].varint()
                need(shared <= len(name), "a name")
                name = name[:shared] + columns[LETTERS].take(rest)
                status, kind = divmod(columns[STATES].next(), 8)
                if number < counts[0]:
                    need(kind in (1, 2) and (status == 0 or 5 <= status < 13), "a sub-folder")
                    record.folders.append((name, kind, status))
                else:
                    need(kind != 1 and (status < 13 or status == 255), "a file")
                    record.files.append(self.file(columns, name, kind, status, last))
            records.append(record)
        for number, column in enumerate(columns):
            need(column.at_end() and not getattr(column, "left", 0), f"column {number} goes on")
        return records

    def file(self, columns: List[Bytes], name: bytes, kind: int, status: int,
             last: List[int]) -> File:
        """Decodes an entry that is not a folder."""
        why = reason(columns[REASONS]) if status == 3 else None
        size = columns[SIZES].difference() if status in (0, 1, 255) else 0
        if status not in (0, 255):
            return File(name, kind, status, why, size, *[0] * 8)
        if status == 0:
            last[3] = signed(last[3] + columns[TIMES].difference())
        links = columns[LINKS].next() if self.knows & 1 else 0
        if not self.knows & 30:
            return File(name, kind, status, why, size, last[3], links, *[0] * 6)
        room = columns[ROOMS].next()
        room = -(room + 1) // 2 if room & 1 else room // 2
        last[4] = last[4] + columns[INODES].difference() & (1 << 64) - 1
        return File(name, kind, status, why, size, last[3], links, columns[NANOSECONDS].varint(),
                    (size + 4095) // 4096 * 4096 + room, columns[DEVICES].next(), last[4],
                    columns[OWNERS].next(), columns[GROUPS].next())

    def walk(self) -> Iterator[Tuple[bytes, Record]]:
        """Each folder's path and complete record, found by the index, in the order of the map."""
        first = len(self.slots) - len(self.roots)
        low = 0
        stack = []
        for number, (label, _) in enumerate(self.roots):
            stack.append((label, first + number, low))
            low = self.slots[first + number][2]
        stack.reverse()
        seen = set()
        while stack:
            path, slot, low = stack.pop()
            block, number, end = self.slots[slot]
            need(block > 0 and (block, number) not in seen, "a record of two folders")
            seen.add((block, number))
            record = self.whole(block, number)
            count = record.totals[0]
            need(low <= end - count and end <= slot, "slots that are not nested")
            below = []
            for child, (name, _, status) in enumerate(record.folders):
                at = end - count + child
                need(self.slots[at][2] >= low, "slots that are not in order")
                if status == 0 and self.slots[at][0]:
                    below.append((path + b"/" + name, at, low))
                else:
                    need(self.slots[at] == (0, 0, low), "a slot of nothing")
                low = self.slots[at][2]
            need(low == end - count, "slots between")
            stack += reversed(below)
            yield path, record
        need(len(seen) == self.folders, "the number of folders")

    def whole(self, block: int, number: int) -> Record:
        """A record with its continuations in the following blocks."""
        record = self.blocks[block][number]
        at = self.order.index(block)
        while (len(record.folders), len(record.files)) != record.totals:
            at += 1
            rest = self.blocks[self.order[at]][0]
            need(rest.flags == 1, "a folder that doesn't go on")
            record.folders += rest.folders
            record.files += rest.files
        for names in ([name for name, _, _ in record.folders], [file.name for file in record.files]):
            need(names == sorted(set(names)), "names in their order")
        return record


def folder_storage(column: Bytes, last: List[int]) -> Tuple[int, ...]:
    """The facts about a folder beyond its time."""
    nanoseconds, room = column.varint(), column.difference()
    last[1] = last[1] + column.difference() & (1 << 64) - 1
    last[2] = last[2] + column.difference() & (1 << 64) - 1
    return (nanoseconds, room, last[1], last[2], column.varint(), column.varint(), column.varint())


def reason(column: Bytes) -> object:
    """Why an entry could not be read: a number, or words."""
    number = column.varint()
    return number if number else column.text().decode()
