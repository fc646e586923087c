import GeoCore
import GeoProjection
import GeoSystem
import GeoVerify

/// Checks a map file, which is read twice.
public enum MapVerification {
  private static let stretch = 1 << 18

  /// Checks a map file in one of the GeoJSON formats; `layout` counts if the map doesn't name it.
  ///
  /// - Complexity: O(length of the file); some 300 bytes of memory per folder.
  package static func verify(
    file: [UInt8], layout: Layout = .settled, progress: (Double) -> Void = { _ in }
  ) throws(VerificationError) -> VerifiedCounts {
    let opened = try rethrowing(ReadableFile.open(file)) {
      VerificationError.unreadable(file: file, $0)
    }
    guard let input = opened else { throw .notRegular(file: file) }
    var verifier = MapVerifier(layout: layout)
    let size = 2 * Double(max(1, input.size))
    var read = 0.0
    try pass(input, file) { (bytes) throws(MapFault) in
      try verifier.read(bytes.span)
      read += Double(bytes.count)
      progress(read / size)
    }
    var checker = try rethrowing(verifier.startChecking(), as: VerificationError.fault)
    try pass(input, file) { (bytes) throws(MapFault) in
      try checker.check(bytes.span)
      read += Double(bytes.count)
      progress(read / size)
    }
    return try rethrowing(checker.finish(), as: VerificationError.fault)
  }

  private static func pass(
    _ input: borrowing ReadableFile, _ file: [UInt8], _ body: ([UInt8]) throws(MapFault) -> Void
  ) throws(VerificationError) {
    var bytes: [UInt8] = []
    var offset = 0
    repeat {
      try rethrowing(input.read(stretch, at: offset, into: &bytes)) {
        VerificationError.unreadable(file: file, $0)
      }
      try rethrowing(body(bytes), as: VerificationError.fault)
      offset += bytes.count
    } while !bytes.isEmpty
  }
}
