import GeoPipeline
import GeoProjection
import GeoTree
import GeoVerify
import TestSupport
import Testing

/// Every changed byte of a map is noticed, except for facts that only the disk has.
@Suite struct ChangedByteTests {
  /// A map of a small tree.
  private func smallMap(_ layout: Layout) async throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.makeFile("src/a/one", "hello")
    try folder.makeFile("src/a/b/two \" \\ \t", "12")
    try folder.makeFile(bytes: Array("src/".utf8) + [0xFF, 0x80])
    try folder.makeLink("src/link", to: "a")
    let path = Array("\(folder.path)/src".utf8)
    var request = MapRequest(roots: [ScanRoot(label: Array("src".utf8), directory: path)])
    request.layout = layout
    var map: [UInt8] = []
    for try await chunk in try await MapPipeline.open(request) {
      chunk.withBytes { bytes in
        for index in 0..<bytes.count { map.append(bytes[index]) }
      }
    }
    return map
  }

  private func verify(_ map: [UInt8]) throws(MapFault) -> VerifiedCounts {
    var verifier = MapVerifier()
    try verifier.read(map.span)
    var checker = try verifier.startChecking()
    try checker.check(map.span)
    return try checker.finish()
  }

  /// The positions of numbers that only the disk decides: times and sizes of files.
  private func free(in map: [UInt8]) -> Set<Int> {
    var free: Set<Int> = []
    var start = 0
    for line in map.split(separator: 10, omittingEmptySubsequences: false) {
      let text = Array(line)
      for key in ["\"modified\":", "\"size\":"] {
        let key = Array(key.utf8)
        if key.count == 7, !contains(text, Array("\"poi\"".utf8)) { continue }
        guard text.count > key.count, let at = position(of: key, in: text) else { continue }
        var digit = at + key.count
        while digit < text.count, 0x30...0x39 ~= text[digit] {
          free.insert(start + digit)
          digit += 1
        }
      }
      start += text.count + 1
    }
    return free
  }

  private func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    position(of: part, in: text) != nil
  }

  private func position(of part: [UInt8], in text: [UInt8]) -> Int? {
    guard text.count >= part.count else { return nil }
    return (0...(text.count - part.count)).first { text[$0..<($0 + part.count)] == part[...] }
  }

  @Test(arguments: [Layout.settled, .pinned])
  func everyChangeIsFound(_ layout: Layout) async throws {
    let map = try await smallMap(layout)
    #expect(try verify(map).nodes == 7)
    let free = free(in: map)
    #expect(!free.isEmpty)
    // Rings are long and uniform: only some of their bytes are changed, others for each test scale.
    var ringBytes = 0
    var isInRing = false
    var caught = 0
    let stride = TestScale.each(97)
    for index in map.indices where !free.contains(index) {
      if map[index] == 0x5B, index > 0, map[index - 1] == 0x5B { isInRing = true }
      if map[index] == 0x7D { isInRing = false }
      if isInRing {
        ringBytes += 1
        if ringBytes % stride != 0 { continue }
      } else if index % TestScale.each(1) != 0 {
        continue
      }
      var changed = map
      let byte = map[index]
      changed[index] = 0x30...0x39 ~= byte ? 0x30 + (byte - 0x30 + 1) % 10 : byte ^ 1
      let isFound: Bool
      do throws(MapFault) {
        _ = try verify(changed)
        isFound = false
      } catch {
        isFound = true
        caught += 1
      }
      #expect(
        isFound,
        "byte \(index): \(String(decoding: map[max(0, index - 40)...index], as: UTF8.self))")
    }
    #expect(caught > TestScale.cases(1000))
  }

  @Test func everyShorterMapIsFound() async throws {
    let map = try await smallMap(.settled)
    for length in stride(from: 0, to: map.count, by: TestScale.each(61)) {
      let cut = Array(map[..<length])
      #expect(throws: MapFault.self) { _ = try verify(cut) }
    }
  }
}
