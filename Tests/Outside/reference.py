#!/usr/bin/env python3
"""A second, independent implementation of the map: simple, slow and readable.

    reference.py [--format F] [--layout L] [--zoom Z] [--bbox W,S,E,N] [--max-depth N]
                 [--no-stat] [--tippecanoe] [LABEL=]DIR…
    reference.py --self-test VECTORS TEXT

The first form writes to standard output what `geomapper map` with the same arguments must write, byte for byte. The
second checks this program against the published vectors. It shares no code with the tool. It uses only the standard
library, and Python's unbounded integers: `>>` and `//` round down, as the definition of the projection requires.

Sections: 1 numbers, 2 quads, 3 cells, 4 places, 5 coast lines, 6 chart and degrees, 7 text, 8 formats, 9 file
system, 10 filters and walk, 11 command line, 12 self-test.
"""

import ctypes
import errno
import json
import os
import stat
import struct
import sys
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO, Dict, Iterator, List, Optional, Sequence, Tuple

Point = Tuple[int, int]
Quad = Tuple[Point, Point, Point, Point]

MASK64 = (1 << 64) - 1

# ------------------------------------------------------------------------------------------------
# 1 Numbers
# ------------------------------------------------------------------------------------------------

PRIME1 = 0x9E3779B185EBCA87
PRIME2 = 0xC2B2AE3D27D4EB4F
PRIME3 = 0x165667B19E3779F9
PRIME4 = 0x85EBCA77C2B2AE63
PRIME5 = 0x27D4EB2F165667C5


def rotate_left(value: int, bits: int) -> int:
    """The 64-bit value rotated left."""
    return ((value << bits) | (value >> (64 - bits))) & MASK64


def xxh64_round(lane: int, word: int) -> int:
    """One step of an accumulator of XXH64."""
    return rotate_left((lane + word * PRIME2) & MASK64, 31) * PRIME1 & MASK64


def xxh64(data: bytes, seed: int) -> int:
    """XXH64 of the xxHash specification 0.2.0."""
    at = 0
    if len(data) >= 32:
        lanes = [seed + PRIME1 + PRIME2, seed + PRIME2, seed, seed - PRIME1]
        lanes = [lane & MASK64 for lane in lanes]
        while at + 32 <= len(data):
            words = struct.unpack_from("<4Q", data, at)
            lanes = [xxh64_round(lane, word) for lane, word in zip(lanes, words)]
            at += 32
        hash_ = sum(rotate_left(lane, by) for lane, by in zip(lanes, (1, 7, 12, 18))) & MASK64
        for lane in lanes:
            hash_ = ((hash_ ^ xxh64_round(0, lane)) * PRIME1 + PRIME4) & MASK64
    else:
        hash_ = (seed + PRIME5) & MASK64
    hash_ = (hash_ + len(data)) & MASK64
    while at + 8 <= len(data):
        (word,) = struct.unpack_from("<Q", data, at)
        hash_ = (rotate_left(hash_ ^ xxh64_round(0, word), 27) * PRIME1 + PRIME4) & MASK64
        at += 8
    if at + 4 <= len(data):
        (word,) = struct.unpack_from("<I", data, at)
        hash_ = rotate_left(hash_ ^ (word * PRIME1 & MASK64), 23) * PRIME2 + PRIME3 & MASK64
        at += 4
    for byte in data[at:]:
        hash_ = rotate_left(hash_ ^ (byte * PRIME5 & MASK64), 11) * PRIME1 & MASK64
    hash_ = (hash_ ^ hash_ >> 33) * PRIME2 & MASK64
    hash_ = (hash_ ^ hash_ >> 29) * PRIME3 & MASK64
    return hash_ ^ hash_ >> 32


def number(seed: int, index: int) -> int:
    """The output with an index of a SplitMix64 generator with the given seed."""
    z = (seed + (index + 1) * 0x9E3779B97F4A7C15) & MASK64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK64
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK64
    return z ^ z >> 31


# ------------------------------------------------------------------------------------------------
# 2 Quads: four points in the order north-west, north-east, south-east, south-west
# ------------------------------------------------------------------------------------------------

LAND: Quad = (
    (1 << 59, 1 << 59), (7 << 59, 1 << 59), (7 << 59, 7 << 59), (1 << 59, 7 << 59),
)


def lerp(a: Point, b: Point, f: int) -> Point:
    """The point at fraction f, in units of 2^-32, of the way from a to b."""
    return (a[0] + ((b[0] - a[0]) * f >> 32), a[1] + ((b[1] - a[1]) * f >> 32))


def mid(a: Point, b: Point) -> Point:
    """The point half-way."""
    return ((a[0] + b[0]) >> 1, (a[1] + b[1]) >> 1)


def centre(q: Quad) -> Point:
    """The midpoint of the midpoints of the diagonals."""
    return mid(mid(q[0], q[2]), mid(q[1], q[3]))


def axes(q: Quad) -> Tuple[Point, Point]:
    """The vectors from west to east and from north to south between the midpoints of sides."""
    west, east, north, south = mid(q[0], q[3]), mid(q[1], q[2]), mid(q[0], q[1]), mid(q[3], q[2])
    return (east[0] - west[0], east[1] - west[1]), (south[0] - north[0], south[1] - north[1])


def extents(q: Quad) -> Tuple[int, int]:
    """The magnitude of the larger component of each axis."""
    across, down = axes(q)
    return max(abs(across[0]), abs(across[1])), max(abs(down[0]), abs(down[1]))


def breadth(q: Quad) -> int:
    """The width of the quad, independent of its orientation."""
    across, down = axes(q)
    w, h = extents(q)
    if w == 0 and h == 0:
        return 0
    area = abs(across[0] * down[1] - across[1] * down[0])
    return min(w, h, area // max(w, h))


def lean(q: Quad) -> int:
    """How far the shorter axis leans along the longer one, in units of 2^-16."""
    across, down = axes(q)
    w, h = extents(q)
    shift = max(0, max(w, h).bit_length() - 23)
    long, short = (across, down) if w >= h else (down, across)
    lx, ly, sx, sy = long[0] >> shift, long[1] >> shift, short[0] >> shift, short[1] >> shift
    square = lx * lx + ly * ly
    if square == 0:
        return 0
    return max(-8192, min(8192, (lx * sx + ly * sy) * (1 << 15) // square))


def shrink(q: Quad, k: int) -> Quad:
    """The quad with every corner moved by k/128 of the way to the centre."""
    c = centre(q)
    return tuple(lerp(p, c, k << 25) for p in q)  # type: ignore[return-value]


def cut(q: Quad, f: int, g: int) -> Tuple[Quad, Quad]:
    """The two parts of a cut across the longer extent, west or north first."""
    w, h = extents(q)
    if w >= h:
        top, bottom = lerp(q[0], q[1], f), lerp(q[3], q[2], g)
        return (q[0], top, bottom, q[3]), (top, q[1], q[2], bottom)
    left, right = lerp(q[0], q[3], f), lerp(q[1], q[2], g)
    return (q[0], q[1], right, left), (left, right, q[2], q[3])


# ------------------------------------------------------------------------------------------------
# 3 Cells: who gets which part of a countryside
# ------------------------------------------------------------------------------------------------


def bit(key: int, j: int) -> int:
    """Bit j of a key, the highest being bit 0."""
    return key >> (63 - j) & 1


def cut_at_bit(quad: Quad, key: int, j: int, seed: int) -> Tuple[Quad, Quad]:
    """The cut at bit j of a key in the folder with that seed."""
    before = key >> (64 - j)  # the first j bits as a number
    n = number(seed, (256 + (1 << j) + before) & MASK64)
    a = ((n >> 48) - (1 << 15)) * 10000
    t = (((n >> 32) & 0xFFFF) - (1 << 15)) * 14000 + lean(quad) * (1 << 16)
    return cut(quad, (1 << 31) + a + t, (1 << 31) + a - t)


Sharer = Tuple[int, bytes]  # key, name


def share_out(
    quad: Quad, folders: Sequence[Sharer], seed: int, lot_bits: int, j: int = 0
) -> Iterator[Tuple[bytes, Quad]]:
    """Names with their cells; the folders are sorted by key, then name."""
    if not folders:
        return
    first_key, last_key = folders[0][0], folders[-1][0]
    if j >= lot_bits:
        if len(folders) == 1:
            yield folders[0][1], quad
            return
        if first_key == last_key:
            first, second = cut(quad, 1 << 31, 1 << 31)
            half = len(folders) // 2
            yield from share_out(first, folders[:half], seed, lot_bits, j)
            yield from share_out(second, folders[half:], seed, lot_bits, j)
            return
        j = 64 - (first_key ^ last_key).bit_length()
    first, second = cut_at_bit(quad, first_key, j, seed)
    zeros = [folder for folder in folders if bit(folder[0], j) == 0]
    ones = [folder for folder in folders if bit(folder[0], j) == 1]
    yield from share_out(first, zeros, seed, lot_bits, j + 1)
    yield from share_out(second, ones, seed, lot_bits, j + 1)


def pinned_cell(quad: Quad, key: int, seed: int) -> Quad:
    """The part of a countryside after eight cuts at the first bits of the key."""
    for j in range(8):
        quad = cut_at_bit(quad, key, j, seed)[bit(key, j)]
    return quad


# ------------------------------------------------------------------------------------------------
# 4 Places of folders and files
# ------------------------------------------------------------------------------------------------


def spot(q: Quad, seed: int) -> Point:
    """The point in a quad for a seed."""
    n = number(seed, 0)
    u, v = n >> 32, n & 0xFFFFFFFF
    return lerp(lerp(q[0], q[1], u), lerp(q[3], q[2], u), v)


def first_bits(key: int, bits: int) -> int:
    """The highest bits of a key as a number."""
    return key >> (64 - bits)


def lots_of(countryside: Quad, seed: int, bits: int) -> List[Quad]:
    """The lots of a countryside: its parts after the cuts at the first bits, in the order of those bits."""
    lots = []
    for i in range(2**bits):
        quad, key = countryside, i << (64 - bits)
        for j in range(bits):
            quad = cut_at_bit(quad, key, j, seed)[bit(key, j)]
        lots.append(quad)
    return lots


HORIZON = 1 << 22
KINDS = ("continent", "country", "state", "district")


class Ground:
    """The division of a territory, and the points of its files."""

    def __init__(self, territory: Quad, seed: int, depth: int) -> None:
        """The ground of a folder with the given seed and depth."""
        self.territory, self.seed = territory, seed
        self.core = shrink(territory, 12 if depth else 28)
        self.city_share = f = 1 << (30 if depth else 29)
        if number(seed, 1) >> 63 == 0:
            self.city, self.countryside = cut(self.core, f, f)
        else:
            self.countryside, self.city = cut(self.core, (1 << 32) - f, (1 << 32) - f)
        self.lot_bits = max(0, min(depth + 3, 4, 6 - depth))
        self.free_lots: Dict[int, Quad] = {}

    def settle(self, keys: Sequence[int]) -> None:
        """Keeps the lots free that no sub-folder takes, by the keys."""
        taken = {first_bits(key, self.lot_bits) for key in keys}
        lots = lots_of(self.countryside, self.seed, self.lot_bits)
        self.free_lots = {i: lot for i, lot in enumerate(lots) if i not in taken}

    def crowd(self, n: int) -> int:
        """The number of files, of n, that the city's zoom is computed with, once the ground is settled."""
        b = self.lot_bits
        c, k = self.city_share >> 29, 2**b - len(self.free_lots)
        return max(1, 5 * n * (c * 2**b + (8 - c) * k) // 2 ** (b + 5))

    def place_in_city(self, seed: int) -> Point:
        """The point on the plan of a node in the city."""
        return spot(shrink(self.city, 12), seed)

    def place_of_file(self, seed: int) -> Point:
        """The point on the plan of one of the folder's files."""
        m = number(seed, 1)
        lot = self.free_lots.get((m & 0xFFFFFFFF) >> (32 - self.lot_bits))
        if lot is None or m >> 32 < self.city_share:
            return self.place_in_city(seed)
        return spot(shrink(lot, 4), seed)


class FolderPlace:
    """The place of a folder. A landless one is in the city of its `host`.

    Values that depend on the listing are known after `list_contents`: `files_minzoom`, the zoom from which files
    are visible, and `place_of_file`, their points.
    """

    def __init__(
        self, name: bytes, parent: Optional["FolderPlace"], cell: Optional[Quad], sea: int
    ) -> None:
        """The place in a cell; the cell is absent below a landless folder."""
        self.seed = xxh64(name, parent.seed if parent else 0)
        self.depth = parent.depth + 1 if parent else 0
        self.kind = KINDS[min(self.depth, 3)]
        self.sea = sea
        territory = shrink(cell, 3) if cell else None
        if territory and breadth(territory) >= HORIZON:
            self.host = self
            self._settle(territory, parent)
        elif parent:
            self.host = parent.host
            self.digits = self.host.digits
            self.minzoom = self.host.files_minzoom
            self.point = chart(self.host.ground.place_in_city(self.seed), sea)
        else:
            raise ValueError("a root would have no land")

    def _settle(self, territory: Quad, parent: Optional["FolderPlace"]) -> None:
        """Sets the values that only landed folders have."""
        self.ground = Ground(territory, self.seed, self.depth)
        wide = breadth(territory)
        self.digits = decimals(wide)
        least = max(min(self.depth, 3), parent.minzoom if parent else 0)
        self.minzoom = max(least, 57 - wide.bit_length())
        self.point = chart(centre(territory), self.sea)
        self.files_minzoom = 0

    @property
    def landed(self) -> bool:
        """Whether the folder has land."""
        return self.host is self

    def list_contents(self, n: int, folders: Sequence[bytes], layout: str) -> None:
        """Takes the complete listing: n entries that are not folders, and all folders."""
        if not self.landed:
            return
        p = max(1, n)
        if layout == "settled":
            self.ground.settle([number(xxh64(name, self.seed), 0) for name in folders])
            p = self.ground.crowd(n)
        e = 0
        while 4**e < p:
            e += 1
        needed = max(0, 57 + e - breadth(self.ground.city).bit_length())
        self.files_minzoom = max(3, self.minzoom, needed)

    def place_of_file(self, seed: int) -> Point:
        """The charted point of a file in this folder."""
        ground = self.host.ground
        place = ground.place_of_file(seed) if self.landed else ground.place_in_city(seed)
        return chart(place, self.sea)

    def cells(self, names: Sequence[bytes], layout: str) -> Dict[bytes, Optional[Quad]]:
        """The cell of each sub-folder, None if this folder has no land."""
        if not self.landed:
            return {name: None for name in names}
        ground = self.ground
        keys = sorted((number(xxh64(name, self.seed), 0), name) for name in names)
        if layout == "pinned":
            return {name: pinned_cell(ground.countryside, key, self.seed) for key, name in keys}
        return dict(share_out(ground.countryside, keys, self.seed, ground.lot_bits))


def place_roots(labels: Sequence[bytes]) -> Dict[bytes, FolderPlace]:
    """The places of all roots, by label."""
    seeds = {label: xxh64(label, 0) for label in labels}
    sea = sum(seeds.values()) & MASK64
    keys = sorted((number(seed, 0), label) for label, seed in seeds.items())
    cells = share_out(LAND, keys, 0, 0)
    return {label: FolderPlace(label, None, cell, sea) for label, cell in cells}


# ------------------------------------------------------------------------------------------------
# 5 Coast lines
# ------------------------------------------------------------------------------------------------


def heights(seed: int, n: int) -> List[int]:
    """Heights of the n vertices: anchors first, then midpoints with ever smaller bumps."""
    height = [0] * n
    index = 2
    step = n // 8
    for i in range(0, n, step):
        height[i] = number(seed, index) >> 48
        index += 1
    amp = 1 << 15
    while step > 1:
        half = step // 2
        for i in range(half, n, step):
            bump = ((number(seed, index) >> 48) - (1 << 15)) * amp >> 16
            index += 1
            level = (height[i - half] + height[(i + half) % n]) >> 1
            height[i] = max(0, min(65535, level + bump))
        amp = amp * 5 // 8
        step = half
    return height


def ring(folder: FolderPlace) -> List[Point]:
    """The coast line on the plan, counter-clockwise, not closed."""
    territory, core = folder.ground.territory, folder.ground.core
    n = max(16, 256 >> folder.depth)
    k = n // 4
    height = heights(folder.seed, n)
    sides = ((3, 2), (2, 1), (1, 0), (0, 3))
    line = []
    for i in range(n):
        a, b = sides[i // k]
        t = i % k
        e = max(0, k - 4 * min(t, k - t))
        cap = 64511 - 35840 * e * e // (k * k)
        o = 8192 + (height[i] * (cap - 8192) >> 16)
        u = (t << 32) // k
        inner, outer = lerp(core[a], core[b], u), lerp(territory[a], territory[b], u)
        line.append(lerp(inner, outer, o << 16))
    return line


# ------------------------------------------------------------------------------------------------
# 6 Chart and degrees
# ------------------------------------------------------------------------------------------------

SHEARS = ((1, 5, 5), (1, 5, 5), (2, 5, 6), (2, 5, 6), (3, 3, 6), (3, 3, 6))


def chart(p: Point, sea: int) -> Point:
    """The charted point of a point of the plan."""
    at = list(p)
    for i, (k, a, b) in enumerate(SHEARS):
        moved = i % 2  # even shears move x by y, odd ones y by x
        c = at[1 - moved]
        u = (k * c + number(sea, i)) % (1 << 62) - (1 << 61)
        at[moved] += ((u * ((1 << 61) - abs(u)) >> 60) * a) >> b
    return at[0], at[1]


NUMERATOR = (
    179.99999999999997, 2318.3257337700493, 11876.454819023818, 31019.762806077022,
    44091.68718283266, 33786.96883668485, 12983.05915016552, 2116.2197520751506,
    104.08495308672914, 0.7097377688306806,
)
DENOMINATOR = (
    1.0, 14.524521476681674, 85.81347260539924, 266.1745298949002, 467.2917355099822,
    467.0815132493156, 253.66909130069368, 66.26896465733422, 6.203810419110507,
    0.13738301104894976,
)


def horner(coefficients: Sequence[float], x: float) -> float:
    """The polynomial's value, from the highest coefficient down."""
    value = coefficients[-1]
    for coefficient in reversed(coefficients[:-1]):
        value = value * x + coefficient
    return value


def latitude(y: int) -> float:
    """The latitude, in degrees, of a row of the chart."""
    r = float((1 << 61) - y) * 2.0**-61
    square = r * r
    return (r * horner(NUMERATOR, square)) / horner(DENOMINATOR, square)


def round_half_even(numerator: int, denominator: int) -> int:
    """The integer nearest to a fraction; ties go to the even one."""
    quotient, rest = divmod(numerator, denominator)
    if 2 * rest > denominator or (2 * rest == denominator and quotient % 2 == 1):
        quotient += 1
    return quotient


def degrees(p: Point, digits: int) -> Point:
    """Longitude and latitude of a charted point, in units of 10^-digits degrees."""
    power = 10**digits
    lon = round_half_even(p[0] * 360 * power, 1 << 62) - 180 * power
    return lon, round(latitude(p[1]) * float(power))  # Python rounds halves to even


def decimals(wide: int) -> int:
    """The number of decimals in the coordinates of a folder with the given breadth."""
    for d in range(6, 13):
        if wide * 360 * 10 ** (d - 6) >= 1 << 62:
            return d
    return 13


# ------------------------------------------------------------------------------------------------
# 7 Text
# ------------------------------------------------------------------------------------------------


def decimal_text(value: int, digits: int) -> str:
    """A number of units of 10^-digits as a decimal fraction without trailing zeros."""
    whole, rest = divmod(abs(value), 10**digits)
    text = f"{whole}.{rest:0{digits}d}".rstrip("0").rstrip(".")
    return "-" + text if value < 0 else text


def repaired(name: bytes) -> str:
    """The text of a name, with each maximal subpart of an ill-formed sequence replaced by U+FFFD."""
    return name.decode("utf-8", errors="replace")


def is_utf8(name: bytes) -> bool:
    """Whether the bytes are well-formed UTF-8."""
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


JSON_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f",
                "\r": "\\r"}


def json_string(text: str) -> str:
    """A JSON string: quotes, backslashes and control characters (U+007F–9F too) escaped."""

    def escape(character: str) -> str:
        if character in JSON_ESCAPES:
            return JSON_ESCAPES[character]
        code = ord(character)
        return f"\\u{code:04x}" if code < 0x20 or 0x7F <= code <= 0x9F else character

    return '"' + "".join(map(escape, text)) + '"'


PLAIN_IN_URI = frozenset(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/"
)


def percent_encoded(path: bytes) -> str:
    """The path's bytes, encoded for a URI."""
    return "".join(chr(b) if b in PLAIN_IN_URI else f"%{b:02X}" for b in path)


def csv_field(text: str) -> str:
    """A field of RFC 4180, quoted only where it must be."""
    if any(character in text for character in '",\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


XML_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;",
                "\n": "&#10;", "\r": "&#13;"}


def xml_text(text: str) -> str:
    """Character data of XML 1.0; what XML forbids becomes U+FFFD."""

    def escape(character: str) -> str:
        if character in XML_ENTITIES:
            return XML_ENTITIES[character]
        return "\ufffd" if character < " " or character in "\ufffe\uffff" else character

    return "".join(map(escape, text))


def gpx_time(modified: int) -> Optional[str]:
    """The time in the form of GPX, None outside the years 1 to 9999."""
    if not -62135596800 <= modified <= 253402300799:
        return None
    moment = datetime(1970, 1, 1) + timedelta(seconds=modified)
    date = f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d}"
    return f"{date}T{moment.hour:02d}:{moment.minute:02d}:{moment.second:02d}Z"


# ------------------------------------------------------------------------------------------------
# 8 Formats
# ------------------------------------------------------------------------------------------------


@dataclass
class Node:
    """All that formats write about a folder or a file."""

    seed: int
    path: bytes
    kind: str
    depth: int
    minzoom: int
    digits: int
    coordinate: Point
    ring: Optional[List[Point]] = None
    size: Optional[int] = None
    modified: Optional[int] = None
    special: Optional[str] = None
    loop: bool = False
    links: int = 1
    totals: Optional[Tuple[int, int, int]] = None
    unreadable: bool = False

    @property
    def id(self) -> int:
        """The 53-bit id."""
        return self.seed >> 11

    def lon_lat(self) -> Tuple[str, str]:
        """The printed coordinate."""
        return decimal_text(self.coordinate[0], self.digits), decimal_text(
            self.coordinate[1], self.digits
        )

    def geometry(self) -> List[Tuple[str, str]]:
        """The printed positions: a closed ring, or one point."""
        if self.ring is None:
            return [self.lon_lat()]
        closed = self.ring + self.ring[:1]
        return [(decimal_text(x, self.digits), decimal_text(y, self.digits)) for x, y in closed]


def geojson_feature(node: Node, tippecanoe: bool) -> str:
    """One feature on one line, without its end."""
    positions = ",".join(f"[{lon},{lat}]" for lon, lat in node.geometry())
    if node.ring is None:
        geometry = f'{{"type":"Point","coordinates":{positions}}}'
    else:
        geometry = f'{{"type":"Polygon","coordinates":[[{positions}]]}}'
    name = node.path.rsplit(b"/", 1)[-1]
    members = [
        f'"path":{json_string(repaired(node.path))}',
        f'"name":{json_string(repaired(name))}',
        f'"kind":"{node.kind}"',
        f'"depth":{node.depth}',
    ]
    if node.size is not None:
        members.append(f'"size":{node.size}')
    if node.totals is not None:
        files, total, allocated = node.totals
        members += [f'"files":{files}', f'"bytes":{total}', f'"allocated":{allocated}']
    if node.modified is not None:
        members.append(f'"modified":{node.modified}')
    members.append(f'"minzoom":{node.minzoom}')
    if node.ring is not None:
        lon, lat = node.lon_lat()
        members += [f'"lon":{lon}', f'"lat":{lat}']
    if node.special is not None:
        members.append(f'"special":"{node.special}"')
    if node.loop:
        members.append('"loop":true')
    if node.links > 1:
        members.append(f'"links":{node.links}')
    if node.unreadable:
        members.append('"unreadable":true')
    if not is_utf8(node.path):
        members.append(f'"rawPath":"{percent_encoded(node.path)}"')
    hint = f',"tippecanoe":{{"minzoom":{min(node.minzoom, 24)}}}' if tippecanoe else ""
    return (
        f'{{"type":"Feature","id":{node.id},"geometry":{geometry},'
        f'"properties":{{{",".join(members)}}}{hint}}}'
    )


def csv_record(node: Node) -> str:
    """One record without its end."""
    lon, lat = node.lon_lat()
    size = "" if node.size is None else str(node.size)
    modified = "" if node.modified is None else str(node.modified)
    rest = [node.kind, str(node.depth), size, modified, str(node.minzoom), lon, lat, str(node.id)]
    raw = "" if is_utf8(node.path) else percent_encoded(node.path)
    last = [csv_field(repaired(node.path.rsplit(b"/", 1)[-1])), node.special or "", raw]
    return ",".join([csv_field(repaired(node.path))] + rest + last)


def gpx_waypoint(node: Node) -> str:
    """One way point on one line, without its end."""
    lon, lat = node.lon_lat()
    time = None if node.modified is None else gpx_time(node.modified)
    name = node.path.rsplit(b"/", 1)[-1]
    return (
        f'<wpt lat="{lat}" lon="{lon}">'
        + (f"<time>{time}</time>" if time else "")
        + f"<name>{xml_text(repaired(name))}</name><desc>{xml_text(repaired(node.path))}</desc>"
        + f"<sym>{node.kind}</sym></wpt>"
    )


class Writer:
    """Writes nodes in one format and counts them."""

    def __init__(self, out: BinaryIO, options: "Options", labels: Sequence[bytes]) -> None:
        """Writes the header."""
        self.out = out
        self.options = options
        self.folders = self.files = self.unreadable = 0
        roots = ",".join(json_string(repaired(label)) for label in labels)
        partial = ',"partial":true' if options.partial else ""
        self._say(
            {
                "geojson": '{"type":"FeatureCollection","geomapper":{"projection":2,'
                f'"layout":"{options.layout}","roots":[{roots}]{partial}}},"features":[',
                "csv": "path,kind,depth,size,modified,minzoom,lon,lat,id,name,special,rawPath\r\n",
                "gpx": '<?xml version="1.0" encoding="UTF-8"?>\n'
                '<gpx version="1.1" creator="geomapper projection 2"'
                ' xmlns="http://www.topografix.com/GPX/1/1">\n',
            }.get(options.format, "")
        )

    def _say(self, text: str) -> None:
        self.out.write(text.encode("utf-8"))

    def write(self, node: Node) -> None:
        """Writes one node."""
        first = self.folders + self.files == 0
        if self.options.format == "geojson":
            comma = "\n" if first else ",\n"
            self._say(comma + geojson_feature(node, self.options.tippecanoe))
        elif self.options.format == "geojsonseq":
            self._say("\x1e" + geojson_feature(node, self.options.tippecanoe) + "\n")
        elif self.options.format == "geojsonl":
            self._say(geojson_feature(node, self.options.tippecanoe) + "\n")
        elif self.options.format == "csv":
            self._say(csv_record(node) + "\r\n")
        else:
            self._say(gpx_waypoint(node) + "\n")
        if node.kind == "poi":
            self.files += 1
        else:
            self.folders += 1
        self.unreadable += node.unreadable

    def finish(self) -> None:
        """Writes the footer."""
        if self.options.format == "geojson":
            self._say(
                f'\n],"summary":{{"folders":{self.folders},"files":{self.files},'
                f'"unreadable":{self.unreadable}}}}}\n'
            )
        elif self.options.format == "gpx":
            self._say("</gpx>\n")


# ------------------------------------------------------------------------------------------------
# 9 File system: listings with what they say of each entry, and facts (Linux)
# ------------------------------------------------------------------------------------------------


class DirectoryEntry(ctypes.Structure):
    """`struct dirent` of Linux on 64-bit machines."""

    _fields_ = [
        ("d_ino", ctypes.c_uint64),
        ("d_off", ctypes.c_int64),
        ("d_reclen", ctypes.c_ushort),
        ("d_type", ctypes.c_ubyte),
        ("d_name", ctypes.c_char * 256),
    ]


LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.fdopendir.argtypes = [ctypes.c_int]
LIBC.fdopendir.restype = ctypes.c_void_p
LIBC.readdir.argtypes = [ctypes.c_void_p]
LIBC.readdir.restype = ctypes.POINTER(DirectoryEntry)
LIBC.closedir.argtypes = [ctypes.c_void_p]

# d_type is the file-type field of a mode.
SPECIALS = {stat.S_IFLNK: "symlink", stat.S_IFIFO: "fifo", stat.S_IFSOCK: "socket",
            stat.S_IFBLK: "block", stat.S_IFCHR: "character"}


def listing(folder: int) -> Tuple[List[Tuple[bytes, int]], bool]:
    """Names and file types (0: unknown) of an open folder, and whether the listing is complete."""
    stream = LIBC.fdopendir(os.dup(folder))
    if not stream:
        return [], False
    entries = []
    while True:
        ctypes.set_errno(0)
        entry = LIBC.readdir(stream)
        if not entry:
            break
        name = entry.contents.d_name
        if name not in (b".", b".."):
            entries.append((name, entry.contents.d_type << 12))
    complete = ctypes.get_errno() == 0
    LIBC.closedir(stream)
    return entries, complete


Identity = Tuple[int, int]
BROKEN = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG)


@dataclass
class Facts:
    """The facts from one stat; `failed` if they can't be read, `vanished` if the entry is gone."""

    type: int = 0
    size: Optional[int] = None
    modified: Optional[int] = None
    failed: bool = False
    vanished: bool = False
    links: int = 1
    allocated: int = 0
    identity: Optional[Identity] = None


def facts_of(name: bytes, folder: Optional[int], follow: bool = False) -> Facts:
    """The facts of a name in an open folder (None: the current one).

    With `follow`, of a link's target, or of the link itself if it is dangling.
    """
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=follow)
    except OSError as error:
        if follow and error.errno in BROKEN:
            return facts_of(name, folder)
        return Facts(failed=True, vanished=error.errno == errno.ENOENT)
    modified = status.st_mtime_ns // 10**9  # rounded down
    return Facts(
        stat.S_IFMT(status.st_mode), status.st_size, modified, links=status.st_nlink,
        allocated=status.st_blocks * 512, identity=(status.st_dev, status.st_ino),
    )


# ------------------------------------------------------------------------------------------------
# 10 Filters and walk
# ------------------------------------------------------------------------------------------------


@dataclass
class Options:
    """The options of `map` that change what it writes."""

    format: str = "geojson"
    layout: str = "settled"
    zoom: Optional[int] = None
    bbox: Optional[Tuple[float, float, float, float]] = None
    max_depth: Optional[int] = None
    no_stat: bool = False
    tippecanoe: bool = False
    one_file_system: bool = False
    follow: bool = False
    links: bool = False
    totals: bool = False

    @property
    def partial(self) -> bool:
        """Whether any filter was given."""
        return self.zoom is not None or self.bbox is not None or self.max_depth is not None

    def shows_zoom(self, minzoom: int) -> bool:
        """Whether a node with that minzoom passes the zoom filter."""
        return self.zoom is None or minzoom <= self.zoom

    def meets_box(self, node: Node) -> bool:
        """Whether the bounding box of the printed geometry meets the box, as doubles."""
        if self.bbox is None:
            return True
        west, south, east, north = self.bbox
        positions = node.geometry()
        lons = [float(lon) for lon, _ in positions]
        lats = [float(lat) for _, lat in positions]
        if max(lats) < south or min(lats) > north:
            return False
        if west > east:  # across the antimeridian
            return max(lons) >= west or min(lons) <= east
        return max(lons) >= west and min(lons) <= east


class Walk:
    """Maps folders from disk, depth first."""

    def __init__(self, options: Options, writer: Writer) -> None:
        self.options = options
        self.writer = writer
        self.vanished = 0
        self.totals: Dict[bytes, Tuple[int, int, int]] = {}

    def root(self, path: bytes, label: bytes, place: FolderPlace) -> None:
        """Maps a root and everything in it."""
        facts = Facts() if self.options.no_stat else facts_of(path, None, follow=True)
        self.folder(None, path, label, place, facts, True, [])

    def open(
        self, parent: Optional[int], name: bytes, link: bool, above: List[Identity]
    ) -> Tuple[Optional[int], Optional[Identity], bool]:
        """An open folder, unless it is a loop or on another file system; its identity; whether it is a loop."""
        flags = os.O_RDONLY | os.O_DIRECTORY | (0 if link else os.O_NOFOLLOW)
        opened = os.open(name, flags, dir_fd=parent)
        status = os.fstat(opened)
        identity = (status.st_dev, status.st_ino)
        loop = self.options.follow and identity in above
        border = self.options.one_file_system and above and above[0][0] != status.st_dev
        if loop or border:
            os.close(opened)
            return None, identity, loop
        return opened, identity, False

    def kinds(self, opened: int, entries: List[Tuple[bytes, int]]) -> Tuple[Dict[bytes, int], set]:
        """The kind of each entry, and which folders are links."""
        types = dict(entries)
        links = set()
        for name, type_ in entries:
            if type_ == 0:  # the listing doesn't say
                types[name] = facts_of(name, opened).type
            if types[name] == stat.S_IFLNK and self.options.follow:
                types[name] = facts_of(name, opened, follow=True).type or stat.S_IFLNK
                if types[name] == stat.S_IFDIR:
                    links.add(name)
        return types, links

    def count(
        self, parent: Optional[int], name: bytes, path: bytes, link: bool, above: List[Identity]
    ) -> Dict[Any, Tuple[int, int]]:
        """All files below a folder, by device and inode; stores the totals of listable folders."""
        found: Dict[Any, Tuple[int, int]] = {}
        try:
            opened, identity, _ = self.open(parent, name, link, above)
        except OSError:
            self.vanished += 1
            return found
        if opened is None or identity is None:
            return found
        entries, complete = listing(opened)
        self.vanished += not complete
        types, links = self.kinds(opened, entries)
        for inner, type_ in types.items():
            inner_path = path + b"/" + inner
            if type_ == stat.S_IFDIR:
                found.update(
                    self.count(opened, inner, inner_path, inner in links, above + [identity])
                )
                continue
            facts = facts_of(inner, opened, self.options.follow)
            self.vanished += facts.failed
            found[facts.identity or inner_path] = (facts.size or 0, facts.allocated)
        os.close(opened)
        if complete or entries:
            most = (1 << 63) - 1
            size, allocated = (min(most, sum(file[i] for file in found.values())) for i in (0, 1))
            self.totals[path] = (len(found), size, allocated)
        return found

    def folder(
        self, parent: Optional[int], name: bytes, path: bytes, place: FolderPlace, facts: Facts,
        link: bool, above: List[Identity],
    ) -> None:
        """Maps one folder, its files, then its sub-folders."""
        if not self.options.shows_zoom(place.minzoom):
            return
        node = Node(place.seed, path, place.kind, place.depth, place.minzoom, place.digits,
                    degrees(place.point, place.digits))
        if place.landed:
            node.ring = [degrees(chart(p, place.sea), place.digits) for p in ring(place)]
        met = self.options.meets_box(node)
        if not met and place.landed:
            return
        if self.options.totals and parent is None:
            self.count(None, name, path, True, [])
        node.modified = None if self.options.no_stat else facts.modified
        node.unreadable = facts.failed
        node.totals = self.totals.get(path)
        opened: Optional[int] = None
        identity: Optional[Identity] = None
        entries: List[Tuple[bytes, int]] = []
        if self.options.max_depth is None or place.depth < self.options.max_depth:
            try:
                opened, identity, node.loop = self.open(parent, name, link, above)
            except OSError as error:
                if parent is not None and error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
                    self.vanished += 1
                    return
                node.unreadable = True
        elif self.options.follow:
            # Without metadata, the folder's identity is not known yet, unless a link leads to it.
            seen = facts if facts.identity or parent is None else facts_of(name, parent, link)
            node.loop = seen.identity in above
        if opened is not None:
            entries, complete = listing(opened)
            node.size = len(entries)
            node.unreadable |= not complete
        if met:
            self.writer.write(node)
        if opened is not None:
            self.contents(opened, entries, path, place, above + [identity] if identity else above)
            os.close(opened)

    def contents(
        self, opened: int, entries: List[Tuple[bytes, int]], path: bytes, place: FolderPlace,
        above: List[Identity],
    ) -> None:
        """Maps the contents of a folder."""
        types, links = self.kinds(opened, entries)
        names = sorted(types)
        files = [name for name in names if types[name] != stat.S_IFDIR]
        folders = [name for name in names if types[name] == stat.S_IFDIR]
        place.list_contents(len(files), folders, self.options.layout)
        for name in files:
            self.file(opened, name, types[name], path + b"/" + name, place)
        cells = place.cells(folders, self.options.layout)
        for name in folders:
            facts = Facts(type=stat.S_IFDIR)
            if not self.options.no_stat or name in links:
                facts = facts_of(name, opened, name in links)
            if facts.vanished or not (facts.failed or facts.type == stat.S_IFDIR):
                self.vanished += 1
                continue
            child = FolderPlace(name, place, cells[name], place.sea)
            self.folder(opened, name, path + b"/" + name, child, facts, name in links, above)

    def file(self, opened: int, name: bytes, type_: int, path: bytes, place: FolderPlace) -> None:
        """Maps one file."""
        host = place.host
        if not self.options.shows_zoom(host.files_minzoom):
            return
        seed = xxh64(name, place.seed)
        node = Node(seed, path, "poi", place.depth + 1, host.files_minzoom, host.digits,
                    degrees(place.place_of_file(seed), host.digits))
        if not self.options.meets_box(node):
            return
        node.special = SPECIALS.get(type_)
        node.unreadable = type_ == 0
        if not self.options.no_stat:
            facts = facts_of(name, opened, self.options.follow)
            if facts.vanished or facts.type == stat.S_IFDIR:
                self.vanished += 1
                return
            node.size, node.modified = facts.size, facts.modified
            node.unreadable |= facts.failed
            if self.options.links:
                node.links = facts.links
        self.writer.write(node)


def map_roots(options: Options, roots: Dict[bytes, bytes], out: BinaryIO) -> int:
    """Writes the map of roots, label → folder, and returns the exit status."""
    labels = sorted(roots)
    places = place_roots(labels)
    writer = Writer(out, options, labels)
    walk = Walk(options, writer)
    for label in labels:
        walk.root(roots[label], label, places[label])
    writer.finish()
    return 1 if writer.unreadable or walk.vanished else 0


# ------------------------------------------------------------------------------------------------
# 11 Command line
# ------------------------------------------------------------------------------------------------

FLAGS = {"-x": "one_file_system", "-L": "follow", "--links": "links", "--totals": "totals",
         "--no-stat": "no_stat", "--tippecanoe": "tippecanoe"}
VALUES = {"--format": str, "--layout": str, "--zoom": int, "--max-depth": int,
          "--bbox": lambda text: tuple(map(float, text.split(",")))}


def label_and_folder(argument: bytes) -> Tuple[bytes, bytes]:
    """The label and the folder that an argument names."""
    before, equals, after = argument.partition(b"=")
    if equals and before and b"/" not in before:
        return before, after
    label = argument.rstrip(b"/").rsplit(b"/", 1)[-1]
    if label in (b"", b".", b".."):
        label = os.path.realpath(argument).rsplit(b"/", 1)[-1] or b"root"
    return label, argument


def parse_arguments(arguments: Sequence[bytes]) -> Tuple[Options, Dict[bytes, bytes]]:
    """Options, and roots by label, of a valid command line."""
    options = Options()
    roots: Dict[bytes, bytes] = {}
    rest = iter(arguments)
    for argument in rest:
        option = os.fsdecode(argument)
        if option in FLAGS:
            setattr(options, FLAGS[option], True)
        elif option in VALUES:
            setattr(options, option[2:].replace("-", "_"), VALUES[option](os.fsdecode(next(rest))))
        else:
            label, folder = label_and_folder(argument)
            roots[label] = folder
    return options, roots or dict([label_and_folder(b".")])


# ------------------------------------------------------------------------------------------------
# 12 Self-test against the vectors
# ------------------------------------------------------------------------------------------------


class Check:
    """Counts comparisons and stops at the first failure."""

    def __init__(self) -> None:
        self.count = 0

    def same(self, found: Any, expected: Any, what: str) -> None:
        """Ends the program if the two differ."""
        self.count += 1
        if found != expected:
            sys.exit(f"{what}\n  found    {found}\n  expected {expected}")


def points(strings: Sequence[Sequence[str]]) -> List[Point]:
    """Points whose components are decimal strings."""
    return [(int(x), int(y)) for x, y in strings]


def check_numbers(folder: Path, text: Path, check: Check) -> None:
    """Hashes, generators, latitudes, the chart and decimals."""
    hashes = json.loads((folder / "hash.json").read_text())
    for v in hashes["xxh64"]:
        found = xxh64(bytes.fromhex(v["bytes"]), int(v["seed"], 16))
        check.same(f"{found:016x}", v["hash"], f"xxh64 of {v}")
    for v in hashes["splitmix64"]:
        for i, expected in enumerate(v["numbers"]):
            check.same(f"{number(int(v['seed'], 16), i):016x}", expected, f"number {i} of {v}")
    for v in json.loads((folder / "latitude.json").read_text()):
        bits = struct.pack(">d", latitude(int(v["y"]))).hex()
        check.same(bits, v["bits"], f"latitude of {v}")
    for v in json.loads((folder / "chart.json").read_text()):
        ((x, y), expected) = points([v["plan"], v["chart"]])
        check.same(chart((x, y), int(v["seed"], 16)), expected, f"chart of {v}")
    for v in json.loads(text.read_text()):
        check.same(decimal_text(int(v["integer"]), v["digits"]), v["text"], f"text of {v}")


def check_shares(folder: Path, check: Check) -> None:
    """Quads divided among given keys."""
    for v in json.loads((folder / "shares.json").read_text()):
        quad: Quad = tuple(points(v["quad"]))  # type: ignore[assignment]
        check.same(breadth(quad), int(v["breadth"]), f"breadth of {v['quad']}")
        check.same(lean(quad), v["lean"], f"lean of {v['quad']}")
        keys = sorted((int(f["key"], 16), bytes.fromhex(f["name"])) for f in v["folders"])
        cells = dict(share_out(quad, keys, int(v["seed"], 16), v["bits"]))
        check.same(len(cells), len(v["folders"]), "number of cells")
        for f in v["folders"]:
            cell = list(cells[bytes.fromhex(f["name"])])
            check.same(cell, points(f["cell"]), f"cell of {f} in {v['quad']}")


def check_files(folder: Path, check: Check) -> None:
    """Cities and lots of given territories, and places of files in them."""
    for v in json.loads((folder / "files.json").read_text()):
        seed, depth = int(v["seed"], 16), v["depth"]
        what = f"{v['seed']} at depth {depth}"
        place = Ground(tuple(points(v["territory"])), seed, depth)  # type: ignore[arg-type]
        check.same(list(place.city), points(v["city"]), f"city of {what}")
        lots = lots_of(place.countryside, seed, place.lot_bits)
        check.same([list(lot) for lot in lots], [points(lot) for lot in v["lots"]],
                   f"lots of {what}")
        keys = [int(key, 16) for key in v["keys"]]
        place.settle(keys)
        for n, p in v["crowd"]:
            check.same(place.crowd(n), p, f"crowd of {n} in {what}")
        check.same(sorted(set(range(len(lots))) - set(place.free_lots)), v["taken"],
                   f"lots taken of {what}")
        for file_seed, expected in v["files"]:
            found = place.place_of_file(int(file_seed, 16))
            check.same([found], points([expected]), f"file {file_seed} in {what}")


Tree = Dict[str, Any]
Placed = Tuple[str, Optional[int], FolderPlace]


def placed(tree: Tree, layout: str) -> Iterator[Placed]:
    """Hex paths of all nodes of a tree of hex names, with seeds and places.

    For a file its seed and its folder's place; for a folder None and its own place.
    """

    def inside(path: str, contents: Tree, place: FolderPlace) -> Iterator[Placed]:
        yield path, None, place
        folders = [bytes.fromhex(name) for name, value in contents.items() if value is not None]
        place.list_contents(len(contents) - len(folders), folders, layout)
        cells = place.cells(folders, layout)
        for hexed, value in sorted(contents.items()):
            name = bytes.fromhex(hexed)
            if value is None:
                yield f"{path}/{hexed}", xxh64(name, place.seed), place
            else:
                child = FolderPlace(name, place, cells[name], place.sea)
                yield from inside(f"{path}/{hexed}", value, child)

    places = place_roots([bytes.fromhex(label) for label in tree])
    for label in sorted(tree):
        yield from inside(label, tree[label], places[bytes.fromhex(label)])


def check_tree(file: Path, layout: str, check: Check) -> None:
    """A world: every node's values and the number of nodes."""
    world = json.loads(file.read_text())
    expected = {v["path"]: v for v in world[layout]}
    sizes = dict(tree_sizes("", world["roots"]))
    seen = 0
    for path, file_seed, place in placed(world["roots"], layout):
        v = expected[path]
        seen += 1
        what = f"{file.name} {layout} {path}"
        host = place.host
        if file_seed is not None:
            coordinate = degrees(place.place_of_file(file_seed), host.digits)
            found = (f"{file_seed:016x}", "poi", place.depth + 1, host.digits, host.files_minzoom)
        else:
            coordinate = degrees(place.point, place.digits)
            found = (f"{place.seed:016x}", place.kind, place.depth, place.digits, place.minzoom)
            check.same(place.landed, v["landed"], f"{what} landed")
            check.same(sizes[path], v["size"], f"{what} size")
        want = tuple(v[key] for key in ("seed", "kind", "depth", "digits", "minzoom"))
        check.same(found, want, what)
        check.same([coordinate], points([v["coordinate"]]), f"{what} coordinate")
        if "quad" in v:
            check.same(list(place.ground.territory), points(v["quad"]), f"{what} quad")
        if "ring" in v:
            line = [degrees(chart(p, place.sea), place.digits) for p in ring(place)]
            check.same(line, points(v["ring"]), f"{what} ring")
    check.same(seen, len(expected), f"{file.name} {layout}: number of nodes")


def tree_sizes(path: str, tree: Tree) -> Iterator[Tuple[str, int]]:
    """Number of entries of each folder of a tree of hex names, by hex path."""
    for name, contents in tree.items():
        if contents is not None:
            own = f"{path}/{name}" if path else name
            yield own, len(contents)
            yield from tree_sizes(own, contents)


def check_repair(check: Check) -> None:
    """Cases of maximal subparts from the Unicode standard, chapter 3.9."""
    bad = "\ufffd"
    for raw, text in (
        (b"\xc0\xaf\xe0\x80\xbf\xf0\x81\x82A", bad * 8 + "A"),
        (b"\xed\xa0\x80\xed\xbf\xbf\xed\xafA", bad * 8 + "A"),
        (b"\xf4\x91\x92\x93\xffA\x80\xbfB", bad * 5 + "A" + bad * 2 + "B"),
        (b"\xe1\x80\xe2\xf0\x91\x92\xf1\xbfA", bad * 4 + "A"),
        (b"a\xf1\x80\x80\xe1\x80\xc2b\x80c\x80\xbfd", f"a{bad * 3}b{bad}c{bad * 2}d"),
    ):
        check.same(repaired(raw), text, f"repair of {raw!r}")


def self_test(folder: Path, text: Path) -> None:
    """Checks this program against the vectors of a folder."""
    check = Check()
    check_repair(check)
    check_numbers(folder, text, check)
    check_shares(folder, check)
    check_files(folder, check)
    trees = sorted(folder.glob("tree-*.json"))
    check.same(len(trees) >= 2, True, "there are worlds to check")
    for tree in trees:
        for layout in ("settled", "pinned"):
            check_tree(tree, layout, check)
    print(f"reference: {check.count} values as in the vectors")


def main() -> int:
    sys.setrecursionlimit(100_000)
    arguments = [os.fsencode(argument) for argument in sys.argv[1:]]
    if len(arguments) == 3 and arguments[0] == b"--self-test":
        self_test(Path(os.fsdecode(arguments[1])), Path(os.fsdecode(arguments[2])))
        return 0
    return map_roots(*parse_arguments(arguments), sys.stdout.buffer)


if __name__ == "__main__":
    sys.exit(main())
