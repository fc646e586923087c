"""Copies a catalogue of articles for DocC, whose links name articles, not files.

    catalogue.py CATALOGUE.docc COPY.docc

In the articles, links are those of Markdown, to files and to their headings, so that they work wherever the files
are read. A link in the copy is what it was to DocC: `doc:ARTICLE` or `doc:ARTICLE#Heading`.
"""

import os
import re
import shutil

from outside import fail, given

LINK = re.compile(r"\]\((?:(?P<file>[\w./-]+)\.(?:md|tutorial))?(?:#(?P<heading>[^)\s]+))?\)")


def slug(heading: str) -> str:
    """The address of a heading in Markdown."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def heading_of(article: str, wanted: str) -> str:
    """The address that DocC gives to the heading of an article."""
    with open(article, encoding="utf-8") as file:
        for heading in re.findall(r"^#+ +(.+?) *$", file.read(), re.M):
            if slug(heading) == wanted:
                return str(re.sub(r"[^\w.:?!'()-]+", "-", heading))
    return fail(f"{article} has no heading #{wanted}")


def for_docc(article: str) -> str:
    """The text of an article with DocC's links."""
    folder = os.path.dirname(article)

    def link(found: "re.Match[str]") -> str:
        name, heading = found["file"], found["heading"]
        if name is None and heading is None:
            return found[0]
        target = os.path.join(folder, f"{name}.md") if name else article
        fragment = f"#{heading_of(target, heading)}" if heading else ""
        return f"](doc:{os.path.basename(name) if name else ''}{fragment})"

    with open(article, encoding="utf-8") as file:
        return LINK.sub(link, file.read())


def main() -> None:
    options = given(__doc__, "source", "copy")
    shutil.copytree(options.source, options.copy)
    for name in os.listdir(options.source):
        if name.endswith(".md"):
            with open(os.path.join(options.copy, name), "w", encoding="utf-8") as file:
                file.write(for_docc(os.path.join(options.source, name)))


if __name__ == "__main__":
    main()
