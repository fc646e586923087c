#!/usr/bin/env python3
"""Makes a large tree, the same one on every machine.

    make_tree.py SHAPE DIR [--files N] [--folders N] [--seed S] [--order forward|shuffled]

Shapes, of 1,000 files and 60 folders unless other numbers are given:

    home      like a home folder: skewed, nested, hidden folders, packages in packages
    flat      one folder with all files
    wide      one folder with all others
    deep      a chain of folders
    empty     folders nested like those of a home, meant for --files 0
    lopsided  one huge folder next to many small ones
    long      names of 255 bytes, paths of more than 4,096
"""

import argparse
import errno
import os
import sys
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

SHAPES = ["home", "flat", "wide", "deep", "empty", "lopsided", "long"]
MASK = 2 ** 64 - 1


class Random:
    """SplitMix64: the same numbers from the same seed and part of a whole, on every machine."""

    def __init__(self, seed: int, part: int) -> None:
        self.state = seed ^ part * 0xD6E8FEB86659FD93 & MASK
        self.state = self.next()

    def next(self) -> int:
        self.state = z = self.state + 0x9E3779B97F4A7C15 & MASK
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        return z ^ z >> 31

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` − 1; 0 if `limit` is less than 1."""
        return 0 if limit <= 1 else self.next() * limit >> 64

    def unit(self) -> float:
        return (self.next() >> 11) * 2.0 ** -53

    def one_in(self, count: int) -> bool:
        return self.below(count) == 0

    def power_of_two(self, middle: float, spread: float) -> int:
        """A number spread around 2^`middle`, roughly normally, with a deviation of `spread` powers of two.

        Only additions are used: mathematical libraries differ between machines.
        """
        normal = -6.0
        for _ in range(12):
            normal += self.unit()
        exponent = max(0.0, min(40.0, middle + spread * normal))
        return int((1 + exponent - int(exponent)) * float(1 << int(exponent)))

    def pick(self, words: Sequence[str]) -> str:
        return words[self.below(len(words))]

    def shuffle(self, rows: List[Any]) -> None:
        for last in range(len(rows) - 1, 0, -1):
            other = self.below(last + 1)
            rows[last], rows[other] = rows[other], rows[last]


NOUNS = """
    account address agenda album analysis annex answer appendix archive article asset atlas backup balance bank
    basket batch bill block board book border branch bridge brass buffer budget build button cable cache calendar
    camera canvas card case catalog channel chapter chart check client cloud cluster code color column comment
    config contact contract control copy core cost counter course cover credit cursor customer daily data deal deck
    delta design detail device diagram dialog diary digest document domain draft drive editor effect element email
    energy engine entry error estimate event exam example exercise expense export family field figure filter final
    finance flight flow folder form format forum frame garden gateway graph grid group guide handler header health
    helmet history holiday home house icon image import index input insurance invoice item job journal kernel
    kitchen label layer layout lease ledger lesson letter level library license light list loan local log logo
    machine mail manual map margin market master matrix meeting member memo menu message method minutes mobile model
    module monitor motor music network node note notice number object offer office option order outline output
    package page paint panel paper parser parts path payment people phone photo pipeline plan plot point policy
    portal poster preview price print profile program project proposal protocol query queue quote radio rate reader
    receipt recipe record region release rent report request research result review route rule salary sample scan
    schedule school scope score screen script search season section segment server service sensor shape sheet shop
    signal sketch slide socket source space spec split sport stack staff stage state statement station status stock
    storage store story stream street string student study style summary survey switch symbol system table target
    task tax team template test text theme thread ticket time token topic tour track trade traffic train transfer
    travel tree trend trip type unit update upload user value vector version video view visit voice wallet water
    weather web week widget window winter word work worker writer year zone
""".split()
ADJECTIVES = """
    old new final draft big small blue red green early late first second third last main open public private quick
    raw real rough short shared simple smart special static strong summer total true unused urgent virtual weekly
    white wide wild yearly young
""".split()
# With characters beyond ASCII, as real names have.
FOREIGN = [
    "Übersicht", "Fähre", "résumé", "déjà vu", "niño", "São Paulo", "Łódź", "smörgås", "日本語", "写真", "отчёт",
    "Ελλάδα", "한국", "façade", "Größe", "naïve", "🎉 party", "été", "Zürich"]
PLACES = """
    Alps Amsterdam Athens Barcelona Berlin Bergen Bologna Boston Brighton Cairo Copenhagen Corsica Crete Dublin
    Edinburgh Florence Geneva Hamburg Helsinki Iceland Istanbul Kyoto Lisbon London Lofoten Madrid Malta Milan
    Munich Naples Norway Oslo Paris Porto Prague Provence Rome Sardinia Scotland Seville Sicily Stockholm Tokyo
    Toronto Tuscany Venice Vienna Warsaw Zurich
""".split()
LANGUAGES = """
    js js js js ts ts d.ts map json json md mjs cjs css py py pyc go rs c h h cpp hpp swift java class rb php html
    yml toml txt sh
""".split()
PAPERS = "pdf pdf pdf docx docx doc xlsx xlsx odt ods txt txt md pptx jpg png csv eml zip key pages html".split()
DOWNLOADS = "zip pdf tar.gz dmg deb iso jpg png mp4 exe AppImage csv torrent epub docx html".split()

# The sub-folders of fixed names, with their styles and shares of all folders below. Few folders get the first names.
NAMED = {style: [row.split(":") for row in rows.split()] for style, rows in {
    "home": """
        Projects:projects:50 .cache:cache:10 .local:settings:8 Pictures:pictures:4 Documents:papers:8
        Music:music:4 .config:settings:4 .npm:cache:4 .cargo:modules:3 Downloads:downloads:0.4 Videos:videos:0.3
        Desktop:papers:0.2 .mozilla:settings:0.6 .vscode:modules:1 .ssh:settings:0.01 Public:papers:0.01
        Templates:papers:0.01 bin:source:0.01 go:modules:0.8 .gnupg:settings:0.01""",
    "project": """
        node_modules:modules:60 src:source:14 .git:git:12 tests:source:5 docs:papers:2 build:source:3
        dist:source:1 public:source:1 scripts:source:0.5 assets:papers:0.5 .github:settings:0.3
        examples:project:1 tools:source:0.3 vendor:modules:1""",
    "module": """
        lib:source:3 dist:source:2 src:source:2 test:source:1 node_modules:modules:9 es:source:1 cjs:source:1
        esm:source:1 types:source:1 build:source:1 docs:papers:0.5 bin:source:0.2 shared:source:1
        internal:source:1""",
    "git": """
        objects:objects:20 refs:settings:2 logs:settings:2 hooks:settings:0 info:settings:0 branches:settings:0""",
}.items()}
# The style of sub-folders without a fixed name; by default that of their folder.
CHILD = {"pictures": "year", "year": "event", "music": "artist", "artist": "album", "projects": "project",
         "modules": "module", "objects": "bucket"}
# The middle of the number of files of a folder, relative to others, as a power of two; None for a random share.
FILES = {"home": 2.6, "project": 2.6, "module": 2.6, "settings": 2.6, "year": 3, "event": 5.5, "downloads": 5.5,
         "album": 3.6, "bucket": 2.5, "cache": 3.6,
         **dict.fromkeys(["projects", "modules", "music", "artist", "pictures", "git", "objects"])}
# The mean and the deviation of file sizes, as powers of two.
SIZES = {"event": (21.5, 1), "year": (21.5, 1), "pictures": (21.5, 1), "album": (22.5, 1), "artist": (22.5, 1),
         "videos": (27, 1.5), "downloads": (20, 2.5), "source": (11, 2.2), "module": (11, 2.2), "modules": (11, 2.2),
         "project": (11, 2.2), "bucket": (9, 2), "objects": (9, 2), "papers": (16, 2)}


def fan_out(style: str, budget: int, dice: Random) -> int:
    """The number of sub-folders of a folder, if it has `budget` folders below it at any depth."""
    counts = {"pictures": 18, "year": min(60, max(12, budget // 2)), "music": max(3, budget // 4), "artist": 256,
              "event": 256, "album": 256, "objects": 256, "projects": max(3, budget // 350),
              "modules": max(2, budget // 9), **dict.fromkeys(NAMED, budget)}
    if style in counts:
        drawn = counts[style]
    elif style == "long":
        drawn = 1 + dice.below(3)
    else:
        drawn = 1 + dice.power_of_two(*((4, 1.5) if style == "cache" else (1.8, 1.3)))
    return max(1, min(budget, drawn))


class Folder:
    """A planned folder: its fixed name, if it has one, its sub-folders, which are next to each other, and its files."""

    __slots__ = "style", "name", "children", "files"

    def __init__(self, style: str, name: str = "") -> None:
        self.style, self.name, self.children, self.files = style, name, range(0), 0

    @property
    def is_empty(self) -> bool:
        return not (self.files or self.children)


def parts(weights: Sequence[float], whole: int) -> Iterator[int]:
    """Distributes a whole by weights."""
    total = given = 0
    weight, everything = 0.0, 0.0
    for each in weights:  # `sum` is more exact in some versions of Python
        everything += each
    for number, each in enumerate(weights, 1):
        weight += each
        total = whole if number == len(weights) else min(whole, int(whole * weight / max(everything, 1)))
        yield total - given
        given = total


class Plan:
    """The folders of a tree, the root first. Names, sizes and times follow from the seed when the tree is made."""

    def __init__(self, shape: str, files: int, count: int, seed: int) -> None:
        self.seed = seed
        self.folders = [Folder({"home": "home", "long": "long"}.get(shape, "mixed"))]
        if shape in ("home", "empty", "long"):
            self.grow(count)
        elif shape == "deep":
            for folder in range(count - 1):
                self.add(folder, ["mixed"])
        elif shape != "flat":
            self.add(0, ["mixed"] * (count - 1))
        small = min(files // 4, 4 * (count - 1)) if shape == "lopsided" else 0 if shape == "flat" else files
        self.spread(small)
        self.folders[min(1 + count // 2, count - 1) if shape == "lopsided" else 0].files += files - small

    def add(self, folder: int, styles: Sequence[str], names: Optional[Sequence[str]] = None) -> None:
        self.folders[folder].children = range(len(self.folders), len(self.folders) + len(styles))
        self.folders += map(Folder, styles, names or [""] * len(styles))

    def grow(self, count: int) -> None:
        """Adds sub-folders to every folder in turn until there are `count` folders."""
        budgets = [count - 1]
        for at, budget in enumerate(budgets):
            if budget <= 0:
                continue
            dice = Random(self.seed, 2 * at)
            style = self.folders[at].style
            children = fan_out(style, budget, dice)
            if style in NAMED:
                names, styles, shares = zip(*NAMED[style][:children])
                self.add(at, styles, names)
                weights = [float(share) * (0.5 + dice.unit()) + 1e-6 for share in shares]
            else:
                self.add(at, [CHILD.get(style, style)] * children)
                weights = [1 / (luck * luck + 0.02) for luck in (dice.unit() for _ in range(children))]
            budgets += parts(weights, budget - len(weights))

    def spread(self, files: int) -> None:
        if files:
            weights = [self.weight(at, folder.style) for at, folder in enumerate(self.folders)]
            for folder, part in zip(self.folders, parts(weights, files)):
                folder.files += part

    def weight(self, at: int, style: str) -> float:
        dice = Random(self.seed, 2 * at + 1)
        middle = FILES.get(style, 3.2)
        if middle is None:
            return dice.unit()
        return 0.0 if dice.one_in(12) else float(dice.power_of_two(middle, 1.4))


def identifier(words: int, separator: str, dice: Random) -> str:
    return separator.join(dice.pick(NOUNS) for _ in range(words))


def title(words: int, dice: Random) -> str:
    start = ""
    if dice.one_in(40):
        start = dice.pick(FOREIGN) + (" " if words > 1 else "")
    elif dice.one_in(3):
        start = dice.pick(ADJECTIVES) + " "
    return start + identifier(words, " ", dice).capitalize()


def digits(count: int, dice: Random) -> str:
    return "".join(f"{dice.next():016x}"[::-1] for _ in range((count + 15) // 16))[:count]


def picture(number: int, dice: Random) -> str:
    kind = dice.below(4)
    if kind == 0:
        return f"DSC_{(number + dice.below(9)) % 10_000:04}" + (".NEF" if dice.one_in(4) else ".JPG")
    if kind == 1:
        return f"2{dice.below(26):03}{101 + dice.below(1128):04}_{dice.below(240_000):06}.jpg"
    return f"IMG_{1 + number % 9_999:04}" + (".HEIC" if dice.one_in(6) else ".MOV" if dice.one_in(12) else ".jpg")


def song(number: int, dice: Random) -> str:
    separator = " - " if dice.one_in(2) else " "
    return f"{number + 1:02}{separator}{title(1 + dice.below(4), dice)}" + (".flac" if dice.one_in(5) else ".mp3")


def source(_: int, dice: Random) -> str:
    kind = dice.below(24)
    if kind < 4:
        return ["index.js", "package.json", "README.md", "LICENSE"][kind]
    if kind == 4:
        return ".gitignore" if dice.one_in(2) else ".npmignore"
    separator = "-" if dice.one_in(2) else "_"
    name = identifier(1 + dice.below(3), separator, dice)
    return name + (".test." if dice.one_in(9) else ".") + dice.pick(LANGUAGES)


def paper(_: int, dice: Random, endings: Sequence[str] = tuple(PAPERS)) -> str:
    ending, name = dice.pick(endings), title(1 + dice.below(3), dice)
    if dice.one_in(6):
        name += f" ({1 + dice.below(9)})"
    elif dice.one_in(6):
        name += f" {2008 + dice.below(18)}"
    return f"{name}.{ending}"


def mixed(number: int, dice: Random) -> str:
    return [picture, source, lambda _, dice: digits(16, dice), paper][dice.below(4)](number, dice)


def long_name(_: int, dice: Random) -> str:
    """A name of 255 bytes, padded so that it doesn't end inside a character."""
    words, name = FOREIGN if dice.one_in(4) else NOUNS, b""
    while len(longer := name + f"{dice.pick(words)} ".encode()) <= 255:
        name = longer
    return name.decode() + "x" * (255 - len(name))


def event(_: int, dice: Random) -> str:
    name = f"{2005 + dice.below(20)}-{1 + dice.below(12):02}"
    return name if dice.one_in(4) else f"{name} {dice.pick(PLACES)}"


# The names of files by the style of their folder, and of folders by their own, from the number among their siblings.
FILE_NAMES: Dict[str, Callable[[int, Random], str]] = {
    **dict.fromkeys(["event", "pictures", "year"], picture), **dict.fromkeys(["album", "artist", "music"], song),
    **dict.fromkeys(["source", "project", "module", "modules"], source), "mixed": mixed, "long": long_name,
    **dict.fromkeys(["bucket", "objects"], lambda _, dice: digits(38, dice)),
    "videos": lambda _, dice: title(1 + dice.below(3), dice) + (".mkv" if dice.one_in(3) else ".mp4"),
    "cache": lambda _, dice: digits(32 if dice.one_in(2) else 16, dice) + ("-d" if dice.one_in(3) else ""),
    "settings": lambda _, dice: ("." if dice.one_in(3) else "") + identifier(1 + dice.below(2), "-", dice) + dice.pick(
        [".json", ".conf", ".ini", "rc", ".db", ".log", ".lock", ""]),
    "downloads": lambda number, dice: paper(number, dice, DOWNLOADS)}
FOLDER_NAMES: Dict[str, Callable[[int, Random], str]] = {
    "year": lambda number, _: str(2000 + number), "event": event, "long": long_name,
    "bucket": lambda number, _: f"{number & 255:02x}" + (str(number) if number > 255 else ""),
    "cache": lambda _, dice: digits(32 if dice.one_in(3) else 2, dice),
    "settings": lambda _, dice: ("." if dice.one_in(4) else "") + dice.pick(NOUNS) + (
        dice.pick(NOUNS) if dice.one_in(3) else ""),
    **dict.fromkeys(["module", "modules"], lambda _, dice: (
        "@" if dice.one_in(20) else "") + identifier(1 + dice.below(3), "-", dice)),
    **dict.fromkeys(["source", "project"], lambda _, dice: identifier(1 + dice.below(2), "-", dice)),
    **dict.fromkeys(["artist", "album"], lambda _, dice: title(1 + dice.below(3), dice))}


def other_folder(_: int, dice: Random) -> str:
    return title(1 + dice.below(2), dice)


def unique(name: bytes, number: int, taken: Set[bytes]) -> bytes:
    """The name, with a number before its ending if it is taken, even in other case."""
    while name.lower() in taken:
        dot = name.rfind(b".")
        end = b"-%d" % number + (name[dot:] if dot > 0 else b"")
        name = (name[:dot] if dot > 0 else name)[:255 - len(end)] + end
        number += 1
    taken.add(name.lower())
    return name


def moment(dice: Random) -> int:
    """A time between 2007 and 2026 in nanoseconds; later times are more likely."""
    age = dice.unit()
    return (1_780_000_000 - int(age * age * 600_000_000)) * 10 ** 9 + dice.below(10 ** 9)


class Entry(NamedTuple):
    """An entry of a folder, its number in the plan if it is a folder, and the target if it is a link."""

    name: bytes
    time: int
    size: int = 0
    folder: int = -1
    target: str = ""


class Maker:
    """Makes a planned tree on disk, each entry relative to its folder's descriptor."""

    def __init__(self, plan: Plan, is_shuffled: bool, has_sizes: bool) -> None:
        self.plan, self.is_shuffled, self.has_sizes = plan, is_shuffled, has_sizes
        self.folders = self.files = self.bytes = 0

    def make(self, path: str) -> None:
        """Makes the tree in an empty or new folder.

        A folder's own entries come first, then its time is set, then its sub-folders are filled. The last one is filled
        after the folder was closed, so that a chain needs no descriptors.
        """
        os.makedirs(path, 0o755, exist_ok=True)
        if os.listdir(path):
            raise OSError(errno.ENOTEMPTY, "not empty, nothing was made", path)
        flags = os.O_RDONLY | os.O_DIRECTORY
        top = os.open(path, flags)
        filling = [(top, self.fill(0, top))]
        while filling:
            descriptor, children = filling[-1]
            opened = None
            if children:
                child, name = children.pop()
                opened = os.open(name, flags, dir_fd=descriptor)
            if not children:
                os.close(descriptor)
                filling.pop()
            if opened is not None:
                filling.append((opened, self.fill(child, opened)))

    def fill(self, at: int, descriptor: int) -> List[Tuple[int, bytes]]:
        """Makes the entries of a folder, and returns its sub-folders that have contents, the last one first."""
        dice = Random(self.plan.seed + 1 & MASK, at)
        entries = list(self.entries(self.plan.folders[at], dice))
        time = moment(dice)
        if self.is_shuffled:
            Random(self.plan.seed + 2 & MASK, at).shuffle(entries)
        self.folders += 1
        children = []
        for entry in entries:
            times = entry.time, entry.time
            if entry.folder >= 0:
                os.mkdir(entry.name, 0o755, dir_fd=descriptor)
                if self.plan.folders[entry.folder].is_empty:
                    os.utime(entry.name, ns=times, dir_fd=descriptor)
                    self.folders += 1
                else:  # It gets its time later.
                    children.append((entry.folder, entry.name))
                continue
            if entry.target:
                os.symlink(entry.target, entry.name, dir_fd=descriptor)
                os.utime(entry.name, ns=times, dir_fd=descriptor, follow_symlinks=False)
            else:
                file = os.open(entry.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644, dir_fd=descriptor)
                if entry.size:
                    os.ftruncate(file, entry.size)  # a hole
                os.utime(file, ns=times)
                os.close(file)
            self.files += 1
            self.bytes += entry.size
        os.utime(descriptor, ns=(time, time))
        return children[::-1]

    def entries(self, folder: Folder, dice: Random) -> Iterator[Entry]:
        taken: Set[bytes] = set()
        offset = 0  # of the name among those of the folder, for the targets of links
        for number, child in enumerate(folder.children):
            plan = self.plan.folders[child]
            text = plan.name or FOLDER_NAMES.get(plan.style, other_folder)(number, dice)
            name = unique(text.encode(), 0 if plan.name else number, taken)
            offset += len(name) + 1
            yield Entry(name, moment(dice), folder=child)
        named, (middle, spread) = FILE_NAMES.get(folder.style, paper), SIZES.get(folder.style, (12, 2.5))
        for number in range(folder.files):
            name = unique(named(number, dice).encode(), number, taken)
            size = min(dice.power_of_two(middle, spread), 1 << 34)
            is_empty, is_link = dice.one_in(60) or not self.has_sizes, dice.one_in(150) and self.has_sizes
            target = f"../{offset}" if is_link else ""
            yield Entry(name, moment(dice), 0 if is_empty or is_link else size, target=target)
            offset += len(name) + 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shape", choices=SHAPES, metavar="SHAPE")
    parser.add_argument("folder", metavar="DIR")
    for name, usual in (("files", 1000), ("folders", 60), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=usual, metavar="N")
    parser.add_argument("--order", choices=["forward", "shuffled"], default="forward")
    options = parser.parse_args()
    plan = Plan(options.shape, max(0, options.files), max(1, options.folders), options.seed)
    maker = Maker(plan, options.order == "shuffled", options.shape == "home")
    try:
        maker.make(options.folder)
    except OSError as error:
        sys.exit(f"make_tree: {error}")
    print(f"{maker.folders} folders, {maker.files} files, {maker.bytes} bytes in {options.folder}")


if __name__ == "__main__":
    main()
