"""Checks tracks with independent programs: gpsbabel and GDAL read what the tool writes, and the tool reads what they
write. The points have to stay the same.

    check_tracks.py BINARY
"""

import math
import os
import random
import shutil
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from typing import List, Tuple

from outside import fail, run, skip

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


def same(what: str, found: List[Point], expected: List[Point], tolerance: float = 0) -> None:
    if len(found) != len(expected):
        fail(f"{what}: {len(found)} points, not {len(expected)}")
    for a, b in zip(found, expected):
        if max(abs(a[0] - b[0]), abs(a[1] - b[1])) > tolerance:
            fail(f"{what}: {a} where {b} has to be")


def length(points: List[Point]) -> float:
    total = 0.0
    for (a, b), (c, d) in zip(points, points[1:]):
        a, b, c, d = map(math.radians, (a, b, c, d))
        h = math.sin((d - b) / 2) ** 2 + math.cos(b) * math.cos(d) * math.sin((c - a) / 2) ** 2
        total += 2 * 6371008.8 * math.asin(math.sqrt(h))
    return total


def main() -> None:
    binary = os.path.abspath(sys.argv[1])
    readers = [name for name in ("gpsbabel", "ogr2ogr") if shutil.which(name)]
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
                same("gpsbabel", points_of(again), points, 1e-9)
                old = f"{folder}/old.gpx"
                run("gpsbabel", "-t", "-i", "gpx", "-f", written, "-o", "gpx,gpxver=1.0", "-F", old)
                same("what gpsbabel wrote as 1.0", points_of(
                    run(binary, "track", "convert", old)), points, 1e-9)
            if "ogr2ogr" in readers:
                csv = run("ogr2ogr", "-f", "CSV", "/vsistdout/", written, "track_points",
                          "-lco", "GEOMETRY=AS_XY")
                rows = csv.decode().splitlines()[1:]
                same("GDAL", [tuple(map(float, row.split(",")[:2])) for row in rows], points, 1e-9)
                geojson = f"{folder}/out.geojson"
                run(binary, "track", "convert", "--format", "geojson", "-o", geojson, source)
                run("ogrinfo", "-al", "-so", geojson)
    print(f"tracks: five files read and written by {' and '.join(readers)}")


if __name__ == "__main__":
    main()
