#!/usr/bin/env python3
"""Attacks `geomapper serve` as a foreign page, a broken client or another machine on the network.

    attack.py BINARY

Each attack has a server with its own tree. After the attack, the server still has to answer.
"""

import json
import resource
import socket
import tempfile
import time
from pathlib import Path
from typing import Callable, List, Tuple

from outside import fail, given, put
from served import Answer, Served, serving

SECRET = b"this must never be served"


def expect(answer: Answer, status: int, what: str) -> None:
    """Checks that an answer has the expected status."""
    if answer.status != status:
        fail(f"{what}: status {answer.status}, not {status}: {answer.body[:200]!r}")


def refused(served: Served, raw: bytes, statuses: Tuple[int, ...], what: str) -> None:
    """Sends bytes that get one refusal, after which the connection is closed."""
    found = served.send(raw)
    if len(found) != 1 or found[0].status not in statuses:
        fail(f"{what}: {[answer.status for answer in found]}, not one of {statuses}")
    if found[0].fields.get("connection") != "close":
        fail(f"{what}: the connection stays open")


def names_of_others(served: Served) -> None:
    """DNS rebinding: a foreign name in Host."""
    port = served.port
    for host in ["evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}",
                 f"localhost.evil.example:{port}", "127.0.0.1:1", "", f"127.0.0.1@evil:{port}",
                 f"[::1].evil:{port}", "localhost"]:
        expect(served.get("/stats", {"Host": host}), 421, f"Host {host!r}")
    for host in [f"localhost:{port}", f"127.0.0.1:{port}", f"[::1]:{port}", f"LOCALHOST:{port}"]:
        expect(served.get("/stats", {"Host": host}), 200, f"Host {host!r}")
    whole = f"GET http://evil.example/stats HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
    expect(served.send(whole.encode())[0], 421, "a whole address of another host")


def foreign_pages(served: Served) -> None:
    """Cross-site requests."""
    own = f"http://127.0.0.1:{served.port}"
    foreign = ["https://evil.example", "null", f"{own}.evil.example", f"https{own[4:]}",
               f"http://127.0.0.1:{served.port + 1}", "file://"]
    visit = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    page, frame = ({**visit, "Sec-Fetch-Dest": kind} for kind in ("document", "iframe"))
    for path, fields, status in (
            *(("/stats", {"Origin": origin}, 403) for origin in foreign), ("/stats", {"Origin": own}, 200),
            *(("/stats", {"Sec-Fetch-Site": site}, 403) for site in ("cross-site", "same-site", "nonsense", "")),
            *(("/stats", {"Sec-Fetch-Site": site}, 200) for site in ("same-origin", "none")),
            ("/", page, 200), ("/", frame, 403), ("/stats", page, 403)):
        answer = served.get(path, fields)
        expect(answer, status, f"{path} with {fields}")
        if fields.get("Origin") in foreign and any(name.startswith("access-control-") for name in answer.fields):
            fail(f"{fields}: a field that lets it read the answer")


def fields_of_answers(served: Served) -> None:
    """Every answer has the security headers, even a refusal."""
    for path in ["/", "/stats", "/tiles/0/0/0.mvt", "/nowhere", "/tiles/99/0/0.mvt"]:
        fields = served.get(path).fields
        policy = fields.get("content-security-policy", "")
        if "default-src 'none'" not in policy or "unsafe" in policy or "*" in policy:
            fail(f"{path}: Content-Security-Policy: {policy}")
        if fields.get("x-content-type-options") != "nosniff":
            fail(f"{path}: the type may be guessed")


def ways_out(served: Served) -> None:
    """Path traversal, and symbolic links that lead out of the tree."""
    for path in ["../secret", "tree/../../secret", "tree/./in", "/etc/passwd", "tree//in", "",
                 "tree/out", "tree/out/secret", "tree/leads/secret", "secret", "tree/in/../..",
                 "tree/%2e%2e/secret", "tree/in%2f..%2f..%2fsecret"]:
        for name in ["path", "rawPath"]:
            answer = served.get(f"/node?{name}={path}")
            if SECRET in answer.body or b"passwd" in answer.body or b'"secret"' in answer.body:
                fail(f"{path}: it leads out: {answer.body[:300]!r}")
            if answer.status == 200 and path not in ("tree/out",):
                fail(f"{path}: {answer.body[:300]!r}")
    link = json.loads(served.get("/node?path=tree/out").body)
    if link["feature"]["properties"].get("special") != "symlink":
        fail("a link to a folder is no link")
    for path in ["/../secret", "/%2e%2e/secret", "/assets/../../secret", "/assets/%2e%2e%2fsecret",
                 "//etc/passwd", "/tiles/../secret", "/%00", "/node?path=tree%00", "/%zz"]:
        answer = served.get(path)
        if answer.status not in (400, 404) or SECRET in answer.body:
            fail(f"{path}: status {answer.status}")
    lines = served.get("/search?q=secret").body.splitlines()
    if len(lines) != 1:
        fail(f"the search leads out: {lines}")


def shapes_of_smuggling(served: Served) -> None:
    """Request smuggling: bytes that two programs may read as different requests."""
    host = f"Host: 127.0.0.1:{served.port}\r\n".encode()
    get = b"GET /stats HTTP/1.1\r\n" + host
    for what, raw in {
        "both lengths": get + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "chunked": get + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "an encoding in disguise": get + b"Transfer-Encoding: xchunked\r\n\r\n",
        "two lengths": get + b"Content-Length: 0\r\nContent-Length: 5\r\n\r\nhello",
        "a list of lengths": get + b"Content-Length: 0, 0\r\n\r\n",
        "a body": get + b"Content-Length: 5\r\n\r\nhello",
        "a signed length": get + b"Content-Length: +0\r\n\r\n",
        "a bare LF": b"GET /stats HTTP/1.1\n" + host + b"\r\n",
        "a bare LF at the end": get + b"\n\r\n",
        "a bare CR": get + b"X: a\rb\r\n\r\n",
        "a folded line": get + b"X: a\r\n b\r\n\r\n",
        "a blank before the colon": get + b"X : a\r\n\r\n",
        "a field without a name": get + b": a\r\n\r\n",
        "a line without a colon": get + b"nonsense\r\n\r\n",
        "a zero": get + b"X: a\0b\r\n\r\n",
        "two hosts": get + host + b"\r\n",
        "no host": b"GET /stats HTTP/1.1\r\n\r\n",
        "two blanks": b"GET  /stats HTTP/1.1\r\n" + host + b"\r\n",
        "a tab": b"GET\t/stats HTTP/1.1\r\n" + host + b"\r\n",
        "no version": b"GET /stats\r\n" + host + b"\r\n",
        "a letter beyond ASCII": b"GET /st\xe4ts HTTP/1.1\r\n" + host + b"\r\n",
        "a fragment": b"GET /stats#x HTTP/1.1\r\n" + host + b"\r\n",
        "a star": b"GET * HTTP/1.1\r\n" + host + b"\r\n",
    }.items():
        refused(served, raw + get + b"\r\n", (400,), what)
    refused(served, b"GET /stats HTTP/3.0\r\n" + host + b"\r\n", (505,), "another version")
    refused(served, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", (505, 400), "HTTP/2")
    for method in [b"POST", b"PUT", b"DELETE", b"OPTIONS", b"CONNECT", b"TRACE", b"get"]:
        refused(served, method + b" /stats HTTP/1.1\r\n" + host + b"\r\n", (405,), str(method))


def too_long(served: Served) -> None:
    """Overlong addresses and fields."""
    host = f"Host: 127.0.0.1:{served.port}\r\n".encode()
    refused(served, b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n" + host + b"\r\n", (414,), "address")
    refused(served, b"GET /" + b"a" * 100_000, (414,), "an address without end")
    get = b"GET /stats HTTP/1.1\r\n" + host
    refused(served, get + b"X: " + b"a" * 20_000 + b"\r\n\r\n", (431,), "a field")
    refused(served, get + b"X: " + b"a" * 200_000, (431,), "a field without end")
    refused(served, get + b"X: a\r\n" * 200 + b"\r\n", (431,), "fields")
    expect(served.get("/search?q=" + "a" * 300), 400, "a long search")
    expect(served.get("/node?path=tree" + "/a" * 3000), 404, "a deep path")


def keeps_answering(served: Served, connections: List[socket.socket], what: str, seconds: float) -> None:
    """Checks that a request next to some connections gets its answer in time, and closes them."""
    start = time.monotonic()
    expect(served.get("/stats"), 200, f"a request beside {what}")
    if time.monotonic() - start > seconds:
        fail(f"{what} keep others waiting")
    for connection in connections:
        connection.close()


def crowd(served: Served) -> None:
    """Thousands of connections: some send nothing, some a part, some read nothing."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    count = 3000 if hard == resource.RLIM_INFINITY or hard > 3500 else hard - 300
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, count + 200), hard))
    request = f"GET /stats HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n\r\n".encode()
    connections = [served.connect() for _ in range(count)]
    for index, connection in enumerate(connections):
        connection.sendall((b"", b"GET /stats HTT", request)[index % 3])
    keeps_answering(served, connections, "thousands of connections", 5)


def listeners(served: Served) -> None:
    """Hundreds of clients request long streams and read nothing."""
    for path in ["/events", "/totals", "/search?q=nothing", "/matches?name=*", "/sheet.svg?size=A2"]:
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n\r\n".encode()
        connections = [served.connect() for _ in range(300)]
        for connection in connections:
            connection.sendall(request)
        keeps_answering(served, connections, f"clients of {path}", 15)


def names_with_markup(served: Served) -> None:
    """Names that are HTML are only data: no answer is an HTML page."""
    for path in ["/tiles/3/4/4.json", "/node?path=tree/in/%3Cscript%3Ealert(1)%3C%2Fb%3E",
                 "/search?q=script", "/%3Cscript%3E", "/node?path=%3Cscript%3E"]:
        answer = served.get(path)
        if "html" in answer.fields.get("content-type", ""):
            fail(f"{path}: {answer.fields['content-type']}")


def tokens(binary: str, tree: str, *options: str) -> None:
    """With --host or --token, every request without the token is refused."""
    with serving(binary, *options, tree) as served:
        token = served.address.partition("token=")[2]
        if len(token) != 32:
            fail(f"no token: {served.address}")
        other = ("0" if token[0] != "0" else "1") + token[1:]
        for path in ["/", "/stats", "/tiles/0/0/0.mvt", f"/stats?token={other}", "/?token=",
                     f"/?token={token[:-1]}", f"/?token={token}0"]:
            expect(served.get(path), 401, path)
        # A parameter that is given twice is refused before anything is looked up.
        expect(served.get(f"/?token={token}&token={other}"), 400, "two tokens")
        cookie = f"geomapper-{served.port}="
        for value in [cookie, cookie + other, f"x{cookie}{token}"]:
            expect(served.get("/stats", {"Cookie": value}), 401, f"Cookie {value}")
        expect(served.get("/stats", {"Authorization": "Bearer " + other}), 401, "another bearer")
        expect(served.get("/stats", {"Authorization": "Bearer " + token}), 200, "the bearer")
        expect(served.get(f"/stats?token={token}"), 200, "the token")
        # ServeTests has the cookie that the printed address sets.
        foreign = {"Host": f"evil.example:{served.port}", "Cookie": cookie + token}
        expect(served.get("/", foreign), 421, "a foreign name with the cookie")


def make_tree(scratch: Path) -> str:
    """A tree with links that lead out of it."""
    tree = scratch / "tree"
    put(str(scratch), {"secret": SECRET, "tree/in/file": "x", **{f"tree/folder-{number}/file": "" for number in range(40)}})
    (tree / "in" / "<script>alert(1)<").mkdir()
    (tree / "out").symlink_to(scratch)
    (tree / "leads").symlink_to("..")
    return str(tree)


def main() -> None:
    binary = given(__doc__, "binary").binary
    attacks: List[Callable[[Served], None]] = [
        names_of_others, foreign_pages, fields_of_answers, ways_out, shapes_of_smuggling, too_long,
        names_with_markup, crowd, listeners]
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        tree = make_tree(scratch)
        with serving(binary, tree) as served:
            for attack in attacks:
                attack(served)
                expect(served.get("/stats"), 200, f"after {attack.__name__}")
        tokens(binary, tree, "--host", "0.0.0.0")
        tokens(binary, tree, "--token")
    print(f"{len(attacks) + 2} kinds of attacks, and it still answers")


if __name__ == "__main__":
    main()
