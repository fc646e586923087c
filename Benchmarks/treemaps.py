"""Treemaps, to compare the movement of files with: rectangles whose areas show the sizes of files.

A tree is a dictionary of names: a folder is a dictionary, a file is its weight. A rectangle is (left, top,
width, height).
"""
from typing import Callable, Dict, Iterator, List, Tuple, Union

Tree = Dict[str, Union["Tree", float]]
Box = Tuple[float, float, float, float]
Rows = List[Tuple[str, float]]
Layout = Callable[[Rows, Box, int], Iterator[Tuple[str, Box]]]


def tree_of(weights: Dict[str, float]) -> Tree:
    """The tree of some paths; a path that is also a folder is not a file."""
    tree: Tree = {}
    for path in sorted(weights):
        *folders, name = path.split("/")
        at = tree
        for folder in folders:
            below = at.get(folder)
            if not isinstance(below, dict):
                below = at[folder] = {}
            at = below
        if not isinstance(at.get(name), dict):
            at[name] = weights[path]
    return tree


def slice_and_dice(rows: Rows, box: Box, depth: int) -> Iterator[Tuple[str, Box]]:
    """Cuts a rectangle in one direction, in the order of the names; folders in it are cut in the other."""
    left, top, width, height = box
    total = sum(weight for _, weight in rows)
    for name, weight in sorted(rows):
        part = weight / total
        if depth % 2 == 0:
            yield name, (left, top, width * part, height)
            left += width * part
        else:
            yield name, (left, top, width, height * part)
            top += height * part


def squarified(rows: Rows, box: Box, _depth: int) -> Iterator[Tuple[str, Box]]:
    """Fills rows along the shorter side, the largest first, while that makes rectangles more square.

    Bruls, Huizing and van Wijk: Squarified Treemaps, 2000.
    """
    left, top, width, height = box
    order = sorted(rows, key=lambda row: (-row[1], row[0]))
    scale = width * height / sum(weight for _, weight in order)
    at = 0
    while at < len(order):
        side = min(width, height)
        end, area, worst = at, 0.0, float("inf")
        largest = order[at][1] * scale
        while end < len(order):
            smallest = order[end][1] * scale
            grown = area + smallest
            ratio = max(side * side * largest / (grown * grown), grown * grown / (side * side * smallest))
            if ratio > worst:
                break
            end, area, worst = end + 1, grown, ratio
        depth = area / side
        offset = 0.0
        for name, weight in order[at:end]:
            length = weight * scale / depth
            if width >= height:
                yield name, (left, top + offset, depth, length)
            else:
                yield name, (left + offset, top, length, depth)
            offset += length
        if width >= height:
            left, width = left + depth, max(width - depth, 1e-300)
        else:
            top, height = top + depth, max(height - depth, 1e-300)
        at = end


def boxes(tree: Tree, layout: Layout) -> Dict[str, Box]:
    """The rectangles of a tree's files in a square of side 1, by path; files without weight are left out."""
    found: Dict[str, Box] = {}

    def weigh(entry: Union[Tree, float]) -> float:
        return sum(weigh(one) for one in entry.values()) if isinstance(entry, dict) else entry

    def place(folder: Tree, path: str, box: Box, depth: int) -> None:
        rows = [(name, weigh(entry)) for name, entry in folder.items()]
        for name, part in layout([row for row in rows if row[1] > 0], box, depth):
            entry = folder[name]
            if isinstance(entry, dict):
                place(entry, f"{path}{name}/", part, depth + 1)
            else:
                found[path + name] = part

    if weigh(tree) > 0:
        place(tree, "", (0.0, 0.0, 1.0, 1.0), 0)
    return found


def centres(tree: Tree, layout: Layout) -> Dict[str, Tuple[float, float]]:
    return {path: (left + width / 2, top + height / 2)
            for path, (left, top, width, height) in boxes(tree, layout).items()}
