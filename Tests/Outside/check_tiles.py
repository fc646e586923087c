#!/usr/bin/env python3
"""Reads the server's tiles with other programs.

    check_tiles.py BINARY DIR

Every tile down to zoom 4, and some on the way down to single files, is read with the library mapbox-vector-tile. It
is checked against the specification: direction of rings, nothing beyond the buffer, ids. It is also compared with
the same tile as GeoJSON. Python's gzip decompresses the server's answers. GDAL reads the same tiles from archives
(check_pmtiles.py).
"""

import gzip
import json
from typing import Any, Dict, List, Set, Tuple

from outside import fail, given, same, skip
from served import Served, serving

try:
    import mapbox_vector_tile
except ImportError:
    mapbox_vector_tile = None

BUFFER, EXTENT = 64, 4096
REQUIRED = {
    "land": {"path", "name", "kind", "depth", "minzoom", "breadth"},
    "cells": {"depth"},
    "towns": {"folder", "files", "minzoom"},
    "files": {"name", "folder", "kind", "depth", "minzoom"},
    "labels": {"name", "path", "kind", "depth", "minzoom", "breadth"},
}
Tile = Tuple[int, int, int]


def area(ring: List[List[int]]) -> int:
    """Twice the area by the shoelace formula, with y running south."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:]))


def check_geometry(tile: Tile, layer: str, feature: Dict[str, Any]) -> None:
    """One ring that is clockwise on the screen, or one point; within the buffer."""
    kind, coordinates = feature["geometry"]["type"], feature["geometry"]["coordinates"]
    if layer in ("land", "cells", "towns"):
        if kind != "Polygon" or len(coordinates) != 1:
            fail(f"{tile}: a land that is a {kind} of {len(coordinates)} rings")
        if area(coordinates[0]) <= 0 or coordinates[0][0] != coordinates[0][-1]:
            fail(f"{tile}: a ring that runs the wrong way: {coordinates[0]}")
        points = coordinates[0]
    else:
        if kind != "Point":
            fail(f"{tile}: {layer} with a {kind}")
        points = [coordinates]
    buffer = 0 if layer == "labels" else BUFFER
    for x, y in points:
        if not (-buffer <= x <= EXTENT + buffer and -buffer <= y <= EXTENT + buffer):
            fail(f"{tile}: {layer} at {x}, {y}")


def check(served: Served, tile: Tile) -> int:
    """Checks a tile in all its forms; returns its number of nodes."""
    path = "/tiles/%d/%d/%d" % tile
    plain = served.get(path + ".mvt")
    packed = served.get(path + ".mvt", {"Accept-Encoding": "gzip"})
    collection = served.get(path + ".json")
    if plain.status == 204:
        same(f"{tile}: empty in each form", (packed.status, collection.status), (204, 204))
        return 0
    same(f"{tile}: packed", gzip.decompress(packed.body), plain.body)
    layers = mapbox_vector_tile.decode(plain.body, default_options={"y_coord_down": True})
    known: Dict[int, Dict[str, Any]] = {}
    for name, layer in layers.items():
        if layer["extent"] != EXTENT or layer["version"] != 2 or name not in REQUIRED:
            fail(f"{tile}: layer {name}: {layer['extent']}, version {layer['version']}")
        seen: Set[int] = set()
        for feature in layer["features"]:
            if feature["id"] in seen or not 0 < feature["id"] < 1 << 53:
                fail(f"{tile}: id {feature['id']} in {name}")
            seen.add(feature["id"])
            missing = REQUIRED[name] - feature["properties"].keys()
            if name == "towns":
                if feature["properties"]["minzoom"] <= tile[0]:
                    fail(f"{tile}: a town whose files are to be seen: {feature['properties']}")
                check_geometry(tile, name, feature)
                continue
            if missing or feature["properties"].get("minzoom", 0) > tile[0]:
                fail(f"{tile}: {feature['properties']} lacks {missing}, or is not to be seen")
            check_geometry(tile, name, feature)
            if name in ("land", "files"):
                known[feature["id"]] = feature["properties"]
    features = json.loads(collection.body)["features"]
    same(f"{tile}: the nodes as GeoJSON", {feature["id"] for feature in features}, set(known))
    for feature in features:
        properties, other = feature["properties"], known[feature["id"]]
        place = other.get("path") or f"{other['folder']}/{other['name']}"
        same(f"{tile}: a node as GeoJSON", (properties["path"], properties.get("size")), (place, other.get("size")))
    return len(known)


def way_down(served: Served) -> List[Tile]:
    """Tiles on the way from the world to single files."""
    found = []
    for x, y in [(1, 1), (2, 1), (1, 2), (2, 2)]:
        tile = (2, x, y)
        while tile[0] < 30:
            children = [(tile[0] + 1, 2 * tile[1] + i, 2 * tile[2] + j)
                        for i in (0, 1) for j in (0, 1)]
            sizes = [len(served.get("/tiles/%d/%d/%d.mvt" % child).body) for child in children]
            tile = children[sizes.index(max(sizes))]
            found.append(tile)
    return found


def main() -> None:
    options = given(__doc__, "binary", "folder")
    if mapbox_vector_tile is None:
        skip("the Python library mapbox-vector-tile is missing")
    with serving(options.binary, options.folder) as served:
        tiles = [(z, x, y) for z in range(5) for x in range(1 << z) for y in range(1 << z)]
        tiles += way_down(served)
        nodes = [check(served, tile) for tile in tiles]
    if max(nodes) > 4096 * 1.1:
        fail(f"a tile of {max(nodes)} nodes")
    print(f"{len(tiles)} tiles, {sum(nodes)} nodes, {max(nodes)} at most in one")


if __name__ == "__main__":
    main()
