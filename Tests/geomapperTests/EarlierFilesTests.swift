import Foundation
import TestSupport
import Testing

/// Files that version 0.1.0 wrote, in the folder Written, are still read.
@Suite struct EarlierFilesTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let written = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Written")
    try FileManager.default.copyItem(atPath: written.path, toPath: folder("written"))
  }

  private func run(_ line: String) throws -> String {
    let outcome = try Geomapper.run(
      line.split(separator: " ").map(String.init), in: folder("written"))
    #expect(outcome.status == 0, "\(line): \(outcome.errorText)")
    return outcome.text
  }

  @Test func aSnapshotIsMapped() throws {
    #expect(try run("map --format csv tree.geosnap") == folder.text("written/map.csv"))
  }

  @Test(arguments: 0...2)
  func aShardManifestIsMapped(number: Int) throws {
    for option in ["--shard", "--deed"] {
      let part = try run("map --format csv \(option) \(number).deed tree.geosnap")
      #expect(try part == folder.text("written/\(number).part"))
    }
    // The same tree is still split in the same way.
    _ = try run("split -q --parts 2 -o shards tree.geosnap")
    #expect(
      try folder.text("written/shards/\(number).shard") == folder.text("written/\(number).deed"))
  }

  @Test func partsAreJoined() throws {
    #expect(try run("join 2.part 0.part 1.part") == folder.text("written/map.csv"))
  }

  @Test func aRecordingIsPlayedAndDescribed() throws {
    let lines = try run("replay --speed 1000000 recording.json").split(separator: "\n")
    #expect(lines.count == 4 && lines[2].contains("\"from\":\"tree/c/new\""))
    #expect(
      try run("recordings info --directory . recording.json").contains(
        "1 created, 1 deleted, 1 moved"))
  }

  /// Publishing a site again replaces the old one.
  @Test func aSiteIsPublishedAnew() throws {
    _ = try run("publish -q --max-zoom 2 tree.geosnap -o site")
    let list = try folder.text("written/site/.geomapper-site")
    // The old files are kept for open pages, until the next run.
    #expect(
      list.hasPrefix("geomapper site 1\n") && list.contains("\nold world-c772a8119e5bf0ce.pmtiles"))
    _ = try run("publish -q --max-zoom 3 tree.geosnap -o site")
    #expect(try folder.names(in: "written/site").contains("index.html"))
    #expect(try !folder.names(in: "written/site").contains("world-c772a8119e5bf0ce.pmtiles"))
  }
}
