#!/usr/bin/env python3
"""Checks that every format is what it says, to the letter, and that all say the same.

    check_formats.py BINARY DIR

GeoJSON (a collection, text sequences, newline-delimited), CSV and GPX of the same folder are read
by strict readers, their counts compared with `find`'s and with the summary, every node compared
between the formats, and each file opened with GDAL's `ogrinfo` if that is there. DIR should hold
still meanwhile and be readable.
"""

import csv
import io
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from datetime import datetime
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from outside import Feature, Number, fail, run_map, strict_json

# ------------------------------------------------------------------------------------------------
# GeoJSON
# ------------------------------------------------------------------------------------------------

MEMBERS = ["path", "name", "kind", "depth", "size", "files", "bytes", "allocated", "modified",
           "minzoom", "lon", "lat", "special", "loop", "links", "unreadable", "rawPath"]
ALWAYS = {"path", "name", "kind", "depth", "minzoom"}
KINDS = ["continent", "country", "state", "district"]
DEGREES = re.compile(r"-?(0|[1-9][0-9]{0,2})(\.[0-9]{0,12}[1-9])?")


def read_collection(raw: bytes) -> Tuple[List[Feature], Dict[str, Any]]:
    """The features and the summary of a FeatureCollection, one feature to a line."""
    lines = raw.split(b"\n")
    if lines[-1] != b"" or not lines[0].endswith(b',"features":['):
        fail(f"not the lines of a collection: {lines[0][:200]!r} … {lines[-1]!r}")
    body = lines[1:-2]
    for at, line in enumerate(body, 2):
        if line.endswith(b",") != (at < len(body) + 1):
            fail(f"line {at} does not end as it should: {line[-80:]!r}")
    features = [strict_json(line[:-1] if line.endswith(b",") else line) for line in body]
    whole = strict_json(raw[:-1])
    if whole["features"] != features or whole["type"] != "FeatureCollection":
        fail("the collection and its lines differ")
    if list(whole) != ["type", "geomapper", "features", "summary"]:
        fail(f"members of the collection: {list(whole)}")
    return features, whole["summary"]


def read_lines(raw: bytes, before: bytes) -> List[Feature]:
    """The features of lines that begin with a given mark and end in LF."""
    lines = raw.split(b"\n")
    if lines.pop() != b"":
        fail("the last line has no end")
    for at, line in enumerate(lines, 1):
        if not line.startswith(before + b"{"):
            fail(f"line {at} does not begin as it should: {line[:80]!r}")
    return [strict_json(line[len(before):]) for line in lines]


def check_feature(feature: Feature) -> None:
    """Checks one feature's members, their order and kinds."""
    properties = feature["properties"]
    if list(feature) != ["type", "id", "geometry", "properties"] or feature["type"] != "Feature":
        fail(f"members of a feature: {list(feature)} in {feature}")
    if list(properties) != [name for name in MEMBERS if name in properties]:
        fail(f"order of members: {feature}")
    if not ALWAYS <= set(properties):
        fail(f"a member is missing: {feature}")
    if int(feature["id"]) >> 53 or not isinstance(feature["id"], Number):
        fail(f"the id does not fit 53 bits: {feature}")
    is_file = properties["kind"] == "poi"
    if not is_file and properties["kind"] != KINDS[min(int(properties["depth"]), 3)]:
        fail(f"kind and depth differ: {feature}")
    if str(properties["path"]).split("/")[-1] != properties["name"]:
        fail(f"name and path differ: {feature}")
    if str(properties["path"]).count("/") != int(properties["depth"]):
        fail(f"depth and path differ: {feature}")
    is_land = feature["geometry"]["type"] == "Polygon"
    if (is_land and is_file) or is_land != ("lon" in properties):
        fail(f"kind and geometry differ: {feature}")
    for position in positions(feature):
        if len(position) != 2 or not all(isinstance(v, Number) for v in position):
            fail(f"no position: {position} of {feature}")
        if not all(DEGREES.fullmatch(v) and v != "-0" for v in position):
            fail(f"not the shortest decimals: {position} of {feature}")


def positions(feature: Feature) -> List[List[Number]]:
    """All positions of a feature's geometry."""
    coordinates = feature["geometry"]["coordinates"]
    if feature["geometry"]["type"] == "Point":
        return [coordinates]
    return [position for ring in coordinates for position in ring]


# ------------------------------------------------------------------------------------------------
# CSV
# ------------------------------------------------------------------------------------------------

COLUMNS = ["path", "kind", "depth", "size", "modified", "minzoom", "lon", "lat", "id", "name", "special",
           "rawPath"]
WITH_TOTALS = COLUMNS[:4] + ["files", "bytes", "allocated"] + COLUMNS[4:]
QUOTED = re.compile(rb'"((?:[^"]|"")*)"')


def read_csv(raw: bytes, columns: List[str]) -> List[Dict[str, str]]:
    """The records of RFC 4180, quoted only where they must be."""
    for field in QUOTED.findall(raw):
        if not re.search(rb'[",\r\n]', field):
            fail(f"a field is quoted for nothing: {field!r}")
    ends = QUOTED.sub(b"", raw)
    if ends.count(b"\n") != ends.count(b"\r\n") or ends.count(b"\r") != ends.count(b"\r\n"):
        fail("a record does not end in CRLF")
    rows = list(csv.reader(io.StringIO(raw.decode("utf-8"), newline=""), strict=True))
    if rows[0] != columns or len(rows) != ends.count(b"\r\n") or not raw.endswith(b"\r\n"):
        fail(f"header {rows[0]}, {len(rows)} records, {ends.count(bytes((13, 10)))} record ends")
    for row in rows:
        if len(row) != len(columns):
            fail(f"a record of {len(row)} fields: {row}")
    return [dict(zip(columns, row)) for row in rows[1:]]


# ------------------------------------------------------------------------------------------------
# GPX 1.1
# ------------------------------------------------------------------------------------------------

GPX = "{http://www.topografix.com/GPX/1/1}"
# The sequence of the schema's wptType; only links may repeat.
WAYPOINT_ORDER = ["ele", "time", "magvar", "geoidheight", "name", "cmt", "desc", "src", "link",
                  "sym", "type", "fix", "sat", "hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid",
                  "extensions"]
XSD_DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)")
XSD_UTC = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z")


def read_gpx(raw: bytes) -> List[Dict[str, str]]:
    """The way points of a document that the GPX 1.1 schema allows."""
    root = ElementTree.fromstring(raw)
    if root.tag != GPX + "gpx" or root.get("version") != "1.1" or not root.get("creator"):
        fail(f"no GPX 1.1: {root.tag} {root.attrib}")
    if set(root.attrib) != {"version", "creator"}:
        fail(f"attributes of gpx: {root.attrib}")
    if (root.text or "").strip():
        fail(f"text in gpx: {root.text!r}")
    return [read_waypoint(element) for element in root]


def read_waypoint(element: ElementTree.Element) -> Dict[str, str]:
    """One way point: its attributes and its elements' texts."""
    what = ElementTree.tostring(element, encoding="unicode")
    names = [child.tag.replace(GPX, "") for child in element]
    order = [WAYPOINT_ORDER.index(name) if name in WAYPOINT_ORDER else -1 for name in names]
    if element.tag != GPX + "wpt" or set(element.attrib) != {"lat", "lon"}:
        fail(f"no way point: {what}")
    if -1 in order or order != sorted(set(order)):
        fail(f"elements of a way point: {what}")
    lat, lon = element.attrib["lat"], element.attrib["lon"]
    if not XSD_DECIMAL.fullmatch(lat) or not -90 <= float(lat) <= 90:
        fail(f"latitude: {what}")
    if not XSD_DECIMAL.fullmatch(lon) or not -180 <= float(lon) < 180:
        fail(f"longitude: {what}")
    if (element.text or "").strip() or any((child.tail or "").strip() for child in element):
        fail(f"text between elements: {what}")
    point = {name: child.text or "" for name, child in zip(names, element)}
    if "time" in point:
        if not XSD_UTC.fullmatch(point["time"]):
            fail(f"time: {what}")
        datetime.strptime(point["time"], "%Y-%m-%dT%H:%M:%SZ")
    return {**point, "lat": lat, "lon": lon}


def in_xml(text: str) -> str:
    """A text as XML 1.0 can hold it."""
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "\ufffd", text)


# ------------------------------------------------------------------------------------------------
# All formats together
# ------------------------------------------------------------------------------------------------


def check_same(features: List[Feature], records: List[Dict[str, str]],
               points: List[Dict[str, str]]) -> None:
    """Checks that CSV and GPX say of every node what GeoJSON says."""
    if not len(features) == len(records) == len(points):
        fail(f"{len(features)} features, {len(records)} records, {len(points)} way points")
    for feature, record, point in zip(features, records, points):
        properties = feature["properties"]
        expected = {name: str(properties.get(name, "")) for name in COLUMNS}
        expected["id"] = feature["id"]
        if feature["geometry"]["type"] == "Point":
            expected["lon"], expected["lat"] = feature["geometry"]["coordinates"]
        if record != expected:
            fail(f"CSV {record} differs from GeoJSON {feature}")
        waypoint = {"lon": expected["lon"], "lat": expected["lat"], "sym": properties["kind"],
                    "name": in_xml(properties["name"]), "desc": in_xml(properties["path"])}
        time = utc(properties.get("modified"))
        if time:
            waypoint["time"] = time
        if point != waypoint:
            fail(f"GPX {point} differs from GeoJSON {feature}")


def check_totals(binary: str, folder: str) -> None:
    """Checks that CSV has the totals that GeoJSON has."""
    features, _ = read_collection(run_map(binary, "--totals", folder))
    records = read_csv(run_map(binary, "--totals", "--format", "csv", folder), WITH_TOTALS)
    sums = WITH_TOTALS[4:7]
    theirs = [[str(feature["properties"].get(name, "")) for name in sums] for feature in features]
    if [[record[name] for name in sums] for record in records] != theirs:
        fail("the totals of CSV and GeoJSON differ")


def utc(modified: Optional[str]) -> Optional[str]:
    """The time as GPX has it, if it is known and in the years 1 to 9999."""
    if modified is None or not -62135596800 <= int(modified) <= 253402300799:
        return None
    days, second = divmod(int(modified), 86400)
    day = datetime.fromordinal(days + datetime(1970, 1, 1).toordinal())
    date = f"{day.year:04}-{day.month:02}-{day.day:02}"
    return f"{date}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"


def found(folder: str, *tests: str) -> int:
    """How many nodes `find` finds in a folder, itself included."""
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
    """Has GDAL open every format and count."""
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
    """Has libxml2 parse the GPX."""
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
    for format_, raw in maps.items():
        if raw.startswith(b"\xef\xbb\xbf"):
            fail(f"{format_} begins with a byte order mark")
    features, summary = read_collection(maps["geojson"])
    for feature in features:
        check_feature(feature)
    for format_, before in (("geojsonseq", b"\x1e"), ("geojsonl", b"")):
        if read_lines(maps[format_], before) != features:
            fail(f"{format_} and geojson differ")
    counts = check_counts(folder, features, summary)
    check_same(features, read_csv(maps["csv"], COLUMNS), read_gpx(maps["gpx"]))
    print(f"formats: {counts} in {', '.join(maps)}, all alike and as find counts")
    check_totals(binary, folder)
    check_gdal(maps, len(features))
    check_xmllint(maps["gpx"])


if __name__ == "__main__":
    main()
