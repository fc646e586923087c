import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// `-o FILE`: the files before and after.
@Suite struct OutputFileTests {
  let folder: TemporaryFolder
  let expected: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("src/inner")
    try folder.makeFile("src/file", "12345")
    expected = try Geomapper.run(["map", "src"], in: folder.path).output
  }

  /// Maps `src` with more arguments, and expects success.
  private func map(_ arguments: String...) throws {
    let outcome = try Geomapper.run(["map", "src"] + arguments, in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.isEmpty)
  }

  @Test(arguments: [
    ["-o", "out"], ["-oout"], ["-o=out"], ["-qoout"], ["-qo", "out"], ["--output", "out"],
    ["--output=out"], ["-o", "first", "-o", "out"], ["-o", "./src/../out"],
  ])
  func optionHasSeveralForms(arguments: [String]) throws {
    let outcome = try Geomapper.run(["map", "src"] + arguments, in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.output.isEmpty)
    #expect(try folder.read("out") == expected)
    #expect(try folder.names() == ["out", "src"])
  }

  @Test func dashIsStandardOutput() throws {
    for arguments in [["-o", "-"], ["--output=-"], ["-o-"], ["-o", "/dev/stdout"]] {
      let outcome = try Geomapper.run(["map", "src"] + arguments, in: folder.path)
      #expect(outcome.status == 0)
      #expect(outcome.output == expected)
    }
  }

  @Test func newFileGetsTheUsualMode() throws {
    for (mask, mode) in [("022", 0o644), ("077", 0o600), ("000", 0o666)] as [(String, mode_t)] {
      let outcome = try Geomapper.shell(
        "umask \(mask); exec \"$T\" map src -o out-\(mask)", in: folder.path)
      #expect(outcome.status == 0)
      #expect(try folder.mode("out-\(mask)") == mode)
    }
  }

  @Test func modeIsKept() throws {
    for mode in [0o600, 0o640, 0o755, 0o444] as [mode_t] {
      try folder.makeFile("out-\(mode)", "old")
      try folder.setMode("out-\(mode)", mode)
      try map("-o", "out-\(mode)")
      #expect(try folder.read("out-\(mode)") == expected)
      #expect(try folder.mode("out-\(mode)") == mode)
    }
  }

  /// The links that `fs.protected_symlinks` forbids, whatever the machine's setting.
  @Test(.enabled(if: geteuid() == 0, "needs the superuser, to make links of other users"))
  func linkOfAnotherUserInASharedFolderIsRefused() throws {
    try folder.makeFile("mine", "old")
    func link(_ name: String, to target: String, of owner: uid_t) throws {
      try folder.makeLink(name, to: target)
      #expect(lchown(folder(name), owner, owner) == 0)
    }
    for (mode, isShared) in [(0o1777, true), (0o1775, false), (0o777, false)] as [(mode_t, Bool)] {
      try folder.makeFolder("to-\(mode)")
      try folder.setMode("to-\(mode)", mode)
      try link("to-\(mode)/other", to: "../mine", of: 65534)
      try link("to-\(mode)/device", to: "/dev/null", of: 65534)
      try link("to-\(mode)/own", to: "../mine", of: 0)
      // A link that may be followed leads to one that may not.
      try folder.makeLink("link-\(mode)", to: "to-\(mode)/other")
      for name in ["to-\(mode)/other", "to-\(mode)/device", "link-\(mode)"] {
        let outcome = try Geomapper.run(["map", "src", "-o", name], in: folder.path)
        #expect(outcome.status == (isShared ? 3 : 0), "\(name): \(outcome.errorText)")
        #expect(outcome.errorText.contains("another user") == isShared)
        if isShared { #expect(try folder.text("mine") == "old") }
      }
      try map("-o", "to-\(mode)/own")
      try folder.makeFile("mine", "old")
    }
    // The folder's owner may put links there for others.
    try folder.makeFolder("theirs")
    try folder.setMode("theirs", 0o1777)
    try link("theirs/link", to: "../mine", of: 65534)
    #expect(chown(folder("theirs"), 65534, 65534) == 0)
    try map("-o", "theirs/link")
    #expect(try folder.read("mine") == expected)
  }

  @Test func linkIsFollowedAndKept() throws {
    try folder.makeFolder("elsewhere")
    try folder.makeFile("elsewhere/out", "old")
    try folder.setMode("elsewhere/out", 0o600)
    try folder.makeLink("elsewhere/link", to: "out")
    try folder.makeLink("link", to: "elsewhere/link")
    try map("-o", "link")
    #expect(try folder.isLink("link"))
    #expect(try folder.isLink("elsewhere/link"))
    #expect(try !folder.isLink("elsewhere/out"))
    #expect(try folder.read("elsewhere/out") == expected)
    #expect(try folder.mode("elsewhere/out") == 0o600)
    #expect(try folder.names(in: "elsewhere") == ["link", "out"])
  }

  @Test func danglingLinkGetsItsTarget() throws {
    try folder.makeFolder("elsewhere")
    try folder.makeLink("link", to: folder("elsewhere/new"))
    try map("-o", "link")
    #expect(try folder.isLink("link"))
    #expect(try folder.read("elsewhere/new") == expected)
  }

  @Test func linkInACircleIsAnError() throws {
    try folder.makeLink("one", to: "two")
    try folder.makeLink("two", to: "one")
    let outcome = try Geomapper.run(["map", "src", "-o", "one"], in: folder.path)
    #expect(outcome.status == 3)
    #expect(outcome.errorText.contains("'one'"))
    #expect(try folder.names() == ["one", "src", "two"])
  }

  @Test func hardLinksKeepTheOlderFile() throws {
    try folder.makeFile("out", "old")
    try #require(link(folder("out"), folder("second")) == 0)
    try map("-o", "out")
    #expect(try folder.read("out") == expected)
    #expect(try folder.text("second") == "old")
  }

  @Test func deviceIsWrittenInPlace() throws {
    try map("-o", "/dev/null")
    let outcome = try Geomapper.run(["map", "src", "-o", "/dev/full"], in: folder.path)
    #expect(outcome.status == 3)
    #expect(outcome.errorText.contains("'/dev/full': No space left on device"))
  }

  @Test func pipeIsWrittenInPlace() throws {
    try folder.makePipe("pipe")
    try folder.makeLink("link", to: "pipe")
    for name in ["pipe", "link"] {
      let process = try Geomapper.start(["map", "src", "-o", name], in: folder.path)
      let reader = open(folder("pipe"), O_RDONLY | O_CLOEXEC)
      let bytes = readAll(reader)
      close(reader)
      #expect(process.finish().status == 0)
      #expect(bytes == expected)
      #expect(try folder.names() == ["link", "pipe", "src"])
    }
  }

  @Test func longestNamesAreWritten() throws {
    for name in [String(repeating: "n", count: 255), String(repeating: "ü", count: 127)] {
      try map("-o", name)
      #expect(try folder.read(name) == expected)
    }
    let outcome = try Geomapper.run(
      ["map", "src", "-o", String(repeating: "n", count: 256)], in: folder.path)
    #expect(outcome.status == 3)
    #expect(outcome.errorText.contains("File name too long"))
  }

  @Test func nameMayBeAnyBytes() throws {
    let arguments = [Array("map".utf8), Array("src".utf8), Array("-o".utf8), [0xFF, 0x0A, 0x61]]
    let outcome = try Geomapper.start(bytes: arguments, in: folder.path).finish()
    #expect(outcome.status == 0)
    let written = try Geomapper.shell(#"cat "$(printf '\377\na')""#, in: folder.path)
    #expect(written.output == expected)
  }
}
