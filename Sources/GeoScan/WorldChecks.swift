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
  /// - Throws: `MapError` as `lookup(cacheLimit:readsDisk:)`; ``VerificationError`` with the first
  ///   counterexample.
  public func verify() async throws -> TreeVerification.Outcome {
    var verification = TreeVerification(roots: try await indexedRoots())
    verification.scan.staysOnFileSystem = staysOnFileSystem
    return try await verification.verify(layout)
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
  /// - Throws: `VerificationError`.
  public static func verify(
    file url: URL, layout: Layout = .settled, progress: (Double) -> Void = { _ in }
  ) throws(VerificationError) -> VerifiedCounts {
    try verify(file: url.pathBytes, layout: layout, progress: progress)
  }
}

extension VerificationError: LocalizedError {
  /// What is wrong and what to do, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension MapFault: LocalizedError {
  /// What is wrong and where, so that `localizedDescription` says it.
  public var errorDescription: String? {
    let place = [line > 0 ? "line \(line)" : nil, path.map { TerminalText.escaped($0) }]
    return (place.compactMap(\.self) + [what]).joined(separator: ": ")
  }
}
