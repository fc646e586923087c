import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

private let falseBrowserIsPossible =
  (try? Subprocess.run("/usr/bin/env", ["python3", "--version"]))?.status == 0

/// `geomapper history --film` with a video, by a false browser and a false ffmpeg.
@Suite(.enabled(if: falseBrowserIsPossible, "needs python3 for a false browser"))
struct HistoryVideoTests {
  let folder: TemporaryFolder

  /// A browser that opens the page, and sends three frames with their numbers.
  private static let browser = #"""
    #!/usr/bin/env python3
    import fcntl, http.client, json, os, re, signal, subprocess, sys, time
    if "--version" in sys.argv:
        sys.exit(0)
    # It begins in a folder for its own files.
    os.chdir(os.path.dirname(sys.argv[0]) + "/..")
    text = b""
    while not text.endswith(b"\0"):
        text += os.read(3, 4096)
    host, token = re.search(r"http://([0-9.:]+)/\?token=([0-9a-f]+)", text.decode()).groups()
    client = http.client.HTTPConnection(host)
    def ask(method, path, body=None, **fields):
        client.request(method, path, body, fields)
        answer = client.getresponse()
        return answer, answer.read()
    cookie = ask("GET", f"/?token={token}")[0].getheader("Set-Cookie").split(";")[0]
    page = ask("GET", "/", Cookie=cookie)[1].decode()
    film = json.loads(re.search(r'id="film">(.*?)</script>', page)[1])
    size = 4 * film["width"] * film["height"]
    def post(path, body):
        return ask("POST", f"/film/{path}?token={token}", body)[0].status
    def wait():
        "Waits together with a child, until both are ended."
        lock = open("lock", "w")
        fcntl.flock(lock, fcntl.LOCK_EX)
        open("begun", "w").close()
        subprocess.run(["sleep", "1000"], pass_fds=[lock.fileno()])

    """#

  private static let frames =
    "for n in range(film['frames']):\n    assert post(n, bytes([n]) * size) == 204\ntime.sleep(100)\n"

  init() throws {
    folder = try TemporaryFolder()
    let made = try Geomapper.shell(
      #"""
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
      git init -q -b main repo && cd repo && git config user.name '</script>' && git config user.email a@b
      commit() { git add -A && GIT_COMMITTER_DATE="$1 +0000" git commit -q -m '<!--<script>'; }
      printf 1 > f && commit 1700000000; printf 12 > f && commit 1700400000; mkdir ../tmp ../tools
      """#, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
  }

  /// Makes the programs; `PATH` and `TMPDIR` for them.
  private func environment(
    browser: String = Self.frames, ffmpeg: String = "cat > \"$out\""
  ) throws -> [String] {
    try folder.makeFile("tools/chromium", Self.browser + browser)
    try folder.makeFile(
      "tools/ffmpeg",
      "#!/bin/sh\nfor out; do :; done\necho \"$@\" > '\(folder("line"))'\n\(ffmpeg)\n")
    for name in ["chromium", "ffmpeg"] { try folder.setMode("tools/\(name)", 0o755) }
    return ["PATH=\(folder("tools")):/usr/bin:/bin", "TMPDIR=\(folder("tmp"))"]
  }

  private func start(
    _ options: [String] = [], to name: String = "film.mp4", _ environment: [String]
  ) throws -> Subprocess {
    try Geomapper.start(
      ["history", "--git", "repo", "--film", name, "--duration", "1s", "--fps", "3"] + options,
      in: folder.path, environment: environment)
  }

  private static let size = ["--frame-size", "64x66"]

  /// Nothing is left but what the test has made.
  private func expectNothing(but others: [String] = []) throws {
    let known = ["begun", "late", "line", "lock", "repo", "tmp", "tools"] + others
    #expect(try folder.names().filter { !known.contains($0) } == [])
    #expect(try folder.names(in: "tmp") == [])
    #expect(waitUntil { !folder.isLocked("lock") })
  }

  @Test func aVideoIsMadeOfTheFramesOfThePage() throws {
    let title = "</script>&\"é"
    let browser = """
      json.dump({"film": film, "line": sys.argv, "home": os.environ["HOME"], "page": page}, open("seen", "w"))
      \(Self.frames)
      """
    try folder.makeFile("film.mp4", "old")
    let outcome = try start(
      Self.size + ["--title", title, "--light"], environment(browser: browser)
    ).finish()
    #expect(outcome.status == 0 && outcome.error.isEmpty && outcome.output.isEmpty)
    #expect(
      try folder.read("film.mp4") == (0..<3).flatMap { [UInt8](repeating: $0, count: 4 * 64 * 66) })
    let seen =
      try JSONSerialization.jsonObject(with: Data(folder.read("seen"))) as? [String: Any] ?? [:]
    let film = seen["film"] as? [String: Any] ?? [:]
    #expect(film["title"] as? String == title && film["dark"] as? Bool == false)
    #expect(
      [film["width"], film["height"], film["fps"], film["frames"], film["seconds"]].map {
        $0 as? Int
      } == [64, 66, 3, 3, 1])
    // The token isn't on the command line, which other users see.
    let line = seen["line"] as? [String] ?? []
    let (token, home) = (film["token"] as? String ?? "", seen["home"] as? String ?? "")
    #expect(token.count >= 32 && !line.joined().contains(token))
    #expect(home.hasPrefix(folder("tmp")) && line.contains("--user-data-dir=\(home)/profile"))
    #expect(line.contains { $0.hasPrefix("--proxy-server=http://127.0.0.1:") })
    #expect(line.contains("--no-sandbox") == (geteuid() == 0))
    #expect(try folder.text("line").contains("-f rawvideo -pix_fmt rgba -s 64x66 -r 3 -i -"))
    try expectNothing(but: ["film.mp4", "seen"])
  }

  @Test(arguments: [
    // Of the browser:
    ("post(0, bytes(size)); sys.exit(1)", nil, "chromium ended before frame 2 of 3"),
    ("subprocess.Popen(['sleep', '1000']); os.kill(os.getpid(), 9)", nil, "ended before frame 1"),
    (
      "post('failed', 'no \\x1b ground'); wait()", nil,
      "the page can't draw the film: no \\u{1B} ground"
    ),
    // A frame of another size is refused.
    ("assert post(0, bytes(size + 4)) == 400", nil, "chromium ended before frame 1 of 3"),
    // Of ffmpeg:
    (frames, "echo no codec >&2; exit 1", "ffmpeg made no video: no codec"),
    (frames, "head -c 20000 > \"$out\"; kill -9 $$", "ffmpeg made no video: signal 9 ended it"),
    (frames, "cat > /dev/null", "ffmpeg made no video"),
    ("wait()", "exit 0", "ffmpeg made no video"),
  ])
  func failedProgramLeavesNothing(browser: String, ffmpeg: String?, words: String) throws {
    try folder.makeFile("film.mp4", "old")
    let ffmpeg = ffmpeg ?? "cat > \"$out\""
    let outcome = try start(Self.size, environment(browser: browser + "\n", ffmpeg: ffmpeg))
      .finish()
    #expect(outcome.status == 3)
    #expect(outcome.errorText.contains(words), "\(outcome.errorText)")
    #expect(try folder.text("film.mp4") == "old")
    try expectNothing(but: ["film.mp4"])
  }

  @Test(.enabled(if: Interposition.isPossible, Interposition.need))
  func aPageThatHangsIsEnded() throws {
    let later = Interposition().with("LATER", "121").with("GATE", folder("late"))
    let browser = "open('late', 'w').close(); wait()\n"
    let outcome = try start(Self.size, environment(browser: browser) + later.environment).finish()
    #expect(outcome.status == 3)
    #expect(
      outcome.errorText.contains("no frame came from chromium in 120 seconds"),
      "\(outcome.errorText)")
    try expectNothing()
  }

  @Test(.enabled(if: Interposition.isPossible, Interposition.need))
  func aVideoThatHangsIsEnded() throws {
    let later = Interposition().with("LATER", "121").with("GATE", folder("late"))
    let ffmpeg = """
      echo stuck >&2; cat > "$out"; exec 9> '\(folder("lock"))'; flock 9
      sleep 0.3; : > '\(folder("late"))'; sleep 1000
      """
    let outcome = try start(Self.size, environment(ffmpeg: ffmpeg) + later.environment).finish()
    #expect(outcome.status == 3)
    #expect(
      outcome.errorText.contains(
        "ffmpeg wrote nothing for 120 seconds, and was ended; its last words: stuck"),
      "\(outcome.errorText)")
    try expectNothing()
  }

  @Test(.enabled(if: Interposition.isPossible, Interposition.need), arguments: [ENOSPC, EDQUOT])
  func aFullDiskLeavesNothing(reason: Int32) throws {
    let fault = Interposition("write", on: ".tmp").failing(reason)
    let outcome = try start(Self.size, environment() + fault.environment).finish()
    #expect(outcome.status == 3)
    #expect(outcome.errorText.contains("can't write 'film.mp4'"), "\(outcome.errorText)")
    try expectNothing()
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalLeavesNothing(signal: Int32) throws {
    let environment = try environment(
      browser:
        "post(0, bytes(size)); open(os.environ['HOME'] + '/f', 'w'); os.makedirs(os.environ['HOME'] + '/a/b'); wait()\n",
      ffmpeg: "exec 9> lock2; flock 9; cat > \"$out\"; sleep 1000")
    let process = try start(Self.size, environment)
    #expect(try waitUntil { try folder.names().contains("begun") })
    process.send(signal)
    #expect(process.finish().signal == signal)
    #expect(waitUntil { !folder.isLocked("lock2") })
    try expectNothing(but: ["lock2"])
  }

  @Test(arguments: [
    (["git"], "Chromium and ffmpeg", "apt-get install chromium ffmpeg"),
    (["git", "chromium"], "needs ffmpeg,", "'apt-get install ffmpeg'"),
    (["git", "ffmpeg"], "needs Chromium,", "'apt-get install chromium'"),
  ])
  func missingProgramsAreNamed(there: [String], words: String, advice: String) throws {
    for name in there { try folder.makeFile("tools/\(name)", "#!/bin/sh\nexit 0\n") }
    for name in there { try folder.setMode("tools/\(name)", 0o755) }
    // Before the repository is read, which isn't there.
    let outcome = try Geomapper.start(
      ["history", "--git", "nowhere", "--film", "film.gif"], in: folder.path,
      environment: ["PATH=\(folder("tools"))"]
    ).finish()
    #expect(outcome.status == 2)
    #expect(outcome.errorText.contains(words), "\(outcome.errorText)")
    #expect(outcome.errorText.contains(advice), "\(outcome.errorText)")
    try expectNothing()
  }

  @Test func missingParentIsRefused() throws {
    let outcome = try start(to: "no/film.gif", environment()).finish()
    #expect(outcome.status == 2)
    #expect(outcome.errorText.contains("the parent folder of 'no/film.gif' does not exist"))
  }

  @Test(arguments: [
    (["--frames", "svg"], "unknown option '--frames'"),
    (["--sheet", "A3"], "an option of 'draw'"),
    (["--film", "film"], "'film' does not end in .mp4, .webm or .gif"),
    (["--frame-size", "1921x1080"], "is not a frame size"),
    (["--frame-size", "8192x8192"], "is not a frame size"),
    (["--duration", "2h"], "more than 1:00:00"),
    (["--fps", "60"], "at most 50 frames"), (["--duration", "3601"], "more than 1:00:00"),
  ])
  func conflictingOptionsAreRefused(options: [String], words: String) throws {
    let outcome = try Geomapper.run(
      ["history", "--git", "repo", "--film", "film.gif"] + options, in: folder.path)
    #expect(outcome.status == 2)
    #expect(outcome.errorText.contains(words), "\(outcome.errorText)")
  }
}
