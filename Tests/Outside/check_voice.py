"""Checks that prose is plain: phrases, long sentences, long articles, public symbols without an abstract.

    check_voice.py [GEOMAPPER]

With GEOMAPPER the help of its commands is read too.
"""

import re
import subprocess
from pathlib import Path
from typing import Callable, Dict, Iterator, List, Optional, Tuple

from outside import fail, given

REPOSITORY = Path(__file__).resolve().parents[2]

# Phrases, and what to write instead.
PHRASES = {
    r"nobody|whoever|somebody|who wants (to|it)": "'the user', 'unknown', 'optional', or a name",
    r"(is|are|was|were|be) told|what became of|what was asked|what is to be|the one that": "'reported', or a name",
    r"to be had|lent|beside|at hand": "'available', 'next to', 'with'",
    r"(is|are|was|were) none|(is|are|was|were) no (folder|file|number|text|path|link|map|list|UTF-8)": "'not a …'",
    r"stands? (on|in|at|beside|behind|there)|lies? (beside|behind)|behind each": "'is', 'after'",
    r"(?<![-.\"'])deeds?|scouts?|surveyors?|surveyed": "'shard manifest', 'work estimate', 'map visitor'",
    r"handovers?|side work|held changes": "'one-shot channel', 'background task', 'pending renames'",
    r"known source|recalling source|told land": "'in-memory source', 'caching source', 'recorded-only land'",
    r"mends?|mended|mending|misfits?|lamps?|light table": "'update', 'mismatch', 'glow', 'filter view'",
    r"not added up|files fit|foretell|isn't anywhere": "'counting…', 'matches', 'predict', 'virtual'",
    r"(?-i:Tell (where|when|how|what|which))": "'show', 'list'",
}
PATTERNS = [(re.compile(rf"\b(?:{phrase})\b".replace(" ", r"\s+"), re.I), word) for phrase, word in PHRASES.items()]
LANDLESS = re.compile(r"\blandless\b", re.I)  # a term of the projection, which messages explain instead

# Names of types with a word that isn't common in the field.
TYPES = re.compile(
    r"^[^/\n]*\b(?:struct|class|enum|protocol|actor|typealias) (\w*(?:Deed|Claim|Seal|Scout|Survey|Witness|Admission"
    r"|Lineage|Exchange|Handover|KnownSource|RecallingSource|Mend|Told|Fates|Lamp|Misfit|Taking|Yielding|LightTable"
    r")\w*|Note|Way|Pace|News|Lights)\b", re.M)

WORD = re.compile(r"\S*\w\S*")
LONGEST = 35  # words of a sentence
README_LINES = 120
ARTICLE_WORDS = 1000
WORDS = {  # words allowed in longer articles of reference
    "Options": 1800, "Projection": 1450, "SnapshotFormat": 1300,
}

# A line that is not a comment, and then a public declaration, possibly with attributes.
UNDOCUMENTED = re.compile(
    r"^(?! *(?:///|[@#])).*\n(?=(?: *[@#].*\n)*( *(?:@\S+ )*public (?!import|extension).*))", re.M)
INHERITED = re.compile(  # requirements of the standard library's protocols, documented there
    r"\b(hash\(into|encode\(to|init\(from|makeAsyncIterator|makeIterator|next\(|description\b|(start|end)Index|index\(|"
    r"subscript\(position|typealias (Element|Failure|AsyncIterator|RawValue)|rawValue|allCases|id: )|func [=<]")


def prose(markdown: str) -> str:
    """An article without code, addresses and marks; a code span counts as a word, and so does a link to an article."""
    text = re.sub(r"^ *```.*?^ *```", "", markdown, flags=re.S | re.M)
    text = re.sub(r"``?[^`\n]*``?|\[[^]\n]*\]\([\w/]+\.(?:md|tutorial)\)", "code", text)
    return re.sub(r"\]\([^)]*\)", "]", text)


def long_sentences(text: str) -> List[str]:
    """Sentences with too many words; cells, list items and headings end a sentence, too."""
    parts = re.split(r"(?<=[.!?:])\s+|\n\s*\n|\n(?= *(?:[-*#|]|\d+\.))|\|", text)
    return [" ".join(part.split()) for part in parts if len(WORD.findall(part)) > LONGEST]


def phrases(text: str) -> List[str]:
    """Phrases to avoid, each with its replacement."""
    return [f"'{found[0]}': write {word}" for pattern, word in PATTERNS for found in pattern.finditer(text)]


def comments(path: str, text: str) -> str:
    """The comments of a source file, and Python's docstrings."""
    if not path.endswith(".py"):
        return "\n".join(re.findall(r"(?:^|[\s;{}])//+(.*)", text, re.M))
    return "\n".join(re.findall(r'^ *#(.*)', text, re.M) + re.findall(r'^ *"""(.*?)"""', text, re.M | re.S))


def messages(path: str, text: str) -> List[str]:
    """The strings of a source file with more than one word."""
    code = re.sub(r"^ *(//|\*).*", "", text, flags=re.M)
    quotes = '"' if path.endswith(".swift") else "\"'`"
    found = re.findall(rf"([{quotes}])((?:\\.|(?!\1)[^\\\n])*)\1", code)
    return [string for _, string in found if " " in string.strip()]


def without_abstract(text: str) -> List[str]:
    """Public declarations of a Swift file without a comment before them."""
    text = re.sub(r"@available\([^()]*(?:\([^()]*\)[^()]*)*\)", "@available", text)  # on one line
    return [match[1].strip() for match in UNDOCUMENTED.finditer(f"\n{text}") if not INHERITED.search(match[1])]


def too_long(name: str, text: str) -> List[str]:
    """Why an article is too long, if it is."""
    if name == "README.md":
        count, bound, unit = text.count("\n"), README_LINES, "lines"
    else:
        count, bound, unit = len(WORD.findall(prose(text))), WORDS.get(Path(name).stem, ARTICLE_WORDS), "words"
    return [f"{count} {unit}, not {bound}"] if count > bound else []


def help_texts(tool: str) -> Iterator[Tuple[str, str]]:
    """The long help of each command, with an empty line before each option."""
    table = subprocess.run([tool, "--generate", "options"], check=True, capture_output=True, text=True).stdout
    for command in sorted({line.split("\t")[1] for line in table.splitlines()}):
        text = subprocess.run([tool, command, "--help"], check=True, capture_output=True, text=True).stdout
        yield command, re.sub(r"\n +(?=-)", "\n\n", text)


def findings(tool: Optional[str]) -> List[str]:
    """What the rules find."""
    found: List[str] = []

    def each(read: Callable[[str, str], Dict[str, List[str]]], *patterns: str) -> None:
        for path in sorted(path for pattern in patterns for path in REPOSITORY.glob(pattern)):
            name = str(path.relative_to(REPOSITORY))
            for rule, what in read(name, path.read_text(encoding="utf-8")).items():
                found.extend(f"{name}: {rule}: {text}" for text in what)

    def article(path: str, text: str) -> Dict[str, List[str]]:
        return {"phrases": [] if path.endswith("Changelog.md") else phrases(prose(text)),  # the changelog contains old names
                "long sentences": long_sentences(prose(text)), "length": too_long(path, text)}

    def source(path: str, text: str) -> Dict[str, List[str]]:
        what = {} if path.endswith("check_voice.py") else {"phrases in comments": phrases(comments(path, text))}
        if path.startswith("Sources/") and path.endswith(("swift", "js")):
            what["phrases in messages"] = [
                string for string in messages(path, text) if phrases(string) or LANDLESS.search(string)]
            what["no abstract"] = without_abstract(text) if path.endswith("swift") else []
        if path.endswith("swift"):
            what["names of types"] = [
                match[1] for match in TYPES.finditer(text) if "renamed:" not in text[max(0, match.start() - 99):match.end()]]
        return what

    each(article, "README.md", "Sources/**/*.md", "Sources/**/*.tutorial", "Benchmarks/**/*.md")
    each(source, *(f"{top}/**/*.{kind}" for top in ("Sources", "Tests", "Benchmarks")
                   for kind in ("swift", "js", "mjs", "c", "h", "py")))
    for command, text in help_texts(tool) if tool else ():
        found += [f"help of {command}: long sentences: {sentence}" for sentence in long_sentences(text)]
    return found


def self_test() -> None:
    """Each rule finds a bad example, and nothing in a good one."""
    bad = ["Nobody knows", "it is\n told", "Tell where it has gone", "a name beside it", "it is no folder", "it stands in the address",
           "the deeds", "a surveyor", "side work", "a recalling source", "a misfit", "light table", "102 files fit"]
    good = ["Show what uses disk space", "a map in parts: --shard", "not a folder", "the total of all files", "a way to tell them"]
    wrong = [text for text in bad if not phrases(text)] + [text for text in good if phrases(text)]
    long, some = " ".join(["word"] * (LONGEST + 1)), " ".join(["word"] * 20)
    rules = {
        "sentences": long_sentences(f"A.\n{long}.") and not long_sentences(f"- {some}\n- {some}\n\n|{some}|{some}|\n{some}: {some}"),
        "types": TYPES.search("package struct DeedFile {") and not TYPES.search("struct Notebook {"),
        "articles": too_long("A.md", "word " * 1001) and not too_long("A.md", f"```\n{'word ' * 1001}\n```"),
        "abstracts": without_abstract("public var a: Int") and not without_abstract("/// A.\n@inlinable\npublic var a: Int"),
        "comments": phrases(comments("a.swift", "a() // Nobody.")) and not phrases(comments("a.swift", "let nobody = 1")),
        "messages": messages("a.swift", 'let a = "two words"') and not messages("a.swift", '// "two words"'),
    }
    if wrong := wrong + [rule for rule, is_right in rules.items() if not is_right]:
        fail(f"these examples are judged wrongly: {wrong}")


def main() -> None:
    tool = given(__doc__, "tool?").tool
    self_test()
    if found := findings(tool):
        fail("\n".join(found))
    print("prose is plain")


if __name__ == "__main__":
    main()
