#!/usr/bin/env python3
"""Reads every format of one folder with other programs, and counts its nodes.

    check_formats.py BINARY DIR

GeoJSON (a collection, text sequences, newline-delimited), CSV and GPX are parsed strictly. They have to have as
many nodes as `find` finds and the summary says. GDAL's `ogrinfo` and libxml2 read them if installed. CSV has the
totals that GeoJSON has. compare.py and check_vectors.py check the contents of the formats. DIR should be readable,
and not change meanwhile.
"""

import csv
import io
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List

from fuzz import parsed
from outside import Feature, fail, run_map, strict_json

SUMS = ["files", "bytes", "allocated"]


def check_totals(binary: str, folder: str) -> None:
    """CSV has the totals that GeoJSON has."""
    features = strict_json(run_map(binary, "--totals", folder)[:-1])["features"]
    records = csv.DictReader(io.StringIO(run_map(binary, "--totals", "--format", "csv", folder).decode(), newline=""))
    theirs = [[str(feature["properties"].get(name, "")) for name in ["path", *SUMS]] for feature in features]
    if [[record[name] for name in ["path", *SUMS]] for record in records] != theirs:
        fail("the totals of CSV and GeoJSON differ")


def found(folder: str, *tests: str) -> int:
    """The number of nodes that `find` finds in a folder, including the folder."""
    command = ["find", "-H", folder, *tests, "-print0"]
    ran = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    return ran.stdout.count(b"\0")


def check_counts(folder: str, features: List[Feature], summary: Dict[str, Any]) -> str:
    """Checks the features and the summary against `find`."""
    files = sum(feature["properties"]["kind"] == "poi" for feature in features)
    unreadable = sum("unreadable" in feature["properties"] for feature in features)
    counts = {"folders": len(features) - files, "files": files, "unreadable": unreadable}
    if {name: int(value) for name, value in summary.items()} != counts:
        fail(f"summary {summary}, features {counts}")
    by_find = {"folders": found(folder, "-type", "d"), "files": found(folder, "!", "-type", "d")}
    for name, count in by_find.items():
        if counts[name] != count:
            fail(f"{counts[name]} {name}, find says {count}")
    return ", ".join(f"{count} {name}" for name, count in counts.items())


SUFFIXES = {"geojson": "geojson", "geojsonseq": "geojsons", "geojsonl": "geojsonl", "csv": "csv",
            "gpx": "gpx"}


def check_gdal(maps: Dict[str, bytes], count: int) -> None:
    """Counts the features of every format with GDAL."""
    if not shutil.which("ogrinfo"):
        print("formats: GDAL: skipped: there is no ogrinfo")
        return
    with tempfile.TemporaryDirectory(prefix="geomapper-formats-") as folder:
        for format_, raw in maps.items():
            file = Path(folder, f"map.{SUFFIXES[format_]}")
            file.write_bytes(raw)
            command = ["ogrinfo", "-ro", "-so", "-al", str(file)]
            if format_ == "csv":
                command += ["-oo", "X_POSSIBLE_NAMES=lon", "-oo", "Y_POSSIBLE_NAMES=lat"]
            ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 check=False)
            counts = re.findall(rb"^Feature Count: ([0-9]+)", ran.stdout, re.MULTILINE)
            if ran.returncode != 0 or sum(map(int, counts)) != count:
                fail(f"GDAL on {format_}: {counts}, not {count}: {ran.stdout!r} {ran.stderr!r}")
            if b"ERROR" in ran.stderr or b"Warning" in ran.stderr:
                fail(f"GDAL on {format_}: {ran.stderr!r}")
    print(f"formats: GDAL counts {count} features in {', '.join(maps)}")


def check_xmllint(gpx: bytes) -> None:
    """Parses the GPX with libxml2."""
    if not shutil.which("xmllint"):
        print("formats: libxml2: skipped: there is no xmllint")
        return
    ran = subprocess.run(["xmllint", "--noout", "-"], input=gpx, stderr=subprocess.PIPE,
                         check=False)
    if ran.returncode != 0 or ran.stderr:
        fail(f"libxml2 on gpx: {ran.stderr[:600]!r}")
    print("formats: libxml2 parses gpx")


def main() -> None:
    """Runs the command line."""
    if len(sys.argv) != 3:
        sys.exit("usage: check_formats.py BINARY DIR")
    binary, folder = sys.argv[1:]
    maps = {format_: run_map(binary, "--format", format_, folder) for format_ in SUFFIXES}
    whole = strict_json(maps["geojson"][:-1])
    counts = check_counts(folder, whole["features"], whole["summary"])
    for format_, raw in maps.items():
        if raw.startswith(b"\xef\xbb\xbf"):
            fail(f"{format_} begins with a byte order mark")
        if parsed(format_, raw) != len(whole["features"]):
            fail(f"{format_} has {parsed(format_, raw)} nodes, not {len(whole['features'])}")
    print(f"formats: {counts} in {', '.join(maps)}, as find counts")
    check_totals(binary, folder)
    check_gdal(maps, len(whole["features"]))
    check_xmllint(maps["gpx"])


if __name__ == "__main__":
    main()
