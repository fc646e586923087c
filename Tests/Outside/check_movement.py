"""Runs Benchmarks/movement.py on made-up tables, and checks the treemaps that it compares maps with.

    check_movement.py GEOMAPPER
"""

import os
import random
import re
import sys
import tempfile

from outside import fail, given, put, run, same

BENCHMARKS = os.path.join(os.path.dirname(__file__), "../../Benchmarks")
sys.path.insert(0, BENCHMARKS)
import treemaps  # noqa: E402

# Entries missing from the first table are new; one folder grows, one file goes.
TABLES = [
    {"src/a.c": 10, "src/b.c": 20, "src/in/c.c": 30, "doc/d": 40, "e": 5, "none": 0},
    {"src/a.c": 10, "src/b.c": 25, "src/in/c.c": 90, "doc/d": 40, "e": 5, "new/f": 60},
    {"src/a.c": 10, "src/b.c": 25, "src/in/c.c": 90, "doc/d": 40, "new/f": 60},
]


def check_treemaps() -> None:
    """The rectangles fill the square without overlaps, and their areas are proportional to the weights."""
    # The example of Bruls, Huizing and van Wijk: 6 by 4, where the first two are 3 wide and 2 high.
    rows = [(str(i), weight) for i, weight in enumerate([6, 6, 4, 3, 2, 2, 1])]
    found = dict(treemaps.squarified(rows, (0, 0, 6, 4), 0))
    if found["0"] != (0, 0, 3, 2) or found["1"] != (0, 2, 3, 2):
        fail(f"the example of the article is {found}")
    for seed in range(200):
        generator = random.Random(seed)
        weights = {
            "/".join(generator.choice("abc") for _ in range(generator.randint(1, 4))):
                generator.choice([0, 1, 2, 50, 1000]) for _ in range(generator.randint(1, 20))}
        tree = treemaps.tree_of(weights)
        for layout in (treemaps.squarified, treemaps.slice_and_dice):
            boxes = treemaps.boxes(tree, layout)
            files = {path: weight for path, weight in weights.items()
                     if weight and not any(other.startswith(path + "/") for other in weights)}
            if boxes.keys() != files.keys():
                fail(f"seed {seed}: {sorted(boxes)} are drawn, not {sorted(files)}")
            total = sum(files.values())
            for path, (left, top, width, height) in boxes.items():
                if abs(width * height - files[path] / total) > 1e-9:
                    fail(f"seed {seed}: {path} has the area {width * height}")
                if min(left, top, 1 - left - width, 1 - top - height) < -1e-9:
                    fail(f"seed {seed}: {path} is outside")
                for other, (x, y, across, down) in boxes.items():
                    common = min(left + width, x + across) - max(left, x), min(top + height, y + down) - max(top, y)
                    if other != path and min(common) > 1e-9:
                        fail(f"seed {seed}: {path} lies over {other}")


def check_tables(binary: str) -> str:
    """The figures of made-up tables are printed with the right shares."""
    with tempfile.TemporaryDirectory(prefix="geomapper-tables-") as folder:
        put(folder, {
            f"made-up/2020_0{number + 1}_01.csv": "id,weight\n" + "".join(f"{path},{weight}\n" for path, weight in table.items())
            for number, table in enumerate(TABLES)})
        script = os.path.join(BENCHMARKS, "movement.py")
        printed = run(sys.executable, script, binary, "--tables", folder).decode()
        folders = run(sys.executable, script, binary, "--tables", folder, "--folders", "9", "--layout", "pinned").decode()
    # The only folder that comes is at the top.
    same("what one folder moves", folders, "a folder added at the top: mean 0.0 %, median 0.0 %, largest 0.0 %, "
         "nothing moved in 1 of 1\n")
    lines = printed.splitlines()
    figures = {line.split(":")[0]: [float(number) for number in re.findall(r"([\d.]+) (?:of|%)", line)]
               for line in lines[1:]}
    same("the layouts", list(figures), ["settled", "pinned", "squarified", "slice and dice"])
    if not lines[0].startswith("made-up, 3 tables: "):
        fail(f"movement.py prints {printed}")
    if figures["pinned"] != [0.0, 0.0]:
        fail(f"a pinned file moved: {lines}")
    # Five files are in the first two tables, five in the last two; in a treemap, all of them move, and `e` never
    # does.
    if not figures["settled"][1] < figures["squarified"][1] <= 100 or figures["squarified"][1] < 80:
        fail(f"the shares are {figures}")
    return lines[-4]


def main() -> None:
    options = given(__doc__, "binary")
    check_treemaps()
    print("movement: treemaps are what they have to be; " + check_tables(options.binary))


if __name__ == "__main__":
    main()
