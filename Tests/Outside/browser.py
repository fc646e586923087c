"""A headless Chromium, driven over the pipe of its debugging protocol."""

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from outside import fail, given, same, skip

PATIENCE = 30.0  # seconds to wait for anything on a page
PLACE = "[geomapper.view.camera.x, geomapper.view.camera.y, geomapper.view.camera.z]"
SELECTED = "geomapper.selected?.feature.properties.path"


def find_browser() -> Optional[str]:
    """The path of a Chromium, if one is installed."""
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        path = shutil.which(name)
        if path:
            return path
    return None


def page_arguments(description: Optional[str]) -> Tuple[str, str, str]:
    """The tool, a folder for pictures, and the browser; without a browser the check is skipped."""
    options = given(description, "binary", pictures=".build/pictures")
    program = find_browser()
    if not program:
        skip("no Chromium here")
    pictures = os.path.abspath(options.pictures)
    os.makedirs(pictures, exist_ok=True)
    return options.binary, pictures, program


class Page:
    """A page in the browser."""

    def __init__(self, browser: "Browser", session: str) -> None:
        self.browser = browser
        self.session = session
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> Dict[str, Any]:
        """Sends a command of the protocol."""
        return self.browser.call(method, parameters, self.session)

    def run(self, script: str) -> Any:
        """The value of an expression, awaited."""
        answer = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            fail(f"{script[:1000]}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def expect(self, what: str, script: str, wanted: Any) -> None:
        """Checks the value of an expression."""
        same(what, self.run(script), wanted)

    def check(self, what: str, condition: str, *others: str) -> None:
        """Fails unless a condition holds; the message has the values of other expressions."""
        if not self.run(f"(async () => Boolean({condition}))()"):
            fail("; ".join([f"{what}: not {condition}", *(f"{other} is {self.run(other)!r}" for other in others)]))

    def wait(self, condition: str, what: str, seconds: float = PATIENCE) -> float:
        """Waits until an expression is true, and returns the seconds it took."""
        start = time.monotonic()
        while not self.run(f"Boolean({condition})"):
            if time.monotonic() - start > seconds:
                fail("\n".join([f"not in {seconds:g} s: {what}", *self.browser.problems[:3]]))
            time.sleep(0.02)
        return time.monotonic() - start

    def open(self, address: str) -> None:
        """Opens an address."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)

    def show(self, address: str) -> None:
        """Opens an address and waits for the first picture."""
        self.open(address)
        self.wait("globalThis.geomapper?.view.isComplete", "first picture")

    def reload(self) -> None:
        """Opens the current address anew."""
        self.show(self.run("location.href"))
        self.settle()

    def leave(self) -> None:
        """Leaves the page, because a page with open connections reports an error when its server ends."""
        self.call("Page.navigate", url="about:blank")
        self.wait("location.href === 'about:blank'", "the page to be left")

    def settle(self) -> None:
        """Waits until the map is complete and at rest."""
        self.wait(
            "globalThis.geomapper && geomapper.view.isComplete && !geomapper.view.camera.isMoving"
            " && geomapper.view.tiles.busy === 0", "a whole picture")
        time.sleep(0.4)
        self.wait("geomapper.view.isComplete", "a whole picture")

    def resize(self, width: int, height: int, touch: bool = False) -> None:
        """Sets the size of the page."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=touch)
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)

    def prefer(self, **features: str) -> None:
        """Sets media features such as prefers_color_scheme."""
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """Sends a mouse event."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x: float, y: float) -> None:
        """Clicks at a position."""
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def key(self, key: str, shift: bool = False) -> None:
        """Presses and releases a key."""
        codes = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowDown": 40, "ArrowLeft": 37,
                 "ArrowRight": 39, "ArrowUp": 38, "Backspace": 8, "PageUp": 33, "PageDown": 34, "Home": 36, "End": 35}
        event: Dict[str, Any] = {"key": key, "modifiers": 8 if shift else 0}
        if key in codes:
            event["windowsVirtualKeyCode"] = codes[key]
        if key == "Enter":
            event["text"] = "\r"
        elif len(key) == 1:
            event["text"] = key
        self.call("Input.dispatchKeyEvent", type="keyDown", **event)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def type(self, text: str) -> None:
        """Types a text into the focused element."""
        self.call("Input.insertText", text=text)

    def select(self, path: str, flies: bool = True) -> None:
        """Selects a node by its path, and usually flies there."""
        self.run(f"geomapper.open({json.dumps(path)}, {json.dumps(flies)})")
        self.wait(f"{SELECTED} === {json.dumps(path)}", f"{path} selected")
        if flies:
            self.settle()

    def deselect(self) -> None:
        """Selects nothing, by Escape."""
        self.key("Escape")
        self.wait(f"!{SELECTED}", "nothing selected")

    def focus(self, selector: str) -> None:
        """Focuses an element."""
        self.run(f"document.querySelector({json.dumps(selector)}).focus()")

    def press(self, selector: str, label: str = "") -> None:
        """Clicks an element by script: the first whose text begins with the label."""
        self.run(f"[...document.querySelectorAll({json.dumps(selector)})]"
                 f".find((e) => e.innerText.startsWith({json.dumps(label)})).click()")

    def fill(self, selector: str, value: object, event: str = "input") -> None:
        """Sets the value of a field, and sends an event as after typing."""
        self.run(f"(() => {{ const field = document.querySelector({json.dumps(selector)});"
                 f" field.value = {json.dumps(value)}; field.dispatchEvent(new Event({event!r}, {{ bubbles: true }})); }})()")

    def choose(self, selector: str, value: object) -> None:
        """Chooses an entry of a menu."""
        self.fill(selector, value, "change")

    def search(self, text: str) -> None:
        """Types a text into the empty field of the search."""
        self.run("document.getElementById('query').focus(); document.getElementById('query').value = '';"
                 " document.getElementById('found').textContent = ''")
        self.type(text)

    def text(self, selector: str) -> str:
        """The visible text of an element; empty if it is missing."""
        return str(self.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''"))

    def texts(self, selector: str) -> List[str]:
        """The visible texts of elements."""
        return list(self.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((e) => e.innerText)"))

    def says(self, selector: str, *parts: str) -> None:
        """Checks that the text of an element has some parts."""
        text = self.text(selector)
        for part in parts:
            if part not in text:
                fail(f"{selector} does not say {part!r}: {text!r}")

    def box(self, selector: str) -> List[float]:
        """The left, top, right and bottom edges of an element."""
        return list(self.run("(({ left, top, right, bottom }) => [left, top, right, bottom])"
                             f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"))

    def middle(self, selector: str) -> Tuple[float, float]:
        """The middle of an element."""
        left, top, right, bottom = self.box(selector)
        return (left + right) / 2, (top + bottom) / 2

    def check_edges(self, selector: str) -> None:
        """Checks that no visible element reaches beyond the left or right edge of the window."""
        same(f"what of {selector} is beyond the edge", self.run(
            f"[...document.querySelectorAll({json.dumps(selector)})]"
            ".filter((e) => e.offsetParent !== null && !e.classList.contains('unseen'))"
            ".filter((e) => { const r = e.getBoundingClientRect(); return r.left < 0 || r.right > innerWidth; })"
            ".map((e) => e.outerHTML)"), [])

    def check_uncovered(self, selector: str) -> None:
        """Checks that nothing lies over the middle, the right or the lower end of elements."""
        same(f"what of {selector} is covered", self.run(
            f"[...document.querySelectorAll({json.dumps(selector)})].filter((e) => {{"
            " const r = e.getBoundingClientRect(), [x, y] = [r.x + r.width / 2, r.y + r.height / 2];"
            " return r.width > 0 && ![[x, y], [r.right - 4, y], [x, r.bottom - 4]]"
            ".every((at) => e.contains(document.elementFromPoint(...at))); }).map((e) => e.id)"), [])

    def check_legend(self, panel: str, key: str) -> None:
        """Checks that the legend in a panel is in sight as a whole, at two sizes of the window."""
        for width, height in ((1440, 900), (1280, 800)):
            self.resize(width, height)
            self.settle()
            self.expect(f"what of the legend is out of sight at {width} by {height}",
                        f"(() => {{ const key = document.querySelector('{key}'); const box = key.getBoundingClientRect();"
                        f" const around = document.querySelector('{panel}').getBoundingClientRect();"
                        " const [top, bottom] = [Math.max(box.top, around.top), Math.min(box.bottom, around.bottom, innerHeight)];"
                        " return [...key.querySelectorAll('h3, li, .references')].filter((one) => one.checkVisibility()).map((one) => [one.textContent, one.getBoundingClientRect()])"
                        " .filter(([, one]) => one.height === 0 || one.top < top || one.bottom > bottom).map(([text]) => text); })()", [])
            self.check(f"the legend has signs at {width} by {height}", f"document.querySelectorAll('{key} li').length > 5")

    def pixel(self, x: float, y: float, radius: int = 6) -> List[int]:
        """The mean colour of some pixels of the map."""
        side = 2 * radius + 1
        return list(self.run(
            "(() => { const copy = document.createElement('canvas'); copy.width = copy.height = 1;"
            " const pen = copy.getContext('2d', { willReadFrequently: true });"
            f" pen.drawImage(geomapper.view.canvas, {x - radius}, {y - radius}, {side}, {side}, 0, 0, 1, 1);"
            " return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3); })()"))

    def spot_in(self, path: str, left: int = 20) -> List[float]:
        """A position in a land, away from names, other lands and the panels at the edges."""
        found = self.run(
            "(() => { const { view } = geomapper; const boxes = view.labels.placed.flatMap((l) => l.boxes);"
            " for (let y = 130; y < view.camera.height - 60; y += 4)"
            f" for (let x = {left}; x < view.camera.width - 400; x += 4) {{"
            f" const at = (dx, dy) => view.landIn(x + dx, y + dy)?.path === {json.dumps(path)};"
            " if (at(0, 0) && at(8, 0) && at(-8, 0) && at(0, 8) && at(0, -8)"
            " && !boxes.some((b) => b[0] < x + 8 && b[2] > x - 8 && b[1] < y + 8 && b[3] > y - 8))"
            " return [x, y]; } return null; })()")
        return list(found or fail(f"{path} is nowhere to be seen"))

    def screen_of(self, path: str) -> List[float]:
        """The position of a node on the screen."""
        return list(self.run(
            f"geomapper.page.source.node({json.dumps(path)}).then(({{ feature: {{ properties: {{ lon, lat }} }} }}) => {{"
            " const s = Math.sin(lat * Math.PI / 180); return geomapper.view.camera.toScreen("
            "lon / 360 + 0.5, 0.5 - Math.log((1 + s) / (1 - s)) / (4 * Math.PI)); })"))

    def drag(self, x: float, y: float, *places: Tuple[float, float]) -> None:
        """Presses the mouse, moves it to places, and releases it at the last."""
        self.mouse("mousePressed", x, y, button="left", clickCount=1, buttons=1)
        for place in places:
            self.mouse("mouseMoved", *place, button="left", buttons=1)
        self.mouse("mouseReleased", *places[-1], button="left", clickCount=1)

    def touch(self, *moves: Sequence[Tuple[float, float]]) -> None:
        """Moves fingers: the places of all fingers, one move after the other."""
        for number, fingers in enumerate(moves):
            points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(fingers)]
            self.call("Input.dispatchTouchEvent", type="touchMove" if number else "touchStart", touchPoints=points)
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def tap(self, selector: str) -> None:
        """Taps the middle of an element with a finger, whatever is there."""
        self.touch([self.middle(selector)])

    def check_reachable(self, within: str = "body") -> None:
        """Checks that each visible control within an element can be pressed where it is on the screen."""
        same("controls that can't be pressed", self.run(
            f"[...document.querySelector({within!r}).querySelectorAll('button, input, select, textarea, summary, a[href]')]"
            ".filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest('.unseen') && e.offsetWidth > 0).filter((e) => {"
            " e.scrollIntoView({ block: 'nearest', inline: 'nearest' }); const r = e.getBoundingClientRect();"
            " const hit = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);"
            " return !(hit && (e.contains(hit) || hit.closest('label')?.contains(e))); }).map((e) => e.outerHTML.slice(0, 200))"), [])

    def drop(self, name: str, data: bytes) -> None:
        """Drops a file on the map."""
        self.run(
            f"(() => {{ const bytes = Uint8Array.from(atob('{base64.b64encode(data).decode()}'), (c) => c.charCodeAt(0));"
            f" const transfer = new DataTransfer(); transfer.items.add(new File([bytes], {json.dumps(name)},"
            " { lastModified: 1700000000000 })); const map = document.getElementById('map');"
            " for (const kind of ['dragover', 'drop']) map.dispatchEvent(new DragEvent(kind,"
            " { dataTransfer: transfer, bubbles: true, cancelable: true })); })()")

    def shoot(self, path: str) -> None:
        """Saves a screenshot."""
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))


class Browser:
    """The browser process, with a temporary profile."""

    def __init__(self, program: str, profile: str, flags: Sequence[str] = ()) -> None:
        to_read, self.to_write = os.pipe()
        self.from_read, from_write = os.pipe()
        # The protocol's pipes are descriptors 3 and 4, which the shell sets up.
        command = (f'exec "$0" "$@" 3<&{to_read} 4>&{from_write}')
        self.process = subprocess.Popen(
            ["bash", "-c", command, program, "--headless=new", "--no-sandbox", "--disable-gpu",
             "--remote-debugging-pipe", "--hide-scrollbars", "--no-first-run", "--mute-audio",
             "--disable-dev-shm-usage", "--disable-background-networking", "--disable-extensions",
             "--force-color-profile=srgb", "--window-size=1280,800", f"--user-data-dir={profile}",
             *flags, "about:blank"],
            pass_fds=(to_read, from_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.rest = b""
        self.number = 0
        self.problems: List[str] = []
        self.events: List[Dict[str, Any]] = []

    def call(
        self, method: str, parameters: Dict[str, Any], session: Optional[str] = None
    ) -> Dict[str, Any]:
        """Sends a command and returns its answer; events in between are recorded."""
        self.number += 1
        message: Dict[str, Any] = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.to_write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    fail(f"{method}: {answer['error']}")
                return dict(answer["result"])
            self.note(answer)

    def receive(self) -> Dict[str, Any]:
        """The next message from the browser."""
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.from_read], [], [], 2 * PATIENCE)
            part = os.read(self.from_read, 1 << 20) if ready else b""
            if not part:
                fail("the browser says nothing any more")
            self.rest += part
        message, self.rest = self.rest.split(b"\0", 1)
        return dict(json.loads(message))

    def note(self, event: Dict[str, Any]) -> None:
        """Records the errors that a page reports."""
        self.events.append(event)
        del self.events[:-500]
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(parameters["exceptionDetails"])[:600])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
            self.problems.append(json.dumps(parameters["args"])[:600])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.problems.append(json.dumps(parameters["entry"])[:600])

    def page(self, width: int = 1280, height: int = 800, touch: bool = False) -> Page:
        """Opens a new page of the given size in pixels."""
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})
        page = Page(self, session["sessionId"])
        page.resize(width, height, touch)
        return page

    def check(self) -> None:
        """Fails if a page has reported an error."""
        if self.problems:
            fail("the console complains:\n" + "\n".join(self.problems))


@contextlib.contextmanager
def browsing(program: str, flags: Sequence[str] = ()) -> Iterator[Browser]:
    """A browser within the block, with additional flags."""
    with tempfile.TemporaryDirectory(prefix="geomapper-browser.", ignore_cleanup_errors=True) as at:
        browser = Browser(program, at, flags)
        try:
            yield browser
        finally:
            browser.process.kill()
            browser.process.wait()


@contextlib.contextmanager
def driving(description: Optional[str]) -> Iterator[Tuple[str, str, Browser, str]]:
    """Runs a check of pages within the block, with the tool, a folder for pictures, a browser and a temporary folder.

    After it, no page may have reported an error.
    """
    binary, pictures, program = page_arguments(description)
    with tempfile.TemporaryDirectory(prefix="geomapper-page.") as at, browsing(program) as browser:
        yield binary, pictures, browser, at
        browser.check()
