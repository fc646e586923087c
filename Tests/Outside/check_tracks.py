"""Checks tracks with independent programs: gpsbabel and GDAL read what the tool writes, and the tool reads what they
write. The points have to stay the same. Python's parser of XML and its character sets are compared with the tool's, too.

    check_tracks.py BINARY
"""

import random
import tempfile
import xml.etree.ElementTree as ElementTree
from typing import List, Tuple

from outside import given, installed, run, same, skip

GPX = "{http://www.topografix.com/GPX/1/1}"
Point = Tuple[float, float]


def make(path: str, seed: int) -> List[Point]:
    """A track of several segments, with names and extensions as receivers write them."""
    rng = random.Random(seed)
    lon, lat = rng.uniform(-170, 170), rng.uniform(-80, 80)
    points: List[Point] = []
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             '<gpx version="1.1" creator="check" xmlns="http://www.topografix.com/GPX/1/1"'
             ' xmlns:t="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">',
             "<trk><name>Größe &amp; Höhe</name>"]
    for _ in range(rng.randint(1, 4)):
        lines.append("<trkseg>")
        for _ in range(rng.randint(2, 200)):
            lon += rng.uniform(-0.01, 0.01)
            lat += rng.uniform(-0.01, 0.01)
            point = (round(lon, 7), round(lat, 7))
            points.append(point)
            second = len(points)
            lines.append(
                f'<trkpt lat="{point[1]:.7f}" lon="{point[0]:.7f}"><ele>{second / 4}</ele>'
                f"<time>2024-05-01T0{second // 3600}:{second // 60 % 60:02}:{second % 60:02}Z</time>"
                "<extensions><power>200</power><t:TrackPointExtension><t:hr>120</t:hr>"
                "</t:TrackPointExtension></extensions></trkpt>")
        lines.append("</trkseg>")
    lines.append("</trk></gpx>")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    return points


def points_of(gpx: bytes) -> List[Point]:
    root = ElementTree.fromstring(gpx)
    return [(float(p.get("lon", "nan")), float(p.get("lat", "nan")))
            for p in root.iter(GPX + "trkpt")]


def close(what: str, found: List[Point], expected: List[Point]) -> None:
    """Points are the same but for the rounding of other programs."""
    same(what, [(round(x, 8), round(y, 8)) for x, y in found], expected)


def check_sets(binary: str, folder: str) -> None:
    """Every byte of a character set is the character that Python has for it."""
    names = [*(f"windows-{number}" for number in range(1250, 1259)), "ISO-8859-1", "ISO-8859-2", "ISO-8859-15", "KOI8-R"]
    for name in names:
        points, texts = [], []
        for byte in range(0xA1, 0x100):  # the ones before are controls in ISO 8859, and XML has no use for them
            text = bytes([byte]).decode(name, errors="ignore")
            if text and not text.isspace():
                texts.append(text)
                points.append(b"<wpt lat='1' lon='2'><name>" + bytes([byte]) + b"</name></wpt>")
        source = f"{folder}/set.gpx"
        with open(source, "wb") as file:
            file.write(f"<?xml version='1.0' encoding='{name}'?>\n<gpx>".encode() + b"".join(points) + b"</gpx>")
        root = ElementTree.fromstring(run(binary, "track", "convert", source))
        same(name, [element.text for element in root.iter(GPX + "name")], texts)


def check_order(binary: str, folder: str) -> None:
    """Namespaces are kept wherever they are declared, and elements come in the order of the schema."""
    source = f"{folder}/late.gpx"
    with open(source, "w", encoding="utf-8") as file:
        file.write('<g:gpx version="1.1" creator="c" xmlns:g="http://www.topografix.com/GPX/1/1" xmlns="urn:device">'
                   '<g:trk xmlns:t="urn:one"><g:trkseg><g:trkpt lat="1" lon="2"><g:extensions><t:hr/><hr/></g:extensions></g:trkpt></g:trkseg>'
                   '<g:trkseg xmlns:t="urn:two"><g:trkpt lat="1" lon="2"><g:extensions><t:hr/></g:extensions></g:trkpt></g:trkseg>'
                   "<g:name>late</g:name></g:trk><g:rte/><g:wpt lat='1' lon='2'/><g:metadata><g:name>m</g:name></g:metadata></g:gpx>")
    for action in (["convert"], ["simplify"], ["redact", "--near", "90,80,1"]):
        root = ElementTree.fromstring(run(binary, "track", *action, source))
        order = [GPX + name for name in ("metadata", "wpt", "rte", "trk")]
        same("the order", [child.tag for child in root], order[1:] if action[0] == "redact" else order)
        same("the namespaces", [element.tag for point in root.iter(GPX + "extensions") for element in point],
             ["{urn:one}hr", "{urn:device}hr", "{urn:two}hr"])
        same("the track's elements", [child.tag for child in root[-1]], [GPX + name for name in ("name", "trkseg", "trkseg")])


def main() -> None:
    binary, readers = given(__doc__, "binary").binary, installed("gpsbabel", "ogr2ogr")
    with tempfile.TemporaryDirectory() as folder:
        check_sets(binary, folder)
        check_order(binary, folder)
    if not readers:
        skip("neither gpsbabel nor ogr2ogr is installed")
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, 6):
            source, written = f"{folder}/in.gpx", f"{folder}/out.gpx"
            points = make(source, seed)
            run(binary, "track", "convert", "-o", written, source)
            with open(written, "rb") as file:
                same("the tool", points_of(file.read()), points)
            if "gpsbabel" in readers:
                again = run("gpsbabel", "-t", "-i", "gpx", "-f", written, "-o", "gpx,gpxver=1.1", "-F", "-")
                close("gpsbabel", points_of(again), points)
                old = f"{folder}/old.gpx"
                run("gpsbabel", "-t", "-i", "gpx", "-f", written, "-o", "gpx,gpxver=1.0", "-F", old)
                close("what gpsbabel wrote as 1.0", points_of(run(binary, "track", "convert", old)), points)
            if "ogr2ogr" in readers:
                csv = run("ogr2ogr", "-f", "CSV", "/vsistdout/", written, "track_points",
                          "-lco", "GEOMETRY=AS_XY")
                rows = csv.decode().splitlines()[1:]
                close("GDAL", [tuple(map(float, row.split(",")[:2])) for row in rows], points)
                geojson = f"{folder}/out.geojson"
                run(binary, "track", "convert", "--format", "geojson", "-o", geojson, source)
                run("ogrinfo", "-al", "-so", geojson)
    print(f"tracks: five files read and written by {' and '.join(readers)}")


if __name__ == "__main__":
    main()
