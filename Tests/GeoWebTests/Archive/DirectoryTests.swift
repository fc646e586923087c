import GeoCore
import GeoProjection
import TestSupport
import Testing

@testable import GeoWeb

/// Directories decode to the entries that were encoded.
@Suite struct DirectoryTests {
  private func entries(_ generator: inout SeededGenerator, count: Int) -> [ArchiveEntry] {
    var (tile, end): (UInt64, UInt64) = (0, 0)
    return (0..<count).map { _ in
      tile += UInt64(generator.number(in: 1...(generator.chance(0.1) ? 1 << 50 : 90)))
      var entry = ArchiveEntry(
        tile: tile, run: UInt32(generator.number(in: 1...(generator.chance(0.2) ? 70_000 : 1))),
        offset: end, length: UInt32(generator.number(in: 1...100_000)))
      tile += UInt64(entry.run)
      // A tile equal to an earlier one.
      if generator.chance(0.2), end > 0 {
        entry.offset = UInt64(generator.number(in: 0...Int(end - 1)))
      } else {
        end += UInt64(entry.length)
      }
      return entry
    }
  }

  @Test func directoriesRoundTrip() throws {
    let property = Property<[ArchiveEntry]>("directory") { generator in
      entries(&generator, count: generator.number(in: 0...300))
    } shrink: { entries in
      entries.count < 2
        ? [] : [Array(entries.prefix(entries.count / 2)), Array(entries.dropLast())]
    } fault: { entries in
      var packer = GzipPacker()
      let packed = ArchiveDirectory.encode(entries, by: &packer)
      let back = try DecodedArchive.entries(try DecodedArchive.unpack(packed))
      return back == entries ? nil : "read as \(back)"
    }
    if let found = try property.counterexample(cases: 300) { Issue.record("\(found)") }
  }

  /// With any number of entries, the root stays within its bounds, and the leaves hold all entries.
  @Test(arguments: [0, 1, 4096, 6000, 16_384, 16_385, 90_000])
  func rootDirectoryIsSmallEnough(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count + 1))
    let wanted = entries(&generator, count: count)
    var list = try EntryList()
    for entry in wanted { try list.append(entry) }
    try list.finish()
    let directories = try Directories(list)
    #expect(directories.root.count + ArchiveHeader.length <= ArchiveHeader.lead)
    let tops = try DecodedArchive.entries(try DecodedArchive.unpack(directories.root))
    guard let leaves = directories.leaves else {
      #expect(tops == wanted)
      return
    }
    var found: [ArchiveEntry] = []
    for top in tops {
      #expect(top.run == 0)
      var bytes: [UInt8] = []
      _ = try leaves.read(upTo: Int(top.length), at: Int64(top.offset), appendingTo: &bytes)
      let part = try DecodedArchive.entries(try DecodedArchive.unpack(bytes))
      #expect(part.first?.tile == top.tile)
      found += part
    }
    #expect(found == wanted)
  }

  @Test func headerFieldsHaveTheirOffsets() {
    var header = ArchiveHeader(root: 100, metadata: 20, leaves: 3000, data: 40_000)
    header.tiles = 7
    header.entries = 6
    header.contents = 5
    header.maximumZoom = 9
    header.bounds = BoundingBox(uncheckedWest: -180, south: -12.5, east: 1.25, north: 90)
    let bytes = header.encode()
    #expect(bytes.count == ArchiveHeader.length)
    func number(_ offset: Int, _ length: Int) -> Int64 {
      let word = (0..<length).reduce(0 as UInt64) {
        $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1)
      }
      return length == 4 ? Int64(Int32(truncatingIfNeeded: word)) : Int64(word)
    }
    #expect(Array(bytes[0..<8]) == Array("PMTiles".utf8) + [3])
    let words = stride(from: 8, to: 96, by: 8).map { number($0, 8) }
    #expect(words == [127, 100, 227, 20, 247, 3000, 3247, 40_000, 7, 6, 5])
    #expect(Array(bytes[96..<102]) == [1, 2, 2, 1, 0, 9])
    let degrees = [102, 106, 110, 114, 119, 123].map { number($0, 4) }
    #expect(
      degrees == [
        -1_800_000_000, -125_000_000, 12_500_000, 900_000_000, -893_750_000, 387_500_000,
      ])
    #expect(bytes[118] == 1)
  }
}
