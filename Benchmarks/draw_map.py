#!/usr/bin/env python3
"""Draws an atlas page from the tool's own GeoJSON.

    draw_map.py MAP.geojson OUT.svg|OUT.png [--width PIXELS] [--title TEXT] [--folder PATH]

The map is Web Mercator, cropped to the land. Sea, coasts, land and borders are drawn by rank, files
as points, and the largest folders get labels that do not overlap. Standard library only; a PNG is
made by whichever of rsvg-convert, inkscape, chromium or cairosvg is there.
"""

import argparse
import itertools
import json
import math
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Set, Tuple

Point = Tuple[float, float]

MAX_BYTES = 950_000
MAX_POINTS = 14_000
MARGIN = 0.055  # of the longer side of the land

# ------------------------------------------------------------------------------------------------
# Palette
# ------------------------------------------------------------------------------------------------

SEA = "#b9d5df"
# Width and colour of the bands of lighter water, each with a fine line at its outer edge.
SHALLOWS = [(54, "#bfd9e1"), (38, "#c8dee5"), (24, "#d4e6ea"), (11, "#e4efef")]
DEPTH_LINE = "#9fc0cd"
GRATICULE = "#a6c8d5"
COAST = "#4f6f80"
PAPER = "#f6f1e3"
INK = "#3b3a36"
FILES = "#7d3c34"
# One family of tints for each country: the country, its states, its districts by depth.
FAMILIES = [
    ["#dfe8cd", "#cddcb4", "#bccf9f", "#abc28c"],
    ["#f3e3c0", "#ebd3a0", "#e1c386", "#d6b26f"],
    ["#f0d9cd", "#e6c3b2", "#dbae99", "#cf9a83"],
    ["#d9e5e3", "#c2d6d3", "#adc7c3", "#99b8b3"],
    ["#e4dcea", "#d2c6dd", "#c1b1cf", "#b09dc1"],
]
BORDERS = [("#4f6f80", 1.5), ("#7b7666", 0.9), ("#8f8875", 0.55), ("#9a917c", 0.35)]


# ------------------------------------------------------------------------------------------------
# The world in pixels
# ------------------------------------------------------------------------------------------------


@dataclass
class Folder:
    """A folder with land, in pixels."""

    name: str
    path: str
    depth: int
    family: int
    ring: List[Point]
    label: Point

    @property
    def box(self) -> Tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        xs, ys = [x for x, _ in self.ring], [y for _, y in self.ring]
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def area(self) -> float:
        """In square pixels."""
        ring = self.ring
        twice = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:] + ring[:1]))
        return abs(twice) / 2


def mercator(lon: float, lat: float) -> Point:
    """The place in the unit square, north at the top."""
    y = math.asinh(math.tan(math.radians(lat))) / math.tau
    return lon / 360 + 0.5, 0.5 - y


def tinted(countries: Dict[str, List[Point]]) -> Dict[str, int]:
    """A family of tints for each country, as far as can be from the others that have it."""
    distance = {
        frozenset((a, b)): min(math.dist(p, q) for p in countries[a][::4] for q in countries[b][::4])
        for a, b in itertools.combinations(sorted(countries)[:200], 2)
    }
    families: Dict[str, int] = {}
    uses = [0] * len(FAMILIES)
    for country in sorted(countries):
        far = [math.inf] * len(FAMILIES)
        for other, family in families.items():
            far[family] = min(far[family], distance.get(frozenset((country, other)), math.inf))
        best = max(range(len(FAMILIES)), key=lambda f: (far[f], -uses[f], -f))
        families[country] = best
        uses[best] += 1
    return families


class Page:
    """How the world is placed on the picture."""

    def __init__(self, continents: List[List[Point]], width: int) -> None:
        """A page around the land."""
        xs = [x for ring in continents for x, _ in ring]
        ys = [y for ring in continents for _, y in ring]
        margin = MARGIN * max(max(xs) - min(xs), max(ys) - min(ys))
        self.left, self.top = min(xs) - margin, min(ys) - margin
        across, down = max(xs) - self.left + margin, max(ys) - self.top + margin
        self.scale = width / across
        self.width, self.height = width, round(down * self.scale)

    def pixel(self, p: Point) -> Point:
        """A point of the unit square in pixels."""
        return (p[0] - self.left) * self.scale, (p[1] - self.top) * self.scale


def part(document: Dict[str, Any], path: str) -> Dict[str, Any]:
    """The map of one folder of a map, as if it were a root."""
    features = [
        f for f in document["features"]
        if f["properties"]["path"] == path or f["properties"]["path"].startswith(path + "/")
    ]
    level = path.count("/")
    for feature in features:
        properties = feature["properties"]
        properties["depth"] -= level
        properties["path"] = "/".join(properties["path"].split("/")[level:])
    files = sum(f["properties"]["kind"] == "poi" for f in features)
    return {"features": features, "summary": {"folders": len(features) - files, "files": files}}


class World:
    """Folders and files of a map, in pixels."""

    def __init__(self, document: Dict[str, Any], width: int) -> None:
        """Reads a FeatureCollection."""
        features = document["features"]
        lands = [f for f in features if f["geometry"]["type"] == "Polygon"]
        if not lands:
            sys.exit("draw_map.py: there is no land on the map")
        rings = [[mercator(*p) for p in f["geometry"]["coordinates"][0][:-1]] for f in lands]
        depths = [f["properties"]["depth"] for f in lands]
        page = Page([ring for ring, depth in zip(rings, depths) if depth == 0], width)
        self.page = page
        self.folders: List[Folder] = []
        families = tinted({
            f["properties"]["path"]: ring
            for f, ring in zip(lands, rings) if f["properties"]["depth"] == 1
        })
        for feature, ring in zip(lands, rings):
            properties = feature["properties"]
            country = "/".join(properties["path"].split("/")[:2])
            self.folders.append(
                Folder(properties["name"], properties["path"], properties["depth"],
                       families.get(country, 0), [page.pixel(p) for p in ring],
                       page.pixel(mercator(properties["lon"], properties["lat"])))
            )
        self.files = [
            page.pixel(mercator(*f["geometry"]["coordinates"]))
            for f in features if f["properties"]["kind"] == "poi"
        ]
        self.summary: Dict[str, int] = document.get("summary", {})


# ------------------------------------------------------------------------------------------------
# Paths: integers of a tenth of a pixel, relative, as short as they can be
# ------------------------------------------------------------------------------------------------


def thinned(ring: List[Point], least: float) -> List[Point]:
    """The ring without vertices closer than that to the one before."""
    kept = ring[:1]
    for p in ring[1:]:
        if math.dist(p, kept[-1]) >= least:
            kept.append(p)
    return kept


def joined(numbers: Iterable[int]) -> str:
    """Numbers of a path; a minus sign separates too."""
    text = "".join(f"{n}" if n < 0 else f" {n}" for n in numbers)
    return text.lstrip(" ")


def ring_path(ring: List[Point]) -> str:
    """A closed sub-path."""
    tenths = [(round(x * 10), round(y * 10)) for x, y in ring]
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(tenths, tenths[1:])]
    moves = joined(value for step in steps if step != (0, 0) for value in step)
    return f"M{joined(tenths[0])}l{moves}z" if moves else ""


def points_path(points: Iterable[Point]) -> str:
    """Sub-paths of no length, which round caps make dots; each begins where the last one is."""
    parts, at = [], (0, 0)
    for x, y in points:
        to = (round(x * 10), round(y * 10))
        parts.append(f"m{joined((to[0] - at[0], to[1] - at[1]))}h0")
        at = to
    return "".join(parts)


def spread_points(points: List[Point], most: int) -> List[Point]:
    """At most so many of the points, no two in one cell of the finest grid that allows it."""
    cell = 1.3
    while True:
        seen: Set[Tuple[int, int]] = set()
        kept = []
        for p in points:
            key = (int(p[0] / cell), int(p[1] / cell))
            if key not in seen:
                seen.add(key)
                kept.append(p)
        if len(kept) <= most:
            return sorted(kept, key=lambda p: (int(p[1] / 40), p[0]))
        cell *= 1.15


# ------------------------------------------------------------------------------------------------
# Labels
# ------------------------------------------------------------------------------------------------

Box = Tuple[float, float, float, float]

NARROW = set("ijlftr.,:;'|!()[]-_ I1")
WIDE = set("mwMW@%&ABCDGHKNOQRUVXYZ")


@dataclass
class Style:
    """How labels of a rank look."""

    largest: float
    smallest: float
    spacing: float  # in em
    fill: str
    css: str
    fraction: float  # of the land's width that a label may take
    capitals: bool


STYLES = [
    Style(56, 15, 0.34, "#5b5446", "c0", 0.66, True),
    Style(19, 9, 0.06, INK, "c1", 0.88, False),
    Style(12, 7.5, 0.02, "#4a463d", "c2", 0.94, False),
    Style(9, 7, 0.0, "#5a554a", "c3", 0.94, False),
]


def text_width(text: str, size: float, spacing: float) -> float:
    """About how wide a text is."""
    em = sum(0.38 if c in NARROW else 0.9 if c in WIDE else 0.64 for c in text)
    return size * (em + spacing * len(text))


def overlap(a: Box, b: Box) -> bool:
    """Whether two boxes meet."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def gap(a: Box, b: Box) -> float:
    """How far two boxes are apart."""
    return math.hypot(max(a[0] - b[2], b[0] - a[2], 0), max(a[1] - b[3], b[1] - a[3], 0))


def chord(ring: List[Point], y: float, x: float) -> Optional[Tuple[float, float]]:
    """The stretch of the row y inside the ring that holds, or is nearest to, x."""
    crossings = sorted(
        a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1])
        for a, b in zip(ring, ring[1:] + ring[:1]) if (a[1] > y) != (b[1] > y)
    )
    spans = list(zip(crossings[::2], crossings[1::2]))
    return min(spans, key=lambda s: max(s[0] - x, x - s[1], 0), default=None)


def within(box: Box, ring: List[Point]) -> bool:
    """Whether a box lies in a ring with some room, by three of its rows."""
    left, top, right, bottom = box
    room = (bottom - top) * 0.4
    for y in (top - room, (top + bottom) / 2, bottom + room):
        span = chord(ring, y, (left + right) / 2)
        if span is None or span[0] > left - room or span[1] < right + room:
            return False
    return True


def shown(name: str) -> str:
    """A name as it is drawn: printable, and not too long."""
    text = "".join(c if c.isprintable() else "\ufffd" for c in name)
    return text if len(text) <= 24 else text[:22] + "…"


class Labels:
    """Places labels, the largest lands of each rank first."""

    def __init__(self) -> None:
        """No labels yet."""
        self.taken: List[Box] = []
        self.texts: List[str] = []

    def place_continent(self, folder: Folder, countries: List[Folder]) -> None:
        """Places a continent's label where it has most room beside its countries."""
        style, text = STYLES[0], shown(folder.name).upper()
        left, top, right, bottom = folder.box
        taken = self.taken + [country.box for country in countries]
        size = style.largest
        while size >= style.smallest:
            width = text_width(text, size, style.spacing)
            spots = []
            for row, column in itertools.product(range(1, 48), repeat=2):
                x, y = left + (right - left) * column / 48, top + (bottom - top) * row / 48
                box = (x - width / 2, y - size * 0.5, x + width / 2, y + size * 0.5)
                if not any(overlap(box, other) for other in taken) and within(box, folder.ring):
                    # Near the middle, but rather in the open than squeezed between countries.
                    room = min((gap(box, other) for other in taken), default=math.inf)
                    crowding = 20 * max(0.0, 1.2 * size - room)
                    spots.append((math.dist((x, y), folder.label) + crowding, x, y, box))
            if spots:
                _, x, y, box = min(spots)
                self.taken.append(box)
                self.write(text, x + size * style.spacing / 2, y + size * 0.34, size, style)
                return
            size *= 0.9
        self.place(folder)

    def place(self, folder: Folder) -> None:
        """Places a folder's label inside its land, if it can be read there."""
        style = STYLES[min(folder.depth, 3)]
        text = shown(folder.name).upper() if style.capitals else shown(folder.name)
        _, top, _, bottom = folder.box
        middle = folder.label[1]
        for shift in (0.0, -0.14, 0.14, -0.26, 0.26, -0.36, 0.36):
            y = middle + shift * (bottom - top)
            span = chord(folder.ring, y, folder.label[0])
            if span is None:
                continue
            size = self.size(text, style, (span[1] - span[0]) * style.fraction, bottom - top)
            if size is None:
                continue
            x = (span[0] + span[1]) / 2
            half = text_width(text, size, style.spacing) / 2
            box = (x - half - 2, y - size * 0.55, x + half + 2, y + size * 0.55)
            if not any(overlap(box, other) for other in self.taken):
                self.taken.append(box)
                self.write(text, x + size * style.spacing / 2, y + size * 0.34, size, style)
                return

    def size(self, text: str, style: Style, width: float, height: float) -> Optional[float]:
        """The size at which a text fits, None if that is too small to read."""
        fits = width / max(text_width(text, 1, style.spacing), 0.1)
        size = min(style.largest, fits, height * 0.42)
        return size if size >= style.smallest else None

    def write(self, text: str, x: float, y: float, size: float, style: Style) -> None:
        """Adds a label's element."""
        self.texts.append(
            f'<text class="{style.css}" x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}"'
            f' stroke-width="{max(2.2, size * 0.17):.1f}">{escape(text)}</text>'
        )


# ------------------------------------------------------------------------------------------------
# The picture
# ------------------------------------------------------------------------------------------------


def style_sheet() -> str:
    """Fonts and colours of labels."""
    serif = "Georgia,'Liberation Serif','DejaVu Serif',serif"
    sans = "'Helvetica Neue',Arial,'Liberation Sans','DejaVu Sans',sans-serif"
    rules = [
        "text{text-anchor:middle;paint-order:stroke;stroke:#fbf8ee;stroke-opacity:.82;"
        "stroke-linejoin:round}"
    ]
    rules.append(
        f".caption{{font-family:{serif};font-style:italic;fill:{COAST};text-anchor:end;"
        "stroke:none}"
    )
    fonts = [f"font-family:{serif}", f"font-family:{serif};font-weight:bold",
             f"font-family:{serif};font-style:italic", f"font-family:{sans}"]
    for style, font in zip(STYLES, fonts):
        rules.append(f".{style.css}{{{font};fill:{style.fill};letter-spacing:{style.spacing}em}}")
    return "<style>" + "".join(rules) + "</style>"


def graticule(page: Page) -> str:
    """Every fifteenth parallel and meridian, under the land."""
    lines = []
    for degree in range(-180, 181, 15):
        x, _ = page.pixel(mercator(degree, 0))
        if 0 < x < page.width:
            lines.append(f"M{x:.1f} 0V{page.height}")
        if abs(degree) < 85:
            _, y = page.pixel(mercator(0, degree))
            if 0 < y < page.height:
                lines.append(f"M0 {y:.1f}H{page.width}")
    return f'<path d="{"".join(lines)}" stroke="{GRATICULE}" stroke-width=".7" fill="none"/>'


def land(world: World, least: float) -> List[str]:
    """Fills and borders, rank by rank, in tenths of pixels."""
    groups: Dict[Tuple[int, int], List[str]] = {}
    for folder in world.folders:
        left, top, right, bottom = folder.box
        if max(right - left, bottom - top) < least:
            continue
        detail = 0.9 if folder.depth == 0 else 0.7
        family = folder.family if folder.depth else 0
        path = ring_path(thinned(folder.ring, detail))
        groups.setdefault((min(folder.depth, 6), family), []).append(path)
    parts = []
    for (depth, family), paths in sorted(groups.items()):
        fill = FAMILIES[family][min(depth, 4) - 1] if depth else PAPER
        stroke, width = BORDERS[min(depth, 3)]
        parts.append(
            f'<path d="{"".join(paths)}" fill="{fill}" stroke="{stroke}"'
            f' stroke-width="{width * 10:g}"/>'
        )
    return parts


def coasts(world: World) -> List[str]:
    """Bands of lighter water around the land."""
    rings = [thinned(f.ring, 2) for f in world.folders if f.depth == 0]
    path = "".join(ring_path(ring) for ring in rings)
    parts = [f'<defs><path id="coast" d="{path}"/></defs>']
    for width, colour in SHALLOWS:
        parts.append(f'<use href="#coast" fill="none" stroke="{DEPTH_LINE}"'
                     f' stroke-width="{width * 10 + 12}"/>')
        parts.append(f'<use href="#coast" fill="none" stroke="{colour}" stroke-width="{width}0"/>')
    return parts


def frame(page: Page) -> str:
    """The neat line around the map."""
    parts = []
    for inset, width in ((5, 2.4), (10, 0.8)):
        parts.append(
            f'<rect x="{inset}" y="{inset}" width="{page.width - 2 * inset}"'
            f' height="{page.height - 2 * inset}" fill="none" stroke="{COAST}"'
            f' stroke-width="{width}"/>'
        )
    return "".join(parts)


def caption(world: World, title: str) -> str:
    """One line in the lower right corner: what this is."""
    counts = [f"{world.summary[what]:,} {what}" for what in ("folders", "files")
              if what in world.summary]
    text = " · ".join(([title] if title else []) + counts)
    x, y = world.page.width - 22, world.page.height - 22
    return f'<text class="caption" x="{x}" y="{y}" font-size="15">{escape(text)}</text>'


def labels(world: World) -> Labels:
    """All labels that find room."""
    placed = Labels()
    ranked = sorted(world.folders, key=lambda f: (min(f.depth, 3), -f.area, f.path))
    for folder in ranked:
        if folder.depth == 0:
            inside = [f for f in ranked if f.depth == 1 and f.path.startswith(folder.path + "/")]
            placed.place_continent(folder, inside)
        else:
            placed.place(folder)
    return placed


def draw(world: World, title: str, least: float, most_points: int) -> str:
    """The whole picture."""
    page = world.page
    dots = points_path(spread_points(world.files, most_points))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {page.width} {page.height}"'
        f' width="{page.width}" height="{page.height}">',
        f"<title>{escape(title or 'A map of folders and files')}</title>",
        style_sheet(),
        f'<rect width="{page.width}" height="{page.height}" fill="{SEA}"/>',
        graticule(page),
        '<g transform="scale(.1)" stroke-linejoin="round">',
        *coasts(world),
        *land(world, least),
        f'<path d="{dots}" fill="none" stroke="{FILES}" stroke-opacity=".62"'
        ' stroke-width="13" stroke-linecap="round"/>',
        "</g>",
        *labels(world).texts,
        frame(page),
        caption(world, title),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def small_enough(world: World, title: str) -> str:
    """The picture with as much detail as its size allows."""
    least, most_points = 0.5, MAX_POINTS
    while True:
        picture = draw(world, title, least, most_points)
        if len(picture.encode()) <= MAX_BYTES:
            return picture
        least, most_points = least * 1.4, most_points * 4 // 5


def convert(svg: Path, png: Path, page: Page) -> None:
    """Makes a PNG with whatever program there is."""
    size = f"--window-size={page.width},{page.height}"
    commands = {
        "rsvg-convert": ["-o", str(png), str(svg)],
        "inkscape": ["--export-type=png", f"--export-filename={png}", str(svg)],
        "chromium": ["--headless", "--no-sandbox", size, f"--screenshot={png}", svg.as_uri()],
        "cairosvg": ["-o", str(png), str(svg)],
    }
    for program, arguments in commands.items():
        if shutil.which(program):
            subprocess.run([program, *arguments], check=True)
            return
    sys.exit(f"draw_map.py: a PNG needs one of {', '.join(commands)}")


def main() -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description="Draws an atlas page from a map in GeoJSON.")
    parser.add_argument("map", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--width", type=int, default=1400)
    parser.add_argument("--title", default="")
    parser.add_argument("--folder", metavar="PATH", help="draw this folder of the map alone")
    arguments = parser.parse_args()
    document = json.loads(arguments.map.read_bytes())
    if arguments.folder:
        document = part(document, arguments.folder.rstrip("/"))
    world = World(document, arguments.width)
    picture = small_enough(world, arguments.title)
    if arguments.out.suffix == ".svg":
        arguments.out.write_text(picture, encoding="utf-8")
    elif arguments.out.suffix == ".png":
        with tempfile.TemporaryDirectory() as folder:
            svg = Path(folder, "map.svg")
            svg.write_text(picture, encoding="utf-8")
            convert(svg, arguments.out, world.page)
    else:
        sys.exit(f"draw_map.py: neither .svg nor .png: {arguments.out}")
    print(f"{arguments.out}: {world.page.width} × {world.page.height} pixels, "
          f"{len(picture.encode()) // 1000} kB as SVG")


if __name__ == "__main__":
    main()
