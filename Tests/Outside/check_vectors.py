#!/usr/bin/env python3
"""Checks FlatGeobuf, GeoParquet and the text formats with other programs.

    check_vectors.py BINARY DIR

DIR and a tree of awkward names are mapped in each format and as GeoJSON. GDAL (by pyogrio), geopandas, pyarrow,
DuckDB, SedonaDB and Spark have to read the same ids, properties and coordinates. Queries for boxes have to read
only a small part of a file. `ogrinfo` counts the features of the text formats, libxml2 parses GPX. Missing programs
are skipped and named; Spark also needs Java.
"""

import functools
import json
import os
import random
import re
import socket
import struct
import tempfile
import warnings
from typing import Any, Callable, Dict, Iterable, List, Tuple

from check_qgis import in_qgis, interpreter
from outside import fail, given, importable, installed, run, run_map, same, skip

Node = Dict[str, Any]
Box = Tuple[float, float, float, float]  # west, south, east, north
Boxes = Callable[[Box], List[int]]
SUFFIXES = {"geojson": "geojson", "geojsonseq": "geojsons", "geojsonl": "geojsonl", "csv": "csv", "gpx": "gpx"}
CASES: List[List[str]] = [
    [], ["--totals"], ["--links", "--lonlat"], ["-L"], ["--no-stat"], ["--max-depth", "0"],
    ["--type", "f", "--name", "nothing like it", "--exclude", "*"], ["--layout", "pinned"],
]


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


def box_of(node: Node) -> Box:
    """The box of a node."""
    xs, ys = zip(*node["geometry"][1])
    return min(xs), min(ys), max(xs), max(ys)


def meets(a: Box, b: Box) -> bool:
    """Whether two boxes have a point in common."""
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def from_wkb(raw: bytes) -> Tuple[str, List[List[float]]]:
    """The type and rings of a point or of a polygon with one ring."""
    order, kind = struct.unpack_from("<BI", raw)
    if order != 1 or kind not in (1, 3):
        fail(f"WKB of order {order} and type {kind}")
    if kind == 1:
        return "Point", [list(struct.unpack_from("<2d", raw, 5))]
    rings, count = struct.unpack_from("<II", raw, 5)
    same("rings", rings, 1)
    numbers = struct.unpack_from(f"<{2 * count}d", raw, 13)
    return "Polygon", [list(numbers[at:at + 2]) for at in range(0, 2 * count, 2)]


def compare(what: str, expected: List[Node], found: Iterable[Node]) -> None:
    """Compares nodes by id, in any order; null values equal absent ones."""
    theirs = [{name: value for name, value in node.items() if value is not None} for node in found]
    same(f"{what}: number of nodes", len(theirs), len(expected))
    same(what, {node["id"]: node for node in theirs}, {node["id"]: node for node in expected})


def check_boxes(what: str, expected: List[Node], ask: Boxes) -> None:
    """Asks for boxes around some nodes, and for an empty one."""
    chosen = random.Random(18).sample(expected, min(12, len(expected)))
    boxes = [box_of(node) for node in chosen] + [(-180.0, -90.0, 0.0, 0.0)]
    boxes += [(box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1) for box in boxes[:4]]
    for box in boxes:
        same(f"{what}: nodes in {box}", sorted(ask(box)),
             sorted(node["id"] for node in expected if meets(box_of(node), box)))


# ------------------------------------------------------------------------------------------------
# Text formats
# ------------------------------------------------------------------------------------------------


def check_texts(binary: str, folder: str, at: str) -> List[str]:
    """GDAL counts the features of each format, and libxml2 parses GPX; the names of both that are there."""
    readers = installed("ogrinfo", "xmllint")
    count = len(nodes_of(run_map(binary, folder)))
    for form, suffix in SUFFIXES.items():
        file = os.path.join(at, f"map.{suffix}")
        run_map(binary, "--format", form, folder, out=file)
        if "ogrinfo" in readers:
            columns = ["-oo", "X_POSSIBLE_NAMES=lon", "-oo", "Y_POSSIBLE_NAMES=lat"] if form == "csv" else []
            # Faults are on standard error.
            text = run("sh", "-c", 'exec "$@" 2>&1', "sh", "ogrinfo", "-ro", "-so", "-al", file, *columns)
            counts = re.findall(rb"^Feature Count: ([0-9]+)", text, re.M)
            if sum(map(int, counts)) != count or re.search(rb"^(ERROR|Warning)", text, re.M):
                fail(f"GDAL on {form}: {counts}, not {count}: {text!r}")
    if "xmllint" in readers:
        run("xmllint", "--noout", os.path.join(at, "map.gpx"))
    return readers


# ------------------------------------------------------------------------------------------------
# FlatGeobuf
# ------------------------------------------------------------------------------------------------


def check_flatgeobuf(binary: str, expected: List[Node], at: str, arguments: List[str]) -> None:
    """Reads it with GDAL and geopandas, with and without an index."""
    import pyogrio

    for name, more in (("indexed", []), ("stream", ["--no-index"])):
        file = os.path.join(at, f"{name}.fgb")
        run_map(binary, "--format", "flatgeobuf", *more, *arguments, out=file)
        info = pyogrio.read_info(file)
        # A stream doesn't know the number of features in advance, and has no way to say zero.
        same(f"flatgeobuf {name}: features", info["features"],
             len(expected) if expected and name == "indexed" else -1)
        compare(f"flatgeobuf {name}", expected, from_gdal(pyogrio.read_arrow(file)[1].to_pylist()))
        if not expected:
            continue
        # GDAL compares lands by their geometry, not only by their boxes, so only points are checked.
        points = [node for node in expected if node["geometry"][0] == "Point"]
        lands = {node["id"] for node in expected} - {node["id"] for node in points}

        def ask(box: Box, file: str = file, lands: Any = lands) -> List[int]:
            found = pyogrio.read_arrow(file, bbox=box, columns=["id"])[1].to_pylist()
            return [row["id"] for row in found if row["id"] not in lands]

        check_boxes(f"flatgeobuf {name}", points, ask)
        same(f"flatgeobuf {name}: is fast", bool(info["capabilities"]["fast_spatial_filter"]), name == "indexed")


def from_gdal(rows: Iterable[Node]) -> Iterable[Node]:
    """The nodes in the form of the other readers."""
    return ({**{name: row[name] for name in row if name != "wkb_geometry"},
             "geometry": from_wkb(row["wkb_geometry"])} for row in rows)


def check_kinds(binary: str, at: str, folder: str) -> None:
    """A file with one kind of geometry declares it."""
    import pyogrio

    for kind, geometry in (("f", "Point"), ("d", "Polygon")):
        file = os.path.join(at, "kind.fgb")
        run_map(binary, "--format", "flatgeobuf", "--type", kind, "--max-depth", "2", folder, out=file)
        same(f"flatgeobuf of --type {kind}", pyogrio.read_info(file)["geometry_type"], geometry)


LAYERS = """
layer = QgsVectorLayer(task, "map", "ogr")
answer = [len(layer.dataProvider().subLayers()) if layer.isValid() else "invalid"]
for kind in "Point", "Polygon":
    layer = QgsVectorLayer(f"{task}|layerid=0|geometrytype={kind}", kind, "ogr")
    answer += [layer.featureCount(), sum(1 for _ in layer.getFeatures())]
"""


def check_qgis(program: str, binary: str, folder: str, at: str) -> None:
    """QGIS splits the layer into points and polygons."""
    file = os.path.join(at, "mixed.fgb")
    run_map(binary, "--format", "flatgeobuf", folder, out=file)
    nodes = nodes_of(run_map(binary, folder))
    points = sum(node["geometry"][0] == "Point" for node in nodes)
    lands = len(nodes) - points
    same("QGIS: layers and features", in_qgis(program, LAYERS, file), [2, points, points, lands, lands])


# ------------------------------------------------------------------------------------------------
# GeoParquet
# ------------------------------------------------------------------------------------------------


def check_parquet(binary: str, expected: List[Node], at: str, arguments: List[str], readers: List[str]) -> None:
    """Reads every value; the bounds of row groups contain their rows."""
    import pyarrow.parquet

    for packing in ("none", "gzip"):
        file = os.path.join(at, f"{packing}.parquet")
        run_map(binary, "--format", "parquet", "--compress", packing, *arguments, out=file)
        for name in readers:
            compare(f"parquet {packing} in {name}", expected, from_parquet(READERS[name](file)))
        source = pyarrow.parquet.ParquetFile(file)
        if not re.fullmatch(r"geomapper version \d+", source.metadata.created_by):
            fail(f"parquet: written by {source.metadata.created_by}, which parquet-mr can't parse")
        check_geo(json.loads(source.metadata.metadata[b"geo"]), expected)
        if json.loads(source.metadata.metadata[b"geomapper"])["projection"] < 2:
            fail("parquet: no header of the map")
        codecs = set()
        for group in range(source.metadata.num_row_groups):
            check_group(source, group)
            codecs |= {source.metadata.row_group(group).column(at).compression for at in range(1, 5)}
        if codecs - {"UNCOMPRESSED" if packing == "none" else "GZIP"}:
            fail(f"parquet {packing}: {codecs}")


def read_by_pyarrow(file: str) -> List[Node]:
    """All rows, read by pyarrow."""
    import pyarrow.parquet

    return pyarrow.parquet.read_table(file).to_pylist()


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


@functools.cache
def spark() -> Any:
    """A Spark session with one thread, and one task for a file."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": os.path.join(tempfile.gettempdir(), "geomapper-warehouse"),
        "spark.sql.adaptive.enabled": "false",  # otherwise the queried plan isn't the executed one
        "spark.sql.files.maxPartitionBytes": "4g"}
    builder = SparkSession.builder.master("local[1]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def read_by_spark(file: str, vectorised: bool = True) -> List[Node]:
    """All rows, read by one of the two readers of Spark."""
    spark().conf.set("spark.sql.parquet.enableVectorizedReader", str(vectorised).lower())
    rows = [row.asDict(recursive=True) for row in spark().read.parquet(file).collect()]
    return [{**row, "geometry": bytes(row["geometry"])} for row in rows]


READERS: Dict[str, Callable[[str], List[Node]]] = {
    "pyarrow": read_by_pyarrow, "duckdb": read_by_duckdb, "geopandas": read_by_geopandas,
    "sedonadb": lambda file: in_sedona(file, "SELECT * FROM map"),
    "pyspark": read_by_spark, "pyspark, the other reader": lambda file: read_by_spark(file, False)}


def from_parquet(rows: Iterable[Node]) -> Iterable[Node]:
    """Nodes read from a table; checks their folders and boxes."""
    for row in rows:
        row = dict(row)
        row["geometry"] = from_wkb(row["geometry"])
        if row["modified"] is not None:
            row["modified"] = round(row["modified"].timestamp())
        head, _, name = row["path"].rpartition("/")
        same(f"parquet: folder and name of {row['path']}", (row.pop("folder") or "", row["name"]), (head, name))
        box, edges = box_of(row), row.pop("bbox", None)
        if edges is not None:  # geopandas reads it to choose rows, and leaves it out
            edges = (edges["xmin"], edges["ymin"], edges["xmax"], edges["ymax"])
            if edges[0] > box[0] or edges[1] > box[1] or edges[2] < box[2] or edges[3] < box[3]:
                fail(f"parquet: {edges} does not hold {row}")
        yield row


def check_geo(geo: Node, expected: List[Node]) -> None:
    """Checks the metadata of GeoParquet."""
    column = geo["columns"]["geometry"]
    if geo["version"] != "1.1.0" or column["encoding"] != "WKB" or "crs" in column:
        fail(f"parquet: metadata {geo}")
    same("parquet: types", sorted(column["geometry_types"]), sorted({node["geometry"][0] for node in expected}))
    west, south, east, north = zip(*map(box_of, expected)) if expected else ((), (), (), ())
    whole = [min(west), min(south), max(east), max(north)] if expected else None
    same("parquet: box", column.get("bbox"), whole)


def bounds_of(source: Any, group: int) -> Box:
    """The bounds of a row group's boxes by its statistics."""
    about = source.metadata.row_group(group)
    columns = [about.column(at) for at in range(about.num_columns)]
    found = {column.path_in_schema: column.statistics for column in columns}
    return (found["bbox.xmin"].min, found["bbox.ymin"].min, found["bbox.xmax"].max, found["bbox.ymax"].max)


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
        same(f"parquet: nulls of {column.path_in_schema}", said.null_count, values.null_count)
        if said.has_min_max:
            found = compute.min_max(values).as_py()
            same(f"parquet: bounds of {column.path_in_schema}", (said.min, said.max), (found["min"], found["max"]))
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


def check_pruning(binary: str, folder: str, at: str, readers: List[str]) -> str:
    """Asks for small boxes, and checks how much is read: only the row groups that meet the box."""
    import pyarrow.compute as compute
    import pyarrow.dataset
    import pyarrow.parquet

    file = os.path.join(at, "pruned.parquet")
    run_map(binary, "--format", "parquet", folder, out=file)
    expected = nodes_of(run_map(binary, folder))
    boxes = {node["id"]: box_of(node) for node in expected}
    source = pyarrow.parquet.ParquetFile(file)
    groups = {bounds_of(source, group): source.metadata.row_group(group).num_rows
              for group in range(source.metadata.num_row_groups)}
    fragment = next(iter(pyarrow.dataset.dataset(file).get_fragments()))
    fragment.ensure_complete_metadata()
    touched = []

    def exactly(ids: Iterable[int], box: Box) -> List[int]:
        """The nodes that really meet a box; the boxes in the file are rounded outward."""
        return [id_ for id_ in ids if meets(boxes[id_], box)]

    def by_pyarrow(box: Box) -> List[int]:
        west, south, east, north = box
        where = ((compute.field("bbox", "xmin") <= east) & (compute.field("bbox", "xmax") >= west)
                 & (compute.field("bbox", "ymin") <= north) & (compute.field("bbox", "ymax") >= south))
        touched.append(len(fragment.split_by_row_group(where)))
        same(f"parquet: row groups read for {box}", touched[-1], sum(meets(group, box) for group in groups))
        found = pyarrow.dataset.dataset(file).to_table(columns=["id"], filter=where)
        return exactly(found.column("id").to_pylist(), box)

    def condition(box: Box, mark: str = "") -> str:
        west, south, east, north = box
        return (f"bbox.xmin <= {east!r}{mark} AND bbox.xmax >= {west!r}{mark} AND "
                f"bbox.ymin <= {north!r}{mark} AND bbox.ymax >= {south!r}{mark}")

    def by_duckdb(box: Box) -> List[int]:
        import duckdb

        rows = duckdb.sql(f"SELECT id FROM read_parquet('{file}') WHERE {condition(box)}").fetchall()
        return exactly((row[0] for row in rows), box)

    def by_spark(box: Box) -> List[int]:
        frame = spark().read.parquet(file).where(condition(box, "D")).select("id")
        ids = [row["id"] for row in frame.collect()]
        leaves = frame._jdf.queryExecution().executedPlan().collectLeaves()
        read = sum(leaves.apply(at).metrics().apply("numOutputRows").value() for at in range(leaves.size()))
        same(f"parquet: rows read by Spark for {box}", read,
             sum(rows for group, rows in groups.items() if meets(group, box)))
        return exactly(ids, box)

    def by_sedona(box: Box) -> List[int]:
        """Queries points by geometry, which reads by the column of boxes."""
        west, south, east, north = box
        ring = ", ".join(f"{x!r} {y!r}" for x, y in (
            (west, south), (east, south), (east, north), (west, north), (west, south)))
        shape = f"POLYGON(({ring}))" if west < east and south < north else f"POINT({west!r} {south!r})"
        text = ("SELECT id FROM map WHERE kind = 'poi' AND "
                f"ST_Intersects(geometry, ST_SetSRID(ST_GeomFromText('{shape}'), 4326))")
        plan = in_sedona(file, f"EXPLAIN ANALYZE {text}")[0]["plan"]
        read = re.search(r"row_groups_pruned_statistics=(\d+) total", plan)
        same(f"parquet: row groups read by SedonaDB for {box}", read and int(read[1]),
             sum(meets(group, box) for group in groups))
        return [row["id"] for row in in_sedona(file, text)]

    check_boxes("parquet", expected, by_pyarrow)
    for name, ask in (("duckdb", by_duckdb), ("pyspark", by_spark)):
        if name in readers:
            check_boxes(f"parquet in {name}", expected, ask)
    if "sedonadb" in readers:
        check_boxes("parquet in SedonaDB", [node for node in expected if node["kind"] == "poi"], by_sedona)
    if "geopandas" in readers:
        import geopandas

        frame = geopandas.read_parquet(file)
        if frame.crs is None or not frame.geometry.is_valid.all():
            fail(f"geopandas: invalid geometries, or no system of coordinates: {frame.crs}")
        theirs = geopandas.read_parquet(file, bbox=box_of(expected[-1]))
        if expected[-1]["id"] not in set(theirs["id"]) or len(theirs) > len(expected) // 2:
            fail(f"geopandas: {len(theirs)} rows in the box of one node")
    return f"a small box reads {sorted(touched)[len(touched) // 2]} of {len(groups)} row groups"


# ------------------------------------------------------------------------------------------------
# All together
# ------------------------------------------------------------------------------------------------


def make_awkward(at: str) -> str:
    """A tree with every kind of node."""
    root = os.path.join(at, "awkward")
    deep = os.path.join(root, *["d"] * 60)
    for folder in (deep, os.path.join(root, "empty"), os.path.join(os.fsencode(root), b"f\xff", b"in it")):
        os.makedirs(folder)
    for name in (b"\xff\xfe.txt", "ÄÖ\n\"quoted\",comma".encode(), b"a" * 255, b"\x01", b"plain",
                 b"f\xff/in it/file", b"d/" * 60 + b"bottom"):
        with open(os.path.join(os.fsencode(root), name), "wb") as file:
            file.write(b"x" * (len(name) % 256))
    os.symlink("nowhere", os.path.join(root, "link"))
    os.symlink("..", os.path.join(root, "empty", "loop"))
    os.mkfifo(os.path.join(root, "pipe"))
    with socket.socket(socket.AF_UNIX) as one:
        here = os.getcwd()
        os.chdir(root)  # socket addresses must be short
        one.bind("socket")
        os.chdir(here)
    os.link(os.path.join(root, "plain"), os.path.join(root, "twice"))
    os.utime(os.path.join(root, "plain"), (-5, -5))
    return root


def main() -> None:
    options = given(__doc__, "binary", "folder")
    binary, folder = options.binary, options.folder
    packages = importable("pyarrow", "pyogrio", "duckdb", "geopandas", "sedonadb")
    if installed("java") and importable("pyspark"):
        packages += ["pyspark", "pyspark, the other reader"]
    tables = [name for name in packages if name in READERS] if "pyarrow" in packages else []
    with tempfile.TemporaryDirectory(prefix="geomapper-vectors-") as at:
        awkward = make_awkward(at)
        readers = packages + check_texts(binary, folder, at)
        for arguments in [[*case, awkward] for case in CASES] + [["--totals", folder]]:
            expected = nodes_of(run_map(binary, *arguments))
            if "pyogrio" in packages and tables:
                check_flatgeobuf(binary, expected, at, arguments)
            if tables:
                check_parquet(binary, expected, at, arguments, tables)
        if "pyogrio" in packages and tables:
            check_kinds(binary, at, folder)
        if tables:
            print(f"vectors: {check_pruning(binary, folder, at, tables)}")
        if program := interpreter():
            check_qgis(program, binary, folder, at)
            readers.append("QGIS")
    for name in ("pyarrow", "pyogrio", "duckdb", "geopandas", "sedonadb", "ogrinfo", "xmllint", "QGIS"):
        if name not in readers:
            print(f"vectors: skipped: what {name} reads, which isn't there")
    if not readers:
        skip("no program that reads them")
    print(f"vectors: {len(expected)} nodes of {folder} and all kinds of {len(CASES)} others, "
          f"as {', '.join(readers)} read them")


if __name__ == "__main__":
    main()
