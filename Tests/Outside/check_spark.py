#!/usr/bin/env python3
"""Checks GeoParquet with Spark.

    check_spark.py BINARY DIR

DIR and a tree of awkward names are mapped. Every id, property and coordinate that Spark reads has to equal that of
the GeoJSON, both with its vectorised reader and the other one. Then Spark is asked for small boxes by conditions on
`bbox`; by its own count, it has to read only the rows of row groups that meet them. Needs Java and `pip install
pyspark`; without them the check is skipped.
"""

import os
import shutil
import sys
import tempfile
from typing import Any, Dict, Iterable, List

from check_vectors import (Bounds, Node, bounds_of, box_of, compare, exactly, from_parquet, is_there,
                           make_awkward, meets, nodes_of)
from outside import fail, run_map, skip


def begin(at: str) -> Any:
    """A Spark session with one thread, which keeps its files in a folder."""
    from pyspark.sql import SparkSession

    settings: Dict[str, str] = {
        "spark.ui.enabled": "false", "spark.local.dir": at, "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": os.path.join(at, "warehouse"), "spark.log.level": "ERROR",
        # Without adaptive execution, the queried plan is the executed one.
        "spark.sql.adaptive.enabled": "false",
        # One file is one task, however large.
        "spark.sql.files.maxPartitionBytes": "4g",
    }
    builder = SparkSession.builder.master("local[1]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def rows_of(frame: Any) -> Iterable[Node]:
    """All rows, in the form of the other readers."""
    for row in frame.collect():
        node = row.asDict(recursive=True)
        node["geometry"] = bytes(node["geometry"])
        yield node


def rows_read(frame: Any) -> int:
    """The number of rows that the file's reader passed to a finished query."""
    leaves = frame._jdf.queryExecution().executedPlan().collectLeaves()
    return sum(leaves.apply(at).metrics().apply("numOutputRows").value()
               for at in range(leaves.size()))


def check_values(spark: Any, binary: str, at: str, trees: List[List[str]]) -> None:
    """Every value equals that of the GeoJSON."""
    for number, arguments in enumerate(trees):
        expected = nodes_of(run_map(binary, *arguments))
        for packing in ("gzip", "none"):
            file = os.path.join(at, f"{number}.{packing}.parquet")
            run_map(binary, "--format", "parquet", "--compress", packing, "-o", file, *arguments)
            for vectorised in ("true", "false"):
                spark.conf.set("spark.sql.parquet.enableVectorizedReader", vectorised)
                compare(f"parquet {packing} in Spark", expected,
                        from_parquet(rows_of(spark.read.parquet(file))))
    spark.conf.unset("spark.sql.parquet.enableVectorizedReader")


def check_pruning(spark: Any, binary: str, at: str, folder: str) -> str:
    """A query for a box reads only the row groups that meet it."""
    import pyarrow.parquet

    file = os.path.join(at, "pruned.parquet")
    run_map(binary, "--format", "parquet", "-o", file, folder)
    source = pyarrow.parquet.ParquetFile(file)
    groups = [(bounds_of(source, group), source.metadata.row_group(group).num_rows)
              for group in range(source.metadata.num_row_groups)]
    expected = nodes_of(run_map(binary, folder))
    chosen = [expected[len(expected) * at // 7] for at in range(7)]
    read = []
    for box in [box_of(node) for node in chosen] + [(-180.0, -90.0, -179.5, -89.5)]:
        frame = spark.read.parquet(file).where(condition(box)).select("id")
        ids = [row["id"] for row in frame.collect()]
        ours = sorted(node["id"] for node in expected if meets(box_of(node), box))
        if sorted(exactly(ids, expected, box)) != ours:
            fail(f"parquet in Spark: the box {box} does not hold what it should")
        count = sum(rows for group, rows in groups if meets(group, box))
        if rows_read(frame) != count:
            fail(f"parquet in Spark: {rows_read(frame)} rows are read for {box}, {count} would do")
        read.append(count)
    return (f"a small box reads {sorted(read)[len(read) // 2]} rows in the median, of {len(expected)} "
            f"in {len(groups)} row groups")


def condition(box: Bounds) -> str:
    """The condition on rows that may meet a box."""
    west, south, east, north = box
    return (f"bbox.xmin <= {east!r}D AND bbox.xmax >= {west!r}D AND bbox.ymin <= {north!r}D "
            f"AND bbox.ymax >= {south!r}D")


def main() -> None:
    """Runs the command line."""
    if len(sys.argv) != 3:
        sys.exit("usage: check_spark.py BINARY DIR")
    if not is_there("pyspark", "pyarrow") or shutil.which("java") is None:
        skip("no Java, pyspark or pyarrow")
    binary, folder = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="geomapper-spark-") as at:
        spark = begin(at)
        try:
            awkward = make_awkward(at)
            check_values(spark, binary, at, [[awkward], ["--totals", "--links", awkward], [folder]])
            print(f"vectors in Spark {spark.version}: every value is that of the GeoJSON; "
                  f"{check_pruning(spark, binary, at, folder)}")
        finally:
            spark.stop()


if __name__ == "__main__":
    main()
