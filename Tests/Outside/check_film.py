#!/usr/bin/env python3
"""Makes films of a history, as users do.

    check_film.py GEOMAPPER

Videos of the page have to have the size, the length and the rate asked for, and land that comes. Nothing else may
be left. Missing programs are named and skipped.
"""

import json
import os
import shutil
import tempfile

from browser import find_browser
from outside import Repository, fail, given, run, same

SECONDS = 2
DAY = 86400


def plant(at: str) -> None:
    """A repository with no commits on the days between the first and the last."""
    made, start = Repository(at), 1_700_000_000
    early = {f"early/part{number % 3}/{number}.c": 100 * number for number in range(30)}
    made.commit(start, "begin", early)
    made.commit(start + 100 * DAY, "end", {
        **{name: None for name in early if "part0" in name}, **{f"late/part{n % 4}/{n}.c": 3000 + n for n in range(40)}})


def check_page_video(binary: str, work: str, ending: str, rate: int) -> str:
    """Makes a video of the page, and checks what ffprobe and a decoder find in it."""
    size, left = (320, 180), os.path.join(work, "left")
    os.mkdir(left)
    video = os.path.join(work, f"page.{ending}")
    run(binary, "history", "--git", "repo", "--film", video, "--duration", f"{SECONDS}s", "--frame-size", "320x180",
        "--title", "<b>it's & \"a\" film</b>", cwd=work, env=dict(os.environ, TMPDIR=left))
    if os.listdir(left):
        fail(f"of {ending} there is left: {os.listdir(left)}")
    os.rmdir(left)
    found = json.loads(run(
        "ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-of", "json", "-show_entries",
        "stream=width,height,nb_read_frames,avg_frame_rate,pix_fmt", video))["streams"][0]
    same(f"the {ending}", [found["width"], found["height"], found["nb_read_frames"], found["avg_frame_rate"]],
         [*size, str(SECONDS * rate), f"{rate}/1"])
    raw = run("ffmpeg", "-v", "error", "-i", video, "-f", "rawvideo", "-pix_fmt", "gray", "-")
    area = size[0] * size[1]
    first, last = raw[:area], raw[-area:]
    if len(set(first)) < 8 or sum(abs(a - b) > 24 for a, b in zip(first, last)) < area // 200:
        fail(f"the {ending} doesn't show how land comes")
    os.remove(video)
    return f"{ending}: {found['nb_read_frames']} frames"


def main() -> None:
    """Runs the check."""
    binary = given(__doc__, "binary").binary
    told = []
    with tempfile.TemporaryDirectory(prefix="geomapper-film.") as work:
        plant(os.path.join(work, "repo"))
        if not shutil.which("ffmpeg") or not shutil.which("ffprobe") or not find_browser():
            print("skipped: no videos of the page, for Chromium, ffmpeg or ffprobe is not installed")
        else:
            for ending, rate in (("mp4", 30), ("webm", 30), ("gif", 20)):
                told.append(check_page_video(binary, work, ending, rate))
    print("films: " + (", ".join(told) or "not tried"))


if __name__ == "__main__":
    main()
