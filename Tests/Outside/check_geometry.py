#!/usr/bin/env python3
"""Checks with exact predicates that the map's geometry matches the tree.

    check_geometry.py BINARY DIR

Every ring is valid, simple, closed, counter-clockwise and as long as its depth requires. In layout `settled`, a
folder's land properly contains a feature exactly if the folder is an ancestor, and two folders' lands meet exactly
if one folder is in the other. In layout `pinned`, where siblings may share land, every folder still properly
contains all its descendants. This holds for folders with land and their files. Needs shapely 2; without it the
status is 77.
"""

import json
from typing import Any, Dict, List, Set, Tuple

from outside import Feature, ancestors, fail, given, raw_path, run_map, skip

try:
    import shapely
    from shapely import STRtree
except ImportError:
    skip("shapely 2 is not installed")

Pair = Tuple[int, int]


class World:
    """The features of a map, as geometries and as a tree."""

    def __init__(self, lines: bytes) -> None:
        """Reads newline-delimited GeoJSON."""
        self.features: List[Feature] = [json.loads(line) for line in lines.splitlines()]
        self.paths = [raw_path(feature) for feature in self.features]
        self.index = {path: i for i, path in enumerate(self.paths)}
        if len(self.index) != len(self.paths):
            fail("two features have the same path")
        self.polygons = [i for i, f in enumerate(self.features) if is_polygon(f)]
        landed = set(self.polygons)
        # The promises don't cover landless folders and their contents, which are in the land of their host.
        self.promised = [
            i for i, path in enumerate(self.paths)
            if i in landed
            or (self.features[i]["properties"]["kind"] == "poi"
                and self.index.get(path.rpartition(b"/")[0]) in landed)
        ]
        self.geometries = [geometry(self.features[i]) for i in range(len(self.features))]

    def expected_pairs(self) -> Set[Pair]:
        """The pairs of ancestor and descendant that the promises cover."""
        return {(self.index[above], i) for i in self.promised for above in ancestors(self.paths[i])}

    def name(self, i: int) -> str:
        """A feature's name for reports."""
        return f"{self.paths[i]!r} {json.dumps(self.features[i]['geometry'])[:600]}"


def is_polygon(feature: Feature) -> bool:
    """Whether the feature has a polygon: a folder with land."""
    return bool(feature["geometry"]["type"] == "Polygon")


def geometry(feature: Feature) -> Any:
    """The shapely geometry, from the printed doubles."""
    coordinates = feature["geometry"]["coordinates"]
    return shapely.Polygon(coordinates[0]) if is_polygon(feature) else shapely.Point(coordinates)


def check_rings(world: World) -> int:
    """Checks every single ring, and returns the total number of vertices."""
    vertices = 0
    for i in world.polygons:
        rings = world.features[i]["geometry"]["coordinates"]
        properties = world.features[i]["properties"]
        if len(rings) != 1:
            fail(f"not one ring: {world.name(i)}")
        ring, polygon = rings[0], world.geometries[i]
        if ring[0] != ring[-1]:
            fail(f"a ring is not closed: {world.name(i)}")
        if len(ring) - 1 != max(16, 256 >> properties["depth"]):
            fail(f"a ring has {len(ring) - 1} vertices: {world.name(i)}")
        if not polygon.is_valid or not polygon.exterior.is_simple:
            fail(f"{shapely.is_valid_reason(polygon)}: {world.name(i)}")
        if not polygon.exterior.is_ccw:
            fail(f"a ring is clockwise: {world.name(i)}")
        if not polygon.contains_properly(shapely.Point(properties["lon"], properties["lat"])):
            fail(f"a folder's coordinate is not in its land: {world.name(i)}")
        vertices += len(ring) - 1
    return vertices


def found_pairs(world: World, predicate: str, others: List[int]) -> Set[Pair]:
    """The pairs of a polygon and one of the others for which the predicate is true."""
    tree = STRtree([world.geometries[i] for i in others])
    lands = [world.geometries[i] for i in world.polygons]
    left, right = tree.query(lands, predicate=predicate)
    return {(world.polygons[a], others[b]) for a, b in zip(left.tolist(), right.tolist())}


def report(world: World, what: str, pairs: Set[Pair]) -> None:
    """Fails with the first pair, if any."""
    for a, b in sorted(pairs)[:1]:
        fail(f"{what} ({len(pairs)} such pairs):\n  {world.name(a)}\n  {world.name(b)}")


def check_pinned(world: World) -> Dict[str, int]:
    """Every land contains its descendants."""
    expected = world.expected_pairs()
    found = found_pairs(world, "contains_properly", world.promised)
    report(world, "the first does not contain its descendant", expected - found)
    return {"containments": len(expected)}


def check_settled(world: World) -> Dict[str, int]:
    """Containment equals ancestry in both directions, and lands meet only if one folder is in the other."""
    counts, expected = check_pinned(world), world.expected_pairs()
    found = found_pairs(world, "contains_properly", world.promised)
    report(world, "the first contains what is not in it", found - expected)
    lands = set(world.polygons)
    nested = {pair for pair in expected if pair[1] in lands}
    nested |= {(b, a) for a, b in nested} | {(i, i) for i in lands}
    meeting = found_pairs(world, "intersects", world.polygons)
    report(world, "two lands meet and neither is in the other", meeting - nested)
    return {**counts, "lands that meet": len(meeting)}


def main() -> None:
    options = given(__doc__, "binary", "folder")
    for layout, check in (("settled", check_settled), ("pinned", check_pinned)):
        world = World(run_map(
            options.binary, "--no-stat", "--layout", layout, "--format", "geojsonl", options.folder))
        if not world.polygons:
            fail("there is no land")
        vertices = check_rings(world)
        counts = "".join(f", {count} {what}" for what, count in check(world).items())
        print(f"geometry: {layout}: {len(world.polygons)} rings of {vertices} vertices, "
              f"{len(world.features)} features, {len(world.promised)} under the promise{counts}")


if __name__ == "__main__":
    main()
