#!/usr/bin/env python3
"""Compares the values of layers in maps with sums in Python.

    check_layers.py GEOMAPPER [--seeds N]

Random trees with awkward names get random tables for each way to sum up: whole numbers, fractions, ratios and words,
at files, at folders and at paths that don't exist, in random order. What each file and folder has to say follows from
the definition, here in Python. GeoJSON, CSV (by a parser of its own), GeoParquet (by pyarrow), FlatGeobuf (by pyogrio)
and tiles (by mapbox-vector-tile and pmtiles) have to say it, also with filters and selections, with the same bytes for
1, 2 and 7 threads and any order of rows. What can't be imported is left out, with a message.
"""

import gzip
import json
import math
import os
import random
import subprocess
import tempfile
from decimal import Decimal
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union
from urllib.parse import quote_from_bytes, unquote_to_bytes

from outside import fail, given, importable, run, run_map, same

NAMES = [b"a", b"aa", b"a.b", b"b c", b"quote\"s", b"new\nline", b"\xff\xfe", "é漢🙂".encode(), b"a,b", b"-x", b"~",
         b"x=1", b"back\\slash", b"tab\t", b"percent%41", b"#hash", b"a\xc3", b"q.skip", b"z.skip"]
WORDS = ["Ann", "Bob", "Zoë", "with, comma", "with \"quote\"", "漢字", "ann", "12x"]
FRACTIONS = ["0.1", "0.2", "0.7", "-3.5", "1e16", "-1e16", "1e-7", "123456.789", "2.5e300", "0", "7", "-0.0", "1e22"]
HOWS = ["sum", "sum", "mean", "ratio", "max", "min", "share"]
Value = Union[int, float, str, Tuple[float, float]]
Members = Dict[str, Union[int, float, str]]


class Layer(NamedTuple):
    """A layer: how it is summed up, whether all its numbers are whole, and the value of each path."""
    name: str
    how: str
    is_whole: bool
    values: Dict[bytes, Value]


class Folder:
    """A folder of a tree, with the sizes of its files."""

    def __init__(self, path: bytes) -> None:
        self.path = path
        self.files: Dict[bytes, int] = {}
        self.folders: Dict[bytes, "Folder"] = {}

    def all(self) -> Iterator["Folder"]:
        """The folder and all below it."""
        yield self
        for name in sorted(self.folders):
            yield from self.folders[name].all()

    def without(self, is_left_out: Callable[[bytes], bool]) -> "Folder":
        """The folder without entries of some names."""
        folder = Folder(self.path)
        folder.files = {name: size for name, size in self.files.items() if not is_left_out(name)}
        folder.folders = {
            name: inner.without(is_left_out) for name, inner in self.folders.items() if not is_left_out(name)}
        return folder


def make_tree(generator: random.Random, at: bytes, label: bytes) -> Folder:
    """Makes a random tree on the disk."""
    root = Folder(label)
    folders = [(root, at)]
    for _ in range(generator.randrange(0, 25)):
        folder, path = generator.choice(folders[-3:] if generator.random() < 0.4 else folders)
        name = generator.choice(NAMES)
        if name in folder.files or name in folder.folders:
            continue
        folder.folders[name] = Folder(folder.path + b"/" + name)
        os.mkdir(path + b"/" + name)
        folders.append((folder.folders[name], path + b"/" + name))
    for folder, path in folders:
        count = generator.choice([0, 1, 3, 6, 40])
        for number in range(count):
            name = b"f%d" % number if count > 20 else generator.choice(NAMES)
            if name in folder.folders or name in folder.files:
                continue
            folder.files[name] = generator.choice([0, 0, 1, 5, 5, 1000])
            Path(os.fsdecode(path + b"/" + name)).write_bytes(b"x" * folder.files[name])
    return root


def make_layer(generator: random.Random, name: str, how: str, root: Folder) -> Tuple[Layer, Dict[bytes, List[str]]]:
    """A random layer, and its values as texts."""
    is_whole = generator.random() < 0.5
    texts: Dict[bytes, List[str]] = {}

    def number() -> str:
        return str(generator.choice([0, 1, 7, -3, 99, 2**53 - 1])) if is_whole else generator.choice(FRACTIONS)

    def text() -> List[str]:
        if how == "share":
            return [generator.choice(WORDS)]
        if how == "ratio":
            return [number(), str(generator.randrange(0, 9))]
        return [number()]

    for folder in root.all():
        if generator.random() < 0.15:
            texts[folder.path] = text()
        for file in folder.files:
            if generator.random() < 0.6:
                texts[folder.path + b"/" + file] = text()
    for stranger in range(generator.randrange(0, 4)):
        texts[root.path + b"/no/such %d" % stranger] = text()
    whole = how != "share" and all(parts[0].lstrip("-").isdigit() for parts in texts.values())
    values: Dict[bytes, Value] = {}
    for path, parts in texts.items():
        if how == "share":
            values[path] = parts[0]
        elif how == "ratio":
            if float(parts[1]) != 0:
                values[path] = (float(parts[0]), float(parts[1]))
        else:
            values[path] = int(parts[0]) if whole and how != "mean" else float(parts[0]) + 0.0
    return Layer(name, how, whole and how in ("sum", "max", "min"), values), texts


class Table(NamedTuple):
    """A table with some layers."""
    file: str
    path_column: str
    columns: List[str]
    rows: List[List[str]]

    def write(self, generator: random.Random) -> None:
        """Writes the table with its rows in random order."""
        rows = list(self.rows)
        generator.shuffle(rows)
        with open(self.file, "w", encoding="utf-8", newline="") as out:
            for row in [[self.path_column] + self.columns] + rows:
                out.write(",".join(quoted(field) for field in row) + generator.choice(["\n", "\r\n"]))


def quoted(field: str) -> str:
    """A field of CSV."""
    return '"' + field.replace('"', '""') + '"' if any(character in field for character in ",\"\r\n") else field


def path_text(generator: random.Random, path: bytes, label: bytes, at: bytes) -> bytes:
    """One of the texts for a path."""
    below = path[len(label) + 1:]
    forms = [path, at + b"/" + below if below else at]
    if below:
        forms += [below, b"./" + below, below.replace(b"/", b"//")]
    return generator.choice(forms)


def clamped(number: float) -> float:
    """A sum within the finite numbers."""
    limit = 1.7976931348623157e308
    return max(-limit, min(limit, number))


class Sums:
    """What each node says of a layer, by the definition."""

    def __init__(self, layer: Layer, root: Folder) -> None:
        self.layer = layer
        self.said: Dict[bytes, Members] = {}
        self.folder(root)

    def folder(self, folder: Folder) -> Any:
        """Sums up a folder; returns what its parent adds."""
        layer, values = self.layer, self.layer.values
        own = values.get(folder.path)
        parts: List[Any] = [own] if layer.how == "sum" and own is not None else []
        files: List[Tuple[Value, int]] = []
        for name in sorted(folder.files):
            path = folder.path + b"/" + name
            if path in values:
                self.said[path] = {layer.name: self.value([values[path]], 1)}
                files.append((values[path], folder.files[name]))
                if layer.how == "ratio" and self.said[path][layer.name] is None:
                    self.said[path] = {}
        parts += [value for value, _ in files]
        for name in sorted(folder.folders):
            inner, more = self.folder(folder.folders[name])
            if inner is not None:
                parts.append(inner)
            files += more
        total = self.total(parts)
        count = len(files)
        if own is not None and layer.how != "sum":
            self.say(folder.path, [own], 1, [(own, 1)])
        elif total is not None:
            self.say(folder.path, [total], count, files)
        return total, files

    def total(self, parts: List[Any]) -> Any:
        """The sum of a folder's parts, in their order; nothing without any."""
        if not parts:
            return None
        how = self.layer.how
        if how in ("max", "min"):
            return max(parts) if how == "max" else min(parts)
        if how == "share":
            return 0
        total = parts[0]
        for part in parts[1:]:
            if how == "ratio":
                total = (clamped(total[0] + part[0]), clamped(total[1] + part[1]))
            else:
                total = total + part if self.layer.is_whole else clamped(total + part)
        return total

    def value(self, totals: List[Any], count: int) -> Any:
        """The value that follows from a sum."""
        total = totals[0]
        if self.layer.how == "mean":
            return total / count
        if self.layer.how == "ratio":
            return total[0] / total[1] + 0.0
        return total

    def say(self, path: bytes, totals: List[Any], count: int, files: List[Tuple[Value, int]]) -> None:
        """Takes note of what a folder says."""
        name, how = self.layer.name, self.layer.how
        if how == "share":
            by_bytes = any(size for _, size in files)
            amounts: Dict[str, int] = {}
            for word, size in files:
                amounts[str(word)] = amounts.get(str(word), 0) + (size if by_bytes else 1)
            most = max(amounts.values())
            best = min((word for word in amounts if amounts[word] == most), key=lambda word: word.encode())
            share = math.floor(most / sum(amounts.values()) * 10_000 + 0.5) / 10_000
            self.said[path] = {name: best, f"{name}_share": share}
        elif how in ("mean", "ratio"):
            self.said[path] = {name: self.value(totals, count), f"{name}_count": count}
        else:
            self.said[path] = {name: totals[0]}


def decimal(number: Union[int, float]) -> str:
    """The shortest text of a number, without an exponent."""
    text = format(Decimal(repr(number)), "f")
    return text.removesuffix(".0") if "." in text else text


def expected(layers: List[Layer], root: Folder) -> Dict[bytes, Members]:
    """The members of all nodes."""
    said: Dict[bytes, Members] = {}
    for layer in layers:
        for path, members in Sums(layer, root).said.items():
            said.setdefault(path, {}).update(members)
    return said


def columns(layers: List[Layer]) -> List[str]:
    """All members in their order."""
    more = {"share": "_share", "mean": "_count", "ratio": "_count"}
    return [name for layer in layers for name in
            ([layer.name] + ([layer.name + more[layer.how]] if layer.how in more else []))]


def texts(members: Members) -> Dict[str, str]:
    """Members as they are written."""
    return {name: value if isinstance(value, str) else decimal(value) for name, value in members.items()}


def check_geojson(data: bytes, layers: List[Layer], said: Dict[bytes, Members], what: str) -> Dict[str, Any]:
    """Compares the members of a map; returns header and summary."""
    class Number(str):
        """A number as written."""
    parsed = json.loads(data, parse_float=Number, parse_int=Number)
    header = parsed["geomapper"]
    same(f"{what}: header", header["layers"], [{"name": layer.name, "how": layer.how} for layer in layers])
    names = columns(layers)
    for feature in parsed["features"]:
        properties = feature["properties"]
        path = unquote_to_bytes(properties["rawPath"]) if "rawPath" in properties else properties["path"].encode()
        found = {name: str(properties[name]) for name in names if name in properties}
        same(f"{what}: {path!r}", found, texts(said.get(path, {})))
        tail = [name for name in properties if name in found]
        same(f"{what}: order of {path!r}", list(properties)[len(properties) - len(tail):],
             [name for name in names if name in found])
    return {"count": len(parsed["features"]), **parsed["summary"]}


def records(data: str) -> List[List[str]]:
    """The records of CSV (RFC 4180)."""
    rows, row, field, is_quoted, index = [], [], "", False, 0
    while index < len(data):
        character = data[index]
        if is_quoted:
            if character == '"' and data[index + 1:index + 2] == '"':
                field, index = field + '"', index + 1
            elif character == '"':
                is_quoted = False
            else:
                field += character
        elif character == '"':
            is_quoted = True
        elif character == ",":
            row.append(field)
            field = ""
        elif character == "\r" and data[index + 1:index + 2] == "\n":
            row.append(field)
            rows.append(row)
            row, field, index = [], "", index + 1
        else:
            field += character
        index += 1
    return rows


def node_path(row: Dict[str, Any]) -> bytes:
    """The path of a row."""
    raw = row.get("rawPath")
    return unquote_to_bytes(raw) if raw else str(row["path"]).encode()


def check_csv(data: bytes, layers: List[Layer], said: Dict[bytes, Members]) -> None:
    """Compares the fields of a table."""
    rows = records(data.decode())
    names = columns(layers)
    same("CSV: columns", rows[0][-len(names):], names)
    for row in rows[1:]:
        path = node_path(dict(zip(rows[0], row)))
        wanted = texts(said.get(path, {}))
        same(f"CSV: {path!r}", row[-len(names):], [wanted.get(name, "") for name in names])


def check_rows(what: str, rows: List[Dict[str, Any]], names: List[str], said: Dict[bytes, Members]) -> None:
    """Compares rows of typed values."""
    for row in rows:
        path = node_path(row)
        wanted = said.get(path, {})
        for name in names:
            value = row[name]
            if isinstance(value, float) and math.isnan(value):
                value = None
            same(f"{what}: {name} of {path!r}", value, wanted.get(name))


def check_parquet(file: str, layers: List[Layer], said: Dict[bytes, Members]) -> None:
    """Compares a GeoParquet file by pyarrow."""
    import pyarrow.parquet as parquet  # pylint: disable=import-outside-toplevel,import-error
    table = parquet.read_table(file)
    for layer in layers:
        kind = "string" if layer.how == "share" else "int64" if layer.is_whole else "double"
        same(f"Parquet: type of {layer.name}", str(table.schema.field(layer.name).type), kind)
    header = json.loads(parquet.read_metadata(file).metadata[b"geomapper"])
    same("Parquet: layers", [layer["name"] for layer in header["layers"]], [layer.name for layer in layers])
    names = columns(layers)
    check_rows("Parquet", table.select(["path", "rawPath"] + names).to_pylist(), names, said)
    metadata = parquet.read_metadata(file)
    for group in range(metadata.num_row_groups):
        for index in range(metadata.num_columns):
            column = metadata.row_group(group).column(index)
            if column.path_in_schema in names and column.statistics and column.statistics.has_min_max:
                values = [value for value in
                          parquet.ParquetFile(file).read_row_group(group, [column.path_in_schema])[0].to_pylist()
                          if value is not None]
                same(f"Parquet: bounds of {column.path_in_schema}",
                     (column.statistics.min, column.statistics.max),
                     (min(values, key=sortable), max(values, key=sortable)))


def sortable(value: Any) -> Any:
    """A value in the order of Parquet's bounds."""
    return value.encode() if isinstance(value, str) else value


def check_flatgeobuf(file: str, layers: List[Layer], said: Dict[bytes, Members]) -> None:
    """Compares a FlatGeobuf file by pyogrio."""
    import pyogrio  # pylint: disable=import-outside-toplevel,import-error
    info = pyogrio.read_info(file)
    kinds = dict(zip(info["fields"], info["dtypes"]))
    for layer in layers:
        kind = "object" if layer.how == "share" else "int64" if layer.is_whole else "float64"
        same(f"FlatGeobuf: type of {layer.name}", kinds[layer.name], kind)
    names = columns(layers)
    wanted = ["path", "rawPath"] + names
    meta, _, _, fields = pyogrio.raw.read(file, columns=wanted, read_geometry=False)
    by_name = dict(zip(meta["fields"], fields))
    whole = {name for name in names if kinds[name].startswith("int")}
    rows = [dict(zip(wanted, row)) for row in zip(*(by_name[name].tolist() for name in wanted))]
    for row in rows:
        for name in names:
            if name in whole and isinstance(row[name], float) and not math.isnan(row[name]):
                # Columns with nulls come as doubles, which hold these whole numbers only nearly.
                value = said.get(node_path(row), {}).get(name)
                if value is not None and float(value) == row[name]:
                    row[name] = value
    check_rows("FlatGeobuf", rows, names, said)


def check_tiles(file: str, layers: List[Layer], said: Dict[bytes, Members]) -> int:
    """Compares the nodes of an archive's tiles; returns their number."""
    import mapbox_vector_tile  # pylint: disable=import-outside-toplevel,import-error
    from pmtiles.reader import MmapSource, Reader, all_tiles  # pylint: disable=import-outside-toplevel,import-error
    names = columns(layers)
    seen = set()
    with open(file, "rb") as opened:
        source = MmapSource(opened)
        metadata = Reader(source).metadata()
        same("tiles: layers", json.loads(metadata["geomapper:layers"]),
             [{"name": layer.name, "how": layer.how} for layer in layers])
        for layer in metadata["vector_layers"]:
            if layer["id"] in ("land", "cells", "files"):
                for own in layers:
                    same(f"tiles: type of {own.name}", layer["fields"][own.name],
                         "String" if own.how == "share" else "Number")
        for _, data in all_tiles(source):
            tile = mapbox_vector_tile.decode(gzip.decompress(data))
            for layer in ("land", "cells", "files"):
                for feature in tile.get(layer, {"features": []})["features"]:
                    row = feature["properties"]
                    if "folder" in row:
                        path = (unquote_to_bytes(row["rawFolder"]) if "rawFolder" in row else row["folder"].encode()) \
                            + b"/" + (unquote_to_bytes(row["rawName"]) if "rawName" in row else row["name"].encode())
                    elif "path" in row:
                        path = node_path(row)
                    else:
                        continue
                    seen.add(path)
                    same(f"tiles: {path!r}", {name: row[name] for name in names if name in row}, said.get(path, {}))
    missing = {path for path in said if path not in seen}
    if missing:
        fail(f"tiles: no node of {sorted(missing)[:5]!r}")
    return len(seen)


def check_find(binary: str, folder: str, options: List[str], layers: List[Layer], said: Dict[bytes, Members],
               what: str) -> None:
    """Compares what find says of all nodes, and its order by each layer."""
    for layer in layers:
        lines = run(binary, "find", "-q", "--limit", "all", "--format", "geojsonl", "--sort", layer.name, *options, "*",
                    folder).splitlines()
        keys = []
        for line in lines:
            properties = json.loads(line, parse_float=str, parse_int=str)["properties"]
            path = node_path(properties)
            found = {name: properties[name] for name in columns(layers) if name in properties}
            same(f"{what}: find {path!r}", found, texts(said.get(path, {})))
            value = found.get(layer.name)
            order = b"" if value is None else value.encode() if layer.how == "share" else -float(value)
            keys.append((value is None, 0 if value is None else order))
        same(f"{what}: nodes that find finds by {layer.name}", len(keys) > 0, True)
        same(f"{what}: order of find by {layer.name}", keys, sorted(keys))


def check(binary: str, seed: int, at: str, modules: List[str]) -> int:
    """Checks a random tree; returns the number of values."""
    generator = random.Random(seed)
    label = b"the root"
    place = os.path.join(at, "the root").encode()
    os.mkdir(place)
    root = make_tree(generator, place, label)
    layers, options, tables = [], [], []
    for number, how in enumerate(generator.sample(HOWS, generator.randrange(1, len(HOWS) + 1))):
        layer, values = make_layer(generator, f"{how}{number}", how, root)
        if not values:
            continue
        layers.append(layer)
        file = os.path.join(at, f"table{number}.csv")
        is_raw = generator.random() < 0.5 or any(not is_text(path) for path in values)
        rows = []
        for path, parts in values.items():
            text = path_text(generator, path, label, place)
            rows.append([quote_from_bytes(text, safe="/") if is_raw else text.decode()] + parts)
        tables.append(Table(file, "rawPath" if is_raw else "path", ["A", "B"][:len(rows[0]) - 1], rows))
        options += ["--layer", f"{layer.name}:{how}={file}#" + ("A/B" if how == "ratio" else "A")]
    if not layers:
        return 0
    said = expected(layers, root)
    folder = os.fsdecode(place)

    def maps(*more: str) -> bytes:
        """The map, the same for several numbers of threads and orders of rows."""
        found = None
        for threads in (1, 2, 7):
            for table in tables:
                table.write(generator)
            data = run_map(binary, "--threads", str(threads), folder, *options, *more)
            found = found or data
            same(f"seed {seed}, {more}, {threads} threads", data, found)
        return found or b""

    what = f"seed {seed}"
    data = maps()
    summary = check_geojson(data, layers, said, what)
    nodes = sum(1 + len(inner.files) for inner in root.all())
    same(f"{what}: nodes", summary["count"], nodes)
    there = {inner.path for inner in root.all()} | {
        inner.path + b"/" + name for inner in root.all() for name in inner.files}
    lost = {layer.name: sum(path not in there for path in layer.values) for layer in layers}
    same(f"{what}: unmatched", {name: int(count) for name, count in summary.get("unmatched", {}).items()},
         {name: count for name, count in lost.items() if count})
    file = os.path.join(at, "map.geojson")
    Path(file).write_bytes(data)
    report = json.loads(run(binary, "verify", "--format", "json", file))
    same(f"{what}: verify", report["right"], True)
    changes = subprocess.run([binary, "diff", "-q", file, file], capture_output=True, check=False)
    same(f"{what}: diff of maps", (changes.returncode, changes.stderr), (0, b""))
    for more in (["--zoom", "4"], ["--max-depth", "1"], ["--max-depth", "2", "--totals"], ["--totals"]):
        check_geojson(maps(*more), layers, said, f"{what}, {more}")
    less = root.without(lambda name: name.endswith(b".skip"))
    for more in (["--exclude", "*.skip"], ["--exclude", "*.skip", "--totals"]):
        check_geojson(maps(*more), layers, expected(layers, less), f"{what}, {more}")
        check_find(binary, folder, options + more[:2], layers, expected(layers, less), f"{what}, {more}")
    check_find(binary, folder, options, layers, said, what)
    check_csv(maps("--format", "csv"), layers, said)
    for name, module, checks in (
            ("parquet", "pyarrow", check_parquet), ("flatgeobuf", "pyogrio", check_flatgeobuf)):
        file = os.path.join(at, f"map.{name}")
        Path(file).write_bytes(maps("--format", name))
        if module in modules:
            checks(file, layers, said)
    archive = os.path.join(at, "map.pmtiles")
    for more, seen in (([], root), (["--exclude", "*.skip", "--totals"], less)):
        Path(archive).write_bytes(maps("--format", "pmtiles", "--sparse", "--max-zoom", "14", *more))
        if {"mapbox_vector_tile", "pmtiles"} <= set(modules):
            check_tiles(archive, layers, shown(expected(layers, seen), seen))
    return sum(len(layer.values) for layer in layers)


def shown(said: Dict[bytes, Members], root: Folder) -> Dict[bytes, Members]:
    """The values of nodes of a tree."""
    paths = {folder.path for folder in root.all()} | {
        folder.path + b"/" + name for folder in root.all() for name in folder.files}
    return {path: members for path, members in said.items() if path in paths}


def is_text(path: bytes) -> bool:
    """Whether a path can be in a table as it is."""
    try:
        return bool(path.decode())
    except UnicodeDecodeError:
        return False


def main() -> None:
    """Checks random trees."""
    arguments = given(__doc__, "binary", seeds=6, first=0)
    modules = importable("pyarrow", "pyogrio", "mapbox_vector_tile", "pmtiles")
    for module in {"pyarrow", "pyogrio", "mapbox_vector_tile", "pmtiles"} - set(modules):
        print(f"skipped: formats that {module} reads")
    count = 0
    for seed in range(arguments.first, arguments.first + arguments.seeds):
        with tempfile.TemporaryDirectory() as at:
            count += check(arguments.binary, seed, at, modules)
    print(f"{arguments.seeds} trees, {count} values, with sums in Python")


if __name__ == "__main__":
    main()
