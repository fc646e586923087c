#!/usr/bin/env python3
"""Checks FlatGeobuf and GeoParquet with other programs.

    check_vectors.py BINARY DIR

DIR and a tree of awkward names are mapped in each format and as GeoJSON. GDAL (by pyogrio), geopandas, pyarrow,
DuckDB and SedonaDB have to read the same ids, properties and coordinates. Queries for boxes have to read only a
small part of a file. The bytes have to be the same for any number of threads. Missing programs are skipped and
named.
"""

import importlib.util
import json
import os
import random
import re
import socket
import struct
import subprocess
import sys
import tempfile
import warnings
from typing import Any, Callable, Dict, Iterable, List, Tuple

from check_qgis import interpreter
from outside import fail, run_map

Node = Dict[str, Any]
Boxes = Callable[[Tuple[float, float, float, float]], List[int]]


def is_there(*modules: str) -> bool:
    """Whether some modules can be imported."""
    return all(importlib.util.find_spec(module) for module in modules)


# ------------------------------------------------------------------------------------------------
# Expected nodes
# ------------------------------------------------------------------------------------------------


def nodes_of(raw: bytes) -> List[Node]:
    """The nodes of a GeoJSON map: their members, id, and a ring or one position."""
    nodes = []
    for feature in json.loads(raw)["features"]:
        node = {"id": feature["id"], **feature["properties"]}
        kind, at = feature["geometry"]["type"], feature["geometry"]["coordinates"]
        node["geometry"] = (kind, at[0] if kind == "Polygon" else [at])
        nodes.append(node)
    return nodes


def box_of(node: Node) -> Tuple[float, float, float, float]:
    """The box of a node: west, south, east, north."""
    xs = [position[0] for position in node["geometry"][1]]
    ys = [position[1] for position in node["geometry"][1]]
    return min(xs), min(ys), max(xs), max(ys)


def meets(a: Tuple[float, ...], b: Tuple[float, ...]) -> bool:
    """Whether two boxes have a point in common."""
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def from_wkb(raw: bytes) -> Tuple[str, List[List[float]]]:
    """The type and rings of a point or of a polygon with one ring."""
    order, kind = struct.unpack_from("<BI", raw)
    if order != 1:
        fail("WKB of another byte order")
    if kind == 1:
        return "Point", [list(struct.unpack_from("<2d", raw, 5))]
    if kind != 3:
        fail(f"a geometry of type {kind}")
    rings, count = struct.unpack_from("<II", raw, 5)
    if rings != 1:
        fail(f"{rings} rings")
    numbers = struct.unpack_from(f"<{2 * count}d", raw, 13)
    return "Polygon", [list(numbers[at:at + 2]) for at in range(0, 2 * count, 2)]


def compare(what: str, expected: List[Node], found: Iterable[Node]) -> None:
    """Compares nodes by id, in any order; null values equal absent ones."""
    theirs = {}
    for node in found:
        theirs[node["id"]] = {name: value for name, value in node.items() if value is not None}
    if len(theirs) != len(expected):
        fail(f"{what}: {len(theirs)} nodes, not {len(expected)}")
    for node in expected:
        if theirs[node["id"]] != node:
            fail(f"{what}: {theirs[node['id']]} differs from GeoJSON's {node}")


def check_boxes(what: str, expected: List[Node], ask: Boxes) -> None:
    """Asks for boxes around some nodes, and for an empty one."""
    chosen = random.Random(18).sample(expected, min(12, len(expected)))
    boxes = [box_of(node) for node in chosen] + [(-180.0, -90.0, 0.0, 0.0)]
    boxes += [(box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1) for box in boxes[:4]]
    for box in boxes:
        ours = sorted(node["id"] for node in expected if meets(box_of(node), box))
        if sorted(ask(box)) != ours:
            fail(f"{what}: the box {box} does not hold what it should")


# ------------------------------------------------------------------------------------------------
# FlatGeobuf
# ------------------------------------------------------------------------------------------------


def check_flatgeobuf(binary: str, expected: List[Node], at: str, arguments: List[str]) -> None:
    """Reads it with GDAL and geopandas, with and without an index."""
    import pyogrio

    for name, more in (("indexed", []), ("stream", ["--no-index"])):
        file = os.path.join(at, f"{name}.fgb")
        run_map(binary, "--format", "flatgeobuf", "-o", file, *more, *arguments)
        info = pyogrio.read_info(file)
        # A stream doesn't know the number of features in advance, and has no way to say zero.
        if info["features"] != (len(expected) if expected and name == "indexed" else -1):
            fail(f"flatgeobuf {name}: {info['features']} features")
        _, table = pyogrio.read_arrow(file)
        compare(f"flatgeobuf {name}", expected, from_gdal(table.to_pylist()))
        if not expected:
            continue

        def ask(box: Tuple[float, float, float, float], file: str = file) -> List[int]:
            # GDAL compares lands by their geometry, not only by their boxes, so only points are checked.
            _, found = pyogrio.read_arrow(file, bbox=box, columns=["id"])
            return [row["id"] for row in found.to_pylist()]

        points = [node for node in expected if node["geometry"][0] == "Point"]
        lands = {node["id"] for node in expected} - {node["id"] for node in points}
        check_boxes(f"flatgeobuf {name}", points,
                    lambda box, ask=ask: [id_ for id_ in ask(box) if id_ not in lands])
        if (name == "indexed") != bool(info["capabilities"]["fast_spatial_filter"]):
            fail(f"flatgeobuf {name}: fast spatial filter {info['capabilities']}")


def from_gdal(rows: Iterable[Node]) -> Iterable[Node]:
    """The nodes in the form of the other readers."""
    for row in rows:
        row = dict(row)
        row["geometry"] = from_wkb(row.pop("wkb_geometry"))
        yield row


def check_kinds(binary: str, at: str, folder: str) -> None:
    """A file with one kind of geometry declares it."""
    import pyogrio

    for kind, geometry in (("f", "Point"), ("d", "Polygon")):
        file = os.path.join(at, "kind.fgb")
        run_map(binary, "--format", "flatgeobuf", "--type", kind, "--max-depth", "2", "-o", file,
            folder)
        found = pyogrio.read_info(file)["geometry_type"]
        if found != geometry:
            fail(f"flatgeobuf of --type {kind}: {found}")


IN_QGIS = """
import os
import sys
from qgis.core import QgsApplication, QgsVectorLayer
application = QgsApplication([], False)
application.initQgis()
layer = QgsVectorLayer(sys.argv[1], "map", "ogr")
print(len(layer.dataProvider().subLayers()) if layer.isValid() else "invalid", flush=True)
for kind in "Point", "Polygon":
    layer = QgsVectorLayer(f"{sys.argv[1]}|layerid=0|geometrytype={kind}", kind, "ogr")
    print(layer.featureCount(), sum(1 for _ in layer.getFeatures()), flush=True)
os._exit(0)  # QGIS takes its parts down in an order that may end by a signal
"""


def check_qgis(binary: str, folder: str, at: str) -> bool:
    """QGIS splits the layer into points and polygons; False without PyQGIS."""
    program = interpreter()
    if not program:
        return False
    environment = {"PATH": os.environ["PATH"], "HOME": at, "QT_QPA_PLATFORM": "offscreen"}
    file = os.path.join(at, "mixed.fgb")
    run_map(binary, "--format", "flatgeobuf", "-o", file, folder)
    done = subprocess.run([program, "-c", IN_QGIS, file], env=environment, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    nodes = nodes_of(run_map(binary, folder))
    points = sum(node["geometry"][0] == "Point" for node in nodes)
    lands = len(nodes) - points
    if done.stdout.split("\n")[:3] != ["2", f"{points} {points}", f"{lands} {lands}"]:
        fail(f"QGIS: {done.stdout!r}, {points} points, {lands} lands")
    return True


# ------------------------------------------------------------------------------------------------
# GeoParquet
# ------------------------------------------------------------------------------------------------

# The bounds of a row group's boxes.
Bounds = Tuple[float, float, float, float]


def check_parquet(binary: str, expected: List[Node], at: str, arguments: List[str]) -> None:
    """Reads every value with pyarrow; the bounds of row groups contain their rows."""
    import pyarrow.parquet

    for packing in ("none", "gzip"):
        file = os.path.join(at, f"{packing}.parquet")
        run_map(binary, "--format", "parquet", "--compress", packing, "-o", file, *arguments)
        table = pyarrow.parquet.read_table(file)
        compare(f"parquet {packing}", expected, from_parquet(table.to_pylist()))
        for name, read in (("duckdb", read_by_duckdb), ("geopandas", read_by_geopandas),
                           ("sedonadb", read_by_sedona)):
            if is_there(name):
                compare(f"parquet {packing} in {name}", expected, from_parquet(read(file)))
        source = pyarrow.parquet.ParquetFile(file)
        if not re.fullmatch(r"geomapper version \d+", source.metadata.created_by):
            fail(f"parquet: written by {source.metadata.created_by}, which parquet-mr can't parse")
        check_geo(json.loads(source.metadata.metadata[b"geo"]), expected)
        if json.loads(source.metadata.metadata[b"geomapper"])["projection"] < 2:
            fail("parquet: no header of the map")
        for group in range(source.metadata.num_row_groups):
            check_group(source, group)
        codecs = {source.metadata.row_group(group).column(at).compression
                  for group in range(source.metadata.num_row_groups) for at in range(1, 5)}
        if codecs - {"UNCOMPRESSED" if packing == "none" else "GZIP"}:
            fail(f"parquet {packing}: {codecs}")


def read_by_duckdb(file: str) -> List[Node]:
    """All rows, read by DuckDB."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'; SET enable_geoparquet_conversion = false")
    return connection.sql(f"SELECT * FROM read_parquet('{file}')").to_arrow_table().to_pylist()


def read_by_geopandas(file: str) -> List[Node]:
    """All rows, read by geopandas; optional integers stay integers."""
    import geopandas
    import pandas
    import pyarrow

    frame = geopandas.read_parquet(file, to_pandas_kwargs={"types_mapper": pandas.ArrowDtype})
    return pyarrow.table(frame.to_arrow(index=False, geometry_encoding="WKB")).to_pylist()


def in_sedona(file: str, query: str) -> List[Node]:
    """The answer of SedonaDB to a query of `map`."""
    import pyarrow
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about missing programs for coordinate transformations
        import sedonadb

        connection = sedonadb.connect()
        connection.read_parquet(file).to_view("map")
        answer = connection.sql(query)
        # SedonaDB's own conversion needs one more package, for a type of geometries.
        return pyarrow.RecordBatchReader.from_stream(answer).read_all().to_pylist()


def read_by_sedona(file: str) -> List[Node]:
    """All rows, read by SedonaDB."""
    return in_sedona(file, "SELECT * FROM map")


def from_parquet(rows: Iterable[Node]) -> Iterable[Node]:
    """Nodes read by pyarrow; checks their folders and boxes."""
    for row in rows:
        row = dict(row)
        row["geometry"] = from_wkb(row["geometry"])
        if row["modified"] is not None:
            row["modified"] = round(row["modified"].timestamp())
        head, _, name = row["path"].rpartition("/")
        if (row.pop("folder") or "") != head or row["name"] != name:
            fail(f"parquet: the folder of {row}")
        box, edges = box_of(row), row.pop("bbox", None)
        if edges is None:  # geopandas reads it to choose rows, and leaves it out
            yield row
            continue
        edges = (edges["xmin"], edges["ymin"], edges["xmax"], edges["ymax"])
        if edges[0] > box[0] or edges[1] > box[1] or edges[2] < box[2] or edges[3] < box[3]:
            fail(f"parquet: {edges} does not hold {row}")
        yield row


def check_geo(geo: Node, expected: List[Node]) -> None:
    """Checks the metadata of GeoParquet."""
    column = geo["columns"]["geometry"]
    kinds = sorted({node["geometry"][0] for node in expected})
    if geo["version"] != "1.1.0" or column["encoding"] != "WKB" or "crs" in column:
        fail(f"parquet: metadata {geo}")
    if sorted(column["geometry_types"]) != kinds or ("bbox" in column) != bool(expected):
        fail(f"parquet: metadata {geo}, geometries {kinds}")
    if expected:
        boxes = [box_of(node) for node in expected]
        whole = [min(box[0] for box in boxes), min(box[1] for box in boxes),
                 max(box[2] for box in boxes), max(box[3] for box in boxes)]
        if column["bbox"] != whole:
            fail(f"parquet: the box {column['bbox']}, not {whole}")


def bounds_of(source: Any, group: int) -> Bounds:
    """The bounds of a row group's boxes by its statistics."""
    about = source.metadata.row_group(group)
    found = {}
    for at in range(about.num_columns):
        column = about.column(at)
        if column.path_in_schema.startswith("bbox."):
            found[column.path_in_schema[5:]] = column.statistics
    return (found["xmin"].min, found["ymin"].min, found["xmax"].max, found["ymax"].max)


def check_group(source: Any, group: int) -> None:
    """The statistics of a row group match its values."""
    import pyarrow.compute as compute

    about = source.metadata.row_group(group)
    table = source.read_row_group(group)
    check_edges(table.select(["geometry", "bbox"]).to_pylist())
    table = table.flatten()
    for at in range(about.num_columns):
        column = about.column(at)
        values, said = table.column(column.path_in_schema), column.statistics
        if said.null_count != values.null_count:
            fail(f"parquet: {column.path_in_schema} has {said.null_count} nulls")
        if said.has_min_max:
            found = compute.min_max(values).as_py()
            if (said.min, said.max) != (found["min"], found["max"]):
                fail(f"parquet: {column.path_in_schema} from {said.min} to {said.max}: {found}")
        elif column.path_in_schema in ("id", "depth", "kind"):
            fail(f"parquet: {column.path_in_schema} has no bounds")


def check_edges(rows: List[Node]) -> None:
    """The boxes of a row group are as close to its geometries as documented."""
    boxes = [box_of({"geometry": from_wkb(row["geometry"])}) for row in rows]
    for axis in ("x", "y"):
        low, high = ("xy".index(axis), "xy".index(axis) + 2)
        extent = max(box[high] for box in boxes) - min(box[low] for box in boxes)
        step = max(extent / max(64, len(rows)**0.5), 2**-16)
        for row, box in zip(rows, boxes):
            edges = row["bbox"]
            if box[low] - edges[f"{axis}min"] >= step or edges[f"{axis}max"] - box[high] >= step:
                fail(f"parquet: {edges} is not the box {box}, though its row group spans {extent}")


def check_pruning(binary: str, folder: str, at: str) -> str:
    """Asks for small boxes with DuckDB and pyarrow, and checks how much they read."""
    import pyarrow.dataset
    import pyarrow.parquet

    file = os.path.join(at, "pruned.parquet")
    run_map(binary, "--format", "parquet", "-o", file, folder)
    expected = nodes_of(run_map(binary, folder))
    source = pyarrow.parquet.ParquetFile(file)
    groups = [bounds_of(source, group) for group in range(source.metadata.num_row_groups)]
    fragment = next(iter(pyarrow.dataset.dataset(file).get_fragments()))
    fragment.ensure_complete_metadata()
    touched = []

    def ask(box: Bounds) -> List[int]:
        where = condition(box)
        kept = fragment.split_by_row_group(where)
        touched.append(len(kept))
        if len(kept) != sum(meets(group, box) for group in groups):
            fail(f"parquet: {len(kept)} row groups are read for {box}")
        found = pyarrow.dataset.dataset(file).to_table(columns=["id"], filter=where)
        return found.column("id").to_pylist()

    check_boxes("parquet", expected, lambda box: exactly(ask(box), expected, box))
    if is_there("duckdb"):
        import duckdb

        def query(box: Bounds) -> List[int]:
            west, south, east, north = box
            rows = duckdb.sql(
                f"SELECT id FROM read_parquet('{file}') WHERE bbox.xmin <= {east} AND "
                f"bbox.xmax >= {west} AND bbox.ymin <= {north} AND bbox.ymax >= {south}").fetchall()
            return exactly([row[0] for row in rows], expected, box)

        check_boxes("parquet in DuckDB", expected, query)
        query_text = f"SELECT count(DISTINCT folder) FROM read_parquet('{file}')"
        count, = duckdb.sql(query_text).fetchall()[0]
        folders = {node["path"].rpartition("/")[0] for node in expected} - {""}
        if count != len(folders):
            fail(f"parquet in DuckDB: {count} folders")
    if is_there("sedonadb"):
        check_sedona(file, expected, groups)
    if is_there("geopandas"):
        import geopandas

        frame = geopandas.read_parquet(file)
        if len(frame) != len(expected) or frame.crs is None or not frame.geometry.is_valid.all():
            fail(f"geopandas: {len(frame)} rows, {frame.crs}")
        box = box_of(expected[-1])
        theirs = geopandas.read_parquet(file, bbox=box)
        if not set(theirs["id"]) >= {expected[-1]["id"]} or len(theirs) > len(expected) // 2:
            fail(f"geopandas: {len(theirs)} rows in {box}")
    return f"a small box reads {sorted(touched)[len(touched) // 2]} of {len(groups)} row groups"


def check_sedona(file: str, expected: List[Node], groups: List[Bounds]) -> None:
    """SedonaDB queries by geometry: by the column of boxes, it reads only the row groups that meet the query."""
    points = [node for node in expected if node["geometry"][0] == "Point"]

    def query(box: Bounds) -> List[int]:
        west, south, east, north = box
        ring = ", ".join(f"{x!r} {y!r}" for x, y in (
            (west, south), (east, south), (east, north), (west, north), (west, south)))
        shape = f"POLYGON(({ring}))" if west < east and south < north else f"POINT({west!r} {south!r})"
        text = ("SELECT id FROM map WHERE kind = 'poi' AND "
                f"ST_Intersects(geometry, ST_SetSRID(ST_GeomFromText('{shape}'), 4326))")
        plan = in_sedona(file, f"EXPLAIN ANALYZE {text}")[0]["plan"]
        read = re.search(r"row_groups_pruned_statistics=(\d+) total", plan)
        meeting = sum(meets(group, box) for group in groups)
        if not read or int(read[1]) != meeting:
            fail(f"parquet in SedonaDB: {meeting} row groups meet {box}: {plan}")
        return [row["id"] for row in in_sedona(file, text)]

    check_boxes("parquet in SedonaDB", [node for node in points if node["kind"] == "poi"], query)


def condition(box: Bounds) -> Any:
    """The filter for rows that may meet a box."""
    import pyarrow.compute as compute

    west, south, east, north = box
    return ((compute.field("bbox", "xmin") <= east) & (compute.field("bbox", "xmax") >= west)
            & (compute.field("bbox", "ymin") <= north) & (compute.field("bbox", "ymax") >= south))


def exactly(ids: List[int], expected: List[Node], box: Bounds) -> List[int]:
    """The nodes that really meet a box; the boxes in the file are rounded outward."""
    boxes = {node["id"]: box_of(node) for node in expected}
    return [id_ for id_ in ids if meets(boxes[id_], box)]


# ------------------------------------------------------------------------------------------------
# All together
# ------------------------------------------------------------------------------------------------


def make_awkward(at: str) -> str:
    """A tree with every kind of node."""
    root = os.path.join(at, "awkward")
    deep = os.path.join(root, *["d"] * 60)
    os.makedirs(deep)
    for name in (b"\xff\xfe.txt", "ÄÖ\n\"quoted\",comma".encode(), b"a" * 255, b"\x01", b"plain"):
        with open(os.path.join(os.fsencode(root), name), "wb") as file:
            file.write(b"x" * len(name))
    os.makedirs(os.path.join(os.fsencode(root), b"f\xff", b"in it"))
    os.makedirs(os.path.join(root, "empty"))
    with open(os.path.join(os.fsencode(root), b"f\xff", b"in it", b"file"), "wb"):
        pass
    os.symlink("nowhere", os.path.join(root, "link"))
    os.mkfifo(os.path.join(root, "pipe"))
    with socket.socket(socket.AF_UNIX) as one:
        here = os.getcwd()
        os.chdir(root)  # socket addresses must be short
        one.bind("socket")
        os.chdir(here)
    os.link(os.path.join(root, "plain"), os.path.join(root, "twice"))
    os.utime(os.path.join(root, "plain"), (-5, -5))
    os.symlink("..", os.path.join(root, "empty", "loop"))
    with open(os.path.join(deep, "bottom"), "wb") as file:
        file.write(b"1")
    return root


CASES: List[List[str]] = [
    [], ["--totals"], ["--links", "--lonlat"], ["-L"], ["--no-stat"], ["--max-depth", "0"],
    ["--type", "f", "--name", "nothing like it", "--exclude", "*"], ["--layout", "pinned"],
]


def check_threads(binary: str, format_: str, folder: str) -> None:
    """The bytes don't depend on the number of threads."""
    first = run_map(binary, "--format", format_, "--threads", "1", folder)
    for threads in ("2", "7"):
        if run_map(binary, "--format", format_, "--threads", threads, folder) != first:
            fail(f"{format_}: other bytes with {threads} threads")


def check_parts(binary: str, folder: str, at: str) -> None:
    """The parts of a map are valid files, and together contain the map."""
    import pyarrow.dataset
    import pyogrio

    manifests = os.path.join(at, "manifests")
    parts = os.path.join(at, "parts")
    os.mkdir(parts)
    subprocess.run([binary, "split", "-q", "--parts", "3", "-o", manifests, folder], check=True)
    found: List[Node] = []
    for name in sorted(os.listdir(manifests)):
        file = os.path.join(at, "part.fgb")
        run_map(binary, "--shard", os.path.join(manifests, name), "--format", "flatgeobuf", "-o", file,
            folder)
        found += from_gdal(pyogrio.read_arrow(file)[1].to_pylist())
        run_map(binary, "--shard", os.path.join(manifests, name), "--format", "parquet", "-o",
            os.path.join(parts, f"{name}.parquet"), folder)
    expected = nodes_of(run_map(binary, folder))
    if len(found) != len(expected):
        fail(f"parts: {len(found)} nodes, not {len(expected)}")
    compare("parts", expected, found)
    rows = pyarrow.dataset.dataset(parts).to_table().to_pylist()
    compare("parts of parquet", expected, from_parquet(rows))
    if len(rows) != len(expected):
        fail(f"parts of parquet: {len(rows)} rows")


def main() -> None:
    """Runs the command line."""
    if len(sys.argv) != 3:
        sys.exit("usage: check_vectors.py BINARY DIR")
    binary, folder = sys.argv[1:]
    readers = []
    with tempfile.TemporaryDirectory(prefix="geomapper-vectors-") as at:
        awkward = make_awkward(at)
        for arguments in [[*case, awkward] for case in CASES] + [["--totals", folder]]:
            expected = nodes_of(run_map(binary, *arguments))
            if is_there("pyogrio", "pyarrow"):
                check_flatgeobuf(binary, expected, at, arguments)
            if is_there("pyarrow"):
                check_parquet(binary, expected, at, arguments)
        if is_there("pyogrio", "pyarrow"):
            check_kinds(binary, at, folder)
            check_parts(binary, folder, at)
            readers.append("GDAL")
        if is_there("pyarrow"):
            print(f"vectors: {check_pruning(binary, folder, at)}")
            others = ("DuckDB", "geopandas", "SedonaDB")
            readers += ["pyarrow"] + [name for name in others if is_there(name.lower())]
            for name in others:
                if name not in readers:
                    print(f"vectors: skipped: what {name} reads, which isn't there")
        if check_qgis(binary, folder, at):
            readers.append("QGIS")
        check_threads(binary, "flatgeobuf", folder)
        check_threads(binary, "parquet", folder)
    if not readers:
        print("vectors: skipped: no program that reads them")
        sys.exit(77)
    print(f"vectors: {len(expected)} nodes of {folder} and all kinds of {len(CASES)} others, "
          f"as {', '.join(readers)} read them")


if __name__ == "__main__":
    main()
