"""Plays recordings on the page in a headless browser, and makes films of histories.

    check_page_play.py GEOMAPPER [--pictures FOLDER]

Recordings come from the server or are dropped on maps; damaged ones are played up to the damage. The frames that the
page draws for the tool's film have to be the same each time. The film that the page saves has to be a video.
"""

import json
import os
import time
from typing import Any, List

from browser import Page, driving
from check_page_time import DAY, SAID, TIME, plant, show_history, wait_for_time, written
from outside import fail, put, run, same
from served import serving

FILM = {"width": 640, "height": 360, "fps": 10, "frames": 40, "title": "A <b>film</b>", "dark": True, "seconds": 4}
# In place of the tool: the page finds the order for a film, and each frame is taken, but for one.
FILMING = """
globalThis.frames = [];
const { getElementById } = Document.prototype, { fetch } = globalThis;
Document.prototype.getElementById = function (id) {
  return id === "film" ? { textContent: JSON.stringify(FILM) } : getElementById.call(this, id);
};
globalThis.fetch = async (address, options) => {
  if (options?.method !== "POST") return fetch(address, options);
  const hash = await crypto.subtle.digest("SHA-256", options.body);
  const isTaken = String(address) === `/film/${frames.length}?token=f00d` && frames.length !== STOP;
  frames.push(options.body.length === 4 * FILM.width * FILM.height ? new Uint8Array(hash).join() : String(options.body));
  return { status: isTaken ? 204 : 409 };
};
"""


def drawn(page: Page, address: str, stop: int = -1) -> List[str]:
    """The checksums of the frames that the page draws for a film; the frame `stop` is refused."""
    wanted = json.dumps({**FILM, "token": "f00d"})
    script = page.call("Page.addScriptToEvaluateOnNewDocument",
                       source=f"{{ const FILM = {wanted}, STOP = {stop};\n{FILMING} }}")["identifier"]
    page.open(address)
    page.wait(f"globalThis.frames?.length === {FILM['frames'] if stop < 0 else stop + 1}", "the frames", 120)
    time.sleep(0.5)
    page.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
    return list(page.run("frames"))


def check_film(page: Page, address: str) -> None:
    """A page draws the frames of a film in their order, the same each time, and stops if one is refused."""
    first = drawn(page, address)
    if len(set(first)) < 20:
        fail(f"{len(set(first))} of {len(first)} frames differ")
    same("the frames that are drawn again", drawn(page, address), first)
    same("the frames up to one that is refused", drawn(page, address, 5), first[:6])


def check_saved_film(page: Page, shots: str) -> None:
    """The page saves a play as a video, and is as it was before."""
    page.key("End")
    page.run(f"{TIME}.bar.setSpeed({DAY * 15})")
    page.settle()
    state = "[geomapper.view.camera.z, geomapper.time.layer.time, geomapper.view.canvas.width, location.hash]"
    before = page.run(state)
    page.run("(() => { const act = URL.createObjectURL; URL.createObjectURL = (blob) => { globalThis.blob = blob;"
             " return act.call(URL, blob); }; })()")
    page.press("#time .saver")
    page.wait("document.querySelector('#recording progress')?.value > 0.3", "that a film is recorded")
    page.shoot(f"{shots}/time-saving.png")
    page.wait("globalThis.blob && !document.getElementById('recording')", "the film")
    size, kind, begin = page.run("(async () => [blob.size, blob.type, [...new Uint8Array(await blob.slice(0, 8).arrayBuffer())]])()")
    is_whole = begin[:4] == [0x1A, 0x45, 0xDF, 0xA3] if "webm" in kind else bytes(begin[4:]) == b"ftyp"
    if size < 20_000 or not is_whole:
        fail(f"the film is {size} bytes of {kind}, and begins with {begin}")
    page.settle()
    page.expect("the page after a film is saved", state, before)
    # Stopped, it ends at once; its keys don't reach the bar.
    page.run("delete globalThis.blob; document.querySelector('#time .saver').click()")
    page.wait("document.querySelector('#recording progress')?.value > 0", "another film")
    page.key(".")
    page.key("Escape")
    page.wait("globalThis.blob && !document.getElementById('recording')", "the part of a film")
    page.expect("the page after a film is stopped", "[document.activeElement.className, geomapper.time.layer.time]",
                ["saver", before[1]])


def recording(binary: str, folder: str) -> List[str]:
    """The lines of a recording of a folder whose files change one after the other, two a second."""
    events: List[Any] = []

    def add(type_: str, **data: Any) -> None:
        number = len(events)
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(1767623400 + number // 2)) + f".{number % 2 * 5}00Z"
        if type_ == "location":
            data["timestamp"] = stamp
        events.append(json.dumps({"type": type_, "timestamp": stamp, "relativeTime": number / 2, "data": data}))

    for line in run(binary, "map", "-q", "--format", "geojsonl", folder).splitlines():
        feature = json.loads(line)
        if feature["properties"]["kind"] == "poi":
            lon, lat = feature["geometry"]["coordinates"]
            add("location", coordinate={"latitude": lat, "longitude": lon}, kind="poi", path=feature["properties"]["path"],
                size=1, change=["created", "modified", "deleted"][len(events) % 3])
    add("sample", path="tree", files=9, folders=1, bytes=5, allocated=5)
    return ['{"metadata":{"version":"1.0","recordedAt":"2026-01-05T14:30:00.000Z","name":"rehearsal",'
            '"roots":["tree"],"projection":2,"layout":"settled"},"events":[',
            *(event + "," for event in events[:-1]), events[-1], "]}"]


def put_away(page: Page, then: str) -> None:
    """Puts a recording away, and waits for what is there then."""
    page.press("#time [aria-label='Put it away']")
    page.wait(then, "that it is put away")


def check_player(page: Page, shots: str, count: int) -> None:
    """A recording is played, followed, and sought in."""
    wait_for_time(page)
    page.expect("the beginning", f"[{TIME}.timeline.stateCount, {TIME}.layer.time]", [count, 1767623400])
    page.run("document.activeElement.blur()")
    for _ in range(4):
        page.key(">")
    page.expect("the speed after four times >", f"{TIME}.bar.playback.speed", 20)
    page.key(" ")
    page.wait(f"{TIME}.layer.state > 2 && {TIME}.layer.lights.count > 0", "that it plays")
    page.shoot(f"{shots}/time-replay.png")
    page.wait(f"!{TIME}.bar.isRunning", "its end")
    page.check("the last event is announced", f"{SAID}.includes('sample')", SAID)
    page.key("Home")
    page.key(".")
    page.expect("the next event", f"[{TIME}.layer.state, {TIME}.layer.time]", [1, 1767623400.5])
    page.key("]")
    page.expect("ten seconds later", f"{TIME}.layer.time", 1767623410.5)
    # Moving the map ends following; the button resumes it.
    page.check("a recording is followed", f"{TIME}.bar.follows")
    page.run("document.activeElement.blur()")
    for key in "<< ":
        page.key(key)
    page.mouse("mouseWheel", 600, 300, deltaX=0, deltaY=-240)
    page.wait(f"!{TIME}.bar.follows", "that moving the map ends following")
    page.press("#time [aria-label^='Follow']")
    page.check("the button resumes following", f"{TIME}.bar.follows")
    page.run("document.activeElement.blur()")
    page.key(" ")
    page.wait(f"!{TIME}.bar.isRunning", "that it stands")


def check_replays(page: Page, binary: str, shots: str, name: str, folder: str, count: int) -> None:
    """Recordings from the server, with and without their folder, and at a given speed."""
    with serving(binary, "--replay", name, folder) as server:
        page.open(server.address)
        check_player(page, shots, count)
        page.expect("land that only the recording has", f"{TIME}.layer.recordedLand", None)
        page.leave()
    for options, speed in (([], None), (["--speed", "60"], 60), (["--speed", "0.001"], 0.001), (["--speed", "1000"], 1000)):
        with serving(binary, "--replay", name, *options) as server:
            show_history(page, server.address)
            if speed:
                page.expect("the speed", f"[{TIME}.bar.playback.speed, Number({TIME}.bar.speeds.value)]", [speed, speed])
            else:
                page.expect("the recorded lands", f"{TIME}.layer.recordedLand?.lands.map(({{ path }}) => path).sort()",
                            [f"tree/land{n}" for n in range(4)])
                page.expect("the recorded lands in view", "geomapper.view.landsInView().map(({ path }) => path).sort()",
                            ["tree", *(f"tree/land{n}" for n in range(4))])
                page.shoot(f"{shots}/time-told.png")
            page.leave()


def check_drops(page: Page, binary: str, shots: str, folder: str, lines: List[str]) -> None:
    """Recordings that are dropped on a map, whole and damaged."""
    text, none = "\n".join(lines), "!document.getElementById('time') && !geomapper.time"
    with serving(binary, folder) as server:
        page.show(server.address)
        page.expect("whether a map loads what plays time lines",
                    "performance.getEntriesByType('resource').some(({ name }) => /time|player/.test(name))", False)
        page.drop("geo_log_2026-01-05_14-30-00.json", text.encode())
        page.wait("globalThis.geomapper?.time", "the dropped recording")
        check_player(page, shots, len(lines) - 2)
        put_away(page, none)
        # A truncated recording is played up to the damage, and its position is reported.
        page.drop("cut.json", text[:text.index("\n", len(text) // 2) - 40].encode())
        page.wait("globalThis.geomapper?.time", "what there is of a cut recording")
        whole = page.run(f"{TIME}.timeline.stateCount")
        if not 5 < whole < len(lines) - 2:
            fail(f"of a recording that breaks off {whole} events are played")
        page.says("#note", f"line {whole + 2}", f"{whole} events before that")
        # Another recording replaces it, and then is removed.
        page.drop("whole.json", text.encode())
        page.wait(f"{TIME}.timeline.stateCount === {len(lines) - 2}", "another recording")
        put_away(page, none)
        page.drop("none.json", b'{"metadata":{"recordedAt":"noon","version":"1.0"},"events":[\n]}')
        page.wait("document.querySelector('#drawer .fault')?.innerText.includes('recordedAt')", "what is wrong")
        page.check("nothing is played", none)
        page.leave()


def main() -> None:
    with driving(__doc__) as (binary, shots, browser, at):
        page = browser.page()
        folder, name = f"{at}/tree", f"{at}/rehearsal.json"
        put(folder, {f"land{number % 4}/{number}.txt": "x" for number in range(40)})
        lines = recording(binary, folder)
        put(at, {os.path.basename(name): "\n".join(lines)})
        check_replays(page, binary, shots, name, folder, len(lines) - 2)
        check_drops(page, binary, shots, folder, lines)
        repository = plant(f"{at}/project")
        # A file with a history plays recordings, too, and returns to the history.
        show_history(page, written(binary, f"{at}/history.html", "--git", repository.at))
        page.drop("rehearsal.json", "\n".join(lines).encode())
        page.wait(f"{TIME}?.below && {TIME}.timeline.stateCount === {len(lines) - 2}", "a recording on a history")
        put_away(page, f"{TIME}.timeline.stateCount === 5 && document.getElementById('time')")
        page.key(",")
        page.wait(f"{TIME}.layer.state === 3", "that it has its keys")
        with serving(binary, "--history", "--git", repository.at) as server:
            show_history(page, server.address)
            check_saved_film(page, shots)
            page.leave()
            check_film(page, server.address)
            page.leave()
    print("recordings play, and films are the same each time")


if __name__ == "__main__":
    main()
