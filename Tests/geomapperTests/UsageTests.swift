import TestSupport
import Testing

/// Wrong usage: a clear message, status 2, and no output.
@Suite struct UsageTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("src/inner")
    try folder.makeFolder("other/src")
    try folder.makeFile("file")
  }

  private func expectUsage(
    _ arguments: [String], says words: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try folder.names()
    let outcome = try Geomapper.run(arguments, in: folder.path)
    #expect(outcome.status == 2, sourceLocation: sourceLocation)
    #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
    #expect(outcome.errorText.hasPrefix("geomapper: "), sourceLocation: sourceLocation)
    for word in words {
      #expect(outcome.errorText.contains(word), sourceLocation: sourceLocation)
    }
    #expect(try folder.names() == before, sourceLocation: sourceLocation)
  }

  @Test func suggestsOptions() throws {
    try expectUsage(["map", "--zom", "3"], says: "unknown option '--zom'", "'--zoom'?")
    try expectUsage(["map", "--fromat=csv"], says: "'--format'?")
    try expectUsage(["map", "--max-d"], says: "'--max-depth'?")
    try expectUsage(["map", "-zoom", "3"], says: "'--zoom'?")
    try expectUsage(["map", "-w"], says: "unknown option '-w'", "'./-w'")
    try expectUsage(["map", "--absurd"], says: "unknown option '--absurd'", "./--absurd")
    try expectUsage(["--verson"], says: "'--version'?")
    try expectUsage(["--zoom", "3", "src"], says: "geomapper map --zoom")
  }

  @Test func optionsOfOtherCommandsAreNamed() throws {
    try expectUsage(["find", "--root", "src", "x"], says: "an option of locate, whereis, route")
    try expectUsage(["map", "--film", "x", "src"], says: "an option of 'history'")
    try expectUsage(["replay", "-x"], says: "an option of serve, map, draw,", "and others")
    try expectUsage(["help", "--absurd"], says: "unknown option '--absurd'")
  }

  @Test func foldersMayBeNamedLikeRevisions() throws {
    try folder.makeFolder("git:x")
    try expectUsage(["map", "git:x"], says: "for the folder 'git:x', give './git:x'")
    #expect(try Geomapper.run(["map", "./git:x"], in: folder.path).status == 0)
  }

  @Test func kindsOfOtherFilesAreNamed() throws {
    #expect(try Geomapper.run(["map", "-o", "world", "src"], in: folder.path).status == 0)
    try folder.makeFile("export", #"[1, 2, {"progname":"ncdu"}, [{"name":"/a"},{"name":"b"}]]"#)
    try folder.makeFile("events", #"{"metadata":{"version":"1.0"},"events":[]}"#)
    #expect(
      try Geomapper.run(["map", "--format", "gpx", "-o", "way", "src"], in: folder.path).status == 0
    )
    for (file, words) in [
      ("world", "geomapper verify"), ("export", "--list-format ncdu"), ("events", "replay"),
      ("way", "geomapper track"),
    ] {
      try expectUsage(["map", file], says: "not a folder, but a", words)
      try expectUsage(
        ["map", "--files-from", file, "src"], says: "is not a list of paths, but a", words)
    }
    // A stated format overrides detection; a comparison doesn't take other files for lists.
    let lines = ["map", "--files-from", "export", "--list-format", "lines", "."]
    #expect(try Geomapper.run(lines, in: folder.path).status == 0)
    try expectUsage(["diff", "way", "src"], says: "'way': not a folder, but a track")
  }

  @Test func standardInputCannotBeReadTwice() throws {
    try expectUsage(["verify", "-"], says: "save it in a file first")
  }

  @Test func suggestsCommands() throws {
    try expectUsage(["mpa", "src"], says: "'mpa' is neither a command nor a folder", "'map'?")
    try expectUsage(["hlep"], says: "'help'?")
    try expectUsage(["frobnicate"], says: "neither a command nor", "are: serve, ", ", help")
    try expectUsage(["file"], says: "'file' is neither a command nor a folder")
    try expectUsage(["othr"], says: "did you mean the folder 'other'?")
  }

  @Test func foldersWithoutCommandHaveToBeThere() throws {
    try expectUsage(["./nowhere"], says: "can't map './nowhere'", "No such file")
    try expectUsage(["a=nowhere"], says: "can't map 'nowhere'", "No such file")
    try expectUsage(["src", "nowhere"], says: "can't map 'nowhere'", "No such file")
  }

  @Test func valuesAreChecked() throws {
    for value in ["-1", "65", "1.5", "", "x", "0x1", "99999999999999999999", "+1", " 1"] {
      try expectUsage(
        ["map", "--zoom=\(value)", "src"], says: "is not a whole number from 0 to 64")
    }
    try expectUsage(
      ["map", "--max-depth", "-1", "src"], says: "--max-depth: '-1' is not a whole number")
    try expectUsage(
      ["map", "--threads", "0", "src"], says: "--threads: '0' is not a whole number from 1")
    try expectUsage(["map", "--format", "geojsno", "src"], says: "'geojson'?", "gpx")
    try expectUsage(["map", "--format=", "src"], says: "--format: '' is not geojson")
    try expectUsage(["map", "--layout", "Settled", "src"], says: "'settled'?")
    try expectUsage(["map", "--progress", "yes", "src"], says: "auto, always or never")
    try expectUsage(["map", "--bbox", "1,2,3", "src"], says: "W,S,E,N", "not 3")
    try expectUsage(["map", "--bbox", "0,5,1,4", "src"], says: "south must not be above north")
    try expectUsage(["map", "--bbox", "0,0,181,1", "src"], says: "east must be from -180 to 180")
  }

  @Test func selectionsAreChecked() throws {
    try expectUsage(["map", "--exclude", "[a", "src"], says: "--exclude", "lacks its ']'")
    try expectUsage(["map", "--exclude=", "src"], says: "the pattern is empty")
    try expectUsage(["map", "--include", "a//b", "src"], says: "--include", "empty part")
    try expectUsage(["map", "--name", "a/b", "src"], says: "--name", "no '/'")
    try expectUsage(["map", "--name", "[[:x:]]", "src"], says: "unknown class")
    try expectUsage(["map", "--size", "+3X", "src"], says: "--size: '+3X' is not a size")
    try expectUsage(["map", "--type", "f,x", "src"], says: "--type: 'f,x' is not")
    try expectUsage(["map", "--type=", "src"], says: "--type: '' is not")
    try expectUsage(["map", "--newer", "2026-02-30", "src"], says: "--newer: ", "is not a time")
    try expectUsage(["map", "--exclude-from", "none", "src"], says: "can't read 'none'")
    try expectUsage(["map", "--exclude-from", "src", "src"], says: "can't read 'src'")
    for option in ["--size=+1", "--newer=@0", "--older=@0"] {
      try expectUsage(
        ["map", "--no-stat", option, "src"], says: String(option.prefix(6)), "--no-stat")
    }
    try folder.makeFile("globs", "fine\n\n[x\n")
    try expectUsage(["map", "--exclude-from", "globs", "src"], says: "line 3 of 'globs'")
  }

  @Test func valuesAreNeeded() throws {
    for option in [
      "--output", "-o", "--format", "--layout", "--zoom", "--bbox", "--max-depth", "--threads",
      "--progress", "--files-from", "--list-format",
    ] {
      try expectUsage(["map", "src", option], says: "\(option) needs a value")
      try expectUsage(["map", option, "--quiet", "src"], says: "\(option) needs a value")
      try expectUsage(["map", option, "--", "src"], says: "\(option) needs a value")
    }
    try expectUsage(["map", "-o", "-q", "src"], says: "-o needs a value")
    try expectUsage(["map", "--output=", "src"], says: "--output: the name of a file is empty")
    for option in ["--files-from", "--git", "--exclude-from", "--redact-key"] {
      try expectUsage(["map", "\(option)=", "src"], says: "\(option): the", "is empty")
    }
  }

  @Test func flagsTakeNoValue() throws {
    try expectUsage(["map", "--quiet=yes", "src"], says: "--quiet takes no value")
    try expectUsage(["map", "-q=yes", "src"], says: "-q takes no value")
    try expectUsage(["map", "--no-stat=", "src"], says: "--no-stat takes no value")
  }

  @Test func tippecanoeNeedsGeoJSON() throws {
    try expectUsage(["map", "--tippecanoe", "--format", "csv", "src"], says: "--tippecanoe")
    try expectUsage(["map", "--format", "gpx", "--tippecanoe", "src"], says: "--tippecanoe")
  }

  @Test func rootsAreChecked() throws {
    try expectUsage(["map", "nowhere"], says: "'nowhere'", "No such file or directory")
    try expectUsage(["map", "src", "file"], says: "'file'", "not a folder")
    try expectUsage(["map", "a="], says: "'a='")
    try expectUsage(["map", "nowhere/.."], says: "can't map 'nowhere/..': No such file")
    try expectUsage(["map", "x=nowhere"], says: "can't map 'nowhere': No such file")
    try expectUsage(["map", ""], says: "is empty")
    try expectUsage(["map", ".=src"], says: "'.' can't be a label")
    try expectUsage(["map", "..=src"], says: "'..' can't be a label")
  }

  @Test func foldersWithEqualsSignsAreFound() throws {
    try folder.makeFolder("a=b")
    try expectUsage(["map", "a=b"], says: "can't map 'b'", "for the folder 'a=b', give './a=b'")
    try folder.makeFolder("b")
    #expect(try Geomapper.run(["map", "a=b"], in: folder.path).status == 0)
  }

  @Test func removedFolderNeedsALabel() throws {
    for operand in ["", ".", "./."] {
      let script = "mkdir gone; cd gone; rmdir ../gone; exec \"$T\" map \(operand)"
      let outcome = try Geomapper.shell(script, in: folder.path)
      #expect(outcome.status == 2)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errorText.contains("'\(operand.isEmpty ? "." : operand)'"))
      #expect(outcome.errorText.contains("give it a LABEL, such as NAME="))
    }
  }

  @Test func labelsMustDiffer() throws {
    try expectUsage(
      ["map", "src", "other/src"], says: "label 'src'", "'src' and 'other/src'", "NAME=other/src")
    try expectUsage(["map", "src", "src=other"], says: "label 'src'")
    try expectUsage(["map", "src", "src/"], says: "label 'src'")
    try expectUsage(["map", "other/..", "src", "\(folder.path)"], says: "two folders")
  }

  @Test func outputFolderMustExist() throws {
    try expectUsage(["map", "src", "-o", "nowhere/out"], says: "'nowhere/out'", "does not exist")
    try expectUsage(["map", "src", "-o", "file/out"], says: "'file/out'", "parent is not a folder")
    try expectUsage(
      ["map", "src", "-o", "file/x/out"], says: "'file/x/out'", "parent is not a folder")
    try expectUsage(["map", "src", "-o", "other"], says: "'other' is a folder")
    try expectUsage(["map", "src", "-o", "other/"], says: "is a folder")
    try expectUsage(["map", "src", "-o", "."], says: "is a folder")
    try expectUsage(["map", "src", "-o", "new/"], says: "'new/'", "a folder that does not exist")
    try expectUsage(["map", "src", "-o", "file/"], says: "'file/'", "a folder that does not exist")
    try folder.makeLink("tofolder", to: "other")
    try expectUsage(["map", "src", "-o", "tofolder"], says: "is a folder")
    try folder.makeLink("tonowhere", to: "nowhere/out")
    try expectUsage(["map", "src", "-o", "tonowhere"], says: "does not exist")
  }

  @Test func messagesHaveNoControlCharacters() throws {
    for argument in ["\u{1B}[2J", "a\nb", "\u{202E}x"] {
      let outcome = try Geomapper.run(["map", argument], in: folder.path)
      #expect(outcome.status == 2)
      let lines = outcome.errorText.split(separator: "\n")
      #expect(lines.count == 1)
      #expect(!outcome.errorText.unicodeScalars.contains("\u{1B}"))
      #expect(!outcome.errorText.unicodeScalars.contains("\u{202E}"))
    }
  }
}
