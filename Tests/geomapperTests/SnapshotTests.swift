import Foundation
import TestSupport
import Testing

/// `geomapper snapshot`.
@Suite struct SnapshotTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("src/a/x.c", "hello")
    try folder.makeFile("src/b/deep/y.o", String(repeating: "-", count: 3000))
    try folder.makeLink("src/link", to: "a")
  }

  private func run(_ arguments: String...) throws -> Subprocess.Outcome {
    try Geomapper.run(arguments, in: folder.path)
  }

  @Test func infoReportsTheContents() throws {
    let taken = try run(
      "snapshot", "-o", "s", "one=src", "two=src/b", "--exclude", "*.o",
      "--include", "/keep", "--size=-1GB")
    #expect(taken.status == 0)
    #expect(taken.errorText.isEmpty)
    let info = try run("snapshot", "--info", "s")
    #expect(info.status == 0)
    let lines = info.text.split(separator: "\n").map(String.init)
    #expect(lines.contains("root      one=src"))
    #expect(lines.contains("root      two=src/b"))
    // In a form that every version reads alike, and that can be typed.
    #expect(lines.contains("option    --exclude=**/*.o"))
    #expect(lines.contains("option    --include=/keep"))
    #expect(lines.contains("option    --size=-1000000000"))
    #expect(lines.contains("holds     6 folders, 2 files, 0 unreadable, 2 left out"))
    #expect(lines.contains("state     sound"))
  }

  @Test func isWrittenToPipesAndNotToTerminals() throws {
    _ = try run("snapshot", "-o", "s", "src")
    let piped = try Geomapper.shell(
      "\"$T\" snapshot src | cat > p; \"$T\" snapshot --info p", in: folder.path)
    #expect(piped.status == 0)
    #expect(try folder.read("p").count == folder.read("s").count)
    let terminal = try PseudoTerminal()
    let outcome = try Geomapper.start(
      ["snapshot", "src"], in: folder.path, output: .descriptor(terminal.terminal)
    ).finish()
    #expect(terminal.finish().isEmpty)
    #expect(outcome.status == 2)
    #expect(outcome.errorText.contains("--output FILE"))
  }

  @Test func itsOwnFileIsNotInIt() throws {
    _ = try run("snapshot", "-o", "first", "src")
    _ = try run("snapshot", "-o", "src/s", "src")
    try folder.makeFile("copy")
    let moved = try Geomapper.shell("mv src/s s; \"$T\" snapshot --info s", in: folder.path)
    #expect(moved.text.contains("holds     4 folders, 3 files"))
    #expect(try folder.names(in: "src") == ["a", "b", "link"])
  }

  @Test func takesLists() throws {
    let outcome = try Geomapper.shell(
      "find src -printf '%s %T@ %y %p\\0' | \"$T\" snapshot --files-from - --list-format find src "
        + "-o s && \"$T\" snapshot --info s", in: folder.path)
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("of        a list"))
    #expect(outcome.text.contains("holds     4 folders, 3 files"))
  }

  @Test func namesWhatIsDamaged() throws {
    _ = try run("snapshot", "-o", "s", "src")
    var bytes = try folder.read("s")
    // In the last block, before the index of one page.
    bytes[bytes.count - 56 - 4 - 4 * 12 - 5] ^= 1
    try folder.makeFile(bytes: Array("damaged".utf8), bytes)
    let outcome = try run("snapshot", "--info", "damaged")
    #expect(outcome.status == 1)
    #expect(outcome.errorText == "geomapper: src: its part of the snapshot is damaged\n")
    #expect(outcome.text.contains("damaged: 1 folder lost"))
    try folder.makeFile(bytes: Array("short".utf8), Array(bytes.dropLast()))
    let short = try run("snapshot", "--info", "short")
    #expect(short.status == 2)
    #expect(short.errorText.contains("cut short"))
  }

  @Test func wrongUsageWritesNothing() throws {
    for (arguments, message) in [
      (["snapshot", "-o", "s", "nowhere"], "can't map 'nowhere'"),
      (["snapshot", "-o", "none/s", "src"], "does not exist"),
      (["snapshot", "--info", "src"], "not a regular file"),
      (["snapshot", "--info", "src/a/x.c"], "not a snapshot"),
      (["snapshot", "--info", "s", "src"], "--info shows one snapshot"),
      (["snapshot", "-o", "s", "src", "--zoom", "3"], "unknown option '--zoom'"),
    ] {
      let outcome = try Geomapper.run(arguments, in: folder.path)
      #expect(outcome.status == 2, "\(arguments)")
      #expect(outcome.errorText.contains(message), "\(outcome.errorText)")
      #expect(outcome.output.isEmpty)
    }
    #expect(try folder.names() == ["src"])
  }

  @Test func unreadableFoldersAreNamedAndStored() throws {
    guard let launcher = Geomapper.unprivileged else { return }
    try folder.setMode("src/b/deep", 0)
    let taken = try Geomapper.run(
      ["snapshot", "-o", "s", "src"], in: folder.path, launcher: launcher)
    #expect(taken.status == 1)
    #expect(taken.errorText == "geomapper: src/b/deep: Permission denied\n")
    let info = try run("snapshot", "--info", "s")
    #expect(info.text.contains("holds     4 folders, 2 files, 1 unreadable"))
  }
}
