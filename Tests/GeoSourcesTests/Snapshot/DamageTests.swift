import GeoCore
import TestSupport
import Testing

@testable import GeoSources

/// A snapshot that was changed or cut short is refused, or its lost parts are named. Everything
/// else in it is correct.
@Suite struct DamageTests {
  let folder: TemporaryFolder
  let file: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    file = try TemporaryFolder()
    try folder.makeFile("a/one", "1")
    try folder.makeFile("a/b/two", "22")
    try folder.makeFile("c/three", "333")
    try folder.makeFolder("d")
    try folder.makeLink("link", to: "a")
  }

  @Test func truncatedSnapshotsAreRefused() async throws {
    let bytes = try await snapshot(of: folder.path)
    for length in stride(from: 0, to: bytes.count, by: TestScale.each(1)) {
      #expect(throws: SnapshotError.self, "\(length) bytes") {
        _ = try file.open(Array(bytes[..<length]))
      }
    }
    #expect(throws: SnapshotError.self) { _ = try file.open(bytes + [0]) }
  }

  @Test func eachChangedByteIsFound() async throws {
    let bytes = try await snapshot(of: folder.path)
    let whole = SnapshotContents(try file.open(bytes))
    #expect(whole.lost.isEmpty)
    for index in bytes.indices {
      // Changes each byte, in at least one way.
      let changes: [UInt8] = [1, 0x80, 0xFF]
      for change in TestScale.factor < 1 ? [changes[index % 3]] : changes {
        var changed = bytes
        changed[index] ^= change
        guard let opened = try? file.open(changed) else { continue }
        let contents = SnapshotContents(opened)
        #expect(!contents.lost.isEmpty, "byte \(index)")
        #expect(Set(contents.lines).isSubset(of: whole.lines), "byte \(index)")
        #expect(!opened.check { _ in }.isSound, "byte \(index)")
      }
    }
  }

  @Test func damagedBlocksLoseOnlyTheirFolders() async throws {
    var generator = SeededGenerator(seed: 4)
    let large = try TemporaryFolder()
    let tree = Tree.random(Tree.Shape(nodes: 9000), roots: 1, using: &generator)
    try large.make(tree.folders[0].contents)
    var bytes = try await snapshot(of: large.path)
    let whole = SnapshotContents(try file.open(bytes))
    let opened = try file.open(bytes)
    #expect(opened.blocks > 3)
    bytes[Int(opened.indexOffset) - 3] ^= 4
    let damaged = try file.open(bytes)
    let contents = SnapshotContents(damaged)
    #expect(!contents.lost.isEmpty)
    #expect(contents.lines.count * 2 > whole.lines.count)
    #expect(Set(contents.lines).isSubset(of: whole.lines))
    var named: [[UInt8]] = []
    let check = damaged.check { named.append($0) }
    #expect(Set(named) == Set(contents.lost))
    #expect(check.lost == UInt64(named.count))
    #expect(!check.isWhole)
  }

  /// A snapshot of one block whose bytes were changed before packing and sealing, as an attacker
  /// would do it.
  private func crafted(
    _ bytes: [UInt8], using generator: inout SeededGenerator
  ) throws -> [UInt8] {
    let index = Int(try file.open(bytes).indexOffset)
    var slots = Array(bytes[(index + 4)..<(bytes.count - SnapshotNumbers.trailer)])
    var body = try block(of: bytes)
    for _ in 0..<generator.number(in: 1...5) {
      let value = UInt8.random(in: 0...255, using: &generator)
      if generator.chance(0.3) {
        slots[generator.number(in: 0...(slots.count - 1))] = value
      } else {
        body[generator.number(in: 0...(body.count - 1))] =
          generator.chance(0.5) ? value : value & 3
      }
    }
    return try sealed(bytes, body, slots)
  }

  /// The bytes of the first block before packing.
  private func block(of bytes: [UInt8]) throws -> [UInt8] {
    let first = Int(try file.open(bytes).firstBlock)
    var inflater = Inflater()
    var raw: [UInt8] = []
    try inflater.inflate(
      bytes, from: first + SnapshotNumbers.blockHeader, limit: SnapshotNumbers.longestBlock,
      into: &raw)
    return raw
  }

  /// A snapshot with another block and index, sealed by the right checksums.
  private func sealed(_ bytes: [UInt8], _ body: [UInt8], _ slots: [UInt8]) throws -> [UInt8] {
    let opened = try file.open(bytes)
    let first = Int(opened.firstBlock)
    var result = Array(bytes[..<first])
    var packed: [UInt8] = []
    var deflater = Deflater(effort: .swift)
    deflater.compress(body, to: &packed)
    var block: [UInt8] = []
    block.append(little: UInt32(packed.count))
    block.append(little: UInt32(body.count))
    block += bytes[(first + 12)..<(first + 16)]
    block += packed
    result.append(little: CRC32.checksum(of: block))
    result += block
    let place = UInt64(result.count)
    result.append(little: CRC32.checksum(of: slots))
    result += slots
    let sum = CRC32.checksum(of: result)
    var trailer: [UInt8] = []
    let numbers = [place, opened.slots, opened.folders, opened.files, opened.blocks]
    for number in numbers { trailer.append(little: number) }
    trailer.append(little: sum)
    trailer.append(little: CRC32.checksum(of: trailer))
    return result + trailer + SnapshotNumbers.endMagic
  }

  @Test func craftedSnapshotsTerminate() async throws {
    let bytes = try await snapshot(of: folder.path)
    for seed in TestScale.seeds(600) {
      var generator = SeededGenerator(seed: seed)
      let opened = try file.open(try crafted(bytes, using: &generator))
      let contents = SnapshotContents(opened)
      // No folder can occur twice, so there are no more folders than slots.
      #expect(contents.lines.count + contents.lost.count < 200, "seed \(seed)")
      #expect(Set(contents.lines).count == contents.lines.count, "seed \(seed)")
      _ = opened.check { _ in }
    }
  }

  @Test func noSizeIsNegative() async throws {
    let bytes = try await snapshot(of: folder.path)
    let index = Int(try file.open(bytes).indexOffset)
    let slots = Array(bytes[(index + 4)..<(bytes.count - SnapshotNumbers.trailer)])
    let body = try block(of: bytes)
    var lost = 0
    for index in body.indices {
      // The lowest bit of a stored size is its sign.
      var body = body
      body[index] ^= 1
      let contents = SnapshotContents(try file.open(try sealed(bytes, body, slots)))
      #expect(contents.sizes.allSatisfy { $0 >= 0 }, "byte \(index)")
      lost += contents.lost.isEmpty ? 0 : 1
    }
    #expect(lost > 3)
  }

  /// Times that no clock has, with the right checksum.
  @Test func impossibleTimesAreRefused() async throws {
    let bytes = try await snapshot(of: folder.path)
    let end = Int(try file.open(bytes).firstBlock) - 4
    for (seconds, isRight) in [
      (Int64.min, false), (-62_135_596_801, false), (-62_135_596_800, true),
      (253_402_300_799, true), (253_402_300_800, false), (.max, false),
    ] {
      var header = SnapshotNumbers.magic
      header += bytes[header.count..<SnapshotNumbers.headerStart]
      header.append(little: UInt64(bitPattern: seconds))
      header += bytes[header.count..<end]
      header.append(little: CRC32.checksum(of: header))
      let changed = header + bytes[header.count...]
      #expect(((try? file.open(changed)) != nil) == isRight, "\(seconds)")
    }
    // Commits can have such times.
    var header = SnapshotHeader(roots: [SnapshotHeader.Root(label: [0x61], directory: [0x61])])
    header.seconds = .max
    let body = header.bytes.dropFirst(SnapshotNumbers.headerStart).dropLast(4)
    #expect(try SnapshotHeader(body: Array(body)).seconds == 253_402_300_799)
  }

  /// Counts of folders, files and blocks that the file can't have, with the right checksum.
  @Test func impossibleCountsAreRefused() async throws {
    let bytes = try await snapshot(of: folder.path)
    let trailer = bytes.count - SnapshotNumbers.trailer
    for count in [UInt64(1) << 32, UInt64(Int64.max), .max] {
      for place in 2...4 {
        var changed = bytes
        var number: [UInt8] = []
        number.append(little: count)
        changed.replaceSubrange((trailer + 8 * place)..<(trailer + 8 * place + 8), with: number)
        var sum: [UInt8] = []
        sum.append(little: CRC32.checksum(of: Array(changed[trailer..<(trailer + 44)])))
        changed.replaceSubrange((trailer + 44)..<(trailer + 48), with: sum)
        #expect(throws: SnapshotError.damaged(file: Array(file("snapshot").utf8))) {
          _ = try file.open(changed)
        }
      }
    }
  }

  @Test func otherFilesAreRefused() throws {
    #expect(throws: SnapshotError.foreign(file: Array(file("snapshot").utf8))) {
      _ = try file.open(Array("{}".utf8))
    }
    #expect(throws: SnapshotError.foreign(file: Array(file("snapshot").utf8))) {
      _ = try file.open([])
    }
    #expect(throws: SnapshotError.notRegular(file: Array(folder.path.utf8))) {
      _ = try Snapshot(opening: Array(folder.path.utf8))
    }
    #expect(throws: SnapshotError.self) {
      _ = try Snapshot(opening: Array(file("nowhere").utf8))
    }
  }
}
