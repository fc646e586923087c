import GeoFormats
import GeoCore
import TestSupport
import Testing

/// The map is the same however it is split into batches and parts.
@Suite struct BatchTests {
  @Test(arguments: OutputFormat.allCases)
  func batchesJoin(format: OutputFormat) {
    let whole = map(sampleWorld, header: sampleHeader, as: format)
    for batch in [1, 2, 3, 7] {
      #expect(map(sampleWorld, header: sampleHeader, as: format, batch: batch) == whole)
    }
  }

  @Test(arguments: OutputFormat.allCases)
  func partsJoin(format: OutputFormat) {
    var whole = OutputBuffer(capacity: 0)
    let summary = write(sampleWorld, as: format, to: &whole)
    var joined: [UInt8] = []
    var total = MapSummary()
    for folder in sampleWorld {
      var part = OutputBuffer(capacity: 0)
      total += write([folder], as: format, to: &part)
      joined += part.bytes
    }
    #expect(joined == whole.bytes)
    #expect(total == summary)
  }

  @Test(arguments: OutputFormat.allCases)
  func randomFoldersJoin(format: OutputFormat) {
    for seed in TestScale.seeds(20) {
      var random = SeededRandom(seed: seed)
      var folder = sampleWorld[Int.random(in: 0..<sampleWorld.count, using: &random)]
      folder.path += [UInt8(ascii: "/")] + randomName(using: &random)
      let files = sampleWorld.flatMap(\.files)
      folder.files = (0..<40).map { _ in
        var file = files[Int.random(in: 0..<files.count, using: &random)]
        file.name = randomName(using: &random)
        return file
      }
      var whole = OutputBuffer(capacity: 0)
      let summary = write([folder], as: format, to: &whole)
      let batch = Int.random(in: 1...39, using: &random)
      var parts = OutputBuffer(capacity: 0)
      let total = write([folder], as: format, batch: batch, to: &parts)
      #expect(parts.bytes == whole.bytes, "seed \(seed), batches of \(batch)")
      #expect(total == summary, "seed \(seed), batches of \(batch)")
    }
  }

  @Test func longPathsFit() {
    // A path longer than any system call accepts, of the bytes that expand most.
    for byte in [0x01, 0xFF, UInt8(ascii: "\""), UInt8(ascii: "a")] {
      var folder = sampleWorld[0]
      folder.path = [UInt8](repeating: byte, count: 255)
      for _ in 0..<40 { folder.path += [UInt8(ascii: "/")] + folder.path.prefix(255) }
      for index in folder.files.indices {
        folder.files[index].name = [UInt8](repeating: byte, count: 255)
      }
      for format in OutputFormat.allCases {
        var buffer = OutputBuffer(capacity: 0)
        let summary = write([folder], as: format, to: &buffer)
        // The rows of a page don't repeat the path.
        let paths = format == .html ? 2 : 1 + summary.files
        #expect(buffer.count > folder.path.count * paths)
      }
    }
  }
}
