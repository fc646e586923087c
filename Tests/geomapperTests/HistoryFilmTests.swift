import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// `geomapper history` with the frames of a film.
@Suite struct HistoryFilmTests {
  let folder: TemporaryFolder

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
  /// Replaces the converter: it writes the signature of a PNG file.
  private static let painter = "printf '\\211PNG\\r\\n' > \"$out\""

  init() throws {
    folder = try TemporaryFolder()
    let made = try Geomapper.shell(
      #"""
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
      git init -q -b main repo && cd repo && git config user.name Ann && git config user.email a@b
      commit() { git add -A && GIT_COMMITTER_DATE="$1 +0000" git commit -q -m x; }
      mkdir old && head -c 3000 /dev/zero > old/f && commit 1700000000
      mkdir new && printf 12345 > new/g && head -c 9000 /dev/zero > old/f && commit 1700400000
      git rm -q -r old && commit 1700800000
      """#, in: folder.path)
    try #require(made.status == 0, "\(made.errorText)")
  }

  /// Makes a film of three frames.
  private func film(
    _ options: [String], into name: String = "film", environment: [String] = []
  ) throws -> Subprocess.Outcome {
    let usual = ["--film", name, "--duration", "3", "--fps", "1", "--sheet", "120x90"]
    return try Geomapper.start(
      ["history", "--git", "repo"] + usual + options, in: folder.path, environment: environment
    ).finish()
  }

  /// A program in place of rsvg-convert; returns the `PATH` with it.
  private func converter(_ script: String, before: String = ":") throws -> String {
    try folder.makeFile(
      "tools/rsvg-convert",
      """
      #!/bin/sh
      [ "$1" = --version ] && exit 0
      \(before)
      while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done
      \(script)

      """)
    try folder.setMode("tools/rsvg-convert", 0o755)
    return "PATH=\(folder("tools")):/usr/bin:/bin"
  }

  @Test func framesShowTheirTimes() throws {
    let outcome = try film([])
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.errorText)")
    let names = ["frame-00001.svg", "frame-00002.svg", "frame-00003.svg"]
    #expect(try folder.names(in: "film") == names)
    let frames = try names.map { try folder.text("film/\($0)") }
    // A folder is labelled in the frames in which it exists; a file has its size at that time.
    #expect(frames.map { $0.contains(">OLD<") || $0.contains(">old<") } == [true, true, false])
    #expect(frames.map { $0.contains(">new<") } == [false, true, true])
    #expect(frames.map { $0.contains("3.00 kB") } == [true, false, false])
    #expect(frames[1].contains("9.01 kB") && frames[1].contains("Surveyed 19 November 2023"))
    #expect(frames.allSatisfy { $0.hasPrefix("<?xml") && $0.hasSuffix("</svg>\n") })
    #expect(outcome.text.contains("for frame in 'film'/*.svg; do rsvg-convert"))
    #expect(outcome.text.contains("ffmpeg -framerate 1 -i 'film/frame-%05d.png'"))
  }

  @Test func commandQuotesTheFolder() throws {
    let text = try film(
      ["--frames", "png"], into: "-it's 5%", environment: [converter(Self.painter)]
    )
    .text
    #expect(text.contains(#"-i './-it'\''s 5%%/frame-%05d.png'"#), "\(text)")
  }

  @Test(arguments: ["rsvg-convert", "chromium"])
  func programsMakeThePictures(program: String) throws {
    let found = try Geomapper.shell("command -v \(program)", in: folder.path)
    guard found.status == 0 else {
      print("skipped: no pictures of frames by \(program), which is not installed")
      return
    }
    let tools = try folder.makeFolder("tools")
    for name in [program, "git", "sh", "env", "bash", "cat", "dirname", "readlink", "basename"] {
      _ = try Geomapper.shell("ln -s \"$(command -v \(name))\" tools/", in: folder.path)
    }
    let outcome = try film(
      ["--frames", "png"], environment: ["PATH=\(tools)", "TMPDIR=\(folder.path)"])
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.errorText)")
    let frames = try (1...3).map { try folder.read("film/frame-0000\($0).png") }
    // Width and height come after the signature and the name of the first chunk.
    #expect(
      frames.allSatisfy { $0.starts(with: Self.signature) && $0[16..<24] == frames[0][16..<24] })
    #expect(Set(frames).count == 3)
    let names = try folder.names()
    #expect(names == ["film", "repo", "tools"])
  }

  @Test func progressStartsBeforeTheFirstFrame() throws {
    let waiting = """
      i=0; while ! grep -q film \(folder("err")) && [ $i -lt \(10 * Patience.seconds) ]; do
        i=$((i + 1)); sleep 0.1; done
      """
    let path = try converter(Self.painter, before: waiting)
    let outcome = try Geomapper.shell(
      "\(path) \"$T\" history --git repo --film film --duration 3 --fps 1 --sheet 120x90 "
        + "--frames png --progress always 2> err", in: folder.path)
    #expect(outcome.status == 0)
    let text = try folder.text("err")
    #expect(text.contains("geomapper: film: 0 frames, 0 %\n"), "\(text)")
  }

  @Test func withoutAProgramNothingIsMade() throws {
    try folder.makeFolder("tools")
    _ = try Geomapper.shell("ln -s \"$(command -v git)\" tools/", in: folder.path)
    let outcome = try film(["--frames", "png"], environment: ["PATH=\(folder("tools"))"])
    #expect(outcome.status == 2)
    #expect(outcome.errorText.contains("rsvg-convert or Chromium"), "\(outcome.errorText)")
    #expect(try folder.names() == ["repo", "tools"])
  }

  @Test(arguments: [
    ("echo no ink >&2; exit 1", "made no PNG of the sheet: no ink"),
    ("kill -9 $$", "signal 9 ended it"), (":", "it doesn't say why"),
    // The second frame fails.
    ("[ -e once ] && exit 1; :> once; \(Self.painter)", "it doesn't say why"),
  ])
  func aProgramThatFailsLeavesNothing(script: String, words: String) throws {
    for isThere in [false, true] {
      if isThere { try folder.makeFolder("film") }
      _ = try Geomapper.shell("rm -f once", in: folder.path)
      let outcome = try film(
        ["--frames", "png"],
        environment: [converter(script), "TMPDIR=\(folder.path)"])
      #expect(outcome.status == 3)
      #expect(outcome.errorText.contains(words), "\(outcome.errorText)")
      let names = try folder.names().filter { $0 != "once" }
      #expect(names == (isThere ? ["film"] : []) + ["repo", "tools"])
      if isThere { #expect(try folder.names(in: "film").isEmpty) }
    }
  }

  @Test(.enabled(if: Interposition.isPossible, Interposition.need))
  func aProgramThatHangsIsEnded() throws {
    // Its child hangs with it, and is ended, too. Then two minutes pass.
    let path = try converter(
      "exec 9> '\(folder("lock"))'; flock 9; sleep 1000 & : > '\(folder("late"))'; wait")
    let later = Interposition().with("LATER", "121").with("GATE", folder("late"))
    let outcome = try film(
      ["--frames", "png"], environment: [path, "TMPDIR=\(folder.path)"] + later.environment)
    #expect(outcome.status == 3)
    #expect(
      outcome.errorText.contains(
        "rsvg-convert made no PNG of the sheet: it took more than 120 seconds, and was ended"),
      "\(outcome.errorText)")
    #expect(try folder.names() == ["late", "lock", "repo", "tools"])
    #expect(waitUntil { !folder.isLocked("lock") })
  }

  @Test func slowPicturesKeepTheirOrder() throws {
    // The first picture is the slowest; each picture shows its frame.
    let script = #"for in; do :; done; case $in in *-0.svg) sleep 0.5;; esac; "#
    let path = try converter(
      "set -- $all; \(script)\(Self.painter); grep -c new \"$in\" >> \"$out\"; :",
      before: "all=\"$*\"")
    #expect(try film(["--frames", "png"], environment: [path]).status == 0)
    let drawings = try film([], into: "drawings")
    #expect(drawings.status == 0)
    for number in 1...3 {
      let drawing = try folder.text("drawings/frame-0000\(number).svg")
      let lines = drawing.split(separator: "\n").count { $0.contains("new") }
      let picture = try folder.read("film/frame-0000\(number).png")
      #expect(picture.suffix(from: 6).elementsEqual("\(lines)\n".utf8), "\(number)")
    }
  }

  @Test func nonemptyFoldersAreRefused() throws {
    try folder.makeFile("film/mine", "1")
    let outcome = try film([])
    #expect(outcome.status == 2 && outcome.errorText.contains("'film' is not empty"))
    #expect(try folder.names(in: "film") == ["mine"])
  }

  @Test(.enabled(if: Interposition.isPossible, Interposition.need), arguments: [ENOSPC, EDQUOT])
  func aFullDiskLeavesNothing(reason: Int32) throws {
    let fault = Interposition("write", on: ".svg", after: 1).failing(reason)
    let outcome = try film([], environment: fault.environment)
    #expect(outcome.status == 3, "\(outcome.errorText)")
    #expect(
      outcome.errorText.contains("can't write the frames into 'film'"), "\(outcome.errorText)")
    #expect(try folder.names() == ["repo"])
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aSignalWhileAPictureIsMadeLeavesNothing(signal: Int32) throws {
    // The second picture never finishes: the pipe has no writer.
    try folder.makeFolder("tools")
    try folder.makePipe("tools/pipe")
    // The converter runs in a folder of its own.
    let path = try converter(
      "cd '\(folder.path)'; [ -e once ] && { exec 9> lock; flock 9; :> begun; "
        + "cat '\(folder("tools/pipe"))'; }; :> once; cd - > /dev/null; \(Self.painter)")
    let process = try Geomapper.start(
      [
        "history", "--git", "repo", "--film", "film", "--duration", "3", "--fps", "1", "--sheet",
        "120x90", "--frames", "png",
      ], in: folder.path, environment: [path, "TMPDIR=\(folder.path)"])
    #expect(try waitUntil { try folder.names().contains("begun") })
    process.send(signal)
    #expect(process.finish().signal == signal)
    // The child that waits for the pipe has ended with it.
    #expect(waitUntil { !folder.isLocked("lock") })
    #expect(try folder.names() == ["begun", "lock", "once", "repo", "tools"])
  }
}
