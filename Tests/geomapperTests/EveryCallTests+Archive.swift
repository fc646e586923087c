import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// An archive of tiles is complete or missing, whichever call fails, and whenever the run is ended.
extension EveryCallTests {
  private static let archive = [
    "map", "src", "--format", "pmtiles", "--max-zoom", "2", "--totals", "-o", "out", "--threads",
    "1",
    "--progress", "never",
  ]

  /// The archive from a run without failures; then an older file is put in its place.
  private func makeArchive() throws -> [UInt8] {
    let outcome = try Geomapper.run(Self.archive, in: folder.path)
    try #require(outcome.status == 0, "\(outcome.errorText)")
    let usual = try folder.read("out")
    try #require(isWhole(usual))
    try folder.makeFile("out", "old")
    return usual
  }

  /// Whether an archive ends where its header says so.
  private func isWhole(_ bytes: [UInt8]) -> Bool {
    func number(_ offset: Int) -> Int {
      (0..<8).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    return bytes.count > 127 && bytes.starts(with: Array("PMTiles".utf8))
      && number(56) + number(64) == bytes.count
  }

  @Test(arguments: [EIO, ENOSPC]) func archiveSurvivesEveryFailingCall(reason: Int32) throws {
    let usual = try makeArchive()
    try forEachCall(Self.archive, from: reason, { $0.failing(reason) }) { number, outcome in
      let text = outcome.errorText
      #expect(outcome.signal == nil, "call \(number): \(text)")
      let written = try folder.read("out")
      let isSame = written == usual
      switch outcome.status {
      case 0: #expect(isSame, "call \(number): another archive, and no word")
      case 1:
        // An unreadable entry is reported; the tiles may lack it.
        #expect(isWhole(written), "call \(number): \(text)")
        #expect(text.contains("src"), "call \(number): \(text)")
      case 2, 3:
        #expect(written == Array("old".utf8), "call \(number)")
        #expect(!text.isEmpty, "call \(number)")
      default: Issue.record("call \(number): status \(outcome.status.map { "\($0)" } ?? "none")")
      }
      #expect(try folder.names() == ["out", "src"], "call \(number)")
      try folder.makeFile("out", "old")
    }
  }

  @Test(arguments: [SIGTERM, SIGKILL]) func archiveSurvivesASignal(signal: Int32) throws {
    let usual = try makeArchive()
    try forEachCall(Self.archive, { $0.sending(signal) }) { number, outcome in
      #expect(outcome.signal == signal || outcome.status == 0, "call \(number)")
      let written = try folder.read("out")
      // A signal may come between the last call and the end.
      let old = Array("old".utf8)
      #expect(written == usual || outcome.signal != nil && written == old, "call \(number)")
      for name in try folder.names() where name != "src" && name != "out" {
        #expect(signal == SIGKILL && name.hasPrefix(".out.geomapper-"), "call \(number): \(name)")
        unlink(folder(name))
      }
      try folder.makeFile("out", "old")
    }
  }
}
