import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// `geomapper draw`.
@Suite struct DrawTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for (path, size) in [
      ("land/sea/a.txt", 5000), ("land/sea/deep/b.txt", 70_000), ("land/hill/c.swift", 300),
      ("other/d", 1),
    ] {
      try folder.makeFile(path, size: size)
    }
  }

  private func draw(_ arguments: [String], in place: String? = nil) throws -> Subprocess.Outcome {
    // A small sheet takes less time.
    let size = arguments.contains("--sheet") ? [] : ["--sheet", "120x90"]
    return try Geomapper.start(["draw"] + size + arguments, in: place ?? folder.path).finish()
  }

  @Test func writesAFileOrStandardOutput() throws {
    let outcome = try draw(["-o", "sheet.svg", "land", "other"])
    #expect(outcome.status == 0 && outcome.text.isEmpty && outcome.error.isEmpty)
    let file = try folder.text("sheet.svg")
    #expect(file.hasPrefix("<?xml") && file.hasSuffix("</svg>\n"))
    #expect(try draw(["-o", "-", "land", "other"]).text == file)
    #expect(try draw(["land", "other"]).text == file)
    for threads in ["1", "7"] {
      #expect(try draw(["--threads", threads, "other", "land"]).text == file)
    }
    #expect(!file.contains("Surveyed"))
    #expect(try draw(["--date", "2026-11-22", "land"]).text.contains("Surveyed 22 November 2026"))
  }

  @Test func theSheetDoesNotCountItself() throws {
    #expect(try draw(["-o", "land/sheet.svg", "land"]).status == 0)
    let first = try folder.text("land/sheet.svg")
    #expect(first.contains(">3</text>"))
    // The room on disk depends on the file system.
    #expect(first.contains(">on disk<"))
  }

  @Test func optionsChangeTheSheet() throws {
    let usual = try draw(["land"]).text
    #expect(usual.contains("width=\"120mm\" height=\"90mm\""))
    let upright = try draw(["--sheet", "150x200", "land"]).text
    #expect(upright.contains("width=\"150mm\" height=\"200mm\""))
    #expect(try draw(["--title", "My <land>", "land"]).text.contains(">My &lt;land&gt;<"))
    #expect(try draw(["--dark", "land"]).text.contains("#14191d"))
    for shading in ["size", "age", "type"] {
      #expect(try draw(["--shade", shading, "land"]).text.contains("shades: "))
    }
    let part = try draw(["--folder", "land/sea", "land"])
    #expect(part.status == 0 && part.text.contains("<title>SEA</title>"))
    #expect(try draw(["--bbox=-30,-30,30,30", "land"]).status == 0)
  }

  /// Times and sizes may be as large or as small as their numbers.
  @Test(arguments: ["-9223372036854775807", "9223372036854775807"])
  func extremeTimesAreDrawn(time: String) throws {
    let size = "9223372036854775807"
    try folder.makeFile("list", "\(size) \(time) f land/sea/a\0\(size) \(time) f land/hill/b\0")
    for shading in ["age", "size"] {
      let sheet = try draw([
        "--shade", shading, "--files-from", "list", "--list-format", "find", "land",
      ])
      #expect(sheet.status == 0 && sheet.text.contains("shades: "), "\(sheet.errorText)")
    }
  }

  @Test func snapshotsAndFoldersGiveTheSameSheet() throws {
    let taken = try Geomapper.run(["snapshot", "-o", "s.geosnap", "land"], in: folder.path)
    #expect(taken.status == 0)
    let (kept, here) = (try draw(["s.geosnap"]), try draw(["land"]))
    #expect(kept.status == 0 && kept.text == here.text)
  }

  @Test(arguments: [
    (["nowhere"], "can't map 'nowhere'"), (["--sheet", "A7", "land"], "A4, or WxH"),
    (["--sheet", "100000x3", "land"], "A4, or WxH"),
    (["--sheet", "200x601", "land"], "at most 3:1"),
    (["--date", "soon", "land"], "is not a time"), (["--shade", "mood", "land"], "is not tints"),
    (["--folder", "land/none", "land"], "no folder 'land/none'"),
    (["--folder", "none", "land"], "'none' is not below"),
    (["--folder", "other", "land"], "is not below"),
    (["--folder", "land/sea/a.txt", "land"], "no folder"),
    (["--folder", "/", "land"], "give a folder in it"),
    (["--bbox", "170,0,-170,10", "land"], "antimeridian"),
    (["--bbox=0,0,1,1", "--folder", "land/sea", "land"], "both choose what is drawn"),
    (["-o", "none/sheet.svg", "land"], "does not exist"),
  ])
  func wrongUsageIsRefused(_ arguments: [String], _ words: String) throws {
    let outcome = try draw(arguments)
    #expect(outcome.status == 2, "\(arguments): \(outcome.errorText)")
    #expect(outcome.errorText.contains(words), "\(arguments): \(outcome.errorText)")
    #expect(outcome.text.isEmpty)
  }

  @Test func aPictureNeedsAProgram() throws {
    let outcome = try Geomapper.start(
      ["draw", "--sheet", "120x90", "--format", "png", "-o", "sheet.png", "land"], in: folder.path,
      environment: ["PATH=/nowhere"]
    ).finish()
    #expect(outcome.status == 2)
    #expect(outcome.errorText.contains("rsvg-convert or Chromium"))
    #expect(!FileManager.default.fileExists(atPath: folder("sheet.png")))
  }

  /// Starts drawing with a program in place of rsvg-convert.
  private func start(_ script: String, _ more: [String] = []) throws -> Subprocess {
    try folder.makeFile(
      "tools/rsvg-convert",
      """
      #!/bin/sh
      [ "$1" = --version ] && exit 0
      while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done
      \(script)

      """)
    try folder.setMode("tools/rsvg-convert", 0o755)
    return try Geomapper.start(
      ["draw", "--sheet", "120x90", "--format", "png", "-o", "sheet.png", "land"],
      in: folder.path,
      environment: ["PATH=\(folder("tools")):/usr/bin:/bin", "TMPDIR=\(folder.path)"] + more)
  }

  @Test func aProgramMakesThePicture() throws {
    // Replaces the real program: it writes the signature of a PNG file, or fails.
    for (script, status, words) in [
      ("printf '\\211PNG\\r\\n' > \"$out\"", 0, ""), ("echo no ink >&2; exit 1", 3, "no ink"),
      (":", 3, "made no PNG"), ("kill -9 $$", 3, "signal 9 ended it"),
    ] {
      let outcome = try start(script).finish()
      #expect(outcome.status == Int32(status), "\(outcome.errorText)")
      #expect(words.isEmpty ? outcome.error.isEmpty : outcome.errorText.contains(words))
      #expect(try folder.read("sheet.png").starts(with: [0x89, 0x50, 0x4E, 0x47]))
      // No temporary files are left.
      #expect(try !folder.names().contains { $0.hasPrefix(".geomapper") })
    }
  }

  @Test(.enabled(if: Interposition.isPossible, Interposition.need))
  func programThatHangsIsEnded() throws {
    // Its child hangs with it, and is ended, too. Then two minutes pass.
    let later = Interposition().with("LATER", "121").with("GATE", folder("late"))
    let outcome = try start(
      "exec 9> '\(folder("lock"))'; flock 9; sleep 1000 & : > '\(folder("late"))'; wait",
      later.environment
    ).finish()
    #expect(outcome.status == 3)
    #expect(
      outcome.errorText.contains(
        "rsvg-convert made no PNG of the sheet: it took more than 120 seconds, and was ended"),
      "\(outcome.errorText)")
    #expect(try folder.names() == ["land", "late", "lock", "other", "tools"])
    #expect(waitUntil { !folder.isLocked("lock") })
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func signalDuringTheConversionLeavesNothing(signal: Int32) throws {
    let process = try start(
      "exec 9> '\(folder("lock"))'; flock 9; : > '\(folder("begun"))'; sleep 1000 & wait")
    #expect(try waitUntil { try folder.names().contains("begun") })
    process.send(signal)
    #expect(process.finish().signal == signal)
    // The child has ended with the program.
    #expect(waitUntil { !folder.isLocked("lock") })
    #expect(try folder.names() == ["begun", "land", "lock", "other", "tools"])
  }

  /// A program in place of Chromium, without rsvg-convert.
  private func draw(by chromium: String) throws -> Subprocess.Outcome {
    try folder.makeFile("tools/chromium", "#!/bin/sh\n\(chromium)\n")
    try folder.setMode("tools/chromium", 0o755)
    for name in ["home", "odd#1?%d"] { try folder.makeFolder(name) }
    return try Geomapper.start(
      ["draw", "--sheet", "120x90", "-o", "sheet.png", "land"], in: folder.path,
      environment: [
        "PATH=\(folder("tools"))", "TMPDIR=\(folder("odd#1?%d"))", "HOME=\(folder("home"))",
        "XDG_CACHE_HOME=\(folder("home"))",
      ]
    ).finish()
  }

  /// What the browser writes is removed with the drawing; its path is encoded in the address.
  @Test func browserLeavesNoFiles() throws {
    let outcome = try draw(
      by: #"""
        : > "$HOME/x"; : > "$XDG_CACHE_HOME/y"
        for word; do case $word in --screenshot=*) out=${word#--screenshot=};; esac; done
        case $word in file:///*odd%231%3F%25d/*.svg) printf '\211PNG\r\n' > "$out";; esac
        """#)
    #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome.errorText)")
    #expect(try folder.names(in: "home").isEmpty && folder.names(in: "odd#1?%d").isEmpty)
  }

  @Test func failingBrowserIsReported() throws {
    let outcome = try draw(by: "echo no display >&2; exit 1")
    #expect(outcome.status == 3)
    #expect(
      outcome.errorText.contains("'chromium --version' fails: no display"), "\(outcome.errorText)")
  }

  @Test func excludedFoldersAreNotDrawn() throws {
    let all = try draw(["land"]).text
    let some = try draw(["--exclude", "sea", "land"])
    #expect(some.status == 0 && some.error.isEmpty, "\(some.errorText)")
    #expect(some.text.contains(">hill<") && !some.text.contains(">sea<"))
    #expect(all.contains(">3</text>") && !some.text.contains(">3</text>"))
    // The folder is named as without a selection.
    for folder in ["land/hill", "\(folder.path)/land/hill"] {
      let drawn = try draw(["--exclude", "sea", "--folder", folder, "land"])
      #expect(drawn.status == 0 && drawn.error.isEmpty, "\(drawn.errorText)")
    }
  }
}
