#!/usr/bin/env python3
"""Makes films of a history, as users do.

    check_film.py GEOMAPPER

Frames are written as SVG and as PNG. The printed command line then makes a video of them, which has to have the
same number and size of frames, with changes at the same frames. HistoryFilmTests checks each program that makes
PNG. Videos of the page, made by the tool alone, have to have the size, the length and the rate asked for, and
land that comes. Nothing else may be left. Missing programs are named and skipped.
"""

import json
import os
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path
from typing import List, Tuple

from browser import find_browser
from outside import Repository, fail, given, run, same

RATE, SECONDS = 5, 2
DAY = 86400
ODD = "it's a film, 5%"


def plant(at: str) -> None:
    """A repository with no commits on the days between the first and the last."""
    made, start = Repository(at), 1_700_000_000
    early = {f"early/part{number % 3}/{number}.c": 100 * number for number in range(30)}
    made.commit(start, "begin", early)
    made.commit(start + 100 * DAY, "end", {
        **{name: None for name in early if "part0" in name}, **{f"late/part{n % 4}/{n}.c": 3000 + n for n in range(40)}})


def extent(png: bytes) -> Tuple[int, int]:
    """Width and height of a PNG."""
    if not png.startswith(b"\x89PNG\r\n\x1a\n"):
        fail("a frame is no PNG")
    width, height = struct.unpack(">II", png[16:24])
    return int(width), int(height)


def read_all(folder: str, ending: str) -> List[bytes]:
    """The frames of a film in their order."""
    names = sorted(os.listdir(folder))
    same("the names of frames", names, [f"frame-{number + 1:05}.{ending}" for number in range(RATE * SECONDS)])
    return [Path(folder, name).read_bytes() for name in names]


def check_video(line: str, work: str) -> str:
    """Runs the printed command line; the video has to have the frames."""
    run("sh", "-e", "-c", line, cwd=work, stdin=subprocess.DEVNULL)
    # For SVG frames, the command line uses rsvg-convert first.
    width, height = (side // 2 * 2 for side in extent(Path(work, ODD, "frame-00001.png").read_bytes()))
    video = os.path.join(work, "film.mp4")
    raw = run("ffmpeg", "-v", "error", "-i", video, "-f", "rawvideo", "-pix_fmt", "gray", "-")
    os.remove(video)
    if len(raw) != RATE * SECONDS * width * height:
        fail(f"the video has {len(raw) / width / height:g} frames of {width} times {height}")
    frames = [raw[at:at + width * height] for at in range(0, len(raw), width * height)]

    def difference(one: bytes, other: bytes) -> float:
        return sum(abs(a - b) > 24 for a, b in zip(one[::7], other[::7])) / len(one[::7])

    if difference(frames[0], frames[-1]) < 0.01 or difference(frames[2], frames[3]) > 0.01:
        fail("land that comes is not seen in the video")
    return f"{len(frames)} frames of {width} × {height}"


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
    has_video = shutil.which("ffmpeg") is not None
    if not has_video:
        print("skipped: no video of the frames, for ffmpeg is not installed")
    with tempfile.TemporaryDirectory(prefix="geomapper-film.") as work:
        plant(os.path.join(work, "repo"))
        for kind in ("svg", "png"):
            if kind == "png" and not (shutil.which("rsvg-convert") or shutil.which("chromium")):
                print("skipped: no frames as PNG, for neither rsvg-convert nor Chromium is installed")
                continue
            made = run(binary, "history", "--git", "repo", "--film", ODD, "--fps", RATE, "--duration", SECONDS,
                       "--sheet", "160x120", "--frames", kind, cwd=work)
            frames = read_all(os.path.join(work, ODD), kind)
            # Days without changes differ by their date.
            if len(set(frames)) != len(frames):
                fail("frames of other days are the same")
            if kind == "png" and len({extent(frame) for frame in frames}) != 1:
                fail("the frames are not of one size")
            if has_video and (kind == "png" or shutil.which("rsvg-convert")):
                told.append(f"{kind}: {check_video(made.decode(), work)}")
            shutil.rmtree(os.path.join(work, ODD))
        if not has_video or not shutil.which("ffprobe") or not find_browser():
            print("skipped: no videos of the page, for Chromium, ffmpeg or ffprobe is not installed")
        else:
            for ending, rate in (("mp4", 30), ("webm", 30), ("gif", 20)):
                told.append(check_page_video(binary, work, ending, rate))
    print("frames are made and differ; as videos " + (", ".join(told) or "not tried"))


if __name__ == "__main__":
    main()
