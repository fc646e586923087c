import Foundation
import GeoCore
import GeoMap
import GeoPipeline
import GeoProjection
import GeoVerify

extension GeoWorld {
  /// Maps the world several times in different ways, and checks each map. The whole world is
  /// checked, regardless of `filter` and `selection`.
  ///
  /// - Returns: Counts of the checks.
  /// - Throws: ``MapFault`` with the first counterexample; `GeoError` if the world can't be read, or
  ///   changes meanwhile.
  public func verify() async throws -> TreeVerification.Outcome {
    var verification = TreeVerification(roots: try await indexedRoots())
    verification.scan.staysOnFileSystem = staysOnFileSystem
    do {
      return try await verification.verify(layout)
    } catch .fault(let fault) {
      throw fault
    }
  }
}

extension MapVerification {
  /// Checks a map file, which is read twice.
  ///
  /// - Parameters:
  ///   - url: A regular file, in one of the GeoJSON formats.
  ///   - layout: The layout, if the map doesn't name it.
  ///   - progress: Called with the progress, 0 to 1.
  /// - Returns: The counts of everything checked.
  /// - Throws: ``MapFault`` with the first fault; `GeoError` if the file can't be read.
  public static func verify(
    file url: URL, layout: Layout = .settled, progress: (Double) -> Void = { _ in }
  ) throws -> VerifiedCounts {
    do {
      return try verify(file: url.pathBytes, layout: layout, progress: progress)
    } catch .fault(let fault) {
      throw fault
    }
  }
}

extension VerificationError: LocalizedError {}

extension MapFault: LocalizedError {
  /// The path of the node as text, where invalid UTF-8 becomes U+FFFD; nil if none is at fault.
  public var path: String? { rawPath.map { String(decoding: $0, as: UTF8.self) } }

  /// What is wrong and where, so that `localizedDescription` says it.
  public var errorDescription: String? {
    let place = [line > 0 ? "line \(line)" : nil, rawPath.map { TerminalText.escaped($0) }]
    return (place.compactMap(\.self) + [what]).joined(separator: ": ")
  }
}
